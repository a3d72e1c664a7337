r"""A learner's written answer, defused: it goes into the feedback and before the instructor's eyes, and runs nothing there.

A written answer is Markdown, and Markdown is read by several programs that differ: nbconvert's, JupyterLab's, MathJax behind
both. So nothing is parsed here. What could begin something active gets a space into it, wherever it stands, and is then
plain text to all of them; everything else stays as it was written.

>>> defused("if a < b: <b>x</b>, see [the page](https://example.org)")
'if a < b: <b>x</b>, see [the page](https://example.org)'
>>> defused("<script>alert(1)</script> [x](javascript:alert(1)) ![](https://example.org/seen.png)")
'< script>alert(1)< /script> [x] (javascript:alert(1)) ! [](https://example.org/seen.png)'
"""

import html
import re
from urllib.parse import unquote

from .outputs import BIDI, TERMINAL

#: Characters kept of an answer. Some texts that were made for it take nbconvert a minute at five times as many.
MAX_CHARACTERS = 20_000
LEFT_OUT = "\n\n[The rest of this answer was left out: it is too long.]"

_CONTROL = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{BIDI}]")

#: What MathJax does beyond drawing a formula: links, styles, classes, its own extensions; commands that stay defined for all
#: formulas of the page; boxes that are drawn over something else. A row of backslashes is tried from its first one only.
_COMMAND = re.compile(
    r"(?<!\\)\\+(?=(?:href|url|require|class|cssId|style|data|unicode|html[a-z]*|mmlToken|bbox|Rule|raise|lower|moveleft"
    r"|moveright|g?def|[ex]def|let|(?:re)?newcommand|providecommand|(?:re)?newenvironment|DeclareMathOperator|DeclarePairedDelimiters?)"
    r"(?![a-z]))",
    re.IGNORECASE | re.ASCII,
)

#: A character given by its number or name. What an honest answer writes so is no letter, colon or control character.
_ENTITY = re.compile(r"&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z][a-z0-9]*);)", re.IGNORECASE | re.ASCII)
_WRITTEN_SO = frozenset("<>&\"'|*_#`~ ")

#: What could open a tag, a comment, a declaration or an autolink, except bare tags that only set letters, and addresses of
#: pages, in which nothing could give an attribute a value.
_TAG = re.compile(
    r"<(?=[a-z/!?])(?!/?(?:b|i|em|strong|u|s|sub|sup|kbd|code|br) ?/?>)(?!https?://[\w./%#:+~@,-]+>)",
    re.IGNORECASE | re.ASCII,
)

#: JupyterLab hands a fence of this name to a program that draws.
_DRAWN = re.compile(r"(?<=[`~]{3})[ \t]*(?=mermaid)", re.IGNORECASE)

#: A picture within the answer or beside it, written so that no two readers can differ; any other; where a link leads.
_LINKS = re.compile(
    r"(?P<kept>!\[[^\[\]\\`$<>&\n]*\]"
    r"\((?:data:image/(?:png|jpeg|gif);base64,[a-z0-9+/=]+|(?:[\w-][\w.-]*/)*[\w-][\w.-]*)\))"
    r"|(?P<picture>!(?=\[))"
    r"|(?P<link>\](?=[(:]))",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"[\s<>]*")
_HEAD = 200
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*", re.IGNORECASE | re.ASCII)
_UNSEEN = re.compile(r"[\s\\\x00-\x20\x7f-\xa0\u200b-\u200f\u2060\ufeff]+")
_ALLOWED = frozenset({"http", "https", "mailto"})


def defused(text: str) -> str:
    r"""Return a written answer in which nothing runs or is loaded, and whose links lead only to pages and mail addresses.

    An answer with nothing of that kind is returned unchanged.

    >>> defused(r"$x < y$ but $\href{javascript:alert(1)}{z}$")
    '$x < y$ but $href{javascript:alert(1)}{z}$'
    """
    rest = LEFT_OUT if len(text) > MAX_CHARACTERS else ""
    plain = _CONTROL.sub("", TERMINAL.sub("", text[:MAX_CHARACTERS]))
    # Backslashes go first, since without them there may be a tag; the others only put in spaces.
    plain = _ENTITY.sub(_entity, _COMMAND.sub("", plain))
    plain = _DRAWN.sub("text ", _TAG.sub("< ", plain))
    return _LINKS.sub(_link, plain) + rest


def _entity(match: re.Match[str]) -> str:
    """Return the entity, or its text with a space in it where it stands for what could be hidden by it.

    Numbers longer than HTML has characters are no numbers of characters; some readers fail on them.
    """
    meant = html.unescape(match[0]) if len(match[1] or match[2] or "") <= 7 else ""
    unknown = bool(match[3]) and meant.startswith("&")
    return match[0] if unknown or (meant and all(map(_is_written_so, meant))) else f"& {match[0][1:]}"


def _is_written_so(character: str) -> bool:
    return character in _WRITTEN_SO or (ord(character) >= 0xA0 and not _CONTROL.match(character))


def _link(match: re.Match[str]) -> str:
    if match["kept"]:
        return match["kept"]
    if match["picture"]:
        return "! "
    return "]" if _leads_well(match.string, match.end() + 1) else "] "


def _leads_well(text: str, start: int) -> bool:
    """Return True unless an address begins there that leads elsewhere than to a page, mail or a file beside the answer.

    Browsers remove quoting, white space and escapes in an order of their own, so all of them are removed here.
    """
    begin = _BEFORE.match(text, start).end()  # type: ignore[union-attr] - matches nothing as well
    line = text[begin : begin + _HEAD].partition("\n")[0]
    cut = len(line) == _HEAD
    for _ in range(3):
        line = html.unescape(unquote(line))
    line = _UNSEEN.sub("", line).lstrip("<>\"'")
    scheme = _SCHEME.match(line)
    length = scheme.end() if scheme else 0
    if length == len(line):
        return not cut  # nothing decides it
    return line[length] != ":" or length == 0 or line[:length].lower() in _ALLOWED
