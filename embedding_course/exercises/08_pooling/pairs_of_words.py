"""What each pooling makes of two words, told from unit vectors alone."""

import itertools
from collections.abc import Mapping

import torch

#: Rounding moves the entries of unit vectors by less than `_OTHER`; what differs by less than `_SAME` may count as the same.
_SAME, _OTHER = 5e-5, 1e-5


def same(first: torch.Tensor, second: torch.Tensor) -> bool:
    """Return True if two vectors have one shape and agree within rounding."""
    return first.shape == second.shape and bool(((first - second).abs() < _SAME).all())


def differ(first: torch.Tensor, second: torch.Tensor) -> bool:
    """Return True if two vectors have one shape and clearly differ in at least one number."""
    return first.shape == second.shape and bool(((first - second).abs() > _OTHER).any())


def named_rightly(pairs: torch.Tensor, first: torch.Tensor, pooled: Mapping[str, torch.Tensor]) -> dict[str, bool]:
    """Return which poolings do what their name says, in models in which words do not mix.

    What "cls" and "last" give tells the directions of two words, "mean" their norms; the others follow from these.

    Parameters
    ----------
    pairs : tensor of shape (P, 2)
        The ids of each pair.
    first : tensor of shape (P, d)
        The vector of each pair's first word.
    pooled : mapping of str to tensor of shape (P, d)
        By pooling, the vector of each pair.
    """
    last = pooled["last"]
    by_word = _follows(pairs[:, 1].tolist(), last)
    verdicts = {"cls": same(first, pooled["cls"]), "last": by_word and not any(map(same, last, first))}
    fits: dict[str, list[bool]] = {"mean": [], "weighted": [], "max": []}
    for row, second in enumerate(last):
        if not verdicts["last"] or abs(float(first[row] @ second)) > 0.99:
            continue
        mean, in_mean = _shares(first[row], second, pooled["mean"][row])
        fits["mean"].append(in_mean)
        if "weighted" not in pooled or "max" not in pooled:
            continue
        late, in_late = _shares(first[row], second, pooled["weighted"][row])
        largest = torch.maximum(mean[0] * first[row], mean[1] * second)
        fits["weighted"].append(in_late and abs(float(late[1] / late[0] / (mean[1] / mean[0])) - 2) < 0.02)
        fits["max"].append(bool((largest / largest.norm() - pooled["max"][row]).norm() < 1e-3))
    if all(fits["mean"]):  # it is the measure of the others
        return verdicts | {name: all(each) for name, each in fits.items() if name in pooled}
    return verdicts | {"mean": False}


def _follows(words: list[int], vectors: torch.Tensor) -> bool:
    """Return True if vectors are equal just where the words are equal."""
    pairs = itertools.combinations(range(len(words)), 2)
    return all(same(vectors[a], vectors[b]) if words[a] == words[b] else differ(vectors[a], vectors[b]) for a, b in pairs)


def not_contradicting(pooled: Mapping[str, torch.Tensor]) -> dict[str, bool]:
    """Return whether the poolings agree with one another, in models in which words mix.

    The result is empty unless mean and weighted mean lie between what "cls" and "last" give in every pair. They do so if only
    the division by the norm follows the pooling.
    """
    if "weighted" not in pooled or "max" not in pooled:
        return {}
    later, least = [], []
    rows = (pooled[name] for name in ("cls", "last", "mean", "weighted", "max"))
    for first, last, mean, weighted, largest in zip(*rows, strict=True):
        in_mean, inside = _shares(first, last, mean)
        in_weighted, inside_too = _shares(first, last, weighted)
        if not (inside and inside_too and abs(float(first @ last)) < 0.99 and bool((in_mean > 0.01).all())):
            return {}
        later.append(float(in_weighted[1] / in_weighted[0] / (in_mean[1] / in_mean[0])))
        smallest = torch.minimum(in_mean[0] * first, in_mean[1] * last)
        least.append(bool((smallest / smallest.norm() - largest).norm() < 1e-3))
    backwards = all(abs(ratio - 0.5) < 0.02 for ratio in later)
    return {"last weighs more": not backwards, "largest of two": not all(least)}


def _shares(first: torch.Tensor, second: torch.Tensor, vector: torch.Tensor) -> tuple[torch.Tensor, bool]:
    """Return the two factors with which two vectors best add up to a third one, and whether the sum is that vector."""
    basis = torch.stack([first, second], dim=1)
    shares = torch.linalg.lstsq(basis, vector[:, None]).solution[:, 0]
    return shares, bool((basis @ shares - vector).norm() < 1e-3)
