"""Measure the search of a causal encoder with two poolings, and the effect of column positions and of column -1."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ...data.micro import micro_language
from ..curves import Curves
from . import paraphrases

_STEPS = 150
_SEEDS = range(5)
#: Labels of the ways in which the encoders were searched with.
SEARCHED = {
    "last": "last",
    "last_right": "last, padded on the right",
    "last_by_column": "last, positions by column",
    "column_right": "column -1, padded on the right",
    "mean": "mean",
    "mean_both": "mean, both ways",
}
Pool = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def search_share(encoder: nn.Module, side: str = "left") -> float:
    """Return the share of test sentences whose nearest neighbour is a paraphrase, each batch padded on `side`."""
    return paraphrases.score(paraphrases.encode(encoder, side)).search


def measure(CausalEncoder: Callable[..., Any], pool_last: Pool, pool_mean: Pool) -> Curves:
    """Train encoders with five seeds; a curve is over the seeds, its values are shares of paraphrases found.

    Parameters
    ----------
    CausalEncoder : Callable[..., Any]
        The lesson's: (size, pool, causal) to a module with the attributes `by_column` and `pool`.
    pool_last, pool_mean : Pool
        The learner's poolings.
    """
    size = len(micro_language().vocabulary["chinese"])
    shares: dict[str, list[tuple[float, float]]] = {}
    for seed in _SEEDS:

        def keep(name: str, encoder: nn.Module, side: str = "left", seed: int = seed) -> None:
            shares.setdefault(name, []).append((seed, search_share(encoder, side)))

        for name, pool, causal in (("last", pool_last, True), ("mean", pool_mean, True), ("mean_both", pool_mean, False)):
            torch.manual_seed(seed)
            encoder = CausalEncoder(size, pool, causal)
            paraphrases.train(encoder, _STEPS, side="left", seed=seed)
            keep(name, encoder)
            if name == "last":
                keep("last_right", encoder, "right")
                encoder.by_column = True
                keep("last_by_column", encoder)
                encoder.by_column, encoder.pool = False, lambda x, mask: x[:, -1]
                keep("column_right", encoder, "right")
    data = "Chinese paraphrases of the micro-language, seeds 0 to 4"
    return Curves(seed=0, steps=_STEPS, curves=shares, labels=SEARCHED, data=data)
