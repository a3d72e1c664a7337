"""A test that the learner writes, which tells whether a model looks ahead: cases and comparison."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs
from ...checking.partial_credit import balanced
from ...messages import Message
from .mixers import Dress, Mixer, mixer

_PAST, _ITSELF, _SUMS = "only the past", "each position for itself", "running sums"
_MILLIONTH, _MILLIONTHS = "a millionth", "a few millionths"
_ALL, _LAST, _FIRST = "everything", "the last but one reads the last", "the first reads the second"

#: For each way to dress a model: what its leaking members read of later positions, and what as many sound ones read.
_MEMBERS: tuple[tuple[str, Dress, tuple[str, ...], tuple[str, ...]], ...] = (
    ("", Dress(),
     (_ALL, _ALL, "the mean", "the mean", "the next position", _FIRST, _FIRST, "the first reads the last", _LAST, _LAST,
      "the second reads the third", "a leak in the middle", "a leak in the middle", "a leak of a twentieth"),
     (_PAST, _PAST, _PAST, _ITSELF, _ITSELF, _ITSELF, _SUMS, _SUMS, _SUMS, _MILLIONTH, _MILLIONTH, _MILLIONTHS, _MILLIONTHS,
      _MILLIONTHS)),
    ("in the last row of the batch", Dress(open_row=2), (_ALL, _ALL), (_PAST, _PAST)),
    ("in the first row of the batch", Dress(open_row=0), (_ALL, _ALL), (_PAST, _PAST)),
    ("in one row of many", Dress(rows=61, open_row=7), ("a small leak at the end",) * 2, (_PAST, _MILLIONTHS)),
    ("in one row of very many", Dress(rows=211, open_row=7), ("a weak leak at the end",), (_PAST,)),
    ("very many sentences", Dress(rows=211), ("a leak of a third", _ALL), (_MILLIONTHS, _MILLIONTHS)),
    ("one column alone", Dress(columns="one"), (_ALL, _ALL), (_PAST, _SUMS)),
    ("outputs that only fall", Dress(length=2, squares=True, columns="negative", last_size=0.25), (_FIRST, _FIRST),
     (_ITSELF, _ITSELF)),
    ("small outputs", Dress(scale=5e-8), (_ALL, _ALL, _FIRST), (_PAST, _ITSELF, _MILLIONTHS)),
    ("large outputs", Dress(scale=1e4), (_ALL, _ALL, _LAST), (_PAST, _ITSELF, _MILLIONTHS)),
    ("large inputs", Dress(size=1e3), ("a leak of a third", "a leak of a third", _ALL), (_PAST, _SUMS, _MILLIONTHS)),
    ("small inputs", Dress(size=1e-4), (_ALL, _ALL, "the next position"), (_PAST, _MILLIONTHS, _MILLIONTHS)),
    ("of squares", Dress(squares=True), (_ALL, _ALL, _ALL), (_PAST, _PAST, _ITSELF)),
    ("normalised positions", Dress(normalise=True), (_ALL, _ALL, _ALL), (_PAST, _PAST, _SUMS)),
    ("with dropout", Dress(dropout=0.5, modes=(True, True, True)), (_ALL, _ALL, _ALL), (_PAST, _PAST, _ITSELF)),
    ("with dropout, only a part of it trains", Dress(dropout=0.5, modes=(False, True, False)), (_ALL, _ALL), (_PAST, _PAST)),
    ("float64", Dress(dtype=torch.float64), (_ALL, _ALL, "the mean"), (_PAST, _PAST, _SUMS)),
    ("one sentence", Dress(rows=1), (_ALL, _ALL, "the next position"), (_PAST, _ITSELF, _SUMS)),
    ("as many sentences as positions and columns", Dress(rows=3, length=3, width=3),
     ("the first reads the last", "the next position", _ALL), (_PAST, _ITSELF, _SUMS)),
    ("fewer columns than positions", Dress(width=2), (_LAST, _LAST, _ALL), (_PAST, _PAST, _SUMS)),
    ("many positions", Dress(length=23, rows=2), ("one leak somewhere",) * 2, (_PAST, _ITSELF)),
    ("two positions", Dress(length=2), (_FIRST, _FIRST), (_PAST, _ITSELF)),
)

_SOUND = "No output depends on a later position."
_BROKEN = "An output depends on a later position."
_ROUNDING = "What moves less than a thousandth of the largest output is rounding, and no leak."
_RESTORED = "The model and each of its parts are afterwards in the mode that they were in before."

#: The sentences of the docstring that the models with such words in their names try.
_TRIES = (
    ("inputs", "The positions from t"), ("only fall", "The positions from t"), ("with dropout", "dropout is not a leak"),
    ("in the middle", "All positions t"), ("reads the second", "All positions t"), ("reads the last", "All positions t"),
    ("leak somewhere", "All positions t"), ("column", "any nn.Module"), ("a single position", "any nn.Module"),
    ("one sentence", "x tensor of shape"), ("two positions", "x tensor of shape"),
)


def _run(candidate: Callable[..., Any], model: Mapping[str, Any], x: torch.Tensor, report_modes: bool = False) -> Any:
    """Build the model and ask; with `report_modes`, report the mode of each of its modules afterwards and not the answer."""
    built = Mixer(model)
    answer = candidate(built, x)
    if report_modes:
        return NamedParts({"modes": {name or "model": module.training for name, module in built.named_modules()}})
    return answer


def _restored(expected: dict[str, bool], got: Any, _: Case) -> Mismatch | None:
    said = Message("The model, or a part of it, is afterwards in another mode (training or not) than before.")
    return None if got == expected else Mismatch("property", said)


def _members(draw: RandomInputs, sizes: tuple[int, int, int]) -> Iterator[Case]:
    """Yield the cases of leaking and sound models of each dress."""
    for dressed, dress, leaking, sound in _MEMBERS:
        for ahead in leaking:
            yield _member(f"leak: {ahead}", dressed, _BROKEN, mixer(draw, dress, sizes, _past_of(dress), ahead))
        for kind in sound:
            tiny = kind in (_MILLIONTH, _MILLIONTHS)
            numbers = mixer(draw, dress, sizes, ahead=kind) if tiny else mixer(draw, dress, sizes, past=kind)
            yield _member(f"sound: {kind}", dressed, _ROUNDING if tiny else _SOUND, numbers)
    lonely = mixer(draw, Dress(length=1), sizes)
    yield _member("sound", "a single position", "There is no later position.", lonely)


def _past_of(dress: Dress) -> str:
    """Return how a model of this dress reads the past.

    Where the numbers can only make outputs fall, what positions read of themselves alone must not hide a leak.
    """
    return _ITSELF if dress.columns == "negative" else _PAST


def _member(kind: str, dressed: str, because: str, made: tuple[dict[str, Any], torch.Tensor]) -> Case:
    numbers, x = made
    call = f"leaks(model, x) with x of shape {tuple(x.shape)}"
    name = f"{kind}, {dressed}" if dressed else kind
    tries = (sentence for part, sentence in _TRIES if part in name)
    return Case(name, {"model": numbers, "x": x}, "finds and clears", call=call, because=because).trying(*tries)


def _examples() -> Iterator[Case]:
    """Yield cases of the docstring's two models, running sums and x + its mean, as mixers."""
    x = torch.arange(30.0).reshape(2, 5, 3)
    nothing = torch.zeros(2, 5, 5).double()
    sums, mean = torch.ones(5, 5).double().tril(), torch.full((5, 5), 0.2).double()
    for number, (mixing, because) in enumerate(((sums, _SOUND), (torch.eye(5).double() + mean, _BROKEN)), 1):
        model: dict[str, Any] = {
            "left": torch.stack([mixing, nothing[0]]), "right": torch.eye(5).double().repeat(2, 1, 1),
            "left2": nothing, "right2": nothing, "columns": torch.eye(3), "shift": torch.zeros(5, 3),
            "squares": False, "normalise": False, "gate": 0.0, "dropout": 0.0, "modes": [True, True, True],
        }
        name = "docstring example" if number == 1 else f"docstring example {number}"
        yield Case(name, {"model": model, "x": x}, "finds and clears", because=because,
                   call=f"leaks({'Running' if number == 1 else 'Mean'}(), torch.arange(30.0).reshape(2, 5, 3))")


def _cases(draw: RandomInputs) -> Iterator[Case]:
    sizes = draw.choice(((5, 3, 7), (7, 5, 3), (5, 7, 3)))
    times: Counter[str] = Counter()
    members = []
    for member in _members(draw, sizes):
        times[member.name] += 1
        numbered = f"{member.name} ({times[member.name]})" if times[member.name] > 1 else member.name
        members.append(replace(member, name=numbered))
    yield from draw.shuffled(members)
    yield from _examples()
    yield from _mode_cases(draw, sizes)


def _mode_cases(draw: RandomInputs, sizes: tuple[int, int, int]) -> Iterator[Case]:
    for name, modes, ahead, length in (
        ("modes: in training", (True, True, True), "nothing", None),
        ("modes: in evaluation", (False, False, False), "nothing", None),
        ("modes: a frozen part", (True, False, False), "nothing", None),
        ("modes: a part in training", (False, True, True), "nothing", None),
        ("modes: a frozen part of a part", (True, True, False), "nothing", None),
        ("modes: in training, a leak", (True, True, True), _ALL, None),
        ("modes: in evaluation, a leak", (False, False, False), _ALL, None),
        ("modes: drawn", None, "nothing", None),
        ("modes: a single position", (True, True, True), "nothing", 1),
    ):
        numbers, x = mixer(draw, Dress(modes=modes, length=length), sizes, ahead=ahead)
        call = f"leaks(model, x) with x of shape {tuple(x.shape)}"
        yield Case(name, {"model": numbers, "x": x}, "modes", {"report_modes": True}, call, _RESTORED)


leaks = Exercise(
    id="07.leaks",
    title="Does it look ahead?",
    why="A leak makes the training loss very low and the model useless. A test that changes later positions and compares "
        "earlier outputs finds it in any model.",
    difficulty=3,
    minutes=30,
    criteria=(
        Criterion("finds and clears", 2, "broken models are found and sound ones cleared", balanced,
                  tries=("if an output", "returns")),
        Criterion("modes", 1, "the modes of the model and of its parts are as before", tries=("The model's",)),
    ),
    hints=(
        "Change what comes after position t and call the model again: which outputs must not move?",
        "One position t is not enough: some models leak only at the first position, some only at the last, some in one row of "
        "the batch only. Take the largest movement, not the mean.",
        "What counts as movement? More than a thousandth of the largest output: exact equality would blame rounding, a fixed "
        "number would miss small outputs. And noise must be as large as the input is.",
        "Dropout has to be off while you measure. Note the mode of each module in model.modules(), call eval(), and put each "
        "one back at the end, also when you return early.",
    ),
    draws=True,
    cases=_cases,
    of_driver=("report_modes",),
    core=False,
    run=_run,
    compare=Comparison(rules={"modes": _restored}),
)
