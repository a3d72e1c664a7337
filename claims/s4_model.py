"""S4: the parameters of its model, and how they begin."""

from __future__ import annotations

import math

import torch
from torch import nn

from .agreement import rounds_to
from .entry import WRONG, Measured, Source, at, found, quoted

s4 = Source("S4")
VOCABULARY, WIDTH = 100_256, 1_536


def _count(*modules: nn.Module) -> int:
    return sum(parameter.numel() for module in modules for parameter in module.parameters())


def _layer(attention_bias: bool) -> int:
    """Count the parameters of one encoder layer whose feed-forward part is four times as wide."""
    attention = nn.MultiheadAttention(WIDTH, 12, bias=attention_bias, device="meta")
    wide = nn.Linear(WIDTH, 4 * WIDTH, device="meta"), nn.Linear(4 * WIDTH, WIDTH, device="meta")
    return _count(attention, *wide, nn.LayerNorm(WIDTH, device="meta"), nn.LayerNorm(WIDTH, device="meta"))


@s4.claim(
    "A table of 100,256 × 1,536 has 154,793,216 parameters.",
    WRONG,
    at("07", "how-large"),
    at("07", "count"),
    quote=quoted(
        "参数量计算",
        "text-embedding-3-small 参数量详细计算…W_e: 100,256 × 1,536 = 154,793,216 参数",
        "detailed count of the parameters of text-embedding-3-small … W_e: 100,256 × 1,536 = 154,793,216 parameters",
    ),
)
def size_of_the_table() -> Measured:
    """Count the parameters of a table of 100,256 × 1,536."""
    count = _count(nn.Embedding(VOCABULARY, WIDTH, device="meta"))
    return found(
        count == 154_793_216,
        f"{count:,}, counted by torch.",
        f"{count:,}; the printed one is {154_793_216 - count:,} too large.",
    )


@s4.claim(
    "With twelve layers the model has 494,697,728 parameters.",
    WRONG,
    at("07", "how-large"),
    at("07", "count"),
    quote=quoted("参数量计算", "494,697,728 参数 ≈ 495M 参数", "494,697,728 parameters ≈ 495M parameters"),
)
def size_of_the_model() -> Measured:
    """Count the parameters of the model with twelve layers."""
    table = _count(nn.Embedding(VOCABULARY, WIDTH, device="meta"))
    without, with_bias = (table + 12 * _layer(bias) for bias in (False, True))
    return found(
        494_697_728 in (without, with_bias),
        f"{table:,} + 12 × {_layer(False):,} = {without:,}, attention without biases; with them {with_bias:,}.",
        f"{without:,}: the table's mistake of {494_697_728 - without:,} was carried on. S4 presents this as the size of "
        "OpenAI's text-embedding-3-small, which is unpublished.",
    )


@s4.claim(
    "The line below Xavier's formula draws as Xavier: standard deviation √(2 / 1536).",
    WRONG,
    at("02", "bug-xavier"),
    quote=quoted(
        "Embedding 矩阵",
        "公式：std = sqrt(2 / (fan_in + fan_out))…W_e = np.random.randn(100256, 1536) * np.sqrt(2/1536)",
        "formula: std = sqrt(2 / (fan_in + fan_out))",
    ),
)
def xavier_deviation() -> Measured:
    """Compare the standard deviations of Xavier and Kaiming initialisation with the printed one."""
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
        f"The formula is Xavier's, the line draws Kaiming's. Xavier's is √(2 / (100,256 + 1,536)) = {xavier:.5f}, "
        f"{kaiming / xavier:.0f} times smaller.",
    )
