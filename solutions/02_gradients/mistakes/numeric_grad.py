"""Wrong answers to numeric_grad by name: the difference, its step, shapes and types."""


import numpy as np
import torch

from grader.course_source.catalogue import altered, base, mistake

NUMERIC = "02.numeric_grad"


@mistake(
    NUMERIC, "forward_difference", stage="values",
    diagnosis="This is the one-sided difference (f(x + eps) - f(x)) / eps: its "
    "error is a thousand times larger.",
    next_step="Step to both sides of x and divide by 2 * eps.",
)
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    here = float(f(x))
    for index in np.ndindex(x.shape):
        moved = x.clone()
        moved[index] += eps
        gradient[index] = (float(f(moved)) - here) / eps
    return gradient


@mistake(
    NUMERIC, "backward_difference", stage="values",
    diagnosis="This is the one-sided difference (f(x) - f(x - eps)) / eps: its "
    "error is a thousand times larger.",
    next_step="Step to both sides of x and divide by 2 * eps.",
)
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    here = float(f(x))
    for index in np.ndindex(x.shape):
        moved = x.clone()
        moved[index] -= eps
        gradient[index] = (here - float(f(moved))) / eps
    return gradient


@base("plain")
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient


altered(
    NUMERIC, "twice_too_large", "plain", {"(2 * eps)": "eps"}, stage="values",
    diagnosis="Every slope is twice too large: the two points are 2 * eps apart, not eps.",
    next_step="Divide by (2 * eps), with the brackets.",
)

altered(
    NUMERIC, "brackets_missing", "plain", {"(2 * eps)": "2 * eps"}, stage="values",
    diagnosis="`/ 2 * eps` divides by 2 and then multiplies by eps: the slopes are nearly zero.",
    next_step="Write `/ (2 * eps)`.",
)


@mistake(
    NUMERIC, "half_the_step", stage="values",
    diagnosis="The points are eps / 2 to either side; asked for is eps to either side.",
    next_step="Step by eps and divide by 2 * eps.",
)
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps / 2
        left[index] -= eps / 2
        gradient[index] = (float(f(right)) - float(f(left))) / eps
    return gradient


@mistake(
    NUMERIC, "eps_ignored", stage="values",
    diagnosis="The result does not follow eps as the central difference does.",
    next_step="Use nothing but f at x + eps and at x - eps, and the parameter eps in the steps and in the division.",
)
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += 1e-4
        left[index] -= 1e-4
        gradient[index] = (float(f(right)) - float(f(left))) / 2e-4
    return gradient


altered(
    NUMERIC, "sign_flipped", "plain", {"right)) - float(f(left": "left)) - float(f(right"}, stage="values",
    diagnosis="The sign is turned round: left minus right.",
    next_step="Subtract the value at x - eps from the value at x + eps.",
)


@mistake(
    NUMERIC, "flat_result", stage="shape",
    diagnosis="The gradient comes back in one row; it should have the shape of x.",
    next_step="Reshape the slopes to x.shape at the end.",
)
def numeric_grad(f, x, eps=1e-4):
    flat = x.reshape(-1)
    gradient = torch.zeros_like(flat)
    for position in range(flat.numel()):
        step = torch.zeros_like(flat)
        step[position] = eps
        step = step.reshape(x.shape)
        gradient[position] = (float(f(x + step)) - float(f(x - step))) / (2 * eps)
    return gradient


altered(
    NUMERIC, "always_float32", "plain", {".zeros_like(x)": ".zeros(x.shape)"}, stage="dtype",
    diagnosis="The gradient is float32 whatever x is; seven digits are too few for a gradient check.",
    next_step="Use `torch.zeros_like(x)`, which keeps the dtype.",
)


@mistake(
    NUMERIC, "float32_inside", stage="values",
    diagnosis="x is rounded to float32 on the way, where a step of 1e-4 is mostly rounding error.",
    next_step="Leave `.float()` out: work in the dtype of x.",
)
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.float(), x.float()
        right, left = right.clone(), left.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient


altered(
    NUMERIC, "always_float64", "plain", {".zeros_like(x)": ".zeros(x.shape, dtype=torch.float64)"}, stage="dtype",
    diagnosis="A float32 x gets a float64 gradient.",
    next_step="Return the dtype of x, whatever you compute in.",
)

altered(
    NUMERIC, "f_must_return_a_tensor", "plain",
    {"(float(f(right)) - float(f(left)))": "(f(right).item() - f(left).item())"},
    stage="raises",
    diagnosis="It asks the value of f for `.item()`, which a Python float does not have.",
    next_step="`float(value)` takes both a 0-d tensor and a float.",
)

altered(
    NUMERIC, "float_becomes_float32", "plain",
    {"float(f(right)) - float": "torch.as_tensor(f(right)) - torch.as_tensor"},
    stage="values",
    diagnosis="A Python float has 16 digits; `torch.tensor(value)` keeps 7 of them, too few for a small difference.",
    next_step="Subtract Python floats: `float(f(...))` serves both kinds of result.",
)


@mistake(
    NUMERIC, "nothing_to_stack", stage="raises",
    diagnosis="It fails when x has no entries: `torch.stack` needs at least one tensor.",
    next_step="Start from `torch.zeros_like(x)` and fill it, or use `torch.tensor(slopes)`.",
)
def numeric_grad(f, x, eps=1e-4):
    slopes = []
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        slopes.append(torch.tensor((float(f(right)) - float(f(left))) / (2 * eps), dtype=x.dtype))
    return torch.stack(slopes).reshape(x.shape)


@mistake(
    NUMERIC, "autograd", stage="values",
    diagnosis="This is autograd's exact gradient, which takes no step at all; the point "
    "is to have something to check it with.",
    next_step="Use nothing but values of f, at x displaced by eps to either side.",
)
def numeric_grad(f, x, eps=1e-4):
    leaf = x.detach().clone().requires_grad_(True)
    value = f(leaf)
    if not torch.is_tensor(value):
        raise TypeError("f must return a tensor")
    return torch.autograd.grad(value, leaf)[0]


@mistake(
    NUMERIC, "step_relative_to_x", stage="values",
    diagnosis="The step grows with the entry; asked for is eps to either side of every entry.",
    next_step="Add and subtract eps itself.",
)
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        step = eps * max(abs(float(x[index])), 1e-8)
        right, left = x.clone(), x.clone()
        right[index] += step
        left[index] -= step
        gradient[index] = (float(f(right)) - float(f(left))) / (2 * step)
    return gradient


altered(
    NUMERIC, "sign_lost", "plain",
    {"gradient[index] = (float(f(right))": "gradient[index] = abs(float(f(right))"},
    stage="values",
    diagnosis="The absolute value of the difference is taken: slopes that fall come out as rising.",
    next_step="f to the right minus f to the left, with its sign.",
)
