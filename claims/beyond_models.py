"""Beside what the sources say of models and search: common beliefs, and bugs of a common kind that were built for a lesson."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

from .agreement import agree, below, spread
from .entry import CONDITION, HOLDS, WRONG, Measured, Source, at, found

beyond = Source("beyond")


@beyond.claim("A gate makes a mixture of expert tables richer than one table.", CONDITION, at("07", "where"))
def gated_tables() -> Measured:
    """Compare a mixture of expert tables with one table, for a gate that sees the word and for one that sees the context."""
    tables, ids = [nn.Embedding(10, 8) for _ in range(4)], torch.arange(10)
    stacked = torch.stack([table(ids) for table in tables], dim=-1)  # (V, d, 4)
    by_word = nn.Embedding(10, 4)(ids).softmax(dim=-1)
    single_table = nn.Embedding.from_pretrained((stacked * by_word[:, None]).sum(dim=-1).detach())
    context = nn.Linear(8, 4)
    gates = [context(other).softmax(dim=-1) for other in torch.randn(2, 8)]
    same = spread(single_table(ids), (stacked * by_word[:, None]).sum(dim=-1))
    differs = spread((stacked @ gates[0]), (stacked @ gates[1]))
    return found(
        {"the gate sees the word alone": same > 1e-6, "the gate sees the context": differs > 1e-3},
        f"Gate by word: a single table gives the same vectors (difference {below(same)}). Gate by context: one word gets "
        "vectors up to "
        f"{differs:.1f} apart.",
        "If the gate sees more than the word. Otherwise the whole can be written down as one table.",
    )


@beyond.claim("A loss of 4.6e-7 comes out right.", CONDITION, at("09", "pair-question"), at("09", "tiny"))
def tiny_loss_in_float32() -> Measured:
    """Compute a cross-entropy of 4.6e-7 in float32 and in float64."""
    losses = {}
    for dtype in (torch.float32, torch.float64):
        logits = torch.tensor([[17.0, 2.4]], dtype=dtype)
        losses[str(dtype).removeprefix("torch.")] = F.cross_entropy(logits, torch.tensor([0])).item()
    true = math.log1p(math.exp(2.4 - 17))
    return found(
        {name: agree(true, loss, 0.01) for name, loss in losses.items()},
        f"log(1 + e^-14.6) = {true:.3e}; cross_entropy gives "
        f"{', '.join(f'{loss:.3e} in {name}' for name, loss in losses.items())}.",
        "In float64. In float32 only its size is right: 1 + 4.6e-7 is rounded to a multiple of 1.2e-7.",
    )


@beyond.claim(
    "At temperature .05 a pair with similarities .85 and .12 still teaches.", WRONG, at("09", "pair-question"), at("09", "tiny")
)
def gradient_of_an_easy_pair() -> Measured:
    """Compute the gradient of the loss of an easy pair at temperatures .05 and .5."""

    def slope(temperature: float) -> float:
        similarities = torch.tensor([[0.85, 0.12]], dtype=torch.float64, requires_grad=True)
        F.cross_entropy(similarities / temperature, torch.tensor([0])).backward()
        assert similarities.grad is not None
        return similarities.grad.abs().max().item()

    cold, warm = slope(0.05), slope(0.5)
    return found(
        cold > 1e-3,
        f"Gradient of the loss by a similarity: {cold:.1e} at temperature .05, {warm:.2f} at .5.",
        "Next to nothing: it is told apart already. Negatives that are nearly as similar teach.",
    )


@beyond.claim("In 8 bits a million vectors of 1,536 numbers are a quarter of their 6.14 GB.", HOLDS, at("11", "bug-byte"))
def vectors_in_bytes() -> Measured:
    """Compare the memory of a million vectors of 1,536 numbers in float32 and in 8 bits."""
    floats, codes = (
        torch.empty(1_000_000, 1536, dtype=dtype, device="meta").nbytes / 1e9 for dtype in (torch.float32, torch.uint8)
    )
    return found(
        agree(4, floats / codes), f"{codes:.3f} GB against {floats:.3f}; each table's step and start come on top, eight bytes."
    )


@beyond.claim(
    "Inside attention, what two positions have to do with each other depends on their offset alone.",
    CONDITION,
    at("06", "rope-question"),
    at("06", "projected"),
)
def offset_behind_projections() -> Measured:
    """Compare dot products of positions with one offset, before and after random W_q and W_k."""
    from grader.course_source.catalogue import references

    rows = references("06_positional_encoding")["sinusoidal_positions"](200, 64).float()
    query, key = (torch.randn(64, 64) / 8 for _ in range(2))
    dots = {
        "the rows of the table": (rows[:-5] * rows[5:]).sum(dim=1),
        "behind W_q and W_k": ((rows @ query)[:-5] * (rows @ key)[5:]).sum(dim=1),
    }
    return found(
        {name: (products.max() - products.min()).item() < 1e-3 for name, products in dots.items()},
        "Dot products of sinusoidal positions that are five apart, from least to greatest: "
        f"{'; '.join(f'{name} {products.min():.1f} to {products.max():.1f}' for name, products in dots.items())}.",
        "For the rows themselves. Behind two random matrices it depends on both positions; RoPE turns after them.",
    )


@beyond.claim("The mean of several experts is a mixture of experts.", WRONG, at("07", "where"), at("07", "experts"))
def experts_without_gate() -> Measured:
    """Compare the mean of four linear experts with one linear layer, and test whether a gated mixture is linear."""
    experts = nn.ModuleList(nn.Linear(16, 16) for _ in range(4))
    gate = nn.Linear(16, 4)
    x, y = torch.randn(2, 100, 16)

    def outputs(z: torch.Tensor) -> torch.Tensor:
        return torch.stack([expert(z) for expert in experts], dim=-1)  # (N, 16, 4)

    mean_layer = nn.Linear(16, 16)
    with torch.no_grad():
        for name, parameter in mean_layer.named_parameters():
            parameter.copy_(torch.stack([expert.get_parameter(name) for expert in experts]).mean(dim=0))

    def gated(z: torch.Tensor) -> torch.Tensor:
        return (outputs(z) * gate(z).softmax(dim=-1)[:, None]).sum(dim=-1)

    plain = spread(outputs(x).mean(dim=-1), mean_layer(x))
    bent = spread(gated(x) + gated(y), 2 * gated((x + y) / 2))
    return found(
        plain > 1e-3,
        f"A constructed bug. Four linear experts averaged differ from a single linear layer by {below(plain)}. With a gate, "
        f"f(x) + f(y) and 2 f((x + y) / 2) are {bent:.1f} apart: that is no linear layer.",
        "Without a gate that looks at the input, no expert is chosen, and linear experts are one linear layer again.",
    )


@beyond.claim("Multiplied by the mask, padding does no harm.", CONDITION, at("08", "max-question"), at("08", "bug-max"))
def zeros_in_a_maximum() -> Measured:
    """Compute the sum and the maximum of tokens whose padding was set to zero."""
    x, mask = torch.tensor([[-3.0], [-1.0], [7.0]]), torch.tensor([[1.0], [1.0], [0.0]])
    total, largest = (x * mask).sum().item(), (x * mask).amax().item()
    return found(
        {"a sum": total == -4, "a maximum": largest == -1},
        f"A constructed bug. Real tokens -3 and -1, one of padding: the sum is {total:g}, the maximum {largest:g}.",
        "In a sum. In a maximum the zero beats every negative number.",
    )


@beyond.claim("A padding row of zeros makes the mask superfluous.", CONDITION, at("08", "bug-zero"), at("08", "bug-zero-run"))
def zeros_instead_of_a_mask() -> Measured:
    """Compare unmasked means with the right ones, with a padding row of zeros, for words alone and with positions."""
    table, position_table = nn.Embedding(20, 32, padding_idx=0), nn.Embedding(12, 32)
    ids = F.pad(torch.tensor([[3, 4, 5]]), (0, 9))
    cosines = {}
    for name, x in (("words alone", table(ids)), ("words and positions", table(ids) + position_table.weight)):
        cosines[name] = F.cosine_similarity(x.mean(dim=1), x[:, :3].mean(dim=1)).item()
    return found(
        {name: cosine > 1 - 1e-5 for name, cosine in cosines.items()},
        "A common belief. The unmasked mean of three words and nine of padding against the right mean, cosine: "
        f"{', '.join(f'{name} {cosine:.2f}' for name, cosine in cosines.items())}.",
        "For the direction of a mean of words. Positions or a layer make padding different from zero.",
    )


@beyond.claim("scores.argsort(descending=True) puts the best row first.", CONDITION, at("09", "bug-prompt"), at("09", "prompt"))
def sorting_along_the_last_axis() -> Measured:
    """Sort scores of shape (N,) and of shape (N, 1), and compare the first rows."""
    scores = torch.tensor([0.1, 0.9, 0.5])
    first = {
        "scores (N,)": int(scores.argsort(descending=True)[0]),
        "scores (N, 1)": int(scores[:, None].argsort(descending=True)[0]),
    }
    return found(
        {name: row == 1 for name, row in first.items()},
        f"A constructed bug. Scores .1, .9, .5: {', '.join(f'{name} row {row}' for name, row in first.items())}.",
        "For scores (N,). With an axis of one entry at the end each row is sorted by itself.",
    )


@beyond.claim("NDCG is one number.", WRONG, at("09", "ndcg-text"), at("09", "ndcg"))
def two_gains_of_ndcg() -> Measured:
    """Compute the NDCG of one ranking with the exponential and with the linear gain."""
    grades, best = [1, 3, 0, 2], [3, 2, 1, 0]

    def share(gain: Callable[[int], float]) -> float:
        shown, ideal = (sum(gain(grade) / math.log2(rank + 1) for rank, grade in enumerate(row, 1)) for row in (grades, best))
        return shown / ideal

    exponential, linear = share(lambda grade: 2**grade - 1), share(lambda grade: grade)
    return found(
        agree(exponential, linear, 0.01),
        f"Grades 1, 3, 0, 2 in this order: {exponential:.2f} with the gain 2^grade - 1, {linear:.2f} with the grade itself.",
        "There are two gains in use; say which. With grades of 0 and 1 they agree.",
    )
