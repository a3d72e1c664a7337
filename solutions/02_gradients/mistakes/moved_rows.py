"""Wrong answers about moved rows by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn as nn

from grader.catalogue import mistake, right_form

MOVED = "02.moved_rows"


@mistake(
    MOVED, "last_batch_only", stage="values",
    diagnosis="Only rows of the last batch are reported; a row that moved in an "
    "earlier step differs from its start too.",
    next_step="Join the ids of all steps: what has moved once stays moved.",
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
def moved_rows(optimizer, history, num_embeddings):
    return torch.full((num_embeddings,), len(history) > 0)


@mistake(
    MOVED, "adamw_starts_a_step_late", stage="values",
    diagnosis="AdamW's weight decay is said to begin with the second step; it acts in the first one too.",
    next_step="The decay is a factor of 1 - lr * 0.01 in each step, and needs no memory of earlier ones.",
)  # fmt: skip
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 1)
    for ids in history:
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "sparse_adam_forgets", stage="values",
    diagnosis="SparseAdam is said to bring rows back to their start; it leaves them where the last step put them.",
    next_step="Treat SparseAdam like plain SGD here: what has moved once stays moved.",
)  # fmt: skip
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    for ids in history[-1:] if optimizer == "sparse-adam" else history:
        moved[ids.reshape(-1)] = True
    return moved


@mistake(
    MOVED, "momentum_starts_a_step_late", stage="values",
    diagnosis="With momentum and Adam a row already moves in the step in which it is first seen.",
    next_step="Write down the first step of SGD with momentum: the buffer starts as the gradient itself.",
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    for ids in history:
        for row in ids.reshape(-1).tolist():
            moved[row] ^= True
    return moved | (optimizer == "adamw" and len(history) > 0)


@mistake(
    MOVED, "a_list_of_ids", stage="type",
    diagnosis="The ids of the rows come back; asked for is a bool tensor with an "
    "entry for each row of the table.",
    next_step="Start from `torch.zeros(num_embeddings, dtype=torch.bool)` and set entries to True.",
)  # fmt: skip
def moved_rows(optimizer, history, num_embeddings):
    if optimizer == "adamw" and history:
        return list(range(num_embeddings))
    return sorted({row for ids in history for row in ids.reshape(-1).tolist()})


@mistake(
    MOVED, "counts_instead_of_bool", stage="dtype",
    diagnosis="The result holds zeros and ones; a bool tensor was asked for.",
    next_step="Make it with `dtype=torch.bool`, or compare with 0 at the end.",
)  # fmt: skip
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), int(optimizer == "adamw" and len(history) > 0))
    for ids in history:
        moved[ids.reshape(-1)] = 1
    return moved


@mistake(
    MOVED, "nothing_to_join", stage="raises",
    diagnosis="It fails when there was no step: `torch.cat` needs at least one tensor.",
    next_step="Handle the empty history first, or go through the steps in a loop.",
)  # fmt: skip
def moved_rows(optimizer, history, num_embeddings):
    seen = torch.cat([ids.reshape(-1) for ids in history])
    moved = torch.bincount(seen, minlength=num_embeddings) > 0
    return torch.ones_like(moved) if optimizer == "adamw" else moved


@mistake(
    MOVED, "batches_of_one_shape", stage="raises",
    diagnosis="The batches are joined, or flattened by `view`, as they are: that fails when their shapes differ, or when "
    "a batch has gaps in memory.",
    next_step="Flatten each batch with `reshape(-1)` first.",
)  # fmt: skip
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    if history:
        moved[torch.cat(history).reshape(-1)] = True
    return moved


@mistake(
    MOVED, "history_used_up", stage="property",
    diagnosis="The rows are right, and the caller's list of batches is emptied by `pop`.",
    next_step="Go through the list with `for ids in history`, which leaves it as it is.",
)  # fmt: skip
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.full((num_embeddings,), optimizer == "adamw" and len(history) > 0)
    while history:
        moved[history.pop().reshape(-1)] = True
    return moved


@right_form(MOVED, "torch_optimizers")
def moved_rows(optimizer, history, num_embeddings):
    table = nn.Embedding(num_embeddings, 3, sparse=optimizer == "sparse-adam")
    start = table.weight.detach().clone()
    rule = {
        "sgd": lambda p: torch.optim.SGD(p, lr=0.1),
        "sgd-momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
        "adam": lambda p: torch.optim.Adam(p, lr=0.01),
        "adamw": lambda p: torch.optim.AdamW(p, lr=0.01, weight_decay=0.01),
        "sparse-adam": lambda p: torch.optim.SparseAdam(p, lr=0.01),
    }[optimizer](list(table.parameters()))
    for ids in history:
        rule.zero_grad()
        vectors = table(ids)
        (vectors * torch.rand_like(vectors).add(0.5)).sum().backward()
        rule.step()
    return (table.weight.detach() != start).any(dim=1)


@right_form(MOVED, "set_of_ids")
def moved_rows(optimizer, history, num_embeddings):
    if not history:
        return torch.tensor([False] * num_embeddings, dtype=torch.bool)
    if optimizer == "adamw":
        return torch.tensor([True] * num_embeddings)
    seen = set()
    for ids in history:
        seen |= set(ids.flatten().tolist())
    return torch.tensor([row in seen for row in range(num_embeddings)])


@right_form(MOVED, "counts")
def moved_rows(optimizer, history, num_embeddings):
    flat = [torch.zeros(0, dtype=torch.int64)] + [ids.reshape(-1) for ids in history]
    counts = torch.bincount(torch.cat(flat), minlength=num_embeddings)
    return (counts > 0) | (optimizer == "adamw" and bool(history))


@right_form(MOVED, "simulated_by_hand")
def moved_rows(optimizer, history, num_embeddings):
    weight = torch.ones(num_embeddings)
    velocity = torch.zeros(num_embeddings)
    for ids in history:
        grad = torch.zeros(num_embeddings).index_add_(0, ids.reshape(-1), torch.ones(ids.numel()))
        if optimizer in ("sgd", "sparse-adam"):
            velocity = grad
        else:
            velocity = 0.9 * velocity + grad
        weight = weight - 0.01 * velocity
        if optimizer == "adamw":
            weight = weight * (1 - 0.01 * 0.01)
    return weight != 1.0


@right_form(MOVED, "numpy")
def moved_rows(optimizer, history, num_embeddings):
    moved = np.zeros(num_embeddings, dtype=bool)
    for ids in history:
        moved |= optimizer == "adamw"
        moved[np.unique(ids.numpy())] = True
    return torch.from_numpy(moved)
