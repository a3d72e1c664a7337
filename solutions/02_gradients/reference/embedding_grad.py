"""The right answer to 02.embedding_grad."""

import torch


def embedding_grad(ids: torch.Tensor, grad_output: torch.Tensor, num_embeddings: int) -> torch.Tensor:
    """Return the gradient of a table: for each row the sum of the gradients of its uses.

    The lookup copies row ids[p] of the table E to position p. So dL/dE[i] is the sum of grad_output[p]
    over all positions p with ids[p] == i.

    ids             int64 tensor of any shape (*), also ()
    grad_output     the gradient of the loss at the looked-up vectors, shape (*, d)
    num_embeddings  V, the number of rows of the table
    returns         a dense tensor of shape (V, d); rows that do not occur are zero

    >>> grad_output = torch.tensor([[1.0, 0.0], [5.0, 5.0], [2.0, 3.0]])
    >>> embedding_grad(torch.tensor([1, 2, 1]), grad_output, 4).tolist()
    [[0.0, 0.0], [3.0, 3.0], [5.0, 5.0], [0.0, 0.0]]
    """
    width = grad_output.shape[-1]
    gradient = grad_output.new_zeros(num_embeddings, width)  # (V, d)
    return gradient.index_add_(0, ids.reshape(-1), grad_output.reshape(-1, width))
