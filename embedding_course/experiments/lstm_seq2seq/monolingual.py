"""Make vectors of the Chinese words from Chinese sentences alone, without translations."""

from functools import cache

import torch

from ...data.micro import micro_language
from ..gradients.pretrained import train_vectors


@cache
def chinese_table(width: int = 48) -> torch.Tensor:
    """Return a table (V, width) from co-occurrence in all training sentences; its scale is that of N(0, 1).

    Words that no training sentence contains, and the special tokens, get rows of zeros.
    """
    sentences = micro_language().sentences("chinese")
    stream = tuple(word for sentence in sentences for word in (*sentence.split(), "<eos>"))
    vocabulary = micro_language().vocabulary["chinese"]
    table = torch.zeros(len(vocabulary), width)
    for word, vector in train_vectors(stream, size=len(set(stream)), width=width).items():
        if vocabulary.ids[word] >= 4:
            table[vocabulary.ids[word]] = vector
    return table * (width / table[4:].square().sum(dim=1).mean()).sqrt()
