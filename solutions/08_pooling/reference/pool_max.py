"""The right answer to 08.pool_max."""

import torch


def pool_max(token_embeddings: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
    """Return the largest number of each dimension among each sentence's real tokens.

    token_embeddings  tensor of shape (B, T, d), T >= 1
    attention_mask    (B, T) of 0 and 1 in any pattern, int, bool or float: 1 marks a real token, 0 padding
    returns           tensor of shape (B, d); a row without a real token gives zeros.
                      Gradients flow back to token_embeddings; for such a row they are finite

    >>> vectors = torch.tensor([[[-2.0, 1.0], [-4.0, 3.0], [9.0, 9.0]]])
    >>> pool_max(vectors, torch.tensor([[1, 1, 0]])).tolist()
    [[-2.0, 3.0]]
    """
    mask = attention_mask.bool()[:, :, None]  # (B, T, 1)
    largest = token_embeddings.masked_fill(~mask, float("-inf")).amax(dim=1)  # (B, d)
    return largest.masked_fill(~mask.any(dim=1), 0.0)
