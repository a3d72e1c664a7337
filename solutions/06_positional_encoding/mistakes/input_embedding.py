# exercise 06.input_embedding
import torch
import torch.nn as nn
import torch.nn.functional as F


# mistake segments_left_out (values)
# The segment vectors are missing from the sum.
# Next: Three terms: token, position, segment.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    return token_table[tokens] + position_table[: tokens.shape[1]]


# mistake positions_left_out (values), from segments_left_out
# The position vectors are missing from the sum.
# Next: Three terms: token, position, segment.
#   position_table[: tokens.shape[1]] => segment_table[segments]

# mistake position_0_for_all (values), from segments_left_out
# Every position gets the vector of position 0.
# Next: Position t needs row t of the position table.
#   token_table[tokens] + position_table[: tokens.shape[1]] => token_table[tokens] + position_table[0] + segment_table[segments]

# mistake positions_looked_up_by_token (values, raises), from segments_left_out
# The position table is indexed with the words' ids; row t belongs to position t, whatever word stands there.
# Next: Use the first T rows of the position table.
#   : tokens.shape[1] => tokens] + segment_table[segments


# base plain
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    places = position_table[: tokens.shape[1]]
    return token_table[tokens] + places + segment_table[segments]


# mistake segments_looked_up_by_position (values, raises), from plain
# Segment vectors are chosen by the position; the id in `segments` says which one it is.
# Next: `segment_table[segments]`.
#   position_table[: tokens.shape[1]] => torch.arange(tokens.shape[1])
#   places + segment_table[segments => position_table[places] + segment_table[places % len(segment_table)


# mistake segment_of_the_first_place (values, raises)
# A whole sentence gets the segment of its first position; each position has its own.
# Next: Index with the whole of `segments`, not with its first column.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    first = segment_table[segments[:, :1]]
    return token_table[tokens] + position_table[: tokens.shape[1]] + first


# mistake two_segments_only (values)
# Everything that is not segment 0 gets the vector of segment 1; there may be more.
# Next: Segments are ids: look them up like words.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    second = (segments != 0)[..., None]
    chosen = torch.where(second, segment_table[-1 if len(segment_table) < 3 else 1], segment_table[0])
    return token_table[tokens] + position_table[: tokens.shape[1]] + chosen


# mistake position_starts_again (values)
# The position starts again at 0 with the second segment; it runs on through the whole text.
# Next: Row t belongs to position t, whatever the segment.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    B, T = tokens.shape
    places = torch.arange(T).expand(B, T)
    if T and B and segments.any():
        starts = torch.where(segments != 0, places, T).amin(dim=1, keepdim=True)
        places = torch.where(segments != 0, places - starts, places)
    return token_table[tokens] + position_table[places] + segment_table[segments]


# mistake positions_counted_from_1 (values, raises), from plain
# Position 0 gets row 1 of the position table.
# Next: Use the rows 0 to T - 1.
#   position_table[: tokens.shape[1]] => torch.arange(1, tokens.shape[1] + 1)
#   token_table[tokens] + places => token_table[tokens] + position_table[places]


# mistake last_positions (values)
# The last T rows of the position table are used; position 0 belongs to row 0.
# Next: Slice from the front.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    length = tokens.shape[1]
    places = position_table[len(position_table) - length :]
    return token_table[tokens] + places + segment_table[segments]


# mistake whole_position_table (raises), from segments_left_out
# The whole position table is added; only its first T rows fit.
# Next: T is `tokens.shape[1]`.
#   token_table[tokens] + position_table[: tokens.shape[1]] => token_table[tokens] + position_table + segment_table[segments]

# mistake positions_along_the_batch (values, raises), from plain
# Positions are counted along the first axis, the batch.
# Next: Position t is `tokens[:, t]`: use `tokens.shape[1]` rows, and let them broadcast over the batch.
#   position_table[: tokens.shape[1]] => torch.arange(tokens.shape[0])[:, None]
#   token_table[tokens] + places => token_table[tokens] + position_table[places]

# mistake positions_run_through_the_batch (values, raises), from plain
# Positions run on from one sentence to the next; each sentence starts at 0.
# Next: The positions of a sentence are 0 to T - 1, the same in every row.
#   position_table[: tokens.shape[1]] => torch.arange(tokens.numel()).reshape(tokens.shape) % len(position_table)
#   token_table[tokens] + places => token_table[tokens] + position_table[places]


# mistake side_by_side (shape)
# The three vectors stand side by side, which makes 3d numbers; they should be added.
# Next: Use `+` instead of `torch.cat`.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    words = token_table[tokens]
    places = position_table[: tokens.shape[1]].expand_as(words)
    return torch.cat([words, places, segment_table[segments]], dim=-1)


# mistake mean_of_three (values)
# The mean of the three vectors comes back; the sum was asked for.
# Next: Leave the division out.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    return (token_table[tokens] + position_table[: tokens.shape[1]] + segment_table[segments]) / 3


# mistake words_scaled (values), from plain
# The word vectors are multiplied by √d, as in the first Transformer; BERT's sum has no factor.
# Next: Leave the factor out.
#   places = position_table[: tokens.shape[1]] => scale = token_table.shape[1] ** 0.5
#   token_table[tokens] + places => token_table[tokens] * scale + position_table[: tokens.shape[1]]


# mistake normalised (values)
# A layer norm follows the sum; BERT has one there, but the plain sum was asked for.
# Next: Return the sum itself.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    total = token_table[tokens] + position_table[: tokens.shape[1]] + segment_table[segments]
    return F.layer_norm(total, total.shape[-1:])


# mistake tokens_and_segments_swapped (values, raises), from segments_left_out
# Words are looked up in the segment table and segments in the word table.
# Next: `token_table` belongs to `tokens`, `segment_table` to `segments`.
#   -    return token_table[tokens] + position_table[: tokens.shape[1]]
#   +    return token_table[segments] + position_table[: tokens.shape[1]] + segment_table[tokens % len(segment_table)]


# mistake frozen_tables (property)
# No gradient reaches the tables: `nn.Embedding.from_pretrained` freezes them, and copies leave them out.
# Next: Index the tables directly, or use `F.embedding(ids, table)`.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    words, places, parts = (nn.Embedding.from_pretrained(t) for t in (token_table, position_table, segment_table))
    return words(tokens) + places(torch.arange(tokens.shape[1])) + parts(segments)


# mistake fixed_positions (property), from segments_left_out
# The position table is cut off from the gradient, as if it were the sinusoidal one; here it is learned.
# Next: Leave `.detach()` and `.data` out.
#   ]] => ]].detach() + segment_table[segments]

# mistake fixed_segments (property), from segments_left_out
# The segment table is cut off from the gradient.
# Next: Leave `.detach()` and `.data` out.
#   ]] => ]] + segment_table.data[segments]

# mistake padding_word_0 (values), from plain
# Word 0 is treated as padding and gets no gradient; here it is a word like any other.
# Next: Leave `padding_idx` out.
#   places = position_table[: tokens.shape[1]] => words = F.embedding(tokens, token_table, padding_idx=0)
#   token_table[tokens] + places => words + position_table[: tokens.shape[1]]


# mistake built_up_in_the_table (property)
# `+=` on a slice writes into the caller's position table.
# Next: Add with `+`, which makes a new tensor.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    total = token_table[tokens] + position_table[: tokens.shape[1]] + segment_table[segments]
    with torch.no_grad():
        position_table[: tokens.shape[1]] += 1
    return total


# mistake always_float32 (dtype, values)
# The result is float32 whatever the tables are.
# Next: Leave `.float()` out, or give `torch.zeros` the dtype of the tables.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    return (token_table[tokens] + position_table[: tokens.shape[1]] + segment_table[segments]).float()


# mistake view_of_gaps (raises)
# `view(-1)` fails for ids with gaps in memory.
# Next: Use `reshape`, or index with the tensor of ids as it is.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    B, T = tokens.shape
    words = token_table[tokens.view(-1)].reshape(B, T, token_table.shape[1])
    return words + position_table[:T] + segment_table[segments.view(-1)].reshape(B, T, token_table.shape[1])


# mistake nothing_to_stack (raises)
# It fails on empty input: no sentences, or no positions.
# Next: Index with the whole id tensors; empty ones need no special care.
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    rows = []
    for b in range(tokens.shape[0]):
        places = [
            token_table[tokens[b, t]] + position_table[t] + segment_table[segments[b, t]]
            for t in range(tokens.shape[1])
        ]
        rows.append(torch.stack(places))
    return torch.stack(rows)


# mistake three_segments_only (values), from segments_left_out
# Every segment from the third on gets the vector of the third one; there may be more.
# Next: `segment_table[segments]`, whatever the ids are.
#   ]] => ]] + segment_table[segments.clamp(max=2)]

# mistake positions_end_at_512 (values), from plain
# All positions from 512 on share one position, as if the table had 512 rows, like BERT's.
# Next: Use row t for position t: how many rows there are, the table says.
#   position_table[: tokens.shape[1]] => torch.arange(tokens.shape[1]).clamp(max=511)
#   token_table[tokens] + places => token_table[tokens] + position_table[places]


# right form functional_embedding
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    places = torch.arange(tokens.size(1)).expand_as(tokens)
    return F.embedding(tokens, token_table) + F.embedding(places, position_table) + F.embedding(segments, segment_table)


# right form one_hot_products
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    def lookup(ids, table):
        return F.one_hot(ids, len(table)).to(table.dtype) @ table

    T = tokens.shape[1]
    return lookup(tokens, token_table) + torch.eye(T, len(position_table)).to(position_table) @ position_table + lookup(
        segments, segment_table
    )


# right form place_by_place
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    B, T = tokens.shape
    columns = [token_table[tokens[:, t]] + position_table[t] + segment_table[segments[:, t]] for t in range(T)]
    return torch.stack(columns, dim=1) if columns else token_table.new_zeros(B, T, token_table.shape[1])


# right form filled_in_by_loops
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    B, T = tokens.shape
    out = torch.zeros(B, T, token_table.shape[1], dtype=token_table.dtype)
    for b in range(B):
        for t in range(T):
            out[b, t] += token_table[tokens[b, t]]
            out[b, t] += position_table[t]
            out[b, t] += segment_table[int(segments[b, t])]
    return out


# right form index_select_and_sum_of_a_stack
def input_embedding(tokens, segments, token_table, position_table, segment_table):
    shape = (*tokens.shape, token_table.shape[-1])
    words = token_table.index_select(0, tokens.flatten()).reshape(shape)
    parts = torch.index_select(segment_table, 0, segments.flatten()).reshape(shape)
    places = position_table.narrow(0, 0, shape[1]).unsqueeze(0).expand(shape)
    return torch.stack([words, places, parts]).sum(dim=0)
