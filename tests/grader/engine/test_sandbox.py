"""What a learner's process can do at each level of the sandbox, as root and as an ordinary user."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.engine.fork_server import Learners
from grader.engine.learner_proxy import Crashed, TimedOut, TimeLimits
from grader.engine.sandbox.private_folder import folder_of
from tests.support.sandbox_cells import ALLOWED, BOUNDS, ON_A_FILE_OF_OTHERS, REFUSED

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is built of Linux's means"),
    pytest.mark.xdist_group("sandbox"),
]
SECRET = "a secret of the environment"


@pytest.fixture(scope="module", params=["full", "partial"])
def learners(request: pytest.FixtureRequest) -> Iterator[Learners]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PGPASSWORD", SECRET)
        started = Learners(strongest=request.param, limits=BOUNDS, trusted=True, topics=())
    with started as running_learners:
        if running_learners.level != request.param:
            pytest.skip(f"this machine offers no level {request.param}, only {running_learners.level}")
        yield running_learners


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
        before.st_mode,
        before.st_uid,
        before.st_mtime_ns,
        before.st_size,
        before.st_nlink,
    )
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
    with learners.start([lock]) as first, learners.start() as second:
        assert first.errors == [None]
        assert second.run(ask) is None, second.error_text


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
        assert learner.run(FILLS) is None, learner.error_text


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
    with Learners(trusted=True, topics=()) as own_learners, own_learners.start() as learner:
        assert learner.run("import os; assert 'VIRTUAL_ENV' not in os.environ") is None
        assert learner.run(ALLOWED["a figure"]) is None


def test_nothing_is_left_for_the_next_one(learners: Learners) -> None:
    paths_cell = "import tempfile, pathlib; places = pathlib.Path('left'), pathlib.Path(tempfile.gettempdir(), 'left')"
    with learners.start([paths_cell, "[place.touch() for place in places]"]) as learner:
        assert learner.errors == [None, None]
    with learners.start([paths_cell, "assert not any(place.exists() for place in places)"]) as learner:
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
            users.append(learner.error_text)
    own = learners.level == "full" or "a user of its own" in learners.how
    assert (users[0] != users[1]) is own
    assert ("ValueError: 0" in users) is not own
