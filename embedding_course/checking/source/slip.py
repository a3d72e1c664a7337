"""Something that shows in the text of an answer."""

from __future__ import annotations

import ast
from dataclasses import dataclass

__all__ = ["Slip", "quoted"]

_LONGEST = 60


@dataclass(frozen=True)
class Slip:
    """What stands in a line, as a sentence that is true whatever the results are, and what to do."""

    kind: str
    says: str
    next_step: str


def quoted(node: ast.AST) -> str:
    """A piece of code as a sentence shows it.

    >>> quoted(ast.parse("x - mean/std", mode="eval").body)
    '`x - mean / std`'
    """
    text = " ".join(ast.unparse(node).split())
    return f"`{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}`"
