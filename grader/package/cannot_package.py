"""The one exception of this room."""

from __future__ import annotations

__all__ = ["CannotPackage"]


class CannotPackage(Exception):
    """The package cannot be written; the message says what is missing and what to do."""
