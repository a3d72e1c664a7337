"""Feedback: the line for each exercise, and what is released where submissions came by other ways than the exchange."""

from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from traitlets.config import Config

from grader.feedback.nbgrader_page import _line
from grader.feedback.to_exchange import ReleaseFeedback

TOPIC = "01_onehot_vs_lookup"


def _release(home: Path) -> list[Path]:
    (home / "exchange").mkdir()
    config = Config({"Exchange": {"root": str(home / "exchange")}})
    course = CourseDirectory(root=str(home), assignment_id=TOPIC, course_id="embeddings", student_id="*")
    ReleaseFeedback(coursedir=course, config=config).start()
    return list(home.glob("exchange/embeddings/feedback/*.html"))


def _feedback(home: Path, student: str, *left: str) -> None:
    folder = home / "feedback" / student / TOPIC
    folder.mkdir(parents=True)
    for name in (f"{TOPIC}.html", *left):
        (folder / name).write_text(f"{student} {name}", encoding="utf-8")


def test_who_came_by_other_ways_is_named_and_stops_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    _feedback(tmp_path, "ada", "timestamp.txt", "submission_secret.txt")
    _feedback(tmp_path, "bob", "timestamp.txt")
    _feedback(tmp_path, "cy")
    (released,) = _release(tmp_path)
    assert released.read_text(encoding="utf-8").startswith("ada")
    log_text = caplog.text
    assert "bob: not released" in log_text and "cy: not released" in log_text and "ada: not" not in log_text


def test_nothing_to_release_is_said_in_a_sentence(tmp_path: Path) -> None:
    _feedback(tmp_path, "bob", "timestamp.txt")
    with pytest.raises(ExchangeError, match="Nothing was released: no submission came through nbgrader's exchange"):
        _release(tmp_path)


@pytest.mark.parametrize(
    ("marks", "line"),
    [
        ({"grade_id": "01-one_hot-check", "score": 3, "points": 3}, "✔ 01.one_hot, One-hot vectors: 3 of 3"),
        ({"grade_id": "01-one_hot-check", "score": 1.5, "points": 3}, "◐ 01.one_hot, One-hot vectors: 1.5 of 3"),
        ({"grade_id": "01-one_hot-check", "score": 0, "points": 3}, "✘ 01.one_hot, One-hot vectors: 0 of 3"),
        ({"grade_id": "01-bpe_decode-check", "score": 2, "points": 0}, "✔ 01.bpe_decode, Decode: 2 extra"),
        ({"grade_id": "01-bpe_decode-check", "score": 0, "points": 0}, "○ 01.bpe_decode, Decode: 0 extra"),
        ({"grade_id": "why-answer", "score": None, "points": 3, "solution": True}, "◌ Written answer: waits for a person"),
    ],
)
def test_each_exercise_is_named(marks: dict, line: str) -> None:
    assert _line(marks) == line
