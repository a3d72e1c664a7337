"""The right answer to 05.attend."""

import torch


def attend(query: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Attend to a memory by dot products that are not scaled (Luong et al. 2015).

    query    (B, H): the h of the decoder
    memory   (B, S, H), S at least 1: the outputs of the encoder
    mask     (B, S) bool: True where a word may be attended to
    returns  context (B, H), the sum of the memory's rows by weight, and weights (B, S), the softmax of the scores
             query · memory over the words that may be attended to. Where there is none, both are zero. Gradients reach
             query and memory, and stay finite

    >>> query, memory = torch.tensor([[1.0, 0.0]]), torch.tensor([[[0.0, 2.0], [0.0, 4.0], [9.0, 9.0]]])
    >>> context, weights = attend(query, memory, torch.tensor([[True, True, False]]))
    >>> weights.tolist(), context.tolist()
    ([[0.5, 0.5, 0.0]], [[0.0, 3.0]])
    """
    scores = torch.einsum("bh,bsh->bs", query, memory)
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=1) * mask  # a row without any word had the same weight everywhere
    return torch.einsum("bs,bsh->bh", weights, memory), weights
