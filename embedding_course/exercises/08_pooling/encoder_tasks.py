"""What is asked of a text encoder: each task builds it, tries something, and reports yes, no or a count.

Nothing here depends on the names of its parts. Weights are drawn anew, so that no initialisation hides anything.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from ...plain import Parts, plain
from ...show import kind

__all__ = ["POOLINGS", "run"]

POOLINGS = ("mean", "max", "cls", "last", "weighted")
#: Rounding moves the entries of unit vectors by less than `_OTHER`; what differs by less than `_SAME` may count as the same.
_SAME, _OTHER = 5e-5, 1e-5


def run(
    candidate: Callable[..., torch.nn.Module],
    build: Mapping[str, Any],
    seed: int,
    task: str,
    poolings: Sequence[str],
    ids: torch.Tensor,
    attention_mask: torch.Tensor,
) -> Any:
    """Do one task; the candidate is a class."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return _TASKS[task](candidate, dict(build), seed, poolings, ids, attention_mask)


def _made(candidate: Callable[..., torch.nn.Module], seed: int, *, mixing: bool = True, **build: Any) -> torch.nn.Module:
    """A model in eval mode whose weights were moved by noise.

    Without `mixing` only tables (weights with as many rows as words or positions, or one or two more) and scales that
    are all 1 are kept; attention and feed-forward then add nothing, so that each word's vector stays its own.
    """
    model = candidate(**build).eval()
    noise = torch.Generator().manual_seed(seed)
    rows = {build[name] + more for name in ("vocab_size", "max_length") for more in range(3)}
    for weight in model.parameters():
        move = 0.3 * torch.randn(weight.shape, generator=noise, dtype=weight.dtype)
        if mixing or (weight.ndim > 1 and rows & set(weight.shape)):
            weight.data.add_(move)
        elif not (weight.ndim == 1 and bool((weight == 1).all())):
            weight.data.zero_()
    return model


def _copied(model: torch.nn.Module, weights: Mapping[str, torch.Tensor]) -> bool:
    """Give a model the weights of another one; False where they do not fit."""
    try:
        model.load_state_dict(weights, strict=False)
    except RuntimeError:
        return False
    return True


def _same(first: torch.Tensor, second: torch.Tensor) -> bool:
    return first.shape == second.shape and bool(((first - second).abs() < _SAME).all())


def _differ(first: torch.Tensor, second: torch.Tensor) -> bool:
    return first.shape == second.shape and bool(((first - second).abs() > _OTHER).any())


def _lengths(vectors: Any) -> str:
    """How many vectors have length 1 and how many are zeros: "2 have length 1, 1 is zero"."""
    if not isinstance(vectors, torch.Tensor) or vectors.ndim != 2:
        return "no vectors"
    lengths = vectors.detach().double().norm(dim=1)
    ones, zeros = int(((lengths - 1).abs() < 1e-4).sum()), int((lengths < 1e-6).sum())
    return f"{ones} of {len(lengths)} have length 1, {zeros} are zeros"


def _vectors(candidate, build, seed, poolings, ids, mask) -> Parts:
    parts = Parts()
    name = "lengths" if bool(mask.bool().any(dim=1).all()) else "lengths with an empty row"
    said = []
    for pooling in poolings:
        vectors = _made(candidate, seed, **build, pooling=pooling)(ids, mask)
        parts.setdefault("kind", kind(plain(vectors)))
        said.append(_lengths(vectors))
    each = ", ".join(f"{key}: {text}" for key, text in zip(poolings, said, strict=True))
    parts[name] = said[0] if len(set(said)) == 1 else each
    return parts


def _alone(candidate, build, seed, poolings, ids, mask) -> Parts:
    """Is each sentence's vector the one that it has alone, without padding? And the same where rows stand in another order?"""
    parts = Parts()
    for pooling in poolings:
        model = _made(candidate, seed, **build, pooling=pooling)
        together = model(ids, mask)
        agree = []
        for row, real in enumerate(mask.bool()):
            if real.any():
                own = ids[row][real][None]
                agree.append(_same(model(own, torch.ones_like(own).to(mask.dtype))[0], together[row]))
        parts["as when alone" if len(poolings) == 1 else f"as when alone, {pooling}"] = agree
    model = _made(candidate, seed, **build, pooling=poolings[0])
    together = model(ids, mask)
    parts["rows in another order"] = _same(model(ids.flip(0), mask.flip(0)), together.flip(0))
    return parts


def _order(candidate, build, seed, poolings, ids, mask) -> Parts:
    """Does the vector change when two words change places, any two? The words themselves are distinct."""
    parts = Parts()
    for pooling in poolings:
        model = _made(candidate, seed, **build, pooling=pooling)
        changed = []
        for row, real in zip(ids, mask, strict=True):
            pairs = list(itertools.combinations(real.bool().nonzero().flatten().tolist(), 2))
            orders = row.repeat(1 + len(pairs), 1)
            for order, (left, right) in zip(orders[1:], pairs, strict=True):
                order[left], order[right] = row[right], row[left]
            before, *after = model(orders, real.repeat(len(orders), 1))
            changed += [_differ(before, one) for one in after]
        parts["order matters" if len(poolings) == 1 else f"order matters, {pooling}"] = all(changed)
    return parts


def _weights(model: torch.nn.Module, ids: torch.Tensor, mask: torch.Tensor) -> tuple[int, int]:
    """How many weights a model has, and how many of them a gradient reaches."""
    vectors = model(ids, mask)
    torch.manual_seed(0)
    if vectors.requires_grad:
        (vectors * torch.randn(vectors.shape)).sum().backward()
    weights = list(model.parameters())
    return sum(one.numel() for one in weights), sum(one.numel() for one in weights if one.grad is not None)


def _busiest(model: torch.nn.Module, ids: torch.Tensor, mask: torch.Tensor) -> int:
    """How often the busiest part that has weights is called for one sentence; tables of vectors do not count."""
    calls: Counter[torch.nn.Module] = Counter()
    for part in model.modules():
        if part is not model and not isinstance(part, torch.nn.Embedding) and any(True for _ in part.parameters(recurse=False)):
            part.register_forward_pre_hook(lambda one, _: calls.update([one]))
    model(ids[:1], mask[:1])
    return max(calls.values(), default=0)


def _layers(candidate, build, seed, poolings, ids, mask) -> Parts:
    models = {layers: _made(candidate, seed, **{**build, "layers": layers}) for layers in (1, 2, 3)}
    one, two, three = (_weights(model, ids, mask) for model in models.values())
    grows = [two[at] - one[at] == three[at] - two[at] > 0 for at in (0, 1)]
    wide = {layers: candidate(**{**build, "layers": layers, "d_ff": build["d_ff"] + 1}).eval() for layers in (1, 3)}
    wider = {layers: _weights(wide[layers], ids, mask)[1] - before for layers, (_, before) in ((1, one), (3, three))}
    return Parts(
        {
            "a layer's own weights": grows[0],
            "layers that learn": grows[1],
            "width of the feed-forward": wider[1] > 0,
            "a layer's own feed-forward": wider[3] == 3 * wider[1],
            "parts of several layers": _busiest(models[3], ids, mask) <= _busiest(models[1], ids, mask),
        }
    )


def _heads(candidate, build, seed, poolings, ids, mask) -> Parts:
    first = _made(candidate, seed, **build)
    other = candidate(**{**build, "heads": 2 * build["heads"]}).eval()
    fits = _copied(other, first.state_dict())
    return Parts({"heads": not fits or _differ(first(ids, mask), other(ids, mask))})


def _default(candidate, build, seed, poolings, ids, mask) -> Parts:
    named = _made(candidate, seed, **build, pooling="mean")
    by_default = candidate(*build.values()).eval()
    fits = _copied(by_default, named.state_dict())
    return Parts({"default": fits and _same(named(ids, mask), by_default(ids, mask))})


def _each_pooling(candidate, build, seed, poolings, ids, mask) -> Parts:
    """Tell the poolings apart in models that share their weights and in which words do not mix.

    None stands for "cannot be told", where the vectors do not allow it.
    """
    parts = Parts({"poolings differ": None, **{f"pooling {name}": None for name in POOLINGS}})
    parts |= {"last weighs more": True, "largest of two": True}  # unless it is seen that they do not
    pair = ids[0][mask[0].bool()]
    other = ids[1][mask[1].bool() & ~torch.isin(ids[1], pair)]  # words that are none of the pair
    # The first word with several second ones, and another first word.
    pairs = torch.stack([*(torch.stack([pair[0], word]) for word in [pair[1], *other[:3]]), torch.stack([other[0], pair[1]])])
    words = torch.stack([pair[:1], other[:1]])
    for mixing in (False, True):
        models = {name: _made(candidate, seed, mixing=mixing, **build, pooling=name) for name in POOLINGS}
        if not all(_copied(model, models["mean"].state_dict()) for model in models.values()):
            return parts
        first, another = models["mean"](words, torch.ones_like(words)).detach().double()
        if _differ(first, another) and abs(float(first.norm()) - 1) < 1e-3:  # words show in these models
            two = {name: model(pairs, torch.ones_like(pairs)).detach().double() for name, model in models.items()}
            parts["poolings differ"] = all(_differ(*both) for both in itertools.combinations(two.values(), 2))
            if not mixing:
                parts.update({f"pooling {name}": fine for name, fine in _named_rightly(first, two).items()})
            else:
                parts.update(_fitting(two))
            return parts
    return parts


def _named_rightly(first: torch.Tensor, pooled: Mapping[str, torch.Tensor]) -> dict[str, bool]:
    """Which poolings do what their name says, where words do not mix: `first` is the vector of the first word, `pooled`
    has a row for each pair of words. The last row's pair has another first word.

    What "cls" and "last" give tells the directions of two words, "mean" their lengths; the others follow from these.
    """
    last = pooled["last"]
    found = {
        "cls": _same(first.expand(len(last) - 1, -1), pooled["cls"][:-1]),
        "last": _same(last[0], last[-1]) and _differ(last[0], first),
    }
    fits: dict[str, list[bool]] = {"mean": [], "weighted": [], "max": []}
    for row, second in enumerate(last[:-1]):
        if not found["last"] or abs(float(first @ second)) > 0.99:
            continue
        mean, in_mean = _shares(first, second, pooled["mean"][row])
        late, in_late = _shares(first, second, pooled["weighted"][row])
        largest = torch.maximum(mean[0] * first, mean[1] * second)
        fits["mean"].append(in_mean)
        fits["weighted"].append(in_late and abs(float(late[1] / late[0] / (mean[1] / mean[0])) - 2) < 0.02)
        fits["max"].append(bool((largest / largest.norm() - pooled["max"][row]).norm() < 1e-3))
    if all(fits["mean"]):  # it is the measure of the others
        return found | {name: all(each) for name, each in fits.items()}
    return found | {"mean": False}


def _fitting(pooled: Mapping[str, torch.Tensor]) -> dict[str, bool]:
    """Where words mix: do the poolings contradict one another? Nothing is said unless mean and weighted mean lie between what
    "cls" and "last" give in every pair, as they do where only the division by the length follows the pooling."""
    later, least = [], []
    rows = (pooled[name] for name in ("cls", "last", "mean", "weighted", "max"))
    for first, last, mean, weighted, largest in zip(*rows, strict=True):
        in_mean, inside = _shares(first, last, mean)
        in_weighted, inside_too = _shares(first, last, weighted)
        if not (inside and inside_too and abs(float(first @ last)) < 0.99 and bool((in_mean > 0.01).all())):
            return {}
        later.append(float(in_weighted[1] / in_weighted[0] / (in_mean[1] / in_mean[0])))
        smallest = torch.minimum(in_mean[0] * first, in_mean[1] * last)
        least.append(bool((smallest / smallest.norm() - largest).norm() < 1e-3))
    backwards = all(abs(ratio - 0.5) < 0.02 for ratio in later)
    return {"last weighs more": not backwards, "largest of two": not all(least)}


def _shares(first: torch.Tensor, second: torch.Tensor, vector: torch.Tensor) -> tuple[torch.Tensor, bool]:
    """What to multiply two vectors with to get a third one, and whether that works at all."""
    basis = torch.stack([first, second], dim=1)
    shares = torch.linalg.lstsq(basis, vector[:, None]).solution[:, 0]
    return shares, bool((basis @ shares - vector).norm() < 1e-3)


def _gradient(candidate, build, seed, poolings, ids, mask) -> Parts:
    parts = Parts()
    for pooling in poolings:
        model = _made(candidate, seed, **build, pooling=pooling)
        vectors = model(ids, mask)
        parts["graph"] = parts.get("graph", True) and vectors.requires_grad
        if vectors.requires_grad:
            (vectors * torch.randn(vectors.shape)).sum().backward()
        for name, rows in (("token table", build["vocab_size"]), ("position table", build["max_length"])):
            tables = [one for one in model.parameters() if one.shape == (rows, build["d_model"])]
            tables = [one for one in tables if one.requires_grad or name == "token table"]  # positions may be constants
            learns = not tables or any(one.grad is not None and bool((_dense(one.grad) != 0).any()) for one in tables)
            parts[name] = parts.get(name, True) and learns
        parts["lengths in the backward pass"] = parts.get("lengths in the backward pass", True) and _lengths_stay(
            model, ids, mask
        )
        finite = all(bool(_dense(one.grad).isfinite().all()) for one in model.parameters() if one.grad is not None)
        parts["finite gradients" if len(poolings) == 1 else f"finite gradients, {pooling}"] = finite
    return parts


def _lengths_stay(model: torch.nn.Module, ids: torch.Tensor, mask: torch.Tensor) -> bool:
    """Vectors of length 1 stay so whatever the weights do: the squares of their numbers have no gradient to speak of."""

    def largest(take: Callable[[torch.Tensor], torch.Tensor]) -> float:
        model.zero_grad()
        vectors = model(ids, mask)
        if not vectors.requires_grad:
            return 0.0
        take(vectors).sum().backward()
        reached = [_dense(one.grad) for one in model.parameters() if one.grad is not None]
        return max((float(grad.abs().max()) for grad in reached), default=0.0)

    kept = [None if one.grad is None else one.grad.clone() for one in model.parameters()]
    stays = not largest(torch.square) > 1e-2 * largest(lambda vectors: vectors[:, 0])  # nan is said of elsewhere
    for one, grad in zip(model.parameters(), kept, strict=True):
        one.grad = grad
    return stays


def _dense(gradient: torch.Tensor) -> torch.Tensor:
    """A table with sparse=True is a table, too; but torch compares no sparse gradients."""
    return gradient.to_dense() if gradient.is_sparse else gradient


def _last_word(candidate, build, seed, poolings, ids, mask) -> Parts:
    """Does the first word's vector change when the last word of each sentence is left away?"""
    model = _made(candidate, seed, **build, pooling="cls")
    return Parts({"last word": _differ(model(ids, mask), model(ids[:, :-1], mask[:, :-1]))})


def _call(candidate, build, seed, poolings, ids, mask) -> str:
    return kind(plain(_made(candidate, seed, **build, pooling=poolings[0])(ids, mask)))


_TASKS: dict[str, Callable[..., Any]] = {
    "vectors": _vectors,
    "alone": _alone,
    "order": _order,
    "layers": _layers,
    "heads": _heads,
    "default": _default,
    "poolings": _each_pooling,
    "gradient": _gradient,
    "last word": _last_word,
    "call": _call,
}
