# exercise 08.TextEncoder
"""Wrong answers about the text encoder by name: padding, pooling and length."""

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


# mistake padding_is_attended_to (property), from plain
# Real words attend to padding: not all layers were told of the mask, or they were told the opposite.
# Next: Hand `src_key_padding_mask` to every layer; it is True where attention is forbidden.
#   -        hidden = ~mask & mask.any(dim=1, keepdim=True)
#   x, src_key_padding_mask=hidden => x

# mistake positions_count_columns (property), from plain
# Positions are columns: a sentence that is padded on the left gets other positions.
# Next: Number the real tokens: a running total of the mask, minus 1.
#   (mask.cumsum(dim=1) - 1).clamp(min=0) => torch.arange(ids.shape[1]).clamp(max=self.max_length - 1)

# mistake positions_run_to_the_width (property), from plain
# Every column has a position, so a batch that is wider than max_length asks for positions that do not exist.
# Next: Number the real tokens: padding needs no position of its own.
#   (mask.cumsum(dim=1) - 1).clamp(min=0) => torch.arange(ids.shape[1])

# mistake first_row_gives_the_positions (property), from plain
# All rows get the positions of the first sentence.
# Next: Each row has a mask of its own: sum along dim=1, and keep the rows.
#   mask.cumsum(dim=1) => mask[0].cumsum(dim=0)

# mistake id_0_taken_for_padding (property), from plain
# Padding is recognised by id 0 instead of by the mask; any id may stand at padding, and 0 may be a word.
# Next: Use attention_mask, and never the ids, to tell what is padding.
#   attention_mask.bool() => ids != 0

# mistake padding_averaged_too (property), from plain
# The pooling does not see the mask: padding is averaged too.
# Next: Hand the mask to the pooling: `pool_mean(x, mask)`.
#   x, mask => x, torch.ones_like(mask)

# mistake sentences_attend_to_one_another (property), from plain
# Attention runs along the batch: without `batch_first=True` the first axis is taken for the words.
# Next: Build the layers with `batch_first=True`.
#   dropout=0.0, batch_first=True => dropout=0.0
#   -        hidden = ~mask & mask.any(dim=1, keepdim=True)
#   x, src_key_padding_mask=hidden => x

# mistake normalised_over_the_batch (values), from plain
# The columns of the batch have length 1, not the vectors: the norm runs along dim=0.
# Next: A vector is a row: normalise along dim=1, or -1.
#   self.pool(x, mask), dim=1 => self.pool(x, mask), dim=0

# mistake not_normalised (values), from plain
# The vectors do not have length 1.
# Next: Divide each by its norm at the end: `F.normalize(vectors, dim=1)`.
#   F.normalize(self.pool(x, mask), dim=1) => self.pool(x, mask)

# mistake words_normalised_instead (values), from plain
# The words' vectors have length 1, but what is pooled of them has not.
# Next: Normalise after pooling.
#   F.normalize(self.pool(x, mask), dim=1) => self.pool(F.normalize(x, dim=-1), mask)

# mistake a_vector_for_each_word (shape), from plain
# There is a vector for each word; one for each sentence was asked for.
# Next: Pool before you normalise.
#   self.pool(x, mask), dim=1 => x, dim=-1

# mistake squeezed (shape), from plain
# `squeeze()` takes away every axis of size 1, also that of a batch of one sentence.
# Next: Leave it out: the result has two axes, always.
#   F.normalize(self.pool(x, mask), dim=1) => F.normalize(self.pool(x, mask), dim=1).squeeze()

# mistake minus_sign_on_bools (raises), from plain
# `1 - mask` is not defined for a mask of bools.
# Next: Take `attention_mask.bool()` first, and invert it with `~`.
#   ~mask => (1 - attention_mask).bool()

# mistake nan_for_an_empty_row (values), from plain
# The vector of a row without a real token is divided by its norm, 0.
# Next: `F.normalize` has a lower bound under the norm, and leaves zeros zeros.
#   -        return F.normalize(self.pool(x, mask), dim=1)
#   +        pooled = self.pool(x, mask)
#   +        return pooled / pooled.norm(dim=1, keepdim=True)

# mistake nan_replaced_afterwards (not finite), from plain
# An empty row gives zeros, but nan in every gradient: a division by 0 was made, and covered up afterwards.
# Next: Keep nan from arising: a lower bound under the norm, and no softmax over nothing.
#   -        return F.normalize(self.pool(x, mask), dim=1)
#   +        pooled = self.pool(x, mask)
#   +        return (pooled / pooled.norm(dim=1, keepdim=True)).nan_to_num(0.0)

# mistake empty_rows_pool_their_padding (values), from plain
# A row without a real token gets the vector of its padding; it should be zeros.
# Next: Hand the true mask to the pooling, empty rows included.
#   x, mask => x, mask | ~mask.any(dim=1, keepdim=True)

# mistake position_minus_one (raises), from plain
# Padding in front has position -1, which no table has.
# Next: The positions of padding do not matter, but must exist: clamp them to at least 0.
#   (mask.cumsum(dim=1) - 1).clamp(min=0) => mask.cumsum(dim=1) - 1
