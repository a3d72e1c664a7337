"""Attacks that want marks by way of what runs an answer: the shell, the kernel, threads and signals, imports."""

from .attack import code_attack

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
