"""Answers that are wrong in one part, in few cases, or in cases of one kind: with an argument, of one dtype, with padding."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ...messages import Code, Count, Message
from ..carried import array_of, is_one
from ..compare import Mismatch
from ..wire_data import dtype_name

#: A kind of case: a key that is the same for the same kind, and its words.
Kind = tuple[tuple[object, ...], Message]

#: How many cases of a kind have to fail, how many other cases have to be right, and which share of the kind has to fail.
_MIN_WRONG, _MIN_RIGHT, _SHARE = 3, 3, 2 / 3
#: A kind that takes in more of all cases than this says little: what is wrong nearly everywhere is wrong there too.
_MAX_SHARE = 2 / 3

#: An answer is right except in some cases if at most `_MAX_FAILING` fail, and `_MIN_RATIO` as many are right.
_MAX_FAILING, _MIN_RATIO = 2, 4


def all_but_one_part(wrong_parts: Sequence[Sequence[str]], parts: Sequence[Sequence[str]]) -> str:
    """Return the one part that is wrong wherever something is, while others are right there; empty where there is none.

    >>> all_but_one_part([["gradient"], ["gradient"]], [["result", "gradient"], ["gradient"]])
    'gradient'
    """
    if not wrong_parts or any(len(wrong) != 1 or wrong != wrong_parts[0] for wrong in wrong_parts):
        return ""
    return wrong_parts[0][0] if any(len(here) > 1 for here in parts) else ""


def all_but_some_cases(faults: Sequence[Mismatch | None], names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the cases that fail, where they are few and the others many; else none.

    >>> from embedding_course.messages import Message
    >>> all_but_some_cases([None] * 8 + [Mismatch("values", Message(""))], [*"abcdefgh", "no rows"])
    ('no rows',)
    """
    failing = tuple(name for fault, name in zip(faults, names, strict=True) if fault)
    return failing if len(failing) <= _MAX_FAILING and len(faults) >= (_MIN_RATIO + 1) * len(failing) else ()


def only_in_cases_of_a_kind(wrong: Sequence[bool], given: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Kind, Message]]:
    """Yield each kind of case that tells which cases are wrong, with a sentence; the kind with most wrong cases comes first.

    `given` is what the answer received in each case. All that are wrong are of the kind, most of the kind are wrong, and
    there are others, which are right. Cases that receive nothing, those of a constructor alone, are of no kind.

    >>> given = [{"x": 1}] * 4 + [{"x": 1, "mask": 2}] * 4
    >>> [str(says) for _, says in only_in_cases_of_a_kind([False] * 4 + [True] * 3 + [False], given)]
    ['Wrong only in cases with `mask`, in 3 of 4; right in all 4 others.']
    """
    names = list(dict.fromkeys(name for arguments in given for name in arguments))
    kinds = [dict(_kinds(arguments, names)) for arguments in given if arguments]
    faulty = [is_wrong for is_wrong, arguments in zip(wrong, given, strict=True) if arguments]
    failing = [case_kinds for case_kinds, is_wrong in zip(kinds, faulty, strict=True) if is_wrong]
    if len(failing) < max(_MIN_WRONG, sum(wrong)):
        return
    ranked: list[tuple[float, Kind, Message]] = []
    for key, words in failing[0].items():
        members = sum(key in case_kinds for case_kinds in kinds)
        others = len(kinds) - members
        share = len(failing) / members
        if others < _MIN_RIGHT or members > _MAX_SHARE * len(kinds) or share < _SHARE:
            continue
        if any(key not in case_kinds for case_kinds in failing):
            continue
        says = Message("Wrong only in cases {kind}, in {wrong} of {members}; right in all {others} others.")
        if share == 1:
            says = Message("Wrong in all {members} cases {kind}; right in all {others} others.")
        says = says.fill(kind=words, wrong=Count(len(failing)), members=Count(members), others=Count(others))
        ranked.append((share, (key, words), says))
    for _, kind, says in sorted(ranked, key=lambda item: -item[0]):
        yield kind, says


def mostly_of_the_kind(key: tuple[object, ...], wrong: Sequence[bool], given: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if nine in ten of the wrong cases are of that kind.

    >>> mostly_of_the_kind(("passed", "mask", True), [True, False], [{"mask": 1}, {"x": 2}])
    True
    """
    names = list(dict.fromkeys(name for arguments in given for name in arguments))
    failing = [dict(_kinds(arguments, names)) for arguments, is_wrong in zip(given, wrong, strict=True) if is_wrong]
    return 10 * sum(key in kinds for kinds in failing) >= 9 * len(failing)


def _kinds(given: Mapping[str, Any], names: Sequence[str]) -> Iterator[Kind]:
    """Yield the kinds of one case, the simplest first."""
    for name in names:
        passed = given.get(name) is not None
        words = Message("with `{name}`") if passed else Message("without `{name}`")
        yield ("passed", name, passed), words.fill(name=Code(name))
    for name, value in given.items():
        if is_one(value):
            yield from _of_numbers(name, value)
        elif isinstance(value, (bool, str)):
            yield ("value", name, value), Message("in which `{name}` is {value}", name=Code(name), value=Code(repr(value)))


def _of_numbers(name: str, value: Any) -> Iterator[Kind]:
    numbers, type_ = array_of(value), dtype_name(value.dtype)
    yield ("type", name, type_), Message("in which `{name}` is of type {type}", name=Code(name), type=type_)
    if not (value.flags.c_contiguous if isinstance(value, np.ndarray) else value.is_contiguous()):
        yield ("gaps", name), Message("in which `{name}` is not contiguous in memory", name=Code(name))
    sizes = [(Code(f"`{name}.shape[{axis}]`"), size) for axis, size in enumerate(numbers.shape)]
    for code, size in sizes:
        if size < 2:
            yield ("size", code, size), Message("in which {name} is {size}", name=code, size=Count(size))
    for (first, size), (second, second_size) in combinations(sizes, 2):
        if size == second_size:
            yield ("equal", first, second), Message("in which {name} is {other}", name=first, other=second)
    if numbers.ndim and numbers.size and bool(((numbers == 0) | (numbers == 1)).all()):
        zero, one = ("False", "True") if type_ == "bool" else ("0", "1")
        if bool((numbers == 0).any()):
            yield ("holds 0", name), Message("in which `{name}` holds a {value}", name=Code(name), value=Code(zero))
        if bool((numbers == 0).all(axis=-1).any()):
            yield ("no 1", name), Message("in which a row of `{name}` holds no {value}", name=Code(name), value=Code(one))
