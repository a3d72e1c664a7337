"""Embeddings, from lookup table to sentence search: what the notebooks import."""

from .check import check
from .errors import CourseError
from .hint import hint
from .predict import predict, reveal
from .progress import progress
from .waiting import waiting_for

__all__ = ["CourseError", "check", "hint", "predict", "progress", "reveal", "waiting_for"]
