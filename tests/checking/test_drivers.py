"""The sorts of exercise that need a driver, each tried with a small exercise of its own."""

import random
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import nn

from embedding_course.checking.drivers import in_place, module
from embedding_course.checking.exercise import Case, Criterion
from embedding_course.checking.partial_credit import balanced
from embedding_course.checking.random_inputs import RandomInputs
from tests.support.samples import criteria, sample, verdict


class Table(nn.Module):
    """The reference: a lookup table with a bias."""

    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(rows, width))
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, ids: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        return self.weight[ids] * scale + self.bias


class ByOneHot(Table):
    def forward(self, ids: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        return nn.functional.one_hot(ids, len(self.weight)).float() @ self.weight * scale + self.bias


class WithDropout(Table):
    """Right in eval mode, which is how the driver runs it."""

    def forward(self, ids: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        return nn.functional.dropout(super().forward(ids, scale), 0.5, self.training)


class DetachedTable(Table):
    def forward(self, ids: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        return self.weight.detach()[ids] * scale + self.bias


class DetachedScale(Table):
    def forward(self, ids: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        return self.weight[ids] * scale.detach() + self.bias


class OtherNames(nn.Module):
    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.zeros(rows, width))

    def forward(self, ids: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        return self.table[ids] * scale


class Transposed(Table):
    def __init__(self, rows: int, width: int) -> None:
        super().__init__(width, rows)
        self.bias = nn.Parameter(torch.zeros(width))


class NoSuper(nn.Module):
    def __init__(self, rows: int, width: int) -> None:
        self.weight = nn.Parameter(torch.zeros(rows, width))


def _table_cases(draw: RandomInputs) -> Iterator[Case]:
    rows, width, length = draw.sizes(3)
    yield Case(
        "a row of ids",
        {
            "build": {"rows": rows, "width": width},
            "weights": {"weight": draw.normal(rows, width), "bias": draw.normal(width)},
            "inputs": {"ids": draw.ids(length, rows), "scale": draw.normal(length, 1)},
            "grad_output": draw.normal(length, width),
        },
        "all",
    )


TABLE = sample(_table_cases, run=module)


@pytest.mark.parametrize("right", [Table, ByOneHot, WithDropout])
def test_a_module_that_is_right(right: type[nn.Module]) -> None:
    assert verdict(TABLE, Table, right).passed


@pytest.mark.parametrize(
    ("wrong", "stage", "message"),
    [
        (DetachedTable, "type", "gradient of weight"),
        (DetachedScale, "type", "gradient of scale"),
        (OtherNames, "raises", "AttributeError"),
        (Transposed, "raises", "ValueError"),
        (NoSuper, "raises", "AttributeError"),
        (lambda rows, width: None, "raises", "AttributeError"),
    ],
)
def test_a_module_that_is_wrong(wrong: type[nn.Module], stage: str, message: str) -> None:
    result = verdict(TABLE, Table, wrong)
    assert result.stage == stage and message in result.message


def test_a_class_still_a_stub() -> None:
    class Stub(nn.Module):
        def __init__(self, rows: int, width: int) -> None:
            super().__init__()
            raise NotImplementedError()

    assert verdict(TABLE, Table, Stub).status == "not attempted"


def test_constructing_draws_no_random_numbers_from_others() -> None:
    before = torch.random.get_rng_state()
    verdict(TABLE, Table, Table)
    assert torch.equal(before, torch.random.get_rng_state())


def _clip_cases(draw: RandomInputs) -> Iterator[Case]:
    yield Case("a row", {"values": draw.normal(5), "limit": 0.5}, "all")


def clip_(values: torch.Tensor, limit: float) -> None:
    values.clamp_(-limit, limit)


IN_PLACE = sample(_clip_cases, run=in_place(0, "values afterwards"), changes=("values",))
RETURNING = sample(_clip_cases, run=in_place(0, "values afterwards", returns="result"), changes=("values",))


def copying(values: torch.Tensor, limit: float) -> torch.Tensor:
    return values.clamp(-limit, limit)


def both(values: torch.Tensor, limit: float) -> torch.Tensor:
    return values.clamp_(-limit, limit)


def test_an_effect_on_an_argument() -> None:
    assert verdict(IN_PLACE, clip_, clip_).passed
    assert verdict(IN_PLACE, clip_, both).passed, "what is returned does not matter here"
    result = verdict(IN_PLACE, clip_, copying)
    assert result.stage == "values" and "values afterwards" in result.message


def test_an_effect_and_a_result() -> None:
    assert verdict(RETURNING, both, both).passed
    assert "result" in verdict(RETURNING, both, clip_).message
    assert "values afterwards" in verdict(RETURNING, both, copying).message


def _sort_with(member: int) -> Callable[[list[int]], list[int]]:
    """A family of sorting functions: even members are sound, odd ones drop repeats."""

    def order(numbers: list[int]) -> list[int]:
        return sorted(numbers) if member % 2 == 0 else sorted(set(numbers))

    return order


def _run_test(candidate: Callable[..., bool], member: int) -> bool:
    return candidate(_sort_with(member))


def _member_cases(draw: RandomInputs) -> Iterator[Case]:
    for number in range(160):
        yield Case(f"stand-in {number}", {"member": number}, "all", call="is_broken(order)")


WRITE_A_TEST = sample(_member_cases, [Criterion("all", 4, "broken ones are told from sound ones", balanced)], run=_run_test)


def is_broken(order: Callable[[list[int]], list[int]]) -> bool:
    return order([2, 1, 2]) != [1, 2, 2]


def test_a_learners_test_that_tells_all_apart_earns_all() -> None:
    result = verdict(WRITE_A_TEST, is_broken, is_broken)
    assert result.passed and result.score == 4


@pytest.mark.parametrize(
    "guess",
    [
        lambda order: True,
        lambda order: False,
        lambda order: order([1, 2]) != [1, 2],
        lambda order: not is_broken(order),
        lambda order: None,
    ],
    ids=["always broken", "always sound", "blind", "the wrong way round", "nothing"],
)
def test_a_test_that_tells_nothing_earns_nothing(guess: Callable[..., bool]) -> None:
    assert verdict(WRITE_A_TEST, is_broken, guess).score == 0


def test_a_test_that_tells_half_earns_half() -> None:
    seen = []

    def half(order: Callable[[list[int]], list[int]]) -> bool:
        broken = is_broken(order)
        seen.append(broken)
        return broken and sum(seen) % 2 == 0

    result = verdict(WRITE_A_TEST, is_broken, half)
    assert criteria(result) == {"all": 2} and result.status == "partly"


def test_what_luck_can_reach_earns_nothing() -> None:
    """A guess tells nothing; among many guessers the best one still earns nothing."""
    toss = random.Random(7)
    assert {verdict(WRITE_A_TEST, is_broken, lambda order: toss.random() < 0.5).score for _ in range(30)} == {0}


def test_both_kinds_are_needed() -> None:
    one_kind = sample(
        lambda draw: [Case(str(number), {"member": 2 * number}, "all") for number in range(3)],
        [Criterion("all", 4, "", balanced)],
        run=_run_test,
    )
    with pytest.raises(ValueError, match="one kind is missing"):
        verdict(one_kind, is_broken, is_broken)
