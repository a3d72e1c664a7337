# exercise 02.moved_rows
"""Wrong answers to moved_rows by name: the form of the result, and batches of odd shapes."""

import torch


# mistake a_list_of_ids (type)
# The ids of the rows come back; asked for is a bool tensor with an entry for each row of the table.
# Next: Start from `torch.zeros(num_embeddings, dtype=torch.bool)` and set entries to True.
def moved_rows(optimizer, history, num_embeddings):
    if optimizer == "adamw" and history:
        return list(range(num_embeddings))
    return sorted({row for ids in history for row in ids.reshape(-1).tolist()})


# mistake counts_instead_of_bool (dtype)
# The result holds zeros and ones; a bool tensor was asked for.
# Next: Make it with `dtype=torch.bool`, or compare with 0 at the end.
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), int(optimizer == "adamw" and len(history) > 0))
    for ids in history:
        moved[ids.reshape(-1)] = 1
    return moved


# mistake nothing_to_join (raises)
# It fails when there was no step: `torch.cat` needs at least one tensor.
# Next: Handle the empty history first, or go through the steps in a loop.
def moved_rows(optimizer, history, num_embeddings):
    seen = torch.cat([ids.reshape(-1) for ids in history])
    moved = torch.bincount(seen, minlength=num_embeddings) > 0
    return torch.ones_like(moved) if optimizer == "adamw" else moved


# mistake batches_of_one_shape (raises)
# The batches are joined, or flattened by `view`, as they are: that fails when their shapes differ, or when a batch has gaps in
# memory.
# Next: Flatten each batch with `reshape(-1)` first.
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    if history:
        moved[torch.cat(history).reshape(-1)] = True
    return moved


# mistake history_used_up (property)
# The rows are right, and the caller's list of batches is emptied by `pop`.
# Next: Go through the list with `for ids in history`, which leaves it as it is.
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    while history:
        moved[history.pop().reshape(-1)] = True
    return moved


# mistake up_to_the_largest_id (shape)
# The result ends at the largest id that was seen; it has an entry for every row of the table.
# Next: `minlength=num_embeddings`, or begin with a tensor of that length.
def moved_rows(optimizer, history, num_embeddings):
    if optimizer == "adamw" and history:
        return torch.ones(num_embeddings, dtype=torch.bool)
    seen = torch.cat([torch.zeros(0, dtype=torch.int64), *[ids.reshape(-1) for ids in history]])
    return torch.bincount(seen) > 0


# mistake a_tensor_of_ids (shape)
# The ids of the rows come back, in a tensor; asked for is a bool with an entry for each row of the table.
# Next: Start from `torch.zeros(num_embeddings, dtype=torch.bool)` and set entries to True.
def moved_rows(optimizer, history, num_embeddings):
    if optimizer == "adamw" and history:
        return torch.arange(num_embeddings)
    return torch.cat([torch.zeros(0, dtype=torch.int64), *(ids.flatten() for ids in history)]).unique()


# mistake joined_as_they_are (raises)
# `torch.cat(history)` fails when there was no step, and when the batches differ in shape.
# Next: Go through the steps in a loop: `moved[ids] = True` takes ids of any shape.
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    if optimizer == "adamw" and history:
        return ~moved
    moved[torch.cat(history)] = True
    return moved
