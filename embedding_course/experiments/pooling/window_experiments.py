"""Train five poolings on four questions with one layer of attention before the pooling: too slow for a lesson."""

from ..curves import Curves
from . import window
from .window import TASKS, Pool

STEPS = 300


def mixing(
    pool_mean: Pool,
    pool_max: Pool,
    pool_cls: Pool,
    pool_last: Pool,
    pool_weighted: Pool,
) -> Curves:
    """Return the accuracy of every pooling on every question after one layer of attention, and the losses on the last one.

    Parameters
    ----------
    pool_mean, pool_max, pool_cls, pool_last, pool_weighted : Pool
        The learner's poolings, each from vectors (B, T, d) and a mask (B, T) to vectors (B, d).
    """
    by_name = {"mean": pool_mean, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_weighted}
    curves, numbers = {}, {}
    for name, pool in by_name.items():
        for task in TASKS:
            trained = window.train(pool, task, layers=1, steps=STEPS)
            numbers[f"{name}, {task}"] = trained.accuracy
        means = [sum(trained.losses[at : at + 20]) / 20 for at in range(0, STEPS, 20)]
        curves[name] = [(20.0 * (number + 1), value) for number, value in enumerate(means)]
    return Curves(seed=0, steps=STEPS, curves=curves, numbers=numbers, data="who passed the window, one layer")
