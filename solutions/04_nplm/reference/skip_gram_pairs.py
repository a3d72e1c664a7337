"""The right answer to 04.skip_gram_pairs."""


def skip_gram_pairs(ids: list[int], window: int) -> list[tuple[int, int]]:
    """List the pairs of near words, from which skip-gram learns.

    A word is paired with every word that stands at most `window` positions before or after it. A position is never
    paired with itself, but it is paired with another position that holds the same word.

    ids      list of ids, in the order of the text; it may be empty, and ids may come again
    window   the largest distance between two words of a pair, 0 or more; it may exceed the text
    returns  list of tuples (centre, context) of ids, each as often as it occurs, in any order; [] without a pair

    >>> skip_gram_pairs([5, 6, 7], window=1)
    [(5, 6), (6, 5), (6, 7), (7, 6)]

    Source: Mikolov et al., Efficient Estimation of Word Representations in Vector Space, 2013, section 3.2 (skip-gram).
    """
    pairs = []
    for place, centre in enumerate(ids):
        first, last = max(0, place - window), min(len(ids) - 1, place + window)
        pairs += [(centre, ids[other]) for other in range(first, last + 1) if other != place]
    return pairs
