"""Wrong answers on looking vectors up by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.catalogue import mistake, right_form

# --- 01.embed_by_matmul


@mistake(
    "01.embed_by_matmul", "transposed_table", stage="raises",
    diagnosis="The table is transposed: (…, V) @ (d, V) does not fit, and on a square table it is wrong in silence.",
    next_step="(*ids.shape, V) @ (V, d) gives (*ids.shape, d): no transpose is needed.",
)  # fmt: skip
def embed_by_matmul(ids, weight):
    return F.one_hot(ids, weight.shape[0]).to(weight.dtype) @ weight.T


@mistake(
    "01.embed_by_matmul", "columns_as_classes", stage="raises",
    diagnosis="The number of classes is the table's width; there is one class for each row.",
    next_step="Use weight.shape[0].",
)  # fmt: skip
def embed_by_matmul(ids, weight):
    return torch.eye(weight.shape[1], dtype=weight.dtype)[ids] @ weight


@mistake(
    "01.embed_by_matmul", "flattened", stage="shape",
    diagnosis="The result is flattened to two axes; it should keep the shape of the ids.",
    next_step="The shape is (*ids.shape, d).",
)  # fmt: skip
def embed_by_matmul(ids, weight):
    return F.one_hot(ids.flatten(), weight.shape[0]).to(weight.dtype) @ weight


@mistake(
    "01.embed_by_matmul", "matrices_only", stage="raises",
    diagnosis="`torch.mm` multiplies matrices only; with ids of shape (B, T) the one-hot rows have three axes.",
    next_step="`@` and `torch.matmul` carry the axes in front along.",
)  # fmt: skip
def embed_by_matmul(ids, weight):
    return torch.mm(one_hot(ids, weight.shape[0]).to(weight.dtype), weight)


@mistake(
    "01.embed_by_matmul", "classes_from_the_ids", stage="raises",
    diagnosis="The number of classes is taken from the largest id present; the table has a row for every word.",
    next_step="Use weight.shape[0], whichever ids occur.",
)  # fmt: skip
def embed_by_matmul(ids, weight):
    return one_hot(ids, int(ids.max()) + 1).to(weight.dtype) @ weight


@mistake(
    "01.embed_by_matmul", "integer_rows", stage="raises",
    diagnosis="One-hot rows of integers cannot be multiplied with a table of floats.",
    next_step="Bring the rows to the table's type: `.to(weight.dtype)`.",
)  # fmt: skip
def embed_by_matmul(ids, weight):
    return F.one_hot(ids, weight.shape[0]) @ weight


@mistake(
    "01.embed_by_matmul", "float32_only", stage="raises",
    diagnosis="The one-hot rows are always float32; a float64 table does not multiply with them.",
    next_step="`.to(weight.dtype)` instead of `.float()`.",
)  # fmt: skip
def embed_by_matmul(ids, weight):
    return F.one_hot(ids, weight.shape[0]).float() @ weight


@mistake(
    "01.embed_by_matmul", "always_float32", stage="dtype",
    diagnosis="The result is float32 even where the table is float64.",
    next_step="Keep the table's type: bring the rows to it, not the table to theirs.",
)  # fmt: skip
def embed_by_matmul(ids, weight):
    return F.one_hot(ids, weight.shape[0]).float() @ weight.float()


@mistake(
    "01.embed_by_matmul", "elementwise", stage="raises",
    diagnosis="`*` multiplies entry by entry; the matrix product is `@`.",
    next_step="Replace `*` by `@` and look at the shapes on both sides.",
)  # fmt: skip
def embed_by_matmul(ids, weight):
    return F.one_hot(ids, weight.shape[0]).to(weight.dtype) * weight


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


# --- 01.embed_by_lookup


@mistake(
    "01.embed_by_lookup", "transposed_table", stage="raises",
    diagnosis="The table is transposed: its columns are fetched instead of its rows.",
    next_step="Row i belongs to id i: no transpose is needed.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight.T[ids]


@mistake(
    "01.embed_by_lookup", "second_axis", stage="raises",
    diagnosis="The ids pick columns: they index the second axis.",
    next_step="The words lie along the first axis of the table.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight[:, ids]


@mistake(
    "01.embed_by_lookup", "flattened", stage="shape",
    diagnosis="The result is flattened to two axes; it should keep the shape of the ids.",
    next_step="Index with the ids as they are, without `flatten` or `view(-1)`.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight.index_select(0, ids.reshape(-1))


@mistake(
    "01.embed_by_lookup", "loop_over_first_axis", stage="raises",
    diagnosis="The loop sees the first axis only: it works for a row of ids, and for nothing else.",
    next_step="Index with the whole tensor at once.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return torch.stack([weight[int(index)] for index in ids])


@mistake(
    "01.embed_by_lookup", "view_of_gaps", stage="raises",
    diagnosis="`view` needs numbers that lie side by side in memory; ids cut out of a larger tensor do not.",
    next_step="Use `reshape`, or index with the ids as they are.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight[ids.view(-1)].view(*ids.shape, weight.shape[1])


@mistake(
    "01.embed_by_lookup", "minus_one_without_ids", stage="raises",
    diagnosis="Without any ids, -1 in a reshape cannot be worked out: nothing times anything is nothing.",
    next_step="Name the last size, weight.shape[1], or index with the ids as they are: then no reshape is needed.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight[ids.flatten()].reshape(*ids.shape, -1)


@mistake(
    "01.embed_by_lookup", "squeezed", stage="shape",
    diagnosis="`squeeze` removes every axis of size 1, also a width of 1.",
    next_step="Leave `squeeze` out: the lookup has the right shape without it.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight[ids].squeeze()


@mistake(
    "01.embed_by_lookup", "fresh_table", stage="values",
    diagnosis="`nn.Embedding(V, d)` draws a table of its own; the one that was given is not used.",
    next_step="Index the table `weight` itself, or hand it to `F.embedding`.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    generator = torch.Generator().manual_seed(0)
    table = torch.randn(weight.shape, generator=generator, dtype=weight.dtype)
    return nn.Embedding.from_pretrained(table)(ids)


@mistake(
    "01.embed_by_lookup", "padding_row_zeroed", stage="values",
    diagnosis="The id 0 is taken for padding and gets zeros; here every row of the table counts.",
    next_step="Leave the special treatment of id 0 out: nobody asked for it.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight[ids] * (ids != 0).unsqueeze(-1)


@mistake(
    "01.embed_by_lookup", "off_by_one", stage="values",
    diagnosis="Row i - 1 is fetched for id i: ids begin at 0, as rows do.",
    next_step="The id 0 is the first row of the table.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight[ids - 1]


@mistake(
    "01.embed_by_lookup", "summed", stage="shape",
    diagnosis="The vectors are added up; every id should keep its own.",
    next_step="Leave out the sum: that would be a bag of words.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight[ids].sum(dim=-2)


@mistake(
    "01.embed_by_lookup", "always_float32", stage="dtype",
    diagnosis="The result is float32 even where the table is float64.",
    next_step="A lookup needs no conversion.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight.float()[ids]


@mistake(
    "01.embed_by_lookup", "list_of_rows", stage="type",
    diagnosis="A list of rows comes back; a tensor was asked for.",
    next_step="`torch.stack` makes a tensor of a list of rows; indexing needs neither.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return [weight[index] for index in ids.reshape(-1)]


@right_form("01.embed_by_lookup", "torch_built_in")
def embed_by_lookup(ids, weight):
    return F.embedding(ids, weight)


@right_form("01.embed_by_lookup", "module")
def embed_by_lookup(ids, weight, padding_idx=None):
    return nn.Embedding.from_pretrained(weight, padding_idx=padding_idx)(ids)


@right_form("01.embed_by_lookup", "gather")
def embed_by_lookup(ids, weight):
    index = ids.reshape(-1, 1).expand(-1, weight.shape[1])
    return weight.gather(0, index).view(*ids.shape, weight.shape[1])


@right_form("01.embed_by_lookup", "numpy_take")
def embed_by_lookup(ids, weight):
    return torch.as_tensor(np.take(weight.numpy(), ids.numpy(), axis=0))


@right_form("01.embed_by_lookup", "product")
def embed_by_lookup(ids, weight):
    return torch.eye(len(weight), dtype=weight.dtype)[ids] @ weight


@right_form("01.embed_by_lookup", "recursive_fill")
def embed_by_lookup(ids, weight):
    if ids.dim() == 0:
        return weight[int(ids)]
    vectors = torch.empty(*ids.shape, weight.shape[1], dtype=weight.dtype)
    for place in range(len(ids)):
        vectors[place] = embed_by_lookup(ids[place], weight)
    return vectors
