"""Mark one rebuilt notebook: run it top to bottom, make each hidden check where it stands, write the verdicts into it."""

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import nbformat
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.intake.mending import without_leftover_lines
from embedding_course.checking.intake.newer_syntax import newer_syntax
from embedding_course.checking.intake.steps import Step
from embedding_course.checking.judge import stopped
from embedding_course.checking.render import as_html, as_text, counted
from embedding_course.checking.result import Result, number
from embedding_course.checking.source.not_python import why_not_python
from embedding_course.exercises import exercises_of, find_exercise
from embedding_course.messages import Message

from ..course_source.prepared import Prepared, prepared
from ..engine.forks import Starter
from ..engine.session import Session
from ..engine.time_budget import OutOfTime
from ..submission.plain_file import one_line
from ..submission.rebuild import NO_CELL, notes_of, runnable, written_with
from .cell_errors import notes_on, with_cell_errors
from .hidden_check import ENDED, USED_UP, check_lent, check_once_more, check_with_blame

#: Characters of a cell that is not looked into for what Python cannot read.
_LONG = 50_000


@dataclass(frozen=True)
class Marked:
    """The verdicts on a notebook, in its order, and what there is to say of how it ran."""

    results: list[Result]
    notes: list[str] = field(default_factory=list)


def mark(
    learners: Starter, notebook: NotebookNode, topic: str, seed: int, only: str | None = None, verdicts: Sequence[Result] = ()
) -> Marked:
    """Make the hidden check of every exercise of a rebuilt notebook, or of `only` one.

    An answer is judged in the state in which its own check cell sees it. What has not passed is tried once more in the final
    state, on other hidden inputs, and the better result counts. Nothing that the learner's code does ends the marking: a
    process that crashed or hung is replaced for what follows.

    Parameters
    ----------
    only : str, optional
        The id of one exercise. The earlier ones that it builds on are tried too, since what is wrong in them costs nothing
        there, but for those that ended a process in the last grading, whose results are `verdicts`.
    """
    wanted = exercises_of(topic) if only is None else _built_on(topic, only)
    ended = {result.exercise: result for result in verdicts if result.status in ENDED or result.blamed}
    known = {
        candidate.name: ended[candidate.id]
        for candidate in wanted
        if only not in (None, candidate.id) and candidate.id in ended
    }
    with Session(learners, runnable(notebook)) as session:
        marking = _Marking(session, seed, wanted, known)
        marking.written_with = written_with(notebook)
        marking.run()
        results = marking.explained()
    return Marked([candidate for candidate in results if only in (None, candidate.exercise)], notes_on(session))


def _built_on(topic: str, only: str) -> list[Exercise]:
    """Return one exercise and those that it builds on, in the notebook's order."""
    every = {exercise.name: exercise for exercise in exercises_of(topic)}
    wanted, needed_names = [find_exercise(only).name], set[str]()
    while wanted:
        name = wanted.pop()
        if name in every and name not in needed_names:
            needed_names.add(name)
            wanted += every[name].uses
    return [exercise for name, exercise in every.items() if name in needed_names]


class _Marking:
    """The verdicts on one submission, as they come about. `results` go by the names of the exercises."""

    def __init__(self, session: Session, seed: int, exercises: Sequence[Exercise], known: dict[str, Result]) -> None:
        self.session, self.seed, self.exercises, self.results = session, seed, exercises, known
        self.written_with = ""

    def run(self) -> None:
        left = {candidate.name: candidate for candidate in self.exercises if candidate.name not in self.results}
        positions: dict[str, int] = {}
        for position, step in enumerate(self.session.steps):
            if step.kind == "check" and (exercise := left.pop(step.answers[0], None)):
                positions[exercise.name] = position
                self.results[exercise.name] = self._check(exercise, position)
        for exercise in self._to_try_again(positions):
            self.results[exercise.name] = self._once_more(exercise, self.results[exercise.name])

    def _to_try_again(self, positions: Mapping[str, int]) -> list[Exercise]:
        """Return the exercises that have not passed and whose state may have changed since.

        Exercises that ended a process come last.
        """
        exercises = []
        for exercise in self.exercises:
            result, position = self.results.get(exercise.name), positions.get(exercise.name)
            if result is None or position is None or result.passed or result.status == "our fault":
                continue
            if self.session.may_change_after(position):
                exercises.append(exercise)
        return sorted(exercises, key=lambda candidate: self.results[candidate.name].status in ENDED)

    def _check(self, exercise: Exercise, position: int) -> Result:
        """Make the hidden check in the state at `position`."""
        ready = self._prepared(exercise)
        if isinstance(ready, Result):
            return ready
        failed = self._failed_before(exercise)
        try:
            learner = self.session.reach(position)
        except OutOfTime:
            return stopped(exercise, "timed out", "raises", USED_UP, hidden=True, seed=self.seed)
        result = check_with_blame(learner, exercise, self.seed, failed, ready)
        if result.status in ENDED and set(exercise.uses) & set(failed):
            with contextlib.suppress(OutOfTime):  # a wrong `merge_pair` makes a right loop around it run for ever
                result = check_lent(self.session.reach(position), exercise, self.seed, failed, result, ready)
        if result.is_stub:
            result = self._mended(exercise, position, result, ready)
        return result

    def _mended(self, exercise: Exercise, position: int, result: Result, ready: Prepared) -> Result:
        """Check an answer again without a line of the stub that was left in it, and return the result."""
        step = self._answer(exercise)
        text, line = without_leftover_lines(step.source, exercise.name) if step else ("", 0)
        if step is None or not text:
            return result
        with contextlib.suppress(OutOfTime):
            learner = self.session.mend(step, text, position)
            again = check_with_blame(learner, exercise, self.seed, self._failed_before(exercise), ready)
            message = Message(
                "Line {line} of its cell still holds the stub's `raise NotImplementedError()`: graded without that line."
            )
            return msgspec.structs.replace(again, mended=str(message.fill(line=line)))
        return result

    def _once_more(self, exercise: Exercise, result: Result) -> Result:
        ready = self._prepared(exercise, attempt=1)
        if isinstance(ready, Result):
            return result
        try:
            learner = self.session.finish()
        except OutOfTime:
            return result
        again = check_once_more(learner, exercise, self.seed, self._failed_before(exercise), result, ready)
        return msgspec.structs.replace(again, mended=result.mended)

    def _prepared(self, exercise: Exercise, attempt: int = 0) -> Prepared | Result:
        """Return the hidden cases, or if the course's own reference fails, a verdict that gives full marks."""
        try:
            ready = prepared(exercise.id, self.seed, attempt)
            ready.expected  # noqa: B018 - computed here, so that our own fault is not taken for the learner's
        except Exception as error:
            message = Message("Our own reference failed ({error}); this costs no mark. Please tell the authors.")
            message = message.fill(error=type(error).__name__)
            verdict = stopped(exercise, "our fault", "our fault", message, hidden=True, seed=self.seed)
            return msgspec.structs.replace(verdict, score=exercise.points)
        return ready

    def _failed_before(self, exercise: Exercise) -> list[str]:
        """Return the names of the exercises before this one that have not passed."""
        before = self.exercises[: self.exercises.index(exercise)]
        return [earlier.name for earlier in before if earlier.name in self.results and not self.results[earlier.name].passed]

    def _answer(self, exercise: Exercise) -> Step | None:
        answer_steps = (step for step in self.session.steps if step.kind == "answer" and exercise.name in step.answers)
        return next(answer_steps, None)

    def explained(self) -> list[Result]:
        """Return the verdicts in the notebook's order, with what their cells raised and what was mended in them."""
        results = []
        unreadable = set[str]()  # Exercises whose verdict says already what is wrong with their cell.
        for exercise in self.exercises:
            result = self.results.get(exercise.name) or stopped(
                exercise, "not attempted", "name missing", NO_CELL.fill(name=exercise.name), hidden=True, seed=self.seed
            )
            step = self._answer(exercise)
            if result.stage == "name missing" and step is not None:
                fault = self._fault_of_cell(step)
                unreadable |= {exercise.name} if fault else set()
                result = self._of_cell(exercise, step, fault)
            elif step is not None and (written := dict(step.mended).get(exercise.name)):
                text = Message("`{name}` was written `{written}` in its cell; it was graded under its right name.")
                text = text.fill(name=exercise.name, written=written)
                result = msgspec.structs.replace(result, mended=str(text))
            results.append(result)
        if any(not verdict.passed for verdict in results) and self.session.raised:
            raised = self.session.words()
            names = [verdict.exercise.split(".")[1] for verdict in results]
            results = [
                verdict if name in unreadable else with_cell_errors(verdict, name, raised)
                for verdict, name in zip(results, names, strict=True)
            ]
        return results

    def _fault_of_cell(self, step: Step) -> str:
        """Return a sentence on why this Python cannot read a cell; empty if it can."""
        newer = newer_syntax(step.source, self.written_with)
        if not newer and len(step.source) < _LONG and (fault := why_not_python(step.source)):
            return str(Message("The cell cannot be run: {reason}.", reason=one_line(fault, 300)))
        return newer

    def _of_cell(self, exercise: Exercise, step: Step, fault: str) -> Result:
        """Return the verdict on an exercise whose cell holds an attempt but did not define its name."""
        ended = self.session.ended.get(step)
        if ended:
            message = Message("While its cell ran: {fault}", fault=ENDED[ended])
            return stopped(exercise, ended, "raises", message, hidden=True, seed=self.seed)
        message = Message("Its cell holds an attempt, and after it ran there was no `{name}`.", name=exercise.name)
        verdict = stopped(exercise, "cell failed", "name missing", fault or message, hidden=True, seed=self.seed)
        step_to_take = Message("Mend that line, run the cell and then its check, and save the notebook.")
        return msgspec.structs.replace(verdict, next_step=str(step_to_take))


def write_verdicts(
    notebook: NotebookNode, results: Sequence[Result], dropped: Collection[str] = (), more_notes: Sequence[str] = ()
) -> None:
    """Write each verdict and its points into the output of its check cell, where nbgrader looks for them.

    Notes on the submission go to the top of the notebook.

    Parameters
    ----------
    notebook : NotebookNode
        Notebook whose outputs are written in place.
    results : sequence of Result
        Results of the exercises.
    dropped : collection of str, optional
        Ids of the exercises that the class does not count; their output says so.
    more_notes : sequence of str, optional
        Notes on the submission beside those in the notebook's metadata, for the top of the notebook.
    """
    by_cell = {f"{result.exercise.replace('.', '-')}-check": result for result in results}
    uncounted = {f"{name.replace('.', '-')}-check" for name in dropped}
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id", "") in uncounted:
            cell.outputs = [
                _output("display_data", {"text/plain": str(Message("This exercise is not counted in your class."))}),
                _output("execute_result", {"text/plain": "0"}, execution_count=1),
            ]
            cell.execution_count = 1
        result = by_cell.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
        if result is None:
            continue
        shown = {"text/plain": as_text(result), "text/html": as_html(result)}
        points = result.score if result.core else 0.0
        read = {"text/plain": number(points), "text/html": counted(points, 0.0 if result.core else result.score)}
        cell.outputs = [_output("display_data", shown), _output("execute_result", read, execution_count=1)]
        cell.execution_count = 1
    notes = [*notes_of(notebook), *more_notes]
    if notes:
        text = f"**{Message('About this submission')}**\n\n" + "\n".join(f"- {note}" for note in notes)
        notebook.cells.insert(0, nbformat.v4.new_markdown_cell(text, id="about-this-submission"))


def _output(kind: str, data: dict[str, str], **more: int) -> NotebookNode:
    """Make an output like nbformat.v4.new_output, without its validation of what is known to be valid."""
    return NotebookNode({"output_type": kind, "data": NotebookNode(data), "metadata": NotebookNode(), **more})
