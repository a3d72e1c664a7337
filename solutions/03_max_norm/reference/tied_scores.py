"""The right answer to 03.tied_scores."""


import torch
import torch.nn as nn


def tied_scores(embedding: nn.Embedding, ids: torch.Tensor) -> torch.Tensor:
    """Score every word of the vocabulary against the mean vector of each sentence, with one table for both.

    embedding  nn.Embedding of V words with max_norm (and its norm_type)
    ids        (B, T) int64, T at least 1, repeats allowed
    returns    (B, V): the mean of the looked-up vectors times the transposed table, as if the looked-up rows
               had been clipped first; rows that were not looked up enter the product unclipped

    A backward pass reaches `embedding.weight.grad` through both uses of the table, the lookup and the product,
    and not through the norm. The table may be clipped afterwards or not.

    >>> embedding = nn.Embedding(2, 2, max_norm=1.0, _weight=torch.tensor([[3.0, 4.0], [5.0, 0.0]]))
    >>> tied_scores(embedding, torch.tensor([[0, 0]])).detach()
    tensor([[1., 3.]])
    """
    sentences = embedding(ids).mean(dim=1)  # (B, d); from here on the looked-up rows of the table are clipped
    return sentences @ embedding.weight.T  # (B, V)
