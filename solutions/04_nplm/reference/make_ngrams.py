"""The right answer to 04.make_ngrams."""

import torch


def make_ngrams(sentences: list[list[int]], context: int, bos: int, eos: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Cut sentences into rows of context and next word.

    Every word of every sentence is a target once, and so is the eos that closes the sentence. The context of a
    target is the `context` ids before it, oldest first; where the sentence has no more ids, bos stands on the
    left. A context never reaches into the sentence before.

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
