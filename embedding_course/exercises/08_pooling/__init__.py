"""Notebook 08: pooling, cosine similarity, and the model that makes one vector of a text."""

from .cosine_similarity_matrix import cosine_similarity_matrix
from .pool_cls import pool_cls
from .pool_last import pool_last
from .pool_max import pool_max
from .pool_mean import pool_mean
from .pool_weighted import pool_weighted
from .text_encoder import TextEncoder

EXERCISES = (pool_mean, pool_max, pool_cls, pool_last, pool_weighted, cosine_similarity_matrix, TextEncoder)
