"""The right answer to 10.analogy."""

import torch


def analogy(embedding: torch.Tensor, a: int, b: int, c: int, k: int) -> list[int]:
    """Return the words that complete the analogy: a is to b as c is to …

    The query is E[b] - E[a] + E[c], of the rows as they are; candidates are compared with it by cosine.

    embedding  tensor of shape (V, d)
    a, b, c    ids of the three given words, which are no answers, nor are rows of zeros
    k          how many words to name
    returns    list of ids, best first; fewer than k when there are no more

    >>> table = torch.tensor([[1.0, 0.0], [1.0, 1.0], [2.0, 0.1], [5.0, 3.0], [-1.0, 1.0], [0.0, 0.0]])
    >>> analogy(table, 0, 1, 2, 5)
    [3, 4]
    """
    query = embedding[b] - embedding[a] + embedding[c]  # (d,)
    norms = embedding.norm(dim=1)  # (V,)
    similarity = embedding @ query / norms  # the query's own length changes no order
    candidates = norms > 0
    candidates[[a, b, c]] = False
    similarity = similarity.masked_fill(~candidates, float("-inf"))
    return similarity.topk(min(k, int(candidates.sum()))).indices.tolist()
