"""Notebook 11: published models run by the course's parts, honest comparisons, reranking, long texts, small codes."""

from .bag_of_tokens import bag_of_tokens
from .bootstrap_difference import bootstrap_difference
from .chunk import chunk
from .pairwise_logistic_loss import pairwise_logistic_loss
from .translate_names import translate_names

EXERCISES = (
    bootstrap_difference,
    bag_of_tokens,
    translate_names,
    pairwise_logistic_loss,
    chunk,
)
