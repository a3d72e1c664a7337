"""S1: what a gradient does to the table, and what it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from embedding_course.data.dog_and_machine import story

from .compare import agree, below, spread
from .entry import CONDITION, HOLDS, WRONG, Finding, Source, at, found

s1 = Source("S1")
STEPPERS: dict[str, Callable[[Any], torch.optim.Optimizer]] = {
    "SGD": lambda table: torch.optim.SGD(table, lr=0.01),
    "SGD with momentum": lambda table: torch.optim.SGD(table, lr=0.01, momentum=0.9),
    "SGD with weight decay": lambda table: torch.optim.SGD(table, lr=0.01, weight_decay=0.01),
    "Adam": lambda table: torch.optim.Adam(table, lr=0.01),
    "AdamW": lambda table: torch.optim.AdamW(table, lr=0.01, weight_decay=0.01),
    "SparseAdam": lambda table: torch.optim.SparseAdam(list(table), lr=0.01),
}


def gradient(table: nn.Embedding) -> torch.Tensor:
    """The gradient that backward() has left."""
    assert table.weight.grad is not None
    return table.weight.grad


def train(name: str, batches: list[list[int]], start: torch.Tensor, padding_idx: int | None = None) -> list[torch.Tensor]:
    """The table after each step: every looked-up row gets a gradient of ones."""
    table = nn.Embedding.from_pretrained(start.clone(), freeze=False, sparse=name == "SparseAdam", padding_idx=padding_idx)
    stepper, states = STEPPERS[name](table.parameters()), [start]
    for ids in batches:
        stepper.zero_grad()
        table(torch.tensor(ids)).sum().backward()
        stepper.step()
        states.append(table.weight.detach().clone())
    return states


@s1.claim("Ids [1, 2, 1] in a table of ones, loss = sum: row 1 gets 2, row 2 gets 1, the rest 0.", HOLDS, at("02", "repeat"))
def gradient_of_repeated_ids() -> Finding:
    table = nn.Embedding.from_pretrained(torch.ones(4, 3), freeze=False)
    table(torch.tensor([1, 2, 1])).sum().backward()
    rows = gradient(table)[:, 0].tolist()
    return found(rows == [0, 2, 1, 0], f"Gradients of rows 0 to 3: {', '.join(f'{value:g}' for value in rows)}.")


@s1.claim(
    "dL/dE[i] = dL/de_i: a row's gradient is that of its vector.", CONDITION, at("02", "bug-sum"), at("02", "02.embedding_grad")
)
def gradient_of_one_occurrence() -> Finding:
    table, slopes = nn.Embedding(4, 3), torch.randn(3, 3)
    (table(torch.tensor([1, 2, 1])) * slopes).sum().backward()
    rows = gradient(table)
    once, twice = spread(rows[2], slopes[1]), min(spread(rows[1], slopes[0]), spread(rows[1], slopes[2]))
    return found(
        {"a word that occurs once": once < 1e-6, "a word that occurs twice": twice < 1e-6},
        f"Difference {below(once)} for the word that occurs once; the row of the other one is the sum over its two places "
        f"(difference {below(spread(rows[1], slopes[0] + slopes[2]))}).",
        "For words that occur once in the batch. In general it is the sum over all occurrences of i.",
    )


@s1.claim("Rows outside the batch get a gradient of zero.", HOLDS, at("02", "bug-sum"))
def gradient_outside_the_batch() -> Finding:
    table = nn.Embedding(50, 8)
    table(torch.tensor([3, 7, 7])).square().sum().backward()
    nonzero = gradient(table).any(dim=1).nonzero().flatten().tolist()
    return found(nonzero == [3, 7], f"Rows with a gradient: {nonzero} of 50.")


@s1.claim("Rows outside the batch are never updated.", CONDITION, at("02", "moved-question"), at("02", "02.moved_rows"))
def rows_outside_the_batch() -> Finding:
    start = torch.randn(3, 4)
    trials, moved = {}, []
    for name in STEPPERS:
        states = train(name, [[0, 1], [0]], start)
        earlier, never = (states[2][row].equal(states[1][row]) for row in (1, 2))
        trials[name] = earlier and never
        moved += [f"{name} {which}" for which, still in (("seen earlier", earlier), ("never seen", never)) if not still]
    return found(
        trials,
        f"A step without them moves these rows: {'; '.join(moved)}.",
        f"With {' and '.join(name for name, held in trials.items() if held)}. Momentum and Adam go on moving a row that an "
        "earlier step has seen; weight decay moves every row that is not zero.",
    )


@s1.claim("padding_idx makes the row zero at the start and gives it no gradient.", HOLDS, at("02", "padding-run"))
def padding_at_the_start() -> Finding:
    table = nn.Embedding(4, 3, padding_idx=0)
    zero = table.weight[0].abs().max().item()
    table(torch.tensor([2, 0, 0])).sum().backward()
    return found(
        {"row": zero == 0, "gradient": not gradient(table)[0].any()},
        f"Row 0: {zero:g} everywhere; its gradient after being looked up twice: {gradient(table)[0, 0]:g}.",
    )


@s1.claim("padding_idx keeps the row zero.", CONDITION, at("02", "bug-padding"), at("02", "02.load_pretrained"))
def padding_stays_zero() -> Finding:
    vectors = torch.randn(4, 3)

    def trained(name: str) -> torch.Tensor:
        start = vectors.clone()
        start[0] = 0
        return train(name, [[0, 1], [0, 2], [0, 0]], start, padding_idx=0)[-1]

    written = nn.Embedding(4, 3, padding_idx=0)
    nn.init.normal_(written.weight)
    copied = nn.Embedding(4, 3, padding_idx=0)
    with torch.no_grad():
        copied.weight.copy_(vectors)
    restored = nn.Embedding(4, 3, padding_idx=0)
    restored.load_state_dict({"weight": vectors})
    tables = {
        **{f"training with {name}": trained(name) for name in STEPPERS},
        "nn.init.normal_": written.weight, "copy_ of vectors": copied.weight, "load_state_dict": restored.weight,
        "from_pretrained": nn.Embedding.from_pretrained(vectors, padding_idx=0).weight,
    }  # fmt: skip
    trials = {name: not bool(table[0].any()) for name, table in tables.items()}
    lost = [name for name, held in trials.items() if not held]
    return found(
        trials,
        f"Still zero after three steps with {sum(trials.values())} of {len(STEPPERS)} optimizers; lost by {', '.join(lost)}.",
        "Until the table is initialised again or written over; nothing brings the zeros back.",
    )


@s1.claim(
    "scale_grad_by_freq divides a row's gradient by how often its word occurs in the batch.", HOLDS, at("02", "scale-run")
)
def scaled_gradients() -> Finding:
    rows = {}
    for scaled in (False, True):
        table = nn.Embedding.from_pretrained(torch.ones(4, 2), freeze=False, scale_grad_by_freq=scaled)
        table(torch.tensor([1, 2, 1, 1])).sum().backward()
        rows[scaled] = gradient(table)[:, 0]
    return found(
        rows[True].equal(rows[False] / torch.tensor([1.0, 3, 1, 1])),
        f"Ids [1, 2, 1, 1]: gradients {rows[False].int().tolist()} without, {rows[True].int().tolist()} with.",
    )


@s1.claim("The chance of drawing a word as a negative is (f / total)^0.75.", WRONG, at("04", "bug-negative"))
def chances_of_negatives() -> Finding:
    words = story("english").split()
    counts = torch.tensor([words.count(word) for word in dict.fromkeys(words)], dtype=torch.float64)
    raised = (counts / counts.sum()) ** 0.75
    chances = raised / raised.sum()
    return found(
        agree(1, raised.sum().item(), 1e-3),
        f"Over the {len(counts)} words of the course's story these numbers add up to {raised.sum():.2f}.",
        f"It has to be divided by the sum over all words (then {chances.sum():.6f}): P(w) = f(w)^0.75 / Σ f^0.75.",
    )
