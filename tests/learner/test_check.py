"""`check` as a learner meets it: by name, with kind words for wrong names, one number out, nothing on stderr."""

import sys
import time
import types
from collections.abc import Callable

import pytest

from embedding_course import CourseError, check, progress
from embedding_course.checking.exercise import Exercise
from embedding_course.exercises import exercises_of, known
from embedding_course.learner.check import Points
from embedding_course.learner.progress.record import load
from embedding_course.subject.lessons import LESSONS
from grader.course_source.catalogue import mistakes_of, reference, reference_source
from grader.course_source.lesson import given_cells
from grader.course_source.stub import definition
from grader.quality.audit import stub_source

FIRST = next(exercise for exercise in known().values() if exercise.core)


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> dict:
    """An empty notebook: what `__main__` holds."""
    module = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", module)
    return vars(module)


def stub(exercise: Exercise):
    scope: dict = {}
    for cell in given_cells(exercise.lesson.topic):
        exec(cell, scope)
    exec(stub_source(definition(reference_source(exercise), exercise.name)), scope)
    return scope[exercise.name]


def processor_time(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


#: Seconds in which nothing that runs Python counts to a hundred million: to count for that would be in vain.
NOBODY_COUNTS_SO_FAST = 0.4


def count() -> None:
    for _ in range(5_000_000):
        pass


@pytest.mark.parametrize("exercise", known().values(), ids=list(known()))
def test_the_reference_passes_at_once_and_the_stub_is_not_attempted(exercise: Exercise, capfd, notebook: dict) -> None:
    """In less than it takes to count to a hundred million here and now: two or three seconds."""
    right = reference(exercise)
    assert check(exercise.id, right) == (exercise.points if exercise.core else 0)  # the first one reads the expectations
    spent = processor_time(lambda: check(exercise.id, right))
    assert spent < NOBODY_COUNTS_SO_FAST or spent < 20 * processor_time(count)
    assert check(exercise.id, stub(exercise)) == 0
    said = capfd.readouterr()
    assert said.err == "" and "right" in said.out and "not attempted" in said.out


def test_a_bare_name_is_enough_and_the_notebook_is_searched(notebook: dict, capsys) -> None:
    notebook[FIRST.name] = reference(FIRST)
    assert check(FIRST.name) == FIRST.points
    assert check(FIRST.id) == FIRST.points
    assert FIRST.id in capsys.readouterr().out


@pytest.mark.parametrize("name", [FIRST.id + "x", FIRST.name[:-1], FIRST.id.upper(), f" {FIRST.name}_", FIRST.id[1:]])
def test_a_wrong_name_gives_the_closest(name: str, notebook: dict) -> None:
    with pytest.raises(CourseError) as error:
        check(name)
    assert FIRST.id in str(error.value) and "did you mean" in str(error.value)
    assert error.value._render_traceback_() == [str(error.value)]


@pytest.mark.parametrize("name", ["", "nothing at all like it", 3])
def test_a_hopeless_name_lists_what_there_is(name, notebook: dict) -> None:
    with pytest.raises(CourseError, match=FIRST.id.replace(".", r"\.")):
        check(name)


def test_a_name_not_yet_defined(notebook: dict, capsys) -> None:
    assert check(FIRST.id) == 0
    assert "run the cell that defines it" in capsys.readouterr().out


def test_what_was_right_before_a_restart_only_needs_its_cell(notebook: dict, capsys) -> None:
    check(FIRST.id, reference(FIRST))
    tries = load().tries[FIRST.id]
    capsys.readouterr()
    assert check(FIRST.id) == 0
    assert "was right before" in capsys.readouterr().out and load().tries[FIRST.id] == tries


def test_an_interrupted_check_is_one_sentence(notebook: dict) -> None:
    def endless(*args, **options):
        raise KeyboardInterrupt

    with pytest.raises(CourseError, match="Stopped while"):
        check(FIRST.id, endless)
    assert FIRST.id not in load().tries


@pytest.mark.parametrize("value", [3, "text", [1]])
def test_something_that_is_no_function(value, notebook: dict, capsys) -> None:
    assert check(FIRST.id, value) == 0
    assert type(value).__name__ in capsys.readouterr().out


@pytest.mark.parametrize(("points", "text"), [(2.0, "2"), (0.0, "0"), (1.5, "1.5"), (1 / 3, "0.33")])
def test_what_a_check_returns_reads_as_a_number(points: float, text: str) -> None:
    assert repr(Points(points)) == text
    assert float(repr(Points(points))) == pytest.approx(points, abs=0.01)


def test_prints_warnings_and_stderr_cost_nothing(notebook: dict, capfd) -> None:
    import warnings

    right = reference(FIRST)

    def noisy(*args, **options):
        print("thinking ...")
        print("hm", file=sys.stderr)
        warnings.warn("old", stacklevel=1)
        return right(*args, **options)

    assert check(FIRST.id, noisy) == FIRST.points
    captured = capfd.readouterr()
    assert captured.err == "" and "hm" not in captured.out.split()
    assert captured.out.count("thinking ...") == 1, "what an answer prints is shown once, below the verdict"


@pytest.mark.parametrize("error", [SystemExit(0), BaseException("panic"), RecursionError(), AssertionError("no")])
def test_whatever_is_raised_becomes_a_verdict(error: BaseException, notebook: dict, capsys) -> None:
    def fails(*args, **options):
        raise error

    assert check(FIRST.id, fails) == 0
    assert "not right yet" in capsys.readouterr().out


def test_the_whole_notebook_at_once(notebook: dict, capsys) -> None:
    with pytest.raises(CourseError, match="Nothing to check"):
        check()
    exercises = exercises_of(FIRST.lesson.topic)
    for exercise in exercises:
        notebook[exercise.name] = reference(exercise)
    assert check() == sum(exercise.points for exercise in exercises if exercise.core)
    table = capsys.readouterr().out
    assert all(exercise.id in table for exercise in exercises)


@pytest.mark.parametrize("lesson", [lesson for lesson in LESSONS if lesson.written], ids=lambda lesson: lesson.topic)
def test_one_known_mistake_of_each_notebook_is_named_in_public(lesson, notebook: dict, capsys) -> None:
    exercise = next(candidate for candidate in exercises_of(lesson.topic) if mistakes_of(candidate))
    mistake = mistakes_of(exercise)[0]
    scope = {candidate.name: reference(candidate) for candidate in exercises_of(lesson.topic)}
    for cell in given_cells(lesson.topic):
        exec(cell, scope)
    exec(mistake.source, scope)
    check(exercise.id, scope[exercise.name])
    output = capsys.readouterr().out
    assert mistake.slug in output and "hidden" in output


def test_progress_survives_a_restart(notebook: dict, capsys) -> None:
    check(FIRST.id, reference(FIRST))
    capsys.readouterr()
    assert load().best[FIRST.id] == FIRST.points  # read from the file each time: nothing is kept in memory
    progress()
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith(FIRST.id))
    assert "done" in line


def test_an_error_in_another_cell_is_said_with_the_line_that_called_it(notebook: dict, capsys) -> None:
    helper = "def helper(x):\n    return x.nothing\n"
    answer = f"def {FIRST.name}(*args, **options):\n    first = 1\n    return helper(first)\n"
    for number, cell in enumerate((helper, answer)):
        exec(compile(cell, f"/tmp/ipykernel_1/{number}.py", "exec"), notebook)
    check(FIRST.id)
    assert "line 2 of the cell of your `helper`; called from line 3 of this one" in capsys.readouterr().out
