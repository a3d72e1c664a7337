"""Wrong answers about the two gradients by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.catalogue import mistake, right_form

GRAD = "02.embedding_grad"
LOSS = "02.softmax_cross_entropy_grad"
OPTIONS = "02.embedding_grad_with_options"


@mistake(
    GRAD, "loses_repeats", stage="values",
    diagnosis="Of two equal ids only one is counted: indexed assignment writes each row once.",
    next_step="Try ids [1, 1] with gradients of ones: row 1 should get 2. "
    "`index_add_` adds instead of writing.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    grad = torch.zeros(num_embeddings, grad_output.shape[-1], dtype=grad_output.dtype)
    grad[ids] += grad_output
    return grad


@mistake(
    GRAD, "averages_repeats", stage="values",
    diagnosis="A row that occurs several times gets the mean of its gradients; it should get their sum.",
    next_step="Apply the chain rule to L(e1, e2) with e1 = e2 = E[i]: both partial derivatives are added.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    flat = ids.reshape(-1)
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    grad.index_add_(0, flat, grad_output.reshape(flat.numel(), grad_output.shape[-1]))
    return grad / torch.bincount(flat, minlength=num_embeddings).clamp(min=1)[:, None]


@mistake(
    GRAD, "divides_by_all", stage="values",
    diagnosis="The gradient is divided by the number of ids; a mean is the loss's "
    "business, and already in grad_output.",
    next_step="Leave the division out: what arrives in grad_output is only added up here.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    grad.index_add_(0, ids.reshape(-1), grad_output.reshape(-1, grad_output.shape[-1]))
    return grad / max(ids.numel(), 1)


@mistake(
    GRAD, "table_ends_at_the_largest_id", stage="shape",
    diagnosis="The result ends at the largest id that occurs; every row of the table needs a gradient.",
    next_step="Make the zeros with num_embeddings rows.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    rows = int(ids.max()) + 1 if ids.numel() else num_embeddings
    grad = grad_output.new_zeros(rows, grad_output.shape[-1])
    return grad.index_add_(0, ids.reshape(-1), grad_output.reshape(-1, grad_output.shape[-1]))


@mistake(
    GRAD, "only_rows_that_occur", stage="shape",
    diagnosis="Only the rows that occur come back; the gradient has the shape of the whole table, (V, d).",
    next_step="Start from zeros of shape (num_embeddings, d) and add into the rows that occur.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    rows, where = ids.reshape(-1).unique(return_inverse=True)
    grad = grad_output.new_zeros(len(rows), grad_output.shape[-1])
    return grad.index_add_(0, where, grad_output.reshape(-1, grad_output.shape[-1]))


@mistake(
    GRAD, "gradient_at_the_positions", stage="shape",
    diagnosis="That is the gradient at the positions of the batch, looked up once "
    "more; asked for is the table's, (V, d).",
    next_step="The forward pass gathers rows; the way back scatters: which row "
    "does position p give its gradient to?",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    return grad[ids] + grad_output


@mistake(
    GRAD, "repeats_in_a_sentence_lost", stage="values",
    diagnosis="Repeats in different sentences are added, repeats inside one sentence are not.",
    next_step="Your loop goes over sentences: flatten ids and gradients first, "
    "so that it goes over single ids.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    if ids.ndim == 0:
        ids, grad_output = ids[None], grad_output[None]
    for row_ids, row_grad in zip(ids, grad_output):
        grad[row_ids] += row_grad
    return grad


@mistake(
    GRAD, "two_axes_only", stage="values",
    diagnosis="It works for ids of shape (N,) and (B, T); with three axes repeats are lost again.",
    next_step="Flatten ids to (N,) and grad_output to (N, d): one loop then serves every shape.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    if ids.ndim < 2:
        ids, grad_output = ids.reshape(1, -1), grad_output.reshape(1, -1, grad_output.shape[-1])
    for sentence in range(ids.shape[0]):
        for place in range(ids.shape[1]):
            grad[ids[sentence, place]] += grad_output[sentence, place]
    return grad


@mistake(
    GRAD, "one_row_of_ids_only", stage="raises",
    diagnosis="It works for ids of shape (N,) only; ids come in any shape, most often (B, T).",
    next_step="Flatten ids to (N,) and grad_output to (N, d) before anything else.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    for position in range(len(ids)):
        grad[ids[position].item()] += grad_output[position]
    return grad


@mistake(
    GRAD, "no_single_id", stage="raises",
    diagnosis="It fails for a single id, a tensor of shape (), and for no ids: "
    "there is nothing to loop over.",
    next_step="`ids.reshape(-1)` makes a row of ids out of every shape, without a loop.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    width = grad_output.shape[-1]
    grad = grad_output.new_zeros(num_embeddings, width)
    flat = torch.cat([part.reshape(-1) for part in ids])
    return grad.index_add_(0, flat, grad_output.reshape(-1, width))


@mistake(
    GRAD, "columns_and_positions_mixed_up", stage="values",
    diagnosis="`reshape` cannot swap axes: gradients of different positions are mixed.",
    next_step="The last axis is d already: reshape to (-1, d) keeps each position's gradient in one piece.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    width = grad_output.shape[-1]
    flat = grad_output.reshape(width, ids.numel()).T
    return grad_output.new_zeros(num_embeddings, width).index_add_(0, ids.reshape(-1), flat)


@mistake(
    GRAD, "always_float32", stage="dtype",
    diagnosis="The result is float32 whatever comes in; it should have the dtype of grad_output.",
    next_step="Pass `dtype=grad_output.dtype` to `torch.zeros`, or use `grad_output.new_zeros`.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    grad = torch.zeros(num_embeddings, grad_output.shape[-1])
    for position, index in enumerate(ids.flatten().tolist()):
        grad[index] += grad_output.reshape(-1, grad_output.shape[-1])[position]
    return grad


@mistake(
    GRAD, "rounds_to_float32", stage="values",
    diagnosis="float64 gradients pass through float32 on the way: digits are "
    "lost where large gradients cancel.",
    next_step="Do the sum in the dtype of grad_output; `.float()` rounds.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    one_hot = F.one_hot(ids.reshape(-1), num_embeddings).float()
    return (one_hot.T @ grad_output.reshape(-1, grad_output.shape[-1]).float()).to(grad_output.dtype)


@mistake(
    GRAD, "float32_buffer", stage="raises",
    diagnosis="The zeros are float32, and adding float64 gradients into them fails.",
    next_step="Pass `dtype=grad_output.dtype` to `torch.zeros`, or use `grad_output.new_zeros`.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    grad = torch.zeros(num_embeddings, grad_output.shape[-1])
    return grad.index_add_(0, ids.reshape(-1), grad_output.reshape(-1, grad_output.shape[-1]))


@mistake(
    GRAD, "contiguous_memory_only", stage="raises",
    diagnosis="`.view` only works when the numbers lie in order in memory; gradients often do not.",
    next_step="Use `.reshape`, which copies where it has to.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    return grad.index_add_(0, ids.reshape(-1), grad_output.view(-1, grad_output.shape[-1]))


@mistake(
    GRAD, "row_0_left_out", stage="values",
    diagnosis="Row 0 gets no gradient, as if it were padding; without options it is a row like any other.",
    next_step="Remove the special treatment of id 0: `padding_idx` comes in a later exercise.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    width = grad_output.shape[-1]
    grad = grad_output.new_zeros(num_embeddings, width)
    grad.index_add_(0, ids.reshape(-1), grad_output.reshape(-1, width))
    grad[0] = 0
    return grad


@mistake(
    GRAD, "sparse_result", stage="values",
    diagnosis="The gradient is a sparse tensor; a dense one of shape (V, d) was asked for.",
    next_step="Call `.to_dense()` on it: repeated indices are added up on the way.",
)  # fmt: skip
def embedding_grad(ids, grad_output, num_embeddings):
    width = grad_output.shape[-1]
    values = grad_output.reshape(ids.numel(), width)
    return torch.sparse_coo_tensor(ids.reshape(1, -1), values, (num_embeddings, width))


@mistake(
    GRAD, "adds_into_the_first_gradient", stage="property",
    diagnosis="The sums are collected inside grad_output, which belongs to the caller.",
    next_step="Collect into a new tensor of zeros, and only read grad_output.",
)  # fmt: skip
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


@right_form(GRAD, "loop_with_item")
def embedding_grad(ids, grad_output, num_embeddings):
    d = grad_output.shape[-1]
    grad = torch.zeros((num_embeddings, d), dtype=grad_output.dtype)
    flat_ids, flat_grad = ids.flatten(), grad_output.reshape(-1, d)
    for k in range(len(flat_ids)):
        grad[flat_ids[k].item()] += flat_grad[k]
    print("done")
    return grad


@right_form(GRAD, "one_hot_matmul")
def embedding_grad(ids, grad_output, num_embeddings):
    one_hot = F.one_hot(ids.reshape(-1), num_embeddings).to(grad_output.dtype)  # (N, V)
    return one_hot.T @ grad_output.reshape(-1, grad_output.shape[-1])


@right_form(GRAD, "numpy_add_at")
def embedding_grad(ids, grad_output, num_embeddings):
    values = grad_output.numpy()
    grad = np.zeros((num_embeddings, values.shape[-1]), dtype=values.dtype)
    np.add.at(grad, ids.numpy(), values)
    return torch.from_numpy(grad)


@right_form(GRAD, "autograd")
def embedding_grad(ids, grad_output, num_embeddings):
    table = torch.zeros(num_embeddings, grad_output.shape[-1], dtype=grad_output.dtype, requires_grad=True)
    F.embedding(ids, table).backward(grad_output)
    return table.grad


@right_form(GRAD, "index_put_accumulate")
def embedding_grad(ids, grad_output, num_embeddings):
    grad = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    return grad.index_put((ids,), grad_output, accumulate=True)


@right_form(GRAD, "scatter_add")
def embedding_grad(ids, grad_output, num_embeddings):
    d = grad_output.size(-1)
    index = ids.reshape(-1, 1).expand(-1, d)
    return torch.zeros(num_embeddings, d).to(grad_output).scatter_add(0, index, grad_output.reshape(-1, d))


@right_form(GRAD, "row_by_row_mask_in_float64")
def embedding_grad(ids, grad_output, num_embeddings):
    rows = [grad_output[ids == row].double().sum(dim=0) for row in range(num_embeddings)]
    return torch.stack(rows).to(grad_output.dtype)


@mistake(
    LOSS, "forgets_the_mean", stage="values",
    diagnosis="This is the gradient of the summed loss: N times too large.",
    next_step="The loss is a mean over N rows; divide by N.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    return torch.softmax(logits, dim=1) - F.one_hot(targets, logits.shape[1]).to(logits.dtype)


@mistake(
    LOSS, "overflows", stage="not finite",
    diagnosis="exp of a large logit is inf, of a very negative one 0, and inf / inf and 0 / 0 are nan.",
    next_step="Subtract each row's largest logit before exp: the probabilities stay the same.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    probabilities = logits.exp() / logits.exp().sum(dim=1, keepdim=True)
    probabilities[torch.arange(len(targets)), targets] -= 1
    return probabilities / len(targets)


@mistake(
    LOSS, "one_maximum_for_all_rows", stage="not finite",
    diagnosis="The largest logit of the whole batch is subtracted: rows far below it underflow to 0 / 0.",
    next_step="Take the maximum per row: `logits.max(dim=1, keepdim=True).values`.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    powers = (logits - logits.max()).exp()
    probabilities = powers / powers.sum(dim=1, keepdim=True)
    return (probabilities - F.one_hot(targets, logits.shape[1])) / len(targets)


@mistake(
    LOSS, "keepdim_missing", stage="raises",
    diagnosis="The row sums have shape (N,), and dividing (N, V) by them needs (N, 1): each row is divided by its sum.",
    next_step="Add `keepdim=True` to the maximum and to the sum.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    powers = (logits - logits.amax(dim=1, keepdim=True)).exp()
    return (powers / powers.sum(dim=1) - F.one_hot(targets, logits.shape[1])) / len(targets)


@mistake(
    LOSS, "clamps_the_logits", stage="values",
    diagnosis="Clamping large logits avoids inf and changes the probabilities.",
    next_step="Subtract each row's largest logit instead: that changes nothing but the range.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    powers = logits.clamp(-80, 80).exp()
    probabilities = powers / powers.sum(dim=1, keepdim=True)
    return (probabilities - F.one_hot(targets, logits.shape[1])) / len(targets)


@mistake(
    LOSS, "softmax_over_the_batch", stage="values",
    diagnosis="The softmax runs down the columns: each class's probabilities sum to 1 over the batch.",
    next_step="Print the sum of every row of your probabilities: each should be 1.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    return (torch.softmax(logits, dim=0) - F.one_hot(targets, logits.shape[1])) / len(targets)


@mistake(
    LOSS, "sign_flipped", stage="values",
    diagnosis="The sign is turned round: this is the direction of descent, not the gradient.",
    next_step="Check the target's entry: raising its logit lowers the loss, so its gradient is negative.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    return (F.one_hot(targets, logits.shape[1]) - torch.softmax(logits, dim=1)) / len(targets)


@mistake(
    LOSS, "target_not_subtracted", stage="values",
    diagnosis="These are the probabilities; the 1 of the right class is not subtracted.",
    next_step="Each row of the gradient sums to 0. Does yours?",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    return torch.softmax(logits, dim=1) / len(targets)


@mistake(
    LOSS, "only_the_target", stage="values",
    diagnosis="Only the target's logit gets a gradient; the other classes' "
    "logits stand in the sum of exp too.",
    next_step="Differentiate log(sum of exp) with respect to a logit that is not the target.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    rows = torch.arange(len(targets))
    gradient = torch.zeros_like(logits)
    gradient[rows, targets] = (torch.softmax(logits, dim=1)[rows, targets] - 1) / len(targets)
    return gradient


@mistake(
    LOSS, "mean_over_all_entries", stage="values",
    diagnosis="It is divided by N times V, the number of logits; the loss is a mean over the N rows.",
    next_step="Divide by the number of rows, `logits.shape[0]`.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    return (torch.softmax(logits, dim=1) - F.one_hot(targets, logits.shape[1])) / logits.numel()


@mistake(
    LOSS, "divides_by_the_classes", stage="values",
    diagnosis="It is divided by the number of classes; the loss is a mean over the rows.",
    next_step="Divide by `logits.shape[0]`, the number of rows.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    return (torch.softmax(logits, dim=1) - F.one_hot(targets, logits.shape[1])) / logits.shape[1]


@mistake(
    LOSS, "indexes_rows_with_classes", stage="raises",
    diagnosis="`p[targets]` takes whole rows, numbered by classes; the target of "
    "row n is the entry (n, targets[n]).",
    next_step="Index with two tensors: `p[torch.arange(N), targets]`.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    gradient = torch.softmax(logits, dim=1)
    gradient[targets] -= 1
    return gradient / len(logits)


@mistake(
    LOSS, "one_hot_too_narrow", stage="raises",
    diagnosis="`one_hot` is as wide as the largest target that occurs, which need not be the last class.",
    next_step="Tell it the number of classes: `F.one_hot(targets, logits.shape[1])`.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    return (torch.softmax(logits, dim=1) - F.one_hot(targets)) / len(targets)


@mistake(
    LOSS, "every_target_in_every_row", stage="values",
    diagnosis="`p[:, targets]` subtracts every row's target from all rows.",
    next_step="Index with two tensors: `p[torch.arange(N), targets]`.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    gradient = torch.softmax(logits, dim=1)
    gradient[:, targets] -= 1
    return gradient / len(logits)


@mistake(
    LOSS, "logits_overwritten", stage="property",
    diagnosis="The numbers are right, and the caller's logits are changed: `-=` "
    "works on the tensor that was passed in.",
    next_step="Write `shifted = logits - ...` instead of `logits -= ...`.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    gradient = logits
    gradient -= gradient.max(dim=1, keepdim=True).values
    gradient.exp_()
    gradient /= gradient.sum(dim=1, keepdim=True)
    gradient[torch.arange(len(targets)), targets] -= 1
    gradient /= len(targets)
    return gradient


@mistake(
    LOSS, "log_of_the_probabilities", stage="values",
    diagnosis="The log-probabilities are used where the probabilities belong.",
    next_step="The derivative of log(sum of exp) is the softmax itself, without a log.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    return (torch.log_softmax(logits, dim=1) - F.one_hot(targets, logits.shape[1])) / len(targets)


@mistake(
    LOSS, "squeezed", stage="shape",
    diagnosis="For a single row the first axis is lost: `squeeze` removes every axis of size 1.",
    next_step="Leave `squeeze` out; the result has the shape of the logits, (1, V) included.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    return ((torch.softmax(logits, dim=1) - F.one_hot(targets, logits.shape[1])) / len(targets)).squeeze()


@mistake(
    LOSS, "always_float32", stage="dtype",
    diagnosis="float64 logits come back as float32: their digits are lost.",
    next_step="Leave `.float()` out, or convert to `logits.dtype`.",
)  # fmt: skip
def softmax_cross_entropy_grad(logits, targets):
    gradient = torch.softmax(logits.float(), dim=1)
    gradient[torch.arange(len(targets)), targets] -= 1
    return gradient / len(targets)


@right_form(LOSS, "autograd")
def softmax_cross_entropy_grad(logits, targets):
    leaf = logits.clone().requires_grad_(True)
    F.cross_entropy(leaf, targets).backward()
    return leaf.grad


@right_form(LOSS, "loops")
def softmax_cross_entropy_grad(logits, targets):
    N, V = logits.shape
    out = torch.zeros(N, V, dtype=logits.dtype)
    for n in range(N):
        m = max(logits[n].tolist())
        e = [float(torch.exp(logits[n, v] - m)) for v in range(V)]
        for v in range(V):
            out[n, v] = (e[v] / sum(e) - (1.0 if v == int(targets[n]) else 0.0)) / N
    return out


@right_form(LOSS, "numpy")
def softmax_cross_entropy_grad(logits, targets):
    x = logits.numpy().astype(np.float64)
    p = np.exp(x - x.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p -= np.eye(x.shape[1])[targets.numpy()]
    return torch.tensor(p / len(x), dtype=logits.dtype)


@right_form(LOSS, "logsumexp_without_a_maximum")
def softmax_cross_entropy_grad(logits, targets):
    p = torch.exp(logits - torch.logsumexp(logits, dim=-1, keepdim=True))
    return (p - torch.eye(logits.shape[1])[targets]).to(logits.dtype) / logits.size(0)


@right_form(LOSS, "scatter")
def softmax_cross_entropy_grad(logits, targets, reduction="mean"):
    minus_one = torch.full_like(logits[:, :1], -1.0)
    total = F.softmax(logits, -1).scatter_add(1, targets.unsqueeze(1), minus_one)
    return total / len(logits) if reduction == "mean" else total


@right_form(LOSS, "double_precision_inside")
def softmax_cross_entropy_grad(logits, targets):
    p = torch.log_softmax(logits.double(), dim=1).exp()
    return ((p - F.one_hot(targets, logits.shape[1])) / len(logits)).to(logits.dtype)


@mistake(
    OPTIONS, "padding_0_ignored", stage="values",
    diagnosis="A padding_idx of 0 is ignored: `if padding_idx` is false for 0.",
    next_step="Ask `if padding_idx is not None`.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx:
        grad[padding_idx] = 0
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "negative_padding_ignored", stage="values",
    diagnosis="A negative padding_idx has no effect: no id equals it.",
    next_step="Add num_embeddings to a negative padding_idx before you compare it with ids.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    if padding_idx is not None:
        grad_output = grad_output * (ids != padding_idx)[..., None]
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "every_negative_padding_is_the_last_row", stage="values",
    diagnosis="Every negative padding_idx is taken for the last row.",
    next_step="-2 is the row before the last, -num_embeddings is row 0: leave the counting to the index itself.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[max(padding_idx, -1)] = 0
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "padding_is_always_row_0", stage="values",
    diagnosis="Row 0 is cleared whatever padding_idx says.",
    next_step="Clear the row that padding_idx names.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[0] = 0
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "padding_ignored", stage="values",
    diagnosis="The padding row gets a gradient like any other.",
    next_step="Set the row of padding_idx to zero, when there is one.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "frequency_ignored", stage="values",
    diagnosis="scale_grad_by_freq changes nothing.",
    next_step="Divide each row by how often its id occurs, when scale_grad_by_freq is True.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "multiplies_by_frequency", stage="values",
    diagnosis="Each row is multiplied by its count; it should be divided, so that "
    "frequent words do not run ahead.",
    next_step="Divide by the counts, with 1 in place of 0.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad * torch.bincount(ids.flatten(), minlength=num_embeddings)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "divides_by_relative_frequency", stage="values",
    diagnosis="Each row is divided by its share of the batch; PyTorch divides by the plain count.",
    next_step="Leave out the division of the counts by the number of ids.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq and ids.numel():
        counts = torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)
        grad = grad / (counts / ids.numel()).to(grad.dtype)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "divides_by_the_number_of_ids", stage="values",
    diagnosis="All rows are divided by the number of ids; each row has a count of its own.",
    next_step="Count each id with `torch.bincount(ids.flatten(), minlength=num_embeddings)`.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / max(ids.numel(), 1)
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "counts_each_sentence", stage="values",
    diagnosis="Repeats are counted inside each sentence; PyTorch counts over the whole batch.",
    next_step="Flatten the ids before you count them.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    if scale_grad_by_freq and ids.ndim:
        counts = (ids[..., :, None] == ids[..., None, :]).sum(-1)
        grad_output = grad_output / counts[..., None]
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "divides_by_zero", stage="not finite",
    diagnosis="Rows that do not occur become nan: 0 divided by a count of 0.",
    next_step="Use `counts.clamp(min=1)`: a row that does not occur stays 0.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "too_few_counts", stage="raises",
    diagnosis="There are counts up to the largest id that occurs only, and they do not fit the table.",
    next_step="Give `torch.bincount` a `minlength` of num_embeddings.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten()).clamp(min=1)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "one_option_at_a_time", stage="values",
    diagnosis="When both options are on, the second one is skipped.",
    next_step="Use two separate `if`s: the options are independent.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    elif padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "padding_counts_as_a_repeat", stage="values",
    diagnosis="Padding is turned into another id, whose row then gets its gradient as well.",
    next_step="Leave the ids as they are, and clear the padding row of the result.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    if padding_idx is not None:
        padding = padding_idx % num_embeddings
        ids = torch.where(ids == padding, (padding + 1) % num_embeddings, ids)
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "gradient_cleared_in_place", stage="property",
    diagnosis="The gradients of padded positions are cleared inside "
    "grad_output, which belongs to the caller.",
    next_step="Clear the row of the result instead, or work on a clone.",
)  # fmt: skip
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    if padding_idx is not None:
        grad_output[ids == padding_idx % num_embeddings] = 0
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@right_form(OPTIONS, "torch_embedding")
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    table = nn.Embedding(
        num_embeddings, grad_output.shape[-1], padding_idx=padding_idx, scale_grad_by_freq=scale_grad_by_freq,
        dtype=grad_output.dtype,
    )  # fmt: skip
    table(ids).backward(grad_output)
    return table.weight.grad


@right_form(OPTIONS, "divides_before_the_sum")
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    flat, d = ids.reshape(-1), grad_output.shape[-1]
    values = grad_output.reshape(-1, d)
    if scale_grad_by_freq:
        counts = (flat[:, None] == flat[None, :]).sum(dim=1, keepdim=True)
        values = values / counts
    if padding_idx is not None:
        keep = flat != padding_idx % num_embeddings
        flat, values = flat[keep], values[keep]
    return torch.zeros(num_embeddings, d, dtype=values.dtype).index_add(0, flat, values)


@right_form(OPTIONS, "loops")
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    padding = None if padding_idx is None else padding_idx + num_embeddings if padding_idx < 0 else padding_idx
    counts = {}
    flat = ids.flatten().tolist()
    for i in flat:
        counts[i] = counts.get(i, 0) + 1
    out = torch.zeros(num_embeddings, grad_output.shape[-1], dtype=grad_output.dtype)
    for i, g in zip(flat, grad_output.reshape(len(flat), -1) if flat else []):
        if i != padding:
            out[i] += g / counts[i] if scale_grad_by_freq else g
    return out


@right_form(OPTIONS, "numpy")
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings).numpy().astype(np.float64)
    if scale_grad_by_freq:
        counts = np.bincount(ids.numpy().ravel(), minlength=num_embeddings)
        grad = np.where(counts[:, None] > 0, grad / np.maximum(counts, 1)[:, None], 0.0)
    if padding_idx is not None:
        grad[padding_idx] = 0.0
    return torch.as_tensor(grad, dtype=grad_output.dtype)
