"""What the decoder is fed, what it should say, and how its answer is scored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...gradient_rules import gradient_rules
from ...plain import Parts, strided
from ...show import show
from .backward import gradients
from .pairs import Pair

__all__ = ["masked_cross_entropy", "shift_targets"]


def _run_shift(candidate: Callable[..., Any], tgt: torch.Tensor, bos: int, eos: int, pad: int, graded: torch.Tensor) -> Parts:
    """Call; where `graded` is False it does not matter what the decoder is fed, and a 0 is reported."""
    parts = Pair.of(candidate(tgt, bos, eos, pad), ("decoder_input", "decoder_target"))
    fed = parts.get("decoder_input")
    if isinstance(fed, torch.Tensor) and fed.shape == graded.shape:
        parts["decoder_input"] = torch.where(graded, fed, torch.zeros_like(fed))
    return parts


def _shift_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str,
        lengths: Sequence[int],
        columns: int,
        criterion: str,
        because: str = "",
        *,
        bos: int = 1,
        eos: int = 2,
        pad: int = 0,
        gaps: bool = False,
    ) -> Case:
        words = torch.tensor([word for word in range(11) if word not in (bos, eos, pad)])
        ends = torch.tensor(lengths)[:, None]
        drawn = words[draw.ids((len(lengths), columns), len(words))]
        tgt = torch.where(torch.arange(columns) < ends, drawn, pad)
        args = {"tgt": strided(tgt) if gaps else tgt, "bos": bos, "eos": eos, "pad": pad}
        call = f"shift_targets({show(tgt)}, bos={bos}, eos={eos}, pad={pad})"
        return Case(name, args, criterion, {"graded": torch.arange(columns + 1) <= ends}, call, because)

    def unequal(rows: int, columns: int) -> list[int]:
        """A full row, a row of one word, and others, in no order."""
        return draw.shuffled([columns, 1, *draw.ids(rows - 2, columns - 2).add(2).tolist()])

    batch, time = draw.choice(((3, 5), (3, 7), (5, 7)))
    yield case("sentences of one length", [time] * batch, time, "full rows",
               "Each word is predicted from the one before it: the first from bos, and after the last comes eos.")  # fmt: skip
    yield case("a single sentence", [time], time, "full rows")
    yield case("one word in each row", [1] * batch, 1, "full rows")
    yield case("as many sentences as words", [time] * time, time, "full rows")

    ends = "eos stands right behind the last word of each row, before the padding."
    yield case("unequal lengths", unequal(batch, time), time, "padding", ends)
    yield case("unequal lengths, no row is full", unequal(batch, time - 1), time, "padding", ends)
    yield case("as many rows as columns, padded", unequal(time, time), time, "padding", ends)
    yield case("one padded row", [time - 1], time, "padding", ends)
    yield case("gaps in memory", unequal(batch, time), time, "padding", gaps=True)

    empty = "A row without words ends at once: its target is eos, then pad."
    yield case("a row without words", [2, 0, time], time, "any rows", empty)
    yield case("no words in any row", [0] * batch, time, "any rows", empty)
    yield case("no columns", [0] * batch, 0, "any rows", empty)
    yield case("pad, bos and eos above the words", unequal(batch, time), time, "any rows", bos=51, eos=52, pad=50,
               because="0 is a word here.")  # fmt: skip
    yield case("pad amid the words", unequal(batch, time), time, "any rows", bos=10, eos=0, pad=5)
    yield case("pad is -100", unequal(batch, time), time, "any rows", pad=-100)


shift_targets = Exercise(
    id="05.shift_targets",
    title="Shift the targets",
    why="Teacher forcing feeds the decoder the true words, one place late; shifted wrongly, it learns to copy its input.",
    difficulty=2,
    minutes=10,
    criteria=(
        Criterion("full rows", 1, "bos goes in first, eos comes out last"),
        Criterion("padding", 1, "in padded rows eos follows the last word"),
        Criterion("any rows", 1, "rows without words, no columns, any ids for bos, eos and pad"),
    ),
    hints=(
        "On paper, for the words 7 8: what goes in at each of three places, and what should come out there?",
        "Both results have a column more than tgt. What goes in is bos and then tgt; where the target is pad, nobody "
        "looks at it.",
        "What comes out is tgt with another column of padding behind it, and one pad of each row turned into eos. Which?",
        "The number of words of a row is the index at which its eos belongs. Count what is not pad, and write eos there "
        "with an index of rows and columns.",
    ),
    cases=_shift_cases,
    run=_run_shift,
    compare=Pair(),
)


def _run_loss(
    candidate: Callable[..., Any], logits: torch.Tensor, targets: torch.Tensor, pad: int, backward: bool = False
) -> Parts:
    """Call; with `backward` also report the gradient that reaches the logits."""
    if not logits.is_contiguous():
        logits = logits.transpose(0, 1).contiguous().transpose(0, 1)  # as a decoder hands them over that takes time first
    if not backward:
        return Parts({"loss": candidate(logits, targets, pad)})
    leaf = logits.clone().requires_grad_()
    loss = candidate(leaf, targets, pad)
    return Parts({"loss": loss, **gradients([(loss, torch.ones(()))], {"logits": leaf})})


def _loss(expected: Any, got: Any, case: Case) -> Fault | None:
    """Without a real word the loss may be a constant, of any type: 0."""
    number = got.item() if isinstance(got, torch.Tensor) and got.ndim == 0 else got
    if bool((case.args["targets"] == case.args["pad"]).all()) and type(number) in (int, float) and number == 0:
        return None
    return Same().leaf(expected, got, "the loss")


def _loss_cases(draw: Draw) -> Iterator[Case]:
    def targets(lengths: Sequence[int], columns: int, classes: int, pad: int) -> torch.Tensor:
        """Class 0 (or 1, where 0 is pad) and the last one occur; behind each sentence stands pad."""
        words = torch.tensor([word for word in range(classes) if word != pad])
        drawn = words[draw.ids((len(lengths), columns), len(words))]
        drawn[0, 0] = words[-1]
        drawn[-1, 0] = words[0]
        return torch.where(torch.arange(columns) < torch.tensor(lengths)[:, None], drawn, pad)

    def case(
        name: str,
        lengths: Sequence[int],
        columns: int,
        classes: int,
        criterion: str,
        because: str = "",
        *,
        pad: int = 0,
        gaps: bool = False,
        backward: bool = False,
        logits: torch.Tensor | None = None,
    ) -> Case:
        wanted = targets(lengths, columns, classes, pad)
        if logits is None:
            logits = draw.normal(len(lengths), columns, classes, scale=1.5)
        if gaps:
            logits, wanted = strided(logits), strided(wanted)
        call = f"masked_cross_entropy({show(logits)}, {show(wanted)}, pad={pad})"
        call += ", then backward" if backward else ""
        args = {"logits": logits, "targets": wanted, "pad": pad}
        return Case(name, args, criterion, {"backward": True} if backward else {}, call, because)

    def unequal(rows: int, columns: int) -> list[int]:
        return draw.shuffled([columns, 1, *draw.ids(rows - 2, columns - 2).add(2).tolist()])

    def ladder(rows: int, columns: int) -> torch.Tensor:
        """Gaps of 200 and more: every row's softmax is one-hot to the last bit."""
        steps = torch.linspace(-1000, 1000, 11)
        return torch.stack([steps[draw.distinct(11, 11)] for _ in range(rows * columns)]).reshape(rows, columns, 11)

    batch, time = draw.choice(((3, 5), (3, 7), (5, 7)))
    classes = draw.choice([size for size in (7, 11) if size != time])
    yield case("no padding", [time] * batch, time, classes, "mean")
    yield case("a single word", [1], 1, classes, "mean")
    yield case("one word in each sentence", [1] * batch, 1, classes, "mean", "Only the axis of the classes goes away.")
    yield case("as many words as classes", [classes] * batch, classes, classes, "mean",
               "The classes stand on the last axis.")  # fmt: skip
    yield case("as many sentences as words", [5] * 5, 5, classes, "mean")
    yield case("as many sentences as classes", [time] * classes, time, classes, "mean")

    real = "The mean is over all real words of the batch: long sentences weigh more than short ones, padding nothing."
    yield case("padded sentences", unequal(batch, time), time, classes, "padding", real)
    yield case("a sentence of nothing but padding", [time, 0, 2], time, classes, "padding", real)
    yield case("one padded sentence", [time - 1], time, classes, "padding", real)
    yield case("one column, a sentence without words", [1, 0, 1], 1, classes, "padding", real)
    yield case("the last class is pad", unequal(batch, time), time, classes, "padding", real, pad=classes - 1)
    middle = draw.integer(1, classes - 2)
    yield case("another class is pad", unequal(batch, time), time, classes, "padding", real, pad=middle)
    for pad in (-100, -1, classes + 3):
        name = "pad is above all classes" if pad > 0 else f"pad is {pad}"
        yield case(name, unequal(batch, time), time, classes, "padding", "pad need be no class at all.", pad=pad)
    yield case("padded, with gaps in memory", unequal(batch, time), time, classes, "padding", real, gaps=True)

    nothing = "Without a real word the loss is 0: there is nothing to learn from, and 0 / 0 would spoil the weights."
    yield case("nothing but padding", [0] * batch, time, classes, "any batch", nothing, pad=middle)
    yield case("large logits", unequal(3, 5), 5, 11, "any batch", "No exponential may overflow.", logits=ladder(3, 5))
    logits = draw.normal(batch, time, classes)
    lengths = unequal(batch, time)
    for row, length in enumerate(lengths):
        logits[row, length:] *= 1e4
    yield case("large logits at padding", lengths, time, classes, "any batch", real, logits=logits)
    wide = 1e4 + draw.normal(batch, time, classes, dtype=torch.float64)
    yield case("float64, logits around 1e4", unequal(batch, time), time, classes, "any batch", logits=wide, backward=True)
    levels = torch.linspace(-1e4, 1e4, batch * time, dtype=torch.float64)[draw.distinct(batch * time, batch * time)]
    yield case("float64, each word on a level of its own", unequal(batch, time), time, classes, "any batch",
               "Adding a constant to a word's logits changes no probability.", backward=True,
               logits=levels.reshape(batch, time, 1) + draw.normal(batch, time, classes, dtype=torch.float64))  # fmt: skip
    args = {"logits": torch.zeros(batch, 0, classes), "targets": torch.zeros(batch, 0, dtype=torch.int64), "pad": 0}
    yield Case("no columns", args, "any batch", because=nothing)

    yield case("gradient, no padding", [time] * batch, time, classes, "gradient", backward=True)
    yield case("gradient, padded sentences", unequal(batch, time), time, classes, "gradient", pad=middle, backward=True,
               because="Logits at padding get the gradient 0.")  # fmt: skip
    yield case("gradient, pad is -100", unequal(batch, time), time, classes, "gradient", pad=-100, backward=True)
    yield case("gradient, large logits", unequal(3, 5), 5, 11, "gradient", logits=ladder(3, 5), backward=True)
    yield case("gradient, nothing but padding", [0] * batch, time, classes, "gradient", nothing, backward=True)


masked_cross_entropy = Exercise(
    id="05.masked_cross_entropy",
    title="A loss that leaves padding out",
    why="Most of a batch can be padding. If it counts, the loss looks good because padding is easy, and words learn less.",
    difficulty=2,
    minutes=10,
    criteria=(
        Criterion("mean", 1, "without padding it is the mean cross-entropy of all words"),
        Criterion("padding", 1, "padding counts neither in the sum nor in the number, whatever id it has"),
        Criterion("any batch", 0.5, "nothing but padding gives 0; large logits, float64"),
        Criterion("gradient", 0.5, "the gradient is that of the mean, 0 at padding, and always finite"),
    ),
    hints=(
        "For one word the loss is the log-sum-exp of its logits minus the logit of its class. Then: which words count?",
        "Do not average over sentences first: divide the sum over all real words by how many there are.",
        "If you pick the target's log-probability by index, an id that is no class fails: replace it by any class where "
        "the mask is False, and let the mask remove it afterwards. torch's own function has a parameter for this, too.",
        "Ask torch for the sum instead of the mean, on logits flattened to (B*T, V), and divide by the number of real "
        "words, but at least by 1.",
    ),
    cases=_loss_cases,
    run=_run_loss,
    compare=Same(rules={"loss": _loss, **gradient_rules("logits")}),
)
