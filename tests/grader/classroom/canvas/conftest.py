"""A class of the export's tests, and its course in a Canvas on loopback."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("canvasapi")

from grader.classroom.canvas import push
from tests.grader.classroom.export.conftest import home, made  # noqa: F401 - fixtures
from tests.support.canvas import COURSE, TOKEN, Canvas, serving, submission, user


@pytest.fixture
def canvas(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Canvas]:  # noqa: F811
    """Ada, Xiaoming and a stranger are there. Bo's place is taken by nobody."""
    monkeypatch.setattr(push, "_PAUSE", 0.0)
    course = Canvas(
        sections=[{"id": 11, "name": "Monday"}, {"id": 12, "name": "Tuesday"}],
        users=[
            user(101, "Ada Lovelace", "ada"),
            user(102, "小明 王", "xiaoming", (11, 12)),
            user(103, "No Body", "nobody", (12,)),
            user(104, "Un Known", "unknown"),
        ],
        assignments=[
            {
                "id": 5501,
                "course_id": COURSE,
                "name": "03 Max norm",
                "points_possible": 20,
                "grading_type": "points",
                "published": True,
            },
            {
                "id": 5502,
                "course_id": COURSE,
                "name": "Essay",
                "points_possible": 10,
                "grading_type": "points",
                "published": True,
            },
        ],
        submissions={
            5501: [submission(101, 12.0), submission(102), submission(103), submission(104)],
            5502: [submission(101, 9.0), submission(102, 8.0), submission(103), submission(104)],
        },
    )
    (home / "course.toml").write_text(f"[canvas]\ncourse = {COURSE}\n", encoding="utf-8")
    with serving(course):
        monkeypatch.setenv("CANVAS_API_URL", course.address)
        monkeypatch.setenv("CANVAS_API_TOKEN", TOKEN)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield course
