"""S1: how many dimensions a table of embeddings needs, by the size of its vocabulary."""

from __future__ import annotations

from .entry import CONDITION, Measured, Source, at, found, quoted
from .shared_runs import recorded

s1 = Source("S1")
GUIDE = "4.2 embedding维度选择指南"


@s1.claim(
    "A vocabulary of fewer than 10,000 words takes 32 to 128 numbers.",
    CONDITION,
    at("05", "tables-text"),
    at("05", "widths"),
    quote=quoted(
        GUIDE,
        "小型（<1万词汇） | 32-128 | 避免过拟合",
        "small (under 10,000 words) | 32–128 | avoids overfitting",
    ),
)
def width_of_a_small_table() -> Measured:
    """Compare the recorded accuracies of the translation at widths 8 to 128."""
    right = recorded("05_widths").numbers
    return found(
        {"48 are enough": right["48"] > 0.9, "128 are enough": right["128"] > 0.9, "16 are too few": right["16"] < 0.9},
        "178 words, in the recorded runs of the translation: "
        f"{', '.join(f'{width} numbers {right[width]:.1%} right' for width in ('8', '16', '48', '128'))}.",
        "It works, and fewer numbers may do. Where the knee lies depends on task and time.",
    )


#: Tokens and width of models as published. The first two are what the course can load, the others are known from their papers.
TABLES = {
    "MiniLM": (30_522, 384),
    "WordLlama": (32_000, 256),
    "BERT-base": (30_522, 768),
    "Llama 2 7B": (32_000, 4096),
    "GPT-2": (50_257, 768),
    "GPT-3": (50_257, 12_288),
    "Llama 3 8B": (128_256, 4096),
    "XLM-R base": (250_002, 768),
    "GloVe 6B": (400_000, 50),
    "word2vec": (3_000_000, 300),
}


def _widths(rows: tuple[int, float], width: tuple[int, int], truth: str) -> Measured:
    """Compare a line of the table of widths with the published models whose vocabulary falls into it."""
    models = {name: size for name, size in TABLES.items() if rows[0] < size[0] <= rows[1]}
    listed = ", ".join(f"{name} ({tokens:,}) {numbers:,}" for name, (tokens, numbers) in models.items())
    inside = {name: width[0] <= numbers <= width[1] for name, (_, numbers) in models.items()}
    return found(
        inside, f"Published widths (vocabulary in brackets): {listed}. {sum(inside.values())} of {len(inside)} fit.", truth
    )


@s1.claim(
    "A vocabulary of 10,000 to 100,000 words takes 128 to 512 dimensions.",
    CONDITION,
    at("05", "tables-text"),
    quote=quoted(
        GUIDE,
        "中型（1-10万词汇） | 128-512 | 平衡表达力与效率",
        "medium (10,000 to 100,000 words) | 128–512 | balances expressive power and efficiency",
    ),
)
def width_of_a_medium_table() -> Measured:
    """Compare the line for medium vocabularies with published models."""
    truth = "For small encoders. Width follows the size of the model, not of the vocabulary."
    return _widths((10_000, 100_000), (128, 512), truth)


@s1.claim(
    "A vocabulary of more than 100,000 words takes 300 to 1,024 dimensions.",
    CONDITION,
    at("05", "tables-text"),
    quote=quoted(
        GUIDE,
        "大型（>10万词汇） | 300-1024 | 充分表达复杂语义",
        "large (over 100,000 words) | 300–1024 | expresses complex meaning fully",
    ),
)
def width_of_a_large_table() -> Measured:
    """Compare the line for large vocabularies with published models."""
    truth = "For word vectors and encoders. GloVe is also published with 50, and language models are far wider."
    return _widths((100_000, float("inf")), (300, 1024), truth)


@s1.claim(
    "At the level of large language models, with more than 50,000 words, 1,024 to 12,288 dimensions are standard.",
    CONDITION,
    at("05", "tables-text"),
    quote=quoted(
        GUIDE,
        "LLM级别（>5万词汇） | 1024-12288 | 大模型标准配置",
        "LLM level (over 50,000 words) | 1024–12288 | standard setting of large models",
    ),
)
def width_of_a_language_model() -> Measured:
    """Compare the line for large language models with published ones, by width and by vocabulary."""
    models = {name: TABLES[name] for name in ("GPT-3", "Llama 3 8B", "Llama 2 7B")}
    fits = {name: tokens > 50_000 and 1024 <= width <= 12_288 for name, (tokens, width) in models.items()}
    listed = ", ".join(f"{name} ({tokens:,}) {width:,}" for name, (tokens, width) in models.items())
    return found(
        fits,
        f"Published widths (vocabulary in brackets): {listed}.",
        "The widths do, the vocabularies need not: Llama 2 has 32,000 tokens. And 60,000 words fall into two lines of S1's "
        "table.",
    )
