# exercise 01.embed_by_lookup
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


# mistake transposed_table (raises)
# The table is transposed: its columns are fetched instead of its rows.
# Next: Row i belongs to id i: no transpose is needed.
def embed_by_lookup(ids, weight):
    return weight.T[ids]


# mistake second_axis (raises)
# The ids pick columns: they index the second axis.
# Next: The words lie along the first axis of the table.
def embed_by_lookup(ids, weight):
    return weight[:, ids]


# mistake flattened (shape), from second_axis
# The result is flattened to two axes; it should keep the shape of the ids.
# Next: Index with the ids as they are, without `flatten` or `view(-1)`.
#   weight[:, ids] => weight.index_select(0, ids.reshape(-1))

# mistake loop_over_first_axis (raises), from second_axis
# The loop sees the first axis only: it works for a row of ids, and for nothing else.
# Next: Index with the whole tensor at once.
#   weight[:, ids] => torch.stack([weight[int(index)] for index in ids])

# mistake view_of_gaps (raises), from second_axis
# `view` needs numbers that lie side by side in memory; ids cut out of a larger tensor do not.
# Next: Use `reshape`, or index with the ids as they are.
#   weight[:, ids] => weight[ids.view(-1)].view(*ids.shape, weight.shape[1])

# mistake minus_one_without_ids (raises), from second_axis
# Without any ids, `reshape` cannot work out a -1: the tensor has 0 elements, so any size would fit.
# Next: Name the last size, weight.shape[1], or index with the ids as they are: then no reshape is needed.
#   weight[:, ids] => weight[ids.flatten()].reshape(*ids.shape, -1)

# mistake squeezed (shape), from second_axis
# `squeeze` removes every axis of size 1, also the last one when d is 1.
# Next: Leave `squeeze` out: the lookup has the right shape without it.
#   weight[:, ids] => weight[ids].squeeze()

# mistake padding_row_zeroed (values), from second_axis
# The id 0 is taken for padding and gets zeros; here every row of the table counts.
# Next: Leave out the special treatment of id 0: the task has none.
#   weight[:, ids] => weight[ids] * (ids != 0).unsqueeze(-1)

# mistake off_by_one (values), from second_axis
# Row i - 1 is fetched for id i: ids begin at 0, as rows do.
# Next: The id 0 is the first row of the table.
#   :, ids => ids - 1

# mistake summed (shape), from second_axis
# The vectors are added up; every id should keep its own.
# Next: Leave out the sum: that would be a bag of words.
#   weight[:, ids] => weight[ids].sum(dim=-2)

# mistake always_float32 (dtype), from second_axis
# The result is float32 even where the table is float64.
# Next: A lookup needs no conversion.
#   weight[:, ids] => weight.float()[ids]

# mistake list_of_rows (type), from second_axis
# A list of rows comes back; a tensor was asked for.
# Next: `torch.stack` makes a tensor of a list of rows; indexing needs neither.
#   weight[:, ids] => [weight[index] for index in ids.reshape(-1)]


# right form torch_built_in
def embed_by_lookup(ids, weight):
    return F.embedding(ids, weight)


# right form module
def embed_by_lookup(ids, weight, padding_idx=None):
    return nn.Embedding.from_pretrained(weight, padding_idx=padding_idx)(ids)


# right form gather
def embed_by_lookup(ids, weight):
    index = ids.reshape(-1, 1).expand(-1, weight.shape[1])
    return weight.gather(0, index).view(*ids.shape, weight.shape[1])


# right form numpy_take
def embed_by_lookup(ids, weight):
    return torch.as_tensor(np.take(weight.numpy(), ids.numpy(), axis=0))


# right form product
def embed_by_lookup(ids, weight):
    return torch.eye(len(weight), dtype=weight.dtype)[ids] @ weight


# right form recursive_fill
def embed_by_lookup(ids, weight):
    if ids.dim() == 0:
        return weight[int(ids)]
    vectors = torch.empty(*ids.shape, weight.shape[1], dtype=weight.dtype)
    for place in range(len(ids)):
        vectors[place] = embed_by_lookup(ids[place], weight)
    return vectors


# mistake empty_shape_lost (shape)
# Without any ids the shape of the ids is lost: (2, 0) should give (2, 0, d).
# Next: `weight[ids]` needs no special case for empty ids.
def embed_by_lookup(ids, weight):
    if ids.numel() == 0:
        return torch.zeros(0, weight.shape[1], dtype=weight.dtype)
    return weight[ids]


# mistake single_id_gets_an_axis (shape)
# A single id, a tensor of shape (), gives (1, d) where (d,) was asked for.
# Next: The result has the shape (*ids.shape, d), and ids.shape is () here.
def embed_by_lookup(ids, weight):
    ids = torch.atleast_1d(ids)
    return weight[ids]


# right form lists_of_numbers
def embed_by_lookup(ids, weight):
    rows = weight.tolist()
    flat = [rows[index] for index in ids.reshape(-1).tolist()]
    return torch.tensor(flat, dtype=weight.dtype).reshape(*ids.shape, weight.shape[1])


# right form take_along_dim
def embed_by_lookup(ids, weight):
    index = ids.reshape(-1, 1).expand(-1, weight.shape[1])
    return torch.take_along_dim(weight, index, dim=0).reshape(*ids.shape, weight.shape[1])
