"""Wrong answers about the loss in both directions by name, and unusual right ones."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import mistake, right_form

CLIP = "09.clip_loss"


@mistake(
    CLIP, "rows_only", stage="values",
    diagnosis="Only the rows look (perhaps twice, if table and axis are both turned); the columns must find their row too.",
    next_step="Add the same cross-entropy of the transposed table, and halve the sum.",
)
def clip_loss(logits):
    return F.cross_entropy(logits, torch.arange(len(logits)))


@mistake(
    CLIP, "columns_only", stage="values",
    diagnosis="Only the columns look; the rows must find their column as well.",
    next_step="Add the same cross-entropy of the table as it is, and halve the sum.",
)
def clip_loss(logits):
    return F.cross_entropy(logits.T, torch.arange(len(logits)))


@mistake(
    CLIP, "sum_of_both", stage="values",
    diagnosis="The two directions are added; their mean was asked for.",
    next_step="Divide the sum by 2.",
)
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    return F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)


@mistake(
    CLIP, "sums_over_the_pairs", stage="values",
    diagnosis="The pairs' losses are added; each direction is a mean over its N rows.",
    next_step="Leave `reduction` at its default, the mean.",
)
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    rows = F.cross_entropy(logits, pairs, reduction="sum")
    return (rows + F.cross_entropy(logits.T, pairs, reduction="sum")) / 2


@mistake(
    CLIP, "symmetrised_logits", stage="values",
    diagnosis="The table is averaged with its transpose before the softmax; it is the two losses that are averaged.",
    next_step="Take two cross-entropies, of two tables, and average the results.",
)
def clip_loss(logits):
    return F.cross_entropy((logits + logits.T) / 2, torch.arange(len(logits)))


@mistake(
    CLIP, "mean_of_the_probabilities", stage="values",
    diagnosis="The probabilities of both directions are averaged before the logarithm; average the losses.",
    next_step="Take the logarithm in each direction first.",
)
def clip_loss(logits):
    both = (logits.softmax(dim=0).diagonal() + logits.softmax(dim=1).diagonal()) / 2
    return -both.clamp(min=1e-30).log().mean()


@mistake(
    CLIP, "softmax_over_the_whole_table", stage="values",
    diagnosis="One softmax runs over all N * N entries; each row is a classification of its own, and each column.",
    next_step="Use one softmax for each row and one for each column.",
)
def clip_loss(logits):
    return (torch.logsumexp(logits.reshape(-1), dim=0) - logits.diagonal()).mean()


@mistake(
    CLIP, "class_0_for_all", stage="values",
    diagnosis="Column 0 counts as right in every row; the pairs stand on the diagonal.",
    next_step="The classes are 0, 1, ..., N - 1.",
)
def clip_loss(logits):
    pairs = torch.zeros(len(logits), dtype=torch.long)
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


@mistake(
    CLIP, "softmax_twice", stage="values",
    diagnosis="`F.cross_entropy` does the softmax itself; here it is done twice.",
    next_step="Hand it the logits.",
)
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    rows = F.cross_entropy(logits.softmax(dim=1), pairs)
    return (rows + F.cross_entropy(logits.T.softmax(dim=1), pairs)) / 2


@mistake(
    CLIP, "normalises_the_logits", stage="values",
    diagnosis="The rows of the table are made unit vectors; the logits are ready as they come.",
    next_step="Leave the normalisation out: it was done to the vectors, before the product.",
)
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    logits = F.normalize(logits, dim=1)
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


@mistake(
    CLIP, "pairwise_sigmoid", stage="values",
    diagnosis="Each pair is judged by itself with a sigmoid (SigLIP); in CLIP the entries of a row compete.",
    next_step="Use a softmax along rows, and one along columns.",
)
def clip_loss(logits):
    return F.binary_cross_entropy_with_logits(logits, torch.eye(len(logits), dtype=logits.dtype))


@mistake(
    CLIP, "overflows", stage="not finite",
    diagnosis="exp of a large logit is inf, and of a very negative one 0.",
    next_step="`F.cross_entropy` or `torch.logsumexp` of the logits never takes exp of a large number.",
)
def clip_loss(logits):
    powers = logits.exp()
    rows = -(powers.diagonal() / powers.sum(dim=1)).log().mean()
    columns = -(powers.diagonal() / powers.sum(dim=0)).log().mean()
    return (rows + columns) / 2


@mistake(
    CLIP, "one_maximum_for_the_table", stage="not finite",
    diagnosis="The largest logit of the whole table is subtracted: rows far below it underflow to log(0).",
    next_step="Subtract the largest of each row, and of each column, or use `F.cross_entropy`.",
)
def clip_loss(logits):
    powers = (logits - logits.max()).exp()
    rows = powers.sum(dim=1).log() - powers.diagonal().log()
    columns = powers.sum(dim=0).log() - powers.diagonal().log()
    return (rows + columns).mean() / 2


@mistake(
    CLIP, "row_maximum_for_both_ways", stage="not finite",
    diagnosis="Each row's maximum is subtracted for both directions; along the columns that changes the probabilities.",
    next_step="The columns need a maximum of their own, or use `F.cross_entropy` on the transposed table.",
)
def clip_loss(logits):
    shifted = logits - logits.amax(dim=1, keepdim=True)
    rows = shifted.exp().sum(dim=1).log() - shifted.diagonal()
    powers = logits.exp()
    columns = powers.sum(dim=0).log() - logits.diagonal()
    return (rows + columns).mean() / 2


@mistake(
    CLIP, "clamped_logits", stage="values",
    diagnosis="Clamping large logits avoids inf and changes the loss.",
    next_step="Use `F.cross_entropy` or `torch.logsumexp`, which are exact for large logits.",
)
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    logits = logits.clamp(-80, 80)
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


@mistake(
    CLIP, "two_losses", stage="type",
    diagnosis="Both losses come back as a pair; one number was asked for, their mean.",
    next_step="Return half of their sum.",
)
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    return F.cross_entropy(logits, pairs), F.cross_entropy(logits.T, pairs)


@mistake(
    CLIP, "a_python_number", stage="type",
    diagnosis="`.item()` makes a plain number, from which no backward pass can start.",
    next_step="Return the 0-d tensor itself.",
)
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    return ((F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2).item()


@mistake(
    CLIP, "a_loss_for_each_pair", stage="shape",
    diagnosis="One loss for each pair comes back; a training step needs one number.",
    next_step="Take the mean over the pairs.",
)
def clip_loss(logits):
    rows = torch.logsumexp(logits, dim=1) - logits.diagonal()
    columns = torch.logsumexp(logits, dim=0) - logits.diagonal()
    return (rows + columns) / 2


@mistake(
    CLIP, "always_float32", stage="dtype",
    diagnosis="float64 logits give a float32 loss.",
    next_step="Leave `.float()` out: work in the type of the logits.",
)
def clip_loss(logits):
    pairs, logits = torch.arange(len(logits)), logits.float()
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


@mistake(
    CLIP, "columns_detached", stage="values",
    diagnosis="Half of the gradient is missing: one direction is computed outside of the graph.",
    next_step="Remove `detach()` or `torch.no_grad()`: both directions train.",
)
def clip_loss(logits):
    pairs = torch.arange(len(logits))
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.detach().T, pairs)) / 2


@mistake(
    CLIP, "graph_cut", stage="property",
    diagnosis="The logits are detached: nothing could learn from this loss.",
    next_step="Remove `detach()`, `.data` or numpy: the loss must carry a graph.",
)
def clip_loss(logits):
    pairs, logits = torch.arange(len(logits)), logits.detach()
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


@mistake(
    CLIP, "transposes_in_place", stage="property",
    diagnosis="The caller's logits are overwritten.",
    next_step="Subtract into a new tensor: `logits = logits - ...`, not `-=`.",
)
def clip_loss(logits):
    logits -= logits.detach().max()
    pairs = torch.arange(len(logits))
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


@mistake(
    CLIP, "log_of_softmax", stage="not finite",
    diagnosis="softmax first, the logarithm afterwards: a probability far below the largest is 0, and log(0) is -inf.",
    next_step="`F.log_softmax` or `F.cross_entropy` never compute that probability by itself.",
)
def clip_loss(logits):
    rows, columns = logits.softmax(dim=1).diagonal(), logits.softmax(dim=0).diagonal()
    return -(rows.log().mean() + columns.log().mean()) / 2


@mistake(
    CLIP, "rounds_to_float32", stage="values",
    diagnosis="float64 logits are rounded to float32 on the way.",
    next_step="Leave `.float()` out: the loss is computed in the type of the logits.",
)
def clip_loss(logits):
    small, pairs = logits.float(), torch.arange(len(logits))
    return ((F.cross_entropy(small, pairs) + F.cross_entropy(small.T, pairs)) / 2).to(logits.dtype)


@mistake(
    CLIP, "rows_and_columns_in_one_softmax", stage="values",
    diagnosis="Row i and column i stand side by side in one softmax, with the pair in it twice; each direction has its own.",
    next_step="Take two cross-entropies and their mean.",
)
def clip_loss(logits):
    return F.cross_entropy(torch.cat([logits, logits.T], dim=1), torch.arange(len(logits)))


@right_form(CLIP, "two_log_softmaxes")
def clip_loss(logits):
    diagonal = torch.log_softmax(logits, dim=0).diag() + torch.log_softmax(logits, dim=1).diag()
    return -diagonal.sum() / (2 * len(logits))


@right_form(CLIP, "logsumexps")
def clip_loss(logits):
    both = logits.logsumexp(0) + logits.logsumexp(1)
    return (both / 2 - logits.diagonal()).mean()


@right_form(CLIP, "stacked_into_one_cross_entropy")
def clip_loss(logits):
    n = logits.shape[0]
    return F.cross_entropy(torch.cat([logits, logits.transpose(0, 1)]), torch.arange(2 * n) % n)


@right_form(CLIP, "loops")
def clip_loss(logits, verbose=True):
    n, total = logits.size(0), 0.0
    for i in range(n):
        total = total + torch.logsumexp(logits[i], dim=0) - logits[i, i]
        total = total + torch.logsumexp(logits[:, i], dim=0) - logits[i, i]
    if verbose:
        print(total)
    return total / n / 2


@right_form(CLIP, "one_hot_targets_in_float64")
def clip_loss(logits):
    wide, pairs = logits.to(torch.float64), torch.eye(len(logits), dtype=torch.float64)
    loss = nn.CrossEntropyLoss()
    return torch.stack([loss(wide, pairs), loss(wide.t(), pairs)]).mean().to(logits.dtype)
