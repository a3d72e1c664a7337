"""What is kept of a known mistake, and how well the same one is known again."""

import math
from pathlib import Path

import pytest
import torch

from embedding_course.checking import expected
from embedding_course.checking import outline as outlines
from embedding_course.checking.case import Case
from embedding_course.checking.compare import Comparison, Mismatch
from embedding_course.checking.difference import difference, outline_for
from embedding_course.checking.expected import Expectation
from embedding_course.checking.fingerprint import Fingerprint, Recognised, Trace, recognise
from embedding_course.checking.observation import Observation, Raised
from embedding_course.checking.outline import outline
from embedding_course.checking.trial import Trial
from embedding_course.checking.wire_data import NamedParts
from embedding_course.exercises import known
from embedding_course.messages import Message
from tests.support.samples import double, double_squared_print, sample

CASE = Case("one", {}, "all")
SHAPE = (23, 17)


def differ(mine: torch.Tensor, theirs: torch.Tensor, **settings: bool) -> bool:
    return difference(outline(Observation(value=mine)), outline(Observation(value=theirs)), CASE, **settings)


def numbers(seed: int = 0, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    return torch.randn(SHAPE, generator=torch.Generator().manual_seed(seed), dtype=dtype)


@pytest.mark.parametrize("seed", range(20))
def test_rounding_is_no_difference(seed: int) -> None:
    exact = numbers(seed)
    assert not differ(exact.float(), (exact * 3).float() / 3)
    assert not differ(exact, exact * 3 / 3)
    assert not differ(exact, exact * (1 + 2e-5), as_float32=True)
    assert differ(exact, exact * (1 + 2e-5)), "float64 is compared as such"


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_one_entry_that_is_off_is_one(seed: int, dtype: torch.dtype) -> None:
    mine = numbers(seed, dtype)
    spots = torch.Generator().manual_seed(seed)
    theirs = mine.clone()
    theirs.view(-1)[int(torch.randint(mine.numel(), (1,), generator=spots))] += 0.05
    assert differ(mine, theirs)


@pytest.mark.parametrize("seed", range(200))
def test_two_entries_that_changed_places_are_one(seed: int) -> None:
    mine = numbers(seed)
    first, second = torch.randperm(mine.numel(), generator=torch.Generator().manual_seed(seed))[:2].tolist()
    theirs = mine.clone().flatten()
    theirs[[first, second]] = theirs[[second, first]]
    assert differ(mine, theirs.view(SHAPE))


def test_another_order_another_shape_another_type_are_one() -> None:
    mine = numbers()
    for theirs in (mine.flip(0), mine.flip(1), -mine, mine.t(), mine.reshape(17, 23), mine.float(), 1.001 * mine, mine + 0.001):
        assert differ(mine, theirs)
    ids = torch.arange(40)
    assert differ(ids, ids.flip(0)) and differ(ids, ids.int()) and not differ(ids, ids.clone())


@pytest.mark.parametrize("value", [torch.inf, -torch.inf, torch.nan])
def test_what_is_not_finite_counts_where_it_stands(value: float) -> None:
    mine = numbers()
    mine[3, 4] = value
    elsewhere = numbers()
    elsewhere[3, 5] = value
    assert not differ(mine, mine.clone()) and differ(mine, elsewhere) and differ(mine, numbers())
    other = mine.clone()
    other[3, 4] = 0.0
    assert differ(mine, other)


def test_the_tolerance_of_a_part_holds_for_its_outline() -> None:
    compare = Comparison(tolerances={"mean": 0.1})

    def observed(mean: float, table: float) -> Observation:
        seen = outline_for(compare, Observation(value=NamedParts(mean=numbers() + mean, table=numbers() + table)), CASE)
        assert seen
        return seen

    assert not difference(observed(0.0, 0.0), observed(0.02, 0.0), CASE, compare)
    assert difference(observed(0.0, 0.0), observed(0.0, 0.02), CASE, compare)
    assert difference(observed(0.0, 0.0), observed(0.9, 0.0), CASE, compare)


@pytest.mark.parametrize("few", [True, False])
def test_where_both_floating_types_are_right_they_are_one(few: bool) -> None:
    mine = numbers()[:2, :2] if few else numbers()
    assert differ(mine, mine.float()) and not differ(mine, mine.float(), as_float32=True, any_float=True)
    assert differ(mine, mine.float() * 1.001, as_float32=True, any_float=True)
    assert differ(mine, mine.long(), as_float32=True, any_float=True), "whole numbers are another type"


def test_small_things_stay_whole_and_nothing_is_changed() -> None:
    value = {"few": torch.ones(8), "text": "word", "list": [1, None, 2.5], "many": torch.ones(9)}
    kept = outline(Observation(value=value)).value
    assert kept["few"] is value["few"] and kept["list"] == value["list"] and kept["text"] == "word"
    assert kept["many"]["shape"] == [9] and kept["many"]["numbers"].numel() == 5
    assert value["many"].numel() == 9


def test_an_answer_without_the_parts_that_are_judged_is_like_no_mistake() -> None:
    def seen(observation: Observation, case: Case) -> Observation:
        return Observation(value=observation.value["part"])

    compare = type("Part", (Comparison,), {"seen": staticmethod(seen)})()
    assert outline_for(compare, Observation(value=torch.ones(3)), CASE) is None
    assert outline_for(compare, Observation(value={"part": 1}), CASE) == Observation(value=1)


def test_what_was_saved_is_what_is_loaded(tmp_path: Path) -> None:
    exercise = sample(lambda draw: [])
    cases = (
        Case("a tensor twice", {"x": torch.ones(3, 3), "y": torch.ones(3, 3)}, "all", {"eps": 1e-5}, "call", "because"),
        Case("transposed", {"x": numbers().t(), "ids": torch.tensor(3)}, "all"),
        Case("half", {"x": torch.ones(2, dtype=torch.bfloat16), "none": None, "list": [1, "二"]}, "all"),
    )
    results = (Observation(value=numbers()), Observation(value=float("nan")), Observation(value=[True, torch.zeros(0)]))
    expectation = Expectation(cases, results, (double_squared_print(),))
    assert double_squared_print().traces[0] is not None
    expected.save(exercise, expectation, tmp_path)
    loaded = expected.load(exercise, tmp_path)
    assert repr(loaded) == repr(expectation)
    assert not loaded.cases[1].args["x"].is_contiguous()
    assert torch.equal(loaded.expected[0].value, numbers())
    before = expected.file_of(exercise, tmp_path).stat().st_mtime_ns
    expected.save(exercise, expectation, tmp_path)
    assert expected.file_of(exercise, tmp_path).stat().st_mtime_ns == before, "the same again is not written"


def test_a_damaged_file_is_written_anew(tmp_path: Path) -> None:
    exercise, expectation = sample(lambda draw: []), Expectation((), (Observation(value=1),), ())
    path = expected.file_of(exercise, tmp_path)
    path.parent.mkdir()
    path.write_bytes(b"half a file")
    expected.save(exercise, expectation, tmp_path)
    assert expected.load(exercise, tmp_path) == expectation


def test_each_exercise_has_one_file_and_all_are_small() -> None:
    files = {expected.file_of(exercise) for exercise in known().values()}
    assert set(expected.FOLDER.rglob("*.*")) == files
    assert sum(path.stat().st_size for path in files) < 6e6


def test_a_trace_says_where_a_mistake_falls() -> None:
    traces = double_squared_print().traces
    assert [trace.stage if trace else None for trace in traces] == ["values", "values", None, None]
    assert double.compare is not None


def test_what_a_learner_sends_is_outlined_within_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights take sixteen times the room of a float16 entry, and are kept."""
    asked: list[int] = []
    weights = outlines._weights
    monkeypatch.setattr(outlines, "_weights", lambda size: asked.append(size) or weights(size))
    huge = torch.ones(2**22, dtype=torch.float16)
    assert differ(huge, huge[1:]) and not differ(huge, huge.clone())
    assert max(asked) == outlines._MAX_SIZE
    assert (weights.cache_info().maxsize or math.inf) * outlines._MAX_SIZE * 4 * 8 <= 2**26


def test_where_the_type_is_free_a_mistake_is_the_same_in_every_type() -> None:
    free, floating = Comparison(dtype="any"), Comparison(dtype="floating")

    def differ_in(compare: Comparison, mine: torch.Tensor, theirs: torch.Tensor) -> bool:
        first, second = (outline_for(compare, Observation(value=NamedParts(rows=[value])), CASE) for value in (mine, theirs))
        assert first and second
        return difference(first, second, CASE, compare)

    unit_rows = torch.eye(5)
    for kind in (torch.bool, torch.int64, torch.uint8, torch.float64):
        assert not differ_in(free, unit_rows, unit_rows.to(kind)) and differ_in(free, unit_rows, unit_rows.flip(0).to(kind))
    assert not differ_in(floating, unit_rows, unit_rows.double()) and differ_in(floating, unit_rows, unit_rows.long())
    assert differ_in(Comparison(), unit_rows, unit_rows.double())


def test_what_a_driver_raises_is_never_what_python_raises() -> None:
    def raised(message: str, by_driver: bool = False) -> Observation:
        return Observation(raised=Raised(("TypeError", "Exception"), message, by_driver=by_driver))

    ours = raised("a tiktoken.Encoding should be returned; it was of type dict", by_driver=True)
    other = raised("two tensors should be returned, (X, Y); it was of type list", by_driver=True)
    assert difference(ours, raised("'str' object cannot be converted to 'bytes'"), CASE)
    assert not difference(ours, other, CASE)
    assert not difference(raised("an int is no str"), raised("a str is no int"), CASE)


def test_what_cancels_to_nothing_is_nothing() -> None:
    case = Case("one", {"x": 5 * numbers()}, "all")
    noise, other = (Observation(value=1e-7 * numbers(seed)) for seed in (1, 2))
    assert not difference(outline(noise), outline(other), case)
    assert difference(outline(noise), outline(other), CASE), "nothing is known of what was given"
    assert difference(outline(noise), outline(Observation(value=0.01 * numbers())), case)


def test_no_part_of_an_answer_is_a_mistake_that_is_wrong_where_the_answer_is_right() -> None:
    """The answer is wrong in the first case alone, and there computes what a mistake does that is wrong in all of them."""
    cases = [Case(str(index), {}, "all") for index in range(5)]
    wrong = Observation(value=numbers(1))
    exercise = sample(lambda draw: iter(cases), compare=Comparison())

    def recognised(mistaken: int, failing: int) -> Recognised | None:
        """The name for an answer that fails in the first cases, and in one of a kind of its own."""
        kept = outline(wrong)
        traces = [Trace("values", 0, kept) if index < mistaken else None for index in range(5)]
        mismatch = Mismatch("values", Message("wrong"))
        got = [wrong if index < failing else Observation(value=numbers(2)) for index in range(5)]
        trials = [
            Trial(case, Observation(), seen, mismatch if index < failing or index == 4 else None)
            for index, (case, seen) in enumerate(zip(cases, got, strict=True))
        ]
        return recognise([Fingerprint("known", "It is known.", "", traces)], trials, exercise)

    assert recognised(mistaken=4, failing=1) is None
    assert recognised(mistaken=4, failing=2) is None
    partly = recognised(mistaken=4, failing=3)
    assert partly and partly.partly and partly.mistake.slug == "known"
    whole = recognised(mistaken=3, failing=3)
    assert whole and not whole.partly


def test_what_is_not_finite_is_no_noise() -> None:
    inf, nan, zero = (torch.tensor(float(value)) for value in ("inf", "nan", "0"))
    assert differ(inf, nan) and differ(inf, zero) and differ(nan, zero)
    assert not differ(inf, inf.clone()) and not differ(nan, nan.clone())
