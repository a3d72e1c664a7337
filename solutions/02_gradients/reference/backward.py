"""Right answers: gradients of the lookup and of the loss."""

import torch


def embedding_grad(ids: torch.Tensor, grad_output: torch.Tensor, num_embeddings: int) -> torch.Tensor:
    """Give every row of the table the sum of the gradients of its uses.

    The lookup copies row ids[p] of the table E to position p. So dL/dE[i] is the sum of grad_output[p]
    over all positions p with ids[p] == i.

    ids             int64 tensor of any shape (*), also () and with no ids at all
    grad_output     the loss's gradient at the looked-up vectors, shape (*, d)
    num_embeddings  V, how many rows the table has
    returns         a dense tensor of shape (V, d), of grad_output's dtype; rows that do not occur are zero

    >>> grad_output = torch.tensor([[1.0, 0.0], [5.0, 5.0], [2.0, 3.0]])
    >>> embedding_grad(torch.tensor([1, 2, 1]), grad_output, 4).tolist()
    [[0.0, 0.0], [3.0, 3.0], [5.0, 5.0], [0.0, 0.0]]
    """
    width = grad_output.shape[-1]
    gradient = grad_output.new_zeros(num_embeddings, width)  # (V, d)
    return gradient.index_add_(0, ids.reshape(-1), grad_output.reshape(-1, width))


def softmax_cross_entropy_grad(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The gradient of the mean cross-entropy loss with respect to the logits.

    The loss is the mean over the N rows of -log softmax(logits[n])[targets[n]].

    logits   tensor of shape (N, V), N >= 1; values up to 1000 in size must not overflow
    targets  int64 tensor of shape (N,): the right class of each row
    returns  tensor of shape (N, V), of the logits' dtype

    >>> softmax_cross_entropy_grad(torch.zeros(2, 2), torch.tensor([0, 1])).tolist()
    [[-0.25, 0.25], [0.25, -0.25]]
    """
    rows = torch.arange(len(logits))
    gradient = torch.softmax(logits, dim=1)  # (N, V), a new tensor
    gradient[rows, targets] -= 1
    return gradient / len(logits)


def embedding_grad_with_options(
    ids: torch.Tensor,
    grad_output: torch.Tensor,
    num_embeddings: int,
    padding_idx: int | None = None,
    scale_grad_by_freq: bool = False,
) -> torch.Tensor:
    """The gradient that `torch.nn.Embedding` leaves in its table, with two of its options.

    ids, grad_output, num_embeddings   as in `embedding_grad`
    padding_idx         a row that gets no gradient; -1 is the last row; None means that there is none
    scale_grad_by_freq  divide each row's gradient by how often its id occurs in `ids`, the whole batch
    returns             a dense tensor of shape (V, d), of grad_output's dtype

    >>> ids, grad_output = torch.tensor([1, 2, 1]), torch.tensor([[2.0], [5.0], [4.0]])
    >>> embedding_grad_with_options(ids, grad_output, 3, scale_grad_by_freq=True).tolist()
    [[0.0], [3.0], [5.0]]
    >>> embedding_grad_with_options(ids, grad_output, 3, padding_idx=-1).tolist()
    [[0.0], [6.0], [0.0]]
    """
    gradient = embedding_grad(ids, grad_output, num_embeddings)  # (V, d)
    if scale_grad_by_freq:
        counts = torch.bincount(ids.reshape(-1), minlength=num_embeddings)  # (V,)
        gradient = gradient / counts.clamp(min=1)[:, None]
    if padding_idx is not None:
        gradient[padding_idx] = 0
    return gradient
