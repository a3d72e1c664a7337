"""The class report names those first from whom nothing came, and takes a team's answers for one."""

from pathlib import Path

from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.report.class_page import write_report
from grader.report.summary import summarise
from tests.support.report_records import TOPIC, record, result, share_of

NUMBER = TOPIC[:2]
PEOPLE = [f"Xq{letter}name" for letter in "abcdefghijklmnopqrstuvwx"]


def a_class(home: Path, more: str = "", deadline: str = "2020-01-01") -> None:
    """Half of the class handed in; the last but one did and is not graded yet, and the last has an extension."""
    names = ", ".join(f'"{name}"' for name in PEOPLE)
    extension = f'[[extensions]]\nstudent = "{PEOPLE[-1]}"\nnotebook = "{NUMBER}"\nuntil = "2199-01-01"\n' if deadline else ""
    due = f'[deadlines]\n{NUMBER} = "{deadline}"\n' if deadline else ""
    (home / "course.toml").write_text(f'timezone = "UTC"\nstudents = [{names}]\n{due}{extension}{more}', encoding="utf-8")
    for name in PEOPLE[:8]:
        records.save(home, share_of(name, 0.9), None)
    records.save(home, record(PEOPLE[8], status="unreadable", reason="no JSON"), None)
    waits = home / "submitted" / PEOPLE[-2] / TOPIC
    waits.mkdir(parents=True)
    (waits / f"{TOPIC}.ipynb").write_text("{}", encoding="utf-8")


def section(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    assert text.index('id="absent"') < text.index('id="talk"')
    return text[text.index('id="absent"') : text.index('id="talk"')]


def test_those_from_whom_nothing_came_are_named_first(tmp_path: Path) -> None:
    a_class(tmp_path)
    section_text = section(write_report(tmp_path))
    assert "nothing came from 13 of 24" in section_text and "1 submission is not graded yet" in section_text
    assert all(name in section_text for name in PEOPLE[9:-2]), "all of them, the later ones folded"
    assert not any(name in section_text for name in (*PEOPLE[:9], *PEOPLE[-2:])), (
        "neither unreadable, nor ungraded, nor with time left"
    )


def test_before_the_deadline_nobody_is_named(tmp_path: Path) -> None:
    a_class(tmp_path, deadline="2198-01-01")
    assert "nothing came from" not in section(write_report(tmp_path))


def test_without_a_deadline_they_are_named_too(tmp_path: Path) -> None:
    a_class(tmp_path, deadline="")
    assert "nothing came from 14 of 24" in section(write_report(tmp_path))


def test_the_anonymous_form_has_numbers_for_them(tmp_path: Path) -> None:
    a_class(tmp_path)
    page = write_report(tmp_path, anonymous=True)
    assert "nothing came from 13 of 24" in section(page) and "Learner " in section(page)
    text = page.read_text(encoding="utf-8")
    assert not any(name in text for name in PEOPLE)


def test_the_same_answer_of_a_team_is_one_answer() -> None:
    wrong = [result(exercises_of(TOPIC)[0].id, 0.0, computed="the same")]
    team = {"team": "Owls", "members": ["a", "b"], "submission": "b" * 64}
    alone = [record(name, wrong) for name in ("c", "d")]
    together = [record(name, wrong, **team) for name in ("a", "b")]
    assert [cluster.students for cluster in summarise([*together, *alone]).clusters] == [("a", "c", "d")]
    other = record("b", wrong, **{**team, "submission": "c" * 64})
    assert [cluster.students for cluster in summarise([together[0], other]).clusters] == [("a", "b")], (
        "another file is another answer"
    )
