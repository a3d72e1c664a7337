"""Notebook 03: max_norm, what it clips, and what it does to gradients and to training."""

from __future__ import annotations

from .gradients import grad_after_lookup, tied_scores
from .renorm import lookup_with_max_norm_, renorm_rows
from .training import norm_trace

__all__ = ["EXERCISES"]

EXERCISES = (renorm_rows, lookup_with_max_norm_, grad_after_lookup, tied_scores, norm_trace)
