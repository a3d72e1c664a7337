"""Check answers in the learner's own kernel, on the public cases."""

import contextlib
import io
import sys
import threading
from collections.abc import Callable, Iterator
from html import escape
from types import CodeType
from typing import Any

import msgspec

from ..checking import expected
from ..checking.exercise import Exercise
from ..checking.judge import judge, stopped
from ..checking.observation import Observation
from ..checking.observe import observe
from ..checking.process_state import as_at_the_start
from ..checking.render import Panel, counted, display, display_table, show_panel, text_panel
from ..checking.result import Result, earned, number
from ..checking.source.answer_tree import find_written
from ..exercises import find_exercise, known
from ..messages import Message
from ..subject.errors import CourseError
from ..subject.tensors import torch
from .failed_cells import is_older_than_its_cell, misspelt, why_undefined
from .further_stubs import further_uses, left_out_cases, mention_left_out, only_where_tried, stand_ins
from .own_answers import cell_of, keep
from .progress.record import load, record

_LOOK_UP = object()
_MAX_PRINTED = 2_000  # characters of output kept for each case
_SECONDS_UNTIL_NOTICE = 10.0


class Points(float):
    """Hold the points of a check; its text is the number alone, so that stock nbgrader reads it as the score."""

    #: Points of extra credit, which the number does not include.
    gain = 0.0

    def __repr__(self) -> str:
        return number(float(self))

    def _repr_html_(self) -> str:
        return counted(float(self), self.gain)


class Overheard(io.TextIOBase):
    """Record the text written in each case; text beyond about two thousand characters is dropped.

    Examples
    --------
    >>> heard = Overheard()
    >>> heard.case = "a row"
    >>> _ = heard.write("3")
    >>> heard.printed
    {'a row': '3'}
    """

    def __init__(self) -> None:
        self.case = ""
        self.printed: dict[str, str] = {}

    def writable(self) -> bool:
        """Return True: this is a text stream that can be written to."""
        return True

    def write(self, text: str) -> int:
        """Record the text for the current case, and return its length."""
        kept = self.printed.get(self.case, "")
        self.printed[self.case] = (kept + text)[:_MAX_PRINTED]
        return len(text)

    def show(self, case: str) -> None:
        """Show what was printed in this case, or else in the first case with output."""
        heard = [name for name, text in self.printed.items() if text.strip()]
        which = case if case in heard else next(iter(heard), "")
        text = self.printed.get(which, "").rstrip()
        if text:
            head = str(Message("Printed in the case “{case}”:", case=Message(which)))
            show_panel(Panel(f"{head}\n{text}", f"<p>{escape(head)}</p><pre>{escape(text)}</pre>"))


@as_at_the_start()
def public_result(exercise: Exercise, candidate: Callable[..., Any], heard: Overheard | None = None) -> Result:
    """Return the result of `candidate` on the public cases, without showing or recording it. Its output goes to `heard`."""
    shipped = expected.load(exercise)
    observations: list[Observation] = []
    with _one_thread(), stand_ins(exercise, vars(sys.modules["__main__"])):
        for case in shipped.cases:
            if heard is not None:
                heard.case = case.name
            observations.append(observe(exercise, candidate, case, heard=heard))
            raised = observations[-1].raised
            if raised and raised.of_a_stub and raised.own_cell:
                observations += [observations[-1]] * (len(shipped.cases) - len(observations))
                break
        left_out = left_out_cases(exercise, shipped.cases, observations)
        for index in left_out:  # the grader lends a right one there, which the learner's kernel does not have
            observations[index] = shipped.expected[index]
        result = judge(
            exercise,
            shipped.cases,
            shipped.expected,
            observations,
            lambda: [only_where_tried(fingerprint, left_out) for fingerprint in shipped.fingerprints],
            written=lambda: find_written(cell_of(candidate), exercise.name),
            pairs=lambda: None if left_out else shipped.pairs,
        )
        return mention_left_out(result, list(left_out.values()))


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Limit torch to one thread, as the grader does.

    Cases are small, and on a busy machine several threads wait for each other ten times as long as they compute.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


@as_at_the_start()
def check(name: str | None = None, candidate: Any = _LOOK_UP) -> Points:
    """Check one exercise, or without arguments all exercises of the open notebook, and show the verdict.

    Parameters
    ----------
    name
        An exercise, such as "01.one_hot".
    candidate
        The answer; by default the function or class of that name that the notebook has defined.

    Returns
    -------
    Points
        The points reached on the public cases.
    """
    scope = vars(sys.modules["__main__"])
    if name is None:
        return _check_all(scope)
    exercise = find_exercise(name)
    if candidate is _LOOK_UP:
        candidate = scope.get(exercise.name)
    heard = Overheard()
    result = _result(exercise, candidate, scope, heard)
    record(result)
    if result.passed:
        keep(exercise.id, candidate)
    display(result)
    heard.show(result.case)
    points = Points(result.score if exercise.core else 0.0)
    points.gain = 0.0 if exercise.core else result.score
    return points


def _result(exercise: Exercise, candidate: Any, scope: dict[str, Any], heard: Overheard | None = None) -> Result:
    if candidate is None:
        return _explain_missing(exercise, scope)
    if not callable(candidate):
        message = Message("`{name}` is of type {type}; a function or class was expected. Run its cell again.")
        return stopped(exercise, "wrong", "type", message.fill(name=exercise.name, type=type(candidate).__name__))
    if is_older_than_its_cell(candidate, exercise.name):
        message = Message(
            "The cell with `{name}` stopped with an error when it ran last: what the kernel still holds is an older one. "
            "{reason} Mend that, run the cell, and check again.",
            name=exercise.name,
            reason=why_undefined(exercise.name),
        )
        return stopped(exercise, "wrong", "raises", message)
    try:
        with _still_running(exercise.name):
            result = public_result(exercise, candidate, heard)
    except KeyboardInterrupt:
        message = Message("Stopped while `{name}` was tried; nothing was recorded.", name=exercise.name)
        raise CourseError(message) from None
    return result if result.passed else _mention_earlier(exercise, result, scope)


@contextlib.contextmanager
def _still_running(name: str) -> Iterator[None]:
    """Show that the answer `name` is still running if the block takes longer than ten seconds."""
    text = Message("`{name}` is still running. Is there a loop that never ends? ■ (Kernel, Interrupt) stops it.", name=name)
    timer = threading.Timer(_SECONDS_UNTIL_NOTICE, show_panel, [text_panel(text)])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _explain_missing(exercise: Exercise, scope: dict[str, Any]) -> Result:
    """Return the result that says why there is nothing to check, and what to do."""
    reason = why_undefined(exercise.name)
    if reason:
        message = Message("{reason} Mend that, run the cell (Shift+Enter), then this one.", reason=reason)
        return stopped(exercise, "wrong", "raises", message)
    other = misspelt(exercise.name, [name for name, value in scope.items() if getattr(value, "__module__", "") == "__main__"])
    if other and other not in {item.name for item in known().values()}:
        message = Message("There is no `{name}`, but your notebook defines `{other}`: call it `{name}`, then run its cell.")
        return stopped(exercise, "wrong", "name missing", message.fill(name=exercise.name, other=other))
    message = Message("There is no `{name}` yet: run the cell that defines it (Shift+Enter), then this one.")
    if load().best.get(exercise.id, 0.0) >= exercise.points:
        message = Message(
            "Your `{name}` was right before, and this kernel does not know it: run its cell again, or all cells above this one "
            "(Run, Run All Above Selected Cell)."
        )
    return stopped(exercise, "not attempted", "name missing", message.fill(name=exercise.name))


def _mention_earlier(exercise: Exercise, result: Result, scope: dict[str, Any]) -> Result:
    """Add to a failed result that an earlier exercise, which this one builds on, fails too and should be fixed first."""
    if result.status == "not attempted":
        return result
    reached = _called_exercises(exercise, scope)
    for name in exercise.uses:  # Prerequisites of prerequisites come first in the list.
        earlier = scope.get(name)
        if name not in reached or not callable(earlier):
            continue
        before = public_result(find_exercise(name), earlier)
        left_out = before.status == "not attempted" and name in further_uses(exercise) and result.stage != "raises"
        if not before.passed and not left_out:
            cause = Message("Your `{name}` is not right yet, and this exercise calls it; this may come of it.", name=name)
            step = Message("Your `{name}` is not right yet, and this exercise calls it: mend that one first.", name=name)
            diagnosis = f"{cause} {result.diagnosis}" if result.diagnosis else ""
            return msgspec.structs.replace(result, blamed=name, diagnosis=diagnosis, next_step=str(step))
    return result


def _called_exercises(exercise: Exercise, scope: dict[str, Any]) -> set[str]:
    """Return the earlier exercises that an answer calls, directly or indirectly."""
    reached: set[str] = set()
    waiting = [exercise.name]
    while waiting:
        named = globals_named(scope.get(waiting.pop()))
        new = [name for name in exercise.uses if name in named and name not in reached]
        reached.update(new)
        waiting += new
    return reached


def globals_named(candidate: Any) -> set[str]:
    """Return the names that a function, or the methods of a class, look up outside: globals, and also attributes.

    Examples
    --------
    >>> sorted(globals_named(lambda rows: [len(row) for row in sorted(rows)]))
    ['len', 'sorted']
    """
    methods = vars(candidate).values() if isinstance(candidate, type) else [candidate]
    return {name for method in methods for code in _codes(getattr(method, "__code__", None)) for name in code.co_names}


def _codes(code: Any) -> Iterator[CodeType]:
    """Yield a code object and the code objects of the functions and comprehensions inside it."""
    if isinstance(code, CodeType):
        yield code
        for constant in code.co_consts:
            yield from _codes(constant)


def _check_all(scope: dict[str, Any]) -> Points:
    topics: dict[str, list[Exercise]] = {}
    for exercise in known().values():
        if callable(scope.get(exercise.name)):
            topics.setdefault(exercise.lesson.topic, []).append(exercise)
    if not topics:
        raise CourseError(Message("Nothing to check yet: run the cells with the exercises first."))
    topic = max(topics, key=lambda item: len(topics[item]))
    results = []
    for exercise in (item for item in known().values() if item.lesson.topic == topic):
        results.append(_result(exercise, scope.get(exercise.name), scope))
        record(results[-1])
        if results[-1].passed:
            keep(exercise.id, scope[exercise.name])
    display_table(results)
    return Points(earned(results))
