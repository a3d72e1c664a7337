"""Say why a cell is not Python: characters from another keyboard, such as `，` and `（`, or Python's own message."""

import ast
import re
import unicodedata
import warnings
from typing import NamedTuple

from ...messages import COMMA, Listing, Message, translatable
from ..intake.magics import is_python

#: What to type for signs that Unicode does not take for a wide form of an ASCII one.
_INSTEAD = {
    **dict.fromkeys("“”„‟«»「」『』〝〞", '"'), **dict.fromkeys("‘’‚‛", "'"), **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("【〔〖", "["), **dict.fromkeys("】〕〗", "]"), **dict.fromkeys("〈《", "<"), **dict.fromkeys("〉》", ">"),
    "、": ",", "。": ".", "·": ".", "…": "...", "×": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=",
    "→": "->", "´": "'",
}  # fmt: skip
#: Signs that were to end a text, by the mark that it began with; those that end one come first.
_CLOSING = {'"': "”“„‟＂", "'": "’‘‚‛＇"}
#: At how many positions a sign is tried: the first is nearly always right.
_MAX_POSITIONS = 8
_MAGIC_LINE = re.compile(r"^([ \t]*)[%!].*", re.MULTILINE)
#: How many signs of one cell are named one by one; of more, the kind is named.
_MAX_SIGNS = 20


class UnreadableSign(NamedTuple):
    """A character that Python does not read in code: where it is, and what to type instead (empty if that is not known)."""

    line: int
    sign: str
    instead: str


def why_not_python(source: str) -> str:
    r"""Return a clause that says why a cell is no Python, or nothing where it is.

    >>> why_not_python("def f(x)：\n    return x")
    'line 1 has `：`, which Python does not read in code; type `:` with the keyboard set to English'
    >>> why_not_python("x = 1\nif x\n    x = 2")
    "Python says “expected ':'” in line 2 (`if x`)"
    """
    error = _error(source)
    if error is None:
        return ""
    signs = unreadable_signs(source)
    if signs:
        return describe_signs(signs)
    lines = source.splitlines()
    line = lines[error.lineno - 1].strip() if error.lineno and error.lineno <= len(lines) else ""
    clause = Message("Python says “{error}”", error=error.msg)
    if line:
        clause = Message("Python says “{error}” in line {line} (`{code}`)", code=line[:60].replace("`", ""), **clause.slots)
    elif error.lineno:
        clause = Message("Python says “{error}” in line {line}", **clause.slots)
    return str(clause.fill(line=error.lineno))


def describe_signs(signs: list[UnreadableSign]) -> str:
    """Return a clause that names signs by their lines, and what to type."""
    by_line: dict[int, list[str]] = {}
    for sign in signs:
        by_line.setdefault(sign.line, []).append(_shown(sign.sign))
    lines = [
        Message("line {line} has {signs}", line=line, signs=Listing(list(dict.fromkeys(shown)), COMMA))
        for line, shown in by_line.items()
    ]
    listing = Listing(lines, Message("{names}; {last}"), translatable("; "))
    meant = list(dict.fromkeys(_shown(sign.instead) for sign in signs))
    if not all(meant):
        return str(Message("{places}, which Python does not read in code", places=listing))
    clause = Message("{places}, which Python does not read in code; type {meant} with the keyboard set to English")
    if meant == [_shown(" ")]:
        clause = Message("{places}, which Python does not read in code; type {meant}")
    return str(clause.fill(places=listing, meant=Listing(meant, COMMA)))


def _shown(sign: str) -> str:
    if sign == " ":
        return str(Message("an ordinary space"))
    if sign and (sign.isspace() or not sign.isprintable()):
        return str(Message("a wide or invisible space (U+{code})", code=f"{ord(sign):04X}"))
    return f"`{sign}`" if sign else ""


def unreadable_signs(source: str) -> list[UnreadableSign]:
    """Return the signs of a cell that keep Python from reading it, in their order; what stands in texts and comments is fine.

    Each is replaced by what was meant until Python stops at something else.
    """
    signs: list[UnreadableSign] = []
    error = _error(source)
    while error is not None and len(signs) < _MAX_SIGNS:
        step = _unreadable(source, error) or _closing_quote(source, error)
        if step is None:
            break
        sign, source = step
        signs.append(sign)
        if not sign.instead:
            break
        error = _error(source)
    return sorted(signs, key=lambda sign: sign.line)


def _error(source: str) -> SyntaxError | None:
    """Return what Python says of a cell in which lines of magics stand for nothing; None where it can be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(_MAGIC_LINE.sub(r"\1pass", source))
        return None
    except SyntaxError as error:
        stopped = error
    except (ValueError, RecursionError, MemoryError) as error:
        return SyntaxError(str(error) or type(error).__name__)
    return None if is_python(source) else stopped  # a magic may stand inside a line, as in `files = !ls`


def _unreadable(source: str, error: SyntaxError) -> tuple[UnreadableSign, str] | None:
    """Return the sign that Python stopped at, and the source with what was meant in its place."""
    named = re.match(r"invalid (?:non-printable )?character (?:'.' \()?U\+([0-9A-F]+)", error.msg or "", re.DOTALL)
    if named is None:
        return None
    sign = chr(int(named[1], 16))
    instead = _meant(sign)
    for index in _places(source, sign, error):
        changed = source[:index] + (instead or "_") + source[index + 1 :]
        again = _error(changed)
        if again is None or (again.msg, again.lineno, again.offset) != (error.msg, error.lineno, error.offset):
            return UnreadableSign(source.count("\n", 0, index) + 1, sign, instead), changed
    return None


def _places(source: str, sign: str, error: SyntaxError) -> list[int]:
    """Return where a sign stands: first where Python says it is, which inside an f-string may be elsewhere."""
    start = sum(len(line) for line in source.splitlines(keepends=True)[: (error.lineno or 1) - 1]) + (error.offset or 1) - 1
    indices = [match.start() for match in re.finditer(re.escape(sign), source)]
    return sorted(indices, key=lambda index: abs(index - start))[:_MAX_POSITIONS]


def _closing_quote(source: str, error: SyntaxError) -> tuple[UnreadableSign, str] | None:
    """Return the quotation mark that was to end a text which Python finds no end of."""
    if not (error.msg or "").startswith("unterminated") or not error.lineno:
        return None
    start = sum(len(line) for line in source.splitlines(keepends=True)[: error.lineno - 1]) + (error.offset or 1) - 1
    opening = re.compile(r"\w{0,2}(\'{3}|\"{3}|[\'\"])").match(source, start)
    if opening is None:
        return None
    mark = opening[1]
    first, last = (start, len(source)) if len(mark) == 3 else _line_around(source, start)
    signs = re.finditer(f"[{_CLOSING[mark[0]]}]{{{len(mark)}}}", source[first:last])
    indices = sorted((first + sign.start() for sign in signs), key=lambda index: (index < start, index))
    for index in indices[:_MAX_POSITIONS]:
        changed = source[:index] + mark + source[index + len(mark) :]
        again = _error(changed)
        if again is None or (again.msg, again.lineno) != (error.msg, error.lineno):
            return UnreadableSign(source.count("\n", 0, index) + 1, source[index : index + len(mark)], mark), changed
    return None


def _line_around(source: str, index: int) -> tuple[int, int]:
    """Return where the line begins and ends that a place stands in."""
    end = source.find("\n", index)
    return source.rfind("\n", 0, index) + 1, len(source) if end < 0 else end


def _meant(sign: str) -> str:
    """Return the sign that was meant, such as `,` for `，`, or an empty string if it is not known."""
    if sign in _INSTEAD:
        return _INSTEAD[sign]
    if sign.isspace() or unicodedata.category(sign) in ("Zs", "Cf"):
        return " "
    plain = unicodedata.normalize("NFKC", sign)
    return plain if plain != sign and plain.isascii() else ""
