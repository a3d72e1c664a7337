# exercise 02.embedding_grad
import torch
import torch.nn.functional as F


# mistake loses_repeats (values)
# Of two equal ids only one is counted: indexed assignment writes each row once.
# Next: Try ids [1, 1] with gradients of ones: row 1 should get 2. `index_add_` adds instead of writing.
def embedding_grad(ids, grad_output, num_embeddings):
    grad = torch.zeros(num_embeddings, grad_output.shape[-1], dtype=grad_output.dtype)
    grad[ids] += grad_output
    return grad


# mistake averages_repeats (values)
# A row that occurs several times gets the mean of its gradients; it should get their sum.
# Next: Apply the chain rule to L(e1, e2) with e1 = e2 = E[i]: both partial derivatives are added.
def embedding_grad(ids, grad_output, num_embeddings):
    flat = ids.reshape(-1)
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    grad.index_add_(0, flat, grad_output.reshape(flat.numel(), grad_output.shape[-1]))
    return grad / torch.bincount(flat, minlength=num_embeddings).clamp(min=1)[:, None]


# mistake divides_by_all (values)
# The gradient is divided by the number of ids; a mean is the loss's business, and already in grad_output.
# Next: Leave the division out: what arrives in grad_output is only added up here.
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    grad.index_add_(0, ids.reshape(-1), grad_output.reshape(-1, grad_output.shape[-1]))
    return grad / max(ids.numel(), 1)


# mistake table_ends_at_the_largest_id (shape)
# The result ends at the largest id that occurs; every row of the table needs a gradient.
# Next: Make the zeros with num_embeddings rows.
def embedding_grad(ids, grad_output, num_embeddings):
    rows = int(ids.max()) + 1 if ids.numel() else num_embeddings
    grad = grad_output.new_zeros(rows, grad_output.shape[-1])
    return grad.index_add_(0, ids.reshape(-1), grad_output.reshape(-1, grad_output.shape[-1]))


# mistake only_rows_that_occur (shape)
# Only the rows that occur come back; the gradient has the shape of the whole table, (V, d).
# Next: Start from zeros of shape (num_embeddings, d) and add into the rows that occur.
def embedding_grad(ids, grad_output, num_embeddings):
    rows, where = ids.reshape(-1).unique(return_inverse=True)
    grad = grad_output.new_zeros(len(rows), grad_output.shape[-1])
    return grad.index_add_(0, where, grad_output.reshape(-1, grad_output.shape[-1]))


# mistake gradient_at_the_positions (shape)
# These are the gradients at the positions of the batch, looked up once more; the task asks for the gradient of the table, (V,
# d).
# Next: The forward pass gathers rows; the way back scatters: which row does position p give its gradient to?
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    return grad[ids] + grad_output


# mistake repeats_in_a_sentence_lost (values)
# Repeats in different sentences are added, repeats inside one sentence are not.
# Next: Your loop goes over sentences: flatten ids and gradients first, so that it goes over single ids.
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    if ids.ndim == 0:
        ids, grad_output = ids[None], grad_output[None]
    for row_ids, row_grad in zip(ids, grad_output):
        grad[row_ids] += row_grad
    return grad


# mistake two_axes_only (values)
# It works for ids of shape (N,) and (B, T); with three axes repeats are lost again.
# Next: Flatten ids to (N,) and grad_output to (N, d): one loop then serves every shape.
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    if ids.ndim < 2:
        ids, grad_output = ids.reshape(1, -1), grad_output.reshape(1, -1, grad_output.shape[-1])
    for sentence in range(ids.shape[0]):
        for place in range(ids.shape[1]):
            grad[ids[sentence, place]] += grad_output[sentence, place]
    return grad


# mistake one_row_of_ids_only (raises)
# It works for ids of shape (N,) only; ids come in any shape, most often (B, T).
# Next: Flatten ids to (N,) and grad_output to (N, d) before anything else.
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    for position in range(len(ids)):
        grad[ids[position].item()] += grad_output[position]
    return grad


# mistake no_single_id (raises)
# It fails for a single id, a tensor of shape (), and for no ids: there is nothing to loop over.
# Next: `ids.reshape(-1)` makes a row of ids out of every shape, without a loop.
def embedding_grad(ids, grad_output, num_embeddings):
    width = grad_output.shape[-1]
    grad = grad_output.new_zeros(num_embeddings, width)
    flat = torch.cat([part.reshape(-1) for part in ids])
    return grad.index_add_(0, flat, grad_output.reshape(-1, width))


# mistake columns_and_positions_mixed_up (values)
# `reshape` cannot swap axes: gradients of different positions are mixed.
# Next: The last axis is d already: reshape to (-1, d) keeps each position's gradient in one piece.
def embedding_grad(ids, grad_output, num_embeddings):
    width = grad_output.shape[-1]
    flat = grad_output.reshape(width, ids.numel()).T
    return grad_output.new_zeros(num_embeddings, width).index_add_(0, ids.reshape(-1), flat)


# mistake always_float32 (dtype)
# The result is float32 whatever comes in; it should have the dtype of grad_output.
# Next: Pass `dtype=grad_output.dtype` to `torch.zeros`, or use `grad_output.new_zeros`.
def embedding_grad(ids, grad_output, num_embeddings):
    grad = torch.zeros(num_embeddings, grad_output.shape[-1])
    for position, index in enumerate(ids.flatten().tolist()):
        grad[index] += grad_output.reshape(-1, grad_output.shape[-1])[position]
    return grad


# mistake rounds_to_float32 (values)
# float64 gradients pass through float32 on the way: digits are lost where large gradients cancel.
# Next: Do the sum in the dtype of grad_output; `.float()` rounds.
def embedding_grad(ids, grad_output, num_embeddings):
    one_hot = F.one_hot(ids.reshape(-1), num_embeddings).float()
    return (one_hot.T @ grad_output.reshape(-1, grad_output.shape[-1]).float()).to(grad_output.dtype)


# mistake float32_buffer (raises)
# The zeros are float32, and adding float64 gradients into them fails.
# Next: Pass `dtype=grad_output.dtype` to `torch.zeros`, or use `grad_output.new_zeros`.
def embedding_grad(ids, grad_output, num_embeddings):
    grad = torch.zeros(num_embeddings, grad_output.shape[-1])
    return grad.index_add_(0, ids.reshape(-1), grad_output.reshape(-1, grad_output.shape[-1]))


# mistake contiguous_memory_only (raises)
# `.view` only works when the numbers lie in order in memory; gradients often do not.
# Next: Use `.reshape`, which copies where it has to.
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    return grad.index_add_(0, ids.reshape(-1), grad_output.view(-1, grad_output.shape[-1]))


# mistake row_0_left_out (values)
# Row 0 gets no gradient, as if it were padding; without options it is a row like any other.
# Next: Remove the special treatment of id 0: `padding_idx` comes in a later exercise.
def embedding_grad(ids, grad_output, num_embeddings):
    width = grad_output.shape[-1]
    grad = grad_output.new_zeros(num_embeddings, width)
    grad.index_add_(0, ids.reshape(-1), grad_output.reshape(-1, width))
    grad[0] = 0
    return grad


# mistake sparse_result (type)
# The gradient is a sparse tensor; a dense one of shape (V, d) was asked for.
# Next: Call `.to_dense()` on it: repeated indices are added up on the way.
def embedding_grad(ids, grad_output, num_embeddings):
    width = grad_output.shape[-1]
    values = grad_output.reshape(ids.numel(), width)
    return torch.sparse_coo_tensor(ids.reshape(1, -1), values, (num_embeddings, width))


# mistake adds_into_the_first_gradient (property)
# The sums are collected inside grad_output, which belongs to the caller.
# Next: Collect into a new tensor of zeros, and only read grad_output.
def embedding_grad(ids, grad_output, num_embeddings):
    width = grad_output.shape[-1]
    grad = grad_output.new_zeros(num_embeddings, width)
    flat = grad_output.reshape(ids.numel(), width)
    first = {}
    for position, index in enumerate(ids.flatten().tolist()):
        if index in first:
            flat[first[index]] += flat[position]
        first.setdefault(index, position)
    for index, position in first.items():
        grad[index] = flat[position]
    return grad


# mistake only_neighbouring_repeats (values)
# Repeats are added where they stand side by side only; the same id may come back later.
# Next: `torch.unique` finds all repeats, `unique_consecutive` only neighbours; `index_add_` needs neither.
def embedding_grad(ids, grad_output, num_embeddings):
    width = grad_output.shape[-1]
    rows, where = torch.unique_consecutive(ids.reshape(-1), return_inverse=True)
    sums = grad_output.new_zeros(len(rows), width).index_add_(0, where, grad_output.reshape(-1, width))
    grad = grad_output.new_zeros(num_embeddings, width)
    grad[rows] = sums
    return grad


# mistake averages_over_sentences (values)
# The gradient is divided by the number of sentences; a mean is the loss's business, and already in grad_output.
# Next: Add up, and divide by nothing.
def embedding_grad(ids, grad_output, num_embeddings):
    width = grad_output.shape[-1]
    grad = grad_output.new_zeros(num_embeddings, width)
    grad.index_add_(0, ids.reshape(-1), grad_output.reshape(-1, width))
    return grad / max(len(ids), 1) if ids.dim() > 1 else grad


# mistake ids_not_flattened (raises)
# `index_add_` takes a row of ids; ids of shape (B, T) have to become one row first, and the gradients with them.
# Next: `ids.reshape(-1)` and `grad_output.reshape(-1, d)` go together.
def embedding_grad(ids, grad_output, num_embeddings):
    gradient = torch.zeros(num_embeddings, grad_output.shape[-1], dtype=grad_output.dtype)
    gradient.index_add_(0, ids, grad_output)
    return gradient
