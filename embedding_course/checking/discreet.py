"""What may be said of a hidden case: kinds, shapes and our own words, and nothing that a learner's process put into words.

A learner's code sees hidden inputs. Whatever it can make a verdict repeat (a class's name, an exception's text, a key, a
string in a list) could carry them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ..course_in_use import course
from .observation import Observation
from .show import is_common_type
from .wire_data import DTYPES, OtherObject

__all__ = ["discreet", "stands_in_the_course"]

_LONGEST = 400
_MOST_NUMBERS = 20
_DIGITS = 5
_GONE = "…"
_NUMBER = re.compile(r"(?<![A-Za-z_])\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_KIND = re.compile(rf"(?:{'|'.join(DTYPES)}) tensor of shape \([\d, ]*\)|(?:list|tuple|dict) of \d+")
_HERE = Path(__file__).parent


def discreet(said: str, got: Observation, expected: Observation, topic: str) -> str:
    """`said` of what an answer to an exercise of this notebook did, without words of the answer's own.

    What stands in the course's own text may be repeated, the names of the expected parts too, and short numbers, since sizes
    and counts are named.

    >>> discreet("it is a Row_12345 of 3", Observation([OtherObject("Row_12345")]), Observation(3), "01_onehot_vs_lookup")
    'it is a … of 3'
    """
    own = _own_text(topic) + "\n".join(map(str, expected.value if isinstance(expected.value, dict) else ()))
    chosen = {text for text in _texts(got) if text in said and not _is_own(text, own)}
    for text in sorted(chosen, key=len, reverse=True):
        said = said.replace(text, _GONE)
    said = _QUOTED.sub(lambda found: found[0] if len(found[0]) > 3 and found[0] in own else _GONE, said)
    said = _NUMBER.sub(lambda found: found[0] if len(found[0]) <= _DIGITS or found[0] in own else _GONE, said)
    end = next((found.start() for place, found in enumerate(_NUMBER.finditer(said)) if place == _MOST_NUMBERS), len(said))
    end = min(end, _LONGEST)
    return said if end == len(said) else said[:end] + _GONE


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
