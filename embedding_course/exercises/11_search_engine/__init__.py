"""Notebook 11: published models run by the course's parts, honest comparisons, reranking, long texts, small codes."""

from .bag_of_tokens import bag_of_tokens
from .bert_encoder import BertEncoder
from .binary_codes import binary_codes
from .bootstrap_difference import bootstrap_difference
from .chunk import chunk
from .dequantize import dequantize
from .greedy_graph_search import greedy_graph_search
from .hamming_search import hamming_search
from .inverted_file_search import inverted_file_search
from .max_sim import max_sim
from .pairwise_logistic_loss import pairwise_logistic_loss
from .pq_search import pq_search
from .product_quantize import product_quantize
from .quantize_uint8 import quantize_uint8
from .reciprocal_rank_fusion import reciprocal_rank_fusion
from .translate_names import translate_names
from .truncate_dimensions import truncate_dimensions

EXERCISES = (
    bootstrap_difference,
    bag_of_tokens,
    BertEncoder,
    translate_names,
    reciprocal_rank_fusion,
    pairwise_logistic_loss,
    chunk,
    binary_codes,
    hamming_search,
    inverted_file_search,
    quantize_uint8,
    dequantize,
    truncate_dimensions,
    product_quantize,
    pq_search,
    greedy_graph_search,
    max_sim,
)
