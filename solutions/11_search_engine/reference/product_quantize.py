"""The right answer to 11.product_quantize."""

import torch


def product_quantize(x: torch.Tensor, codebooks: torch.Tensor) -> torch.Tensor:
    """Return product codes: each part of a vector becomes the number of its nearest centroid.

    Each row is cut into M parts of d/M neighbouring columns. The code of a part is the number of the centroid in that part's
    codebook with the smallest squared distance. Of centroids that are equally near, the one with the smaller number is taken.

    x          (N, d) floating tensor; N may be 0
    codebooks  (M, K, d/M) tensor of the same dtype: K centroids for each of the M parts; K may exceed 256
    returns    int64 tensor of shape (N, M)

    >>> codebooks = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 3.0], [2.0, 2.0]]])
    >>> product_quantize(torch.tensor([[0.9, 0.2, 0.1, 2.8], [0.1, 0.8, 1.9, 2.1]]), codebooks)
    tensor([[0, 0],
            [1, 1]])

    Source: Jégou, Douze and Schmid, Product Quantization for Nearest Neighbor Search, 2011.
    """
    parts = x.reshape(len(x), len(codebooks), 1, codebooks.shape[2])  # (N, M, 1, d/M)
    distances = ((parts - codebooks) ** 2).sum(dim=-1)  # (N, M, K)
    return distances.argmin(dim=-1)
