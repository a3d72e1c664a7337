"""The right answer to 10.tsne_gradient."""


import torch


def tsne_gradient(p: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the gradient of t-SNE's loss with respect to the map.

    The loss is the Kullback-Leibler divergence of q from p, where q_ij is 1 / (1 + |y_i - y_j|²) divided by its sum over
    all pairs i ≠ j. Its gradient at y_i is 4 Σ_j (p_ij - q_ij) (y_i - y_j) / (1 + |y_i - y_j|²).

    p        (n, n) joint probabilities: symmetric, sums to 1, a diagonal of zeros
    y        tensor of shape (n, 2), the position of each point on the map
    returns  tensor of shape (n, 2)

    Equation 5 of van der Maaten and Hinton (2008).

    >>> p = torch.tensor([[0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> gradient = tsne_gradient(p, torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    >>> (24 * gradient).round().int().tolist()
    [[-15, 9], [11, 4], [4, -13]]
    """
    difference = y[:, None, :] - y[None, :, :]  # (n, n, 2)
    kernel = 1 / (1 + difference.square().sum(dim=-1))  # (n, n)
    kernel = kernel - torch.diag(kernel.diagonal())  # no point is its own neighbour
    q = kernel / kernel.sum()
    return 4 * (((p - q) * kernel)[:, :, None] * difference).sum(dim=1)
