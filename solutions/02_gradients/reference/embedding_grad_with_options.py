"""The right answer to 02.embedding_grad_with_options."""

import torch


def embedding_grad_with_options(
    ids: torch.Tensor,
    grad_output: torch.Tensor,
    num_embeddings: int,
    padding_idx: int | None = None,
    scale_grad_by_freq: bool = False,
) -> torch.Tensor:
    """Return the gradient that `torch.nn.Embedding` leaves in its table, with two of its options.

    ids, grad_output, num_embeddings   as in `embedding_grad`
    padding_idx         a row that gets no gradient; -1 is the last row; None means that there is none
    scale_grad_by_freq  divide each row's gradient by how often its id occurs in `ids`, the whole batch
    returns             a dense tensor of shape (V, d)

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
