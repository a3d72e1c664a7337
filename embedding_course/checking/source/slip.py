"""Something that shows in the text of an answer."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from ...messages import Code, Count, Listing, Message

#: The longest piece of code that is shown, and how many names a sentence lists.
MAX_CODE, MAX_LISTED = 60, 8


@dataclass(frozen=True)
class Slip:
    """A sentence on a line of the code, which is true whatever the results are, and what to do.

    Attributes
    ----------
    kind : str
    says, next_step : Message
    instead : bool
        True for the cause of what went wrong, which takes the place of a known mistake with the same results.
    first : bool
        True for what stands in front of that mistake.
    """

    kind: str
    says: Message
    next_step: Message
    instead: bool = False
    first: bool = False

    @classmethod
    def at(
        cls,
        node: ast.expr | ast.stmt,
        kind: str,
        says: Message,
        next_step: Message,
        *,
        code: ast.AST | None = None,
        instead: bool = False,
        first: bool = False,
    ) -> Slip:
        """Return a slip whose sentence names the line of a node as {line} and quotes code as {code}.

        Parameters
        ----------
        node : ast.expr or ast.stmt
            The node, whose code is quoted by default.
        kind : str
            What kind of slip it is.
        says : Message
            The sentence, with the slots `line` and `code` open.
        next_step : Message
            What to do.
        code : ast.AST or None, optional
            Another node to quote.
        instead, first : bool, optional
            As in `Slip`.
        """
        return cls(kind, says.fill(line=Count(node.lineno), code=quoted(code or node)), next_step, instead, first)


def listed(names: Sequence[str]) -> Listing:
    """Return names of the answer's own as a sentence lists them; of very many the first ones.

    >>> str(listed(["a", "b"])), str(listed("abcdefghijkl"))
    ('`a` and `b`', '`a`, `b`, `c`, `d`, `e`, `f`, `g`, `h` and 4 more')
    """
    shown = [Code(f"`{name}`") for name in names[:MAX_LISTED]]
    more = [Message("{count} more", count=Count(len(names) - MAX_LISTED))] if len(names) > MAX_LISTED else []
    return Listing([*shown, *more])


def quoted(node: ast.AST) -> Code:
    """Return a piece of the answer's code as a sentence shows it.

    >>> quoted(ast.parse("x - mean/std", mode="eval").body)
    '`x - mean / std`'
    """
    text = " ".join(ast.unparse(node).split())
    return Code(f"`{text if len(text) <= MAX_CODE else text[: MAX_CODE - 1] + '…'}`")
