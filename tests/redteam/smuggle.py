"""Attacks that carry hidden inputs out: whatever a verdict repeats of an answer is given a name that tells of them."""

from nbformat.notebooknode import NotebookNode

from .attack import Scene, answer, attack, code_attack
from .targets import EACH_SORT, answering

#: What the names begin with. It stands in no attack as it is, so that it is found only where a verdict repeats it.
TOLD = "Told_of"
#: A size that stands for a hidden value, in digits. It is computed in the attacks, so that none holds it as text.
SIZE = "82947"
_SIZE = "3 * 27649"
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
    "telling shapes",
    "a tensor whose sizes are hidden values",
    f"import torch\nreturn torch.zeros(0, {_SIZE}, 7)",
    inside=True,
    on=EACH_SORT,
)
code_attack(
    "telling lengths",
    "a list whose length is a hidden value",
    f"""
count = globals().setdefault("COUNT", [0])
count[0] += 1
return [0] * ({_SIZE}) if count[0] == 1 else 0
""",
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


_PLACES = "('.', '/tmp', '/dev/shm', '/var/tmp', os.path.expanduser('~'))"


@attack(
    "memory of an earlier process", "hidden inputs in files, and a cell that tells of them when it is run again", on=EACH_SORT
)
def _(notebook: NotebookNode, scene: Scene) -> None:
    tell = f"""
import glob, os
for place in {_PLACES}:
    for path in glob.glob(place + '/kept*'): raise OSError(open(path).read())"""
    keep = f"""
import os
for place in {_PLACES}:
    try: open(place + '/kept', 'w').write('_'.join(['Told', 'of', str(args)]))
    except OSError: pass
os._exit(3)"""
    answer(notebook, scene).source = f"{tell}\n\n{answering(scene.exercise, keep)}"
