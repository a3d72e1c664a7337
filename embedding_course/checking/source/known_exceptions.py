"""What messages of Python and torch mean, each with a next step, in the letters of the docstring where shapes meet."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...messages import COMMA, Code, Listing, Message
from .axes import Axes

__all__ = ["KNOWN"]

_TWO_SIZES = Message("Two things meet there whose axes do not fit: one has the size {one}, the other {other}.")
_Says = Callable[[re.Match[str], Axes, bool], Message]


def _size(number: str, axes: Axes, hidden: bool) -> str | Message | Listing | None:
    """Return a size with its letter, "5 (B)"; of a hidden case the letter alone, or nothing."""
    letters = [Code(letter) for letter in axes.letters_for(int(number))[:2]]
    named = Listing(letters, Message("{names} or {last}")) if letters else None
    if hidden or named is None:
        return named if hidden else number
    return Message("{size} ({letters})", size=number, letters=named)


def _two_sizes(match: re.Match[str], axes: Axes, hidden: bool) -> Message:
    first, second = _size(match[1], axes, hidden), _size(match[2], axes, hidden)
    return (
        _TWO_SIZES.fill(one=first, other=second)
        if first and second
        else Message("Two things meet there whose axes do not fit.")
    )


def _factors(match: re.Match[str], axes: Axes, hidden: bool) -> Message:
    shapes = [[_size(number, axes, hidden) for number in shape.split("x")] for shape in match.groups()]
    if not all(size for shape in shapes for size in shape):
        return Message("In a matrix product the last axis of the first factor does not fit the second to last of the other.")
    says = Message("A matrix of shape ({one}) is multiplied by one of shape ({other}): the inner two do not fit.")
    first, second = (Listing(shape, COMMA) for shape in shapes)
    return says.fill(one=first, other=second)


def _out_of_bounds(match: re.Match[str], axes: Axes, hidden: bool) -> Message:
    size = _size(match[1], axes, hidden)
    if size is None:
        return Message("An index lies outside an axis: the last index is the size less 1.")
    return Message("An index lies outside an axis of size {size}: the last index is the size less 1.", size=size)


#: A pattern of the message, its explanation, and what to do.
KNOWN: tuple[tuple[str, _Says | Message, Message], ...] = (
    (
        r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)",
        _two_sizes,
        Message(
            "Print the shapes of both sides of that line. Read from the right, two sizes have to be equal, or one of them 1: "
            "`x[:, None]` and `x.unsqueeze(-1)` add an axis of size 1."
        ),
    ),
    (
        r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\)",
        _two_sizes,
        Message(
            "Print the shapes of both sides of that line: what is stored has to fit the place that it goes to, size by size."
        ),
    ),
    (
        r"shape mismatch: value tensor of shape",
        Message("What is stored has another shape than the place that it goes to."),
        Message("Print the shapes of both sides of that line."),
    ),
    (
        r"mat1 and mat2 shapes cannot be multiplied \((\d+x\d+) and (\d+x\d+)\)",
        _factors,
        Message(
            "Print the shapes of both factors: the last size of the first has to be the second to last of the other. `.T` "
            "and `.mT` "
            "exchange the last two axes."
        ),
    ),
    (
        r"Dimension out of range",
        Message("An axis is named that the tensor does not have."),
        Message("Print the shape there: a tensor with two axes has the axes 0 and 1, or -2 and -1."),
    ),
    (
        r"index -?\d+ is out of bounds for dimension 0 with size 0",
        Message("What is indexed there is empty: it has no first or last entry."),
        Message("Which row has nothing to pick from? Say first what comes back for it: the docstring tells."),
    ),
    (
        r"out of bounds for dimension \d+ with size (\d+)",
        _out_of_bounds,
        Message("Is the index counted from 1, or taken along another axis? Print it, and the shape of what is indexed."),
    ),
    (
        r"index (?:-?\d+ is )?out of (?:range in self|bounds)",
        Message("An id lies outside the table: the last row is V - 1."),
        Message("Print the largest id and the number of rows of the table."),
    ),
    (
        r"too many indices|IndexError: too many",
        Message("More indices are given than the tensor has axes."),
        Message("Print the shape of what is indexed."),
    ),
    (
        r"tensors used as indices must be|only integer tensors|slice indices must be integers",
        Message("A position has to be a whole number, and this one is floating."),
        Message("Use `//` for whole quotients, and `.long()` or `int(…)` where numbers are positions."),
    ),
    (
        r"indexing tensors could not be broadcast together",
        Message("Two index tensors have different lengths: one index is needed for each row."),
        Message("Print their shapes. `nonzero()` gives a line for every 1, not one for each row."),
    ),
    (
        r"Index tensor must have the same number of dimensions",
        Message("`gather` needs an index with as many axes as the tensor."),
        Message("For one position a row, index with two tensors: `x[torch.arange(B), position]`."),
    ),
    (
        r"only bool and floating types of key_padding_mask",
        Message("`src_key_padding_mask` must be bool, True at padding: the opposite of attention_mask."),
        Message("Pass `attention_mask == 0`."),
    ),
    (
        r"Expected key_padded_mask\.shape\[0\] to be",
        Message("The layer takes the first axis for the words, and the second for the batch."),
        Message("Build the layer with `batch_first=True`."),
    ),
    (
        r"list index out of range",
        Message("A list is shorter than the index asks."),
        Message("Print the list and the index: the last index is `len(…) - 1`, and a list may be empty."),
    ),
    (
        r"'tuple' object has no attribute",
        Message("A tuple is used as if it were one tensor: a function that returns two things gives a tuple."),
        Message("Write `first, second = f(...)`, or take one of the two with `[0]`."),
    ),
    (
        r"return_types|'(?:max|min|sort|topk|median|mode)' object has no attribute",
        Message(
            "A tuple is used as if it were one tensor: `max`, `min`, `sort` and `topk` along an axis return values and "
            "positions."
        ),
        Message("Take one of them, with `[0]` or `.values`."),
    ),
    (
        r"cannot unpack non-iterable",
        Message("One thing is to be taken apart into several names."),
        Message("Print what stands behind `in` or `=`."),
    ),
    (
        r"not enough values to unpack|too many values to unpack",
        Message("There are not as many names on the left of `=` as things on the right."),
        Message("Print what stands on the right of `=`."),
    ),
    (
        r"expected (?:scalar type|m1 and m2 to have the same dtype)|must have the same dtype|Float and Double|Double and Float",
        Message("Two tensors of different types meet, float32 and float64 for example."),
        Message("Make new tensors in the type of the input: `torch.zeros(…, dtype=x.dtype)`, `x.new_zeros(…)`."),
    ),
    (
        r"Boolean value of Tensor with more than one",
        Message("An `if` or `and` asks a whole tensor for one True or False."),
        Message("Use `torch.where`, `&`, `|` or `~` for entries; `.any()` or `.all()` for one answer."),
    ),
    (
        r"grad can be implicitly created only for scalar outputs",
        Message("`backward()` without an argument needs a single number, and this tensor has several."),
        Message(
            "Call it on the loss, which is one number. If you have the gradient at a tensor already, pass it: "
            "`out.backward(gradient)`."
        ),
    ),
    (
        r"leaf Variable that requires grad",
        Message("A parameter is changed in place while gradients are recorded."),
        Message("Do that inside `with torch.no_grad():`."),
    ),
    (
        r"modified by an inplace operation",
        Message("A tensor that the backward pass needs was changed in place."),
        Message("Make a new tensor instead: no `+=`, no `x[…] = …`, no name that ends in an underscore."),
    ),
    (
        r"Can't call numpy\(\) on Tensor that requires grad",
        Message("Numpy cannot follow a tensor with a gradient."),
        Message("Stay in torch, so that gradients flow back."),
    ),
    (
        r"does not require grad and does not have a grad_fn",
        Message("There is no gradient to send back: the graph is cut."),
        Message("Look for `.detach()`, `.item()`, `no_grad` or `torch.tensor(…)` on the way."),
    ),
    (
        r"view size is not compatible",
        Message("`view` needs a tensor that lies in one piece in memory."),
        Message("Use `reshape`."),
    ),
    (
        r"'(?:NoneType|bool)' object is not callable",
        Message("None, True or False is called as if it were a function or a layer."),
        Message("Something is made in some cases only. Ask for it with an `if` before you call it."),
    ),
    (
        r"object is not callable",
        Message("Something is called that is no function: round brackets follow a size or a number."),
        Message("A shape and a list are indexed with square brackets: `x.shape[0]`."),
    ),
    (
        r"'builtin_function_or_method' object is not subscriptable|'method' object is not",
        Message("A method is used without being called."),
        Message("Put brackets behind its name: `x.size()`."),
    ),
    (
        r"'NoneType' object|unsupported operand type.*NoneType",
        Message(
            "Something is None there: a function without a `return`, "
            "a method such as `append` that returns nothing, or an argument that may be left out."
        ),
        Message("Print what the line uses, and look where it comes from."),
    ),
    (
        r"'(?:int|float)' object is not (?:iterable|subscriptable)",
        Message("A single number is treated as a list."),
        Message("A loop over numbers needs `range(…)`; print what the line uses."),
    ),
    (
        r"unhashable type",
        Message("A list or a tensor is no key of a dict, and no member of a set."),
        Message("Make a tuple of it, or a number: `tuple(…)`, `.item()`."),
    ),
    (
        r"can only concatenate (?:list|str|tuple)|unsupported operand type",
        Message("Two things of different kinds are added."),
        Message("Print the type of both sides."),
    ),
    (
        r"float division by zero|division by zero|integer modulo by zero",
        Message("Something is divided by 0."),
        Message("Which case makes the divisor 0? Say what is to come back then, and ask for it with an `if` first."),
    ),
    (
        r"~ \(operator.invert\)|bitwise_not|unsupported operand type\(s\) for ~|bad operand type for unary ~",
        Message("`~` takes a bool mask, and this one holds numbers."),
        Message("Make the mask bool where it is made: `dtype=torch.bool`, or `.bool()` at the end."),
    ),
    (
        r"maximum recursion depth",
        Message("A function calls itself without end."),
        Message("When does it stop? If it should call another function of the same name, rename one of the two."),
    ),
    (
        r"argument of a list|max\(\) (?:arg|iterable)|min\(\) (?:arg|iterable)|empty sequence",
        Message("The largest or smallest of nothing is asked for."),
        Message("Which case is empty? Say first what comes back then."),
    ),
    (
        r"math domain error|expected a positive input",
        Message("A logarithm or root is taken of a number that has none."),
        Message("Which number is 0 or below there? Print it."),
    ),
    (
        r"only one element tensors can be converted",
        Message("`torch.tensor` takes numbers, and this is a list of tensors."),
        Message("A list of tensors of one shape becomes a tensor by `torch.stack`."),
    ),
    (
        r"Only one-element tensors|a Tensor with \d+ elements cannot be converted to Scalar",
        Message("`float`, `int` and `.item()` take a single number, and this tensor has several."),
        Message("Which axis should have been summed, or indexed, before?"),
    ),
    (
        r"does not support bool|Subtraction, the `-` operator, with (?:a|two) bool",
        Message("True and False are no numbers here."),
        Message("Make whole numbers of them first with `.int()`; `~mask` exchanges True and False."),
    ),
    (
        r"non-empty TensorList",
        Message("A list without entries cannot be stacked."),
        Message("A batch may be empty, and then the result has 0 rows."),
    ),
    (
        r"must be Tensor, not (?:tuple|list)",
        Message("A tuple or a list is passed where one tensor is needed."),
        Message("Take it apart first, as in `x, y = batch`, and pass the tensor."),
    ),
    (
        r"must be Tensor, not (?!NoneType|bool|int|float|str|numpy|ndarray)\w+",
        Message("An object such as a layer or a model is passed where a tensor is needed."),
        Message("Call it first, and pass what it returns: `model(x)`."),
    ),
    (
        r"batch[12] must be a 3D tensor",
        Message("`bmm` multiplies two tensors with three axes, and one of these has fewer or more."),
        Message("Add an axis with `unsqueeze`; or multiply row by row: `(a[:, None] * b).sum(dim=-1)`."),
    ),
    (
        r"1D tensors expected",
        Message("`torch.dot` takes two vectors, and these have more axes."),
        Message("Multiply row by row: `(a * b).sum(dim=-1)` has one number for each row."),
    ),
    (
        r"class probabilities, got Long|not implemented for 'Long'",
        Message("Whole numbers stand where floating ones are needed: ids from `argmax`, for example."),
        Message("Pass on the scores themselves, not the ids. Elsewhere `.float()` helps."),
    ),
    (
        r"probability tensor contains either",
        Message("The probabilities hold nan, inf or a number below 0."),
        Message("Print them: a division by 0, or by a tiny number, before the softmax makes nan."),
    ),
    (
        r"(?:min|max)(?:imum)?\(\)(?: received an invalid combination of arguments - got \((?:int|float), Tensor\)"
        r"| received an invalid combination of arguments - got \(Tensor, float\)|: argument '(?:input|other)')",
        Message("`torch.min` and `torch.max` compare two tensors, and one of the two is a number."),
        Message("Use `.clamp(max=…)` for the smaller of a tensor and a number, `.clamp(min=…)` for the larger."),
    ),
    (
        r"received an invalid combination of arguments|must be (?:Tensor|a tensor|Number|tuple of ints)",
        Message("A function is given another kind of thing than it takes."),
        Message("Look at its arguments and their order."),
    ),
    (
        r"shape '\[.*\]' is invalid for input",
        Message("`reshape` or `view` asks for another number of entries than there are."),
        Message("Multiply the sizes on both sides: the two products have to be equal."),
    ),
)
