"""S4: its positional encoding."""

from __future__ import annotations

import torch

from embedding_course.demo import copy_back
from grader.catalogue import references

from .compare import rounds_to, spread
from .entry import CONDITION, WRONG, Finding, Source, at, found

s4 = Source("S4")


def _table(length: int, width: int) -> torch.Tensor:
    return references("06_positional_encoding")["sinusoidal_positions"](length, width).double()


def _printed(length: int, width: int) -> torch.Tensor:
    """The loop as printed: i runs over 0, 2, 4, … and is doubled all the same."""
    table, positions = torch.zeros(length, width, dtype=torch.float64), torch.arange(length, dtype=torch.float64)
    for i in range(0, width, 2):
        angle = positions / 10000 ** (2 * i / width)
        table[:, i], table[:, i + 1] = angle.sin(), angle.cos()
    return table


@s4.claim("The loop over i = 0, 2, 4, … with 10000^(2i/d) gives the paper's encoding.", WRONG, at("06", "bug-exponent"))
def doubled_exponent() -> Finding:
    printed, right = _printed(513, 16), _table(513, 16)
    error = spread(printed[5], right[5])
    slow = [int((table[512] - table[0]).abs().lt(0.05).sum()) for table in (printed, right)]
    assert rounds_to(error, "0.89")
    return found(
        error < 1e-6,
        f"d = 16, position 5: up to {error:.2f} off. Of 16 columns {slow[0]} differ by less than .05 between position 0 and "
        f"512, where it should be {slow[1]}.",
        "i is the 2i of the formula already, so the exponent is doubled: 10000^(i/d) in this loop.",
    )


@s4.claim("PE(pos + k, 2i) is a linear function of PE(pos, 2i).", WRONG, at("06", "bug-half"), at("06", "half"))
def shift_from_the_sine_alone() -> Finding:
    table, k = _table(500, 16), 2

    def error(columns: slice) -> float:
        known, wanted = table[:-k, columns], table[k:, 0:1]
        fit = torch.linalg.lstsq(known, wanted).solution
        return (known @ fit - wanted).square().mean().sqrt().item()

    alone, both = error(slice(0, 1)), error(slice(0, 2))
    return found(
        alone < 1e-3,
        f"The best line for the fastest pair, k = 2: typical error {alone:.2f} from the sine alone, "
        f"{'less than 1e-6' if both < 1e-6 else f'{both:.2g}'} from sine and cosine.",
        "Of PE(pos, 2i) and PE(pos, 2i + 1): it takes the sine and the cosine.",
    )


@s4.claim("The encoding works for texts of any length.", CONDITION, at("06", "far-question"), at("06", "far-run"), varies=True)
def any_length() -> Finding:
    far = _table(1_000_000, 16)[-1]
    outcome = copy_back.train(table=_table(copy_back.FURTHEST, 32).float())
    seen, further = outcome.accuracy[0], outcome.accuracy[copy_back.STARTS.index(100)]
    return found(
        {"it can be computed": bool(far.isfinite().all()), "a model can use it": further > 0.9 * seen},
        f"Position 999,999 has its vector. But a model that was trained at positions 0 to 31 and says {seen:.0%} of the words "
        f"right there says {further:.0%} right at positions 100 to 131.",
        "It can be computed for any position. That a model understands positions it was not trained at is another matter.",
    )


@s4.claim("Adding the position is better than concatenating it.", WRONG, at("06", "bug-add"), at("06", "add"))
def adding_or_concatenating() -> Finding:
    x, p, wanted = torch.randn(400, 16), torch.randn(400, 16), torch.randn(400, 8)

    def error(known: torch.Tensor) -> float:
        fit = torch.linalg.lstsq(known, wanted).solution
        return (known @ fit - wanted).square().mean().item()

    weight = torch.randn(16, 8)
    same = spread((x + p) @ weight, torch.cat([x, p], dim=1) @ torch.cat([weight, weight]))
    added, joined = error(x + p), error(torch.cat([x, p], dim=1))
    return found(
        added < joined and same < 1e-4,
        "A linear layer over [x; p] does all that one over x + p does (difference "
        f"{'less than 1e-4' if same < 1e-4 else same}), and fits "
        f"random targets no worse: error {joined:.2f} against {added:.2f}.",
        "Adding is concatenating with both maps tied to one. What it gains is half of the width; the paper of 2017, which is "
        "cited for it, has no such comparison.",
    )
