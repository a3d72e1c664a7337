# exercise 03.lookup_with_max_norm_
import torch
import torch.nn.functional as F


# base plain
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        rows = ids.unique()
        weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
    return weight[ids]


# mistake clips_the_whole_table (values), from plain
# Rows that were not looked up are clipped too.
# Next: Pick the rows that ids names, `ids.unique()`, and write to those alone.
#   -        rows = ids.unique()
#   weight[rows] = renorm_rows(weight[rows], max_norm, norm_type) => weight.copy_(renorm_rows(weight, max_norm, norm_type))


# mistake table_stays_long (values)
# The result is clipped, and the caller's table is not: torch writes the short rows back.
# Next: Write into the tensor that you were given, `weight[rows] = ...`; `weight = ...` only renames inside the function.
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    rows = ids.unique()
    weight = weight.detach().clone()
    weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
    return weight[ids]


# mistake clips_a_copy (values), from plain
# Nothing is clipped: `weight[ids]` is a copy, and changing it leaves the table as it was.
# Next: Assign to the table: `weight[rows] = ...`, with the index on the left.
#   rows = ids.unique() => flat = ids.reshape(-1)
#   rows] = renorm_rows(weight[rows], max_norm, norm_type => flat].copy_(renorm_rows(weight[flat], max_norm, norm_type)

# mistake looks_up_before_clipping (values), from plain
# The result was taken before the table was clipped, so it holds the long rows.
# Next: Clip first, look up second.
#    def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
#   +    result = weight[ids]
#   weight[ids] => result

# mistake forgets_no_grad (raises), from table_stays_long
# A leaf that requires grad may not be written to while gradients are recorded.
# Next: Do the writing inside `with torch.no_grad():`.
#   -    weight = weight.detach().clone()

# mistake switches_requires_grad_off (property), from table_stays_long
# The weight no longer requires grad after the call, so it would never learn again.
# Next: Write inside `with torch.no_grad():` instead, which leaves the weight as it is.
#    def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
#   +    weight.requires_grad_(False)
#   -    weight = weight.detach().clone()


# mistake switches_grad_mode_off (property)
# The call leaves torch with gradients switched off for the whole program.
# Next: Use `with torch.no_grad():`, which sets the mode back at the end of the block.
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    torch.set_grad_enabled(False)
    rows = ids.unique()
    weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
    return weight[ids]


# mistake norm_type_ignored (values), from plain
# The length is always the 2-norm, whatever norm_type says.
# Next: Hand norm_type on to `renorm_rows`.
#   weight[rows], max_norm, norm_type => weight[rows], max_norm


# mistake flattens (shape)
# The shape of ids is lost: one long list of vectors comes back.
# Next: Index the table with ids as they came: the result has shape (*ids.shape, d).
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    flat = ids.reshape(-1)
    with torch.no_grad():
        weight[flat] = renorm_rows(weight[flat], max_norm, norm_type)
    return weight[flat]


# mistake repeated_rows_shrink_twice (values)
# A row that occurs several times is multiplied with its factor each time, and gets too short.
# Next: Handle each row once (`ids.unique()`), or measure its length again right before you scale it.
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        flat = ids.reshape(-1)
        norms = torch.linalg.vector_norm(weight[flat], ord=norm_type, dim=1)
        for row, factor in zip(flat, (max_norm / norms).clamp(max=1.0)):
            weight[row] *= factor
    return weight[ids]


# mistake stretches_short_rows (values), from plain
# Looked-up rows all end with length max_norm: the short ones are stretched.
# Next: The factor is max_norm / norm, but never more than 1.
#   renorm_rows(weight[rows], max_norm, norm_type) => F.normalize(weight[rows], p=norm_type, dim=1) * max_norm


# mistake loops_over_the_first_axis (values)
# `for i in ids` runs over the first axis only: with ids of shape (B, T) each i is a whole row of ids.
# Next: Loop over `ids.reshape(-1)`, or over `ids.unique()`.
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        for i in ids:
            norm = torch.linalg.vector_norm(weight[i], ord=norm_type)
            if norm > max_norm:
                weight[i] = weight[i] * (max_norm / norm)
    return weight[ids]


# mistake other_memory (property)
# `weight.data = ...` gives the weight new memory instead of writing to its own: views of it stay long.
# Next: Write into the memory that is there: `weight[rows] = ...` or `copy_`, under `torch.no_grad()`.
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    table = weight.detach().clone()
    rows = ids.unique()
    table[rows] = renorm_rows(table[rows], max_norm, norm_type)
    weight.data = table
    return weight[ids]


# mistake three_norms_only (values), from plain
# Only the norms 1, 2 and inf are known; any other norm_type is measured by the 2-norm.
# Next: `torch.linalg.vector_norm(..., ord=norm_type)`, or your `renorm_rows`, takes every norm_type.
#    def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
#   +    norm_type = norm_type if norm_type in (1.0, float("inf")) else 2.0


# mistake contiguous_copy (values)
# `contiguous()` copies a table that has gaps in memory: what you write then does not reach the caller's.
# Next: Write to `weight` itself; indexing works for every memory layout.
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    table = weight.detach().contiguous()
    rows = ids.unique()
    table[rows] = renorm_rows(table[rows], max_norm, norm_type)
    return table[ids]


# mistake clips_while_recording_only (values)
# Under torch.no_grad() nothing is clipped; a lookup clips whether gradients are recorded or not.
# Next: Clip in every call; the grad mode only decides what is recorded.
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    if torch.is_grad_enabled():
        with torch.no_grad():
            rows = ids.unique()
            weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
    return weight[ids]


# mistake switches_grad_mode_on (property), from switches_grad_mode_off
# The call leaves torch recording gradients, also where the caller had switched that off.
# Next: `with torch.no_grad():` puts back what was there before.
#        weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
#   +    torch.set_grad_enabled(True)


# mistake from_the_least_to_the_largest_id (values)
# Every row between the smallest and the largest id is clipped; only those that are looked up change.
# Next: Index with the ids themselves, not with a slice from one to the other.
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        if ids.numel():
            between = slice(int(ids.min()), int(ids.max()) + 1)
            weight[between] = renorm_rows(weight[between], max_norm, norm_type)
    return weight[ids]


# mistake first_sentence_only (values), from plain
# Only the rows of the first sentence are clipped; the batch has others.
# Next: `ids.unique()` names the rows of the whole batch.
#   ids.unique() => ids[0].reshape(-1) if ids.dim() > 1 else ids.reshape(-1)


# mistake clips_only_the_result (values)
# Only the result is clipped: `weight[ids]` is a copy of rows, and what is done to it does not reach the table.
# Next: Write the short rows back: `weight[rows] = ...` under `torch.no_grad()`.
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        rows = weight[ids]
        rows *= max_norm / rows.norm(p=norm_type, dim=-1, keepdim=True).clamp(min=max_norm)
    return rows


# mistake distinct_rows_returned (values, shape), from plain
# Each row is returned once, sorted by id; the task asks for a row for each entry of ids.
# Next: Clip the distinct rows, and return `weight[ids]`.
#   weight[ids] => weight[rows]

# mistake rows_of_a_sentence_together (values, raises), from plain
# `weight[ids]` of ids (B, T) has three axes, and `renorm_rows` takes two: the length runs over the wrong one.
# Next: Take the distinct ids first, `ids.unique()`: their rows are a table again.
#   -        rows = ids.unique()
#   weight[rows] = renorm_rows(weight[rows], max_norm, norm_type) => weight[ids] = renorm_rows(weight[ids], max_norm, norm_type)


# mistake clipped_rows_indexed_by_id (raises, values)
# The clipped rows are one for each distinct id, in sorted order, so an id is no position among them.
# Next: Return `weight[ids]`: the table holds the clipped rows now.
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    rows = ids.unique()
    clipped = renorm_rows(weight[rows].detach(), max_norm, norm_type)
    with torch.no_grad():
        weight[rows] = clipped
    return clipped[ids]


# mistake single_row_to_renorm_rows (raises)
# `renorm_rows` takes a table (V, d), and `weight[i]` is a single row.
# Next: Pass all distinct rows at once, `weight[ids.unique()]`, or a table of one row, `weight[i][None]`.
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        for i in ids.flatten():
            weight[i] = renorm_rows(weight[i], max_norm, norm_type)
    return weight[ids]
