# exercise 03.grad_after_lookup
import torch
import torch.nn as nn
import torch.nn.functional as F


# mistake through_the_norm (values)
# The clipping itself was differentiated; PyTorch writes the short row to the table first, and the gradient does not depend on
# its length before.
# Next: Clip outside of what autograd records, and treat the clipped rows as the table.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = weight.clone().requires_grad_()
    out = torch.renorm(table, 2, 0, max_norm)[ids]
    out.backward(grad_fn(out).detach())
    return table.grad


# mistake unclipped_row (values)
# The gradient is taken at the long row; the lookup returns the clipped one.
# Next: Row (3, 4) with max_norm=1.0 and gradient 2 * out gives (1.2, 1.6), not (6, 8).
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    grad = torch.zeros_like(weight)
    grad.index_add_(0, ids.reshape(-1), grad_fn(weight[ids]).reshape(-1, weight.shape[1]))
    return grad


# mistake scaled_by_the_factor (values)
# The gradient was multiplied with max_norm / norm: the chain rule was carried on through the clipping.
# Next: Stop at the clipped row: the vector that arrives at it is already the gradient of the table's row.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    factor = max_norm / weight.norm(dim=1, keepdim=True).clamp(min=max_norm)
    out = (weight * factor)[ids]
    grad = torch.zeros_like(weight)
    grad.index_add_(0, ids.reshape(-1), grad_fn(out).reshape(-1, weight.shape[1]))
    return grad * factor


# mistake clips_the_gradient (values)
# The gradient's rows were clipped too; max_norm bounds rows of the table, and no gradient.
# Next: Clip before the lookup, and leave the gradient as long as it is.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    out = torch.renorm(weight, 2, 0, max_norm)[ids]
    grad = torch.zeros_like(weight)
    grad.index_add_(0, ids.reshape(-1), grad_fn(out).reshape(-1, weight.shape[1]))
    return torch.renorm(grad, 2, 0, max_norm)


# mistake clipped_rows_get_none (values), from clips_the_gradient
# Clipped rows have gradient 0, as if clipping were a clamp that stops the gradient.
# Next: Clipped rows learn as well: their gradient is grad_fn(out) at the clipped row.
#    def grad_after_lookup(weight, ids, grad_fn, max_norm):
#   +    short = weight.norm(dim=1, keepdim=True) <= max_norm
#   torch.renorm(grad, 2, 0, max_norm) => grad * short


# mistake repeats_overwrite (values)
# When an id occurs twice, only one of its gradients is kept; they add up.
# Next: `grad[ids] += ...` writes each row once. Use `index_add_`, or a loop with +=.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    out = torch.renorm(weight, 2, 0, max_norm)[ids]
    grad_output = grad_fn(out).reshape(-1, weight.shape[1])
    grad = torch.zeros_like(weight)
    for position, row in enumerate(ids.reshape(-1).tolist()):
        grad[row] = grad_output[position]
    return grad


# mistake repeats_averaged (values), from clips_the_gradient
# The gradients of a repeated id are averaged; they add up.
# Next: Take the division by the counts out.
#   -    return torch.renorm(grad, 2, 0, max_norm)
#   +    counts = torch.bincount(ids.reshape(-1), minlength=len(weight)).clamp(min=1)
#   +    return grad / counts[:, None]


# mistake changes_the_weight (property)
# The lookup clipped the caller's weight, which should stay as it is.
# Next: Look up in `weight.clone()`: `from_pretrained`, `.data` and `.detach()` share the weight's memory.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    embedding = nn.Embedding.from_pretrained(weight, freeze=False, max_norm=max_norm)
    out = embedding(ids)
    out.backward(grad_fn(out.detach()))
    return embedding.weight.grad


# mistake weight_requires_grad_afterwards (property)
# The caller's weight came as a plain tensor, and requires grad after the call.
# Next: Let a copy require grad: `weight.clone().requires_grad_()`.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    before = weight.clone()
    weight.requires_grad_()
    out = F.embedding(ids, weight, max_norm=max_norm)
    out.backward(grad_fn(out.detach()))
    weight.data.copy_(before)
    return weight.grad


# mistake looked_up_rows_only (shape)
# This is the gradient at out, one vector for each id; the table's gradient has a row for every word.
# Next: Start from zeros of weight's shape and add each vector to the row of its id.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    return grad_fn(torch.renorm(weight, 2, 0, max_norm)[ids])


# mistake grad_fn_taken_for_the_loss (values)
# The sum of out * grad_fn(out) was differentiated, and so grad_fn as well; grad_fn(out) already is the gradient.
# Next: Detach grad_fn(out), or hand it to `out.backward(...)`.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = torch.renorm(weight, 2, 0, max_norm).requires_grad_()
    out = table[ids]
    (out * grad_fn(out)).sum().backward()
    return table.grad


# mistake flattened_for_grad_fn (raises)
# grad_fn is called with a flat list of vectors; it expects out with the shape of ids.
# Next: Call `grad_fn(table[ids])` with ids as they came, and flatten what it returns.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    flat = ids.reshape(-1)
    out = torch.renorm(weight, 2, 0, max_norm)[flat]
    return torch.zeros_like(weight).index_add_(0, flat, grad_fn(out))


# mistake grad_fn_row_by_row (raises)
# grad_fn is called with one vector at a time; the loss, and so its gradient, is that of out as a whole.
# Next: Call grad_fn once, with all of out, and hand its vectors out afterwards.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = torch.renorm(weight, 2, 0, max_norm)
    grad = torch.zeros_like(weight)
    for row in ids.reshape(-1).tolist():
        grad[row] += grad_fn(table[row])
    return grad


# mistake each_row_looked_up_once (values)
# grad_fn is called with the distinct rows, sorted; out has a vector for every id, in the order of ids.
# Next: out is `table[ids]`, repeats and all: call grad_fn with that.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    rows = ids.unique()
    out = torch.renorm(weight, 2, 0, max_norm)[rows]
    return torch.zeros_like(weight).index_add_(0, rows, grad_fn(out))


# mistake grad_fn_of_the_whole_table (raises)
# grad_fn is called with the table instead of out.
# Next: out is what the lookup returns, `table[ids]`: call grad_fn with that.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    grad = grad_fn(torch.renorm(weight, 2, 0, max_norm))
    seen = torch.bincount(ids.reshape(-1), minlength=len(weight))
    return grad * seen[:, None]


# mistake zero_rows_divide (not finite)
# A row of zeros is divided by its length, 0, and becomes nan.
# Next: Keep the norm away from 0 before you divide: a row of zeros is never too long.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    norms = weight.norm(dim=1, keepdim=True)
    out = (weight / norms * norms.clamp(max=max_norm))[ids]
    return torch.zeros_like(weight).index_add_(0, ids.reshape(-1), grad_fn(out).reshape(-1, weight.shape[1]))


# mistake sparse_gradient (type)
# The gradient is a sparse tensor; a plain nn.Embedding leaves a dense one of shape (V, d).
# Next: Leave `sparse=True` out, or call `.to_dense()`.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    embedding = nn.Embedding(*weight.shape, max_norm=max_norm, sparse=True, _weight=weight.clone())
    out = embedding(ids)
    out.backward(grad_fn(out))
    return embedding.weight.grad


# mistake only_across_the_row (values)
# The part of the gradient along a clipped row is taken out, as if its length were fixed; PyTorch keeps it.
# Next: The clipped copy counts as the table itself: its gradient stays whole.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = weight.renorm(2, 0, max_norm)
    grad_output = grad_fn(table[ids])
    grad = torch.zeros_like(table).index_add_(0, ids.reshape(-1), grad_output.reshape(-1, table.shape[1]))
    directions = F.normalize(table, dim=1)
    along = (grad * directions).sum(dim=1, keepdim=True) * directions
    return torch.where(weight.norm(dim=1, keepdim=True) > max_norm, grad - along, grad)


# mistake averaged_over_the_ids (values)
# The gradient is divided by the number of ids; grad_fn(out) is the gradient of the whole loss already.
# Next: Add the gradients up, and divide by nothing.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = weight.renorm(2, 0, max_norm)
    grad_output = grad_fn(table[ids])
    grad = torch.zeros_like(table).index_add_(0, ids.reshape(-1), grad_output.reshape(-1, table.shape[1]))
    return grad / max(ids.numel(), 1)


# mistake zero_rows_get_none (values), from averaged_over_the_ids
# A row of zeros has gradient 0; it is looked up and learns like any other row.
# Next: A row of zeros is short enough: nothing about it is special.
#   grad / max(ids.numel(), 1) => grad * (table != 0).any(dim=1, keepdim=True)


# mistake none_without_ids (type)
# Without ids nothing comes back; the gradient is a table of zeros then.
# Next: Leave the special case out: without ids, `index_add_` adds nothing, and the zeros stay.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    if ids.numel():
        table = weight.renorm(2, 0, max_norm)
        grad_output = grad_fn(table[ids])
        return torch.zeros_like(table).index_add_(0, ids.reshape(-1), grad_output.reshape(-1, table.shape[1]))


# mistake grad_fn_taken_for_a_layer (values)
# `grad_fn` is treated as a step of the computation and differentiated; what it returns is already the gradient.
# Next: Hand it to backward: `out.backward(grad_fn(out))`.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    embedding = torch.nn.Embedding(*weight.shape, max_norm=max_norm, _weight=weight.clone())
    grad_fn(embedding(ids)).sum().backward()
    return embedding.weight.grad


# mistake through_the_norm_by_hand (values)
# The clipping itself was differentiated; PyTorch clips before autograd records anything.
# Next: Clip a copy first, and let the clipped table require grad.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = weight.clone().requires_grad_()
    clipped = table * torch.clamp(max_norm / table.norm(dim=1, keepdim=True), max=1.0)
    out = clipped[ids]
    out.backward(grad_fn(out).detach())
    return table.grad


# mistake backward_of_the_gradient (raises)
# `grad_fn(out)` is treated as a loss and differentiated; what it returns is already the gradient at out.
# Next: Hand it to backward: `out.backward(grad_fn(out))`.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    embedding = nn.Embedding(*weight.shape, max_norm=max_norm, _weight=weight.clone())
    grad_fn(embedding(ids)).backward()
    return embedding.weight.grad


# mistake backward_with_the_gradient_of_the_table (raises)
# `grad_fn` is called with the table; the gradient is asked for at out.
# Next: Call it with what the lookup returns: `out.backward(grad_fn(out))`.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    table = weight.clone().requires_grad_()
    out = F.embedding(ids, table, max_norm=max_norm)
    out.backward(grad_fn(table))
    return table.grad


# mistake ids_not_flattened (raises)
# `index_add_` takes ids on one axis, and these have another shape.
# Next: Flatten both: `ids.flatten()`, and the gradients with `.reshape(-1, weight.shape[1])`.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    out = torch.renorm(weight, 2, 0, max_norm)[ids]
    return torch.zeros_like(weight).index_add_(0, ids, grad_fn(out))


# mistake zip_over_the_first_axis (values, raises)
# The loop runs over the first axis only: with ids of shape (B, T), `i` is a whole sentence.
# Next: Flatten both: loop over `zip(ids.flatten(), gradients.reshape(-1, weight.shape[1]))`.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    out = torch.renorm(weight, 2, 0, max_norm)[ids]
    grad = torch.zeros_like(weight)
    for i, row in zip(ids, grad_fn(out)):
        grad[i] += row
    return grad


# mistake out_indexed_by_id (raises, values)
# `out` has one vector for each position in ids, so an id is no index into it.
# Next: Call `grad_fn(out)` once, and count the positions: `enumerate(ids.flatten())`.
def grad_after_lookup(weight, ids, grad_fn, max_norm):
    out = torch.renorm(weight, 2, 0, max_norm)[ids]
    grad = torch.zeros_like(weight)
    for i in ids.flatten():
        grad[i] += grad_fn(out[i])
    return grad
