# exercise 08.TextEncoder
"""Wrong text encoders by name: how ids and mask are read, and what is made of the pooled vectors."""

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


# mistake last_two_words_share_a_position (property), from plain
# The positions begin with 1 and are cut off at the end: the last two of max_length words have the same one.
# Next: Number the real tokens from 0: the running total of the mask, minus 1.
#   (mask.cumsum(dim=1) - 1).clamp(min=0) => mask.cumsum(dim=1).clamp(max=self.max_length - 1)

# mistake padding_always_on_the_left (property), from plain
# The positions are right for padding in front only: behind a sentence it moves the words.
# Next: Number the real tokens by the running total of the mask, which fits both sides.
#   mask.cumsum(dim=1) - 1 => torch.arange(ids.shape[1]) - (ids.shape[1] - mask.sum(dim=1, keepdim=True))

# mistake callers_ids_cleared (property), from plain
# The ids at padding were set to 0 in the caller's tensor.
# Next: Nothing need be cleared; or work on `torch.where(mask, ids, 0)`, which is a new tensor.
#            places = (mask.cumsum(dim=1) - 1).clamp(min=0)
#   +        ids[~mask] = 0

# mistake ids_seen_as_one_row (raises), from plain
# `view` asks for a contiguous tensor, and the ids may be a slice of a larger one.
# Next: Hand the ids to the table in their own shape, or use `reshape`.
#   self.tokens(ids) => self.tokens(ids.view(-1)).view(*ids.shape, -1)

# mistake columns_cut_off (property), from plain
# Only the first max_length columns are read: with padding in front the words behind them are lost.
# Next: Do not cut: the width may exceed max_length, only the number of real tokens may not.
#   mask = attention_mask.bool() => ids, mask = ids[:, : self.max_length], attention_mask[:, : self.max_length].bool()
#   mask.sum => attention_mask.sum

# mistake words_of_the_batch_counted (raises), from plain
# The real tokens of the whole batch are counted; each sentence may have max_length of its own.
# Next: Count them row by row: `mask.sum(dim=1)`.
#   mask.sum(dim=1).max() => mask.sum()

# mistake asserted (raises), from plain
# `assert` raises AssertionError; ValueError was asked for.
# Next: Write `if ...: raise ValueError(...)`.
#   -        if mask.sum(dim=1).max() > self.max_length:
#   -            raise ValueError("too long")
#   +        assert mask.sum(dim=1).max() <= self.max_length, "too long"

# mistake norm_after_pooling (property), from plain
# A layer norm stands behind the pooling: it changes what was pooled, and makes something of the zeros of an empty row.
# Next: Put a last norm in front of the pooling, on the vectors of the words.
#            )
#   +        self.norm = nn.LayerNorm(d_model)
#   self.pool(x, mask) => self.norm(self.pool(x, mask))


# mistake smallest_for_largest (property)
# pooling='max' takes the smallest number of each column.
# Next: Hand the vectors to `pool_max` as they are.
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)
        )
        self.pool = {
            "mean": pool_mean, "max": lambda x, mask: -pool_max(-x, mask),
            "cls": pool_cls, "last": pool_last, "weighted": pool_weighted,
        }[pooling]

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


# mistake weighted_backwards (property), from smallest_for_largest
# pooling='weighted' lets the first words count most.
# Next: The last word has the largest weight: hand the words over in their own order.
#   lambda x, mask: -pool_max(-x, mask) => pool_max
#   pool_weighted => lambda x, mask: pool_weighted(x.flip(1), mask.flip(1))
