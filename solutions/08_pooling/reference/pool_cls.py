"""The right answer to 08.pool_cls."""

import torch


def pool_cls(token_embeddings: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
    """Return the vector of each sentence's first real token.

    token_embeddings  tensor of shape (B, T, d), T >= 1
    attention_mask    (B, T) of 0 and 1 in any pattern, int, bool or float: 1 marks a real token, 0 padding
    returns           tensor of shape (B, d); a row without a real token gives zeros.
                      Gradients flow back to token_embeddings; for such a row they are finite

    >>> vectors = torch.tensor([[[9.0, 9.0], [4.0, 0.0], [2.0, 1.0]]])
    >>> pool_cls(vectors, torch.tensor([[0, 1, 1]])).tolist()
    [[4.0, 0.0]]
    """
    mask = attention_mask.bool()
    first = mask.int().argmax(dim=1)  # (B,): the place of the first 1, or 0 where there is none
    vectors = token_embeddings[torch.arange(len(first)), first]  # (B, d)
    return vectors.masked_fill(~mask.any(dim=1)[:, None], 0.0)
