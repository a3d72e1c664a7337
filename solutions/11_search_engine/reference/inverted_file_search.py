"""The right answer to 11.inverted_file_search."""

import torch
import torch.nn.functional as F


def inverted_file_search(
    queries: torch.Tensor,
    vectors: torch.Tensor,
    centroids: torch.Tensor,
    assignment: torch.Tensor,
    probes: int,
    k: int,
) -> torch.Tensor:
    """Search only the lists whose centroids are nearest to the query.

    Near means a large dot product, for centroids and for vectors.

    queries     (Q, d) floating tensor
    vectors     (N, d) floating tensor: what is searched
    centroids   (C, d) floating tensor: each stands for one list
    assignment  (N,) int64 tensor: the list of each vector; a list may be empty
    probes      how many lists are searched for each query, 1 <= probes <= C; empty ones count
    k           how many vectors are wanted, at least 1; it may exceed N
    returns     (Q, k) int64 tensor: indices of the k vectors with the largest dot products among those of the probed
                lists, in any order; -1 where there are fewer

    >>> vectors = torch.tensor([[2.0, 0.0], [1.0, 0.1], [0.0, 3.0]])
    >>> centroids, assignment = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([0, 0, 1])
    >>> inverted_file_search(torch.tensor([[1.0, 0.9]]), vectors, centroids, assignment, probes=1, k=3).tolist()
    [[0, 1, -1]]

    Source: Jégou et al., Product Quantization for Nearest Neighbor Search, 2011 (the inverted file, IVF).
    """
    probed = (queries @ centroids.T).topk(probes, dim=1).indices  # (Q, probes)
    candidate = (assignment[None, :, None] == probed[:, None, :]).any(dim=2)  # (Q, N)
    scores = (queries @ vectors.T).masked_fill(~candidate, float("-inf"))  # (Q, N)
    values, best = scores.topk(min(k, len(vectors)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)
