"""Several files of one student: none is lost, the one that counts is named, and an empty one takes nothing away."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from nbgrader.api import Gradebook

from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.classroom.attempts import Attempts
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.classroom.policy.course import load_course
from grader.classroom.policy.toml_file import WrongCourse
from tests.support.classes import TOPIC, blank, hand_in, perfect

Command = Callable[..., Result]
NUMBER = TOPIC[:2]
WHOLE = sum(exercise.points for exercise in exercises_of(TOPIC) if exercise.core)
EXTRA = sum(exercise.points for exercise in exercises_of(TOPIC) if not exercise.core)
DEADLINE = f'timezone = "UTC"\nstudents = ["ada", "cy"]\n[deadlines]\n{NUMBER} = "2026-03-01"\n[late]\nper_day = 10\n'


def decide(home: Path, text: str) -> None:
    (home / "course.toml").write_text(text, encoding="utf-8")


def stamp(home: Path, student: str, text: str) -> None:
    (home / "submitted" / student / TOPIC / "timestamp.txt").write_text(text, encoding="utf-8")


def replaced(home: Path, student: str, content: object, when: str) -> None:
    """Hand in anew as `grader collect` does: what was there goes to earlier/, with its time."""
    folder = home / "submitted" / student / TOPIC
    past = home / "earlier" / student / TOPIC
    past.mkdir(parents=True, exist_ok=True)
    name = f"20260301T0000{len(list(past.iterdir())):02d}_{records.digest(folder / f'{TOPIC}.ipynb')[:8]}"
    (folder / f"{TOPIC}.ipynb").rename(past / f"{name}.ipynb")
    if (folder / "timestamp.txt").exists():
        (folder / "timestamp.txt").rename(past / f"{name}.txt")
    hand_in(home, student, content)  # type: ignore[arg-type]
    stamp(home, student, when)


def graded(command: Command, home: Path, *words: str) -> str:
    outcome = command("grade", NUMBER, "--class", home, *words)
    assert outcome.exit_code == 0, outcome.output
    return " ".join(outcome.output.split())


def counting(home: Path, student: str = "ada") -> GradeRecord:
    saved = records.load(home, TOPIC, student)
    assert saved is not None
    return saved


def in_book(home: Path, student: str = "ada") -> tuple[float, float]:
    """Score and penalty, as nbgrader keeps them."""
    with Gradebook(Classroom(home).db_url) as book:
        submission = book.find_submission(TOPIC, student)
        return submission.score, submission.notebooks[0].late_submission_penalty or 0.0


def half() -> object:
    """A notebook in which the first exercises are answered and the others are not."""
    notebook, empty = perfect(), {cell.id: cell.source for cell in blank().cells}
    names = [exercise.grade_id for exercise in exercises_of(TOPIC)]
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") in names[1:]:
            cell.source = empty[cell.id]
    return notebook


@pytest.mark.parametrize("by", ["collect", "hand"])
def test_an_empty_notebook_days_late_takes_nothing_away(tmp_path: Path, command: Command, by: str) -> None:
    decide(tmp_path, DEADLINE)
    hand_in(tmp_path, "ada", perfect())
    stamp(tmp_path, "ada", "2026-03-01 18:00:00 UTC")
    graded(command, tmp_path)
    assert in_book(tmp_path) == (WHOLE + EXTRA, 0)
    if by == "collect":
        replaced(tmp_path, "ada", blank(), "2026-03-06 18:00:00 UTC")
    else:
        hand_in(tmp_path, "ada", blank())
        stamp(tmp_path, "ada", "2026-03-06 18:00:00 UTC")
    output = graded(command, tmp_path)
    assert "This file does not count. 2 files came, and the best one counts: the one handed in" in output
    assert in_book(tmp_path) == (WHOLE + EXTRA, 0) and counting(tmp_path).score == WHOLE and not counting(tmp_path).late
    (other,) = counting(tmp_path).others
    assert (other.points, other.status) == (0, "graded") and other.late > 0
    assert "already graded" in graded(command, tmp_path), "what was looked at once is not graded again"
    assert in_book(tmp_path) == (WHOLE + EXTRA, 0)
    command("feedback", NUMBER, "--class", tmp_path)
    page = (tmp_path / "feedback" / "ada" / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
    assert "2 files came, and the best one counts" in page and "18:00" in page
    assert "The one handed in 6 March 2026, 18:00 (UTC) does not count (0 points, 4 days 18 hours late)." in page
    assert "cy" in output and "nothing came from 1 of 2: cy" in output


def test_both_files_are_graded_where_neither_was(tmp_path: Path, command: Command) -> None:
    decide(tmp_path, DEADLINE)
    hand_in(tmp_path, "ada", half())  # type: ignore[arg-type]
    stamp(tmp_path, "ada", "2026-02-20 18:00:00 UTC")
    replaced(tmp_path, "ada", perfect(), "2026-02-28 18:00:00 UTC")
    replaced(tmp_path, "ada", b"no notebook", "2026-03-04 18:00:00 UTC")
    graded(command, tmp_path)
    assert counting(tmp_path).score == WHOLE and counting(tmp_path).handed_in.startswith("2026-02-28")
    assert [attempt.status for attempt in counting(tmp_path).others] == ["graded", "unreadable"]
    assert "already graded" in graded(command, tmp_path)
    autograded = (tmp_path / "autograded" / "ada" / TOPIC / f"{TOPIC}.ipynb").read_text(encoding="utf-8")
    assert autograded.count("not attempted") == 0
    outcome = command("regrade", exercises_of(TOPIC)[0].id, "--class", tmp_path)
    assert outcome.exit_code == 0 and "1 regraded" in outcome.output, outcome.output


def test_lateness_decides_which_is_best(tmp_path: Path, command: Command) -> None:
    decide(tmp_path, DEADLINE.replace("per_day = 10", "per_day = 100"))
    hand_in(tmp_path, "ada", half())  # type: ignore[arg-type]
    stamp(tmp_path, "ada", "2026-03-01 18:00:00 UTC")
    replaced(tmp_path, "ada", perfect(), "2026-03-05 18:00:00 UTC")
    graded(command, tmp_path)
    first = exercises_of(TOPIC)[0].points
    assert in_book(tmp_path) == (first, 0)
    longer = f'[[extensions]]\nstudent = "ada"\nnotebook = "{NUMBER}"\nuntil = "2026-03-10"\n'
    decide(tmp_path, DEADLINE.replace("per_day = 10", "per_day = 100") + longer)
    graded(command, tmp_path)
    assert in_book(tmp_path) == (WHOLE + EXTRA, 0), "with an extension the later one is the best"


@pytest.mark.parametrize(("rule", "score"), [("last", 0), ("last on time", WHOLE), ("best", WHOLE)])
def test_the_rule_of_the_class(tmp_path: Path, command: Command, rule: str, score: float) -> None:
    decide(tmp_path, DEADLINE + f'[attempts]\nscore = "{rule}"\n')
    hand_in(tmp_path, "ada", perfect())
    stamp(tmp_path, "ada", "2026-02-27 18:00:00 UTC")
    graded(command, tmp_path)
    replaced(tmp_path, "ada", blank(), "2026-03-06 18:00:00 UTC")
    graded(command, tmp_path)
    assert counting(tmp_path).score == score
    assert in_book(tmp_path)[0] == (WHOLE + EXTRA if score else 0)
    assert len(records.attempts(tmp_path, TOPIC, "ada")) == 2
    decide(tmp_path, DEADLINE)
    graded(command, tmp_path)
    assert counting(tmp_path).score == WHOLE, "another rule takes effect at once"
    assert "the best one counts" in Path(command_report(command, tmp_path)).read_text(encoding="utf-8")


def command_report(command: Command, home: Path) -> str:
    outcome = command("report", "--class", home)
    assert outcome.exit_code == 0, outcome.output
    return outcome.output.split("wrote ")[-1].strip()


def test_equal_points_count_for_the_later_one(tmp_path: Path, command: Command) -> None:
    hand_in(tmp_path, "ada", blank())
    graded(command, tmp_path)
    again = blank()
    again.cells[0].source += "\n"
    replaced(tmp_path, "ada", again, "2026-03-06 18:00:00 UTC")
    graded(command, tmp_path)
    classroom = Classroom(tmp_path)
    present = Attempts(classroom, load_course(tmp_path)).present("ada", TOPIC)
    assert counting(tmp_path).submission == records.digest(present.path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[attempts]\nscore = "first"\n', 'attempts.score = "first": it has to be one of "best", "last", "last on time".'),
        ('[attempts]\nscores = "best"\n', "there is no key attempts.scores; did you mean score?"),
        ("[attempts]\nscore = 3\n", "attempts, score = 3: this has to be a text in quotation marks."),
        ("[attempts]\nmost = 0\n", "attempts, most = 0: this has to be a number of at least 1."),
    ],
)
def test_a_wrong_rule_is_named(tmp_path: Path, text: str, message: str) -> None:
    decide(tmp_path, text)
    with pytest.raises(WrongCourse) as error:
        load_course(tmp_path)
    assert str(error.value) == message


@pytest.mark.parametrize(("rule", "late"), [("best", False), ("last on time", False), ("last", True)])
def test_a_file_that_came_twice_came_when_it_first_did(tmp_path: Path, rule: str, late: bool) -> None:
    decide(tmp_path, DEADLINE + f'[attempts]\nscore = "{rule}"\n')
    hand_in(tmp_path, "ada", perfect())
    stamp(tmp_path, "ada", "2026-02-27 18:00:00 UTC")
    replaced(tmp_path, "ada", blank(), "2026-02-28 18:00:00 UTC")
    replaced(tmp_path, "ada", perfect(), "2026-03-06 18:00:00 UTC")
    came = Attempts(Classroom(tmp_path), load_course(tmp_path))
    files = came.files(came.present("ada", TOPIC))
    assert len(files) == 2
    right = next(file for file in files if came.digest(file) == came.digest(came.present("ada", TOPIC)))
    assert right.timestamp is not None and (right.timestamp.month == 3) is late
    for path in tmp_path.glob("earlier/ada/*/*.txt"):
        path.unlink()
    files = came.files(came.present("ada", TOPIC))
    assert [file.timestamp for file in files if file.timestamp] == [came.present("ada", TOPIC).timestamp], "no time is no time"


@pytest.mark.parametrize("rule", ["best", "last"])
def test_only_so_many_may_count_and_the_others_are_graded_and_shown(tmp_path: Path, command: Command, rule: str) -> None:
    decide(tmp_path, DEADLINE + f'[attempts]\nscore = "{rule}"\nmost = 2\n')
    hand_in(tmp_path, "ada", blank())
    stamp(tmp_path, "ada", "2026-02-25 18:00:00 UTC")
    replaced(tmp_path, "ada", half(), "2026-02-26 18:00:00 UTC")
    replaced(tmp_path, "ada", b"{", "2026-02-27 18:00:00 UTC")
    replaced(tmp_path, "ada", perfect(), "2026-02-28 18:00:00 UTC")
    graded(command, tmp_path)
    first = exercises_of(TOPIC)[0].points
    assert in_book(tmp_path) == (first, 0) and counting(tmp_path).handed_in.startswith("2026-02-26")
    others = {attempt.handed_in[:10]: attempt for attempt in counting(tmp_path).others}
    assert others["2026-02-28"].beyond and others["2026-02-28"].points > first
    assert not others["2026-02-27"].beyond, "a file that cannot be read is no attempt"
    assert "already graded" in graded(command, tmp_path)
    command("feedback", NUMBER, "--class", tmp_path)
    page = (tmp_path / "feedback" / "ada" / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
    assert "Only the first 2 files may count." in page and "it came after as many as may count" in page
    decide(tmp_path, DEADLINE + f'[attempts]\nscore = "{rule}"\n')
    graded(command, tmp_path)
    assert in_book(tmp_path)[0] == WHOLE + EXTRA, "without the limit the last one, which is the best, counts"
