"""Wrong answers on one-hot vectors and lookup by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.catalogue import mistake, right_form

# --- 01.one_hot


@mistake(
    "01.one_hot", "class_axis_first", stage="shape",
    diagnosis="The classes stand on the first axis; every id should become a row of its own.",
    next_step="Print `.shape` for ids of shape (2, 5) and 3 classes: it should be (2, 5, 3).",
)  # fmt: skip
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    return F.one_hot(ids, num_classes).movedim(-1, 0)


@mistake(
    "01.one_hot", "flattened", stage="shape",
    diagnosis="The ids are flattened, so their shape is lost.",
    next_step="The result has the shape (*ids.shape, num_classes): reshape at the end, or index with the ids as they are.",
)  # fmt: skip
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    return torch.eye(num_classes)[ids.flatten()]


@mistake(
    "01.one_hot", "one_dimensional_only", stage="raises",
    diagnosis="It works for a row of ids only: `len(ids)` and a loop see just the first axis.",
    next_step="Try ids of shape (2, 3). Indexing `torch.eye` takes ids of any shape.",
)  # fmt: skip
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    rows = torch.zeros(len(ids), num_classes)
    for place, index in enumerate(ids):
        rows[place, int(index)] = 1
    return rows


@mistake(
    "01.one_hot", "range_not_checked", stage="raises",
    diagnosis="An id outside the range raises IndexError, or wraps around; it should raise ValueError.",
    next_step="Compare all ids with 0 and num_classes before you index, and raise ValueError yourself.",
)  # fmt: skip
def one_hot(ids, num_classes):
    return torch.eye(num_classes)[ids]


@mistake(
    "01.one_hot", "negative_wraps", stage="property",
    diagnosis="The id -1 passes silently and marks the last class.",
    next_step="Test for ids below 0 as well.",
)  # fmt: skip
def one_hot(ids, num_classes):
    if ids.numel() and ids.max() >= num_classes:
        raise ValueError
    ids = torch.where(ids < 0, ids.remainder(num_classes), ids)
    return torch.eye(num_classes)[ids]


@mistake(
    "01.one_hot", "too_large_passes", stage="property",
    diagnosis="An id that is num_classes or more gives a row without a 1.",
    next_step="The largest id is num_classes - 1; raise ValueError for anything above.",
)  # fmt: skip
def one_hot(ids, num_classes):
    if ids.numel() and ids.min() < 0:
        raise ValueError
    return (ids[..., None] == torch.arange(num_classes)).long()


@mistake(
    "01.one_hot", "classes_from_the_data", stage="shape",
    diagnosis="The number of classes is taken from the largest id present; `num_classes` is ignored.",
    next_step="Try ids [0, 1] with num_classes=5: rows of five numbers are wanted.",
)  # fmt: skip
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    return F.one_hot(ids) if ids.numel() else torch.zeros(*ids.shape, num_classes)


@mistake(
    "01.one_hot", "off_by_one", stage="values",
    diagnosis="The 1 stands one place too far: ids begin at 0.",
    next_step="The id 0 should give (1, 0, 0, …).",
)  # fmt: skip
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    return F.one_hot((ids + 1) % num_classes, num_classes)


@mistake(
    "01.one_hot", "empty_fails", stage="raises",
    diagnosis="Without any ids `min` and `max` have nothing to look at and raise.",
    next_step="Ask with `.any()`, or look at the range only where `ids.numel() > 0`.",
)  # fmt: skip
def one_hot(ids, num_classes):
    if ids.min() < 0 or ids.max() >= num_classes:
        raise ValueError
    return F.one_hot(ids, num_classes)


@mistake(
    "01.one_hot", "assertion", stage="raises",
    diagnosis="An assert raises AssertionError, and vanishes under `python -O`; ValueError was asked for.",
    next_step="Write `if …: raise ValueError(…)`.",
)  # fmt: skip
def one_hot(ids, num_classes):
    assert bool(((ids >= 0) & (ids < num_classes)).all())
    return torch.eye(num_classes)[ids]


@mistake(
    "01.one_hot", "clamped", stage="property",
    diagnosis="Ids outside the range are moved to its edge; they should raise ValueError.",
    next_step="A wrong id is somebody's bug: say so instead of hiding it.",
)  # fmt: skip
def one_hot(ids, num_classes):
    return torch.eye(num_classes)[ids.clamp(0, num_classes - 1)]


@mistake(
    "01.one_hot", "returns_a_list", stage="type",
    diagnosis="The rows come as a nested list; a tensor was asked for.",
    next_step="Leave out `.tolist()`, or wrap the list in `torch.tensor`.",
)  # fmt: skip
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    return torch.eye(num_classes)[ids].tolist()


@right_form("01.one_hot", "comparison")
def one_hot(ids, num_classes):
    if bool(((ids < 0) | (ids >= num_classes)).any()):
        raise ValueError("out of range")
    return ids[..., None] == torch.arange(num_classes)


@right_form("01.one_hot", "torch_built_in")
def one_hot(ids, num_classes):
    if ids.numel() == 0:
        return torch.zeros(*ids.shape, num_classes, dtype=torch.int64)
    if int(ids.min()) < 0 or int(ids.max()) > num_classes - 1:
        raise ValueError
    return F.one_hot(ids, num_classes=num_classes)


@right_form("01.one_hot", "scatter")
def one_hot(ids, num_classes):
    for index in ids.flatten().tolist():
        if index not in range(num_classes):
            raise ValueError(index)
    return torch.zeros(*ids.shape, num_classes, dtype=torch.uint8).scatter_(-1, ids.unsqueeze(-1), 1)


@right_form("01.one_hot", "numpy_loop")
def one_hot(ids, num_classes):
    flat = ids.reshape(-1).numpy()
    rows = np.zeros((len(flat), num_classes))
    for place, index in enumerate(flat):
        if not 0 <= index < num_classes:
            raise ValueError("out of range")
        rows[place, index] = 1.0
    return torch.from_numpy(rows).reshape(*ids.shape, num_classes)


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
    "01.embed_by_lookup", "transposed_table", stage="shape",
    diagnosis="Columns are fetched instead of rows.",
    next_step="Row i belongs to id i: `weight[ids]`, without a transpose.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight.T[ids.clamp(max=weight.shape[1] - 1)]


@mistake(
    "01.embed_by_lookup", "second_axis", stage="raises",
    diagnosis="The ids pick columns: they index the second axis.",
    next_step="The words lie along the first axis of the table.",
)  # fmt: skip
def embed_by_lookup(ids, weight):
    return weight[:, ids].movedim(0, -1)


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
