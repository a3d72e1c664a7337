"""Cells that a learner's process may run, and cells that each level of the sandbox refuses."""

from grader.engine.sandbox import Limits
from grader.paths import ROOT

BOUNDS = Limits(memory=512 * 2**20, output=2**20)
#: By what is tried: a cell that must fail.
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
