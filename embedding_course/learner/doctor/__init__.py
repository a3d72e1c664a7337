"""Examine a notebook before it is handed in: what the grader would take from it, and whether that runs on its own."""

from .examine import doctor

__all__ = ["doctor"]
