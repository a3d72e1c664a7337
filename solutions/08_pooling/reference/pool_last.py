"""The right answer to 08.pool_last."""

import torch


def pool_last(token_embeddings: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
    """Return the vector of each sentence's last real token.

    token_embeddings  tensor of shape (B, T, d), T >= 1
    attention_mask    (B, T) of 0 and 1 in any pattern, int, bool or float: 1 marks a real token, 0 padding
    returns           tensor of shape (B, d); a row without a real token gives zeros.
                      Gradients flow back to token_embeddings; for such a row they are finite

    >>> vectors = torch.tensor([[[2.0, 1.0], [4.0, 0.0], [9.0, 9.0]]])
    >>> pool_last(vectors, torch.tensor([[1, 1, 0]])).tolist()
    [[4.0, 0.0]]
    """
    mask = attention_mask.bool()
    places = torch.arange(mask.shape[1])  # (T,)
    last = (places * mask).argmax(dim=1)  # (B,): the largest place that is real
    vectors = token_embeddings[torch.arange(len(last)), last]  # (B, d)
    return vectors.masked_fill(~mask.any(dim=1)[:, None], 0.0)
