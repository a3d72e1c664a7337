"""Run the loop of t-SNE with four functions: early exaggeration, momentum, a step for each coordinate.

The learner's functions are used where they are written; `scikit_probabilities` and `autograd_gradient` stand in for two.

It minimises the Kullback-Leibler divergence of the map's neighbours q from the data's p. The settings are those of
van der Maaten's own program and of scikit-learn.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import process_time
from typing import NamedTuple

import numpy as np
import torch
from sklearn.manifold import TSNE

# scikit-learn has no public function for the search for each point's β.
from sklearn.manifold._utils import _binary_search_perplexity  # pyright: ignore
from threadpoolctl import threadpool_limits

from ...messages import say

EXAGGERATION, MOMENTUM = 12.0, (0.5, 0.8)
_FEW_POINTS = 1000
PATIENCE = 40.0  # Processor seconds for one map with the learner's gradient.
_Piece = Callable[..., torch.Tensor]


class Pieces(NamedTuple):
    """Hold the learner's functions, in the order in which they are used."""

    squared_distances: _Piece
    conditional_probabilities: _Piece
    joint_probabilities: _Piece
    tsne_gradient: _Piece

    def joint(self, x: torch.Tensor, perplexity: float) -> torch.Tensor:
        """Return p (n, n) of the points x (n, d)."""
        return self.joint_probabilities(self.conditional_probabilities(self.squared_distances(x), perplexity))


@dataclass
class Made:
    """Hold a map y (n, 2), the divergence at each 25th and each requested step, and the map at the requested steps."""

    y: torch.Tensor
    losses: list[tuple[int, float]] = field(default_factory=list)
    frames: dict[int, torch.Tensor] = field(default_factory=dict)
    seconds: float = 0.0


def make_map(
    pieces: Pieces, x: torch.Tensor, perplexity: float = 30.0, steps: int = 500, seed: int = 0, keep: Sequence[int] = ()
) -> Made:
    """Map the points x (n, d) to the plane. The first quarter of the steps exaggerates p.

    If the learner's gradient would need minutes, scikit-learn makes the map instead, and a printed line says so.

    Parameters
    ----------
    pieces : Pieces
        The learner's functions.
    x : torch.Tensor
        Points (n, d).
    perplexity : float, optional
    steps, seed : int, optional
        Settings of t-SNE.
    keep : Sequence[int], optional
        Steps at which the map is recorded.
    """
    with _one_thread_for_few(len(x)):
        return _optimise(pieces, x, perplexity, steps, seed, keep)


def _optimise(pieces: Pieces, x: torch.Tensor, perplexity: float, steps: int, seed: int, keep: Sequence[int]) -> Made:
    started = process_time()
    p = pieces.joint(x, perplexity)
    y = 1e-4 * torch.randn(len(x), 2, generator=torch.Generator().manual_seed(seed), dtype=p.dtype)
    each = _seconds(pieces.tsne_gradient, p, y)
    if (
        each * steps > PATIENCE and (each := _seconds(pieces.tsne_gradient, p, y)) * steps > PATIENCE
    ):  # the first call is slower
        say("Your tsne_gradient needs {each:.1f} s a step: scikit-learn makes this map. Can all pairs go at once?", each=each)
        return Made(scikit_map(x, perplexity, seed), seconds=process_time() - started)
    made = Made(y, [(0, divergence(p, y))], {0: y} if 0 in keep else {})
    rate = max(len(x) / EXAGGERATION / 4, 50.0)
    velocity, gain = torch.zeros_like(y), torch.ones_like(y)
    for step in range(1, steps + 1):
        early = step <= steps // 4
        gradient = pieces.tsne_gradient(p * EXAGGERATION if early else p, y)
        # Steps grow while the direction stays the same.
        gain = torch.where(gradient * velocity < 0, gain + 0.2, gain * 0.8).clamp(min=0.01)
        velocity = MOMENTUM[not early] * velocity - rate * gain * gradient
        if not (y + velocity).isfinite().all():
            say("At step {step} the map ran away to infinity: look at `tsne_gradient` again.", step=step)
            break
        y = y + velocity
        if step in keep:
            made.frames[step] = y
        if step % 25 == 0 or step in keep:
            made.losses.append((step, divergence(p, y)))
    made.y, made.seconds = y - y.mean(dim=0), process_time() - started
    return made


def _seconds(gradient: _Piece, p: torch.Tensor, y: torch.Tensor) -> float:
    """Return the processor seconds of one call."""
    started = process_time()
    gradient(p, y)
    return process_time() - started


@contextmanager
def _one_thread_for_few(points: int) -> Iterator[None]:
    """Run the block in one thread if there are few points: several threads would wait for each other longer than they work."""
    threads = torch.get_num_threads()
    with threadpool_limits(1 if points < _FEW_POINTS else None):
        torch.set_num_threads(1 if points < _FEW_POINTS else threads)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


def scikit_map(x: torch.Tensor, perplexity: float = 30.0, seed: int = 0) -> torch.Tensor:
    """Return the map (n, 2) made by scikit-learn."""
    with _one_thread_for_few(len(x)):
        return torch.from_numpy(TSNE(perplexity=perplexity, random_state=seed).fit_transform(x.numpy()))


def scikit_probabilities(distances: torch.Tensor, perplexity: float) -> torch.Tensor:
    """Return the conditional probabilities (n, n) by scikit-learn; a substitute for exercise 10.conditional_probabilities.

    Examples
    --------
    >>> scikit_probabilities(torch.tensor([[0.0, 1, 9], [1, 0, 4], [9, 4, 0]]), 1.5).sum(dim=1).tolist()
    [1.0, 1.0, 1.0]
    """
    squares = distances.detach().float().contiguous().numpy()
    p = torch.from_numpy(_binary_search_perplexity(squares, perplexity, 0)).to(distances.dtype)
    return p / p.sum(dim=1, keepdim=True)


def autograd_gradient(p: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the gradient of the loss at the map y (n, 2) by PyTorch's autograd; a substitute for exercise 10.tsne_gradient.

    Examples
    --------
    >>> autograd_gradient(torch.tensor([[0.0, 0.5], [0.5, 0.0]]), torch.tensor([[0.0, 0.0], [1.0, 0.0]])).abs().max().item()
    0.0
    """
    points = y.detach().clone().requires_grad_()
    lengths = points.square().sum(dim=1)
    far = lengths[:, None] + lengths - 2 * points @ points.T
    log_kernel = -far.clamp(min=0).log1p()
    others = log_kernel.masked_fill(torch.eye(len(y), dtype=torch.bool), float("-inf"))
    # The loss without the entropy of p, which does not depend on the map.
    loss = others.flatten().logsumexp(dim=0) - (p.detach() * log_kernel).sum()
    (gradient,) = torch.autograd.grad(loss, points)
    return gradient


def divergence(p: torch.Tensor, y: torch.Tensor) -> float:
    """Return the loss in nats: the Kullback-Leibler divergence of q, the map's neighbours, from p.

    Examples
    --------
    >>> divergence(torch.tensor([[0.0, 0.5], [0.5, 0.0]]), torch.tensor([[0.0, 0.0], [1.0, 0.0]]))
    0.0
    """
    points, wanted = y.detach().double().numpy(), p.detach().double().numpy()
    kernel = 1 / (1 + ((points[:, None] - points[None]) ** 2).sum(axis=-1))
    np.fill_diagonal(kernel, 0)
    q = kernel / kernel.sum()
    there = wanted > 0
    return float((wanted[there] * np.log(wanted[there] / np.maximum(q[there], 1e-300))).sum())


def slopes(f: Callable[[torch.Tensor], float], x: torch.Tensor, step: float) -> torch.Tensor:
    """Return the gradient of f at x by difference quotients; a substitute for exercise 02.numeric_grad."""
    moved, gradient = x.clone(), torch.zeros_like(x)
    for index in range(x.numel()):
        at = np.unravel_index(index, x.shape)
        moved[at] = x[at] + step
        ahead = f(moved)
        moved[at] = x[at] - step
        gradient[at] = (ahead - f(moved)) / (2 * step)
        moved[at] = x[at]
    return gradient
