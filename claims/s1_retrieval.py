"""S1: CLIP's loss, the search for prompts, and smaller tables."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from .agreement import spread
from .entry import CONDITION, WRONG, Measured, Source, at, found, quoted

s1 = Source("S1")
SMALLER = "embedding量化与压缩"


def untrained_towers(rows: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return random images (rows, 512) and texts (rows, 512) behind untrained projections as in S1.

    The features before the projections have 768 and 256 dimensions and variance 1.
    """
    images, texts = (nn.Linear(width, 512)(torch.randn(rows, width)).detach() for width in (768, 256))
    return images, texts


@s1.claim(
    "Its contrastive_loss is CLIP's loss.",
    WRONG,
    at("09", "bug-normalise"),
    at("09", "printed"),
    quote=quoted("对比学习的embedding训练", "logits = torch.matmul(text_embeds, image_embeds.T) / temperature"),
)
def clip_without_normalising() -> Measured:
    """Compare the logits and losses of 64 pairs with and without normalised vectors."""
    images, texts = untrained_towers(64)
    raw, scaled = (
        text_vectors @ image_vectors.T / 0.07
        for text_vectors, image_vectors in ((texts, images), (F.normalize(texts), F.normalize(images)))
    )
    losses = {name: F.cross_entropy(logits, torch.arange(64)).item() for name, logits in (("raw", raw), ("cosine", scaled))}
    return found(
        raw.abs().max().item() <= 1 / 0.07 + 1e-3,
        "64 pairs through untrained projections to 512 numbers, as in its model, and temperature .07: logits up to "
        f"{raw.abs().max():.0f}, loss {losses['raw']:.0f}. Normalised: up to {scaled.abs().max():.1f}, loss "
        f"{losses['cosine']:.1f}; guessing costs 4.2.",
        f"Neither the model nor the loss normalises. CLIP's logits are cosines / temperature, within ±{1 / 0.07:.1f}.",
    )


def best_prompt(query: torch.Tensor, prompts: torch.Tensor) -> int:
    """Return the index of the nearest prompt as S1 searches for it: cosines along axis 0, one prompt at a time."""
    return int(torch.tensor([torch.cosine_similarity(query, prompt, dim=0) for prompt in prompts]).argmax())


@s1.claim(
    "The search for prompts finds the most similar prompt.",
    CONDITION,
    at("09", "bug-prompt"),
    quote=quoted("Prompt向量化与检索", "sim = torch.cosine_similarity(query_embedding, prompt_embed, dim=0)"),
)
def prompt_search_shapes() -> Measured:
    """Search for the nearest prompt with a query of shape (d,) and one of shape (1, d)."""
    prompts, query = 3 * torch.randn(20, 32), torch.randn(1, 32)
    nearest = int(torch.cosine_similarity(query, prompts).argmax())

    def works(asked: torch.Tensor) -> bool:
        try:
            return best_prompt(asked, prompts) == nearest
        except ValueError:  # a list of vectors is no tensor of numbers
            return False

    return found(
        {"a query (d,)": works(query[0]), "a query (1, d)": works(query)},
        "20 prompts of width 32: a query (32,) finds the nearest. A query (1, 32) is compared along its axis of one entry, so "
        "that each “similarity” is a vector of 32 signs, and a ValueError follows.",
        "For a query (d,). `encode_query`, printed right above it, returns (1, d): take row 0 first.",
    )


def quantise(weight: torch.Tensor, bits: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return codes, step and start of an even grid from the smallest to the largest number.

    The codes are bytes, whatever `bits` is, as in S1.
    """
    start, step = weight.min(), (weight.max() - weight.min()) / (2**bits - 1)
    return ((weight - start) / step).round().byte(), step, start


@s1.claim(
    "quantize_embedding stores each number of a table in `bits` bits.",
    CONDITION,
    at("11", "bug-byte"),
    at("11", "byte-run"),
    quote=quoted(SMALLER, "return quantized.byte(), scale, min_val"),
)
def quantiser_bits() -> Measured:
    """Quantise a table to 4, 8 and 16 bits, and compute memory and error."""
    table = torch.randn(100, 64)
    trials, descriptions = {}, []
    for bits in (4, 8, 16):
        codes, step, start = quantise(table, bits)
        worst = spread(codes * step + start, table)
        exact = worst <= 0.51 * step.item()
        trials[f"{bits} bits"] = exact and codes.nbytes * 8 == bits * table.numel()
        lost = "within half a step" if exact else "larger than the average number" if worst > table.abs().mean() else "larger"
        descriptions.append(f"{bits} bits: {codes.nbytes:,} bytes, error {lost}")
    return found(
        trials,
        f"6,400 numbers: {'; '.join(descriptions)}.",
        "For 8 bits only, since .byte() is called whatever `bits` is: 4 save nothing, and 16 do not fit and destroy the table.",
    )


@s1.claim(
    "quantize_embedding takes any table.",
    CONDITION,
    at("11", "bug-byte"),
    at("11", "byte-run"),
    quote=quoted(SMALLER, "scale = (max_val - min_val) / (2**bits - 1)"),
)
def quantiser_constant_table() -> Measured:
    """Quantise a random and a constant table, and test whether the results are finite."""
    constant = torch.full((4, 3), 0.7)
    step = (constant.max() - constant.min()) / 255
    before_cast = (constant - constant.min()) / step
    codes, fine_step, start = quantise(torch.randn(4, 3), 8)
    return found(
        {
            "a random table": bool((codes * fine_step + start).isfinite().all()),
            "a constant table": bool(before_cast.isfinite().all()),
        },
        f"A table of twelve times .7: the step is {step:g}, and 0 / 0 gives {int(before_cast.isnan().sum())} times nan. "
        "What a cast makes of nan is not defined; a 0 would be right by luck.",
        "For tables with two different numbers at least. A step of 0 has to be caught.",
    )


@s1.claim(
    "A table of low rank has fewer parameters.",
    CONDITION,
    at("11", "rank-text"),
    quote=quoted(SMALLER, "使用低秩分解减少embedding参数", "use a low-rank factorisation to reduce the embedding's parameters"),
)
def low_rank_parameters() -> Measured:
    """Compare the parameters of a table with those of two matrices of rank 128 and 760."""

    def count(*modules: nn.Module) -> int:
        return sum(parameter.numel() for module in modules for parameter in module.parameters())

    whole = count(nn.Embedding(30_000, 768, device="meta"))
    thin = {
        rank: count(nn.Embedding(30_000, rank, device="meta"), nn.Linear(rank, 768, bias=False, device="meta"))
        for rank in (128, 760)
    }
    return found(
        {f"rank {rank}": count_ < whole for rank, count_ in thin.items()},
        f"30,000 × 768 is {whole:,}; as two matrices {', '.join(f'{many:,} at rank {rank}' for rank, many in thin.items())}.",
        f"Below rank V·d / (V + d), here {30_000 * 768 // 30_768}.",
    )
