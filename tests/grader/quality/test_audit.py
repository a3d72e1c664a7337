"""The checks themselves: wrong answers are caught and named, right ones pass."""

import re
from collections.abc import Iterator

import pytest
import torch

from embedding_course.checking.exercise import Exercise
from embedding_course.exercises import find_exercise, known
from grader.engine.fork_server import Learners
from grader.paths import ROOT
from grader.quality import audit
from grader.quality.audit import Audit, Candidate, _verdict, audit_exercise
from grader.quality.mutants import mutants

#: The tests try every so-and-so-many-th entry of each catalogue; `make audit` and `make test-all` try all of them.
ONE_IN = 8
#: To try even a few takes seconds: these wait for `make test-slow`, and those that take a minute for `make test-all`.
LONG = {"06.is_relative", "07.TinyLM", "08.TextEncoder"}
SLOW = {
    "03.norm_trace",
    "04.NPLM",
    "04.generate",
    "05.Decoder",
    "05.Encoder",
    "05.attend",
    "05.greedy_decode",
    "05.lstm_cell",
    "06.LearnedPositions",
    "06.apply_rope",
    "07.MultiHeadAttention",
    "07.TransformerBlock",
    "07.causal_mask",
    "07.leaks",
    "07.scaled_dot_product_attention",
    "10.cluster_test",
}

#: What the shipped fingerprints were computed with. With another torch these mistakes are caught as well, but their public
#: numbers are other ones, so they stay without a name.
BUILT_WITH = re.search(r"^TORCH \?= (\S+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1]  # type: ignore[index]
NAMELESS_ELSEWHERE = {
    "04.NPLM mistake dropout": "which units dropout drops differs from version to version",
    "05.Decoder mistake dropout": "which units dropout drops differs from version to version",
    "05.Encoder mistake dropout": "which units dropout drops differs from version to version",
    "09.nt_xent mistake always_float32": "a low temperature blows up roundings in float32, which differ",
}


def _cost(name: str) -> tuple[pytest.MarkDecorator, ...]:
    return (pytest.mark.long,) if name in LONG else (pytest.mark.slow,) if name in SLOW else ()


@pytest.mark.parametrize("name", [pytest.param(name, marks=_cost(name)) for name in sorted(known())])
def test_some_of_the_catalogue_hold(name: str, learners: Learners, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stub, the reference and one entry in so many; all else as with the whole catalogue."""
    whole = audit.candidates

    def some(exercise: Exercise) -> Iterator[Candidate]:
        stub, right, *entries = whole(exercise)
        yield from (stub, right, *entries[sum(name.encode()) % ONE_IN :: ONE_IN])

    monkeypatch.setattr(audit, "candidates", some)
    _holds(name, learners, seeds=int(known()[name].core), with_mutants=False)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(known()))
def test_the_catalogue_holds_over_twenty_seeds_and_against_mutants(name: str, learners: Learners) -> None:
    _holds(name, learners, seeds=20, with_mutants=True)


def _holds(name: str, learners: Learners, seeds: int, with_mutants: bool) -> None:
    exercise_audit = audit_exercise(name, range(1, seeds + 1), with_mutants=with_mutants, shared=learners)
    excused = [fault for fault in exercise_audit.faults if _elsewhere(fault)]
    assert exercise_audit.faults == excused
    assert all(done == whole for what, (done, whole) in exercise_audit.counts.items() if not (excused and what == "named"))


def _elsewhere(fault: str) -> bool:
    named = any(fault.startswith(f"{name}:") and "/None (" in fault for name in NAMELESS_ELSEWHERE)
    return named and torch.__version__.split("+")[0] != BUILT_WITH


def test_an_audit_can_fail() -> None:
    """A mistake that passes is a fault of the check; a right form that fails is one too."""
    exercise = next(iter(known().values()))
    from embedding_course.checking.judge import stopped

    wrong = stopped(exercise, "wrong", "values", "no")
    for candidate in (Candidate("right form", "x", ""), Candidate("mistake", "x", "", ("shape",), "x")):
        exercise_audit = Audit(exercise.id)
        _verdict(exercise, candidate, [("public", wrong)], exercise_audit)
        assert exercise_audit.faults
        assert any(done < whole for done, whole in exercise_audit.counts.values())


def test_mutants_change_one_thing_each() -> None:
    text = 'def f(x, n):\n    """Doc."""\n    if x < n - 1:\n        raise ValueError("too small: 3")\n    return x + 1\n'
    changes = [mutant.change for mutant in mutants(text, "f")]
    assert "x < n - 1 → x <= n - 1" in changes
    assert "x + 1 → x - 1" in changes
    for mutant in mutants(text, "f"):
        assert "too small: 3" in mutant.source or "raise" not in mutant.source
    assert len(changes) == len(set(changes))
    for mutant in mutants(text, "f"):
        compile(mutant.source, "mutant", "exec")


def test_every_exercise_teaches() -> None:
    for exercise in known().values():
        assert 2 <= len(set(exercise.hints)) == len(exercise.hints) <= 6, exercise.id
        assert exercise.why.endswith(".")
        assert exercise.points == sum(criterion.points for criterion in exercise.criteria) > 0
        assert find_exercise(exercise.name) is exercise
