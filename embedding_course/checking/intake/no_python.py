"""Read cells of which some lines are not Python, such as a note below the answer or a bracket that was never closed.

Python rejects such a cell as a whole. This module removes the statement of each line that Python names until the rest can be
parsed, so that a right definition counts whatever else is in its cell.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

#: How many statements are taken out of one cell, and of a long one, which is parsed again each time.
_MAX, _MAX_OF_LONG, _LONG = 12, 3, 20_000
#: What a text brings along that was copied from a page or a message and that nobody sees.
_UNSEEN = dict.fromkeys([0xFEFF, 0x200B, 0x200C, 0x200D, 0x2060, 0xAD]) | dict.fromkeys([0xA0, 0x3000, 0x202F, 0x2007], " ")
_GOES_ON = re.compile(r"[ \t)\]}#]|(?:elif|else|except|finally)\b|$")


@dataclass(frozen=True)
class Broken:
    """A part of a cell that is no Python, and its first line there."""

    text: str
    line: int


def without_broken(source: str, read: Callable[[str], object]) -> tuple[str, tuple[Broken, ...]]:
    r"""Return the cell with empty lines in place of the parts that `read` rejects, and those parts; lines keep their numbers.

    Raises
    ------
    SyntaxError
        If `read` does not say in which line it fails, or if the cell has too many such parts.

    Examples
    --------
    >>> import ast
    >>> text, broken = without_broken("def f(x):\n    return x\n\nThat was easy!", ast.parse)
    >>> text, broken
    ('def f(x):\n    return x\n\n', (Broken(text='That was easy!', line=4),))
    """
    lines, broken = source.split("\n"), list[Broken]()
    for _ in range(_MAX if len(source) < _LONG else _MAX_OF_LONG):
        try:
            read("\n".join(lines))
        except SyntaxError as error:
            index = (error.lineno or 0) - 1
            if not 0 <= index < len(lines):
                raise
            seen = lines[index].translate(_UNSEEN)
            if "non-printable" in (error.msg or "") and seen != lines[index]:
                lines[index] = seen
                continue
            first, end = _around(lines, index)
            broken.append(Broken("\n".join(lines[first:end]), first + 1))
            lines[first:end] = [""] * (end - first)
        else:
            return "\n".join(lines), tuple(sorted(broken, key=lambda part: part.line))
    raise SyntaxError("too much of it is no Python")


def _around(lines: list[str], index: int) -> tuple[int, int]:
    """Return the first line of the statement that contains a line, and the line after its last one.

    A statement goes from a line that begins at the margin to the next such line.
    """
    first = index
    while first and _GOES_ON.match(lines[first]):
        first -= 1
    while first and lines[first - 1].startswith("@"):
        first -= 1
    end = index + 1
    while end < len(lines) and _GOES_ON.match(lines[end]):
        end += 1
    while end > index + 1 and not lines[end - 1].strip():
        end -= 1
    return first, end
