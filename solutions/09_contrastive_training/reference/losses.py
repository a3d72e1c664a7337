"""Right answers: contrastive losses."""

import torch
import torch.nn.functional as F


def info_nce(
    queries: torch.Tensor,
    positives: torch.Tensor,
    scale: float | torch.Tensor,
    negatives: torch.Tensor | None = None,
) -> torch.Tensor:
    """Let each query find its own positive among those of the whole batch.

    The logit of query i and candidate j is their cosine times scale. The loss of row i is
    -log softmax over all candidates, at positive i; the result is the mean over the rows.

    queries    (N, d) tensor, N >= 1; the vectors have any length
    positives  (N, d) tensor: row i belongs to query i, and is a negative for every other query
    scale      a number or a 0-d tensor, which may need a gradient; up to 100
    negatives  (M, d) tensor of further candidates, the same for every query; M may be 0; None means none
    returns    0-d tensor of the queries' dtype, with a graph

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


def clip_loss(logits: torch.Tensor) -> torch.Tensor:
    """The mean of two cross-entropies: row i looks for column i, and column i looks for row i.

    logits   (N, N) tensor, N >= 1; entry (i, j) says how well the i-th of one tower and the j-th of the other
             match, scale included; up to 1000 in size
    returns  0-d tensor of the logits' dtype, with a graph

    >>> round(clip_loss(torch.tensor([[2.0, 0.0], [0.0, 0.0]])).item(), 4)
    0.41

    Source: Radford et al., Learning Transferable Visual Models From Natural Language Supervision, 2021.
    """
    pairs = torch.arange(len(logits))
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


def nt_xent(z1: torch.Tensor, z2: torch.Tensor, temperature: float) -> torch.Tensor:
    """Let each of 2N views find its partner among the 2N - 1 other views.

    The logit of two views is their cosine divided by the temperature. A view is no candidate for itself.
    The result is the mean over all 2N views of -log softmax at the partner.

    z1, z2       (N, d) tensors, N >= 1: row i of each is a view of the same thing; the vectors have any length
    temperature  a positive number, down to 0.01
    returns      0-d tensor of the dtype of z1, with a graph

    >>> z1 = torch.tensor([[1.0, 0.0], [0.0, 5.0]])
    >>> round(nt_xent(z1, z1, 1.0).item(), 4)
    0.5514

    Source: Chen et al., A Simple Framework for Contrastive Learning of Visual Representations, 2020.
    """
    views = F.normalize(torch.cat([z1, z2]))  # (2N, d)
    logits = views @ views.T / temperature  # (2N, 2N)
    itself = torch.eye(len(views), dtype=torch.bool)
    partners = torch.arange(len(views)).roll(len(z1))  # N, ..., 2N - 1, 0, ..., N - 1
    return F.cross_entropy(logits.masked_fill(itself, float("-inf")), partners)
