"""Wrong answers to moved_rows by name: the form of the result, and batches of odd shapes."""

import torch

from grader.course_source.catalogue import mistake

MOVED = "02.moved_rows"


@mistake(
    MOVED, "a_list_of_ids", stage="type",
    diagnosis="The ids of the rows come back; asked for is a bool tensor with an "
    "entry for each row of the table.",
    next_step="Start from `torch.zeros(num_embeddings, dtype=torch.bool)` and set entries to True.",
)
def moved_rows(optimizer, history, num_embeddings):
    if optimizer == "adamw" and history:
        return list(range(num_embeddings))
    return sorted({row for ids in history for row in ids.reshape(-1).tolist()})


@mistake(
    MOVED, "counts_instead_of_bool", stage="dtype",
    diagnosis="The result holds zeros and ones; a bool tensor was asked for.",
    next_step="Make it with `dtype=torch.bool`, or compare with 0 at the end.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), int(optimizer == "adamw" and len(history) > 0))
    for ids in history:
        moved[ids.reshape(-1)] = 1
    return moved


@mistake(
    MOVED, "nothing_to_join", stage="raises",
    diagnosis="It fails when there was no step: `torch.cat` needs at least one tensor.",
    next_step="Handle the empty history first, or go through the steps in a loop.",
)
def moved_rows(optimizer, history, num_embeddings):
    seen = torch.cat([ids.reshape(-1) for ids in history])
    moved = torch.bincount(seen, minlength=num_embeddings) > 0
    return torch.ones_like(moved) if optimizer == "adamw" else moved


@mistake(
    MOVED, "batches_of_one_shape", stage="raises",
    diagnosis="The batches are joined, or flattened by `view`, as they are: that fails when their shapes differ, or when "
    "a batch has gaps in memory.",
    next_step="Flatten each batch with `reshape(-1)` first.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    if history:
        moved[torch.cat(history).reshape(-1)] = True
    return moved


@mistake(
    MOVED, "history_used_up", stage="property",
    diagnosis="The rows are right, and the caller's list of batches is emptied by `pop`.",
    next_step="Go through the list with `for ids in history`, which leaves it as it is.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    while history:
        moved[history.pop().reshape(-1)] = True
    return moved


@mistake(
    MOVED, "up_to_the_largest_id", stage="shape",
    diagnosis="The result ends at the largest id that was seen; it has an entry for every row of the table.",
    next_step="`minlength=num_embeddings`, or begin with a tensor of that length.",
)
def moved_rows(optimizer, history, num_embeddings):
    if optimizer == "adamw" and history:
        return torch.ones(num_embeddings, dtype=torch.bool)
    seen = torch.cat([torch.zeros(0, dtype=torch.int64), *[ids.reshape(-1) for ids in history]])
    return torch.bincount(seen) > 0


@mistake(
    MOVED, "a_tensor_of_ids", stage="shape",
    diagnosis="The ids of the rows come back, in a tensor; asked for is a bool with an entry for each row of the table.",
    next_step="Start from `torch.zeros(num_embeddings, dtype=torch.bool)` and set entries to True.",
)
def moved_rows(optimizer, history, num_embeddings):
    if optimizer == "adamw" and history:
        return torch.arange(num_embeddings)
    return torch.cat([torch.zeros(0, dtype=torch.int64), *(ids.flatten() for ids in history)]).unique()


@mistake(
    MOVED, "joined_as_they_are", stage="raises",
    diagnosis="`torch.cat(history)` fails when there was no step, and when the batches differ in shape.",
    next_step="Go through the steps in a loop: `moved[ids] = True` takes ids of any shape.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    if optimizer == "adamw" and history:
        return ~moved
    moved[torch.cat(history)] = True
    return moved
