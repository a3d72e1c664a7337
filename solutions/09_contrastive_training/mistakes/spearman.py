# exercise 09.spearman
import numpy as np
import torch


# mistake correlation_of_the_values (values)
# This is Pearson's correlation of the values; Spearman's is that of their ranks.
# Next: Replace the values by their ranks first.
def spearman(a, b):
    return torch.corrcoef(torch.stack([a, b]))[0, 1].item()


# mistake argsort_is_no_rank (values)
# argsort says which value comes at each rank, but the exercise asks for the rank of each value.
# Next: Apply argsort to the result of argsort, and then think about ties.
def spearman(a, b):
    ranks = torch.stack([a.argsort().double(), b.argsort().double()])
    return torch.corrcoef(ranks)[0, 1].item()


# mistake ties_in_order_of_appearance (values)
# Equal values get different ranks, in the order in which they stand; they share the mean of the ranks.
# Next: Average the ranks over all entries with the same value.
def spearman(a, b):
    ranks = [x.argsort(stable=True).argsort(stable=True).double() for x in (a, b)]
    return torch.corrcoef(torch.stack(ranks))[0, 1].item()


# mistake ties_share_the_lowest_rank (values), from ties_in_order_of_appearance
# Equal values get the lowest of their ranks; they share the mean.
# Next: Add half of the number of equal values.
#   x.argsort(stable=True).argsort(stable=True) => (x[None, :] < x[:, None]).sum(dim=1)

# mistake ties_share_the_highest_rank (values), from ties_in_order_of_appearance
# Equal values get the highest of their ranks; they share the mean.
# Next: Take away half of the number of equal values.
#   x.argsort(stable=True).argsort(stable=True) => (x[None, :] <= x[:, None]).sum(dim=1)

# mistake ranks_without_gaps (values), from ties_in_order_of_appearance
# The different values are numbered 0, 1, 2, ...: after a tie the ranks go on as if it took up one rank only.
# Next: Three equal values take up three ranks, and each gets the mean of them.
#   x.argsort(stable=True).argsort(stable=True) => torch.unique(x, return_inverse=True)[1]


# mistake formula_without_ties (values)
# 1 - 6 sum(d ** 2) / (n (n ** 2 - 1)) holds only when there are no ties.
# Next: Compute Pearson's correlation of the ranks.
def spearman(a, b):
    def ranks(x):
        return (x[None, :] < x[:, None]).sum(dim=1) + (x[None, :] == x[:, None]).sum(dim=1) / 2

    n = len(a)
    return (1 - 6 * ((ranks(a) - ranks(b)).double() ** 2).sum() / (n * (n**2 - 1))).item()


# mistake pairs_in_the_same_order (values)
# This counts pairs in the same and in the opposite order: Kendall's tau, another measure.
# Next: Compute the correlation of the ranks.
def spearman(a, b):
    n = len(a)
    signs = torch.sign(a[:, None] - a[None, :]) * torch.sign(b[:, None] - b[None, :])
    return (signs.sum() / (n * (n - 1))).item()


# base plain
def spearman(a, b):
    def ranks(x):
        return ((x[None, :] < x[:, None]).sum(dim=1) + (x[None, :] == x[:, None]).sum(dim=1) / 2).double()

    return torch.corrcoef(torch.stack([ranks(a), ranks(b)]))[0, 1].item()


# mistake one_side_descending (values), from plain
# One list is ranked upwards, the other downwards: the sign is wrong.
# Next: Rank both in the same direction.
#   ranks(b) => ranks(-b)

# mistake without_the_sign (values), from plain
# The sign is dropped: the opposite order counts as the same one.
# Next: Return the correlation with its sign, from -1 to 1.
#   -    return torch.corrcoef(torch.stack([ranks(a), ranks(b)]))[0, 1].item()
#   +    return abs(torch.corrcoef(torch.stack([ranks(a), ranks(b)]))[0, 1].item())

# mistake squared (values), from plain
# This is the square of the correlation.
# Next: Divide the covariance by the product of the two standard deviations, not of the variances.
#   item() => item() ** 2

# mistake n_above_n_minus_1_below (values), from plain
# The covariance is divided by n, the variances by n - 1 (torch's `std`): the same order gives less than 1.
# Next: Use one of the two both times; then it cancels.
#   -    return torch.corrcoef(torch.stack([ranks(a), ranks(b)]))[0, 1].item()
#   +    p, q = ranks(a), ranks(b)
#   +    return (((p - p.mean()) * (q - q.mean())).mean() / (p.std() * q.std())).item()

# mistake cosine_of_the_ranks (values), from plain
# The ranks are not centred: this is their cosine, which is never negative.
# Next: Subtract the mean rank first.
#   torch.corrcoef(torch.stack([ranks(a), ranks(b)]))[0, 1] => torch.cosine_similarity(ranks(a), ranks(b), dim=0)

# mistake the_whole_matrix (shape), from plain
# `corrcoef` returns a (2, 2) matrix; the correlation of the two is entry [0, 1].
# Next: Return one number.
#   torch.corrcoef(torch.stack([ranks(a), ranks(b)]))[0, 1].item() => torch.corrcoef(torch.stack([ranks(a), ranks(b)]))

# mistake one_number_in_a_row (shape), from plain
# The result has the shape (1,); a single number has no axis.
# Next: Use the dot product of two vectors, or return `[0]` of what you have.
#   -    return torch.corrcoef(torch.stack([ranks(a), ranks(b)]))[0, 1].item()
#   +    p, q = (ranks(x) - ranks(x).mean() for x in (a, b))
#   +    return (p[None] @ q) / (p.norm() * q.norm())


# mistake rounds_to_float32 (values)
# Values that differ in the tenth digit count as ties, in float32 or by a tolerance.
# Next: Rank them as they come in: without `.float()`, and equal means `==`.
def spearman(a, b):
    def ranks(x):
        x = x.float()
        return ((x[None, :] < x[:, None]).sum(dim=1) + (x[None, :] == x[:, None]).sum(dim=1) / 2).double()

    stacked = torch.stack([ranks(a), ranks(b)])
    stacked = stacked - stacked.mean(dim=1, keepdim=True)
    return ((stacked[0] * stacked[1]).sum() / (stacked[0].norm() * stacked[1].norm() + 1e-12)).item()


# mistake close_values_count_as_ties (values), from rounds_to_float32
# Values that are nearly equal are treated as ties; ties are equal values.
# Next: Compare with `==`.
#   x = x.float() => equal = (x[None, :] - x[:, None]).abs() < 0.05
#   ).sum(dim=1) + (x[None, :] == x[:, None]).sum(dim=1) / 2).double() => ) & ~equal).sum(dim=1).double() + equal.sum(dim=1) / 2

# mistake close_values_are_ties (values), from plain
# Values that are merely close share a rank; only equal ones do.
# Next: Compare with `==` instead of `isclose`.
#   -        return ((x[None, :] < x[:, None]).sum(dim=1) + (x[None, :] == x[:, None]).sum(dim=1) / 2).double()
#   +        return ((x[:, None] > x).sum(1) + torch.isclose(x[:, None], x).sum(1) / 2).double()


# right form scipy
def spearman(a, b):
    from scipy.stats import spearmanr

    return spearmanr(a.numpy(), b.numpy()).statistic


# right form sorting_and_averaging_runs
def spearman(a, b):
    def ranks(values):
        values = values.tolist()
        order = sorted(range(len(values)), key=values.__getitem__)
        found, start = [0.0] * len(values), 0
        while start < len(order):
            end = start
            while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
                end += 1
            for place in range(start, end + 1):
                found[order[place]] = (start + end) / 2 + 1
            start = end + 1
        return found

    return np.corrcoef(ranks(a), ranks(b))[0, 1]


# right form mean_rank_of_each_value
def spearman(a, b):
    def ranks(x):
        _, group, count = torch.unique(x, return_inverse=True, return_counts=True)
        last = count.cumsum(0)
        return (last - (count - 1) / 2)[group]

    p, q = ranks(a), ranks(b)
    p, q = p - p.mean(), q - q.mean()
    return (p @ q) / (p.norm() * q.norm())


# right form standard_deviations
def spearman(a, b, verbose=False):
    def ranks(x):
        return sum((x > other).double() + (x == other).double() / 2 for other in x)

    p, q = ranks(a), ranks(b)
    covariance = ((p - p.mean()) * (q - q.mean())).mean()
    return (covariance / (p.std(unbiased=False) * q.std(unbiased=False))).item()


# right form both_descending_signs
def spearman(a, b):
    p = torch.sign(a[:, None] - a[None, :]).sum(dim=0)
    q = torch.sign(b[:, None] - b[None, :]).sum(dim=0)
    print(p, q)
    return torch.nn.functional.cosine_similarity(p.double(), q.double(), dim=0)


# survivor 1 → 0
# Counted along the other axis both lists are ranked downwards, and the correlation is the same.

# survivor 1 → 0 (2)
# Equality is symmetric: the rows and the columns of the table have the same sums.
