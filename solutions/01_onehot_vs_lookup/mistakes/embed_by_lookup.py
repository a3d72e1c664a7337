"""Wrong answers to embed_by_lookup by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

# --- 01.embed_by_matmul


# --- 01.embed_by_lookup


@base("plain")
def embed_by_lookup(ids, weight):
    return weight[:, ids]


altered(
    "01.embed_by_lookup", "transposed_table", "plain", {"weight[:, ids]": "weight.T[ids]"}, stage="raises",
    diagnosis="The table is transposed: its columns are fetched instead of its rows.",
    next_step="Row i belongs to id i: no transpose is needed.",
)


@mistake(
    "01.embed_by_lookup", "second_axis", stage="raises",
    diagnosis="The ids pick columns: they index the second axis.",
    next_step="The words lie along the first axis of the table.",
)
def embed_by_lookup(ids, weight):
    return weight[:, ids]


altered(
    "01.embed_by_lookup", "flattened", "plain", {"[:, ids]": ".index_select(0, ids.reshape(-1))"}, stage="shape",
    diagnosis="The result is flattened to two axes; it should keep the shape of the ids.",
    next_step="Index with the ids as they are, without `flatten` or `view(-1)`.",
)

altered(
    "01.embed_by_lookup", "loop_over_first_axis", "plain",
    {"weight[:, ids]": "torch.stack([weight[int(index)] for index in ids])"},
    stage="raises",
    diagnosis="The loop sees the first axis only: it works for a row of ids, and for nothing else.",
    next_step="Index with the whole tensor at once.",
)

altered(
    "01.embed_by_lookup", "view_of_gaps", "plain",
    {"[:, ids]": "[ids.view(-1)].view(*ids.shape, weight.shape[1])"},
    stage="raises",
    diagnosis="`view` needs numbers that lie side by side in memory; ids cut out of a larger tensor do not.",
    next_step="Use `reshape`, or index with the ids as they are.",
)

altered(
    "01.embed_by_lookup", "minus_one_without_ids", "plain",
    {"[:, ids]": "[ids.flatten()].reshape(*ids.shape, -1)"},
    stage="raises",
    diagnosis="Without any ids, -1 in a reshape cannot be worked out: nothing times anything is nothing.",
    next_step="Name the last size, weight.shape[1], or index with the ids as they are: then no reshape is needed.",
)

altered(
    "01.embed_by_lookup", "squeezed", "plain", {"[:, ids]": "[ids].squeeze()"}, stage="shape",
    diagnosis="`squeeze` removes every axis of size 1, also a width of 1.",
    next_step="Leave `squeeze` out: the lookup has the right shape without it.",
)

altered(
    "01.embed_by_lookup", "padding_row_zeroed", "plain",
    {"[:, ids]": "[ids] * (ids != 0).unsqueeze(-1)"},
    stage="values",
    diagnosis="The id 0 is taken for padding and gets zeros; here every row of the table counts.",
    next_step="Leave the special treatment of id 0 out: nobody asked for it.",
)

altered(
    "01.embed_by_lookup", "off_by_one", "plain", {":, ids": "ids - 1"}, stage="values",
    diagnosis="Row i - 1 is fetched for id i: ids begin at 0, as rows do.",
    next_step="The id 0 is the first row of the table.",
)

altered(
    "01.embed_by_lookup", "summed", "plain", {"[:, ids]": "[ids].sum(dim=-2)"}, stage="shape",
    diagnosis="The vectors are added up; every id should keep its own.",
    next_step="Leave out the sum: that would be a bag of words.",
)

altered(
    "01.embed_by_lookup", "always_float32", "plain", {"weight[:, ids]": "weight.float()[ids]"}, stage="dtype",
    diagnosis="The result is float32 even where the table is float64.",
    next_step="A lookup needs no conversion.",
)

altered(
    "01.embed_by_lookup", "list_of_rows", "plain",
    {"weight[:, ids]": "[weight[index] for index in ids.reshape(-1)]"},
    stage="type",
    diagnosis="A list of rows comes back; a tensor was asked for.",
    next_step="`torch.stack` makes a tensor of a list of rows; indexing needs neither.",
)


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


@mistake(
    "01.embed_by_lookup", "empty_shape_lost", stage="shape",
    diagnosis="Without any ids the shape of the ids is lost: (2, 0) should give (2, 0, d).",
    next_step="`weight[ids]` needs no special case for empty ids.",
)
def embed_by_lookup(ids, weight):
    if ids.numel() == 0:
        return torch.zeros(0, weight.shape[1], dtype=weight.dtype)
    return weight[ids]


@mistake(
    "01.embed_by_lookup", "single_id_gets_an_axis", stage="shape",
    diagnosis="A single id, a tensor of shape (), gives (1, d) where (d,) was asked for.",
    next_step="The result has the shape (*ids.shape, d), and ids.shape is () here.",
)
def embed_by_lookup(ids, weight):
    ids = torch.atleast_1d(ids)
    return weight[ids]


@right_form("01.embed_by_lookup", "lists_of_numbers")
def embed_by_lookup(ids, weight):
    rows = weight.tolist()
    flat = [rows[index] for index in ids.reshape(-1).tolist()]
    return torch.tensor(flat, dtype=weight.dtype).reshape(*ids.shape, weight.shape[1])


@right_form("01.embed_by_lookup", "take_along_dim")
def embed_by_lookup(ids, weight):
    index = ids.reshape(-1, 1).expand(-1, weight.shape[1])
    return torch.take_along_dim(weight, index, dim=0).reshape(*ids.shape, weight.shape[1])
