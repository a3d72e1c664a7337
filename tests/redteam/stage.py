"""Set the stage: a class of attackers and a victim; and see afterwards who gained, what leaked, who was harmed."""

import ast
import copy
import hashlib
import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.exercise import Exercise
from embedding_course.exercises import find_exercise
from embedding_course.subject.course import course
from grader.course_source.catalogue import reference_source
from grader.course_source.notebook import release, source
from grader.course_source.stub import definition
from grader.quality.demo.personas import fill

from . import (  # noqa: F401 - they fill the catalogue
    files,
    forge,
    forge_around,
    forge_values,
    harm,
    hold,
    reach,
    replay,
    smuggle,
    snoop,
)
from .attack import ATTACKS, Attack, Scene, answer, as_bytes
from .smuggle import SIZE, TOLD
from .targets import TARGETS

VICTIM = "victim"
_KEEP = b"\0KEEP"  # the attack has put something other than a file in place


@dataclass(frozen=True)
class Attempt:
    """An attack on one exercise."""

    attack: Attack
    exercise: Exercise


@dataclass
class Outcome:
    """What one attempt came to."""

    attempt: Attempt
    score: float = 0.0
    status: str = ""
    leaked: list[str] = field(default_factory=list)
    harmed: list[str] = field(default_factory=list)

    @property
    def gained(self) -> bool:
        return self.score > 0

    def said(self) -> str:
        parts = [f"{self.score:g} points" if self.gained else "", f"leaked {', '.join(self.leaked)}" if self.leaked else ""]
        parts += [f"harmed {', '.join(self.harmed)}" if self.harmed else ""]
        return "; ".join(part for part in parts if part) or self.status


def attempts(attacks: Sequence[Attack], targets: Sequence[Exercise] = ()) -> list[Attempt]:
    """Return each attack with the exercises that it is tried on.

    Those are the ones that it names, else the next one in turn. With `targets`, and in another course than ours, it is one of
    those.
    """
    planned: list[Attempt] = []
    for position, attack in enumerate(attacks):
        chosen = targets or TARGETS
        named = attack.on if course().ours and not targets else ()
        on = [find_exercise(name) for name in named] or [chosen[position % len(chosen)]]
        planned += [Attempt(attack, exercise) for exercise in on]
    return planned


class Stage:
    """A class folder with one attacker a folder, and a victim in each notebook that is attacked.

    `names` maps students to what they attempt.
    """

    def __init__(self, home: Path, attacks: Sequence[Attack] | None = None, targets: Sequence[Exercise] = ()) -> None:
        self.home = home
        tried = attempts(ATTACKS if attacks is None else attacks, targets)
        self.names = {f"attacker-{number:03d}": attempt for number, attempt in enumerate(tried)}
        self.topics = sorted({attempt.exercise.lesson.topic for attempt in tried})
        self.secrets = {
            "the victim's file": f"victim-{secrets.token_hex(8)}",
            "the environment": f"environment-{secrets.token_hex(8)}",
            "hidden inputs": TOLD,
            "a size that stands for a hidden input": SIZE,
        }
        self.before: dict[Path, str] = {}
        self.unharmed: set[str] = set()

    def scene(self, student: str) -> Scene:
        return Scene(self.home, student, VICTIM, self.names[student].exercise)

    def write(self) -> None:
        """Hand in everything."""
        for topic in self.topics:
            path = self._path_of_victim(topic)
            path.parent.mkdir(parents=True)
            path.write_bytes(as_bytes(self._honest(topic)))
        for student, attempt in self.names.items():
            scene = self.scene(student)
            scene.path.parent.mkdir(parents=True)
            notebook = copy.deepcopy(_released(scene.topic))
            answer(notebook, scene).source = scene.wrong
            content = attempt.attack.make(notebook, scene)
            if content is None:
                content = as_bytes(notebook)
            if content != _KEEP:
                scene.path.write_bytes(content)
        os.environ["GRADER_SECRET"] = self.secrets["the environment"]
        self.before = {path: _digest(path) for path in self._precious()}

    def _honest(self, topic: str) -> NotebookNode:
        perfect = fill(topic, _released(topic), "perfect", 0)
        notebook = nbformat.reads(perfect.content.decode("utf-8"), as_version=4)
        notebook.cells.append(nbformat.v4.new_markdown_cell(self.secrets["the victim's file"]))
        return notebook

    def _path_of_victim(self, topic: str) -> Path:
        return self.home / "submitted" / VICTIM / topic / f"{topic}.ipynb"

    def _precious(self) -> Iterator[Path]:
        """Yield the files that nobody may change."""
        packages = Path(nbformat.__file__).parent.parent
        yield from map(self._path_of_victim, self.topics)
        yield self.home
        yield from (packages / "torch/__init__.py", packages / "sitecustomize.py", packages / "attack.pth")

    def leaks(self, visible_text: str, exercise: Exercise) -> list[str]:
        """Return which secrets stand in what somebody who attacks this exercise gets to see."""
        hidden = {**self.secrets, "the reference": _distinctive(exercise.id)}
        return [what for what, secret in hidden.items() if secret in visible_text]

    def harm(self) -> list[str]:
        """Return what was harmed since the last look; each harm is returned once."""
        harms = []
        for path, digest in self.before.items():
            if _digest(path) != digest:
                harms.append(f"{path.name} of another")
        for name in ("reached",):
            if (self.home / name).exists():
                (self.home / name).unlink()
                harms.append("the class's folder")
        for left in (Path("/tmp/.grader-attack"), Path("/dev/shm/attack")):
            if left.exists():
                left.unlink()
                harms.append("those that come later")
        return harms

    def book_is_sound(self) -> bool:
        """Return whether the gradebook is whole, and nobody but a victim has extra credit."""
        path = self.home / "gradebook.db"
        if not path.exists():
            return False
        book = sqlite3.connect(path)
        try:
            whole = book.execute("pragma integrity_check").fetchone() == ("ok",)
            return whole and not book.execute(_EXTRA_CREDIT, (VICTIM,)).fetchone()[0]
        finally:
            book.close()


_EXTRA_CREDIT = (
    "select count(*) from grade g join submitted_notebook n on n.id = g.notebook_id "
    "join submitted_assignment s on s.id = n.assignment_id where g.extra_credit > 0 and s.student_id != ?"
)


@cache
def _released(topic: str) -> NotebookNode:
    return release(source(topic))


def _digest(path: Path) -> str:
    """Return what would show a change: content, mode, owner, time of writing, attributes."""
    try:
        status = path.stat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        return f"{content} {status.st_mode} {status.st_uid} {status.st_mtime_ns if content else ''} {os.listxattr(path)}"
    except OSError:
        return "gone"


@cache
def _distinctive(name: str) -> str:
    """Return the longest line of the reference that no learner's notebook has."""
    exercise = find_exercise(name)
    known = as_bytes(_released(exercise.lesson.topic)).decode("utf-8")
    text = definition(reference_source(exercise), exercise.name)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            text = text.replace(ast.get_docstring(node, clean=False) or "\0", "")
    lines = [line.strip() for line in text.splitlines()]
    return max((line for line in lines if line not in known and '"' not in line), key=len)


def leftovers(home: Path) -> list[int]:
    """Return the processes that graded the class in `home`, or were forked by one that did, and still run."""
    process_ids = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
            if b"grader.engine.zygote" in words and str(home.resolve()).encode() in words:
                process_ids.append(int(folder.name))
        except OSError:
            continue
    return process_ids
