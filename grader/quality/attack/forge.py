"""Attacks that want marks: forge the verdict, or what it is made of."""

from __future__ import annotations

from .attack import code_attack
from .targets import EACH_SORT

__all__: list[str] = []

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
judge._criteria = lambda *args: []
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
    "syntax transformers",
    "assertions removed from all later cells",
    """
import ast
class Remove(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.Pass()
get_ipython().ast_transformers.append(Remove())
get_ipython().input_transformers_post.append(lambda lines: ["4" if line.startswith("check(") else line for line in lines])
""",
)
code_attack(
    "patched run_cell",
    "later cells answered by a constant",
    """
shell = get_ipython()
original = type(shell).run_cell
def run_cell(self, source, *args, **options):
    return original(self, "4" if "check(" in str(source) else source, *args, **options)
type(shell).run_cell = run_cell
type(shell).run_cell_async = None or type(shell).run_cell_async
""",
)
code_attack(
    "patched compile",
    "builtins.compile drops assertions",
    """
import builtins
original = builtins.compile
builtins.compile = lambda *args, **options: original(*args, **{**options, "optimize": 2})
""",
)
code_attack(
    "displayhook",
    "a word as the check cell's result",
    """
import sys
original = sys.displayhook
sys.displayhook = type(sys.displayhook).__call__ and (lambda value: original("x"))
get_ipython().display_formatter.format = lambda value, **options: ({"text/plain": "4"}, {})
""",
)
code_attack(
    "execution hooks",
    "pre_execute and post_execute registered",
    """
get_ipython().events.register("pre_execute", lambda *args: globals().update(check=lambda *a, **o: 4))
get_ipython().events.register("post_run_cell", lambda *args: None)
""",
)
code_attack(
    "raw messages",
    "results sent on the kernel's own channel",
    """
kernel = get_ipython().kernel
kernel.session.send(kernel.iopub_socket, "execute_result", {"data": {"text/plain": "4"}, "metadata": {}, "execution_count": 1},
                    parent=kernel.get_parent())
""",
)
code_attack(
    "late thread",
    "a thread that swaps functions after the cells ran",
    """
import threading, time
def swap():
    for _ in range(50):
        time.sleep(0.01)
        get_ipython().user_ns["check"] = lambda *args, **options: 4
threading.Thread(target=swap, daemon=True).start()
""",
)
code_attack(
    "alarm",
    "a signal handler that fires while the check runs",
    """
import signal
signal.signal(signal.SIGALRM, lambda *args: globals().update(NAME=lambda *a: a[0]))
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
""",
)
code_attack(
    "shadow modules",
    "torch.py and sklearn.py written beside the notebook",
    """
import pathlib, sys
for name in ("torch", "sklearn", "embedding_course", "ipykernel_launcher", "sitecustomize"):
    pathlib.Path(f"{name}.py").write_text("raise SystemExit(0)")
sys.path.insert(0, "")
""",
)
code_attack(
    "import hooks",
    "a finder that answers for the course's modules",
    """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None): return None
sys.meta_path.insert(0, Finder())
for name in [one for one in sys.modules if one.startswith("embedding_course.")]: del sys.modules[name]
""",
)
code_attack(
    "environment detection",
    "right only where no grader is",
    """
import os, sys
graded = "ipykernel" not in sys.modules or "NBGRADER_VALIDATING" in os.environ
if graded: globals()["pretend"] = True
""",
)
code_attack(
    "not a number",
    "nan for everything",
    "return args[1].new_full((args[2], args[1].shape[-1]), float('nan'))",
    inside=True,
    on=["02.embedding_grad"],
)
code_attack(
    "gradient tricks",
    "requires_grad, an expanded view, a sparse layout",
    """
import torch
return torch.zeros(args[2], 1, requires_grad=True).expand(args[2], args[1].shape[-1]).to_sparse()
""",
    inside=True,
    on=["02.embedding_grad"],
)
code_attack("absurd shape", "an empty tensor of 2^62 rows", "import torch\nreturn torch.empty(0, 2**62)", inside=True)
code_attack(
    "copy bomb",
    "__deepcopy__, __hash__ and __repr__ that never end",
    """
class Bomb(dict):
    def __repr__(self):
        while True: pass
    __str__ = __hash__ = __deepcopy__ = __reduce__ = __iter__ = keys = items = __repr__
return Bomb()
""",
    inside=True,
    on=["02.embedding_grad"],
)
code_attack(
    "deep nesting",
    "a list in a list in a list",
    """
value = []
for _ in range(10**5): value = [value]
return value
""",
    inside=True,
)
code_attack(
    "edited inputs",
    "the inputs turned into what is returned",
    "args[1].zero_()\nreturn args[1]",
    inside=True,
    on=["02.embedding_grad"],
)
code_attack(
    "global state",
    "default dtype, grad mode and seeds changed for those behind",
    """
import numpy, torch
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.set_default_device("meta")
numpy.seterr(all="raise")
""",
)
