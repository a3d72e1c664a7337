"""Notebook 09: contrastive losses, negatives, a schedule, measures of retrieval, search, small codes."""

from __future__ import annotations

from .losses import clip_loss, info_nce
from .measures import mean_reciprocal_rank, ndcg_at_k, recall_at_k, spearman
from .memory import dequantize, quantize_uint8, truncate_dimensions
from .negatives import false_negative_mask, mine_hard_negatives
from .search import inverted_file_search, recommend
from .training import LogitScale, warmup_cosine
from .views import nt_xent

__all__ = ["EXERCISES"]

EXERCISES = (
    info_nce,
    clip_loss,
    LogitScale,
    nt_xent,
    false_negative_mask,
    mine_hard_negatives,
    warmup_cosine,
    recall_at_k,
    mean_reciprocal_rank,
    ndcg_at_k,
    spearman,
    recommend,
    inverted_file_search,
    quantize_uint8,
    dequantize,
    truncate_dimensions,
)
