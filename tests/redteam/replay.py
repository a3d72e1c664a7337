"""Attacks that answer hidden cases with the results of the public ones, which every learner has."""

from .attack import code_attack
from .targets import EACH_NOTEBOOK

_OBSERVER = """
import sys
from embedding_course.checking import expected
from embedding_course.exercises import find_exercise
shipped, count = expected.load(find_exercise("EXERCISE")), [-1]
original = sys.modules["embedding_course.checking.observe"].observe
def replay(exercise, candidate, case, **options):
    if exercise.id != "EXERCISE":
        return original(exercise, candidate, case, **options)
    count[0] += 1
    return shipped.expected[{choice}]
for module in list(sys.modules.values()):
    if getattr(module, "observe", None) is original: module.observe = replay
"""

code_attack(
    "replayed observations",
    "the observer returns the public observations in their order",
    _OBSERVER.replace("{choice}", "count[0] % len(shipped.expected)"),
    on=EACH_NOTEBOOK,
)
code_attack(
    "nearest observation",
    "the observer returns the public observation whose inputs look most like those of the case",
    """
def sizes(value):
    if hasattr(value, "shape"): return [tuple(value.shape)]
    if isinstance(value, dict): return [one for entry in value.values() for one in sizes(entry)]
    if isinstance(value, (list, tuple)): return [len(value)] + [one for entry in value for one in sizes(entry)]
    return [value]
def distance(one, other):
    mine, theirs = sizes(list(one.args.values())), sizes(list(other.args.values()))
    return abs(len(mine) - len(theirs)), sum(a != b for a, b in zip(mine, theirs))
"""
    + _OBSERVER.replace("{choice}", "min(range(len(shipped.cases)), key=lambda place: distance(shipped.cases[place], case))"),
    on=EACH_NOTEBOOK,
)
