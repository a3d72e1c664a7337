"""The right answer to 09.spearman."""

import torch


def spearman(a: torch.Tensor, b: torch.Tensor) -> float:
    """Return the correlation between the ranks of two lists of values.

    The smallest value has the lowest rank; equal values share the mean of the ranks that they take up. The result is
    the usual (Pearson's) correlation of these ranks.

    a, b     (N,) floating tensors, N >= 2, neither of them constant
    returns  a number from -1 to 1, as a float or 0-d tensor

    >>> round(spearman(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([10.0, 90.0, 20.0])), 6)
    0.5
    >>> round(spearman(torch.tensor([1.0, 2.0, 2.0]), torch.tensor([1.0, 2.0, 3.0])), 4)
    0.866
    """

    def ranks(values: torch.Tensor) -> torch.Tensor:
        smaller = (values[None, :] < values[:, None]).sum(dim=1)
        equal = (values[None, :] == values[:, None]).sum(dim=1)
        return (smaller + equal / 2).double()

    return torch.corrcoef(torch.stack([ranks(a), ranks(b)]))[0, 1].item()
