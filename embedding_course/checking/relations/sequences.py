"""Relations of lists, texts and dicts: reversed, one short, without repeats, in another order, keys for values."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from ...messages import Message
from .claim import ENOUGH, Claim, Pair

#: A key, and how the other list relates to the right one.
_Arranged = tuple[tuple[Any, ...], Message]


def list_arranged(pair: Pair) -> Iterator[Claim]:
    """Yield how a list relates to the right one."""
    if isinstance(pair.right, list) and isinstance(pair.other, list) and pair.right != pair.other:
        for key, words in _arranged(pair.right, pair.other):
            weight = ENOUGH if len(pair.right) > 2 else 1
            yield Claim(("list", *key), Message("{Yours} is {right}, {how}.", how=words), None, weight)


def lists_arranged(pair: Pair) -> Iterator[Claim]:
    """Yield how each list in a list relates to the right one."""
    if not (isinstance(pair.right, list) and isinstance(pair.other, list)) or len(pair.right) != len(pair.other):
        return
    wrong = [(mine, theirs) for mine, theirs in zip(pair.right, pair.other, strict=True) if mine != theirs]
    if len(pair.right) < 2 or not wrong or not all(isinstance(value, list) for both in wrong for value in both):
        return
    relations = dict(_arranged(*wrong[0]))
    for mine, theirs in wrong[1:]:
        also = dict(_arranged(mine, theirs))
        relations = {key: words for key, words in relations.items() if key in also}
    says = Message("In {yours} each list that is wrong is the right one, {how}.")
    if len(wrong) == len(pair.right):
        says = Message("In {yours} every list is the right one, {how}.")
    for key, words in relations.items():
        yield Claim(("lists", *key), says.fill(how=words))


def _arranged(right: list, other: list) -> Iterator[_Arranged]:
    if len(right) == len(other) and other == right[::-1]:
        yield (("reversed",), _REVERSED)
    if len(other) < len(right):
        yield from _short(right, other, "short")
    if len(right) < len(other):
        yield from _short(other, right, "long")
    if len(right) == len(other) > 2 and right[1:] == other[:-1]:
        yield (("early",), Message("one position earlier"))
    if len(right) == len(other) > 2 and right[:-1] == other[1:]:
        yield (("late",), Message("one position later"))
    firsts = _without_repeats(right)
    if len(firsts) < len(right) and firsts == other:
        yield (("no repeats",), Message("without what occurs a second time"))
    repeats = _without_repeats(other)
    if len(repeats) < len(other) and repeats == right:
        yield (("repeats",), Message("with entries that occur twice"))
    mine, theirs = sorted(map(repr, right)), sorted(map(repr, other))
    if mine == theirs and len(set(mine)) > 1:
        yield (("order",), Message("in another order"))
    if all(isinstance(value, str) for value in (*right, *other)):
        yield from _words(right, other)
    have, should = Counter(theirs), Counter(mine)
    if theirs and len(theirs) < len(mine) and not have - should:
        yield (("some missing",), Message("without some of its entries, in any order"))
    if mine and len(mine) < len(theirs) and not should - have:
        yield (("some more",), Message("with further entries, in any order"))


_REVERSED = Message("in reverse order")
_ENDS = {
    ("short", "last", True): Message("without its last entry"),
    ("short", "last", False): Message("without its last entries"),
    ("short", "first", True): Message("without its first entry"),
    ("short", "first", False): Message("without its first entries"),
    ("short", "both", False): Message("without its first and its last entry"),
    ("long", "last", True): Message("with one entry too many at the end"),
    ("long", "last", False): Message("with some entries too many at the end"),
    ("long", "first", True): Message("with one entry too many at the beginning"),
    ("long", "first", False): Message("with some entries too many at the beginning"),
    ("long", "both", False): Message("with one entry too many at each end"),
}


def _short(long: list, short: list, key: str) -> Iterator[_Arranged]:
    gone = len(long) - len(short)
    if long[: len(short)] == short:
        yield ((key, "last"), _ENDS[key, "last", gone == 1])
    if long[gone:] == short:
        yield ((key, "first"), _ENDS[key, "first", gone == 1])
    if gone == 2 and long[1:-1] == short:
        yield ((key, "both"), _ENDS[key, "both", False])


def _without_repeats(values: list) -> list:
    """Return the first of each: by their text, since lists cannot be hashed and a search of all for each takes too long."""
    distinct: dict[str, Any] = {}
    for value in values:
        distinct.setdefault(repr(value), value)
    return list(distinct.values())


#: By id: how the right text was changed, and by what.
_SPELLINGS: dict[str, tuple[Message, Callable[[str], str]]] = {
    "lower": (Message("in small letters"), str.lower),
    "upper": (Message("in capitals"), str.upper),
    "strip": (Message("without spaces at the ends"), str.strip),
}


def _words(right: list[str], other: list[str]) -> Iterator[_Arranged]:
    for name, (words, spelling) in _SPELLINGS.items():
        if [spelling(text) for text in right] == other:
            yield (("spelling", name), words)
    if "".join(right) == "".join(other) and len(right) != len(other):
        if len(other) > len(right):
            yield (("pieces", "more"), Message("cut into more pieces"))
        else:
            yield (("pieces", "fewer"), Message("cut into fewer pieces"))


def text_arranged(pair: Pair) -> Iterator[Claim]:
    """Yield how a text relates to the right one: spelling, white space, something around it."""
    right, other = pair.right, pair.other
    if not (isinstance(right, str) and isinstance(other, str)) or len(right) < 2 or right == other:
        return
    weight = ENOUGH if len(right) > 2 else 1
    is_right = Message("{Yours} is {right}, {how}.")
    for name, (words, spelling) in _SPELLINGS.items():
        if spelling(right) == other:
            yield Claim(("text", name), is_right.fill(how=words), None, weight)
    if other == right[::-1]:
        yield Claim(("text", "reversed"), is_right.fill(how=_REVERSED), None, weight)
    if "".join(right.split()) == "".join(other.split()):
        if len(other) > len(right):
            yield Claim(
                ("text", "too much"), Message("{Yours} holds the right letters, with too much white space."), None, weight
            )
        else:
            yield Claim(
                ("text", "too little"), Message("{Yours} holds the right letters, with too little white space."), None, weight
            )
    if right in other:
        yield Claim(("text", "around"), Message("{Yours} is {right} with more around it."), None, weight)
    elif other and other in right:
        yield Claim(("text", "part"), Message("{Yours} is a part of {right}."), None, weight)


def dict_arranged(pair: Pair) -> Iterator[Claim]:
    """Yield that keys and values are exchanged, or keys are missing and the rest is right."""
    right, other = pair.right, pair.other
    if not isinstance(right, dict) or not isinstance(other, dict) or len(right) < 2 or right == other:
        return
    if [*map(repr, right.values())] == [*map(repr, other)] and [*map(repr, other.values())] == [*map(repr, right)]:
        yield Claim(("dict", "exchanged"), Message("{Yours} is {right} with keys and values exchanged."))
    if right.keys() == other.keys() and sorted(map(repr, right.values())) == sorted(map(repr, other.values())):
        says = Message("{Yours} has the right keys and the right values, but not at the same keys.")
        yield Claim(("dict", "order"), says)
    common = right.keys() & other.keys()
    if not common or any(right[key] != other[key] for key in common):
        return
    if common == other.keys():
        yield Claim(("dict", "short"), Message("{Yours} lacks keys; those that it has are right."))
    elif common == right.keys():
        yield Claim(("dict", "long"), Message("{Yours} has keys too many; all others are right."))
