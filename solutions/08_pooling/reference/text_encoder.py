"""The right answer to 08.TextEncoder."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class TextEncoder(nn.Module):
    """Encode texts as unit vectors: tokens and positions, Transformer layers, pooling, division by the norm.

    A sentence's vector depends on its real tokens and their order alone: not on the other sentences of the batch, nor
    on the side on which it is padded, nor on the ids of the padding. There is no dropout, not even in training mode. Every
    layer has weights of its own.

    vocab_size  V, how many ids there are
    d_model     d, the width, which `heads` divides
    heads       how many heads each layer's attention has
    layers      how many layers there are
    d_ff        the inner width of each layer's feed-forward
    max_length  how many real tokens a sentence may have
    pooling     "mean", "max", "cls", "last" or "weighted"

    >>> encoder = TextEncoder(10, 8, 2, 1, 16, 5, pooling="last").eval()
    >>> right = encoder(torch.tensor([[3, 4, 0]]), torch.tensor([[1, 1, 0]]))
    >>> left = encoder(torch.tensor([[7, 3, 4]]), torch.tensor([[0, 1, 1]]))
    >>> torch.allclose(right, left, atol=1e-5), torch.allclose(right.norm(), torch.ones(()))
    (True, True)
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        heads: int,
        layers: int,
        d_ff: int,
        max_length: int,
        pooling: str = "mean",
    ) -> None:
        """Make the tables and the layers, and choose the pooling."""
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
            for _ in range(layers)
        )
        poolings = {"mean": pool_mean, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_weighted}
        self.pool = poolings[pooling]

    def forward(self, ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Encode a batch of sentences.

        ids             int64 tensor of shape (B, T); those of padding do not matter. T may exceed max_length
        attention_mask  (B, T) of 0 and 1, int, bool or float: 1 marks a real token, 0 padding in front or behind
        returns         tensor of shape (B, d), each row of length 1; a row without a real token gives zeros, and finite
                        gradients in backward

        Raises ValueError when a sentence has more than max_length real tokens.
        """
        mask = attention_mask.bool()
        if mask.sum(dim=1).max() > self.max_length:
            raise ValueError(f"a sentence has more than {self.max_length} tokens")
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)  # (B, T): the real tokens are numbered 0, 1, 2, …
        x = self.tokens(ids) + self.positions(places)  # (B, T, d)
        # An empty row attends to its padding: a softmax over nothing would be nan. Pooling makes zeros of it.
        hidden = ~mask & mask.any(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=hidden)
        return F.normalize(self.pool(x, mask), dim=1)  # (B, d)
