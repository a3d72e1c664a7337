"""Times on the pages for instructors are in the class's zone, and the zone is named."""

import re
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.classroom import records
from grader.classroom.grade_record import GradeRecord
from grader.classroom.policy.course import load_course
from grader.report.class_page import write_report
from grader.report.regraded_page import render_regraded, write_regraded
from grader.report.similarity.similar_page import Similar, render_similar

_MOMENT = r"\d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d \(Asia/Shanghai\)"


def test_the_reports_clock_is_the_classs(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text('timezone = "Asia/Shanghai"\n', encoding="utf-8")
    graded = GradeRecord(
        student="ada",
        topic="03_max_norm",
        status="unreadable",
        reason="no notebook",
        seed=1,
        submission="",
        graded_at="2026-03-01T12:00:00+00:00",
    )
    records.save(tmp_path, graded, None)
    assert re.search(_MOMENT, write_report(tmp_path).read_text(encoding="utf-8"))
    assert re.search(
        _MOMENT, write_regraded(tmp_path, "03.renorm_rows", [], [], "", load_course(tmp_path).zone).read_text(encoding="utf-8")
    )


def test_other_pages_take_the_zone_too() -> None:
    zone = ZoneInfo("Asia/Shanghai")
    assert re.search(_MOMENT, render_similar(Similar([], 0), zone))
    assert re.search(_MOMENT, render_regraded("03.renorm_rows", [], [], "", zone))
