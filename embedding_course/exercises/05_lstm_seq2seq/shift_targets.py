"""What the decoder is fed, and what it should say."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, NamedParts, RandomInputs, show, strided
from .pairs import Pair


def _run(candidate: Callable[..., Any], tgt: torch.Tensor, bos: int, eos: int, pad: int, graded: torch.Tensor) -> NamedParts:
    """Call the answer; where `graded` is False, any input of the decoder is right, and 0 is reported."""
    parts = Pair.of(candidate(tgt, bos, eos, pad), ("decoder_input", "decoder_target"))
    fed = parts.get("decoder_input")
    if isinstance(fed, torch.Tensor) and fed.shape == graded.shape:
        parts["decoder_input"] = torch.where(graded, fed, torch.zeros_like(fed))
    return parts


def _cases(draw: RandomInputs) -> Iterator[Case]:
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
        """Return the lengths of a full row, a row of one word and other rows, in no order."""
        return draw.shuffled([columns, 1, *draw.ids(rows - 2, columns - 2).add(2).tolist()])

    batch, time = draw.choice(((3, 5), (3, 7), (5, 7)))
    yield case("sentences of one length", [time] * batch, time, "full rows",
               "Each word is predicted from the one before it: the first from bos, and after the last comes eos.").trying(
        "bos the id", "The target", "The input at each position")
    yield case("as many sentences as words", [time] * time, time, "full rows").trying("The input at each position")

    ends = "eos stands right behind the last word of each row, before the padding."
    yield case("unequal lengths", unequal(batch, time), time, "padding", ends).trying(
        "tgt (B, T)", "a row may have no words", "eos the id", "The target", "The input at each position", "where the target")
    yield case("unequal lengths, no row is full", unequal(batch, time - 1), time, "padding", ends).trying("The target")
    yield case("as many rows as columns, padded", unequal(time, time), time, "padding", ends).trying("returns")

    yield case("a single sentence", [time], time, "any rows").trying("tgt (B, T)", "a row may have no words")
    yield case("one word in each row", [1] * batch, 1, "any rows").trying("returns")
    yield case("one padded row", [time - 1], time, "any rows", ends).trying("The target")
    yield case("gaps in memory", unequal(batch, time), time, "any rows", gaps=True).trying(
        "tgt (B, T)", "a row may have no words")
    empty = "A row without words ends at once: its target is eos, then pad."
    yield case("a row without words", draw.shuffled([2, 0, time]), time, "any rows", empty).trying(
        "tgt (B, T)", "a row may have no words")
    yield case("no words in any row", [0] * batch, time, "any rows", empty).trying(
        "tgt (B, T)", "a row may have no words", "where the target")
    yield case("no columns", [0] * batch, 0, "any rows", empty).trying("tgt (B, T)", "a row may have no words", "returns")
    yield case("pad, bos and eos above the words", unequal(batch, time), time, "any rows", bos=51, eos=52, pad=50,
               because="0 is a word here.").trying("bos the id", "eos the id", "pad the id", "the words are none")
    yield case("pad amid the words", unequal(batch, time), time, "any rows", bos=10, eos=0, pad=5).trying(
        "eos the id", "pad the id", "the words are none")
    yield case("bos is 0", unequal(batch, time), time, "any rows", bos=0, eos=10, pad=5).trying("bos the id")
    yield case("pad is -100", unequal(batch, time), time, "any rows", pad=-100).trying("pad the id", "the words are none")
    known = {"tgt": torch.tensor([[7, 8, 9], [5, 0, 0]]), "bos": 1, "eos": 2, "pad": 0}
    counts = torch.tensor([[True] * 4, [True, True, False, False]])
    yield Case("docstring example", known, "any rows", {"graded": counts}, because=ends).trying("returns")


shift_targets = Exercise(
    id="05.shift_targets",
    title="Shift the targets",
    why="Teacher forcing feeds the decoder the true words, one position late; shifted wrongly, it learns to copy its input.",
    difficulty=2,
    minutes=13,
    criteria=(
        Criterion("full rows", 1.5, "bos goes in first, eos comes out last"),
        Criterion("padding", 1.5, "in padded rows eos follows the last word"),
        Criterion("any rows", 1, "one row, rows without words, no columns, any ids for bos, eos and pad"),
    ),
    hints=(
        "On paper, for the words 7 8: what goes in at each of three positions, and what should come out there?",
        "Both results have a column more than tgt. What goes in is bos and then tgt; where the target is pad, any id will do.",
        "What comes out is tgt with another column of padding behind it, and one pad of each row turned into eos. Which?",
        "The number of words of a row is the index at which its eos belongs. Count what is not pad, and write eos there "
        "with an index of rows and columns.",
    ),
    cases=_cases,
    of_driver=("graded",),
    run=_run,
    compare=Pair(),
)
