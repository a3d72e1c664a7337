"""Embeddings, from lookup table to sentence search: what the notebooks import."""

from .check import check
from .errors import CourseError
from .hint import hint
from .predict import predict, reveal
from .progress import progress
from .waiting import waiting_for
from .worked import compare_with_solution, solution

__all__ = [
    "CourseError", "check", "compare_with_solution", "hint", "predict", "progress", "reveal", "solution", "waiting_for",
]  # fmt: skip
