"""Wrong answers about the sum of three tables by name, and unusual right ones."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, mistake, right_form

INPUT = "06.input_embedding"


@mistake(
    INPUT, "segments_left_out", stage="values",
    diagnosis="The segment vectors are missing from the sum.",
    next_step="Three terms: token, position, segment.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    return token_table[tokens] + position_table[: tokens.shape[1]]


altered(
    INPUT, "positions_left_out", "segments_left_out",
    {"position_table[: tokens.shape[1]]": "segment_table[segments]"},
    stage="values",
    diagnosis="The position vectors are missing from the sum.",
    next_step="Three terms: token, position, segment.",
)

altered(
    INPUT, "position_0_for_all", "segments_left_out",
    {": tokens.shape[1]": "0] + segment_table[segments"},
    stage="values",
    diagnosis="Every position gets the vector of position 0.",
    next_step="Position t needs row t of the position table.",
)

altered(
    INPUT, "positions_looked_up_by_token", "segments_left_out",
    {": tokens.shape[1]": "tokens] + segment_table[segments"},
    stage=("values", "raises"),
    diagnosis="The position table is indexed with the words' ids; row t belongs to position t, whatever word stands there.",
    next_step="Use the first T rows of the position table.",
)


@mistake(
    INPUT, "segments_looked_up_by_position", stage=("values", "raises"),
    diagnosis="Segment vectors are chosen by the position; the id in `segments` says which one it is.",
    next_step="`segment_table[segments]`.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    places = torch.arange(tokens.shape[1])
    return token_table[tokens] + position_table[places] + segment_table[places % len(segment_table)]


@mistake(
    INPUT, "segment_of_the_first_place", stage=("values", "raises"),
    diagnosis="A whole sentence gets the segment of its first position; each position has its own.",
    next_step="Index with the whole of `segments`, not with its first column.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    first = segment_table[segments[:, :1]]
    return token_table[tokens] + position_table[: tokens.shape[1]] + first


@mistake(
    INPUT, "two_segments_only", stage="values",
    diagnosis="Everything that is not segment 0 gets the vector of segment 1; there may be more.",
    next_step="Segments are ids: look them up like words.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    second = (segments != 0)[..., None]
    chosen = torch.where(second, segment_table[-1 if len(segment_table) < 3 else 1], segment_table[0])
    return token_table[tokens] + position_table[: tokens.shape[1]] + chosen


@mistake(
    INPUT, "position_starts_again", stage="values",
    diagnosis="The position starts again at 0 with the second segment; it runs on through the whole text.",
    next_step="Row t belongs to position t, whatever the segment.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    B, T = tokens.shape
    places = torch.arange(T).expand(B, T)
    if T and B and segments.any():
        starts = torch.where(segments != 0, places, T).amin(dim=1, keepdim=True)
        places = torch.where(segments != 0, places - starts, places)
    return token_table[tokens] + position_table[places] + segment_table[segments]


@mistake(
    INPUT, "positions_counted_from_1", stage=("values", "raises"),
    diagnosis="Position 0 gets row 1 of the position table.",
    next_step="Use the rows 0 to T - 1.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    places = torch.arange(1, tokens.shape[1] + 1)
    return token_table[tokens] + position_table[places] + segment_table[segments]


@mistake(
    INPUT, "last_positions", stage="values",
    diagnosis="The last T rows of the position table are used; position 0 belongs to row 0.",
    next_step="Slice from the front.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    length = tokens.shape[1]
    places = position_table[len(position_table) - length :]
    return token_table[tokens] + places + segment_table[segments]


altered(
    INPUT, "whole_position_table", "segments_left_out",
    {"position_table[: tokens.shape[1]]": "position_table + segment_table[segments]"},
    stage="raises",
    diagnosis="The whole position table is added; only its first T rows fit.",
    next_step="T is `tokens.shape[1]`.",
)


@mistake(
    INPUT, "positions_along_the_batch", stage=("values", "raises"),
    diagnosis="Positions are counted along the first axis, the batch.",
    next_step="Position t is `tokens[:, t]`: use `tokens.shape[1]` rows, and let them broadcast over the batch.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    places = torch.arange(tokens.shape[0])[:, None]
    return token_table[tokens] + position_table[places] + segment_table[segments]


@mistake(
    INPUT, "positions_run_through_the_batch", stage=("values", "raises"),
    diagnosis="Positions run on from one sentence to the next; each sentence starts at 0.",
    next_step="The positions of a sentence are 0 to T - 1, the same in every row.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    places = torch.arange(tokens.numel()).reshape(tokens.shape) % len(position_table)
    return token_table[tokens] + position_table[places] + segment_table[segments]


@mistake(
    INPUT, "side_by_side", stage="shape",
    diagnosis="The three vectors stand side by side, which makes 3d numbers; they should be added.",
    next_step="Use `+` instead of `torch.cat`.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    words = token_table[tokens]
    places = position_table[: tokens.shape[1]].expand_as(words)
    return torch.cat([words, places, segment_table[segments]], dim=-1)


@mistake(
    INPUT, "mean_of_three", stage="values",
    diagnosis="The mean of the three vectors comes back; the sum was asked for.",
    next_step="Leave the division out.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    return (token_table[tokens] + position_table[: tokens.shape[1]] + segment_table[segments]) / 3


@mistake(
    INPUT, "words_scaled", stage="values",
    diagnosis="The word vectors are multiplied by √d, as in the first Transformer; BERT's sum has no factor.",
    next_step="Leave the factor out.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    scale = token_table.shape[1] ** 0.5
    return token_table[tokens] * scale + position_table[: tokens.shape[1]] + segment_table[segments]


@mistake(
    INPUT, "normalised", stage="values",
    diagnosis="A layer norm follows the sum; BERT has one there, but the plain sum was asked for.",
    next_step="Return the sum itself.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    total = token_table[tokens] + position_table[: tokens.shape[1]] + segment_table[segments]
    return F.layer_norm(total, total.shape[-1:])


altered(
    INPUT, "tokens_and_segments_swapped", "segments_left_out",
    {
        "tokens] + position_table[: tokens.shape[1]":
            "segments] + position_table[: tokens.shape[1]] + segment_table[tokens % len(segment_table)",
    },
    stage=("values", "raises"),
    diagnosis="Words are looked up in the segment table and segments in the word table.",
    next_step="`token_table` belongs to `tokens`, `segment_table` to `segments`.",
)


@mistake(
    INPUT, "frozen_tables", stage="property",
    diagnosis="No gradient reaches the tables: `nn.Embedding.from_pretrained` freezes them, and copies leave them out.",
    next_step="Index the tables directly, or use `F.embedding(ids, table)`.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    words, places, parts = (nn.Embedding.from_pretrained(t) for t in (token_table, position_table, segment_table))
    return words(tokens) + places(torch.arange(tokens.shape[1])) + parts(segments)


altered(
    INPUT, "fixed_positions", "segments_left_out",
    {"[: tokens.shape[1]]": "[: tokens.shape[1]].detach() + segment_table[segments]"},
    stage="property",
    diagnosis="The position table is cut off from the gradient, as if it were the sinusoidal one; here it is learned.",
    next_step="Leave `.detach()` and `.data` out.",
)

altered(
    INPUT, "fixed_segments", "segments_left_out",
    {"[: tokens.shape[1]]": "[: tokens.shape[1]] + segment_table.data[segments]"},
    stage="property",
    diagnosis="The segment table is cut off from the gradient.",
    next_step="Leave `.detach()` and `.data` out.",
)


@mistake(
    INPUT, "padding_word_0", stage="values",
    diagnosis="Word 0 is treated as padding and gets no gradient; here it is a word like any other.",
    next_step="Leave `padding_idx` out.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    words = F.embedding(tokens, token_table, padding_idx=0)
    return words + position_table[: tokens.shape[1]] + segment_table[segments]


@mistake(
    INPUT, "built_up_in_the_table", stage="property",
    diagnosis="`+=` on a slice writes into the caller's position table.",
    next_step="Add with `+`, which makes a new tensor.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    total = token_table[tokens] + position_table[: tokens.shape[1]] + segment_table[segments]
    with torch.no_grad():
        position_table[: tokens.shape[1]] += 1
    return total


@mistake(
    INPUT, "always_float32", stage=("dtype", "values"),
    diagnosis="The result is float32 whatever the tables are.",
    next_step="Leave `.float()` out, or give `torch.zeros` the dtype of the tables.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    return (token_table[tokens] + position_table[: tokens.shape[1]] + segment_table[segments]).float()


@mistake(
    INPUT, "view_of_gaps", stage="raises",
    diagnosis="`view(-1)` fails for ids with gaps in memory.",
    next_step="Use `reshape`, or index with the tensor of ids as it is.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    B, T = tokens.shape
    words = token_table[tokens.view(-1)].reshape(B, T, token_table.shape[1])
    return words + position_table[:T] + segment_table[segments.view(-1)].reshape(B, T, token_table.shape[1])


@mistake(
    INPUT, "nothing_to_stack", stage="raises",
    diagnosis="It fails on empty input: no sentences, or no positions.",
    next_step="Index with the whole id tensors; empty ones need no special care.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    rows = []
    for b in range(tokens.shape[0]):
        places = [
            token_table[tokens[b, t]] + position_table[t] + segment_table[segments[b, t]]
            for t in range(tokens.shape[1])
        ]
        rows.append(torch.stack(places))
    return torch.stack(rows)


altered(
    INPUT, "three_segments_only", "segments_left_out",
    {"[: tokens.shape[1]]": "[: tokens.shape[1]] + segment_table[segments.clamp(max=2)]"},
    stage="values",
    diagnosis="Every segment from the third on gets the vector of the third one; there may be more.",
    next_step="`segment_table[segments]`, whatever the ids are.",
)


@mistake(
    INPUT, "positions_end_at_512", stage="values",
    diagnosis="All positions from 512 on share one position, as if the table had 512 rows, like BERT's.",
    next_step="Use row t for position t: how many rows there are, the table says.",
)
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    places = torch.arange(tokens.shape[1]).clamp(max=511)
    return token_table[tokens] + position_table[places] + segment_table[segments]


@right_form(INPUT, "functional_embedding")
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    places = torch.arange(tokens.size(1)).expand_as(tokens)
    return F.embedding(tokens, token_table) + F.embedding(places, position_table) + F.embedding(segments, segment_table)


@right_form(INPUT, "one_hot_products")
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    def lookup(ids, table):
        return F.one_hot(ids, len(table)).to(table.dtype) @ table

    T = tokens.shape[1]
    return lookup(tokens, token_table) + torch.eye(T, len(position_table)).to(position_table) @ position_table + lookup(
        segments, segment_table
    )


@right_form(INPUT, "place_by_place")
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    B, T = tokens.shape
    columns = [token_table[tokens[:, t]] + position_table[t] + segment_table[segments[:, t]] for t in range(T)]
    return torch.stack(columns, dim=1) if columns else token_table.new_zeros(B, T, token_table.shape[1])


@right_form(INPUT, "filled_in_by_loops")
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    B, T = tokens.shape
    out = torch.zeros(B, T, token_table.shape[1], dtype=token_table.dtype)
    for b in range(B):
        for t in range(T):
            out[b, t] += token_table[tokens[b, t]]
            out[b, t] += position_table[t]
            out[b, t] += segment_table[int(segments[b, t])]
    return out


@right_form(INPUT, "index_select_and_sum_of_a_stack")
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    shape = (*tokens.shape, token_table.shape[-1])
    words = token_table.index_select(0, tokens.flatten()).reshape(shape)
    parts = torch.index_select(segment_table, 0, segments.flatten()).reshape(shape)
    places = position_table.narrow(0, 0, shape[1]).unsqueeze(0).expand(shape)
    return torch.stack([words, places, parts]).sum(dim=0)
