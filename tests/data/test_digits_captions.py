"""Digits with captions: nothing of the held-out template or picture is trained on, and every seed gives what it gave."""

import doctest

import pytest
import torch

from embedding_course.data import digits_captions as data


def test_the_examples_in_the_docstrings_are_true() -> None:
    assert doctest.testmod(data).failed == 0


def test_pictures_and_templates_are_on_one_side_only() -> None:
    train, test = data.digits("train"), data.digits("test")
    assert len(train.digits) + len(test.digits) == 1797
    both = torch.cat([train.pictures, test.pictures])
    assert len(torch.unique(both, dim=0)) == len(both)
    made = {data.caption(digit, template, language) for language, template in data.HELD_OUT.items() for digit in range(10)}
    assert not made & set(train.captions) and set(test.captions) <= made
    assert train.pictures.min() == 0 and train.pictures.max() == 1 and train.pictures.dtype == torch.float32


def test_the_held_out_templates_have_known_words_only() -> None:
    words = data.vocabulary()
    for language in data.LANGUAGES:
        for prompt in data.prompts(language):
            assert words.unk not in words.encode(prompt), prompt
        assert len({len(prompt.split()) for prompt in data.prompts(language)}) == 1


def test_a_caption_says_the_digit_of_its_picture() -> None:
    for split in data.SPLITS:
        for language in (*data.LANGUAGES, "both"):
            captioned = data.digits(split, 50, seed=2, language=language)
            for digit, caption in zip(captioned.digits.tolist(), captioned.captions, strict=True):
                assert caption.split()[-1] in {data.NAMES[caption_language][digit] for caption_language in data.LANGUAGES}


def test_a_seed_gives_the_same_again_and_leaves_the_split_alone() -> None:
    first, again, other = data.digits("train", 100, 3), data.digits("train", 100, 3), data.digits("train", seed=4)
    assert first.captions == again.captions and torch.equal(first.pictures, again.pictures)
    assert first.captions != other.captions[:100]
    whole = {tuple(row) for row in data.digits("train", seed=3).pictures.tolist()}
    assert whole == {tuple(row) for row in other.pictures.tolist()}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: data.digits("valid"), "no split 'valid': there are train and test"),
        (lambda: data.digits("test", 398), "test has 397 pictures, not 398"),
        (lambda: data.digits("test", -1), "not -1"),
        (lambda: data.digits("test", seed=-1), "seed -1: it is 0 or more"),
        (lambda: data.digits("test", language="german"), "no language 'german': there are chinese, english and both"),
        (lambda: data.prompts("german"), "no language 'german'"),
        (lambda: data.caption(10, "{}", "english"), "no digit 10"),
        (lambda: data.caption(1, "{}", "german"), "no language 'german'"),
    ],
)
def test_what_does_not_exist_is_named(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
