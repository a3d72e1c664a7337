# exercise 04.ngram_baseline
"""Wrong answers to ngram_baseline by name: what is counted, and by what it is divided."""

import torch


# mistake alpha_not_added_below (values)
# alpha is added to each count, but not to the sum that divides them: the probabilities add up to more than 1.
# Next: Divide by the sum of the smoothed counts.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    if order == 1:
        counts = torch.bincount(Y, minlength=vocab_size)
        return (counts + alpha) / counts.sum()
    pairs = torch.bincount(X[:, -1] * vocab_size + Y, minlength=vocab_size**2).reshape(vocab_size, vocab_size)
    return (pairs + alpha) / pairs.sum(dim=1, keepdim=True).clamp(min=1)


# mistake previous_words_counted (values)
# Order 1 counts the previous words, X's last column, but the exercise asks for how often each word is a target.
# Next: Count Y.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    if order == 1:
        counts = torch.bincount(X[:, -1], minlength=vocab_size) + alpha
        return counts / counts.sum()
    pairs = torch.bincount(X[:, -1] * vocab_size + Y, minlength=vocab_size**2).reshape(vocab_size, vocab_size) + alpha
    return pairs / pairs.sum(dim=1, keepdim=True)


# mistake repeated_pairs_lost (values)
# `counts[X[:, -1], Y] += 1` counts a pair once, however often it occurs: each place is written once.
# Next: `torch.bincount`, `index_put_(..., accumulate=True)`, or a loop over the pairs.
def ngram_baseline(X, Y, vocab_size, order, alpha):
    if order == 1:
        counts = torch.bincount(Y, minlength=vocab_size) + alpha
        return counts / counts.sum()
    pairs = torch.zeros(vocab_size, vocab_size)
    pairs[X[:, -1], Y] += 1
    pairs = pairs + alpha
    return pairs / pairs.sum(dim=1, keepdim=True)
