"""Which rows of a table move at all, by optimizer and history."""

from collections.abc import Iterator, Sequence

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided

OPTIMIZERS = ("sgd", "sparse-adam", "sgd-momentum", "adam", "adamw")

_CRITERION = {
    "sgd": "no memory", "sparse-adam": "no memory", "sgd-momentum": "memory", "adam": "memory", "adamw": "decay",
}

_BECAUSE = {
    "sgd": "A gradient of zero is a step of zero.",
    "sparse-adam": "It changes only the rows of the batch.",
    "sgd-momentum": "Momentum keeps moving rows that it has seen; the others have no momentum.",
    "adam": "Its averages keep moving rows that it has seen; for the others they are zero.",
    "adamw": "Weight decay shrinks the whole table at each step.",
}

#: The sentences of the docstring that the cases with such words in their names try.
_TRIES = (
    ("one step", '"sgd", "sgd-momentum"'), ("one step", "returns"), ("no steps", "returns"),
    ("sgd: one step", "Each entry of `history`"), ("earlier batch", "Each entry of `history`"),
    ("row 0", "Each entry of `history`"), ("steps whose", "Each entry of `history`"), ("no steps", "tensors may be empty"),
    ("empty", "tensors may be empty"), ("empty", "Its gradient is dense"), ("last step only", "Its gradient is dense"),
    ("momentum: one step", "Its gradient is dense"), ("many shapes", "list of int64"),
    ("as large as the batch", "num_embeddings"), ("sparse-adam", 'only "sparse-adam"'), ("adamw", "The table starts"),
)


def _histories(draw: RandomInputs, size: int) -> Iterator[tuple[str, list[torch.Tensor]]]:
    """Yield batches over a table in which some rows occur early, some late, some in between, and some never."""
    order = draw.distinct(size, size)
    early, both, late = order[:2], order[2:4], order[4:6]
    yield "one step", [torch.cat([early, both, early[:1]])[draw.distinct(5, 5)]]
    yield "rows of an earlier batch", [torch.cat([early, both])[draw.distinct(4, 4)], both, torch.cat([both, late])]
    yield "a row that appears in the last step only", [early, early, torch.cat([late[:1], early])]
    yield "row 0 and the last row", [torch.tensor([0, size - 1]), 1 + draw.distinct(1, size - 2)]


def _small_table(draw: RandomInputs) -> list[torch.Tensor]:
    """Return batches on a table of five rows, the first with five ids, of which two occur twice."""
    first, second, third = draw.distinct(3, 5)
    return [torch.stack([first, second, second, third, first]), torch.stack([third])]


def _odd_batches(draw: RandomInputs, size: int) -> Iterator[tuple[str, list[torch.Tensor]]]:
    order, nothing = draw.distinct(size, size), torch.zeros(0, dtype=torch.int64)
    yield "no steps", []
    yield "steps whose batches are empty", [nothing, nothing.reshape(3, 0)]
    yield "the last batch is empty", [order[:4], order[2:4], nothing]
    yield "the first batch is empty", [nothing, order[:2], order[4:6]]
    yield "batches of many shapes", [
        order[:6].reshape(2, 3), order[0].reshape(()), strided(order[2:6].reshape(2, 2)), nothing.reshape(2, 0),
        order[1:5].reshape(2, 1, 2),
    ]


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(optimizer: str, what: str, history: Sequence[torch.Tensor], size: int, criterion: str = "") -> Case:
        args = {"optimizer": optimizer, "history": list(history), "num_embeddings": size}
        because = _BECAUSE[optimizer] if history else "Without a step nothing moves."
        name = f"{optimizer}: {what}"
        tries = (sentence for part, sentence in _TRIES if part in name)
        return Case(name, args, criterion or _CRITERION[optimizer], because=because).trying(*tries)

    size = draw.choice((11, 13, 17, 19))
    for optimizer in OPTIMIZERS:
        for what, history in draw.shuffled(list(_histories(draw, size))):
            yield case(optimizer, what, history, size)
        yield case(optimizer, "a table as large as the batch", _small_table(draw), 5)
    example = {"optimizer": "sgd", "history": [torch.tensor([1, 1]), torch.tensor([3])], "num_embeddings": 5}
    yield Case("docstring example", example, "no memory", because=_BECAUSE["sgd"]).trying("Each entry")
    for optimizer in OPTIMIZERS:
        for what, history in draw.shuffled(list(_odd_batches(draw, size))):
            yield case(optimizer, what, history, size, "any batches")


moved_rows = Exercise(
    id="02.moved_rows",
    title="Which rows move?",
    why="Many believe that rows outside the batch are never updated. It depends on the optimizer.",
    difficulty=2,
    minutes=18,
    criteria=(
        Criterion("no memory", 1.5, "plain SGD and SparseAdam: rows of all batches so far"),
        Criterion("memory", 1.5, "momentum and Adam, which remember earlier gradients", tries=('"adamw" has a weight',)),
        Criterion("decay", 1.5, "AdamW, whose weight decay needs no gradient",
                  tries=('"adamw" has a weight', "num_embeddings", "The table starts")),
        Criterion("any batches", 1.5, "no steps at all, empty batches, batches of any shape",
                  tries=("tensors may be empty", "Its gradient")),
    ),
    hints=(
        "Take a single row: is there any step in which this optimizer changes it? Later steps do not bring it back.",
        "Momentum and Adam still move a row after its batch. But can they move a row that never had a gradient?",
        "AdamW also multiplies every weight by 1 - lr * 0.01 in each step. Which rows does this change?",
        "An empty batch still ends in a step: its gradient is a whole table of zeros. An empty history has no step.",
    ),
    cases=_cases,
)
