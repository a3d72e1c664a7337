"""The right answer to 09.info_nce."""

import torch
import torch.nn.functional as F


def info_nce(
    queries: torch.Tensor,
    positives: torch.Tensor,
    scale: float | torch.Tensor,
    negatives: torch.Tensor | None = None,
) -> torch.Tensor:
    """Return the InfoNCE loss: each query looks for its own positive among those of the whole batch.

    The logit of query i and candidate j is their cosine times scale. The loss of row i is
    -log softmax over all candidates, at positive i; the result is the mean over the rows.

    queries    (N, d) tensor, N >= 1; the vectors have any norm
    positives  (N, d) tensor: row i belongs to query i, and is a negative for every other query
    scale      a number or a 0-d tensor, which may need a gradient; up to 100
    negatives  (M, d) tensor of further candidates, the same for every query; M may be 0; None means none
    returns    0-d tensor with a graph

    >>> queries = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    >>> round(info_nce(queries, queries, 1.0).item(), 4)
    0.3133
    >>> round(info_nce(queries, queries, 1.0, negatives=torch.tensor([[3.0, 3.0]])).item(), 4)
    0.7486

    Source: van den Oord et al., Representation Learning with Contrastive Predictive Coding, 2018.
    """
    candidates = positives if negatives is None else torch.cat([positives, negatives])  # (N + M, d)
    logits = scale * F.normalize(queries) @ F.normalize(candidates).T  # (N, N + M)
    return F.cross_entropy(logits, torch.arange(len(queries)))
