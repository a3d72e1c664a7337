"""What none of the sources says outright, though it is near: conclusions from their numbers, and common beliefs beside them."""

from __future__ import annotations

from .entry import Source

beyond = Source("beyond")
