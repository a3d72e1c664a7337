# exercise 11.pairwise_logistic_loss
"""Wrong answers about the pairwise logistic loss by name, and unusual right ones."""

import math
from itertools import combinations

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
def pairwise_logistic_loss(scores, gains):
    better = gains[:, None] > gains[None, :]
    if not better.any():
        return scores.sum() * 0
    ahead = scores[:, None] - scores[None, :]
    return F.softplus(-ahead[better]).mean()


# mistake turned_round (values), from plain
# The sign is turned round: the loss is small when the worse document stands first.
# Next: The exponent is -(s_i - s_j), where i has the larger gain.
#   F.softplus(-ahead[better]) => F.softplus(ahead[better])

# mistake sum_over_the_pairs (values), from plain
# The pairs' losses are added; the mean over the pairs was asked for.
# Next: Use `mean()`.
#   F.softplus(-ahead[better]).mean() => F.softplus(-ahead[better]).sum()

# mistake mean_over_all_places (values), from plain
# The sum is divided by N², the number of all places in the table.
# Next: Divide by the number of pairs with gain_i > gain_j.
#   F.softplus(-ahead[better]).mean() => F.softplus(-ahead[better]).sum() / len(scores) ** 2

# mistake mean_over_documents (values), from plain
# The sum is divided by N, the number of documents.
# Next: Divide by the number of pairs with gain_i > gain_j.
#   F.softplus(-ahead[better]).mean() => F.softplus(-ahead[better]).sum() / len(scores)

# mistake mean_of_means (values), from plain
# A mean is taken for each document first, so that pairs of documents with few pairs count for more.
# Next: One mean over all pairs.
#   -    return F.softplus(-ahead[better]).mean()
#   +    losses = torch.where(better, F.softplus(-ahead), 0).sum(dim=1) / better.sum(dim=1).clamp(min=1)
#   +    return losses[better.any(dim=1)].mean()

# mistake equal_gains_too (values), from plain
# Pairs of equal gain count too, and each document with itself.
# Next: Compare with `>`.
#   -    better = gains[:, None] > gains[None, :]
#   +    better = gains[:, None] >= gains[None, :]

# mistake all_pairs (values), from plain
# All pairs of different gain count, in both orders.
# Next: Only pairs with gain_i > gain_j count.
#   gains[:, None] > gains[None, :] => gains[:, None] != gains[None, :]

# mistake sorted_by_gain_taken_for_granted (values), from plain
# Only pairs in which the better document comes first in the list are counted.
# Next: The documents come in any order: compare the gains of all pairs.
#   gains[:, None] > gains[None, :] => (gains[:, None] > gains[None, :]).triu()

# mistake gains_as_right_or_wrong (values), from plain
# Gains above 0 are all the same, so that documents of grade 1 and 3 make no pair.
# Next: Compare the gains themselves.
#   gains[:, None] > gains[None, :] => (gains > 0)[:, None] & (gains <= 0)[None, :]

# mistake weighted_by_the_gains (values), from plain
# Each pair is weighted by the difference of its gains; all pairs count the same.
# Next: Leave the weights out.
#   F.softplus(-ahead[better]).mean() => (F.softplus(-ahead) * (gains[:, None] - gains[None, :]))[better].mean()

# mistake margin_of_the_gains (values), from plain
# The difference of the gains is subtracted from that of the scores, as a margin.
# Next: The gains only say which pairs count.
#   scores[:, None] - scores[None, :] => scores[:, None] - scores[None, :] - (gains[:, None] - gains[None, :])

# mistake hinge (values), from plain
# This is the hinge loss, max(0, 1 - difference).
# Next: Take log(1 + exp(-difference)), `F.softplus(-difference)`.
#   F.softplus(-ahead[better]) => F.relu(1 - ahead[better])

# mistake probability (values), from plain
# The probability that the pair is wrong comes back: the logarithm is missing.
# Next: Take log(1 + exp(-difference)), `F.softplus(-difference)`.
#   F.softplus(-ahead[better]) => torch.sigmoid(-ahead[better])

# mistake exponential (values), from plain
# The 1 and the logarithm are missing: this is exp(-difference), the exponential loss.
# Next: Take log(1 + exp(-difference)), `F.softplus(-difference)`.
#   F.softplus(-ahead[better]) => torch.exp(-ahead[better])

# mistake logarithm_to_base_2 (values), from plain
# The logarithm is to base 2.
# Next: Use the natural logarithm.
#   F.softplus(-ahead[better]).mean() => F.softplus(-ahead[better]).mean() / math.log(2)

# mistake absolute_differences (values), from plain
# The sign of the difference is lost: a pair in the wrong order costs as little as one in the right order.
# Next: Leave `abs` out.
#   -ahead[better] => -ahead[better].abs()

# mistake log_of_the_mean (values), from plain
# The mean is taken before the logarithm.
# Next: Take the logarithm of each pair, then the mean.
#   F.softplus(-ahead[better]).mean() => torch.log1p(torch.exp(-ahead[better]).mean())

# mistake best_against_the_rest (values)
# Only pairs with the best document count.
# Next: Every pair with gain_i > gain_j counts.
def pairwise_logistic_loss(scores, gains):
    if len(gains) == 0 or gains.max() == gains.min():
        return scores.sum() * 0
    best = gains == gains.max()
    ahead = scores[best][:, None] - scores[~best][None, :]
    return F.softplus(-ahead).mean()


# mistake squared_errors (values)
# The scores are compared with the gains themselves, by squared errors.
# Next: Only the order counts: compare the scores of pairs.
def pairwise_logistic_loss(scores, gains):
    return F.mse_loss(scores, gains.to(scores.dtype)) if len(scores) > 1 else scores.sum() * 0


# mistake softmax_over_the_list (values)
# This is the loss over the whole list: a cross-entropy between the softmax of the gains and that of the scores (ListNet).
# Next: Take a logistic loss for each pair.
def pairwise_logistic_loss(scores, gains):
    return -(gains.to(scores.dtype).softmax(0) * F.log_softmax(scores, 0)).sum()


# mistake neighbours_only (values)
# Only documents that are next to each other in the list are compared.
# Next: Compare all pairs: `scores[:, None] - scores[None, :]`.
def pairwise_logistic_loss(scores, gains):
    ahead = (scores[:-1] - scores[1:]) * torch.sign(gains[:-1] - gains[1:])
    different = gains[:-1] != gains[1:]
    return F.softplus(-ahead[different]).mean() if different.any() else scores.sum() * 0


# mistake overflow (not finite), from plain
# exp of a large number is inf in float32; a sigmoid made of it is 0, and its logarithm -inf.
# Next: `F.softplus(-difference)` or `F.logsigmoid(difference)` never takes exp of a large number.
#   F.softplus(-ahead[better]) => torch.log(1 + torch.exp(-ahead[better]))

# mistake nan_behind_the_mask (not finite), from plain
# The pairs that do not count are computed too, and inf times 0 in their backward pass is nan.
# Next: Choose the pairs first, by `difference[mask]`, or use `F.softplus`.
#   F.softplus(-ahead[better]).mean() => torch.where(better, torch.log(1 + torch.exp(-ahead)), 0).sum() / better.sum()

# mistake differences_cut_off (values), from plain
# The differences are clamped, so that pairs that are very wrong have no gradient, and cost too little.
# Next: `F.softplus(-difference)` needs no clamp.
#   -ahead[better] => -ahead[better].clamp(-50, 50)

# mistake small_number_inside_the_log (values), from plain
# A small number is added to the probability before the logarithm, which bounds the loss.
# Next: `F.logsigmoid(difference)` or `F.softplus(-difference)` needs no such number.
#   F.softplus(-ahead[better]) => -torch.log(torch.sigmoid(ahead[better]) + 1e-12)

# mistake no_slope_at_equal_scores (values), from plain
# At equal scores the gradient is 0: there relu and abs both have a corner, and torch takes the slope 0 for it.
# Next: `F.softplus(-difference)` has no corner: its slope at 0 is 1/2.
#   F.softplus(-ahead[better]) => (F.relu(-ahead[better]) + torch.log1p(torch.exp(-ahead[better].abs())))

# mistake mean_of_nothing (not finite), from plain
# Without a pair this is a mean of nothing, nan.
# Next: Return `scores.sum() * 0` where no pair counts.
#   -    if not better.any():
#   -        return scores.sum() * 0

# mistake zero_without_a_graph (property), from plain
# Without a pair a constant comes back, from which no backward pass can start.
# Next: Return `scores.sum() * 0`: a 0 with a graph.
#   scores.sum() * 0 => torch.zeros((), dtype=scores.dtype)

# mistake a_plain_0 (type), from plain
# Without a pair the Python number 0.0 comes back; a tensor with a graph was asked for.
# Next: Return `scores.sum() * 0`.
#   return scores.sum() * 0 => return 0.0

# mistake detached (property), from plain
# The scores are detached: nothing could learn from this loss.
# Next: Leave `.detach()`, `.data` and `torch.no_grad()` out.
#   ahead = scores[:, None] - scores[None, :] => ahead = scores.detach()[:, None] - scores.detach()[None, :]

# mistake one_side_detached (values), from plain
# The worse document of each pair is detached, so its score is never pushed down.
# Next: Both scores of a pair get a gradient.
#   scores[:, None] - scores[None, :] => scores[:, None] - scores.detach()[None, :]

# mistake a_python_number (type), from plain
# `.item()` makes a plain number, from which no backward pass can start.
# Next: Return the 0-d tensor itself.
#   F.softplus(-ahead[better]).mean() => F.softplus(-ahead[better]).mean().item()

# mistake a_loss_for_each_pair (shape), from plain
# One loss for each pair comes back; a training step needs one number.
# Next: Take the mean.
#   F.softplus(-ahead[better]).mean() => F.softplus(-ahead[better])

# mistake in_the_type_of_the_gains (dtype), from plain
# Multiplied by the gains' type, the loss becomes float64 where the gains are.
# Next: Let the gains only choose the pairs: `difference[mask]`.
#   F.softplus(-ahead[better]).mean() => (F.softplus(-ahead) * (better.to(gains.dtype))).sum() / better.sum()

# mistake always_float32 (dtype), from plain
# float64 scores give a float32 loss.
# Next: Leave `.float()` out: work in the type of the scores.
#   F.softplus(-ahead[better]) => F.softplus(-ahead[better].float())


# right form all_pairs_in_a_loop
def pairwise_logistic_loss(scores, gains):
    losses = []
    for i, j in combinations(range(len(scores)), 2):
        if gains[i] != gains[j]:
            good, bad = (i, j) if gains[i] > gains[j] else (j, i)
            losses.append(F.softplus(scores[bad] - scores[good]))
    return torch.stack(losses).mean() if losses else 0 * scores.sum()


# right form logsigmoid_with_weights
def pairwise_logistic_loss(scores, gains):
    weights = (gains.unsqueeze(1) > gains).to(scores.dtype)
    losses = -F.logsigmoid(scores.unsqueeze(1) - scores)
    return (weights * losses).sum() / weights.sum().clamp(min=1)


# right form binary_cross_entropy
def pairwise_logistic_loss(scores, gains):
    good, bad = torch.nonzero(gains.reshape(-1, 1) > gains.reshape(1, -1), as_tuple=True)
    if good.numel() == 0:
        return scores.sum() * 0.0
    ahead = scores[good] - scores[bad]
    return nn.BCEWithLogitsLoss()(ahead, torch.ones_like(ahead))


# right form logaddexp_in_float64
def pairwise_logistic_loss(scores, gains):
    order = np.argwhere(np.greater.outer(gains.numpy(), gains.numpy()))
    precise = scores.double()
    behind = precise[order[:, 1]] - precise[order[:, 0]]
    total = torch.logaddexp(behind, torch.zeros_like(behind)).sum() + 0 * precise.sum()
    return (total / max(len(order), 1)).to(scores.dtype)
