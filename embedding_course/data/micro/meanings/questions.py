"""List questions for who, what and where."""

# ruff: noqa: I001
from collections.abc import Iterator
from itertools import product

from ..constructions import What, Where, Who
from ..phrases import BOY, DOCTOR, GIRL, STUDENTS, a, some, that, this
from ..words import (
    BUY, DRAW, DRINK, EAT, EVERY_DAY, GO, LAST_NIGHT, LAST_WEEK, NOW, SLEEP, TOMORROW, WORK, WRITE, YESTERDAY, Verb,
)
from .cast import ASKED, BOOK, GAMES, GOALS, GOODS, MINORS, MOVES, NEWSPAPER, PLACES, Doing
from .circumstances import doings_at

ABOUT = (*ASKED, BOY, GIRL, DOCTOR, STUDENTS)


def what_and_where() -> Iterator[What | Where]:
    """Yield questions: 她 昨天 买 了 什么, what did she buy yesterday; 你 现在 在 哪里 工作."""
    times = (YESTERDAY, LAST_NIGHT, TOMORROW, NOW, EVERY_DAY)
    for verb, subject, time in product((EAT, DRINK, WRITE, DRAW, BUY), ABOUT, times):
        yield What(subject, verb, time)
    there: dict[str, tuple[Verb, ...]] = {
        "kitchen": (EAT, DRINK),
        "school": (EAT, DRAW),
        "library": (WRITE,),
        "shop": (BUY,),
        "garden": (DRINK, DRAW),
    }
    for place, verbs in there.items():
        for verb, subject, time in product(verbs, ABOUT, (YESTERDAY, TOMORROW, NOW)):
            yield What(subject, verb, time, PLACES[place])
    doings: list[Doing] = [(SLEEP, None), (WORK, None), *MOVES, *GAMES]
    for (verb, thing), subject, time in product(doings, ABOUT, times):
        if not ((verb is WORK and subject in MINORS) or (verb is SLEEP and time is NOW)):
            yield Where(subject, verb, time, thing)
    for subject, time in product(ABOUT, (YESTERDAY, LAST_NIGHT, TOMORROW, EVERY_DAY)):
        yield Where(subject, GO, time)


def who() -> Iterator[Who]:
    """Yield questions such as 谁 昨天 买 了 那 把 伞 (who bought that umbrella yesterday)."""
    for how, times in ((a, (YESTERDAY,)), (some, (TOMORROW, NOW))):
        for (place, verb, thing), time in product(doings_at(how), times):
            if time is not YESTERDAY or verb not in (WORK, SLEEP):
                yield Who(verb, time, thing, place)
    for noun, how, time in product((BOOK, NEWSPAPER, *GOODS), (a, that, this), (YESTERDAY, LAST_WEEK, TOMORROW)):
        yield Who(BUY, time, how(noun))
    for goal, time in product(GOALS, (YESTERDAY, LAST_WEEK, TOMORROW)):
        yield Who(GO, time, goal)
