"""Make the demo class, grade it, and compare every score with the one foretold."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from embedding_course.subject.lessons import topics

from ...classroom.class_folder import Classroom
from ...classroom.grade_record import GradeRecord
from ...course_source.notebook import released
from ...engine.fork_server import Learners
from ...marking.grade_class import grade_class
from ...marking.hidden_check import fresh_seed
from ...marking.run import Run
from ...marking.submission_task import Graded
from .foretell import foretell
from .personas import Sheet, fill
from .roster import HOME, roster

__all__ = ["Outcome", "compare", "make_class", "run"]

_MARK = "demo-class"
Rows = list[tuple[str, str, str]]


@dataclass(frozen=True)
class Outcome:
    """The foretold and the real score of one submission. `wrong` names the exercises whose scores differ."""

    student: str
    topic: str
    persona: str
    foretold: float
    score: float
    wrong: tuple[str, ...]


def make_class(
    home: Path = HOME, rows: Rows | None = None, made: Callable[[int], None] = lambda count: None
) -> dict[tuple[str, str], Sheet]:
    """Write the submissions of the demo class, and return what each must get.

    Parameters
    ----------
    home : Path, optional
        Folder of the class. An earlier demo class in it is removed.
    rows : Rows, optional
        Student, notebook and persona of each submission; by default the whole demo class.
    made : callable, optional
        Called with the number of submissions, once for each.

    Raises
    ------
    FileExistsError
        If the folder holds something that is not a demo class. Nothing is removed then.
    """
    if home.exists() and any(home.iterdir()):
        if not (home / _MARK).exists():
            raise FileExistsError(f"{home} holds something that is not a demo class; move it away first")
        for path in home.iterdir():  # the folder itself stays: processes that are running already may not see into it
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    home.mkdir(parents=True, exist_ok=True)
    (home / _MARK).write_text("Made by `make demo`; removed and made anew each time.\n", encoding="utf-8")
    (home / "nbgrader_config.py").write_text(
        "from pathlib import Path\n\nfrom grader.marking.nbgrader_plugin import configure\n\n"
        "configure(get_config(), Path(__file__).parent)\n",
        encoding="utf-8",
    )
    sheets = {}
    rows = roster(topics()) if rows is None else rows
    for position, (student, topic, persona) in enumerate(rows):
        made(len(rows))
        sheet = fill(topic, released(topic), persona, position)
        folder = home / "submitted" / student / topic
        folder.mkdir(parents=True)
        (folder / f"{topic}.ipynb").write_bytes(sheet.content)
        (folder / "timestamp.txt").write_text(f"2026-03-{1 + position % 28:02d} 12:00:00 UTC", encoding="utf-8")
        sheets[student, topic] = sheet
    return sheets


def compare(sheet: Sheet, record: GradeRecord, scores: Mapping[tuple[str, str], float]) -> Outcome:
    """Compare a record with the prediction.

    Parameters
    ----------
    sheet : Sheet
        Submission and what it must get.
    record : GradeRecord
        Record of the submission.
    scores : mapping of (str, str) to float
        Scores of known mistakes, by exercise and mistake.
    """
    foretold = sheet.foretold | {name: scores[name, slug] for name, slug in sheet.mistaken.items()}
    if sheet.unreadable or record.status == "unreadable":
        wrong = () if sheet.unreadable and record.status == "unreadable" else ("unreadable",)
    else:
        got = {result.exercise: result.score for result in record.results}
        wrong = tuple(name for name, score in foretold.items() if abs(got.get(name, -1.0) - score) > 1e-6)
    return Outcome(record.student, record.topic, sheet.persona, sum(foretold.values()), record.score + record.extra, wrong)


@dataclass(frozen=True)
class Heard:
    """Functions that report progress: each is called with the total, once for each item that is done."""

    made: Callable[[int], None] = lambda count: None
    graded: Callable[[Graded, int], None] = lambda graded, count: None
    foretold: Callable[[int], None] = lambda count: None


def run(
    home: Path = HOME, heard: Heard | None = None, rows: Rows | None = None, learners: Learners | None = None
) -> list[Outcome]:
    """Make the demo class, grade it, foretell the scores and compare.

    Scores are foretold last, so that the first grade is on screen early.

    Parameters
    ----------
    home : Path, optional
        Folder of the class. An earlier demo class in it is removed.
    heard : Heard, optional
        Called as submissions are made, graded and foretold.
    rows : Rows, optional
        Student, notebook and persona of each submission; by default the whole demo class.
    learners : Learners, optional
        Learner processes to be reused; they may still be starting.
    """
    heard, seed = heard or Heard(), fresh_seed()
    sheets = make_class(home, rows, heard.made)
    records = {}
    for graded in grade_class(Classroom(home), topics(), Run(seed=seed), learners):
        heard.graded(graded, len(sheets))
        records[graded.record.student, graded.record.topic] = graded.record
    scores = foretell((pair for sheet in sheets.values() for pair in sheet.mistaken.items()), seed, heard.foretold)
    outcomes = [compare(sheets[key], record, scores) for key, record in records.items()]
    return sorted(outcomes, key=lambda outcome: (outcome.topic, outcome.student))
