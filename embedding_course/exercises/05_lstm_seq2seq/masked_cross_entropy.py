"""How the decoder's answer is scored: a mean over real words."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, show, strided
from ...checking.gradient_rules import gradient_rules
from ...messages import Message
from .modules import gradients


def _run(
    candidate: Callable[..., Any], logits: torch.Tensor, targets: torch.Tensor, pad: int, backward: bool = False
) -> NamedParts:
    """Call the answer; with `backward`, also report the gradient of the logits."""
    if not logits.is_contiguous():
        logits = logits.transpose(0, 1).contiguous().transpose(0, 1)  # as a decoder hands them over that takes time first
    if not backward:
        return NamedParts({"loss": candidate(logits, targets, pad)})
    leaf = logits.clone().requires_grad_()
    loss = candidate(leaf, targets, pad)
    return NamedParts({"loss": loss, **gradients([(loss, torch.ones(()))], {"logits": leaf})})


def _loss(expected: Any, got: Any, case: Case) -> Mismatch | None:
    """Compare the losses; without a real word, the loss may be the constant 0 of any type."""
    number = got.item() if isinstance(got, torch.Tensor) and got.ndim == 0 else got
    if not _a_word_counts(case) and type(number) in (int, float) and number == 0:
        return None
    return Comparison().leaf(expected, got, Message("the loss"))


def _gradient(expected: Any, got: Any, case: Case) -> Mismatch | None:
    """Compare the gradients of the logits; the loss must have a graph whenever a logit counts, even if the gradient is 0."""
    if got is None and _a_word_counts(case):
        return Mismatch("property", Message("No gradient reaches the logits: the loss carries no graph."))
    return _BY_VALUE["gradient of logits"](expected, got, case)


def _a_word_counts(case: Case) -> bool:
    return bool((case.args["targets"] != case.args["pad"]).any())


_BY_VALUE = gradient_rules("logits")


def _cases(draw: RandomInputs) -> Iterator[Case]:
    batch, time = draw.choice(((3, 5), (3, 7), (5, 7)))
    classes = draw.choice([size for size in (7, 11) if size != time])

    def targets(lengths: Sequence[int], columns: int, classes: int, pad: int) -> torch.Tensor:
        """Return targets in which the first and the last class other than pad occur, with pad after each sentence."""
        words = torch.tensor([word for word in range(classes) if word != pad])
        drawn = words[draw.ids((len(lengths), columns), len(words))]
        drawn[0, 0] = words[-1]
        drawn[-1, 0] = words[0]
        return torch.where(torch.arange(columns) < torch.tensor(lengths)[:, None], drawn, pad)

    def case(
        name: str,
        lengths: Sequence[int],
        criterion: str,
        because: str = "",
        *,
        columns: int = time,
        classes: int = classes,
        pad: int = 0,
        gaps: bool = False,
        backward: bool = False,
        logits: torch.Tensor | None = None,
    ) -> Case:
        wanted = targets(lengths, columns, classes, pad)
        if logits is None:
            drawn: torch.Tensor = draw.normal(len(lengths), columns, classes, scale=1.5)
            logits = drawn
        if gaps:
            logits, wanted = strided(logits), strided(wanted)
        call = f"masked_cross_entropy({show(logits)}, {show(wanted)}, pad={pad})"
        call += ", then backward" if backward else ""
        args = {"logits": logits, "targets": wanted, "pad": pad}
        return Case(name, args, criterion, {"backward": True} if backward else {}, call, because)

    def unequal(rows: int, columns: int) -> list[int]:
        return draw.shuffled([columns, 1, *draw.ids(rows - 2, columns - 2).add(2).tolist()])

    def ladder(rows: int, columns: int) -> torch.Tensor:
        """Return logits with gaps of 200 or more, so that every row's softmax is one-hot to the last bit."""
        steps = torch.linspace(-1000, 1000, 11)
        return torch.stack([steps[draw.distinct(11, 11)] for _ in range(rows * columns)]).reshape(rows, columns, 11)

    yield case("no padding", [time] * batch, "mean").trying("targets")
    yield case("as many words as classes", [classes] * batch, "mean",
               "The classes stand on the last axis.", columns=classes).trying("logits (B, T, V)")
    yield case("as many sentences as words", [5] * 5, "mean", columns=5)
    yield case("as many sentences as classes", [time] * classes, "mean").trying("logits (B, T, V)")

    real = "The mean is over all real words of the batch: long sentences weigh more than short ones, padding nothing."
    yield case("padded sentences", unequal(batch, time), "padding", real).trying("targets")
    yield case("the last class is pad", unequal(batch, time), "padding", real, pad=classes - 1)
    middle = draw.integer(1, classes - 2)
    yield case("another class is pad", unequal(batch, time), "padding", real, pad=middle)
    for pad in (-100, -1, classes + 3):
        name = "pad is above all classes" if pad > 0 else f"pad is {pad}"
        yield case(name, unequal(batch, time), "padding", "pad may lie outside the classes.", pad=pad)

    nothing = "Without a real word the loss is 0: there is nothing to learn from, and 0 / 0 would spoil the weights."
    yield case("a single word", [1], "any batch", columns=1).trying("returns")
    yield case("one word in each sentence", [1] * batch, "any batch",
               "Only the axis of the classes goes away.", columns=1).trying("returns")
    yield case("one padded sentence", [time - 1], "any batch", real)
    yield case("one column, a sentence without words", draw.shuffled([1, 0, 1]), "any batch", real, columns=1)
    yield case("a sentence of padding only", draw.shuffled([time, 0, 2]), "any batch", real).trying("targets")
    yield case("padded, with gaps in memory", unequal(batch, time), "any batch", real, gaps=True).trying("logits (B, T, V)")
    yield case("only padding", [0] * batch, "any batch", nothing, pad=middle).trying("where none")
    yield case("large logits", unequal(3, 5), "any batch", "No exponential may overflow.", columns=5, classes=11,
               logits=ladder(3, 5)).trying(
        "logits (B, T, V)")
    logits = draw.normal(batch, time, classes)
    lengths = unequal(batch, time)
    for row, length in enumerate(lengths):
        logits[row, length:] *= 1e4
    yield case("large logits at padding", lengths, "any batch", real, logits=logits).trying("logits (B, T, V)")
    wide = 1e4 + draw.normal(batch, time, classes, dtype=torch.float64)
    yield case("float64, logits around 1e4", unequal(batch, time), "any batch", logits=wide).trying(
        "logits (B, T, V)", "returns")
    levels = torch.linspace(-1e4, 1e4, batch * time, dtype=torch.float64)[draw.distinct(batch * time, batch * time)]
    yield case("float64, logits on a different level for each word", unequal(batch, time), "any batch",
               "Adding a constant to a word's logits changes no probability.",
               logits=levels.reshape(batch, time, 1) + draw.normal(batch, time, classes, dtype=torch.float64)).trying(
        "logits (B, T, V)")
    empty = {"logits": torch.zeros(batch, 0, classes), "targets": torch.zeros(batch, 0, dtype=torch.int64), "pad": 0}
    yield Case("no columns", empty, "any batch", because=nothing).trying("targets", "where none")
    known = {"logits": torch.zeros(2, 2, 3), "targets": torch.tensor([[1, 2], [1, 0]]), "pad": 0}
    yield Case("docstring example", known, "any batch", because=real).trying("returns")
    known = {"logits": torch.zeros(1, 2, 3), "targets": torch.tensor([[0, 0]]), "pad": 0}
    yield Case("docstring example 2", known, "any batch", because=nothing).trying("where none")

    yield case("gradient, no padding", [time] * batch, "gradient", backward=True).trying("It has a graph")
    yield case("gradient, padded sentences", unequal(batch, time), "gradient", pad=middle, backward=True,
               because="Logits at padding get the gradient 0.").trying("It has a graph")
    yield case("gradient, pad is -100", unequal(batch, time), "gradient", pad=-100, backward=True).trying("It has a graph")
    yield case("gradient, a single word", [1], "gradient", columns=1, backward=True,
               because="The loss has a graph whenever a word counts.").trying("It has a graph")
    yield case("gradient, large logits", unequal(3, 5), "gradient", columns=5, classes=11, logits=ladder(3, 5),
               backward=True).trying("It has a graph")
    yield case("gradient, float64", unequal(batch, time), "gradient", backward=True,
               logits=wide.flip(2)).trying("It has a graph")
    yield case("gradient, only padding", [0] * batch, "gradient", nothing, backward=True).trying("where none")


masked_cross_entropy = Exercise(
    id="05.masked_cross_entropy",
    title="A loss that leaves padding out",
    why="Most of a batch can be padding. If it counts, the loss looks good because padding is easy, and words learn less.",
    difficulty=2,
    minutes=13,
    core=False,
    criteria=(
        Criterion("mean", 1, "without padding it is the mean cross-entropy of all words"),
        Criterion("padding", 1, "padding counts neither in the sum nor in the number, whatever id it has",
                  tries=("pad the id", "it may lie")),
        Criterion("any batch", 0.5, "sizes of one, nothing but padding gives 0; large logits, float64"),
        Criterion("gradient", 0.5, "the loss has a graph; its gradient is that of the mean, 0 at padding, and always finite"),
    ),
    hints=(
        "For one word the loss is the log-sum-exp of its logits minus the logit of its class. Then: which words count?",
        "Do not average over sentences first: divide the sum over all real words by how many there are.",
        "If you pick the target's log-probability by index, an id that is no class fails: replace it by any class where "
        "the mask is False, and let the mask remove it afterwards. torch's own function has a parameter for this, too.",
        "Ask torch for the sum instead of the mean, on logits flattened to (B*T, V), and divide by the number of real "
        "words, but at least by 1.",
    ),
    cases=_cases,
    of_driver=("backward",),
    run=_run,
    compare=Comparison(rules={"loss": _loss, "gradient of logits": _gradient}),
)
