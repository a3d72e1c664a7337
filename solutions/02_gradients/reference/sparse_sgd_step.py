"""The right answer to 02.sparse_sgd_step_."""

import torch


def sparse_sgd_step_(weight: torch.Tensor, rows: torch.Tensor, grads: torch.Tensor, lr: float) -> None:
    """Take one step of gradient descent on a few rows of a table, in place.

    Each rows[k] moves by -lr * grads[k]; a row that is given several times moves by the sum. Other rows stay.

    weight   tensor of shape (V, d), changed in place: the caller's own memory
    rows     int64 tensor of shape (K,): the numbers of the rows; they may repeat
    grads    tensor of shape (K, d): the gradient of each of them
    lr       the learning rate

    >>> weight = torch.zeros(3, 2)
    >>> sparse_sgd_step_(weight, torch.tensor([2, 0, 2]), torch.ones(3, 2), lr=0.5)
    >>> weight.tolist()
    [[-0.5, -0.5], [0.0, 0.0], [-1.0, -1.0]]
    """
    weight.index_add_(0, rows, grads, alpha=-lr)
