# exercise 08.TextEncoder
"""Unusual right text encoders that are made of torch's own layers."""

import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)
        )
        self.pool = {"mean": pool_mean, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_weighted}[pooling]

    def forward(self, ids, attention_mask):
        mask = attention_mask.bool()
        if mask.sum(dim=1).max() > self.max_length:
            raise ValueError("too long")
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
        x = self.tokens(ids) + self.positions(places)
        hidden = ~mask & mask.any(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=hidden)
        return F.normalize(self.pool(x, mask), dim=1)


# right form all_in_float64, from plain
#            )
#   +        self.double()

# right form only_earlier_words_for_the_last, from plain
#            )
#   +        self.heads = heads
#            hidden = ~mask & mask.any(dim=1, keepdim=True)
#   +        length = ids.shape[1]
#   +        later = torch.ones(length, length).triu(1).bool() & torch.tensor(self.pool is pool_last)
#   +        hidden = (later | hidden[:, None, :]) & ~torch.eye(length).bool()
#   layer(x, src_key_padding_mask=hidden) => layer(x, src_mask=hidden.repeat_interleave(self.heads, 0))

# right form positions_added_in_each_layer, from plain
#   x, src_key_padding_mask=hidden => x + self.positions(places), src_key_padding_mask=hidden

# right form tables_with_a_row_to_spare, from plain
#   nn.Embedding(vocab_size, d_model) => nn.Embedding(vocab_size + 1, d_model)
#   max_length, d_model => max_length + 1, d_model
#   (mask.cumsum(dim=1) - 1).clamp(min=0) => mask.cumsum(dim=1)

# right form narrow_table_and_a_map, from plain
#   nn.Embedding(vocab_size, d_model) => nn.Sequential(nn.Embedding(vocab_size, 5), nn.Linear(5, d_model))

# right form words_moved_to_the_front, from plain
#   nn.Embedding(max_length, d_model) => nn.Embedding.from_pretrained(torch.randn(max_length, d_model))
#   -        mask = attention_mask.bool()
#   +        mask = attention_mask > 0
#   +        order, longest = torch.argsort((~mask).int(), dim=1, stable=True), max(1, int(mask.sum(1).max()))
#   +        ids, mask = ids.gather(1, order)[:, :longest], mask.gather(1, order)[:, :longest]
