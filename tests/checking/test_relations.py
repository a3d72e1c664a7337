"""What a wrong answer computes is said by what it is of the right one."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from embedding_course.checking import expected
from embedding_course.checking.compare import Comparison
from embedding_course.checking.exercise import Case
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.checking.relations.by_products import found_by_the_answer
from embedding_course.checking.result import Result
from embedding_course.checking.wire_data import NamedParts
from embedding_course.exercises import known
from tests.support.samples import sample, verdict


def said(right: Callable[..., Any], answer: Callable[..., Any], cases: Callable[[RandomInputs], Iterator[Case]]) -> Result:
    return verdict(sample(cases, compare=Comparison()), right, answer)


def tables(draw: RandomInputs) -> Iterator[Case]:
    """Three tables, of which no sizes are equal, and a mask for each."""
    for name, rows, width in (("a table", 4, 7), ("another", 5, 3), ("a third", 8, 6)):
        mask = torch.ones(rows, width, dtype=torch.bool)
        mask[:, -1], mask[1:, -2] = False, False
        yield Case(name, {"x": draw.normal(rows, width), "mask": mask}, "all")


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        (lambda x, mask: x, lambda x, mask: -x, "Your result is the right one with the opposite sign."),
        (
            lambda x, mask: x.sum(),
            lambda x, mask: x.mean(),
            "Your result is the right one divided by `x.numel()`. In this case `x.numel()` is 28.",
        ),
        (lambda x, mask: x, lambda x, mask: x / x.shape[1] ** 0.5, "divided by √`x.shape[1]`. In this case `x.shape[1]` is 7."),
        (lambda x, mask: x, lambda x, mask: 2 * x, "Your result is the right one times 2."),
        (lambda x, mask: x, lambda x, mask: x + 1, "Every entry of your result is larger than that of the right one by 1."),
        (lambda x, mask: x, lambda x, mask: x.T, "Your result is the right one with the axes 0 and 1 exchanged."),
        (lambda x, mask: x, lambda x, mask: x.flip(1), "in reverse order along axis 1."),
        (
            lambda x, mask: torch.eye(7)[x.argsort(1)[:, :3]],
            lambda x, mask: torch.eye(7)[x.argsort(1)[:, :3]].movedim(-1, 0),
            "Your result is the right one with its axes in the order (2, 0, 1).",
        ),
        (lambda x, mask: mask, lambda x, mask: mask.T, "Your result is the right one with the axes 0 and 1 exchanged."),
        (lambda x, mask: mask, lambda x, mask: ~mask, "Your result is the right one with True and False exchanged."),
        (lambda x, mask: mask, lambda x, mask: mask.tolist(), "holds the right numbers, as a list instead of a tensor."),
        (lambda x, mask: x, lambda x, mask: x.roll(1, 0), "one position later along axis 0."),
        (lambda x, mask: x, lambda x, mask: x[:-1], "ends too early along axis 0; what is there is right."),
        (lambda x, mask: x, lambda x, mask: x.flatten(), "only the shape is another one."),
        (lambda x, mask: x, lambda x, mask: x.unsqueeze(1), "with an axis of size 1 too many."),
        (lambda x, mask: x, lambda x, mask: x.sort(1).values, "in rising order along axis 1, which the right result does not."),
        (lambda x, mask: 3 * x.mean(1), lambda x, mask: 3 * x, "The right one is the mean of yours over axis 1."),
        (lambda x, mask: (x + 1).exp(), lambda x, mask: x + 1, "The right one is the exponential of yours."),
        (lambda x, mask: x.softmax(1), lambda x, mask: x.softmax(0), "the softmax runs over another axis."),
        (lambda x, mask: x, lambda x, mask: x.softmax(1), "Your result is the softmax of the right one along axis 1."),
        (
            lambda x, mask: x / x.norm(dim=1, keepdim=True),
            lambda x, mask: x / x.abs().amax(1, keepdim=True),
            "The right one is yours, divided by its norm along axis 1.",
        ),
        (
            lambda x, mask: (x * mask).sum(1, keepdim=True) * x / mask.sum(1, keepdim=True),
            lambda x, mask: (x * mask).sum(1, keepdim=True) * x,
            "is the right one times the number of ones in `mask`.",
        ),
        (lambda x, mask: x * mask, lambda x, mask: x + 9 * ~mask, "Your result is wrong only where `mask` is False."),
        (
            lambda x, mask: x,
            lambda x, mask: torch.cat([x[:1], x[1:] ** 3 + 1]),
            "Your result is right throughout at the first index of axis 0 alone.",
        ),
        (
            lambda x, mask: x,
            lambda x, mask: torch.cat([x[:-1], x[-1:] - 1]),
            "Your result is wrong only at the last index of axis 0.",
        ),
        (
            lambda x, mask: x,
            lambda x, mask: x + torch.arange(len(x))[:, None],
            "Each line of your result along axis 1 is the right one plus a number of its own.",
        ),
        (lambda x, mask: 2 * x, lambda x, mask: x, "Your result is `x` as it was given."),
        (lambda x, mask: x, lambda x, mask: 0 * x, "entry of your result is one number, the same in every case. It is 0."),
        (lambda x, mask: x, lambda x, mask: x.double(), "Your result holds the right numbers, as float64 instead of float32."),
        (lambda x, mask: x.sum(1), lambda x, mask: x.sum(1).tolist(), "as a list instead of a tensor."),
        (lambda x, mask: x.double(), lambda x, mask: x.double() * (1 + 1e-5), "something is rounded on the way."),
        (lambda x, mask: x + 1, lambda x, mask: x.add_(1), "The result is right, but the call changes `x`."),
    ],
)
def test_relations_of_numbers(right: Callable[..., Any], wrong: Callable[..., Any], sentence: str) -> None:
    result = said(right, wrong, tables)
    assert result.diagnosis.endswith(sentence)
    assert result.mistake is None


def words(draw: RandomInputs) -> Iterator[Case]:
    yield Case("three", {"words": ["the", "cat", "sat"]}, "all")
    yield Case("five", {"words": ["a", "dog", "and", "a", "bird"]}, "all")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda words: words[::-1], "Your result is the right one, in reverse order."),
        (lambda words: words[:-1], "Your result is the right one, without its last entry."),
        (lambda words: ["<s>", *words, "</s>"], "Your result is the right one, with one entry too many at each end."),
        (lambda words: sorted(words), "Your result is the right one, in another order."),
        (lambda words: words[::2][::-1], "Your result is the right one, without some of its entries, in any order."),
        (lambda words: [words[0], "oh", *words[1:]], "Your result is the right one, with further entries, in any order."),
        (lambda words: [word.upper() for word in words], "Your result is the right one, in capitals."),
    ],
)
def test_relations_of_lists(wrong: Callable[..., Any], sentence: str) -> None:
    assert said(list, wrong, words).diagnosis == sentence


def texts(draw: RandomInputs) -> Iterator[Case]:
    yield Case("three", {"text": "the Cat sat"}, "all")
    yield Case("five", {"text": "a Dog and a bird"}, "all")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda text: text.lower(), "Your result is the right one, in small letters."),
        (lambda text: text[::-1], "Your result is the right one, in reverse order."),
        (lambda text: text.replace(" ", ""), "Your result holds the right letters, with too little white space."),
        (lambda text: f"<{text}>", "Your result is the right one with more around it."),
        (lambda text: text[:-2], "Your result is a part of the right one."),
    ],
)
def test_relations_of_texts(wrong: Callable[..., Any], sentence: str) -> None:
    assert said(str, wrong, texts).diagnosis == sentence


@pytest.mark.parametrize(
    ("wrong", "what"), [(lambda table, counts: table * counts, "times"), (lambda table, counts: table / counts, "divided by")]
)
def test_lines_times_how_often_an_id_occurs(wrong: Callable[..., Any], what: str) -> None:
    def cases(draw: RandomInputs) -> Iterator[Case]:
        for name, ids in (("a", [0, 3, 3, 1]), ("b", [4, 4, 4, 2]), ("c", [1, 2, 1, 1, 2])):
            x = draw.normal(6, 4) * torch.tensor([[row in ids] for row in range(6)])  # as a gradient of rows that are looked up
            yield Case(name, {"x": x, "ids": torch.tensor(ids)}, "all")

    def answer(x: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        return wrong(x, torch.bincount(ids, minlength=6).clamp(min=1)[:, None])

    said_of_it = said(lambda x, ids: x, answer, cases).diagnosis
    assert said_of_it == f"Each line of your result along axis 1 is the right one {what} how often its index occurs in `ids`."


def test_the_same_is_said_of_any_number_of_axes() -> None:
    """A class axis put first is another order of the axes for each number of them, and one mistake."""

    def shapes(draw: RandomInputs) -> Iterator[Case]:
        for name, shape in (("two", (2, 3)), ("three", (2, 3, 5)), ("four", (2, 3, 4, 5))):
            yield Case(name, {"x": draw.normal(*shape)}, "all")

    assert (
        said(lambda x: x, lambda x: x.movedim(-1, 0), shapes).diagnosis
        == "Your result is the right one with its last axis put first."
    )


def test_one_part_in_place_of_another() -> None:
    exercise = sample(tables, compare=Comparison(), run=lambda answer, x, mask: NamedParts(answer(x, mask)))
    right = lambda x, mask: NamedParts(h=x, c=x + 3 * mask)  # noqa: E731
    swapped = lambda x, mask: NamedParts(h=x + 3 * mask, c=x)  # noqa: E731
    result = verdict(exercise, right, swapped)
    assert result.diagnosis == "Your value of “h” is what the c should be."


def report_of(exercise_parts: Callable[[torch.Tensor], dict[str, Any]], wrong: str) -> str:
    """What is said where the one part of this name is wrong in a way that no relation describes."""
    exercise = sample(tables, compare=Comparison(), run=lambda answer, x, mask: NamedParts(answer(x, mask)))

    def answer(x: torch.Tensor, mask: torch.Tensor) -> NamedParts:
        parts = exercise_parts(x)
        return NamedParts({**parts, wrong: parts[wrong] ** 3 + mask})

    return verdict(exercise, lambda x, mask: NamedParts(exercise_parts(x)), answer).diagnosis


@pytest.mark.parametrize(
    ("wrong", "others"),
    [
        ("result", lambda x: {"types of the words": ["int"]}),
        ("result", lambda x: {"x afterwards": x}),
        ("loss", lambda x: {"gradient of x": 2 * x}),
        ("weight afterwards", lambda x: {"memory of weight afterwards": [1, 2]}),
    ],
)
def test_of_one_result_nothing_else_is_called_right(wrong: str, others: Callable[[torch.Tensor], dict[str, Any]]) -> None:
    assert report_of(lambda x: {wrong: x + 3, **others(x)}, wrong) == ""


ONE_RESULT = (
    "01.merge_pair",
    "02.numeric_grad",
    "02.sparse_sgd_step_",
    "04.sgns_loss",
    "05.greedy_decode",
    "05.beam_search",
    "05.masked_cross_entropy",
    "06.apply_rope",
    "07.merge_heads",
    "09.info_nce",
    "10.squared_distances",
    "10.tsne_gradient",
)


@pytest.mark.parametrize("name", ONE_RESULT)
def test_what_a_driver_reports_beside_one_result_is_no_second_one(name: str) -> None:
    exercise = known()[name]
    shipped = expected.load(exercise)
    for case, observation in zip(shipped.cases, shipped.expected, strict=True):
        if isinstance(observation.value, NamedParts):
            _, *others = observation.value.items()
            assert not [part for part, right in others if found_by_the_answer(exercise, part, right, case)], case.name


@pytest.mark.parametrize(
    ("wrong", "other"),
    [("h", "c"), ("outputs", "h"), ("gradient of x", "result"), ("loss", "weight afterwards")],
)
def test_the_one_wrong_part_among_several_is_named(wrong: str, other: str) -> None:
    assert report_of(lambda x: {wrong: x + 3, other: 2 * x}, wrong) == f"Everything is right but the {wrong}."


def test_nothing_is_said_where_nothing_holds_in_all_cases() -> None:
    """Twice as large in one case and half as large in the other, without a size that says so: no relation but a number."""
    result = said(lambda x, mask: x, lambda x, mask: x**3 + mask, tables)
    assert result.diagnosis == ""
    assert result.next_step


def test_no_number_of_a_hidden_case_is_said() -> None:
    exercise = sample(tables, compare=Comparison())
    constant = lambda x, mask: torch.full_like(x, 0.123456)  # noqa: E731
    public = verdict(exercise, lambda x, mask: x, constant)
    hidden = verdict(exercise, lambda x, mask: x, constant, hidden=True, seed=1)
    assert "0.123456" in public.diagnosis
    assert "0.12" not in hidden.diagnosis + hidden.message and "is one number" in hidden.diagnosis


def test_a_remark_on_the_case_gives_way_to_what_explains_the_fault() -> None:
    def cases(draw: RandomInputs) -> Iterator[Case]:
        for case in tables(draw):
            yield Case(case.name, case.args, "all", because="Weights lie as in nn.Linear.")

    assert "nn.Linear" not in said(lambda x, mask: x, lambda x, mask: -x, cases).message
    assert "nn.Linear" in said(lambda x, mask: x, lambda x, mask: x**3 + mask, cases).message


def test_what_a_process_made_up_is_no_reason_to_fail() -> None:
    for nonsense in (
        [[], [1, "a", None]],
        {"a": [torch.ones(2)]},
        "text",
        [torch.ones(2), torch.ones(3)],
        torch.tensor(torch.nan),
    ):
        result = said(lambda x, mask: x, lambda x, mask, made=nonsense: made, tables)
        assert not result.passed


def test_the_factor_of_a_hidden_case_is_not_said() -> None:
    exercise = sample(tables, compare=Comparison())
    hidden = verdict(exercise, lambda x, mask: x, lambda x, mask: 0.3719 * x, hidden=True, seed=1)
    assert "times one number" in hidden.diagnosis and "0.37" not in hidden.diagnosis


@pytest.mark.parametrize("made", [10**400, [10**400, 1], list(range(200_000)), [torch.zeros(2)] * 9000])
def test_what_has_no_end_is_not_looked_into(made: Any) -> None:
    assert not said(lambda x, mask: x, lambda x, mask: made, tables).passed
    assert not said(list, lambda words: made, words).passed


def test_a_part_of_which_float32_leaves_few_digits_is_explained_and_a_statistic_is_not() -> None:
    def table(candidate: Callable[..., Any], x: torch.Tensor, mask: torch.Tensor) -> NamedParts:
        return NamedParts({"table": candidate(x, mask)})

    for compare, sentence in (
        (Comparison(rounding={"table": 1e-3}), "Your value of “table” is the right one times 2."),
        (Comparison(tolerances={"table": 1e-3}), ""),
    ):
        exercise = sample(tables, compare=compare, run=table)
        assert verdict(exercise, lambda x, mask: x, lambda x, mask: 2 * x).diagnosis == sentence
