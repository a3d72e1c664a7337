"""Make the map of all 1,797 handwritten digits, which is too slow for a lesson, and load its record."""

from collections.abc import Callable
from typing import Literal

import torch

from ...data.files import data_file
from ...learner.own_tables import Table, read_table
from ...messages import say, translate
from .four_clouds import digits
from .map_making import Pieces, make_map

ALL, PERPLEXITY, STEPS = 1797, 30.0, 500


def make(
    squared_distances: Callable[..., torch.Tensor],
    conditional_probabilities: Callable[..., torch.Tensor],
    joint_probabilities: Callable[..., torch.Tensor],
    tsne_gradient: Callable[..., torch.Tensor],
) -> Table:
    """Return the position (1797, 2) of each digit on the map, and its name.

    Parameters
    ----------
    squared_distances, conditional_probabilities, joint_probabilities, tsne_gradient : Callable[..., torch.Tensor]
        The learner's functions that t-SNE is made of.
    """
    pieces = Pieces(squared_distances, conditional_probabilities, joint_probabilities, tsne_gradient)
    x, names = digits(ALL)
    return Table(make_map(pieces, x, PERPLEXITY, STEPS).y, tuple(map(str, names.tolist())))


def whole(rerun: Callable[[], Table] | Literal[False] = False) -> torch.Tensor:
    """Return the recorded map (1797, 2), or that of a new run, and print which."""
    setting = translate(
        "{digits:,} digits, perplexity {perplexity:g}, {steps} steps, seed 0", digits=ALL, perplexity=PERPLEXITY, steps=STEPS
    )
    say("Run here and now: {source}" if rerun else "Recorded: {source}", source=setting)
    return (rerun() if rerun else read_table(data_file("tables/10_digits_map.safetensors"), own=False)).vectors
