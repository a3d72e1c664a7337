"""Give words ids by a hash, without a vocabulary: what an encoder reads that was never trained."""

import re
from collections.abc import Sequence
from zlib import crc32

import torch


def hashed_words(texts: Sequence[str], rows: int, length: int) -> torch.Tensor:
    """Return ids (N, length) of the first words of each text, padded with 0.

    Parameters
    ----------
    texts : Sequence[str]
        N texts. Small and capital letters are alike.
    rows : int
        Number of rows of the table: ids run from 1 to rows - 1. Two words may get the same id.
    length : int
        How many words of a text are read.

    Examples
    --------
    >>> ids = hashed_words(["a dog", "A cat and a dog"], rows=4096, length=4)
    >>> ids.shape, bool(ids[0, 0] == ids[1, 0]), ids[0, 2:].tolist()
    (torch.Size([2, 4]), True, [0, 0])
    """
    ids = torch.zeros(len(texts), length, dtype=torch.int64)
    for row, text in zip(ids, texts, strict=True):
        words = re.findall(r"\w+", text.lower())[:length]
        row[: len(words)] = torch.tensor([1 + crc32(word.encode()) % (rows - 1) for word in words], dtype=torch.int64)
    return ids
