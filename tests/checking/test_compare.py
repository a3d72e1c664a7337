"""The ladder of comparison: each rung catches its own kind of fault and no other."""

import math

import numpy as np
import pytest
import torch

from embedding_course.checking.compare import STAGES, Comparison, Mismatch
from embedding_course.checking.difference import difference
from embedding_course.checking.exercise import Case
from embedding_course.checking.observation import Observation, Raised
from embedding_course.checking.redact import redact, vocabulary
from embedding_course.checking.wire_data import NamedParts, OtherObject, plain
from embedding_course.messages import Message
from tests.support.samples import observations, sample

CASE = Case("a case", {}, "all")
ROW = torch.tensor([1.0, 2.0, 3.0])
REFUSED = Observation(raised=Raised(("IndexError", "LookupError", "Exception", "BaseException")))


def fault(expected: object, got: object, compare: Comparison | None = None) -> Mismatch | None:
    return (compare or Comparison())(Observation(plain(expected)), Observation(plain(got)), CASE)


@pytest.mark.parametrize(
    ("expected", "got", "stage"),
    [
        (ROW, None, "type"),
        (ROW, [1.0, 2.0, 3.0], "type"),
        (ROW, np.array([1.0, 2.0, 3.0]), "type"),
        (ROW, object(), "type"),
        (ROW, ROW[None], "shape"),
        (ROW, ROW.double(), "dtype"),
        (ROW, torch.tensor([1, 2, 3]), "dtype"),
        (ROW, torch.tensor([1.0, math.nan, 3.0]), "not finite"),
        (ROW, torch.tensor([1.0, math.inf, 3.0]), "not finite"),
        (ROW, torch.tensor([1.0, 2.0, 3.01]), "values"),
        (torch.tensor([1, 2]), torch.tensor([1, 3]), "values"),
        (torch.tensor(2.0), torch.tensor(3.0), "values"),
        (1.0, 1.01, "values"),
        (1.0, "1.0", "type"),
        (1.0, math.nan, "not finite"),
        (3, 3.0, "type"),
        (True, 1, "type"),
        (None, 0, "type"),
        ("word", "ward", "values"),
        (2.0, ROW, "shape"),
        ([1, 2], [1, 2, 3], "shape"),
        ([1, 2], [1, 3], "values"),
        ([1, 2], [1, "2"], "type"),
        ([1, 2], {0: 1, 1: 2}, "type"),
        ({"a": 1}, {"a": 1, "b": 2}, "values"),
        ({"a": 1}, {}, "values"),
        ({"a": ROW}, {"a": ROW[:2]}, "shape"),
        ({"a": 1}, [1], "type"),
    ],
)
def test_each_fault_has_its_rung(expected: object, got: object, stage: str) -> None:
    mismatch = fault(expected, got)
    assert mismatch is not None and mismatch.stage == stage
    assert stage in STAGES


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (ROW, ROW.clone()),
        (ROW, ROW * (1 + 1e-6)),
        (ROW, ROW.to_sparse()),
        (ROW, torch.nn.Parameter(ROW.clone())),
        (1.0, torch.tensor(1.0)),
        (1.0, 1),
        (1.0, np.float32(1)),
        ((1, 2), [1, 2]),
        ([1, 2], (1, 2)),
        (torch.zeros(0, 3), torch.zeros(0, 3)),
        (torch.tensor([1.0, math.nan, -math.inf]), torch.tensor([1.0, math.nan, -math.inf])),
        ({"b": 1, "a": 2}, {"a": 2, "b": 1}),
        (math.inf, math.inf),
        (0.0, 1e-12),
    ],
)
def test_equal_within_rounding(expected: object, got: object) -> None:
    assert fault(expected, got) is None


@pytest.mark.parametrize(
    ("strictness", "dtype", "accepted"),
    [
        ("same", torch.float32, True),
        ("same", torch.float64, False),
        ("floating", torch.float64, True),
        ("floating", torch.float16, False),
        ("floating", torch.int64, False),
        ("any", torch.int64, True),
        ("any", torch.bool, True),
    ],
)
def test_how_strict_to_be_with_types(strictness, dtype: torch.dtype, accepted: bool) -> None:
    expected = torch.tensor([1.0, 0.0])
    assert (fault(expected, expected.to(dtype), Comparison(dtype=strictness)) is None) is accepted


def test_complex_results_are_no_answer() -> None:
    mismatch = fault(ROW, ROW.to(torch.complex64), Comparison(dtype="any"))
    assert mismatch is not None and mismatch.stage == "type"


def test_integers_stay_exact_where_float_would_round() -> None:
    large = torch.tensor([2**60])
    assert fault(large, large + 1) is not None


def test_a_none_asks_about_the_return() -> None:
    mismatch = fault(ROW, None)
    assert mismatch is not None and "`return`" in str(mismatch.message)


def test_what_is_said_of_hidden_cases_holds_no_values() -> None:
    secret = torch.tensor([0.123457, 0.765432])
    mismatch = fault(secret, torch.tensor([0.123457, 99.25]))
    assert mismatch is not None
    assert "99.25" in str(mismatch.message) and "0.765" in str(mismatch.message)
    assert not any(digits in str(mismatch.hidden) for digits in ("99.25", "0.765", "0.123"))


def test_the_largest_difference_is_pointed_at() -> None:
    expected = torch.zeros(2, 3)
    got = expected.clone()
    got[0, 1], got[1, 2] = 1.0, -5.0
    mismatch = fault(expected, got)
    assert mismatch is not None and "(1, 2)" in str(mismatch.message) and "2 of 6 entries" in str(mismatch.message)


def test_parts_are_compared_by_name() -> None:
    expected = NamedParts({"output": ROW, "gradient": ROW})
    assert fault(expected, NamedParts({"output": ROW, "gradient": ROW})) is None
    mismatch = fault(expected, NamedParts({"output": ROW, "gradient": 2 * ROW}))
    assert mismatch is not None and "the gradient" in str(mismatch.message)
    assert fault(expected, NamedParts({"output": ROW})) is not None


def test_tolerances_and_rules_belong_to_parts() -> None:
    wrong = Mismatch("property", Message("no"))
    compare = Comparison(
        tolerances={"mean": 0.1},
        rules={"ids": lambda expected, got, case: None if sorted(got) == sorted(expected) else wrong},
    )
    expected = NamedParts({"mean": 1.0, "ids": [1, 2, 3]})
    assert fault(expected, NamedParts({"mean": 1.05, "ids": [3, 1, 2]}), compare) is None
    assert fault(expected, NamedParts({"mean": 1.2, "ids": [3, 1, 2]}), compare).stage == "values"  # type: ignore[union-attr]
    assert fault(expected, NamedParts({"mean": 1.0, "ids": [3, 1, 1]}), compare).stage == "property"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("types", "stage"),
    [
        (("IndexError", "LookupError"), None),
        (("MyIndexError", "IndexError", "LookupError"), None),
        (("ValueError",), "raises"),
        (("LookupError",), "raises"),
    ],
)
def test_an_exception_that_was_asked_for(types: tuple[str, ...], stage: str | None) -> None:
    mismatch = Comparison()(REFUSED, Observation(raised=Raised(types, "message")), CASE)
    assert (mismatch.stage if mismatch else None) == stage


def test_an_exception_that_did_not_come() -> None:
    mismatch = Comparison()(REFUSED, Observation(value=1), CASE)
    assert mismatch is not None and mismatch.stage == "property" and "IndexError" in str(mismatch.message)


def test_made_up_exception_names_are_not_repeated() -> None:
    mismatch = Comparison()(Observation(value=1), Observation(raised=Raised(("Secret_0_123", "Exception"))), CASE)
    assert mismatch is not None and "Secret" not in str(mismatch.hidden)


def test_the_untouched_stub_is_no_exception() -> None:
    mismatch = Comparison()(Observation(value=1), Observation(raised=Raised(("NotImplementedError", "RuntimeError"))), CASE)
    assert mismatch is not None and mismatch.stage == "not attempted"


def test_changed_arguments_are_named() -> None:
    def clamp(x: torch.Tensor) -> torch.Tensor:
        return x.clamp_(max=0.5)

    exercise = sample(lambda draw: [Case("one", {"x": torch.tensor([1.0, 0.25])}, "all")])
    (seen,) = observations(exercise, clamp)
    assert seen.modified == ("x",)
    mismatch = Comparison()(Observation(seen.value), seen, CASE)
    assert mismatch is not None and mismatch.stage == "property" and "`x`" in str(mismatch.message)
    (allowed,) = observations(sample(exercise.cases, changes=("x",)), clamp)
    assert allowed.modified == ()


@pytest.mark.parametrize("value", [float("nan"), -0.5])
def test_a_zero_that_becomes_nan_is_a_change(value: float) -> None:
    def overwrite(x: torch.Tensor) -> float:
        x[x == 0] = value
        return 1.0

    exercise = sample(lambda draw: [Case("one", {"x": torch.tensor([0.0, float("nan")])}, "all")])
    assert observations(exercise, overwrite)[0].modified == ("x",)
    assert observations(exercise, lambda x: 1.0)[0].modified == (), "nan stays nan"


def test_difference_between_two_refusals() -> None:
    def refused(type_name: str, message: str) -> Observation:
        return Observation(raised=Raised((type_name, "Exception"), message))

    refusal = refused("ValueError", "no such row")
    assert not difference(refusal, refused("RuntimeError", "no such row"), CASE), (
        "torch changes the type from version to version"
    )
    assert not difference(refusal, refused("ValueError", "row 9 is missing"), CASE), "or the words"
    assert difference(refusal, refused("TypeError", "an int was wanted"), CASE)
    missing = [refused("LookupError", f"there is no parameter {name}") for name in ("weight", "bias")]
    assert difference(*missing, CASE), "here the words say what is missing"


def test_difference_tells_observations_apart() -> None:
    first, second = Observation(value=ROW), Observation(value=2 * ROW)
    assert not difference(first, Observation(value=ROW + 1e-7), CASE)
    assert difference(first, second, CASE)
    assert difference(first, REFUSED, CASE)
    assert difference(first, Observation(value=ROW, modified=("x",)), CASE)
    assert not difference(REFUSED, REFUSED, CASE)
    assert difference(Observation(value=OtherObject("a")), Observation(value=OtherObject("b")), CASE)
    assert not difference(Observation(value=OtherObject("a")), Observation(value=OtherObject("a")), CASE)
    assert difference(Observation(value=ROW), Observation(value=ROW.double()), CASE)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("expected", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("got", [0.0, 3.5, -1e38, 1e38, math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("largest", [1.0, 1e30])
def test_no_finite_number_is_near_to_one_that_is_not(dtype: torch.dtype, expected: float, got: float, largest: float) -> None:
    same = expected == got or (math.isnan(expected) and math.isnan(got))
    for compare in (Comparison(), Comparison(tolerances={"it": math.inf}), Comparison(tolerances={"it": 0.1})):
        for mine, theirs in (
            (torch.tensor([largest, expected], dtype=dtype), torch.tensor([largest, got], dtype=dtype)),
            (torch.tensor(expected, dtype=dtype), torch.tensor(got, dtype=dtype)),
            (expected, got),
            (expected, torch.tensor(got)),
            ([1.0, expected], [1.0, got]),
            ({"a": expected}, {"a": got}),
        ):
            mismatch = fault(NamedParts({"it": mine}), NamedParts({"it": theirs}), compare)
            assert (mismatch is None) is same, (mine, theirs, mismatch)


def test_numbers_near_the_largest_there_is_are_compared_as_others_are() -> None:
    large = torch.tensor([1.7e308, -1.7e308], dtype=torch.float64)
    assert fault(large, large * (1 - 1e-8)) is None
    assert fault(large, large * 0.5) is not None
    assert fault(large, -large) is not None


@pytest.mark.parametrize("name", ["Tensor", "function", "generator", "Fraction_12_5", "float32_7", "x", "1.5, 2.5"])
def test_a_hidden_verdict_names_only_types_that_everybody_has(name: str) -> None:
    mismatch = fault(ROW, OtherObject(name))
    assert mismatch is not None and mismatch.hidden is not None and name in str(mismatch.message)
    hidden = str(redact(mismatch.hidden, vocabulary(CASE)))
    assert (f"type {name} came back" in hidden) is (name in ("Tensor", "function", "generator"))
