# exercise 02.numeric_grad
"""Wrong answers to numeric_grad by name: the difference, its step, shapes and types."""

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
# The points are eps / 2 to either side; asked for is eps to either side.
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
# The step grows with the entry; asked for is eps to either side of every entry.
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
