"""Attacks on what processes share beside the content of files: modes, owners, times, locks, watches, processors.

They matter most at level partial, where a file of others can be named: `grader attack --level partial`.
"""

from nbformat.notebooknode import NotebookNode

from .attack import Scene, answer, attack, code_attack

_PLACES = "('CLASS', 'CLASS/gradebook.db', 'CLASS/submitted/VICTIM/TOPIC/TOPIC.ipynb', os.__file__, '/tmp')"

code_attack(
    "modes of others",
    "the class, the victim's file and Python's own closed by chmod, in four ways",
    f"""
import ctypes, os
libc = ctypes.CDLL(None)
for place in {_PLACES}:
    for close in (
        lambda: os.chmod(place, 0),
        lambda: os.fchmod(os.open(place, os.O_RDONLY), 0),
        lambda: libc.fchmodat(-100, place.encode(), 0, 0),
        lambda: libc.syscall(452, -100, place.encode(), 0, 0),
    ):
        try: close()
        except OSError: pass
""",
    spares_stock=False,
)
code_attack(
    "owners and times of others",
    "files given away, and dated back before the deadline",
    f"""
import os
for place in {_PLACES}:
    for change in (lambda: os.chown(place, 55000, 55000), lambda: os.utime(place, (0, 0)), lambda: os.truncate(place, 0)):
        try: change()
        except OSError: pass
""",
    spares_stock=False,
)
code_attack(
    "attributes of others",
    "extended attributes and flags set on files of others",
    f"""
import fcntl, os
for place in {_PLACES}:
    for change in (
        lambda: os.setxattr(place, "user.attack", b"1"),
        lambda: fcntl.ioctl(os.open(place, os.O_RDONLY), 0x40086602, (0x10).to_bytes(8, "little")),
    ):
        try: change()
        except OSError: pass
""",
    spares_stock=False,
)
code_attack(
    "processors of others",
    "the grader moved to one processor, behind everybody else",
    """
import os
for pid in (os.getppid(), *range(1, 40)):
    if pid == os.getpid(): continue
    for change in (
        lambda: os.sched_setaffinity(pid, [0]),
        lambda: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0)),
        lambda: os.setpriority(os.PRIO_PROCESS, pid, 19),
    ):
        try: change()
        except OSError: pass
""",
    spares_stock=False,
)


def _channel(name: str, tries: str, setup: str, call: str) -> None:
    """Enter a channel between learners: where `call` goes through, the cell tells so in an exception."""

    @attack(name, tries)
    def _(notebook: NotebookNode, scene: Scene) -> None:
        tell = f"try: {call}\nexcept OSError: pass\nelse: raise OSError('_'.join(['Told', 'of', 'others']))"
        answer(notebook, scene).source = scene.filled_in(f"{setup}\n{tell}\n\n{scene.wrong}")


_channel(
    "a lock as a message",
    "a file of Python's locked, which the next learner could find locked",
    "import fcntl, os",
    "fcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_SH)",
)
_channel(
    "a watch as a message",
    "Python's files watched, to see which of them another learner reads",
    """
import ctypes, os
libc = ctypes.CDLL(None)
def watch():
    if libc.inotify_add_watch(libc.inotify_init1(0), os.__file__.encode(), 1) < 0: raise PermissionError
""",
    "watch()",
)
_channel("a folder to stand in", "the class's folder entered", "import os", "os.chdir('CLASS')")
