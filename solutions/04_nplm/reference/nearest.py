"""The right answer to 04.nearest."""

import torch
import torch.nn.functional as F


def nearest(embedding: torch.Tensor, index: int, k: int) -> list[int]:
    """Return the k words whose vectors have the largest cosine with a given word's vector.

    embedding  tensor (V, d), a row for each word
    index      the word whose neighbours are wanted, 0 to V - 1; its row is not zero
    k          how many neighbours are wanted, 0 or more
    returns    a list of ids by falling cosine, without index itself and without rows of zeros; fewer than k
               when there are no more

    >>> nearest(torch.tensor([[1.0, 0.0], [0.0, 0.0], [5.0, 5.0], [1.0, 0.1]]), index=0, k=3)
    [3, 2]
    """
    unit = F.normalize(embedding, dim=1)  # rows of zeros stay zero
    order = (unit @ unit[index]).argsort(descending=True).tolist()
    neighbours = [row for row in order if row != index and bool(embedding[row].any())]
    return neighbours[:k]
