"""Notebook 08: pooling, cosine similarity, and the model that makes one vector of a text."""

from __future__ import annotations

from .cosine import cosine_similarity_matrix
from .poolings import pool_cls, pool_last, pool_max, pool_mean, pool_weighted
from .text_encoder import TextEncoder

__all__ = ["EXERCISES"]

EXERCISES = (pool_mean, pool_max, pool_cls, pool_last, pool_weighted, cosine_similarity_matrix, TextEncoder)
