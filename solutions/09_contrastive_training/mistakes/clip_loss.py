# exercise 09.clip_loss
import torch
import torch.nn as nn
import torch.nn.functional as F


# mistake rows_only (values)
# Only the rows look (perhaps twice, if table and axis are both turned); the columns must find their row too.
# Next: Add the same cross-entropy of the transposed table, and halve the sum.
def clip_loss(logits):
    return F.cross_entropy(logits, torch.arange(len(logits)))


# mistake columns_only (values)
# Only the columns look; the rows must find their column as well.
# Next: Add the same cross-entropy of the table as it is, and halve the sum.
def clip_loss(logits):
    return F.cross_entropy(logits.T, torch.arange(len(logits)))


# mistake sum_of_both (values)
# The two directions are added; their mean was asked for.
# Next: Divide the sum by 2.
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    return F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)


# mistake sums_over_the_pairs (values)
# The pairs' losses are added; each direction is a mean over its N rows.
# Next: Leave `reduction` at its default, the mean.
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    rows = F.cross_entropy(logits, pairs, reduction="sum")
    return (rows + F.cross_entropy(logits.T, pairs, reduction="sum")) / 2


# mistake symmetrised_logits (values)
# The table is averaged with its transpose before the softmax; it is the two losses that are averaged.
# Next: Take two cross-entropies, of two tables, and average the results.
def clip_loss(logits):
    return F.cross_entropy((logits + logits.T) / 2, torch.arange(len(logits)))


# mistake mean_of_the_probabilities (values)
# The probabilities of both directions are averaged before the logarithm; average the losses.
# Next: Take the logarithm in each direction first.
def clip_loss(logits):
    both = (logits.softmax(dim=0).diagonal() + logits.softmax(dim=1).diagonal()) / 2
    return -both.clamp(min=1e-30).log().mean()


# mistake softmax_over_the_whole_table (values)
# One softmax runs over all N * N entries; each row is a classification of its own, and each column.
# Next: Use one softmax for each row and one for each column.
def clip_loss(logits):
    return (torch.logsumexp(logits.reshape(-1), dim=0) - logits.diagonal()).mean()


# base plain
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


# mistake class_0_for_all (values), from plain
# Column 0 counts as right in every row; the pairs stand on the diagonal.
# Next: The classes are 0, 1, ..., N - 1.
#   torch.arange(len(logits)) => torch.zeros(len(logits), dtype=torch.long)


# mistake softmax_twice (values)
# `F.cross_entropy` does the softmax itself; here it is done twice.
# Next: Hand it the logits.
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    rows = F.cross_entropy(logits.softmax(dim=1), pairs)
    return (rows + F.cross_entropy(logits.T.softmax(dim=1), pairs)) / 2


# mistake normalises_the_logits (values), from plain
# The rows of the table are made unit vectors; the logits are ready as they come.
# Next: Leave the normalisation out: it was done to the vectors, before the product.
#        pairs = torch.arange(len(logits))
#   +    logits = F.normalize(logits, dim=1)


# mistake pairwise_sigmoid (values)
# Each pair is judged by itself with a sigmoid (SigLIP); in CLIP the entries of a row compete.
# Next: Use a softmax along rows, and one along columns.
def clip_loss(logits):
    return F.binary_cross_entropy_with_logits(logits, torch.eye(len(logits), dtype=logits.dtype))


# mistake overflows (not finite)
# exp of a large logit is inf, and of a very negative one 0.
# Next: `F.cross_entropy` or `torch.logsumexp` of the logits never takes exp of a large number.
def clip_loss(logits):
    powers = logits.exp()
    rows = -(powers.diagonal() / powers.sum(dim=1)).log().mean()
    columns = -(powers.diagonal() / powers.sum(dim=0)).log().mean()
    return (rows + columns) / 2


# mistake one_maximum_for_the_table (not finite)
# The largest logit of the whole table is subtracted: rows far below it underflow to log(0).
# Next: Subtract the largest of each row, and of each column, or use `F.cross_entropy`.
def clip_loss(logits):
    powers = (logits - logits.max()).exp()
    rows = powers.sum(dim=1).log() - powers.diagonal().log()
    columns = powers.sum(dim=0).log() - powers.diagonal().log()
    return (rows + columns).mean() / 2


# mistake row_maximum_for_both_ways (not finite)
# Each row's maximum is subtracted for both directions; along the columns that changes the probabilities.
# Next: The columns need a maximum of their own, or use `F.cross_entropy` on the transposed table.
def clip_loss(logits):
    shifted = logits - logits.amax(dim=1, keepdim=True)
    rows = shifted.exp().sum(dim=1).log() - shifted.diagonal()
    powers = logits.exp()
    columns = powers.sum(dim=0).log() - logits.diagonal()
    return (rows + columns).mean() / 2


# mistake clamped_logits (values), from plain
# Clamping large logits avoids inf and changes the loss.
# Next: Use `F.cross_entropy` or `torch.logsumexp`, which are exact for large logits.
#        pairs = torch.arange(len(logits))
#   +    logits = logits.clamp(-80, 80)


# mistake two_losses (type)
# Both losses come back as a pair; one number was asked for, their mean.
# Next: Return half of their sum.
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    return F.cross_entropy(logits, pairs), F.cross_entropy(logits.T, pairs)


# mistake a_python_number (type)
# `.item()` makes a plain number, from which no backward pass can start.
# Next: Return the 0-d tensor itself.
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    return ((F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2).item()


# mistake a_loss_for_each_pair (shape)
# One loss for each pair comes back; a training step needs one number.
# Next: Take the mean over the pairs.
def clip_loss(logits):
    rows = torch.logsumexp(logits, dim=1) - logits.diagonal()
    columns = torch.logsumexp(logits, dim=0) - logits.diagonal()
    return (rows + columns) / 2


# mistake always_float32 (dtype), from plain
# float64 logits give a float32 loss.
# Next: Leave `.float()` out: work in the type of the logits.
#   pairs = torch.arange(len(logits)) => pairs, logits = torch.arange(len(logits)), logits.float()

# mistake columns_detached (values), from plain
# Half of the gradient is missing: one direction is computed outside of the graph.
# Next: Remove `detach()` or `torch.no_grad()`: both directions train.
#   logits.T => logits.detach().T

# mistake graph_cut (property), from plain
# The logits are detached: nothing could learn from this loss.
# Next: Remove `detach()`, `.data` or numpy: the loss must carry a graph.
#   pairs = torch.arange(len(logits)) => pairs, logits = torch.arange(len(logits)), logits.detach()

# mistake transposes_in_place (property), from plain
# The caller's logits are overwritten.
# Next: Subtract into a new tensor: `logits = logits - ...`, not `-=`.
#    def clip_loss(logits):
#   +    logits -= logits.detach().max()


# mistake log_of_softmax (not finite)
# softmax first, the logarithm afterwards: a probability far below the largest is 0, and log(0) is -inf.
# Next: `F.log_softmax` or `F.cross_entropy` never compute that probability by itself.
def clip_loss(logits):
    rows, columns = logits.softmax(dim=1).diagonal(), logits.softmax(dim=0).diagonal()
    return -(rows.log().mean() + columns.log().mean()) / 2


# mistake rounds_to_float32 (values)
# float64 logits are rounded to float32 on the way.
# Next: Leave `.float()` out: the loss is computed in the type of the logits.
def clip_loss(logits):
    small, pairs = logits.float(), torch.arange(len(logits))
    return ((F.cross_entropy(small, pairs) + F.cross_entropy(small.T, pairs)) / 2).to(logits.dtype)


# mistake rows_and_columns_in_one_softmax (values)
# Row i and column i stand side by side in one softmax, with the pair in it twice; each direction has its own.
# Next: Take two cross-entropies and their mean.
def clip_loss(logits):
    return F.cross_entropy(torch.cat([logits, logits.T], dim=1), torch.arange(len(logits)))


# right form two_log_softmaxes
def clip_loss(logits):
    diagonal = torch.log_softmax(logits, dim=0).diag() + torch.log_softmax(logits, dim=1).diag()
    return -diagonal.sum() / (2 * len(logits))


# right form logsumexps
def clip_loss(logits):
    both = logits.logsumexp(0) + logits.logsumexp(1)
    return (both / 2 - logits.diagonal()).mean()


# right form stacked_into_one_cross_entropy
def clip_loss(logits):
    n = logits.shape[0]
    return F.cross_entropy(torch.cat([logits, logits.transpose(0, 1)]), torch.arange(2 * n) % n)


# right form loops
def clip_loss(logits, verbose=True):
    n, total = logits.size(0), 0.0
    for i in range(n):
        total = total + torch.logsumexp(logits[i], dim=0) - logits[i, i]
        total = total + torch.logsumexp(logits[:, i], dim=0) - logits[i, i]
    if verbose:
        print(total)
    return total / n / 2


# right form one_hot_targets_in_float64
def clip_loss(logits):
    wide, pairs = logits.to(torch.float64), torch.eye(len(logits), dtype=torch.float64)
    loss = nn.CrossEntropyLoss()
    return torch.stack([loss(wide, pairs), loss(wide.t(), pairs)]).mean().to(logits.dtype)
