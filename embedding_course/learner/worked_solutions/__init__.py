"""Show worked solutions, for learners who tried first: an optional part of the course."""

from .side_by_side import compare_with_solution
from .solution import solution

__all__ = ["compare_with_solution", "solution"]
