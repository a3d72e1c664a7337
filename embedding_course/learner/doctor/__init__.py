"""Look a notebook over before it is handed in: what the grader would take from it, and how that fares on its own."""

from .examine import doctor

__all__ = ["doctor"]
