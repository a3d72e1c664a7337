"""Attacks that look for the answer: in memory, in files, in what the grader sends."""

from .attack import code_attack
from .targets import EACH_NOTEBOOK, EACH_SORT

code_attack(
    "shipped expectations",
    "the public cases' results returned by order",
    """
from embedding_course.checking import expected
from embedding_course.exercises import find_exercise
found = expected.load(find_exercise("EXERCISE")).expected
count = globals().setdefault("COUNT", [-1]); count[0] += 1
return found[count[0] % len(found)].value
""",
    inside=True,
    on=EACH_NOTEBOOK,
)
code_attack(
    "memorised seeds",
    "hidden inputs drawn again from likely seeds",
    """
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.exercises import find_exercise
import torch
for seed in range(50):
    for case in find_exercise("EXERCISE").cases(RandomInputs(seed, "EXERCISE")):
        if torch.equal(case.args["ids"], args[0]): return case.args["grad_output"]
""",
    inside=True,
    on=["02.embedding_grad"],
)
code_attack(
    "keyed seeds",
    "hidden inputs drawn again by the grader's own hash of likely seeds",
    """
import hashlib, torch
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.exercises import find_exercise
for run in (*range(50), 2**31 - 1, 2**128 - 1):
    for attempt in range(2):
        key = run.to_bytes(16, "big")
        seed = int.from_bytes(hashlib.blake2b(f"{attempt} EXERCISE".encode(), key=key, digest_size=16).digest(), "big")
        for case in find_exercise("EXERCISE").cases(RandomInputs(seed, "EXERCISE")):
            if torch.equal(case.args["ids"], args[0]): return case.args["grad_output"]
""",
    inside=True,
    on=["02.embedding_grad"],
)
code_attack(
    "frames",
    "the right answer looked for in the callers' variables",
    """
import sys, torch
frame = sys._getframe()
while frame:
    for name, value in list(frame.f_locals.items()):
        if name in ("expected", "reference", "solution", "want") and isinstance(value, torch.Tensor): return value
    frame = frame.f_back
""",
    inside=True,
)
code_attack(
    "garbage collector",
    "the right answer looked for among all objects",
    """
import gc
for thing in gc.get_objects():
    if type(thing).__name__ in ("Observation", "Prepared", "Fingerprint") and getattr(thing, "value", None) is not None:
        return thing.value
""",
    inside=True,
)
code_attack(
    "process memory",
    "the answers searched in /proc/self/mem",
    """
found = []
for line in open("/proc/self/maps"):
    begin, end = (int(part, 16) for part in line.split()[0].split("-"))
    with open("/proc/self/mem", "rb") as memory:
        memory.seek(begin)
        if b"index_add_(0, ids.reshape" in memory.read(min(end - begin, 2**22)): found.append(begin)
assert found
return found
""",
    inside=True,
    on=["02.embedding_grad"],
)
code_attack(
    "parent's memory",
    "process_vm_readv and ptrace on the grader",
    """
import ctypes, os
libc = ctypes.CDLL(None)
for pid in {os.getppid(), 1, 2}: libc.ptrace(16, pid, 0, 0)
""",
)
code_attack(
    "trace function",
    "sys.settrace listens for the comparison",
    """
import sys
sys.settrace(lambda frame, event, argument: None)
sys.setprofile(lambda frame, event, argument: frame.f_locals.__setitem__("fault", None))
""",
)
code_attack(
    "monitoring",
    "sys.monitoring listens for returns",
    """
import sys
sys.monitoring.use_tool_id(0, "attack")
sys.monitoring.set_events(0, sys.monitoring.events.PY_RETURN)
""",
)
code_attack(
    "stolen question",
    "the next question read from the wire and answered itself",
    """
import gc, os, socket, struct, msgspec
for thing in gc.get_objects():
    if isinstance(thing, socket.socket) and thing.fileno() >= 0:
        thing.settimeout(0.2)
        try: head = thing.recv(4)
        except OSError: continue
        frame = msgspec.msgpack.decode(thing.recv(struct.unpack(">I", head)[0]))
        body = msgspec.msgpack.encode([frame[0], "reply", [[{"value": True}, []], b""]])
        thing.sendall(struct.pack(">I", len(body)) + body)
""",
    inside=True,
    on=EACH_SORT,
)
code_attack(
    "history",
    "hidden tests looked for in In, Out and the namespace",
    """
shell = get_ipython()
text = " ".join(map(str, shell.user_ns.get("In", []))) + " ".join(shell.user_ns)
assert "assert" in text and "hidden" in text
""",
    inside=True,
)
code_attack(
    "instructor's notebook",
    "the solution read from source/ and run",
    """
import json, pathlib
for place in ("../../../source", "COURSE/build/source", "COURSE/solutions"):
    for path in pathlib.Path(place).rglob("TOPIC*"):
        for cell in json.loads(path.read_text())["cells"]:
            source = "".join(cell["source"])
            if "def NAME" in source: exec(source, globals()); globals()["stolen"] = globals()["NAME"]
raise ValueError
""",
)
code_attack(
    "imported answers",
    "the reference imported as a module",
    """
import sys
sys.path[:0] = ["COURSE", "/work", "."]
from grader.course_source.catalogue import reference
from embedding_course.exercises import find_exercise
return reference(exercise("EXERCISE"))(*args, **options)
""",
    inside=True,
    on=EACH_SORT,
)
