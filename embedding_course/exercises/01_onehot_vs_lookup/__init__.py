"""Notebook 01: vocabulary, one-hot, lookup, byte pairs."""

from __future__ import annotations

from .onehot import one_hot

__all__ = ["EXERCISES"]

EXERCISES = (one_hot,)
