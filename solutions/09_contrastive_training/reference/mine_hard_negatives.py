"""The right answer to 09.mine_hard_negatives."""

import torch
import torch.nn.functional as F


def mine_hard_negatives(similarity: torch.Tensor, positives: torch.Tensor, k: int, margin: float = 0.0) -> torch.Tensor:
    """Find the columns that are nearly as similar to each row as its positive, but not more similar.

    A column qualifies when its similarity is strictly below the positive's similarity minus margin. So the positive
    never qualifies, nor does anything more similar, which may be an unmarked right answer.

    similarity  (N, M) floating tensor: how similar row n and column m are
    positives   (N,) int64 tensor: each row's right column
    k           how many negatives each row wants, k >= 1; it may exceed M
    margin      at least 0
    returns     int64 tensor of shape (N, k): the most similar columns that qualify, in any order; -1 for those that
                are missing where fewer than k qualify

    >>> similarity = torch.tensor([[0.9, 0.5, 0.7, 0.1]])
    >>> mine_hard_negatives(similarity, torch.tensor([0]), k=2).tolist()
    [[2, 1]]
    >>> mine_hard_negatives(similarity, torch.tensor([0]), k=2, margin=0.5).tolist()
    [[3, -1]]

    Source: de Souza Moreira et al., NV-Retriever, 2024, where this filter is called TopK-MarginPos.
    """
    limit = similarity.gather(1, positives[:, None]) - margin  # (N, 1)
    qualified = similarity.masked_fill(similarity >= limit, float("-inf"))  # (N, M)
    values, columns = qualified.topk(min(k, similarity.shape[1]), dim=1)
    columns = columns.masked_fill(values == float("-inf"), -1)
    return F.pad(columns, (0, k - columns.shape[1]), value=-1)
