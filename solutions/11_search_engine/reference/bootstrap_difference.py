"""The right answer to 11.bootstrap_difference."""

import torch


def bootstrap_difference(
    a: torch.Tensor, b: torch.Tensor, draws: int, generator: torch.Generator
) -> tuple[float, float]:
    """Return the 95 % interval of mean(a) - mean(b) by the bootstrap: queries are drawn again and again.

    The scores are paired: a[i] and b[i] belong to query i. One call of torch.randint(Q, (draws, Q), generator=generator)
    gives the numbers of the queries, a row for each draw, and every draw takes the same queries of a and of b.

    a, b       (Q,) floating tensors: the scores of two engines on the same queries
    draws      how many times queries are drawn, at least 1
    generator  a torch.Generator; nothing else is drawn from it
    returns    a pair (low, high) of Python floats or 0-d tensors: the 2.5 % and the 97.5 % quantile of the differences, with
               linear interpolation. They are computed in float64

    Raises ValueError when a and b differ in length, or hold no query.

    >>> a, b = torch.tensor([1.0, 1.0, 0.0, 1.0]), torch.tensor([0.0, 1.0, 0.0, 0.0])
    >>> bootstrap_difference(a, b, draws=1000, generator=torch.Generator().manual_seed(0))
    (0.0, 1.0)

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993.
    """
    if len(a) != len(b) or len(a) == 0:
        raise ValueError(f"{len(a)} and {len(b)} scores: a query needs one of each, and there must be a query")
    queries = torch.randint(len(a), (draws, len(a)), generator=generator)
    differences = (a.double() - b.double())[queries].mean(dim=1)
    low, high = torch.quantile(differences, torch.tensor([0.025, 0.975], dtype=torch.float64)).tolist()
    return low, high
