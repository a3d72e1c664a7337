# exercise 08.TextEncoder
"""Wrong text encoders by name: wrong poolings behind a linear map of the words."""

import torch.nn as nn
import torch.nn.functional as F


# mistake poolings_turned_round_behind_a_map (property)
# Next to the mean, the weighted mean counts the first word for more: it is turned round, or two of the names cls, last, mean
# and weighted are exchanged.
# Next: Look at the dict from names to functions: “cls” is the first real token; in “weighted” the last counts most.
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)
        )
        self.map = nn.Linear(d_model, d_model)
        self.pool = {"mean": pool_mean, "max": pool_max, "cls": pool_last, "last": pool_cls, "weighted": pool_weighted}[pooling]

    def forward(self, ids, attention_mask):
        mask = attention_mask.bool()
        if mask.sum(dim=1).max() > self.max_length:
            raise ValueError("too long")
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
        x = self.map(self.tokens(ids) + self.positions(places))
        hidden = ~mask & mask.any(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=hidden)
        return F.normalize(self.pool(x, mask), dim=1)


# mistake smallest_for_largest_behind_a_map (property)
# pooling='max' takes the smallest number of each column.
# Next: Fill padding with minus infinity, and take the maximum.
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)
        )
        self.map = nn.Linear(d_model, d_model)
        self.pool = {"mean": pool_mean, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_weighted}[pooling]
        if pooling == "max":
            self.pool = lambda x, mask: -pool_max(-x, mask)

    def forward(self, ids, attention_mask):
        mask = attention_mask.bool()
        if mask.sum(dim=1).max() > self.max_length:
            raise ValueError("too long")
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
        x = self.map(self.tokens(ids) + self.positions(places))
        hidden = ~mask & mask.any(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=hidden)
        return F.normalize(self.pool(x, mask), dim=1)
