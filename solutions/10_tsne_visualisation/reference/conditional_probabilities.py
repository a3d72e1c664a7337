"""The right answer to 10.conditional_probabilities."""

import math

import torch


def conditional_probabilities(distances: torch.Tensor, perplexity: float) -> torch.Tensor:
    """Return the probabilities with which each point picks the others as neighbours.

    Row i is p_{j|i}, proportional to exp(-β_i D_ij) over j ≠ i. Each row has a β of its own, chosen so that the row's
    perplexity, the exponential of its entropy in nats, is the given one (within 1 %).

    distances   (n, n) squared distances, of any size; a diagonal of zeros. For each point, fewer other
                points than the perplexity share the smallest distance
    perplexity  about how many neighbours a point should have; 1 < perplexity < n - 1
    returns     tensor of shape (n, n); rows sum to 1, the diagonal is 0

    Equation 1 of van der Maaten and Hinton, "Visualizing Data using t-SNE" (2008), with β_i = 1 / (2σ_i²).

    >>> distances = torch.tensor([[0.0, 4, 9, 49], [4, 0, 1, 25], [9, 1, 0, 16], [49, 25, 16, 0]])
    >>> [round(p, 1) for p in conditional_probabilities(distances, 2.0)[0].tolist()]
    [0.0, 0.6, 0.4, 0.0]
    """
    n = len(distances)
    others = ~torch.eye(n, dtype=torch.bool)
    d = distances.double()[others].reshape(n, n - 1)  # (n, n - 1): without the point itself
    low = torch.full((n, 1), -60.0, dtype=torch.float64)
    high = torch.full((n, 1), 60.0, dtype=torch.float64)
    for _ in range(60):  # bisection on log β: entropy falls as β grows
        middle = (low + high) / 2
        log_p = torch.log_softmax(-middle.exp() * d, dim=1)  # it takes off each row's largest: nothing underflows
        entropy = -(log_p.exp() * log_p).sum(dim=1, keepdim=True)
        too_flat = entropy > math.log(perplexity)
        low, high = torch.where(too_flat, middle, low), torch.where(too_flat, high, middle)
    p = torch.zeros(n, n, dtype=torch.float64)
    p[others] = torch.softmax(-middle.exp() * d, dim=1).reshape(-1)
    return p.to(distances.dtype)
