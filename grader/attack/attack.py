"""What an attack is: a wrong submission, made into something worse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

__all__ = ["ATTACKS", "Attack", "Scene", "attack", "code_attack"]


@dataclass(frozen=True)
class Scene:
    """Where an attack takes place: the class, the attacker, a victim, and the exercise whose points are wanted."""

    home: Path
    student: str
    victim: str
    topic: str
    grade_id: str
    name: str
    wrong: str

    @property
    def path(self) -> Path:
        return self.home / "submitted" / self.student / self.topic / f"{self.topic}.ipynb"


@dataclass(frozen=True)
class Attack:
    """`make(notebook, scene)` changes the wrong submission, or returns the bytes to hand in instead.

    `spares_stock` is false where running it without a sandbox could harm this machine: it is not tried on stock nbgrader.
    """

    name: str
    tries: str
    make: Callable[[NotebookNode, Scene], bytes | None]
    spares_stock: bool = True


ATTACKS: list[Attack] = []


def attack(name: str, tries: str, *, spares_stock: bool = True) -> Callable[..., Callable[..., bytes | None]]:
    """Enter a function into the catalogue."""

    def enter(make: Callable[[NotebookNode, Scene], bytes | None]) -> Callable[[NotebookNode, Scene], bytes | None]:
        ATTACKS.append(Attack(name, tries, make, spares_stock))
        return make

    return enter


def code_attack(name: str, tries: str, code: str, *, inside: bool = False, spares_stock: bool = True) -> None:
    """Enter code that stands in the answer's cell, before the wrong answer; or `inside` it, run when it is called.

    In the code, NAME is the exercise's name, VICTIM a student, COURSE and CLASS are folders.
    """

    def make(notebook: NotebookNode, scene: Scene) -> None:
        from ..paths import ROOT

        text = code.strip()
        for word, value in (("NAME", scene.name), ("VICTIM", scene.victim), ("COURSE", str(ROOT)), ("CLASS", str(scene.home))):
            text = text.replace(word, value)
        if inside:
            body = "\n".join(f"    {line}" for line in text.splitlines())
            text = f"def {scene.name}(*args, **options):\n{body}\n    return args[0]"
        else:
            text = f"try:\n{_indented(text)}\nexcept Exception:\n    pass\n\n{scene.wrong}" if text else scene.wrong
        answer(notebook, scene).source = text

    ATTACKS.append(Attack(name, tries, make, spares_stock))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def answer(notebook: NotebookNode, scene: Scene) -> NotebookNode:
    """The cell of the exercise that is attacked."""
    return next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == scene.grade_id)


def check_cell(notebook: NotebookNode, scene: Scene) -> NotebookNode:
    return next(
        cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == f"{scene.grade_id}-check"
    )


def as_bytes(notebook: NotebookNode) -> bytes:
    return nbformat.v4.writes(notebook).encode("utf-8")
