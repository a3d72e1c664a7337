"""The learner's BLEU is sacrebleu's, on fifty pairs whose scores were recorded; and a search is held against the exact best."""

import pytest
import torch

from embedding_course.data.bleu_pairs import bleu_pairs
from embedding_course.experiments.lstm_seq2seq import search
from embedding_course.experiments.lstm_seq2seq.translation import ENGLISH
from grader.course_source.catalogue import references

PIECES = references("05_lstm_seq2seq")


def test_the_reference_is_equal_to_sacrebleu_on_fifty() -> None:
    fifty, bleu = bleu_pairs(), PIECES["bleu"]
    assert len(fifty.candidates) == len(fifty.references) == len(fifty.scores) == 50
    for candidate, reference, score in zip(fifty.candidates, fifty.references, fifty.scores, strict=True):
        assert 100 * bleu([candidate], [reference]) == pytest.approx(score, abs=1e-5)
    assert 100 * bleu(fifty.candidates, fifty.references) == pytest.approx(fifty.together, abs=1e-5)


def test_the_recorded_scores_are_sacrebleus() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    fifty = bleu_pairs()
    candidates, wanted = ([" ".join(words) for words in side] for side in (fifty.candidates, fifty.references))
    result = sacrebleu.corpus_bleu(candidates, [wanted], tokenize="none", smooth_method="none", force=True)
    assert result.score == pytest.approx(fifty.together, abs=1e-5)


def test_a_beam_that_is_wide_enough_finds_the_exact_best() -> None:
    table = torch.randn(len(ENGLISH()), len(ENGLISH()), generator=torch.Generator().manual_seed(0)) * 3
    table[:, ENGLISH().bos] = -torch.inf

    def step(prefixes: torch.Tensor) -> torch.Tensor:
        return table.log_softmax(dim=1)[prefixes[:, -1]]

    best, highest = search.exact_best(step, 2)
    assert best is not None and search.total(step, best, 2) == pytest.approx(highest, abs=1e-4)
    wide = PIECES["beam_search"](step, ENGLISH().bos, ENGLISH().eos, 300, 2)
    assert search.total(step, wide, 2) == pytest.approx(highest, abs=1e-4)
