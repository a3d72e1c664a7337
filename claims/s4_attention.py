"""S4: what it says about attention, its heads, and the weights that it draws."""

from __future__ import annotations

import math

import torch
from torch import nn

from .agreement import below, spread
from .entry import CONDITION, WRONG, Measured, Source, at, found, quoted

s4 = Source("S4")
HEADS, SCORES = "Multi-Head Attention", "注意力机制（Self-Attention）"


@s4.claim(
    "Attention is linear.",
    WRONG,
    at("07", "bug-linear"),
    at("07", "linear"),
    quote=quoted(
        "Feed-Forward Network",
        "增加非线性变换能力（注意力是线性的）",
        "adds non-linear transformations (attention is linear)",
    ),
)
def attention_is_linear() -> Measured:
    """Test whether attention is linear in its input and in its values."""
    attention = nn.MultiheadAttention(16, 2, bias=False, batch_first=True).eval()
    x, y = torch.randn(2, 1, 5, 16)

    def out(z: torch.Tensor, v: torch.Tensor | None = None) -> torch.Tensor:
        return attention(z, z, z if v is None else v)[0]

    apart, by_values = spread(out(x + y), out(x) + out(y)), spread(out(x, x + y), out(x, x) + out(x, y))
    return found(
        apart < 1e-4,
        f"f(x + y) and f(x) + f(y) are up to {apart:.2f} apart. With the weights held fixed: {below(by_values)}.",
        "Linear in the values only, weights held fixed. The weights come from x by products and a softmax.",
    )


@s4.claim(
    "The output projection W_o adds non-linearity, together with the layers after it.",
    WRONG,
    at("07", "bug-output"),
    at("07", "output-projection"),
    quote=quoted(
        HEADS,
        "增加非线性：虽然 W_o 是线性的，但与后续层组合形成非线性",
        "adds non-linearity: W_o is linear, but together with the layers after it, it forms something non-linear",
    ),
)
def output_matrix() -> Measured:
    """Test whether the output projection W_o is linear, and whether what follows is nonlinear without it."""
    output, (x, y) = nn.Linear(16, 16, bias=False), torch.randn(2, 5, 16)
    linear = spread(output(2 * x + y), 2 * output(x) + output(y))
    value, weights = nn.Linear(16, 16, bias=False), torch.randn(5, 5).softmax(dim=1)
    merged = spread(output(weights @ value(x)), weights @ (x @ (output.weight @ value.weight).T))

    def bent(matrix: torch.Tensor) -> float:  # how far a ReLU behind the matrix is from linear
        both, parts = ((x + y) @ matrix.T).relu(), (x @ matrix.T).relu() + (y @ matrix.T).relu()
        return spread(both, parts)

    without, with_it = bent(torch.eye(16)), bent(output.weight)
    return found(
        linear > 1e-3 or without < 1e-3 < with_it,
        f"W_o(2x + y) and 2 W_o x + W_o y differ by {below(linear)}; in one head W_o and W_v can even be one matrix "
        f"({below(merged)}). A ReLU after it is non-linear without it as well.",
        "It is linear, as the line itself says, and what comes after is non-linear with it or without. It mixes the heads.",
    )


@s4.claim(
    "Several heads are averaged, which lowers noise.",
    WRONG,
    at("07", "does-it-learn"),
    quote=quoted(HEADS, "更稳定的训练：多头平均降低噪声", "steadier training: averaging the heads lowers noise"),
)
def heads_are_not_averaged() -> Measured:
    """Compare the noise behind W_o with one head and with eight."""
    output, deviations = nn.Linear(64, 64, bias=False), {}
    nn.init.normal_(output.weight, std=1 / 8)
    for heads in (1, 8):
        noise = torch.randn(2000, heads, 64 // heads)  # what each head adds of its own
        deviations[heads] = output(noise.flatten(1)).detach().std().item()
    return found(
        deviations[8] < 0.8 * deviations[1],
        f"Noise of standard deviation 1 in all heads of a layer 64 wide, behind W_o: {deviations[1]:.2f} with one head, "
        f"{deviations[8]:.2f} "
        f"with eight; a mean of eight would leave {1 / math.sqrt(8):.2f}.",
        "They are laid side by side, each in its own columns, and mixed by W_o.",
    )


@s4.claim(
    "Dividing by √d_k brings the variance of the scores to 1.",
    CONDITION,
    at("07", "bug-redrawn"),
    at("07", "root"),
    quote=quoted(
        SCORES,
        "除以 √d_k 将方差归一化到 1，避免梯度消失",
        "dividing by √d_k normalises the variance to 1 and avoids vanishing gradients",
    ),
)
def saturated_attention() -> Measured:
    """Compute the standard deviation of scaled scores and the largest attention weight for two scales of Q and K."""
    x = torch.randn(50, 8, 256)
    drawn = {"entries of variance 1": 1 / 16, "behind matrices with entries of variance 1, as its own": 1.0}
    deviation, largest = {}, {}
    for name, std in drawn.items():
        query, key = (x @ (std * torch.randn(256, 256)) for _ in range(2))
        scores = query @ key.transpose(1, 2) / 16
        deviation[name], largest[name] = scores.std().item(), scores.softmax(dim=-1).amax(dim=-1).mean().item()
    descriptions = (f"{name}: {deviation[name]:.3g}, the largest of 8 weights {largest[name]:.3f} on average" for name in drawn)
    return found(
        {name: abs(score_deviation - 1) < 0.2 for name, score_deviation in deviation.items()},
        f"Standard deviation of the scores, width 256. Q and K with {'; '.join(descriptions)}.",
        "If the entries of Q and K have variance 1, as S4 says. Its own matrices give them variance d, and the softmax "
        "picks one "
        "token.",
    )


def encode_as_printed(x: torch.Tensor) -> torch.Tensor:
    """Encode with a small layer like S4's: matrices drawn in the call, a norm after each sum, then the mean over tokens."""
    width = x.shape[1]

    def norm(z: torch.Tensor) -> torch.Tensor:
        return nn.functional.layer_norm(z, (width,))

    query, key, value = (x @ torch.randn(width, width) for _ in range(3))
    seen = (query @ key.T / math.sqrt(width)).softmax(dim=1) @ value
    x = norm(x + seen @ torch.randn(width, width))
    inside = (x @ torch.randn(width, 4 * width) + torch.randn(4 * width)).relu()
    return norm(x + inside @ torch.randn(4 * width, width) + torch.randn(width)).mean(dim=0)


@s4.claim(
    "Its model gives a text a vector that similarities can be computed with.",
    WRONG,
    at("07", "bug-redrawn"),
    at("08", "encoder-question"),
    quote=quoted(HEADS, "W_q = np.random.randn(d_model, d_model)  # Query 投影", "W_q = … # projection of the query"),
)
def weights_drawn_in_the_call() -> Measured:
    """Encode one text twice with the printed layer, and compare the vectors."""
    x = torch.randn(8, 256)
    first, second = (encode_as_printed(x) for _ in range(2))
    cosine = torch.cosine_similarity(first, second, dim=0).item()
    layer = nn.TransformerEncoderLayer(256, 8, 1024, batch_first=True).eval()
    kept = spread(layer(x[None]), layer(x[None]))
    return found(
        cosine > 0.99,
        f"One text, twice through one layer of it: cosine {cosine:.2f}. With a module whose weights are made once the "
        "difference "
        f"is {below(kept)}.",
        "The weights of its layers are drawn anew in every call, so the same text gets unrelated vectors.",
    )
