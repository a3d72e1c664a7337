"""What an attack is: a wrong submission, made into something worse."""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.exercise import Exercise

from .targets import answering, wrong_answer


@dataclass(frozen=True)
class Scene:
    """Where an attack takes place: the class, the attacker, a victim, and the exercise whose points are wanted."""

    home: Path
    student: str
    victim: str
    exercise: Exercise

    @property
    def topic(self) -> str:
        return self.exercise.lesson.topic

    @property
    def path(self) -> Path:
        return self.home / "submitted" / self.student / self.topic / f"{self.topic}.ipynb"

    @property
    def wrong(self) -> str:
        return wrong_answer(self.exercise)

    def filled_in(self, code: str) -> str:
        """Return the code with the scene's names in place of the words that stand for them."""
        from grader.paths import ROOT

        words = {
            "NAME": self.exercise.name,
            "EXERCISE": self.exercise.id,
            "TOPIC": self.topic,
            "VICTIM": self.victim,
            "COURSE": str(ROOT),
            "CLASS": str(self.home),
        }
        text = code.strip()
        for word, value in words.items():
            text = text.replace(word, value)
        return text


@dataclass(frozen=True)
class Attack:
    """`make(notebook, scene)` changes the wrong submission, or returns the bytes to hand in instead.

    `on` names the exercises that it is tried on, where it is not all one which. `spares_stock` is false where running it
    without a sandbox could harm this machine: it is not tried on stock nbgrader.
    """

    name: str
    tries: str
    make: Callable[[NotebookNode, Scene], bytes | None]
    spares_stock: bool = True
    on: Sequence[str] = ()


ATTACKS: list[Attack] = []


def attack(
    name: str, tries: str, *, spares_stock: bool = True, on: Sequence[str] = ()
) -> Callable[..., Callable[..., bytes | None]]:
    """Enter a function into the catalogue."""

    def enter(make: Callable[[NotebookNode, Scene], bytes | None]) -> Callable[[NotebookNode, Scene], bytes | None]:
        ATTACKS.append(Attack(name, tries, make, spares_stock, on))
        return make

    return enter


def code_attack(
    name: str, tries: str, code: str, *, inside: bool = False, spares_stock: bool = True, on: Sequence[str] = ()
) -> None:
    """Enter code that stands in the answer's cell, before the wrong answer; or `inside` it, run when it is called.

    In the code, NAME is the exercise's name, EXERCISE its id and TOPIC its notebook, VICTIM a student, COURSE and CLASS are
    folders.
    """

    def make(notebook: NotebookNode, scene: Scene) -> None:
        text = scene.filled_in(code)
        if inside:
            text = answering(scene.exercise, f"{text}\nreturn args[0] if args else None")
        elif text:
            text = f"try:\n{textwrap.indent(text, '    ')}\nexcept Exception:\n    pass\n\n{scene.wrong}"
        answer(notebook, scene).source = text or scene.wrong

    ATTACKS.append(Attack(name, tries, make, spares_stock, on))


def answer(notebook: NotebookNode, scene: Scene) -> NotebookNode:
    """Return the cell of the exercise that is attacked."""
    return _cell(notebook, scene.exercise.grade_id)


def check_cell(notebook: NotebookNode, scene: Scene) -> NotebookNode:
    return _cell(notebook, f"{scene.exercise.grade_id}-check")


def _cell(notebook: NotebookNode, grade_id: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def as_bytes(notebook: NotebookNode) -> bytes:
    return nbformat.v4.writes(notebook).encode("utf-8")
