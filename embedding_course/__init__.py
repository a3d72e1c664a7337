"""Embeddings, from lookup table to sentence search: what the notebooks import."""

from .check import check
from .errors import CourseError
from .hint import hint
from .inspection import doctor
from .predict import predict, reveal
from .progress import progress
from .submit import submit
from .waiting import waiting_for
from .worked import compare_with_solution, solution

__all__ = [
    "CourseError", "check", "compare_with_solution", "doctor", "hint", "predict", "progress", "reveal", "solution", "submit",
    "waiting_for",
]  # fmt: skip
