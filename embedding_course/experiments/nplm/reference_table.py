"""Train the word vectors of notebook 04's real text, the Python language reference, as in the lesson."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ...data import language_reference
from ...learner.own_tables import Table
from ..training import Batches, descend, train
from .reference_words import NEVER_SEEN

COMMONEST = 1000  # Number of words that are kept.


def reference_table(skip_gram_pairs: Callable[..., Any], sgns_loss: Callable[..., torch.Tensor]) -> Table:
    """Return vectors of width 64 of the most frequent words.

    They are trained on 1,000 batches of 2,048 pairs with five negatives each, with seed 0.
    """
    paragraphs = [paragraph.split() for topic in language_reference.documents().values() for paragraph in topic]
    counts = Counter(word for paragraph in paragraphs for word in paragraph if word not in NEVER_SEEN)
    lexicon = [word for word, count in counts.most_common() if count >= 3]
    number = {word: i for i, word in enumerate(lexicon)}
    frequency = torch.tensor([counts[word] for word in lexicon]).float()
    stays = (0.003 / (frequency / frequency.sum())).sqrt().clamp(max=1).tolist()
    draw = random.Random(0)
    numbered = [[number[word] for word in paragraph if word in number] for paragraph in paragraphs]
    thinned = [[i for i in ids if draw.random() < stays[i]] for ids in numbered]
    pairs = torch.tensor([pair for ids in thinned for pair in skip_gram_pairs(ids, 2)])
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        vectors, contexts = _small(len(lexicon)), _small(len(lexicon))
        optimizer = torch.optim.Adam([*vectors.parameters(), *contexts.parameters()], lr=5e-3)

        def step(batch: tuple[torch.Tensor, ...]) -> float:
            (near,) = batch
            drawn = torch.multinomial(frequency.pow(0.75), 5 * len(near), replacement=True).view(-1, 5)
            loss = sgns_loss(vectors(near[:, 0]), contexts(near[:, 1]), contexts(drawn))
            return descend(optimizer, loss)

        train(step, Batches((pairs,), 2048, 1000))
    return Table(vectors.weight.detach()[:COMMONEST], tuple(lexicon[:COMMONEST]))


def _small(words: int) -> nn.Embedding:
    table = nn.Embedding(words, 64)
    nn.init.normal_(table.weight, std=0.1)
    return table
