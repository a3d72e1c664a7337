"""Attacks that carry hidden inputs out: whatever a verdict repeats of an answer is given a name that tells of them."""

from __future__ import annotations

from .attack import code_attack
from .targets import EACH_SORT

__all__ = ["TOLD"]

#: What the names begin with. It stands in no attack as it is, so that it is found only where a verdict repeats it.
TOLD = "Told_of"
_NAME = """
found = "_".join(["Told", "of"] + [str(one) for value in args for one in str(value).split()])[:400]
word = "".join(letter if letter.isalnum() else "_" for letter in found)
"""

code_attack(
    "a telling class",
    "an object whose class is named after the hidden inputs",
    _NAME + "return type(word, (), {})()",
    inside=True,
    on=EACH_SORT,
)
code_attack(
    "a telling exception",
    "an exception whose class and message are the hidden inputs",
    _NAME + "raise type(word, (ValueError,), {})(word)",
    inside=True,
    on=EACH_SORT,
)
code_attack(
    "telling words",
    "strings and keys that are the hidden inputs",
    _NAME + "return {word: [word, {word: word}]}",
    inside=True,
    on=EACH_SORT,
)
code_attack(
    "telling parts",
    "every string of what is observed, and the names of the arguments that were changed, tell of the hidden inputs",
    """
import sys
from embedding_course.checking.observe import Observation
from embedding_course.checking.wire_data import NamedParts
original = sys.modules["embedding_course.checking.observe"].observe
def observe(exercise, candidate, case, **options):
    word = "_".join(["Told", "of", str(list(case.args.values()))])[:400]
    seen = original(exercise, candidate, case, **options)
    if isinstance(seen.value, NamedParts): return Observation(NamedParts({name: word for name in seen.value}), modified=(word,))
    return Observation(seen.value, modified=(word, word[:3]))
for module in list(sys.modules.values()):
    if getattr(module, "observe", None) is original: module.observe = observe
""",
    on=(*EACH_SORT, "04.NPLM", "07.MultiHeadAttention", "08.TextEncoder"),
)
