"""Text out of a model: the window, the end, the temperature, and where the randomness comes from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import torch
from torch import nn

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts

__all__ = ["generate"]

#: Tokens, or texts, from which shares are counted. A right answer's share stays within so many standard deviations but
#: for one time in 1e10, and each known mistake falls outside.
_DRAWS, _DEVIATIONS = 400, 6.5
#: Two samples of one and the same mistake have shares that are closer to each other; those of two mistakes are not.
_ALIKE = 0.12
#: Every group of tokens comes up: with a share of 0.07 in 400 draws, or of 0.0098 in 1900, one is missing once in 1e8 times.
_RARE, _MANY_DRAWS = 0.0098, 1900
_DRAWN = "tokens that were drawn"
_COUNTED = ("token", "length")

_SAME_SEED, _NEXT, _OTHER_SEED = _DRAWS_TO_COMPARE = (
    "draw from a generator with the same seed",
    "next draw from the same generator",
    "draw from a generator with another seed",
)


class _Lookup(nn.Module):
    """A language model that is one large table: a row of logits for each context."""

    def __init__(self, table: torch.Tensor) -> None:
        super().__init__()
        self.table = nn.Parameter(table.clone())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        context = self.table.ndim - 1
        if not isinstance(x, torch.Tensor) or x.ndim != 2 or x.shape[1] != context:
            what = f"shape {tuple(x.shape)}" if isinstance(x, torch.Tensor) else f"type {type(x).__name__}"
            raise ValueError(f"the model takes ids of shape (B, {context}); it was called with x of {what}")
        return self.table[tuple(x.unbind(dim=1))]


def _run(
    candidate: Callable[..., Any],
    table: torch.Tensor,
    prefix: list[int],
    max_tokens: int,
    temperature: float,
    eos: int,
    seed: int,
    report: str,
    shares: Sequence[float],
    groups: Sequence[int],
) -> Parts:
    """Call, and report the tokens, their shares (those of so many neighbouring ids together), the lengths of many short
    texts, or what the same and other seeds make of it."""
    model = _Lookup(table)

    def tokens(generator: torch.Generator, chance: int) -> Any:
        torch.manual_seed(chance)
        return candidate(model, prefix, max_tokens, temperature, eos, generator)

    def alike(first: Any, second: Any) -> str:
        return "the same tokens" if list(map(int, first)) == list(map(int, second)) else "other tokens"

    with torch.random.fork_rng(devices=[]):
        generator = torch.Generator().manual_seed(seed)
        if report == "lengths":
            torch.manual_seed(1)
            lengths = [len(candidate(model, prefix, max_tokens, temperature, eos, generator)) for _ in range(_DRAWS)]
            counts = torch.bincount(torch.tensor(lengths), minlength=len(shares))
            return Parts({"share of each length": counts / _DRAWS})
        drawn = tokens(generator, 1)
        if report == "tokens":
            return Parts({"tokens": drawn})
        if report == "shares":
            counts = torch.bincount(torch.tensor([int(token) for token in drawn], dtype=torch.int64), minlength=sum(groups))
            counts = torch.stack([group.sum() for group in counts.split(groups)])
            shown = (counts > 0).nonzero().flatten().tolist()
            return Parts({
                "number of tokens": len(drawn), "share of each token": counts / max(len(drawn), 1), _DRAWN: shown,
            })  # fmt: skip
        return Parts({
            _SAME_SEED: alike(drawn, tokens(torch.Generator().manual_seed(seed), 2)),
            _NEXT: alike(drawn, tokens(generator, 1)),
            _OTHER_SEED: alike(drawn, tokens(torch.Generator().manual_seed(seed + 1), 1)),
        })  # fmt: skip


def _tolerance(shares: Sequence[float], draws: int) -> float:
    return _DEVIATIONS * max(math.sqrt(share * (1 - share) / draws) for share in shares)


def _shares(of: str) -> Callable[[Any, Any, Case], Fault | None]:
    def rule(expected: torch.Tensor, got: Any, case: Case) -> Fault | None:
        shares = case.args["shares"]
        draws = _DRAWS if case.args["report"] == "lengths" else case.args["max_tokens"]
        return Same().leaf(torch.tensor(shares), got, f"the share of each {of}", _tolerance(shares, draws))

    return rule


def _drawn(expected: list[int], got: Any, case: Case) -> Fault | None:
    """Every token, or group of tokens, that has a share of the softmax comes up: see above."""
    shares, draws = case.args["shares"], case.args["max_tokens"]
    missing = [token for token, share in enumerate(shares) if share > 0 and not (isinstance(got, list) and token in got)]
    if not missing:
        return None
    what = f"what has about one percent of softmax(logits / temperature), or more, never comes up in {draws} draws"
    return Fault("values", what, f": its share is {shares[missing[0]]:.3g}")


def _alike(name: str) -> Callable[[Any, Any, Case], Fault | None]:
    def rule(expected: str, got: Any, case: Case) -> Fault | None:
        return None if got == expected else Fault("values", f"the {name} gave {got}; {expected} were expected")

    return rule


def _clear_table(draw: Draw, size: int, context: int, eos: int, gap: float, offset: float = 0.0) -> torch.Tensor:
    """In each context one token leads by `gap`; it is neither eos nor the token before, so nothing stands still."""
    table = torch.zeros(*[size] * context, size)
    for row in table.reshape(-1, size):
        row.copy_(draw.distinct(size, size) * gap)
    table[..., eos] = -gap
    for token in range(size):
        table[..., token, token] = -2 * gap
    return table + offset


def _path_table(draw: Draw, path: Sequence[int], size: int, context: int, gap: float) -> torch.Tensor:
    """Each token of the path is followed by the next one, whatever stood before."""
    table = gap / 4 * draw.uniform(*[size] * context, size)
    for token, following in pairwise(path):
        table[..., token, following] += gap
    return table


def _cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str,
        table: torch.Tensor,
        prefix: Sequence[int],
        max_tokens: int,
        criterion: str,
        because: str = "",
        *,
        temperature: float = 1.0,
        eos: int = 0,
        report: str = "tokens",
        shares: Sequence[float] = (),
        groups: Sequence[int] = (),
    ) -> Case:
        prefix = [int(token) for token in prefix]
        args = {
            "table": table, "prefix": prefix, "max_tokens": max_tokens, "temperature": temperature, "eos": eos,
            "seed": draw.seed(), "report": report, "shares": list(shares),
            "groups": list(groups) or [1] * len(shares),
        }  # fmt: skip
        told = f"generate(model, {prefix}, {max_tokens}, {temperature}, eos={eos}, generator)"
        told += f" with a model of {table.shape[-1]} words" + (f", {_DRAWS} times" if report == "lengths" else "")
        return Case(name, args, criterion, call=told, because=because)

    size, context = 7, 3
    eos = draw.integer(0, size - 1)
    words = [token for token in range(size) if token != eos]

    def prefix(length: int = context) -> list[int]:
        return draw.shuffled(words)[:length]

    window = "After each token the context moves on by one: the oldest id leaves, the new one enters at the end."
    yield case("one token", _clear_table(draw, size, context, eos, 50.0), prefix(), 1, "tokens",
               "Only new tokens are returned.", eos=eos)  # fmt: skip
    yield case("a dozen tokens", _clear_table(draw, size, context, eos, 50.0), prefix(), 12, "tokens", window, eos=eos)
    yield case("a context of one", _clear_table(draw, size, 1, eos, 50.0), prefix(1), 9, "tokens", window, eos=eos)
    yield case("a context as long as the vocabulary", _clear_table(draw, 4, 4, 3, 50.0), draw.shuffled([0, 1, 2, 1]), 15,
               "tokens", window, eos=3)  # fmt: skip
    yield case("no tokens wanted", _clear_table(draw, size, context, eos, 50.0), prefix(), 0, "tokens", eos=eos)

    ends = "eos ends the text and is not returned."
    path = draw.shuffled(words)
    walk = [*path[:5], eos]
    start = [*draw.shuffled(words)[:2], path[0]]
    yield case("eos after four tokens", _path_table(draw, walk, size, 3, 80.0), start, 20, "end", ends, eos=eos)
    yield case("eos at once", _path_table(draw, [path[0], eos], size, 3, 80.0), start, 20, "end", ends, eos=eos)
    yield case("eos right after the last token", _path_table(draw, walk, size, 3, 80.0), start, 4, "end",
               "max_tokens counts the tokens that are returned.", eos=eos)  # fmt: skip
    yield case("eos in the prefix", _path_table(draw, [eos, *path[:4], eos], size, 3, 80.0), [*path[:1], eos, eos], 20,
               "end", "Only an eos that the model says ends the text.", eos=eos)  # fmt: skip

    yield case("temperature 0", _clear_table(draw, size, context, eos, 0.001), prefix(), 15, "temperature",
               "Temperature 0 takes the likeliest token each time.", temperature=0, eos=eos)  # fmt: skip
    yield case("temperature 0.0, eos the likeliest", _path_table(draw, walk, size, 3, 1.0), start, 20, "temperature",
               temperature=0.0, eos=eos)  # fmt: skip
    last = 4
    for temperature in (1.0, 0.4, 3.0, 0.002, 1e-6):
        # At temperature 1 no token may be left out; elsewhere the largest share tells one temperature from another.
        chances = draw.shuffled([0.3, 0.26, 0.24, 0.2] if temperature == 1 else [0.79, 0.07, 0.07, 0.07])
        row = temperature * torch.tensor([*chances, 1.0]).log()
        row[last] = -400.0 * temperature
        yield case(f"shares at temperature {temperature}", row.expand(5, 5, 5).clone(), draw.ids(2, 4).tolist(), _DRAWS,
                   "temperature", "The logits are divided by the temperature before the softmax.", temperature=temperature,
                   eos=last, report="shares", shares=[*chances, 0.0])  # fmt: skip
    common, unlikely, rare = [0.2, 0.15, 0.1, 0.05], draw.uniform(290, low=0.8, high=1.2), draw.uniform(10, low=0.8, high=1.2)
    chances = [torch.tensor(common), unlikely / unlikely.sum() * (0.5 - _RARE), rare / rare.sum() * _RARE, torch.ones(1)]
    row = torch.cat(chances).log()
    last = len(row) - 1
    row[last] = -400.0
    yield case("many unlikely words", row.expand(len(row), len(row)).clone(), draw.ids(1, last).tolist(), _MANY_DRAWS,
               "temperature", "The draw is from the whole softmax: 300 unlikely words have half of it.", eos=last,
               report="shares", shares=[*common, 0.5 - _RARE, _RARE, 0.0], groups=[1, 1, 1, 1, 290, 10, 1])  # fmt: skip
    row = torch.tensor([0.4, 0.15, 0.1, 0.35]).log()
    yield case("texts that may end at any time", row.expand(4, 4, 4).clone(), draw.ids(2, 3).tolist(), 2, "temperature",
               "eos is drawn like any other token.", eos=3, report="lengths", shares=[0.35, 0.65 * 0.35, 0.65**2])  # fmt: skip
    tiny = "Near temperature 0 the likeliest token is all but certain; nothing may become nan on the way there."
    for temperature, gap in ((0.001, 0.5), (1e-8, 0.5), (1e-36, 150.0)):
        yield case(f"temperature {temperature}", _clear_table(draw, size, context, eos, gap), prefix(), 9, "temperature", tiny,
                   temperature=temperature, eos=eos)  # fmt: skip
    for offset in (1000.0, -1000.0):
        yield case(f"logits around {offset:.0f}", _clear_table(draw, size, context, eos, 50.0, offset), prefix(), 9,
                   "temperature", "A softmax does not change when all logits move by the same.", eos=eos)  # fmt: skip

    flat = 0.1 * draw.normal(5, 5, 5)
    flat[..., 4] = -400.0
    source = "All randomness comes from the generator that is given, as it stands."
    yield case("equal and unequal generators", flat, draw.ids(2, 4).tolist(), 40, "generator", source, eos=4, report="seeds")
    yield case("equal and unequal generators, low temperature", 0.05 * flat, draw.ids(2, 4).tolist(), 40, "generator", source,
               temperature=0.05, eos=4, report="seeds")  # fmt: skip


generate = Exercise(
    id="04.generate",
    title="Let the model write",
    why="A language model that predicts one word can write many: each word that it says becomes part of what it reads.",
    difficulty=2,
    minutes=14,
    criteria=(
        Criterion("tokens", 1, "new tokens only, each from the context that the ones before have made"),
        Criterion("end", 1, "eos ends the text and is not returned; at most max_tokens"),
        Criterion("temperature", 1, "draws follow the softmax of logits / temperature, down to 0"),
        Criterion("generator", 1, "all randomness comes from the generator"),
    ),
    hints=(
        "A loop of at most max_tokens rounds. In each: logits for the current window, one token out of them, the window "
        "moves on.",
        "The model takes a batch: a window of ids is one row of it. Keep the window in a list of your own, since the "
        "prefix belongs to the caller.",
        "Which of your lines fails at temperature 0, and which at 1e-36, where logits / temperature is inf? What may you "
        "subtract from all logits without changing the softmax?",
        "`torch.multinomial` takes probabilities and a generator. Take the argmax at temperature 0, and stop before eos "
        "is appended.",
    ),
    cases=_cases,
    run=_run,
    compare=Same(
        rules={
            **{f"share of each {of}": _shares(of) for of in _COUNTED},
            _DRAWN: _drawn,
            **{name: _alike(name) for name in _DRAWS_TO_COMPARE},
        },
        tolerances={f"share of each {of}": _ALIKE for of in _COUNTED},
    ),
)
