# exercise 11.bootstrap_difference
"""Wrong answers about the paired bootstrap by name, and unusual right ones."""

import math
import statistics

import numpy as np
import torch


# base plain
def bootstrap_difference(a, b, draws, generator):
    if len(a) != len(b) or len(a) == 0:
        raise ValueError("a and b need one score for each query")
    a, b = a.double(), b.double()
    index = torch.randint(len(a), (draws, len(a)), generator=generator)
    differences = a[index].mean(dim=1) - b[index].mean(dim=1)
    low = torch.quantile(differences, 0.025)
    high = torch.quantile(differences, 0.975)
    return low.item(), high.item()


# mistake each_engine_its_own_queries (values), from plain
# Queries are drawn for a and for b separately, so the scores are no longer paired, and the interval is too wide.
# Next: Draw once, and use the same index for both.
#   -    differences = a[index].mean(dim=1) - b[index].mean(dim=1)
#   +    other = torch.randint(len(a), (draws, len(a)), generator=generator)
#   +    differences = a[index].mean(dim=1) - b[other].mean(dim=1)

# mistake b_minus_a (values), from plain
# The difference is taken the other way round, mean(b) - mean(a).
# Next: Subtract b from a: then a positive interval says that a is better.
#   a[index].mean(dim=1) - b[index].mean(dim=1) => b[index].mean(dim=1) - a[index].mean(dim=1)

# mistake only_a (values), from plain
# This is the interval of mean(a) alone; b is never used.
# Next: Subtract the mean of b over the same queries.
#   a[index].mean(dim=1) - b[index].mean(dim=1) => a[index].mean(dim=1)

# mistake ratio (values, not finite), from plain
# The means are divided by one another; their difference was asked for.
# Next: Subtract.
#   a[index].mean(dim=1) - b[index].mean(dim=1) => a[index].mean(dim=1) / b[index].mean(dim=1)

# mistake absolute_difference (values), from plain
# The sign of the difference is lost: an engine that is worse looks better.
# Next: Leave `abs` out.
#   a[index].mean(dim=1) - b[index].mean(dim=1) => (a[index].mean(dim=1) - b[index].mean(dim=1)).abs()

# mistake sums (values), from plain
# The scores are added; the mean over the queries was asked for.
# Next: Use `mean(dim=1)`.
#   a[index].mean(dim=1) - b[index].mean(dim=1) => a[index].sum(dim=1) - b[index].sum(dim=1)

# mistake medians (values), from plain
# Each draw gives a difference of medians; that of the means was asked for.
# Next: Use `mean(dim=1)`.
#   a[index].mean(dim=1) - b[index].mean(dim=1) => a[index].median(dim=1).values - b[index].median(dim=1).values

# mistake mean_over_the_draws (values), from plain
# The mean is taken over the draws and not over the queries.
# Next: The index has the shape (draws, Q): use `mean(dim=1)`.
#   a[index].mean(dim=1) - b[index].mean(dim=1) => a[index].mean(dim=0) - b[index].mean(dim=0)

# mistake index_turned_round (values), from plain
# The index has the shape (Q, draws): with the same random numbers each draw then holds other queries.
# Next: Ask for the shape (draws, Q), and take the mean with `dim=1`.
#   -    index = torch.randint(len(a), (draws, len(a)), generator=generator)
#   -    differences = a[index].mean(dim=1) - b[index].mean(dim=1)
#   +    index = torch.randint(len(a), (len(a), draws), generator=generator)
#   +    differences = a[index].mean(dim=0) - b[index].mean(dim=0)

# mistake last_query_never_drawn (values), from plain
# The last query is never drawn: the upper bound of randint is not included.
# Next: Write `torch.randint(Q, ...)`.
#   torch.randint(len(a), (draws, len(a)), => torch.randint(max(len(a) - 1, 1), (draws, len(a)),

# mistake without_replacement (values), from plain
# Every draw holds all queries once, in another order, so all differences are equal and the interval has no width.
# Next: Draw with replacement: `torch.randint(Q, (draws, Q), generator=generator)`.
#   -    index = torch.randint(len(a), (draws, len(a)), generator=generator)
#   +    index = torch.stack([torch.randperm(len(a), generator=generator) for _ in range(draws)])

# mistake half_of_the_queries (values), from plain
# Each draw holds half as many queries as there are, which widens the interval.
# Next: Draw Q queries each time.
#   (draws, len(a)) => (draws, max(len(a) // 2, 1))

# mistake generator_of_its_own (values), from plain
# The random numbers do not come from the generator that was given.
# Next: Pass it on: `torch.randint(..., generator=generator)`.
#   (draws, len(a)), generator=generator => (draws, len(a)), generator=torch.Generator().manual_seed(0)

# mistake drawn_twice (property), from plain
# More is drawn from the generator than the one table of queries.
# Next: Call `torch.randint` once.
#   -    low = torch.quantile(differences, 0.025)
#   +    other = torch.randint(len(a), (draws, len(a)), generator=generator)
#   +    low = torch.quantile(differences, 0.025)

# mistake ninety_percent (values), from plain
# These are the 5 and 95 % quantiles: an interval of 90 %.
# Next: 95 % lie between 2.5 and 97.5 %.
#   0.025 => 0.05
#   0.975 => 0.95

# mistake quarters (values), from plain
# These are the 25 and 75 % quantiles: an interval of 50 %.
# Next: 2.5 % is 0.025.
#   0.025 => 0.25
#   0.975 => 0.75

# mistake smallest_and_largest (values), from plain
# The smallest and the largest difference come back, which move outwards with more draws.
# Next: Take the 2.5 and 97.5 % quantiles.
#   torch.quantile(differences, 0.025) => differences.min()
#   torch.quantile(differences, 0.975) => differences.max()

# mistake one_sided (values), from plain
# The lower end is the 5 % quantile and the upper end the largest difference, as in a one-sided interval.
# Next: Leave 2.5 % out at either end.
#   0.025 => 0.05
#   0.975 => 1.0

# mistake nearest_draw (values), from plain
# The ends are differences that were drawn: the quantile is not interpolated.
# Next: Leave `torch.quantile` at its default, linear interpolation.
#   differences, 0.025 => differences, 0.025, interpolation="lower"
#   differences, 0.975 => differences, 0.975, interpolation="higher"

# mistake places_in_the_sorted_list (values)
# The ends are read off the sorted list at a rounded place; they should be interpolated between two places.
# Next: Use `torch.quantile`, which interpolates linearly.
def bootstrap_difference(a, b, draws, generator):
    if len(a) != len(b) or len(a) == 0:
        raise ValueError("a and b need one score for each query")
    index = torch.randint(len(a), (draws, len(a)), generator=generator)
    ordered = sorted((a.double() - b.double())[index].mean(dim=1).tolist())
    return ordered[int(0.025 * draws)], ordered[min(int(0.975 * draws), draws - 1)]


# mistake high_before_low (values), from plain
# The upper end comes first.
# Next: Return (low, high).
#   return low.item(), high.item() => return high.item(), low.item()

# mistake middle_and_half_width (values), from plain
# The middle of the interval and half of its width come back; its two ends were asked for.
# Next: Return the two quantiles.
#   return low.item(), high.item() => return (low.item() + high.item()) / 2, (high.item() - low.item()) / 2

# mistake normal_interval (values)
# The ends are the mean plus and minus 1.96 standard deviations of the draws, as if they were normal.
# Next: Take the quantiles of the draws themselves.
def bootstrap_difference(a, b, draws, generator):
    if len(a) != len(b) or len(a) == 0:
        raise ValueError("a and b need one score for each query")
    index = torch.randint(len(a), (draws, len(a)), generator=generator)
    differences = (a.double() - b.double())[index].mean(dim=1)
    middle, spread = differences.mean().item(), differences.std(unbiased=False).item()
    return middle - 1.96 * spread, middle + 1.96 * spread


# mistake mirrored (values), from plain
# The quantiles are mirrored at the measured difference (the "basic" bootstrap); the quantiles themselves were asked for.
# Next: Return the quantiles as they are.
#   -    return low.item(), high.item()
#   +    measured = (a.mean() - b.mean()).item()
#   +    return 2 * measured - high.item(), 2 * measured - low.item()

# mistake centred_at_zero (values), from plain
# The measured difference is subtracted from every draw, so the interval lies around 0 and says nothing about a lead.
# Next: Take the quantiles of the differences as they are.
#   -    low = torch.quantile(differences, 0.025)
#   +    differences = differences - (a.mean() - b.mean())
#   +    low = torch.quantile(differences, 0.025)

# mistake three_numbers (shape), from plain
# Three numbers come back; low and high were asked for.
# Next: Return the two ends alone.
#   return low.item(), high.item() => return low.item(), differences.mean().item(), high.item()

# mistake one_tensor (type), from plain
# The ends come back in one tensor; a pair of numbers was asked for.
# Next: Return `low.item(), high.item()`.
#   return low.item(), high.item() => return torch.stack([low, high])

# mistake ends_of_one_number (shape), from plain
# Each end has the shape (1,); a single number has no axis.
# Next: Give `torch.quantile` a number, not a list of one number.
#   -    low = torch.quantile(differences, 0.025)
#   -    high = torch.quantile(differences, 0.975)
#   -    return low.item(), high.item()
#   +    low = torch.quantile(differences, torch.tensor([0.025]).double())
#   +    high = torch.quantile(differences, torch.tensor([0.975]).double())
#   +    return low, high

# mistake low_alone (type), from plain
# Only the lower end comes back.
# Next: Return the pair (low, high).
#   return low.item(), high.item() => return low.item()

# mistake in_float32 (values), from plain
# The scores are averaged in float32, where a small difference of large scores is lost.
# Next: Make a and b float64 before you average: `.double()`.
#   a, b = a.double(), b.double() => a, b = a.float(), b.float()

# mistake unequal_lengths_cut (property), from plain
# What the longer one has too much is left out; that should raise ValueError.
# Next: Compare the lengths first, and raise ValueError.
#   -    if len(a) != len(b) or len(a) == 0:
#   +    both = min(len(a), len(b))
#   +    a, b = a[:both], b[:both]
#   +    if both == 0:

# mistake one_score_for_all (property)
# A single score of a is spread over all queries; that should raise ValueError.
# Next: Compare the lengths first, and raise ValueError.
def bootstrap_difference(a, b, draws, generator):
    if 0 in (len(a), len(b)) or 1 != len(a) != len(b):
        raise ValueError("a and b need one score for each query")
    differences = a.double() - b.double()
    index = torch.randint(len(differences), (draws, len(differences)), generator=generator)
    low, high = np.quantile(differences[index].mean(dim=1).numpy(), [0.025, 0.975])
    return low, high


# mistake lengths_not_compared (raises, property), from plain
# The lengths are not compared, so unequal ones raise an IndexError or nothing.
# Next: Raise ValueError where `len(a) != len(b)`.
#   len(a) != len(b) or len(a) == 0 => len(a) == 0

# mistake no_queries_not_refused (raises), from plain
# Without a query `torch.randint` raises a RuntimeError; ValueError was asked for.
# Next: Raise ValueError where `len(a) == 0`.
#   len(a) != len(b) or len(a) == 0 => len(a) != len(b)

# mistake zero_without_queries (property), from plain
# Without a query (0, 0) comes back; that should raise ValueError.
# Next: Raise ValueError where `len(a) == 0`: nothing was measured.
#   -    if len(a) != len(b) or len(a) == 0:
#   +    if len(a) == len(b) == 0:
#   +        return 0.0, 0.0
#   +    if len(a) != len(b):

# mistake assertion (raises), from plain
# Unequal lengths raise AssertionError; ValueError was asked for.
# Next: Write `raise ValueError(...)`.
#   -    if len(a) != len(b) or len(a) == 0:
#   -        raise ValueError("a and b need one score for each query")
#   +    assert len(a) == len(b) > 0


# right form draw_by_draw
def bootstrap_difference(a, b, draws, generator):
    if not len(a) or a.shape != b.shape:
        raise ValueError("one score for each query, please")
    table = torch.randint(len(a), (draws, len(a)), generator=generator).tolist()
    first, second = a.tolist(), b.tolist()
    means = sorted(statistics.fmean(first[query] - second[query] for query in row) for row in table)

    def quantile(share):
        place = share * (draws - 1)
        below = math.floor(place)
        above = min(below + 1, draws - 1)
        return means[below] + (place - below) * (means[above] - means[below])

    return quantile(0.025), quantile(0.975)


# right form numpy
def bootstrap_difference(a, b, draws, generator):
    if len(a) != len(b) or not len(a):
        raise ValueError("a and b need one score for each query")
    index = torch.randint(0, len(a), (draws, len(a)), generator=generator).numpy()
    first, second = a.numpy().astype(np.float64), b.numpy().astype(np.float64)
    low, high = np.percentile(first[index].mean(axis=1) - second[index].mean(axis=1), [2.5, 97.5])
    return low, high


# right form counts_of_queries
def bootstrap_difference(a, b, draws, generator):
    if len(a) != len(b) or a.numel() == 0:
        raise ValueError("a and b need one score for each query")
    index = torch.randint(high=len(a), size=(draws, len(a)), generator=generator)
    ones = torch.ones(draws, len(a), dtype=torch.float64)
    counts = torch.zeros_like(ones).scatter_add_(1, index, ones)
    return tuple(torch.quantile(counts @ (a.double() - b.double()) / len(a), torch.tensor([0.025, 0.975]).double()))


# right form both_in_one_tensor
def bootstrap_difference(a, b, draws, generator):
    if len(a) != len(b) or len(a) < 1:
        raise ValueError
    index = torch.randint(len(a), (draws, len(a)), generator=generator)
    means = torch.stack([a, b]).to(torch.float64)[:, index].mean(-1)
    ordered = (means[0] - means[1]).sort().values
    ends = []
    for share in (0.025, 0.975):
        place = share * (draws - 1)
        ends.append(torch.lerp(ordered[int(place)], ordered[math.ceil(place)], place - int(place)))
    return ends
