"""Something that shows in the text of an answer."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from ..grammar import in_a_row

__all__ = ["Slip", "listed", "quoted"]

_LONGEST = 60
#: So many names a sentence lists.
_MOST = 8


@dataclass(frozen=True)
class Slip:
    """What stands in a line, as a sentence that is true whatever the results are, and what to do.

    `instead`: it is the cause of what went wrong, so it is said in place of a known mistake with the same results. `first`: it
    is said in front of that mistake.
    """

    kind: str
    says: str
    next_step: str
    instead: bool = False
    first: bool = False


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them; of very many the first ones.

    >>> listed(["`a`", "`b`"]), listed([f"`{letter}`" for letter in "abcdefghijkl"])
    ('`a` and `b`', '`a`, `b`, `c`, `d`, `e`, `f`, `g`, `h` and 4 more')
    """
    return in_a_row([*names[:_MOST], f"{len(names) - _MOST} more"] if len(names) > _MOST else names)


def quoted(node: ast.AST) -> str:
    """A piece of code as a sentence shows it.

    >>> quoted(ast.parse("x - mean/std", mode="eval").body)
    '`x - mean / std`'
    """
    text = " ".join(ast.unparse(node).split())
    return f"`{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}`"
