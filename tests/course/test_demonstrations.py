"""Whatever uses a learner's result takes every form of it that the check accepts: no cell of a lesson ends in an error."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from nbclient import NotebookClient
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.expected import PUBLIC_SEED
from embedding_course.checking.observe import observe
from embedding_course.exercises import exercises_of, find_exercise
from embedding_course.subject.lessons import topics
from grader.course_source.catalogue import reference, reference_source, right_forms_of
from grader.course_source.notebook import source
from grader.course_source.prepared import prepared
from grader.quality.audit import before
from tests.support import loose_results
from tests.support.loose_results import FORMS, returning

#: Forms that one run of a notebook tries together.
ROUNDS = {
    "tensors for numbers": ("0-d tensors", "tuples", "lists"),
    "numpy for numbers": ("numpy scalars", "a graph", "gaps in memory"),
    "float64 and whole numbers": ("Python numbers", "float64"),
}
_LOOSE = Path(loose_results.__file__).read_text(encoding="utf-8")


@cache
def accepted(name: str) -> tuple[str, ...]:
    """The forms of a right result that the check of an exercise accepts. A class has results of many kinds, and none here.

    Tensors in place of numbers are left out where the learner's own later answers take the result: no lesson does.
    """
    exercise = find_exercise(name)
    if exercise.is_class:
        return ()
    taken = any(exercise.name in later.uses for later in exercises_of(exercise.lesson.topic))
    ready, right = prepared(exercise.id, PUBLIC_SEED), reference(exercise)
    forms = []
    for form in FORMS:
        seen = [observe(exercise, returning(form, right), case) for case in ready.cases]
        if ready.judge(seen).passed and not (taken and form == "0-d tensors"):
            forms.append(form)
    return tuple(forms)


def in_forms(exercise: Exercise, forms: tuple[str, ...]) -> str:
    """The right answer to an exercise, and below it what gives its result these forms."""
    changes = "".join(f"\n{exercise.name} = _loose.returning({form!r}, {exercise.name})" for form in forms)
    return f"{reference_source(exercise)}\n{_HELPER}{changes}" if changes else reference_source(exercise)


_HELPER = f"import types\n_loose = types.ModuleType('_loose')\nexec({_LOOSE!r}, vars(_loose))"


def errors_of(topic: str, answer_of: Callable[[Exercise], str], folder: Path) -> list[str]:
    """Run a notebook with the answers that `answer_of` gives, and return what its cells raised. Earlier notebooks' answers
    lie where `own` looks for them. Checks are left out, since an audit makes them."""
    notebook = source(topic)
    exercises = {exercise.grade_id: exercise for exercise in exercises_of(topic)}
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and marks.get("grade"):
            cell.source = ""
        elif marks.get("grade_id") in exercises:
            cell.source = answer_of(exercises[marks.grade_id])
        elif cell.cell_type == "code":
            for name in re.findall(r'\bown\("([\w.]+)"\)', cell.source):
                _keep(find_exercise(name), answer_of(find_exercise(name)), folder)
    return [
        f"{cell.id}: {output.ename}: {output.evalue}"
        for cell in _executed(notebook, folder).cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "error"
    ]


def _keep(exercise: Exercise, answer: str, folder: Path) -> None:
    """Store an answer with all that stands before it in its notebook."""
    path = folder / "pieces" / f"{exercise.id.replace('.', '_')}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    imports = "import math\nimport numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F"
    text = "\n\n".join([imports, *before(exercise), answer]).replace("from __future__ import annotations\n", "")
    path.write_text(text, encoding="utf-8")


def _executed(notebook: NotebookNode, folder: Path) -> NotebookNode:
    client = NotebookClient(
        notebook, timeout=1200, kernel_name="python3", allow_errors=True, resources={"metadata": {"path": str(folder)}}
    )
    return client.execute()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path))
    return tmp_path


def all_rounds() -> list[tuple[str, int]]:
    """For each notebook as many rounds as its exercise with the most right forms has."""
    return [
        (topic, number)
        for topic in topics()
        for number in range(max(len(right_forms_of(exercise)) for exercise in exercises_of(topic)))
    ]


@pytest.mark.long
@pytest.mark.parametrize("forms", ROUNDS.values(), ids=list(ROUNDS))
@pytest.mark.parametrize("topic", topics())
def test_every_form_of_a_result_that_the_check_accepts(topic: str, forms: tuple[str, ...], folder: Path) -> None:
    def answer(exercise: Exercise) -> str:
        return in_forms(exercise, tuple(form for form in forms if form in accepted(exercise.id)))

    assert not errors_of(topic, answer, folder)


@pytest.mark.long
@pytest.mark.parametrize(("topic", "number"), all_rounds())
def test_every_right_form_of_the_catalogue(topic: str, number: int, folder: Path) -> None:
    """Round after round, each exercise takes the next of its right forms."""

    def answer(exercise: Exercise) -> str:
        forms = right_forms_of(exercise)
        return forms[number % len(forms)].source

    assert not errors_of(topic, answer, folder)
