"""HTML pages as a browser meets them, for tests: what in them would run, fetch, or lead to a program."""

import re
from collections.abc import Iterable
from html.parser import HTMLParser

_RUN = {"script", "iframe", "frame", "object", "embed", "svg", "foreignobject", "link", "base", "form", "input", "video"}
_FETCH = {"src", "srcset", "poster", "data", "background", "action", "formaction", "xlink:href"}
#: A picture in the page or beside it.
_INSIDE = re.compile(r"data:image/(?:png|jpeg|gif);|(?!.*\.\.)\w[\w./-]*$")


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


def tags(text: str) -> list[tuple[str, dict[str, str]]]:
    """The tags of a page with their attributes, in order."""
    reader = _Tags()
    reader.feed(text)
    reader.close()
    return reader.found


def _is_active(tag: str, attributes: dict[str, str], drawings: bool) -> bool:
    box = tag == "input" and attributes.get("type") == "checkbox" and "disabled" in attributes
    if tag in _RUN and not box and not (drawings and tag == "svg"):
        return True
    for name, value in attributes.items():
        address = "".join(character for character in value if character > " ").lower()
        if name.startswith("on") or name == "srcdoc" or (name in _FETCH and not _INSIDE.match(address)):
            return True
        scheme = re.match(r"([a-z][a-z0-9+.-]*):", address)
        if name == "href" and scheme and scheme[1] not in ("http", "https", "mailto"):
            return True
    return False


def active(text: str, drawings: bool = False) -> list[tuple[str, dict[str, str]]]:
    """What of a page would run or ask another host; `drawings` of our own may be in it."""
    return [(tag, attributes) for tag, attributes in tags(text) if _is_active(tag, attributes, drawings)]


def has_policy(text: str) -> bool:
    """Whether the first thing in a page's head forbids all but what it allows."""
    elements = tags(text)
    names = [tag for tag, _ in elements]
    tag, attributes = elements[names.index("head") + 1]
    policy = attributes.get("content", "")
    return tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy" and _closed(policy.split(";"))


def _closed(rules: Iterable[str]) -> bool:
    directives = dict(rule.strip().split(" ", 1) for rule in rules)
    return (
        directives.pop("default-src") == "'none'"
        and not {"script-src", "connect-src"} & directives.keys()
        and "http" not in str(directives)
    )
