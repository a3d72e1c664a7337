"""Which notebooks a report is about, and how many tries the exercises took."""

import json
import os
from datetime import UTC, date
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.cli import app
from grader.report.class_page import render
from grader.report.scope import Asked, in_words, topics_asked
from grader.report.summary import Waiting, summarise
from grader.report.tries import practice_in, tries_of, tries_table
from tests.support.report_records import TOPIC, share_of

ONE, TWO = "01_onehot_vs_lookup", "02_gradients"
DAYS = {ONE: "2026-10-05", TWO: "2026-10-12", TOPIC: "2026-10-09"}


@pytest.fixture
def klass() -> list[GradeRecord]:
    """Three notebooks; 02 was graded last."""
    return [share_of(name, 0.9, topic, graded_at=f"{DAYS[topic]}T22:30:00+00:00") for topic in DAYS for name in ("ada", "bo")]


def test_the_notebook_graded_last_unless_said_otherwise(klass: list[GradeRecord]) -> None:
    assert topics_asked(klass, Asked(), UTC) == [TWO]
    assert topics_asked(klass, Asked([TOPIC, ONE]), UTC) == [ONE, TOPIC]
    assert topics_asked(klass, Asked(since=date(2026, 10, 9)), UTC) == [TWO, TOPIC]
    assert topics_asked(klass, Asked([ONE], date(2026, 10, 12)), UTC) == [ONE, TWO]
    assert topics_asked(klass, Asked(everything=True), UTC) == [ONE, TWO, TOPIC]


def test_days_are_those_of_the_class(klass: list[GradeRecord]) -> None:
    from zoneinfo import ZoneInfo

    asked = Asked(since=date(2026, 10, 13))
    assert topics_asked(klass, asked, ZoneInfo("Asia/Shanghai")) == [TWO]
    with pytest.raises(LookupError, match="Nothing was graded since 2026-10-13"):
        topics_asked(klass, asked, UTC)


def test_what_was_not_graded_is_one_sentence(klass: list[GradeRecord]) -> None:
    with pytest.raises(LookupError, match="04_nplm was not graded yet; graded are 01_onehot_vs_lookup"):
        topics_asked(klass, Asked(["04_nplm"]), UTC)
    with pytest.raises(LookupError, match="grader grade"):
        topics_asked([], Asked(everything=True), UTC)


def test_a_heading_names_them() -> None:
    assert in_words([ONE, TWO, TOPIC]) == "notebooks 01 to 03" and in_words([ONE, TOPIC]) == "notebooks 01 and 03"


def test_the_command_takes_them(tmp_path: Path, klass: list[GradeRecord]) -> None:
    for student_record in klass:
        records.save(tmp_path, student_record, None)

    def heading(*words: str) -> str:
        outcome = CliRunner().invoke(app, ["report", "--class", str(tmp_path), *words])
        assert outcome.exit_code == 0, outcome.output
        page = (tmp_path / "reports" / "class_report.html").read_text(encoding="utf-8")
        return page.partition("<h1>")[2].partition("</h1>")[0]

    assert heading() == "Class report: 02 Gradients"
    assert heading("--notebook", "03") == "Class report: 03 max_norm"
    assert heading("--notebook", "1", "--notebook", TOPIC) == "Class report: notebooks 01 and 03"
    assert heading("--since", "2026-10-08") == "Class report: notebooks 02 and 03"
    assert heading("--all") == "Class report: notebooks 01 to 03"
    for words in (("--since", "yesterday"), ("--notebook", "11"), ("--notebook", "04"), ("--since", "2030-01-01")):
        assert CliRunner().invoke(app, ["report", "--class", str(tmp_path), *words]).exit_code == 2


# --- tries


def put(home: Path, student: str, content: object, topic: str = TOPIC) -> Path:
    path = home / "submitted" / student / topic / "progress.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_tries_come_from_files_that_were_handed_in_and_nothing_in_them_is_trusted(tmp_path: Path) -> None:
    put(tmp_path, "ada", {"tries": {"03.renorm_rows": 4, "03.tied_scores": 1, "04.nearest": 9}, "best": {"03.renorm_rows": 99}})
    put(tmp_path, "bo", {"tries": {"03.renorm_rows": 2, "03.nonsense": 5, "03.tied_scores": -3, "03.norm_trace": 10**9}})
    put(tmp_path, "odd", "{")
    put(tmp_path, "list", [1, 2])
    put(tmp_path, "texts", {"tries": {"03.renorm_rows": "many"}})
    put(tmp_path, "huge", json.dumps({"tries": {}, "best": "x" * 2**20}))
    secret = tmp_path / "secret.json"
    secret.write_text('{"tries": {"03.renorm_rows": 500}}', encoding="utf-8")
    link = put(tmp_path, "eve", "")
    link.unlink()
    link.symlink_to(secret)
    (tmp_path / "submitted" / "mallory").symlink_to(tmp_path / "submitted" / "ada")
    pipe = put(tmp_path, "pipe", "")
    pipe.unlink()
    os.mkfifo(pipe)
    names = sorted(path.name for path in (tmp_path / "submitted").iterdir())
    files = list(tries_of(Classroom(tmp_path), names, [TOPIC]))
    lines = {line.exercise: (line.median, line.most, line.students) for line in tries_table(files, [TOPIC])}
    assert lines == {"03.renorm_rows": (3.0, 4, 2), "03.tied_scores": (1, 1, 1)}
    assert practice_in(tmp_path / "nowhere") is None


def test_the_page_has_a_table_of_tries_where_files_were_handed_in(klass: list[GradeRecord]) -> None:
    page = render(summarise(klass, [TOPIC], Waiting(tries=[{"03.renorm_rows": 4}, {"03.renorm_rows": 7}])), "today")
    assert "How many tries each exercise took" in page and "progress files of 2 students" in page and ">5.5<" in page
    assert "How many tries" not in render(summarise(klass, [TOPIC]), "today")
