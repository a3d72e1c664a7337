"""Two known mistakes in one answer."""

from dataclasses import replace

import pytest
import torch

from embedding_course.checking.case import Case
from embedding_course.checking.compare import Comparison, Mismatch
from embedding_course.checking.fingerprint import Fingerprint, Recognised, recognise, trace
from embedding_course.checking.observation import Observation, Raised
from embedding_course.checking.trial import Trial, trials_of
from embedding_course.checking.two_mistakes import PairPrints, agree, recognise_two, signature
from embedding_course.checking.wire_data import NamedParts
from embedding_course.exercises import find_exercise
from embedding_course.messages import Message
from grader.course_source.catalogue import Mistake, mistakes_of
from grader.course_source.two_mistakes import together
from tests.support.samples import cases_of, sample

CASES = [Case("one", {"x": torch.randn(4, 5)}, "all"), Case("two", {"x": torch.randn(3, 7)}, "all")]
exercise = sample(lambda draw: iter(CASES), compare=Comparison())


def seen(function) -> list[Observation]:
    return [Observation(value=function(case.args["x"])) for case in cases_of(exercise)]


def prints(function) -> torch.Tensor:
    return torch.stack(
        [signature(exercise, case, observation) for case, observation in zip(CASES, seen(function), strict=True)]
    )


KNOWN = [Fingerprint(slug, f"It is {slug}.", f"Mend {slug}.", (None, None)) for slug in ("doubled", "turned round")]
WRONG = Mismatch("values", Message("wrong"))


def trials(got: list[Observation]) -> list[Trial]:
    return [Trial(case, Observation(), received, WRONG) for case, received in zip(CASES, got, strict=True)]


def test_both_are_named() -> None:
    pairs = PairPrints((0, 1), (("doubled", "turned round"),), prints(lambda x: -2 * x)[None])
    both = Recognised(KNOWN[0], second=KNOWN[1], together=True)
    assert recognise_two(pairs, KNOWN, trials(seen(lambda x: -2 * x)), exercise) == both


@pytest.mark.parametrize("other", [lambda x: 2 * x, lambda x: -2 * x.T, lambda x: -2.01 * x, lambda x: x / 0])
def test_of_what_computes_something_else_nothing_is_said(other) -> None:
    pairs = PairPrints((0, 1), (("doubled", "turned round"),), prints(lambda x: -2 * x)[None])
    assert recognise_two(pairs, KNOWN, trials(seen(other)), exercise) is None


def test_where_the_first_failing_case_was_not_worked_out_nothing_is_said() -> None:
    pairs = PairPrints((1,), (("doubled", "turned round"),), prints(lambda x: -2 * x)[None, 1:])
    assert recognise_two(pairs, KNOWN, trials(seen(lambda x: -2 * x)), exercise) is None


def test_signatures_tell_types_shapes_and_texts_apart_and_exceptions_have_none() -> None:
    values = [torch.ones(3), torch.ones(3).double(), torch.ones(3, 1), [1, 2], [2, 1], "a", None, torch.tensor([1, 2])]
    signatures = [signature(exercise, CASES[0], Observation(value=value)) for value in values]
    same = [[bool(agree(first, second)) for second in signatures] for first in signatures]
    assert same == torch.eye(len(values)).bool().tolist()
    assert signature(exercise, CASES[0], Observation(raised=Raised(("ValueError",)))).isnan().all()


def known(slug: str, base: str, changed: tuple[str, str] = ("", ""), imports: str = "import torch") -> Mistake:
    return Mistake("01.x", slug, ("values",), "", "", f"{imports}\n\n\n{base.replace(*changed)}\n", base)


def test_two_changes_are_made_in_one_text() -> None:
    text = "def f(x):\n    return x.sum(dim=1)"
    first, second = known("mean", text, ("sum", "mean")), known("axis", text, ("dim=1", "dim=0"), "import math")
    assert together(first, second) == "import torch\nimport math\n\n\ndef f(x):\n    return x.mean(dim=0)\n"
    assert together(first, known("same place", text, ("sum(", "amax("))) is None
    assert together(first, known("another text", f"{text} + 1", ("dim=1", "dim=0"))) is None
    assert together(first, replace(known("written out", text, ("dim=1", "dim=0")), base="")) is None
    lines = "def f(x):\n    if x:\n        x = 1\n        x = 2\n    return x"
    assert together(known("no 1", lines, ("        x = 1\n", "")), known("no 2", lines, ("        x = 2\n", ""))) is None


def test_answers_that_differ_from_one_text_in_other_lines_are_merged() -> None:
    lines = ["def f(x):", "    y = x + 1", "    z = y * 2", "    return z - 3"]
    first, second, same = (
        Mistake("01.x", "", ("values",), "", "", "\n".join(lines).replace(old, new))
        for old, new in (("+ 1", "+ 5"), ("- 3", "- 4"), ("+ 1", "+ 6"))
    )
    merged = together(first, second, ["\n".join(lines)])
    assert merged is not None and "y = x + 5" in merged and "z = y * 2" in merged and "return z - 4" in merged
    assert together(first, same, ["\n".join(lines)]) is None


def test_the_catalogue_has_pairs() -> None:
    altered = [mistake for mistake in mistakes_of(find_exercise("07.layer_norm")) if mistake.base]
    source = together(*(mistake for mistake in altered if mistake.slug in ("divides_by_d_minus_1", "no_beta")))
    assert source is not None and "x.var(-1, keepdim=True)" in source and "+ beta" not in source


def part_print(slug: str, function) -> Fingerprint:
    right, wrong = parts(lambda x: (x, x)), parts(function)
    return Fingerprint(
        slug, f"It is {slug}.", "", tuple(map(lambda *arguments: trace(exercise, *arguments), CASES, right, wrong))
    )


def parts(function) -> list[Observation]:
    return [Observation(NamedParts(zip(("h", "c"), function(case.args["x"]), strict=True))) for case in CASES]


def test_a_part_that_shows_first_names_its_mistake() -> None:
    """What is wrong with c does not hide what is wrong with h."""
    entries = [part_print("doubled", lambda x: (2 * x, x)), part_print("squared", lambda x: (x, x**2))]
    answer = parts(lambda x: (2 * x, x**2))
    right = parts(lambda x: (x, x))
    tried = trials_of(exercise, CASES, right, answer)
    recognised = recognise(entries, tried, exercise, "h")
    assert recognised is not None and (recognised.mistake.slug, recognised.partly) == ("doubled", True)
    assert recognise(entries, tried, exercise) is None
    other = parts(lambda x: (3 * x, x**2))
    assert recognise(entries, trials_of(exercise, CASES, right, other), exercise, "h") is None
