"""The micro-language as lessons use it: translation is a function, splits do not leak, words have ids and classes."""

import doctest
import importlib
import pkgutil
from collections import Counter, defaultdict

import pytest

from embedding_course.data import micro
from embedding_course.data.micro import AMBIGUOUS, LANGUAGES, SPECIALS, SPLITS, MicroLanguage, Vocabulary, micro_language

LANGUAGE = micro_language()
MODULES = [info.name for info in pkgutil.walk_packages(micro.__path__, f"{micro.__name__}.")]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_the_docstrings_are_true(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0


def test_it_is_large_and_its_words_are_few() -> None:
    assert LANGUAGE.meanings > 25_000 and len(LANGUAGE.everything) > 60_000
    assert [len(LANGUAGE.vocabulary[language]) - len(SPECIALS) for language in LANGUAGES] == [174, 231]


@pytest.mark.parametrize("source", LANGUAGES)
def test_every_sentence_has_one_right_translation(source: str) -> None:
    target = next(language for language in LANGUAGES if language != source)
    translations = LANGUAGE.translations(source)
    assert len(translations) == len(LANGUAGE.everything)
    assert all(translations[getattr(pair, source)] == getattr(pair, target) for pair in LANGUAGE.everything)


def test_unsegmented_chinese_has_one_right_translation_too() -> None:
    assert len({pair.raw for pair in LANGUAGE.everything}) == len(LANGUAGE.everything)


def test_no_meaning_and_no_sentence_is_in_two_splits() -> None:
    pairs = {split: LANGUAGE.pairs(split) for split in SPLITS}
    assert sum(map(len, pairs.values())) == len(LANGUAGE.everything)
    for column in range(3):
        seen = [{pair[column] for pair in split_pairs} for split_pairs in pairs.values()]
        assert len(set.union(*seen)) == sum(map(len, seen))
    sizes = [len({pair.meaning for pair in pairs[split]}) / LANGUAGE.meanings for split in SPLITS]
    assert sizes == pytest.approx([0.8, 0.1, 0.1], abs=1e-3)


def test_every_test_word_is_met_in_training() -> None:
    for language in LANGUAGES:
        met = {word for sentence in LANGUAGE.sentences(language, "train") for word in sentence.split()}
        assert met == set(LANGUAGE.vocabulary[language].words[len(SPECIALS) :])


def test_seeds_decide_and_the_same_seed_gives_the_same() -> None:
    again = MicroLanguage()
    assert again.pairs("test", 20, seed=3) == LANGUAGE.pairs("test", 20, seed=3) != LANGUAGE.pairs("test", 20, seed=4)
    other = MicroLanguage(split_seed=1)
    assert set(other.pairs("test")) != set(LANGUAGE.pairs("test"))
    assert sorted(other.everything) == sorted(LANGUAGE.everything)
    assert Counter(LANGUAGE.pairs("valid", seed=1)) == Counter(LANGUAGE.pairs("valid", seed=2))


def test_the_split_is_the_one_that_was_measured() -> None:
    """It must not depend on the Python version: figures in lessons stand on it."""
    assert LANGUAGE.pairs("test", 2)[1].english == "they will go to the hospital on foot tomorrow"


def test_paraphrases_mean_the_same_and_differ() -> None:
    groups = LANGUAGE.paraphrases("test")
    assert len(groups) > 1_500 and min(map(len, groups)) >= 2
    for group in groups:
        assert len({pair.meaning for pair in group}) == 1
        assert len({pair.chinese for pair in group}) == len({pair.english for pair in group}) == len(group)
    assert len({group[0].meaning for group in groups}) == len(groups)
    assert LANGUAGE.paraphrases("test", 5) == groups[:5]


def test_paraphrases_differ_by_order_by_synonym_and_by_construction() -> None:
    by_meaning = defaultdict(set)
    for pair in LANGUAGE.everything:
        by_meaning[pair.meaning].add(pair.english)
    groups = list(by_meaning.values())
    for group in (
        {"yesterday she gave him a book", "she gave a book to him yesterday"},
        {"the boy lost my key yesterday", "yesterday my key was lost by the boy"},
        {"my dog is bigger than your cat", "your cat is smaller than my dog"},
        {"my mum watched a film last night", "last night my mother watched a movie"},
        {"there is a bird on the table", "a bird is on the table"},
    ):
        assert any(group <= paraphrases for paraphrases in groups), group


def test_the_same_words_can_mean_something_else() -> None:
    """Word order carries meaning: a bag of words cannot tell who chases whom."""
    english = LANGUAGE.translations("english")
    first, second = "her cat chased my dog yesterday", "my dog chased her cat yesterday"
    assert Counter(first.split()) == Counter(second.split()) and english[first] != english[second]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_has_a_class_and_few_have_two(language: str) -> None:
    members = [word for words in LANGUAGE.classes[language].values() for word in words]
    assert set(members) == set(LANGUAGE.vocabulary[language].words[len(SPECIALS) :])
    twice = {word for word, count in Counter(members).items() if count > 1}
    assert twice == {"english": {"bat", "watch", "cup", "her"}, "chinese": {"把"}}[language]


@pytest.mark.parametrize(("language", "word"), [(name, word) for name in LANGUAGES for word in AMBIGUOUS[name]])
def test_a_word_of_several_senses_has_one_in_every_sentence(language: str, word: str) -> None:
    occurrences = LANGUAGE.occurrences(word)
    assert {each.sense for each in occurrences} == set(AMBIGUOUS[language][word])
    assert all(each.sentence.split()[each.position] == word for each in occurrences)
    assert min(Counter(each.sense for each in occurrences).values()) > 200
    assert len(occurrences) == sum(word in sentence.split() for sentence in LANGUAGE.sentences(language))


def test_the_neighbours_of_a_bat_tell_which_it_is() -> None:
    """The same words around it never go with both senses, so a contextual vector can tell them apart."""
    around = defaultdict(set)
    for each in LANGUAGE.occurrences("bat"):
        words = each.sentence.split()
        around[" ".join([*words[: each.position], "_", *words[each.position + 1 :]])].add(each.sense)
    assert all(len(senses) == 1 for senses in around.values())


def test_ids_and_words_go_back_and_forth() -> None:
    vocabulary = LANGUAGE.vocabulary["english"]
    assert vocabulary.words[:4] == SPECIALS
    assert (vocabulary.pad, vocabulary.unk, vocabulary.bos, vocabulary.eos) == (0, 1, 2, 3)
    for sentence in LANGUAGE.sentences("english", "test", 200):
        ids = vocabulary.encode(sentence)
        assert min(ids) > 3 and vocabulary.decode(ids) == sentence
        assert vocabulary.decode([vocabulary.bos, *ids, vocabulary.eos, *ids, vocabulary.pad]) == sentence
    assert vocabulary.encode("she zzz") == [vocabulary.ids["she"], vocabulary.unk]
    assert Vocabulary([]).words == SPECIALS and Vocabulary(["a"]).encode("") == []


def test_what_does_not_exist_is_refused() -> None:
    for call in (
        lambda: LANGUAGE.pairs("dev"),
        lambda: LANGUAGE.pairs("test", 1_000_000),
        lambda: LANGUAGE.sentences("french"),
        lambda: LANGUAGE.paraphrases("test", 1_000_000),
        lambda: LANGUAGE.occurrences("table"),
        lambda: LANGUAGE.entropy(-1),
    ):
        with pytest.raises(ValueError, match=r"split|size|language|senses|window"):
            call()
