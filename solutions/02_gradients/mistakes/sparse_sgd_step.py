# exercise 02.sparse_sgd_step_
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


# mistake loses_repeats (values)
# Of several gradients at one row only one counts: indexed assignment writes each row once.
# Next: Try rows [0, 0] with gradients of ones and lr 1: the row should fall by 2. See `index_add_`.
def sparse_sgd_step_(weight, rows, grads, lr):
    weight[rows] -= lr * grads


# mistake averages_repeats (values)
# A row that is given several times moves by the mean of its gradients; it should move by their sum.
# Next: Leave the division by the counts out.
def sparse_sgd_step_(weight, rows, grads, lr):
    counts = torch.bincount(rows, minlength=len(weight))
    weight.index_add_(0, rows, -lr * grads / counts[rows][:, None])


# mistake new_tensor (values)
# The caller's table does not change: `weight = ...` or `weight - ...` makes a new tensor.
# Next: Use an operation that changes `weight` itself: `weight[...] -= ...`, or a method that ends in `_`.
def sparse_sgd_step_(weight, rows, grads, lr):
    weight = weight.index_add(0, rows, grads, alpha=-lr)
    return weight


# mistake uphill (values), from loses_repeats
# The rows move along the gradient: the loss rises.
# Next: Subtract lr times the gradient.
#   weight[rows] -= lr * grads => weight.index_add_(0, rows, grads, alpha=lr)

# mistake without_learning_rate (values), from loses_repeats
# The rows move by the whole gradient: lr is not used.
# Next: Multiply the gradients by lr.
#   weight[rows] -= lr * grads => weight.index_add_(0, rows, -grads)

# mistake mean_over_the_batch (values), from loses_repeats
# The step is divided by the number of rows given; each row takes its own full step.
# Next: Leave the division out: the mean, if any, is already in the gradients.
#   weight[rows] -= lr * grads => weight.index_add_(0, rows, grads, alpha=-lr / max(len(rows), 1))

# mistake sorted_without_their_gradients (values), from loses_repeats
# The rows are sorted and the gradients are not: they no longer belong together.
# Next: Keep rows and grads in the order in which they came.
#   weight[rows] -= lr * grads => weight.index_add_(0, rows.sort().values, grads, alpha=-lr)


# mistake copy_of_a_table_with_gaps (values)
# `contiguous()` or `reshape(-1)` of a table with gaps in memory is a copy: the caller's table does not change.
# Next: Call the in-place operation on `weight` itself.
def sparse_sgd_step_(weight, rows, grads, lr):
    table = weight.contiguous()
    table.index_add_(0, rows, grads, alpha=-lr)


# mistake flat_view (raises)
# `view(-1)` fails for a table with gaps in memory.
# Next: Index whole rows of `weight`; there is no need to flatten it.
def sparse_sgd_step_(weight, rows, grads, lr):
    width = weight.shape[1]
    places = rows[:, None] * width + torch.arange(width)
    weight.view(-1).index_add_(0, places.reshape(-1), grads.reshape(-1), alpha=-lr)


# mistake other_memory (values), from loses_repeats
# A new tensor is put in the table's place, as by `weight.data = ...`: other names for its memory keep the old numbers.
# Next: Write into the memory that is there: a method that ends in `_`.
#   weight[rows] -= lr * grads => weight.data = weight.data.index_add(0, rows, grads, alpha=-lr)


# mistake gradients_overwritten (property)
# The step is right, but the caller's gradients are multiplied by lr: `grads *= lr` works in place.
# Next: Write `lr * grads`, which makes a new tensor.
def sparse_sgd_step_(weight, rows, grads, lr):
    grads *= lr
    weight.index_add_(0, rows, -grads)


# mistake decays_the_other_rows (values), from loses_repeats
# The rows that are not given shrink: there is no weight decay in this step.
# Next: Touch the given rows only.
#   weight[rows] -= lr * grads => weight.mul_(1 - lr * 0.01).index_add_(0, rows, grads, alpha=-lr)


# mistake float32_buffer (raises)
# The gradients are collected in a float32 buffer, which float64 gradients do not fit.
# Next: Make the buffer with `torch.zeros_like(weight)`.
def sparse_sgd_step_(weight, rows, grads, lr):
    dense = torch.zeros(weight.shape)
    dense.index_add_(0, rows, grads)
    weight -= lr * dense


# mistake rounds_to_float32 (values)
# The step is computed in float32: a float64 table keeps only seven digits.
# Next: Leave `.float()` out, and work in the dtype of weight.
def sparse_sgd_step_(weight, rows, grads, lr):
    weight.copy_(weight.float().index_add(0, rows, grads.float(), alpha=-lr))


# mistake first_rows (values)
# The first rows of the table move, whatever rows are given.
# Next: `rows` holds the numbers of the rows: use it as an index, not its length.
def sparse_sgd_step_(weight, rows, grads, lr):
    for k in range(len(rows)):
        weight[k % len(weight)] -= lr * grads[k]


# mistake largest_row_of_none (raises)
# It fails when no rows are given.
# Next: Try rows of shape (0,). `max` and `torch.stack` need at least one value; `index_add_` does not.
def sparse_sgd_step_(weight, rows, grads, lr):
    assert rows.max() < len(weight)
    weight.index_add_(0, rows, grads, alpha=-lr)


# mistake first_occurrence_only (values)
# A row that was given once is skipped when it comes again.
# Next: Each occurrence moves the row: go through all of them.
def sparse_sgd_step_(weight, rows, grads, lr):
    done = set()
    for row, grad in zip(rows.tolist(), grads):
        if row not in done:
            weight[row] -= lr * grad
            done.add(row)


# mistake directions_only (values), from loses_repeats
# The gradients are brought to length 1 first; a step is lr times the gradient as it is.
# Next: Leave the gradients as they are.
#   weight[rows] -= lr * grads => weight.index_add_(0, rows, F.normalize(grads, dim=1), alpha=-lr)


# mistake rows_replaced (values)
# The rows are replaced by the step; they should move by it.
# Next: `weight[...] = ...` writes over what was there; the step is added to it.
def sparse_sgd_step_(weight, rows, grads, lr):
    step = torch.zeros_like(weight).index_add_(0, rows, grads)
    weight[rows] = -lr * step[rows]


# right form loop_over_rows
def sparse_sgd_step_(weight, rows, grads, lr):
    for row, grad in zip(rows.tolist(), grads):
        weight[row] -= lr * grad


# right form loop_over_numbers
def sparse_sgd_step_(weight, rows, grads, lr):
    for k in range(rows.shape[0]):
        for column in range(weight.shape[1]):
            weight[rows[k], column] = weight[rows[k], column] - lr * grads[k, column].item()
    return weight


# right form unique_rows_summed
def sparse_sgd_step_(weight, rows, grads, lr):
    distinct, where = torch.unique(rows, return_inverse=True)
    summed = torch.zeros(len(distinct), grads.shape[1], dtype=grads.dtype).index_add(0, where, grads)
    weight[distinct] -= lr * summed


# right form dense_and_copied_back
def sparse_sgd_step_(weight, rows, grads, lr):
    one_hot = F.one_hot(rows, len(weight)).to(grads.dtype)
    weight.copy_(weight - lr * (one_hot.T @ grads))


# right form torch_optimizer
def sparse_sgd_step_(weight, rows, grads, lr):
    parameter = nn.Parameter(weight.detach())
    parameter.grad = torch.zeros_like(weight).index_put_((rows,), grads, accumulate=True)
    torch.optim.SGD([parameter], lr=lr).step()


# right form numpy_on_shared_memory
def sparse_sgd_step_(weight, rows, grads, lr):
    np.subtract.at(weight.detach().numpy(), rows.numpy(), lr * grads.numpy())


# right form scatter_add
def sparse_sgd_step_(weight, rows, grads, lr):
    weight.scatter_add_(0, rows[:, None].expand_as(grads), -lr * grads)


# right form sparse_backward_and_optimizer
def sparse_sgd_step_(weight, rows, grads, lr):
    table = nn.Parameter(weight)
    F.embedding(rows, table, sparse=True).backward(grads)
    torch.optim.SGD([table], lr=lr).step()
    return weight
