"""Make word vectors without training: count pairs, weight the counts, and reduce the matrix to a few dimensions.

It is the classic alternative to word2vec, in the form used by Levy, Goldberg and Dagan (2015).
"""

import torch


def count_vectors(pairs: torch.Tensor, size: int, width: int) -> torch.Tensor:
    """Return vectors (size, width) of the words 0 to size - 1 from `pairs` (N, 2) of words that co-occur.

    An element of the matrix of counts becomes log p(word, near) / (p(word) p(near)), or 0 if that is negative: how much more
    often than chance the two co-occur (positive pointwise mutual information, PPMI). Contexts are smoothed with the power 0.75,
    as word2vec's negatives are. A singular value decomposition (SVD) keeps the `width` directions with the largest singular
    values, each scaled by the root of its singular value.
    """
    counts = torch.bincount(pairs[:, 0] * size + pairs[:, 1], minlength=size * size).view(size, size).double()
    smooth = counts.sum(0).pow(0.75)
    chance = counts.sum(1, keepdim=True) * (smooth / smooth.sum())
    weighted = torch.where(counts > 0, (counts / chance).log(), 0.0).clamp(min=0).float()
    left, values, _ = torch.svd_lowrank(weighted, q=width + 16, niter=4)
    return left[:, :width] * values[:width].sqrt()
