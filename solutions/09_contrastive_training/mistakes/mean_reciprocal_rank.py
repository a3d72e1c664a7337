"""Wrong answers about the mean reciprocal rank by name, and unusual right ones."""

import numpy as np
import torch

from grader.course_source.catalogue import altered, base, mistake, right_form

MRR = "09.mean_reciprocal_rank"


@base("plain")
def mean_reciprocal_rank(similarity, relevant):
    own = similarity.gather(1, relevant[:, None])
    return (1 / (1 + (similarity > own).sum(dim=1).double())).mean().item()


altered(
    MRR, "ranks_from_0", "plain",
    {"1 + (similarity > own).sum(dim=1).double()": "similarity > own).sum(dim=1).double("},
    stage="not finite",
    diagnosis="The most similar column has the rank 0 here, and 1 / 0 is inf.",
    next_step="Add 1 to the number of more similar columns.",
)

altered(
    MRR, "ranks_from_2", "plain", {"> own": ">= own"}, stage="values",
    diagnosis="The right column is counted as more similar than itself: ranks start at 2.",
    next_step="Count with `>`, not with `>=`, or do not add 1.",
)

altered(
    MRR, "one_over_the_mean_rank", "plain",
    {
        "return (1 / (1 + (similarity > own).sum(dim=1).double()))":
            "return 1 / (1 + (similarity > own).sum(dim=1).double())",
    },
    stage="values",
    diagnosis="The ranks are averaged first; it is the mean of 1 / rank.",
    next_step="Take one over each rank, then the mean.",
)

altered(
    MRR, "mean_rank", "plain",
    {"/ (1 + (similarity > own).sum(dim=1).double())": "+ (similarity > own).sum(dim=1).double()"},
    stage="values",
    diagnosis="This is the mean rank; asked for is the mean of 1 / rank.",
    next_step="Take one over each rank before the mean.",
)

altered(
    MRR, "sum_over_the_rows", "plain", {".mean": ".sum"}, stage="values",
    diagnosis="The reciprocal ranks are added; their mean was asked for.",
    next_step="Divide by the number of rows.",
)


@mistake(
    MRR, "argsort_is_no_rank", stage="values",
    diagnosis="argsort says which column comes at each rank; the rank of a column is something else.",
    next_step="Search the row of argsort for the right column, or count the more similar columns.",
)
def mean_reciprocal_rank(similarity, relevant):
    order = similarity.argsort(dim=1, descending=True)
    ranks = order.gather(1, relevant[:, None]) + 1
    return (1 / ranks.double()).mean().item()


altered(
    MRR, "least_similar_first", "plain", {"similarity >": "similarity <"}, stage="values",
    diagnosis="The least similar column has rank 1 here.",
    next_step="Count the columns that are more similar, or sort with `descending=True`.",
)


@mistake(
    MRR, "cut_at_10", stage="values",
    diagnosis="Ranks beyond 10 count nothing: that is MRR@10. Here nothing is cut.",
    next_step="Let every rank count.",
)
def mean_reciprocal_rank(similarity, relevant):
    own = similarity.gather(1, relevant[:, None])
    ranks = 1 + (similarity > own).sum(dim=1)
    return torch.where(ranks <= 10, 1 / ranks.double(), 0.0).mean().item()


altered(
    MRR, "whole_division", "plain",
    {" (1 + (similarity > own).sum(dim=1).double())": "/ (1 + (similarity > own).sum(dim=1))).double("},
    stage="values",
    diagnosis="`//` divides whole numbers: everything but rank 1 counts 0.",
    next_step="Use `/`.",
)


@mistake(
    MRR, "right_column_on_the_diagonal", stage="values",
    diagnosis="Row i's right column is taken to be column i; `relevant` says which it is.",
    next_step="Use `similarity[torch.arange(N), relevant]`.",
)
def mean_reciprocal_rank(similarity, relevant):
    n, m = similarity.shape
    own = similarity.gather(1, (torch.arange(n) % m)[:, None])
    return (1 / (1 + (similarity > own).sum(dim=1).double())).mean().item()


@mistake(
    MRR, "down_the_columns", stage="values",
    diagnosis="The columns' similarities are counted down each column; each row is a query.",
    next_step="Count along `dim=1`.",
)
def mean_reciprocal_rank(similarity, relevant):
    own = similarity[torch.arange(len(similarity)), relevant]
    better = torch.stack([(similarity[:, column] > mine).sum() for column, mine in zip(relevant, own)])
    return (1 / (1 + better.double())).mean().item()


@mistake(
    MRR, "logarithm_of_the_rank", stage="values",
    diagnosis="The discount of NDCG is used, one over a logarithm; here it is one over the rank.",
    next_step="Divide 1 by the rank itself.",
)
def mean_reciprocal_rank(similarity, relevant):
    own = similarity.gather(1, relevant[:, None])
    ranks = 1 + (similarity > own).sum(dim=1).double()
    return (1 / torch.log2(ranks + 1)).mean().item()


@mistake(
    MRR, "rounds_to_float32", stage="values",
    diagnosis="Similarities that differ in the tenth digit count as equal, in float32 or by a tolerance.",
    next_step="Compare as they come in: without `.float()`, and without adding anything.",
)
def mean_reciprocal_rank(similarity, relevant):
    similarity = similarity.float()
    own = similarity.gather(1, relevant[:, None])
    return (1 / (1 + (similarity > own).sum(dim=1).double())).mean().item()


@mistake(
    MRR, "sorts_float32", stage="values",
    diagnosis="Sorting float32 values leaves those in any order that differ in the tenth digit only.",
    next_step="Leave `.float()` out: sort in the type that comes in.",
)
def mean_reciprocal_rank(similarity, relevant):
    order = similarity.float().argsort(dim=1, descending=True, stable=True)
    ranks = (order == relevant[:, None]).nonzero()[:, 1] + 1
    return (1 / ranks.double()).mean().item()


@mistake(
    MRR, "one_for_each_row", stage="shape",
    diagnosis="The reciprocal rank of each row comes back; their mean was asked for.",
    next_step="Take the mean.",
)
def mean_reciprocal_rank(similarity, relevant):
    own = similarity.gather(1, relevant[:, None])
    return 1 / (1 + (similarity > own).sum(dim=1).double())


altered(
    MRR, "median", "plain", {".mean": ".median"}, stage="values",
    diagnosis="The median of the reciprocal ranks is returned; the mean was asked for.",
    next_step="Use `.mean()`.",
)


@mistake(
    MRR, "equal_columns_count_once", stage="values",
    diagnosis="Equal similarities count as one rank: a set of them has lost how many columns there are.",
    next_step="Count the columns that are more similar than the right one, equal ones each by itself.",
)
def mean_reciprocal_rank(similarity, relevant):
    total = 0.0
    for row, column in zip(similarity.tolist(), relevant.tolist()):
        total += 1 / (1 + sorted(set(row), reverse=True).index(row[column]))
    return total / len(relevant)


@right_form(MRR, "loop_of_lists")
def mean_reciprocal_rank(similarity, relevant):
    total = 0.0
    for row, right in zip(similarity.tolist(), relevant.tolist()):
        order = sorted(range(len(row)), key=lambda column: -row[column])
        total += 1 / (order.index(right) + 1)
    return total / len(relevant)


@right_form(MRR, "argsort_twice")
def mean_reciprocal_rank(similarity, relevant):
    places = similarity.argsort(dim=1, descending=True).argsort(dim=1)
    return (1.0 / (places[torch.arange(len(places)), relevant] + 1)).mean()


@right_form(MRR, "position_by_nonzero")
def mean_reciprocal_rank(similarity, relevant, verbose=True):
    order = similarity.sort(dim=1, descending=True).indices
    ranks = (order == relevant[:, None]).nonzero()[:, 1] + 1
    if verbose:
        print(ranks)
    return ranks.double().reciprocal().mean().item()


@right_form(MRR, "numpy_inside")
def mean_reciprocal_rank(similarity, relevant):
    s, r = similarity.numpy(), relevant.numpy()
    own = np.take_along_axis(s, r[:, None], axis=1)
    return np.mean(1 / np.sum(s >= own, axis=1))


@right_form(MRR, "transposed")
def mean_reciprocal_rank(similarity, relevant):
    columns = similarity.T
    own = torch.stack([row[index] for row, index in zip(similarity, relevant)])
    return torch.mean(1 / (columns.gt(own).sum(0) + 1))
