"""A learner's process asks the trusted side for nothing twice, unless two answers to one question may differ."""

from typing import Any

import pytest
import torch

from embedding_course.exercises import known
from grader.engine import wire
from grader.engine import worker as borrowed
from grader.engine.worker import AnswerCache


def _ask(count: list[int], body: bytes = b"") -> Any:
    def ask(question: bytes) -> bytes:
        count.append(len(question))
        return wire.pack(len(count), [torch.frombuffer(bytearray(body), dtype=torch.uint8)] if body else [])

    return ask


def _asked_twice(question: dict[str, Any], tensors: list[torch.Tensor] | None = None) -> list[Any]:
    have, count = AnswerCache(), list[int]()
    return [wire.unpack(have.answer(question, tensors or [], _ask(count)))[0] for _ in range(2)]


def test_the_same_question_is_asked_once() -> None:
    assert _asked_twice({"name": "merge_pair", "given": [1, 2]}) == [1, 1]
    assert _asked_twice({"name": "one_hot", "given": {"$tensor": 0}}, [torch.arange(3)]) == [1, 1]


def test_another_question_is_asked() -> None:
    have, count = AnswerCache(), list[int]()
    for tensor in (torch.tensor([0, 1]), torch.tensor([1, 0]), torch.tensor([[0, 1]]), torch.tensor([0, 1], dtype=torch.int32)):
        have.answer({"name": "one_hot", "given": {"$tensor": 0}}, [tensor], _ask(count))
    have.answer({"name": "merge_pair", "given": {"$tensor": 0}}, [torch.tensor([0, 1])], _ask(count))
    assert len(count) == 5


def test_each_module_has_parameters_of_its_own() -> None:
    assert _asked_twice({"name": "MultiHeadAttention", "build": [6, 2]}) == [1, 2]


def test_what_draws_random_numbers_draws_anew() -> None:
    drawing = next(exercise.name for exercise in known().values() if exercise.draws)
    assert _asked_twice({"name": drawing, "given": []}) == [1, 2]


def test_answers_are_kept_up_to_a_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(borrowed, "_MAX_KEPT_BYTES", 10_000)
    have, count = AnswerCache(), list[int]()
    for number in (*range(100), *reversed(range(100))):
        have.answer({"name": "merge_pair", "given": number}, [], _ask(count, bytes(1_000)))
    assert 5 <= 200 - len(count) < 10, "those that were kept are not asked for again"


def test_a_refusal_is_not_kept() -> None:
    have = AnswerCache()

    def refuse(question: bytes) -> bytes:
        raise ValueError("no more is lent")

    for _ in range(2):
        with pytest.raises(ValueError, match="no more is lent"):
            have.answer({"name": "merge_pair", "given": 1}, [], refuse)
