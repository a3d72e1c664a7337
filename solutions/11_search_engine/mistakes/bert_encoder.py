# exercise 11.BertEncoder
"""Wrong answers about the body of BERT by name, and unusual right ones."""

import copy
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
class BertEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, max_length, blocks):
        super().__init__()
        self.word_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        self.segment_table = nn.Embedding(2, d_model)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        self.blocks = nn.ModuleList(blocks)

    def forward(self, ids, attention_mask):
        length = ids.shape[1]
        if length > self.position_table.num_embeddings:
            raise ValueError("too many tokens")
        x = self.word_table(ids)
        x = x + self.position_table(torch.arange(length))
        x = x + self.segment_table.weight[0]
        x = self.norm(x)
        mask = attention_mask.bool()[:, None, None, :]
        for block in self.blocks:
            x = block(x, mask)
        return x


# mistake positions_missing (values), from plain
# The positions are not added, so the order of the tokens is lost.
# Next: Add `position_table(torch.arange(T))`.
#   -        x = x + self.position_table(torch.arange(length))

# mistake positions_from_1 (values, raises), from plain
# The first position is number 1; positions count from 0.
# Next: `torch.arange(T)` begins with 0.
#   torch.arange(length) => torch.arange(1, length + 1)

# mistake positions_count_real_tokens (values), from plain
# Positions are counted over real tokens only; BERT counts the columns, padding included.
# Next: `torch.arange(T)` for every row.
#   torch.arange(length) => (attention_mask.long().cumsum(dim=1) - 1).clamp(min=0)

# mistake positions_from_the_end (values), from plain
# Positions are counted from the last token.
# Next: `torch.arange(T)`, in its own order.
#   torch.arange(length) => torch.arange(length).flip(0)

# mistake one_position_for_all (values), from plain
# Every token gets the row of position 0.
# Next: T different positions: `torch.arange(T)`.
#   torch.arange(length) => torch.zeros_like(ids)

# mistake positions_by_text (values, raises), from plain
# The position is the number of the text in the batch; it should be that of the token in its text.
# Next: T is `ids.shape[1]`; `len(ids)` is B.
#   self.position_table(torch.arange(length)) => self.position_table(torch.arange(len(ids)))[:, None]

# mistake segment_missing (values), from plain
# The table of segments is never used; row 0 belongs to every token of a single text.
# Next: Add `segment_table.weight[0]`.
#   -        x = x + self.segment_table.weight[0]

# mistake segment_1 (values), from plain
# Row 1 of the table of segments is added, perhaps by reading the table at the mask; a single text is segment 0.
# Next: Add row 0 to every token.
#   self.segment_table.weight[0] => self.segment_table.weight[1]

# mistake words_missing (values), from plain
# The ids make no difference: the table of words is never added.
# Next: Begin with `word_table(ids)`.
#   self.word_table(ids) => torch.zeros_like(self.word_table(ids))

# mistake words_scaled (values), from plain
# The rows of the words are multiplied by the square root of d; BERT does not scale them.
# Next: Add the rows as they are.
#   self.word_table(ids) => self.word_table(ids) * math.sqrt(self.word_table.embedding_dim)

# mistake norm_missing (values), from plain
# The sum is not normalised.
# Next: Apply `norm` to the sum, before the blocks.
#   x = self.norm(x) => x = x * 1.0

# mistake norm_before_the_sum (values), from plain
# Only the rows of the words are normalised; the sum of all three should be.
# Next: Add first, then normalise.
#   -        x = self.word_table(ids)
#   +        x = self.norm(self.word_table(ids))
#   -        x = self.norm(x)

# mistake norm_behind_the_blocks (values), from plain
# The norm stands behind the blocks; it belongs before them.
# Next: Normalise the sum, then call the blocks; nothing follows them.
#   -        x = self.norm(x)
#   return x => return self.norm(x)

# mistake norm_twice (values), from plain
# The norm is applied a second time behind the blocks.
# Next: Return what the last block gives.
#   return x => return self.norm(x)

# mistake usual_eps (values), from plain
# The norm has torch's usual eps, 1e-5, or another one that is too large; BERT's is 1e-12.
# Next: `nn.LayerNorm(d_model, eps=1e-12)`.
#   eps=1e-12 => eps=1e-5

# mistake mask_missing (values, raises), from plain
# The blocks see all tokens as real ones.
# Next: Hand the mask on: `block(x, mask)`.
#   attention_mask.bool()[:, None, None, :] => torch.ones_like(attention_mask).bool()[:, None, None, :]

# mistake no_mask_without_padding (raises), from plain
# Where no text is padded, the blocks get None and no mask.
# Next: Hand on a mask always; it is True everywhere where nothing is padded.
#   -        mask = attention_mask.bool()[:, None, None, :]
#   +        mask = None if attention_mask.all() else attention_mask.bool()[:, None, None, :]

# mistake mask_inverted (values), from plain
# The mask is turned round: it is True at padding.
# Next: True marks real tokens here.
#   attention_mask.bool()[:, None, None, :] => ~attention_mask.bool()[:, None, None, :]

# mistake mask_of_the_queries (values), from plain
# The mask stands on the axis of the queries: padding attends to nothing, and all positions attend to padding.
# Next: Keys are the last axis: `[:, None, None, :]`.
#   [:, None, None, :] => [:, None, :, None]

# mistake mask_of_both (values), from plain
# Padded queries attend to nothing; the mask should hide only keys.
# Next: `attention_mask.bool()[:, None, None, :]`, and nothing for the queries.
#   [:, None, None, :] => [:, None, None, :] & attention_mask.bool()[:, None, :, None]

# mistake mask_without_an_axis_for_heads (raises, values), from plain
# The mask has the shape (B, 1, T): its first axis meets the heads instead of the batch.
# Next: Four axes, (B, 1, 1, T).
#   [:, None, None, :] => [:, None, :]

# mistake mask_as_it_is (raises, values), from plain
# The mask is handed on in its shape (B, T): its first axis meets the queries instead of the batch.
# Next: Four axes, (B, 1, 1, T).
#   attention_mask.bool()[:, None, None, :] => attention_mask.bool()

# mistake numbers_as_the_mask (dtype), from plain
# The mask stays a tensor of numbers; the blocks want a bool tensor.
# Next: `attention_mask.bool()`.
#   attention_mask.bool()[:, None, None, :] => attention_mask[:, None, None, :]

# mistake mask_to_add (dtype), from plain
# The mask is 0 and a large negative number, to be added to scores; the blocks want True and False.
# Next: `attention_mask.bool()`.
#   attention_mask.bool()[:, None, None, :] => (1.0 - attention_mask.float())[:, None, None, :] * -1e9

# mistake causal_too (values), from plain
# Each token sees only earlier ones, as in a language model.
# Next: An encoder looks both ways: the mask hides padding alone.
#   [:, None, None, :] => [:, None, None, :] & torch.ones(length, length, dtype=torch.bool).tril()

# mistake padding_by_id_0 (values), from plain
# The id 0 is taken for padding; the attention mask says what is padding.
# Next: `attention_mask.bool()`.
#   attention_mask.bool()[:, None, None, :] => (ids != 0)[:, None, None, :]

# mistake first_block_alone (property), from plain
# Only the first block is called.
# Next: Loop over all blocks.
#   for block in self.blocks: => for block in self.blocks[:1]:

# mistake blocks_backwards (values), from plain
# The blocks are called in reverse order.
# Next: In their own order.
#   for block in self.blocks: => for block in reversed(self.blocks):

# mistake every_block_sees_the_sum (values), from plain
# Each block gets the normalised sum of the tables; it should get what the block before returned.
# Next: `x = block(x, mask)`.
#   -        for block in self.blocks:
#   -            x = block(x, mask)
#   +        start = x
#   +        for block in self.blocks:
#   +            x = block(start, mask)

# mistake added_to_the_input (values), from plain
# Each block's result is added to its input; a block does that itself.
# Next: `x = block(x, mask)`.
#   x = block(x, mask) => x = x + block(x, mask)

# mistake blocks_called_twice (values), from plain
# Each block is called twice in a forward pass.
# Next: Call each block once.
#   -            x = block(x, mask)
#   +            block(x, mask)
#   +            x = block(x, mask)

# mistake blocks_copied (property, values), from plain
# The encoder works with copies of the blocks: what is loaded into or learned by the blocks does not reach it.
# Next: `nn.ModuleList(blocks)`, without `copy`.
#   nn.ModuleList(blocks) => nn.ModuleList([copy.deepcopy(block) for block in blocks])

# mistake one_block_several_times (property), from plain
# The first block stands in the list several times.
# Next: `nn.ModuleList(blocks)`.
#   nn.ModuleList(blocks) => nn.ModuleList([blocks[0] for _ in blocks])

# mistake blocks_in_a_plain_list (property), from plain
# A plain list hides the blocks from torch: they are neither saved nor moved nor trained.
# Next: `nn.ModuleList(blocks)`.
#   nn.ModuleList(blocks) => list(blocks)

# mistake first_token_alone (shape), from plain
# Only the vector of the first token comes back.
# Next: Return a vector for each token, (B, T, d).
#   return x => return x[:, 0]

# mistake pooled (shape), from plain
# The mean over the tokens comes back; pooling follows later.
# Next: Return a vector for each token, (B, T, d).
#   return x => return x.mean(dim=1)

# mistake all_layers (type), from plain
# A list of the vectors behind every block comes back.
# Next: Return the last ones alone.
#   return x => return [x]

# mistake one_segment (property), from plain
# The table of segments has one row.
# Next: BERT knows two segments: `nn.Embedding(2, d_model)`.
#   nn.Embedding(2, d_model) => nn.Embedding(1, d_model)

# mistake a_position_for_each_word (property), from plain
# The table of positions has a row for each word.
# Next: `nn.Embedding(max_length, d_model)`.
#   nn.Embedding(max_length, d_model) => nn.Embedding(vocab_size, d_model)

# mistake table_of_positions_is_bare (property), from plain
# The table of positions is a bare matrix, so it has no `position_table.weight`.
# Next: `nn.Embedding(max_length, d_model)`.
#   nn.Embedding(max_length, d_model) => nn.Parameter(torch.randn(max_length, d_model))
#   self.position_table.num_embeddings => len(self.position_table)
#   self.position_table(torch.arange(length)) => self.position_table[:length]

# mistake positions_saved (property), from plain
# The numbers of the positions are a persistent buffer: a strict load of weights then misses them.
# Next: Make `torch.arange(T)` in forward, or give the buffer `persistent=False`.
#   -        self.blocks = nn.ModuleList(blocks)
#   +        self.blocks = nn.ModuleList(blocks)
#   +        self.register_buffer("position_ids", torch.arange(max_length))

# mistake pooler_of_its_own (property), from plain
# There is a linear layer after the blocks; there should be none.
# Next: Leave it out.
#   -        self.blocks = nn.ModuleList(blocks)
#   +        self.blocks = nn.ModuleList(blocks)
#   +        self.pooler = nn.Linear(d_model, d_model)

# mistake dropout (property), from plain
# Numbers are dropped in training mode.
# Next: Leave the dropout out.
#   x = self.norm(x) => x = F.dropout(self.norm(x), 0.1, self.training)

# mistake too_long_not_refused (raises), from plain
# Too many tokens raise an IndexError from the table; ValueError was asked for.
# Next: Compare T with max_length first, and raise ValueError.
#   -        if length > self.position_table.num_embeddings:
#   -            raise ValueError("too many tokens")

# mistake too_long_cut_off (property), from plain
# Tokens beyond the last position are cut off without a word.
# Next: Raise ValueError when T is above max_length.
#   -        if length > self.position_table.num_embeddings:
#   -            raise ValueError("too many tokens")
#   +        ids = ids[:, : self.position_table.num_embeddings]
#   +        attention_mask = attention_mask[:, : ids.shape[1]]
#   +        length = ids.shape[1]

# mistake full_length_refused (raises), from plain
# As many tokens as there are positions are refused.
# Next: Only more than max_length: `>`.
#   length > self => length >= self

# mistake only_real_tokens_counted (raises), from plain
# Only real tokens are compared with max_length; padding needs positions too.
# Next: T is `ids.shape[1]`.
#   length > self.position_table.num_embeddings => attention_mask.sum(dim=1).max() > self.position_table.num_embeddings

# mistake id_0_does_not_learn (property, values), from plain
# `padding_idx=0` keeps row 0 of the table of words from learning.
# Next: Leave `padding_idx` out: the mask says what is padding.
#   nn.Embedding(vocab_size, d_model) => nn.Embedding(vocab_size, d_model, padding_idx=0)

# mistake tables_detached (property), from plain
# The sum of the tables is detached: no gradient reaches them.
# Next: Leave `.detach()` and `.data` out.
#   x = self.norm(x) => x = self.norm(x.detach())

# mistake without_a_graph (property), from plain
# The tables are read under `torch.no_grad()` or as data, and no gradient reaches the table of segments.
# Next: Leave `.data` and `torch.no_grad()` out.
#   self.segment_table.weight[0] => self.segment_table.weight.data[0]

# mistake positions_without_a_graph (property), from plain
# The rows of the positions are read as data: no gradient reaches them.
# Next: Leave `.data` and `torch.no_grad()` out.
#   self.position_table(torch.arange(length)) => self.position_table.weight.data[:length]


# right form mask_by_name_and_sliced_tables
class BertEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, max_length, blocks):
        super().__init__()
        self.word_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        self.segment_table = nn.Embedding(2, d_model)
        self.norm = nn.LayerNorm(d_model, 1e-12)
        self.blocks = nn.ModuleList()
        for block in blocks:
            self.blocks.append(block)

    def forward(self, ids, attention_mask):
        _, length = ids.shape
        if length > len(self.position_table.weight):
            raise ValueError(f"{length} tokens are too many")
        x = self.norm(self.word_table.weight[ids] + (self.position_table.weight[:length] + self.segment_table.weight[:1]))
        mask = attention_mask.reshape(len(ids), 1, 1, length) > 0.5
        for block in self.blocks:
            x = block(x, mask=mask)
        return x


# right form one_hot_tables_and_a_whole_mask
class BertEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, max_length, blocks):
        super().__init__()
        self.word_table, self.position_table = nn.Embedding(vocab_size, d_model), nn.Embedding(max_length, d_model)
        self.segment_table = nn.Embedding(2, d_model)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        self.blocks = nn.Sequential(*blocks)

    def forward(self, ids, attention_mask):
        B, T = ids.shape
        if T > self.position_table.num_embeddings:
            raise ValueError("max_length")
        hot = F.one_hot(ids, self.word_table.num_embeddings).to(self.norm.weight.dtype)
        x = torch.einsum("btv,vd->btd", hot, self.word_table.weight)
        x = x + self.position_table(torch.arange(T).expand(B, T)) + self.segment_table(torch.zeros(B, T, dtype=torch.long))
        real = attention_mask == 1
        mask = torch.stack([torch.stack([row] * T) for row in real]).unsqueeze(1)
        hidden = self.norm(x)
        for number in range(len(self.blocks)):
            hidden = self.blocks[number](hidden, mask)
        return hidden


# right form positions_in_a_buffer_that_is_not_saved
class BertEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, max_length, blocks):
        super().__init__()
        self.word_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        self.segment_table = nn.Embedding(2, d_model)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        self.blocks = nn.ModuleList(blocks)
        self.register_buffer("places", torch.arange(max_length), persistent=False)

    def forward(self, ids, attention_mask, segments=None):
        if ids.size(1) > self.places.size(0):
            raise ValueError("too many tokens")
        segments = torch.zeros_like(ids) if segments is None else segments
        places = self.places[: ids.size(1)].unsqueeze(0)
        x = F.layer_norm(
            self.word_table(ids) + self.position_table(places) + self.segment_table(segments),
            self.norm.normalized_shape, self.norm.weight, self.norm.bias, self.norm.eps,
        )
        x = x * attention_mask.to(x.dtype).unsqueeze(-1)
        mask = torch.from_numpy(np.asarray(attention_mask, dtype=bool))[:, np.newaxis, np.newaxis]
        for block in self.blocks:
            x = block(x, mask)
        return x


# right form normalised_by_hand_in_float64
class BertEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, max_length, blocks):
        super().__init__()
        self.max_length = max_length
        for name, rows in (("word", vocab_size), ("position", max_length), ("segment", 2)):
            setattr(self, f"{name}_table", nn.Embedding(rows, d_model))
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        self.blocks = nn.ModuleList(blocks)

    def forward(self, ids, attention_mask):
        if ids.shape[1] > self.max_length:
            raise ValueError
        x = (self.word_table(ids) + self.position_table.weight[None, : ids.shape[1]] + self.segment_table.weight[0]).double()
        x = (x - x.mean(-1, keepdim=True)) / (x.var(-1, unbiased=False, keepdim=True) + 1e-12).sqrt()
        x = x.to(self.norm.weight.dtype) * self.norm.weight + self.norm.bias
        hidden = (attention_mask == 0)[:, None, None, :]
        for block in self.blocks:
            x = block(x, ~hidden)
        return x
