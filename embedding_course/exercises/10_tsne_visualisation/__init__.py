"""Notebook 10: maps by t-SNE and PCA, when to believe them, and the health of a table."""

from __future__ import annotations

from .distances import squared_distances
from .health import analogy, norm_outliers
from .maps import cluster_test, pca, trustworthiness
from .tsne import conditional_probabilities, joint_probabilities, tsne_gradient

__all__ = ["EXERCISES"]

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
