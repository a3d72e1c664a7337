"""Notebook 01: arrays, and the axis that a sum runs over."""

from .column_means import column_means
from .moving_average import moving_average
from .standardise import standardise

EXERCISES = (column_means, standardise, moving_average)
