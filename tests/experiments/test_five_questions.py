"""The table of five questions: ranks, what came first, own rows and recorded ones, and scores that cannot be ranked."""

from pathlib import Path

import pytest
import torch

from embedding_course.data import api_search, project_search
from embedding_course.experiments import five_questions as thread
from embedding_course.learner.progress.record import EngineRow, load
from embedding_course.subject.errors import CourseError
from grader.paths import ROOT

NAMES = ["os.listdir", *(question.right[0] for question in thread.QUESTIONS), "numpy.pad"]


@pytest.fixture(autouse=True)
def few_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    few = project_search.Collection(NAMES, [f"{name}\nA sentence.\nDetails." for name in NAMES], [])
    monkeypatch.setattr(project_search, "collection", lambda: few)
    monkeypatch.setattr(api_search, "is_read", lambda: True)
    monkeypatch.setattr(thread, "_recorded", lambda: {"01": EngineRow("pieces", [9, 9, 9, 9, 9], ["os.walk"] * 5)})


def right_for(place: int):
    """Scores in which the right answer to each question has so many documents before it."""

    def score(text: str) -> torch.Tensor:
        index = next(number for number, question in enumerate(thread.QUESTIONS, start=1) if question.text == text)
        scores = torch.zeros(len(NAMES))
        scores[index] = 1.0 - place * 2
        return scores

    return score


def test_ranks_and_what_came_first(capsys: pytest.CaptureFixture[str]) -> None:
    thread.five_questions("02", "a bag", right_for(0))
    assert load().engines["02"] == EngineRow("a bag", [1] * 5, [question.right[0] for question in thread.QUESTIONS])
    thread.five_questions("04", "another bag", right_for(1))
    row = load().engines["04"]
    assert row.ranks[0] == len(NAMES) and row.first == ["os.listdir"] * 5, "of equals the earlier document comes first"
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("02") and "yours" in line for line in lines), "earlier rows stay"
    assert any(line.startswith("01") and "recorded" in line for line in lines)


def test_any_right_answer_counts() -> None:
    pad = next(index for index, question in enumerate(thread.QUESTIONS) if "numpy.pad" in question.right)
    thread.five_questions("03", "by name", lambda text: torch.tensor([float(name == "numpy.pad") for name in NAMES]))
    assert load().engines["03"].ranks[pad] == 1


def test_a_lesson_without_an_engine_has_a_row_without_ranks(capsys: pytest.CaptureFixture[str]) -> None:
    thread.five_questions("05", "no engine", None)
    assert "05" not in load().engines and "no engine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("scores", "message"),
    [(torch.zeros(3), "one score for each of the 7 documents"), (torch.full((7,), float("nan")), "nan or infinite")],
)
def test_scores_that_cannot_be_ranked_are_refused(scores: torch.Tensor, message: str) -> None:
    with pytest.raises(CourseError, match=message):
        thread.five_questions("04", "broken", lambda text: scores)
    assert "04" not in load().engines


def test_where_the_documents_were_not_read_the_recorded_row_stands_in(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_search, "is_read", lambda: False)
    thread.five_questions("01", "pieces", right_for(0))
    assert not load().engines and "run `documents()`" in capsys.readouterr().out


def test_the_questions_are_five_of_the_projects_public_ones() -> None:
    lines = (ROOT / "projects" / "search_engine" / "queries.tsv").read_text(encoding="utf-8").splitlines()
    answers = {question: set(names.split()) for question, names in (line.split("\t") for line in lines)}
    assert all(set(question.right) == answers[question.text] for question in thread.QUESTIONS)
    assert Path(ROOT / "data" / thread.RECORD).is_file()
