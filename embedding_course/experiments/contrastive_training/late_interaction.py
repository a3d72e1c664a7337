"""Represent texts as many vectors, one for each word, which the search engine's encoder would add up (late interaction).

A word of a question has a unit vector, multiplied by its share of the question's weights; a word of a text has a unit
vector. The score of a text by `max_sim` therefore lies between -1 and 1, as a cosine does. A word's vector does not depend
on its context here; in ColBERT a Transformer computes the vectors, and a word's vector depends on its sentence.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import NamedTuple

import torch
import torch.nn.functional as F

from ...data import api_search
from ...data.api_search import Entry
from ..curves import Curves
from ..training import Batches, descend
from ..training import train as loop
from .search_model import DenseGradients, Encoder
from .search_text import Chosen, Texts
from .search_training import Setting, similarities
from .search_training import train as train_engine

MaxSim = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
STEPS, BATCH, SCALE = 300, 64, 12.0
#: Labels of the trained encoders, and of the ways to search with them.
RUNS = {"first": "as it was", "one": "trained on, one vector", "many": "trained on, max_sim"}
WAYS = {"one_vector": "one vector", "max_sim": "max_sim"}
RATES = {"one": 3e-3, "many": 1e-2}  # Each is the better of 0.003 and 0.01 on the validation pairs.


class Padded(NamedTuple):
    """Hold vectors (N, T, d) and a mask (N, T), true at real words."""

    vectors: torch.Tensor
    mask: torch.Tensor


def _padded(vectors: torch.Tensor, some: Chosen) -> Padded:
    lengths = torch.bincount(some.owner, minlength=some.number)
    mask = torch.arange(max(int(lengths.max()), 1)) < lengths[:, None]
    filled = vectors.new_zeros(*mask.shape, vectors.shape[1])
    return Padded(filled.masked_scatter(mask[:, :, None], vectors), mask)


def _questions(encoder: Encoder, some: Chosen) -> list[torch.Tensor]:
    vectors, weights = encoder.tokens(some, "question")
    total = weights.new_zeros(some.number).index_add(0, some.owner, weights)
    sizes = torch.bincount(some.owner, minlength=some.number).tolist()
    return list((vectors * (weights / total[some.owner])[:, None]).split(sizes))


@torch.no_grad()
def questions(encoder: Encoder, entries: Sequence[Entry]) -> list[torch.Tensor]:
    """Return for each summary the vectors of its different words, (Tq, d)."""
    return _questions(encoder, Texts.of((entry.summary for entry in entries), encoder.words).chosen())


@torch.no_grad()
def bodies(encoder: Encoder, entries: Sequence[Entry]) -> Padded:
    """Return the vectors of the different words of each body, padded."""
    some = Texts.of((entry.body for entry in entries), encoder.words).chosen()
    return _padded(encoder.tokens(some, "answer")[0], some)


@torch.no_grad()
def scores(max_sim: MaxSim, encoder: Encoder, entries: Sequence[Entry]) -> torch.Tensor:
    """Return how well each body answers each summary, (N, N)."""
    texts = bodies(encoder, entries)
    return torch.stack([max_sim(question, *texts) for question in questions(encoder, entries)])


def train(
    max_sim: MaxSim | None,
    first: Encoder,
    entries: Sequence[Entry],
    seed: int = 0,
    steps: int = STEPS,
    batch: int = BATCH,
) -> Encoder:
    """Return a copy of an encoder after further training.

    Parameters
    ----------
    max_sim : MaxSim or None
        The learner's `max_sim`, which scores one question against the tokens of all texts. None trains with one vector for each
        text.
    first : Encoder
        The encoder to start from; it is unchanged.
    entries : Sequence[Entry]
        Training pairs.
    seed : int, optional
        Seed of the batches and of the dropout.
    steps : int, optional
        Number of steps.
    batch : int, optional
        Number of pairs in a batch.
    """
    torch.manual_seed(seed)
    encoder = deepcopy(first).train()
    asked = Texts.of((entry.summary for entry in entries), encoder.words)
    answered = Texts.of((entry.body for entry in entries), encoder.words)
    optimizer = torch.optim.AdamW(encoder.parameters(), weight_decay=0.01, fused=True)
    dense, done = DenseGradients(encoder), 0
    peak = RATES["many" if max_sim else "one"]

    def step(rows: tuple[torch.Tensor]) -> float:
        nonlocal done
        (chosen,) = rows
        for group in optimizer.param_groups:
            group["lr"] = peak * (1 - done / steps)
        done += 1
        asking, answering = asked.chosen(chosen, 0.1), answered.chosen(chosen, 0.3 + 0.5 * torch.rand(()).item())
        if max_sim is None:
            q, a = encoder.together(("question", asking), ("answer", answering))
            similarity = q @ a.T
        else:
            texts = _padded(encoder.tokens(answering, "answer")[0], answering)
            similarity = torch.stack([max_sim(question, *texts) for question in _questions(encoder, asking)])
        loss = F.cross_entropy(SCALE * similarity, torch.arange(len(chosen)))
        return descend(optimizer, loss, dense.fill)

    loop(step, Batches((torch.arange(len(entries)),), batch, steps, seed), None)
    return encoder.eval()


def measure(
    info_nce: Callable[..., torch.Tensor],
    warmup_cosine: Callable[..., float],
    max_sim: MaxSim,
    recall_at_k: Callable[[torch.Tensor, torch.Tensor, int], float],
) -> Curves:
    """Return the recall of one and of many vectors for each text, before and after training with either loss, by seed.

    Parameters
    ----------
    info_nce, warmup_cosine : Callable
        The learner's functions that train the first encoder.
    max_sim : MaxSim
        The learner's `max_sim`.
    recall_at_k : Callable[[torch.Tensor, torch.Tensor, int], float]
        The learner's function of a score table (Q, N), the right column of each row (Q,) and k.
    """
    entries, held_out = api_search.pairs("train"), api_search.pairs("test", 500)
    right, numbers = torch.arange(len(held_out)), {}
    for seed in range(3):
        first = train_engine(info_nce, warmup_cosine, entries, Setting(seed=seed)).encoder
        trained = {"first": first}
        trained |= {name: train(loss, first, entries, seed) for name, loss in (("one", None), ("many", max_sim))}
        for name, encoder in trained.items():
            tables = {"one_vector": similarities(encoder, held_out), "max_sim": scores(max_sim, encoder, held_out)}
            for way, table in tables.items():
                for k in (1, 10):
                    numbers[f"{name}, {way}, recall@{k}, seed {seed}"] = float(recall_at_k(table, right, k))
    return Curves(0, STEPS, {}, numbers, {**RUNS, **WAYS}, api_search.fingerprint())
