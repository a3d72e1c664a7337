"""What a learner's process can do at each level of the sandbox, as root and as an ordinary user."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.engine.fork_server import Learners, NoSandbox
from grader.engine.learner import Crashed, Patience, TimedOut
from grader.engine.sandbox import Limits
from grader.paths import ROOT

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is built of Linux's means"),
    pytest.mark.xdist_group("sandbox"),
]
BOUNDS = Limits(memory=512 * 2**20, output=2**20)
SECRET = "a secret of the environment"

REFUSED = {
    "the course": f"open({str(ROOT / 'pyproject.toml')!r})",
    "the answers": f"import os; os.listdir({str(ROOT / 'solutions')!r})",
    "network": "import socket; socket.socket()",
    "a unix socket": "import socket; socket.socket(socket.AF_UNIX)",
    "a fork": "import os; os.fork()",
    "a program": "import subprocess; subprocess.run(['true'])",
    "a shell": "get_ipython().system('true'); assert _exit_code == 0",
    "a signal to its parent": "import os; os.kill(os.getppid() or 2**22 - 1, 9)",
    "ptrace": "import ctypes; libc = ctypes.CDLL(None); assert libc.ptrace(0, 0, 0, 0) == 0",
    "another namespace": "import ctypes; libc = ctypes.CDLL(None); assert libc.unshare(0x10000000) == 0",
    "a raised limit": "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "rights by a set-user-id program": "import os; os.execv('/usr/bin/su', ['su'])",
    "a write to Python": "import os, torch; open(os.path.dirname(torch.__file__) + '/mine.py', 'w')",
    "a file beyond the limit": "open('large', 'wb').write(bytes(17 * 2**20))",
    "memory beyond the limit": "bytearray(2**30)",
    "a tensor beyond the limit": "import torch; torch.ones(2**28)",
    "an anonymous memory file": "import os; os.memfd_create('x')",
    "a secret memory file": "import ctypes; assert ctypes.CDLL(None).syscall(447, 0) >= 0",
    "shared memory": "from multiprocessing import shared_memory; shared_memory.SharedMemory(create=True, size=2**20)",
    "a segment of System V": "import ctypes; assert ctypes.CDLL(None).shmget(0, 2**20, 0o1600) >= 0",
    "shared pages beyond the limit": "import mmap; mmap.mmap(-1, 2**30)",
}
ALLOWED = {
    "a file of its own": "open('mine.txt', 'w').write('x'); assert open('mine.txt').read() == 'x'",
    "a temporary file": "import tempfile; tempfile.NamedTemporaryFile().write(b'x')",
    "a figure": "import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.title('狗'); plt.savefig('figure.png')",
    "a thread": "import threading; t = threading.Thread(target=print); t.start(); t.join()",
    "a late import": "import scipy.stats, sklearn.manifold, sqlite3, decimal",
    "an event loop": "import asyncio; asyncio.run(asyncio.sleep(0))",
    "training": "import torch; w = torch.ones(3, requires_grad=True); w.sum().backward(); torch.optim.Adam([w]).step()",
    "the course's data": "from embedding_course.data import language_reference",
}


@pytest.fixture(scope="module", params=["full", "partial"])
def learners(request: pytest.FixtureRequest) -> Iterator[Learners]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PGPASSWORD", SECRET)
        started = Learners(strongest=request.param, limits=BOUNDS, trusted=True, topics=())
    with started as found:
        if found.level != request.param:
            pytest.skip(f"this machine offers no level {request.param}, only {found.level}")
        yield found


@pytest.mark.parametrize("what", REFUSED)
def test_refused(learners: Learners, what: str) -> None:
    with learners.start() as learner:
        assert learner.run(REFUSED[what]) is not None


FILLS = """
import contextlib, fcntl, os, socket
held, size = [], 0

def fill(write):
    global size
    with contextlib.suppress(BlockingIOError):
        while True: size += write(bytes(2**16))

with contextlib.suppress(OSError):
    while True:
        held.append(os.pipe())
        with contextlib.suppress(OSError): fcntl.fcntl(held[-1][1], 1031, 2**20)
        os.set_blocking(held[-1][1], False)
        fill(lambda part: os.write(held[-1][1], part))
[os.close(end) for pair in held for end in pair]
held.clear()
with contextlib.suppress(OSError):
    while True:
        held.append(socket.socketpair())
        for end in held[-1]:
            with contextlib.suppress(OSError): end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**26)
            end.setblocking(False)
            fill(end.send)
assert 0 < size < 2**25, size
"""


def test_little_fits_into_pipes_and_sockets(learners: Learners) -> None:
    """No limit counts what lies in them; but there may only be so many, and each stays as small as it comes."""
    with learners.start() as learner:
        assert learner.run(FILLS) is None, learner.said


def test_the_private_folder_has_an_end(learners: Learners) -> None:
    if learners.level != "full":
        pytest.skip("Landlock hides files and does not count them")
    with learners.start() as learner:
        assert learner.run("for n in range(5000): open(f'part{n}', 'wb').write(bytes(2**20))") == "OSError"


@pytest.mark.parametrize("what", ALLOWED)
def test_allowed(learners: Learners, what: str) -> None:
    with learners.start() as learner:
        assert learner.run(ALLOWED[what]) is None


def test_another_active_environment_plays_no_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Who grades with another environment active gets this one's packages: IPython would search the active one first."""
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    with Learners(trusted=True, topics=()) as found, found.start() as learner:
        assert learner.run("import os; assert 'VIRTUAL_ENV' not in os.environ") is None
        assert learner.run(ALLOWED["a figure"]) is None


def test_nothing_is_left_for_the_next_one(learners: Learners) -> None:
    places = "import tempfile, pathlib; places = pathlib.Path('left'), pathlib.Path(tempfile.gettempdir(), 'left')"
    with learners.start([places, "[place.touch() for place in places]"]) as learner:
        assert learner.errors == [None, None]
    with learners.start([places, "assert not any(place.exists() for place in places)"]) as learner:
        assert learner.errors == [None, None]


@pytest.mark.parametrize(
    ("cell", "status"),
    [
        ("while True: print('x' * 10000)", "flooded"),
        ("import os; os._exit(0)", "crashed"),
        ("import ctypes; ctypes.string_at(0)", "crashed"),
        ("while True: pass", "timed out"),
        ("import time; time.sleep(100)", "timed out"),
        ("import signal; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))\nwhile True: pass", "timed out"),
        ("import os; os.closerange(3, 100)", "crashed"),
    ],
)
def test_ends_are_told_apart(learners: Learners, cell: str, status: str) -> None:
    learner = learners.start(patience=Patience(cpu=0.5, clock=3.0))
    with pytest.raises((Crashed, TimedOut)):
        learner.run(cell)
    assert learner.why() == status
    assert not Path(f"/proc/{learner._pid}").exists()


def test_nothing_of_the_environment_is_there(learners: Learners) -> None:
    with learners.start() as learner:
        assert learner.run(f"import os; assert {SECRET!r} not in str(os.environ)") is None


def test_without_a_sandbox_nothing_is_graded() -> None:
    """Unless all submissions are trusted, which test_gradebook_address.py does."""
    with pytest.raises(NoSandbox, match="--trust-submissions"):
        Learners(strongest="none", topics=())


AS_ORDINARY_USER = """
keep=$(mktemp -d)
mount --bind "$1" "$keep"
top=/$(echo "$1" | cut -d/ -f2)
mount -t tmpfs tmpfs "$top" -o mode=755
mkdir -p "$1"
mount --bind "$keep" "$1"
shift
exec setpriv --reuid 54321 --regid 54321 --clear-groups --no-new-privs "$@"
"""


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root can become an ordinary user")
@pytest.mark.parametrize("level", ["full", "partial"])
def test_an_ordinary_user_is_shut_in_as_well(level: str, tmp_path: Path) -> None:
    """The same in a process without root's rights; Python is shown to it where it lies below root's home."""
    if ROOT.stat().st_mode & 0o005 != 0o005:
        pytest.skip("the course lies where an ordinary user cannot read it")
    script = (
        "from grader.engine.fork_server import Learners\n"
        f"with Learners(strongest={level!r}, trusted=True, topics=()) as found, found.start() as learner:\n"
        f"    print(found.level, [learner.run(one) is not None for one in {list(REFUSED.values())[:8]!r}], "
        f"[learner.run(one) for one in {list(ALLOWED.values())[:3]!r}])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": "/tmp", "TMPDIR": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    words = [sys.executable, "-c", script]
    if Path(sys.base_prefix).is_relative_to("/root"):
        words = ["unshare", "--mount", "sh", "-e", "-c", AS_ORDINARY_USER, "sh", sys.base_prefix, *words]
    else:
        words = ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups", *words]
    done = subprocess.run(words, env=environment, cwd="/", capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    if level == "full" and done.stdout.startswith("partial"):
        pytest.skip("ordinary users may not make user namespaces here")
    assert done.stdout.strip() == f"{level} {[True] * 8} {[None] * 3}"
