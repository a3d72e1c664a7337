"""Wrong answers about the matrix of cosines by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, mistake, right_form

COSINE = "08.cosine_similarity_matrix"


@mistake(
    COSINE, "dot_products", stage="values",
    diagnosis="These are dot products: long vectors win over near ones.",
    next_step="Divide every row of a and of b by its own norm first.",
)
def cosine_similarity_matrix(a, b):
    return a @ b.T


altered(
    COSINE, "a_not_normalised", "dot_products", {"@ b.T": "@ F.normalize(b, dim=1).T"}, stage="values",
    diagnosis="Only the rows of b have length 1; those of a keep theirs.",
    next_step="Divide the rows of a by their norms too.",
)

altered(
    COSINE, "b_not_normalised", "dot_products", {"return a": "return F.normalize(a, dim=1)"}, stage="values",
    diagnosis="Only the rows of a have length 1; those of b keep theirs.",
    next_step="Divide the rows of b by their norms too.",
)

altered(
    COSINE, "columns_normalised", "dot_products",
    {"a @ b": "F.normalize(a, dim=0) @ F.normalize(b, dim=0)"},
    stage="values",
    diagnosis="The columns have length 1, not the rows: the norm was taken along dim=0.",
    next_step="A vector is a row: its norm goes along dim=1, or -1.",
)

altered(
    COSINE, "one_norm_for_the_matrix", "dot_products",
    {"a @ b": "(a / a.norm().clamp(min=1e-12)) @ (b / b.norm().clamp(min=1e-12))"},
    stage="values",
    diagnosis="Each matrix was divided by one number, the norm of all its entries.",
    next_step="`norm(dim=1, keepdim=True)` gives a norm for each row.",
)


@mistake(
    COSINE, "squared_norms", stage="values",
    diagnosis="The rows are divided by the squares of their norms; the square root is missing.",
    next_step="The norm is the root of the sum of squares.",
)
def cosine_similarity_matrix(a, b):
    a = a / a.pow(2).sum(dim=1, keepdim=True).clamp(min=1e-12)
    b = b / b.pow(2).sum(dim=1, keepdim=True).clamp(min=1e-12)
    return a @ b.T


altered(
    COSINE, "sums_of_absolute_values", "dot_products",
    {"a @ b": "F.normalize(a, p=1, dim=1) @ F.normalize(b, p=1, dim=1)"},
    stage="values",
    diagnosis="The rows are divided by the sum of their absolute values; the cosine needs the Euclidean norm.",
    next_step="Leave `p` at its default, 2.",
)


@mistake(
    COSINE, "centred", stage="values",
    diagnosis="Each row's mean was taken off first: that is a correlation, not a cosine.",
    next_step="Leave the rows where they are; only their length is divided out.",
)
def cosine_similarity_matrix(a, b):
    a, b = a - a.mean(dim=1, keepdim=True), b - b.mean(dim=1, keepdim=True)
    return F.normalize(a, dim=1) @ F.normalize(b, dim=1).T


altered(
    COSINE, "distances", "dot_products",
    {"a @ b": "1 - F.normalize(a, dim=1) @ F.normalize(b, dim=1)"},
    stage="values",
    diagnosis="This is the cosine distance, 1 - cosine.",
    next_step="Equal directions have similarity 1: leave the subtraction out.",
)

altered(
    COSINE, "without_the_sign", "dot_products",
    {"a @ b.T": "(F.normalize(a, dim=1) @ F.normalize(b, dim=1).T).abs()"},
    stage="values",
    diagnosis="The sign is lost: opposite directions have the cosine -1.",
    next_step="Leave `abs` out.",
)

altered(
    COSINE, "below_zero_cut_off", "dot_products",
    {"a @ b.T": "(F.normalize(a, dim=1) @ F.normalize(b, dim=1).T).clamp(min=0)"},
    stage="values",
    diagnosis="Negative cosines were cut off at 0.",
    next_step="A cosine goes from -1 to 1: leave the clamp out.",
)

altered(
    COSINE, "moved_to_zero_and_one", "dot_products",
    {"a @ b.T": "(F.normalize(a, dim=1) @ F.normalize(b, dim=1).T + 1) / 2"},
    stage="values",
    diagnosis="The cosines were moved into the range from 0 to 1.",
    next_step="Leave them as they are: -1 for opposite directions, 0 for a right angle.",
)

altered(
    COSINE, "transposed", "dot_products", {"a @ b": "F.normalize(b, dim=1) @ F.normalize(a, dim=1)"}, stage="shape",
    diagnosis="The result is turned: row i should belong to row i of a.",
    next_step="Multiply a by the transpose of b, in this order.",
)

altered(
    COSINE, "pairs_only", "dot_products", {"a @ b.T": "F.cosine_similarity(a, b, dim=1)"}, stage="raises",
    diagnosis="`F.cosine_similarity` compares row i of a with row i of b only.",
    next_step="Every row of a meets every row of b: give them different axes, or use a matrix product.",
)

altered(
    COSINE, "axis_of_the_norms_lost", "dot_products",
    {"a @ b": "(a / a.norm(dim=1).clamp(min=1e-12)) @ (b / b.norm(dim=1).clamp(min=1e-12))"},
    stage="raises",
    diagnosis="The norms have shape (N,) and meet the columns of (N, d) when they divide.",
    next_step="Keep the axis: `norm(dim=1, keepdim=True)`.",
)

altered(
    COSINE, "nan_for_a_zero_row", "dot_products",
    {"a @ b": "(a / a.norm(dim=1, keepdim=True)) @ (b / b.norm(dim=1, keepdim=True))"},
    stage="not finite",
    diagnosis="A row of zeros is divided by its norm, 0.",
    next_step="Put a tiny lower bound under the norms: `clamp(min=1e-12)`.",
)


@mistake(
    COSINE, "nan_in_the_gradient", stage="not finite",
    diagnosis="The result is right, but its gradient is nan: a division by 0, or the root of 0, was made and covered up "
    "afterwards.",
    next_step="Keep the 0 out of the division, by a lower bound under the norms; and take the norms with `norm`, which "
    "knows the slope at 0, not with `sqrt`.",
)
def cosine_similarity_matrix(a, b):
    a = (a / a.norm(dim=1, keepdim=True)).nan_to_num(0.0)
    b = (b / b.norm(dim=1, keepdim=True)).nan_to_num(0.0)
    return a @ b.T


@mistake(
    COSINE, "large_lower_bound", stage="values",
    diagnosis="The lower bound under the norms is so large that short vectors are not brought to length 1.",
    next_step="Use 1e-8 or less.",
)
def cosine_similarity_matrix(a, b):
    a = a / a.norm(dim=1, keepdim=True).clamp(min=1e-2)
    b = b / b.norm(dim=1, keepdim=True).clamp(min=1e-2)
    return a @ b.T


@mistake(
    COSINE, "added_to_the_norms", stage="values",
    diagnosis="A number was added to every norm, which makes every cosine a little too small.",
    next_step="Bound the norms from below instead: `clamp(min=1e-12)` leaves all but zero rows alone.",
)
def cosine_similarity_matrix(a, b):
    a = a / (a.norm(dim=1, keepdim=True) + 1e-2)
    b = b / (b.norm(dim=1, keepdim=True) + 1e-2)
    return a @ b.T


@mistake(
    COSINE, "zero_rows_dropped", stage="shape",
    diagnosis="Rows of zeros were taken out, and the result has fewer rows or columns.",
    next_step="Keep every row: a row of zeros divided by a tiny number stays a row of zeros.",
)
def cosine_similarity_matrix(a, b):
    a, b = a[a.abs().sum(1) > 0], b[b.abs().sum(1) > 0]
    return F.normalize(a, dim=1) @ F.normalize(b, dim=1).T


@mistake(
    COSINE, "callers_vectors_normalised", stage="property",
    diagnosis="a and b themselves were divided by their norms; they belong to the caller.",
    next_step="`a / norms` makes a new tensor, `a /= norms` does not.",
)
def cosine_similarity_matrix(a, b):
    with torch.no_grad():
        a /= a.norm(dim=1, keepdim=True).clamp(min=1e-12)
        b /= b.norm(dim=1, keepdim=True).clamp(min=1e-12)
    return a @ b.T


altered(
    COSINE, "squeezed", "dot_products",
    {"a @ b.T": "(F.normalize(a, dim=1) @ F.normalize(b, dim=1).T).squeeze()"},
    stage="shape",
    diagnosis="`squeeze()` takes away every axis of size 1, also that of a single vector.",
    next_step="Leave it out: the result has two axes, always.",
)

altered(
    COSINE, "always_float32", "dot_products",
    {"a @ b": "F.normalize(a.float(), dim=1) @ F.normalize(b.float(), dim=1)"},
    stage="dtype",
    diagnosis="The result is float32 whatever comes in; it should have the dtype of a.",
    next_step="Leave the vectors in the type in which they came.",
)


@mistake(
    COSINE, "no_graph", stage="property",
    diagnosis="The result is cut off from the graph: a loss that is made of it trains nothing.",
    next_step="Stay in torch, without `.detach()`, `.numpy()` and `.item()` on the way.",
)
def cosine_similarity_matrix(a, b):
    x, y = a.detach().numpy(), b.detach().numpy()
    x = x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-12)
    y = y / np.maximum(np.linalg.norm(y, axis=1, keepdims=True), 1e-12)
    return torch.from_numpy(x @ y.T)


@mistake(
    COSINE, "norms_taken_for_constants", stage="values",
    diagnosis="The values are right, the gradient is not: the norms were detached, and they depend on a and b too.",
    next_step="Compute the norms inside the graph, without `no_grad` or `detach`.",
)
def cosine_similarity_matrix(a, b):
    with torch.no_grad():
        across = a.norm(dim=1, keepdim=True).clamp(min=1e-12) * b.norm(dim=1).clamp(min=1e-12)
    return a @ b.T / across


@right_form(COSINE, "broadcast_cosine_similarity")
def cosine_similarity_matrix(a, b):
    return F.cosine_similarity(a.unsqueeze(1), b.unsqueeze(0), dim=-1)


@right_form(COSINE, "products_over_norms")
def cosine_similarity_matrix(a, b, eps=1e-12):
    across = torch.outer(torch.linalg.vector_norm(a, dim=1), torch.linalg.vector_norm(b, dim=1))
    return torch.einsum("nd,md->nm", a, b) / across.clamp(min=eps)


@right_form(COSINE, "double_loop")
def cosine_similarity_matrix(a, b):
    result = torch.zeros(len(a), len(b), dtype=a.dtype)
    for row in range(len(a)):
        for column in range(len(b)):
            if a[row].any() and b[column].any():
                result[row, column] = a[row].dot(b[column]) / (a[row].norm() * b[column].norm())
    return result


@right_form(COSINE, "small_number_under_the_root")
def cosine_similarity_matrix(a, b):
    a = a * torch.rsqrt((a**2).sum(-1, keepdim=True) + 1e-20)
    b = b * torch.rsqrt((b**2).sum(-1, keepdim=True) + 1e-20)
    return torch.mm(a, b.t())


@right_form(COSINE, "float64_inside_and_where")
def cosine_similarity_matrix(a, b):
    def unit(x):
        norms = x.norm(dim=1, keepdim=True)
        return x / torch.where(norms == 0, torch.ones_like(norms), norms)

    return (unit(a.double()) @ unit(b.double()).T).to(a.dtype)


@right_form(COSINE, "norms_of_zero_made_infinite")
def cosine_similarity_matrix(a, b):
    lengths = [torch.linalg.norm(x, dim=1, keepdim=True) for x in (a, b)]
    x, y = (x / torch.where(length > 0, length, torch.inf) for x, length in zip((a, b), lengths))
    return (x @ y.mT).clamp(-1, 1)


@mistake(
    COSINE, "any_zero_makes_a_zero_row", stage="values",
    diagnosis="A row that holds a single 0 counts as a row of zeros.",
    next_step="A zero row holds nothing but zeros: `all`, where `any` stands.",
)
def cosine_similarity_matrix(a, b):
    near = F.normalize(a, dim=1) @ F.normalize(b, dim=1).T
    return near * (a != 0).all(dim=1)[:, None] * (b != 0).all(dim=1)
