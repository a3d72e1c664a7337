"""The right answer to 09.nt_xent."""

import torch
import torch.nn.functional as F


def nt_xent(z1: torch.Tensor, z2: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the NT-Xent loss: each of 2N views looks for its partner among the 2N - 1 others.

    The logit of two views is their cosine divided by the temperature. A view is no candidate for itself.
    The result is the mean over all 2N views of -log softmax at the partner.

    z1, z2       (N, d) tensors, N >= 1: row i of each is a view of the same thing; the vectors have any norm
    temperature  a positive number, down to 0.01
    returns      0-d tensor with a graph

    >>> z1 = torch.tensor([[1.0, 0.0], [0.0, 5.0]])
    >>> round(nt_xent(z1, z1, 1.0).item(), 4)
    0.5514

    Source: Chen et al., A Simple Framework for Contrastive Learning of Visual Representations, 2020.
    """
    views = F.normalize(torch.cat([z1, z2]))  # (2N, d)
    logits = views @ views.T / temperature  # (2N, 2N)
    itself = torch.eye(len(views), dtype=torch.bool)
    partners = torch.arange(len(views)).roll(len(z1))  # N, ..., 2N - 1, 0, ..., N - 1
    return F.cross_entropy(logits.masked_fill(itself, float("-inf")), partners)
