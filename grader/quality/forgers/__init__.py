"""Forgers: candidates that want points without an answer. The audit tries them; each must earn nothing."""

from .catalogue import FORGERS, Attempt, Forger, forgers

__all__ = ["FORGERS", "Attempt", "Forger", "forgers"]
