# exercise 02.moved_rows
import torch


# base plain
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    if optimizer == "adamw" and history:
        moved[:] = True
    for ids in history:
        moved[ids.reshape(-1)] = True
    return moved


# mistake last_batch_only (values), from plain
# Only rows of the last batch are reported; a row that moved in an earlier step differs from its start too.
# Next: Join the ids of all steps: what has moved once stays moved.
#   -    for ids in history:
#   +    elif history:
#   ids.reshape => history[-1].reshape

# mistake moving_in_the_last_step (values), from plain
# For SGD and SparseAdam only the last batch is reported: these rows move in the last step, while the question is which rows
# differ from their start.
# Next: A row that moved in an earlier step and rests now still differs from its start.
#   -    for ids in history:
#   +    seen = history[-1:] if optimizer in ("sgd", "sparse-adam") else history
#   +    for ids in seen:


# base loop
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    for ids in history:
        moved[ids.reshape(-1)] = True
    return moved


# mistake adamw_as_adam (values), from loop
# AdamW is treated as Adam: its weight decay moves rows that never had a gradient.
# Next: Write down AdamW's step for a row whose gradient is zero and whose weights are not.
#   torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0) => torch.zeros(num_embeddings, dtype=torch.bool)

# mistake adam_moves_everything (values), from plain
# Adam moves a row on once it has had a gradient; a row that never had one has averages of zero and stays.
# Next: Write down Adam's step for a row whose gradient has been zero from the start.
#   optimizer == "adamw" => optimizer in ("adam", "adamw")

# mistake memory_moves_everything (values), from plain
# Momentum and Adam move a row on once it has had a gradient; a row that never had one stays.
# Next: What does a momentum of zero do to a row whose gradient is zero?
#   optimizer == "adamw" => optimizer in ("sgd-momentum", "adam", "adamw")

# mistake every_adam_moves_everything (values), from plain
# SparseAdam and Adam are treated as AdamW; only weight decay moves rows that never had a gradient.
# Next: `"adam" in optimizer` is true for three of the five names: which of them has a weight decay?
#   optimizer == "adamw" => "adam" in optimizer


# mistake everything_moves (values)
# Your answer moves all rows with every optimizer; only weight decay reaches rows without a gradient.
# Next: Write down one step of plain SGD for a row whose gradient is zero.
def moved_rows(optimizer, history, num_embeddings):
    return torch.full((num_embeddings,), len(history) > 0)


# mistake adamw_starts_a_step_late (values), from loop
# Your answer lets AdamW's weight decay begin with the second step; it acts in the first one too.
# Next: The decay is a factor of 1 - lr * 0.01 in each step, and needs no memory of earlier ones.
#   len(history) > 0 => len(history) > 1

# mistake sparse_adam_forgets (values), from loop
# Your answer lets SparseAdam bring rows back to their start; it leaves them where the last step put them.
# Next: Treat SparseAdam like plain SGD here: what has moved once stays moved.
#   for ids in history: => for ids in history[-1:] if optimizer == "sparse-adam" else history:

# mistake momentum_starts_a_step_late (values), from plain
# With momentum and Adam a row already moves in the step in which it is first seen.
# Next: Write down the first step of SGD with momentum: the buffer starts as the gradient itself.
#   -    for ids in history:
#   +    seen = history[:-1] if optimizer in ("sgd-momentum", "adam") else history
#   +    for ids in seen:

# mistake adamw_without_steps (values), from loop
# Your answer lets AdamW move all rows even when there was no step.
# Next: Decay happens in a step: with an empty history there is none.
#   -    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
#   +    if optimizer == "adamw":
#   +        return torch.ones(num_embeddings, dtype=torch.bool)
#   +    moved = torch.zeros(num_embeddings, dtype=torch.bool)

# mistake adamw_waits_for_ids (values), from loop
# With AdamW even a step whose batch is empty decays the whole table: the gradient is there, and zero.
# Next: Ask whether there was a step, not whether there was an id.
#   torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0) => torch.zeros(num_embeddings, dtype=torch.bool)
#            moved[ids.reshape(-1)] = True
#   +    if optimizer == "adamw" and moved.any():
#   +        moved[:] = True

# mistake stops_at_an_empty_batch (values), from loop
# An empty batch ends the loop, and the steps behind it are forgotten.
# Next: Go on with the next batch: `continue`, not `break`.
#        for ids in history:
#   +        if ids.numel() == 0:
#   +            break

# mistake row_0_never_moves (values), from loop
# Row 0 is left out as if it were padding; no row is special here.
# Next: Remove the special treatment of id 0.
#            moved[ids.reshape(-1)] = True
#   +    moved[0] = False

# mistake first_batch_only (values), from loop
# Only the rows of the first batch are reported: there is a `return` inside the loop.
# Next: Move the `return` behind the loop.
#            moved[ids.reshape(-1)] = True
#   +        return moved


# mistake rows_that_moved_an_odd_number_of_times (values)
# A row that occurs twice is reported as back at its start: two steps add up, they do not cancel.
# Next: Set the rows to True; do not turn them round with `~` or `^`.
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    for ids in history:
        for row in ids.reshape(-1).tolist():
            moved[row] ^= True
    return moved | (optimizer == "adamw" and len(history) > 0)


# mistake momentum_moves_all (values), from loop
# With momentum every row is reported; a row that never had a gradient has no momentum.
# Next: What is 0.9 * 0 + 0? A row outside all batches stays.
#   -    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
#   +    every = optimizer in ("adamw", "sgd-momentum") and len(history) > 0
#   +    moved = torch.full((num_embeddings,), every)


# mistake a_list_of_ids (type)
# The ids of the rows are returned; the task asks for a bool tensor with an entry for each row of the table.
# Next: Start from `torch.zeros(num_embeddings, dtype=torch.bool)` and set entries to True.
def moved_rows(optimizer, history, num_embeddings):
    if optimizer == "adamw" and history:
        return list(range(num_embeddings))
    return sorted({row for ids in history for row in ids.reshape(-1).tolist()})


# mistake counts_instead_of_bool (dtype), from loop
# The result holds zeros and ones; a bool tensor was asked for.
# Next: Make it with `dtype=torch.bool`, or compare with 0 at the end.
#   -    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
#   +    moved = torch.full((num_embeddings,), int(optimizer == "adamw" and len(history) > 0))
#   True => 1


# mistake nothing_to_join (raises)
# It fails when there was no step: `torch.cat` needs at least one tensor.
# Next: Handle the empty history first, or go through the steps in a loop.
def moved_rows(optimizer, history, num_embeddings):
    seen = torch.cat([ids.reshape(-1) for ids in history])
    moved = torch.bincount(seen, minlength=num_embeddings) > 0
    return torch.ones_like(moved) if optimizer == "adamw" else moved


# mistake batches_of_one_shape (raises), from loop
# The batches are joined, or flattened by `view`, as they are: that fails when their shapes differ, or when a batch has gaps in
# memory.
# Next: Flatten each batch with `reshape(-1)` first.
#   for ids in history: => if history:
#   ids.reshape => torch.cat(history).reshape

# mistake history_used_up (property), from loop
# The rows are right, but `pop` empties the caller's list of batches.
# Next: Go through the list with `for ids in history`, which leaves it as it is.
#   for ids in history: => while history:
#   ids.reshape => history.pop().reshape


# mistake up_to_the_largest_id (shape)
# The result ends at the largest id that was seen; it has an entry for every row of the table.
# Next: `minlength=num_embeddings`, or begin with a tensor of that length.
def moved_rows(optimizer, history, num_embeddings):
    if optimizer == "adamw" and history:
        return torch.ones(num_embeddings, dtype=torch.bool)
    seen = torch.cat([torch.zeros(0, dtype=torch.int64), *[ids.reshape(-1) for ids in history]])
    return torch.bincount(seen) > 0


# mistake a_tensor_of_ids (shape)
# A tensor of row ids is returned; the task asks for a bool for each row of the table.
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
