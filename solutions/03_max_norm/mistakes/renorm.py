"""Wrong answers on clipping by name, and unusual right ones."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from grader.catalogue import mistake, right_form

# --- 03.renorm_rows


@mistake(
    "03.renorm_rows", "stretches_short_rows", stage="values",
    diagnosis="Every row ends with length max_norm: the short ones are stretched.",
    next_step="Try a row of length 0.5 with max_norm=1.0: it should come back as it was. The factor is never above 1.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    return F.normalize(weight, p=norm_type, dim=1) * max_norm


@mistake(
    "03.renorm_rows", "clamps_elements", stage="values",
    diagnosis="Each number is cut off at max_norm by itself: a row that is cut so points in another direction.",
    next_step="Compare (3, 4) with max_norm=1.0: the row should become (0.6, 0.8), not (1, 1).",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    return weight.clamp(-max_norm, max_norm)


@mistake(
    "03.renorm_rows", "columns", stage="values",
    diagnosis="The lengths are those of the columns; a vector of the table is a row.",
    next_step="Print the shape of your norms: one for each row, (V, 1) with keepdim, so the sum runs over dim=1.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=0, keepdim=True)
    return weight * (max_norm / norms.clamp(min=max_norm))


@mistake(
    "03.renorm_rows", "norms_lie_along_columns", stage="raises",
    diagnosis="Norms of shape (V,) line up with the columns of a (V, d) table, not with its rows.",
    next_step="Keep the reduced axis (`keepdim=True`, or `[:, None]`), so that the factors have shape (V, 1).",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1)
    return weight * (max_norm / norms.clamp(min=max_norm))


@mistake(
    "03.renorm_rows", "norm_type_ignored", stage="values",
    diagnosis="The length is always the 2-norm, whatever norm_type says.",
    next_step="Pass norm_type on as `ord` (or `p`), and try (3, -4) with norm_type=1.0: its length is 7.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = weight.norm(dim=1, keepdim=True)
    return weight * (max_norm / norms.clamp(min=max_norm))


@mistake(
    "03.renorm_rows", "root_forgotten", stage="values",
    diagnosis="The sum of the powers is taken for the length: the root is missing.",
    next_step="The length of (3, 4) is 5, not 25: take the root that belongs to norm_type.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    if math.isinf(norm_type):
        norms = weight.abs().amax(dim=1, keepdim=True)
    else:
        norms = (weight.abs() ** norm_type).sum(dim=1, keepdim=True)
    return weight * (max_norm / norms.clamp(min=max_norm))


@mistake(
    "03.renorm_rows", "whole_table", stage="values",
    diagnosis="One length is taken for the whole table, as in gradient clipping; each row has a length of its own.",
    next_step="Compute V lengths, one for each row, and V factors.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    norm = torch.linalg.vector_norm(weight, ord=norm_type) if weight.numel() else torch.tensor(0.0)
    return weight * min(1.0, max_norm / max(norm.item(), 1e-12))


@mistake(
    "03.renorm_rows", "all_or_none", stage="values",
    diagnosis="One row that is too long makes you rescale every row, the short ones too.",
    next_step="Decide row by row (`torch.where`, or a factor that is at most 1), not with `.any()`.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)
    if (norms > max_norm).any():
        return weight / norms.clamp(min=1e-12) * max_norm
    return weight


@mistake(
    "03.renorm_rows", "length_one", stage="values",
    diagnosis="Rows that are too long come down to length 1 instead of max_norm.",
    next_step="After the division by its norm a row has length 1; multiply it with max_norm.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)
    return torch.where(norms > max_norm, weight / norms, weight)


@mistake(
    "03.renorm_rows", "changes_the_argument", stage="property",
    diagnosis="The rows are clipped in the argument itself; the caller's table should stay as it is.",
    next_step="Work on `weight.clone()`, or use the form without the underscore.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1)
    long = norms > max_norm
    weight[long] *= max_norm / norms[long].unsqueeze(1)
    return weight


@mistake(
    "03.renorm_rows", "zero_row_is_nan", stage="not finite",
    diagnosis="A row of zeros is divided by its length, 0, and becomes nan.",
    next_step="Keep the norm away from 0 before you divide, for example with `clamp(min=max_norm)`.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)
    return weight / norms * norms.clamp(max=max_norm)


@mistake(
    "03.renorm_rows", "infinity_as_a_power", stage="values",
    diagnosis="The power-and-root formula does not work for infinity: that norm is the largest absolute value.",
    next_step="Let `torch.linalg.vector_norm(weight, ord=norm_type, ...)` compute the norm: it knows infinity.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = (weight.abs() ** norm_type).sum(dim=1, keepdim=True) ** (1 / norm_type)
    return weight * (max_norm / norms.clamp(min=max_norm))


@mistake(
    "03.renorm_rows", "signs_cancel", stage="values",
    diagnosis="Powers are taken without the absolute value, so negative numbers cancel positive ones in odd norms.",
    next_step="Take `weight.abs()` first: with norm_type=1.0 the length of (3, -4) is 7, not -1.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    if math.isinf(norm_type):
        norms = weight.amax(dim=1, keepdim=True)
    else:
        norms = (weight**norm_type).sum(dim=1, keepdim=True).clamp(min=0) ** (1 / norm_type)
    return weight * (max_norm / norms.clamp(min=max_norm))


@mistake(
    "03.renorm_rows", "always_float64", stage="dtype",
    diagnosis="The result is float64 for a float32 table: numpy's floats slipped in.",
    next_step="Bring the result back with `.to(weight.dtype)`.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    table = weight.numpy().astype(np.float64)
    norms = np.linalg.norm(table, ord=norm_type, axis=1, keepdims=True) if len(table) else np.ones((0, 1))
    return torch.from_numpy(table * (max_norm / np.maximum(norms, max_norm)))


@mistake(
    "03.renorm_rows", "only_long_rows_returned", stage="shape",
    diagnosis="Only the rows that had to be shortened come back; the others belong in the result too.",
    next_step="Compare `result.shape` with `weight.shape`: use the mask to choose a factor, not to choose rows.",
)  # fmt: skip
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)
    long = norms.squeeze(1) > max_norm
    return weight[long] / norms[long] * max_norm


@right_form("03.renorm_rows", "torch_renorm")
def renorm_rows(weight, max_norm, norm_type=2.0):
    return torch.renorm(weight, p=norm_type, dim=0, maxnorm=max_norm)


@right_form("03.renorm_rows", "row_by_row")
def renorm_rows(weight, max_norm, norm_type=2.0, verbose=True):
    out = weight.clone()
    for index, row in enumerate(weight):
        norm = row.norm(p=norm_type).item()
        if norm > max_norm:
            out[index] = row * (max_norm / (norm + 1e-7))
    if verbose:
        print(out.shape)
    return out


@right_form("03.renorm_rows", "where")
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = weight.norm(p=norm_type, dim=1, keepdim=True)
    return torch.where(norms > max_norm, weight * max_norm / norms, weight)


@right_form("03.renorm_rows", "factor_with_infinity")
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=-1)
    return torch.einsum("vd,v->vd", weight, (max_norm / norms).clamp(max=1.0))


@right_form("03.renorm_rows", "float64_inside")
def renorm_rows(weight, max_norm, norm_type=2.0):
    table = weight.double().numpy()
    size = np.abs(table)
    if np.isinf(norm_type):
        norms = size.max(axis=1, initial=0.0)
    else:
        norms = (size**norm_type).sum(axis=1) ** (1.0 / norm_type)
    factors = np.minimum(1.0, max_norm / np.maximum(norms, 1e-12))
    return torch.tensor(table * factors[:, None], dtype=weight.dtype)


@right_form("03.renorm_rows", "masked_in_a_copy")
def renorm_rows(weight, max_norm, norm_type=2.0):
    if not len(weight):
        return weight
    result = weight.detach().clone()
    norms = torch.linalg.vector_norm(result, ord=norm_type, dim=1)
    long = norms > max_norm
    result[long] = F.normalize(result[long], p=norm_type, dim=1) * max_norm
    return result


# --- 03.lookup_with_max_norm_


@mistake(
    "03.lookup_with_max_norm_", "clips_the_whole_table", stage="values",
    diagnosis="Rows that nobody looked up are clipped too.",
    next_step="Pick the rows that ids names, `ids.unique()`, and write to those alone.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        weight.copy_(renorm_rows(weight, max_norm, norm_type))
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "table_stays_long", stage="values",
    diagnosis="The result is clipped, and the caller's table is not: torch writes the short rows back.",
    next_step="Write into the tensor that you were given, `weight[rows] = ...`; `weight = ...` only renames inside the "
    "function.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    rows = ids.unique()
    weight = weight.detach().clone()
    weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "clips_a_copy", stage="values",
    diagnosis="Nothing is clipped: `weight[ids]` is a copy, and changing it leaves the table as it was.",
    next_step="Assign to the table: `weight[rows] = ...`, with the index on the left.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        flat = ids.reshape(-1)
        weight[flat].copy_(renorm_rows(weight[flat], max_norm, norm_type))
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "looks_up_before_clipping", stage="values",
    diagnosis="The result was taken before the table was clipped, so it holds the long rows.",
    next_step="Clip first, look up second.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    result = weight[ids]
    with torch.no_grad():
        rows = ids.unique()
        weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
    return result


@mistake(
    "03.lookup_with_max_norm_", "forgets_no_grad", stage="raises",
    diagnosis="A leaf that requires grad may not be written to while gradients are recorded.",
    next_step="Do the writing inside `with torch.no_grad():`.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    rows = ids.unique()
    weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "switches_requires_grad_off", stage="property",
    diagnosis="The weight no longer requires grad after the call, so it would never learn again.",
    next_step="Write inside `with torch.no_grad():` instead, which leaves the weight as it is.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    weight.requires_grad_(False)
    rows = ids.unique()
    weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "switches_grad_mode_off", stage="property",
    diagnosis="The call leaves torch with gradients switched off for the whole program.",
    next_step="Use `with torch.no_grad():`, which sets the mode back at the end of the block.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    torch.set_grad_enabled(False)
    rows = ids.unique()
    weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "norm_type_ignored", stage="values",
    diagnosis="The length is always the 2-norm, whatever norm_type says.",
    next_step="Hand norm_type on to `renorm_rows`.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        rows = ids.unique()
        weight[rows] = renorm_rows(weight[rows], max_norm)
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "flattens", stage="shape",
    diagnosis="The shape of ids is lost: one long list of vectors comes back.",
    next_step="Index the table with ids as they came: the result has shape (*ids.shape, d).",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    flat = ids.reshape(-1)
    with torch.no_grad():
        weight[flat] = renorm_rows(weight[flat], max_norm, norm_type)
    return weight[flat]


@mistake(
    "03.lookup_with_max_norm_", "repeated_rows_shrink_twice", stage="values",
    diagnosis="A row that occurs several times is multiplied with its factor each time, and gets too short.",
    next_step="Handle each row once (`ids.unique()`), or measure its length again right before you scale it.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        flat = ids.reshape(-1)
        norms = torch.linalg.vector_norm(weight[flat], ord=norm_type, dim=1)
        for row, factor in zip(flat, (max_norm / norms).clamp(max=1.0)):
            weight[row] *= factor
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "stretches_short_rows", stage="values",
    diagnosis="Looked-up rows all end with length max_norm: the short ones are stretched.",
    next_step="The factor is max_norm / norm, but never more than 1.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        rows = ids.unique()
        weight[rows] = F.normalize(weight[rows], p=norm_type, dim=1) * max_norm
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "loops_over_the_first_axis", stage="values",
    diagnosis="`for i in ids` runs over the first axis only: with ids of shape (B, T) each i is a whole row of ids.",
    next_step="Loop over `ids.reshape(-1)`, or over `ids.unique()`.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        for i in ids:
            norm = torch.linalg.vector_norm(weight[i], ord=norm_type)
            if norm > max_norm:
                weight[i] = weight[i] * (max_norm / norm)
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "other_memory", stage="property",
    diagnosis="`weight.data = ...` gives the weight new memory instead of writing to its own: views of it stay long.",
    next_step="Write into the memory that is there: `weight[rows] = ...` or `copy_`, under `torch.no_grad()`.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    table = weight.detach().clone()
    rows = ids.unique()
    table[rows] = renorm_rows(table[rows], max_norm, norm_type)
    weight.data = table
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "three_norms_only", stage="values",
    diagnosis="Only the norms 1, 2 and inf are known; any other norm_type is measured by the 2-norm.",
    next_step="`torch.linalg.vector_norm(..., ord=norm_type)`, or your `renorm_rows`, takes every norm_type.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    norm_type = norm_type if norm_type in (1.0, float("inf")) else 2.0
    with torch.no_grad():
        rows = ids.unique()
        weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
    return weight[ids]


@mistake(
    "03.lookup_with_max_norm_", "contiguous_copy", stage="values",
    diagnosis="`contiguous()` copies a table that has gaps in memory: what you write then does not reach the caller's.",
    next_step="Write to `weight` itself; indexing works for every memory layout.",
)  # fmt: skip
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    table = weight.detach().contiguous()
    rows = ids.unique()
    table[rows] = renorm_rows(table[rows], max_norm, norm_type)
    return table[ids]


@right_form("03.lookup_with_max_norm_", "torch_embedding")
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    return F.embedding(ids, weight, max_norm=max_norm, norm_type=norm_type)


@right_form("03.lookup_with_max_norm_", "through_data")
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    flat = ids.flatten()
    weight.data[flat] = renorm_rows(weight.data[flat], max_norm, norm_type)
    return weight.detach()[ids]


@right_form("03.lookup_with_max_norm_", "one_by_one")
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        for row in set(ids.reshape(-1).tolist()):
            norm = float(weight[row].norm(p=norm_type))
            if norm > max_norm:
                weight[row].mul_(max_norm / norm)
    return weight[ids]


@right_form("03.lookup_with_max_norm_", "mask_of_rows")
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    asked = torch.zeros(len(weight), 1, dtype=torch.bool)
    asked[ids.reshape(-1)] = True
    with torch.no_grad():
        weight.copy_(torch.where(asked, renorm_rows(weight, max_norm, norm_type), weight))
    return weight.index_select(0, ids.reshape(-1)).view(*ids.shape, weight.shape[1])


@right_form("03.lookup_with_max_norm_", "numpy_inside")
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    table = weight.detach().numpy()
    for row in np.unique(ids.numpy()):
        norm = np.linalg.norm(table[row], ord=norm_type)
        if norm > max_norm:
            table[row] *= max_norm / norm
    return torch.from_numpy(table[ids.numpy()])


@right_form("03.lookup_with_max_norm_", "index_copy")
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0, *, quiet=False):
    rows = torch.unique(ids)
    short = torch.renorm(weight.detach()[rows], norm_type, 0, max_norm)
    with torch.no_grad():
        weight.index_copy_(0, rows, short)
    return weight.detach()[ids]
