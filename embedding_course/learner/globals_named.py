"""Which names the code of a function or class mentions."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

__all__ = ["globals_named"]


def globals_named(candidate: Any) -> set[str]:
    """The names that the code of a function, or of a class's methods, looks up outside itself: globals, and attributes too.

    >>> sorted(globals_named(lambda rows: [len(row) for row in sorted(rows)]))
    ['len', 'sorted']
    """
    methods = vars(candidate).values() if isinstance(candidate, type) else [candidate]
    return {name for method in methods for code in _codes(getattr(method, "__code__", None)) for name in code.co_names}


def _codes(code: Any) -> Iterator[types.CodeType]:
    """A code object, and those of the functions and comprehensions inside it."""
    if isinstance(code, types.CodeType):
        yield code
        for constant in code.co_consts:
            yield from _codes(constant)
