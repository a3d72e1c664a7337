"""Give out the arguments of public cases, to experiment with."""

import json
from typing import Any

from ..checking import expected
from ..checking.exercise import Case, Exercise
from ..checking.next_step import received_arguments
from ..checking.observe import fresh
from ..checking.render import show_panel, table_panel
from ..checking.show import show
from ..exercises import find_exercise, known
from ..messages import Message
from ..subject.errors import CourseError, closest
from .module_case import module_case


def case(name: str | None = None, which: int | str | None = None) -> dict[str, Any] | None:
    """Return the arguments of a public case of an exercise, as copies; without `which`, list all its cases.

    Parameters
    ----------
    name
        An exercise, such as "01.one_hot".
    which
        The number of the case, from 1, or its name.

    Returns
    -------
    dict or None
        Argument names to values. For a class it has three items: "build", the arguments of the constructor; "weights", the
        state dict that the check loads, if it does; and "inputs", the arguments of a call. As the last line of a cell it
        shows how they are used.

    Raises
    ------
    CourseError
        If there is no such exercise or case.

    Examples
    --------
    >>> one_hot(**case("01.one_hot", 1))  # doctest: +SKIP
    >>> given = case("07.MultiHeadAttention", 3)
    >>> given["build"], sorted(given["inputs"])
    ({'d_model': 6, 'heads': 3}, ['x'])
    >>> model = MultiHeadAttention(**given["build"])  # doctest: +SKIP
    >>> model.load_state_dict(given["weights"])  # doctest: +SKIP
    >>> model(**given["inputs"])  # doctest: +SKIP
    """
    if name is None:
        example = next(iter(known()))
        message = Message('Say of which exercise: `case("{example}")` lists the cases of one, `hint()` lists the exercises.')
        raise CourseError(message.fill(example=example))
    exercise = find_exercise(name)
    cases = expected.load(exercise).cases
    if which is None:
        rows = [[number, Message(item.name), _short(exercise, item)] for number, item in enumerate(cases, start=1)]
        foot = Message('`case("{exercise}", 1)` returns those of the first.')
        if exercise.is_class:
            foot = Message('`case("{exercise}", 1)` returns what the first builds, loads and calls, and shows how to use it.')
        show_panel(table_panel(["", Message("case"), Message("arguments")], rows, foot.fill(exercise=exercise.id)))
        return None
    names = [item.name for item in cases]
    if isinstance(which, int) and 1 <= which <= len(cases):
        return _given(exercise, cases[which - 1], which)
    if which in names:
        return _given(exercise, cases[names.index(str(which))], which)
    if isinstance(which, int):
        message = Message(
            "{exercise} has the cases 1 to {last}; there is no case {number}.", exercise=exercise.id, number=which
        )
        raise CourseError(message.fill(last=len(cases)))
    message = Message("{exercise} has no case {name}: {closest}", exercise=exercise.id, name=repr(which))
    raise CourseError(message.fill(closest=closest(which, names)))


def _given(exercise: Exercise, given: Case, which: int | str) -> dict[str, Any]:
    if exercise.is_class:
        return module_case(exercise, given, f'case("{exercise.id}", {json.dumps(which, ensure_ascii=False)})')
    return fresh(received_arguments(exercise, given))


def _short(exercise: Exercise, item: Case) -> str:
    return ", ".join(f"{key}={show(value)}" for key, value in received_arguments(exercise, item).items())
