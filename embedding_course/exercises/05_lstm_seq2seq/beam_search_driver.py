"""How `05.beam_search` is tried: with a model that is a table, and by how the model was called."""

from collections.abc import Callable
from typing import Any

import torch

from ...checking.exercise import NamedParts


class _Model:
    """Log-probabilities for each state; `onward` says which state follows on which token. It starts in state 0."""

    def __init__(self, scores: torch.Tensor, onward: torch.Tensor, bos: int) -> None:
        self.rows, self.onward, self.bos = scores.log_softmax(dim=1), onward, bos
        self.most = self.longest = 0

    def step(self, prefixes: torch.Tensor) -> torch.Tensor:
        if not isinstance(prefixes, torch.Tensor) or prefixes.dtype != torch.int64:
            what = str(prefixes.dtype) if isinstance(prefixes, torch.Tensor) else f"a {type(prefixes).__name__}"
            raise TypeError(f"step takes a tensor of int64; it was called with {what}")
        if prefixes.ndim != 2 or prefixes.shape[1] == 0:
            raise ValueError(f"step takes prefixes of shape (k, t); it was called with shape {tuple(prefixes.shape)}")
        if not bool((prefixes[:, 0] == self.bos).all()):
            raise ValueError("every prefix begins with bos; step was called with one that does not")
        self.most, self.longest = max(self.most, prefixes.shape[0]), max(self.longest, prefixes.shape[1])
        state = torch.zeros(len(prefixes), dtype=torch.int64)
        for token in prefixes[:, 1:].unbind(dim=1):
            state = self.onward[state, token]
        return self.rows[state]


def run(
    candidate: Callable[..., Any],
    scores: torch.Tensor,
    onward: torch.Tensor,
    bos: int,
    eos: int,
    width: int,
    max_len: int,
    calls: bool = False,
) -> NamedParts:
    """Search, and name the types of the tokens, since a tensor would compare equal to an int; with `calls` also how many
    prefixes the model was given at once, and how long they were."""
    model = _Model(scores, onward, bos)
    sequence = candidate(model.step, bos, eos, width, max_len)
    tokens = sequence if isinstance(sequence, (list, tuple)) else ()
    types = sorted({type(token).__name__ for token in tokens})
    parts = NamedParts({"sequence": sequence, "types of the tokens": types})
    if calls:
        parts["most prefixes in one call"], parts["longest prefix"] = model.most, model.longest
    return parts
