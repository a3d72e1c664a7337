"""Manage the learner's own copies of the notebooks: created once, updated by a merge, never overwritten."""

from .carry import CannotMatch, carry
from .copies import Copy, open_copies, open_copy

__all__ = ["CannotMatch", "Copy", "carry", "open_copies", "open_copy"]
