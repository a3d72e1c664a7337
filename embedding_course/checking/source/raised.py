"""What an exception of Python or torch means, in the letters of the docstring."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..grammar import in_a_row
from .axes import Axes, axes_of, axis_taken_for_another, shapes_taken_apart
from .names import name_that_was_meant
from .slip import Slip
from .written import Written

if TYPE_CHECKING:
    from ..exercise import Exercise
    from ..observation import Raised

__all__ = ["why_it_raised"]

_SIZES = "Print the shapes of both sides of that line. Read from the right, two sizes have to be equal, or one of them 1: "
_ADD_AXES = "`x[:, None]` and `x.unsqueeze(-1)` add an axis of size 1."
_Says = Callable[[re.Match[str], Axes], str]


def why_it_raised(
    exercise: Exercise, raised: Raised, written: Written | None, given: Mapping[str, Any], *, hidden: bool
) -> Slip | None:
    """What an exception comes of, as far as its words and the answer's text tell; None where they do not. Of hidden cases no
    size is said, and no word that does not stand in the answer."""
    for slip in name_that_was_meant(exercise, raised.message, written, given):
        return slip
    for slip in _takes_other_arguments(exercise, raised.message):
        return slip
    if written:
        for look in (axis_taken_for_another, shapes_taken_apart):
            for slip in look(written, given):
                return slip
    axes = axes_of(written, given) if written else Axes()
    line = "" if hidden else _line(raised)
    for pattern, says, step in _KNOWN:
        found = re.search(pattern, raised.message)
        if found:
            told = says(found, _Quiet(axes.of, axes.sizes) if hidden else axes)
            return Slip("raised", f"{line}{told}" if line else f"{told[0].upper()}{told[1:]}", step)
    return None


def _line(raised: Raised) -> str:
    found = re.match(r"(line \d+)", raised.line)
    return f"{found[1].capitalize()}: " if found else ""


class _Quiet(Axes):
    """Letters of axes for a hidden case, whose sizes are nobody's business."""


def _size(number: str, axes: Axes) -> str:
    """A size with its letter: "5 (B)"; of a hidden case the letter alone, or nothing."""
    letters = in_a_row(axes.letters_for(int(number))[:2], "or")
    if isinstance(axes, _Quiet):
        return letters
    return f"{number} ({letters})" if letters else number


def _two_sizes(found: re.Match[str], axes: Axes) -> str:
    one, other = _size(found[1], axes), _size(found[2], axes)
    if one and other:
        return f"two things meet there whose axes do not fit: one has the size {one}, the other {other}."
    return "two things meet there whose axes do not fit."


def _factors(found: re.Match[str], axes: Axes) -> str:
    shapes = [", ".join(filter(None, (_size(number, axes) for number in shape.split("x")))) for shape in found.groups()]
    if isinstance(axes, _Quiet) and not all(shapes):
        return "in a matrix product the last axis of the first factor does not fit the second to last of the other."
    return f"a matrix of shape ({shapes[0]}) is multiplied by one of shape ({shapes[1]}): the inner two do not fit."


def _out_of_bounds(found: re.Match[str], axes: Axes) -> str:
    size = _size(found[1], axes)
    of = f" of size {size}" if size else ""
    return f"an index lies outside an axis{of}: the last index is the size less 1."


def _plain(text: str) -> _Says:
    return lambda found, axes: text


#: What is looked for in the message; what is said; what to do.
_KNOWN: tuple[tuple[str, _Says, str], ...] = (
    (r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)", _two_sizes, _SIZES + _ADD_AXES),
    (r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\)", _two_sizes,
     "Print the shapes of both sides of that line: what is stored has to fit the place that it goes to, size by size."),
    (r"shape mismatch: value tensor of shape", _plain("what is stored has another shape than the place that it goes to."),
     "Print the shapes of both sides of that line."),
    (r"mat1 and mat2 shapes cannot be multiplied \((\d+x\d+) and (\d+x\d+)\)", _factors,
     "Print the shapes of both factors: the last size of the first has to be the second to last of the other. `.T` and `.mT` "
     "exchange the last two axes."),
    (r"Dimension out of range", _plain("an axis is named that the tensor does not have."),
     "Print the shape there: a tensor with two axes has the axes 0 and 1, or -2 and -1."),
    (r"out of bounds for dimension \d+ with size (\d+)", _out_of_bounds,
     "Is the index counted from 1, or taken along another axis? Print it, and the shape of what is indexed."),
    (r"index (?:-?\d+ is )?out of (?:range in self|bounds)", _plain("an id lies outside the table: the last row is V - 1."),
     "Print the largest id and the number of rows of the table."),
    (r"too many indices|IndexError: too many", _plain("more indices are given than the tensor has axes."),
     "Print the shape of what is indexed."),
    (r"tensors used as indices must be|only integer tensors|slice indices must be integers",
     _plain("a position has to be a whole number, and this one is floating."),
     "Use `//` for whole quotients, and `.long()` or `int(…)` where numbers are positions."),
    (r"list index out of range", _plain("a list is shorter than the index asks."),
     "Print the list and the index: the last index is `len(…) - 1`, and a list may be empty."),
    (r"'tuple' object has no attribute",
     _plain("a tuple is used as if it were one tensor: a function that returns two things gives a tuple."),
     "Write `first, second = f(...)`, or take one of the two with `[0]`."),
    (r"return_types|'(?:max|min|sort|topk|median|mode)' object has no attribute",
     _plain("a tuple is used as if it were one tensor: `max`, `min`, `sort` and `topk` along an axis return values and "
            "positions."),
     "Take one of them, with `[0]` or `.values`."),
    (r"cannot unpack non-iterable", _plain("one thing is to be taken apart into several names."),
     "Print what stands behind `in` or `=`."),
    (r"not enough values to unpack|too many values to unpack",
     _plain("there are not as many names on the left of `=` as things on the right."),
     "Print what stands on the right of `=`."),
    (r"expected (?:scalar type|m1 and m2 to have the same dtype)|must have the same dtype|Float and Double|Double and Float",
     _plain("two tensors of different types meet, float32 and float64 for example."),
     "Make new tensors in the type of the input: `torch.zeros(…, dtype=x.dtype)`, `x.new_zeros(…)`."),
    (r"Boolean value of Tensor with more than one", _plain("an `if` or `and` asks a whole tensor for one True or False."),
     "Use `torch.where`, `&`, `|` or `~` for entries; `.any()` or `.all()` for one answer."),
    (r"leaf Variable that requires grad", _plain("a parameter is changed in place while gradients are recorded."),
     "Do that inside `with torch.no_grad():`."),
    (r"modified by an inplace operation", _plain("a tensor that the backward pass needs was changed in place."),
     "Make a new tensor instead: no `+=`, no `x[…] = …`, no name that ends in an underscore."),
    (r"Can't call numpy\(\) on Tensor that requires grad", _plain("numpy cannot follow a tensor with a gradient."),
     "Stay in torch, so that gradients flow back."),
    (r"does not require grad and does not have a grad_fn", _plain("there is no gradient to send back: the graph is cut."),
     "Look for `.detach()`, `.item()`, `no_grad` or `torch.tensor(…)` on the way."),
    (r"view size is not compatible", _plain("`view` needs a tensor that lies in one piece in memory."), "Use `reshape`."),
    (r"object is not callable", _plain("something is called that is no function: round brackets follow a size or a number."),
     "A shape and a list are indexed with square brackets: `x.shape[0]`."),
    (r"'builtin_function_or_method' object is not subscriptable|'method' object is not",
     _plain("a method is used without being called."), "Put brackets behind its name: `x.size()`."),
    (r"'NoneType' object|unsupported operand type.*NoneType", _plain("something is None there: a function without a `return`, "
     "a method such as `append` that returns nothing, or an argument that may be left out."),
     "Print what the line uses, and look where it comes from."),
    (r"'(?:int|float)' object is not (?:iterable|subscriptable)", _plain("a single number is treated as a list."),
     "A loop over numbers needs `range(…)`; print what the line uses."),
    (r"unhashable type", _plain("a list or a tensor is no key of a dict, and no member of a set."),
     "Make a tuple of it, or a number: `tuple(…)`, `.item()`."),
    (r"can only concatenate (?:list|str|tuple)|unsupported operand type", _plain("two things of different kinds are added."),
     "Print the type of both sides."),
    (r"float division by zero|division by zero|integer modulo by zero", _plain("something is divided by 0."),
     "Which case makes the divisor 0? Say what is to come back then, and ask for it with an `if` first."),
    (r"maximum recursion depth", _plain("a function calls itself without end."),
     "When does it stop? Another name for one of the two may be all that is missing."),
    (r"argument of a list|max\(\) (?:arg|iterable)|min\(\) (?:arg|iterable)|empty sequence",
     _plain("the largest or smallest of nothing is asked for."), "Which case is empty? Say first what comes back then."),
    (r"math domain error|expected a positive input", _plain("a logarithm or root is taken of a number that has none."),
     "Which number is 0 or below there? Print it."),
    (r"only one element tensors can be converted", _plain("`torch.tensor` takes numbers, and this is a list of tensors."),
     "A list of tensors of one shape becomes a tensor by `torch.stack`."),
    (r"Only one-element tensors|a Tensor with \d+ elements cannot be converted to Scalar",
     _plain("`float`, `int` and `.item()` take a single number, and this tensor has several."),
     "Which axis should have been summed, or indexed, before?"),
    (r"does not support bool|Subtraction, the `-` operator, with (?:a|two) bool", _plain("True and False are no numbers here."),
     "Make whole numbers of them first with `.int()`; `~mask` exchanges True and False."),
    (r"non-empty TensorList", _plain("a list without entries cannot be stacked."),
     "A batch may be empty, and then the result has 0 rows."),
    (r"received an invalid combination of arguments|must be (?:Tensor|a tensor|Number|tuple of ints)",
     _plain("a function is given another kind of thing than it takes."), "Look at its arguments and their order."),
    (r"shape '\[.*\]' is invalid for input", _plain("`reshape` or `view` asks for another number of entries than there are."),
     "Multiply the sizes on both sides: the two products have to be equal."),
)  # fmt: skip


def _takes_other_arguments(exercise: Exercise, message: str) -> Iterator[Slip]:
    """Calls of the answer itself with more arguments, or fewer, than it takes."""
    name = re.search(r"^(?:\w+\.)?(\w+)\(\) (?:takes|missing|got multiple)", message)
    if name and name[1] in (exercise.name, "forward", "__init__"):
        says = f"`{name[1]}` is called as in its stub, and your first line takes other arguments."
        yield Slip("arguments", says, "Keep the first line of the stub as it was.", instead=True)
