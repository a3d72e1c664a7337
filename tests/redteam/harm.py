"""Attacks that want secrets, or want to harm: the machine, the class, the next student."""

from .attack import code_attack

code_attack(
    "other submissions",
    "the victim's notebook read and told in a message",
    """
import pathlib
raise RuntimeError(pathlib.Path("CLASS/submitted/VICTIM/TOPIC/TOPIC.ipynb").read_text())
""",
    inside=True,
)
code_attack(
    "overwritten submission",
    "the victim's notebook emptied",
    """
open("CLASS/submitted/VICTIM/TOPIC/TOPIC.ipynb", "w").write("{}")
open("../../VICTIM/TOPIC/TOPIC.ipynb", "w").write("{}")
""",
)
code_attack(
    "gradebook",
    "points written into gradebook.db",
    """
import os, sqlite3
for place in ("CLASS", "../../..", "../..", "."):
    path = os.path.join(place, "gradebook.db")
    if os.path.exists(path):
        book = sqlite3.connect(path)
        book.execute("update grade set extra_credit = 100")
        book.commit()
""",
)
code_attack(
    "environment",
    "the instructor's variables told in a message",
    """
import os
raise RuntimeError(" ".join(os.environ.values()))
""",
    inside=True,
)
code_attack(
    "open descriptors",
    "whatever is open read",
    """
import os
text = ""
for descriptor in range(3, 64):
    try: text += os.pread(descriptor, 10000, 0).decode(errors="replace")
    except OSError: pass
raise RuntimeError(text)
""",
    inside=True,
)
code_attack(
    "network",
    "a connection to the machine itself",
    """
import socket, threading
server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen(1)
socket.create_connection(server.getsockname(), timeout=1)
open("CLASS/reached", "w").write("network")
""",
)
code_attack(
    "detached process",
    "a child that goes on after grading and writes scores",
    """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for _ in range(20):
            time.sleep(1)
            open("CLASS/reached", "w").write("late")
    os._exit(0)
""",
)
code_attack(
    "a shell",
    "a program started",
    """
import subprocess
subprocess.run(["sh", "-c", "echo reached > CLASS/reached; crontab -l"])
get_ipython().system("echo reached > CLASS/reached")
""",
)
code_attack(
    "signals to the parent", "the grader killed", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)", spares_stock=False
)
code_attack("signals to all", "every process killed", "import os, signal\nos.kill(-1, signal.SIGKILL)", spares_stock=False)
code_attack(
    "fork bomb",
    "processes without end",
    """
import os
for _ in range(200): os.fork()
""",
    spares_stock=False,
)
code_attack(
    "thread bomb",
    "threads without end",
    """
import threading, time
for _ in range(2000): threading.Thread(target=time.sleep, args=(20,), daemon=True).start()
""",
    spares_stock=False,
)
code_attack(
    "disk full",
    "files without end",
    """
for number in range(10000):
    open(f"large{number}", "wb").write(bytes(10**7))
""",
    spares_stock=False,
)
code_attack(
    "no inodes left",
    "a million empty files",
    """
for number in range(10**6): open(f"small{number}", "w").close()
""",
    spares_stock=False,
)
code_attack("memory", "more memory than there is", "x = [bytearray(10**9) for _ in range(100)]", spares_stock=False)
code_attack(
    "memory in a call", "the same in the answer", "import torch\nreturn torch.ones(10**11)", inside=True, spares_stock=False
)
code_attack("endless loop", "a cell that never ends", "while True: pass", spares_stock=False)
code_attack("endless sleep", "a call that sleeps", "import time\ntime.sleep(10**6)", inside=True, spares_stock=False)
code_attack(
    "stubborn loop",
    "a call that ignores every signal",
    """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))
while True:
    try:
        while True: pass
    except BaseException: pass
""",
    inside=True,
    spares_stock=False,
)
code_attack("output flood", "output without end", "while True: print('x' * 10**6)", spares_stock=False)
code_attack(
    "error flood",
    "the same on stderr, past Python",
    """
import os
for _ in range(10**5): os.write(2, b'x' * 10**4)
""",
    spares_stock=False,
)
code_attack(
    "large answer", "a result of a gigabyte", "import torch\nreturn torch.zeros(2**28)", inside=True, spares_stock=False
)
code_attack("exit", "os._exit in the cell", "import os\nos._exit(0)")
code_attack("segmentation fault", "a null pointer read", "import ctypes\nctypes.string_at(0)", inside=True)
code_attack(
    "startup files",
    "files that the next student's kernel would read",
    """
import os, pathlib
home = pathlib.Path.home()
for name in (".ipython/profile_default/startup/00.py", ".bashrc", ".config/matplotlib/matplotlibrc"):
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / name).write_text("raise SystemExit")
pathlib.Path("/tmp/.grader-attack").write_text("left")
""",
)
code_attack(
    "site-packages",
    "sitecustomize, a .pth file and torch itself changed",
    """
import pathlib, torch
packages = pathlib.Path(torch.__file__).parent.parent
for name in ("sitecustomize.py", "attack.pth", "torch/__init__.py"):
    with open(packages / name, "a") as file: file.write("")
    open("CLASS/reached", "w").write("packages")
""",
    spares_stock=False,
)
code_attack(
    "preloaded library",
    "LD_PRELOAD and PYTHONSTARTUP for those behind",
    """
import os
os.environ.update(LD_PRELOAD="/tmp/x.so", PYTHONSTARTUP="/tmp/x.py", PYTHONPATH="/tmp")
os.execv(os.sys.executable, ["python", "-c", "open('CLASS/reached', 'w')"])
""",
)
code_attack(
    "poisoned caches",
    "byte code and torch's caches replaced",
    """
import pathlib, embedding_course, torch
for folder in (pathlib.Path(embedding_course.__file__).parent / "__pycache__", pathlib.Path.home() / ".cache"):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "attack.pyc").write_bytes(b"attack")
    open("CLASS/reached", "w").write("caches")
""",
    spares_stock=False,
)
code_attack(
    "namespaces",
    "a way out by unshare, mount and chroot",
    """
import ctypes, os
libc = ctypes.CDLL(None)
libc.unshare(0x10020000)
os.chroot("/proc/1/root")
open("CLASS/reached", "w").write("escaped")
""",
)
code_attack(
    "links to secrets",
    "symbolic and hard links into the class",
    """
import os
os.symlink("CLASS/gradebook.db", "book")
os.link("CLASS/gradebook.db", "hard")
open("book", "a").write("spoilt")
""",
)
code_attack(
    "escape codes",
    "HTML and terminal codes in messages",
    """
raise RuntimeError("<script>document.title='reached'</script>\\x1b[2J\\x1b]0;reached\\x07=cmd|' /C calc'!A0")
""",
    inside=True,
)
code_attack(
    "resource limits",
    "the limits raised",
    """
import resource
for kind in range(16): resource.setrlimit(kind, (-1, -1))
""",
)
code_attack(
    "shared memory",
    "a segment that stays, and queues",
    """
from multiprocessing import shared_memory
shared_memory.SharedMemory(create=True, size=2**20, name="attack")
""",
)
