"""A machine on which nothing of ours is installed: steps of a Dockerfile or a workflow run on it, and nothing is downloaded.

`python` is an environment of its own that stands for an image's Python. What the project asks for is not fetched: each
environment that is made there sees the packages of ours, from which pip finds its requirements satisfied. The project itself is
installed by pip, from the files that the step names. Programs that would change this machine only write down their calls.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.paths import ROOT

#: Called as root on a machine of its own; here their calls are recorded.
_RECORDED = ("apt-get", "useradd", "chown")
_IGNORED = (
    ".git",
    ".venv",
    "build",
    "work",
    "dist",
    "submitted",
    "results",
    "*.db*",
    "__pycache__",
    ".*_cache",
    ".ipynb_checkpoints",
    ".embedding_course",
)
_PYTHON = """\
#!/bin/sh
# `-m venv FOLDER`, with or without an option, makes an environment that sees our packages, pip among them.
if [ "$1 $2" = "-m venv" ]; then
  for last in "$@"; do :; done
  "{image}" "$@" --without-pip || exit
  for site in "$last"/lib/python*/site-packages; do cp "{seen}" "$site/zz_ours.pth"; done
else
  exec "{image}" "$@"
fi
"""
_RECORD = '#!/bin/sh\necho "{name} $*" >> "{log}"\n'


@dataclass(frozen=True)
class CleanMachine:
    """`home` holds the machine, `commands` come first on its search path, `log` has the calls that were only recorded."""

    home: Path

    @property
    def commands(self) -> Path:
        return self.home / "commands"

    @property
    def log(self) -> Path:
        return self.home / "recorded.txt"

    @property
    def recorded(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []

    @classmethod
    def make(cls, home: Path, backend: Path) -> CleanMachine:
        """A machine below `home`. `backend` is a folder with what builds the project (`build_backend`)."""
        machine = cls(home)
        machine.commands.mkdir(parents=True)
        image = home / "image"
        venv.create(image, symlinks=True, with_pip=False)
        ours = Path(sys.prefix, "lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")
        seen = home / "ours.pth"
        seen.write_text(f"{backend}\n{ours}\n", encoding="utf-8")
        (site,) = image.glob("lib/python*/site-packages")
        shutil.copy(seen, site / "zz_ours.pth")  # after the project's own
        for name in ("python", "python3"):
            machine.command(name, _PYTHON.format(image=image / "bin" / "python", seen=seen))
        for name in _RECORDED:
            machine.record(name)
        return machine

    def command(self, name: str, text: str) -> None:
        (self.commands / name).write_text(text, encoding="utf-8")
        (self.commands / name).chmod(0o755)

    def record(self, name: str) -> None:
        """From now on this program only writes down how it was called."""
        self.command(name, _RECORD.format(name=name, log=self.log))

    @property
    def settings(self) -> dict[str, str]:
        """For pip and make: no index may be asked, and the build takes what is there."""
        return {
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
            "PIP_CONFIG_FILE": os.devnull,
            "OMP_NUM_THREADS": "1",
            "MPLCONFIGDIR": str(self.home / "matplotlib"),
        }

    def checkout(self) -> Path:
        """A copy of the checkout, as a clone has it."""
        target = self.home / "checkout"
        shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(*_IGNORED))
        return target

    def run(self, text: str, folder: Path, more: Mapping[str, str] | None = None) -> str:
        """Run a step in a folder as a runner of GitHub does, and return what it printed. AssertionError where it fails."""
        path = os.pathsep.join([str(self.commands), str(self.home / "image" / "bin"), os.environ["PATH"]])
        settings = {"PATH": path, "HOME": str(self.home), "LANG": "C.UTF-8", **self.settings, **(more or {})}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", text],
            cwd=folder,
            env=settings,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{text}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout


def build_backend(into: Path) -> Path:
    """What pyproject.toml names to build the project with, in a folder: pip would fetch it anew for each environment."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", str(into)]
    command += [*needed, "editables"]  # hatchling asks for the latter where an installation is editable
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return into
