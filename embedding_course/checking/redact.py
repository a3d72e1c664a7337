"""Limit what a verdict on a hidden case shows: the course's own sentences, with values from a vocabulary only.

A learner's code sees hidden inputs. Anything that it could make a verdict repeat (the name of a class, the text of an
exception, a key, a string in a list, a size) could reveal them.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from ..messages import Code, Count, Listing, Message
from .show import common_types

if TYPE_CHECKING:
    from .case import Case

__all__ = ["MAX_LISTED", "redact", "vocabulary"]

GONE = "…"
#: Longer listings are cut: what an answer returns must not decide how long a verdict is.
MAX_LISTED = 12


def redact(message: Message, words: frozenset[str]) -> Message:
    """Return the message with "…" in place of every slot that could carry a hidden input.

    Parameters
    ----------
    message : Message
        Templates are ours. Kept of the slots are `Code`, `Count`, and texts that are in `words`.
    words : frozenset of str
        The vocabulary of the exercise and case, from `vocabulary`.

    Examples
    --------
    >>> seen = Message("{part}: {received}, {axes} axes", part="output", received="58.29", axes=Count(2))
    >>> str(redact(seen, frozenset(["output"])))
    'output: …, 2 axes'
    """
    return Message(
        message.template, message.several, **{name: _redacted(value, words) for name, value in message.slots.items()}
    )


def _redacted(value: Any, words: frozenset[str]) -> Any:
    if isinstance(value, Message):
        return redact(value, words)
    if isinstance(value, Listing):
        return replace(value, items=[_redacted(item, words) for item in value.items[:MAX_LISTED]])
    safe = type(value) in (Code, Count) or (type(value) is str and value in words)
    return value if safe else GONE


def vocabulary(case: Case, parameters: Iterable[str] = ()) -> frozenset[str]:
    """Return the words that a verdict on a hidden case may repeat.

    They are the names of types and exceptions that everybody has, and those of the arguments that the case passes.
    """
    return _known_to_all() | {*case.args, *case.options, *parameters}


@cache
def _known_to_all() -> frozenset[str]:
    exceptions = {
        name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
    }
    return common_types() | exceptions
