"""The right answer to 10.norm_outliers."""

import torch


def norm_outliers(weight: torch.Tensor, threshold: float = 3.0) -> list[int]:
    """Find the rows of a table that are unusually long or short.

    weight     tensor of shape (V, d)
    threshold  how many standard deviations a row's norm must be away from the mean norm; more than that is an outlier.
               The standard deviation may be that of the sample or of the population
    returns    list of row indices; empty when all norms are equal. Norms that differ by less than a millionth of their mean may
               count as equal

    >>> weight = torch.eye(20)
    >>> weight[3] *= 100
    >>> norm_outliers(weight)
    [3]
    """
    norms = weight.double().norm(dim=1)  # (V,)
    if bool((norms == norms[0]).all()):
        return []
    distance = (norms - norms.mean()).abs()
    return (distance > threshold * norms.std()).nonzero().flatten().tolist()
