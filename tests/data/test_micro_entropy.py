"""The floor under every model's loss is exact: computed one way, counted in another, and enumerated by hand."""

import math
from collections import Counter
from itertools import pairwise

import pytest

from embedding_course.data.micro import LANGUAGES, NextWord, micro_language
from embedding_course.data.micro.entropy import entropy

LANGUAGE = micro_language()


def enumerated(sentences: list[str], window: int | None) -> float:
    """The same number from its definition: every token of every sentence, one after the other."""
    followed, following = Counter(), Counter()
    for sentence in sentences:
        words = ["<s>"] * (window or 0) + sentence.split() + ["</s>"]
        for position in range(window or 0, len(words)):
            context = tuple(words[:position]) if window is None else tuple(words[position - window : position])
            followed[context] += 1
            following[context, words[position]] += 1
    nats = sum(count * -math.log(count / followed[context]) for (context, _), count in following.items())
    return nats / sum(followed.values())


@pytest.mark.parametrize(
    ("language", "window"),
    [("english", 0), ("english", 2), pytest.param("english", None, marks=pytest.mark.slow), ("chinese", 1), ("chinese", 3)],
)
def test_three_ways_to_the_same_entropy(language: str, window: int | None) -> None:
    sentences = [getattr(pair, language) for pair in LANGUAGE.everything]
    assert LANGUAGE.entropy(window, language) == pytest.approx(enumerated(sentences, window), rel=1e-12)
    if language == "english":
        assert LANGUAGE.next_word(window).entropy == pytest.approx(LANGUAGE.entropy(window), rel=1e-12)


@pytest.mark.parametrize("language", LANGUAGES)
def test_with_all_words_before_it_is_the_log_of_how_many_sentences_there_are(language: str) -> None:
    """A chance of 1 in N, handed out token by token: ln N over the mean number of tokens."""
    tokens = sum(len(getattr(pair, language).split()) + 1 for pair in LANGUAGE.everything)
    size = len(LANGUAGE.everything)
    assert LANGUAGE.entropy(language=language) == pytest.approx(math.log(size) * size / tokens, rel=1e-12)


@pytest.mark.parametrize("language", LANGUAGES)
def test_seeing_more_never_hurts(language: str) -> None:
    values = [LANGUAGE.entropy(window, language) for window in (*range(6), 14, None)]
    assert all(wide <= narrow + 1e-12 for narrow, wide in pairwise(values))
    assert values[-2] == pytest.approx(values[-1])  # no sentence is longer
    assert math.log(3) < values[-1] < values[2] < values[1] < values[0]


def test_the_surprise_of_a_sentence_is_shared_out_among_its_words() -> None:
    exact = LANGUAGE.next_word()
    for sentence in LANGUAGE.sentences("english", "test", 50):
        surprise = exact.surprise(sentence)
        assert len(surprise) == len(sentence.split()) + 1
        assert sum(surprise) == pytest.approx(math.log(len(LANGUAGE.everything)))
    assert math.inf in exact.surprise("she she she")


@pytest.mark.parametrize("window", [1, 3, None])
def test_chances_of_the_next_word_sum_to_one(window: int | None) -> None:
    after = LANGUAGE.next_word(window).after
    for prefix in ("", "she", "she will", "yesterday the boy gave"):
        assert sum(after(prefix).values()) == pytest.approx(1.0)
    with pytest.raises(KeyError, match="nothing follows"):
        after("zzz")


def test_a_narrow_window_forgets() -> None:
    assert "him" in LANGUAGE.next_word(1).after("they want to")
    assert "him" not in LANGUAGE.next_word(3).after("they want to")


@pytest.mark.parametrize("window", [0, 1, 2, 7, 12, None])
def test_small_languages_by_hand(window: int | None) -> None:
    sentences = ["a b", "a c c", "d", "a b a b a b a b a c"]
    ids = {word: index + 4 for index, word in enumerate("abcd")}
    coded = [[ids[word] for word in sentence.split()] for sentence in sentences]
    assert entropy(coded, 8, window, bos=2, eos=3) == pytest.approx(enumerated(sentences, window), rel=1e-12)
    assert NextWord(sentences, window).entropy == pytest.approx(enumerated(sentences, window), rel=1e-12)


def test_words_past_int64_are_renumbered() -> None:
    """Long sentences over many words: the numbers of the contexts would run over."""
    coded = [[(position * step) % 90_000 + 4 for position in range(1, 30)] for step in (1, 7, 11, 13)]
    assert entropy(coded, 90_010, None, bos=2, eos=3) == pytest.approx(4 * math.log(4) / (4 * 30))
