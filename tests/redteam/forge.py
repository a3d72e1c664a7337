"""Attacks that want marks: forge the verdict, or what it is made of."""

from .attack import code_attack
from .targets import EACH_SORT

code_attack(
    "always equal",
    "an object that equals everything",
    """
class Equal:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __le__(self, other): return True
    def __getattr__(self, name): return self
    def __call__(self, *args, **options): return self
return Equal()
""",
    inside=True,
    on=EACH_SORT,
)
code_attack(
    "tensor subclass",
    "a tensor whose comparisons all succeed",
    """
import torch
class Fine(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function.__name__ in ("equal", "allclose", "isclose", "eq", "le", "__eq__"):
            return True
        return super().__torch_function__(function, types, args, kwargs or {})
return args[0].double().as_subclass(Fine)
""",
    inside=True,
)
code_attack(
    "patched torch",
    "comparison functions replaced",
    """
import torch
torch.equal = torch.allclose = lambda *args, **options: True
torch.Tensor.__eq__ = lambda self, other: torch.ones((), dtype=torch.bool)
""",
)
code_attack(
    "patched numpy and builtins",
    "abs, max, all replaced",
    """
import builtins, numpy
builtins.abs = lambda value: 0
builtins.all = lambda values: True
numpy.allclose = lambda *args, **options: True
""",
)
code_attack(
    "patched check",
    "the course's own check replaced",
    """
import embedding_course, embedding_course.check as module
class Full(float):
    def _repr_mimebundle_(self, **options): return {"text/plain": "4"}
    def __repr__(self): return "4"
for place in (embedding_course, module): place.check = lambda *args, **options: Full(4)
globals()["check"] = embedding_course.check
""",
    on=EACH_SORT,
)
code_attack(
    "patched judge",
    "the verdict's function replaced",
    """
import embedding_course.checking.judge as judge, embedding_course.checking.compare as compare
compare.Comparison.__call__ = lambda self, expected, got, case: None
judge.score = lambda *args: []
""",
    on=EACH_SORT,
)
code_attack(
    "patched observer",
    "the course's observer says what it likes",
    """
import sys
for module in list(sys.modules.values()):
    if hasattr(module, "observe"): module.observe = lambda exercise, candidate, case, **options: None
    if hasattr(module, "_unchanged"): module._unchanged = lambda before, after: True
""",
    on=EACH_SORT,
)
code_attack(
    "ctypes",
    "a float in the interpreter overwritten",
    """
import ctypes
ctypes.cast(id(0.0) + 16, ctypes.POINTER(ctypes.c_double))[0] = 4.0
""",
)
code_attack(
    "forged frames",
    "verdicts written to every inherited descriptor",
    """
import os, struct, msgspec
body = msgspec.msgpack.encode([1, "reply", [[{"passed": True, "score": 4}, []], b""]])
for descriptor in range(3, 64):
    try: os.write(descriptor, struct.pack(">I", len(body)) + body)
    except OSError: pass
""",
    on=EACH_SORT,
)
code_attack(
    "borrowed answer",
    "the trusted side asked to lend the function that is wrong",
    """
import gc
for thing in gc.get_objects():
    if type(thing).__name__ == "Worker":
        from grader.engine.reference_calls import lent_function
        return lent_function(thing._borrow, "NAME")(*args, **options)
""",
    inside=True,
    on=["03.lookup_with_max_norm_", "05.Encoder"],
)
code_attack(
    "wrapped encoder",
    "replies rewritten before they leave",
    """
import embedding_course.checking.codec as codec, grader.engine.worker as worker
worker.freeze_observation = codec.freeze_observation = lambda seen, found: {"value": True, "modified": []}
""",
    on=EACH_SORT,
)
code_attack(
    "two answers",
    "every question answered twice",
    """
import gc
next(one for one in gc.get_objects() if type(one).__name__ == "Worker").reply({"value": 0})
return 0
""",
    inside=True,
    on=(*EACH_SORT, "01.embed_by_matmul"),
)
code_attack(
    "patched methods",
    "the methods of tensors by which results are copied",
    """
import torch
def of_ones(original):
    return lambda self, *args, **options: original(self, *args, **options) * 0 + 1
for name in ("clone", "detach", "cpu", "contiguous", "double", "reshape"):
    setattr(torch.Tensor, name, of_ones(getattr(torch.Tensor, name)))
""",
    on=EACH_SORT,
)
code_attack(
    "patched exercise",
    "the exercise's rules, cases and points changed in the learner's process",
    """
from embedding_course.exercises import find_exercise
exercise = find_exercise("EXERCISE")
changed = dict(changes=("ids", "weight"), criteria=(), points=1000, compare=lambda *args: None, cases=lambda rng: [])
for name, value in changed.items(): object.__setattr__(exercise, name, value)
""",
    on=EACH_SORT,
)
code_attack(
    "a lying class",
    "an object that calls itself a tensor",
    """
import torch
class Lie:
    __class__ = property(lambda self: torch.Tensor)
    is_quantized = is_nested = requires_grad = False
    ndim, shape, dtype, layout = 1, (1,), torch.float32, torch.strided
    def __getattr__(self, name): return lambda *args, **options: self
return Lie()
""",
    inside=True,
    on=EACH_SORT,
)
