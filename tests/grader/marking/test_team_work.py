"""A team's submission is graded once and counts for each member; lateness and extensions stay each one's own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from nbgrader.api import Gradebook

from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.policy.course import load_course
from grader.classroom.policy.teams import Team, read_team
from grader.classroom.policy.toml_file import WrongCourse
from grader.marking import workers
from grader.marking.submission_task import Task
from grader.report.similarity.forms import answers_of
from tests.support.classes import TOPIC, blank, hand_in, perfect

Command = Callable[..., Result]
NUMBER = TOPIC[:2]
TEAMS = '[[teams]]\nname = "Owls"\nmembers = ["ada", "bo", "cy"]\n'
DEADLINE = f'timezone = "UTC"\n[deadlines]\n{NUMBER} = "2026-03-01"\n[late]\nper_day = 10\n'


def decide(home: Path, text: str) -> None:
    (home / "course.toml").write_text(text, encoding="utf-8")


def stamp(home: Path, student: str, text: str) -> None:
    (home / "submitted" / student / TOPIC / "timestamp.txt").write_text(text, encoding="utf-8")


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose files are handed to those who mark."""
    students: list[str] = []
    real = workers.Processes.mark

    def counted(self: workers.Processes, tasks: list[Task]) -> object:
        students.extend(task.submission.student for task in tasks)
        return real(self, tasks)

    monkeypatch.setattr(workers.Processes, "mark", counted)
    return students


def in_book(home: Path) -> dict[str, tuple[float, float]]:
    """Score and penalty of everybody."""
    with Gradebook(Classroom(home).db_url) as book:
        return {
            str(submission.student.id): (float(submission.score or 0.0), submission.notebooks[0].late_submission_penalty or 0.0)
            for submission in book.assignment_submissions(TOPIC)
        }


def graded(command: Command, home: Path, *words: str) -> str:
    outcome = command("grade", NUMBER, "--class", home, *words)
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def test_one_file_of_a_team_counts_for_all(tmp_path: Path, command: Command, marked: list[str]) -> None:
    longer = f'[[extensions]]\nstudent = "bo"\nnotebook = "{NUMBER}"\ndays = 30\n'
    decide(tmp_path, DEADLINE + TEAMS + longer)
    hand_in(tmp_path, "ada", perfect())
    stamp(tmp_path, "ada", "2026-03-02 12:00:00 UTC")
    hand_in(tmp_path, "eve", blank())
    graded(command, tmp_path)
    assert sorted(marked) == ["ada", "eve"]
    book = in_book(tmp_path)
    assert book["ada"] == book["cy"] and book["ada"][1] > 0, "late, each of them"
    assert book["bo"] == (book["ada"][0], 0), "but for whoever has an extension"
    records_by_student = {name: records.load(tmp_path, TOPIC, name) for name in ("ada", "bo", "cy")}
    assert len({record.seed for record in records_by_student.values() if record}) == 1
    assert all(
        record and (record.team, record.members) == ("Owls", ["ada", "bo", "cy"]) for record in records_by_student.values()
    )
    assert "already graded" in graded(command, tmp_path) and sorted(marked) == ["ada", "eve"]
    assert command("feedback", NUMBER, "--class", tmp_path).exit_code == 0
    for name in ("ada", "bo", "cy"):
        page = (tmp_path / "feedback" / name / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
        assert "Handed in by the team Owls: ada, bo, cy." in page and f"Feedback for {name}" in page
    assert command("export", "--class", tmp_path, "--to", "canvas").exit_code == 0
    rows = [line.split(",") for line in (tmp_path / "canvas.csv").read_text(encoding="utf-8-sig").splitlines()]
    points = {row[3]: row[-1] for row in rows[2:]}
    assert points["ada"] == points["cy"] != points["bo"] and float(points["bo"]) == book["bo"][0]


def test_what_collect_noted_is_a_team_too_and_no_copying(tmp_path: Path, command: Command, marked: list[str]) -> None:
    for name in ("ada", "bo"):
        hand_in(tmp_path, name, perfect())
        (tmp_path / "submitted" / name / TOPIC / "team.txt").write_text("Group 7\nada\nbo\n", encoding="utf-8")
    hand_in(tmp_path, "cy", perfect())
    graded(command, tmp_path, "--student", "ada")
    graded(command, tmp_path)
    assert sorted(marked) == ["ada", "cy"], "bo's is the same file of the same team; cy's is the same file of another"
    assert records.load(tmp_path, TOPIC, "bo").seed == records.load(tmp_path, TOPIC, "ada").seed  # type: ignore[union-attr]
    compared = answers_of(Classroom(tmp_path), [TOPIC])
    assert compared and all([answer.student for answer in answers] == ["ada", "cy"] for answers in compared.values())
    (tmp_path / "submitted" / "bo" / TOPIC / f"{TOPIC}.ipynb").write_bytes(b"{}")
    graded(command, tmp_path)
    assert records.load(tmp_path, TOPIC, "bo").score > 0  # type: ignore[union-attr]
    assert command("class", "forget", "ada", "--class", tmp_path, "--yes").exit_code == 0
    assert (tmp_path / "submitted" / "bo" / TOPIC / "team.txt").read_text(encoding="utf-8") == "Group 7\nbo\n"
    assert not [path for path in tmp_path.glob("results/*/*.json*") if '"ada"' in path.read_text(encoding="utf-8")]


def test_a_member_with_a_file_of_their_own_has_that_one(tmp_path: Path, command: Command, marked: list[str]) -> None:
    decide(tmp_path, TEAMS)
    hand_in(tmp_path, "ada", perfect())
    hand_in(tmp_path, "bo", blank())
    graded(command, tmp_path)
    assert sorted(marked) == ["ada", "bo"]
    book = in_book(tmp_path)
    assert book["bo"][0] == 0 and book["ada"][0] == book["cy"][0] > 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[[teams]]\nname = "A"\nmembers = ["ada"]\n[[teams]]\nname = "B"\nmembers = ["ada"]\n',
            'teams, number 2: ada is in the team "A" as well; everybody is in one team at most.',
        ),
        (
            '[[teams]]\nname = "A"\nmembers = ["ada", "ada"]\n',
            "teams, number 1: ada is twice in it; everybody is in one team at most.",
        ),
        (
            '[[teams]]\nname = "A"\nmembers = ["ada"]\n[[teams]]\nname = "a"\nmembers = ["bo"]\n',
            'teams, number 2: the team "a" stands there twice (number 1 as well).',
        ),
        ('[[teams]]\nname = "A"\nmember = ["ada"]\n', "there is no key teams, number 1: member; did you mean members?"),
        ('[[teams]]\nname = "A"\n', "teams, number 1: members is missing."),
        ('[[teams]]\nname = " "\nmembers = ["ada"]\n', 'teams, number 1: name = " " is no name; write one in printable signs.'),
        ('[[teams]]\nname = "A"\nmembers = []\n', 'teams, number 1: the team "A" has no members.'),
        ('[[teams]]\nname = "A"\nmembers = "ada"\n', 'teams, number 1, members = "ada": this has to be a list in [ ].'),
        (
            'students = ["ada"]\n[[teams]]\nname = "A"\nmembers = ["adda"]\n',
            'teams, number 1: there is no student "adda"; did you mean ada?',
        ),
    ],
)
def test_what_is_wrong_with_a_team_is_said(tmp_path: Path, text: str, message: str) -> None:
    decide(tmp_path, text)
    with pytest.raises(WrongCourse) as error:
        load_course(tmp_path)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "team"),
    [
        ("Owls\nada\nbo\n", Team("Owls", ("ada", "bo"))),
        ("Owls \r\n\r\nada\r\nada\r\n", Team("Owls", ("ada",))),
        ("", None),
        ("Owls", None),
    ],
)
def test_the_note_of_a_team(text: str, team: Team | None) -> None:
    assert read_team(text) == team
