"""The report of a term: who falls behind is told from chance, and the page holds for sections and without names."""

import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from embedding_course.subject.lessons import LESSONS
from grader.classroom import records
from grader.classroom.grade_record import GradeRecord
from grader.cli import app
from grader.report.falling import TermLine, term_lines
from tests.support.report_records import share_of

TOPICS = [lesson.topic for lesson in LESSONS if lesson.written][:6]


def term_records(students: int, seed: int = 3) -> list[GradeRecord]:
    """A class in which nobody falls: everybody has a level of their own, and points scatter around it."""
    generator = random.Random(seed)
    levels = {f"s{number:03d}": generator.uniform(0.55, 0.95) for number in range(students)}
    return [
        share_of(student, min(1.0, max(0.0, generator.gauss(level, 0.06))), topic)
        for student, level in levels.items()
        for topic in TOPICS
    ]


def falling(student: str, start: float, step: float) -> list[GradeRecord]:
    return [share_of(student, start - step * week, topic) for week, topic in enumerate(TOPICS)]


def behind(class_records: list[GradeRecord], **more: object) -> dict[str, TermLine]:
    lines = term_lines(class_records, TOPICS, **more)  # type: ignore[arg-type]
    return {line.student: line for line in lines if line.reasons}


def test_falling_points_are_seen_while_they_are_still_fair() -> None:
    lines = behind([*term_records(20), *falling("fell", 1.0, 0.09)])
    assert lines["fell"].reasons[0].words.startswith("Loses ") and lines["fell"].slope == pytest.approx(-0.09, abs=0.03)
    assert len(lines) <= 3


def test_where_nobody_falls_few_are_named() -> None:
    lines = term_lines(term_records(200), TOPICS)
    named = [line.student for line in lines if any(reason.words.startswith("Loses") for reason in line.reasons)]
    assert len(named) <= 5


def test_a_class_that_falls_together_has_nobody_who_falls() -> None:
    class_records = [record for number in range(12) for record in falling(f"s{number}", 0.95, 0.1)]
    assert behind(class_records) == {}


def test_work_that_stops_or_never_came_is_named() -> None:
    class_records = term_records(12)
    class_records += [share_of("stopped", 0.8, topic) for topic in TOPICS[:3]]
    class_records += [share_of("now and then", 0.8, topic) for topic in TOPICS[::2]]
    lines = behind(class_records, listed=["never"])
    assert lines["stopped"].reasons[0].words == "Nothing came of the last 3 notebooks, 04, 05 and 06"
    assert lines["stopped"].run == 3 and lines["now and then"].run == 1
    assert lines["never"].reasons[0].words == "Nothing came yet"
    assert lines["now and then"].reasons[0].words == "Nothing came of 3 of 6 notebooks"
    due = {("stopped", topic) for topic in TOPICS[3:]} | {("never", topic) for topic in TOPICS}
    assert not {"stopped", "never"} & set(behind(class_records, listed=["never"], not_due=due))


def test_two_notebooks_make_no_trend() -> None:
    class_records = [record for record in term_records(8) if record.topic in TOPICS[:2]]
    assert all(line.slope is None for line in term_lines(class_records, TOPICS[:2]))


def _class(home: Path) -> None:
    students = sorted({record.student for record in term_records(24)})
    lines = ["student_id,first_name,last_name,email,section"]
    lines += [f"{name},Xq{name},Last,{name}@example.org,{'AB'[place % 2]}" for place, name in enumerate([*students, "fell"])]
    (home / "roster.csv").write_text("\n".join(lines), encoding="utf-8")
    (home / "course.toml").write_text('roster = "roster.csv"\n', encoding="utf-8")
    for record in [*term_records(24), *falling("fell", 1.0, 0.12)]:
        records.save(home, record, None)


def test_the_page(tmp_path: Path) -> None:
    _class(tmp_path)
    outcome = CliRunner().invoke(app, ["report", "--term", "--class", str(tmp_path)])
    assert outcome.exit_code == 0, outcome.output
    page = tmp_path / "reports" / "term_report.html"
    text = page.read_text(encoding="utf-8")
    assert page.stat().st_mode & 0o077 == 0
    assert "Xqfell Last (fell)" in text and "mailto:fell@example.org" in text and 'id="sections"' in text
    assert "25 students, 6 notebooks graded so far" in text and text.count('class="trend"') >= 1
    CliRunner().invoke(app, ["report", "--term", "--class", str(tmp_path), "--section", "b"])
    section = (tmp_path / "reports" / "term_report_B.html").read_text(encoding="utf-8")
    assert "12 students" in section and "Xqfell" not in section and 'id="sections"' not in section
    CliRunner().invoke(app, ["report", "--term", "--class", str(tmp_path), "--anonymous"])
    hidden = (tmp_path / "reports" / "term_report_anonymous.html").read_text(encoding="utf-8")
    assert "Xq" not in hidden and "@example" not in hidden and "fell<" not in hidden and "Learner " in hidden


def test_options_that_do_not_fit_are_one_sentence(tmp_path: Path) -> None:
    outcome = CliRunner().invoke(app, ["report", "--term", "--all", "--class", str(tmp_path)])
    assert outcome.exit_code == 2 and "--term is about all notebooks" in outcome.output
    outcome = CliRunner().invoke(app, ["report", "--term", "--class", str(tmp_path)])
    assert outcome.exit_code == 2 and "Nothing was graded yet" in outcome.output
