"""The small machines behind notebook 02's demonstrations, and the numbers that its text gives."""

import math

import pytest
import torch

from embedding_course.data import language_reference
from embedding_course.experiments.gradients import difference_quotients, initialisation, moving_rows, pretrained
from embedding_course.plot import lines


def test_one_gradient_carries_a_row_as_far_as_the_lesson_says(capsys: pytest.CaptureFixture[str]) -> None:
    ends = {name: moving_rows.further_travel(name)[-1].item() for name in ("sgd", "sgd-momentum", "adam")}
    assert ends["sgd"] == pytest.approx(1) and ends["sgd-momentum"] == pytest.approx(10, abs=0.01)
    late = moving_rows.further_travel("adam", seen_at=10_000)
    assert ends["adam"] == pytest.approx(6.0, abs=0.05) and late[-1].item() == pytest.approx(31.8, abs=0.1)
    assert late[0].item() == pytest.approx(math.sqrt(10), rel=1e-3), "the first step alone is three learning rates"
    lines.show_travel({"sgd": moving_rows.further_travel("sgd"), "late": late})
    assert "late 31.8" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["sgd", "sgd-momentum", "adam"])
def test_steps_that_are_only_counted_are_those_of_the_optimizer(name: str) -> None:
    """`seen_at` sets the count of steps; here they are really made."""
    row = torch.nn.Parameter(torch.ones(1, dtype=torch.float64))
    stepper = moving_rows.OPTIMIZERS[name]([row])
    path = []
    for step in range(1, 40):
        row.grad = torch.ones_like(row) if step == 20 else torch.zeros_like(row)
        stepper.step()
        path.append((1 - row.item()) / moving_rows.LEARNING_RATE)
    assert moving_rows.further_travel(name, steps=20, seen_at=20).tolist() == pytest.approx(path[19:], rel=1e-6)


@pytest.mark.parametrize("seen_at", [1, 5_000])
def test_the_memory_of_adam_lasts_for_one_or_two_hundred_steps(seen_at: int) -> None:
    row = torch.nn.Parameter(torch.randn(64, generator=torch.Generator().manual_seed(0)))
    stepper = moving_rows.OPTIMIZERS["adam"]([row])
    row.grad = torch.zeros(64)
    stepper.step()
    stepper.state[row]["step"].fill_(seen_at)
    last = 0
    for step in range(400):
        row.grad = torch.zeros(64) if step else torch.randn(64, generator=torch.Generator().manual_seed(1))
        before = row.detach().clone()
        stepper.step()
        last = step if not row.detach().equal(before) else last
    assert 100 < last < 220


def test_a_tied_table_begins_far_above_guessing_unless_it_is_small_or_its_logits_are_divided() -> None:
    ids = language_reference.ids_of(
        language_reference.words(), language_reference.common_words(language_reference.words(), 1_000)
    )
    guessing = math.log(1_000)
    assert initialisation.first_loss(ids, 1_000, 1.0) > 3 * guessing
    assert initialisation.first_loss(ids, 1_000, 0.02) == pytest.approx(guessing, abs=0.01)
    assert initialisation.first_loss(ids, 1_000, 1.0, scale=1 / 8) < guessing + 1
    assert initialisation.train(ids, 1_000, 1.0, tied=True, steps=1).logit_std == pytest.approx(8, abs=0.5)


def test_no_blind_start_is_near_and_a_large_one_is_farther_than_zeros() -> None:
    vectors = torch.randn(400, 16, generator=torch.Generator().manual_seed(1)) + 0.5
    drawn, small, mean = pretrained.cold_starts(vectors).values()
    assert drawn > 1.2 and small == pytest.approx(1, abs=0.01) and 0.8 < mean < 1
    drawn, small, mean = pretrained.cold_starts(
        torch.stack(list(pretrained.train_vectors(pretrained.texts().long).values()))
    ).values()
    assert drawn > 2 and mean < small < 1.01


def test_central_differences_in_float64_are_best() -> None:
    steps = [10.0**power for power in range(-11, 0)]
    least = {
        label: min(difference_quotients.errors(steps, dtype, central)) for label, dtype, central in difference_quotients.KINDS
    }
    central, forward, single = least.values()
    assert 50 * central < forward < single and single > 1e5 * central
