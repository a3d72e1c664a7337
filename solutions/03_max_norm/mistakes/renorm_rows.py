# exercise 03.renorm_rows
import math

import numpy as np
import torch
import torch.nn.functional as F


# mistake stretches_short_rows (values)
# Every row ends with length max_norm: the short ones are stretched.
# Next: Try a row of length 0.5 with max_norm=1.0: it should come back as it was. The factor is never above 1.
def renorm_rows(weight, max_norm, norm_type=2.0):
    return F.normalize(weight, p=norm_type, dim=1) * max_norm


# mistake clamps_elements (values)
# Each number is cut off at max_norm by itself: a row that is cut so points in another direction.
# Next: Compare (3, 4) with max_norm=1.0: the row should become (0.6, 0.8), not (1, 1).
def renorm_rows(weight, max_norm, norm_type=2.0):
    return weight.clamp(-max_norm, max_norm)


# mistake clamps_from_above (values)
# Each number above max_norm is cut off by itself: the row turns, and negative numbers stay as large as they are.
# Next: Multiply the whole row by one factor: (3, 4) with max_norm=1.0 becomes (0.6, 0.8), not (1, 1).
def renorm_rows(weight, max_norm, norm_type=2.0):
    return weight.clamp(max=max_norm)


# mistake max_norm_in_every_place (values)
# Each number of a long row becomes max_norm, and the caller's table changes too.
# Next: Clone the table first. Then multiply each long row by max_norm / norm.
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1)
    weight[norms > max_norm] = max_norm
    return weight


# mistake matrix_norm (values, raises)
# This is one norm for the whole table: without `dim`, `torch.linalg.norm` takes the table as a matrix.
# Next: Ask for one norm a row: `torch.linalg.vector_norm(weight, norm_type, dim=1, keepdim=True)`.
def renorm_rows(weight, max_norm, norm_type=2.0):
    norm = torch.linalg.norm(weight, norm_type)
    return weight * torch.clamp(max_norm / norm, max=1.0)


# base plain
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)
    return weight * (max_norm / norms.clamp(min=max_norm))


# mistake columns (values), from plain
# The lengths are those of the columns; a vector of the table is a row.
# Next: Print the shape of your norms: one for each row, (V, 1) with keepdim, so the sum runs over dim=1.
#   dim=1 => dim=0

# mistake norms_lie_along_columns (raises), from plain
# Norms of shape (V,) line up with the columns of a (V, d) table, not with its rows.
# Next: Keep the reduced axis (`keepdim=True`, or `[:, None]`), so that the factors have shape (V, 1).
#   dim=1, keepdim=True => dim=1

# mistake norm_type_ignored (values), from plain
# The length is always the 2-norm, whatever norm_type says.
# Next: Pass norm_type on as `ord` (or `p`), and try (3, -4) with norm_type=1.0: its length is 7.
#   torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True) => weight.norm(dim=1, keepdim=True)


# mistake root_forgotten (values)
# The sum of the powers is taken for the length: the root is missing.
# Next: The length of (3, 4) is 5, not 25: take the root that belongs to norm_type.
def renorm_rows(weight, max_norm, norm_type=2.0):
    if math.isinf(norm_type):
        norms = weight.abs().amax(dim=1, keepdim=True)
    else:
        norms = (weight.abs() ** norm_type).sum(dim=1, keepdim=True)
    return weight * (max_norm / norms.clamp(min=max_norm))


# mistake whole_table (values)
# One length is taken for the whole table, as in gradient clipping; each row has a length of its own.
# Next: Compute V lengths, one for each row, and V factors.
def renorm_rows(weight, max_norm, norm_type=2.0):
    norm = torch.linalg.vector_norm(weight, ord=norm_type) if weight.numel() else torch.tensor(0.0)
    return weight * min(1.0, max_norm / max(norm.item(), 1e-12))


# mistake all_or_none (values)
# One row that is too long makes you rescale every row, the short ones too.
# Next: Decide row by row (`torch.where`, or a factor that is at most 1), not with `.any()`.
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)
    if (norms > max_norm).any():
        return weight / norms.clamp(min=1e-12) * max_norm
    return weight


# mistake length_one (values), from plain
# Rows that are too long come down to length 1 instead of max_norm.
# Next: After the division by its norm a row has length 1; multiply it with max_norm.
#   weight * (max_norm / norms.clamp(min=max_norm)) => torch.where(norms > max_norm, weight / norms, weight)


# mistake changes_the_argument (property)
# The rows are clipped in the argument itself; the caller's table should stay as it is.
# Next: Work on `weight.clone()`: after `out = weight` both names are the same tensor.
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1)
    long = norms > max_norm
    weight[long] *= max_norm / norms[long].unsqueeze(1)
    return weight


# mistake zero_row_is_nan (not finite), from plain
# A row of zeros is divided by its length, 0, and becomes nan.
# Next: Keep the norm away from 0 before you divide, for example with `clamp(min=max_norm)`.
#   weight * (max_norm / norms.clamp(min=max_norm)) => weight / norms * norms.clamp(max=max_norm)


# mistake powers_of_signed_numbers (values)
# Powers are taken without the absolute value, so negative numbers cancel positive ones; and inf is no power.
# Next: Let `torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)` compute the norms.
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = (weight**norm_type).sum(dim=1, keepdim=True) ** (1 / norm_type)
    return weight * torch.clamp(max_norm / norms, max=1.0)


# mistake factor_upside_down (values), from plain
# The factor is upside down: it is norm / max_norm, so short rows become shorter and long rows stay.
# Next: Divide max_norm by the norm, and cut the quotient off at 1.
#   weight * (max_norm / norms.clamp(min=max_norm)) => weight * (norms / max_norm).clamp(max=1.0)


# mistake infinity_as_a_power (values)
# The power-and-root formula does not work for infinity: that norm is the largest absolute value.
# Next: Let `torch.linalg.vector_norm(weight, ord=norm_type, ...)` compute the norm: it accepts infinity.
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = (weight.abs() ** norm_type).sum(dim=1, keepdim=True) ** (1 / norm_type)
    return weight * (max_norm / norms.clamp(min=max_norm))


# mistake signs_cancel (values), from root_forgotten
# Powers are taken without the absolute value, so negative numbers cancel positive ones in odd norms.
# Next: Take `weight.abs()` first: with norm_type=1.0 the length of (3, -4) is 7, not -1.
#   weight.abs().amax => weight.amax
#   .abs() ** norm_type).sum(dim=1, keepdim=True => **norm_type).sum(dim=1, keepdim=True).clamp(min=0) ** (1 / norm_type


# mistake always_float64 (dtype)
# The result is float64 for a float32 table: numpy's floats slipped in.
# Next: Bring the result back with `.to(weight.dtype)`.
def renorm_rows(weight, max_norm, norm_type=2.0):
    table = weight.numpy().astype(np.float64)
    norms = np.linalg.norm(table, ord=norm_type, axis=1, keepdims=True) if len(table) else np.ones((0, 1))
    return torch.from_numpy(table * (max_norm / np.maximum(norms, max_norm)))


# mistake only_long_rows_returned (shape)
# Only the rows that had to be shortened come back; the others belong in the result too.
# Next: Compare `result.shape` with `weight.shape`: use the mask to choose a factor, not to choose rows.
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)
    long = norms.squeeze(1) > max_norm
    return weight[long] / norms[long] * max_norm


# mistake a_little_too_long_passes (values), from plain
# Rows that are a little too long stay as they are; a little too long is too long.
# Next: Compare with max_norm itself, without a tolerance.
#   weight * (max_norm / norms.clamp(min=max_norm)) => torch.where(norms > 1.01 * max_norm, weight * max_norm / norms, weight)


# mistake whole_powers_only (values)
# norm_type is cut down to a whole number: 2.5 is treated as 2.
# Next: Hand norm_type on as it is.
def renorm_rows(weight, max_norm, norm_type=2.0):
    power = norm_type if norm_type == float("inf") else int(norm_type)
    norms = torch.linalg.vector_norm(weight, ord=power, dim=1, keepdim=True)
    return weight * (max_norm / norms.clamp(min=max_norm))


# mistake shortened_in_the_2_norm (values)
# A row that is too long in the norm of norm_type is brought to max_norm in the 2-norm.
# Next: Divide by the same norm that you compared with max_norm.
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)
    directions = weight / torch.linalg.vector_norm(weight, dim=1, keepdim=True)
    return torch.where(norms > max_norm, directions * max_norm, weight)


# mistake zero_rows_left_out (shape)
# Rows of zeros are left out: the table gets shorter, and its rows no longer belong to their ids.
# Next: Keep every row; a row of zeros is short enough.
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1)
    kept = weight[norms > 0]
    return kept * (max_norm / norms[norms > 0].clamp(min=max_norm))[:, None]


# mistake short_rows_only (values), from plain
# The comparison is turned round: short rows are stretched to max_norm, long ones stay long.
# Next: A row changes where its length is larger than max_norm.
#   -    return weight * (max_norm / norms.clamp(min=max_norm))
#   +    return torch.where(norms < max_norm, weight * max_norm / norms.clamp(min=1e-12), weight)


# mistake clamp_with_max (values), from plain
# `clamp(max=max_norm)` cuts the long norms: short rows are stretched to max_norm, and long rows stay long.
# Next: Raise the short norms instead: `norms.clamp(min=max_norm)`.
#   weight * (max_norm / norms.clamp(min=max_norm)) => weight / norms.clamp(max=max_norm) * max_norm


# mistake long_rows_removed (shape)
# Rows that are too long are left out; they should be shortened, and the table keeps its V rows.
# Next: Multiply each long row by max_norm / norm.
def renorm_rows(weight, max_norm, norm_type=2.0):
    return weight[torch.linalg.vector_norm(weight, ord=norm_type, dim=1) <= max_norm]


# right form torch_renorm
def renorm_rows(weight, max_norm, norm_type=2.0):
    return torch.renorm(weight, p=norm_type, dim=0, maxnorm=max_norm)


# right form row_by_row
def renorm_rows(weight, max_norm, norm_type=2.0, verbose=True):
    out = weight.clone()
    for index, row in enumerate(weight):
        norm = row.norm(p=norm_type).item()
        if norm > max_norm:
            out[index] = row * (max_norm / (norm + 1e-7))
    if verbose:
        print(out.shape)
    return out


# right form where
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = weight.norm(p=norm_type, dim=1, keepdim=True)
    return torch.where(norms > max_norm, weight * max_norm / norms, weight)


# right form factor_with_infinity
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=-1)
    return torch.einsum("vd,v->vd", weight, (max_norm / norms).clamp(max=1.0))


# right form float64_inside
def renorm_rows(weight, max_norm, norm_type=2.0):
    table = weight.double().numpy()
    size = np.abs(table)
    if np.isinf(norm_type):
        norms = size.max(axis=1, initial=0.0)
    else:
        norms = (size**norm_type).sum(axis=1) ** (1.0 / norm_type)
    factors = np.minimum(1.0, max_norm / np.maximum(norms, 1e-12))
    return torch.tensor(table * factors[:, None], dtype=weight.dtype)


# right form masked_in_a_copy
def renorm_rows(weight, max_norm, norm_type=2.0):
    if not len(weight):
        return weight
    result = weight.detach().clone()
    norms = torch.linalg.vector_norm(result, ord=norm_type, dim=1)
    long = norms > max_norm
    result[long] = F.normalize(result[long], p=norm_type, dim=1) * max_norm
    return result


# right form directions_times_lengths, from plain
#   weight * (max_norm / norms.clamp(min=max_norm)) => F.normalize(weight, p=norm_type, dim=1) * norms.clamp(max=max_norm)


# right form lookup_of_every_row
def renorm_rows(weight, max_norm, norm_type=2.0):
    return F.embedding(torch.arange(len(weight)), weight.clone(), max_norm=max_norm, norm_type=float(norm_type))
