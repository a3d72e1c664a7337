"""Measure what GloVe's vectors are worth for the course's texts: which words they hold, and what they add to training."""

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from statistics import fmean, stdev

import regex
import torch

from ...data import language_reference
from ...data.dog_and_machine import story
from ...data.published import PublishedError, WordVectors, glove
from ...messages import translatable
from ..curves import Curves
from ..onehot_vs_lookup.character_ngrams import ngrams
from . import pretrained

#: Words of training text.
SIZES = (2_000, 8_000, 32_000)
SEEDS = range(10)
#: The t distribution's 97.5 % quantile for ten seeds.
_T_QUANTILE = 2.262
_WORDS_OF_TEXT = 2_000
_WORDS_FOR_NGRAMS = 20_000

STORY, LOWER, CUT, REFERENCE = (
    translatable("story, at spaces"),
    translatable("story, in lower case"),
    translatable("story, signs apart"),
    translatable("language reference"),
)
#: The n-grams' row among the starts of a word without a vector.
NGRAMS = translatable("mean of its n-grams")


def glove_or_none() -> WordVectors | None:
    """Return GloVe, or print how to get it and return None."""
    try:
        return glove()
    except PublishedError as error:
        print(error)
        return None


def texts() -> dict[str, Sequence[str]]:
    """Return the words of the story, cut in three ways, and those of the language reference."""
    english = story("english")
    return {
        STORY: english.split(),
        LOWER: english.lower().split(),
        CUT: regex.findall(r"\w+|[^\w\s]", english.lower()),
        REFERENCE: language_reference.words(),
    }


def coverage(text: Sequence[str], known: Collection[str]) -> tuple[float, float]:
    """Return the known share of the different words of a text, and of its running words.

    Examples
    --------
    >>> coverage(["a", "a", "a", "b"], {"a"})
    (0.5, 0.75)
    """
    counts = Counter(text)
    held = [word for word in counts if word in known]
    return len(held) / len(counts), sum(counts[word] for word in held) / counts.total()


def quick_numbers(vectors: WordVectors) -> dict[str, float]:
    """Return what is measured in seconds: the coverage of each text, and how near each start is to a word's vector."""
    shares = {name: coverage(text, vectors.index) for name, text in texts().items()}
    numbers = {
        f"{name}, {kind}": share[part] for name, share in shares.items() for part, kind in enumerate(("types", "tokens"))
    }
    return numbers | unknown_starts(vectors)


def unknown_starts(vectors: WordVectors, count: int = 500) -> dict[str, float]:
    """Return the mean distance of each start of an unknown word from its true vector, relative to a row of zeros.

    Every second rarer word of the language reference is treated as unknown. The vector of an n-gram is the mean over the
    20,000 most frequent known words that contain it.

    Parameters
    ----------
    vectors : WordVectors
        GloVe.
    count : int, optional
        Number of words that are treated as unknown.
    """
    frequent = [word for word in _common_words() if word in vectors.index and word.isalpha()]
    unknown = frequent[1_000::2][:count]
    hidden = set(unknown)
    known = [word for word in vectors.words[: 2 * _WORDS_FOR_NGRAMS] if word.isalpha() and word not in hidden]
    known = known[:_WORDS_FOR_NGRAMS]
    given, wanted = (vectors.vectors[[vectors.index[word] for word in part]] for part in (known, unknown))
    guesses = from_ngrams(known, given, unknown)
    return pretrained.cold_starts(given, wanted) | {NGRAMS: pretrained.relative_distance(guesses, wanted)}


def from_ngrams(known: Sequence[str], given: torch.Tensor, unknown: Sequence[str]) -> torch.Tensor:
    """Return a vector for each unknown word, (N, d): the mean over its n-grams.

    The vector of an n-gram is the mean over the known words that contain it, drawn towards the mean of all words by one more
    word. An n-gram of no known word counts as this mean.

    Parameters
    ----------
    known : Sequence[str]
        V words with a vector.
    given : torch.Tensor
        Their vectors, (V, d).
    unknown : Sequence[str]
        N words.
    """
    mean = given.mean(dim=0)
    wanted = {ngram for word in unknown for ngram in ngrams(word)}
    words_of: dict[str, list[int]] = {}
    for row, word in enumerate(known):
        for ngram in wanted & ngrams(word):
            words_of.setdefault(ngram, []).append(row)
    shift = {ngram: (given[rows] - mean).sum(dim=0) / (len(rows) + 1) for ngram, rows in words_of.items()}
    nothing = torch.zeros_like(mean)
    return torch.stack(
        [mean + torch.stack([shift.get(ngram, nothing) for ngram in ngrams(word)]).mean(dim=0) for word in unknown]
    )


def _common_words() -> list[str]:
    text = " ".join(language_reference.sentences("train")).split()
    return [word for word, _ in Counter(text).most_common()]


def measure(load_pretrained: Callable[..., tuple[torch.Tensor, torch.Tensor]]) -> Curves:
    """Train on texts of each size with each start of the table, and record the test loss.

    The seed draws the paragraphs to train on, the new rows and the batches. Each word is trained on about three times.

    Parameters
    ----------
    load_pretrained
        The learner's function.

    Raises
    ------
    PublishedError
        If GloVe is not installed.
    """
    vectors = glove()
    vocab = {word: row for row, word in enumerate(["<unk>", *_common_words()[: _WORDS_OF_TEXT - 1]])}
    rows = {word: vectors.vectors[vectors.index[word]] for word in vocab if word in vectors.index}
    factor = pretrained.LENGTH / fmean(row.norm().item() for row in rows.values())
    scaled = {word: factor * row for word, row in rows.items()}
    test = _ids(language_reference.sentences("test"), vocab)
    curves: dict[str, list[tuple[float, float]]] = {name: [] for name in (*pretrained.WAYS, "lead", "low", "high")}
    for size in SIZES:
        losses: dict[str, list[float]] = {way: [] for way in pretrained.WAYS}
        for seed in SEEDS:
            paragraphs = language_reference.sentences("train")
            random.Random(seed).shuffle(paragraphs)
            short = _ids(paragraphs, vocab)[:size]
            matrix, known = load_pretrained(
                vocab, scaled, vectors.vectors.shape[1], generator=torch.Generator().manual_seed(seed)
            )
            for way in pretrained.WAYS:
                outcome = pretrained.compare(way, matrix, known, short, test, steps=size // 40, seed=seed)
                losses[way].append(outcome.whole)
        for way, values in losses.items():
            curves[way].append((size, fmean(values)))
        _, trained_on, frozen = losses.values()
        lead, margin = _interval([kept - free for free, kept in zip(trained_on, frozen, strict=True)])
        for name, value in (("lead", lead), ("low", lead - margin), ("high", lead + margin)):
            curves[name].append((size, value))
    data = translatable("Python language reference, ten seeds")
    return Curves(0, SIZES[-1] // 40, curves, quick_numbers(vectors) | {"test words": len(test)}, data=data)


def _ids(paragraphs: Sequence[str], vocab: dict[str, int]) -> torch.Tensor:
    return language_reference.ids_of(tuple(" ".join(paragraphs).split()), vocab)


def _interval(differences: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the half width of its 95 % interval over the seeds."""
    return fmean(differences), _T_QUANTILE * stdev(differences) / math.sqrt(len(differences))
