"""Measure binary codes with exact rescoring, and merged rankings, on several trained engines, since differences are small."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import torch

from ...data import api_search
from ..curves import Curves
from . import compression
from .search_baselines import bm25, tf_idf
from .search_training import Setting, train
from .search_variants import both_sides

SEEDS = (0, 1, 2)
CANDIDATES = 40
#: Labels of the ways to store a vector, and of the rankings, alone and merged.
STORED = {
    "float32_256": "float32, 256 columns",
    "float32_8": "float32, 8 columns",
    "bytes_24": "8 bits, 24 columns",
    "bit": "1 bit",
    "bit_exact": "1 bit, question exact",
    "bit_best": f"1 bit, best of {CANDIDATES}",
}
RANKED = {
    "vectors": "vectors",
    "bm25": "BM25",
    "vectors_bm25_60": "vectors and BM25, k = 60",
    "vectors_bm25_1": "vectors and BM25, k = 1",
    "letters": "letters",
    "vectors_letters_60": "vectors and letters, k = 60",
    "vectors_letters_1": "vectors and letters, k = 1",
}

Search = Callable[[torch.Tensor, torch.Tensor, int], torch.Tensor]


def rescored(queries: torch.Tensor, documents: torch.Tensor, candidates: torch.Tensor) -> torch.Tensor:
    """Return the candidates (Q, c) ordered by falling dot product of the exact vectors."""
    exact = torch.einsum("qd,qcd->qc", queries, documents[candidates])
    return candidates.gather(1, exact.argsort(dim=1, descending=True))


def by_bits(
    queries: torch.Tensor,
    documents: torch.Tensor,
    widths: Sequence[int],
    binary_codes: Callable[[torch.Tensor], torch.Tensor],
    hamming_search: Search,
    measure: Callable[[torch.Tensor], float],
) -> tuple[list[compression.Point], list[compression.Point]]:
    """Measure binary codes of several widths, alone and with exact rescoring of more candidates.

    Parameters
    ----------
    queries, documents : torch.Tensor
        Unit vectors (Q, d) and (N, d).
    widths : Sequence[int]
        Numbers of dimensions whose signs are kept.
    binary_codes : Callable[[torch.Tensor], torch.Tensor]
    hamming_search : Search
        The learner's functions.
    measure : Callable[[torch.Tensor], float]
        Takes the indices of the ten documents found (Q, 10).

    Returns
    -------
    tuple
        Points of the ten found by codes, and of the ten best candidates by exact vectors. The bytes are those of the codes; the
        exact vectors are only read for the candidates, from a disk.
    """
    plain, exact = [], []
    for width in widths:
        codes = binary_codes(documents[:, :width])
        candidates = hamming_search(binary_codes(queries[:, :width]), codes, CANDIDATES)
        plain.append(compression.Point("1 bit", codes.shape[1], measure(candidates[:, :10])))
        better = rescored(queries, documents, candidates)[:, :10]
        exact.append(compression.Point(f"1 bit, best of {CANDIDATES}", codes.shape[1], measure(better)))
    return plain, exact


def fused(
    scores: Sequence[torch.Tensor], reciprocal_rank_fusion: Callable[[list[list[int]], int], list[int]], k: int
) -> torch.Tensor:
    """Return the indices of all documents, best first, for each query (Q, N): the merged rankings of several score tables."""
    rankings = [table.argsort(dim=1, descending=True, stable=True).tolist() for table in scores]
    return torch.tensor([reciprocal_rank_fusion(list(rows), k) for rows in zip(*rankings, strict=True)])


def _measures(numbers: torch.Tensor, right: torch.Tensor) -> Mapping[str, float]:
    rank = 1 + (numbers == right[:, None]).int().argmax(dim=1).double()
    return {
        "recall@1": (rank == 1).double().mean().item(),
        "recall@10": (rank <= 10).double().mean().item(),
        "MRR": (1 / rank).mean().item(),
    }


def measure(
    info_nce: Callable[..., torch.Tensor],
    warmup_cosine: Callable[..., float],
    truncate_dimensions: Callable[[torch.Tensor, int], torch.Tensor],
    quantize_uint8: Callable[..., tuple[torch.Tensor, torch.Tensor, torch.Tensor]],
    dequantize: Callable[..., torch.Tensor],
    binary_codes: Callable[[torch.Tensor], torch.Tensor],
    hamming_search: Search,
    reciprocal_rank_fusion: Callable[[list[list[int]], int], list[int]],
) -> Curves:
    """Train an engine for each seed; return recall@10 of each way to store it, and three measures of each fusion.

    Parameters
    ----------
    info_nce, warmup_cosine : Callable
        The learner's functions that train the engine.
    truncate_dimensions : Callable[[torch.Tensor, int], torch.Tensor]
        The learner's `truncate_dimensions(x, keep)`.
    quantize_uint8, dequantize : Callable
        The learner's functions to and from 8-bit codes.
    binary_codes, hamming_search : Callable
        The learner's functions that make codes of one bit for each dimension, and search in them.
    reciprocal_rank_fusion : Callable[[list[list[int]], int], list[int]]
        The learner's function that merges several rankings with a constant k.
    """
    entries, held_out = api_search.pairs("train"), api_search.pairs("test", 500)
    right = torch.arange(len(held_out))
    words = {"bm25": bm25(held_out), "letters": tf_idf(held_out, best=True)}
    curves: dict[str, list[tuple[float, float]]] = {}

    def ten(numbers: torch.Tensor) -> float:
        return (numbers == right[:, None]).any(dim=1).double().mean().item()

    def recall(queries: torch.Tensor, documents: torch.Tensor) -> float:
        return ten((queries @ documents.T).topk(10, dim=1).indices)

    def note(seed: int, name: str, value: float) -> None:
        curves.setdefault(name, []).append((seed, value))

    for seed in SEEDS:
        encoder = train(info_nce, warmup_cosine, entries, replace(Setting(), seed=seed)).encoder
        asked, texts = both_sides(encoder, held_out)
        rotated = compression.turned(asked, texts)
        note(seed, "float32_256", recall(asked, texts))
        note(seed, "float32_8", recall(*(truncate_dimensions(side, 8) for side in rotated)))
        narrow = [truncate_dimensions(side, 24) for side in rotated]
        note(seed, "bytes_24", compression.by_bytes(narrow[0], narrow[1], quantize_uint8, dequantize, recall).value)
        plain, exact = by_bits(asked, texts, (256,), binary_codes, hamming_search, ten)
        note(seed, "bit", plain[0].value)
        note(seed, "bit_exact", recall(asked, 2.0 * (texts > 0) - 1))
        note(seed, "bit_best", exact[0].value)
        tables = {"vectors": asked @ texts.T, **words}
        ways = {name: fused([table], reciprocal_rank_fusion, 60) for name, table in tables.items()}
        for name in words:
            for k in (60, 1):
                ways[f"vectors_{name}_{k}"] = fused([tables["vectors"], words[name]], reciprocal_rank_fusion, k)
        for name, numbers in ways.items():
            for what, value in _measures(numbers, right).items():
                note(seed, f"{name}, {what}", value)
    return Curves(SEEDS[0], Setting().steps, curves, {}, {**STORED, **RANKED}, api_search.fingerprint())
