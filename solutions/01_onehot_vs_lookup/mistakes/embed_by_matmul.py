# exercise 01.embed_by_matmul
import numpy as np
import torch
import torch.nn.functional as F


# base plain
def embed_by_matmul(ids, weight):
    return one_hot(ids, weight.shape[0]).to(weight.dtype) @ weight


# mistake transposed_table (raises), from plain
# The table is transposed: (…, V) @ (d, V) does not fit, and on a square table it is wrong in silence.
# Next: (*ids.shape, V) @ (V, d) gives (*ids.shape, d): no transpose is needed.
#   one_hot(ids, weight.shape[0]).to(weight.dtype) @ weight => F.one_hot(ids, weight.shape[0]).to(weight.dtype) @ weight.T


# mistake columns_as_classes (raises)
# The number of classes is the table's width; there is one class for each row.
# Next: Use weight.shape[0].
def embed_by_matmul(ids, weight):
    return torch.eye(weight.shape[1], dtype=weight.dtype)[ids] @ weight


# mistake flattened (shape), from plain
# The result is flattened to two axes; it should keep the shape of the ids.
# Next: The shape is (*ids.shape, d).
#   one_hot(ids, weight.shape[0]) => F.one_hot(ids.flatten(), weight.shape[0])

# mistake matrices_only (raises), from plain
# `torch.mm` multiplies matrices only; with ids of shape (B, T) the one-hot rows have three axes.
# Next: `@` and `torch.matmul` carry the axes in front along.
#   one_hot(ids, weight.shape[0]).to(weight.dtype) @ weight => torch.mm(one_hot(ids, weight.shape[0]).to(weight.dtype), weight)

# mistake classes_from_the_ids (raises), from plain
# The number of classes is taken from the largest id present; the table has a row for every word.
# Next: Use weight.shape[0], whichever ids occur.
#   weight.shape[0] => int(ids.max()) + 1

# mistake integer_rows (raises), from plain
# One-hot rows of integers cannot be multiplied with a table of floats.
# Next: Bring the rows to the table's type: `.to(weight.dtype)`.
#   one_hot(ids, weight.shape[0]).to(weight.dtype) => F.one_hot(ids, weight.shape[0])

# mistake float32_only (raises), from plain
# The one-hot rows are always float32; a float64 table does not multiply with them.
# Next: `.to(weight.dtype)` instead of `.float()`.
#   one_hot(ids, weight.shape[0]).to(weight.dtype) => F.one_hot(ids, weight.shape[0]).float()

# mistake always_float32 (dtype), from plain
# The result is float32 even where the table is float64.
# Next: Keep the table's type: bring the rows to it, not the table to theirs.
#   one_hot(ids, weight.shape[0]).to(weight.dtype) @ weight => F.one_hot(ids, weight.shape[0]).float() @ weight.float()

# mistake elementwise (raises), from plain
# `*` multiplies entry by entry; the matrix product is `@`.
# Next: Replace `*` by `@` and look at the shapes on both sides.
#   one_hot(ids, weight.shape[0]).to(weight.dtype) @ weight => F.one_hot(ids, weight.shape[0]).to(weight.dtype) * weight

# mistake as_many_classes_as_columns (raises), from plain
# The one-hot rows are d wide, the number of columns; they need one entry for each row of the table.
# Next: `num_classes` is `weight.shape[0]`, V. Print the shape of your one-hot rows: (*ids.shape, V).
#   one_hot(ids, weight.shape[0]) => F.one_hot(ids, weight.shape[1])


# right form einsum
def embed_by_matmul(ids, weight):
    return torch.einsum("...v,vd->...d", one_hot(ids, weight.shape[0]).to(weight.dtype), weight)


# right form linear_layer
def embed_by_matmul(ids, weight):
    rows = torch.eye(weight.shape[0], dtype=weight.dtype)[ids]
    return F.linear(rows, weight.T)


# right form numpy_inside
def embed_by_matmul(ids, weight):
    rows = np.eye(weight.shape[0])[ids.numpy()]
    return torch.from_numpy(np.asarray(rows @ weight.double().numpy())).to(weight.dtype)


# right form broadcast_sum
def embed_by_matmul(ids, weight):
    picked = (ids.unsqueeze(-1) == torch.arange(len(weight))).unsqueeze(-1)
    return (picked * weight).sum(dim=-2)


# mistake view_of_gaps (raises)
# `view` with a -1 fails where there are no ids, and where they have gaps in memory.
# Next: `@` multiplies the last axis of any shape: nothing needs to be flattened.
def embed_by_matmul(ids, weight):
    rows = one_hot(ids.view(-1), weight.shape[0]).to(weight.dtype)
    return (rows @ weight).view(*ids.shape, -1)


# mistake half_precision (values)
# The product is computed in half precision: three digits of each number remain.
# Next: Bring the one-hot rows to the table's floating type, not the table to another.
def embed_by_matmul(ids, weight):
    rows = one_hot(ids, weight.shape[0]).bfloat16()
    return (rows @ weight.bfloat16()).to(weight.dtype)


# right form sparse_rows
def embed_by_matmul(ids, weight):
    places = torch.stack([torch.arange(ids.numel()), ids.reshape(-1)])
    ones = torch.ones(ids.numel(), dtype=weight.dtype)
    rows = torch.sparse_coo_tensor(places, ones, (ids.numel(), weight.shape[0]))
    return torch.sparse.mm(rows, weight.contiguous()).reshape(*ids.shape, weight.shape[1])


# right form tensordot
def embed_by_matmul(ids, weight):
    return torch.tensordot(one_hot(ids, weight.shape[0]).to(weight.dtype), weight, dims=([-1], [0]))
