"""S4: what tokens cost, and what parameters weigh."""

from __future__ import annotations

import torch
from torch import nn

from embedding_course.data.tiktoken_facts import ENCODINGS, token_count

from .agreement import agree, rounds_to
from .course_tokens import CHINESE, ENGLISH
from .entry import CONDITION, HOLDS, WRONG, Measured, Source, at, found, quoted

s4 = Source("S4")
PRICE = 0.03 / 1000  # dollars for a token
ENGINE, PRACTICE, SIZES = "Tiktoken（OpenAI 的实现）", "Tiktoken 实战", "参数量计算"


@s4.claim(
    "dog may be one token, 狗 two or three.",
    HOLDS,
    at("01", "explain-id"),
    quote=quoted(
        ENGINE,
        '英文单词 "dog" 可能是 1 个 token…中文 "狗" 可能被拆成 2-3 个 token',
        "the English word “dog” may be 1 token … the Chinese “狗” may be cut into 2 to 3 tokens",
    ),
)
def tokens_of_a_dog() -> Measured:
    """Count the tokens of dog and 狗 in four encodings."""
    counts = {name: (token_count("dog", name), token_count("狗", name)) for name in ENCODINGS}
    older = [name for name in ENCODINGS if name != "o200k_base"]
    return found(
        {name: counts[name][0] == 1 and counts[name][1] in (2, 3) for name in older},
        f"dog and 狗: {'; '.join(f'{dog} and {gou} in {name}' for name, (dog, gou) in counts.items())}. The last one needs "
        "fewer tokens for Chinese, as S4 goes on to say.",
    )


@s4.claim(
    "Chinese uses up more tokens than English.",
    CONDITION,
    at("01", "explain-pieces"),
    quote=quoted(
        ENGINE,
        "上下文窗口利用率（中文消耗更多 token）",
        "the use that is made of the context window (Chinese uses up more tokens)",
    ),
)
def cost_of_chinese() -> Measured:
    """Compare the token counts of a Chinese sentence and its translation in four encodings."""
    ratio = {name: token_count(CHINESE, name) / token_count(ENGLISH, name) for name in ENCODINGS}
    return found(
        {name: quotient > 1 for name, quotient in ratio.items()},
        f"{CHINESE} against its translation: {', '.join(f'{quotient:g} times in {name}' for name, quotient in ratio.items())}.",
        "In the three older encodings. How much a text costs is decided by what the merges were learned from.",
    )


@s4.claim(
    "A thousand calls of 12 tokens at $0.03 per 1,000 tokens cost $0.036.",
    WRONG,
    at("01", "bug-bill"),
    quote=quoted(PRACTICE, "老编码器: 12 tokens → $0.036 / 1000次", "the old encoder: 12 tokens → $0.036 / 1000 calls"),
)
def cost_of_calls() -> Measured:
    """Compute the cost of a thousand calls of 12 tokens."""
    cost = 12 * PRICE * 1000
    return found(
        agree(0.036, cost, 0.01),
        f"12 × 1,000 × $0.03 / 1,000 = ${cost:.2f}.",
        f"${cost:.2f}; off by a factor of {cost / 0.036:.0f}.",
    )


@s4.claim(
    "The new tokenizer saves 58 %.",
    WRONG,
    at("01", "bug-bill"),
    quote=quoted(PRACTICE, "节省 58% 成本！", "saves 58% of the cost!"),
)
def saving_of_the_tokenizer() -> Measured:
    """Compute the share of tokens that the newer encoding saves."""
    old, new = (token_count(CHINESE, name) for name in ("r50k_base", "o200k_base"))
    printed, saved = 1 - 5 / 12, 1 - new / old
    assert rounds_to(100 * printed, "58")
    return found(
        rounds_to(100 * saved, "58"),
        f"58 % follows from the printed 12 and 5. With the recorded {old} and {new} a thousand calls cost "
        f"${old * PRICE * 1000:.2f} and ${new * PRICE * 1000:.2f}.",
        f"{saved:.0%}.",
    )


@s4.claim(
    "495 million parameters take 1.98 GB in float32, 0.99 GB in float16, 0.5 GB in int8.",
    HOLDS,
    at("01", "dtypes"),
    quote=quoted(
        SIZES,
        "495,000,000 参数 × 4 字节/参数 = 1,980,000,000 字节…≈ 1.98 GB",
        "495,000,000 parameters × 4 bytes/parameter = 1,980,000,000 bytes ≈ 1.98 GB",
    ),
)
def model_sizes() -> Measured:
    """Compute the memory of 495 million parameters in float32, float16 and int8."""
    printed = {torch.float32: "1.98", torch.float16: "0.99", torch.int8: "0.5"}
    size = {dtype: torch.empty(495_000_000, dtype=dtype, device="meta").nbytes / 1e9 for dtype in printed}
    return found(
        {str(dtype): rounds_to(size[dtype], text) for dtype, text in printed.items()},
        f"{', '.join(f'{gigabytes:.3f}' for gigabytes in size.values())} GB (of 10⁹ bytes): the numbers alone. "
        "Codes of 8 bits need their scales besides.",
    )


@s4.claim(
    "Mixed precision stores the parameters in float16, in half the bytes.",
    CONDITION,
    at("01", "dtypes-lesson"),
    quote=quoted(SIZES, "Float16 存储（混合精度）", "storage in float16 (mixed precision)"),
)
def mixed_precision() -> Measured:
    """Compare the memory of a layer's parameters under autocast and cast to float16."""
    layer = nn.Linear(64, 64)
    before = sum(parameter.nbytes for parameter in layer.parameters())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = layer(torch.randn(8, 64))
    mixed = sum(parameter.nbytes for parameter in layer.parameters())
    halved = sum(parameter.nbytes for parameter in layer.half().parameters())
    assert out.dtype == torch.bfloat16
    return found(
        {"parameters cast to float16": 2 * halved == before, "mixed precision in training": 2 * mixed == before},
        f"A layer of {before:,} bytes: {halved:,} cast to float16; {mixed:,} under autocast, where the products are computed "
        "in 16 bits and the parameters stay in float32.",
        "If they are cast. Mixed precision keeps the parameters in float32 and computes in 16 bits.",
    )
