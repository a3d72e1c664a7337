"""Wrong answers to moved_rows by name: what each optimizer moves."""

import torch

from grader.course_source.catalogue import mistake

MOVED = "02.moved_rows"


@mistake(
    MOVED, "last_batch_only", stage="values",
    diagnosis="Only rows of the last batch are reported; a row that moved in an "
    "earlier step differs from its start too.",
    next_step="Join the ids of all steps: what has moved once stays moved.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    if optimizer == "adamw" and history:
        moved[:] = True
    elif history:
        moved[history[-1].reshape(-1)] = True
    return moved


@mistake(
    MOVED, "moving_in_the_last_step", stage="values",
    diagnosis="For SGD and SparseAdam only the last batch is reported: these rows move in the last step, "
    "while the question is which rows differ from their start.",
    next_step="A row that moved in an earlier step and rests now still differs from its start.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    if optimizer == "adamw" and history:
        moved[:] = True
    seen = history[-1:] if optimizer in ("sgd", "sparse-adam") else history
    for ids in seen:
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "adamw_as_adam", stage="values",
    diagnosis="AdamW is treated as Adam: its weight decay moves rows that never had a gradient.",
    next_step="Write down AdamW's step for a row whose gradient is zero and whose weights are not.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    for ids in history:
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "adam_moves_everything", stage="values",
    diagnosis="Adam moves a row on once it has had a gradient; a row that never had "
    "one has averages of zero and stays.",
    next_step="Write down Adam's step for a row whose gradient has been zero from the start.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    if optimizer in ("adam", "adamw") and history:
        moved[:] = True
    for ids in history:
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "memory_moves_everything", stage="values",
    diagnosis="Momentum and Adam move a row on once it has had a gradient; a row that never had one stays.",
    next_step="What does a momentum of zero do to a row whose gradient is zero?",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    if optimizer in ("sgd-momentum", "adam", "adamw") and history:
        moved[:] = True
    for ids in history:
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "every_adam_moves_everything", stage="values",
    diagnosis="SparseAdam and Adam are treated as AdamW; only weight decay moves "
    "rows that never had a gradient.",
    next_step="`\"adam\" in optimizer` is true for three of the five names: "
    "which of them has a weight decay?",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    if "adam" in optimizer and history:
        moved[:] = True
    for ids in history:
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "everything_moves", stage="values",
    diagnosis="All rows are said to move with every optimizer; only weight decay reaches rows without a gradient.",
    next_step="Write down one step of plain SGD for a row whose gradient is zero.",
)
def moved_rows(optimizer, history, num_embeddings):
    return torch.full((num_embeddings,), len(history) > 0)


@mistake(
    MOVED, "adamw_starts_a_step_late", stage="values",
    diagnosis="AdamW's weight decay is said to begin with the second step; it acts in the first one too.",
    next_step="The decay is a factor of 1 - lr * 0.01 in each step, and needs no memory of earlier ones.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 1)
    for ids in history:
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "sparse_adam_forgets", stage="values",
    diagnosis="SparseAdam is said to bring rows back to their start; it leaves them where the last step put them.",
    next_step="Treat SparseAdam like plain SGD here: what has moved once stays moved.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    for ids in history[-1:] if optimizer == "sparse-adam" else history:
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "momentum_starts_a_step_late", stage="values",
    diagnosis="With momentum and Adam a row already moves in the step in which it is first seen.",
    next_step="Write down the first step of SGD with momentum: the buffer starts as the gradient itself.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    if optimizer == "adamw" and history:
        moved[:] = True
    seen = history[:-1] if optimizer in ("sgd-momentum", "adam") else history
    for ids in seen:
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "adamw_without_steps", stage="values",
    diagnosis="AdamW is said to move all rows even when there was no step.",
    next_step="Decay happens in a step: with an empty history there is none.",
)
def moved_rows(optimizer, history, num_embeddings):
    if optimizer == "adamw":
        return torch.ones(num_embeddings, dtype=torch.bool)
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    for ids in history:
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "adamw_waits_for_ids", stage="values",
    diagnosis="With AdamW even a step whose batch is empty decays the whole table: "
    "the gradient is there, and zero.",
    next_step="Ask whether there was a step, not whether there was an id.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    for ids in history:
        moved[ids.reshape(-1)] = True
    if optimizer == "adamw" and moved.any():
        moved[:] = True
    return moved


@mistake(
    MOVED, "stops_at_an_empty_batch", stage="values",
    diagnosis="An empty batch ends the loop, and the steps behind it are forgotten.",
    next_step="Go on with the next batch: `continue`, not `break`.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    for ids in history:
        if ids.numel() == 0:
            break
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "row_0_never_moves", stage="values",
    diagnosis="Row 0 is left out as if it were padding; no row is special here.",
    next_step="Remove the special treatment of id 0.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    for ids in history:
        moved[ids.reshape(-1)] = True
    moved[0] = False
    return moved


@mistake(
    MOVED, "first_batch_only", stage="values",
    diagnosis="Only the rows of the first batch are reported: there is a `return` inside the loop.",
    next_step="Move the `return` behind the loop.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    for ids in history:
        moved[ids.reshape(-1)] = True
        return moved
    return moved


@mistake(
    MOVED, "rows_that_moved_an_odd_number_of_times", stage="values",
    diagnosis="A row that occurs twice is reported as back at its start: two "
    "steps add up, they do not cancel.",
    next_step="Set the rows to True; do not turn them round with `~` or `^`.",
)
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    for ids in history:
        for row in ids.reshape(-1).tolist():
            moved[row] ^= True
    return moved | (optimizer == "adamw" and len(history) > 0)


@mistake(
    MOVED, "momentum_moves_all", stage="values",
    diagnosis="With momentum every row is reported; a row that never had a gradient has no momentum.",
    next_step="What is 0.9 * 0 + 0? A row outside all batches stays.",
)
def moved_rows(optimizer, history, num_embeddings):
    every = optimizer in ("adamw", "sgd-momentum") and len(history) > 0
    moved = torch.full((num_embeddings,), every)
    for ids in history:
        moved[ids.reshape(-1)] = True
    return moved
