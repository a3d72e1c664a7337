"""List kinds of words in the Python language reference, to evaluate vectors that were trained on it.

The lists were written by hand. A word that is missing in the text of some Python version is left out.
"""

from collections.abc import Mapping, Sequence

from ...messages import translatable

_WORDS = {
    translatable("container"): (
        "list lists tuple tuples set sets frozenset dictionary dict string strings bytes bytearray sequence "
        "sequences mapping mappings array"
    ),
    translatable("number"): "integer integers int float floating complex decimal bool",
    translatable("exception"): (
        "typeerror valueerror attributeerror indexerror keyerror nameerror runtimeerror zerodivisionerror "
        "overflowerror stopiteration stopasynciteration assertionerror syntaxerror"
    ),
    translatable("simple statement"): "raise return yield break continue pass del global nonlocal assert import",
    translatable("compound statement"): "if elif else while for try except finally with async",
    translatable("arithmetic method"): "__add__ __radd__ __iadd__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__",
    translatable("comparison method"): "__lt__ __le__ __eq__ __ne__ __gt__ __ge__",
    translatable("access method"): (
        "__getattr__ __getattribute__ __setattr__ __delattr__ __get__ __set__ __delete__ __getitem__ __setitem__"
    ),
    translatable("count"): "one two three four first second third",
    translatable("modal verb"): "must should may can cannot might could will would",
    translatable("form of be, have"): "is are was were be been has have",
}

KINDS: Mapping[str, tuple[str, ...]] = {kind: tuple(words.split()) for kind, words in _WORDS.items()}

_UNSEEN = (
    "tuples frozenset bytearray integers indexerror overflowerror stopiteration break nonlocal elif __sub__ __truediv__ "
    "__iadd__ __le__ __ne__ __delattr__ __setitem__ __set__ cannot might would"
)
#: Words, about two of each kind, that are hidden from a model, to see which vectors it gives them.
NEVER_SEEN = tuple(_UNSEEN.split())


def kinds_of(words: Sequence[str]) -> dict[int, str]:
    """Return index to kind, for those of `words` that have one.

    Examples
    --------
    >>> kinds_of(["the", "list", "raise"])
    {1: 'container', 2: 'simple statement'}
    """
    kinds = {word: kind for kind, members in KINDS.items() for word in members}
    return {index: kinds[word] for index, word in enumerate(words) if word in kinds}
