# exercise 11.truncate_dimensions
import numpy as np
import torch
import torch.nn.functional as F


# mistake not_normalised_again (values)
# What is left is not normalised.
# Next: Divide each shortened row by its length.
def truncate_dimensions(x, keep):
    return x[:, :keep].clone()


# mistake normalised_before_cutting (values)
# The rows are divided by the length that they had before they were cut: what is left is shorter than 1.
# Next: First cut, then normalise.
def truncate_dimensions(x, keep):
    return F.normalize(x, dim=1)[:, :keep]


# mistake last_columns (values)
# The last columns are kept; it should be the first.
# Next: Write `x[:, :keep]`.
def truncate_dimensions(x, keep):
    return F.normalize(x[:, -keep:], dim=1)


# mistake first_rows (shape)
# Rows are cut off instead of columns.
# Next: Write `x[:, :keep]`.
def truncate_dimensions(x, keep):
    return F.normalize(x[:keep], dim=1)


# mistake drops_instead_of_keeps (shape), from first_rows
# `keep` columns are dropped; that many are to be kept.
# Next: Write `x[:, :keep]`.
#   x[:keep] => x[:, : x.shape[1] - keep]


# mistake largest_columns (values)
# Each row's largest numbers are kept; then columns of different rows no longer mean the same.
# Next: Keep the first columns of all rows.
def truncate_dimensions(x, keep):
    keep = min(keep, x.shape[1])
    order = x.abs().topk(keep, dim=1).indices.sort(dim=1).values
    return F.normalize(x.gather(1, order), dim=1)


# mistake zeros_instead_of_cutting (shape)
# The other columns are set to zero and still take up memory.
# Next: Cut them off: the result has `keep` columns.
def truncate_dimensions(x, keep):
    x = x.clone()
    x[:, keep:] = 0
    return F.normalize(x, dim=1)


# mistake nan_for_zero_rows (not finite)
# A row of zeros is divided by its length 0.
# Next: Let the divisor be at least a tiny positive number.
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    return head / head.norm(dim=1, keepdim=True)


# mistake zero_rows_dropped (shape), from nan_for_zero_rows
# Rows of zeros are dropped; every row keeps its index.
# Next: Keep them, as rows of zeros.
#   head / head.norm(dim=1, keepdim=True) => F.normalize(head[head.norm(dim=1) > 0], dim=1)


# mistake unchanged_when_all_are_kept (values)
# When all columns are kept the rows come back as they are; they are normalised in any case.
# Next: Leave the special case out.
def truncate_dimensions(x, keep):
    if keep >= x.shape[1]:
        return x.clone()
    return F.normalize(x[:, :keep], dim=1)


# mistake filled_up_with_zeros (shape)
# With keep above the number of columns, zeros are added; then all columns are kept, and no more.
# Next: A slice stops at the end by itself.
def truncate_dimensions(x, keep):
    head = F.normalize(x[:, :keep], dim=1)
    return F.pad(head, (0, keep - head.shape[1]))


# mistake keep_must_fit (raises), from first_rows
# It fails when keep exceeds the number of columns; then all are kept.
# Next: Use a slice, which stops at the end by itself.
#   x[:keep] => x.narrow(1, 0, keep)

# mistake normalised_along_the_batch (values), from first_rows
# The columns are normalised; it should be the rows.
# Next: Use `dim=1`.
#   x[:keep], dim=1 => x[:, :keep], dim=0

# mistake one_norm_for_the_table (values), from nan_for_zero_rows
# The whole table is divided by one number.
# Next: Give the norm `dim=1` and `keepdim=True`.
#   head.norm(dim=1, keepdim=True) => head.norm().clamp(min=1e-12)

# mistake sum_of_absolute_values (values), from first_rows
# The rows are divided by the sum of their absolute values; a length is the root of the sum of squares.
# Next: Use the 2-norm.
#   x[:keep] => x[:, :keep], p=1

# mistake always_float32 (dtype), from first_rows
# float64 vectors come back as float32.
# Next: Leave `.float()` out.
#   x[:keep] => x[:, :keep].float()

# mistake a_large_safety_number (values), from nan_for_zero_rows
# A number that is not small is added to every length: the rows become shorter than 1.
# Next: Let the divisor be at least 1e-12, instead of adding to it.
#   head / head.norm(dim=1, keepdim=True) => head / (head.norm(dim=1, keepdim=True) + 1e-2)


# mistake normalises_in_place (property)
# `x[:, :keep]` is a view: dividing it in place changes the caller's table.
# Next: Use `/` instead of `/=`.
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    head /= head.norm(dim=1, keepdim=True).clamp(min=1e-12)
    return head


# mistake short_rows_taken_for_zeros (values)
# Rows that are merely short come out as zeros; only a row of nothing but zeros has no direction.
# Next: Ask whether the length is 0, or let the divisor be at least 1e-12.
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    length = head.norm(dim=1, keepdim=True)
    return torch.where(length > 1e-5, head / length.clamp(min=1e-5), torch.zeros_like(head))


# right form clamped_length
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    return head / head.pow(2).sum(dim=1, keepdim=True).clamp_min(1e-24).sqrt()


# right form filled_row_by_row
def truncate_dimensions(x, keep):
    found = torch.zeros(len(x), min(keep, x.size(1)), dtype=x.dtype)
    for i, row in enumerate(x):
        length = torch.linalg.norm(row[:keep])
        if length > 0:
            found[i] = row[:keep] / length
    return found


# right form numpy_inside
def truncate_dimensions(x, keep, verbose=True):
    head = x.numpy()[:, :keep].astype(np.float64)
    length = np.linalg.norm(head, axis=1, keepdims=True)
    length[length == 0] = 1
    if verbose:
        print(length.ravel())
    return torch.as_tensor(head / length).to(x.dtype)


# right form narrow_and_where
def truncate_dimensions(x, keep):
    head = x.narrow(1, 0, min(keep, x.shape[1])).double()
    square = torch.einsum("nd,nd->n", head, head).unsqueeze(1)
    return (head / torch.where(square > 0, square, torch.ones_like(square)).sqrt()).to(x.dtype)


# right form a_tiny_number_added_to_the_length
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    return head / (head.norm(dim=1, keepdim=True) + 1e-8)


# mistake nan_in_the_gradient (not finite)
# The rows are right, but at a row of zeros the gradient is nan: 0 / 0 was replaced only afterwards, or the root of 0 was
# bounded only afterwards.
# Next: Make the length safe before you divide: `F.normalize`, or `vector_norm` and `clamp(min=1e-12)`.
def truncate_dimensions(x, keep):
    head = torch.index_select(x, 1, torch.arange(min(keep, x.shape[1])))
    return (head / torch.linalg.vector_norm(head, dim=1)[:, None]).nan_to_num(0.0)
