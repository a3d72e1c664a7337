"""Sections: the report of one, the comparison between them, and what chance allows to be said."""

import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from grader.classroom import records
from grader.cli import app
from grader.report.class_page import write_report
from grader.report.names import Names
from grader.report.scope import Asked
from grader.report.sections import MIN_UNITS, compare_sections
from tests.support.report_records import share_of

MONDAY, TUESDAY = [f"m{number:02d}" for number in range(14)], [f"t{number:02d}" for number in range(14)]
MEMBERS = {"Monday": MONDAY, "Tuesday": TUESDAY}


def spread_shares(students: list[str], middle: float) -> dict[str, float]:
    return {student: middle + 0.02 * (number % 5 - 2) for number, student in enumerate(students)}


def test_a_real_difference_has_an_interval_away_from_zero() -> None:
    comparison = compare_sections({**spread_shares(MONDAY, 0.9), **spread_shares(TUESDAY, 0.6)}, MEMBERS)
    monday, tuesday = comparison.lines
    assert monday.words == "more than the others" and tuesday.words == "less than the others"
    assert monday.low is not None and monday.high is not None and monday.low < 0.3 < monday.high
    assert re.fullmatch(r"\+30 \(\+\d\d to \+\d\d\)", monday.interval) and tuesday.interval.startswith("−30 (−")
    assert comparison.chance is not None and comparison.chance < 0.001


def test_equal_sections_may_be_chance() -> None:
    comparison = compare_sections({**spread_shares(MONDAY, 0.7), **spread_shares(TUESDAY, 0.7)}, MEMBERS)
    assert {line.words for line in comparison.lines} == {"may be chance"} and comparison.chance == 1.0


def test_of_small_sections_nothing_is_said() -> None:
    few = {"Monday": MONDAY[: MIN_UNITS - 1], "Tuesday": TUESDAY}
    comparison = compare_sections({**spread_shares(MONDAY[: MIN_UNITS - 1], 0.9), **spread_shares(TUESDAY, 0.2)}, few)
    assert all(line.mean is None and line.words.startswith("too few") for line in comparison.lines)
    assert comparison.chance is None and comparison.method == ""


def test_a_team_counts_once() -> None:
    shares = {**spread_shares(MONDAY, 0.9), **spread_shares(TUESDAY, 0.6)}
    teams = dict.fromkeys(MONDAY[:6], "Owls")
    assert compare_sections(shares, MEMBERS, teams).lines[0].mean is None, "nine units are too few"


@pytest.mark.slow
def test_intervals_hold_as_often_as_they_say() -> None:
    generator = np.random.default_rng(1)
    held, divided = 0, 0
    for _ in range(300):
        shares = {student: float(min(1.0, generator.beta(4, 1.5))) for student in [*MONDAY[:10], *TUESDAY]}
        comparison = compare_sections(shares, {"Monday": MONDAY[:10], "Tuesday": TUESDAY})
        line = comparison.lines[0]
        assert line.low is not None and line.high is not None and comparison.chance is not None
        held += line.low <= 0 <= line.high
        divided += comparison.chance < 0.05
    assert held >= 270 and divided <= 30


def _class(home: Path) -> None:
    lines = ["student_id,first_name,last_name,email,section"]
    lines += [f"{student},Given{student},Family,{student}@example.org,Monday" for student in MONDAY]
    lines += [f"{student}@example.org,Given{student},Family,{student}@example.org,Tue/sday" for student in TUESDAY]
    (home / "roster.csv").write_text("\n".join(lines), encoding="utf-8")
    (home / "course.toml").write_text('roster = "roster.csv"\nnotebooks = ["01", "03"]\n', encoding="utf-8")
    tuesday = [f"{student}@example.org" for student in TUESDAY]
    for student, share in {**spread_shares(MONDAY, 0.9), **spread_shares(tuesday, 0.6), "m03": 0.1, tuesday[2]: 0.0}.items():
        records.save(home, share_of(student, share), None)


def test_the_page_of_a_section_is_about_its_students_alone(tmp_path: Path) -> None:
    _class(tmp_path)
    whole = write_report(tmp_path).read_text(encoding="utf-8")
    assert 'id="sections"' in whole and "Tue/sday" in whole and "less than the others" in whole
    assert "Givent02 Family" in whole and "Givent02 Family (" not in whole and "Givenm03 Family (m03)" in whole
    page = write_report(tmp_path, asked=Asked(section="tuesday"))
    assert page.name == "class_report_Tuesday.html" and page.stat().st_mode & 0o077 == 0
    text = page.read_text(encoding="utf-8")
    assert "section Tue/sday" in text and "14 submissions of 14 students" in text and "Givent02" in text
    assert "Givenm" not in text and 'id="sections"' not in text
    hidden = write_report(tmp_path, anonymous=True, asked=Asked(section="tuesday")).read_text(encoding="utf-8")
    assert "14 submissions of 14" in hidden and "Given" not in hidden and "@example" not in hidden


def test_an_unknown_section_is_one_sentence(tmp_path: Path) -> None:
    _class(tmp_path)
    for command in ("report", "feedback", "export"):
        (tmp_path / "gradebook.db").touch()
        outcome = CliRunner().invoke(app, [command, "--class", str(tmp_path), "--section", "Friday"])
        assert outcome.exit_code == 2 and "There is no section 'Friday'; there are Monday, Tue/sday." in outcome.output
    (tmp_path / "roster.csv").write_text("student_id\nm01\n", encoding="utf-8")
    outcome = CliRunner().invoke(app, ["report", "--class", str(tmp_path), "--section", "Friday"])
    assert outcome.exit_code == 2 and "the roster has no sections" in outcome.output


def test_people_of_one_name_are_told_apart(tmp_path: Path) -> None:
    from grader.classroom.roster import read_roster

    path = tmp_path / "r.csv"
    path.write_text("email,name\na@x.org,Ada Li\nb@x.org,Ada Li\nc@x.org,Bo Ek\n", encoding="utf-8")
    names = Names(read_roster(path))
    assert [names(who) for who in ("a@x.org", "b@x.org", "c@x.org")] == ["Ada Li (a@x.org)", "Ada Li (b@x.org)", "Bo Ek"]
