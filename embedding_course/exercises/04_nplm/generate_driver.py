"""How `04.generate` is tried: with a model that is a table, and by what comes out of it, which is judged elsewhere."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn

from ...checking.exercise import NamedParts

#: Texts of which the lengths are counted.
DRAWS = 400
#: Names of parts: the groups of tokens that came up, and which of four texts are equal.
CAME_UP, ALIKE = "tokens that were drawn", "texts that are equal"


class _Lookup(nn.Module):
    """A language model that is one large table: a row of logits for each context."""

    def __init__(self, table: torch.Tensor) -> None:
        super().__init__()
        self.table = nn.Parameter(table.clone())
        self.modes: list[bool] = []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.modes.append(self.training)
        context = self.table.ndim - 1
        if not isinstance(x, torch.Tensor) or x.ndim != 2 or x.shape[1] != context or x.dtype != torch.int64:
            what = f"shape {tuple(x.shape)}, {x.dtype}" if isinstance(x, torch.Tensor) else f"type {type(x).__name__}"
            raise ValueError(f"the model takes int64 ids of shape (B, {context}); it was called with x of {what}")
        return self.table[tuple(x.unbind(dim=1))]


def run(
    candidate: Callable[..., Any],
    table: torch.Tensor,
    prefix: list[int],
    max_tokens: int,
    temperature: float,
    eos: int,
    seed: int,
    report: str,
    groups: Sequence[int],
    training: bool = False,
) -> NamedParts:
    """Call the answer, and report what `report` names.

    Parameters
    ----------
    candidate : callable
        The answer.
    table : tensor of float
        The model: a row of logits for each context.
    prefix, max_tokens, temperature, eos
        The arguments of the answer.
    seed : int
        The seed of the generator.
    report : str
        What to report: "shares" (of groups of neighbouring ids), "lengths" (the shares of the lengths of many texts),
        "generators" (texts from generators with equal and unequal seeds), "model" (the tokens, and the state of the model
        afterwards), or anything else for the tokens alone.
    groups : sequence of int
        How many ids each group holds.
    training : bool
        Whether the model is in training mode.
    """
    model = _Lookup(table).train(training)

    def tokens(generator: torch.Generator, chance: int = 1) -> Any:
        torch.manual_seed(chance)
        return candidate(model, prefix, max_tokens, temperature, eos, generator)

    def seeded(by: int) -> torch.Generator:
        return torch.Generator().manual_seed(by)

    with torch.random.fork_rng(devices=[]):
        generator = seeded(seed)
        if report == "lengths":
            return _lengths(lambda: candidate(model, prefix, max_tokens, temperature, eos, generator), max_tokens)
        drawn = tokens(generator)
        if report == "shares":
            return _shares(drawn, groups)
        if report == "generators":
            return _texts([drawn, tokens(seeded(seed), 2), tokens(generator), tokens(seeded(seed + 1))])
        parts = NamedParts({"tokens": drawn})
        if report == "model":
            parts["modes of the model"] = torch.tensor([*model.modes, model.training], dtype=torch.int64)
            parts["weights of the model afterwards"] = model.table
            parts["weights that can learn"] = [name for name, weight in model.named_parameters() if weight.requires_grad]
        return parts


def _lengths(text: Callable[[], Any], longest: int) -> NamedParts:
    torch.manual_seed(1)
    lengths = [len(text()) for _ in range(DRAWS)]
    return NamedParts({"fraction of each length": torch.bincount(torch.tensor(lengths), minlength=longest + 1) / DRAWS})


def _shares(drawn: Any, groups: Sequence[int]) -> NamedParts:
    counts = torch.bincount(torch.tensor([int(token) for token in drawn], dtype=torch.int64), minlength=sum(groups))
    counts = torch.stack([group.sum() for group in counts.split(list(groups))])
    came_up = (counts > 0).nonzero().flatten().tolist()
    return NamedParts({"number of tokens": len(drawn), "fraction of each token": counts / max(len(drawn), 1), CAME_UP: came_up})


def _texts(texts: Sequence[Any]) -> NamedParts:
    """Return the texts, filled up with -1, and for each text the position of the first text that is equal to it.

    A mistake is recognised by these positions, whatever its tokens are.
    """
    lists = [[int(token) for token in text] for text in texts]
    longest = max(map(len, lists))
    filled = torch.tensor([text + [-1] * (longest - len(text)) for text in lists], dtype=torch.float32)
    return NamedParts({"texts": filled, ALIKE: [lists.index(text) for text in lists]})
