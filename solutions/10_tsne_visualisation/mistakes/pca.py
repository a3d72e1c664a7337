# exercise 10.pca
import numpy as np
import torch
from sklearn.decomposition import PCA

# survivor False → True
# full_matrices=True only adds directions behind the first min(n, d), and k is no larger


# mistake not_centred (values)
# The points were not centred: the first direction leads from the origin to the middle of the cloud.
# Next: Take the mean of each column off first.
def pca(x, k):
    _, _, vh = torch.linalg.svd(x, full_matrices=False)
    return x @ vh[:k].T


# mistake centred_for_the_directions_only (values), from not_centred
# The directions are right, but the points were projected without being centred.
# Next: Project the centred points.
#   x, full_matrices=False => x - x.mean(dim=0), full_matrices=False


# base plain
def pca(x, k):
    centred = x - x.mean(dim=0)
    _, _, vh = torch.linalg.svd(centred, full_matrices=False)
    return centred @ vh[:k].T


# mistake each_point_centred (values), from plain
# Each point's own mean was taken off; it is the mean of each column over all points.
# Next: `x.mean(dim=0)`.
#   dim=0 => dim=1, keepdim=True
#   centred, full_matrices=False => centred - centred.mean(dim=0) * 0, full_matrices=False

# mistake standardised (values), from plain
# The columns were divided by their standard deviations: that is another analysis.
# Next: Centre only.
#   x - x.mean(dim=0) => (x - x.mean(dim=0)) / x.std(dim=0)


# mistake whitened (values)
# All directions have the same variance: U was returned without its singular values.
# Next: Multiply U by S, or project the centred points.
def pca(x, k):
    u, _, _ = torch.linalg.svd(x - x.mean(dim=0), full_matrices=False)
    return u[:, :k]


# mistake smallest_variance (values), from plain
# `eigh` sorts by rising eigenvalue: these are the directions of smallest variance.
# Next: Take the last k eigenvectors, in reverse order.
#   _, _, vh = torch.linalg.svd(centred, full_matrices=False) => _, vectors = torch.linalg.eigh(centred.T @ centred)
#   vh[:k].T => vectors[:, :k]

# mistake rising_variance (values), from plain
# The k directions are the right ones, but in rising order of variance.
# Next: Flip the columns: the largest variance comes first.
#   _, _, vh = torch.linalg.svd(centred, full_matrices=False) => _, vectors = torch.linalg.eigh(centred.T @ centred)
#   vh[:k].T => vectors[:, -k:]

# mistake vh_not_transposed (values, shape), from plain
# The directions are the rows of Vh; its first columns were used.
# Next: `centred @ vh[:k].T`.
#   False => True
#   vh[:k].T => vh[:, :k]


# mistake directions_returned (shape)
# These are the directions, (d, k); the points along them, (n, k), were asked for.
# Next: Multiply the centred points with them.
def pca(x, k):
    _, _, vh = torch.linalg.svd(x - x.mean(dim=0), full_matrices=False)
    return vh[:k].T


# mistake first_columns (values)
# These are the first k columns of the centred points, as they were measured.
# Next: Turn the points first: the directions of largest variance are rarely the axes.
def pca(x, k):
    return (x - x.mean(dim=0))[:, :k]


# mistake columns_of_largest_variance (values)
# The k columns with the largest variance were picked; the directions must be found, not picked.
# Next: Use a singular value decomposition of the centred points.
def pca(x, k):
    centred = x - x.mean(dim=0)
    return centred[:, centred.var(dim=0).argsort(descending=True)[:k]]


# mistake divided_by_the_root_of_n (values), from plain
# The result was divided by a factor; projections keep the points' own scale.
# Next: Take the scaling of the covariance out of the projection.
#   x - x.mean(dim=0) => (x - x.mean(dim=0)) / (len(x) - 1) ** 0.5

# mistake distances_from_the_mean (values), from plain
# The columns were made positive; only the sign of a whole column is free.
# Next: Leave `abs` out.
#   centred @ vh[:k].T => (centred @ vh[:k].T).abs()

# mistake always_float32 (dtype), from plain
# The result is float32 whatever comes in; it should have the dtype of x.
# Next: Leave x in the type in which it came.
#   x - x.mean(dim=0) => (x - x.mean(dim=0)).float()

# mistake caller_s_points_centred (property), from not_centred
# x itself was centred; it belongs to the caller.
# Next: `x - mean` makes a new tensor, `x -= mean` does not.
#    def pca(x, k):
#   +    x -= x.mean(dim=0)


# right form scikit_learn
def pca(x, k):
    return torch.from_numpy(PCA(n_components=k, svd_solver="full").fit_transform(x.numpy())).to(x.dtype)


# right form eigenvectors_of_the_covariance
def pca(x, k):
    centred = (x - x.mean(0, keepdim=True)).double()
    values, vectors = torch.linalg.eigh(torch.cov(centred.T))
    return (centred @ vectors[:, values.argsort(descending=True)[:k]]).to(x.dtype)


# right form u_times_s_with_other_signs
def pca(x, k, flip=True):
    u, s, _ = np.linalg.svd(np.asarray(x, dtype=np.float64) - np.asarray(x, dtype=np.float64).mean(axis=0), full_matrices=False)
    scores = u[:, :k] * s[:k]
    return torch.tensor(-scores if flip else scores).to(x.dtype)


# right form eigenvectors_of_the_products
def pca(x, k):
    centred = x.double() - x.double().mean(dim=0)
    values, vectors = torch.linalg.eigh(centred @ centred.T)
    best = values.argsort(descending=True)[:k]
    return (vectors[:, best] * values[best].clamp(min=0).sqrt()).to(x.dtype)


# mistake mean_taken_off_the_products (values)
# The covariance is the mean of the products less the product of the means: far from the origin that is a small difference of
# large numbers, and the directions are those of rounding.
# Next: Take the mean off the points first, and multiply afterwards.
def pca(x, k):
    mean = x.mean(dim=0)
    covariance = x.T @ x / len(x) - torch.outer(mean, mean)
    directions = torch.linalg.eigh(covariance).eigenvectors.flip(dims=[1])[:, :k]
    return (x - mean) @ directions
