"""What a text encoder's vectors must have to do with one another: read off the tensors that the tasks handed over.

There is no right vector: weights and parts are the learner's. So each relation is one between vectors of inputs that the draw
has chosen: which of them must be equal, which must differ, what the poolings make of one another, what the gradients foretell.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, NamedParts
from ...checking.show import kind
from .encoder_tasks import EPSILON, directions
from .pairs_of_words import differ, named_rightly, not_contradicting, same

#: Said of a relation about which the vectors tell nothing, since the model has weights of its own for each size or pooling.
UNTOLD = "untold"
_MOST_WEIGHTS = 200_000


def relations(measured: Any, case: Case) -> NamedParts:
    """Return the relations of a task by name: True or False, a list of these with one for each row, or a short text."""
    return _RELATIONS[case.args["task"]](measured, case)


def _are_vectors(case: Case, value: Any, rows: int | None = None) -> bool:
    shape = (len(case.args["ids"]) if rows is None else rows, case.args["build"]["d_model"])
    return isinstance(value, torch.Tensor) and value.shape == shape and value.is_floating_point()


def _of(case: Case, value: Any, rows: int | None = None) -> torch.Tensor:
    """Return the vectors in float64, one for each row of the case; raise ValueError if `value` holds anything else."""
    if not _are_vectors(case, value, rows):
        raise ValueError("these are no vectors of the case's rows")
    return value.double()


def _named_parts(measured: Any, name: str) -> Mapping[str, Any]:
    parts = measured[name]
    if not isinstance(parts, dict):
        raise TypeError("named parts were asked for")
    return parts


def _sentences(case: Case) -> list[tuple[int, ...]]:
    """Return the ids of the real words of each row, in order."""
    ids, mask = case.args["ids"], case.args["attention_mask"].bool()
    return [tuple(row[real].tolist()) for row, real in zip(ids, mask, strict=True)]


def _pairs(case: Case, alike: bool) -> Iterator[tuple[int, int]]:
    """Yield the pairs of rows that hold the same sentence (`alike`) or different ones; rows without a word are left out."""
    sentences = _sentences(case)
    for first, second in itertools.combinations(range(len(sentences)), 2):
        if sentences[first] and sentences[second] and (sentences[first] == sentences[second]) is alike:
            yield first, second


def _named(case: Case, name: str, pooling: str) -> str:
    return name if len(case.args["poolings"]) == 1 else f"{name}, {pooling}"


def _lengths(vectors: torch.Tensor) -> str:
    """Return how many vectors have norm 1 and how many are zeros: "2 of 3 have length 1, 1 are zeros"."""
    lengths = vectors.norm(dim=1)
    ones, zeros = int(((lengths - 1).abs() < 1e-4).sum()), int((lengths < 1e-6).sum())
    return f"{ones} of {len(lengths)} have length 1, {zeros} are zeros"


def _vectors(measured: Mapping[str, Any], case: Case) -> NamedParts:
    """Return the kind and the norms of the vectors, and whether rows are equal just where they hold the same sentence.

    The last is reported only if no row is padded.
    """
    poolings = case.args["poolings"]
    kinds = [kind(measured[pooling]) for pooling in poolings]
    parts = NamedParts({"kind": next((vector_kind for vector_kind in kinds if vector_kind != kinds[0]), kinds[0])})
    if not all(_are_vectors(case, measured[pooling]) for pooling in poolings):
        return parts
    rows = case.args["attention_mask"].bool()
    name = "lengths" if bool(rows.any(dim=1).all()) else "lengths with an empty row"
    lengths = [_lengths(_of(case, measured[pooling])) for pooling in poolings]
    each = ", ".join(f"{key}: {text}" for key, text in zip(poolings, lengths, strict=True))
    parts[name] = lengths[0] if len(set(lengths)) == 1 else each
    for pooling in poolings if bool(rows.all()) else ():
        vectors = _of(case, measured[pooling])
        parts[_named(case, "one sentence twice", pooling)] = all(same(vectors[a], vectors[b]) for a, b in _pairs(case, True))
        parts[_named(case, "other sentences", pooling)] = all(differ(vectors[a], vectors[b]) for a, b in _pairs(case, False))
    return parts


def _alone(measured: Mapping[str, Any], case: Case) -> NamedParts:
    parts = NamedParts()
    for pooling in case.args["poolings"]:
        vectors = _named_parts(measured, pooling)
        together, each = _of(case, vectors["together"]), vectors["alone"]
        real = [row for row, words in enumerate(_sentences(case)) if words]
        own = {row: _of(case, each[row], rows=1)[0] for row in real}
        parts[_named(case, "as when alone", pooling)] = [same(together[row], own[row]) for row in real]
        parts[_named(case, "one sentence twice", pooling)] = all(same(together[a], together[b]) for a, b in _pairs(case, True))
        parts[_named(case, "other sentences", pooling)] = all(differ(own[a], own[b]) for a, b in _pairs(case, False))
        parts[_named(case, "rows in another order", pooling)] = same(_of(case, vectors["turned"]).flip(0), together)
    return parts


def _training(measured: Mapping[str, Any], case: Case) -> NamedParts:
    evaluated, trained = (_of(case, measured[f"in {mode} mode"]) for mode in ("eval", "training"))
    return NamedParts({
        "other sentences": all(differ(evaluated[a], evaluated[b]) for a, b in _pairs(case, False)),
        "dropout": same(evaluated, trained),
    })


def _order(measured: Mapping[str, Any], case: Case) -> NamedParts:
    """Return whether equal sentences have equal vectors, and whether a change of the word order changes the vector.

    The rows hold the same words in several orders, some of them twice. In all rows but the first, two words are exchanged.
    """
    parts = NamedParts()
    for pooling in case.args["poolings"]:
        vectors = _of(case, measured[pooling])
        parts[_named(case, "one sentence twice", pooling)] = all(same(vectors[a], vectors[b]) for a, b in _pairs(case, True))
        others = [row for first, row in _pairs(case, False) if first == 0]
        parts[_named(case, "order matters", pooling)] = all(differ(vectors[0], vectors[row]) for row in others)
    return parts


def _last_word(measured: Mapping[str, Any], case: Case) -> NamedParts:
    whole, cut = _of(case, measured["with"]), _of(case, measured["without"])
    return NamedParts({"last word": all(differ(*pair) for pair in zip(whole, cut, strict=True))})


def _default(measured: Mapping[str, Any], case: Case) -> NamedParts:
    pooled = {name: None if measured[name] is None else _of(case, measured[name]) for name in (*case.args["poolings"], "none")}
    if pooled["none"] is None:
        return NamedParts({"default": False})
    kept = {name: same(vectors, pooled["none"]) for name, vectors in pooled.items() if vectors is not None}
    return NamedParts({"default": [name for name, equal in kept.items() if equal] == ["mean", "none"]})


def _heads(measured: Sequence[Any], case: Case) -> NamedParts:
    """Return whether equal numbers of heads give equal vectors, and different numbers different vectors.

    Models that do not fit the weights tell nothing.
    """
    counts = case.options["heads"]
    vectors = {at: _of(case, measured[at]) for at in range(len(counts)) if measured[at] is not None}
    pairs = list(itertools.combinations(vectors, 2))
    alike = [same(vectors[a], vectors[b]) for a, b in pairs if counts[a] == counts[b]]
    apart = [differ(vectors[a], vectors[b]) for a, b in pairs if counts[a] != counts[b]]
    return NamedParts({"one number of heads": all(alike) if alike else UNTOLD, "heads": all(apart) if apart else UNTOLD})


def _layers(measured: Sequence[Sequence[int]], case: Case) -> NamedParts:
    """Return what the counts of weights tell about the layers of a model.

    `sizes` holds three numbers of layers with one d_ff, and the first and the last of these numbers with another d_ff, in
    random order.
    """
    counted = {tuple(size): counts for size, counts in zip(case.options["sizes"], measured, strict=True)}
    narrow, wide = sorted({d_ff for _, d_ff in counted})
    few, some, many = sorted(layers for layers, d_ff in counted if d_ff == narrow)
    every, reached = ({size: counts[at] for size, counts in counted.items()} for at in (0, 1))

    def grows(numbers: Mapping[tuple[int, ...], int]) -> bool:
        first, second = numbers[some, narrow] - numbers[few, narrow], numbers[many, narrow] - numbers[some, narrow]
        return first > 0 and first * (many - some) == second * (some - few)

    wider = {layers: reached[layers, wide] - reached[layers, narrow] for layers in (few, many)}
    return NamedParts({
        "a layer's own weights": grows(every),
        "layers that learn": grows(reached),
        "width of the feed-forward": wider[few] > 0,
        "a layer's own feed-forward": wider[few] * many == wider[many] * few,
        "parts of several layers": len({counts[2] for counts in counted.values()}) == 1,
    })


def _poolings(measured: Mapping[str, Any] | None, case: Case) -> NamedParts:
    """Tell the poolings apart in models that share their weights; where words do not mix, each can be named."""
    names = case.args["poolings"]
    parts = NamedParts({"poolings differ": False, **{f"pooling {name}": UNTOLD for name in names}})
    parts |= {"last weighs more": True, "largest of two": True}  # unless it is seen that they do not
    if measured is None:
        return parts
    for mixing in ("apart", "mixed"):
        first = _of(case, measured[mixing]["first word"])
        pooled = {name: _of(case, measured[mixing][name]) for name in names}
        if not _words_show(first, case):
            continue
        parts["poolings differ"] = all(differ(*both) for both in itertools.combinations(pooled.values(), 2))
        if mixing == "apart":
            verdicts = named_rightly(case.args["ids"], first, pooled)
            parts.update({f"pooling {name}": fine for name, fine in verdicts.items()})
        else:
            parts.update(not_contradicting(pooled))
        return parts
    return parts


def _words_show(first: torch.Tensor, case: Case) -> bool:
    """Return True if vectors of first words have norm 1 and are equal just where the words are equal."""
    words = case.args["ids"][:, 0].tolist()
    agree = (same(first[a], first[b]) == (words[a] == words[b]) for a, b in itertools.combinations(range(len(words)), 2))
    return bool(((first.norm(dim=1) - 1).abs() < 1e-3).all()) and all(agree)


def _gradient(measured: Mapping[str, Any], case: Case) -> NamedParts:
    parts = NamedParts()
    for pooling in case.args["poolings"]:
        gradients = _named_parts(measured, pooling)
        arrived = gradients["squares"]
        parts["graph"] = parts.get("graph", True) and any(square is not None for square in arrived)
        for name, rows in (("token table", "vocab_size"), ("position table", "max_length")):
            parts[name] = parts.get(name, True) and _learns(gradients["tables"][rows])
        finite = all(bool(square.isfinite().all()) for square in arrived if square is not None)
        parts[_named(case, "finite gradients", pooling)] = finite
        stays = not _length(gradients["outward"]) > 1e-2 * _length(arrived)  # nan is said of elsewhere
        parts["lengths in the backward pass"] = parts.get("lengths in the backward pass", True) and stays
    return parts


def _size(gradients: Sequence[torch.Tensor | None]) -> float:
    return sum(float(gradient.double().square().sum()) for gradient in gradients if gradient is not None) ** 0.5


def _length(squares: Sequence[torch.Tensor | None]) -> float:
    return sum(float(square) for square in squares if square is not None) ** 0.5


def _learns(tables: Sequence[torch.Tensor | None]) -> bool:
    """Return True if a gradient reaches the tables of one size, or if there are none, since frozen tables are left out."""
    return not tables or any(gradient is not None and bool((gradient != 0).any()) for gradient in tables)


def _expected_outcome(measured: Mapping[str, Any], case: Case) -> NamedParts:
    """Return whether the vectors move as the gradients say in most directions; in a few, a ReLU may have its kink."""
    if sum(math.prod(shape) for shape in measured["shapes"]) > _MOST_WEIGHTS:
        raise ValueError("there are more weights than any model of these sizes has")
    upstream, size = _of(case, measured["upstream"]), _size(measured["gradients"])
    right = []
    for moves, (ahead, back) in zip(directions(measured["shapes"], case.args["seed"]), measured["moved"], strict=True):
        seen = float(((_of(case, ahead) - _of(case, back)) * upstream).sum()) / (2 * EPSILON)
        both = zip(measured["gradients"], moves, strict=True)
        predicted = sum(float((gradient.double() * move).sum()) for gradient, move in both if gradient is not None)
        right.append(abs(seen - predicted) < 0.1 * size)
    return NamedParts({"graph": size > 0, "gradients foretell": sum(right) > len(right) / 2})


_RELATIONS: dict[str, Callable[[Any, Case], NamedParts]] = {
    "vectors": _vectors,
    "without gradients": _vectors,
    "alone": _alone,
    "training": _training,
    "order": _order,
    "layers": _layers,
    "heads": _heads,
    "default": _default,
    "poolings": _poolings,
    "gradient": _gradient,
    "foretold": _expected_outcome,
    "last word": _last_word,
}
