"""Word by word until the end: greedy decoding."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, RandomInputs, show, strided
from ...checking.mismatch import RESULT
from ...messages import Code, Message
from ..rules import required
from .greedy_decode_driver import run

_VOCAB = 11
_STEPS = 8
_SURE = 5.0


def _sentences(expected: Any, got: Any, _: Case) -> Mismatch | None:
    if not isinstance(got, list) or len(got) != len(expected):
        return Comparison().leaf(expected, got, RESULT)
    for row, (mine, theirs) in enumerate(zip(expected, got, strict=True)):
        fault = Comparison().leaf(mine, theirs, Message("row {row} of the result", row=row))
        if fault and isinstance(theirs, list):
            message = Message("Row {row} of the result has wrong words: {received}, not {expected}.")
            if len(mine) != len(theirs):
                message = Message("Row {row} of the result has too many or too few words: {received}, not {expected}.")
            hidden = Message("A row of the result has wrong words.")
            return Mismatch("values", message.fill(row=row, received=show(theirs), expected=show(mine)), hidden)
        if fault:
            return fault
    return None


def _mode(name: str) -> Callable[[Any, Any, Case], Mismatch | None]:
    def rule(_: Any, got: Any, case: Case) -> Mismatch | None:
        training = case.options["training"][name]
        if isinstance(got, torch.Tensor) and got.numel() > 1 and bool((got == int(training)).all()):
            return None
        said = Message("The mode (train or eval) of the {name} was changed; that is for the caller to say.")
        return Mismatch("property", said.fill(name=Code(name)))

    return rule


def _sources(draw: RandomInputs, lines: Sequence[int], columns: int, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a batch whose rows mean these lines of the script, and its lengths.

    An encoder that reads the padding too gets other lines.
    """
    rows = len(lines)
    lengths = [1, columns, *draw.ids(rows - 2, columns - 2).add(2).tolist()] if rows > 1 else [columns - 1]
    src = torch.full((rows, columns), 7)
    for row, (line, length) in enumerate(zip(lines, lengths, strict=True)):
        src[row, :length] = draw.ids(length, 9) + 1
        src[row, 0] += (line - int(src[row, :length].sum())) % count
    return src, torch.tensor(lengths)


def _tables(
    draw: RandomInputs, script: Sequence[Sequence[int]], bos: int, lead: float, shift: float
) -> dict[str, dict[str, Any]]:
    """Return an encoder and a decoder that follow the script, with one state for each line and step, numbered in no order.

    The best word is the script's next one as long as the right words and states are fed; otherwise it is another word. Along
    the script, the best word leads by `lead`. Away from it, the lead is large, so that with a small `lead` whole sentences
    that left the script early are more probable.
    """
    states = len(script) * (_STEPS + 1)
    order = draw.distinct(states, states).reshape(len(script), _STEPS + 1)
    best = torch.zeros(2 * states, _VOCAB, dtype=torch.int64)
    leads = torch.full((2 * states, _VOCAB), _SURE)
    fed = torch.arange(_VOCAB)
    for words, numbers in zip(script, order.tolist(), strict=True):
        for here, before, number in zip([*words, words[-1]], [bos, *words], numbers, strict=True):
            best[number] = (here + 1 + fed % (_VOCAB - 1)) % _VOCAB
            best[number, before], leads[number, before] = here, lead
            best[states + number] = (here + 1) % _VOCAB
    onward = torch.zeros(states, dtype=torch.int64)
    onward[order] = torch.cat([order[:, 1:], order[:, -1:]], dim=1)
    marks = draw.distinct(states, states) + 1
    noise = draw.uniform(_VOCAB, _VOCAB, low=-1.0) + shift
    return {
        "encoder": {"ends": order[:, 0].clone(), "marks": marks},
        "decoder": {"best": best, "leads": leads, "onward": onward, "marks": marks.clone(), "noise": noise},
    }


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        ends: Sequence[int],
        max_len: int,
        criterion: str,
        because: str = "",
        *,
        bos: int = 1,
        eos: int = 2,
        shift: float = 0.0,
        lead: float = _SURE,
        columns: int = 5,
        insert: Mapping[int, int] | None = None,
        gaps: bool = False,
        training: str | None = None,
    ) -> Case:
        """Return a case from a random script, of which `ends` and `insert` are given.

        `ends` holds for each row the number of words that its line has before eos. `insert` puts words at steps of every line.
        """
        words = [word for word in range(1, _VOCAB) if word not in (bos, eos)]
        count = max(3, len(ends))
        order = draw.distinct(count, count).tolist()
        script = [[] for _ in range(count)]
        for row, line in enumerate(order):
            written = [draw.choice(words) for _ in range(_STEPS)]
            for step, word in (insert or {}).items():
                written[step] = word
            if row < len(ends) and ends[row] < _STEPS:
                written[ends[row]] = eos
                if ends[row] + 2 < _STEPS:  # what follows the end is no part of the sentence, another eos included
                    written[ends[row] + 2] = eos
            script[line] = written
        src, lengths = _sources(draw, order[: len(ends)], columns, count)
        if gaps:
            src, lengths = strided(src), strided(lengths)
        args = {**_tables(draw, script, bos, lead, shift), "src": src, "lengths": lengths, "max_len": max_len}
        best = show([script[line] for line in order[: len(ends)]])
        call = (
            f"greedy_decode(encoder, decoder, {show(src)}, {show(lengths)}, max_len={max_len}, bos={bos}, eos={eos}), "
            f"where the decoder's best words would be, row by row and without an end, {best}"
        )
        call += f", each {lead} ahead of the second best" if lead < _SURE else ""
        call += f"; the {training} is in training mode" if training else ""
        modes = {"training": {module: module == training for module in ("encoder", "decoder")}}
        return Case(name, {**args, "bos": bos, "eos": eos}, criterion, {} if training is None else modes, call, because)

    yield case("one sentence", [3], 7, "one sentence", "bos goes in first, then each word that came out; eos ends it.").trying(
        "encoder", "decoder", "src (B, S)", "bos the id")
    yield case("one sentence that does not end", [8], 5, "one sentence", "After max_len words it is cut off.").trying("max_len")

    own = "Each row stops at its own eos, and what comes after it is left out."
    yield case("sentences that end together", [3, 3, 3], 7, "a batch", own)
    yield case("each sentence ends at its own position", draw.shuffled([1, 3, 6]), 8, "a batch", own).trying(
        "encoder", "decoder", "lengths (B,)")
    yield case("five sentences", draw.shuffled([5, 2, 6, 1, 4]), 7, "a batch", own, columns=7).trying(
        "lengths (B,)", "returns a list", "Both modules")
    yield case("as many sentences as columns", draw.shuffled([4, 2, 5, 1, 3]), 7, "a batch", own, columns=5).trying(
        "src (B, S)", "returns a list")
    yield case("one of them does not end", draw.shuffled([2, 8, 4]), 6, "a batch", own).trying("max_len")

    yield case("one sentence of one word", [1], 7, "any end")
    yield case("gaps in memory", draw.shuffled([4, 2, 5]), 7, "any end", gaps=True).trying("encoder", "src (B, S)")
    yield case("the best word wins by little", draw.shuffled([3, 5, 6]), 7, "any end", lead=0.3,
               because="Each step takes the best word, however small its lead.").trying("decoder")
    again = {0: 3, 1: 4, 2: 3, 3: 4, 4: 4}
    yield case("repeated words", draw.shuffled([5, 6, 7]), 8, "any end", lead=0.4, shift=9.0, insert=again,
               because="A word may be the best one more than once.").trying("decoder")
    yield case("one ends at once", draw.shuffled([0, 3, 5]), 7, "any end", "A sentence may be empty.").trying(
        "A row may be empty")
    yield case("all end at once", [0, 0, 0], 7, "any end", "Every row still has a list: an empty one.").trying(
        "A row may be empty")
    yield case("max_len far above the number of words to read", [8, 8, 3], 23, "any end",
               "The length of the source does not limit the output: only max_len does.").trying(
        "max_len", "Both modules")
    yield case("max_len words, then eos", draw.shuffled([4, 4, 2]), 4, "any end").trying("max_len")
    yield case("eos where the last word might stand", draw.shuffled([3, 3, 1]), 4, "any end").trying(
        "eos the id", "each row ends")
    yield case("max_len is 1", draw.shuffled([0, 1, 5]), 1, "any end").trying("max_len")
    yield case("no words wanted", [3, 0, 5], 0, "any end", "With max_len 0 every row has an empty list.").trying("max_len")
    word = "Only the bos that is fed at the start is left out; one that comes out later is a word."
    yield case("0 and bos among the words", draw.shuffled([4, 5, 8]), 7, "any end", word, insert={1: 0, 2: 1}).trying(
        "returns a list")
    yield case("bos is the first word that comes out", draw.shuffled([4, 5, 8]), 7, "any end", word, insert={0: 1}).trying(
        "returns a list")
    yield case("eos is 0", draw.shuffled([1, 3, 6]), 8, "any end", bos=9, eos=0).trying("eos the id", "each row ends")
    yield case("bos is 0", draw.shuffled([1, 3, 6]), 8, "any end", bos=0, eos=10).trying("bos the id")
    yield case("all scores negative", draw.shuffled([1, 3, 6]), 8, "any end", shift=-50.0).trying("decoder")
    known = [[5, 6, 7, 8, 8, 8, 8, 8]]
    read = {"src": torch.zeros(2, 3, dtype=torch.int64), "lengths": torch.tensor([3, 1])}
    args = {**_tables(draw, known, 4, _SURE, 0.0), **read}
    call = "greedy_decode(encoder, decoder, src, lengths, max_len=10, bos=4, eos=8), where the decoder counts"
    yield Case("docstring example", {**args, "max_len": 10, "bos": 4, "eos": 8}, "any end", call=call).trying("returns a list")

    mode = "Whether the modules are in eval mode is for the caller to say."
    yield case("both modules in eval mode", draw.shuffled([1, 3, 6]), 8, "the caller's modules", mode, training="")
    yield case("the encoder in training mode", draw.shuffled([1, 3, 6]), 8, "the caller's modules", mode, training="encoder")
    yield case("the decoder in training mode", draw.shuffled([1, 3, 6]), 8, "the caller's modules", mode, training="decoder")


greedy_decode = Exercise(
    id="05.greedy_decode",
    title="Greedy decoding",
    why="In use there are no true words to feed: the decoder goes on from its own words, until it writes eos.",
    difficulty=3,
    minutes=33,
    core=False,
    criteria=(
        Criterion("one sentence", 1, "a single sentence, up to its eos or to max_len"),
        Criterion("a batch", 2.5, "several sentences, each up to its own eos, in the order of src",
                  tries=("eos the id", "each row ends")),
        Criterion("any end", 1, "empty sentences, ends at max_len, any ids for bos and eos, any scores"),
        Criterion("the caller's modules", 0.5, "both modules are left as they are, weights and mode", tries=("Their weights",)),
    ),
    hints=(
        "Encode once. Then it is a loop of at most max_len rounds: one word for each row goes in, one comes out.",
        "The decoder takes words of shape (B, 1) and the state that it returned the round before. The best word is the "
        "argmax over the last axis.",
        "A row that is done must not grow any more, but the others must go on: keep a list for each row, and remember "
        "which rows are done. What a finished row is fed does not matter.",
        "Start with bos for all rows and with an empty list for each. In each round, for each row that is not done: if "
        "the word is eos, the row is done; if not, append it. `.tolist()` makes Python ints.",
    ),
    cases=_cases,
    of_driver=("training",),
    run=run,
    by_products=(
        "noise of the decoder afterwards",
        "weight of the encoder afterwards",
        "weights of the decoder that can learn",
        "weights of the encoder that can learn",
    ),
    compare=Comparison(rules={
        "sentences": _sentences,
        "types of the words": required(
            lambda types: types in ([], ["int"]), Message("The sentences hold something else than Python ints."), "type"
        ),
        **{f"modes of the {name}": _mode(name) for name in ("encoder", "decoder")},
    }),
)
