"""The right answer to 08.pool_weighted."""

import torch


def pool_weighted(token_embeddings: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
    """Return the weighted mean of each sentence's real tokens, with the weights 1, 2, 3, … in their order.

    token_embeddings  tensor of shape (B, T, d), T >= 1
    attention_mask    (B, T) of 0 and 1 in any pattern, int, bool or float: 1 marks a real token, 0 padding, which
                      uses up no weight
    returns           tensor of shape (B, d); a row without a real token gives zeros.
                      Gradients flow back to token_embeddings; for such a row they are finite

    From Muennighoff, "SGPT: GPT Sentence Embeddings for Semantic Search" (2022).

    >>> vectors = torch.tensor([[[9.0, 9.0], [1.0, 0.0], [4.0, 6.0]]])
    >>> pool_weighted(vectors, torch.tensor([[0, 1, 1]])).tolist()
    [[3.0, 4.0]]
    """
    mask = attention_mask.to(token_embeddings.dtype)
    weights = (mask.cumsum(dim=1) * mask)[:, :, None]  # (B, T, 1): 1, 2, 3, … at real tokens, 0 at padding
    total = (token_embeddings * weights).sum(dim=1)  # (B, d)
    return total / weights.sum(dim=1).clamp(min=1)
