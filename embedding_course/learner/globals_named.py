"""Find the names that the code of a function or class uses."""

import types
from collections.abc import Iterator
from typing import Any


def globals_named(candidate: Any) -> set[str]:
    """Return the names that a function, or the methods of a class, look up outside: globals, and also attributes.

    Examples
    --------
    >>> sorted(globals_named(lambda rows: [len(row) for row in sorted(rows)]))
    ['len', 'sorted']
    """
    methods = vars(candidate).values() if isinstance(candidate, type) else [candidate]
    return {name for method in methods for code in _codes(getattr(method, "__code__", None)) for name in code.co_names}


def _codes(code: Any) -> Iterator[types.CodeType]:
    """Yield a code object and the code objects of the functions and comprehensions inside it."""
    if isinstance(code, types.CodeType):
        yield code
        for constant in code.co_consts:
            yield from _codes(constant)
