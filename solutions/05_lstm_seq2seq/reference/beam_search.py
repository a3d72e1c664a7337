"""The right answer to 05.beam_search."""

from collections.abc import Callable

import torch


def beam_search(
    step: Callable[[torch.Tensor], torch.Tensor], bos: int, eos: int, width: int, max_len: int
) -> list[int]:
    """Write one sentence: keep the `width` best beginnings at each step, not only the best one.

    step     called as step(prefixes), prefixes (k, t) int64, each row bos and the t - 1 tokens so far; returns (k, V)
             log-probabilities of the next token, V at least 2. Rows are normalised. A token may have -inf; bos always has
    bos      the id that every prefix starts with; it is never generated
    eos      the id that ends a sequence
    width    how many unfinished sequences are kept, at least 1; it may exceed V
    max_len  how many times step is called at most, at least 1
    returns  the best sequence found: a list of Python ints without bos and eos. It may be empty

    The beam begins with bos alone. At each step every sequence on the beam is first ended by eos, and the ended copy is
    set aside, whatever its rank. Then every sequence on the beam is continued by each other token, and the width
    continuations with the largest totals are the next beam. After max_len steps the sequences on the beam are cut: they
    have max_len tokens and no eos. The best sequence is the one with the largest total log-probability, among those that
    were set aside (the log-probability of eos counts) and those that were cut. The total is not divided by the length.

    step is never called with more than width prefixes. If totals are equal, any of the sequences may be taken.

    >>> def step(prefixes):  # token 2 may follow bos (0) and be repeated; eos is 1
    ...     first = prefixes.shape[1] == 1
    ...     row = torch.tensor([0.0, 0.4, 0.6] if first else [0.0, 0.5, 0.5])
    ...     return row.log().expand(len(prefixes), 3)
    >>> beam_search(step, bos=0, eos=1, width=1, max_len=3)
    []
    """
    beam, best, best_total = [([bos], 0.0)], [], float("-inf")
    for _ in range(max_len):
        rows = step(torch.tensor([prefix for prefix, _ in beam])).tolist()
        open_ones = []
        for (prefix, total), row in zip(beam, rows, strict=True):
            if total + row[eos] > best_total:
                best, best_total = prefix[1:], total + row[eos]
            open_ones += [
                ([*prefix, token], total + value) for token, value in enumerate(row) if token not in (bos, eos)
            ]
        beam = sorted(open_ones, key=lambda entry: entry[1], reverse=True)[:width]
        if not beam:
            break
    return max([(best, best_total), *((prefix[1:], total) for prefix, total in beam)], key=lambda entry: entry[1])[0]
