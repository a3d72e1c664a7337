"""nbgrader's own feedback page, for who prefers it. Its table of contents names the exercises; phones and dark screens too."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import pass_context
from nbconvert.exporters import Exporter, HTMLExporter
from nbformat.notebooknode import NotebookNode
from nbgrader.server_extensions import formgrader

from embedding_course.checking.result import number
from embedding_course.exercises import known
from embedding_course.learner.page_policy import policy
from embedding_course.messages import Message, translate

from ..classroom import records
from ..classroom.class_folder import Classroom
from ..classroom.gradebook.marks import Marks, marks_of
from ..classroom.policy.course import load_course
from .text import as_html
from .write_pages import page_of

_OURS = Path(__file__).parent / "nbgrader_templates"
_THEIRS = Path(formgrader.__file__).parent


def _line(marks: dict[str, Any]) -> str:
    """Return one line of the table of contents, from what nbgrader knows of a graded cell.

    >>> _line({"grade_id": "01-one_hot-check", "score": 1.5, "points": 3})
    '◐ 01.one_hot, One-hot vectors: 1.5 of 3'
    """
    score, points = float(marks.get("score") or 0), float(marks["points"])
    if marks.get("score") is None and marks.get("solution"):
        return f"◌ {Message('Written answer: waits for a person')}"
    line = Message("{name}: {score} of {maximum}") if points else Message("{name}: {score} extra")
    mark = "○" if not score and not points else "✔" if score >= points else "◐" if score else "✘"
    exercise = known().get(str(marks["grade_id"]).removesuffix("-check").replace("-", ".", 1))
    name = Message("Written answer") if marks.get("solution") else marks["grade_id"]
    if exercise:
        name = Message("{exercise}, {title}", exercise=exercise.id, title=Message(exercise.title))
    return f"{mark} {line.fill(name=name, score=number(score), maximum=number(points))}"


def _head(facts: dict[str, Any], cells: Iterable[dict[str, Any]]) -> Message:
    """Return the heading of the page: the notebook and its points, with the extra credit among them."""
    extra = _extra(cells)
    head = Message("{notebook}: {score} of {maximum} points")
    if extra:
        head = Message("{notebook}: {score} of {maximum} points, {extra} of them extra credit", extra=number(extra))
    return head.fill(notebook=facts["notebook"], score=number(facts["score"]), maximum=number(facts["max_score"]))


def _late_line(penalty: float) -> Message:
    return Message("Handed in late: {points} points less", points=number(penalty))


def _extra(cells: Iterable[dict[str, Any]]) -> float:
    """Return the points of cells that carry none: extra credit."""
    return sum(float(marks.get("score") or 0) for marks in cells if marks and marks.get("points") == 0)


def _with_policy(head: str) -> str:
    """Return the head of a page with what it may do as the first thing in it."""
    return head.replace("<head>", f"<head>\n{policy(pictures=True)}", 1)


class FeedbackPage(HTMLExporter):
    """The exporter behind `nbgrader generate_feedback`. Its pages run no script and fetch nothing."""

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """Return a text cell or a comment, with its formulas drawn."""
        return as_html(source, self.anchor_link_text)

    def default_filters(self) -> Iterable[tuple[str, Any]]:
        """Yield those of nbconvert, and ours."""
        yield from super().default_filters()
        yield "graded_line", _line
        yield "head_line", _head
        yield "late_line", _late_line
        yield "translated", translate
        yield "with_policy", _with_policy


def configure_page(config: Any, page: type[FeedbackPage] = FeedbackPage) -> None:
    """Let nbgrader make feedback with this page."""
    config.GenerateFeedback.exporter_class = page
    config.FeedbackPage.template_name = "course_feedback"
    config.FeedbackPage.extra_template_basedirs = [str(_OURS), str(_THEIRS / "templates")]
    # nbgrader's template by its full name, and the style sheet that it includes.
    config.FeedbackPage.extra_template_paths = [
        str(_THEIRS / "templates"),
        str(_THEIRS / "static/node_modules/bootstrap/dist/css"),
    ]


class CoursePage(FeedbackPage):
    """The course's own page where the class has a record of the submission, nbgrader's page where it has none."""

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **settings: Any) -> tuple[str, Any]:
        """Return the course's page of a submission, or nbgrader's own if there is no record of it.

        Parameters
        ----------
        nb : NotebookNode
            Graded notebook.
        resources : Any, optional
            Resources of nbconvert, in which nbgrader names the student and the notebook.
        **settings : Any
            Further arguments of nbconvert's exporter.
        """
        facts = (resources or {}).get("nbgrader", {})
        home = Path(str(self.config.CourseDirectory.root or "."))
        record = records.load(home, facts.get("assignment", ""), facts.get("student", ""))
        if record is None:
            return super().from_notebook_node(nb, resources, **settings)
        _, resources = Exporter.from_notebook_node(self, nb, resources)  # its preprocessors, without a page of its own
        marks = _marks(facts["db_url"], record.topic).get(record.student)
        return page_of(Classroom(home, facts["db_url"]), load_course(home), record, marks), resources


@lru_cache(maxsize=1)
def _marks(db_url: str, topic: str) -> dict[str, Marks]:
    return marks_of(db_url, topic) or {}
