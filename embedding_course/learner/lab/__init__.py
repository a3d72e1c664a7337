"""The learner's own copies of the notebooks: made once, updated with care, never written over."""

from .carry import CannotMatch, carry
from .copies import Copy, open_copies, open_copy

__all__ = ["CannotMatch", "Copy", "carry", "open_copies", "open_copy"]
