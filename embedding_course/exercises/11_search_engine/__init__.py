"""Notebook 11: published models run by the course's parts, honest comparisons, reranking, long texts, small codes."""

from .bag_of_tokens import bag_of_tokens
from .bert_encoder import BertEncoder
from .bootstrap_difference import bootstrap_difference
from .chunk import chunk
from .pairwise_logistic_loss import pairwise_logistic_loss
from .pq_search import pq_search
from .product_quantize import product_quantize
from .translate_names import translate_names

EXERCISES = (
    bootstrap_difference,
    bag_of_tokens,
    BertEncoder,
    translate_names,
    pairwise_logistic_loss,
    chunk,
    product_quantize,
    pq_search,
)
