"""Wrong answers about squared distances by name, and unusual right ones."""

import numpy as np
import torch

from grader.course_source.catalogue import mistake, right_form

SQUARED = "10.squared_distances"


@mistake(
    SQUARED, "not_squared", stage="values",
    diagnosis="These are the distances; their squares were asked for.",
    next_step="Leave the root out.",
)
def squared_distances(x):
    return (x[:, None] - x[None]).norm(dim=-1)


@mistake(
    SQUARED, "sum_of_absolute_values", stage="values",
    diagnosis="The absolute values of the differences are summed, not their squares.",
    next_step="Square each difference before the sum.",
)
def squared_distances(x):
    return (x[:, None] - x[None]).abs().sum(dim=-1)


@mistake(
    SQUARED, "square_of_the_sum", stage="values",
    diagnosis="The differences are added first and squared afterwards, so they cancel.",
    next_step="Square each difference, then sum.",
)
def squared_distances(x):
    return (x[:, None] - x[None]).sum(dim=-1) ** 2


@mistake(
    SQUARED, "mean_of_the_squares", stage="values",
    diagnosis="The squares are averaged over the columns; their sum was asked for.",
    next_step="`sum(dim=-1)` instead of `mean`.",
)
def squared_distances(x):
    return (x[:, None] - x[None]).square().mean(dim=-1)


@mistake(
    SQUARED, "negative_by_rounding", stage="property",
    diagnosis="|a|² + |b|² - 2ab is rounded: for points that nearly coincide it comes out a little negative.",
    next_step="Put a lower bound of 0 under it, and write 0 into the diagonal.",
)
def squared_distances(x):
    squares = (x * x).sum(dim=1)
    return squares[:, None] + squares[None, :] - 2 * x @ x.T


@mistake(
    SQUARED, "diagonal_not_zero", stage="property",
    diagnosis="Nothing is negative any more, but some points have a small distance to themselves, left over by rounding.",
    next_step="Write zeros into the diagonal: `fill_diagonal_(0)` on your own result.",
)
def squared_distances(x):
    squares = (x * x).sum(dim=1)
    return (squares[:, None] + squares[None, :] - 2 * x @ x.T).clamp(min=0)


@mistake(
    SQUARED, "negative_beside_the_diagonal", stage="property",
    diagnosis="The diagonal is 0, but near-duplicates still have negative distances.",
    next_step="Put a lower bound of 0 under all of the matrix: `clamp(min=0)`.",
)
def squared_distances(x):
    squares = (x * x).sum(dim=1)
    return (squares[:, None] + squares[None, :] - 2 * x @ x.T).fill_diagonal_(0)


@mistake(
    SQUARED, "sign_of_the_product", stage="values",
    diagnosis="The product is added: that is |a + b|², not |a - b|².",
    next_step="(a - b)² = a² + b² - 2ab.",
)
def squared_distances(x):
    squares = (x * x).sum(dim=1)
    return (squares[:, None] + squares[None, :] + 2 * x @ x.T).fill_diagonal_(0)


@mistake(
    SQUARED, "product_counted_once", stage="values",
    diagnosis="The product is taken off once; it must be twice.",
    next_step="(a - b)² = a² + b² - 2ab.",
)
def squared_distances(x):
    squares = (x * x).sum(dim=1)
    return (squares[:, None] + squares[None, :] - x @ x.T).clamp(min=0).fill_diagonal_(0)


@mistake(
    SQUARED, "upper_triangle_only", stage="values",
    diagnosis="Only the pairs i < j are filled; the matrix is symmetric.",
    next_step="Add the transpose, or write each number into both positions.",
)
def squared_distances(x):
    return torch.triu((x[:, None] - x[None]).square().sum(dim=-1))


@mistake(
    SQUARED, "columns_compared", stage="shape",
    diagnosis="The columns are compared with each other, not the rows.",
    next_step="A point is a row: the result has as many rows as x.",
)
def squared_distances(x):
    return (x.T[:, None] - x.T[None]).square().sum(dim=-1)


@mistake(
    SQUARED, "list_of_pairs", stage="shape",
    diagnosis="This is one number for each pair i < j; a matrix (n, n) was asked for.",
    next_step="`torch.pdist` returns the upper triangle as a list; give the points two axes instead.",
)
def squared_distances(x):
    return torch.pdist(x) ** 2


@mistake(
    SQUARED, "always_float32", stage="dtype",
    diagnosis="The result is float32 whatever comes in; it should have the dtype of x.",
    next_step="Leave x in the type in which it came.",
)
def squared_distances(x):
    x = x.float()
    return (x[:, None] - x[None]).square().sum(dim=-1)


@mistake(
    SQUARED, "always_float64", stage="dtype",
    diagnosis="The result is float64 whatever comes in; it should have the dtype of x.",
    next_step="Convert the result back: `.to(x.dtype)`.",
)
def squared_distances(x):
    x = x.double().numpy()
    return torch.from_numpy(((x[:, None] - x[None]) ** 2).sum(-1))


@mistake(
    SQUARED, "moves_the_caller_s_points", stage="property",
    diagnosis="x itself was centred; it belongs to the caller.",
    next_step="`x - mean` makes a new tensor, `x -= mean` does not; and distances need no centring.",
)
def squared_distances(x):
    if len(x):
        x -= x.mean(dim=0)
    return (x[:, None] - x[None]).square().sum(dim=-1)


@right_form(SQUARED, "product_with_bound_and_diagonal")
def squared_distances(x):
    x = x - x.mean(dim=0)
    squares = x.pow(2).sum(1, keepdim=True)
    distances = torch.clamp(squares + squares.T - 2.0 * torch.mm(x, x.T), min=0.0)
    distances.fill_diagonal_(0.0)
    return distances


@right_form(SQUARED, "cdist_without_products")
def squared_distances(x):
    return torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist").square()


@right_form(SQUARED, "double_loop")
def squared_distances(x):
    result = torch.zeros(len(x), len(x), dtype=x.dtype)
    for row, one in enumerate(x):
        for column, other in enumerate(x):
            result[row, column] = ((one - other) ** 2).sum()
    return result


@right_form(SQUARED, "numpy_and_back")
def squared_distances(x):
    a = np.asarray(x, dtype=np.float64)
    return torch.tensor(np.square(a[:, np.newaxis] - a).sum(axis=2)).to(x.dtype)


@right_form(SQUARED, "absolute_value_of_the_product_form")
def squared_distances(x, eye=None):
    away = x - x[:1]  # the first point becomes the origin
    gram = torch.einsum("id,jd->ij", away, away)
    squares = gram.diagonal()
    distances = (squares[None] + squares[:, None] - 2 * gram).relu()
    return torch.where(torch.eye(len(x)).bool(), torch.zeros_like(distances), distances)


@mistake(
    SQUARED, "product_far_from_the_origin", stage="values",
    diagnosis="|a|² + |b|² - 2ab of points far from the origin is a small difference of large numbers: rounding is all that is "
    "left of it.",
    next_step="Take the mean of all points off first, which changes no distance; or subtract the points from one another.",
)
def squared_distances(x):
    squares = x.pow(2).sum(1, keepdim=True)
    distances = torch.clamp(squares + squares.T - 2.0 * torch.mm(x, x.T), min=0.0)
    distances.fill_diagonal_(0.0)
    return distances
