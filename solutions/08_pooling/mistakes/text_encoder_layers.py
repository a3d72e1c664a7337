# exercise 08.TextEncoder
"""Wrong text encoders by name: positions, layers, padding and pooling."""

import math

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


# mistake no_positions (property), from plain
# Nothing tells the layers what comes first: the order of the words does not matter.
# Next: Add a position's vector to each word's before the first layer.
#   -        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
#   -        x = self.tokens(ids) + self.positions(places)
#   +        x = self.tokens(ids)

# mistake first_two_words_share_a_position (property), from plain
# The first two words have the same position, so swapping them does not change the result.
# Next: The running total of the mask begins with 1; minus 1 gives 0, 1, 2, …
#   min=0 => min=1

# mistake only_earlier_words_are_seen (property), from plain
# Each word sees only earlier ones: the vector of the first word does not depend on the sentence.
# Next: Leave the causal mask out: a text encoder may look in both directions.
#   self.max_length = max_length => self.max_length, self.heads = max_length, heads
#   -        hidden = ~mask & mask.any(dim=1, keepdim=True)
#   +        earlier = torch.ones(ids.shape[1], ids.shape[1]).tril().bool()
#   +        itself = torch.eye(ids.shape[1]).bool()
#   +        hidden = ~(mask[:, None, :] & earlier | itself).repeat_interleave(self.heads, dim=0)
#   src_key_padding_mask=hidden => src_mask=hidden

# mistake one_layer_many_times (property), from plain
# All layers are one: `[layer] * n` names the same layer n times.
# Next: Make a new layer in each turn of the loop, or copy it with `copy.deepcopy`.
#   -            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)
#   +            [nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True)] * layers

# mistake layers_in_a_plain_list (property), from plain
# The layers stand in a Python list, where `parameters()` does not find them: they are never trained.
# Next: Put them into an `nn.ModuleList`.
#   nn.ModuleList => list

# mistake first_layer_only (property), from plain
# Some layers take no part: only one is called, or each is given the input and only the last result is kept.
# Next: Loop over all layers, each on what the one before returned.
#   -        for layer in self.layers:
#   +        for _ in self.layers:
#   layer(x, src_key_padding_mask=hidden) => self.layers[0](x, src_key_padding_mask=hidden)

# mistake d_ff_left_at_its_default (property), from plain
# d_ff is not used: torch's layer has an inner width of 2048 unless told otherwise.
# Next: Hand d_ff to the layer as its third argument, `dim_feedforward`.
#   d_ff, dropout=0.0 => dropout=0.0

# mistake one_head (property), from plain
# The number of heads is not used.
# Next: Hand heads to the layer as its second argument, `nhead`.
#   heads, d_ff => 1, d_ff

# mistake always_the_mean (property), from plain
# The argument pooling is not used: it is always the mean.
# Next: Choose the function by its name: a dict from name to function is enough.
#   pooling] => "mean"]

# mistake first_and_last_exchanged (property), from plain
# pooling='cls' gives the last word and pooling='last' the first one.
# Next: “cls” is the first real token.
#   "cls": pool_cls, "last": pool_last => "cls": pool_last, "last": pool_cls

# mistake mean_and_maximum_exchanged (property), from plain
# pooling='mean' takes the maximum and pooling='max' the mean.
# Next: Look at the dict from names to functions.
#   "mean": pool_mean, "max": pool_max => "mean": pool_max, "max": pool_mean


# mistake mean_and_weighted_exchanged (property)
# pooling='mean' lets later words count more, and pooling='weighted' does not.
# Next: Look at the dict from names to functions.
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)
        )
        self.pool = {"mean": pool_weighted, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_mean}[pooling]

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


# mistake another_default (property), from plain
# Without pooling it does not take the mean.
# Next: Write pooling='mean' in the signature.
#   pooling="mean" => pooling="cls"

# mistake index_error_for_a_long_sentence (raises), from plain
# A sentence of more than max_length words ends in an IndexError deep inside; ValueError was asked for.
# Next: Count the real tokens at the start of forward, and raise ValueError yourself.
#   -        if mask.sum(dim=1).max() > self.max_length:
#   -            raise ValueError("too long")

# mistake long_sentences_cut_off (property), from plain
# Words beyond max_length get the last position without an error; ValueError was asked for.
# Next: Raise ValueError when a row of the mask sums to more than max_length.
#   -        if mask.sum(dim=1).max() > self.max_length:
#   -            raise ValueError("too long")
#   -        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
#   +        places = (mask.cumsum(dim=1) - 1).clamp(0, self.max_length - 1)

# mistake width_compared_with_max_length (raises), from plain
# The width of the batch is compared with max_length; only real tokens count.
# Next: Compare `mask.sum(dim=1).max()`.
#   mask.sum(dim=1).max() => ids.shape[1]

# mistake max_length_itself_refused (raises), from plain
# A sentence of exactly max_length words is refused.
# Next: Only more than max_length is too many: `>`, not `>=`.
#   mask.sum(dim=1).max() > self.max_length => mask.sum(dim=1).max() >= self.max_length

# mistake first_row_s_length_only (raises), from plain
# Only the first sentence's length is compared with max_length.
# Next: Take the maximum over all rows.
#   mask.sum(dim=1).max => mask[0].sum

# mistake no_graph (property), from plain
# The vectors are cut off from the graph: nothing can be trained.
# Next: Take `no_grad` and `detach` out of forward; the caller says when no gradient is needed.
#   F.normalize(self.pool(x, mask), dim=1) => F.normalize(self.pool(x, mask), dim=1).detach()

# mistake frozen_tokens (property), from plain
# The words' vectors are detached: the table never learns.
# Next: Use what the table returns as it is.
#   self.tokens(ids) => self.tokens(ids).detach()

# mistake padding_is_attended_to (property), from plain
# Real words attend to padding: a layer got no mask, the opposite one, or a float one, which is only added to the scores.
# Next: Hand every layer `src_key_padding_mask=attention_mask == 0`, a bool mask that is True at padding.
#   -        hidden = ~mask & mask.any(dim=1, keepdim=True)
#   x, src_key_padding_mask=hidden => x

# mistake positions_count_columns (property), from plain
# Positions are columns: a sentence that is padded on the left gets other positions.
# Next: Number the real tokens: a running total of the mask, minus 1.
#   (mask.cumsum(dim=1) - 1).clamp(min=0) => torch.arange(ids.shape[1]).clamp(max=self.max_length - 1)

# mistake positions_run_to_the_width (property), from plain
# Positions are columns: a sentence that is padded on the left gets other positions, and a wide batch has columns without one.
# Next: Number the real tokens: a running total of the mask, minus 1, and at least 0.
#   (mask.cumsum(dim=1) - 1).clamp(min=0) => torch.arange(ids.shape[1])

# mistake first_row_gives_the_positions (property), from plain
# All rows get the positions of the first sentence.
# Next: Each row has a mask of its own: sum along dim=1, and keep the rows.
#   mask.cumsum(dim=1) => mask[0].cumsum(dim=0)

# mistake id_0_taken_for_padding (property), from plain
# Padding is recognised by id 0 instead of by the mask; any id may stand at padding, and 0 may be a word.
# Next: Use attention_mask, and never the ids, to tell what is padding.
#   attention_mask.bool() => ids != 0

# mistake plain_mean_of_all_columns (property), from plain
# The layers are right, but the last line averages padding too, and does not use `pooling`.
# Next: Pool with the chosen function: `self.pool(x, attention_mask)`.
#   self.pool(x, mask) => x.mean(dim=1)

# mistake plain_mean_and_rows_with_nothing_to_attend_to (property), from plain
# The layers are right but for empty rows; the last line averages padding too, and does not use `pooling`.
# Next: Pool with the chosen function: `self.pool(x, attention_mask)`.
#   hidden = ~mask & mask.any(dim=1, keepdim=True) => hidden = ~mask
#   self.pool(x, mask) => x.mean(dim=1)

# mistake layers_take_id_0_for_padding (property), from plain
# The layers find padding by its id; any id may stand there, and only attention_mask knows what is padding.
# Next: Make the mask of the layers from the argument: `attention_mask == 0`.
#   hidden = ~mask & mask.any(dim=1, keepdim=True) => hidden = ids == 0

# mistake pooling_got_the_opposite_mask (values), from plain
# Pooling got the opposite mask: without padding all tokens were left out, so the vector is zero.
# Next: Pooling takes attention_mask itself, 1 at real tokens; only PyTorch's layers take the opposite.
#   x, mask), => x, ~mask),

# mistake nothing_to_attend_to (values), from plain
# In a row without a real token everything is forbidden, and a softmax over nothing is nan in eval mode under `no_grad`.
# Next: Let such a row attend to its padding, `hidden & ~hidden.all(dim=1, keepdim=True)`; pooling makes zeros of it.
#   hidden = ~mask & mask.any(dim=1, keepdim=True) => hidden = ~mask

# mistake softmax_over_nothing (values), from plain
# In a row without a real token everything is forbidden, and its softmax is nan, also in the gradient.
# Next: Let such a row attend to its padding: forbid nothing where the mask has no 1; pooling makes zeros of it.
#   -            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)
#   +            nn.ModuleList([nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)])
#   +            for _ in range(layers)
#            )
#   +        self.heads = heads
#   -        hidden = ~mask & mask.any(dim=1, keepdim=True)
#   -        for layer in self.layers:
#   -            x = layer(x, src_key_padding_mask=hidden)
#   +        for projection, up, down in self.layers:
#   +            q, k, v = projection(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
#   +            scores = q @ k.mT / math.sqrt(q.shape[-1])
#   +            weights = scores.masked_fill(~mask[:, None, None, :], float("-inf")).softmax(dim=-1)
#   +            x = x + (weights @ v).transpose(1, 2).flatten(2)
#   +            x = x + down(F.gelu(up(x)))

# mistake dropout_left_at_its_default (property), from plain
# The layers drop numbers in training mode: PyTorch's default is 0.1.
# Next: Pass `dropout=0.0` to the layer.
#   d_ff, dropout=0.0, => d_ff,

# mistake each_layer_gets_the_words (property), from plain
# Every layer gets the words' vectors, and only the last layer's result is kept.
# Next: Each layer must get the output of the one before: `x = layer(x, ...)`.
#   x = layer( => y = layer(
#   self.pool(x, mask) => self.pool(y, mask)

# mistake core_poolings_only (raises), from plain
# `pooling` can also be "max" and "weighted".
# Next: Name pool_max and pool_weighted in your dict; section A has them as exercises, and stubs of them cost nothing here.
#   "mean": pool_mean, "max": pool_max, "cls": pool_cls, => "mean": pool_mean, "cls": pool_cls,
#   "last": pool_last, "weighted": pool_weighted => "last": pool_last

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

# mistake ints_for_the_layers (raises), from plain
# The layers get a mask of ints; PyTorch's take bool or floating masks only.
# Next: Hand them the comparison as it is: `attention_mask == 0` is a bool mask, True at padding.
#   x, src_key_padding_mask=hidden => x, src_key_padding_mask=hidden.int()

# mistake one_minus_mask_for_the_layers (raises), from plain
# `1 - attention_mask` is a mask of ints here; PyTorch's layers take bool or floating masks only.
# Next: Compare instead of subtracting: `attention_mask == 0` is a bool mask, True at padding.
#   -        hidden = ~mask & mask.any(dim=1, keepdim=True)
#   +        hidden = 1 - attention_mask

# mistake attention_mask_for_the_layers (raises), from plain
# The layers get attention_mask itself: ints, where PyTorch wants bools, and 1 at real tokens, where it wants True at padding.
# Next: Hand them `attention_mask == 0`: a bool mask, True at padding.
#   -        hidden = ~mask & mask.any(dim=1, keepdim=True)
#   +        hidden = attention_mask

# mistake nan_for_an_empty_row (values), from plain
# The vector of a row without a real token is divided by its norm, 0.
# Next: `F.normalize` has a lower bound under the norm, and leaves zeros zeros.
#   -        return F.normalize(self.pool(x, mask), dim=1)
#   +        pooled = self.pool(x, mask)
#   +        return pooled / pooled.norm(dim=1, keepdim=True)

# mistake nan_replaced_afterwards (not finite), from plain
# An empty row gives zeros, but nan in every gradient: a division by 0, or the root of 0, was made and covered up afterwards.
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

# mistake position_minus_one_or_a_float (raises), from plain
# Padding in front has position -1, which no table has; and positions that are counted in a mask of floats are floats.
# Next: Count in whole numbers, from 0 on: `(attention_mask.long().cumsum(dim=1) - 1).clamp(min=0)`.
#   (mask.cumsum(dim=1) - 1).clamp(min=0) => attention_mask.cumsum(dim=1) - 1

# mistake positions_in_floats (raises), from plain
# The positions are counted in the mask as it comes: a mask of floats gives floats, with which no table can be read.
# Next: Count in whole numbers: `attention_mask.long().cumsum(dim=1)`.
#   (mask.cumsum(dim=1) - 1).clamp(min=0) => (attention_mask.cumsum(dim=1) - 1).clamp(min=0)

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

# mistake weights_drawn_in_forward (property), from plain
# Weights are drawn in forward, anew in each call: a text has another vector each time, and these weights cannot learn.
# Next: Make them once, in `__init__`: an `nn.Linear`, an `nn.Embedding`, or `nn.Parameter(torch.randn(...))`.
#   -        return F.normalize(self.pool(x, mask), dim=1)
#   +        weights = torch.randn(x.shape[-1], x.shape[-1])
#   +        return F.normalize(self.pool(x + torch.relu(x @ weights), mask), dim=1)

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
