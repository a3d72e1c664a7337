"""Notebook 03: max_norm, what it clips, and what it does to gradients and to training."""

from .grad_after_lookup import grad_after_lookup
from .lookup_with_max_norm import lookup_with_max_norm_
from .norm_trace import norm_trace
from .renorm_rows import renorm_rows
from .tied_scores import tied_scores

EXERCISES = (renorm_rows, lookup_with_max_norm_, grad_after_lookup, tied_scores, norm_trace)
