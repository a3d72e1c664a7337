"""Packages as their services use them: Gradescope's folders, and the steps of a workflow."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from embedding_course.exercises import exercises_of
from grader.course_source.catalogue import reference_source
from grader.course_source.stub import definition
from grader.quality.demo.personas import fill
from tests.redteam.honest import solution
from tests.support.classes import TOPIC, blank

#: `gh` as far as the workflow uses it: the repositories are folders.
GH = """\
#!/usr/bin/env bash
[ "$GH_TOKEN" = "{token}" ] || {{ echo "gh: no token" >&2; exit 4; }}
case "$1 $2 $3" in
  "repo list our-class") ls {there} ;;
  "repo clone our-class/"*) mkdir -p "$(dirname "$4")" && cp -r "{there}/${{3#our-class/}}" "$4" ;;
  *) echo "gh: $*?" >&2; exit 2 ;;
esac
"""
#: What is handed in by whom: a few of the kinds of the demo class, and a process that ends itself.
KINDS = {"ada": "perfect", "bo": "mistaken", "cai": "untouched", "dee": "half done", "eve": "corrupt"}


def submissions() -> dict[str, bytes]:
    """The file of each student."""
    contents = {student: fill(TOPIC, blank(), kind, position).content for position, (student, kind) in enumerate(KINDS.items())}
    return {**contents, "fay": answered("def renorm_rows(weight, max_norm, norm_type=2.0):\n    import os\n    os._exit(0)")}


def answered(source: str) -> bytes:
    """The notebook with this answer to its first exercise, and no other."""
    notebook = blank()
    notebook.cells[solution(notebook, exercises_of(TOPIC)[0].grade_id)].source = source
    return json.dumps(notebook).encode("utf-8")


def spy(paths: Sequence[Path]) -> bytes:
    """A notebook whose first answer is right if and only if its process can read one of the `paths`."""
    first = exercises_of(TOPIC)[0]
    right = definition(reference_source(first), first.name).replace(f"def {first.name}(", "def right(")
    return answered(
        f"import os\n{right}\n\ndef seen(place):\n    try:\n"
        "        return os.listdir(place) if os.path.isdir(place) else open(place, 'rb').read(1)\n"
        "    except OSError:\n        return None\n\n"
        f"def {first.name}(*args, **options):\n    if not any(map(seen, {[str(path) for path in paths]})):\n"
        "        raise KeyError('sealed')\n    return right(*args, **options)\n"
    )


@dataclass(frozen=True)
class Gradescope:
    """The folders that Gradescope makes, with a package unpacked in them."""

    root: Path

    @classmethod
    def make(cls, root: Path, package: Path) -> Gradescope:
        """As Gradescope builds an image: unpacked with the rights of the files, the one script copied up."""
        for name in ("source", "results", "submission"):
            (root / name).mkdir(parents=True)
        with zipfile.ZipFile(package) as archive:
            for member in archive.infolist():
                Path(archive.extract(member, root / "source")).chmod(member.external_attr >> 16)
        shutil.copy(root / "source" / "run_autograder", root)
        return cls(root)

    @property
    def course(self) -> Path:
        return self.root / "source" / "course"

    def setup(self, **more: str) -> subprocess.CompletedProcess[str]:
        """Run setup.sh, where no index can be asked."""
        return self._run(["bash", "source/setup.sh"], {"PIP_NO_INDEX": "1", **more})

    def grade(
        self, content: bytes | None, name: str = f"{TOPIC}.ipynb", before: Sequence[str] = ()
    ) -> subprocess.CompletedProcess[str]:
        """Hand a file in, and run the autograder over it. With None nothing is handed in; `before` is what the command begins
        with."""
        shutil.rmtree(self.root / "submission")
        (self.root / "submission").mkdir()
        if content is not None:
            (self.root / "submission" / name).write_bytes(content)
        metadata = {"users": [{"name": "Ada Lovelace", "email": "ada@example.org"}], "created_at": "2026-03-01T12:00:00-07:00"}
        (self.root / "submission_metadata.json").write_text(json.dumps(metadata), encoding="utf-8")
        return self._run([*before, "./run_autograder"], {})

    @property
    def results(self) -> dict[str, Any]:
        return json.loads((self.root / "results" / "results.json").read_text(encoding="utf-8"))

    def _run(self, command: Sequence[str], more: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "EMBEDDING"))}
        settings = {**kept, "EMBEDDING_COURSE_ROOT": str(self.root), **more}
        return subprocess.run(command, cwd=self.root, env=settings, capture_output=True, text=True, stdin=subprocess.DEVNULL)


@dataclass(frozen=True)
class Runner:
    """A machine that runs a repository's workflow: the shell of each step, as GitHub runs it, without the actions of others."""

    repository: Path
    commands: Path

    def steps(self) -> dict[str, dict[str, Any]]:
        """The steps with a shell, by name."""
        (workflow,) = (self.repository / ".github" / "workflows").glob("*.yml")
        (job,) = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values()
        return {step["name"]: step for step in job["steps"] if "run" in step}

    @property
    def summary(self) -> Path:
        return self.repository.parent / f"{self.repository.name}_summary.md"

    def run(self, name: str, secrets: Mapping[str, str] = {}) -> subprocess.CompletedProcess[str]:
        """One step. Its secrets are those that its own `env` names, and no others."""
        step = self.steps()[name]
        given = {key: secrets[value.split("secrets.")[1].split()[0]] for key, value in step.get("env", {}).items()}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "EMBEDDING"))}
        path = os.pathsep.join([str(self.commands), str(Path(sys.executable).parent), os.environ["PATH"]])
        settings = {
            **kept,
            **given,
            "PATH": path,
            "PIP_NO_INDEX": "1",
            "GITHUB_WORKSPACE": str(self.repository),
            "GITHUB_REPOSITORY": f"our-class/{self.repository.name}",
            "GITHUB_STEP_SUMMARY": str(self.summary),
        }
        command = ["bash", "-e", "-c", step["run"]]
        return subprocess.run(
            command, cwd=self.repository, env=settings, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
