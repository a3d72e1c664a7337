"""List all sentences of the micro-language in both languages, and answer what lessons ask about them."""

import random
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

from ..drawing import first_of, some_of
from ..vocabulary import Vocabulary
from .ambiguous_words import AMBIGUOUS
from .entropy import entropy
from .meanings import FRAMES
from .next_word import NextWord
from .word_classes import CLASSES
from .words import FILM, HAPPY, KIN, OFTEN, PEOPLE, PRETTY, THINGS

LANGUAGES = ("chinese", "english")
SPLITS = ("train", "valid", "test")
#: From a Chinese word with a bar to its English forms with a bar.
_SYNONYMS: dict[str, tuple[str, ...]] = {
    **{noun.zh: (noun.en,) for noun in (PEOPLE["child"], *KIN.values(), THINGS["bicycle"])},
    **{word.zh: (word.en,) for word in (PRETTY, HAPPY, OFTEN)},
    FILM.zh: (FILM.en, FILM.plural),
}


class Pair(NamedTuple):
    """Hold a sentence in both languages, words separated by spaces, and the number of its meaning."""

    chinese: str
    english: str
    meaning: int

    @property
    def raw(self) -> str:
        """Return the Chinese sentence as it is written, without spaces."""
        return self.chinese.replace(" ", "")


class Occurrence(NamedTuple):
    """Hold an ambiguous word in its sentence: `sentence.split()[position]`; `sense` is its meaning there."""

    sentence: str
    position: int
    sense: str


class MicroLanguage:
    """Hold all sentence pairs of the language. All pairs are equally likely.

    Sentences with the same meaning but other words, another order or another construction are paraphrases. A meaning is
    in one split only: a tenth of the meanings each in "valid" and in "test", the others in "train".

    Examples
    --------
    >>> micro_language()
    <MicroLanguage: 29,531 meanings in 69,992 sentence pairs>
    """

    def __init__(self, split_seed: int = 0) -> None:
        meanings = [meaning for frame in FRAMES for meaning in frame()]
        self.everything: list[Pair] = [
            Pair(*spelt, index)
            for index, meaning in enumerate(meanings)
            for form in meaning.forms()
            for spelt in spell_out(*form)
        ]
        self.meanings = len(meanings)
        order = list(range(self.meanings))
        random.Random(split_seed).shuffle(order)
        tenth = self.meanings // 10
        self._split_of = dict.fromkeys(order, "train")
        self._split_of |= dict.fromkeys(order[:tenth], "test")
        self._split_of |= dict.fromkeys(order[tenth : 2 * tenth], "valid")

    def __repr__(self) -> str:
        return f"<MicroLanguage: {self.meanings:,} meanings in {len(self.everything):,} sentence pairs>"

    @cached_property
    def vocabulary(self) -> dict[str, Vocabulary]:
        """Return the vocabulary of each language: every word that occurs, with its id."""
        return {language: Vocabulary(self._column(language)) for language in LANGUAGES}

    @cached_property
    def classes(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return the words of each class, by language, most frequent first. A word with two meanings may be in two classes.

        Examples
        --------
        >>> micro_language().classes["english"]["animal"][:4]
        ('dog', 'cat', 'bat', 'fish')
        """
        return {
            language: {name: tuple(word for word in ids if word in members) for name, members in CLASSES[language].items()}
            for language, ids in ((name, vocabulary.ids) for name, vocabulary in self.vocabulary.items())
        }

    def pairs(self, split: str = "train", n: int | None = None, seed: int = 0) -> list[Pair]:
        """Return different pairs of a split, in an order that depends on the seed.

        Parameters
        ----------
        split : str, optional
            "train", "valid" or "test".
        n : int or None, optional
            Number of pairs; None for all.
        seed : int, optional
            Seed of the order, 0 or more.

        Examples
        --------
        >>> (pair,) = micro_language().pairs("test", 1)
        >>> pair.chinese, pair.english, pair.raw
        ('医生 现在 在 学校 里 吃 什么', 'what is the doctor eating at school now', '医生现在在学校里吃什么')
        """
        return some_of(self._by_split, split, n, seed)

    @cached_property
    def _by_split(self) -> dict[str, list[Pair]]:
        return {split: [pair for pair in self.everything if self._split_of[pair.meaning] == split] for split in SPLITS}

    def sentences(self, language: str, split: str = "train", n: int | None = None, seed: int = 0) -> list[str]:
        """Return the sentences of `pairs` in one language.

        Parameters
        ----------
        language : str
            "chinese" or "english".
        split : str, optional
            As in `pairs`.
        n : int or None, optional
            As in `pairs`.
        seed : int, optional
            As in `pairs`.
        """
        return [getattr(pair, checked_language(language)) for pair in self.pairs(split, n, seed)]

    def paraphrases(self, split: str = "train", n: int | None = None, seed: int = 0) -> list[list[Pair]]:
        """Return groups of pairs; the two or more pairs of a group have the same meaning.

        Parameters
        ----------
        split : str, optional
            "train", "valid" or "test".
        n : int or None, optional
            Number of groups; None for all.
        seed : int, optional
            Seed of the order, 0 or more.

        Examples
        --------
        >>> [[pair.english for pair in group] for group in micro_language().paraphrases("test", 1)]
        [['they will go to the hospital on foot tomorrow', 'tomorrow they will go to the hospital on foot']]
        """
        groups: dict[int, list[Pair]] = {}
        for pair in self.pairs(split, seed=seed):
            groups.setdefault(pair.meaning, []).append(pair)
        paraphrases = [group for group in groups.values() if len(group) > 1]
        return list(first_of(paraphrases, split, n))

    def translations(self, source: str = "chinese") -> dict[str, str]:
        """Return the translation of every sentence of the language `source`.

        Examples
        --------
        >>> micro_language().translations()["有 两 只 鸟 在 桌子 上"]
        'two birds are on the table'
        """
        target = LANGUAGES[1 - LANGUAGES.index(checked_language(source))]
        return {getattr(pair, source): getattr(pair, target) for pair in self.everything}

    def occurrences(self, word: str, split: str = "train", n: int | None = None, seed: int = 0) -> list[Occurrence]:
        """Return sentences with an ambiguous word, and the sense that it has in each, taken from the translation.

        Parameters
        ----------
        word : str
            One of `AMBIGUOUS`: bat (animal, thing), watch (verb, thing), play, 看 (read, watch), 会 (will, can).
        split : str, optional
            "train", "valid" or "test".
        n : int or None, optional
            Number of sentences; None for all.
        seed : int, optional
            Seed of the order, 0 or more.

        Raises
        ------
        ValueError
            If the word has only one sense.
        """
        language = next((name for name, entries in AMBIGUOUS.items() if word in entries), None)
        if language is None:
            raise ValueError(f"{word!r} is not among the words with several senses")
        occurrences = []
        for pair in self.pairs(split, seed=seed):
            here, there = (pair.chinese, pair.english) if language == "chinese" else (pair.english, pair.chinese)
            words = here.split()
            if word in words:
                other = set(there.split())
                (sense,) = (name for name, signs in AMBIGUOUS[language][word].items() if other & set(signs))
                occurrences.append(Occurrence(here, words.index(word), sense))
        return list(first_of(occurrences, split, n))

    @cache  # noqa: B019 - the only instance lives as long as the program
    def entropy(self, window: int | None = None, language: str = "english") -> float:
        """Return the entropy of the next word in nats per token.

        Its exponential is the perplexity of a model that knows the language perfectly and sees the words of the window only.

        Parameters
        ----------
        window : int or None, optional
            Number of words that are known before the next one; None for all.
        language : str, optional
            "chinese" or "english".

        Examples
        --------
        >>> [round(micro_language().entropy(window), 3) for window in (1, 2, None)]
        [2.15, 1.62, 1.278]
        """
        vocabulary = self.vocabulary[checked_language(language)]
        sentences = [vocabulary.encode(sentence) for sentence in self._column(language)]
        return entropy(sentences, len(vocabulary), window, vocabulary.bos, vocabulary.eos)

    @cache  # noqa: B019 - the only instance lives as long as the program
    def next_word(self, window: int | None = None, language: str = "english") -> NextWord:
        """Return the model of the next word, which gives probabilities and the surprise of each word: see `NextWord`.

        Parameters
        ----------
        window : int or None, optional
            Number of words that are known before the next one; None for all.
        language : str, optional
            "chinese" or "english".

        Examples
        --------
        >>> micro_language().next_word(1).after("those")
        {'two': 1.0}
        >>> surprise = micro_language().next_word().surprise("she is very happy today")
        >>> round(sum(surprise), 3)  # of every sentence the same: the ln of how many there are
        11.156
        """
        return NextWord(self._column(checked_language(language)), window)

    def _column(self, language: str) -> list[str]:
        return [getattr(pair, language) for pair in self.everything]


def checked_language(language: str) -> str:
    """Return the language, or raise ValueError if it is neither "chinese" nor "english"."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}: there are {' and '.join(LANGUAGES)}")
    return language


@cache
def micro_language(split_seed: int = 0) -> MicroLanguage:
    """Return the language; it is made at the first call (a second or two) and cached."""
    return MicroLanguage(split_seed)


def spell_out(chinese: str, english: str) -> Iterator[tuple[str, str]]:
    """Yield one pair of sentences for each choice of synonyms, with the same choices in both languages.

    Parameters
    ----------
    chinese, english : str
        Sentences in which a bar separates synonyms.

    Examples
    --------
    >>> list(spell_out("看 电影|影片", "watch films|movies"))
    [('看 电影', 'watch films'), ('看 影片', 'watch movies')]
    """
    if "|" not in chinese:
        yield chinese, english
        return
    barred = next(word for word in chinese.split() if "|" in word)
    for choice, word in enumerate(barred.split("|")):
        spelt = english
        for form in _SYNONYMS[barred]:
            spelt = spelt.replace(form, form.split("|")[choice])
        yield from spell_out(chinese.replace(barred, word), spelt)
