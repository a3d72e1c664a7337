"""An environment like a stranger's: a venv that sees the base package's own dependencies and a Jupyter kernel, no more.

Installing torch anew would take minutes, so the distributions that the built wheel asks for are linked in, file by file as
their records say; whatever no record in that closure names cannot be imported. The package itself is installed from the
wheel by pip, which has no index to ask.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, PathDistribution, distribution, distributions
from pathlib import Path
from zipfile import Path as Inside

from packaging.requirements import Requirement

from grader.paths import ROOT

#: Colab's own share: a kernel, and pip.
_COLAB = ("ipykernel", "pip")
_GUARD = """
import socket, sys

def refuse(event, details):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        raise OSError("the network is cut off")
    if event == "socket.connect" and details[0].family != getattr(socket, "AF_UNIX", None):
        raise OSError("the network is cut off")

sys.addaudithook(refuse)
"""


def built_wheel(folder: Path) -> Path:
    """The learner's wheel, built by pip into a folder."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    (wheel,) = folder.glob("embedding_course-*.whl")
    return wheel


def required_by(wheel: Path) -> list[str]:
    """What a wheel asks for without any of its extras, by its own metadata."""
    name = "-".join(wheel.name.split("-")[:2])
    return PathDistribution(Inside(wheel) / f"{name}.dist-info").requires or []


def closure(requirements: list[str]) -> list[Distribution]:
    """The distributions that satisfy the requirements, and theirs in turn; extras that nobody asked for stay out."""
    chosen: dict[str, Distribution] = {}
    todo = [(Requirement(requirement), "") for requirement in requirements]
    while todo:
        wanted, extra = todo.pop()
        if wanted.marker and not wanted.marker.evaluate({"extra": extra}):
            continue
        there = distribution(wanted.name)
        for extra in ("", *wanted.extras):
            key = f"{there.name.lower()}[{extra}]"
            if key not in chosen:
                chosen[key] = there
                todo += [(Requirement(requirement), extra) for requirement in there.requires or []]
    return list({package.name: package for package in chosen.values()}.values())


@dataclass(frozen=True)
class BaseOnly:
    """The environment. `run` runs its Python in a folder; with `cut_off`, without any network."""

    home: Path

    @property
    def python(self) -> Path:
        return self.home / "bin" / "python"

    @property
    def site(self) -> Path:
        (site_folder,) = (self.home / "lib").glob("python*/site-packages")
        return site_folder

    @classmethod
    def make(cls, home: Path, wheel: Path) -> BaseOnly:
        """Everything but the package: the setup cell installs that."""
        venv.create(home, symlinks=True, with_pip=False)
        made = cls(home)
        owners = Counter(top for package in distributions() for top in {file.parts[0] for file in package.files or ()})
        for package in closure([*required_by(wheel), *_COLAB]):
            files = [file for file in package.files or () if file.parts[0] not in ("..", "__pycache__")]
            for name in {file.parts[0] if owners[file.parts[0]] == 1 else str(file) for file in files}:
                there, here = Path(str(package.locate_file(name))), made.site / name
                if there.exists() and not here.exists():
                    here.parent.mkdir(parents=True, exist_ok=True)
                    here.symlink_to(there.resolve())
        return made

    def environment(self, folder: Path) -> dict[str, str]:
        """Of the tests' environment nothing but PATH: no PYTHONPATH that leads to the checkout, no home with settings."""
        return {
            "PATH": f"{self.home / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "OMP_NUM_THREADS": "1",
            "PIP_NO_INDEX": "1",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "MPLCONFIGDIR": str(self.home / "matplotlib"),
            "IPYTHONDIR": str(folder / ".ipython"),
        }

    def guard(self) -> None:
        """Where the system cannot cut the network off: every process of this environment refuses it by itself."""
        (self.site / "no_network.py").write_text(_GUARD, encoding="utf-8")
        (self.site / "no_network.pth").write_text("import no_network\n", encoding="utf-8")

    def run(self, code: str, folder: Path, *, before: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        """Run some code in a folder; `before` is what the command begins with."""
        command = [*before, str(self.python), "-c", code]
        options = {"cwd": folder, "env": self.environment(folder), "stdin": subprocess.DEVNULL}
        return subprocess.run(command, capture_output=True, text=True, timeout=600, **options)


def without_network() -> list[str] | None:
    """What to put before a command so that it runs with no network at all; None where the machine does not allow it."""
    for command in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        try:
            if subprocess.run([*command, sys.executable, "-c", ""], capture_output=True).returncode == 0:
                return command
        except OSError:
            return None
    return None
