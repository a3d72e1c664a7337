"""Move eight Chinese words and their English translations on a circle by a contrastive loss."""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F

#: Chinese, English.
PAIRS = (
    ("狗", "dog"),
    ("猫", "cat"),
    ("水", "water"),
    ("茶", "tea"),
    ("书", "book"),
    ("门", "door"),
    ("雨", "rain"),
    ("山", "hill"),
)

Loss = Callable[..., torch.Tensor]


def start(seed: int = 5) -> tuple[torch.Tensor, torch.Tensor]:
    """Return random points on the circle, (8, 2) for each language."""
    chinese, english = F.normalize(torch.randn(2, len(PAIRS), 2, generator=torch.Generator().manual_seed(seed)), dim=2)
    return chinese, english


def train(loss: Loss, scale: float, steps: int = 600, seed: int = 5) -> tuple[torch.Tensor, torch.Tensor, Sequence[float]]:
    """Move the points of both languages on a circle by gradient descent.

    Parameters
    ----------
    loss : Loss
        The learner's loss, called with the points (8, 2) of both languages and the scale.
    scale : float
        Factor of the cosines.
    steps : int, optional
        Number of steps.
    seed : int, optional
        Seed of the first points.

    Returns
    -------
    chinese, english : torch.Tensor
        Unit vectors of the points of each language, (8, 2).
    losses : Sequence[float]
        The loss at each step.
    """
    points = [language.clone().requires_grad_() for language in start(seed)]
    optimizer, losses = torch.optim.Adam(points, lr=0.02), []
    for _ in range(steps):
        value = loss(*points, scale)
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        losses.append(value.item())
    chinese, english = (F.normalize(language.detach(), dim=1) for language in points)
    return chinese, english, losses
