"""Notebook 02: choosing rows, and counting labels."""

from .count_labels import count_labels
from .nearest_rows import nearest_rows

EXERCISES = (count_labels, nearest_rows)
