"""Who, what and where is asked for."""

# ruff: noqa: I001
from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ..constructions import What, Where, Who
from ..phrases import BOY, DOCTOR, GIRL, STUDENTS, a, that, this
from ..words import (
    BUY, DRAW, DRINK, EAT, EVERY_DAY, GO, LAST_NIGHT, LAST_WEEK, NOW, READ, SLEEP, TOMORROW, WORK, WRITE, YESTERDAY,
)  # fmt: skip
from .cast import ASKED, BOOK, GAMES, GOALS, GOODS, MINORS, MOVES, NEWSPAPER, PLACES
from .circumstances import doings_at

ABOUT = (*ASKED, BOY, GIRL, DOCTOR, STUDENTS)


def what_and_where() -> Iterator[What | Where]:
    """她 昨天 买 了 什么: what did she buy yesterday? 你 现在 在 哪里 工作: where are you working now?"""
    for verb, subject, time in product(
        (EAT, DRINK, READ, WRITE, DRAW, BUY), ABOUT, (YESTERDAY, LAST_NIGHT, TOMORROW, NOW, EVERY_DAY)
    ):
        yield What(subject, verb, time)
    there = {"kitchen": (EAT, DRINK), "school": (EAT, DRAW), "library": (WRITE,), "shop": (BUY,), "garden": (DRINK, DRAW)}
    for place, verbs in there.items():
        for verb, subject, time in product(verbs, ABOUT, (YESTERDAY, TOMORROW, NOW)):
            yield What(subject, verb, time, PLACES[place])
    verbs = (SLEEP, WORK, *(verb for verb, _ in MOVES + GAMES))
    for verb, subject, time in product(verbs, ABOUT, (YESTERDAY, LAST_NIGHT, TOMORROW, NOW, EVERY_DAY)):
        if verb is not WORK or subject not in MINORS:
            yield Where(subject, verb, time)
    for subject, time in product(ABOUT, (YESTERDAY, LAST_NIGHT, TOMORROW, EVERY_DAY)):
        yield Where(subject, GO, time)


def who() -> Iterator[Who]:
    """谁 昨天 买 了 那 把 伞: who bought that umbrella yesterday?"""
    for (place, verb, thing), time in product(doings_at(a), (YESTERDAY, TOMORROW, NOW)):
        if time is not YESTERDAY or verb not in (WORK, SLEEP):
            yield Who(verb, time, thing, place)
    for noun, how, time in product((BOOK, NEWSPAPER, *GOODS), (a, that, this), (YESTERDAY, LAST_WEEK, TOMORROW)):
        yield Who(BUY, time, how(noun))
    for goal, time in product(GOALS, (YESTERDAY, LAST_WEEK, TOMORROW)):
        yield Who(GO, time, goal)
