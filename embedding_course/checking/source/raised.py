"""Explain an exception of Python or torch with the letters of the docstring."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...messages import Code, Message
from .answer_tree import Written, as_name, assigned, calls_in, number_in
from .axes import Axes, axes_of, axis_taken_for_another, shapes_taken_apart
from .known_exceptions import KNOWN
from .names import name_that_was_meant
from .raised_line import cause_in_the_line
from .slip import Slip, listed, quoted

if TYPE_CHECKING:
    from ..exercise import Exercise
    from ..observation import Raised


def why_it_raised(
    exercise: Exercise, raised: Raised, written: Written | None, given: Mapping[str, Any], *, hidden: bool
) -> Slip | None:
    """Return the cause of an exception, as far as its message and the answer's text tell it; None if they do not.

    Of hidden cases no size is named, and no word that does not stand in the answer.

    Parameters
    ----------
    exercise : Exercise
    raised : Raised
    written : Written or None
        The text of the answer, if it is known.
    given : mapping of str to Any
        What the answer receives in the case that is shown, by name.
    hidden : bool
        True if the case is hidden.
    """
    for slip in name_that_was_meant(exercise, raised.message, written, given):
        return slip
    for slip in _takes_other_arguments(exercise, raised.message):
        return slip
    if written:
        for look in (axis_taken_for_another, shapes_taken_apart):
            for slip in look(written, given):
                return slip
        for slip in (*_min_or_max_of_tensors(raised, written, given), *_takes_no_gradient(exercise, raised, written)):
            return slip
    for slip in cause_in_the_line(raised, written):
        return slip
    axes = axes_of(written, given) if written else Axes()
    for pattern, says, step in KNOWN:
        match = re.search(pattern, raised.message)
        if match:
            cause = says if isinstance(says, Message) else says(match, axes, hidden)
            if raised.place.line and not hidden:
                where = (
                    Message("Line {line}: {cause}") if raised.own_cell else Message("Line {line} of your `{function}`: {cause}")
                )
                cause = where.fill(line=raised.place.line, cause=cause)
                if not raised.own_cell:
                    cause = cause.fill(function=Code(raised.place.function))
            return Slip("raised", cause, step)
    return None


def _takes_other_arguments(exercise: Exercise, message: str) -> Iterator[Slip]:
    """Yield calls of the answer itself with more arguments, or fewer, than it takes."""
    name = re.search(r"^(?:\w+\.)?(\w+)\(\) (?:takes|missing|got multiple)", message)
    if name and name[1] in (exercise.name, "forward", "__init__"):
        says = Message("`{name}` is called as in its stub, and your first line takes other arguments.", name=Code(name[1]))
        yield Slip("arguments", says, Message("Keep the first line of the stub as it was."), instead=True)


def _min_or_max_of_tensors(raised: Raised, written: Written, given: Mapping[str, Any]) -> Iterator[Slip]:
    """Yield a call of Python's own `min` or `max` that asks whole tensors which is smaller."""
    if "Boolean value of Tensor with more than one" not in raised.message or not raised.own_cell:
        return
    calls = [call for call in calls_in(written.node) if as_name(call.func) in ("min", "max") and len(call.args) == 2]
    if raised.place.line:
        calls = [call for call in calls if call.lineno <= raised.place.line <= (call.end_lineno or call.lineno)]
    elif any(isinstance(node, (ast.If, ast.IfExp, ast.While, ast.BoolOp)) for node in ast.walk(written.node)):
        return
    for call in calls:
        numbers = [argument for argument in call.args if _is_number(argument, given)]
        tensors = [argument for argument in call.args if argument not in numbers]
        smaller = as_name(call.func) == "min"
        if len(numbers) == 1:
            instead = ast.Call(_of_torch("clamp"), tensors, [ast.keyword("max" if smaller else "min", numbers[0])])
        else:
            instead = ast.Call(_of_torch("minimum" if smaller else "maximum"), call.args, [])
        says = Message("Line {line}: Python's {code} compares whole tensors, which gives no single True or False.")
        step = Message("Write {code}, which compares entry by entry.", code=quoted(instead))
        yield Slip.at(call, "builtin", says, step, first=True)


def _is_number(node: ast.expr, given: Mapping[str, Any]) -> bool:
    return number_in(node) is not None or isinstance(given.get(as_name(node)), (int, float))


def _of_torch(name: str) -> ast.Attribute:
    return ast.Attribute(ast.Name("torch", ast.Load()), name, ast.Load())


def _takes_no_gradient(exercise: Exercise, raised: Raised, written: Written) -> Iterator[Slip]:
    """Yield why there is no gradient to send back: a frozen table, a plain tensor, or an earlier answer that cuts the graph."""
    if "does not require grad and does not have a grad_fn" not in raised.message:
        return
    for call in calls_in(written.node):
        if (
            as_name(call.func).endswith("from_pretrained")
            and len(call.args) < 2
            and not any(
                key.arg == "freeze" and not (isinstance(key.value, ast.Constant) and key.value.value is True)
                for key in call.keywords
            )
        ):
            says = Message("Line {line}: `from_pretrained` freezes its table, so the table takes no gradient.")
            yield Slip.at(call, "frozen", says, Message("Pass `freeze=False`."), first=True)
    if not {"requires_grad_", "requires_grad", "Parameter"} & written.words.keys():
        nodes = list(ast.walk(written.node))
        read = {as_name(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr == "grad"}
        for node in nodes:
            for target, value in assigned(node):
                if as_name(target) in read and _is_a_copy(value):
                    says = Message("Line {line}: {code} is a plain tensor, so it takes no gradient.")
                    step = Message("Write {code} there.", code=quoted(_requiring_grad(value)))
                    yield Slip.at(value, "plain tensor", says, step, code=target, first=True)
    earlier = [name for name in exercise.uses if name in written.words]
    if earlier:
        says = Message("There is no gradient to send back: the graph is cut.")
        step = Message("Look for `.detach()`, `.item()` or `no_grad`, also in {names}, which you call.", names=listed(earlier))
        yield Slip("cut", says, step, first=True)


def _is_a_copy(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("clone", "detach")


def _requiring_grad(value: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(value, "requires_grad_", ast.Load()), [], [])
