# exercise 07.TinyLM
import torch
import torch.nn as nn


# base plain
class TinyLM(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length):
        super().__init__()
        self.token_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        self.blocks = nn.ModuleList([TransformerBlock(d_model, heads, d_ff) for _ in range(layers)])
        self.norm = nn.LayerNorm(d_model)

    def forward(self, ids):
        length = ids.shape[1]
        if length > self.position_table.num_embeddings:
            raise ValueError("too many ids")
        x = self.token_table(ids) + self.position_table(torch.arange(length))
        for block in self.blocks:
            x = block(x, causal_mask(length))
        return self.norm(x) @ self.token_table.weight.T


# mistake no_mask (values), from plain
# The mask has no effect: every position sees the words that it should predict.
# Next: Give each block the causal mask: `block(x, mask)`, with a lower triangle of True. If you do, look at how your block uses
# it.
#   x, causal_mask(length) => x

# mistake mask_inverted (values), from plain
# The mask is turned round: each position attends to the later ones alone.
# Next: True means may attend all along: hand the lower triangle on as it is.
#   causal_mask(length) => ~causal_mask(length)

# mistake mask_transposed (values), from plain
# Each position attends to itself and to the later ones, as with a transposed mask.
# Next: Rows are queries, columns are keys: row i allows 0 to i.
#   causal_mask(length) => causal_mask(length).T

# mistake mask_of_floats (raises), from plain
# The causal mask holds floats; attention needs bools, and `~` takes no floats.
# Next: Make it bool: `torch.ones(T, T, dtype=torch.bool).tril()`.
#   causal_mask(length) => torch.ones(length, length).tril()

# mistake mask_one_too_far (values), from plain
# The mask ends one position too late: each position sees the very word that it should predict.
# Next: Position i attends to positions 0 to i: the diagonal is the last one allowed.
#   causal_mask(length) => torch.ones(length, length).tril(1).bool()

# mistake mask_without_itself (values), from plain
# No position attends to itself; each should.
# Next: The diagonal belongs to the causal mask.
#   causal_mask(length) => torch.ones(length, length).tril(-1).bool()

# mistake mask_in_the_first_block_alone (values), from plain
# Only the first block has the mask; in the later ones every position sees all the others.
# Next: Every block needs the mask.
#   causal_mask(length) => causal_mask(length) if block is self.blocks[0] else None

# mistake ids_0_hidden (values), from plain
# No position attends to id 0, as if it were padding; here it is a word like any other.
# Next: The causal mask is the only one.
#   causal_mask(length) => causal_mask(length) & (ids != 0)[:, None, None]

# mistake tokens_scaled (values), from plain
# The vectors of the words are multiplied by the square root of d; nothing is scaled here.
# Next: Add the two tables' rows as they are.
#   + => * self.norm.weight.numel() ** 0.5 +

# mistake sum_scaled (values), from plain
# The sum of word and position is multiplied by the square root of d; nothing is scaled here.
# Next: Add the two tables' rows as they are.
#   -        x = self.token_table(ids) + self.position_table(torch.arange(length))
#   +        x = (self.token_table(ids) + self.position_table(torch.arange(length))) * self.norm.weight.numel() ** 0.5

# mistake logits_scaled (values), from plain
# The logits are divided by the square root of d; that belongs to the scores of attention.
# Next: Return the products as they are.
#   self.norm(x) @ self.token_table.weight.T => self.norm(x) @ self.token_table.weight.T / self.norm.weight.numel() ** 0.5

# mistake positions_missing (values), from plain
# The positions are not added: the model knows the words, but not where each of them stands.
# Next: Add `position_table(torch.arange(T))` to the words' vectors.
#   self.token_table(ids) + self.position_table(torch.arange(length)) => self.token_table(ids)

# mistake tokens_missing (values), from plain
# Only the positions go in: the words make no difference to the logits.
# Next: Add the rows of `token_table` at `ids`.
#   self.token_table(ids) => torch.zeros_like(self.token_table(ids))

# mistake positions_from_1 (values, raises), from plain
# The first position is number 1; positions count from 0.
# Next: `torch.arange(T)` begins with 0.
#   torch.arange(length) => 1 + torch.arange(length)

# mistake positions_from_the_end (values), from plain
# Positions are counted from the last word; the first word's is 0.
# Next: `torch.arange(T)`, in its own order.
#   torch.arange(length) => torch.arange(length).flip(0)

# mistake positions_from_the_tables_end (values), from plain
# The last T rows of the table of positions are taken; the first T belong to positions 0 to T - 1.
# Next: Look up `torch.arange(T)`, or slice `[:T]`.
#   self.position_table(torch.arange(length)) => self.position_table.weight[-length:]

# mistake one_position_for_all (values), from plain
# Every word gets position 0.
# Next: T different positions: `torch.arange(T)`.
#   torch.arange(length) => torch.zeros_like(ids)

# mistake positions_by_sentence (values), from plain
# The position is that of the sentence in the batch; it should be that of the word in its sentence.
# Next: T is `ids.shape[1]`; `len(ids)` is B.
#   self.position_table(torch.arange(length)) => self.position_table(torch.arange(len(ids)))[:, None]

# mistake positions_by_id (values, raises), from plain
# The table of positions is read at the ids; it has a row for each position, not for each word.
# Next: Look up `torch.arange(T)` in it.
#   torch.arange(length) => ids

# mistake whole_position_table (raises), from plain
# The whole table of positions is added; that fits only where T is max_length.
# Next: Only its first T rows: `position_table(torch.arange(T))`.
#   self.position_table(torch.arange(length)) => self.position_table.weight

# mistake a_position_for_each_word (property), from plain
# position_table has the wrong size, as when it has a row for each word; it has one for each position.
# Next: `nn.Embedding(max_length, d_model)`.
#   max_length, d_model => vocab_size, d_model

# mistake positions_in_a_bare_matrix (property), from plain
# position_table is another thing than an nn.Embedding, whatever its size.
# Next: `nn.Embedding(max_length, d_model)`, read at `torch.arange(T)`.
#   nn.Embedding(max_length, d_model) => nn.Parameter(torch.randn(max_length, d_model))
#   self.position_table(torch.arange(length)) => self.position_table[:length]

# mistake sizes_of_token_table_turned_round (property), from plain
# token_table has the wrong size, as when its rows and columns are swapped.
# Next: A row for each word: `nn.Embedding(vocab_size, d_model)`.
#   nn.Embedding(vocab_size, d_model) => nn.Embedding(d_model, vocab_size)

# mistake output_of_its_own (property), from plain
# The output has a matrix of its own (copying the table's numbers into it ties nothing); it should be token_table itself.
# Next: `x @ self.token_table.weight.T`: no further layer is needed.
#            self.norm = nn.LayerNorm(d_model)
#   +        self.output = nn.Linear(d_model, vocab_size, bias=False)
#   self.norm(x) @ self.token_table.weight.T => self.output(self.norm(x))

# mistake output_of_its_own_with_bias (property), from plain
# The output is a linear layer of its own, with a bias; it should be token_table, without a bias.
# Next: `x @ self.token_table.weight.T`: no further layer is needed.
#            self.norm = nn.LayerNorm(d_model)
#   +        self.output = nn.Linear(d_model, vocab_size)
#   self.norm(x) @ self.token_table.weight.T => self.output(self.norm(x))

# mistake tied_with_a_bias (property), from plain
# The output has a bias for each word; there should be none.
# Next: Leave the bias out; a tied `nn.Linear` needs `bias=False`.
#            self.norm = nn.LayerNorm(d_model)
#   +        self.bias = nn.Parameter(torch.zeros(vocab_size))
#   self.norm(x) @ self.token_table.weight.T => self.norm(x) @ self.token_table.weight.T + self.bias

# mistake tied_to_the_positions (shape), from plain
# The output compares with the table of positions, so there is a score for each position instead of each word.
# Next: Use `token_table.weight`.
#   self.token_table.weight => self.position_table.weight

# mistake table_not_transposed (raises), from plain
# Every call ends in a RuntimeError: most often the table is not transposed, and (T, d) @ (V, d) does not fit.
# Next: Print the shapes on both sides of the `@`: (B, T, d) and (d, V).
#   self.token_table.weight.T => self.token_table.weight

# mistake post_norm_blocks (values), from plain
# The blocks are post-norm, but the exercise asks for pre-norm, the default.
# Next: `TransformerBlock(d_model, heads, d_ff)`.
#   heads, d_ff => heads, d_ff, "post"

# mistake no_final_norm (property), from plain
# There is no norm behind the last block.
# Next: Keep an `nn.LayerNorm(d_model)` as self.norm, and use it before the output.
#   -        self.norm = nn.LayerNorm(d_model)
#   self.norm(x) => x

# mistake final_norm_not_used (values), from plain
# The norm is made and not used: the output reads the last block's sum as it is.
# Next: `self.norm(x)` before the output.
#   self.norm(x) => x

# mistake norm_before_the_blocks (values), from plain
# The norm stands before the first block; it belongs behind the last one.
# Next: Normalise what the last block returns.
#            x = self.token_table(ids) + self.position_table(torch.arange(length))
#   +        x = self.norm(x)
#   self.norm(x) => x

# mistake norm_behind_every_block (values), from plain
# The norm stands behind every block; it belongs behind the last one alone.
# Next: Take `self.norm` out of the loop.
#   block(x, causal_mask(length)) => self.norm(block(x, causal_mask(length)))
#   self.norm(x) => x

# mistake norm_at_both_ends (values), from plain
# The norm is used before the blocks as well; it belongs behind the last one alone.
# Next: Give the first block the sum of the two tables as it is.
#            x = self.token_table(ids) + self.position_table(torch.arange(length))
#   +        x = self.norm(x)

# mistake norm_with_other_numbers (property), from plain
# The last norm is no nn.LayerNorm of width d_model with a weight and a bias.
# Next: Make it with `nn.LayerNorm(d_model)`, without further arguments: it normalises what the last block returns.
#   nn.LayerNorm(d_model) => nn.LayerNorm(d_model, elementwise_affine=False)

# mistake blocks_in_a_list (property), from plain
# The blocks are in a plain list, which torch does not look into: their parameters are not the model's, and no optimizer would
# train them.
# Next: Wrap the list: `nn.ModuleList([...])`.
#   nn.ModuleList =>

# mistake one_block_several_times (property), from plain
# One block stands there several times: the layers share all their parameters.
# Next: Make a new block for each layer: `[TransformerBlock(...) for _ in range(layers)]`.
#   [TransformerBlock(d_model, heads, d_ff) for _ in range(layers)] => [TransformerBlock(d_model, heads, d_ff)] * layers

# mistake another_number_of_blocks (property), from plain
# The number of blocks is not `layers`.
# Next: Make a block for each of `range(layers)`; the arguments come in the order vocab_size, d_model, heads, layers.
#   range(layers) => range(heads)

# mistake d_ff_ignored (property), from plain
# The parts of a block have other sizes than asked for, as when the feed-forward net is always four times as wide as d.
# Next: Hand d_ff on to every block.
#   heads, d_ff => heads, 4 * d_model

# mistake heads_ignored (values), from plain
# Every block has one head, whatever is asked for.
# Next: Hand `heads` on to every block.
#   heads, d_ff => 1, d_ff

# mistake heads_and_d_ff_swapped (raises), from plain
# Every call ends in a ValueError, most often of a block: its sizes come in another order.
# Next: The order is `TransformerBlock(d_model, heads, d_ff)`.
#   heads, d_ff => d_ff, heads

# mistake results_of_the_blocks_lost (values), from plain
# What the blocks return is not kept: the output reads the sum of the tables.
# Next: `x = block(x, ...)`.
#   x = block(x, causal_mask(length)) => block(x, causal_mask(length))

# mistake only_the_last_block_counts (values), from plain
# Every block reads the sum of the tables, so only the last one counts; each should read what the one before it returned.
# Next: Give the block the same x that it returns: `x = block(x, ...)`.
#            x = self.token_table(ids) + self.position_table(torch.arange(length))
#   +        y = x
#   x, causal_mask(length) => y, causal_mask(length)

# mistake blocks_added_to_x (values), from plain
# x is added to what each block returns; the residual connections are inside the block already.
# Next: `x = block(x, ...)`.
#   block(x, causal_mask(length)) => x + block(x, causal_mask(length))

# mistake blocks_in_reverse_order (values), from plain
# The last block comes first.
# Next: Run through `self.blocks` in its own order.
#   -        for block in self.blocks:
#   +        for block in reversed(self.blocks):

# mistake probabilities (values), from plain
# These are probabilities, but the exercise asks for logits, since the loss takes the softmax itself.
# Next: Return the products without a softmax.
#   self.norm(x) @ self.token_table.weight.T => (self.norm(x) @ self.token_table.weight.T).softmax(dim=-1)

# mistake log_probabilities (values), from plain
# These are logarithms of probabilities, but the exercise asks for logits.
# Next: Return the products without a log-softmax.
#   self.norm(x) @ self.token_table.weight.T => (self.norm(x) @ self.token_table.weight.T).log_softmax(-1)

# mistake last_position_alone (shape), from plain
# Only the last position has logits; in training every position predicts its next word.
# Next: Keep all T positions: (B, T, V).
#   self.norm(x) => self.norm(x[:, -1])

# mistake batch_and_time_swapped (shape, values), from plain
# The logits have positions first and sentences second; the batch comes first.
# Next: Keep the order of `ids`: (B, T), then (B, T, V).
#   self.norm(x) @ self.token_table.weight.T => (self.norm(x) @ self.token_table.weight.T).transpose(0, 1)

# mistake too_long_raises_otherwise (property, raises), from plain
# More ids than positions end in an IndexError of the table, but the exercise asks for a ValueError.
# Next: Compare T with max_length before you look anything up.
#   -        if length > self.position_table.num_embeddings:
#   -            raise ValueError("too many ids")

# mistake too_long_cut_off (property), from plain
# Where there are more ids than positions, the first ones are dropped without a word.
# Next: Raise a ValueError when T is greater than max_length.
#        def forward(self, ids):
#   +        ids = ids[:, -self.position_table.num_embeddings :]

# mistake too_long_begins_again (property), from plain
# Behind the last position they begin again with 0.
# Next: Raise a ValueError when T is greater than max_length.
#   -        if length > self.position_table.num_embeddings:
#   -            raise ValueError("too many ids")
#   -        x = self.token_table(ids) + self.position_table(torch.arange(length))
#   +        x = self.token_table(ids) + self.position_table(torch.arange(length) % self.position_table.num_embeddings)


# mistake too_long_at_the_last_position (property)
# All words behind the last position share its vector.
# Next: Raise a ValueError when T is greater than max_length.
class TinyLM(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length):
        super().__init__()
        self.token_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        self.blocks = nn.ModuleList([TransformerBlock(d_model, heads, d_ff) for _ in range(layers)])
        self.norm = nn.LayerNorm(d_model)

    def forward(self, ids):
        length = ids.shape[1]
        x = self.token_table(ids) + self.position_table(torch.arange(length).clamp(max=self.position_table.num_embeddings - 1))
        for block in self.blocks:
            x = block(x, causal_mask(length))
        return self.norm(x) @ self.token_table.weight.T


# mistake max_length_refused (raises), from plain
# A text of just max_length words is refused; it has a position for each of them.
# Next: Only T > max_length is too long.
#   length > self.position_table.num_embeddings => length >= self.position_table.num_embeddings

# mistake batch_too_long (raises, property), from plain
# The number of sentences is compared with max_length, but the exercise asks for the number of positions.
# Next: T is `ids.shape[1]`.
#   length > self.position_table.num_embeddings => len(ids) > self.position_table.num_embeddings

# mistake row_0_never_learns (values), from plain
# With `padding_idx=0` row 0 gets no gradient from where it was looked up; here id 0 is a word like any other.
# Next: Leave padding_idx out.
#   nn.Embedding(vocab_size, d_model) => nn.Embedding(vocab_size, d_model, padding_idx=0)

# mistake output_detached (values), from plain
# The table learns as input only: at the output it is detached (`.detach()` or `.data`).
# Next: Use `self.token_table.weight` itself.
#   self.token_table.weight.T => self.token_table.weight.detach().T

# mistake input_detached (values), from plain
# The table learns as output only: the looked-up rows are detached.
# Next: Leave `.detach()` out.
#   self.token_table(ids) => self.token_table(ids).detach()

# mistake positions_detached (property), from plain
# No gradient reaches the table of positions: its rows are detached.
# Next: Look them up with `self.position_table(...)`, without `.detach()` or `.data`.
#   self.position_table(torch.arange(length)) => self.position_table.weight[:length].detach()

# mistake always_float32 (dtype), from plain
# The logits are float32 even where the parameters are float64.
# Next: Leave out what changes the type.
#   self.norm(x) @ self.token_table.weight.T => (self.norm(x) @ self.token_table.weight.T).float()

# mistake dropout (property), from plain
# There is dropout; the task has none.
# Next: Leave it out.
#            self.norm = nn.LayerNorm(d_model)
#   +        self.dropout = nn.Dropout(0.1)
#            x = self.token_table(ids) + self.position_table(torch.arange(length))
#   +        x = self.dropout(x)

# mistake super_forgotten (raises), from plain
# torch refuses to keep layers before `super().__init__()` was called.
# Next: Call it first in the constructor.
#   -        super().__init__()

# mistake other_names (property), from plain
# An attribute is missing, but the exercise asks for token_table, position_table, blocks and norm.
# Next: Keep every part under its own name.
#   self.token_table = nn.Embedding(vocab_size, d_model) => self.embedding = nn.Embedding(vocab_size, d_model)
#   self.token_table(ids) => self.embedding(ids)
#   self.token_table.weight => self.embedding.weight

# mistake length_of_the_batch (values, raises), from plain
# The length is taken from `ids.shape[0]`, the number of sentences; ids are (B, T), so T is `ids.shape[1]`.
# Next: Take T from axis 1: `ids.shape[1]`.
#   ids.shape[1] => ids.shape[0]

# mistake norm_before_every_block (values), from plain
# The norm stands before every block; it belongs behind the last one, once.
# Next: Give each block x as it is, and normalise what the last block returns.
#   x, causal_mask(length) => self.norm(x), causal_mask(length)
#   self.norm(x) => x

# mistake norm_before_every_block_and_at_the_end (values), from plain
# The last norm is used before every block as well; it belongs behind the last one alone.
# Next: Give each block x as it is: it has norms of its own.
#   x, causal_mask(length) => self.norm(x), causal_mask(length)

# mistake norm_of_the_tokens_alone (values), from plain
# The norm stands behind the token table; it belongs behind the last block.
# Next: Add the two tables as they are, and normalise what the last block returns.
#   self.token_table(ids) => self.norm(self.token_table(ids))
#   self.norm(x) => x

# mistake norm_before_every_block_beside_x (values), from plain
# Each block is given a normalised x and added to x; a block adds by itself, and the norm belongs behind the last one.
# Next: In the loop `x = block(x, mask)` is all; normalise what the last block returns.
#   block(x, causal_mask(length)) => x + block(self.norm(x), causal_mask(length))
#   self.norm(x) => x

# mistake table_normalised_too (values), from plain
# The table is normalised as well before the product; logits are products with its rows as they are.
# Next: Multiply with `self.token_table.weight.T` itself.
#   self.token_table.weight => self.norm(self.token_table.weight)
