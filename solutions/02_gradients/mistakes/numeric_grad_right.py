# exercise 02.numeric_grad
import itertools

import numpy as np
import torch


# right form one_step_vector_at_a_time
def numeric_grad(f, x, eps=1e-4):
    slopes = []
    for place in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=torch.float64)
        step[place] = eps
        right, left = ((x + sign * step.reshape(x.shape)).to(x.dtype) for sign in (1, -1))
        slopes.append((float(f(right)) - float(f(left))) / (2 * eps))
    return torch.tensor(slopes, dtype=x.dtype).reshape(x.shape)


# right form recursion_over_axes
def numeric_grad(f, x, eps=1e-4):
    work, gradient = x.clone(), torch.empty(x.shape, dtype=x.dtype)

    def visit(index):
        if len(index) < x.dim():
            for place in range(x.shape[len(index)]):
                visit((*index, place))
            return
        work[index] = x[index] + eps
        right = float(f(work))
        work[index] = x[index] - eps
        gradient[index] = (right - float(f(work))) / (2 * eps)
        work[index] = x[index]

    visit(())
    return gradient


# right form in_place_and_restored
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


# right form stepped_back_within_rounding
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


# right form basis_vectors
def numeric_grad(f, x, eps=1e-4):
    steps = eps * torch.eye(x.numel(), dtype=x.dtype).reshape(x.numel(), *x.shape)
    slopes = [(float(f(x + step)) - float(f(x - step))) / (2 * eps) for step in steps]
    return torch.tensor(slopes, dtype=x.dtype).reshape(x.shape)


# right form flat_clone_and_view
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


# right form double_precision_and_numpy_inside
def numeric_grad(f, x, eps=1e-4):
    values = x.numpy().astype(np.float64)
    slopes = np.zeros_like(values)
    for index in np.ndindex(values.shape):
        right, left = values.copy(), values.copy()
        right[index] += eps
        left[index] -= eps
        slopes[index] = (float(f(torch.from_numpy(right))) - float(f(torch.from_numpy(left)))) / (2 * eps)
    return torch.as_tensor(slopes).to(x.dtype)
