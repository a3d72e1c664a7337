"""Provide pictures with captions, with no download: scikit-learn's handwritten digits and our own sentences about them.

The pictures are 8 by 8 pixels. A caption names the digit, in Chinese or in English, in one of several templates. One
template of each language is held out: no training caption uses it, so that a model can be tested with an unseen wording.
"""

import random
from dataclasses import dataclass
from functools import cache

import torch

from ..messages import translatable
from .vocabulary import Vocabulary

LANGUAGES = ("chinese", "english")
SPLITS = ("train", "test")

NAMES = {
    "chinese": ("零", "一", "二", "三", "四", "五", "六", "七", "八", "九"),
    "english": ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
}

#: Words are separated by spaces. The last template of each language is held out; its words occur in others.
TEMPLATES = {
    translatable("chinese"): (
        "这 是 数字 {}",
        "这 张 图 里 写 着 {}",
        "一个 手写 的 {}",
        "我 看见 数字 {}",
        "有人 写 了 一个 {}",
        "纸 上 有 一个 {}",
        "这 张 图 里 有 一个 手写 的 {}",
    ),
    translatable("english"): (
        "this is the digit {}",
        "a picture of a {}",
        "a handwritten {}",
        "I see the number {}",
        "somebody wrote a {}",
        "the picture shows {}",
        "this picture shows the handwritten number {}",
    ),
}
HELD_OUT = {language: templates[-1] for language, templates in TEMPLATES.items()}

#: What the Chinese templates say, word for word, for readers.
_MEANINGS = (
    "this is the digit {}",
    "in this picture is written {}",
    "a handwritten {}",
    "I see the digit {}",
    "somebody wrote a {}",
    "on the paper is a {}",
    "in this picture is a handwritten {}",
)

TRAIN = 1400  # Number of training pictures; the other 397 are for testing.


def meaning(caption: str) -> str:
    """Return a Chinese caption in English, word for word, or an empty text for any other.

    Examples
    --------
    >>> meaning("有人 写 了 一个 五"), meaning("somebody wrote a five")
    ('somebody wrote a five', '')
    """
    for template, english in zip(TEMPLATES["chinese"], _MEANINGS, strict=True):
        for name, digit in zip(NAMES["chinese"], NAMES["english"], strict=True):
            if caption == template.format(name):
                return english.format(digit)
    return ""


@dataclass(frozen=True)
class Captioned:
    """Hold pictures, float (N, 64) from 0 to 1, their digits, int64 (N,), and one caption for each."""

    pictures: torch.Tensor
    digits: torch.Tensor
    captions: list[str]


@cache
def _pictures() -> tuple[torch.Tensor, torch.Tensor]:
    from sklearn.datasets import load_digits

    data, target = load_digits(return_X_y=True)
    return torch.tensor(data / 16, dtype=torch.float32), torch.tensor(target)


def digits(split: str, n: int | None = None, seed: int = 0, language: str = "both") -> Captioned:
    """Return pictures of a split in shuffled order, each with a caption.

    The split of a picture does not depend on the seed; the order, the templates and the languages do. The held-out templates
    occur in "test" only, and no others occur there.

    Parameters
    ----------
    split : str
        "train" or "test".
    n : int or None, optional
        Number of pictures; None for all.
    seed : int, optional
        Seed of order, templates and languages, 0 or more.
    language : str, optional
        "chinese", "english" or "both".

    Raises
    ------
    ValueError
        For an unknown split or language, more pictures than there are, or a negative number or seed.

    Examples
    --------
    >>> some = digits("test", 3)
    >>> some.pictures.shape, len(some.captions)
    (torch.Size([3, 64]), 3)
    """
    if split not in SPLITS:
        raise ValueError(f"no split {split!r}: there are {' and '.join(SPLITS)}")
    if language != "both" and language not in LANGUAGES:
        raise ValueError(f"no language {language!r}: there are {', '.join(LANGUAGES)} and both")
    if seed < 0:
        raise ValueError(f"seed {seed}: it is 0 or more")
    pictures, labels = _pictures()
    order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(9))  # the split is the same for every seed
    rows = order[:TRAIN] if split == "train" else order[TRAIN:]
    if n is not None and not 0 <= n <= len(rows):
        raise ValueError(f"{split} has {len(rows):,} pictures, not {n:,}")
    rows = rows[torch.randperm(len(rows), generator=torch.Generator().manual_seed(seed))][:n]
    drawn = random.Random(seed)
    captions = []
    for digit in labels[rows].tolist():
        caption_language = drawn.choice(LANGUAGES) if language == "both" else language
        template = drawn.choice(TEMPLATES[caption_language][:-1]) if split == "train" else HELD_OUT[caption_language]
        captions.append(caption(digit, template, caption_language))
    return Captioned(pictures[rows], labels[rows], captions)


def caption(digit: int, template: str, language: str) -> str:
    """Return the template with the name of the digit filled in.

    Parameters
    ----------
    digit : int
        From 0 to 9.
    template : str
        A caption with `{}` in place of the digit's name.
    language : str
        Language of the name, "chinese" or "english".

    Raises
    ------
    ValueError
        For an unknown language or digit.

    Examples
    --------
    >>> caption(7, "这 是 数字 {}", "chinese")
    '这 是 数字 七'
    """
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}: there are {' and '.join(LANGUAGES)}")
    if digit not in range(10):
        raise ValueError(f"no digit {digit}: there are 0 to 9")
    return template.format(NAMES[language][digit])


def prompts(language: str, template: str | None = None) -> list[str]:
    """Return ten captions, of 0 to 9, in one template.

    Parameters
    ----------
    language : str
        "chinese" or "english".
    template : str or None, optional
        A caption with `{}` in place of the digit's name; by default the held-out template.

    Raises
    ------
    ValueError
        For an unknown language.

    Examples
    --------
    >>> prompts("english")[0]
    'this picture shows the handwritten number zero'
    """
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}: there are {' and '.join(LANGUAGES)}")
    return [caption(digit, template or HELD_OUT[language], language) for digit in range(10)]


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary of the training captions: the special tokens, then every word."""
    texts = (
        caption(digit, template, language)
        for language in LANGUAGES
        for template in TEMPLATES[language][:-1]
        for digit in range(10)
    )
    return Vocabulary(texts)
