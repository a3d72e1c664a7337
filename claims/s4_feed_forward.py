"""S4: the feed-forward net."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from .entry import CONDITION, Measured, Source, at, found, quoted
from .shared_runs import last_losses

s4 = Source("S4")

#: Widths outside and inside the feed-forward nets of models as published.
PUBLISHED = {"BERT-base": (768, 3072), "Llama 2 7B": (4096, 11008), "T5 11B": (1024, 65536)}


@s4.claim(
    "Four times the width is the sweet spot of the feed-forward net.",
    CONDITION,
    at("07", "inside-question"),
    at("07", "inside"),
    quote=quoted("Feed-Forward Network", "4 倍是甜蜜点（sweet spot）", "four times is the sweet spot"),
)
def four_times_inside() -> Measured:
    """Compare recorded losses by the width of the feed-forward net, and the widths of published models."""
    losses = last_losses("07_inside")
    ratios = {name: wide / width for name, (width, wide) in PUBLISHED.items()}
    losses_text = ", ".join(f"{loss:.2f} at {times}" for times, loss in losses.items())
    return found(
        {"our small runs": min(losses, key=losses.__getitem__) == "4", "published models": set(ratios.values()) == {4}},
        f"Covered words, held-out loss by how many times as wide the net is (recorded, mean of three seeds): {losses_text}. "
        "Published: "
        f"{', '.join(f'{name} {ratio:.1f}' for name, ratio in ratios.items())}.",
        "In our small runs, by a few hundredths. Models that work well were built with less than three times and with 64.",
    )


def _gradient_at_the_input(block: str, second: bool) -> tuple[float, float]:
    """Return the gradient at the input of twelve feed-forward nets, and the share of their outputs below 0."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(32, 64, generator=generator).requires_grad_()
    y, negative = x, 0.0
    for _ in range(12):
        first = torch.randn(64, 256, generator=generator) * (2 / 64) ** 0.5
        last = torch.randn(256, 64, generator=generator) * (1 / 256) ** 0.5
        output = (F.layer_norm(y, (64,)) if block == "pre-norm" else y).matmul(first).relu() @ last
        output = output.relu() if second else output
        negative += (output < 0).float().mean().item() / 12
        y = output if block == "neither" else y + output
        y = F.layer_norm(y, (64,)) if block == "post-norm" else y
    (y * torch.randn(y.shape, generator=generator)).sum().backward()
    assert x.grad is not None
    return x.grad.norm().item(), negative


@s4.claim(
    "The second layer of the feed-forward net has no activation, since more non-linearity may hamper the gradient.",
    CONDITION,
    at("07", "inside-question"),
    quote=quoted(
        "Feed-Forward Network",
        "因为后面会接 LayerNorm 和残差连接…过多的非线性反而可能影响梯度流动",
        "because LayerNorm and a residual connection follow … too much non-linearity may even hamper the flow of gradients",
    ),
)
def second_activation() -> Measured:
    """Compare the gradient at the input of twelve nets with and without a ReLU behind the second layer."""
    sizes = {
        name: [_gradient_at_the_input(name, second) for second in (False, True)]
        for name in ("pre-norm", "post-norm", "neither")
    }
    listed = "; ".join(f"{name} {without[0]:.3g} and {with_it[0]:.3g}" for name, (without, with_it) in sizes.items())
    negative = sizes["pre-norm"][0][1]
    return found(
        {name: with_it[0] < 0.5 * without[0] for name, (without, with_it) in sizes.items()},
        f"Gradient at the input of twelve nets without and with a second ReLU: {listed} (no norm, no residual connection). "
        f"Without it {negative:.0%} of what a net adds is negative, with it nothing is.",
        "Where neither norms nor residual connections are around. With them, as in S4's block, the gradient passes. A second "
        "ReLU could only add to a residual stream and never take away.",
    )
