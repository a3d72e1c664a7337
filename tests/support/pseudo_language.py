"""A language in which each template stands in brackets, so that a text which is not looked up shows at once."""

import gettext
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser

from embedding_course.messages import in_language

_SLOT = re.compile(r"{[a-zA-Z_]+(?::[^{}]*)?}")
#: Code in backquotes, ids of exercises, topics of notebooks, and numbers.
_DATA = re.compile(r"`[^`]*`|\b\d\d[._]\w+|\d+")


class Pseudo(gettext.NullTranslations):
    """Each template stands in brackets, and the value of each slot in others."""

    def gettext(self, message: str) -> str:
        marked = _SLOT.sub(lambda slot: f"⟨{slot[0]}⟩", message)
        return f"⟦{marked}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@contextmanager
def pseudo_language() -> Iterator[None]:
    """Use the pseudo-language within the block."""
    with in_language(Pseudo()):
        yield


def outside(text: str) -> str:
    """Return what stands in no template."""
    depth, left = 0, []
    for sign in text:
        depth += (sign == "⟦") - (sign == "⟧")
        left.append(sign if depth == 0 and sign != "⟧" else "")
    return "".join(left).strip()


def words_outside(text: str) -> list[str]:
    """Return the words that stand in no template and are no data: no code, no id and no number."""
    return re.findall(r"[^\W\d_]{2,}", _DATA.sub("", outside(text)))


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts, self.skipped = list[str](), 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.skipped += tag in ("style", "pre", "code")
        self.texts += [value for name, value in attrs if name in ("title", "alt", "aria-label") and value]

    def handle_endtag(self, tag: str) -> None:
        self.skipped -= tag in ("style", "pre", "code")

    def handle_data(self, data: str) -> None:
        self.texts.append("`…`" if self.skipped else data)


def text_of_page(html: str) -> str:
    """Return the text of a page with all that it says in attributes, and without code."""
    page = _Page()
    page.feed(html)
    return " ".join(page.texts)
