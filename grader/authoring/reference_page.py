"""docs/exercises.md: what each exercise asks and how it is judged, from the definitions. No answers."""

import ast
import re
from collections.abc import Sequence

from embedding_course.checking.exercise import Case, Exercise
from embedding_course.checking.expected import PUBLIC_SEED
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.checking.result import number
from embedding_course.exercises import exercises_of
from embedding_course.subject.course import course
from embedding_course.subject.lessons import LESSONS, Lesson

from ..course_source.catalogue import mistakes_of, reference_source
from ..course_source.stub import definition, solution_source

_STARS = {1: "★☆☆", 2: "★★☆", 3: "★★★"}
_OPENING = """\
# Exercises

Made by `grader build` from the definitions in `{package}/exercises/`; do not edit.

A criterion's points are earned when none of its cases fails; the first criterion is the gate, without which the others
pay nothing. The hidden check draws fresh inputs for the same cases. What the docstring promises is listed with the cases that
try it. *Known mistakes* counts the wrong answers that the
check recognises by what they compute.
"""


def reference_page() -> str:
    """Return the whole page as Markdown, the same on every machine."""
    return "\n".join([_OPENING.format(package=course().package), *(_lesson(lesson) for lesson in LESSONS if lesson.written)])


def stub_text(exercise: Exercise) -> str:
    """Return signature and docstring of the answer, with `...` for each body."""
    lines: list[str] = []
    inside = False
    for line in solution_source(definition(reference_source(exercise), exercise.name)).splitlines():
        if line.strip() == "### BEGIN SOLUTION":
            inside = True
            lines.append(line.replace("### BEGIN SOLUTION", "..."))
        elif line.strip() == "### END SOLUTION":
            inside = False
        elif not inside:
            lines.append(line)
    text = "\n".join(lines)
    ast.parse(text)
    return text


def _lesson(lesson: Lesson) -> str:
    exercises = exercises_of(lesson.topic)
    core = sum(exercise.points for exercise in exercises if exercise.core)
    extra = sum(exercise.points for exercise in exercises if not exercise.core)
    lines = [
        f"## {lesson.number} · {lesson.title}",
        "",
        f"*{lesson.question}* {number(core)} points, {number(extra)} of extra credit; about {lesson.minutes} minutes.",
        "",
        "| exercise | | points | minutes |",
        "|---|---|---|---|",
    ]
    for exercise in exercises:
        sort = "core" if exercise.core else "further"
        # GitHub's anchors: small letters, punctuation goes, spaces become hyphens.
        anchor = exercise.id.replace(".", "").lower()
        lines.append(
            f"| [`{exercise.id}`](#{anchor}) {_cell(exercise.title)} | {_STARS[exercise.difficulty]} {sort} "
            f"| {number(exercise.points)} | {exercise.minutes} |"
        )
    return "\n".join([*lines, "", *(_exercise(exercise) for exercise in exercises)])


def _exercise(exercise: Exercise) -> str:
    sort = "core" if exercise.core else "further: extra credit"
    cases = list(exercise.cases(RandomInputs(PUBLIC_SEED, exercise.id)))
    lines = [
        f"### {exercise.id}",
        "",
        f"**{exercise.title}** · {_STARS[exercise.difficulty]} · {sort} · {number(exercise.points)} points "
        f"· about {exercise.minutes} minutes",
        "",
        exercise.why,
        "",
        "```python",
        stub_text(exercise),
        "```",
        "",
        "| criterion | points | asks that | public cases |",
        "|---|---|---|---|",
    ]
    for criterion in exercise.criteria:
        names = ", ".join(case.name for case in cases if case.criterion == criterion.name)
        lines.append(f"| {_cell(criterion.name)} | {number(criterion.points)} | {_cell(criterion.says)} | {_cell(names)} |")
    tried = {sentence: names for sentence, names in promises(exercise, cases).items() if names}
    if tried:
        lines += ["", "| the docstring says | tried in |", "|---|---|"]
        lines += [f"| {_cell(sentence.rstrip(';'))} | {_cell(', '.join(names))} |" for sentence, names in tried.items()]
    facts = [f"Known mistakes: {len(mistakes_of(exercise))}.", f"Hints: {len(exercise.hints)}."]
    if exercise.uses:
        facts.append("Builds on " + ", ".join(f"`{name}`" for name in exercise.uses) + ".")
    return "\n".join([*lines, "", " ".join(facts), ""])


def promises(exercise: Exercise, cases: Sequence[Case]) -> dict[str, list[str]]:
    """Return each sentence of the docstring with the names of the criteria and of the cases that try it."""
    tries = [(f"all of “{criterion.name}”", criterion.tries) for criterion in exercise.criteria]
    tries += [(case.name, case.tries) for case in cases]
    return {
        sentence: [name for name, parts in tries if any(part in sentence for part in parts)]
        for paragraph in sentences(exercise)
        for sentence in paragraph
    }


def sentences(exercise: Exercise) -> list[list[str]]:
    """Return the sentences of an exercise's docstrings, a list for each paragraph, without examples and sources.

    A class has its own docstring and those of the methods that the stub keeps. The first sentence of a parameter begins with
    the parameter's name.
    """
    node = ast.parse(definition(reference_source(exercise), exercise.name)).body[0]
    documented = [part for part in ast.walk(node) if isinstance(part, (ast.FunctionDef, ast.ClassDef))]
    text = "\n\n".join(filter(None, map(ast.get_docstring, documented)))
    paragraphs = []
    for paragraph in text.split("\n\n"):
        if paragraph.lstrip().startswith((">>>", "From ", "Source: ")):
            continue
        entries = re.split(r"\n(?=\S)", paragraph)
        if not all(re.match(r"\S+(, \S+)*  +\S", entry) for entry in entries):
            entries = [paragraph]
        # An ellipsis and "et al." end no sentence, and a source in brackets belongs to the one before it.
        ends = r"(?<!\.\.\.)(?<! al\.)(?<=[.;])\s+(?!\()"
        paragraphs.append([part for entry in entries for part in re.split(ends, " ".join(entry.split())) if part])
    return paragraphs


def _cell(text: str) -> str:
    """Return text that may stand in a table's cell."""
    return text.replace("|", "\\|").replace("\n", " ")
