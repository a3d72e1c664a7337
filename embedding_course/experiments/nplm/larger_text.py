"""Train word vectors on the docstrings of the installed libraries, with the learner's loss and with gensim, and test them.

The text is about twenty times as long as the language reference, so that more words of the published tests occur in it.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch

from ...data import api_search, language_reference
from ...data.published import glove, word_similarity
from ..curves import Curves
from ..training import Batches, descend, train
from .reference_words import kinds_of
from .skip_gram import SkipGram
from .word_classes import neighbour_accuracy
from .word_ratings import cosines, known_pairs, lead, spearman

WIDTH, WINDOW, EPOCHS, SEEDS = 50, 2, 3, (0, 1, 2)
LEAST = 5  # A word needs so many occurrences to get a vector.
SAMPLE = 1e-3  # word2vec's t: what makes up a larger share of the text is thinned.
TESTS = ("simlex999", "wordsim353")
#: Power of the noise distribution, number of negatives. The first setting is word2vec's own.
SETTINGS = ((0.75, 5), (0.0, 5), (1.0, 5), (0.75, 1), (0.75, 15))
_BATCH = 4096
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Text:
    """Hold paragraphs of ids, the word of each id, the most frequent first, and how often each word occurs, (V,)."""

    paragraphs: list[list[int]]
    words: list[str]
    counts: torch.Tensor

    def thinned(self, seed: int) -> list[list[int]]:
        """Return the paragraphs without the words that subsampling drops. Common words are dropped most often."""
        stays = (SAMPLE / (self.counts / self.counts.sum())).sqrt().clamp(max=1).tolist()
        draw = random.Random(seed)
        return [[word for word in paragraph if draw.random() < stays[word]] for paragraph in self.paragraphs]


@cache
def read_text() -> Text:
    """Return the docstrings of the installed libraries and the language reference as one text, in lower case."""
    texts = [text for entry in api_search.everything() for text in (entry.summary, entry.body)]
    texts += [paragraph for topic in language_reference.documents().values() for paragraph in topic]
    paragraphs = [_WORD.findall(text.lower()) for text in texts]
    counts = Counter(word for paragraph in paragraphs for word in paragraph)
    words = [word for word, count in counts.most_common() if count >= LEAST]
    ids = {word: index for index, word in enumerate(words)}
    numbered = [[ids[word] for word in paragraph if word in ids] for paragraph in paragraphs]
    return Text(numbered, words, torch.tensor([counts[word] for word in words]).float())


def train_ours(
    text: Text,
    skip_gram_pairs: Callable[..., Any],
    sgns_loss: Callable[..., torch.Tensor],
    power: float,
    negatives: int,
    seed: int,
) -> torch.Tensor:
    """Return vectors (V, d) that were trained with the learner's pairs and loss, by Adam."""
    pairs = torch.tensor([pair for ids in text.thinned(seed) for pair in skip_gram_pairs(ids, WINDOW)])
    model = SkipGram(text.counts.pow(power), WIDTH, negatives, seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    steps = EPOCHS * len(pairs) // _BATCH
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, total_iters=steps)

    def step(batch: tuple[torch.Tensor, ...]) -> float:
        loss = descend(optimizer, sgns_loss(*model(batch[0])))
        schedule.step()
        return loss

    train(step, Batches((pairs,), _BATCH, steps, seed))
    return model.embedding.weight.detach()


def train_gensim(text: Text, power: float, negatives: int, seed: int) -> torch.Tensor:
    """Return vectors (V, d) that gensim's Word2Vec was trained to, with the same settings."""
    from gensim.models import Word2Vec  # pyright: ignore[reportMissingImports]

    settings = {"vector_size": WIDTH, "window": WINDOW, "shrink_windows": False, "epochs": EPOCHS, "sample": SAMPLE}
    noise = {"sg": 1, "hs": 0, "negative": negatives, "ns_exponent": power}
    sentences = [[text.words[word] for word in paragraph] for paragraph in text.paragraphs]
    model = Word2Vec(sentences, min_count=LEAST, workers=1, seed=seed + 1, **settings, **noise)
    return torch.from_numpy(model.wv[text.words])


def _nearest(vectors: torch.Tensor, index: int, k: int) -> list[int]:
    closeness = torch.cosine_similarity(vectors, vectors[index : index + 1], dim=1)
    closeness[index] = -2
    return closeness.topk(k).indices.tolist()


def measure(skip_gram_pairs: Callable[..., Any], sgns_loss: Callable[..., torch.Tensor]) -> Curves:
    """Return three measures of the vectors of both trainers, of every setting, and of GloVe.

    A curve is named "trainer, power, negatives: measure" and has a point for each seed. The measures are Spearman's correlation
    on the two word tests, for the pairs of which both words occur in the text, and the fraction of words with a nearest
    neighbour of their kind. `numbers` holds GloVe's measures, how many pairs there are, and the ends of intervals of leads.
    """
    text = read_text()
    index = {word: row for row, word in enumerate(text.words)}
    kinds = kinds_of(text.words)
    rated = {test: known_pairs(word_similarity(test), index) for test in TESTS}
    found: dict[str, list[torch.Tensor]] = {}
    for power, negatives in SETTINGS:
        found[_name("ours", power, negatives)] = [
            train_ours(text, skip_gram_pairs, sgns_loss, power, negatives, seed) for seed in SEEDS
        ]
        found[_name("gensim", power, negatives)] = [train_gensim(text, power, negatives, seed) for seed in SEEDS]
    measured: dict[str, list[tuple[float, float]]] = {}
    for name, runs in found.items():
        for test, (rows, ratings) in rated.items():
            values = [spearman(cosines(run, rows), ratings) for run in runs]
            measured[f"{name}: {test}"] = list(zip(SEEDS, values, strict=True))
        kindred = [neighbour_accuracy(run, kinds, _nearest) for run in runs]
        measured[f"{name}: kinds"] = list(zip(SEEDS, kindred, strict=True))
    numbers = _numbers(text, found, rated) | {"words": sum(map(len, text.paragraphs)), "kinds, words": len(kinds)}
    return Curves(0, 0, measured, numbers, data=api_search.fingerprint())


def _name(trainer: str, power: float, negatives: int) -> str:
    return f"{trainer}, {power:g}, {negatives}"


def _numbers(
    text: Text, found: dict[str, list[torch.Tensor]], rated: dict[str, tuple[torch.Tensor, torch.Tensor]]
) -> dict[str, float]:
    """Return GloVe's correlations, numbers of pairs, and the intervals of leads over the first setting."""
    published, numbers = glove(), {"distinct words": float(len(text.words))}
    for test, (rows, ratings) in rated.items():
        whole = word_similarity(test)
        every, every_rating = known_pairs(whole, published.index)
        here = torch.tensor([[published.index[text.words[word]] for word in pair] for pair in rows.tolist()])
        numbers[f"{test}, pairs"] = len(rows)
        numbers[f"{test}, pairs of the test"] = len(whole.pairs)
        numbers[f"{test}, pairs of GloVe"] = len(every)
        numbers[f"{test}, GloVe on every pair"] = spearman(cosines(published.vectors, every), every_rating)
        of_glove = cosines(published.vectors, here)
        numbers[f"{test}, GloVe"] = spearman(of_glove, ratings)
        runs = {name: [cosines(run, rows) for run in tables] for name, tables in found.items()} | {"GloVe": [of_glove]}
        for trainer in ("ours", "gensim"):
            first = _name(trainer, *SETTINGS[0])
            rivals = [_name(trainer, *setting) for setting in SETTINGS[1:]] + ["GloVe"]
            for rival in [*rivals, _name("gensim", *SETTINGS[0])]:
                if rival != first:
                    numbers |= _ends(f"{test}, {rival} minus {first}", lead(runs[rival], runs[first], ratings, draws=1000))
    return numbers


def _ends(name: str, interval: Sequence[float]) -> dict[str, float]:
    return {f"{name}, {end}": value for end, value in zip(("low", "high"), interval, strict=True)}
