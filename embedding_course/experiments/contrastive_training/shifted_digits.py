"""Train a network on handwritten digits shifted by up to a pixel; it only knows which views are of the same image."""

from collections.abc import Callable
from functools import cache

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

from ..training import Batches, Run, descend
from ..training import train as run_training

Loss = Callable[[torch.Tensor, torch.Tensor, float], torch.Tensor]
Encoder = Callable[[torch.Tensor], torch.Tensor]


@cache
def _images(seed: int = 0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return images (N, 8, 8) and digits (N,) to search in, then those of 500 other images that are looked up."""
    pixels, digits = map(torch.as_tensor, load_digits(return_X_y=True))
    images = pixels.float().reshape(-1, 8, 8) / 16
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(seed))
    rest, test = order[:-500], order[-500:]
    return images[rest], digits[rest], images[test], digits[test]


def view(images: torch.Tensor, generator: torch.Generator, far: int = 1) -> torch.Tensor:
    """Return each image (N, 8, 8) shifted by up to `far` pixels in both directions; pixels outside the frame are lost."""
    wide = F.pad(images, (far, far, far, far))
    row, column = torch.randint(2 * far + 1, (2, len(images), 1), generator=generator) + torch.arange(8)
    return wide[torch.arange(len(images))[:, None, None], row[:, :, None], column[:, None, :]]


def network(seed: int = 0) -> nn.Module:
    """Return a network that maps images (N, 8, 8) to vectors (N, 32)."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.Sequential(nn.Flatten(), nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 32))


def train(
    loss: Loss, temperature: float = 0.2, steps: int = 400, title: str | None = None, seed: int = 0
) -> tuple[nn.Module, Run]:
    """Train a fresh network on batches of 128 images in two views each. It never sees the digit of an image.

    Parameters
    ----------
    loss : Loss
        The learner's loss of the vectors of both views and the temperature.
    temperature : float, optional
        Temperature of the loss.
    steps : int, optional
        Number of steps.
    title : str or None, optional
        With a title a bar shows the progress.
    seed : int, optional
        Seed of the network, the views and the batches.
    """
    model, generator = network(seed), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

    def step(batch: tuple[torch.Tensor]) -> float:
        value = loss(model(view(batch[0], generator)), model(view(batch[0], generator)), temperature)
        return descend(optimizer, value)

    return model, run_training(step, Batches((_images()[0],), 128, steps, seed), title)


@torch.no_grad()
def nearest_is_right(encoder: Encoder, shifted: bool) -> float:
    """Return how often the nearest neighbour of 500 unseen images, shifted or not, shows the same digit."""
    images, digits, asked, right = _images()
    if shifted:
        asked = view(asked, torch.Generator().manual_seed(1))
    similarity = F.normalize(encoder(asked).flatten(1), dim=1) @ F.normalize(encoder(images).flatten(1), dim=1).T
    return (digits[similarity.argmax(dim=1)] == right).float().mean().item()


@torch.no_grad()
def examples(encoder: Encoder, n: int = 6) -> list[tuple[torch.Tensor, int, torch.Tensor, int]]:
    """Return shifted unseen images with their digits, and the nearest image to each with its digit."""
    images, digits, asked, right = _images()
    asked = view(asked, torch.Generator().manual_seed(1))[:n]
    similarity = F.normalize(encoder(asked).flatten(1), dim=1) @ F.normalize(encoder(images).flatten(1), dim=1).T
    best = similarity.argmax(dim=1)
    return [(asked[i], int(right[i]), images[best[i]], int(digits[best[i]])) for i in range(n)]
