# exercise 10.trustworthiness
import numpy as np
import torch
from sklearn.manifold import trustworthiness as of_scikit_learn


# base plain
def trustworthiness(x, y, k):
    n = len(x)
    rank = torch.cdist(x, x).argsort(1).argsort(1)
    shown = torch.cdist(y, y).argsort(1)[:, 1 : k + 1]
    return 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * float((rank.gather(1, shown) - k).clamp(min=0).sum())


# mistake continuity (values), from plain
# Data and map are exchanged: this counts neighbours that the map has lost, not those it has invented.
# Next: Neighbours on the map, ranks in the data.
#   n = len(x) => x, y, n = y, x, len(x)


# mistake share_of_common_neighbours (values)
# This is the fraction of map neighbours that are neighbours in the data; false ones count by their rank.
# Next: Sum rank - k over the false neighbours, and put the sum into the formula.
def trustworthiness(x, y, k):
    rank = torch.cdist(x, x).argsort(1).argsort(1)
    shown = torch.cdist(y, y).argsort(1)[:, 1 : k + 1]
    return float((rank.gather(1, shown) <= k).double().mean())


# mistake each_false_neighbour_counts_one (values), from plain
# False neighbours are counted, not weighed by how far down the list they stand.
# Next: Each costs rank - k.
#   (rank.gather(1, shown) - k).clamp(min=0).sum => (rank.gather(1, shown) > k).sum

# mistake whole_rank_counts (values), from plain
# A false neighbour costs its whole rank; it should cost rank - k.
# Next: A neighbour on rank k + 1 costs 1.
#   -    return 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * float((rank.gather(1, shown) - k).clamp(min=0).sum())
#   +    found = rank.gather(1, shown)
#   +    return 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * float(found[found > k].sum())

# mistake ranks_from_zero (values), from plain
# Ranks begin with 0 for the nearest other point: each is one too small.
# Next: The nearest other point has rank 1; the point itself, if it takes part, rank 0.
#   torch.cdist(x, x).argsort(1).argsort(1) => torch.cdist(x, x).argsort(1).argsort(1) - 1

# mistake ranks_one_too_large (values), from plain
# The point itself has rank 1, so every other rank is one too large.
# Next: The nearest other point has rank 1.
#   torch.cdist(x, x).argsort(1).argsort(1) => torch.cdist(x, x).argsort(1).argsort(1) + 1

# mistake own_neighbour_on_the_map (values), from plain
# Each point counts as its own nearest neighbour on the map, so only k - 1 others are looked at.
# Next: Leave the point itself out of its neighbours.
#   :, 1 : k + 1 => :, :k

# mistake argsort_for_ranks (values), from plain
# One `argsort` says who stands on each rank, not which rank each point has.
# Next: Sort the order once more: `argsort` twice gives ranks.
#   torch.cdist(x, x).argsort(1).argsort(1) => torch.cdist(x, x).argsort(1)

# mistake ranks_on_the_map (values), from plain
# The ranks are those of the map, where the k nearest stand on ranks 1 to k: it always comes out as 1.
# Next: Neighbours on the map, ranks in the data.
#   x, x => y, y

# mistake true_neighbours_reward (values), from plain
# Neighbours on ranks below k make up for false ones: rank - k is negative for them.
# Next: Count only ranks above k.
#   (rank.gather(1, shown) - k).clamp(min=0).sum => (rank.gather(1, shown) - k).sum

# mistake factor_two_missing (values), from plain
# The factor 2 is missing: the worst map would come out at 0.5.
# Next: The factor is 2 / (n k (2n - 3k - 1)).
#   2 / (n * k * (2 * n - 3 * k - 1)) => 1 / (n * k * (2 * n - 3 * k - 1))

# mistake factor_misread (values), from plain
# The factor in front of the sum has 2n - 3k + 1 where 2n - 3k - 1 belongs.
# Next: The factor is 2 / (n k (2n - 3k - 1)).
#   2 * n - 3 * k - 1 => 2 * n - 3 * k + 1

# mistake penalty_instead (values), from plain
# This is the penalty; trustworthiness is 1 minus it.
# Next: A map without false neighbours has 1.
#   1 - 2 => 2

# mistake farthest_on_the_map (values), from plain
# The k farthest points on the map are looked at.
# Next: Sort distances in rising order.
#   torch.cdist(y, y).argsort(1)[:, 1 : k + 1] => torch.cdist(y, y).topk(k, dim=1).indices

# mistake one_number_for_each_point (shape), from plain
# There is a number for each point; one for the map was asked for.
# Next: Sum over all points before you use the formula.
#   -    return 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * float((rank.gather(1, shown) - k).clamp(min=0).sum())
#   +    return 1 - 2 / (k * (2 * n - 3 * k - 1)) * (rank.gather(1, shown) - k).clamp(min=0).sum(dim=1)


# mistake first_in_the_data_left_out (values)
# The first of a point's sorted neighbours in the data is taken for the point itself; of two equal points it may be the other
# one.
# Next: Leave the point out by its index: set its own distance to infinity before you sort.
def trustworthiness(x, y, k):
    n = len(x)
    order = torch.cdist(x.double(), x.double()).argsort(dim=1, stable=True)
    shown = torch.cdist(y.double(), y.double()).fill_diagonal_(torch.inf).argsort(dim=1)[:, :k]
    total = 0
    for i in range(n):
        ranks = {j: rank for rank, j in enumerate(order[i].tolist())}
        total += sum(ranks[j] - k for j in shown[i].tolist() if j not in order[i, 1 : k + 1])
    return 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * total


# mistake argsort_is_no_rank (values)
# argsort is applied once: it says which point comes at each rank, but the exercise asks for the rank of each point.
# Next: Apply argsort to the result of argsort.
def trustworthiness(x, y, k):
    n = len(x)
    far = torch.full((n,), float("inf")).diag()
    rank = (torch.cdist(x.double(), x.double()) + far).argsort(1) + 1
    shown = (torch.cdist(y.double(), y.double()) + far).argsort(1)[:, :k]
    return 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * float((rank.gather(1, shown) - k).clamp(min=0).sum())


# right form scikit_learn
def trustworthiness(x, y, k):
    return of_scikit_learn(np.asarray(x), np.asarray(y), n_neighbors=int(k))


# right form loops_and_sets
def trustworthiness(x, y, k):
    n, penalty = len(x), 0
    for i in range(n):
        others = [j for j in range(n) if j != i]
        in_data = sorted(others, key=lambda j: float(((x[i] - x[j]) ** 2).sum()))
        on_map = sorted(others, key=lambda j: float(((y[i] - y[j]) ** 2).sum()))
        for j in set(on_map[:k]) - set(in_data[:k]):
            penalty += in_data.index(j) + 1 - k
    return 1.0 - penalty * 2.0 / (n * k * (2.0 * n - 3.0 * k - 1.0))


# right form products_and_a_0d_tensor
def trustworthiness(x, y, k):
    def squares(points):
        points = points.double()
        gram = points @ points.T
        d = gram.diagonal()[:, None] + gram.diagonal() - 2 * gram
        return d.fill_diagonal_(-1.0)

    n = x.shape[0]
    ranks = torch.argsort(torch.argsort(squares(x)))
    neighbours = squares(y).topk(k + 1, largest=False).indices[:, 1:]
    excess = torch.relu((torch.gather(ranks, 1, neighbours) - k).double())
    return 1 - excess.sum() * 2 / (n * k * (2 * n - 3 * k - 1))


# right form counting_who_is_nearer
def trustworthiness(x, y, k, metric=2):
    n = len(x)
    data, plane = torch.cdist(x.double(), x.double(), p=metric), torch.cdist(y.double(), y.double(), p=metric)
    total = 0
    for i in range(n):
        for j in range(n):
            near = int((plane[i] < plane[i, j]).sum()) - (1 if j != i else 0)
            if j != i and near < k:
                total += max(0, int((data[i] < data[i, j]).sum()) - k)
    return 1 - 2 * total / (n * k * (2 * n - 3 * k - 1))


# mistake first_of_the_list_left_out (values)
# The first of a point's sorted neighbours on the map is taken for the point itself; where two points share a position it may be
# the other one.
# Next: Leave the point out by its index: set its own distance to infinity before you sort.
def trustworthiness(x, y, k):
    n = len(x)
    rank = torch.cdist(x, x).fill_diagonal_(-1.0).argsort(dim=1).argsort(dim=1)
    near = torch.cdist(y, y).argsort(dim=1, stable=True)[:, 1 : k + 1]
    false = (rank.gather(1, near) - k).clamp(min=0).sum().item()
    return 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * false


# mistake products_far_from_the_origin (values)
# |a|² + |b|² - 2ab of points far from the origin is a small difference of large numbers: in float32 the order of the neighbours
# is lost.
# Next: Subtract the points from one another, or compute in float64: `x.double()`.
def trustworthiness(x, y, k):
    def ranks(points):
        gram = points @ points.T
        squares = gram.diagonal()[:, None] + gram.diagonal() - 2 * gram
        return squares.fill_diagonal_(-torch.inf).argsort(dim=1).argsort(dim=1)

    n = len(x)
    rank, shown = ranks(x), ranks(y)
    excess = (rank - k).clamp(min=0)[(shown >= 1) & (shown <= k)]
    return 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * excess.sum().item()
