# exercise 09.mean_reciprocal_rank
import numpy as np
import torch


# base plain
def mean_reciprocal_rank(similarity, relevant):
    own = similarity.gather(1, relevant[:, None])
    return (1 / (1 + (similarity > own).sum(dim=1).double())).mean().item()


# mistake ranks_from_0 (not finite), from plain
# The most similar column has the rank 0 here, and 1 / 0 is inf.
# Next: Add 1 to the number of more similar columns.
#   1 / (1 + (similarity > own).sum(dim=1).double()) => 1 / (similarity > own).sum(dim=1).double()

# mistake ranks_from_2 (values), from plain
# The right column is counted as more similar than itself: ranks start at 2.
# Next: Count with `>`, not with `>=`, or do not add 1.
#   similarity > own => similarity >= own

# mistake one_over_the_mean_rank (values), from plain
# The ranks are averaged first; it is the mean of 1 / rank.
# Next: Take one over each rank, then the mean.
#   (1 / (1 + (similarity > own).sum(dim=1).double() => 1 / (1 + (similarity > own).sum(dim=1).double(

# mistake mean_rank (values), from plain
# This is the mean rank, but the exercise asks for the mean of 1 / rank.
# Next: Take one over each rank before the mean.
#   1 / (1 + (similarity > own).sum(dim=1).double()) => 1 + (similarity > own).sum(dim=1).double()

# mistake sum_over_the_rows (values), from plain
# The reciprocal ranks are added; their mean was asked for.
# Next: Divide by the number of rows.
#   (1 / (1 + (similarity > own).sum(dim=1).double())).mean => (1 / (1 + (similarity > own).sum(dim=1).double())).sum


# mistake argsort_is_no_rank (values)
# argsort says which column comes at each rank; the rank of a column is something else.
# Next: Search the row of argsort for the right column, or count the more similar columns.
def mean_reciprocal_rank(similarity, relevant):
    order = similarity.argsort(dim=1, descending=True)
    ranks = order.gather(1, relevant[:, None]) + 1
    return (1 / ranks.double()).mean().item()


# mistake least_similar_first (values), from plain
# The least similar column has rank 1 here.
# Next: Count the columns that are more similar, or sort with `descending=True`.
#   similarity > own => similarity < own


# mistake cut_at_10 (values)
# Ranks beyond 10 count nothing: that is MRR@10. Here nothing is cut.
# Next: Let every rank count.
def mean_reciprocal_rank(similarity, relevant):
    own = similarity.gather(1, relevant[:, None])
    ranks = 1 + (similarity > own).sum(dim=1)
    return torch.where(ranks <= 10, 1 / ranks.double(), 0.0).mean().item()


# mistake whole_division (values), from plain
# `//` divides whole numbers: everything but rank 1 counts 0.
# Next: Use `/`.
#   (1 / (1 + (similarity > own).sum(dim=1).double())).mean => (1 // (1 + (similarity > own).sum(dim=1))).double().mean


# mistake right_column_on_the_diagonal (values)
# Row i's right column is taken to be column i; `relevant` says which it is.
# Next: Use `similarity[torch.arange(N), relevant]`.
def mean_reciprocal_rank(similarity, relevant):
    n, m = similarity.shape
    own = similarity.gather(1, (torch.arange(n) % m)[:, None])
    return (1 / (1 + (similarity > own).sum(dim=1).double())).mean().item()


# mistake down_the_columns (values)
# The columns' similarities are counted down each column; each row is a query.
# Next: Count along `dim=1`.
def mean_reciprocal_rank(similarity, relevant):
    own = similarity[torch.arange(len(similarity)), relevant]
    better = torch.stack([(similarity[:, column] > mine).sum() for column, mine in zip(relevant, own)])
    return (1 / (1 + better.double())).mean().item()


# mistake logarithm_of_the_rank (values)
# The discount of NDCG is used, one over a logarithm; here it is one over the rank.
# Next: Divide 1 by the rank itself.
def mean_reciprocal_rank(similarity, relevant):
    own = similarity.gather(1, relevant[:, None])
    ranks = 1 + (similarity > own).sum(dim=1).double()
    return (1 / torch.log2(ranks + 1)).mean().item()


# mistake rounds_to_float32 (values), from plain
# Similarities that differ in the tenth digit count as equal, in float32 or by a tolerance.
# Next: Compare as they come in: without `.float()`, and without adding anything.
#    def mean_reciprocal_rank(similarity, relevant):
#   +    similarity = similarity.float()


# mistake sorts_float32 (values)
# Sorting float32 values leaves those in any order that differ in the tenth digit only.
# Next: Leave `.float()` out: sort in the type that comes in.
def mean_reciprocal_rank(similarity, relevant):
    order = similarity.float().argsort(dim=1, descending=True, stable=True)
    ranks = (order == relevant[:, None]).nonzero()[:, 1] + 1
    return (1 / ranks.double()).mean().item()


# mistake one_for_each_row (shape), from plain
# The reciprocal rank of each row comes back; their mean was asked for.
# Next: Take the mean.
#   (1 / (1 + (similarity > own).sum(dim=1).double())).mean().item() => 1 / (1 + (similarity > own).sum(dim=1).double())

# mistake one_number_in_a_row (shape), from plain
# The result has the shape (1,); a single number has no axis.
# Next: Take the mean without `keepdim`, or return `[0]` of what you have.
#   mean().item() => mean(dim=0, keepdim=True)

# mistake median (values), from plain
# The median of the reciprocal ranks is returned; the mean was asked for.
# Next: Use `.mean()`.
#   (1 / (1 + (similarity > own).sum(dim=1).double())).mean => (1 / (1 + (similarity > own).sum(dim=1).double())).median


# mistake equal_columns_count_once (values)
# Equal similarities count as one rank: a set of them has lost how many columns there are.
# Next: Count the columns that are more similar than the right one, equal ones each by itself.
def mean_reciprocal_rank(similarity, relevant):
    total = 0.0
    for row, column in zip(similarity.tolist(), relevant.tolist()):
        total += 1 / (1 + sorted(set(row), reverse=True).index(row[column]))
    return total / len(relevant)


# right form loop_of_lists
def mean_reciprocal_rank(similarity, relevant):
    total = 0.0
    for row, right in zip(similarity.tolist(), relevant.tolist()):
        order = sorted(range(len(row)), key=lambda column: -row[column])
        total += 1 / (order.index(right) + 1)
    return total / len(relevant)


# right form argsort_twice
def mean_reciprocal_rank(similarity, relevant):
    places = similarity.argsort(dim=1, descending=True).argsort(dim=1)
    return (1.0 / (places[torch.arange(len(places)), relevant] + 1)).mean()


# right form position_by_nonzero
def mean_reciprocal_rank(similarity, relevant, verbose=True):
    order = similarity.sort(dim=1, descending=True).indices
    ranks = (order == relevant[:, None]).nonzero()[:, 1] + 1
    if verbose:
        print(ranks)
    return ranks.double().reciprocal().mean().item()


# right form numpy_inside
def mean_reciprocal_rank(similarity, relevant):
    s, r = similarity.numpy(), relevant.numpy()
    own = np.take_along_axis(s, r[:, None], axis=1)
    return np.mean(1 / np.sum(s >= own, axis=1))


# right form transposed
def mean_reciprocal_rank(similarity, relevant):
    columns = similarity.T
    own = torch.stack([row[index] for row, index in zip(similarity, relevant)])
    return torch.mean(1 / (columns.gt(own).sum(0) + 1))
