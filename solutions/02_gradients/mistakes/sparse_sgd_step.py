"""Wrong answers about one sparse step by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, mistake, right_form

STEP = "02.sparse_sgd_step_"


@mistake(
    STEP, "loses_repeats", stage="values",
    diagnosis="Of several gradients at one row only one counts: indexed assignment writes each row once.",
    next_step="Try rows [0, 0] with gradients of ones and lr 1: the row should fall by 2. See `index_add_`.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    weight[rows] -= lr * grads


@mistake(
    STEP, "averages_repeats", stage="values",
    diagnosis="A row that is given several times moves by the mean of its "
    "gradients; it should move by their sum.",
    next_step="Leave the division by the counts out.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    counts = torch.bincount(rows, minlength=len(weight))
    weight.index_add_(0, rows, -lr * grads / counts[rows][:, None])


@mistake(
    STEP, "new_tensor", stage="values",
    diagnosis="The caller's table does not change: `weight = ...` or `weight - ...` makes a new tensor.",
    next_step="Use an operation that changes `weight` itself: `weight[...] -= "
    "...`, or a method that ends in `_`.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    weight = weight.index_add(0, rows, grads, alpha=-lr)
    return weight


altered(
    STEP, "uphill", "loses_repeats",
    {"[rows] -= lr * grads": ".index_add_(0, rows, grads, alpha=lr)"},
    stage="values",
    diagnosis="The rows move along the gradient: the loss rises.",
    next_step="Subtract lr times the gradient.",
)

altered(
    STEP, "without_learning_rate", "loses_repeats",
    {"[rows] -= lr * grads": ".index_add_(0, rows, -grads)"},
    stage="values",
    diagnosis="The rows move by the whole gradient: lr is not used.",
    next_step="Multiply the gradients by lr.",
)

altered(
    STEP, "mean_over_the_batch", "loses_repeats",
    {"[rows] -= lr * grads": ".index_add_(0, rows, grads, alpha=-lr / max(len(rows), 1))"},
    stage="values",
    diagnosis="The step is divided by the number of rows given; each row takes its own full step.",
    next_step="Leave the division out: the mean, if any, is already in the gradients.",
)

altered(
    STEP, "sorted_without_their_gradients", "loses_repeats",
    {"[rows] -= lr * grads": ".index_add_(0, rows.sort().values, grads, alpha=-lr)"},
    stage="values",
    diagnosis="The rows are sorted and the gradients are not: they no longer belong together.",
    next_step="Keep rows and grads in the order in which they came.",
)


@mistake(
    STEP, "copy_of_a_table_with_gaps", stage="values",
    diagnosis="`contiguous()` or `reshape(-1)` of a table with gaps in memory is a "
    "copy: the caller's table does not change.",
    next_step="Call the in-place operation on `weight` itself.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    table = weight.contiguous()
    table.index_add_(0, rows, grads, alpha=-lr)


@mistake(
    STEP, "flat_view", stage="raises",
    diagnosis="`view(-1)` fails for a table with gaps in memory.",
    next_step="Index whole rows of `weight`; there is no need to flatten it.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    width = weight.shape[1]
    places = rows[:, None] * width + torch.arange(width)
    weight.view(-1).index_add_(0, places.reshape(-1), grads.reshape(-1), alpha=-lr)


altered(
    STEP, "other_memory", "loses_repeats",
    {"[rows] -= lr * grads": ".data = weight.data.index_add(0, rows, grads, alpha=-lr)"},
    stage="values",
    diagnosis="A new tensor is put in the table's place, as by `weight.data = ...`: whoever "
    "shares its memory sees the old numbers.",
    next_step="Write into the memory that is there: a method that ends in `_`.",
)


@mistake(
    STEP, "gradients_overwritten", stage="property",
    diagnosis="The step is right, and the caller's gradients are multiplied by "
    "lr: `grads *= lr` works in place.",
    next_step="Write `lr * grads`, which makes a new tensor.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    grads *= lr
    weight.index_add_(0, rows, -grads)


altered(
    STEP, "decays_the_other_rows", "loses_repeats",
    {"[rows] -= lr * grads": ".mul_(1 - lr * 0.01).index_add_(0, rows, grads, alpha=-lr)"},
    stage="values",
    diagnosis="The rows that are not given shrink: there is no weight decay in this step.",
    next_step="Touch the given rows only.",
)


@mistake(
    STEP, "float32_buffer", stage="raises",
    diagnosis="The gradients are collected in a float32 buffer, which float64 gradients do not fit.",
    next_step="Make the buffer with `torch.zeros_like(weight)`.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    dense = torch.zeros(weight.shape)
    dense.index_add_(0, rows, grads)
    weight -= lr * dense


@mistake(
    STEP, "rounds_to_float32", stage="values",
    diagnosis="The step passes through float32: of a float64 table seven digits remain.",
    next_step="Leave `.float()` out, and work in the dtype of weight.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    weight.copy_(weight.float().index_add(0, rows, grads.float(), alpha=-lr))


@mistake(
    STEP, "first_rows", stage="values",
    diagnosis="The first rows of the table move, whatever rows are given.",
    next_step="`rows` holds the numbers of the rows: use it as an index, not its length.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    for k in range(len(rows)):
        weight[k % len(weight)] -= lr * grads[k]


@mistake(
    STEP, "largest_row_of_none", stage="raises",
    diagnosis="It fails when no rows are given.",
    next_step="Try rows of shape (0,). `max` and `torch.stack` need at least one value; `index_add_` does not.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    assert rows.max() < len(weight)
    weight.index_add_(0, rows, grads, alpha=-lr)


@mistake(
    STEP, "first_occurrence_only", stage="values",
    diagnosis="A row that was given once is skipped when it comes again.",
    next_step="Each occurrence moves the row: go through all of them.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    done = set()
    for row, grad in zip(rows.tolist(), grads):
        if row not in done:
            weight[row] -= lr * grad
            done.add(row)


altered(
    STEP, "directions_only", "loses_repeats",
    {"[rows] -= lr * grads": ".index_add_(0, rows, F.normalize(grads, dim=1), alpha=-lr)"},
    stage="values",
    diagnosis="The gradients are brought to length 1 first; a step is lr times the gradient as it is.",
    next_step="Leave the gradients as they are.",
)


@mistake(
    STEP, "rows_replaced", stage="values",
    diagnosis="The rows are replaced by the step; they should move by it.",
    next_step="`weight[...] = ...` writes over what was there; the step is added to it.",
)
def sparse_sgd_step_(weight, rows, grads, lr):
    step = torch.zeros_like(weight).index_add_(0, rows, grads)
    weight[rows] = -lr * step[rows]


@right_form(STEP, "loop_over_rows")
def sparse_sgd_step_(weight, rows, grads, lr):
    for row, grad in zip(rows.tolist(), grads):
        weight[row] -= lr * grad


@right_form(STEP, "loop_over_numbers")
def sparse_sgd_step_(weight, rows, grads, lr):
    for k in range(rows.shape[0]):
        for column in range(weight.shape[1]):
            weight[rows[k], column] = weight[rows[k], column] - lr * grads[k, column].item()
    return weight


@right_form(STEP, "unique_rows_summed")
def sparse_sgd_step_(weight, rows, grads, lr):
    distinct, where = torch.unique(rows, return_inverse=True)
    summed = torch.zeros(len(distinct), grads.shape[1], dtype=grads.dtype).index_add(0, where, grads)
    weight[distinct] -= lr * summed


@right_form(STEP, "dense_and_copied_back")
def sparse_sgd_step_(weight, rows, grads, lr):
    one_hot = F.one_hot(rows, len(weight)).to(grads.dtype)
    weight.copy_(weight - lr * (one_hot.T @ grads))


@right_form(STEP, "torch_optimizer")
def sparse_sgd_step_(weight, rows, grads, lr):
    parameter = nn.Parameter(weight.detach())
    parameter.grad = torch.zeros_like(weight).index_put_((rows,), grads, accumulate=True)
    torch.optim.SGD([parameter], lr=lr).step()


@right_form(STEP, "numpy_on_shared_memory")
def sparse_sgd_step_(weight, rows, grads, lr):
    np.subtract.at(weight.detach().numpy(), rows.numpy(), lr * grads.numpy())


@right_form(STEP, "scatter_add")
def sparse_sgd_step_(weight, rows, grads, lr):
    weight.scatter_add_(0, rows[:, None].expand_as(grads), -lr * grads)


@right_form(STEP, "sparse_backward_and_optimizer")
def sparse_sgd_step_(weight, rows, grads, lr):
    table = nn.Parameter(weight)
    F.embedding(rows, table, sparse=True).backward(grads)
    torch.optim.SGD([table], lr=lr).step()
    return weight
