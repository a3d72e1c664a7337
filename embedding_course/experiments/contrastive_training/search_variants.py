"""Train variants of the search engine: narrower, nested (Matryoshka), on hard negatives. They are slow, so recorded."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import torch

from ...data import api_search
from ...data.api_search import Entry
from ..curves import Curves
from ..search_engine import compression
from .hard_negatives import namesakes, share_of_namesakes, train_on
from .search_model import Encoder
from .search_text import Texts
from .search_training import Setting, Trained, similarities, train

WIDTHS = (4, 8, 16, 32, 64, 128)
SHARES = {"third": 43, "sixth": 21}  # Parts of 128 dimensions, as 512 and 256 are of 1,536.
#: Labels of the ways to have few dimensions, of the settings that were varied, and of the kinds of negatives.
NARROW = {
    "cut": "cut",
    "pca": "PCA",
    "matryoshka": "Matryoshka",
    "narrow": "trained at this width",
    "third": "a third",
    "sixth": "a sixth",
}
VARIED = {"scale": "scale", "batch": "rows in a batch", "constant": "constant rate", "warm_up": "warm-up and cosine"}
NEGATIVES = {
    "before": "before",
    "in_batch": "in-batch only",
    "random": "random",
    "nearest": "nearest of all",
    "margin_0.0": "margin 0.0",
    "margin_0.1": "margin 0.1",
    "margin_0.2": "margin 0.2",
}
SMALL = Setting(width=128, batch=128, steps=300)

Loss = Callable[..., torch.Tensor]


@torch.no_grad()
def both_sides(encoder: Encoder, entries: Sequence[Entry]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return unit vectors of the summaries and of the bodies, (N, d) each."""
    asked = Texts.of((entry.summary for entry in entries), encoder.words)
    answers = Texts.of((entry.body for entry in entries), encoder.words)
    return encoder(asked, "question"), encoder(answers, "answer")


def nested(info_nce: Loss, widths: Sequence[int] = WIDTHS) -> Loss:
    """Return a loss that is the mean over several widths: the first 4 dimensions, the first 8, and so on (Matryoshka)."""

    def loss(queries: torch.Tensor, positives: torch.Tensor, scale: float) -> torch.Tensor:
        parts = [info_nce(queries[:, :width], positives[:, :width], scale) for width in widths]
        return torch.stack(parts).mean()

    return loss


def widths(
    info_nce: Loss,
    warmup_cosine: Callable[..., float],
    truncate_dimensions: Callable[[torch.Tensor, int], torch.Tensor],
    recall_at_k: Callable[[torch.Tensor, torch.Tensor, int], float],
) -> Curves:
    """Measure recall@10 by width: cut from a wide model, cut after PCA, cut from a nested model, and trained at that width.

    Parameters
    ----------
    info_nce, warmup_cosine : Callable
        The learner's functions that train an engine.
    truncate_dimensions : Callable[[torch.Tensor, int], torch.Tensor]
        The learner's `truncate_dimensions(x, keep)`.
    recall_at_k : Callable[[torch.Tensor, torch.Tensor, int], float]
        The learner's function of a score table (Q, N), the right column of each row (Q,) and k.
    """
    entries, held_out = api_search.pairs("train"), api_search.pairs("test", 500)
    right = torch.arange(len(held_out))

    def measure(queries: torch.Tensor, documents: torch.Tensor) -> float:
        return float(recall_at_k(queries @ documents.T, right, 10))

    wide = train(info_nce, warmup_cosine, entries, SMALL)
    matryoshka = train(nested(info_nce), warmup_cosine, entries, SMALL)
    sides, nested_sides = both_sides(wide.encoder, held_out), both_sides(matryoshka.encoder, held_out)
    recalls = {
        "cut": compression.by_width(*sides, WIDTHS, truncate_dimensions, measure),
        "pca": compression.by_width(*compression.turned(*sides), WIDTHS, truncate_dimensions, measure),
        "matryoshka": compression.by_width(*nested_sides, WIDTHS, truncate_dimensions, measure),
    }
    curves = {
        name: [(width, point.value) for width, point in zip(WIDTHS, points, strict=True)] for name, points in recalls.items()
    }
    curves["narrow"] = []
    for width in WIDTHS[:-1]:
        narrow = train(info_nce, warmup_cosine, entries, replace(SMALL, width=width))
        curves["narrow"].append((width, measure(*both_sides(narrow.encoder, held_out))))
    curves["narrow"].append((WIDTHS[-1], measure(*sides)))
    numbers = {"cut, all": measure(*sides), "matryoshka, all": measure(*nested_sides)}
    for share, columns in SHARES.items():
        for name, both in (("cut", sides), ("pca", compression.turned(*sides)), ("matryoshka", nested_sides)):
            numbers[f"{name}, {share}"] = measure(*(truncate_dimensions(side, columns) for side in both))
    return Curves(SMALL.seed, SMALL.steps, curves, numbers, NARROW, api_search.fingerprint())


SCALES, PEAKS, BATCHES = (1.0, 5.0, 10.0, 20.0, 50.0, 100.0), (1e-3, 3e-3, 1e-2, 3e-2), (8, 32, 128, 512)


def settings(
    info_nce: Loss,
    warmup_cosine: Callable[..., float],
    LogitScale: Callable[[], torch.nn.Module],
    recall_at_k: Callable[[torch.Tensor, torch.Tensor, int], float],
) -> Curves:
    """Measure recall@1 at several scales, batch sizes and peak learning rates, and with a learned scale.

    Parameters
    ----------
    info_nce, warmup_cosine : Callable
        The learner's functions that train an engine.
    LogitScale : Callable[[], torch.nn.Module]
        The learner's module that holds a learned scale.
    recall_at_k : Callable[[torch.Tensor, torch.Tensor, int], float]
        The learner's function of a score table (Q, N), the right column of each row (Q,) and k.
    """
    entries, held_out = api_search.pairs("train"), api_search.pairs("test")
    right = torch.arange(len(held_out))

    def run(setting: Setting, rate: Callable[..., float] = warmup_cosine, scale: torch.nn.Module | None = None) -> float:
        trained = train(info_nce, rate, entries, setting, scale)
        return float(recall_at_k(similarities(trained.encoder, held_out), right, 1))

    def constant(step: int, warmup: int, total: int, peak: float) -> float:
        return peak

    curves = {
        "scale": [(scale, run(replace(SMALL, scale=scale))) for scale in SCALES],
        "batch": [(size, run(replace(SMALL, batch=size))) for size in BATCHES],
        "constant": [(peak, run(replace(SMALL, peak=peak), constant)) for peak in PEAKS],
        "warm_up": [(peak, run(replace(SMALL, peak=peak))) for peak in PEAKS],
    }
    learned = LogitScale()
    numbers = {"learned, recall@1": run(SMALL, scale=learned), "learned, scale at the end": learned().item()}
    return Curves(SMALL.seed, SMALL.steps, curves, numbers, VARIED, api_search.fingerprint())


def hard(
    info_nce: Loss,
    warmup_cosine: Callable[..., float],
    mine_hard_negatives: Callable[..., torch.Tensor],
    recall_at_k: Callable[[torch.Tensor, torch.Tensor, int], float],
) -> Curves:
    """Train further on several kinds of negatives; measure recall@1 and the share of namesakes among the negatives.

    Parameters
    ----------
    info_nce, warmup_cosine : Callable
        The learner's functions that train an engine.
    mine_hard_negatives : Callable[..., torch.Tensor]
        The learner's function of a score table (N, N), the right columns (N,), the number of negatives and a margin.
    recall_at_k : Callable[[torch.Tensor, torch.Tensor, int], float]
        The learner's function of a score table (Q, N), the right column of each row (Q,) and k.
    """
    entries, held_out = api_search.pairs("train"), api_search.pairs("test")
    right = torch.arange(len(held_out))
    trained: Trained = train(info_nce, warmup_cosine, entries, SMALL)
    scores, own = similarities(trained.encoder, entries), torch.arange(len(entries))
    groups = namesakes(entries)
    kinds: dict[str, torch.Tensor | None] = {"in_batch": None}
    kinds["random"] = torch.randint(len(entries), (len(entries), 4), generator=torch.Generator().manual_seed(0))
    kinds["nearest"] = scores.masked_fill(torch.eye(len(entries), dtype=torch.bool), -2).topk(4, dim=1).indices
    for margin in (0.0, 0.1, 0.2):
        kinds[f"margin_{margin}"] = mine_hard_negatives(scores, own, 4, margin)
    numbers = {"before, recall@1": float(recall_at_k(similarities(trained.encoder, held_out), right, 1))}
    for name, negatives in kinds.items():
        further = train_on(trained, entries, info_nce, negatives)
        numbers[f"{name}, recall@1"] = float(recall_at_k(similarities(further, held_out), right, 1))
        if negatives is not None:
            numbers[f"{name}, namesakes"] = share_of_namesakes(negatives, groups)[1]
    return Curves(SMALL.seed, SMALL.steps, {}, numbers, NEGATIVES, api_search.fingerprint())
