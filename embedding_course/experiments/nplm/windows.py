"""Cut sentences into windows of words, each with the word that comes next."""

from collections.abc import Sequence

import torch


def rows(sentences: Sequence[Sequence[int]], context: int, bos: int, eos: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the windows (N, context) of all sentences and the next word of each, (N,).

    Examples
    --------
    >>> X, Y = rows([[5, 6]], context=2, bos=0, eos=1)
    >>> X.tolist(), Y.tolist()
    ([[0, 0], [0, 5], [5, 6]], [5, 6, 1])
    """
    tokens = [[bos] * context + [*words, eos] for words in sentences]
    windows = torch.cat([torch.tensor(sentence).unfold(0, context + 1, 1) for sentence in tokens])
    return windows[:, :-1], windows[:, -1]
