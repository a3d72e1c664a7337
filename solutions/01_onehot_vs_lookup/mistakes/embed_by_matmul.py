"""Wrong answers to embed_by_matmul by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import mistake, right_form


@mistake(
    "01.embed_by_matmul", "transposed_table", stage="raises",
    diagnosis="The table is transposed: (…, V) @ (d, V) does not fit, and on a square table it is wrong in silence.",
    next_step="(*ids.shape, V) @ (V, d) gives (*ids.shape, d): no transpose is needed.",
)
def embed_by_matmul(ids, weight):
    return F.one_hot(ids, weight.shape[0]).to(weight.dtype) @ weight.T


@mistake(
    "01.embed_by_matmul", "columns_as_classes", stage="raises",
    diagnosis="The number of classes is the table's width; there is one class for each row.",
    next_step="Use weight.shape[0].",
)
def embed_by_matmul(ids, weight):
    return torch.eye(weight.shape[1], dtype=weight.dtype)[ids] @ weight


@mistake(
    "01.embed_by_matmul", "flattened", stage="shape",
    diagnosis="The result is flattened to two axes; it should keep the shape of the ids.",
    next_step="The shape is (*ids.shape, d).",
)
def embed_by_matmul(ids, weight):
    return F.one_hot(ids.flatten(), weight.shape[0]).to(weight.dtype) @ weight


@mistake(
    "01.embed_by_matmul", "matrices_only", stage="raises",
    diagnosis="`torch.mm` multiplies matrices only; with ids of shape (B, T) the one-hot rows have three axes.",
    next_step="`@` and `torch.matmul` carry the axes in front along.",
)
def embed_by_matmul(ids, weight):
    return torch.mm(one_hot(ids, weight.shape[0]).to(weight.dtype), weight)


@mistake(
    "01.embed_by_matmul", "classes_from_the_ids", stage="raises",
    diagnosis="The number of classes is taken from the largest id present; the table has a row for every word.",
    next_step="Use weight.shape[0], whichever ids occur.",
)
def embed_by_matmul(ids, weight):
    return one_hot(ids, int(ids.max()) + 1).to(weight.dtype) @ weight


@mistake(
    "01.embed_by_matmul", "integer_rows", stage="raises",
    diagnosis="One-hot rows of integers cannot be multiplied with a table of floats.",
    next_step="Bring the rows to the table's type: `.to(weight.dtype)`.",
)
def embed_by_matmul(ids, weight):
    return F.one_hot(ids, weight.shape[0]) @ weight


@mistake(
    "01.embed_by_matmul", "float32_only", stage="raises",
    diagnosis="The one-hot rows are always float32; a float64 table does not multiply with them.",
    next_step="`.to(weight.dtype)` instead of `.float()`.",
)
def embed_by_matmul(ids, weight):
    return F.one_hot(ids, weight.shape[0]).float() @ weight


@mistake(
    "01.embed_by_matmul", "always_float32", stage="dtype",
    diagnosis="The result is float32 even where the table is float64.",
    next_step="Keep the table's type: bring the rows to it, not the table to theirs.",
)
def embed_by_matmul(ids, weight):
    return F.one_hot(ids, weight.shape[0]).float() @ weight.float()


@mistake(
    "01.embed_by_matmul", "elementwise", stage="raises",
    diagnosis="`*` multiplies entry by entry; the matrix product is `@`.",
    next_step="Replace `*` by `@` and look at the shapes on both sides.",
)
def embed_by_matmul(ids, weight):
    return F.one_hot(ids, weight.shape[0]).to(weight.dtype) * weight


@mistake(
    "01.embed_by_matmul", "as_many_classes_as_columns", stage="raises",
    diagnosis="The one-hot rows are d wide, the number of columns; they need one entry for each row of the table.",
    next_step="`num_classes` is `weight.shape[0]`, V. Print the shape of your one-hot rows: (*ids.shape, V).",
)
def embed_by_matmul(ids, weight):
    return F.one_hot(ids, weight.shape[1]).to(weight.dtype) @ weight


@right_form("01.embed_by_matmul", "einsum")
def embed_by_matmul(ids, weight):
    return torch.einsum("...v,vd->...d", one_hot(ids, weight.shape[0]).to(weight.dtype), weight)


@right_form("01.embed_by_matmul", "linear_layer")
def embed_by_matmul(ids, weight):
    rows = torch.eye(weight.shape[0], dtype=weight.dtype)[ids]
    return F.linear(rows, weight.T)


@right_form("01.embed_by_matmul", "numpy_inside")
def embed_by_matmul(ids, weight):
    rows = np.eye(weight.shape[0])[ids.numpy()]
    return torch.from_numpy(np.asarray(rows @ weight.double().numpy())).to(weight.dtype)


@right_form("01.embed_by_matmul", "broadcast_sum")
def embed_by_matmul(ids, weight):
    picked = (ids.unsqueeze(-1) == torch.arange(len(weight))).unsqueeze(-1)
    return (picked * weight).sum(dim=-2)


@mistake(
    "01.embed_by_matmul", "view_of_gaps", stage="raises",
    diagnosis="`view` with a -1 fails where there are no ids, and where they have gaps in memory.",
    next_step="`@` multiplies the last axis of any shape: nothing needs to be flattened.",
)
def embed_by_matmul(ids, weight):
    rows = one_hot(ids.view(-1), weight.shape[0]).to(weight.dtype)
    return (rows @ weight).view(*ids.shape, -1)


@mistake(
    "01.embed_by_matmul", "half_precision", stage="values",
    diagnosis="The product is computed in half precision: three digits of each number remain.",
    next_step="Bring the one-hot rows to the table's floating type, not the table to another.",
)
def embed_by_matmul(ids, weight):
    rows = one_hot(ids, weight.shape[0]).bfloat16()
    return (rows @ weight.bfloat16()).to(weight.dtype)


@right_form("01.embed_by_matmul", "sparse_rows")
def embed_by_matmul(ids, weight):
    places = torch.stack([torch.arange(ids.numel()), ids.reshape(-1)])
    ones = torch.ones(ids.numel(), dtype=weight.dtype)
    rows = torch.sparse_coo_tensor(places, ones, (ids.numel(), weight.shape[0]))
    return torch.sparse.mm(rows, weight.contiguous()).reshape(*ids.shape, weight.shape[1])


@right_form("01.embed_by_matmul", "tensordot")
def embed_by_matmul(ids, weight):
    return torch.tensordot(one_hot(ids, weight.shape[0]).to(weight.dtype), weight, dims=([-1], [0]))
