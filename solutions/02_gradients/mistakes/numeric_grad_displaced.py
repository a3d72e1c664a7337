# exercise 02.numeric_grad
"""Wrong answers to numeric_grad by name: which entries are displaced, and in whose memory."""

import numpy as np
import torch


# mistake not_put_back (values)
# Each entry is left displaced when the next one is tried, and after the call x is no longer what it was.
# Next: Put the entry back before you go on, or displace an entry of a clone.
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        x[index] += eps
        right = float(f(x))
        x[index] -= 2 * eps
        left = float(f(x))
        gradient[index] = (right - left) / (2 * eps)
    return gradient


# mistake put_back_too_late (property)
# The slopes are right, and x is shifted after the call: its last state is not what the caller gave.
# Next: Compare x before and after the call; or displace an entry of a clone.
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    original = x.clone()
    for index in np.ndindex(x.shape):
        x.copy_(original)
        x[index] += eps
        right = float(f(x))
        x[index] -= 2 * eps
        gradient[index] = (right - float(f(x))) / (2 * eps)
    return gradient


# mistake copy_never_reaches_f (values)
# `reshape(-1)` of a tensor with gaps in memory is a copy: displacing it leaves x, and so f(x), as it was.
# Next: Displace x through its own index, x[i, j], or call f with the displaced tensor itself.
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    flat = x.reshape(-1)
    slopes = []
    for position in range(flat.numel()):
        before = flat[position].item()
        flat[position] = before + eps
        right = float(f(x))
        flat[position] = before - eps
        left = float(f(x))
        flat[position] = before
        slopes.append((right - left) / (2 * eps))
    return torch.tensor(slopes, dtype=x.dtype).reshape(x.shape) + gradient


# mistake view_of_gaps (raises)
# `view(-1)` fails for a tensor with gaps in memory.
# Next: Make a contiguous clone of x first, or go through the indices of x.
def numeric_grad(f, x, eps=1e-4):
    slopes = []
    flat = x.view(-1)
    for position in range(flat.numel()):
        before = flat[position].item()
        flat[position] = before + eps
        right = float(f(x))
        flat[position] = before - eps
        left = float(f(x))
        flat[position] = before
        slopes.append((right - left) / (2 * eps))
    return torch.tensor(slopes, dtype=x.dtype).view(x.shape)


# base plain
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient


# mistake two_names_for_x (values), from plain
# `right = x` and `left = x` are two names for one tensor: both calls of f see the same numbers.
# Next: Use `x.clone()` for each.
#   -        right, left = x.clone(), x.clone()
#   +        right = x
#   +        left = x

# mistake one_axis_only (values), from plain
# `x[i]` of a matrix is a whole row: all its entries are displaced at once.
# Next: Go through all entries: `numpy.ndindex(x.shape)` yields a full index for each.
#   -    for index in np.ndindex(x.shape):
#   +    for row in range(len(x)):
#   right[index] => right[row]
#   left[index] => left[row]
#   gradient[index] => gradient[row]


# mistake all_entries_at_once (shape)
# All entries are displaced together, which gives one number: the slope along (1, 1, ..., 1).
# Next: Displace one entry at a time; each gets a slope of its own.
def numeric_grad(f, x, eps=1e-4):
    return torch.as_tensor((f(x + eps) - f(x - eps)) / (2 * eps), dtype=x.dtype)


# mistake f_gets_a_flat_x (raises)
# f is called with a flattened tensor; it takes one of the shape of x.
# Next: Reshape the displaced tensor to x.shape before you hand it to f.
def numeric_grad(f, x, eps=1e-4):
    flat = x.reshape(-1)
    gradient = torch.zeros_like(flat)
    for position in range(flat.numel()):
        right, left = flat.clone(), flat.clone()
        right[position] += eps
        left[position] -= eps
        gradient[position] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient.reshape(x.shape)


# mistake all_displaced_in_turn (values), from plain
# The two displaced copies are made once: from the second entry on, earlier ones stay displaced.
# Next: Make the copies anew for each entry, inside the loop.
#        gradient = torch.zeros_like(x)
#   +    right, left = x.clone(), x.clone()
#   -        right, left = x.clone(), x.clone()


# mistake result_written_into_x (property)
# The slopes are right, and stand in x itself: its numbers are gone.
# Next: Write the slopes into a new tensor, `torch.zeros_like(x)`.
def numeric_grad(f, x, eps=1e-4):
    start = x.clone()
    for index in np.ndindex(x.shape):
        right, left = start.clone(), start.clone()
        right[index] += eps
        left[index] -= eps
        x[index] = (float(f(right)) - float(f(left))) / (2 * eps)
    return x


# mistake order_in_memory (values)
# Entries are counted in the order in which they lie in memory, which for a transposed tensor is another one.
# Next: Index the tensor itself, by tuples as `numpy.ndindex` yields them.
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros(x.numel(), dtype=x.dtype)
    for place in range(x.numel()):
        right, left = x.clone(), x.clone()
        torch.as_strided(right, (x.numel(),), (1,))[place] += eps
        torch.as_strided(left, (x.numel(),), (1,))[place] -= eps
        gradient[place] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient.reshape(x.shape)


# mistake displaced_in_x_itself (values)
# `right = x` is a second name for x: the step to the left begins where the step to the right ended.
# Next: Use `x.clone()` for each: then both steps begin at x, and x stays as it was.
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right = x
        right[index] += eps
        above = float(f(right))
        left = x
        left[index] -= eps
        below = float(f(left))
        gradient[index] = (above - below) / (2 * eps)
    return gradient


# mistake one_slope_for_all (values)
# All entries are displaced together, and each gets the one slope that comes of it: that along (1, 1, ..., 1).
# Next: Displace one entry at a time; each gets a slope of its own.
def numeric_grad(f, x, eps=1e-4):
    return torch.full_like(x, float(f(x + eps) - f(x - eps)) / (2 * eps))


# mistake rows_and_columns_only (raises)
# Two loops, over rows and columns, fit a matrix only; x may have any shape.
# Next: `numpy.ndindex(x.shape)` goes through all entries whatever the shape is.
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for row in range(x.shape[0]):
        for column in range(x.shape[1]):
            right, left = x.clone(), x.clone()
            right[row, column] += eps
            left[row, column] -= eps
            gradient[row, column] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient


# mistake not_put_back_and_brackets_missing (values), from not_put_back
# Two mistakes meet here. The first: `/ 2 * eps` divides by 2 and then multiplies by eps. The second: each entry is left
# displaced when the next one is tried.
# Next: Write `/ (2 * eps)`, and put the entry back before you go on.
#   (right - left) / (2 * eps) => (right - left) / 2 * eps
