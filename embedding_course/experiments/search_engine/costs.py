"""Measure what notebook 11 records about cheaper searches: a model that is cut, and indexes of faiss against the clock."""

from collections.abc import Callable
from time import process_time
from typing import Any

import torch
import torch.nn.functional as F

from ...data import project_search
from ...data.published import recorded_minilm, static_table
from ..curves import Curves
from .compression import Lists, make_codebooks, make_lists

KEPT = (1 / 8, 1 / 4, 1 / 2, 3 / 4)
HELD_OUT = 1000
_LISTS, _ROUNDS = 48, 20


def split(vectors: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return 1,000 random rows as queries, and the others, which are searched."""
    order = torch.randperm(len(vectors), generator=torch.Generator().manual_seed(0))
    return vectors[order[:HELD_OUT]], vectors[order[HELD_OUT:]]


def recall_10(nearest: torch.Tensor, numbers: torch.Tensor) -> float:
    """Return the fraction of the entries of `nearest` (Q, 10) that is in the same row of `numbers` (Q, k)."""
    return (nearest[:, :, None] == numbers[:, None, :]).any(dim=2).double().mean().item()


def wordllama(truncate_dimensions: Callable[[torch.Tensor, int], torch.Tensor]) -> Curves:
    """Measure recall@10 of WordLlama's vectors of the documents, cut to a share of their dimensions.

    Parameters
    ----------
    truncate_dimensions : Callable[[torch.Tensor, int], torch.Tensor]
        The learner's `truncate_dimensions(x, keep)`.
    """
    table = static_table()
    ids = table.lists(project_search.collection().texts)
    vectors = F.normalize(torch.stack([table.table[list(row)].sum(dim=0) for row in ids]), dim=1)
    asked, stored = split(vectors)
    asked = asked[:200]
    nearest = (asked @ stored.T).topk(10, dim=1).indices
    points = []
    for share in KEPT:
        keep = int(share * vectors.shape[1])
        scores = truncate_dimensions(asked, keep) @ truncate_dimensions(stored, keep).T
        points.append((share, recall_10(nearest, scores.topk(10, dim=1).indices)))
    return Curves(0, 0, {"wordllama": points}, data="200 documents as questions")


def faiss_times(binary_codes: Callable[[torch.Tensor], torch.Tensor]) -> Curves:
    """Measure the time of searches with faiss, relative to its exact search on one core, and their recall@10.

    1,000 questions are asked one by one, as a service gets them, 20 times over.

    Parameters
    ----------
    binary_codes : Callable[[torch.Tensor], torch.Tensor]
        The learner's function, from vectors (N, d) to codes (N, d / 8).
    """
    import faiss  # pyright: ignore[reportMissingImports]

    faiss.omp_set_num_threads(1)
    asked, stored = split(recorded_minilm().documents)
    nearest = (asked @ stored.T).topk(10, dim=1).indices
    lists = make_lists(stored, _LISTS)
    exact = faiss.IndexFlatIP(stored.shape[1])
    exact.add(stored.numpy())

    def run(index: Any, question: torch.Tensor = asked) -> tuple[float, float]:
        rows = [row[None].numpy() for row in question]
        started = process_time()
        for _ in range(_ROUNDS):
            for row in rows:
                index.search(row, 10)
        seconds = process_time() - started
        numbers = torch.from_numpy(index.search(question.numpy(), 10)[1])
        return seconds, recall_10(nearest, numbers)

    seconds, _ = run(exact)

    def relative(index: Any, question: torch.Tensor = asked) -> tuple[float, float]:
        duration, recall = run(index, question)
        return duration / seconds, recall

    curves: dict[str, list[tuple[float, float]]] = {"inverted": [], "graph": [], "product": [], "bits": []}
    inverted = inverted_index(stored, lists)
    for inverted.nprobe in (1, 2, 4, 8, 16):
        curves["inverted"].append(relative(inverted))
    graph = faiss.IndexHNSWFlat(stored.shape[1], 8, faiss.METRIC_INNER_PRODUCT)
    graph.add(stored.numpy())
    for ef in (10, 20, 40, 80):
        graph.hnsw.efSearch = ef
        curves["graph"].append(relative(graph))
    for parts in (16, 48, 96):
        curves["product"].append(relative(product_index(stored, make_codebooks(stored, parts))))
    curves["bits"].append(relative(binary_index(binary_codes(stored)), binary_codes(asked)))
    labels = {"inverted": "inverted file", "graph": "HNSW", "product": "product codes", "bits": "1 bit"}
    return Curves(0, 0, curves, {}, labels, "1,000 documents as questions, one core, faiss " + faiss.__version__)


def inverted_index(vectors: torch.Tensor, lists: Lists) -> Any:
    """Return an `IndexIVFFlat` of faiss with the given centroids; it puts each vector into the list of the nearest one."""
    import faiss  # pyright: ignore[reportMissingImports]

    width = vectors.shape[1]
    quantizer = faiss.IndexFlatIP(width)
    quantizer.add(lists.centroids.numpy())
    index = faiss.IndexIVFFlat(quantizer, width, len(lists.centroids), faiss.METRIC_INNER_PRODUCT)
    index.is_trained = True
    index.add(vectors.numpy())
    return index


def product_index(vectors: torch.Tensor, codebooks: torch.Tensor) -> Any:
    """Return an `IndexPQ` of faiss with the given codebooks (M, K, d / M); K is a power of 2."""
    import faiss  # pyright: ignore[reportMissingImports]

    parts, centroids, _ = codebooks.shape
    index = faiss.IndexPQ(vectors.shape[1], parts, centroids.bit_length() - 1, faiss.METRIC_INNER_PRODUCT)
    faiss.copy_array_to_vector(codebooks.numpy().ravel(), index.pq.centroids)
    index.is_trained = True
    index.add(vectors.numpy())
    return index


def binary_index(codes: torch.Tensor) -> Any:
    """Return an `IndexBinaryFlat` of faiss over codes of 8 bits a byte, (N, b)."""
    import faiss  # pyright: ignore[reportMissingImports]

    index = faiss.IndexBinaryFlat(8 * codes.shape[1])
    index.add(codes.numpy())
    return index
