"""The gradient of a lookup with padding and with frequencies: cases and comparison."""

from collections.abc import Iterator
from functools import partial

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from .batches import cancelling, dense_gradient, gradient_for, lookup_case, repeated, same_gradient


def _cases(draw: RandomInputs) -> Iterator[Case]:
    case = partial(lookup_case, draw)
    size, width = 7, draw.choice((2, 3, 5))
    batch, time = draw.shuffled((3, 5))
    yield case("no options", repeated(draw, 11, size), width, size, "plain").trying("None means", "returns")
    yield case("ids of shape (B, T), no options", draw.ids((batch, time), 5), width, 5, "plain")
    yield case("options at their defaults", repeated(draw, 11, size), width, size, "plain",
               padding_idx=None, scale_grad_by_freq=False).trying("None means")

    middle = draw.integer(1, size - 2)
    with_middle = torch.cat([torch.tensor([middle]), repeated(draw, 11, size)])
    yield case("padding_idx inside the table", with_middle, width, size, "padding", padding_idx=middle).trying(
        "table, with two", "padding_idx")
    yield case("padding_idx 0", repeated(draw, 11, size), width, size, "padding", padding_idx=0,
               because="0 is a row like any other.").trying("padding_idx")
    yield case("padding_idx -1", repeated(draw, 11, size), width, size, "padding", padding_idx=-1,
               because="A negative padding_idx counts from the end of the table.").trying("the last row")
    example = {"ids": torch.tensor([1, 2, 1]), "grad_output": torch.tensor([[2.0], [5.0], [4.0]]), "num_embeddings": 3}
    yield Case("docstring example", example, "padding", {"padding_idx": -1}).trying("the last row")
    yield case("padding_idx -num_embeddings", repeated(draw, 11, size), width, size, "padding", padding_idx=-size).trying(
        "the last row")
    ids = repeated(draw, 11, size - 1)
    yield case("a padding row that does not occur", ids, width, size, "padding", padding_idx=size - 1).trying("padding_idx")
    ids = torch.full((batch, time), middle)
    yield case("only padding", ids, width, size, "padding", padding_idx=middle).trying("padding_idx")

    ids = repeated(draw, 11, size - 1)
    yield case("frequencies", ids, width, size, "frequency", scale_grad_by_freq=True,
               because="A row's gradient is divided by how often its id occurs; the others stay zero.").trying(
        "table, with two", "None means")
    yield Case("docstring example 2", example, "frequency", {"scale_grad_by_freq": True})
    ids = torch.cat([torch.zeros(batch, 1, dtype=torch.int64), draw.ids((batch, time), 3)], dim=1)
    yield case("frequencies in a batch of sentences", ids, width, size, "frequency", scale_grad_by_freq=True,
               because="The count is taken over the whole batch.")
    ids = repeated(draw, 5, 5)
    yield case("frequencies, as many ids as rows and columns", ids, 5, 5, "frequency", scale_grad_by_freq=True)
    ids, grad = cancelling(draw, size, width)
    yield case("frequencies, float64", ids, width, size, "frequency", scale_grad_by_freq=True, grad=grad).trying("returns")
    yield case("the frequency of an id that occurs 300 times", torch.full((300,), middle), 2, size, "frequency",
               scale_grad_by_freq=True)
    yield case("the frequency of a single id", draw.ids((), size), width, size, "frequency", scale_grad_by_freq=True)
    yield case("frequencies of no ids", draw.ids((0,), size), width, size, "frequency", scale_grad_by_freq=True).trying(
        "returns")

    ids = repeated(draw, 11, size)
    yield case("padding and frequencies", ids, width, size, "together", padding_idx=0, scale_grad_by_freq=True).trying(
        "table, with two")
    ids = strided(repeated(draw, batch * time, size).reshape(batch, time))
    yield case("negative padding and frequencies, not contiguous in memory", ids, width, size, "together",
               grad=strided(gradient_for(draw, ids, width)), padding_idx=-1, scale_grad_by_freq=True)
    yield case("sentences without words, both options", draw.ids((batch, 0), size), width, size, "together",
               padding_idx=-2, scale_grad_by_freq=True).trying("returns")
    ids = repeated(draw, 11, size)
    args = {"ids": ids, "grad_output": gradient_for(draw, ids, width), "num_embeddings": size, "padding_idx": -size,
            "scale_grad_by_freq": True}
    yield Case("both options by position", args, "together").trying("table, with two")


embedding_grad_with_options = Exercise(
    id="02.embedding_grad_with_options",
    title="padding_idx and scale_grad_by_freq",
    why="Two options of torch.nn.Embedding change the gradient, and nothing in the forward pass.",
    difficulty=2,
    minutes=16,
    core=False,
    criteria=(
        Criterion("plain", 1, "without options it is embedding_grad", tries=("ids, grad_output",)),
        Criterion("padding", 1, "the padding row gets no gradient, wherever it stands"),
        Criterion("frequency", 1, "each row is divided by how often its id occurs in the batch", tries=("scale_grad_by_freq",)),
        Criterion("together", 1, "both options work at once, on ids of any shape"),
    ),
    hints=(
        "Start from `embedding_grad`. Both options only change rows of its result.",
        "0 is a valid padding_idx, and `if padding_idx:` treats it as missing.",
        "A negative index is right when you index the gradient of the table, but not when you compare it with ids.",
        "Count each id over the whole batch, one count for every row of the table. Do not divide by a count of 0.",
    ),
    cases=_cases,
    run=dense_gradient,
    compare=same_gradient,
    uses=("embedding_grad",),
)
