"""Forgers: candidates that want points without an answer. The audit tries them; each must earn nothing."""

from .attempt import Attempt
from .catalogue import FORGERS, Forger, forgers

__all__ = ["FORGERS", "Attempt", "Forger", "forgers"]
