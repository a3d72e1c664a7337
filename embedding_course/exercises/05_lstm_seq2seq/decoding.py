"""Word by word until the end: greedy decoding, tried with an encoder and a decoder that follow a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided
from ...show import show

__all__ = ["greedy_decode"]

_VOCAB = 11
_STEPS = 8
_NUMBERS = 3
_SURE = 5.0


class _ScriptedEncoder(nn.Module):
    """Stands in for an encoder: the real words of a row say by their sum which line of the script is meant."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self.lines = lines
        self.modes: list[bool] = []

    def forward(self, src: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        self.modes.append(self.training)
        if src.ndim != 2 or lengths.shape != src.shape[:1]:
            raise ValueError(f"src {tuple(src.shape)} and lengths {tuple(lengths.shape)}; (B, S) and (B,) were expected")
        outputs = torch.zeros(*src.shape, _NUMBERS)
        h = torch.zeros(1, len(src), _NUMBERS)
        c = torch.zeros(1, len(src), _NUMBERS)
        for row, length in enumerate(lengths.tolist()):
            line = int(src[row, :length].sum()) % self.lines
            outputs[row, :length] = line + 1.0
            h[0, row, 0] = c[0, row, 1] = line
        return outputs, (h, c)


class _ScriptedDecoder(nn.Module):
    """Stands in for a decoder: the best word is the script's next one, as long as the words and states that are fed are
    those that belong there; otherwise it is another one.

    On the script's way the best word leads by `lead`. Off it the lead is large, so that whole sentences that left the way
    early are the likelier ones where `lead` is small.
    """

    def __init__(self, script: Sequence[Sequence[int]], noise: torch.Tensor, shift: float, lead: float, bos: int) -> None:
        super().__init__()
        self.script, self.lead, self.bos = script, lead, bos
        self.modes: list[bool] = []
        self.noise = nn.Parameter(noise + shift)

    def forward(
        self, decoder_input: torch.Tensor, state: tuple[torch.Tensor, torch.Tensor]
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        self.modes.append(self.training)
        h, c = state
        wanted = (1, len(decoder_input), _NUMBERS)
        if decoder_input.ndim != 2 or h.shape != wanted or c.shape != wanted:
            said = f"decoder_input {tuple(decoder_input.shape)}, h {tuple(h.shape)}, c {tuple(c.shape)}"
            raise ValueError(f"{said}; (B, T), (1, B, H) and (1, B, H) were expected")
        logits = []
        for column in range(decoder_input.shape[1]):
            fed = decoder_input[:, column]
            told = [self._best(*one) for one in zip(fed.tolist(), h[0].tolist(), c[0].tolist(), strict=True)]
            best = torch.tensor([word for word, _ in told], dtype=torch.int64)[:, None]
            leads = torch.tensor([lead for _, lead in told])[:, None]
            scores = self.noise[fed]
            logits.append(scores.scatter(1, best, scores.amax(dim=1, keepdim=True) + leads))
            onward = torch.tensor([0.0, 1.0, 0.0]), torch.tensor([1.0, 0.0, 0.0])
            h, c = h + onward[0], c + onward[1]
        return torch.stack(logits, dim=1), (h, c)

    def _best(self, fed: int, h: Sequence[float], c: Sequence[float]) -> tuple[int, float]:
        """The best word, and by how much it leads."""
        line, step = round(h[0]), round(h[1])
        if not 0 <= line < len(self.script):
            raise ValueError(
                "the decoder was given a state that came neither from the encoder's state nor from the decoder itself"
            )
        words = self.script[line]
        here = words[min(step, len(words) - 1)]
        if (step, line) != (round(c[0]), round(c[1])):
            return (here + 1) % _VOCAB, _SURE
        before = self.bos if step == 0 else words[min(step, len(words)) - 1]
        return (here, self.lead) if fed == before else ((here + 1 + fed % (_VOCAB - 1)) % _VOCAB, _SURE)


def _run(
    candidate: Callable[..., Any],
    encoder: Mapping[str, Any],
    decoder: Mapping[str, Any],
    src: torch.Tensor,
    lengths: torch.Tensor,
    max_len: int,
    bos: int,
    eos: int,
    training: str = "",
) -> Parts:
    """Build the two modules and decode; also say whether all words are ints, to which a tensor would compare equal, and
    whether each module stayed in its mode. `training` names the one that is in training mode."""
    modules = {"encoder": _ScriptedEncoder(**encoder), "decoder": _ScriptedDecoder(**decoder, bos=bos)}
    for name, module in modules.items():
        module.train(name == training)
    sentences = candidate(*modules.values(), src, lengths, max_len, bos, eos)
    parts = Parts({"sentences": sentences, "words are ints": _all_ints(sentences)})
    for name, module in modules.items():
        stayed = {*module.modes, module.training} == {name == training}
        parts[f"mode of the {name}"] = "left alone" if stayed else "changed"
    return parts


def _all_ints(sentences: Any) -> bool:
    if not isinstance(sentences, (list, tuple)):
        return False
    return all(isinstance(line, (list, tuple)) and all(type(word) is int for word in line) for line in sentences)


def _sentences(expected: Any, got: Any, _: Case) -> Fault | None:
    if not isinstance(got, list) or len(got) != len(expected):
        return Same().leaf(expected, got, "the result")
    for row, (mine, theirs) in enumerate(zip(expected, got, strict=True)):
        fault = Same().leaf(mine, theirs, f"row {row} of the result")
        if fault and isinstance(theirs, list):
            said = "wrong words" if len(mine) == len(theirs) else f"{len(theirs)} words where {len(mine)} were expected"
            return Fault("values", f"row {row} of the result has {said}", f": {show(theirs)}, not {show(mine)}")
        if fault:
            return fault
    return None


def _ints(_: Any, got: Any, __: Case) -> Fault | None:
    return None if got is True else Fault("type", "the sentences hold something else than Python ints")


def _mode(name: str) -> Callable[[Any, Any, Case], Fault | None]:
    def rule(expected: Any, got: Any, _: Case) -> Fault | None:
        what = f"the {name}'s mode (train or eval) was changed; that is for the caller to say"
        return None if got == expected else Fault("property", what)

    return rule


def _sources(draw: Draw, lines: Sequence[int], columns: int, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """A batch whose rows mean these lines of the script, and its lengths. Who reads the padding, too, gets others."""
    rows = len(lines)
    lengths = [1, columns, *draw.ids(rows - 2, columns - 2).add(2).tolist()] if rows > 1 else [columns - 1]
    src = torch.full((rows, columns), 7)
    for row, (line, length) in enumerate(zip(lines, lengths, strict=True)):
        src[row, :length] = draw.ids(length, 9) + 1
        src[row, 0] += (line - int(src[row, :length].sum())) % count
    return src, torch.tensor(lengths)


def _cases(draw: Draw) -> Iterator[Case]:
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
        training: str = "",
    ) -> Case:
        """`ends` says for each row how many words its line has before eos; `insert` puts words at steps of every line."""
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
        args = {
            "encoder": {"lines": count},
            "decoder": {"script": script, "noise": draw.uniform(_VOCAB, _VOCAB, low=-1.0), "shift": shift, "lead": lead},
            "src": src, "lengths": lengths, "max_len": max_len, "bos": bos, "eos": eos,
        }  # fmt: skip
        best = show([script[line] for line in order[: len(ends)]])
        call = (
            f"greedy_decode(encoder, decoder, {show(src)}, {show(lengths)}, max_len={max_len}, bos={bos}, eos={eos}), "
            f"where the decoder's best words would be, row by row and without an end, {best}"
        )
        call += f", each {lead} ahead of the second best" if lead < _SURE else ""
        call += f"; the {training} is in training mode" if training else ""
        return Case(name, args, criterion, {"training": training} if training else {}, call, because)

    yield case("one sentence", [3], 7, "one sentence", "bos goes in first, then each word that came out; eos ends it.")
    yield case("one sentence of one word", [1], 7, "one sentence")
    yield case("one sentence that does not end", [8], 5, "one sentence", "After max_len words it is cut off.")

    own = "Each row stops at its own eos, and what comes after it is left out."
    yield case("sentences that end together", [3, 3, 3], 7, "a batch", own)
    yield case("each sentence ends in its own place", draw.shuffled([1, 3, 6]), 8, "a batch", own)
    yield case("five sentences", draw.shuffled([5, 2, 6, 1, 4]), 7, "a batch", own, columns=7)
    yield case("as many sentences as columns", draw.shuffled([4, 2, 5, 1, 3]), 7, "a batch", own, columns=5)
    yield case("one of them does not end", draw.shuffled([2, 8, 4]), 6, "a batch", own)
    yield case("gaps in memory", draw.shuffled([4, 2, 5]), 7, "a batch", gaps=True)
    yield case("the best word leads by little", draw.shuffled([3, 5, 6]), 7, "a batch", lead=0.3,
               because="Each step takes its best word, by however little it leads.")  # fmt: skip
    again = {0: 3, 1: 4, 2: 3, 3: 4, 4: 4}
    yield case("words that come again", draw.shuffled([5, 6, 7]), 8, "a batch", lead=0.4, shift=9.0, insert=again,
               because="A word that was said before may be the best one again.")  # fmt: skip

    yield case("one ends at once", draw.shuffled([0, 3, 5]), 7, "any end", "A sentence may be empty.")
    yield case("all end at once", [0, 0, 0], 7, "any end", "Every row still has a list: an empty one.")
    yield case("max_len far above the number of words to read", [8, 8, 3], 23, "any end",
               "How much is read says nothing about how much is written: only max_len cuts off.")  # fmt: skip
    yield case("max_len words, then eos", draw.shuffled([4, 4, 2]), 4, "any end")
    yield case("eos where the last word might stand", draw.shuffled([3, 3, 1]), 4, "any end")
    yield case("max_len is 1", draw.shuffled([0, 1, 5]), 1, "any end")
    yield case("no words wanted", [3, 0, 5], 0, "any end", "With max_len 0 every row has an empty list.")
    mode = "Whether the modules are in eval mode is for the caller to say."
    yield case("the encoder in training mode", draw.shuffled([1, 3, 6]), 8, "any end", mode, training="encoder")
    yield case("the decoder in training mode", draw.shuffled([1, 3, 6]), 8, "any end", mode, training="decoder")
    yield case("0 and bos amid the words", draw.shuffled([4, 5, 8]), 7, "any end", insert={1: 0, 2: 1},
               because="Only the bos that is fed at the start is left out; one that comes out later is a word.")  # fmt: skip
    yield case("bos is the first word that comes out", draw.shuffled([4, 5, 8]), 7, "any end", insert={0: 1},
               because="Only the bos that is fed at the start is left out; one that comes out later is a word.")  # fmt: skip
    yield case("eos is 0", draw.shuffled([1, 3, 6]), 8, "any end", bos=9, eos=0)
    yield case("bos is 0", draw.shuffled([1, 3, 6]), 8, "any end", bos=0, eos=10)
    yield case("all scores negative", draw.shuffled([1, 3, 6]), 8, "any end", shift=-50.0)


greedy_decode = Exercise(
    id="05.greedy_decode",
    title="Greedy decoding",
    why="In use there are no true words to feed: the decoder goes on from what it said itself, until it says eos.",
    difficulty=3,
    minutes=18,
    criteria=(
        Criterion("one sentence", 1, "a single sentence, up to its eos or to max_len"),
        Criterion("a batch", 3, "several sentences, each up to its own eos, in the order of src"),
        Criterion("any end", 1, "empty sentences, ends at max_len, any ids for bos and eos"),
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
    run=_run,
    compare=Same(
        rules={
            "sentences": _sentences,
            "words are ints": _ints,
            **{f"mode of the {name}": _mode(name) for name in ("encoder", "decoder")},
        }
    ),
)
