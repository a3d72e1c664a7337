"""Train the word vectors of notebook 04's language model on the micro-language, as in the lesson."""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn as nn
import torch.nn.functional as F

from ...data.micro import micro_language
from ...learner.own_tables import Table
from ..training import Batches, train


def word_table(make_ngrams: Callable[..., Any], NPLM: Callable[..., Any], train_step: Callable[..., Any]) -> Table:
    """Return vectors of width 16, trained on 3,000 batches of 256 rows with windows of four words and seed 0."""
    language = micro_language()
    vocabulary = language.vocabulary["english"]
    encoded = [vocabulary.encode(words) for words in language.sentences("english")]
    X, Y = make_ngrams(encoded, 4, vocabulary.bos, vocabulary.eos)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = NPLM(len(vocabulary), context=4, embedding_dim=16, hidden_dim=64)
        nn.init.normal_(model.embedding.weight, std=0.1)
        optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
        train(lambda batch: train_step(model, batch, F.cross_entropy, optimizer), Batches((X, Y), 256, 3000))
    return Table(model.embedding.weight.detach(), vocabulary.words)
