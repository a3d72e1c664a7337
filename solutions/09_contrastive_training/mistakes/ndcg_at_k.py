# exercise 09.ndcg_at_k
import math

import numpy as np
import torch


# base plain
def ndcg_at_k(gains, k):
    def dcg(ranked):
        return sum((2**g - 1) / math.log2(i + 2) for i, g in enumerate(ranked[:k]))

    gains = [float(g) for g in gains]
    best = dcg(sorted(gains, reverse=True))
    return dcg(gains) / best if best else 0.0


# mistake gain_as_it_is (values), from plain
# The gain itself is used; a gain g counts 2 ** g - 1.
# Next: Put every gain through 2 ** g - 1.
#   (2**g - 1) / math.log2(i + 2) => g / math.log2(i + 2)

# mistake minus_1_forgotten (values), from plain
# 2 ** g is used: a worthless answer then counts 1.
# Next: Subtract 1: a gain of 0 counts nothing.
#   (2**g - 1) / math.log2(i + 2) => 2**g / math.log2(i + 2)

# mistake power_of_g_minus_1 (values), from plain
# 2 ** (g - 1) is used; it is 2 ** g, minus 1.
# Next: Mind the brackets: first the power, then subtract.
#   (2**g - 1) / math.log2(i + 2) => 2 ** (g - 1) / math.log2(i + 2)
#   dcg(gains) / best if best else 0.0 => dcg(gains) / best if any(gains) else 0.0

# mistake square_instead_of_power (values), from plain
# The gain is squared; a gain g counts 2 to the power g, minus 1.
# Next: Write `2**g - 1`.
#   (2**g - 1) / math.log2(i + 2) => g**2 / math.log2(i + 2)

# mistake yes_or_no (values), from plain
# Every gain above 0 counts the same; grades differ.
# Next: A gain g counts 2 ** g - 1.
#   2**g - 1 => g > 0

# mistake best_order_of_the_first_k (values), from plain
# The ideal is the best order of the first k gains; what was missed further down belongs to it too.
# Next: Sort all gains, then cut at k.
#   gains, reverse=True => gains[:k], reverse=True

# mistake ideal_not_cut (values), from plain
# The ideal runs over all gains; it is cut at k as well.
# Next: Cut the sorted gains at k.
#   ranked[:k] => ranked
#   dcg(gains) => dcg(gains[:k])

# mistake nothing_cut (values), from plain
# k is never used.
# Next: Only the first k ranks count, in both sums.
#   ranked[:k] => ranked

# mistake one_number_in_a_row (shape), from plain
# The result has the shape (1,); a single number has no axis.
# Next: Return the number itself, or `torch.tensor(number)` without square brackets.
#   dcg(gains) / best if best else 0.0 => torch.tensor([dcg(gains) / best if best else 0.0])


# mistake not_normalised (values)
# This is the discounted gain; it is not yet divided by the best possible one.
# Next: Divide by the same sum for the best order.
def ndcg_at_k(gains, k):
    return sum((2 ** float(g) - 1) / math.log2(i + 2) for i, g in enumerate(gains[:k])) + 0.0


# mistake worst_order (values), from plain
# `sorted` puts the smallest first: this is the worst order.
# Next: Sort with `reverse=True`.
#   gains, reverse=True => gains

# mistake discount_of_the_place_itself (raises), from plain
# The discount of rank 1 is log2(1) = 0, and dividing by it fails.
# Next: Rank i = 1, 2, ... has the discount log2(i + 1).
#   i + 2 => i + 1

# mistake first_two_places_alike (values), from plain
# Ranks 1 and 2 have the discount 1, as in an older definition; here the second has log2(3).
# Next: Rank i = 1, 2, ... has the discount log2(i + 1).
#   (2**g - 1) / math.log2(i + 2) => (2**g - 1) / max(1.0, math.log2(i + 1)) if i else 2**g - 1

# mistake discount_one_place_late (values), from plain
# Rank 1 has the discount log2(3): every rank is counted one too high.
# Next: The discount of rank 1 is log2(2) = 1.
#   i + 2 => i + 3

# mistake one_over_the_place (values), from plain
# The discount is the rank itself; here it is log2(rank + 1).
# Next: Divide by `math.log2(rank + 1)`, ranks counted from 1.
#   (2**g - 1) / math.log2(i + 2) => (2**g - 1) / (i + 1)

# mistake no_discount (values), from plain
# There is no discount: all ranks count the same.
# Next: Divide each term by log2(rank + 1).
#   ((2**g - 1) / math.log2(i + 2) for i, g in enumerate(ranked[:k])) => (2**g - 1 for g in ranked[:k])

# mistake multiplied_by_the_discount (values), from plain
# The terms are multiplied by the logarithm: later ranks count more.
# Next: Divide.
#   (2**g - 1) / math.log2(i + 2) => (2**g - 1) * math.log2(i + 2)

# mistake divides_by_zero (raises), from plain
# When no gain is above 0, the ideal is 0 and the division fails.
# Next: Return 0 in that case.
#   -    best = dcg(sorted(gains, reverse=True))
#   -    return dcg(gains) / best if best else 0.0
#   +    return dcg(gains) / dcg(sorted(gains, reverse=True))


# mistake nan_without_gain (not finite)
# When no gain is above 0, 0 / 0 is nan.
# Next: Return 0 when the ideal is 0.
def ndcg_at_k(gains, k):
    gains = torch.as_tensor(gains, dtype=torch.float64)
    discount = torch.log2(torch.arange(min(k, len(gains)), dtype=torch.float64) + 2)
    best = gains.sort(descending=True).values
    return ((2 ** gains[:k] - 1) / discount).sum() / ((2 ** best[:k] - 1) / discount).sum()


# mistake perfect_without_gain (values), from plain
# When nothing can be gained, 1 is returned; 0 was asked for.
# Next: Return 0 when the ideal is 0.
#   dcg(gains) / best if best else 0.0 => dcg(gains) / best if best else 1.0


# mistake k_must_fit (raises)
# It fails when k exceeds the number of gains.
# Next: Slices stop at the end by themselves; a loop over range(k) does not.
def ndcg_at_k(gains, k):
    gains = [float(g) for g in gains]
    best = sorted(gains, reverse=True)
    reached = sum((2 ** gains[i] - 1) / math.log2(i + 2) for i in range(k)) if any(gains) else 0.0
    ideal = sum((2 ** best[i] - 1) / math.log2(i + 2) for i in range(k)) if any(gains) else 1.0
    return reached / ideal


# mistake needs_a_tensor (raises)
# It calls methods of tensors; gains may be a list.
# Next: `torch.as_tensor(gains)` takes both.
def ndcg_at_k(gains, k):
    best = gains.sort(descending=True).values
    discount = torch.log2(torch.arange(min(k, len(gains))) + 2.0)
    ideal = ((2.0 ** best[:k] - 1) / discount).sum()
    return (((2.0 ** gains[:k] - 1) / discount).sum() / ideal).item() if ideal > 0 else 0.0


# mistake needs_a_list (raises), from plain
# It asks `if not gains:`, which a tensor of several entries refuses to answer.
# Next: Ask for `len(gains)`.
#    def ndcg_at_k(gains, k):
#   +    if not gains:
#   +        return 0.0
#   +
#   2**g => 2 ** float(g)
#   -    gains = [float(g) for g in gains]

# mistake sorts_the_callers_list (property), from plain
# `gains.sort` sorts the caller's list itself.
# Next: Use `sorted(gains, reverse=True)`, which makes a new one.
#   2**g => 2 ** float(g)
#   -    gains = [float(g) for g in gains]
#   +    reached = dcg(gains)
#   +    if isinstance(gains, list):
#   +        gains.sort(reverse=True)
#   dcg(gains) => reached

# mistake mean_over_k (values), from plain
# The sum is divided by k as well.
# Next: The measure is one sum divided by another, nothing else.
#   dcg(gains) / best if best else 0.0 => dcg(gains) / best / k if best else 0.0

# mistake whole_grades_only (values), from plain
# The gains are made whole numbers first; a grade may be 0.5 as well.
# Next: Leave the gains as they are, or make them floating.
#   g - 1) / math.log2(i + 2) for i, g => gain - 1) / math.log2(i + 2) for i, gain
#   [float(g) for g in gains] => [int(gain) for gain in gains]


# right form natural_logarithm_cancels
def ndcg_at_k(gains, k):
    gains = torch.as_tensor(gains).tolist()

    def terms(ranked):
        return [(2**g - 1) / math.log(place + 1) for place, g in enumerate(ranked[:k], start=1)]

    best = math.fsum(terms(sorted(gains)[::-1]))
    return math.fsum(terms(gains)) / best if best else 0.0


# right form torch_throughout
def ndcg_at_k(gains, k):
    gains = torch.as_tensor(gains, dtype=torch.float64)
    if not gains.any():
        return torch.tensor(0.0)
    worth = torch.exp2(gains) - 1
    weights = 1 / torch.log2(torch.arange(2, len(gains) + 2, dtype=torch.float64))
    weights[k:] = 0
    return (worth @ weights) / (worth.sort(descending=True).values @ weights)


# right form numpy_inside
def ndcg_at_k(gains, k):
    worth = np.power(2.0, np.asarray(gains, dtype=float)) - 1
    weights = 1 / np.log2(np.arange(2, len(worth) + 2))
    best = np.sort(worth)[::-1][:k] @ weights[:k]
    return worth[:k] @ weights[:k] / best if best > 0 else 0.0


# right form plain_loop_whole_zero
def ndcg_at_k(gains, k, verbose=True):
    gains = list(map(float, gains))
    ideal, reached, left = 0.0, 0.0, list(gains)
    for place in range(min(k, len(gains))):
        best = max(left)
        left.remove(best)
        ideal += (2**best - 1) / np.log2(place + 2)
        reached += (2 ** gains[place] - 1) / np.log2(place + 2)
    if verbose:
        print(reached, ideal)
    if ideal == 0:
        return 0
    return reached / ideal


# right form float32_with_a_small_number_below
def ndcg_at_k(gains, k):
    g = torch.tensor([float(x) for x in gains])
    n = min(k, g.numel())
    discount = torch.arange(n).add(2).float().log2()
    top = torch.topk(g, n).values
    return ((2 ** g[:n] - 1) / discount).sum() / ((2**top - 1) / discount).sum().clamp(min=1e-9)
