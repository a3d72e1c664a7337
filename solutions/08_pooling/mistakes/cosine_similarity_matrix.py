# exercise 08.cosine_similarity_matrix
import numpy as np
import torch
import torch.nn.functional as F


# mistake dot_products (values)
# These are dot products: long vectors win over near ones.
# Next: Divide every row of a and of b by its own norm first.
def cosine_similarity_matrix(a, b):
    return a @ b.T


# mistake a_not_normalised (values), from dot_products
# Only the rows of b have length 1; those of a keep theirs.
# Next: Divide the rows of a by their norms too.
#   b.T => F.normalize(b, dim=1).T

# mistake b_not_normalised (values), from dot_products
# Only the rows of a have length 1; those of b keep theirs.
# Next: Divide the rows of b by their norms too.
#   a @ b.T => F.normalize(a, dim=1) @ b.T

# mistake columns_normalised (values), from dot_products
# The columns have length 1, not the rows: the norm was taken along dim=0.
# Next: A vector is a row: its norm goes along dim=1, or -1.
#   a @ b.T => F.normalize(a, dim=0) @ F.normalize(b, dim=0).T

# mistake one_norm_for_the_matrix (values), from dot_products
# Each matrix was divided by one number, the norm of all its entries.
# Next: `norm(dim=1, keepdim=True)` gives a norm for each row.
#   a @ b.T => (a / a.norm().clamp(min=1e-12)) @ (b / b.norm().clamp(min=1e-12)).T


# mistake squared_norms (values)
# The rows are divided by the squares of their norms; the square root is missing.
# Next: The norm is the root of the sum of squares.
def cosine_similarity_matrix(a, b):
    a = a / a.pow(2).sum(dim=1, keepdim=True).clamp(min=1e-12)
    b = b / b.pow(2).sum(dim=1, keepdim=True).clamp(min=1e-12)
    return a @ b.T


# mistake sums_of_absolute_values (values), from dot_products
# The rows are divided by the sum of their absolute values; the cosine needs the Euclidean norm.
# Next: Leave `p` at its default, 2.
#   a @ b.T => F.normalize(a, p=1, dim=1) @ F.normalize(b, p=1, dim=1).T


# mistake centred (values)
# Each row's mean was taken off first: that is a correlation, not a cosine.
# Next: Leave the rows where they are; only their length is divided out.
def cosine_similarity_matrix(a, b):
    a, b = a - a.mean(dim=1, keepdim=True), b - b.mean(dim=1, keepdim=True)
    return F.normalize(a, dim=1) @ F.normalize(b, dim=1).T


# mistake distances (values), from dot_products
# This is the cosine distance, 1 - cosine.
# Next: Equal directions have similarity 1: leave the subtraction out.
#   a @ b.T => 1 - F.normalize(a, dim=1) @ F.normalize(b, dim=1).T

# mistake without_the_sign (values), from dot_products
# The sign is lost: opposite directions have the cosine -1.
# Next: Leave `abs` out.
#   a @ b.T => (F.normalize(a, dim=1) @ F.normalize(b, dim=1).T).abs()

# mistake below_zero_cut_off (values), from dot_products
# Negative cosines were cut off at 0.
# Next: A cosine goes from -1 to 1: leave the clamp out.
#   a @ b.T => (F.normalize(a, dim=1) @ F.normalize(b, dim=1).T).clamp(min=0)

# mistake moved_to_zero_and_one (values), from dot_products
# The cosines were moved into the range from 0 to 1.
# Next: Leave them as they are: -1 for opposite directions, 0 for a right angle.
#   a @ b.T => (F.normalize(a, dim=1) @ F.normalize(b, dim=1).T + 1) / 2

# mistake transposed (shape), from dot_products
# The result is turned: row i should belong to row i of a.
# Next: Multiply a by the transpose of b, in this order.
#   a @ b.T => F.normalize(b, dim=1) @ F.normalize(a, dim=1).T

# mistake pairs_only (raises), from dot_products
# `F.cosine_similarity` compares row i of a with row i of b only.
# Next: Every row of a meets every row of b: give them different axes, or use a matrix product.
#   a @ b.T => F.cosine_similarity(a, b, dim=1)

# mistake axis_of_the_norms_lost (raises), from dot_products
# The norms have shape (N,) and meet the columns of (N, d) when they divide.
# Next: Keep the axis: `norm(dim=1, keepdim=True)`.
#   a @ b.T => (a / a.norm(dim=1).clamp(min=1e-12)) @ (b / b.norm(dim=1).clamp(min=1e-12)).T

# mistake nan_for_a_zero_row (not finite), from dot_products
# A row of zeros is divided by its norm, 0.
# Next: Put a tiny lower bound under the norms: `clamp(min=1e-12)`.
#   a @ b.T => (a / a.norm(dim=1, keepdim=True)) @ (b / b.norm(dim=1, keepdim=True)).T


# mistake nan_in_the_gradient (not finite)
# The result is right, but its gradient is nan: a division by 0, or the root of 0, was made and covered up afterwards.
# Next: Keep the 0 out of the division, by a lower bound under the norms; and take the norms with `norm`, which knows the slope
# at 0, not with `sqrt`.
def cosine_similarity_matrix(a, b):
    a = (a / a.norm(dim=1, keepdim=True)).nan_to_num(0.0)
    b = (b / b.norm(dim=1, keepdim=True)).nan_to_num(0.0)
    return a @ b.T


# mistake nan_replaced_afterwards (not finite), from dot_products
# The result is right, but its gradient is nan: the division by 0 was made, and only then covered up.
# Next: Keep the 0 out of the division: `clamp(min=1e-12)` on the norms. What is computed and thrown away still takes part in
# backward.
#   a @ b.T => torch.nan_to_num(a @ b.T / (a.norm(dim=1, keepdim=True) * b.norm(dim=1)))

# mistake large_lower_bound (values)
# The lower bound under the norms is so large that short vectors are not brought to length 1.
# Next: Use 1e-8 or less.
def cosine_similarity_matrix(a, b):
    a = a / a.norm(dim=1, keepdim=True).clamp(min=1e-2)
    b = b / b.norm(dim=1, keepdim=True).clamp(min=1e-2)
    return a @ b.T


# mistake added_to_the_norms (values)
# A number was added to every norm, which makes every cosine a little too small.
# Next: Bound the norms from below instead: `clamp(min=1e-12)` leaves all but zero rows alone.
def cosine_similarity_matrix(a, b):
    a = a / (a.norm(dim=1, keepdim=True) + 1e-2)
    b = b / (b.norm(dim=1, keepdim=True) + 1e-2)
    return a @ b.T


# mistake zero_rows_dropped (shape)
# Rows of zeros were taken out, and the result has fewer rows or columns.
# Next: Keep every row: a row of zeros divided by a tiny number stays a row of zeros.
def cosine_similarity_matrix(a, b):
    a, b = a[a.abs().sum(1) > 0], b[b.abs().sum(1) > 0]
    return F.normalize(a, dim=1) @ F.normalize(b, dim=1).T


# mistake callers_vectors_normalised (property)
# a and b themselves were divided by their norms; they belong to the caller.
# Next: `a / norms` makes a new tensor, `a /= norms` does not.
def cosine_similarity_matrix(a, b):
    with torch.no_grad():
        a /= a.norm(dim=1, keepdim=True).clamp(min=1e-12)
        b /= b.norm(dim=1, keepdim=True).clamp(min=1e-12)
    return a @ b.T


# mistake squeezed (shape), from dot_products
# `squeeze()` takes away every axis of size 1, also that of a single vector.
# Next: Leave it out: the result has two axes, always.
#   a @ b.T => (F.normalize(a, dim=1) @ F.normalize(b, dim=1).T).squeeze()

# mistake always_float32 (dtype), from dot_products
# The result is float32 whatever comes in; it should have the dtype of a.
# Next: Leave the vectors in the type in which they came.
#   a @ b.T => F.normalize(a.float(), dim=1) @ F.normalize(b.float(), dim=1).T


# mistake no_graph (property)
# The result is cut off from the graph: a loss that is made of it trains nothing.
# Next: Stay in torch, without `.detach()`, `.numpy()` and `.item()` on the way.
def cosine_similarity_matrix(a, b):
    x, y = a.detach().numpy(), b.detach().numpy()
    x = x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-12)
    y = y / np.maximum(np.linalg.norm(y, axis=1, keepdims=True), 1e-12)
    return torch.from_numpy(x @ y.T)


# mistake norms_taken_for_constants (values)
# The values are right, the gradient is not: the norms were detached, and they depend on a and b too.
# Next: Compute the norms inside the graph, without `no_grad` or `detach`.
def cosine_similarity_matrix(a, b):
    with torch.no_grad():
        across = a.norm(dim=1, keepdim=True).clamp(min=1e-12) * b.norm(dim=1).clamp(min=1e-12)
    return a @ b.T / across


# right form broadcast_cosine_similarity
def cosine_similarity_matrix(a, b):
    return F.cosine_similarity(a.unsqueeze(1), b.unsqueeze(0), dim=-1)


# right form products_over_norms
def cosine_similarity_matrix(a, b, eps=1e-12):
    across = torch.outer(torch.linalg.vector_norm(a, dim=1), torch.linalg.vector_norm(b, dim=1))
    return torch.einsum("nd,md->nm", a, b) / across.clamp(min=eps)


# right form double_loop
def cosine_similarity_matrix(a, b):
    result = torch.zeros(len(a), len(b), dtype=a.dtype)
    for row in range(len(a)):
        for column in range(len(b)):
            if a[row].any() and b[column].any():
                result[row, column] = a[row].dot(b[column]) / (a[row].norm() * b[column].norm())
    return result


# right form small_number_under_the_root
def cosine_similarity_matrix(a, b):
    a = a * torch.rsqrt((a**2).sum(-1, keepdim=True) + 1e-20)
    b = b * torch.rsqrt((b**2).sum(-1, keepdim=True) + 1e-20)
    return torch.mm(a, b.t())


# right form float64_inside_and_where
def cosine_similarity_matrix(a, b):
    def unit(x):
        norms = x.norm(dim=1, keepdim=True)
        return x / torch.where(norms == 0, torch.ones_like(norms), norms)

    return (unit(a.double()) @ unit(b.double()).T).to(a.dtype)


# right form norms_of_zero_made_infinite
def cosine_similarity_matrix(a, b):
    lengths = [torch.linalg.norm(x, dim=1, keepdim=True) for x in (a, b)]
    x, y = (x / torch.where(length > 0, length, torch.inf) for x, length in zip((a, b), lengths))
    return (x @ y.mT).clamp(-1, 1)


# mistake any_zero_makes_a_zero_row (values)
# A row that holds a single 0 counts as a row of zeros.
# Next: A zero row holds nothing but zeros: `all`, where `any` stands.
def cosine_similarity_matrix(a, b):
    near = F.normalize(a, dim=1) @ F.normalize(b, dim=1).T
    return near * (a != 0).all(dim=1)[:, None] * (b != 0).all(dim=1)
