"""Lists, texts and dicts: back to front, one short, without repeats, in another order, keys for values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from .claim import ENOUGH, Claim, Pair

__all__ = ["dict_arranged", "list_arranged", "lists_arranged", "text_arranged"]

_Arranged = tuple[tuple[Any, ...], str]


def list_arranged(pair: Pair) -> Iterator[Claim]:
    """Relations of one list to another."""
    if isinstance(pair.right, list) and isinstance(pair.other, list) and pair.right != pair.other:
        for key, words in _arranged(pair.right, pair.other):
            weight = ENOUGH if len(pair.right) > 2 else 1
            yield Claim(("list", *key), f"{{yours}} is {{right}} {words}", "", weight)


def lists_arranged(pair: Pair) -> Iterator[Claim]:
    """The same of each list in a list."""
    if not (isinstance(pair.right, list) and isinstance(pair.other, list)) or len(pair.right) != len(pair.other):
        return
    wrong = [(mine, theirs) for mine, theirs in zip(pair.right, pair.other, strict=True) if mine != theirs]
    if len(pair.right) < 2 or not wrong or not all(isinstance(one, list) for both in wrong for one in both):
        return
    found = dict(_arranged(*wrong[0]))
    for mine, theirs in wrong[1:]:
        also = dict(_arranged(mine, theirs))
        found = {key: words for key, words in found.items() if key in also}
    which = "every list" if len(wrong) == len(pair.right) else "each list that is wrong"
    for key, words in found.items():
        yield Claim(("lists", *key), f"in {{yours}} {which} is the right one {words}")


def _arranged(right: list, other: list) -> Iterator[_Arranged]:
    if len(right) == len(other) and other == right[::-1]:
        yield (("reversed",), "back to front")
    if len(other) < len(right):
        yield from _short(right, other, "without its {} {}", "short")
    if len(right) < len(other):
        yield from _short(other, right, "with {1} too many at the {0}", "long")
    if len(right) == len(other) > 2 and right[1:] == other[:-1]:
        yield (("early",), "one position earlier")
    if len(right) == len(other) > 2 and right[:-1] == other[1:]:
        yield (("late",), "one position later")
    firsts = _without_repeats(right)
    if len(firsts) < len(right) and firsts == other:
        yield (("no repeats",), "without what occurs a second time")
    repeats = _without_repeats(other)
    if len(repeats) < len(other) and repeats == right:
        yield (("repeats",), "with entries that occur twice")
    mine, theirs = sorted(map(repr, right)), sorted(map(repr, other))
    if mine == theirs and len(set(mine)) > 1:
        yield (("order",), "in another order")
    if all(isinstance(one, str) for one in (*right, *other)):
        yield from _words(right, other)
    have, should = Counter(theirs), Counter(mine)
    if theirs and len(theirs) < len(mine) and not have - should:
        yield (("some missing",), "without some of its entries, in whatever order")
    if mine and len(mine) < len(theirs) and not should - have:
        yield (("some more",), "with further entries, in whatever order")


def _short(long: list, short: list, words: str, key: str) -> Iterator[_Arranged]:
    gone = len(long) - len(short)
    entries = {"short": "entry" if gone == 1 else "entries", "long": "one entry" if gone == 1 else "some entries"}[key]
    if long[: len(short)] == short:
        yield ((key, "last"), words.format("last" if key == "short" else "end", entries))
    if long[gone:] == short:
        yield ((key, "first"), words.format("first" if key == "short" else "beginning", entries))
    if gone == 2 and long[1:-1] == short:
        both = {"short": "without its first and its last entry", "long": "with one entry too many at each end"}
        yield ((key, "both"), both[key])


def _without_repeats(values: list) -> list:
    """Return the first of each: by their text, since lists cannot be hashed and a search of all for each takes too long."""
    found: dict[str, Any] = {}
    for value in values:
        found.setdefault(repr(value), value)
    return list(found.values())


_SPELLINGS: dict[str, Callable[[str], str]] = {
    "in small letters": str.lower,
    "in capitals": str.upper,
    "without spaces at the ends": str.strip,
}


def _words(right: list[str], other: list[str]) -> Iterator[_Arranged]:
    for words, spelling in _SPELLINGS.items():
        if [spelling(one) for one in right] == other:
            yield (("spelling", words), words)
    if "".join(right) == "".join(other) and len(right) != len(other):
        more = "more" if len(other) > len(right) else "fewer"
        yield (("pieces", more), f"cut into {more} pieces")


def text_arranged(pair: Pair) -> Iterator[Claim]:
    """One text for another: other spelling, white space, something around it."""
    right, other = pair.right, pair.other
    if not (isinstance(right, str) and isinstance(other, str)) or len(right) < 2 or right == other:
        return
    weight = ENOUGH if len(right) > 2 else 1
    for words, spelling in _SPELLINGS.items():
        if spelling(right) == other:
            yield Claim(("text", words), f"{{yours}} is {{right}} {words}", "", weight)
    if other == right[::-1]:
        yield Claim(("text", "reversed"), "{yours} is {right} back to front", "", weight)
    if "".join(right.split()) == "".join(other.split()):
        what = "too much" if len(other) > len(right) else "too little"
        yield Claim(("text", what), f"{{yours}} holds the right letters, with white space {what}", "", weight)
    if right in other:
        yield Claim(("text", "around"), "{yours} is {right} with more around it", "", weight)
    elif other and other in right:
        yield Claim(("text", "part"), "{yours} is a part of {right}", "", weight)


def dict_arranged(pair: Pair) -> Iterator[Claim]:
    """Keys for values, or keys missing and the rest right."""
    right, other = pair.right, pair.other
    if not isinstance(right, dict) or not isinstance(other, dict) or len(right) < 2 or right == other:
        return
    if [*map(repr, right.values())] == [*map(repr, other)] and [*map(repr, other.values())] == [*map(repr, right)]:
        yield Claim(("dict", "exchanged"), "{yours} is {right} with keys and values exchanged")
    if right.keys() == other.keys() and sorted(map(repr, right.values())) == sorted(map(repr, other.values())):
        yield Claim(("dict", "order"), "{yours} has the right keys and the right values, but not at the same keys")
    common = right.keys() & other.keys()
    if not common or any(right[key] != other[key] for key in common):
        return
    if common == other.keys():
        yield Claim(("dict", "short"), "{yours} lacks keys; those that it has are right")
    elif common == right.keys():
        yield Claim(("dict", "long"), "{yours} has keys too many; all others are right")
