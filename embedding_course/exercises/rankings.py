"""Rows of indices that are compared in any order, and similarities that almost cancel."""

from dataclasses import replace
from typing import Any

import torch

from ..checking.exercise import Case, Comparison, Mismatch
from ..messages import Message


def cancelling(likes: torch.Tensor) -> torch.Tensor:
    """Return two columns for each column of small whole numbers: two large numbers whose sum is 1e-6 * (1 + likes)."""
    large = torch.full_like(likes, 4096.0)
    return torch.stack([large, 1e-6 * (1 + likes) - large], dim=-1).flatten(1)


def any_order(expected: Any, got: Any, case: Case) -> Mismatch | None:
    """Compare as `Comparison` does, with the entries of each row in any order."""
    value, right = got.value, expected.value
    if isinstance(value, torch.Tensor) and value.ndim == 2:
        got = replace(got, value=value.sort(dim=1).values)
    if isinstance(right, torch.Tensor):
        expected = replace(expected, value=right.sort(dim=1).values)
    fault = Comparison()(expected, got, case)
    if fault and fault.stage == "values" and isinstance(value, torch.Tensor) and isinstance(right, torch.Tensor):
        return _other_members(right, value, case) or fault
    return fault


def _other_members(right: torch.Tensor, other: torch.Tensor, case: Case) -> Mismatch | None:
    """Return a mismatch that names the wrong indices of the first wrong row, and says if a row's own positive is among them."""
    pairs = [(set(mine), set(theirs)) for mine, theirs in zip(right.tolist(), other.tolist(), strict=True)]
    wrong = [row for row, (mine, theirs) in enumerate(pairs) if mine != theirs]
    if not wrong:
        return None
    row = wrong[0]
    mine, theirs = pairs[row]
    positives = case.args.get("positives")
    own = positives is not None and all(int(positives[at]) in pairs[at][1] for at in wrong)
    message = Message("{wrong} of {count} rows hold other indices than expected. In row {row}: {received}, not {expected}.")
    hidden = Message("Some rows hold other indices than expected.")
    if own and positives is not None:
        message = Message(
            "{wrong} of {count} rows hold other indices than expected, the row's own positive among them. In row {row} that is "
            "{positive}: {received}, not {expected}.",
            positive=int(positives[row]),
        )
        hidden = Message("Some rows hold other indices than expected, the row's own positive among them.")
    message = message.fill(wrong=len(wrong), count=len(pairs), row=row, received=sorted(theirs), expected=sorted(mine))
    return Mismatch("values", message, hidden)
