# exercise 10.squared_distances
import numpy as np
import torch


# base plain
def squared_distances(x):
    return (x[:, None] - x[None]).square().sum(dim=-1)


# mistake not_squared (values), from plain
# These are the distances; their squares were asked for.
# Next: Leave the root out.
#   (x[:, None] - x[None]).square().sum => (x[:, None] - x[None]).norm

# mistake sum_of_absolute_values (values), from plain
# The absolute values of the differences are summed, not their squares.
# Next: Square each difference before the sum.
#   (x[:, None] - x[None]).square => (x[:, None] - x[None]).abs

# mistake square_of_the_sum (values), from plain
# The differences are added first and squared afterwards, so they cancel.
# Next: Square each difference, then sum.
#   (x[:, None] - x[None]).square().sum(dim=-1) => (x[:, None] - x[None]).sum(dim=-1) ** 2

# mistake mean_of_the_squares (values), from plain
# The squares are averaged over the columns; their sum was asked for.
# Next: `sum(dim=-1)` instead of `mean`.
#   (x[:, None] - x[None]).square().sum => (x[:, None] - x[None]).square().mean


# mistake negative_by_rounding (property)
# |a|² + |b|² - 2ab is rounded: for points that nearly coincide it comes out a little negative.
# Next: Put a lower bound of 0 under it, and write 0 into the diagonal.
def squared_distances(x):
    squares = (x * x).sum(dim=1)
    return squares[:, None] + squares[None, :] - 2 * x @ x.T


# mistake diagonal_not_zero (property)
# Nothing is negative any more, but some points have a small distance to themselves, left over by rounding.
# Next: Write zeros into the diagonal: `fill_diagonal_(0)` on your own result.
def squared_distances(x):
    squares = (x * x).sum(dim=1)
    return (squares[:, None] + squares[None, :] - 2 * x @ x.T).clamp(min=0)


# mistake negative_beside_the_diagonal (property), from diagonal_not_zero
# The diagonal is 0, but near-duplicates still have negative distances.
# Next: Put a lower bound of 0 under all of the matrix: `clamp(min=0)`.
#   clamp(min= => fill_diagonal_(

# mistake sign_of_the_product (values), from diagonal_not_zero
# The product is added: that is |a + b|², not |a - b|².
# Next: (a - b)² = a² + b² - 2ab.
#   - 2 * x @ x.T).clamp(min= => + 2 * x @ x.T).fill_diagonal_(

# mistake product_counted_once (values), from diagonal_not_zero
# The product is taken off once; it must be twice.
# Next: (a - b)² = a² + b² - 2ab.
#   2 * x @ x.T).clamp(min= => x @ x.T).clamp(min=0).fill_diagonal_(

# mistake upper_triangle_only (values), from plain
# Only the pairs i < j are filled; the matrix is symmetric.
# Next: Add the transpose, or write each number into both positions.
#   (x[:, None] - x[None]).square().sum(dim=-1) => torch.triu((x[:, None] - x[None]).square().sum(dim=-1))

# mistake columns_compared (shape), from plain
# The columns are compared with each other, not the rows.
# Next: A point is a row: the result has as many rows as x.
#   x[:, None] - x[None] => x.T[:, None] - x.T[None]


# mistake list_of_pairs (shape)
# This is one number for each pair i < j; a matrix (n, n) was asked for.
# Next: `torch.pdist` returns the upper triangle as a list; give the points two axes instead.
def squared_distances(x):
    return torch.pdist(x) ** 2


# mistake always_float32 (dtype)
# The result is float32 whatever comes in; it should have the dtype of x.
# Next: Leave x in the type in which it came.
def squared_distances(x):
    x = x.float()
    return (x[:, None] - x[None]).square().sum(dim=-1)


# mistake always_float64 (dtype)
# The result is float64 whatever comes in; it should have the dtype of x.
# Next: Convert the result back: `.to(x.dtype)`.
def squared_distances(x):
    x = x.double().numpy()
    return torch.from_numpy(((x[:, None] - x[None]) ** 2).sum(-1))


# mistake moves_the_caller_s_points (property)
# x itself was centred; it belongs to the caller.
# Next: `x - mean` makes a new tensor, `x -= mean` does not; and distances need no centring.
def squared_distances(x):
    if len(x):
        x -= x.mean(dim=0)
    return (x[:, None] - x[None]).square().sum(dim=-1)


# right form product_with_bound_and_diagonal
def squared_distances(x):
    x = x - x.mean(dim=0)
    squares = x.pow(2).sum(1, keepdim=True)
    distances = torch.clamp(squares + squares.T - 2.0 * torch.mm(x, x.T), min=0.0)
    distances.fill_diagonal_(0.0)
    return distances


# right form cdist_without_products
def squared_distances(x):
    return torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist").square()


# right form double_loop
def squared_distances(x):
    result = torch.zeros(len(x), len(x), dtype=x.dtype)
    for row, one in enumerate(x):
        for column, other in enumerate(x):
            result[row, column] = ((one - other) ** 2).sum()
    return result


# right form numpy_and_back
def squared_distances(x):
    a = np.asarray(x, dtype=np.float64)
    return torch.tensor(np.square(a[:, np.newaxis] - a).sum(axis=2)).to(x.dtype)


# right form absolute_value_of_the_product_form
def squared_distances(x, eye=None):
    away = x - x[:1]  # the first point becomes the origin
    gram = torch.einsum("id,jd->ij", away, away)
    squares = gram.diagonal()
    distances = (squares[None] + squares[:, None] - 2 * gram).relu()
    return torch.where(torch.eye(len(x)).bool(), torch.zeros_like(distances), distances)


# mistake product_far_from_the_origin (values), from product_with_bound_and_diagonal
# |a|² + |b|² - 2ab of points far from the origin is a small difference of large numbers: rounding is all that is left of it.
# Next: Take the mean of all points off first, which changes no distance; or subtract the points from one another.
#   -    x = x - x.mean(dim=0)
