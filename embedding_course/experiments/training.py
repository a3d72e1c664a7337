"""Run the training loop of all demonstrations: it calls a step for each batch, shows progress, and records the losses.

The caller decides what a step does; in most lessons it is the learner's own `train_step`.
"""

import sys
from collections.abc import Callable, Iterator, Sized
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Protocol

import torch

from ..checking.render import Panel
from ..messages import translate


class _SizedIterable(Sized, Protocol):
    def __iter__(self) -> Iterator[Any]: ...


class Batches:
    """Yield `steps` batches of rows of tensors with the same first dimension, shuffled anew in each epoch.

    Examples
    --------
    >>> [(x.shape, y.shape) for x, y in Batches((torch.arange(3), torch.arange(3)), size=2, steps=1)]
    [(torch.Size([2]), torch.Size([2]))]
    """

    def __init__(self, tensors: tuple[torch.Tensor, ...], size: int, steps: int, seed: int = 0) -> None:
        self.tensors, self.size, self.steps, self.seed = tensors, size, steps, seed

    def __len__(self) -> int:
        return self.steps

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        generator = torch.Generator().manual_seed(self.seed)
        rows = len(self.tensors[0])
        size = min(self.size, rows)
        order, at = torch.randperm(rows, generator=generator), 0
        for _ in range(self.steps):
            if at + size > rows:
                order, at = torch.randperm(rows, generator=generator), 0
            chosen = order[at : at + size]
            at += size
            yield tuple(tensor[chosen] for tensor in self.tensors)


@dataclass
class Run:
    """Hold the result of a run: the loss of every batch, (step, value) of every measurement, and the seconds."""

    losses: list[float] = field(default_factory=list)
    measured: list[tuple[int, float]] = field(default_factory=list)
    seconds: float = 0.0


def train(
    step: Callable[[Any], float],
    batches: _SizedIterable,
    title: str | None = None,
    measure: Callable[[], float] | None = None,
    every: int = 100,
) -> Run:
    """Call `step(batch)`, which trains on a batch and returns its loss, for each batch.

    Parameters
    ----------
    step : Callable[[Any], float]
        Takes a batch and returns its loss.
    batches : iterable of known length
        The batches, with a length.
    title : str or None, optional
        With a title a bar shows progress and loss.
    measure : Callable[[], float] or None, optional
        Called before the first step, after each `every` steps, and at the end; for example the loss on held-out text.
    every : int, optional
        Number of steps between two measurements.

    Examples
    --------
    >>> run = train(lambda batch: 1 / batch, [1, 2, 4], measure=lambda: 0.0, every=2)
    >>> run.losses, run.measured
    ([1.0, 0.5, 0.25], [(0, 0.0), (2, 0.0), (3, 0.0)])
    """
    run, started, total = Run(), perf_counter(), len(batches)
    bar = None if title is None else _Bar(title, total)
    if measure:
        run.measured.append((0, float(measure())))
    for done, batch in enumerate(batches, start=1):
        run.losses.append(float(step(batch)))
        if measure and (done % every == 0 or done == total):
            run.measured.append((done, float(measure())))
        if bar:
            bar.update(done, run)
    run.seconds = perf_counter() - started
    if bar:
        bar.close(run)
    return run


def descend(optimizer: torch.optim.Optimizer, loss: torch.Tensor, before_step: Callable[[], object] | None = None) -> float:
    """Take one step of an optimizer on a loss, and return the loss as a number.

    Parameters
    ----------
    optimizer : torch.optim.Optimizer
        The optimizer of the parameters.
    loss : torch.Tensor
        What the step makes smaller.
    before_step : Callable[[], object] or None, optional
        Called between the backward pass and the step, for example to fill in gradients.
    """
    optimizer.zero_grad()
    loss.backward()
    if before_step:
        before_step()
    optimizer.step()
    return loss.item()


class _Bar:
    """Show progress in one line: rewritten in a notebook, printed once at the end elsewhere. It never writes to stderr."""

    WIDTH, PAUSE = 24, 0.25

    def __init__(self, title: str, total: int) -> None:
        self.title, self.total, self.started, self.shown_at = translate(title), total, perf_counter(), 0.0
        ipython = sys.modules.get("IPython")
        self.handle: Any = None
        if ipython and ipython.get_ipython():
            from IPython.display import DisplayHandle

            self.handle = DisplayHandle()
            self.handle.display(self._panel(translate("{title}  ready", title=self.title)))

    @staticmethod
    def _panel(text: str) -> Panel:
        return Panel(text, f'<pre style="margin:0">{text}</pre>')

    def _line(self, done: int, run: Run, end: str) -> str:
        filled = round(self.WIDTH * done / max(self.total, 1))
        recent = run.losses[-50:]
        parts = [translate("step {done:,} of {total:,}", done=done, total=self.total)]
        parts.append(translate("loss {loss:.3f}", loss=sum(recent) / len(recent)) if recent else "")
        text = " · ".join(parts)
        if run.measured:
            text += " · " + translate("held out {loss:.3f}", loss=run.measured[-1][1])
        return f"{self.title}  {'█' * filled}{'░' * (self.WIDTH - filled)}  {text} · {end}"

    def update(self, done: int, run: Run) -> None:
        now = perf_counter()
        if self.handle is None or now - self.shown_at < self.PAUSE:
            return
        self.shown_at = now
        left = (now - self.started) / done * (self.total - done)
        self.handle.update(self._panel(self._line(done, run, translate("{seconds:.0f} s left", seconds=left))))

    def close(self, run: Run) -> None:
        line = self._line(len(run.losses), run, f"{run.seconds:.1f} s")
        if self.handle is None:
            print(line)
        else:
            self.handle.update(self._panel(line))
