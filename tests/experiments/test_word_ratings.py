"""Word vectors are compared with people's ratings, and with what gensim does with the same vectors."""

import math
import os
from pathlib import Path
from typing import Any

import pytest
import torch

from embedding_course.data.published import WordPairs, WordVectors, word_similarity
from embedding_course.experiments import curves
from embedding_course.experiments.nplm import larger_text
from embedding_course.experiments.nplm.word_ratings import cosines, known_pairs, lead, spearman
from embedding_course.plot.trained_vectors import show_settings
from tests.support.published import REQUIRED, published, word_vectors  # noqa: F401
from tests.support.right_answers import right_answer

WORDS = ("old", "new", "smart", "intelligent", "hard", "difficult")


def gensim(module: str) -> Any:
    """Return a module of gensim. Skip the test if it is missing, unless it is required."""
    if os.environ.get(REQUIRED):
        return __import__(module, fromlist=["*"])
    return pytest.importorskip(module)


def test_pairs_with_an_unknown_word_are_left_out() -> None:
    test = WordPairs("test", (("Old", "new"), ("old", "odd"), ("new", "old")), torch.tensor([1.0, 2.0, 3.0]))
    rows, ratings = known_pairs(test, {"old": 0, "new": 1})
    assert rows.tolist() == [[0, 1], [1, 0]] and ratings.tolist() == [1, 3]
    assert known_pairs(test, {})[0].shape == (0, 2)


def test_the_correlation_is_that_of_notebook_09() -> None:
    generator = torch.Generator().manual_seed(0)
    first, second = (torch.randint(9, (40,), generator=generator).double() for _ in range(2))
    assert spearman(first, second) == pytest.approx(right_answer("09.spearman")(first, second), abs=1e-12)
    assert spearman(first, first) == pytest.approx(1) and spearman(first, -first) == pytest.approx(-1)


def test_a_lead_is_paired() -> None:
    ratings = torch.arange(30.0)
    assert lead([ratings], [ratings], ratings, draws=20) == (0, 0)
    low, high = lead([ratings, ratings], [-ratings], ratings, draws=20)
    assert low == pytest.approx(2) and high == pytest.approx(2)


def test_gensim_finds_the_same_neighbours_and_the_same_correlation() -> None:
    keyed, path = gensim("gensim.models").KeyedVectors(8), gensim("gensim.test.utils").datapath("simlex999.txt")
    words = sorted({word for pair in published(lambda: word_similarity("simlex999")).pairs[:200] for word in pair})
    vectors = torch.randn(len(words), 8, generator=torch.Generator().manual_seed(0))
    keyed.add_vectors(words, vectors.numpy())
    rows, ratings = known_pairs(word_similarity("simlex999"), {word: row for row, word in enumerate(words)})
    _, (theirs, _), unknown = keyed.evaluate_word_pairs(path)
    assert spearman(cosines(vectors, rows), ratings) == pytest.approx(theirs, abs=1e-9)
    assert unknown == pytest.approx(100 * (999 - len(rows)) / 999)
    for row in (0, 7, 50):
        neighbours = [words[index] for index in right_answer("04.nearest")(vectors, row, 6)]
        assert [word for word, _ in keyed.most_similar(words[row], topn=6)] == neighbours


def test_the_recorded_correlation_of_glove_is_that_of_the_vectors(word_vectors: WordVectors) -> None:  # noqa: F811
    recorded = curves.load("04_larger_text").numbers
    for name in larger_text.TESTS:
        rows, ratings = known_pairs(published(lambda name=name: word_similarity(name)), word_vectors.index)
        assert spearman(cosines(word_vectors.vectors, rows), ratings) == pytest.approx(
            recorded[f"{name}, GloVe on every pair"], abs=1e-4
        )


@pytest.fixture
def small_text(monkeypatch: pytest.MonkeyPatch) -> larger_text.Text:
    generator = torch.Generator().manual_seed(0)
    paragraphs = [torch.randint(len(WORDS), (12,), generator=generator).tolist() for _ in range(40)]
    text = larger_text.Text(paragraphs, list(WORDS), torch.full((len(WORDS),), 80.0))
    monkeypatch.setattr(larger_text, "read_text", lambda: text)
    monkeypatch.setattr(larger_text, "SAMPLE", 1.0)
    monkeypatch.setattr(larger_text, "_BATCH", 64)
    return text


def test_both_trainers_give_a_vector_for_each_word(small_text: larger_text.Text) -> None:
    assert small_text.thinned(0) == small_text.paragraphs
    answers = right_answer("04.skip_gram_pairs"), right_answer("04.sgns_loss")
    ours = larger_text.train_ours(small_text, *answers, power=0.75, negatives=2, seed=0)
    assert ours.shape == (len(WORDS), larger_text.WIDTH) and ours.isfinite().all()
    assert torch.equal(ours, larger_text.train_ours(small_text, *answers, power=0.75, negatives=2, seed=0))
    gensim("gensim.models")
    theirs = larger_text.train_gensim(small_text, power=0.75, negatives=2, seed=0)
    assert theirs.shape == ours.shape and theirs.isfinite().all()


def test_common_words_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(larger_text, "SAMPLE", 0.01)
    text = larger_text.Text([[0] * 1000 + [1]], ["a", "b"], torch.tensor([1000.0, 1.0]))
    (thinned,) = text.thinned(0)
    assert thinned.count(1) == 1 and thinned.count(0) == pytest.approx(1000 * math.sqrt(0.01), abs=30)


def test_the_figure_says_its_means(capsys: pytest.CaptureFixture[str]) -> None:
    scores = {name: {"power 0": {"your loss": [0.25, 0.75], "gensim": [0.5]}} for name in ("kinds", "SimLex")}
    show_settings(scores, {"SimLex": 0.1}, "Does it matter?")
    assert "SimLex, power 0: your loss 0.50, gensim 0.50" in capsys.readouterr().out


def test_the_record_is_small() -> None:
    assert (Path(curves.__file__).parents[2] / "data" / "curves" / "04_larger_text.json").stat().st_size < 20_000
