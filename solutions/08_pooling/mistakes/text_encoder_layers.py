# exercise 08.TextEncoder
"""Wrong answers about the text encoder by name: positions, layers and what they are called with."""

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
