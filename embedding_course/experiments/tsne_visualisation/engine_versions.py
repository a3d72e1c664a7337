"""Mix two versions of the docstring engine in one index: how much a rotation restores depends on version 2's training.

Before training, an engine's table is a random projection of some 16,000 words into its dimensions. Two such projections
agree on which texts are similar, but one is a rotation of the other only if there are enough dimensions to lose nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch

from ...data import api_search
from ...messages import translatable
from ..contrastive_training.hard_negatives import train_on
from ..contrastive_training.search_model import Encoder
from ..contrastive_training.search_training import Setting, TrainingTexts, train
from ..contrastive_training.search_variants import SMALL, both_sides
from ..curves import Curves
from .drift import Version, first, mixtures
from .language_alignment import rotation

SEEDS = (0, 1, 2)
SHARES = (0.5, 0.25, 0.1)  # Shares of the index that are old, for canaries.
FITTED = (128, 512, 2048)  # Numbers of documents on which the rotation is fitted, besides all.
UNTRAINED = (32, 128, 512, 2048)  # Widths of untrained tables.
WIDE = 256  # Width of the engine of notebook 09.
_OTHER = 100  # Added to a seed to get other random numbers.
_ROTATED = "mixed, old ones rotated"

#: How version 2 was made: id to label.
WAYS = {
    "on": translatable("trained on from version 1"),
    "same": translatable("trained anew from the same random table"),
    "other": translatable("from another table, 128 dimensions"),
    "wide": translatable("from another table, 256 dimensions"),
}


def states_of(curves: Curves) -> dict[str, dict[str, list[float]]]:
    """Return way to state of the index to recall@1 of each seed, for `plot.drift.show_drift`."""
    states: dict[str, dict[str, list[float]]] = {label: {} for label in WAYS.values()}
    for name, points in curves.curves.items():
        way, _, state = name.partition(", ")
        if way in WAYS:
            states[WAYS[way]][state] = [value for _, value in points]
    return states


def brought_back(curves: Curves, way: str) -> float:
    """Return the share of the recall@1 lost by mixing that the rotation restores, compared with an all-new index."""
    means = {state: sum(value for _, value in curves.curves[f"{way}, {state}"]) for state in ("mixed", _ROTATED, "all new")}
    return (means[_ROTATED] - means["mixed"]) / (means["all new"] - means["mixed"])


def measure(info_nce: Callable[..., Any], warmup_cosine: Callable[..., float]) -> Curves:
    """Return recall@1 on the held-out pairs by seed: "way, state" for the states of `drift.mixtures`, half of the index old.

    "columns, all new" and "columns, all old, rotated" hold the mean over the seeds of untrained tables, by number of columns.
    `numbers`: "way, cosine" of a document's two vectors after the rotation; of the queries that the old index answers,
    "way, share, still found" in a mixed index and "way, still found" in the new one; "other, from n": rotated, fitted on n.
    """
    entries, held_out = api_search.pairs("train"), api_search.pairs("test")
    curves: dict[str, list[tuple[float, float]]] = {}
    sums: dict[str, list[float]] = {}

    def version(encoder: Encoder) -> Version:
        return Version(*both_sides(encoder, held_out), both_sides(encoder, entries)[1])

    def trained(setting: Setting) -> Version:
        return version(train(info_nce, warmup_cosine, entries, setting).encoder)

    def note(name: str, value: float) -> None:
        sums.setdefault(name, []).append(value)

    for seed in SEEDS:
        setting = replace(SMALL, seed=seed)
        wide, again = replace(setting, width=WIDE), seed + _OTHER
        earlier = train(info_nce, warmup_cosine, entries[::2], setting)  # It was trained on half of the texts.
        later = train_on(earlier, entries, info_nce, None, steps=SMALL.steps, rate=SMALL.peak)
        old = trained(setting)
        pairs = {
            "on": (version(earlier.encoder), version(later)),
            "same": (old, trained(replace(setting, seed=again, table_seed=seed))),
            "other": (old, trained(replace(setting, seed=again))),
            "wide": (trained(wide), trained(replace(wide, seed=again))),
        }
        for way, both in pairs.items():
            for state, right in mixtures(*both).items():
                curves.setdefault(f"{way}, {state}", []).append((seed, _mean(right)))
            for name, value in _further_numbers(*both).items():
                note(f"{way}, {name}", value)
        for number in FITTED:
            note(f"other, from {number}", _mean(mixtures(*pairs["other"], fitted=number)[_ROTATED]))
        texts = TrainingTexts.of(entries, setting)
        for columns in UNTRAINED:
            both = [version(_untrained(texts, replace(setting, width=columns), start)) for start in (seed, again)]
            note(f"{columns} columns, all new", _mean(first(both[1].queries, both[1].documents)))
            note(f"{columns} columns, all old, rotated", _mean(first(both[1].queries, _rotated(*both))))
    numbers = {name: sum(values) / len(values) for name, values in sums.items()}
    for state in ("all new", "all old, rotated"):
        curves[f"columns, {state}"] = [(columns, numbers.pop(f"{columns} columns, {state}")) for columns in UNTRAINED]
    return Curves(SEEDS[0], SMALL.steps, curves, numbers, data=api_search.fingerprint())


def _mean(right: torch.Tensor) -> float:
    return right.float().mean().item()


def _rotated(old: Version, new: Version) -> torch.Tensor:
    return old.documents @ rotation(old.others, new.others)


def _further_numbers(old: Version, new: Version) -> Mapping[str, float]:
    """Return what `measure` records of two versions besides recall."""
    known = first(old.queries, old.documents)
    numbers = {"still found": _mean(first(new.queries, new.documents)[known])}
    numbers |= {f"{share}, still found": _mean(mixtures(old, new, share)["mixed"][known]) for share in SHARES}
    return numbers | {"cosine": (_rotated(old, new) * new.documents).sum(dim=1).mean().item()}


def _untrained(texts: TrainingTexts, setting: Setting, seed: int) -> Encoder:
    torch.manual_seed(seed)
    return texts.fresh_encoder(setting).eval()
