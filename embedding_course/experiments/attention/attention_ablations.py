"""Train the long runs of notebook 07 with the learner's classes: what a mask prevents, and what a block needs."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ...data.micro import micro_language
from ..curves import Curves
from ..training import Batches, descend
from ..training import train as loop
from . import next_words
from .masked_words import Setting, train

FLOOR_STEPS, EVERY = 600, 50
#: Labels of the curves.
FLOOR = {"right": "right", "scrambled": "scrambled heads", "late_mask": "mask one place too far"}
PARTS = {
    "whole": "whole model",
    "one_head": "one head",
    "one_block": "one block",
    "no_feed_forward": "no feed-forward",
    "no_positions": "no positions",
    "no_attention": "no attention",
}
DEPTH = {
    "pre": "pre-norm",
    "pre_cold": "pre-norm, no warm-up",
    "post": "post-norm",
    "post_cold": "post-norm, no warm-up",
    "no_sums": "pre-norm, no residual connections",
}


class _NextWord(nn.Module):
    """Map ids (B, T) to logits (B, T, V) through two blocks; `mask(length)` says which positions may attend to which."""

    def __init__(self, make_block: Callable[..., Any], mask: Callable[[int], torch.Tensor], size: int) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(size, 48), nn.Embedding(next_words.LENGTH, 48)
        for table in (self.words, self.places):
            nn.init.normal_(table.weight, std=0.1)
        self.blocks = nn.ModuleList([make_block(48, 4, 96) for _ in range(2)])
        self.norm, self.output, self.mask = nn.LayerNorm(48), nn.Linear(48, size), mask

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x, allowed = self.words(ids) + self.places.weight[: ids.shape[1]], self.mask(ids.shape[1])
        for block in self.blocks:
            x = block(x, allowed)
        logits: torch.Tensor = self.output(self.norm(x))
        return logits


def floor(
    TransformerBlock: Callable[..., Any], causal_mask: Callable[[int], torch.Tensor], split_heads: Callable[..., torch.Tensor]
) -> Curves:
    """Train next-word models with the right mask, with one that is shifted by one position, and with scrambled heads."""

    def scrambled(*sizes: int) -> nn.Module:
        block = TransformerBlock(*sizes)
        block.attention.out_proj.register_forward_pre_hook(lambda _, x: (split_heads(x[0], sizes[1]).reshape(x[0].shape),))
        return block

    kinds: dict[str, tuple[Callable[..., Any], Callable[[int], torch.Tensor]]] = {
        "right": (TransformerBlock, causal_mask),
        "scrambled": (scrambled, causal_mask),
        "late_mask": (TransformerBlock, lambda length: causal_mask(length + 1)[1:, :-1]),
    }
    language, curves = micro_language(), {}
    new, size = next_words.rows("valid", 2000), len(language.vocabulary["english"])
    for name, (make_block, mask) in kinds.items():
        torch.manual_seed(0)
        model = _NextWord(make_block, mask, size)
        optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

        def step(batch: tuple[torch.Tensor], model: nn.Module = model, optimizer: Any = optimizer) -> float:
            loss = next_words.cross_entropy(model, batch[0])
            return descend(optimizer, loss)

        def measure(model: nn.Module = model) -> float:
            return next_words.loss(model, new)

        run = loop(step, Batches((next_words.rows("train"),), 64, FLOOR_STEPS), measure=measure, every=EVERY)
        curves[name] = run.measured
    return Curves(0, FLOOR_STEPS, curves, {"floor": language.entropy()}, FLOOR, "the micro-language")


def _silent(layer: nn.Linear) -> None:
    """Set a layer to zero and freeze it."""
    for parameter in layer.parameters():
        nn.init.zeros_(parameter)
        parameter.requires_grad_(False)


def parts(TransformerBlock: Callable[..., Any]) -> Curves:
    """Train masked-word models: the whole model, and five that lack a part."""
    whole = Setting()
    settings = {
        "whole": whole,
        "one_head": replace(whole, heads=1),
        "one_block": replace(whole, layers=1),
        "no_feed_forward": replace(whole, change=lambda block: _silent(block.ff2)),
        "no_positions": replace(whole, places=False),
        "no_attention": replace(whole, change=lambda block: _silent(block.attention.out_proj)),
    }
    curves, numbers = {}, {}
    for name, setting in settings.items():
        result = train(TransformerBlock, setting=setting)
        curves[name], numbers[name] = result.run.measured, result.share
    return Curves(whole.seed, whole.steps, curves, numbers, PARTS, "the micro-language")


def inside(TransformerBlock: Callable[..., Any]) -> Curves:
    """Train masked-word models whose feed-forward nets are 1, 2, 4 or 8 times as wide inside as outside.

    The curves are means of three seeds; the numbers are the lowest and the highest loss at the end.
    """
    curves, numbers = {}, {}
    for times in (1, 2, 4, 8):
        runs = [
            train(TransformerBlock, setting=Setting(d_ff=48 * times, seed=seed), every=250).run.measured for seed in range(3)
        ]
        curves[str(times)] = [(steps[0][0], sum(loss for _, loss in steps) / 3) for steps in zip(*runs, strict=True)]
        ends = [run[-1][1] for run in runs]
        numbers |= {f"{times}, lowest": min(ends), f"{times}, highest": max(ends)}
    return Curves(0, Setting().steps, curves, numbers, data="the micro-language, seeds 0 to 2")


def without_sums(block: Any, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """Return the output of a pre-norm block (B, T, d) without its residual connections."""
    x = block.attention(block.norm1(x), mask=mask)
    output: torch.Tensor = block.ff2(F.gelu(block.ff1(block.norm2(x))))
    return output


def _remove_sums(block: Any) -> None:
    block.forward = partial(without_sums, block)


def depth(TransformerBlock: Callable[..., Any]) -> Curves:
    """Train masked-word models with twelve blocks.

    The norm stands before or after, with a warm-up of the learning rate or without; the last model has no residual
    connections.
    """
    deep = Setting(layers=12, batch=64, steps=300, rate=3e-3)
    settings = {
        "pre": deep,
        "pre_cold": replace(deep, warm_up=False),
        "post": replace(deep, norm="post"),
        "post_cold": replace(deep, norm="post", warm_up=False),
        "no_sums": replace(deep, change=_remove_sums),
    }
    curves, numbers = {}, {}
    for name, setting in settings.items():
        result = train(TransformerBlock, setting=setting)
        curves[name], numbers[name] = result.run.measured, result.share
    return Curves(0, 300, curves, numbers, DEPTH, "the micro-language, 12 blocks")
