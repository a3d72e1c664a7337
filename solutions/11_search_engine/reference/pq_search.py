"""The right answer to 11.pq_search."""

import torch
import torch.nn.functional as F


def pq_search(queries: torch.Tensor, codes: torch.Tensor, codebooks: torch.Tensor, k: int) -> torch.Tensor:
    """Find for each query the k best vectors, which are stored as product codes.

    A row of codes stands for the vector that is made of the centroids with these numbers, one of each codebook, in the order
    of the parts. The best vector is the one with the largest dot product with the query, which itself is not coded.

    queries    (Q, d) floating tensor; Q may be 0
    codes      (N, M) int64 tensor, no two rows of which are equal; N may be 0
    codebooks  (M, K, d/M) tensor of the dtype of the queries: K centroids for each of the M parts
    k          how many vectors are asked for, at least 1; it may exceed N
    returns    int64 tensor of shape (Q, k): the numbers of the rows of codes, the best one first; -1 stands at the end where
               there are fewer than k

    >>> codebooks = torch.tensor([[[1.0], [3.0]], [[0.0], [2.0]]])
    >>> pq_search(torch.tensor([[1.0, 1.0]]), torch.tensor([[0, 0], [1, 0], [1, 1]]), codebooks, k=2)
    tensor([[2, 1]])

    Source: Jégou, Douze and Schmid, Product Quantization for Nearest Neighbor Search, 2011 (asymmetric distances).
    """
    M, _, size = codebooks.shape
    parts = queries.reshape(len(queries), M, size)
    tables = torch.einsum("qms,mks->qmk", parts, codebooks)  # (Q, M, K): all dot products that can occur
    scores = queries.new_zeros(len(queries), len(codes))
    for part in range(M):
        scores += tables[:, part, codes[:, part]]
    best = scores.topk(min(k, len(codes)), dim=1).indices
    return F.pad(best, (0, k - best.shape[1]), value=-1)
