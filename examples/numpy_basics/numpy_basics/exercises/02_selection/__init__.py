"""Notebook 02: choosing rows, and counting labels."""

from __future__ import annotations

from .count_labels import count_labels
from .nearest_rows import nearest_rows

__all__ = ["EXERCISES"]

EXERCISES = (count_labels, nearest_rows)
