"""Try an answer in one case and record what happened, as plain data."""

from __future__ import annotations

import contextlib
import copy
import io
import linecache
import os
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..subject.course import course
from ..subject.tensors import torch
from .changed_arguments import with_changes
from .dropped_output import Silence
from .exercise import Case, Exercise
from .observation import Observation, Place, Raised
from .process_state import as_at_the_start
from .wire_data import OtherObject, plain, with_gaps_of, writable

__all__ = ["fresh", "observe", "print_to"]


_UNCHANGEABLE = (int, float, str, bool, bytes, type(None))


def fresh(value: Any) -> Any:
    """Return a deep copy that keeps a tensor's strides irregular where they were."""
    if type(value) in _UNCHANGEABLE:
        return value
    if isinstance(value, torch.Tensor):
        if value.is_contiguous():
            return value.detach().clone().requires_grad_(value.requires_grad)
        return with_gaps_of(value.detach()).requires_grad_(value.requires_grad)
    if isinstance(value, dict):
        return {key: fresh(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(fresh(item) for item in value)
    return copy.deepcopy(value)


def _plain_argument(value: Any) -> Any:
    """Return an argument as plain data, whatever the call made of it."""
    try:
        return plain(value)
    except Exception:
        return OtherObject(type(value).__name__)


def _raised(error: BaseException) -> Raised:
    place = _place(error)
    types = tuple(base.__name__ for base in type(error).__mro__ if base is not object)
    try:
        message = str(error)
    except Exception:
        message = ""
    return Raised(types, writable(message[:500]), place, _is_by_driver(error))


def _is_by_driver(error: BaseException) -> bool:
    """Return True if an exception was raised in the code of an exercise, and not in a cell or a library."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return bool(frames) and frames[-1].f_code.co_filename.startswith(_DRIVERS)


def _place(error: BaseException) -> Place:
    """Return the line of a cell in which an exception was raised.

    Where that cell is not the answer's own: the function there, and the line of the answer that called it.
    """
    frames = [(frame.f_code, number) for frame, number in traceback.walk_tb(error.__traceback__)]
    in_cells = [(code, number) for code, number in frames if _is_cell(code.co_filename)]
    if not in_cells:
        return Place()
    (first, called_from), (last, line) = in_cells[0], in_cells[-1]
    code = writable(linecache.getline(last.co_filename, line).strip())
    if last.co_filename == first.co_filename:
        of_a_class = isinstance(error, NotImplementedError) and last.co_name in ("__init__", "forward")
        return Place(line, code, method=last.co_name if of_a_class else "")
    name = last.co_qualname.removesuffix(".forward").removesuffix(".__init__")
    return Place(line, code, function=writable(name), called_from=called_from)


def _is_cell(filename: str) -> bool:
    return filename.startswith(("<", "/tmp/ipykernel")) or "ipykernel_" in filename


_DRIVERS = (str(course().home / "exercises"), str(Path(__file__).with_name("drivers.py")))
_ALONE = threading.RLock()
_silence = Silence()
_native_is_silent = False


@contextlib.contextmanager
def _no_native_stderr() -> Iterator[None]:
    """Silence what compiled code writes to the descriptor itself: a panic in tiktoken's engine prints its stack."""
    if _native_is_silent:
        yield
        return
    try:
        kept, silence = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:
        yield
        return
    os.dup2(silence, 2)
    os.close(silence)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def print_to(stream: Silence) -> None:
    """Let what is printed in cases go to this stream from now on, in a process whose descriptor 2 leads nowhere already."""
    global _silence, _native_is_silent
    _silence, _native_is_silent = stream, True


def observe(
    exercise: Exercise,
    candidate: Callable[..., Any],
    case: Case,
    *,
    own: bool = False,
    heard: io.TextIOBase | None = None,
) -> Observation:
    """Run `candidate` in `case` on its own copy of the inputs, and return what happened.

    Prints and warnings are dropped, or go to `heard`; they never cost a mark. Global switches are as in a new process during
    the run, and are restored afterwards. Since these belong to the whole process, only one thread at a time runs a case.

    Parameters
    ----------
    exercise : Exercise
        The exercise, whose driver calls the candidate.
    candidate : callable
        The answer.
    case : Case
        The inputs.
    own : bool
        Spare the copies, in a case that nobody else will use: its arguments are then as the call left them.
    heard : io.TextIOBase, optional
        The stream that receives prints.

    Returns
    -------
    Observation
        The result or the exception.
    """
    with _ALONE:
        if own:
            return _observe(exercise, candidate, dict(case.args), dict(case.options), heard)
        seen = _observe(exercise, candidate, fresh(dict(case.args)), fresh(dict(case.options)), heard)
        return with_changes(exercise, case, seen)


def _observe(
    exercise: Exercise,
    candidate: Callable[..., Any],
    args: dict[str, Any],
    options: dict[str, Any],
    heard: io.TextIOBase | None,
) -> Observation:
    given = {**options, **args}
    raised, value = None, None
    try:
        with (
            as_at_the_start(),
            contextlib.redirect_stdout(heard or _silence),
            contextlib.redirect_stderr(_silence),
            _no_native_stderr(),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            value = plain(exercise.run(candidate, *args.values(), **options))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # tiktoken's engine panics with a BaseException; sys.exit is one too
        raised = _raised(error)
    after = {name: _plain_argument(value) for name, value in given.items() if name not in exercise.changes}
    return Observation(value, raised, after=after)
