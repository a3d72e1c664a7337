"""Attacks on the trusted process: they want it to compute, to wait, or to fill its memory."""

import nbformat
from nbformat.notebooknode import NotebookNode

from .attack import Scene, answer, attack, code_attack
from .targets import EACH_SORT, answering

_WIRE = """
import gc, msgspec, struct, time, torch
worker = next(one for one in gc.get_objects() if type(one).__name__ == "Worker")
"""


def _borrowing(notebook: NotebookNode, scene: Scene, body: str) -> None:
    """Return an answer to `embed_by_matmul` with a wrong `one_hot`, so that one is lent."""
    source = answering(scene.exercise, f"{body}\nreturn args[0]")
    answer(notebook, scene).source = f"import torch\n\ndef one_hot(ids, num_classes):\n    return 0\n\n{source}"


@attack("many loans", "a lent function called without end", spares_stock=False, on=["01.embed_by_matmul"])
def _(notebook: NotebookNode, scene: Scene) -> None:
    _borrowing(notebook, scene, "for more in range(10**6): one_hot(torch.tensor([0]), 8000 + more)")


@attack("a large loan", "a lent function asked for eight gigabytes", spares_stock=False, on=["01.embed_by_matmul"])
def _(notebook: NotebookNode, scene: Scene) -> None:
    _borrowing(notebook, scene, "for more in range(9): one_hot(torch.tensor([0]), 45_000 + more)")


code_attack(
    "empty lists",
    "an answer of eight million empty lists",
    _WIRE + "worker.reply([[]] * (2**23 - 99))",
    inside=True,
    on=EACH_SORT,
)
code_attack(
    "many words",
    "four thousand names of arguments that were changed, and as many distinct words in a list, in each case",
    """
import sys
from embedding_course.checking.observation import Observation
names = tuple(f"w{number}" for number in range(4_000))
def observe(exercise, candidate, case, **options): return Observation(list(names), modified=names, after={})
for module in list(sys.modules.values()):
    if hasattr(module, "observe"): module.observe = observe
""",
    on=EACH_SORT,
)
code_attack(
    "many tensors",
    "an answer of a million empty tensors",
    _WIRE + "head = msgspec.msgpack.encode([{'value': 0}, [['int8', [0]]] * 10**6])\n"
    "body = msgspec.msgpack.encode([worker.nonce, 'reply', [msgspec.Raw(head), b'']])\n"
    "worker.sock.sendall(struct.pack('>I', len(body)) + body)",
    inside=True,
)
code_attack(
    "thousand references",
    "one tensor that an answer refers to a thousand times",
    _WIRE + "worker.reply({'value': [{'$tensor': 0}] * 1000}, [torch.zeros(2**20)])",
    inside=True,
    on=EACH_SORT,
)
code_attack(
    "endless frame",
    "a frame that is announced and comes byte by byte",
    _WIRE + "worker.sock.sendall(struct.pack('>I', 2**20))\nwhile True:\n    worker.sock.sendall(b'x')\n    time.sleep(0.05)",
    inside=True,
)
code_attack(
    "large gaps",
    "empty tensors whose gaps take gigabytes",
    _WIRE + "empty = torch.empty(2**22, 0, dtype=torch.float64)\n"
    "worker.reply({'value': [{'$tensor': place, 'strided': True} for place in range(64)]}, [empty] * 64)",
    inside=True,
)
code_attack(
    "short naps", "every call sleeps, and none for too long", "import time\ntime.sleep(1.5)", inside=True, on=EACH_SORT[:3]
)


@attack("sleeping statements", "forty statements that sleep, and that the answer needs")
def _(notebook: NotebookNode, scene: Scene) -> None:
    _chain(
        notebook, scene, [f"nap{number} = time.sleep(1.5)" for number in range(40)], [f"nap{number}" for number in range(40)]
    )


@attack("a chain of statements", "a thousand statements, each of which needs the next")
def _(notebook: NotebookNode, scene: Scene) -> None:
    _chain(notebook, scene, [f"a{number} = a{number + 1}" for number in range(1000)] + ["a1000 = 1"], ["a0"])


def _chain(notebook: NotebookNode, scene: Scene, statements: list[str], needed: list[str]) -> None:
    notebook.cells.insert(0, nbformat.v4.new_code_cell("\n".join(["import time", *statements])))
    answer(notebook, scene).source = f"{scene.wrong}\n_ = [{', '.join(needed)}]"


@attack("deaths of helpers", "two hundred statements that the answer needs, and each ends the process")
def _(notebook: NotebookNode, scene: Scene) -> None:
    _chain(notebook, scene, ["import os", *(f"a{n} = os._exit(1)" for n in range(200))], [f"a{n}" for n in range(200)])


@attack("lines that are no Python", "two thousand of them around an answer")
def _(notebook: NotebookNode, scene: Scene) -> None:
    answer(notebook, scene).source = "1 1\n" * 1000 + scene.wrong + "1 1\n" * 1000


@attack("braces without end", "an f-string of forty thousand expressions")
def _(notebook: NotebookNode, scene: Scene) -> None:
    answer(notebook, scene).source = f"x = f'{'{x}' * 40_000}'\n{scene.wrong}"


@attack(
    "a number too long to write", "a hexadecimal number of forty thousand digits, which Python refuses to write", on=EACH_SORT
)
def _(notebook: NotebookNode, scene: Scene) -> None:
    answer(notebook, scene).source = answering(scene.exercise, f"x = 0x{'f' * 40_000}\nreturn 0")


@attack("backslashes", "a written answer of twenty thousand backslashes", on=["03.renorm_rows"])
def _(notebook: NotebookNode, scene: Scene) -> None:
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade") and marks.get("solution"):
            cell.source = "\\" * 20_000


code_attack(
    "an anonymous memory file",
    "memory that belongs to no process",
    """
import os
held = [os.memfd_create(str(number)) for number in range(40)]
for descriptor in held:
    for _ in range(15): os.write(descriptor, bytes(2**20))
""",
    spares_stock=False,
)
code_attack(
    "memory in pipes",
    "pipes and sockets filled to the brim",
    """
import fcntl, os, socket
held = []
while True:
    held.append(socket.socketpair())
    held[-1][0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**26)
    held[-1][0].setblocking(False)
    try:
        while True: held[-1][0].send(bytes(2**20))
    except BlockingIOError: pass
""",
    spares_stock=False,
)
