"""Notebook 09: contrastive losses, negatives, a schedule, measures of retrieval, search, small codes."""

from .binary_codes import binary_codes
from .clip_loss import clip_loss
from .dequantize import dequantize
from .false_negative_mask import false_negative_mask
from .greedy_graph_search import greedy_graph_search
from .hamming_search import hamming_search
from .info_nce import info_nce
from .inverted_file_search import inverted_file_search
from .logit_scale import LogitScale
from .max_sim import max_sim
from .mean_reciprocal_rank import mean_reciprocal_rank
from .mine_hard_negatives import mine_hard_negatives
from .ndcg_at_k import ndcg_at_k
from .nt_xent import nt_xent
from .quantize_uint8 import quantize_uint8
from .recall_at_k import recall_at_k
from .reciprocal_rank_fusion import reciprocal_rank_fusion
from .recommend import recommend
from .spearman import spearman
from .truncate_dimensions import truncate_dimensions
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
    inverted_file_search,
    greedy_graph_search,
    max_sim,
    quantize_uint8,
    dequantize,
    truncate_dimensions,
    binary_codes,
    hamming_search,
    reciprocal_rank_fusion,
)
