"""Text out of a model: the window, the end, the temperature, and where the randomness comes from."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, RandomInputs
from ...checking.mismatch import RESULT
from ...messages import Code, Message
from .generate_driver import ALIKE, CAME_UP, DRAWS, run

#: A right answer's share stays within so many standard deviations but for one time in 1e10, and each known mistake falls
#: outside.
_DEVIATIONS = 6.5
#: Two samples of one and the same mistake have shares that are closer to each other; those of two mistakes are not.
_CLOSE = 0.12
#: Every group of tokens comes up: with a share of 0.07 in 400 draws, or of 0.0098 in 1900, one is missing once in 1e8 times.
_RARE, _MANY_DRAWS = 0.0098, 1900
#: A token this far below the others never comes up.
_NEVER = -400.0


def _chances(case: Case) -> torch.Tensor:
    """Return the probability of each token in cases whose contexts are all alike.

    There, rows of the table are logarithms of probabilities times the temperature.
    """
    row = case.args["table"].flatten(end_dim=-2)[0].double()
    return (row / case.args["temperature"]).exp()


def _share_of(of: str, chances: torch.Tensor, draws: int) -> Callable[[Any], Mismatch | None]:
    tolerance = _DEVIATIONS * max(math.sqrt(share * (1 - share) / draws) for share in chances.tolist())
    return lambda got: Comparison().leaf(chances.float(), got, Message("the fraction of each {of}", of=Code(of)), tolerance)


def _grouped(case: Case) -> torch.Tensor:
    return torch.stack([group.sum() for group in _chances(case).split(case.args["groups"])])


def _token_shares(_: Any, got: Any, case: Case) -> Mismatch | None:
    return _share_of("token", _grouped(case), case.args["max_tokens"])(got)


def _length_shares(_: Any, got: Any, case: Case) -> Mismatch | None:
    ends = _chances(case)[case.args["eos"]]
    longest = case.args["max_tokens"]
    shares = torch.stack([ends * (1 - ends) ** length for length in range(longest)] + [(1 - ends) ** longest])
    return _share_of("length", shares, DRAWS)(got)


def _came_up(_: Any, got: Any, case: Case) -> Mismatch | None:
    """Return a mismatch if a token, or group of tokens, with a probability above 0 is never drawn."""
    shares, draws = _grouped(case).tolist(), case.args["max_tokens"]
    missing = [at for at, share in enumerate(shares) if share > 1e-9 and not (isinstance(got, list) and at in got)]
    if not missing:
        return None
    message = Message("In {draws} draws, what has a share of {share} of softmax(logits / temperature) never comes up.")
    hidden = Message("What has about one percent of softmax(logits / temperature), or more, never comes up in many draws.")
    return Mismatch("values", message.fill(draws=draws, share=f"{shares[missing[0]]:.3g}"), hidden)


def _texts(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    """Compare four texts that were drawn from several generators.

    The second text comes from a generator with the same seed as the first. The third comes from the first text's own generator,
    which has gone on. The last comes from a generator with another seed. All texts must hold only tokens that have a chance.
    """
    if not isinstance(got, torch.Tensor) or got.shape != expected.shape:
        return Comparison().leaf(expected, got, RESULT)
    first, again, following, other = texts = got.long().tolist()
    if not all(_possible(text, case) for text in texts):
        return Mismatch("values", Message("The text holds a token that has probability 0 at that position."))
    if first != again:
        said = Message("A draw from a generator with the same seed gave other tokens; the same were expected.")
        return Mismatch("values", said)
    if following == first:
        said = Message("The next draw from the same generator gave the same tokens; other ones were expected.")
        return Mismatch("values", said)
    if other == first:
        return Mismatch("values", Message("A generator with another seed gave the same tokens; other ones were expected."))
    return None


def _possible(text: Sequence[int], case: Case) -> bool:
    table, window = case.args["table"], list(case.args["prefix"])
    for token in text:
        if not 0 <= token < len(table) or table[tuple(window)][token] < _NEVER * case.args["temperature"] / 2:
            return False
        window = window[1:] + [token]  # noqa: RUF005 - the reference's own line may not stand here
    return True


def _modes(_: Any, got: Any, case: Case) -> Mismatch | None:
    training = case.options["training"]
    if isinstance(got, torch.Tensor) and got.numel() > 1 and bool((got == int(training)).all()):
        return None
    return Mismatch("property", Message("The mode (train or eval) of the model was changed; that is for the caller to say."))


def _no_matter(*_: Any) -> None:
    """Accept this part: mistakes are recognised by it, and the texts themselves are judged."""


def _clear_table(draw: RandomInputs, size: int, context: int, eos: int, gap: float, offset: float = 0.0) -> torch.Tensor:
    """Return a table in which one token leads by `gap` in each context.

    The token is neither eos nor the token before, so that no token is repeated.
    """
    table = torch.zeros(*[size] * context, size)
    for row in table.reshape(-1, size):
        row.copy_(draw.distinct(size, size) * gap)
    table[..., eos] = -gap
    for token in range(size):
        table[..., token, token] = -2 * gap
    return table + offset


def _path_table(draw: RandomInputs, path: Sequence[int], size: int, context: int, gap: float) -> torch.Tensor:
    """Return a table in which each token of the path is followed by the next one, whatever tokens came before."""
    table = gap / 4 * draw.uniform(*[size] * context, size)
    for token, following in pairwise(path):
        table[..., token, following] += gap
    return table


def _few_possible(draw: RandomInputs, size: int, context: int, eos: int, temperature: float = 1.0) -> torch.Tensor:
    """Return a table with three about equally likely tokens in each context; all other tokens are never drawn."""
    table = torch.full([size] * (context + 1), _NEVER)
    others = [token for token in range(size) if token != eos]
    for row in table.reshape(-1, size):
        for token in draw.shuffled(others)[:3]:
            row[token] = 0.1 * draw.rng.standard_normal()
    return temperature * table


def _cases(draw: RandomInputs) -> Iterator[Case]:
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
        groups: Sequence[int] = (),
        **options: Any,
    ) -> Case:
        prefix = [int(token) for token in prefix]
        args = {
            "table": table, "prefix": prefix, "max_tokens": max_tokens, "temperature": temperature, "eos": eos,
            "seed": draw.seed(), "report": report, "groups": list(groups) or [1] * table.shape[-1],
        }
        call = f"generate(model, {prefix}, {max_tokens}, {temperature}, eos={eos}, generator)"
        call += f" with a model of {table.shape[-1]} words" + (f", {DRAWS} times" if report == "lengths" else "")
        return Case(name, args, criterion, options, call=call, because=because)

    size, context = 7, 3
    eos = draw.integer(0, size - 1)
    words = [token for token in range(size) if token != eos]

    def prefix(length: int = context) -> list[int]:
        return draw.shuffled(words)[:length]

    window = "After each token the context moves on by one: the oldest id leaves, the new one enters at the end."
    yield case("one token", _clear_table(draw, size, context, eos, 50.0), prefix(), 1, "tokens",
               "Only new tokens are returned.", eos=eos).trying(
        "model takes", "prefix a list", "a list of exactly", "max_tokens", "returns the new")
    yield case("a dozen tokens", _clear_table(draw, size, context, eos, 50.0), prefix(), 12, "tokens", window, eos=eos).trying(
        "where the logits", "then the window", "a list of exactly")
    longer = draw.choice((4, 5))
    yield case("a longer context", _clear_table(draw, 4, longer, 3, 50.0), draw.ids(longer, 3).tolist(), 17, "tokens", window,
               eos=3).trying("where the logits", "then the window")

    ends = "eos ends the text and is not returned."
    path = draw.shuffled(words)
    walk = [*path[:5], eos]
    start = [*draw.shuffled(words)[:2], path[0]]
    yield case("eos after four tokens", _path_table(draw, walk, size, 3, 80.0), start, 20, "end", ends, eos=eos).trying(
        "eos when it is drawn", "eos itself")
    yield case("eos at once", _path_table(draw, [path[0], eos], size, 3, 80.0), start, 20, "end", ends, eos=eos).trying(
        "eos when it is drawn", "eos itself", "returns the new")
    yield case("eos right after the last token", _path_table(draw, walk, size, 3, 80.0), start, 4, "end",
               "max_tokens counts the tokens that are returned.", eos=eos).trying(
        "max_tokens", "eos when it is drawn", "eos itself")
    yield case("eos in the prefix", _path_table(draw, [eos, *path[:4], eos], size, 3, 80.0), [*path[:1], eos, eos], 20,
               "end", "Only an eos that is drawn ends the text, not one in the prefix.", eos=eos).trying(
        "prefix a list", "eos when it is drawn", "eos itself")
    yield case("no tokens wanted", _clear_table(draw, size, context, eos, 50.0), prefix(), 0, "end", eos=eos).trying(
        "max_tokens", "returns the new")

    yield case("temperature 0", _clear_table(draw, size, context, eos, 0.001), prefix(), 15, "temperature",
               "Temperature 0 takes the most probable token each time.", temperature=0, eos=eos).trying("Temperature 0")
    yield case("temperature 0.0, eos the likeliest", _path_table(draw, walk, size, 3, 1.0), start, 20, "temperature",
               temperature=0.0, eos=eos).trying("Temperature 0")
    last = 4
    for temperature in (1.0, 0.4, 3.0, 0.002, 1e-6):
        # At temperature 1 no token may be left out; elsewhere the largest share tells one temperature from another.
        chances = draw.shuffled([0.3, 0.26, 0.24, 0.2] if temperature == 1 else [0.79, 0.07, 0.07, 0.07])
        row = temperature * torch.tensor([*chances, 1.0]).log()
        row[last] = _NEVER * temperature
        yield case(f"shares at temperature {temperature}", row.expand(5, 5, 5).clone(), draw.ids(2, 4).tolist(), DRAWS,
                   "temperature", "The logits are divided by the temperature before the softmax.", temperature=temperature,
                   eos=last, report="shares").trying(
            "temperature 0 or larger", "tiny temperatures" if temperature < 0.01 else "Each token is drawn")
    common, unlikely, rare = [0.2, 0.15, 0.1, 0.05], draw.uniform(290, low=0.8, high=1.2), draw.uniform(10, low=0.8, high=1.2)
    chances = [torch.tensor(common), unlikely / unlikely.sum() * (0.5 - _RARE), rare / rare.sum() * _RARE, torch.ones(1)]
    row = torch.cat(chances).log()
    last = len(row) - 1
    row[last] = _NEVER
    yield case("many unlikely words", row.expand(len(row), len(row)).clone(), draw.ids(1, last).tolist(), _MANY_DRAWS,
               "temperature", "The draw is from the whole softmax: 300 unlikely words share half of it.", eos=last,
               report="shares", groups=[1, 1, 1, 1, 290, 10, 1]).trying("Each token")
    last = draw.rng.uniform(0.3, 0.4)
    row = torch.tensor([*((1 - last) * torch.tensor(draw.shuffled([0.62, 0.23, 0.15]))), last]).log()
    yield case("texts that may end at any time", row.expand(4, 4, 4).clone(), draw.ids(2, 3).tolist(), 2, "temperature",
               "eos is drawn like any other token.", eos=3, report="lengths").trying("Each token")
    tiny = "Near temperature 0 the most probable token is all but certain; nothing may become nan on the way there."
    for temperature, gap in ((0.001, 0.5), (1e-8, 0.5), (1e-36, 150.0)):
        yield case(f"temperature {temperature}", _clear_table(draw, size, context, eos, gap), prefix(), 9, "temperature", tiny,
                   temperature=temperature, eos=eos).trying("tiny temperatures")
    negative = _clear_table(draw, size, context, eos, 150.0, -2000.0)
    yield case("temperature 1e-36, negative logits", negative, prefix(), 9, "temperature", tiny, temperature=1e-36,
               eos=eos).trying("tiny temperatures")

    source = "All randomness comes from the generator that is given, as it stands."
    yield case("equal and unequal generators", _few_possible(draw, 5, 2, 4), draw.ids(2, 4).tolist(), 40, "generator", source,
               eos=4, report="generators").trying("generator")
    yield case("equal and unequal generators, low temperature", _few_possible(draw, 5, 2, 4, 0.05), draw.ids(2, 4).tolist(), 40,
               "generator", source, temperature=0.05, eos=4, report="generators").trying("generator")

    yield case("a context of one", _clear_table(draw, size, 1, eos, 50.0), prefix(1), 9, "any model", window, eos=eos).trying(
        "where the logits", "then the window", "prefix a list")
    yield case("a context as long as the vocabulary", _clear_table(draw, 4, 4, 3, 50.0), draw.shuffled([0, 1, 2, 1]), 15,
               "any model", window, eos=3).trying("where the logits", "then the window")
    for offset in (1000.0, -1000.0):
        yield case(f"logits around {offset:.0f}", _clear_table(draw, size, context, eos, 50.0, offset), prefix(), 9,
                   "any model", "A softmax does not change when all logits move by the same.", eos=eos).trying("Each token")
    for training in (False, True):
        mode = "train" if training else "eval"
        yield case(f"a model in {mode} mode", _clear_table(draw, size, 2, eos, 50.0), prefix(2), 8, "any model",
                   "Its weights and its mode are the caller's.", eos=eos, report="model", training=training).trying(
            "Its weights")
    yield case("docstring example", torch.tensor([0.0, 90.0, 0.0]).expand(3, 3, 3).clone(), [0, 2], 4, "any model",
               eos=0).trying("model takes")


generate = Exercise(
    id="04.generate",
    title="Let the model write",
    why="A model that predicts one word can write many: each new word becomes part of the context.",
    difficulty=2,
    minutes=20,
    core=False,
    criteria=(
        Criterion("tokens", 1, "new tokens only, each from the context that the ones before have made"),
        Criterion("end", 0.5, "eos ends the text and is not returned; at most max_tokens"),
        Criterion("temperature", 0.5, "draws follow the softmax of logits / temperature, down to 0", tries=("temperature 0",)),
        Criterion("generator", 0.5, "all randomness comes from the generator"),
        Criterion("any model", 0.5, "contexts of any length, logits of any level; the model itself is left as it is"),
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
    of_driver=("table", "seed", "report", "groups", "training"),
    run=run,
    by_products=("texts that are equal", "weights of the model afterwards", "weights that can learn"),
    compare=Comparison(
        rules={
            "fraction of each token": _token_shares,
            "fraction of each length": _length_shares,
            CAME_UP: _came_up,
            "texts": _texts,
            ALIKE: _no_matter,
            "modes of the model": _modes,
        },
        tolerances={"fraction of each token": _CLOSE, "fraction of each length": _CLOSE, "texts": math.inf},
    ),
)
