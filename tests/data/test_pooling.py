"""The two datasets of notebook 08: who passed the window, and sentences that mean the same."""

from collections import Counter

import pytest

from embedding_course.data.micro import micro_language
from embedding_course.data.paraphrase_groups import paraphrase_groups, twins
from embedding_course.data.sentence_tasks import ANIMALS, HORSE, LENGTHS, PEOPLE, SPLITS, TASKS, sentence_tasks, vocabulary

LOADERS = (sentence_tasks, paraphrase_groups, twins)


@pytest.mark.parametrize("loader", LOADERS)
def test_a_seed_decides_which_rows_come_and_in_what_order(loader):
    first, again, other = loader("test", 50), loader("test", 50, 0), loader("test", 50, seed=1)
    assert first == again != other
    assert len(set(first)) == 50
    assert sorted(loader("test", seed=3)) == sorted(loader("test"))
    assert loader("test", 0) == []


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    ("wish", "allowed"),
    [
        ({"split": "dev"}, "train, valid, test"),
        ({"size": 10**6}, "from 0 to "),
        ({"size": -1}, "from 0 to "),
        ({"size": 2.5}, "from 0 to "),
        ({"size": True}, "from 0 to "),
        ({"seed": -1}, "a whole number from 0 on"),
        ({"seed": None}, "a whole number from 0 on"),
    ],
)
def test_a_wrong_wish_is_answered_with_what_is_allowed(loader, wish, allowed):
    with pytest.raises(ValueError, match=allowed):
        loader(**wish)


@pytest.mark.parametrize("loader", (paraphrase_groups, twins))
def test_there_are_two_languages(loader):
    with pytest.raises(ValueError, match="chinese and english"):
        loader("test", 1, language="german")
    assert loader("test", 1, language="english") != loader("test", 1)


def test_the_answers_are_those_of_the_texts():
    for split in SPLITS:
        for walk in sentence_tasks(split):
            words = walk.text.split()
            animal = [word in ANIMALS or word == HORSE for word in words]
            assert all(known or word in PEOPLE for known, word in zip(animal, words, strict=True))
            assert walk[1:] == (animal[0], animal[-1], HORSE in words, sum(animal) * 2 > len(words))
            assert len(words) in LENGTHS and words.count(HORSE) <= 1


def test_splits_are_apart_and_answers_are_balanced():
    texts = Counter(walk.text for split in SPLITS for walk in sentence_tasks(split))
    assert len(texts) == sum(SPLITS.values()) == 10_000
    assert {split: len(sentence_tasks(split)) for split in SPLITS} == SPLITS
    for split in SPLITS:
        walks = sentence_tasks(split)
        for task in TASKS:
            assert abs(sum(getattr(walk, task) for walk in walks) / len(walks) - 0.5) < 0.06, (split, task)
    assert len(vocabulary()) == 4 + 9 and vocabulary().encode("狗 马") == [vocabulary().ids["狗"], vocabulary().ids["马"]]


def test_groups_mean_the_same_and_no_sentence_is_in_two():
    language = micro_language()
    meanings = {pair.chinese: pair.meaning for pair in language.everything}
    seen: Counter[str] = Counter()
    for split in ("train", "valid", "test"):
        for group in paraphrase_groups(split):
            assert len(group) > 1 and len({meanings[sentence] for sentence in group}) == 1
            seen.update(group)
    assert max(seen.values()) == 1
    assert [len(paraphrase_groups(split)) for split in ("train", "valid", "test")] == [17_530, 2_170, 2_195]


def test_twins_have_the_same_words_and_another_meaning():
    meanings = {pair.chinese: pair.meaning for pair in micro_language().everything}
    test = {pair.chinese for pair in micro_language().pairs("test")}
    for split in ("train", "valid", "test"):
        for sentence, paraphrase, twin in twins(split):
            assert sorted(sentence.split()) == sorted(twin.split())
            assert meanings[sentence] == meanings[paraphrase] != meanings[twin]
            assert sentence != paraphrase
            assert split == "test" or not {sentence, paraphrase, twin} & test
    assert [len(twins(split)) for split in ("train", "valid", "test")] == [2_800, 400, 402]
