"""What a learner's process can do at each level of the sandbox, as root and as an ordinary user."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.engine.fork_server import Learners
from grader.engine.learner import Crashed, TimedOut, TimeLimits
from grader.engine.sandbox import Limits
from grader.engine.sandbox.private_folder import folder_of
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
    "a lock on a file of Python's": "import fcntl, os; fcntl.flock(os.open(os.__file__, 0), fcntl.LOCK_SH)",
    "a lock on a file of its own": "import fcntl; fcntl.flock(open('mine', 'w'), fcntl.LOCK_EX)",
    "a lease on a file": "import fcntl; fcntl.fcntl(open('mine', 'w'), fcntl.F_SETLEASE, fcntl.F_WRLCK)",
    "a watch on a folder": "import ctypes; assert ctypes.CDLL(None).inotify_init1(0) >= 0",
    "a watch by a signal": "import fcntl, os; fcntl.fcntl(os.open('/usr', 0), fcntl.F_NOTIFY, 1)",
    "signals sent by a descriptor": "import fcntl, os; fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid() or 2**22 - 1)",
    "another process's processors": "import os; os.sched_setaffinity(os.getppid() or 2**22 - 1, [0])",
    # A policy that does not exist is taken where the call is only pretended.
    "another process's scheduling": (
        "import os\npid, pretended = os.getppid() or 2**22 - 1, True\n"
        "try:\n    os.sched_setscheduler(pid, 99, os.sched_param(0))\nexcept OSError:\n    pretended = False\n"
        "assert not pretended\nos.sched_setscheduler(pid, 0, os.sched_param(0))"
    ),
    "a look at another process's processors": "import os; os.sched_getaffinity(os.getppid() or 2**22 - 1)",
}
#: What is tried on a file of the user who grades, FILE, or its folder, FOLDER: both can be named at level partial.
ON_A_FILE_OF_OTHERS = {
    "its mode": "import os; os.chmod(FILE, 0o600)",
    "its folder's mode": "import os; os.chmod(FOLDER, 0)",
    "its mode by another call": "import ctypes; assert ctypes.CDLL(None).fchmodat(-100, FILE.encode(), 0o600, 0) == 0",
    "the mode of an open file": "import os; os.fchmod(os.open(os.__file__, 0), 0o644)",
    "its owner": "import os; os.chown(FILE, 55000, 55000)",
    "its times": "import os; os.utime(FILE, (0, 0))",
    "its attributes": "import os; os.setxattr(FILE, 'user.mine', b'1')",
    "attributes of its folder": "import os; os.setxattr(FOLDER, 'user.mine', b'1')",
    "its length": "import os; os.truncate(FILE, 0)",
    "its flags": "import fcntl, os; fcntl.ioctl(os.open(os.__file__, 0), 0x40086602, bytes(8))",
    "its content": "open(FILE).read()",
    "a link to it": "import os; os.link(FILE, 'mine')",
    "its folder as one's own": "import os; os.chdir(FOLDER)",
    "its folder's names": "import os; os.listdir(FOLDER)",
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
    "a database in memory": "import sqlite3; sqlite3.connect(':memory:').execute('create table t (x)')",
    "a database in a file": "import sqlite3; book = sqlite3.connect('b.db'); book.execute('create table t (x)'); book.commit()",
    "a database with a log": (
        "import sqlite3; book = sqlite3.connect('w.db'); book.execute('pragma journal_mode = wal')\n"
        "book.execute('create table t (x)')"
    ),
    "a record lock on a file of its own": "import fcntl; fcntl.lockf(open('mine', 'w'), fcntl.LOCK_EX)",
    "a temporary folder": "import tempfile\nwith tempfile.TemporaryDirectory() as folder: open(folder + '/x', 'w').write('x')",
    "matplotlib's list of fonts": "import matplotlib.font_manager as m; m._load_fontmanager(try_read_cache=False)",
    "a saved tensor": "import torch; torch.save(torch.ones(3), 'mine.pt'); assert torch.load('mine.pt').sum() == 3",
    "copies of its files": (
        "import os, shutil; open('a', 'w').write('x'); os.mkdir('folder')\n"
        "shutil.copy('a', 'b'); shutil.copy2('a', 'folder/c')\n"
        "shutil.copytree('folder', 'again'); shutil.move('b', 'again/d'); assert open('again/c').read() == 'x'"
    ),
    "archives of its files": (
        "import shutil, os; os.mkdir('f'); open('f/a', 'w').write('x')\n"
        "for kind in ('zip', 'gztar'): shutil.unpack_archive(shutil.make_archive('all', kind, 'f'), kind)\n"
        "assert open('zip/a').read() == open('gztar/a').read() == 'x'"
    ),
    "a touch of a file twice": "import pathlib; pathlib.Path('t').touch(); pathlib.Path('t').touch()",
    "its own processors": "import os; os.sched_setaffinity(0, os.sched_getaffinity(os.getpid()))",
    "threads of torch": "import torch; torch.set_num_threads(3); torch.ones(10**6).sum()",
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


@pytest.mark.parametrize("what", ON_A_FILE_OF_OTHERS)
def test_a_file_of_others_stays_as_it_is(learners: Learners, tmp_path: Path, what: str) -> None:
    file = tmp_path / "points.txt"
    file.write_text("18", encoding="utf-8")
    file.chmod(0o644)
    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(folder.stat().st_mode | 0o055)
    before, of_folder = file.stat(), tmp_path.stat()
    with learners.start() as learner:
        cell = ON_A_FILE_OF_OTHERS[what].replace("FILE", repr(str(file))).replace("FOLDER", repr(str(tmp_path)))
        assert learner.run(cell) is not None
    after = file.stat()
    assert (after.st_mode, after.st_uid, after.st_mtime_ns, after.st_size, after.st_nlink) == (
        before.st_mode, before.st_uid, before.st_mtime_ns, before.st_size, before.st_nlink
    )  # fmt: skip
    assert tmp_path.stat().st_mode == of_folder.st_mode
    assert not os.listxattr(file)


def test_a_lock_is_no_message_to_the_next_learner(learners: Learners) -> None:
    """Record locks seem to be granted, and lock nothing: of two learners who lock one file neither can tell."""
    lock = "import fcntl, os; fcntl.lockf(os.open(os.__file__, 0), fcntl.LOCK_SH)"
    ask = (
        "import fcntl, os, struct; wanted = struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 0, 0)\n"
        "found = fcntl.fcntl(os.open(os.__file__, 0), fcntl.F_GETLK, wanted)\n"
        "assert struct.unpack('hhqqi4x', found)[0] == fcntl.F_UNLCK"
    )
    with learners.start([lock]) as one, learners.start() as other:
        assert one.errors == [None]
        assert other.run(ask) is None, other.said


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


@pytest.mark.parametrize(
    "cell",
    [
        "for n in range(5000): open(f'part{n}', 'wb').write(bytes(2**20))",
        "import os\nfor n in range(50): os.makedirs(f'{n % 5}/{n}'); open(f'{n % 5}/{n}/part', 'wb').write(bytes(2**21))",
        "for n in range(10**5): open(f'empty{n}', 'w').close()",
        "import os\nos.mkdir('closed', 0o300)\nfor n in range(90): open(f'closed/{n}', 'wb').write(bytes(2**20))",
    ],
)
def test_the_private_folder_has_an_end(learners: Learners, cell: str) -> None:
    """At level full the folder itself is bounded; at level partial the trusted side looks at it, and ends the process."""
    with learners.start() as learner:
        if learners.level == "full":
            assert learner.run(cell) == "OSError"
            return
        folder = folder_of(learners._base, learner._pid)
        assert folder.is_dir()
        with pytest.raises(Crashed, match="written to files"):
            learner.run(f"{cell}\nimport time; time.sleep(5)")
        assert learner.why() == "flooded"
        assert not folder.exists()


def test_what_many_cells_write_is_added_up(learners: Learners) -> None:
    with learners.start() as learner, pytest.raises(Crashed):
        for number in range(200):
            if learner.run(f"import time; open('part{number}', 'wb').write(bytes(2**20)); time.sleep(0.01)"):
                raise Crashed("refused by the file system, at level full")


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
    learner = learners.start(time_limits=TimeLimits(cpu=0.5, clock=3.0))
    with pytest.raises((Crashed, TimedOut)):
        learner.run(cell)
    assert learner.why() == status
    assert not Path(f"/proc/{learner._pid}").exists()


def test_nothing_of_the_environment_is_there(learners: Learners) -> None:
    with learners.start() as learner:
        assert learner.run(f"import os; assert {SECRET!r} not in str(os.environ)") is None


def test_each_learner_is_a_user_of_its_own(learners: Learners) -> None:
    """As root, at level full, and at level partial where another user can read Python; `how` says which it is."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    users = []
    for _ in range(2):
        with learners.start(["import os; open('mine', 'w').write(str(os.getuid()))"]) as learner:
            learner.run("raise ValueError(os.getuid())")
            users.append(learner.said)
    own = learners.level == "full" or "a user of its own" in learners.how
    assert (users[0] != users[1]) is own
    assert ("ValueError: 0" in users) is not own
