"""Notebook 09: contrastive losses, negatives, a schedule, measures of retrieval, recommendation."""

from .clip_loss import clip_loss
from .false_negative_mask import false_negative_mask
from .info_nce import info_nce
from .logit_scale import LogitScale
from .mean_reciprocal_rank import mean_reciprocal_rank
from .mine_hard_negatives import mine_hard_negatives
from .ndcg_at_k import ndcg_at_k
from .nt_xent import nt_xent
from .recall_at_k import recall_at_k
from .recommend import recommend
from .spearman import spearman
from .warmup_cosine import warmup_cosine

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
)
