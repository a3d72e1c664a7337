"""The small machines behind notebook 03's demonstrations."""

import math

import pytest
import torch

from embedding_course.experiments.max_norm import first_word_gradient, next_word, three_gradients
from embedding_course.plot import clipped_gradients, max_norm, norm_traces


def _squares(rows: torch.Tensor) -> torch.Tensor:
    return rows.square().sum(dim=-1)


def test_the_three_gradients_at_a_long_row_and_at_a_short_one():
    gradients = three_gradients.gradients(torch.tensor([[3.0, 4.0], [0.3, 0.4]]), _squares, max_norm=1.0)
    for kind, expected in zip(three_gradients.KINDS, ((6.0, 8.0), (1.2, 1.6), (0.0, 0.0)), strict=True):
        torch.testing.assert_close(gradients[kind], torch.tensor([expected, (0.6, 0.8)]), atol=1e-5, rtol=0)


def test_clipping_ends_at_the_nearest_allowed_point_and_through_the_norm_a_row_only_grows():
    target = torch.tensor([2.4, 0.9])
    ways = three_gradients.paths(torch.tensor([-0.8, 2.1]), lambda rows: _squares(rows - target), 1.0, lr=0.08, steps=60)
    torch.testing.assert_close(ways["pytorch"][-2], target / target.norm(), atol=1e-3, rtol=0)
    lengths = ways["through_norm"].norm(dim=1)
    assert (lengths[1:] >= lengths[:-1] - 1e-6).all() and lengths[-1] > lengths[0]


def test_runs_start_alike_whatever_the_ceiling_and_the_optimizer():
    free, bounded = next_word.new_run(), next_word.new_run(1.0, "Adam")
    assert torch.equal(free.embedding.weight, bounded.embedding.weight)
    assert torch.equal(free.loss_fn.match.weight, bounded.loss_fn.match.weight)
    assert all(torch.equal(first, second) for first, second in zip(free.batches, bounded.batches, strict=True))
    assert free.embedding.weight.norm(dim=1).min() > 1  # the drift figure relies on it: every first lookup clips


def test_training_shows_what_the_lesson_says():
    free, bounded, short = next_word.train(), next_word.train(1.0), next_word.train(scale=0.25)
    adam = next_word.train(1.0, "Adam")
    assert short.held_out_loss < bounded.held_out_loss < math.log(next_word.BATCH) < free.held_out_loss
    above = [(history.table.norm(dim=1) > 1).float().mean().item() for history in (bounded, adam)]
    assert above[0] < 0.4 and above[1] > 0.6
    still = ~bounded.looked_up[1:]
    assert torch.equal(bounded.norms[1:][still], bounded.norms[:-1][still])  # SGD: nobody moves without a lookup
    torch.testing.assert_close(free.norms[-1], free.table.norm(dim=1))


@pytest.mark.parametrize("optimizer", ["Adam", *(pytest.param(name, marks=pytest.mark.slow) for name in ("SGD", "momentum"))])
def test_a_short_start_without_a_ceiling_does_at_least_as_well(optimizer: str):
    for seed in range(3):
        bounded, short = next_word.train(1.0, optimizer, seed=seed), next_word.train(None, optimizer, 0.25, seed)
        assert short.held_out_loss < bounded.held_out_loss


def test_a_clip_in_float32_may_leave_a_row_a_hair_too_long():
    table = torch.nn.Embedding(
        5000, 16, max_norm=1.0, _weight=torch.randn(5000, 16, generator=torch.Generator().manual_seed(0))
    )
    clipped = table(torch.arange(5000)).detach()
    longer = clipped.norm(dim=1) > 1
    assert longer.any() and clipped.norm(dim=1).max() < 1 + 1e-6
    assert torch.equal((table(torch.arange(5000)) != clipped).any(dim=1), longer), "these are written again by the next lookup"


def test_max_norm_does_not_hold_the_gradient_and_clipping_gradients_does():
    free, bounded, clipped = (first_word_gradient.measure(**what) for what in ({}, {"max_norm": 1.0}, {"clip_gradients": 1.0}))
    assert free[-1] > 100 * free[0] and bounded[-1] > 100 * bounded[0] and max(clipped) <= 1


@pytest.mark.parametrize("looked_up", [[0, 1], []])
def test_the_figure_of_a_lookup_says_who_moved(looked_up: list[int], capsys: pytest.CaptureFixture[str]):
    before = torch.tensor([[3.0, 4.0], [0.3, 0.4], [-2.0, 0.0]])
    embedding = torch.nn.Embedding(3, 2, max_norm=1.0, _weight=before.clone())
    embedding(torch.tensor(looked_up, dtype=torch.long))
    max_norm.clipping(before, embedding.weight.detach(), looked_up, 1.0, ["a", "b", "c"])
    assert ("clipped: a" in capsys.readouterr().out) == bool(looked_up)


def test_the_figures_return_what_the_lesson_reveals(capsys: pytest.CaptureFixture[str]):
    fields = clipped_gradients.fields(_squares, 1.0, (3.0, 4.0))
    torch.testing.assert_close(fields["pytorch"], torch.tensor([1.2, 1.6]))
    far = clipped_gradients.way_of_a_row((-0.8, 2.1), (2.4, 0.9), 1.0, lr=0.08, steps=12)
    assert min(far, key=far.__getitem__) == "nearest point"
    ends = norm_traces.drift({name: next_word.train(1.0, name) for name in ("SGD", "momentum", "Adam")}, 1.0)
    assert abs(ends["SGD"].mean - 1) < 0.01 and ends["Adam"].mean > 1.1 and ends["Adam"].high >= 1.39
    momentum = ends["momentum"]
    assert abs(momentum.mean - 1) < 0.005 and 0.97 < momentum.low < 0.99 and 1.02 < momentum.high < 1.04
    assert capsys.readouterr().out.count("[Figure:") == 3
