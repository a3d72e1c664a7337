"""Our rebuilding and marking behind nbgrader's own commands, by its extension points alone.

`nbgrader autograde` runs two lists of preprocessors over a submission: one that sanitises, one that grades. `Rebuild`
leads the first and `Mark` replaces execution in the second; cells, scores and late penalties are nbgrader's.
"""

import atexit
import contextlib
from datetime import UTC
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import GenerateAssignment, GenerateFeedback
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
    SaveCells,
)

from embedding_course.checking.result import number
from embedding_course.subject.lessons import LESSONS, lesson
from embedding_course.subject.titles import COURSE_ID

from ..classroom import records
from ..classroom.class_folder import Submission, now
from ..classroom.export.nbgrader_csv import SafeCsv
from ..classroom.grade_record import GradeRecord
from ..classroom.gradebook.ask import find_alembic
from ..classroom.gradebook.book import Book
from ..classroom.gradebook.schema import set_lateness
from ..classroom.gradebook.scores import save_extra_credit
from ..classroom.policy.course import Course, load_course
from ..classroom.policy.lateness import duration
from ..classroom.policy.notebook_points import head_with_points, with_points
from ..classroom.policy.toml_file import FILE, WrongCourse
from ..course_source.notebook import released
from ..engine.fork_server import Learners
from ..feedback.nbgrader_page import CoursePage, FeedbackPage, configure_page
from ..paths import NOTEBOOKS, SOURCE
from ..submission.rebuild import notes_of, rebuild, written
from .hidden_check import fresh_seed
from .mark import mark, write_verdicts


class TellLateness(NbGraderPreprocessor):
    """Puts a paragraph at the head of the page of a submission that came after its deadline."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Insert the paragraph at the top of the notebook if the submission was late."""
        facts = resources["nbgrader"]
        with Gradebook(facts["db_url"]) as book:
            try:
                text = _sentence(book.find_submission(facts["assignment"], facts["student"]))
            except MissingEntry:
                text = ""
        if text:
            nb.cells.insert(0, nbformat.v4.new_markdown_cell(text, id="about-lateness"))
        return nb, resources


def _sentence(submission: Any) -> str:
    penalty = submission.late_submission_penalty or 0.0
    if submission.total_seconds_late <= 0 or not penalty:
        return ""
    due = submission.duedate.replace(tzinfo=UTC)
    late = duration(submission.timestamp - submission.duedate)
    longer = ", with the extension" if submission.extension else ""
    final = max(0.0, submission.score - penalty)
    return (
        f"**Handed in late:** {late} after {due:%Y-%m-%d %H:%M} UTC{longer}. Earned {number(submission.score)} of "
        f"{number(submission.max_score)} points, taken off {number(penalty)}, which leaves {number(final)}."
    )


def sources_of(home: Path, course: Course, every: Path) -> Path:
    """Return the folder that nbgrader takes for its source.

    If the class uses all notebooks or its folder cannot be written, this is `every`. Otherwise it is `source` in the class
    folder, with links to the notebooks that the class uses. Other files in that folder stay.

    Parameters
    ----------
    home : Path
        Folder of the class.
    course : Course
    every : Path
        Folder with the source of all notebooks.
    """
    if set(course.topics) == {lesson.topic for lesson in LESSONS if lesson.written}:
        return every
    folder = home / "source"
    try:
        folder.mkdir(exist_ok=True)
        for link in folder.iterdir():
            if link.is_symlink() and link.readlink().parent == every and link.name not in course.topics:
                link.unlink(missing_ok=True)
        for topic in course.topics:
            with contextlib.suppress(FileExistsError):
                (folder / topic).symlink_to(every / topic, target_is_directory=True)
    except OSError:
        return every
    return folder


@cache
def _learners(topic: str, python: str) -> Learners:
    """Return one zygote for the whole command, which grades one notebook."""
    learners = Learners(topics=[topic], python=python)
    atexit.register(learners.close)
    return learners


@cache
def _seed() -> int:
    """Return one seed for the whole command, so that everybody meets the same hidden cases."""
    return fresh_seed()


@cache
def _release(topic: str, db_url: str) -> NotebookNode:
    """Return the release with the points of the class, and enter them into the gradebook, where nbgrader looks for them."""
    counted = with_points(released(topic), _course(db_url).terms_of(topic))
    with Book(db_url) as book:
        book.assignment(topic, counted)
    return counted


class Rebuild(NbGraderPreprocessor):
    """Put the learner's answers into the instructor's notebook."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Return the released notebook with the learner's answers in it."""
        topic = lesson(resources["nbgrader"]["assignment"]).topic
        return rebuild(_release(topic, resources["nbgrader"]["db_url"]), nb, topic), resources


class Mark(NbGraderPreprocessor):
    """Make the hidden check of every exercise, and write verdicts and points into the outputs of the check cells."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Mark every exercise of the notebook and put the record of it into `resources`."""
        facts = resources["nbgrader"]
        course = _course(facts["db_url"])
        terms, learners = (
            course.terms_of(facts["assignment"], [facts["student"]]),
            _learners(facts["assignment"], course.python),
        )
        marked = mark(learners, nb, facts["assignment"], _seed())
        results = terms.apply(marked.results)
        resources["embedding_course"] = GradeRecord(
            student=facts["student"],
            topic=facts["assignment"],
            status="graded",
            seed=_seed(),
            submission=records.digest(_submitted(facts).path),
            graded_at=now(),
            notes=[*notes_of(nb), *marked.notes],
            results=results,
            written=written(nb),
            runner="engine",
            sandbox=f"{learners.level}: {learners.how}",
            terms=terms.stamp,
            python=course.python,
            unweighted=marked.results if terms.stamp else [],
        )
        write_verdicts(nb, results, terms.dropped, marked.notes)
        head_with_points(nb, facts["assignment"], terms)
        return nb, resources


class SaveExtraCredit(NbGraderPreprocessor):
    """Save extra credit into the gradebook, and verdicts into the class's records."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Store the extra credit in the gradebook, and save the record in the class folder."""
        record = resources["embedding_course"]
        home = _home(resources["nbgrader"]["db_url"])
        earlier = records.load(home, record.topic, record.student)
        save_extra_credit(resources["nbgrader"]["db_url"], record, earlier)
        records.save(home, record, earlier)
        return nb, resources


class SetPoints(NbGraderPreprocessor):
    """Set the points of the class after nbgrader has saved a notebook's cells."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Store the points of the class in the gradebook if the class uses the notebook."""
        facts = resources["nbgrader"]
        if facts["assignment"] in _course(facts["db_url"]).topics:
            _release(facts["assignment"], facts["db_url"])
        return nb, resources


class Lateness(NbGraderPreprocessor):
    """Deadlines, extensions and penalties of the class, in place of nbgrader's own rule where course.toml has deadlines."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Store deadline, extension and penalty in the gradebook."""
        facts = resources["nbgrader"]
        topic, student = facts["assignment"], facts["student"]
        with Gradebook(facts["db_url"]) as book:
            set_lateness(book, _course(facts["db_url"]), {(topic, student): _submitted(facts).timestamp})
        return nb, resources


def _submitted(facts: Any) -> Submission:
    """Return the submission that nbgrader is working on."""
    student, topic = facts["student"], facts["assignment"]
    return Submission(student, topic, _home(facts["db_url"]) / "submitted" / student / topic)


def _home(db_url: str) -> Path:
    """Return the folder of the class."""
    home = Path(db_url.removeprefix("sqlite:///")).parent
    return home if home.is_dir() else Path.cwd()  # a gradebook elsewhere: the records lie in the folder of the class


@cache
def _course(db_url: str) -> Course:
    """Return the course.toml of the class as it is when the first submission is marked.

    The server of formgrader is configured long before it marks.
    """
    return load_course(_home(db_url))


def configure(config: Any, home: Path | None = None, *, nbgrader_page: bool = False) -> None:
    """Fill an nbgrader configuration for a class.

    Parameters
    ----------
    config : Any
        Configuration that nbgrader loads, as `get_config()` returns it.
    home : Path, optional
        Folder of the class; by default the current folder.
    nbgrader_page : bool, optional
        True if `nbgrader generate_feedback` writes nbgrader's own page with the whole notebook, and not the course's page.

    Raises
    ------
    SystemExit
        If the course.toml of the class is wrong.
    """
    find_alembic()
    try:
        course = load_course((home or Path.cwd()).resolve())
    except WrongCourse as error:  # traitlets would go on without any configuration, and mark by other rules
        raise SystemExit(f"{FILE}: {error}") from None
    root = (home or Path.cwd()).resolve()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.course_id = COURSE_ID
    config.CourseDirectory.source_directory = str(sources_of(root, course, SOURCE))
    config.CourseDirectory.release_directory = str(NOTEBOOKS)
    config.Autograde.sanitize_preprocessors = [Rebuild, OverwriteKernelspec, OverwriteCells, CheckCellMetadata]
    config.Autograde.autograde_preprocessors = [
        Mark,
        SaveAutoGrades,
        SaveExtraCredit,
        Lateness if course.deadlines else AssignLatePenalties,
        CheckCellMetadata,
    ]
    steps = GenerateAssignment.preprocessors.default() or []
    config.GenerateAssignment.preprocessors = [
        step for default_step in steps for step in ([default_step, SetPoints] if default_step is SaveCells else [default_step])
    ]
    config.GenerateFeedback.preprocessors = [TellLateness, *(GenerateFeedback.preprocessors.default() or [])]
    config.ExchangeFactory.release_feedback = "grader.feedback.to_exchange.ReleaseFeedback"
    configure_page(config, FeedbackPage if nbgrader_page else CoursePage)
    # Names of students may hold dots and plus signs; only path separators are out.
    config.CourseDirectory.student_id_exclude = ""
    config.ExportApp.plugin_class = SafeCsv
    config.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\nraise NotImplementedError()"}
