"""The map of all 1,797 handwritten digits: too large for a lesson, so it was made once and is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch

from ...data.files import data_file
from ...learner.own_tables import Table, read_table
from .four_clouds import digits
from .map_making import Pieces, make_map

__all__ = ["ALL", "make", "whole"]

ALL, PERPLEXITY, STEPS = 1797, 30.0, 500


def make(
    squared_distances: Callable[..., torch.Tensor],
    conditional_probabilities: Callable[..., torch.Tensor],
    joint_probabilities: Callable[..., torch.Tensor],
    tsne_gradient: Callable[..., torch.Tensor],
) -> Table:
    """Where each digit stands (1797, 2), and its name."""
    pieces = Pieces(squared_distances, conditional_probabilities, joint_probabilities, tsne_gradient)
    x, names = digits(ALL)
    return Table(make_map(pieces, x, PERPLEXITY, STEPS).y, tuple(map(str, names.tolist())))


def whole(rerun: Callable[[], Table] | Literal[False] = False) -> torch.Tensor:
    """The map (1797, 2) as recorded, or of a run here and now. Says which in a line."""
    print(f"{'Run here and now' if rerun else 'Recorded'}: {ALL:,} digits, perplexity {PERPLEXITY:g}, {STEPS} steps, seed 0")
    return (rerun() if rerun else read_table(data_file("tables/10_digits_map.safetensors"), own=False)).vectors
