"""S1: what a gradient does to the table, and what it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from embedding_course.data.dog_and_machine import story

from .agreement import agree, below, spread
from .entry import CONDITION, HOLDS, WRONG, Measured, Source, at, found, quoted

s1 = Source("S1")
CHAIN_RULE, UPDATES = "embedding梯度计算的深度推导", "第二阶段：训练更新写入"
STEPPERS: dict[str, Callable[[Any], torch.optim.Optimizer]] = {
    "SGD": lambda table: torch.optim.SGD(table, lr=0.01),
    "SGD with momentum": lambda table: torch.optim.SGD(table, lr=0.01, momentum=0.9),
    "SGD with weight decay": lambda table: torch.optim.SGD(table, lr=0.01, weight_decay=0.01),
    "Adam": lambda table: torch.optim.Adam(table, lr=0.01),
    "AdamW": lambda table: torch.optim.AdamW(table, lr=0.01, weight_decay=0.01),
    "SparseAdam": lambda table: torch.optim.SparseAdam(list(table), lr=0.01),
}


def gradient(table: nn.Embedding) -> torch.Tensor:
    """Return the gradient that backward() has left."""
    assert table.weight.grad is not None
    return table.weight.grad


def train(name: str, batches: list[list[int]], start: torch.Tensor, padding_idx: int | None = None) -> list[torch.Tensor]:
    """Return the table after each step; every row that is looked up gets a gradient of ones."""
    table = nn.Embedding.from_pretrained(start.clone(), freeze=False, sparse=name == "SparseAdam", padding_idx=padding_idx)
    stepper, states = STEPPERS[name](table.parameters()), [start]
    for ids in batches:
        stepper.zero_grad()
        table(torch.tensor(ids)).sum().backward()
        stepper.step()
        states.append(table.weight.detach().clone())
    return states


@s1.claim(
    "Ids [1, 2, 1] in a table of ones, loss = sum: the gradient of index 1 is twice that of index 2.",
    HOLDS,
    at("02", "repeat"),
    quote=quoted(
        CHAIN_RULE,
        "输出显示：索引1的梯度是索引2的2倍（因为出现2次）",
        "the output shows: index 1 has twice the gradient of index 2 (since it occurs twice)",
    ),
)
def gradient_of_repeated_ids() -> Measured:
    """Compute the gradient of a table of ones for the ids [1, 2, 1]."""
    table = nn.Embedding.from_pretrained(torch.ones(5, 3), freeze=False)
    table(torch.tensor([1, 2, 1])).sum().backward()
    rows = gradient(table)[:, 0].tolist()
    return found(rows == [0, 2, 1, 0, 0], f"Gradients of rows 0 to 4: {', '.join(f'{value:g}' for value in rows)}.")


@s1.claim(
    "dL/dE[i] = dL/de_i: a row's gradient is that of its vector.",
    CONDITION,
    at("02", "bug-sum"),
    at("02", "02.embedding_grad"),
    quote=quoted(
        CHAIN_RULE,
        r"根据链式法则：\frac{\partial L}{\partial E[i]} = \frac{\partial L}{\partial \mathbf{e}_i}",
        "by the chain rule: the gradient of E[i] is that of e_i",
    ),
)
def gradient_of_one_occurrence() -> Measured:
    """Compare the gradient of a row with that of its vector, for words that occur once and twice."""
    table, slopes = nn.Embedding(4, 3), torch.randn(3, 3)
    (table(torch.tensor([1, 2, 1])) * slopes).sum().backward()
    rows = gradient(table)
    once, twice = spread(rows[2], slopes[1]), min(spread(rows[1], slopes[0]), spread(rows[1], slopes[2]))
    return found(
        {"a word that occurs once": once < 1e-6, "a word that occurs twice": twice < 1e-6},
        f"Difference {below(once)} for the word that occurs once; the row of the other one is the sum over its two places "
        f"(difference {below(spread(rows[1], slopes[0] + slopes[2]))}).",
        "For words that occur once in the batch, or with e_i for the row in all its uses. Of the vectors that were looked up, "
        "the gradients add up over all occurrences of i.",
    )


@s1.claim(
    "Only rows of words that occur in the batch have a gradient that is not zero.",
    CONDITION,
    at("02", "bug-sum"),
    at("02", "padding-moves"),
    quote=quoted(
        CHAIN_RULE,
        "只有在当前batch中出现的词索引，其对应的embedding行才会有非零梯度",
        "only the embedding rows of word indices that occur in the current batch have a gradient that is not zero",
    ),
)
def gradient_outside_the_batch() -> Measured:
    """Find the rows with a gradient, with and without tied output weights."""
    reached = {}
    for name in ("a table that is only looked up", "a table that scores the words too"):
        table = nn.Embedding(50, 8)
        looked_up = table(torch.tensor([3, 7, 7]))
        out = looked_up if "only" in name else (looked_up @ table.weight.T).logsumexp(dim=1)
        out.square().sum().backward()
        reached[name] = gradient(table).any(dim=1).nonzero().flatten().tolist()
    only, both = reached.values()
    return found(
        {name: rows == [3, 7] for name, rows in reached.items()},
        f"Rows with a gradient: {only} of 50; where the same table scores all words (tied weights), {len(both)} of 50.",
        "For a table that is only looked up. With tied output weights every row gets one.",
    )


@s1.claim(
    "Only the rows of words in the batch are updated.",
    CONDITION,
    at("02", "moved-question"),
    at("02", "02.moved_rows"),
    quote=quoted(
        UPDATES, "则只有这些索引对应的embedding行会被更新", "then only the embedding rows of these indices are updated"
    ),
)
def rows_outside_the_batch() -> Measured:
    """Find the rows outside the batch that each optimizer moves."""
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
        f"With {' and '.join(name for name, held in trials.items() if held)}, if the table is only looked up. Momentum and "
        "Adam go on moving a row that an earlier step has seen. Weight decay moves every row that is not zero, and a tied "
        "output layer gives every row a gradient.",
    )


@s1.claim(
    "padding_idx makes its row zero at the start.",
    HOLDS,
    at("02", "padding-run"),
    quote=quoted(
        "第一阶段：初始化写入", "padding_idx=0的位置会被强制设为零向量", "the place padding_idx=0 is set to the zero vector"
    ),
)
def padding_at_the_start() -> Measured:
    """Test whether padding_idx makes its row zero at the start."""
    zero = nn.Embedding(4, 3, padding_idx=0).weight[0].abs().max().item()
    return found(zero == 0, f"Row 0: {zero:g} everywhere.")


@s1.claim(
    "The padding row takes no part in training.",
    CONDITION,
    at("02", "padding-run"),
    at("02", "padding-moves"),
    quote=quoted(
        "2.3 embedding层的完整剖析", "padding索引，该行不参与训练", "index of padding; this row takes no part in training"
    ),
)
def padding_takes_no_part() -> Measured:
    """Train with a padding row of ones, and find what moves it."""
    start = torch.ones(4, 3)
    moved = {name: train(name, [[0, 1]] * 3, start, padding_idx=0)[-1][0] for name in STEPPERS}
    tied = nn.Embedding(4, 3, padding_idx=0)
    (tied(torch.tensor([1, 2])) @ tied.weight.T).logsumexp(dim=1).sum().backward()
    trials = {f"looked up, {name}": row.equal(start[0]) for name, row in moved.items()}
    shrunk = [f"{name} to {row[0]:.4f}" for name, row in moved.items() if not row.equal(start[0])]
    return found(
        {**trials, "tied output weights": not gradient(tied)[0].any()},
        f"A padding row of ones after three steps: moved by {' and by '.join(shrunk)}, by no other. With tied output weights "
        f"its gradient has length {gradient(tied)[0].norm():.2f}.",
        "While the table is only looked up, and without weight decay (which leaves zeros alone). As an output row it is "
        "trained like any other.",
    )


@s1.claim(
    "padding_idx says which index stays the zero vector.",
    CONDITION,
    at("02", "bug-padding"),
    at("02", "02.load_pretrained"),
    quote=quoted(
        "1.3 关键术语说明", "padding_idx：指定哪个索引保持零向量", "padding_idx: says which index stays the zero vector"
    ),
)
def padding_stays_zero() -> Measured:
    """Test whether the padding row is still zero after training and after the table was overwritten."""
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
        "nn.init.normal_": written.weight,
        "copy_ of vectors": copied.weight,
        "load_state_dict": restored.weight,
        "from_pretrained": nn.Embedding.from_pretrained(vectors, padding_idx=0).weight,
    }
    trials = {name: not bool(table[0].any()) for name, table in tables.items()}
    lost = [name for name, held in trials.items() if not held]
    return found(
        trials,
        f"Still zero after three steps with {sum(trials.values())} of {len(STEPPERS)} optimizers; lost by {', '.join(lost)}.",
        "Until the table is initialised again or written over; nothing brings the zeros back.",
    )


@s1.claim(
    "scale_grad_by_freq scales gradients by the frequency of words.",
    HOLDS,
    at("02", "scale-run"),
    quote=quoted(
        "2.3 embedding层的完整剖析",
        "scale_grad_by_freq=False, # 是否按词频缩放梯度",
        "whether to scale gradients by word frequency",
    ),
)
def scaled_gradients() -> Measured:
    """Compare gradients with and without scale_grad_by_freq."""
    rows = {}
    for scaled in (False, True):
        table = nn.Embedding.from_pretrained(torch.ones(4, 2), freeze=False, scale_grad_by_freq=scaled)
        table(torch.tensor([1, 2, 1, 1])).sum().backward()
        rows[scaled] = gradient(table)[:, 0]
    return found(
        rows[True].equal(rows[False] / torch.tensor([1.0, 3, 1, 1])),
        f"Ids [1, 2, 1, 1]: gradients {rows[False].int().tolist()} without, {rows[True].int().tolist()} with: each row's is "
        "divided by how often its word stands in the batch (not in the text).",
    )


@s1.claim(
    "The chance of drawing a word as a negative is (f / total)^0.75.",
    WRONG,
    at("04", "bug-negative"),
    at("04", "negative-figure"),
    quote=quoted(
        "负采样对embedding质量的影响",
        "计算负采样概率…return (word_freq / total_freq) ** power",
        "compute the probability of negative sampling",
    ),
)
def chances_of_negatives() -> Measured:
    """Sum (f / total)^0.75 over the words of the course's story, which must give 1 if these are probabilities."""
    words = story("english").split()
    counts = torch.tensor([words.count(word) for word in dict.fromkeys(words)], dtype=torch.float64)
    raised = (counts / counts.sum()) ** 0.75
    chances = raised / raised.sum()
    return found(
        agree(1, raised.sum().item(), 1e-3),
        f"Over the {len(counts)} words of the course's story these numbers add up to {raised.sum():.2f}.",
        f"It has to be divided by the sum over all words (then {chances.sum():.6f}): P(w) = f(w)^0.75 / Σ f^0.75.",
    )
