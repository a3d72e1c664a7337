"""Plain chunking encodes each window alone; late chunking encodes the whole text, and pools each window."""

import pytest
import torch

from embedding_course.data.four_islands import QUESTIONS, TEXT
from embedding_course.exercises import find_exercise
from embedding_course.experiments import curves
from embedding_course.experiments.search_engine.late_chunking import SETTINGS, SHOWN, measure, window_vectors
from embedding_course.plot.windows import show_windows
from grader.course_source.catalogue import reference

chunk = reference(find_exercise("11.chunk"))


class ByWord:
    """Make a token of each word, and number the words."""

    def __init__(self) -> None:
        words = " ".join([TEXT, *(question.text for question in QUESTIONS)]).split()
        self.words = {word: number for number, word in enumerate(sorted(set(words)), 2)}

    def lists(self, texts: list[str]) -> list[list[int]]:
        return [[self.words[word] for word in text.split()] for text in texts]

    def ids(self, texts: list[str], max_length: int | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        rows = [torch.tensor([0, *row, 1]) for row in self.lists(texts)]
        padded = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
        lengths = torch.tensor([len(row) for row in rows])
        return padded, (torch.arange(padded.shape[1]) < lengths[:, None]).long()


def test_a_late_window_knows_the_rest_and_a_plain_one_does_not() -> None:
    def encoder(ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        own = torch.nn.functional.one_hot(ids, 8).float()
        return own + own.sum(dim=1, keepdim=True)

    ids = torch.tensor([[0, 2, 3, 4, 5, 1]])
    vectors = window_vectors(encoder, ids, [(0, 2), (2, 4)])
    assert vectors["plain"][0, 4] == 0 and vectors["late"][0, 4] > 0
    for rows in vectors.values():
        assert rows.shape == (2, 8) and rows.norm(dim=1).tolist() == pytest.approx([1, 1])


def test_every_answer_is_a_sentence_of_the_text() -> None:
    assert all(TEXT.count(question.answer) == 1 for question in QUESTIONS)
    assert SHOWN in [question.text for question in QUESTIONS]


def test_the_lesson_shows_what_is_recorded_and_what_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    tokenizer = ByWord()
    table = torch.randn(len(tokenizer.words) + 2, 64, generator=torch.Generator().manual_seed(0))
    measured = measure(lambda ids, mask: table[ids], tokenizer, chunk)
    recorded = curves.load("11_windows")
    for result in (measured, recorded):
        assert [size for size, _ in result.curves["plain"]] == [size for size, _ in SETTINGS]
        show_windows(result)
    assert set(measured.curves) == set(recorded.curves) and set(measured.numbers) == set(recorded.numbers)
    assert "plain: best window 8, right for 2, 5, 7, 10 questions" in capsys.readouterr().out
