# exercise 02.softmax_cross_entropy_grad
import numpy as np
import torch
import torch.nn.functional as F


# mistake forgets_the_mean (values)
# This is the gradient of the summed loss: N times too large.
# Next: The loss is a mean over N rows; divide by N.
def softmax_cross_entropy_grad(logits, targets):
    return torch.softmax(logits, dim=1) - F.one_hot(targets, logits.shape[1]).to(logits.dtype)


# mistake overflows (not finite)
# exp of a large logit is inf, of a very negative one 0, and inf / inf and 0 / 0 are nan.
# Next: Subtract each row's largest logit before exp: the probabilities stay the same.
def softmax_cross_entropy_grad(logits, targets):
    probabilities = logits.exp() / logits.exp().sum(dim=1, keepdim=True)
    probabilities[torch.arange(len(targets)), targets] -= 1
    return probabilities / len(targets)


# mistake one_maximum_for_all_rows (not finite)
# The largest logit of the whole batch is subtracted: rows far below it underflow to 0 / 0.
# Next: Take the maximum per row: `logits.max(dim=1, keepdim=True).values`.
def softmax_cross_entropy_grad(logits, targets):
    powers = (logits - logits.max()).exp()
    probabilities = powers / powers.sum(dim=1, keepdim=True)
    return (probabilities - F.one_hot(targets, logits.shape[1])) / len(targets)


# mistake keepdim_missing (raises)
# The row sums have shape (N,), and dividing (N, V) by them needs (N, 1): each row is divided by its sum.
# Next: Add `keepdim=True` to the maximum and to the sum.
def softmax_cross_entropy_grad(logits, targets):
    powers = (logits - logits.amax(dim=1, keepdim=True)).exp()
    return (powers / powers.sum(dim=1) - F.one_hot(targets, logits.shape[1])) / len(targets)


# mistake clamps_the_logits (values), from one_maximum_for_all_rows
# Clamping large logits avoids inf and changes the probabilities.
# Next: Subtract each row's largest logit instead: that changes nothing but the range.
#   (logits - logits.max()).exp => logits.clamp(-80, 80).exp


# base plain
def softmax_cross_entropy_grad(logits, targets):
    return (torch.softmax(logits, dim=1) - F.one_hot(targets, logits.shape[1])) / len(targets)


# mistake softmax_over_the_batch (values), from plain
# The softmax runs down the columns: each class's probabilities sum to 1 over the batch.
# Next: Print the sum of every row of your probabilities: each should be 1.
#   dim=1 => dim=0


# mistake sign_flipped (values)
# The sign is turned round: this is the direction of descent, not the gradient.
# Next: Check the target's entry: raising its logit lowers the loss, so its gradient is negative.
def softmax_cross_entropy_grad(logits, targets):
    return (F.one_hot(targets, logits.shape[1]) - torch.softmax(logits, dim=1)) / len(targets)


# mistake target_not_subtracted (values)
# These are the probabilities; the 1 of the right class is not subtracted.
# Next: Each row of the gradient sums to 0. Does yours?
def softmax_cross_entropy_grad(logits, targets):
    return torch.softmax(logits, dim=1) / len(targets)


# mistake only_the_target (values)
# Only the target's logit gets a gradient; the other classes' logits stand in the sum of exp too.
# Next: Differentiate log(sum of exp) with respect to a logit that is not the target.
def softmax_cross_entropy_grad(logits, targets):
    rows = torch.arange(len(targets))
    gradient = torch.zeros_like(logits)
    gradient[rows, targets] = (torch.softmax(logits, dim=1)[rows, targets] - 1) / len(targets)
    return gradient


# mistake mean_over_all_entries (values), from plain
# It is divided by N times V, the number of logits; the loss is a mean over the N rows.
# Next: Divide by the number of rows, `logits.shape[0]`.
#   len(targets) => logits.numel()

# mistake divides_by_the_classes (values), from plain
# It is divided by the number of classes; the loss is a mean over the rows.
# Next: Divide by `logits.shape[0]`, the number of rows.
#   len(targets) => logits.shape[1]


# mistake indexes_rows_with_classes (raises)
# `p[targets]` takes whole rows, numbered by classes; the target of row n is the entry (n, targets[n]).
# Next: Index with two tensors: `p[torch.arange(N), targets]`.
def softmax_cross_entropy_grad(logits, targets):
    gradient = torch.softmax(logits, dim=1)
    gradient[targets] -= 1
    return gradient / len(logits)


# mistake one_hot_too_narrow (raises), from plain
# `one_hot` is as wide as the largest target that occurs, which need not be the last class.
# Next: Tell it the number of classes: `F.one_hot(targets, logits.shape[1])`.
#   targets, logits.shape[1] => targets

# mistake every_target_in_every_row (values), from indexes_rows_with_classes
# `p[:, targets]` subtracts every row's target from all rows.
# Next: Index with two tensors: `p[torch.arange(N), targets]`.
#   gradient[targets] => gradient[:, targets]


# mistake logits_overwritten (property)
# The numbers are right, but the caller's logits are changed: `-=` works on the tensor that was passed in.
# Next: Write `shifted = logits - ...` instead of `logits -= ...`.
def softmax_cross_entropy_grad(logits, targets):
    gradient = logits
    gradient -= gradient.max(dim=1, keepdim=True).values
    gradient.exp_()
    gradient /= gradient.sum(dim=1, keepdim=True)
    gradient[torch.arange(len(targets)), targets] -= 1
    gradient /= len(targets)
    return gradient


# mistake log_of_the_probabilities (values), from plain
# The log-probabilities are used where the probabilities belong.
# Next: The derivative of log(sum of exp) is the softmax itself, without a log.
#   torch.softmax => torch.log_softmax


# mistake squeezed (shape)
# For a single row the first axis is lost: `squeeze` removes every axis of size 1.
# Next: Leave `squeeze` out; the result has the shape of the logits, (1, V) included.
def softmax_cross_entropy_grad(logits, targets):
    return ((torch.softmax(logits, dim=1) - F.one_hot(targets, logits.shape[1])) / len(targets)).squeeze()


# mistake always_float32 (dtype)
# float64 logits come back as float32: their digits are lost.
# Next: Leave `.float()` out, or convert to `logits.dtype`.
def softmax_cross_entropy_grad(logits, targets):
    gradient = torch.softmax(logits.float(), dim=1)
    gradient[torch.arange(len(targets)), targets] -= 1
    return gradient / len(targets)


# mistake autograd_at_the_callers_logits (values)
# backward leaves its gradient in the caller's logits, and the next call adds to it.
# Next: Work on `logits.detach().clone()`, or ask `torch.autograd.grad`, which leaves nothing behind.
def softmax_cross_entropy_grad(logits, targets):
    logits.requires_grad_()
    F.cross_entropy(logits, targets).backward()
    return logits.grad


# mistake largest_logit_for_target (values)
# The 1 is subtracted where the logit is largest, not where the target is.
# Next: `targets[n]` says which entry of row n loses a 1.
def softmax_cross_entropy_grad(logits, targets):
    p = torch.softmax(logits, dim=1)
    return (p - F.one_hot(logits.argmax(dim=1), logits.shape[1])) / len(logits)


# mistake one_row_less (values)
# It is divided by N - 1; the mean over N rows divides by N.
# Next: N is `len(logits)`.
def softmax_cross_entropy_grad(logits, targets):
    p = torch.softmax(logits, dim=1)
    return (p - F.one_hot(targets, logits.shape[1])) / max(len(logits) - 1, 1)


# mistake nan_replaced (values)
# exp overflows, and nan is replaced afterwards: by then nothing shows which logit was the largest.
# Next: Subtract each row's largest logit before exp, or use `torch.softmax`.
def softmax_cross_entropy_grad(logits, targets):
    exps = torch.exp(logits)
    p = (exps / exps.sum(dim=1, keepdim=True)).nan_to_num(1.0)
    return (p - F.one_hot(targets, logits.shape[1])) / len(logits)


# mistake one_softmax_for_all_rows (values)
# The exponentials are divided by their sum over the whole matrix; each row has a softmax of its own.
# Next: Sum along dim=1, with keepdim=True: every row of the probabilities sums to 1.
def softmax_cross_entropy_grad(logits, targets):
    p = torch.exp(logits - logits.max())
    p = p / p.sum()
    p[torch.arange(len(p)), targets] -= 1
    return p / len(p)


# right form autograd
def softmax_cross_entropy_grad(logits, targets):
    leaf = logits.clone().requires_grad_(True)
    F.cross_entropy(leaf, targets).backward()
    return leaf.grad


# right form loops
def softmax_cross_entropy_grad(logits, targets):
    N, V = logits.shape
    out = torch.zeros(N, V, dtype=logits.dtype)
    for n in range(N):
        m = max(logits[n].tolist())
        e = [float(torch.exp(logits[n, v] - m)) for v in range(V)]
        for v in range(V):
            out[n, v] = (e[v] / sum(e) - (1.0 if v == int(targets[n]) else 0.0)) / N
    return out


# right form numpy
def softmax_cross_entropy_grad(logits, targets):
    x = logits.numpy().astype(np.float64)
    p = np.exp(x - x.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p -= np.eye(x.shape[1])[targets.numpy()]
    return torch.tensor(p / len(x), dtype=logits.dtype)


# right form logsumexp_without_a_maximum
def softmax_cross_entropy_grad(logits, targets):
    p = torch.exp(logits - torch.logsumexp(logits, dim=-1, keepdim=True))
    return (p - torch.eye(logits.shape[1])[targets]).to(logits.dtype) / logits.size(0)


# right form scatter
def softmax_cross_entropy_grad(logits, targets, reduction="mean"):
    minus_one = torch.full_like(logits[:, :1], -1.0)
    total = F.softmax(logits, -1).scatter_add(1, targets.unsqueeze(1), minus_one)
    return total / len(logits) if reduction == "mean" else total


# right form double_precision_inside
def softmax_cross_entropy_grad(logits, targets):
    p = torch.log_softmax(logits.double(), dim=1).exp()
    return ((p - F.one_hot(targets, logits.shape[1])) / len(logits)).to(logits.dtype)


# right form gradient_as_a_function
def softmax_cross_entropy_grad(logits, targets):
    return torch.func.grad(lambda x: F.cross_entropy(x, targets))(logits)


# right form differences_of_logits
def softmax_cross_entropy_grad(logits, targets):
    gaps = logits[:, None, :] - logits[:, :, None]  # p_j = 1 / sum over k of exp(x_k - x_j)
    p = 1 / gaps.double().exp().sum(dim=-1)
    p[range(len(targets)), targets.tolist()] -= 1
    return (p / len(p)).to(logits.dtype)
