"""The answers of a class to each exercise, as they are compared."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of

from ...classroom.attempts import Attempts
from ...classroom.class_folder import Classroom
from ...classroom.policy.course import Course, load_course
from ...course_source.notebook import release, source
from ...submission.read import read_notebook
from ...submission.rebuild import rebuild
from .forms import form, own_lines

#: Shorter answers have so few right forms that nothing follows from two being alike.
FEWEST_TOKENS = 15


@dataclass(frozen=True)
class Answer:
    """What one student answered to one exercise: its form, and the lines that are shown. `team` is the team that handed it in,
    whose members' answers are not compared with one another."""

    student: str
    form: tuple[str, ...]
    lines: tuple[str, ...]
    team: str = ""


def answers_of(room: Classroom, topics: Sequence[str], course: Course | None = None) -> dict[str, list[Answer]]:
    """By exercise id, the answers that are long enough to be compared. Files that cannot be read are passed over, and the same
    file of the same team is taken once."""
    found: dict[str, list[Answer]] = defaultdict(list)
    came = Attempts(room, course or load_course(room.home))
    seen: set[tuple[str, str, str]] = set()
    for topic in topics:
        ours = release(source(topic))
        stubs = _solutions(ours)
        for submission in room.submissions([topic]):
            if submission.missing():
                continue
            team = came.team(submission)
            whose = team.says if team else ""
            key = (whose, topic, came.digest(submission))
            if team and key in seen:
                continue
            seen.add(key)
            try:
                theirs = _solutions(rebuild(ours, read_notebook(submission.path), topic))
            except Exception:  # no submission may end the comparison of a class; grading says what is wrong with it
                continue
            for exercise in exercises_of(topic):
                text, stub = theirs.get(exercise.grade_id, ""), stubs[exercise.grade_id]
                tokens = form(text, stub)
                if len(tokens) >= FEWEST_TOKENS:
                    found[exercise.id].append(Answer(submission.student, tokens, tuple(own_lines(text, stub)), whose))
    return dict(found)


def _solutions(notebook: NotebookNode) -> dict[str, str]:
    return {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in notebook.cells
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution")
    }
