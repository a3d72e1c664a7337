"""The grade of the term: weights, drops, excused and missing notebooks, caps of extra credit; in the check and in exports."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from grader.classroom.policy.course import load_course
from grader.classroom.policy.term import Term, term_grade
from grader.classroom.policy.toml_file import WrongCourse
from tests.support.classes import TOPIC, blank, hand_in, perfect

Command = Callable[..., Result]


def states(grade) -> dict[str, str]:
    return {part.name: part.state for part in grade.parts}


def test_the_lowest_are_dropped_and_a_project_never() -> None:
    term = Term({"01": 1, "02": 1, "03": 1, "search": 1}, drop=2)
    grade = term_grade(term, {"01": 0.4, "02": 0.9, "03": 0.6, "search": 0.1}, projects=["search"])
    assert states(grade) == {"01": "dropped", "02": "counted", "03": "dropped", "search": "counted"}
    assert grade.points == pytest.approx(50)


def test_what_is_missing_counts_nothing_and_is_the_first_to_be_dropped() -> None:
    term = Term({"01": 1, "02": 1, "03": 1})
    assert term_grade(term, {"01": 0.6, "02": 0.9}).points == pytest.approx(50)
    dropping = term_grade(Term(term.weights, drop=1), {"01": 0.6, "02": 0.9})
    assert states(dropping)["03"] == "dropped" and dropping.points == pytest.approx(75)


def test_one_notebook_always_counts() -> None:
    term = Term({"01": 1, "02": 1, "03": 1}, drop=2)
    grade = term_grade(term, {"01": 0.5}, excused=["02"], not_due=["03"])
    assert states(grade)["01"] == "counted" and grade.points == pytest.approx(50)


def test_excused_and_not_due_notebooks_leave_their_weight_to_the_others() -> None:
    term = Term({"01": 3, "02": 1, "03": 1, "04": 0})
    grade = term_grade(term, {"02": 0.5, "01": 1.0}, excused=["01"], not_due=["03"])
    assert states(grade) == {"01": "excused", "02": "counted", "03": "not due"} and grade.points == pytest.approx(50)
    assert term_grade(term, {}, not_due=["01", "02", "03"]).points is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[term]\nweights = { "12" = 1 }', "term.weights"),
        ('[term]\nweights = { "01" = -1 }', "from 0 to 1000"),
        ('notebooks = ["01", "02"]\n[term]\ndrop = 2', "at most 1 can be dropped"),
        ('notebooks = ["01"]\n[term]\nweights = { "01" = 0 }', "every weight is 0"),
        ("[term]\nscale = 0", "above 0 and up to 1000"),
        ("[extra]\nmost = -1", "extra, most = -1"),
        ('students = ["ada"]\n[[excused]]\nstudent = "ad"\nnotebook = "01"', "did you mean ada"),
        ('notebooks = ["01"]\n[[excused]]\nstudent = "ada"\nnotebook = "03"', "not among the notebooks"),
    ],
)
def test_what_cannot_hold_is_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    with pytest.raises(WrongCourse, match=message) as raised:
        load_course(tmp_path)
    assert "\n" not in str(raised.value)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_it_is_a_column_of_every_export_and_the_check_foretells_it(tmp_path: Path, command: Command) -> None:
    number = TOPIC[:2]
    (tmp_path / "course.toml").write_text(
        f'notebooks = ["{number}", "01"]\nstudents = ["ada", "bo", "cy", "dy"]\n[extra]\nmost = 1\n[term]\nscale = 50\n'
        f'weights = {{ "{number}" = 3 }}\n[[excused]]\nstudent = "ada"\nnotebook = "01"\n'
        f'[[excused]]\nstudent = "dy"\nnotebook = "{number}"\n',
        encoding="utf-8",
    )
    hand_in(tmp_path, "ada", perfect())
    hand_in(tmp_path, "bo", blank())
    assert command("grade", number, "--class", tmp_path).exit_code == 0
    checked = command("class", "check", tmp_path).output
    assert "Term of 50 points, by weights: 01 1" in checked and "An invented student: 01 90%" in checked
    assert "at most 1 points above its maximum" in checked and "ada is excused from 01" in checked

    for platform, name in (("moodle", "Username"), ("canvas", "SIS Login ID"), ("nbgrader", "student_id")):
        path = tmp_path / f"{platform}.csv"
        outcome = command("export", "--class", tmp_path, "--to", platform, "--above", "keep", "--out", path)
        assert outcome.exit_code == 0, outcome.output
        table = rows(path)
        if platform == "nbgrader":
            grades = {row[name]: row["score"] for row in table if row["assignment"] == "term"}
        else:
            grades = {row[name]: row["term"] for row in table if row[name]}
        assert 40 < float(grades["ada"]) <= 55 and float(grades["bo"]) == 0 and float(grades["cy"]) == 0
    of_notebook = {row["student_id"]: row for row in table if row["assignment"] == TOPIC}
    most = float(of_notebook["ada"]["max_score"])
    assert float(of_notebook["ada"]["score"]) == most + 1 < float(of_notebook["ada"]["raw_score"]), "capped by [extra]"
    zeros = tmp_path / "zeros.csv"
    outcome = command("export", "--class", tmp_path, "--to", "moodle", "--missing", "zero", "--out", zeros)
    assert "1 nothing came, and nothing has to: excused (left empty): dy." in " ".join(outcome.output.split())
    cells = {row["Username"]: row[TOPIC] for row in rows(zeros)}
    assert (cells["cy"], cells["dy"]) == ("0", "") and cells["ada"] == f"{most:g}", "Moodle takes no more than the maximum"
    one = command("export", "--class", tmp_path, "--to", "moodle", "--notebook", number, "--out", tmp_path / "one.csv")
    assert one.exit_code == 0 and "term" not in rows(tmp_path / "one.csv")[0]
