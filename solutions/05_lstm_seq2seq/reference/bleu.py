"""The right answer to 05.bleu."""

import math
from collections import Counter
from collections.abc import Sequence


def bleu(candidates: Sequence[Sequence], references: Sequence[Sequence], max_n: int = 4) -> float:
    """Score translations by the n-grams that they share with a reference.

    candidates  list of N sentences, each a list of tokens (strings or ints); a sentence may be empty, and N may be 0
    references  list of N sentences: one reference for each candidate, in the same order
    max_n       the longest n-grams that are counted, at least 1
    returns     corpus BLEU, a number from 0 to 1, as a float or 0-d tensor

    For each n from 1 to max_n the precision is the number of n-grams in the candidates that are also in their own
    reference, divided by the number of n-grams in the candidates. An n-gram counts at most as often as its reference
    has it. Both numbers are summed over all sentences before they are divided.

    BLEU is the geometric mean of the max_n precisions, times the brevity penalty: exp(1 - r / c) when the candidates have
    fewer tokens (c) than the references (r), both summed over all sentences; else 1. There is no smoothing: where a
    precision is 0, or there is no n-gram at all, BLEU is 0.0.

    >>> round(bleu([["the", "cat", "sat"]], [["the", "cat", "sat", "down"]], max_n=2), 4)  # both precisions are 1
    0.7165

    Source: Papineni et al., BLEU: a Method for Automatic Evaluation of Machine Translation, 2002.
    """
    logs = []
    for n in range(1, max_n + 1):
        matched = said = 0
        for candidate, reference in zip(candidates, references, strict=True):
            mine, theirs = (
                Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))
                for tokens in (candidate, reference)
            )
            matched += (mine & theirs).total()
            said += mine.total()
        if matched == 0:
            return 0.0
        logs.append(math.log(matched / said))
    c, r = (sum(len(tokens) for tokens in sentences) for sentences in (candidates, references))
    return math.exp(sum(logs) / max_n + min(0.0, 1 - r / c))
