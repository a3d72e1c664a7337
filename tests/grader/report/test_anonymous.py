"""What the anonymous form of the class report leaves out."""

import re
from pathlib import Path

import msgspec
import nbformat
from typer.testing import CliRunner

from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.classroom.grade_record import GradeRecord
from grader.cli import app
from grader.report.anonymous import Key, anonymous_records
from grader.report.class_page import LateLine, anonymous_late, render, write_report
from grader.report.summary import summarise
from tests.support.report_records import NAMES, TOPIC, autograded, record, result

EXERCISES = exercises_of(TOPIC)


def _store(home: Path, klass: list[GradeRecord]) -> None:
    for one in klass:
        records.save(home, one, None)
    bad = GradeRecord(
        student="Yzname",
        topic=TOPIC,
        status="unreadable",
        seed=1,
        submission="",
        graded_at="2026-03-01T10:00:00+00:00",
        reason="the file has to be called 03_max_norm.ipynb, not Yzname-final.ipynb: rename it",
    )
    records.save(home, bad, None)
    folder = home / "submitted" / NAMES[5] / TOPIC
    folder.mkdir(parents=True)
    request = nbformat.v4.new_markdown_cell("Regrade request: I am Xqfamily")
    nbformat.write(nbformat.v4.new_notebook(cells=[request]), folder / f"{TOPIC}.ipynb")
    for name in (NAMES[0], NAMES[6]):
        autograded(
            home,
            name,
            {
                "03.renorm_rows": "def renorm_rows(*args):\n    return Xqcode",
                "03.tied_scores": "def tied_scores(*args):\n    return Xqcode",
            },
        )
    (home / "course.toml").write_text('name = "Xqcourse"\nstudents = ["Xqlisted", "Yzname"]\n', encoding="utf-8")
    (folder / "progress.json").write_text('{"tries": {"03.renorm_rows": 77}}', encoding="utf-8")


def test_the_anonymous_form_names_nobody_and_stays_the_same(tmp_path: Path, klass: list[GradeRecord]) -> None:
    klass[4] = msgspec.structs.replace(klass[4], notes=["The file of Xqename was odd."])
    klass[6] = msgspec.structs.replace(klass[6], results=[result("03.tied_scores", 0.0, computed="ab" * 6)])
    _store(tmp_path, klass)
    plain = write_report(tmp_path).read_text(encoding="utf-8")
    assert "I am Xqfamily" in plain and "Yzname-final.ipynb" in plain and NAMES[0] in plain
    assert plain.count("return Xqcode") == 2 and "grader mistake add 03.tied_scores" in plain and ">77<" in plain
    page = write_report(tmp_path, anonymous=True)
    text = page.read_text(encoding="utf-8")
    assert page.name != "class_report.html"
    assert not re.search(r"Xq|Yzname|\.ipynb|2026|UTC|\d\d:\d\d|abab|<pre|grader mistake|>77<", text)
    shown = set(re.findall(r"Learner \d\d", text))
    assert len(shown) > 10
    assert write_report(tmp_path, anonymous=True).read_text(encoding="utf-8") == text
    key = msgspec.json.decode((tmp_path / "results" / ".pseudonyms.json").read_bytes())
    assert sorted(key.values()) == list(range(1, 27))
    assert [key[name] for name in sorted(key)] != list(range(1, 27))  # by chance once in 26! times
    records.save(tmp_path, record("Anewname", [result(one.id, 0.0) for one in EXERCISES]), None)
    write_report(tmp_path, anonymous=True)
    later = msgspec.json.decode((tmp_path / "results" / ".pseudonyms.json").read_bytes())
    assert later == {**key, "Anewname": 27}
    assert (tmp_path / "results" / ".pseudonyms.json").stat().st_mode & 0o077 == 0


def test_in_the_anonymous_form_lateness_has_no_name_and_no_hour(tmp_path: Path, klass: list[GradeRecord]) -> None:
    lines = [LateLine(klass[0].student, TOPIC, "3 hours 7 minutes", 2.0, True)]
    with_names = render(summarise(klass), "", late=lines)
    assert "3 hours 7 minutes after an extension" in with_names and "Handed in late: 1" in with_names
    key = Key(tmp_path)
    hidden = render(summarise(anonymous_records(klass, key)), "", anonymous=True, late=anonymous_late(lines, key))
    section = hidden.partition('<details id="late">')[2].partition("</details>")[0]
    assert re.search(r"Learner \d\d", section) and "2" in section
    assert klass[0].student not in section and "hours" not in section and "an extension<" not in section
    assert "Handed in late: nobody" in render(summarise(klass), "", late=[]) and 'id="late"' not in render(summarise(klass), "")


def test_a_broken_key_is_not_drawn_anew(tmp_path: Path, klass: list[GradeRecord]) -> None:
    _store(tmp_path, klass)
    (tmp_path / "results" / ".pseudonyms.json").write_text("{", encoding="utf-8")
    outcome = CliRunner().invoke(app, ["report", "--class", str(tmp_path), "--anonymous"])
    assert outcome.exit_code == 2 and "cannot be read" in outcome.output
    assert (tmp_path / "results" / ".pseudonyms.json").read_text(encoding="utf-8") == "{"
