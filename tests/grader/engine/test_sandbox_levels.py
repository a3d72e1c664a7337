"""Which level of the sandbox a machine offers, and that an ordinary user has both of them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.engine.fork_server import Learners, NoSandbox
from grader.engine.sandbox import enclosure_probe, landlock, seccomp
from grader.engine.sandbox.enclosure import Landlocked
from grader.paths import ROOT
from tests.support.sandbox_cells import ALLOWED, BOUNDS, REFUSED

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is built of Linux's means")


class Leaky(Landlocked):
    """Level partial without what the filter adds for files of others."""

    def enter(self, number: int) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(seccomp, "_FORBIDDEN_AMONG_FILES", {})
            super().enter(number)


def test_the_trial_finds_a_wall_that_leaks(tmp_path: Path) -> None:
    """A machine on which `chmod` gets through is not said to be at level partial."""
    tmp_path.chmod(0o755)
    if not landlock.available():
        pytest.skip("no Landlock here")
    assert enclosure_probe.holds(Landlocked(tmp_path / "one", BOUNDS), [])
    assert not enclosure_probe.holds(Leaky(tmp_path / "two", BOUNDS), [])


def test_without_a_sandbox_nothing_is_graded() -> None:
    """Unless all submissions are trusted, which tests/grader/classroom/gradebook/test_address.py does."""
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
