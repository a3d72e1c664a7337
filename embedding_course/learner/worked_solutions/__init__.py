"""Worked solutions, for those who tried first: the optional part of the course that a class may ship without."""

from .side_by_side import compare_with_solution
from .solution import solution

__all__ = ["compare_with_solution", "solution"]
