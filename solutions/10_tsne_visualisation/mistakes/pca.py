"""Wrong answers about PCA by name, and unusual right ones."""

import numpy as np
import torch
from sklearn.decomposition import PCA

from grader.course_source.catalogue import mistake, right_form, survivor

NAME = "10.pca"

survivor(NAME, "False → True", "full_matrices=True only adds directions behind the first min(n, d), and k is no larger")


@mistake(
    NAME, "not_centred", stage="values",
    diagnosis="The points were not centred: the first direction leads from the origin to the middle of the cloud.",
    next_step="Take the mean of each column off first.",
)
def pca(x, k):
    _, _, vh = torch.linalg.svd(x, full_matrices=False)
    return x @ vh[:k].T


@mistake(
    NAME, "centred_for_the_directions_only", stage="values",
    diagnosis="The directions are right, but the points were projected without being centred.",
    next_step="Project the centred points.",
)
def pca(x, k):
    _, _, vh = torch.linalg.svd(x - x.mean(dim=0), full_matrices=False)
    return x @ vh[:k].T


@mistake(
    NAME, "each_point_centred", stage="values",
    diagnosis="Each point's own mean was taken off; it is the mean of each column over all points.",
    next_step="`x.mean(dim=0)`.",
)
def pca(x, k):
    centred = x - x.mean(dim=1, keepdim=True)
    _, _, vh = torch.linalg.svd(centred - centred.mean(dim=0) * 0, full_matrices=False)
    return centred @ vh[:k].T


@mistake(
    NAME, "standardised", stage="values",
    diagnosis="The columns were divided by their standard deviations: that is another analysis.",
    next_step="Centre only.",
)
def pca(x, k):
    centred = (x - x.mean(dim=0)) / x.std(dim=0)
    _, _, vh = torch.linalg.svd(centred, full_matrices=False)
    return centred @ vh[:k].T


@mistake(
    NAME, "whitened", stage="values",
    diagnosis="All directions have the same variance: U was returned without its singular values.",
    next_step="Multiply U by S, or project the centred points.",
)
def pca(x, k):
    u, _, _ = torch.linalg.svd(x - x.mean(dim=0), full_matrices=False)
    return u[:, :k]


@mistake(
    NAME, "smallest_variance", stage="values",
    diagnosis="`eigh` sorts by rising eigenvalue: these are the directions of smallest variance.",
    next_step="Take the last k eigenvectors, in reverse order.",
)
def pca(x, k):
    centred = x - x.mean(dim=0)
    _, vectors = torch.linalg.eigh(centred.T @ centred)
    return centred @ vectors[:, :k]


@mistake(
    NAME, "rising_variance", stage="values",
    diagnosis="The k directions are the right ones, but in rising order of variance.",
    next_step="Flip the columns: the largest variance comes first.",
)
def pca(x, k):
    centred = x - x.mean(dim=0)
    _, vectors = torch.linalg.eigh(centred.T @ centred)
    return centred @ vectors[:, -k:]


@mistake(
    NAME, "vh_not_transposed", stage=("values", "shape"),
    diagnosis="The directions are the rows of Vh; its first columns were used.",
    next_step="`centred @ vh[:k].T`.",
)
def pca(x, k):
    centred = x - x.mean(dim=0)
    _, _, vh = torch.linalg.svd(centred, full_matrices=True)
    return centred @ vh[:, :k]


@mistake(
    NAME, "directions_returned", stage="shape",
    diagnosis="These are the directions, (d, k); the points along them, (n, k), were asked for.",
    next_step="Multiply the centred points with them.",
)
def pca(x, k):
    _, _, vh = torch.linalg.svd(x - x.mean(dim=0), full_matrices=False)
    return vh[:k].T


@mistake(
    NAME, "first_columns", stage="values",
    diagnosis="These are the first k columns of the centred points, as they were measured.",
    next_step="Turn the points first: directions of largest variance are seldom the axes.",
)
def pca(x, k):
    return (x - x.mean(dim=0))[:, :k]


@mistake(
    NAME, "columns_of_largest_variance", stage="values",
    diagnosis="The k columns with the largest variance were picked; the directions must be found, not picked.",
    next_step="Use a singular value decomposition of the centred points.",
)
def pca(x, k):
    centred = x - x.mean(dim=0)
    return centred[:, centred.var(dim=0).argsort(descending=True)[:k]]


@mistake(
    NAME, "divided_by_the_root_of_n", stage="values",
    diagnosis="The result was divided by a factor; projections keep the points' own scale.",
    next_step="Take the scaling of the covariance out of the projection.",
)
def pca(x, k):
    centred = (x - x.mean(dim=0)) / (len(x) - 1) ** 0.5
    _, _, vh = torch.linalg.svd(centred, full_matrices=False)
    return centred @ vh[:k].T


@mistake(
    NAME, "distances_from_the_mean", stage="values",
    diagnosis="The columns were made positive; only the sign of a whole column is free.",
    next_step="Leave `abs` out.",
)
def pca(x, k):
    centred = x - x.mean(dim=0)
    _, _, vh = torch.linalg.svd(centred, full_matrices=False)
    return (centred @ vh[:k].T).abs()


@mistake(
    NAME, "always_float32", stage="dtype",
    diagnosis="The result is float32 whatever comes in; it should have the dtype of x.",
    next_step="Leave x in the type in which it came.",
)
def pca(x, k):
    centred = (x - x.mean(dim=0)).float()
    _, _, vh = torch.linalg.svd(centred, full_matrices=False)
    return centred @ vh[:k].T


@mistake(
    NAME, "caller_s_points_centred", stage="property",
    diagnosis="x itself was centred; it belongs to the caller.",
    next_step="`x - mean` makes a new tensor, `x -= mean` does not.",
)
def pca(x, k):
    x -= x.mean(dim=0)
    _, _, vh = torch.linalg.svd(x, full_matrices=False)
    return x @ vh[:k].T


@right_form(NAME, "scikit_learn")
def pca(x, k):
    return torch.from_numpy(PCA(n_components=k, svd_solver="full").fit_transform(x.numpy())).to(x.dtype)


@right_form(NAME, "eigenvectors_of_the_covariance")
def pca(x, k):
    centred = (x - x.mean(0, keepdim=True)).double()
    values, vectors = torch.linalg.eigh(torch.cov(centred.T))
    return (centred @ vectors[:, values.argsort(descending=True)[:k]]).to(x.dtype)


@right_form(NAME, "u_times_s_with_other_signs")
def pca(x, k, flip=True):
    u, s, _ = np.linalg.svd(np.asarray(x, dtype=np.float64) - np.asarray(x, dtype=np.float64).mean(axis=0), full_matrices=False)
    scores = u[:, :k] * s[:k]
    return torch.tensor(-scores if flip else scores).to(x.dtype)


@right_form(NAME, "eigenvectors_of_the_products")
def pca(x, k):
    centred = x.double() - x.double().mean(dim=0)
    values, vectors = torch.linalg.eigh(centred @ centred.T)
    best = values.argsort(descending=True)[:k]
    return (vectors[:, best] * values[best].clamp(min=0).sqrt()).to(x.dtype)


@mistake(
    NAME, "mean_taken_off_the_products", stage="values",
    diagnosis="The covariance is the mean of the products less the product of the means: far from the origin that is a small "
    "difference of large numbers, and the directions are those of rounding.",
    next_step="Take the mean off the points first, and multiply afterwards.",
)
def pca(x, k):
    mean = x.mean(dim=0)
    covariance = x.T @ x / len(x) - torch.outer(mean, mean)
    directions = torch.linalg.eigh(covariance).eigenvectors.flip(dims=[1])[:, :k]
    return (x - mean) @ directions
