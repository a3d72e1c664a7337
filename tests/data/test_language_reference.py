"""The Python reference as a corpus: nothing leaks between its splits, and another Python's text works the same."""

import doctest
import re
from pydoc_data import topics

import pytest

from embedding_course.data import language_reference as reference
from embedding_course.data import vocabulary as vocabulary_module
from embedding_course.data.vocabulary import SPECIALS

SPLITS = ("train", "valid", "test")


@pytest.fixture(params=["this Python's text", "another text"])
def text(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    """This Python's topics; and a version of them with a topic more, one less, and other words."""
    if request.param == "another text":
        changed = {name: text.replace("exception", "mishap") for name, text in topics.topics.items() if name != "pass"}
        changed["zest"] = "Zest\n****\n\nA statement that adds zest to a program of any kind."
        monkeypatch.setattr(topics, "topics", changed)
    caches = (reference.words, reference.documents, reference.vocabulary)
    for each in caches:
        each.cache_clear()
    yield request.param
    for each in caches:
        each.cache_clear()


def test_the_examples_in_the_docstrings_are_true() -> None:
    assert doctest.testmod(reference).failed == doctest.testmod(vocabulary_module).failed == 0


def test_splits_are_by_topic_and_each_has_its_share(text: str) -> None:
    sizes = {split: sum(len(sentence.split()) for sentence in reference.sentences(split)) for split in SPLITS}
    whole = sum(sizes.values())
    assert whole > 70_000
    assert whole == sum(len(part.split()) for parts in reference.documents().values() for part in parts)
    assert all(0.05 < sizes[split] / whole < 0.15 for split in ("valid", "test"))
    for names in reference.HELD_OUT.values():
        assert set(names) <= set(reference.documents())


def test_no_paragraph_comes_twice(text: str) -> None:
    """Or a model would be tested on what it has read: the reference repeats a fifth of itself."""
    everything = [sentence for split in SPLITS for sentence in reference.sentences(split)]
    long = [sentence for sentence in everything if len(sentence.split()) >= 8]
    assert len(long) == len(set(long)) > 1_000


def test_words_are_tokenised_once_and_for_all(text: str) -> None:
    for split in SPLITS:
        for sentence in reference.sentences(split):
            assert sentence == sentence.lower() and sentence == " ".join(sentence.split()) != ""
            assert all(re.fullmatch(r"[^\W\d]+|\d+|[^\w\s]", word) for word in sentence.split()), sentence
    rows_of_signs = [sentence for sentence in reference.sentences("train") if re.search(r"([*=~^-] )\1{4}", sentence)]
    assert len(rows_of_signs) < 10  # headings are not underlined; a few examples have such rows in them


def test_the_vocabulary_is_limited_and_knows_only_training_words(text: str) -> None:
    vocabulary = reference.vocabulary(2000)
    assert len(vocabulary) == 2000 and vocabulary.words[:4] == SPECIALS
    trained = {word for sentence in reference.sentences("train") for word in sentence.split()}
    assert set(vocabulary.words[4:]) <= trained
    for split, most in (("train", 0.04), ("valid", 0.12), ("test", 0.12)):
        ids = [index for sentence in reference.sentences(split) for index in vocabulary.encode(sentence)]
        assert 0 < ids.count(vocabulary.unk) / len(ids) < most


def test_the_fingerprint_tells_texts_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    reference.documents.cache_clear()
    fingerprint = reference.fingerprint()
    assert re.fullmatch(r"Python 3\.\d+\.\S+ reference, \d+ topics, [\d,]+ words, [0-9a-f]{8}", fingerprint)
    assert fingerprint == reference.fingerprint()
    monkeypatch.setattr(topics, "topics", topics.topics | {"pass": "The statement does nothing at all."})
    reference.documents.cache_clear()
    assert reference.fingerprint() != fingerprint
    reference.documents.cache_clear()


def test_other_splits_are_refused() -> None:
    with pytest.raises(ValueError, match="no split 'dev'"):
        reference.sentences("dev")
