"""The right answer to 03.norm_trace."""

from collections.abc import Callable

import torch
import torch.nn as nn


def norm_trace(
    embedding: nn.Embedding,
    optimizer: torch.optim.Optimizer,
    batches: list[torch.Tensor],
    loss_fn: Callable[[torch.Tensor], torch.Tensor],
) -> torch.Tensor:
    """Train the embedding and record the norm of every row after each step.

    embedding  nn.Embedding of V words, with or without max_norm
    optimizer  an optimizer of the embedding's parameters, which may have taken steps before; both are changed
    batches    list of int64 tensors of ids, of any shapes; one training step for each
    loss_fn    takes embedding(batch), (*batch.shape, d), and returns the loss, a scalar
    returns    (steps, V) tensor: row s holds the L2 norms of all rows after step s. It has shape (0, V)
               without batches, and it does not change when training goes on

    Gradients from before the call do not count.

    >>> embedding = nn.Embedding(2, 2, _weight=torch.tensor([[3.0, 4.0], [0.0, 2.0]]))
    >>> optimizer = torch.optim.SGD(embedding.parameters(), lr=0.5)
    >>> batches = [torch.tensor([0]), torch.tensor([0, 1])]
    >>> norm_trace(embedding, optimizer, batches, lambda out: (out**2).sum() / 2)
    tensor([[2.5000, 2.0000],
            [1.2500, 1.0000]])
    """
    norms = embedding.weight.new_empty(len(batches), embedding.num_embeddings)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = torch.linalg.vector_norm(embedding.weight.detach(), dim=1)
    return norms
