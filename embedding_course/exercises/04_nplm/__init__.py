"""Notebook 04: n-grams and counts, a neural language model, its training and perplexity, text and neighbours."""

from __future__ import annotations

from .generation import generate
from .held_out import best_mixture, perplexity
from .model import NPLM
from .negative_sampling import negative_sampling_distribution, sgns_loss
from .ngrams import make_ngrams, ngram_baseline
from .training import train_step
from .vectors import nearest

__all__ = ["EXERCISES"]

EXERCISES = (
    make_ngrams,
    ngram_baseline,
    NPLM,
    train_step,
    perplexity,
    best_mixture,
    generate,
    nearest,
    negative_sampling_distribution,
    sgns_loss,
)
