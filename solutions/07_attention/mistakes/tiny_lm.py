"""The small language model: wrong answers by name."""

import torch
import torch.nn as nn

from grader.course_source.catalogue import altered, base

LM = "07.TinyLM"


@base("plain")
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


altered(
    LM, "no_mask", "plain", {"block(x, causal_mask(length))": "block(x)"}, stage="values",
    diagnosis="The mask has no effect: every position sees the words that it should predict.",
    next_step="Give each block the causal mask: `block(x, mask)`, with a lower triangle of True. "
    "If you do, look at how your block uses it.",
)

altered(
    LM, "mask_inverted", "plain", {"causal_mask(length)": "~causal_mask(length)"}, stage="values",
    diagnosis="The mask is turned round: each position attends to the later ones alone.",
    next_step="True means may attend all along: hand the lower triangle on as it is.",
)

altered(
    LM, "mask_transposed", "plain", {"causal_mask(length)": "causal_mask(length).T"}, stage="values",
    diagnosis="Each position attends to itself and to the later ones, as with a transposed mask.",
    next_step="Rows are queries, columns are keys: row i allows 0 to i.",
)

altered(
    LM, "mask_one_too_far", "plain", {"causal_mask(length)": "torch.ones(length, length).tril(1).bool()"}, stage="values",
    diagnosis="The mask ends one position too late: each position sees the very word that it should predict.",
    next_step="Position i attends to positions 0 to i: the diagonal is the last one allowed.",
)

altered(
    LM, "mask_without_itself", "plain", {"causal_mask(length)": "torch.ones(length, length).tril(-1).bool()"}, stage="values",
    diagnosis="No position attends to itself; each should.",
    next_step="The diagonal belongs to the causal mask.",
)

altered(
    LM, "mask_in_the_first_block_alone", "plain",
    {"causal_mask(length)": "causal_mask(length) if block is self.blocks[0] else None"},
    stage="values",
    diagnosis="Only the first block has the mask; in the later ones every position sees all the others.",
    next_step="Every block needs the mask.",
)

altered(
    LM, "ids_0_hidden", "plain", {"causal_mask(length)": "causal_mask(length) & (ids != 0)[:, None, None]"}, stage="values",
    diagnosis="Nobody attends to id 0, as if it were padding; here it is a word like any other.",
    next_step="The causal mask is the only one.",
)

altered(
    LM, "tokens_scaled", "plain", {"self.token_table(ids) +": "self.token_table(ids) * self.norm.weight.numel() ** 0.5 +"},
    stage="values",
    diagnosis="The vectors of the words are multiplied by the square root of d; nothing is scaled here.",
    next_step="Add the two tables' rows as they are.",
)

altered(
    LM, "sum_scaled", "plain",
    {
        "x = self.token_table(ids) + self.position_table(torch.arange(length))":
            "x = (self.token_table(ids) + self.position_table(torch.arange(length))) * self.norm.weight.numel() ** 0.5",
    },
    stage="values",
    diagnosis="The sum of word and position is multiplied by the square root of d; nothing is scaled here.",
    next_step="Add the two tables' rows as they are.",
)

altered(
    LM, "logits_scaled", "plain", {"weight.T": "weight.T / self.norm.weight.numel() ** 0.5"}, stage="values",
    diagnosis="The logits are divided by the square root of d; that belongs to the scores of attention.",
    next_step="Return the products as they are.",
)

altered(
    LM, "positions_missing", "plain", {" + self.position_table(torch.arange(length))": ""}, stage="values",
    diagnosis="The positions are not added: the model knows the words, but not where each of them stands.",
    next_step="Add `position_table(torch.arange(T))` to the words' vectors.",
)

altered(
    LM, "tokens_missing", "plain",
    {"x = self.token_table(ids) + self": "x = torch.zeros_like(self.token_table(ids)) + self"}, stage="values",
    diagnosis="Only the positions go in: the words make no difference to the logits.",
    next_step="Add the rows of `token_table` at `ids`.",
)

altered(
    LM, "positions_from_1", "plain", {"torch.arange(length)": "1 + torch.arange(length)"}, stage=("values", "raises"),
    diagnosis="The first position is number 1; positions count from 0.",
    next_step="`torch.arange(T)` begins with 0.",
)

altered(
    LM, "positions_from_the_end", "plain", {"torch.arange(length)": "torch.arange(length).flip(0)"}, stage="values",
    diagnosis="Positions are counted from the last word; the first word's is 0.",
    next_step="`torch.arange(T)`, in its own order.",
)

altered(
    LM, "positions_from_the_tables_end", "plain",
    {"self.position_table(torch.arange(length))": "self.position_table.weight[-length:]"}, stage="values",
    diagnosis="The last T rows of the table of positions are taken; the first T belong to positions 0 to T - 1.",
    next_step="Look up `torch.arange(T)`, or slice `[:T]`.",
)

altered(
    LM, "one_position_for_all", "plain", {"torch.arange(length)": "torch.zeros_like(ids)"}, stage="values",
    diagnosis="Every word gets position 0.",
    next_step="T different positions: `torch.arange(T)`.",
)

altered(
    LM, "positions_by_sentence", "plain",
    {"self.position_table(torch.arange(length))": "self.position_table(torch.arange(len(ids)))[:, None]"}, stage="values",
    diagnosis="The position is that of the sentence in the batch; it should be that of the word in its sentence.",
    next_step="T is `ids.shape[1]`; `len(ids)` is B.",
)

altered(
    LM, "positions_by_id", "plain", {"self.position_table(torch.arange(length))": "self.position_table(ids)"},
    stage=("values", "raises"),
    diagnosis="The table of positions is read at the ids; it has a row for each position, not for each word.",
    next_step="Look up `torch.arange(T)` in it.",
)

altered(
    LM, "whole_position_table", "plain",
    {"self.position_table(torch.arange(length))": "self.position_table.weight"}, stage="raises",
    diagnosis="The whole table of positions is added; that fits only where T is max_length.",
    next_step="Only its first T rows: `position_table(torch.arange(T))`.",
)

altered(
    LM, "a_position_for_each_word", "plain", {"nn.Embedding(max_length, d_model)": "nn.Embedding(vocab_size, d_model)"},
    stage="property",
    diagnosis="position_table has the wrong size, as when it has a row for each word; it has one for each position.",
    next_step="`nn.Embedding(max_length, d_model)`.",
)

altered(
    LM, "positions_in_a_bare_matrix", "plain",
    {
        "nn.Embedding(max_length, d_model)": "nn.Parameter(torch.randn(max_length, d_model))",
        "self.position_table(torch.arange(length))": "self.position_table[:length]",
    },
    stage="property",
    diagnosis="position_table is another thing than an nn.Embedding, whatever its size.",
    next_step="`nn.Embedding(max_length, d_model)`, read at `torch.arange(T)`.",
)

altered(
    LM, "sizes_of_token_table_turned_round", "plain",
    {"nn.Embedding(vocab_size, d_model)": "nn.Embedding(d_model, vocab_size)"},
    stage="property",
    diagnosis="token_table has the wrong size, as when its rows and columns are swapped.",
    next_step="A row for each word: `nn.Embedding(vocab_size, d_model)`.",
)

altered(
    LM, "output_of_its_own", "plain",
    {
        "nn.LayerNorm(d_model)\n":
            "nn.LayerNorm(d_model)\n        self.output = nn.Linear(d_model, vocab_size, bias=False)\n",
        "self.norm(x) @ self.token_table.weight.T": "self.output(self.norm(x))",
    },
    stage="property",
    diagnosis="The output has a matrix of its own (copying the table's numbers into it ties nothing); it should be token_table "
    "itself.",
    next_step="`x @ self.token_table.weight.T`: no further layer is needed.",
)

altered(
    LM, "output_of_its_own_with_bias", "plain",
    {
        "nn.LayerNorm(d_model)\n": "nn.LayerNorm(d_model)\n        self.output = nn.Linear(d_model, vocab_size)\n",
        "self.norm(x) @ self.token_table.weight.T": "self.output(self.norm(x))",
    },
    stage="property",
    diagnosis="The output is a linear layer of its own, with a bias; it should be token_table, without a bias.",
    next_step="`x @ self.token_table.weight.T`: no further layer is needed.",
)

altered(
    LM, "tied_with_a_bias", "plain",
    {
        "nn.LayerNorm(d_model)\n": "nn.LayerNorm(d_model)\n        self.bias = nn.Parameter(torch.zeros(vocab_size))\n",
        "weight.T": "weight.T + self.bias",
    },
    stage="property",
    diagnosis="The output has a bias for each word; there should be none.",
    next_step="Leave the bias out; a tied `nn.Linear` needs `bias=False`.",
)

altered(
    LM, "tied_to_the_positions", "plain",
    {"@ self.token_table.weight.T": "@ self.position_table.weight.T"}, stage="shape",
    diagnosis="The output compares with the table of positions, so there is a score for each position instead of each word.",
    next_step="Use `token_table.weight`.",
)

altered(
    LM, "table_not_transposed", "plain", {"weight.T": "weight"}, stage="raises",
    diagnosis="Every call ends in a RuntimeError: most often the table is not transposed, and (T, d) @ (V, d) does not fit.",
    next_step="Print the shapes on both sides of the `@`: (B, T, d) and (d, V).",
)

altered(
    LM, "post_norm_blocks", "plain", {"heads, d_ff)": 'heads, d_ff, "post")'}, stage="values",
    diagnosis="The blocks are post-norm; asked for is pre-norm, the default.",
    next_step="`TransformerBlock(d_model, heads, d_ff)`.",
)

altered(
    LM, "no_final_norm", "plain",
    {"        self.norm = nn.LayerNorm(d_model)\n": "", "self.norm(x) @": "x @"}, stage="property",
    diagnosis="There is no norm behind the last block.",
    next_step="Keep an `nn.LayerNorm(d_model)` as self.norm, and use it before the output.",
)

altered(
    LM, "final_norm_not_used", "plain", {"self.norm(x) @": "x @"}, stage="values",
    diagnosis="The norm is made and not used: the output reads the last block's sum as it is.",
    next_step="`self.norm(x)` before the output.",
)

altered(
    LM, "norm_before_the_blocks", "plain",
    {"for block in": "x = self.norm(x)\n        for block in", "self.norm(x) @": "x @"}, stage="values",
    diagnosis="The norm stands before the first block; it belongs behind the last one.",
    next_step="Normalise what the last block returns.",
)

altered(
    LM, "norm_behind_every_block", "plain",
    {"x = block(x, causal_mask(length))": "x = self.norm(block(x, causal_mask(length)))", "self.norm(x) @": "x @"},
    stage="values",
    diagnosis="The norm stands behind every block; it belongs behind the last one alone.",
    next_step="Take `self.norm` out of the loop.",
)

altered(
    LM, "norm_at_both_ends", "plain", {"for block in": "x = self.norm(x)\n        for block in"}, stage="values",
    diagnosis="The norm is used before the blocks as well; it belongs behind the last one alone.",
    next_step="Give the first block the sum of the two tables as it is.",
)

altered(
    LM, "norm_with_other_numbers", "plain", {"nn.LayerNorm(d_model)": "nn.LayerNorm(d_model, elementwise_affine=False)"},
    stage="property",
    diagnosis="The last norm is no nn.LayerNorm of width d_model with a weight and a bias.",
    next_step="Make it with `nn.LayerNorm(d_model)`, without further arguments: it normalises what the last block returns.",
)

altered(
    LM, "blocks_in_a_list", "plain", {"nn.ModuleList([": "([", "range(layers)])": "range(layers)])"}, stage="property",
    diagnosis="The blocks are in a plain list, which torch does not look into: their parameters are not the model's, and no "
    "optimizer would train them.",
    next_step="Wrap the list: `nn.ModuleList([...])`.",
)

altered(
    LM, "one_block_several_times", "plain",
    {"[TransformerBlock(d_model, heads, d_ff) for _ in range(layers)]": "[TransformerBlock(d_model, heads, d_ff)] * layers"},
    stage="property",
    diagnosis="One block stands there several times: the layers share all their parameters.",
    next_step="Make a new block for each layer: `[TransformerBlock(...) for _ in range(layers)]`.",
)

altered(
    LM, "another_number_of_blocks", "plain", {"range(layers)": "range(heads)"}, stage="property",
    diagnosis="The number of blocks is not `layers`.",
    next_step="Make a block for each of `range(layers)`; the arguments come in the order vocab_size, d_model, heads, layers.",
)

altered(
    LM, "d_ff_ignored", "plain", {"heads, d_ff)": "heads, 4 * d_model)"}, stage="property",
    diagnosis="The parts of a block have other sizes than asked for, as when the feed-forward net is always four times as wide "
    "as d.",
    next_step="Hand d_ff on to every block.",
)

altered(
    LM, "heads_ignored", "plain", {"d_model, heads, d_ff)": "d_model, 1, d_ff)"}, stage="values",
    diagnosis="Every block has one head, whatever is asked for.",
    next_step="Hand `heads` on to every block.",
)

altered(
    LM, "results_of_the_blocks_lost", "plain", {"x = block(": "block("}, stage="values",
    diagnosis="What the blocks return is not kept: the output reads the sum of the tables.",
    next_step="`x = block(x, ...)`.",
)

altered(
    LM, "only_the_last_block_counts", "plain",
    {"for block in": "y = x\n        for block in", "block(x, causal": "block(y, causal"}, stage="values",
    diagnosis="Every block reads the sum of the tables, so only the last one counts; each should read what the one before it "
    "returned.",
    next_step="Give the block the same x that it returns: `x = block(x, ...)`.",
)

altered(
    LM, "blocks_added_to_x", "plain", {"x = block(": "x = x + block("}, stage="values",
    diagnosis="x is added to what each block returns; the residual connections are inside the block already.",
    next_step="`x = block(x, ...)`.",
)

altered(
    LM, "blocks_in_reverse_order", "plain", {"in self.blocks:": "in reversed(self.blocks):"}, stage="values",
    diagnosis="The last block comes first.",
    next_step="Run through `self.blocks` in its own order.",
)

altered(
    LM, "probabilities", "plain",
    {"return self.norm(x) @ self.token_table.weight.T": "return (self.norm(x) @ self.token_table.weight.T).softmax(dim=-1)"},
    stage="values",
    diagnosis="These are probabilities; asked for are logits, since the loss takes the softmax itself.",
    next_step="Return the products without a softmax.",
)

altered(
    LM, "log_probabilities", "plain",
    {"return self.norm(x) @ self.token_table.weight.T": "return (self.norm(x) @ self.token_table.weight.T).log_softmax(-1)"},
    stage="values",
    diagnosis="These are logarithms of probabilities; asked for are logits.",
    next_step="Return the products without a log-softmax.",
)

altered(
    LM, "last_position_alone", "plain", {"self.norm(x) @": "self.norm(x[:, -1]) @"}, stage="shape",
    diagnosis="Only the last position has logits; in training every position predicts its next word.",
    next_step="Keep all T positions: (B, T, V).",
)

altered(
    LM, "batch_and_time_swapped", "plain", {"weight.T": "weight.T).transpose(0, 1)", "return self": "return (self"},
    stage=("shape", "values"),
    diagnosis="The logits have positions first and sentences second; the batch comes first.",
    next_step="Keep the order of `ids`: (B, T), then (B, T, V).",
)

altered(
    LM, "too_long_raises_otherwise", "plain",
    {'        if length > self.position_table.num_embeddings:\n            raise ValueError("too many ids")\n': ""},
    stage=("property", "raises"),
    diagnosis="More ids than positions end in an IndexError of the table; asked for is a ValueError.",
    next_step="Compare T with max_length before you look anything up.",
)

altered(
    LM, "too_long_cut_off", "plain",
    {
        "length = ids.shape[1]": "ids = ids[:, -self.position_table.num_embeddings :]\n        length = ids.shape[1]",
    },
    stage="property",
    diagnosis="Where there are more ids than positions, the first ones are dropped without a word.",
    next_step="Raise a ValueError when T is greater than max_length.",
)

altered(
    LM, "too_long_begins_again", "plain",
    {
        '        if length > self.position_table.num_embeddings:\n            raise ValueError("too many ids")\n': "",
        "torch.arange(length)": "torch.arange(length) % self.position_table.num_embeddings",
    },
    stage="property",
    diagnosis="Behind the last position they begin again with 0.",
    next_step="Raise a ValueError when T is greater than max_length.",
)

altered(
    LM, "too_long_at_the_last_position", "plain",
    {
        '        if length > self.position_table.num_embeddings:\n            raise ValueError("too many ids")\n': "",
        "torch.arange(length)": "torch.arange(length).clamp(max=self.position_table.num_embeddings - 1)",
    },
    stage="property",
    diagnosis="All words behind the last position share its vector.",
    next_step="Raise a ValueError when T is greater than max_length.",
)

altered(
    LM, "max_length_refused", "plain", {"if length > self": "if length >= self"}, stage="raises",
    diagnosis="A text of just max_length words is refused; it has a position for each of them.",
    next_step="Only T > max_length is too long.",
)

altered(
    LM, "batch_too_long", "plain", {"if length > self": "if len(ids) > self"}, stage=("raises", "property"),
    diagnosis="The number of sentences is compared with max_length; asked for is the number of positions.",
    next_step="T is `ids.shape[1]`.",
)

altered(
    LM, "row_0_never_learns", "plain",
    {"nn.Embedding(vocab_size, d_model)": "nn.Embedding(vocab_size, d_model, padding_idx=0)"},
    stage="values",
    diagnosis="With `padding_idx=0` row 0 gets no gradient from where it was looked up; here id 0 is a word like any other.",
    next_step="Leave padding_idx out.",
)

altered(
    LM, "output_detached", "plain", {"weight.T": "weight.detach().T"}, stage="values",
    diagnosis="The table learns as input only: at the output it is detached (`.detach()` or `.data`).",
    next_step="Use `self.token_table.weight` itself.",
)

altered(
    LM, "input_detached", "plain", {"self.token_table(ids)": "self.token_table(ids).detach()"}, stage="values",
    diagnosis="The table learns as output only: the looked-up rows are detached.",
    next_step="Leave `.detach()` out.",
)

altered(
    LM, "positions_detached", "plain",
    {"self.position_table(torch.arange(length))": "self.position_table.weight[:length].detach()"}, stage="property",
    diagnosis="No gradient reaches the table of positions: its rows are detached.",
    next_step="Look them up with `self.position_table(...)`, without `.detach()` or `.data`.",
)

altered(
    LM, "always_float32", "plain", {"weight.T": "weight.T).float()", "return self": "return (self"}, stage="dtype",
    diagnosis="The logits are float32 even where the parameters are float64.",
    next_step="Leave out what changes the type.",
)

altered(
    LM, "dropout", "plain",
    {
        "nn.LayerNorm(d_model)\n": "nn.LayerNorm(d_model)\n        self.dropout = nn.Dropout(0.1)\n",
        "for block in": "x = self.dropout(x)\n        for block in",
    },
    stage="property",
    diagnosis="There is a dropout that nobody asked for.",
    next_step="Leave it out.",
)

altered(
    LM, "super_forgotten", "plain", {"\n        super().__init__()\n": "\n"}, stage="raises",
    diagnosis="torch refuses to keep layers before `super().__init__()` was called.",
    next_step="Call it first in the constructor.",
)

altered(
    LM, "other_names", "plain",
    {
        "self.token_table = ": "self.embedding = ", "self.token_table(ids)": "self.embedding(ids)",
        "self.token_table.weight": "self.embedding.weight",
    },
    stage="property",
    diagnosis="An attribute is missing; asked for are token_table, position_table, blocks and norm.",
    next_step="Keep every part under its own name.",
)
