"""Notebook 10: maps by t-SNE and PCA, when to believe them, and the health of a table."""

from .analogy import analogy
from .cluster_test import cluster_test
from .conditional_probabilities import conditional_probabilities
from .joint_probabilities import joint_probabilities
from .norm_outliers import norm_outliers
from .pca import pca
from .squared_distances import squared_distances
from .trustworthiness import trustworthiness
from .tsne_gradient import tsne_gradient

EXERCISES = (
    squared_distances,
    conditional_probabilities,
    joint_probabilities,
    tsne_gradient,
    pca,
    trustworthiness,
    cluster_test,
    analogy,
    norm_outliers,
)
