"""The worked example of the first neural language model: every number, recomputed."""

from __future__ import annotations

import pytest
import torch

from embedding_course.data.three_sentences import (
    GLOSSES,
    IDS,
    INPUT,
    PRINTED,
    SENTENCES,
    TRANSLATIONS,
    WEIGHTS,
    WORDS,
)

WEIGHT = WEIGHTS._make(torch.tensor(part, dtype=torch.float64) for part in WEIGHTS)


def test_the_words_are_numbered_by_first_appearance() -> None:
    assert WORDS == ("我", "喜欢", "玩具", "爱", "爸爸", "讨厌", "挨打")
    assert [[IDS[word] for word in sentence.split()] for sentence in SENTENCES] == [[0, 1, 2], [0, 3, 4], [0, 5, 6]]
    assert tuple(" ".join(GLOSSES[word] for word in sentence.split()) for sentence in SENTENCES) == TRANSLATIONS
    assert [len(sentence.split()) for sentence in TRANSLATIONS] == [3, 3, 4]


def test_the_model_has_45_numbers() -> None:
    assert [part.numel() for part in WEIGHT] == [14, 8, 2, 14, 7]


def test_the_true_numbers_follow_from_the_weights() -> None:
    concatenated = WEIGHT.embedding[[IDS["我"], IDS["喜欢"]]].flatten()
    assert concatenated.tolist() == pytest.approx(INPUT)
    before = WEIGHT.hidden @ concatenated + WEIGHT.hidden_bias
    assert before.tolist() == pytest.approx([0.58, -0.26], abs=1e-12)
    hidden = torch.tanh(before)
    assert hidden.tolist() == pytest.approx([0.5227, -0.2543], abs=5e-5)
    logits = WEIGHT.output @ hidden + WEIGHT.output_bias
    assert logits.tolist() == pytest.approx([0.281, 0.384, -0.714, 0.969, -1.021, 1.046, -0.546], abs=5e-4)
    assert logits.argmax() == 5 and torch.tensor(PRINTED.logits).argmax() == 4


def test_the_printed_numbers_are_wrong() -> None:
    softmax = torch.tensor(PRINTED.logits).softmax(0).tolist()
    assert softmax == pytest.approx([0.089, 0.088, 0.019, 0.140, 0.513, 0.047, 0.104], abs=5e-4)
    assert max(abs(one - other) for one, other in zip(softmax, PRINTED.softmax, strict=True)) > 0.08
    assert sum(PRINTED.softmax) == pytest.approx(1.0)
