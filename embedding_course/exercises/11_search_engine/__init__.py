"""Notebook 11: published models run by the course's parts, honest comparisons, reranking, long texts, small codes."""

from .bag_of_tokens import bag_of_tokens
from .chunk import chunk

EXERCISES = (
    bag_of_tokens,
    chunk,
)
