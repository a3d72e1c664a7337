"""Set the stage: a class of attackers and a victim; and see afterwards who gained, what leaked, who was harmed."""

from __future__ import annotations

import copy
import hashlib
import os
import secrets
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import torch
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercise as find

from ..build.notebook import release, source
from ..build.stub import definition
from ..catalogue import reference_source
from . import files, forge, harm, snoop  # noqa: F401 - they fill the catalogue
from .attack import ATTACKS, Attack, Scene, as_bytes

__all__ = ["TARGET", "VICTIM", "Finding", "Stage", "leftovers"]

TARGET = find("02.embedding_grad")
VICTIM = "victim"
_WRONG = """def embedding_grad(ids, grad_output, num_embeddings):
    import torch
    return torch.zeros(1)
"""
_KEEP = b"\0KEEP"  # the attack has put something other than a file in place


@dataclass
class Finding:
    """What one attack came to."""

    attack: Attack
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


class Stage:
    """A class folder with one attacker a folder. `names` maps students to attacks."""

    def __init__(self, home: Path, attacks: list[Attack] | None = None) -> None:
        self.home = home
        self.names = {f"attacker-{place:02d}": entry for place, entry in enumerate(attacks or ATTACKS)}
        self.secrets = {
            "the victim's file": f"victim-{secrets.token_hex(8)}",
            "the environment": f"environment-{secrets.token_hex(8)}",
            "the reference": _distinctive(reference_source(TARGET)),
        }
        self.before: dict[Path, str] = {}
        self.victim_score = -1.0

    def scene(self, student: str) -> Scene:
        return Scene(self.home, student, VICTIM, TARGET.lesson.topic, TARGET.grade_id, TARGET.name, _WRONG)

    def write(self) -> None:
        """Hand in everything."""
        empty = release(source(TARGET.lesson.topic))
        self._hand_in(VICTIM, as_bytes(self._honest(empty)))
        for student, entry in self.names.items():
            scene = self.scene(student)
            scene.path.parent.mkdir(parents=True)
            notebook = copy.deepcopy(empty)
            _answer(notebook, _WRONG)
            content = entry.make(notebook, scene)
            if content is None:
                content = as_bytes(notebook)
            if content != _KEEP:
                scene.path.write_bytes(content)
        os.environ["GRADER_SECRET"] = self.secrets["the environment"]
        self.before = {path: _digest(path) for path in self._precious()}

    def _honest(self, empty: NotebookNode) -> NotebookNode:
        notebook = copy.deepcopy(empty)
        _answer(notebook, definition(reference_source(TARGET), TARGET.name))
        notebook.cells.append(nbformat.v4.new_markdown_cell(self.secrets["the victim's file"]))
        return notebook

    def _hand_in(self, student: str, content: bytes) -> None:
        path = self.scene(student).path
        path.parent.mkdir(parents=True)
        path.write_bytes(content)

    def _precious(self) -> list[Path]:
        """Files that nobody may change."""
        packages = Path(torch.__file__).parent.parent
        return [self.scene(VICTIM).path, packages / "torch/__init__.py", packages / "sitecustomize.py", packages / "attack.pth"]

    def leaks(self, told: str) -> list[str]:
        """Which secrets stand in what an attacker gets to see."""
        return [what for what, secret in self.secrets.items() if secret in told]

    def harm(self) -> list[str]:
        """What was harmed since the last look; looked at only once each."""
        found = []
        for path, digest in self.before.items():
            if _digest(path) != digest:
                found.append(f"{path.name} of another")
        for name in ("reached",):
            if (self.home / name).exists():
                (self.home / name).unlink()
                found.append("the class's folder")
        for left in (Path("/tmp/.grader-attack"), Path("/dev/shm/attack")):
            if left.exists():
                left.unlink()
                found.append("those that come later")
        return found

    def book_is_sound(self) -> bool:
        """Is the gradebook whole, and has nobody extra credit?"""
        path = self.home / "gradebook.db"
        if not path.exists():
            return False
        book = sqlite3.connect(path)
        try:
            whole = book.execute("pragma integrity_check").fetchone() == ("ok",)
            return whole and not book.execute("select count(*) from grade where extra_credit > 0").fetchone()[0]
        finally:
            book.close()


def _answer(notebook: NotebookNode, text: str) -> None:
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == TARGET.grade_id:
            cell.source = text


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "gone"


def _distinctive(text: str) -> str:
    """A line of the reference that no stub and no attack has."""
    lines = definition(text, TARGET.name).splitlines()
    return next(line.strip() for line in reversed(lines) if line.strip().startswith("return "))


def leftovers(home: Path) -> list[int]:
    """Processes that graded the class in `home`, or were forked by one that did, and are still there."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
            if b"grader.engine.zygote" in words and str(home.resolve()).encode() in words:
                found.append(int(folder.name))
        except OSError:
            continue
    return found
