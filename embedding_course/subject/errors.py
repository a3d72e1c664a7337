"""The exception that the course raises for a learner: a sentence without a traceback."""

import difflib
from collections.abc import Iterable, Sequence

from ..messages import COMMA, Listing, Message

_SHOWN = 12


class CourseError(Exception):
    """The request cannot be fulfilled. The message says what is wrong and what to do.

    Notebook front ends show only the message, since a traceback through the course's own code would not help.
    """

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def nearest(word: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Return the entries of `known` that are spelt most like `word`; those behind a dot count too.

    >>> nearest("onehot", ["01.one_hot", "01.merge_pair"])
    ['01.one_hot']
    """
    whole, tails = {}, {}
    for candidate in known:
        whole[candidate.casefold()] = tails[candidate.split(".")[-1].casefold()] = candidate
    word = word.strip().casefold()
    near = [whole[candidate] for candidate in difflib.get_close_matches(word, whole, count, 0.5)]
    near += [tails[tail] for tail in difflib.get_close_matches(word.split(".")[-1], tails, count, 0.5)]
    return list(dict.fromkeys(near))[:count]


def closest(word: str, known: Iterable[str], count: int = 3) -> Message:
    """Return a clause that names the entries of `known` nearest to `word`.

    >>> str(closest("onehot", ["one_hot", "merge_pair"]))
    'did you mean one_hot?'
    """
    known = list(known)
    near = nearest(word, known, count)
    if near:
        return Message("did you mean {names}?", names=_listed(near))
    if len(known) > _SHOWN + 1:
        return Message("there are {names} and {count} more.", names=_listed(known[:_SHOWN]), count=len(known) - _SHOWN)
    return Message("there are {names}.", names=_listed(known))


def _listed(names: Sequence[str]) -> Listing:
    return Listing(names, COMMA)
