"""Wrong answers to the numeric gradient by name, and unusual right ones."""

import itertools

import numpy as np
import torch

from grader.catalogue import mistake, right_form

NUMERIC = "02.numeric_grad"


@mistake(
    NUMERIC, "forward_difference", stage="values",
    diagnosis="This is the one-sided difference (f(x + eps) - f(x)) / eps: its "
    "error is a thousand times larger.",
    next_step="Step to both sides of x and divide by 2 * eps.",
)  # fmt: skip
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
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    here = float(f(x))
    for index in np.ndindex(x.shape):
        moved = x.clone()
        moved[index] -= eps
        gradient[index] = (here - float(f(moved))) / eps
    return gradient


@mistake(
    NUMERIC, "twice_too_large", stage="values",
    diagnosis="Every slope is twice too large: the two points are 2 * eps apart, not eps.",
    next_step="Divide by (2 * eps), with the brackets.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(right)) - float(f(left))) / eps
    return gradient


@mistake(
    NUMERIC, "brackets_missing", stage="values",
    diagnosis="`/ 2 * eps` divides by 2 and then multiplies by eps: the slopes are nearly zero.",
    next_step="Write `/ (2 * eps)`.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(right)) - float(f(left))) / 2 * eps
    return gradient


@mistake(
    NUMERIC, "half_the_step", stage="values",
    diagnosis="The points are eps / 2 to either side; asked for is eps to either side.",
    next_step="Step by eps and divide by 2 * eps.",
)  # fmt: skip
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
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += 1e-4
        left[index] -= 1e-4
        gradient[index] = (float(f(right)) - float(f(left))) / 2e-4
    return gradient


@mistake(
    NUMERIC, "sign_flipped", stage="values",
    diagnosis="The sign is turned round: left minus right.",
    next_step="Subtract the value at x - eps from the value at x + eps.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(left)) - float(f(right))) / (2 * eps)
    return gradient


@mistake(
    NUMERIC, "not_put_back", stage="values",
    diagnosis="Each entry is left displaced when the next one is tried, and after "
    "the call x is no longer what it was.",
    next_step="Put the entry back before you go on, or displace an entry of a clone.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        x[index] += eps
        right = float(f(x))
        x[index] -= 2 * eps
        left = float(f(x))
        gradient[index] = (right - left) / (2 * eps)
    return gradient


@mistake(
    NUMERIC, "put_back_too_late", stage="property",
    diagnosis="The slopes are right, and x is shifted after the call: its last "
    "state is not what the caller gave.",
    next_step="Compare x before and after the call; or displace an entry of a clone.",
)  # fmt: skip
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


@mistake(
    NUMERIC, "copy_never_reaches_f", stage="values",
    diagnosis="`reshape(-1)` of a tensor with gaps in memory is a copy: displacing "
    "it leaves x, and so f(x), as it was.",
    next_step="Displace x through its own index, x[i, j], or call f with the displaced tensor itself.",
)  # fmt: skip
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


@mistake(
    NUMERIC, "view_of_gaps", stage="raises",
    diagnosis="`view(-1)` fails for a tensor with gaps in memory.",
    next_step="Make a contiguous clone of x first, or go through the indices of x.",
)  # fmt: skip
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


@mistake(
    NUMERIC, "two_names_for_x", stage="values",
    diagnosis="`right = x` and `left = x` are two names for one tensor: both "
    "calls of f see the same numbers.",
    next_step="Use `x.clone()` for each.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right = x
        left = x
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient


@mistake(
    NUMERIC, "one_axis_only", stage="values",
    diagnosis="`x[i]` of a matrix is a whole row: all its entries are displaced at once.",
    next_step="Go through all entries: `numpy.ndindex(x.shape)` yields a full index for each.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for row in range(len(x)):
        right, left = x.clone(), x.clone()
        right[row] += eps
        left[row] -= eps
        gradient[row] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient


@mistake(
    NUMERIC, "all_entries_at_once", stage="shape",
    diagnosis="All entries are displaced together, which gives one number: the slope along (1, 1, ..., 1).",
    next_step="Displace one entry at a time; each gets a slope of its own.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    return torch.as_tensor((f(x + eps) - f(x - eps)) / (2 * eps), dtype=x.dtype)


@mistake(
    NUMERIC, "flat_result", stage="shape",
    diagnosis="The gradient comes back in one row; it should have the shape of x.",
    next_step="Reshape the slopes to x.shape at the end.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    flat = x.reshape(-1)
    gradient = torch.zeros_like(flat)
    for position in range(flat.numel()):
        step = torch.zeros_like(flat)
        step[position] = eps
        step = step.reshape(x.shape)
        gradient[position] = (float(f(x + step)) - float(f(x - step))) / (2 * eps)
    return gradient


@mistake(
    NUMERIC, "f_gets_a_flat_x", stage="raises",
    diagnosis="f is called with a flattened tensor; it takes one of the shape of x.",
    next_step="Reshape the displaced tensor to x.shape before you hand it to f.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    flat = x.reshape(-1)
    gradient = torch.zeros_like(flat)
    for position in range(flat.numel()):
        right, left = flat.clone(), flat.clone()
        right[position] += eps
        left[position] -= eps
        gradient[position] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient.reshape(x.shape)


@mistake(
    NUMERIC, "always_float32", stage="dtype",
    diagnosis="The gradient is float32 whatever x is; seven digits are too few for a gradient check.",
    next_step="Use `torch.zeros_like(x)`, which keeps the dtype.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros(x.shape)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient


@mistake(
    NUMERIC, "float32_inside", stage="values",
    diagnosis="x is rounded to float32 on the way, where a step of 1e-4 is mostly rounding error.",
    next_step="Leave `.float()` out: work in the dtype of x.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.float(), x.float()
        right, left = right.clone(), left.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient


@mistake(
    NUMERIC, "always_float64", stage="dtype",
    diagnosis="A float32 x gets a float64 gradient.",
    next_step="Return the dtype of x, whatever you compute in.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros(x.shape, dtype=torch.float64)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient


@mistake(
    NUMERIC, "f_must_return_a_tensor", stage="raises",
    diagnosis="It asks the value of f for `.item()`, which a Python float does not have.",
    next_step="`float(value)` takes both a 0-d tensor and a float.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (f(right).item() - f(left).item()) / (2 * eps)
    return gradient


@mistake(
    NUMERIC, "float_becomes_float32", stage="values",
    diagnosis="A Python float has 16 digits; `torch.tensor(value)` keeps 7 of them, too few for a small difference.",
    next_step="Subtract Python floats: `float(f(...))` serves both kinds of result.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in np.ndindex(x.shape):
        right, left = x.clone(), x.clone()
        right[index] += eps
        left[index] -= eps
        gradient[index] = (torch.as_tensor(f(right)) - torch.as_tensor(f(left))) / (2 * eps)
    return gradient


@mistake(
    NUMERIC, "all_displaced_in_turn", stage="values",
    diagnosis="The two displaced copies are made once: from the second entry on, earlier ones stay displaced.",
    next_step="Make the copies anew for each entry, inside the loop.",
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    right, left = x.clone(), x.clone()
    for index in np.ndindex(x.shape):
        right[index] += eps
        left[index] -= eps
        gradient[index] = (float(f(right)) - float(f(left))) / (2 * eps)
    return gradient


@mistake(
    NUMERIC, "nothing_to_stack", stage="raises",
    diagnosis="It fails when x has no entries: `torch.stack` needs at least one tensor.",
    next_step="Start from `torch.zeros_like(x)` and fill it, or use `torch.tensor(slopes)`.",
)  # fmt: skip
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
)  # fmt: skip
def numeric_grad(f, x, eps=1e-4):
    leaf = x.detach().clone().requires_grad_(True)
    value = f(leaf)
    if not torch.is_tensor(value):
        raise TypeError("f must return a tensor")
    return torch.autograd.grad(value, leaf)[0]


@right_form(NUMERIC, "in_place_and_restored")
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros_like(x)
    for index in itertools.product(*map(range, x.shape)):
        before = x[index].item()
        x[index] = before + eps
        right = f(x)
        x[index] = before - eps
        left = f(x)
        x[index] = before
        gradient[index] = (right - left) / (2 * eps)
    return gradient


@right_form(NUMERIC, "stepped_back_within_rounding")
def numeric_grad(f, x, eps=1e-4):
    gradient = torch.zeros(x.shape, dtype=x.dtype)
    for index in np.ndindex(*x.shape):
        x[index] += eps
        right = float(f(x))
        x[index] -= 2 * eps
        left = float(f(x))
        x[index] += eps
        gradient[index] = (right - left) / (2 * eps)
    return gradient


@right_form(NUMERIC, "basis_vectors")
def numeric_grad(f, x, eps=1e-4):
    steps = eps * torch.eye(x.numel(), dtype=x.dtype).reshape(x.numel(), *x.shape)
    slopes = [(float(f(x + step)) - float(f(x - step))) / (2 * eps) for step in steps]
    return torch.tensor(slopes, dtype=x.dtype).reshape(x.shape)


@right_form(NUMERIC, "flat_clone_and_view")
def numeric_grad(f, x, eps=1e-4):
    work = x.contiguous().clone()
    flat = work.view(-1)
    gradient = torch.zeros_like(flat)
    with torch.no_grad():
        for position in range(flat.numel()):
            flat[position] += eps
            right = f(work)
            right = right.item() if isinstance(right, torch.Tensor) else right
            flat[position] -= 2 * eps
            left = f(work)
            left = left.item() if isinstance(left, torch.Tensor) else left
            flat[position] = x.reshape(-1)[position]
            gradient[position] = (right - left) / eps / 2
    return gradient.view(x.shape)


@right_form(NUMERIC, "double_precision_and_numpy_inside")
def numeric_grad(f, x, eps=1e-4):
    values = x.numpy().astype(np.float64)
    slopes = np.zeros_like(values)
    for index in np.ndindex(values.shape):
        right, left = values.copy(), values.copy()
        right[index] += eps
        left[index] -= eps
        slopes[index] = (float(f(torch.from_numpy(right))) - float(f(torch.from_numpy(left)))) / (2 * eps)
    return torch.as_tensor(slopes).to(x.dtype)
