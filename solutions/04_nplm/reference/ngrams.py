"""Right answers: n-grams, and the model that counts them."""

import torch


def make_ngrams(sentences: list[list[int]], context: int, bos: int, eos: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Cut sentences into rows: what stands before, and what comes next.

    Every word of every sentence is a target once, and so is the eos that closes the sentence. The context of a
    target is the `context` ids before it, oldest first; where the sentence has no more of them, bos stands on
    the left. A context never reaches into the sentence before.

    sentences  lists of ids, without bos and eos; a sentence may be empty, and so may the whole list
    context    how many ids stand before each target, at least 1
    bos, eos   the ids of the two marks
    returns    (X, Y): int64 tensors of shapes (N, context) and (N,), in the order of the text; without any
               sentence the shapes are (0, context) and (0,)

    >>> X, Y = make_ngrams([[5, 6], []], context=2, bos=0, eos=1)
    >>> X.tolist()
    [[0, 0], [0, 5], [5, 6], [0, 0]]
    >>> Y.tolist()
    [5, 6, 1, 1]
    """
    rows, targets = [], []
    for sentence in sentences:
        padded = [bos] * context + list(sentence) + [eos]
        for place in range(context, len(padded)):
            rows.append(padded[place - context : place])
            targets.append(padded[place])
    X = torch.tensor(rows, dtype=torch.int64).reshape(-1, context)
    return X, torch.tensor(targets, dtype=torch.int64)


def ngram_baseline(X: torch.Tensor, Y: torch.Tensor, vocab_size: int, order: int, alpha: float) -> torch.Tensor:
    """A language model without parameters: smoothed shares of what was seen.

    Order 1 ignores the context: p(w) = (count(w) + alpha) / (N + alpha * V). Order 2 looks at the previous
    word u, which is the last column of X: p(w | u) = (count(u, w) + alpha) / (count(u) + alpha * V).

    X           int64 tensor (N, context): the ids before each target, as `make_ngrams` returns them
    Y           int64 tensor (N,): the targets
    vocab_size  V
    order       1 or 2
    alpha       what is added to every count, larger than 0
    returns     order 1: (V,), sums to 1. Order 2: (V, V), row u is p(. | u) and sums to 1

    >>> ngram_baseline(torch.tensor([[0], [0], [1]]), torch.tensor([1, 1, 0]), 2, order=2, alpha=1.0)
    tensor([[0.2500, 0.7500],
            [0.6667, 0.3333]])
    """
    V = vocab_size
    if order == 1:
        counts = torch.bincount(Y, minlength=V) + alpha
        return counts / counts.sum()
    pairs = X[:, -1] * V + Y  # the place of (previous, next) in a square that is written row after row
    counts = torch.bincount(pairs, minlength=V * V).reshape(V, V) + alpha
    return counts / counts.sum(dim=1, keepdim=True)
