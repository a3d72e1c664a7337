"""Notebook 04: n-grams and counts, a neural language model, its training and perplexity, text and neighbours."""

from .best_mixture import best_mixture
from .generate import generate
from .make_ngrams import make_ngrams
from .nearest import nearest
from .negative_sampling_distribution import negative_sampling_distribution
from .ngram_baseline import ngram_baseline
from .nplm import NPLM
from .perplexity import perplexity
from .sgns_loss import sgns_loss
from .skip_gram_pairs import skip_gram_pairs
from .train_step import train_step

EXERCISES = (
    make_ngrams,
    ngram_baseline,
    NPLM,
    train_step,
    perplexity,
    best_mixture,
    generate,
    nearest,
    sgns_loss,
    negative_sampling_distribution,
    skip_gram_pairs,
)
