# exercise 02.numeric_grad
import numpy as np
import torch


# mistake forward_difference (values)
# This is the one-sided difference (f(x + eps) - f(x)) / eps: its error is a thousand times larger.
# Next: Step to both sides of x and divide by 2 * eps.
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    here = float(f(x))
    for index in np.ndindex(x.shape):
        moved = x.clone()
        moved[index] += eps
        gradient[index] = (float(f(moved)) - here) / eps
    return gradient


# mistake backward_difference (values), from forward_difference
# This is the one-sided difference (f(x) - f(x - eps)) / eps: its error is a thousand times larger.
# Next: Step to both sides of x and divide by 2 * eps.
#   moved[index] += eps => moved[index] -= eps
#   float(f(moved)) - here => here - float(f(moved))


# base plain
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient


# mistake twice_too_large (values), from plain
# Every slope is twice too large: the two points are 2 * eps apart, not eps.
# Next: Divide by (2 * eps), with the brackets.
#   (float(f(right)) - float(f(left))) / (2 * eps) => (float(f(right)) - float(f(left))) / eps

# mistake brackets_missing (values), from plain
# `/ 2 * eps` divides by 2 and then multiplies by eps: the slopes are nearly zero.
# Next: Write `/ (2 * eps)`.
#   (float(f(right)) - float(f(left))) / (2 * eps) => (float(f(right)) - float(f(left))) / 2 * eps

# mistake half_the_step (values), from plain
# The two points lie eps / 2 to either side of x; they should lie eps to either side.
# Next: Step by eps and divide by 2 * eps.
#   right[index] += eps => right[index] += eps / 2
#   left[index] -= eps => left[index] -= eps / 2
#   (float(f(right)) - float(f(left))) / (2 * eps) => (float(f(right)) - float(f(left))) / eps

# mistake eps_ignored (values), from plain
# The result does not follow eps as the central difference does.
# Next: Use nothing but f at x + eps and at x - eps, and the parameter eps in the steps and in the division.
#   right[index] += eps => right[index] += 1e-4
#   left[index] -= eps => left[index] -= 1e-4
#   (float(f(right)) - float(f(left))) / (2 * eps) => (float(f(right)) - float(f(left))) / 2e-4

# mistake sign_flipped (values), from plain
# The sign is turned round: left minus right.
# Next: Subtract the value at x - eps from the value at x + eps.
#   float(f(right)) - float(f(left)) => float(f(left)) - float(f(right))


# mistake flat_result (shape)
# The gradient comes back in one row; it should have the shape of x.
# Next: Reshape the slopes to x.shape at the end.
def numeric_grad(f, x, eps=1e-4):
    flat = x.reshape(-1)
    gradient = torch.zeros_like(flat)
    for position in range(flat.numel()):
        step = torch.zeros_like(flat)
        step[position] = eps
        step = step.reshape(x.shape)
        gradient[position] = (float(f(x + step)) - float(f(x - step))) / (2 * eps)
    return gradient


# mistake always_float32 (dtype), from plain
# The gradient is float32 whatever x is; seven digits are too few for a gradient check.
# Next: Use `torch.zeros_like(x)`, which keeps the dtype.
#   torch.zeros_like(x) => torch.zeros(x.shape)

# mistake float32_inside (values), from plain
# x is rounded to float32 on the way, where a step of 1e-4 is mostly rounding error.
# Next: Leave `.float()` out: work in the dtype of x.
#   -        right, left = x.clone(), x.clone()
#   +        right, left = x.float(), x.float()
#   +        right, left = right.clone(), left.clone()

# mistake always_float64 (dtype), from plain
# A float32 x gets a float64 gradient.
# Next: Return the dtype of x, whatever you compute in.
#   torch.zeros_like(x) => torch.zeros(x.shape, dtype=torch.float64)

# mistake f_must_return_a_tensor (raises), from plain
# It asks the value of f for `.item()`, which a Python float does not have.
# Next: `float(value)` takes both a 0-d tensor and a float.
#   float(f(right)) - float(f(left)) => f(right).item() - f(left).item()

# mistake float_becomes_float32 (values), from plain
# A Python float has 16 digits; `torch.tensor(value)` keeps 7 of them, too few for a small difference.
# Next: Subtract Python floats: `float(f(...))` serves both kinds of result.
#   float(f(right)) - float(f(left)) => torch.as_tensor(f(right)) - torch.as_tensor(f(left))


# mistake nothing_to_stack (raises)
# It fails when x has no entries: `torch.stack` needs at least one tensor.
# Next: Start from `torch.zeros_like(x)` and fill it, or use `torch.tensor(slopes)`.
def numeric_grad(f, x, eps=1e-4):
    slopes = []
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        slopes.append(torch.tensor((float(f(right)) - float(f(left))) / (2 * eps), dtype=x.dtype))
    return torch.stack(slopes).reshape(x.shape)


# mistake autograd (values)
# This is autograd's exact gradient, which takes no step at all; the point is to have something to check it with.
# Next: Use nothing but values of f, at x displaced by eps to either side.
def numeric_grad(f, x, eps=1e-4):
    leaf = x.detach().clone().requires_grad_(True)
    value = f(leaf)
    if not torch.is_tensor(value):
        raise TypeError("f must return a tensor")
    return torch.autograd.grad(value, leaf)[0]


# mistake step_relative_to_x (values), from plain
# The step grows with the entry; it should be eps for every entry.
# Next: Add and subtract eps itself.
#        for index in np.ndindex(x.shape):
#   +        step = eps * max(abs(float(x[index])), 1e-8)
#   right[index] += eps => right[index] += step
#   left[index] -= eps => left[index] -= step
#   2 * eps => 2 * step

# mistake sign_lost (values), from plain
# The absolute value of the difference is taken: slopes that fall come out as rising.
# Next: f to the right minus f to the left, with its sign.
#   (float(f(right)) - float(f(left))) / (2 * eps) => abs(float(f(right)) - float(f(left))) / (2 * eps)


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
# The slopes are right, but x is changed after the call: it is not what the caller gave.
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
# The slopes are right, but they are written into x itself: its old numbers are gone.
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
# Entries are counted in the order in which they lie in memory; a transposed tensor has another order there.
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
# All entries are displaced together, so each gets the same slope: that along (1, 1, ..., 1).
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
