"""Gradients by hand: what reaches the table, and what leaves the loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided


def _other_layout(tensor: torch.Tensor) -> torch.Tensor:
    """The same values with the axes in another order in memory, as a backward pass often hands them over."""
    order = tuple(reversed(range(tensor.ndim)))
    return tensor.permute(order).contiguous().permute(order)


def dense_gradient(
    candidate: Callable[..., Any], ids: torch.Tensor, grad_output: torch.Tensor, *args: Any, **options: Any
) -> Any:
    """A driver that also says whether the gradient is dense: sparse tensors travel as dense ones."""
    if not grad_output.is_contiguous():
        grad_output = _other_layout(grad_output)
    result = candidate(ids, grad_output, *args, **options)
    layout = "dense" if not isinstance(result, torch.Tensor) or result.layout is torch.strided else "sparse"
    return Parts({"gradient": result, "layout of the gradient": layout})


def _shuffled_rows(draw: Draw, tensor: torch.Tensor) -> torch.Tensor:
    return tensor[draw.distinct(len(tensor), len(tensor))]


def _gradient(draw: Draw, ids: torch.Tensor, width: int, **options: Any) -> torch.Tensor:
    return draw.normal(*ids.shape, width, **options)


def _repeated(draw: Draw, count: int, size: int) -> torch.Tensor:
    """More ids than there are rows: the first and the last row among them, the first one twice."""
    ids = torch.cat([torch.tensor([0, size - 1, 0]), draw.ids(count - 3, size)])
    return _shuffled_rows(draw, ids)


def _cancelling(draw: Draw, size: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Every row gets two large gradients whose sum is small: rounding to float32 on the way would show."""
    large = draw.normal(size, width, dtype=torch.float64, scale=1e4)
    small = draw.normal(size, width, dtype=torch.float64)
    order = draw.distinct(2 * size, 2 * size)
    return torch.arange(size).repeat(2)[order], torch.cat([large, small - large])[order]


def _embedding_grad_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, ids: torch.Tensor, grad: torch.Tensor, size: int, criterion: str, because: str = "") -> Case:
        args = {"ids": ids, "grad_output": grad, "num_embeddings": size}
        return Case(name, args, criterion, because=because)

    length, width = draw.shuffled((2, 3, 5))[:2]
    size = 7
    ids = _shuffled_rows(draw, torch.cat([torch.zeros(1, dtype=torch.int64), 1 + draw.distinct(length - 1, size - 2)]))
    yield case("ids without repeats", ids, _gradient(draw, ids, width), size, "rows",
               "A row that was not looked up has the gradient zero.")  # fmt: skip
    ids = draw.distinct(width, width)
    yield case("every row once", ids, _gradient(draw, ids, width), width, "rows")

    ids = _repeated(draw, 11, size)
    yield case("ids that repeat", ids, _gradient(draw, ids, width), size, "repeats",
               "A row that is used several times gets the sum of what its uses get.")  # fmt: skip
    ids = torch.full((3,), draw.integer(0, size - 1))
    yield case("one id, three times", ids, _gradient(draw, ids, width), size, "repeats")
    ids = torch.cat([draw.distinct(4, 5), draw.distinct(1, 4)])
    yield case("as many ids as rows and columns", ids, _gradient(draw, ids, 5), 5, "repeats")
    ids = _repeated(draw, 11, size)
    yield case("large gradients", ids, _gradient(draw, ids, width, scale=1e4), size, "repeats")
    yield case("float64, large gradients that almost cancel", *_cancelling(draw, size, width), size, "repeats")

    batch, time = draw.sizes(2, smallest=3)
    ids = _repeated(draw, batch * time, 2).reshape(batch, time)
    yield case("ids of shape (B, T)", ids, _gradient(draw, ids, width), size, "any shape",
               "A repeat may stand in the same sentence or in another one.")  # fmt: skip
    ids = draw.ids(draw.sizes(3), 5)
    yield case("ids of shape (A, B, T)", ids, _gradient(draw, ids, width), 5, "any shape")
    ids = draw.ids((), size)
    yield case("a single id", ids, _gradient(draw, ids, width), size, "any shape")
    ids = draw.ids((0,), size)
    yield case("no ids", ids, _gradient(draw, ids, width), size, "any shape")
    ids = draw.ids((batch, 0), size)
    yield case("sentences without words", ids, _gradient(draw, ids, width), size, "any shape")
    ids = draw.ids((batch, time), size)
    yield case("ids and gradients not contiguous in memory", strided(ids), strided(_gradient(draw, ids, width)), size,
               "any shape")  # fmt: skip
    ids = torch.zeros(batch, dtype=torch.int64)
    yield case("a table of one row", ids, _gradient(draw, ids, width), 1, "any shape")
    ids = _repeated(draw, 11, size)
    yield case("vectors of one number", ids, _gradient(draw, ids, 1), size, "any shape")


embedding_grad = Exercise(
    id="02.embedding_grad",
    title="The gradient of a lookup",
    why="It says which rows of the table learn from a batch, and how much: the rest of the notebook stands on it.",
    difficulty=2,
    minutes=12,
    criteria=(
        Criterion("rows", 1, "each row that is looked up once gets its gradient, the others get zero"),
        Criterion("repeats", 2, "a row that is looked up several times gets the sum"),
        Criterion("any shape", 1, "ids of any shape, none at all included"),
    ),
    hints=(
        "On paper: ids [1, 2, 1] and the gradients a, b, c at the three outputs. What does row 1 of the table get?",
        "Shapes first: flatten the ids to (N,) and grad_output to (N, d). Now only one case is left to think about.",
        "`table[ids] += values` reads every row once and writes it once, so of two equal ids only one is added.",
        "Either loop over the N positions, or look for a torch method whose name says that it adds at an index.",
    ),
    cases=_embedding_grad_cases,
    run=dense_gradient,
)


def _softmax_gradient(candidate: Callable[..., Any], logits: torch.Tensor, targets: torch.Tensor, twice: bool = False) -> Any:
    """Call, or call `twice` with the same tensors and return what came the second time."""
    if twice:
        candidate(logits, targets)
    return candidate(logits, targets)


def _softmax_cross_entropy_grad_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, logits: torch.Tensor, targets: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"logits": logits, "targets": targets}, criterion, because=because)

    def targets_for(rows: int, classes: int) -> torch.Tensor:
        last = torch.tensor([classes - 1])
        return _shuffled_rows(draw, torch.cat([last, draw.ids(rows - 1, classes)]))

    # Neither the first nor the last class is the target: it stands in for no index of a row and no number of classes.
    yield case("a single row", draw.normal(1, 5), 1 + draw.ids(1, 3), "one row")
    yield case("a single row, float64", draw.normal(1, 7, dtype=torch.float64), 1 + draw.ids(1, 5), "one row")

    rows, classes = draw.choice(((2, 5), (3, 5), (3, 7), (5, 7)))
    yield case("more classes than rows", draw.normal(rows, classes, scale=2), targets_for(rows, classes), "mean",
               "The loss is the mean over the rows, so each row's share is 1/N.")  # fmt: skip
    yield case("more rows than classes", draw.normal(11, 3), targets_for(11, 3), "mean")
    yield case("as many rows as classes", draw.normal(5, 5), targets_for(5, 5), "mean")
    yield case("float64", draw.normal(classes, rows, dtype=torch.float64, scale=3), targets_for(classes, rows), "mean")
    again = {"logits": draw.normal(rows, classes), "targets": targets_for(rows, classes)}
    told = f"softmax_cross_entropy_grad(logits, targets) a second time, logits of shape ({rows}, {classes})"
    yield Case("the same tensors a second time", again, "mean", {"twice": True}, told,
               because="What autograd leaves behind in the caller's logits adds up.")  # fmt: skip
    yield case("a single class", draw.normal(rows, 1), torch.zeros(rows, dtype=torch.int64), "mean",
               "Where there is nothing to choose, nothing is to be learned.")  # fmt: skip
    yield case("logits and targets with gaps in memory", strided(draw.normal(rows, classes)),
               strided(targets_for(rows, classes)), "mean")  # fmt: skip

    # Gaps of 200 and more: every row's softmax is one-hot to the last bit, so no rounding is in doubt.
    ladder = torch.linspace(-1000, 1000, 7)
    yield case("logits from -1000 to 1000", torch.stack([ladder[draw.distinct(7, 7)] for _ in range(3)]),
               targets_for(3, 7), "large logits", "Adding a constant to a row changes no probability.")  # fmt: skip
    yield case("logits around 300", 300 + draw.normal(rows, classes), targets_for(rows, classes), "large logits")
    yield case("logits around -1000, float64", draw.normal(rows, classes, dtype=torch.float64) - 1000,
               targets_for(rows, classes), "large logits")  # fmt: skip
    levels = torch.tensor([[1000.0], [-1000.0], [0.0]], dtype=torch.float64)[draw.distinct(3, 3)]
    yield case("rows on very different levels, float64", levels + draw.normal(3, 5, dtype=torch.float64),
               targets_for(3, 5), "large logits", "Each row has a largest logit of its own.")  # fmt: skip


softmax_cross_entropy_grad = Exercise(
    id="02.softmax_cross_entropy_grad",
    title="The gradient of the loss",
    why="Prediction minus truth: this is the first signal of every backward pass in the course.",
    difficulty=2,
    minutes=12,
    criteria=(
        Criterion("one row", 1, "for a single row it is probabilities minus the one-hot target"),
        Criterion("mean", 2, "for a batch it is the gradient of the mean loss"),
        Criterion("large logits", 1, "large logits neither overflow nor underflow"),
    ),
    hints=(
        "Write the loss of one row as log(sum of exp) minus the target's logit, and differentiate both terms.",
        "The first term's derivative is the softmax; the second one's is -1 in the target's place and 0 elsewhere.",
        "The loss is the mean over N rows. What does that do to the gradient of each row?",
        "exp(1000) is inf. Softmax does not change when you subtract a row's own largest logit from the row first.",
    ),
    cases=_softmax_cross_entropy_grad_cases,
    run=_softmax_gradient,
)


def _embedding_grad_with_options_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, ids: torch.Tensor, width: int, size: int, criterion: str, **options: Any) -> Case:
        because, grad = options.pop("because", ""), options.pop("grad", None)
        args = {
            "ids": ids,
            "grad_output": _gradient(draw, ids, width) if grad is None else grad,
            "num_embeddings": size,
        }
        return Case(name, args, criterion, options=options, because=because)

    size, width = 7, draw.choice((2, 3, 5))
    batch, time = draw.shuffled((3, 5))
    yield case("no options", _repeated(draw, 11, size), width, size, "plain")
    yield case("ids of shape (B, T), no options", draw.ids((batch, time), 5), width, 5, "plain")
    yield case("options at their defaults", _repeated(draw, 11, size), width, size, "plain",
               padding_idx=None, scale_grad_by_freq=False)  # fmt: skip

    middle = draw.integer(1, size - 2)
    with_middle = torch.cat([torch.tensor([middle]), _repeated(draw, 11, size)])
    yield case("padding_idx inside the table", with_middle, width, size, "padding", padding_idx=middle)
    yield case("padding_idx 0", _repeated(draw, 11, size), width, size, "padding", padding_idx=0,
               because="0 is a row like any other.")  # fmt: skip
    yield case("padding_idx -1", _repeated(draw, 11, size), width, size, "padding", padding_idx=-1,
               because="A negative padding_idx counts from the end of the table.")  # fmt: skip
    yield case("padding_idx -num_embeddings", _repeated(draw, 11, size), width, size, "padding", padding_idx=-size)
    ids = _repeated(draw, 11, size - 1)
    yield case("a padding row that does not occur", ids, width, size, "padding", padding_idx=size - 1)
    ids = torch.full((batch, time), middle)
    yield case("nothing but padding", ids, width, size, "padding", padding_idx=middle)

    ids = _repeated(draw, 11, size - 1)
    yield case("frequencies", ids, width, size, "frequency", scale_grad_by_freq=True,
               because="A row's gradient is divided by how often its id occurs; the others stay zero.")  # fmt: skip
    ids = torch.cat([torch.zeros(batch, 1, dtype=torch.int64), draw.ids((batch, time), 3)], dim=1)
    yield case("frequencies in a batch of sentences", ids, width, size, "frequency", scale_grad_by_freq=True,
               because="The count is taken over the whole batch.")  # fmt: skip
    ids = _repeated(draw, 5, 5)
    yield case("frequencies, as many ids as rows and columns", ids, 5, 5, "frequency", scale_grad_by_freq=True)
    ids = _repeated(draw, 11, size)
    yield case("frequencies, float64", ids, width, size, "frequency", scale_grad_by_freq=True,
               grad=_gradient(draw, ids, width, dtype=torch.float64, scale=1e4))  # fmt: skip
    yield case("the frequency of an id that stands 300 times", torch.full((300,), middle), 2, size, "frequency",
               scale_grad_by_freq=True)  # fmt: skip
    yield case("the frequency of a single id", draw.ids((), size), width, size, "frequency", scale_grad_by_freq=True)
    yield case("frequencies of no ids", draw.ids((0,), size), width, size, "frequency", scale_grad_by_freq=True)

    ids = _repeated(draw, 11, size)
    yield case("padding and frequencies", ids, width, size, "together", padding_idx=0, scale_grad_by_freq=True)
    ids = strided(_repeated(draw, batch * time, size).reshape(batch, time))
    yield case("negative padding and frequencies, not contiguous in memory", ids, width, size, "together",
               grad=strided(_gradient(draw, ids, width)), padding_idx=-1, scale_grad_by_freq=True)  # fmt: skip
    yield case("sentences without words, both options", draw.ids((batch, 0), size), width, size, "together",
               padding_idx=-2, scale_grad_by_freq=True)  # fmt: skip
    ids = _repeated(draw, 11, size)
    args = {"ids": ids, "grad_output": _gradient(draw, ids, width), "num_embeddings": size, "padding_idx": -size,
            "scale_grad_by_freq": True}  # fmt: skip
    yield Case("both options by position", args, "together")


embedding_grad_with_options = Exercise(
    id="02.embedding_grad_with_options",
    title="padding_idx and scale_grad_by_freq",
    why="Two switches of torch.nn.Embedding that change nothing in the forward pass and much in what is learned.",
    difficulty=2,
    minutes=12,
    core=False,
    criteria=(
        Criterion("plain", 1, "without options it is embedding_grad"),
        Criterion("padding", 1, "the padding row gets no gradient, wherever it stands"),
        Criterion("frequency", 1, "each row is divided by how often its id occurs in the batch"),
        Criterion("together", 1, "both options work at once, on ids of any shape"),
    ),
    hints=(
        "Start from `embedding_grad`: both options only change rows of its result.",
        "0 is a valid padding_idx, and `if padding_idx:` does not see it.",
        "A negative index already means what it should when you index the table's gradient, not when you compare ids.",
        "Count each id over the whole batch, with a count for every row of the table; what may you divide by where it is 0?",
    ),
    cases=_embedding_grad_with_options_cases,
    run=dense_gradient,
    uses=("embedding_grad",),
)
