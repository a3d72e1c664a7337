"""S4: the parameters of its model, how they begin, and what its layers do."""

from __future__ import annotations

import math

import torch
from torch import nn

from .compare import below, rounds_to, spread
from .entry import CONDITION, HOLDS, WRONG, Finding, Source, at, found

s4 = Source("S4")
VOCABULARY, WIDTH = 100_256, 1_536


def _count(*modules: nn.Module) -> int:
    return sum(one.numel() for module in modules for one in module.parameters())


def _layer(attention_bias: bool) -> int:
    """The parameters of one encoder layer whose feed-forward part is four times as wide."""
    attention = nn.MultiheadAttention(WIDTH, 12, bias=attention_bias, device="meta")
    wide = nn.Linear(WIDTH, 4 * WIDTH, device="meta"), nn.Linear(4 * WIDTH, WIDTH, device="meta")
    return _count(attention, *wide, nn.LayerNorm(WIDTH, device="meta"), nn.LayerNorm(WIDTH, device="meta"))


@s4.claim("A table of 100,256 × 1,536 has 154,793,216 parameters.", WRONG, at("07", "depth-lesson"))
def size_of_the_table() -> Finding:
    count = _count(nn.Embedding(VOCABULARY, WIDTH, device="meta"))
    return found(
        count == 154_793_216,
        f"{count:,}, counted by torch.",
        f"{count:,}; the printed one is {154_793_216 - count:,} too large.",
    )


@s4.claim("With twelve layers the model has 494,697,728 parameters.", WRONG, at("07", "depth-lesson"))
def size_of_the_model() -> Finding:
    table = _count(nn.Embedding(VOCABULARY, WIDTH, device="meta"))
    without, with_bias = (table + 12 * _layer(bias) for bias in (False, True))
    return found(
        494_697_728 in (without, with_bias),
        f"{table:,} + 12 × {_layer(False):,} = {without:,}, attention without biases; with them {with_bias:,}.",
        f"{without:,}: the table's mistake of {494_697_728 - without:,} was carried on. The real model's depth and size are "
        "unpublished, so this is a hypothetical one.",
    )


@s4.claim("Xavier draws with a standard deviation of √(2 / 1536).", WRONG, at("02", "bug-xavier"))
def xavier_deviation() -> Finding:
    fan_in, fan_out = WIDTH, VOCABULARY  # as torch.nn.init counts them for a weight (V, d)
    xavier, kaiming = math.sqrt(2 / (fan_in + fan_out)), math.sqrt(2 / fan_in)
    small = torch.empty(3000, 500)
    drawn = {
        name: draw(small).std().item()
        for name, draw in (("Xavier", nn.init.xavier_normal_), ("Kaiming", nn.init.kaiming_normal_))
    }
    assert abs(drawn["Xavier"] / math.sqrt(2 / 3500) - 1) < 0.01 and abs(drawn["Kaiming"] / math.sqrt(2 / 500) - 1) < 0.01
    return found(
        rounds_to(xavier, f"{math.sqrt(2 / 1536):.5f}"),
        f"For 100,256 × 1,536: Xavier {xavier:.5f}, Kaiming {kaiming:.5f}. Drawn with torch.nn.init for 3,000 × 500, both "
        "formulas hold: "
        f"{drawn['Xavier']:.4f} and {drawn['Kaiming']:.4f}.",
        f"That is Kaiming's. Xavier's is √(2 / (100,256 + 1,536)) = {xavier:.5f}, {kaiming / xavier:.0f} times smaller.",
    )


@s4.claim("Layer norm divides by σ + ε.", CONDITION, at("07", "bug-norm"))
def epsilon_of_layer_norm() -> Finding:
    trials, told = {}, []
    for size in (1.0, 1e-3):
        x = size * torch.randn(5, 64, dtype=torch.float64)
        theirs = nn.LayerNorm(64, dtype=torch.float64)(x).detach()
        centred, sigma = x - x.mean(dim=1, keepdim=True), x.std(dim=1, keepdim=True, correction=0)
        off = ((centred / (sigma + 1e-5)).norm() / theirs.norm()).item() - 1
        inside = spread(centred / (sigma.square() + 1e-5).sqrt(), theirs)
        trials[f"tokens of spread {size:g}"] = abs(off) < 1e-3
        told.append(f"{size:g}: {'less than 0.1 %' if abs(off) < 1e-3 else f'{off:.0%}'} longer")
        assert inside < 1e-9
    return found(
        trials,
        f"Against torch's layer, ε = 1e-5, tokens of spread {'; of spread '.join(told)}. √(σ² + ε) agrees to rounding.",
        "Nearly, as long as σ is far above √ε. PyTorch divides by √(σ² + ε).",
    )


@s4.claim("With γ = σ and β = μ layer norm undoes itself.", WRONG, at("07", "bug-norm"))
def undoing_layer_norm() -> Finding:
    x = 3 * torch.randn(5, 64, dtype=torch.float64) + torch.arange(5.0)[:, None]
    layer = nn.LayerNorm(64, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.fill_(x[0].std(correction=0).item())
        layer.bias.fill_(x[0].mean().item())
        back = layer(x)
    errors = (back - x).abs().amax(dim=1)
    return found(
        bool((errors < 1e-3).all()),
        f"Set to σ and μ of the first of five tokens: that one comes back (error {below(errors[0].item())}), the others are "
        "off by "
        f"{errors[1:].min():.1f} and more.",
        "γ and β belong to features and are the same for all tokens; μ and σ are each token's own, and are lost.",
    )


@s4.claim("Attention is linear.", WRONG, at("07", "values-lesson"))
def attention_is_linear() -> Finding:
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


@s4.claim("The output matrix W_o adds non-linearity.", WRONG, at("07", "bug-output"))
def output_matrix() -> Finding:
    output, (x, y) = nn.Linear(16, 16, bias=False), torch.randn(2, 5, 16)
    linear = spread(output(2 * x + y), 2 * output(x) + output(y))
    value, weights = nn.Linear(16, 16, bias=False), torch.randn(5, 5).softmax(dim=1)
    merged = spread(output(weights @ value(x)), weights @ (x @ (output.weight @ value.weight).T))
    return found(
        linear > 1e-3,
        f"W_o(2x + y) and 2 W_o x + W_o y differ by {below(linear)}; in one head W_o and W_v can even be one matrix "
        f"({below(merged)}).",
        "It is linear: it mixes the heads.",
    )


def _attend(x: torch.Tensor, std: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Self-attention with weights that are drawn in the call: what comes out, and the attention weights."""
    query, key, value = (x @ (std * torch.randn(x.shape[1], x.shape[1])) for _ in range(3))
    weights = (query @ key.T / math.sqrt(x.shape[1])).softmax(dim=1)
    return weights @ value, weights


@s4.claim("The function gives a text its vector.", WRONG, at("07", "scale-lesson"), at("08", "encoder-question"))
def weights_drawn_in_the_call() -> Finding:
    x = torch.randn(8, 256)
    first, second = (_attend(x, 1 / 16)[0].mean(dim=0) for _ in range(2))
    cosine = torch.cosine_similarity(first, second, dim=0).item()
    layer = nn.MultiheadAttention(256, 1, batch_first=True).eval()
    kept = spread(layer(x[None], x[None], x[None])[0], layer(x[None], x[None], x[None])[0])
    return found(
        cosine > 0.99,
        f"One text, encoded twice: cosine {cosine:.2f}. With a module whose weights are made once the difference is "
        f"{below(kept)}.",
        "Its weights are drawn anew in every call, so the same text gets unrelated vectors.",
    )


@s4.claim("Weights of variance 1 are a fair start for attention.", WRONG, at("07", "scale-lesson"))
def saturated_attention() -> Finding:
    largest = {}
    for name, std in (("1", 1.0), ("1 / d", 1 / 16)):
        runs = [_attend(torch.randn(8, 256), std)[1].amax(dim=1) for _ in range(50)]
        largest[name] = torch.cat(runs).mean().item()
    return found(
        largest["1"] < 0.9,
        f"8 tokens of 256 numbers: the largest attention weight is {largest['1']:.3f} on average with variance 1, "
        f"{largest['1 / d']:.2f} with variance 1 / d (1 / 8 would be even).",
        "Scores of that size make the softmax a choice of one token, with next to no gradient.",
    )


@s4.claim("A million vectors of 1,536 floats are 6.14 GB, of 512 floats 2.05 GB.", HOLDS, at("09", "memory-text"))
def a_million_vectors() -> Finding:
    size = {width: torch.empty(1_000_000, width, device="meta").nbytes / 1e9 for width in (1536, 512)}
    return found(
        rounds_to(size[1536], "6.14") and rounds_to(size[512], "2.05"),
        f"{size[1536]:.3f} and {size[512]:.3f} GB (of 10⁹ bytes) in float32.",
    )


@s4.claim(
    "InfoNCE with similarities .85 and .12 at temperature .05: logits 17 and 2.4, loss 4.6e-7.",
    HOLDS,
    at("09", "pair-question"),
)
def loss_of_two_similarities() -> Finding:
    logits = torch.tensor([0.85, 0.12], dtype=torch.float64) / 0.05
    loss = nn.functional.cross_entropy(logits[None], torch.tensor([0])).item()
    return found(
        rounds_to(logits[0].item(), "17.0") and rounds_to(logits[1].item(), "2.4") and rounds_to(loss * 1e7, "4.6"),
        f"Logits {logits[0]:.1f} and {logits[1]:.1f}, loss {loss:.2e} in float64.",
    )
