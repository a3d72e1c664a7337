"""S4: what a search in many vectors costs, and what narrower ones lose."""

from __future__ import annotations

import math

import torch
from torch.utils.flop_counter import FlopCounterMode

from .agreement import rounds_to
from .entry import CONDITION, HOLDS, Measured, Source, at, found, quoted
from .shared_runs import recorded

s4 = Source("S4")
WIDTHS = "维度对性能的影响"


@s4.claim(
    "A million vectors of 1,536 floats are 6 GB, of 512 floats 2 GB.",
    HOLDS,
    at("11", "memory-text"),
    at("11", "gigabytes"),
    quote=quoted(WIDTHS, "100万向量 × 1536维 × 4字节 = 6 GB", "1 million vectors × 1,536 dimensions × 4 bytes = 6 GB"),
)
def a_million_vectors() -> Measured:
    """Compute the memory of a million vectors of 1,536 and of 512 floats."""
    size = {width: torch.empty(1_000_000, width, device="meta").nbytes / 1e9 for width in (1536, 512)}
    return found(
        rounds_to(size[1536], "6") and rounds_to(size[512], "2"),
        f"{size[1536]:.3f} and {size[512]:.3f} GB (of 10⁹ bytes) in float32.",
    )


@s4.claim(
    "The lower the dimension, the quicker similarities are computed.",
    HOLDS,
    at("11", "truncate-text"),
    quote=quoted(WIDTHS, "维度越低，相似度计算越快", "the lower the dimension, the quicker a similarity is computed"),
)
def narrower_is_quicker() -> Measured:
    """Count the operations of one query against a million vectors of three widths."""
    counted = []
    for width in (256, 512, 1536):
        counter = FlopCounterMode(display=False)
        with counter:
            _ = torch.empty(1, width, device="meta") @ torch.empty(width, 1_000_000, device="meta")
        counted.append(counter.get_total_flops())
    return found(
        counted == sorted(counted),
        "Operations for one query against a million vectors of 256, 512 and 1,536 numbers: "
        f"{', '.join(f'{count:,}' for count in counted)}.",
    )


def _lost(share: str) -> dict[str, float]:
    """Return the share of recall@10 that the recorded engines lose when a share of their columns is left, by the way to cut."""
    runs = recorded("11_widths")
    whole = {"cut": "cut", "matryoshka": "matryoshka", "pca": "cut"}
    return {runs.label(way): 1 - runs.numbers[f"{way}, {share}"] / runs.numbers[f"{name}, all"] for way, name in whole.items()}


def _told(lost: dict[str, float]) -> str:
    return ", ".join(f"{way} {share:.1%}" for way, share in lost.items())


@s4.claim(
    "Reduced from 1,536 to 512 dimensions, less than 2 % is lost.",
    CONDITION,
    at("11", "matryoshka-lesson"),
    at("11", "a-third"),
    quote=quoted(
        WIDTHS,
        "精度损失: 通常降到 512 维损失 < 2%",
        "loss of accuracy: usually, reduced to 512 dimensions, less than 2 % is lost",
    ),
)
def a_third_of_the_columns() -> Measured:
    """Compute the recall that is lost with a third of the dimensions."""
    lost = _lost("third")
    return found(
        {way: share < 0.02 for way, share in lost.items()},
        f"A third of 128 columns, recall@10 lost by our search engine (recorded, 500 questions): {_told(lost)}. The "
        "commercial model "
        "itself was not measured.",
        "As a rule it holds here after PCA. It depends on how the columns that stay were made.",
    )


@s4.claim(
    "Reduced from 1,536 to 256 dimensions, about 5 to 10 % is lost.",
    CONDITION,
    at("11", "matryoshka-lesson"),
    at("11", "a-third"),
    quote=quoted(WIDTHS, "降到 256 维损失约 5-10%", "reduced to 256 dimensions, some 5–10 % is lost"),
)
def a_sixth_of_the_columns() -> Measured:
    """Compute the recall that is lost with a sixth of the dimensions."""
    lost = _lost("sixth")
    return found(
        {way: 0.05 <= share <= 0.10 for way, share in lost.items()},
        f"A sixth of 128 columns, recall@10 lost by our search engine (recorded, 500 questions): {_told(lost)}.",
        "As a rule it holds here after PCA. Plain cutting loses more than twice as much, nested training a little more.",
    )


@s4.claim(
    "A search with HNSW takes O(d · log n).",
    CONDITION,
    at("11", "lists-lesson"),
    at("11", "graph"),
    quote=quoted(WIDTHS, "HNSW 索引时间复杂度: O(d × log(n))", "time complexity of an HNSW index: O(d × log(n))"),
)
def walking_along_neighbours() -> Measured:
    """Compare the growth of comparisons in a graph search with that of the logarithm, in 4 and in 64 dimensions."""
    world = recorded("11_small_world")
    enough = {width: world.curves[f"{width}, enough"] for width in (4, 64)}
    growth = {width: counts[-1][1] / counts[0][1] for width, counts in enough.items()}
    (few, _), *_, (many, _) = enough[64]
    expected = math.log(many) / math.log(few)
    fixed = [world.numbers[f"64, {int(size)}, found"] for size in (few, many)]
    return found(
        {f"{width} dimensions": factor < 1.2 * expected for width, factor in growth.items()},
        f"From {few:,.0f} to {many:,.0f} random directions the logarithm grows by {expected:.1f}. Comparisons for 93 % of "
        "the ten "
        f"nearest grow by {growth[4]:.1f} in 4 dimensions and by {growth[64]:.1f} in 64; there a list of fixed length finds "
        f"{fixed[0]:.0%}, then {fixed[1]:.0%} (recorded).",
        "Where neighbourhoods are simple. In many directions, log n is paid for with neighbours that are missed.",
    )
