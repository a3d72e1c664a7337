"""What the sandbox finds where Docker runs it: with the flags of docs/installing.md, without them, with an older Docker."""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from grader.engine.sandbox import landlock, linux_calls
from grader.paths import ROOT
from tests.grader.engine.test_sandbox_levels import AS_ORDINARY_USER

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is built of Linux's means")

#: What Docker's own filter refuses to who has no CAP_SYS_ADMIN, as far as walls could be built of it: the number on x86_64 and
#: on aarch64. From https://github.com/moby/profiles, seccomp/default.json.
_NAMESPACES = {
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
}
#: Those that Docker lets through since https://github.com/moby/moby/pull/43199, of 2022.
_LANDLOCK = {"landlock_create_ruleset": (444, 444), "landlock_add_rule": (445, 445), "landlock_restrict_self": (446, 446)}

SCRIPT = """
import sys, tempfile
from pathlib import Path
sys.path.insert(0, {root!r})
if {numbers!r}:
    import ctypes, struct
    from grader.engine.sandbox import linux_calls
    body = bytes.fromhex({program!r})
    buffer = ctypes.create_string_buffer(body, len(body))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(body) // 8, ctypes.addressof(buffer)))
    linux_calls.no_new_privileges()
    linux_calls.prctl(linux_calls.PR_SET_SECCOMP, 2, ctypes.addressof(header))
from grader.engine.sandbox import open_enclosure
base = Path(tempfile.mkdtemp())
base.chmod(0o755)
(base / "base").mkdir()
found = open_enclosure(base / "base", [Path({root!r})])
print(found.level, "|", found.how)
"""


def refusing(numbers: list[int]) -> bytes:
    """A filter under which these calls fail with EPERM."""
    steps = [struct.pack("HBBI", 0x20, 0, 0, 0)]
    for number in numbers:
        steps += [struct.pack("HBBI", 0x15, 0, 1, number), struct.pack("HBBI", 0x06, 0, 0, 0x00050001)]
    return b"".join([*steps, struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000)])


def found(refused: dict[str, tuple[int, int]]) -> str:
    """The level that an ordinary user without any capability gets where these calls are refused."""
    column = {"x86_64": 0, "aarch64": 1}[os.uname().machine]
    numbers = [both[column] for both in refused.values()]
    script = SCRIPT.format(root=str(ROOT), numbers=numbers, program=refusing(numbers).hex())
    words = [sys.executable, "-P", "-c", script]
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("only setpriv makes an ordinary user of root")
        if Path(sys.base_prefix).is_relative_to("/root"):
            shell = AS_ORDINARY_USER.replace("--no-new-privs", "--no-new-privs --bounding-set -all --inh-caps -all")
            words = ["unshare", "--mount", "sh", "-e", "-c", shell, "sh", sys.base_prefix, *words]
        else:
            asked = "setpriv --reuid 54321 --regid 54321 --clear-groups --no-new-privs --bounding-set -all --inh-caps -all"
            words = [*asked.split(), *words]
    settings = {**os.environ, "HOME": "/tmp", "TMPDIR": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(words, env=settings, cwd="/", capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


@pytest.fixture(autouse=True)
def readable() -> None:
    if ROOT.stat().st_mode & 0o005 != 0o005:
        pytest.skip("the course lies where an ordinary user cannot read it")


def test_with_the_flags_the_walls_are_full_without_any_right_of_root() -> None:
    walls = found({})
    if walls.startswith(("partial", "none")):
        pytest.skip("ordinary users may not make user namespaces here")
    assert walls == "full | namespaces, seccomp, limits; in a user namespace"


def test_without_them_landlock_is_what_is_left() -> None:
    if not landlock.available():
        pytest.skip("no Landlock in this kernel")
    assert found(_NAMESPACES) == "partial | Landlock, seccomp, limits; all as the user who grades"


def test_where_neither_is_let_through_nothing_holds_and_that_is_said() -> None:
    """`none`, which grader refuses to grade on: tests/grader/engine/test_sandbox_levels.py."""
    assert found(_NAMESPACES | _LANDLOCK) == "none | limits only"


def test_the_numbers_are_those_that_the_sandbox_uses() -> None:
    assert linux_calls._MOUNT_SETATTR in _NAMESPACES["mount_setattr"]
    assert {landlock._CREATE_RULESET, landlock._ADD_RULE, landlock._RESTRICT_SELF} == {both[0] for both in _LANDLOCK.values()}
