"""Kinds of words in the Python language reference, by which vectors trained on it can be judged.

The lists were written by hand, before any vectors were looked at. A word that some version's text lacks is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["KINDS", "NEVER_SEEN", "kinds_of"]

KINDS: Mapping[str, tuple[str, ...]] = {
    "container": tuple(
        "list lists tuple tuples set sets frozenset dictionary dict string strings bytes bytearray sequence sequences mapping "
        "mappings array".split()
    ),
    "number": tuple("integer integers int float floating complex decimal bool".split()),
    "exception": tuple(
        "typeerror valueerror attributeerror indexerror keyerror nameerror runtimeerror zerodivisionerror overflowerror "
        "stopiteration stopasynciteration assertionerror syntaxerror".split()
    ),
    "simple statement": tuple("raise return yield break continue pass del global nonlocal assert import".split()),
    "compound statement": tuple("if elif else while for try except finally with async".split()),
    "arithmetic method": tuple("__add__ __radd__ __iadd__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__".split()),
    "comparison method": tuple("__lt__ __le__ __eq__ __ne__ __gt__ __ge__".split()),
    "access method": tuple(
        "__getattr__ __getattribute__ __setattr__ __delattr__ __get__ __set__ __delete__ __getitem__ __setitem__".split()
    ),
    "count": tuple("one two three four first second third".split()),
    "modal verb": tuple("must should may can cannot might could will would".split()),
    "form of be, have": tuple("is are was were be been has have".split()),
}

#: Some of them, two or so of each kind, that a model is not shown: what vectors will it give them?
NEVER_SEEN = tuple(
    "tuples frozenset bytearray integers indexerror overflowerror stopiteration break nonlocal elif __sub__ __truediv__ "
    "__iadd__ __le__ __ne__ __delattr__ __setitem__ __set__ cannot might would".split()
)


def kinds_of(words: Sequence[str]) -> dict[int, str]:
    """place -> kind, for those of `words` that have one.

    >>> kinds_of(["the", "list", "raise"])
    {1: 'container', 2: 'simple statement'}
    """
    kinds = {word: kind for kind, members in KINDS.items() for word in members}
    return {place: kinds[word] for place, word in enumerate(words) if word in kinds}
