"""Wrong answers to grad_after_lookup by name."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import mistake


@mistake(
    "03.grad_after_lookup", "through_the_norm", stage="values",
    diagnosis="The clipping itself was differentiated; PyTorch writes the short row to the table first, and "
    "the gradient does not depend on its length before.",
    next_step="Clip outside of what autograd records, and treat the clipped rows as the table.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = weight.clone().requires_grad_()
    out = torch.renorm(table, 2, 0, max_norm)[ids]
    out.backward(grad_fn(out).detach())
    return table.grad


@mistake(
    "03.grad_after_lookup", "unclipped_row", stage="values",
    diagnosis="The gradient is taken at the long row; the lookup returns the clipped one.",
    next_step="Row (3, 4) with max_norm=1.0 and gradient 2 * out gives (1.2, 1.6), not (6, 8).",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    grad = torch.zeros_like(weight)
    grad.index_add_(0, ids.reshape(-1), grad_fn(weight[ids]).reshape(-1, weight.shape[1]))
    return grad


@mistake(
    "03.grad_after_lookup", "scaled_by_the_factor", stage="values",
    diagnosis="The gradient was multiplied with max_norm / norm: the chain rule was carried on through the clipping.",
    next_step="Stop at the clipped row: the vector that arrives at it is already the gradient of the table's row.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    factor = max_norm / weight.norm(dim=1, keepdim=True).clamp(min=max_norm)
    out = (weight * factor)[ids]
    grad = torch.zeros_like(weight)
    grad.index_add_(0, ids.reshape(-1), grad_fn(out).reshape(-1, weight.shape[1]))
    return grad * factor


@mistake(
    "03.grad_after_lookup", "clips_the_gradient", stage="values",
    diagnosis="The gradient's rows were clipped too; max_norm bounds rows of the table, and no gradient.",
    next_step="Clip before the lookup, and leave the gradient as long as it is.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    out = torch.renorm(weight, 2, 0, max_norm)[ids]
    grad = torch.zeros_like(weight)
    grad.index_add_(0, ids.reshape(-1), grad_fn(out).reshape(-1, weight.shape[1]))
    return torch.renorm(grad, 2, 0, max_norm)


@mistake(
    "03.grad_after_lookup", "clipped_rows_get_none", stage="values",
    diagnosis="Clipped rows have gradient 0, as if clipping were a clamp that stops the gradient.",
    next_step="Clipped rows learn as well: their gradient is grad_fn(out) at the clipped row.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    short = weight.norm(dim=1, keepdim=True) <= max_norm
    out = torch.renorm(weight, 2, 0, max_norm)[ids]
    grad = torch.zeros_like(weight)
    grad.index_add_(0, ids.reshape(-1), grad_fn(out).reshape(-1, weight.shape[1]))
    return grad * short


@mistake(
    "03.grad_after_lookup", "repeats_overwrite", stage="values",
    diagnosis="When an id occurs twice, only one of its gradients is kept; they add up.",
    next_step="`grad[ids] += ...` writes each row once. Use `index_add_`, or a loop with +=.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    out = torch.renorm(weight, 2, 0, max_norm)[ids]
    grad_output = grad_fn(out).reshape(-1, weight.shape[1])
    grad = torch.zeros_like(weight)
    for position, row in enumerate(ids.reshape(-1).tolist()):
        grad[row] = grad_output[position]
    return grad


@mistake(
    "03.grad_after_lookup", "repeats_averaged", stage="values",
    diagnosis="The gradients of a repeated id are averaged; they add up.",
    next_step="Take the division by the counts out.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    out = torch.renorm(weight, 2, 0, max_norm)[ids]
    grad = torch.zeros_like(weight)
    grad.index_add_(0, ids.reshape(-1), grad_fn(out).reshape(-1, weight.shape[1]))
    counts = torch.bincount(ids.reshape(-1), minlength=len(weight)).clamp(min=1)
    return grad / counts[:, None]


@mistake(
    "03.grad_after_lookup", "changes_the_weight", stage="property",
    diagnosis="The lookup clipped the caller's weight, which should stay as it is.",
    next_step="Look up in `weight.clone()`: `from_pretrained`, `.data` and `.detach()` share the weight's memory.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    embedding = nn.Embedding.from_pretrained(weight, freeze=False, max_norm=max_norm)
    out = embedding(ids)
    out.backward(grad_fn(out.detach()))
    return embedding.weight.grad


@mistake(
    "03.grad_after_lookup", "weight_requires_grad_afterwards", stage="property",
    diagnosis="The caller's weight came as a plain tensor, and requires grad after the call.",
    next_step="Let a copy require grad: `weight.clone().requires_grad_()`.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    before = weight.clone()
    weight.requires_grad_()
    out = F.embedding(ids, weight, max_norm=max_norm)
    out.backward(grad_fn(out.detach()))
    weight.data.copy_(before)
    return weight.grad


@mistake(
    "03.grad_after_lookup", "looked_up_rows_only", stage="shape",
    diagnosis="This is the gradient at out, one vector for each id; the table's gradient has a row for every word.",
    next_step="Start from zeros of weight's shape and add each vector to the row of its id.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    return grad_fn(torch.renorm(weight, 2, 0, max_norm)[ids])


@mistake(
    "03.grad_after_lookup", "grad_fn_taken_for_the_loss", stage="values",
    diagnosis="The sum of out * grad_fn(out) was differentiated, and so grad_fn as well; grad_fn(out) already is the "
    "gradient.",
    next_step="Detach grad_fn(out), or hand it to `out.backward(...)`.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = torch.renorm(weight, 2, 0, max_norm).requires_grad_()
    out = table[ids]
    (out * grad_fn(out)).sum().backward()
    return table.grad


@mistake(
    "03.grad_after_lookup", "flattened_for_grad_fn", stage="raises",
    diagnosis="grad_fn is called with a flat list of vectors; it expects out with the shape of ids.",
    next_step="Call `grad_fn(table[ids])` with ids as they came, and flatten what it returns.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    flat = ids.reshape(-1)
    out = torch.renorm(weight, 2, 0, max_norm)[flat]
    return torch.zeros_like(weight).index_add_(0, flat, grad_fn(out))


@mistake(
    "03.grad_after_lookup", "grad_fn_row_by_row", stage="raises",
    diagnosis="grad_fn is called with one vector at a time; the loss, and so its gradient, is that of out as a whole.",
    next_step="Call grad_fn once, with all of out, and hand its vectors out afterwards.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = torch.renorm(weight, 2, 0, max_norm)
    grad = torch.zeros_like(weight)
    for row in ids.reshape(-1).tolist():
        grad[row] += grad_fn(table[row])
    return grad


@mistake(
    "03.grad_after_lookup", "each_row_looked_up_once", stage="values",
    diagnosis="grad_fn is called with the distinct rows, sorted; out has a vector for every id, in the order of ids.",
    next_step="out is `table[ids]`, repeats and all: call grad_fn with that.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    rows = ids.unique()
    out = torch.renorm(weight, 2, 0, max_norm)[rows]
    return torch.zeros_like(weight).index_add_(0, rows, grad_fn(out))


@mistake(
    "03.grad_after_lookup", "grad_fn_of_the_whole_table", stage="raises",
    diagnosis="grad_fn is called with the table instead of out.",
    next_step="out is what the lookup returns, `table[ids]`: call grad_fn with that.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    grad = grad_fn(torch.renorm(weight, 2, 0, max_norm))
    seen = torch.bincount(ids.reshape(-1), minlength=len(weight))
    return grad * seen[:, None]


@mistake(
    "03.grad_after_lookup", "zero_rows_divide", stage="not finite",
    diagnosis="A row of zeros is divided by its length, 0, and becomes nan.",
    next_step="Keep the norm away from 0 before you divide: a row of zeros is never too long.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    norms = weight.norm(dim=1, keepdim=True)
    out = (weight / norms * norms.clamp(max=max_norm))[ids]
    return torch.zeros_like(weight).index_add_(0, ids.reshape(-1), grad_fn(out).reshape(-1, weight.shape[1]))


@mistake(
    "03.grad_after_lookup", "sparse_gradient", stage="type",
    diagnosis="The gradient is a sparse tensor; a plain nn.Embedding leaves a dense one of shape (V, d).",
    next_step="Leave `sparse=True` out, or call `.to_dense()`.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    embedding = nn.Embedding(*weight.shape, max_norm=max_norm, sparse=True, _weight=weight.clone())
    out = embedding(ids)
    out.backward(grad_fn(out))
    return embedding.weight.grad


@mistake(
    "03.grad_after_lookup", "only_across_the_row", stage="values",
    diagnosis="The part of the gradient along a clipped row is taken out, as if its length were fixed; PyTorch keeps it.",
    next_step="The clipped copy counts as the table itself: its gradient stays whole.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = weight.renorm(2, 0, max_norm)
    grad_output = grad_fn(table[ids])
    grad = torch.zeros_like(table).index_add_(0, ids.reshape(-1), grad_output.reshape(-1, table.shape[1]))
    directions = F.normalize(table, dim=1)
    along = (grad * directions).sum(dim=1, keepdim=True) * directions
    return torch.where(weight.norm(dim=1, keepdim=True) > max_norm, grad - along, grad)


@mistake(
    "03.grad_after_lookup", "averaged_over_the_ids", stage="values",
    diagnosis="The gradient is divided by the number of ids; grad_fn(out) is the gradient of the whole loss already.",
    next_step="Add the gradients up, and divide by nothing.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = weight.renorm(2, 0, max_norm)
    grad_output = grad_fn(table[ids])
    grad = torch.zeros_like(table).index_add_(0, ids.reshape(-1), grad_output.reshape(-1, table.shape[1]))
    return grad / max(ids.numel(), 1)


@mistake(
    "03.grad_after_lookup", "zero_rows_get_none", stage="values",
    diagnosis="A row of zeros has gradient 0; it is looked up and learns like any other row.",
    next_step="A row of zeros is short enough: nothing about it is special.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = weight.renorm(2, 0, max_norm)
    grad_output = grad_fn(table[ids])
    grad = torch.zeros_like(table).index_add_(0, ids.reshape(-1), grad_output.reshape(-1, table.shape[1]))
    return grad * (table != 0).any(dim=1, keepdim=True)


@mistake(
    "03.grad_after_lookup", "none_without_ids", stage="type",
    diagnosis="Without ids nothing comes back; the gradient is a table of zeros then.",
    next_step="Leave the special case out: `index_add_` of nothing leaves the zeros.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    if ids.numel():
        table = weight.renorm(2, 0, max_norm)
        grad_output = grad_fn(table[ids])
        return torch.zeros_like(table).index_add_(0, ids.reshape(-1), grad_output.reshape(-1, table.shape[1]))


@mistake(
    "03.grad_after_lookup", "grad_fn_taken_for_a_layer", stage="values",
    diagnosis="`grad_fn` is treated as a step of the computation and differentiated; what it returns is already the gradient.",
    next_step="Hand it to backward: `out.backward(grad_fn(out))`.",
)
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    embedding = torch.nn.Embedding(*weight.shape, max_norm=max_norm, _weight=weight.clone())
    grad_fn(embedding(ids)).sum().backward()
    return embedding.weight.grad
