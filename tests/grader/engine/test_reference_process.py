"""What is lent is computed in a child that may die: nothing that a learner asks for reaches further than that."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch

from embedding_course.checking.codec import encode
from embedding_course.checking.submission_limits import LENT_MEMORY
from embedding_course.exercises import find_exercise
from grader.course_source.lesson import given_cells
from grader.engine import learner_proxy as module
from grader.engine import wire
from grader.engine.fork_server import Learners
from grader.engine.learner_proxy import Learner, OutOfTime, TimeBudget, TimedOut, TimeLimits
from grader.engine.process import is_over
from grader.engine.reference_process import LendingProcess
from grader.marking.hidden_check import check, check_lent
from grader.marking.reference_answers import Lender
from grader.paths import ROOT

TOPIC = "01_onehot_vs_lookup"
ASKS = find_exercise("01.embed_by_matmul")
WRONG = "def one_hot(ids, num_classes):\n    return 0\n"


class Says:
    """A lender that does what the test says."""

    def __init__(self, answer: Callable[[], Any]) -> None:
        self._answer = answer

    def is_module(self, name: str) -> bool:
        return False

    def answer(self, asked: dict[str, Any], tensors: Sequence[torch.Tensor]) -> tuple[Any, list[torch.Tensor]]:
        return self._answer(), []


@pytest.fixture
def lending() -> Iterator[Callable[[Any], LendingProcess]]:
    begun: list[LendingProcess] = []

    def begin(lender: Any) -> LendingProcess:
        begun.append(LendingProcess(lender))
        return begun[-1]

    yield begin
    for process in begun:
        process.end()


def one_hot(classes: int) -> msgspec.Raw:
    """The question for `one_hot([0], classes)`."""
    tensors: list[torch.Tensor] = []
    asked = {"name": "one_hot", "given": encode([{}, [torch.tensor([0]), classes], {}], tensors)}
    return msgspec.Raw(wire.pack(asked, tensors))


def test_nothing_starts_before_the_first_question(lending) -> None:
    process = lending(Lender(ASKS))
    assert process._pid is None and process.end() == 0.0


def test_what_needs_too_much_memory_is_refused_and_the_rest_is_lent(lending) -> None:
    process = lending(Lender(ASKS))
    needed = int((LENT_MEMORY / 4) ** 0.5)  # the reference makes a square table
    for classes, kind in ((3, "lent"), (2 * needed, "refused"), (45_000, "refused"), (3, "lent")):
        assert process.answer(one_hot(classes), wire.Waiting())[0] == kind


def test_what_comes_out_too_large_is_refused(lending) -> None:
    process = lending(Says(lambda: "x" * wire.ANSWER))
    assert process.answer(one_hot(3), wire.Waiting())[0] == "refused"


def test_a_child_that_dies_refuses_from_then_on(lending) -> None:
    process = lending(Says(lambda: os.abort()))
    for _ in range(2):
        assert process.answer(one_hot(3), wire.Waiting())[0] == "refused"
    assert is_over(process._pid)


def test_what_is_no_question_is_refused(lending) -> None:
    process = lending(Lender(ASKS))
    heavy = msgspec.Raw(wire.pack([[]] * 200_000))
    for content in (msgspec.Raw(wire.pack({})), msgspec.Raw(wire.pack("x")), heavy, msgspec.Raw(b"\x01"), one_hot(3)):
        kind, _ = process.answer(content, wire.Waiting())
        assert kind == "refused" or content == one_hot(3)


def test_the_child_holds_nothing_open_but_its_end_of_the_wire(lending) -> None:
    with Path(__file__).open(encoding="utf-8") as held:
        process = lending(Says(lambda: sorted(int(path.name) for path in Path("/proc/self/fd").iterdir())))
        kind, content = process.answer(one_hot(3), wire.Waiting())
        assert kind == "lent"
        open_there = [descriptor for descriptor in wire.unpack(content)[0] if descriptor > 2]
        assert held.fileno() not in open_there and len(open_there) <= 2  # the wire, and the folder that is being listed


def test_waiting_for_it_is_watched_and_its_time_is_told(lending) -> None:
    def watch(waited: float) -> None:
        if waited > 0.3:
            raise TimedOut

    process = lending(Says(lambda: any(iter(int, 1))))  # without end
    with pytest.raises(TimedOut):
        process.answer(one_hot(3), wire.Waiting(watch))
    assert process.end() > 0 and is_over(process._pid)
    assert process.cpu_seconds() == process.end()


def test_it_ends_when_its_parent_is_killed() -> None:
    script = (
        f"import os, sys\nfrom {__name__} import Says, one_hot\n"
        "from grader.engine import wire\nfrom grader.engine.reference_process import LendingProcess\n"
        "process = LendingProcess(Says(lambda: 1))\nprocess.answer(one_hot(3), wire.Waiting())\n"
        "print(process._pid, flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    pid, until = int(done.stdout), time.monotonic() + 5
    while not is_over(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert is_over(pid)


def borrower(learners: Learners, body: str, time_limits: TimeLimits, budget: TimeBudget | None = None) -> Learner:
    """A learner whose `embed_by_matmul` does this with a `one_hot` that is lent."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    answer = f"def embed_by_matmul(ids, weight):\n{lines}\n    return weight"
    learner = learners.start([*given_cells(TOPIC), WRONG, answer], time_limits, budget=budget)
    learner.lend(["one_hot"], Lender(ASKS))
    return learner


#: No question twice: what was lent before is not asked for again.
FOR_EVER = "count = 0\nwhile True:\n    count += 1\n    try: one_hot(torch.tensor([0]), {})\n    except ValueError: pass"


@pytest.mark.parametrize("classes", ["3 + count", "8000 + count", "[[]] * (100_000 + count)"])
def test_all_loans_of_a_call_have_one_deadline(learners: Learners, classes: str) -> None:
    began = time.monotonic()
    with borrower(learners, FOR_EVER.format(classes), TimeLimits(clock=2.0)) as learner:
        result = check(learner, ASKS, 5)
        assert learner._lender is None, "it ends with the learner's process"
    assert result.status == "timed out" and time.monotonic() - began < 8


def test_the_time_that_lending_takes_is_the_learners(learners: Learners) -> None:
    body = "for more in range(10**6): one_hot(torch.tensor([0]), 8000 + more)"
    with borrower(learners, body, TimeLimits(cpu=0.5, clock=60.0)) as learner:
        assert check(learner, ASKS, 5).status == "timed out"
    budget = TimeBudget(TimeLimits(whole_cpu=0.5))
    with borrower(learners, body, TimeLimits(), budget) as learner:
        assert check(learner, ASKS, 5).status == "timed out"
    assert budget.cpu < 0.1
    with pytest.raises(OutOfTime):
        budget.look()


_COUNTING = (
    "import itertools\nfrom torch.nn.functional import embedding as embed_by_lookup\n"
    "MORE = globals().setdefault('MORE', itertools.count())"
)


@pytest.mark.parametrize(("a_case", "in_all"), [(20, 10**6), (10**6, 20)])
def test_answers_are_lent_a_limited_number_of_times(
    learners: Learners, monkeypatch: pytest.MonkeyPatch, a_case: int, in_all: int
) -> None:
    monkeypatch.setattr(module, "LENT_ANSWERS_A_CASE", a_case)
    budget = TimeBudget(TimeLimits())
    budget.answers = in_all
    body = "for _ in range(19): one_hot(torch.tensor([0]), 3 + next(MORE))\nreturn embed_by_lookup(ids, weight)"
    with borrower(learners, f"{_COUNTING}\n{body}", TimeLimits(), budget) as learner:
        seen = list(learner.observe(*asked()))
    refused = [observation.raised is not None and "lent" in observation.raised.message for observation in seen]
    assert refused == ([False] * len(seen) if in_all > 20 else [False] + [True] * (len(seen) - 1))


def asked() -> tuple[bytes, int]:
    from grader.course_source.prepared import prepared

    ready = prepared(ASKS.id, 5)
    return ready.question, len(ready.cases)


def test_a_learner_who_asks_too_much_loses_that_exercise_alone(learners: Learners) -> None:
    """The reference for 45,000 classes wants 8 GB. The verdict is an ordinary one, and the next exercise is judged."""
    body = "one_hot(torch.tensor([0]), 45_000)"
    with borrower(learners, body, TimeLimits()) as learner:
        learner.restore()
        first = check(learner, ASKS, 5)
        result = check_lent(learner, ASKS, 5, ["one_hot"], first)
        assert (first.status, result.status, result.score) == ("wrong", "wrong", 0)
        assert learner._lender is None
        assert not check(learner, find_exercise("01.embed_by_lookup"), 5).passed
