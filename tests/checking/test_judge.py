"""From observations to a verdict: points, the gate, recognition, and what may be said aloud."""

import linecache
import math
import re

import pytest
import torch

from embedding_course.checking import expected
from embedding_course.checking.compare import STAGES
from embedding_course.checking.exercise import Case, Criterion
from embedding_course.checking.fingerprint import Fingerprint, trace
from embedding_course.checking.judge import judge, stopped
from embedding_course.checking.render import as_html, as_text
from embedding_course.checking.score import points_of
from embedding_course.exercises import find_exercise
from embedding_course.learner.check import public_result
from embedding_course.learner.public_case import case
from tests.support.samples import (
    cases_of,
    criteria,
    double,
    double_reference,
    double_squared,
    double_squared_print,
    observations,
    sample,
    verdict,
)


def returns_none(x):
    if x is None:
        raise ValueError
    double_reference(x)


def ignores_none(x):
    return 2 * x if x is not None else torch.zeros(1)


def rows_wrong(x):
    return double_reference(x) + 1 if x is not None and x.numel() else double_reference(x)


def test_a_right_answer_has_all_points() -> None:
    result = verdict(double, double_reference, lambda x: double_reference(x).double())
    assert (result.passed, result.status, result.stage, result.score) == (True, "passed", "passed", 3)
    assert result.mistake is None and result.case == ""
    assert all(criterion.passed and not criterion.failed_cases for criterion in result.criteria)


@pytest.mark.parametrize(
    ("answer", "status", "stage", "points"),
    [
        (ignores_none, "partly", "property", {"rows": 2, "edges": 0}),
        (rows_wrong, "wrong", "values", {"rows": 0, "edges": 0}),
        (returns_none, "wrong", "type", {"rows": 0, "edges": 0}),
        (lambda x: (2 * double_reference(x) / 2).int(), "wrong", "dtype", {"rows": 0, "edges": 0}),
        (lambda x: double_reference(x)[None], "wrong", "shape", {"rows": 0, "edges": 0}),
        (lambda x: double_reference(x) * math.nan, "wrong", "not finite", {"rows": 0, "edges": 0}),
        (lambda x: x.no_such_method(), "wrong", "raises", {"rows": 0, "edges": 0}),
    ],
)
def test_partial_credit(answer, status: str, stage: str, points: dict[str, float]) -> None:
    result = verdict(double, double_reference, answer)
    assert (result.status, result.stage) == (status, stage)
    assert criteria(result) == points and result.score == sum(points.values())
    assert not result.passed and result.message and result.next_step


def test_the_gate_is_said_and_not_merely_applied() -> None:
    result = verdict(double, double_reference, rows_wrong)
    edges = result.criteria[1]
    assert not edges.passed and not edges.failed_cases and "rows" in edges.message


def test_an_answer_that_always_raises_is_not_paid_for_refusing() -> None:
    def always(x):
        raise ValueError

    assert verdict(double, double_reference, always).score == 0


@pytest.mark.parametrize("hidden", [False, True])
def test_the_stub_is_not_attempted(hidden: bool) -> None:
    def stub(x):
        raise NotImplementedError()

    result = verdict(double, double_reference, stub, hidden=hidden)
    assert (result.status, result.stage, result.score) == ("not attempted", "not attempted", 0)
    assert result.mistake is None


def test_not_implemented_with_a_message_is_an_attempt() -> None:
    def refuses(x):
        raise NotImplementedError("only 2-d")

    assert verdict(double, double_reference, refuses).stage == "raises"


def test_a_known_mistake_is_named() -> None:
    result = verdict(double, double_reference, double_squared, lambda: [double_squared_print()])
    assert (result.mistake, result.diagnosis, result.next_step) == ("squared", "This is the square.", "Try 3: its double is 6.")
    text = as_text(result)
    assert "This is the square." in text and "[squared]" in text


def test_an_unknown_mistake_is_not() -> None:
    result = verdict(double, double_reference, rows_wrong, lambda: [double_squared_print()])
    assert result.mistake is None and result.next_step


def test_the_fingerprint_that_explains_most_wins() -> None:
    whole = double_squared_print()
    part = Fingerprint("part", "", "", [whole.traces[0], None, None, None])
    for order in ([whole, part], [part, whole]):
        assert verdict(double, double_reference, double_squared, lambda: order).mistake == "squared"  # noqa: B023


def test_a_fingerprint_that_is_nowhere_wrong_matches_nothing() -> None:
    empty = Fingerprint("empty", "", "", [None] * len(cases_of(double)))
    assert verdict(double, double_reference, rows_wrong, lambda: [empty]).mistake is None


def test_fingerprints_are_not_computed_for_right_answers() -> None:
    def never():
        raise AssertionError("asked for fingerprints")

    assert verdict(double, double_reference, double_reference, never).passed


def test_public_verdicts_show_call_and_values_hidden_ones_kinds_only() -> None:
    exercise = sample(lambda draw: [Case("a secret", {"x": torch.tensor([123.5, 321.25])}, "all", because="It doubles.")])
    public = verdict(exercise, double_reference, double_squared)
    assert "sample(tensor([123.5, 321.2]))" in public.message and "It doubles." in public.message
    hidden = verdict(exercise, double_reference, double_squared, hidden=True, seed=7)
    everything = as_text(hidden) + as_html(hidden)
    assert hidden.seed == 7 and hidden.hidden
    assert "a tensor of type float32 with 1 axis" in hidden.message
    for secret in ("123", "321", "247", "642", "15252"):
        assert secret not in everything


def test_an_exception_message_does_not_carry_hidden_inputs_out() -> None:
    exercise = sample(lambda draw: [Case("a secret", {"x": torch.tensor([123.5])}, "all")])

    def leaks(x):
        raise RuntimeError(str(x.tolist()))

    hidden = verdict(exercise, double_reference, leaks, hidden=True)
    assert "123" not in as_text(hidden) + as_html(hidden)
    assert "123" in verdict(exercise, double_reference, leaks).message


@pytest.mark.parametrize("hidden", [False, True])
def test_html_is_escaped(hidden: bool) -> None:
    nasty = "<script>alert(1)</script>"
    exercise = sample(lambda draw: [Case(f"case {nasty}", {"x": torch.ones(1)}, "all", because=nasty)])

    def raises(x):
        raise RuntimeError(nasty)

    case, right, wrong = cases_of(exercise)[0], *observations(exercise, double_reference), *observations(exercise, raises)
    fingerprint = Fingerprint(nasty, nasty, f"`{nasty}`", [trace(exercise, case, right, wrong)])
    result = verdict(exercise, double_reference, raises, lambda: [fingerprint], hidden=hidden)
    assert result.mistake == nasty
    page = as_html(result)
    assert "<script" not in page and "&lt;script&gt;" in page


def test_nothing_is_said_by_colour_alone() -> None:
    for answer, word in ((double_reference, "right"), (ignores_none, "partly right"), (rows_wrong, "not right yet")):
        result = verdict(double, double_reference, answer)
        assert word in as_html(result) and word in as_text(result)


def test_degrees() -> None:
    def share(faults, expected, got):
        return sum(fault is None for fault in faults) / len(faults)

    exercise = sample(
        lambda draw: [Case(str(size), {"x": torch.ones(size)}, "all") for size in (1, 2, 3, 4)],
        [Criterion("all", 2, "by degrees", share)],
    )
    result = verdict(exercise, double_reference, lambda x: 2 * x if len(x) != 3 else x)
    assert result.score == 1.5 and result.status == "partly" and result.criteria[0].failed_cases == ["3"]


def test_a_criterion_without_cases_is_our_mistake() -> None:
    exercise = sample(double.cases, [*double.criteria, Criterion("forgotten", 1, "")])
    with pytest.raises(LookupError, match="forgotten"):
        verdict(exercise, double_reference, double_reference)


def test_stopped_keeps_the_schema() -> None:
    result = stopped(double, "crashed", "raises", "It ended.", hidden=True, seed=3)
    assert (result.score, result.max_score, result.passed) == (0, 3, False)
    assert [criterion.name for criterion in result.criteria] == ["rows", "edges"]
    assert result.stage in STAGES


def stub(x):
    raise NotImplementedError


@pytest.mark.parametrize("answer", [double_reference, ignores_none, rows_wrong, returns_none, stub])
def test_the_points_alone_are_those_of_the_verdict(answer) -> None:
    right, got = observations(double, double_reference), observations(double, answer)
    assert points_of(double, cases_of(double), right, got) == verdict(double, double_reference, answer).score


def test_judging_needs_an_observation_for_every_case() -> None:
    right = observations(double, double_reference)
    with pytest.raises(ValueError):
        judge(double, cases_of(double), right, right[:-1])


def test_two_faults_at_once_are_named_by_the_one_that_shows_first() -> None:
    """The first thing that many type for 03.renorm_rows stretches short rows, and divides by the norm of a zero row."""

    def renorm_rows(weight: torch.Tensor, max_norm: float, norm_type: float = 2.0) -> torch.Tensor:
        return weight / weight.norm(p=norm_type, dim=1, keepdim=True) * max_norm

    verdict = public_result(find_exercise("03.renorm_rows"), renorm_rows)
    assert verdict.mistake == "stretches_short_rows"
    assert "nan" in verdict.criteria[-1].message


@pytest.mark.parametrize(
    ("exercise", "answer", "says"),
    [
        ("08.pool_max", lambda x, mask: (x * mask.unsqueeze(-1)).max(dim=1), "A tuple came back"),
        ("08.pool_mean", lambda x, mask: (x * mask).sum(1), "add an axis of size 1"),
        ("08.pool_mean", lambda x, mask: torch.tensor([row.mean(0) for row in x]), "by `torch.stack`"),
        ("08.pool_mean", lambda x, mask: torch.zeros(3, 4) @ torch.zeros(3, 4), "the last size of the first"),
    ],
)
def test_what_torch_says_when_it_raises_is_followed_by_what_to_do(exercise: str, answer, says: str) -> None:
    result = public_result(find_exercise(exercise), answer)
    assert result.mistake is None and says in result.next_step
    assert f'case("{exercise}", ' in result.next_step or result.stage == "type"


NORMS = "    norms = weight.norm(p=norm_type, dim=1, keepdim=True)\n"


@pytest.mark.parametrize(
    ("name", "body", "says", "step"),
    [
        (
            "renorm_rows",
            f"{NORMS}    return weight * min(1, max_norm / norms)",
            "Python's `min(1, max_norm / norms)`",
            "`torch.clamp(max_norm / norms, max=1)`",
        ),
        (
            "renorm_rows",
            f"{NORMS}    return weight * max(max_norm, norms)",
            "Python's `max",
            "`torch.clamp(norms, min=max_norm)`",
        ),
        (
            "renorm_rows",
            f"{NORMS}    return weight * torch.min(1, max_norm / norms)",
            "one of the two is a number",
            ".clamp(max=…)",
        ),
        ("renorm_rows", "    return [row * 2 for row in weight]", "", "`torch.stack(…)`"),
        ("renorm_rows", "    return weight.tolist()", "", "`torch.tensor(…)`"),
        (
            "grad_after_lookup",
            "    w = nn.Embedding.from_pretrained(weight.clone())\n    w(ids).backward(grad_fn(w(ids)))",
            "freezes its table",
            "`freeze=False`",
        ),
        (
            "grad_after_lookup",
            "    w = weight.clone()\n    w[ids].backward(grad_fn(w[ids]))\n    return w.grad",
            "`w` is a plain tensor",
            "`weight.clone().requires_grad_()`",
        ),
    ],
)
def test_what_raised_is_told_in_the_words_of_the_answer(name: str, body: str, says: str, step: str) -> None:
    arguments = {"renorm_rows": "weight, max_norm, norm_type=2.0", "grad_after_lookup": "weight, ids, grad_fn, max_norm"}[name]
    code = f"def {name}({arguments}):\n{body}\n"
    namespace = {"torch": torch, "nn": torch.nn}
    where = "/tmp/ipykernel_1/of_test_judge.py"
    linecache.cache[where] = (len(code), None, code.splitlines(keepends=True), where)
    exec(compile(code, where, "exec"), namespace)
    result = public_result(find_exercise(f"03.{name}"), namespace[name])
    assert says in f"{result.diagnosis} {result.message}" and step in result.next_step


def test_a_tuple_is_not_called_a_list() -> None:
    result = public_result(find_exercise("08.pool_max"), lambda x, mask: (x.flatten(0, 1).repeat(40, 1), x) * 30)
    assert "a tensor of shape (3, 5) was expected; a list or tuple of 60 entries came back." in result.message


def test_a_call_that_cannot_be_typed_comes_with_what_gives_its_arguments() -> None:
    named = public_result(find_exercise("08.pool_mean"), lambda x, mask: x.mean(dim=1))
    assert named.mistake == "padding_averaged_too" and "<float32 tensor" in named.message
    (shown,) = re.findall(r"`(case\(.*?\))` returns the arguments of this case\.", named.message)
    given = eval(shown, {"case": case})
    assert set(given) == {"token_embeddings", "attention_mask"} and given["token_embeddings"].shape == (2, 7, 3)
    unnamed = public_result(find_exercise("08.pool_mean"), lambda x, mask: x.sum(dim=1) + 17)
    assert f"{unnamed.message} {unnamed.next_step}".count("case(") == 1
    small = public_result(find_exercise("06.shift_matrix"), lambda k, d, base=1e4: torch.eye(d))
    assert "case(" not in small.message, "shift_matrix(4, 2) can be typed"


def test_what_explains_the_fault_is_not_followed_by_what_the_case_is_for() -> None:
    exercise = find_exercise("08.pool_mean")
    remarks = {known_case.because for known_case in expected.load(exercise).cases if known_case.because}
    named = public_result(exercise, lambda x, mask: x.mean(dim=1))
    assert named.mistake and remarks and not any(remark in as_text(named) for remark in remarks)
    unknown = as_text(public_result(exercise, lambda x, mask: (x * mask).sum(1)))
    assert any(remark in unknown for remark in remarks)
    assert unknown.count("Case “no padding”") == 1, "the case shown first is not told twice"
