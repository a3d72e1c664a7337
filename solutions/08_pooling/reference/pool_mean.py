"""The right answer to 08.pool_mean."""

import torch


def pool_mean(token_embeddings: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
    """Return the mean of each sentence's real tokens.

    token_embeddings  tensor of shape (B, T, d), T >= 1
    attention_mask    (B, T) of 0 and 1 in any pattern, int, bool or float: 1 marks a real token, 0 padding
    returns           tensor of shape (B, d); a row without a real token gives zeros.
                      Gradients flow back to token_embeddings; for such a row they are finite

    >>> vectors = torch.tensor([[[2.0, 1.0], [4.0, 0.0], [9.0, 9.0]]])
    >>> pool_mean(vectors, torch.tensor([[1, 1, 0]])).tolist()
    [[3.0, 0.5]]
    """
    mask = attention_mask.to(token_embeddings.dtype)[:, :, None]  # (B, T, 1)
    total = (token_embeddings * mask).sum(dim=1)  # (B, d)
    return total / mask.sum(dim=1).clamp(min=1)
