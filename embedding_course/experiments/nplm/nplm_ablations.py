"""Train the long runs of notebook 04 with the learner's functions: other windows, and variants that lack something."""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ...data.micro import micro_language
from ..curves import Curves
from ..training import Batches, train
from .held_out import mean_loss

STEPS, EVERY, WIDTH, HIDDEN, SEED = 1500, 100, 16, 64, 0


class _KeepsGradients(torch.optim.Adam):
    """Run Adam for a training step that forgets to clear the gradients."""

    def zero_grad(self, set_to_none: bool = True) -> None:
        pass


def _rows(make_ngrams: Callable[..., Any], window: int) -> tuple[Any, Any]:
    language = micro_language()
    words = language.vocabulary["english"]
    return tuple(
        make_ngrams([words.encode(text) for text in language.sentences("english", split, n)], window, words.bos, words.eos)
        for split, n in (("train", None), ("test", 1500))
    )


def _curve(model: nn.Module, rows: Any, train_step: Callable[..., float], kind: type[torch.optim.Optimizer]) -> list:
    optimizer = kind(model.parameters(), lr=5e-3)  # type: ignore[call-arg]
    run = train(
        lambda batch: train_step(model, batch, F.cross_entropy, optimizer),
        Batches(rows[0], 256, STEPS, SEED),
        measure=lambda: mean_loss(model, *rows[1]),
        every=EVERY,
    )
    return run.measured


#: Labels of the variants.
VARIANTS = {
    "whole": "whole model",
    "no_tanh": "no tanh",
    "no_order": "order thrown away",
    "fixed_table": "a table that never learns",
    "kept_gradients": "old gradients never cleared",
}


def measure_windows(make_ngrams: Callable[..., Any], NPLM: type[nn.Module], train_step: Callable[..., float]) -> Curves:
    """Return the held-out loss for windows of one to five words; `numbers` holds the entropy, the floor of each window."""
    language, curves, floors = micro_language(), {}, {}
    size = len(language.vocabulary["english"])
    for window in (1, 2, 3, 4, 5):
        torch.manual_seed(SEED)
        model = NPLM(size, window, WIDTH, HIDDEN)
        curves[str(window)] = _curve(model, _rows(make_ngrams, window), train_step, torch.optim.Adam)
        floors[str(window)] = language.entropy(window)
    return Curves(SEED, STEPS, curves, floors)


def measure_variants(make_ngrams: Callable[..., Any], NPLM: type[nn.Module], train_step: Callable[..., float]) -> Curves:
    """Return the held-out loss of the whole model, and of four that lack something, with a window of four words."""
    rows, size = _rows(make_ngrams, 4), len(micro_language().vocabulary["english"])
    made: dict[str, Callable[[], nn.Module]] = {
        "whole": lambda: NPLM(size, 4, WIDTH, HIDDEN),
        "no_tanh": lambda: nn.Sequential(
            nn.Embedding(size, WIDTH), nn.Flatten(), nn.Linear(4 * WIDTH, HIDDEN), nn.Linear(HIDDEN, size)
        ),
        "no_order": lambda: nn.Sequential(
            nn.EmbeddingBag(size, WIDTH, mode="sum"), nn.Linear(WIDTH, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, size)
        ),
        "fixed_table": lambda: _frozen(NPLM(size, 4, WIDTH, HIDDEN)),
        "kept_gradients": lambda: NPLM(size, 4, WIDTH, HIDDEN),
    }
    curves = {}
    for name, make in made.items():
        torch.manual_seed(SEED)
        kind = _KeepsGradients if name == "kept_gradients" else torch.optim.Adam
        curves[name] = _curve(make(), rows, train_step, kind)
    return Curves(SEED, STEPS, curves, labels=VARIANTS)


def _frozen(model: Any) -> nn.Module:
    model.embedding.weight.requires_grad_(False)
    return model
