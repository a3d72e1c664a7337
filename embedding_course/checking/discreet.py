"""What may be said of a hidden case: kinds, numbers of axes and our own words, and nothing that a learner's process chose.

A learner's code sees hidden inputs. Whatever it can make a verdict repeat (a class's name, an exception's text, a key, a
string in a list, the size of a tensor, the length of a list) could carry them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ..subject.course import course
from .observation import Observation
from .show import is_common_type, without_sizes
from .wire_data import DTYPES, OtherObject

__all__ = ["discreet", "stands_in_the_course"]

_LONGEST = 400
#: A longer sentence is not looked into, nor one that shares more words with what came back: either is made of an answer's own
#: words, and the time for looking would grow with the square of their number.
_LONGEST_HEARD, _MOST_CHOSEN = 2_000, 500
_TOO_LONG = "what came back is wrong, and takes too many words to be told"
#: So many letters beside a number, before it where there are some, must stand beside it in the course's own text too.
_CONTEXT = 12
#: How many axes there are, or which: "2 axes", "the axes 0 and 1".
_OF_AXES = re.compile(r"\b\d\d? ax[ie]s\b|\baxis \d\d?\b|\baxes \d\d?(?:, \d\d?)* and \d\d?\b")
_GONE = "…"
_NUMBER = re.compile(r"(?<![A-Za-z_])\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_KIND = re.compile(rf"(?:{'|'.join(DTYPES)}) tensor of shape \([\d, ]*\)|(?:list|tuple|dict) of \d+")
_HERE = Path(__file__).parent


def discreet(said: str, got: Observation, expected: Observation, topic: str) -> str:
    """Return `said`, a sentence on what an answer to an exercise of this notebook did, without what the answer chose.

    What stands in the course's own text may be repeated, and the names of the expected parts too. A number may be repeated
    where a sentence of the course holds it; a shape becomes its number of axes.

    >>> discreet("it is a Row_1 of shape (3, 2)", Observation([OtherObject("Row_1")]), Observation(3), "01_onehot_vs_lookup")
    'it is a … with 2 axes'
    """
    if len(said) > _LONGEST_HEARD:
        return _TOO_LONG
    said = without_sizes(said)
    own = _own_text(topic) + "\n".join(map(str, expected.value if isinstance(expected.value, dict) else ()))
    chosen = {text for text in _texts(got) if text in said}
    if len(chosen) > _MOST_CHOSEN:
        return _TOO_LONG
    for text in sorted(chosen, key=len, reverse=True):
        if text in said and not _is_own(text, own):
            said = said.replace(text, _GONE)
    said = _QUOTED.sub(lambda found: found[0] if len(found[0]) > 3 and found[0] in own else _GONE, said)
    of_axes = [found.span() for found in _OF_AXES.finditer(said)]
    said = _NUMBER.sub(lambda found: found[0] if _may_be_said(found, of_axes, own) else _GONE, said)
    return said if len(said) <= _LONGEST else said[:_LONGEST] + _GONE


def _may_be_said(number: re.Match[str], of_axes: Iterable[tuple[int, int]], own: str) -> bool:
    """Return True if a sentence of the course holds this number behind the same words, or if it is about axes."""
    if any(start <= number.start() and number.end() <= end for start, end in of_axes):
        return True
    before = number.string[max(0, number.start() - _CONTEXT) : number.start()]
    after = "" if len(before) == _CONTEXT else number.string[number.end() : number.end() + _CONTEXT - len(before)]
    return f"{before}{number[0]}{after}" in own


def stands_in_the_course(word: str, topic: str) -> bool:
    """Does a word stand in what the course itself says of this notebook's exercises?"""
    return word in _own_text(topic)


@cache
def _own_text(topic: str) -> str:
    """All that the course itself may say in words of this notebook's exercises."""
    paths = [*_HERE.glob("*.py"), *(course().home / "exercises" / topic).glob("*.py")]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths if path != Path(__file__))


def _is_own(text: str, own: str) -> bool:
    """Does it stand in the course's text, as it is, name by name (`hidden.bias`) or around a type (`a bool without a weight`)?
    Or does it name a kind?"""
    if text.replace(".", "_").isidentifier():
        parts = text.split(".")
    else:
        words = ["\0" if is_common_type(word) else word for word in text.split(" ")]
        parts = [part.strip() for part in " ".join(words).split("\0")]
    return all(part in own for part in parts) or _KIND.fullmatch(text) is not None


def _texts(got: Observation) -> Iterator[str]:
    """All words that came with an observation, as a sentence might repeat them."""
    if got.raised:  # its type is only named where it is one of Python's own
        yield from (got.raised.message, got.raised.line)
    yield from got.modified
    yield from _in_value(got.value)


def _in_value(value: Any) -> Iterator[str]:
    if isinstance(value, OtherObject):
        yield from () if is_common_type(value.type_name) else (value.type_name,)
    elif isinstance(value, str):
        yield from (value, repr(value)[1:-1])
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from _in_value(key)
            yield from _in_value(entry)
    elif isinstance(value, (list, tuple)):
        whole = str(value)
        yield from (whole,) if "'" in whole or '"' in whole else ()
        for entry in value:
            yield from _in_value(entry)
