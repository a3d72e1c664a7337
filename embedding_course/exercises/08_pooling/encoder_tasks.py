"""What is asked of a text encoder: each task builds it, calls it, and hands over what came back; nothing is judged here.

Nothing depends on the names of its parts. Weights are drawn anew, so that no initialisation hides anything. What the tensors
must have to do with one another is said in `encoder_relations`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from ...checking.exercise import NamedParts

POOLINGS = ("mean", "max", "cls", "last", "weighted")
#: Those that the core of the notebook has, and those of its further section.
CORE, FURTHER = ("mean", "cls", "last"), ("max", "weighted")
#: By how much weights are moved to see what the vectors do.
EPSILON = 3e-5


def run(
    candidate: Callable[..., nn.Module],
    build: Mapping[str, Any],
    seed: int,
    task: str,
    poolings: Sequence[str],
    ids: torch.Tensor,
    attention_mask: torch.Tensor,
    **given: Any,
) -> NamedParts:
    """Do one task with the learner's class, and report what was measured as the only part of the result."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return NamedParts({"measured": _TASKS[task](candidate, dict(build), seed, poolings, ids, attention_mask, **given)})


def _made(candidate: Callable[..., nn.Module], seed: int, *, mixing: bool = True, **build: Any) -> nn.Module:
    """Return a model in eval mode whose weights were moved by noise.

    Without `mixing`, only two kinds of weights are kept: tables, which have as many rows as there are words or positions (or
    one or two more), and scales that are all 1. Attention and feed-forward then add nothing, so that each word's vector stays
    its own.
    """
    return _moved(candidate(**build), seed, mixing, build).eval()


def _moved(model: nn.Module, seed: int, mixing: bool, build: Mapping[str, Any]) -> nn.Module:
    noise = torch.Generator().manual_seed(seed)
    rows = {build[name] + more for name in ("vocab_size", "max_length") for more in range(3)}
    for weight in model.parameters():
        move = 0.3 * torch.randn(weight.shape, generator=noise, dtype=weight.dtype)
        if mixing or (weight.ndim > 1 and rows & set(weight.shape)):
            weight.data.add_(move)
        elif not (weight.ndim == 1 and bool((weight == 1).all())):
            weight.data.zero_()
    return model


def _copied(model: nn.Module, weights: Mapping[str, torch.Tensor]) -> bool:
    """Give a model the weights of another one; False where they do not fit."""
    try:
        model.load_state_dict(weights, strict=False)
    except RuntimeError:
        return False
    return True


def _vectors(candidate, build, seed, poolings, ids, mask) -> dict[str, Any]:
    return {pooling: _made(candidate, seed, **build, pooling=pooling)(ids, mask) for pooling in poolings}


def _without_gradients(candidate, build, seed, poolings, ids, mask) -> dict[str, Any]:
    """Return the vectors as a search computes them: torch's layers then take another way, in which less is caught."""
    with torch.no_grad():
        return _vectors(candidate, build, seed, poolings, ids, mask)


def _alone(candidate, build, seed, poolings, ids, mask) -> dict[str, Any]:
    """Return the vectors of the batch, of each sentence alone without padding, and of the batch with its rows reversed."""
    by_pooling = {}
    for pooling in poolings:
        model = _made(candidate, seed, **build, pooling=pooling)
        each = []
        for row, real in zip(ids, mask.bool(), strict=True):
            own = row[real][None]
            each.append(model(own, torch.ones_like(own).to(mask.dtype)) if real.any() else None)
        by_pooling[pooling] = {"together": model(ids, mask), "alone": each, "turned": model(ids.flip(0), mask.flip(0))}
    return by_pooling


def _training(candidate, build, seed, poolings, ids, mask) -> dict[str, Any]:
    model = _made(candidate, seed, **build, pooling=poolings[0])
    return {"in eval mode": model(ids, mask), "in training mode": model.train()(ids, mask)}


def _default(candidate, build, seed, poolings, ids, mask) -> dict[str, Any]:
    """Return the vectors with each pooling and with the default one, from equal weights; None where the weights do not fit."""
    models = [_made(candidate, seed, **build, pooling=pooling) for pooling in poolings]
    models.append(candidate(*build.values()).eval())
    fit = [_copied(model, models[0].state_dict()) for model in models]
    return {
        name: model(ids, mask) if fits else None
        for name, model, fits in zip([*poolings, "none"], models, fit, strict=True)
    }


def _heads(candidate, build, seed, poolings, ids, mask, heads: Sequence[int]) -> list[torch.Tensor | None]:
    """Return the vectors with each number of heads, all with the weights of the first model; None where these do not fit."""
    first = _made(candidate, seed, **{**build, "heads": heads[0]})
    others = [candidate(**{**build, "heads": count}).eval() for count in heads]
    return [other(ids, mask) if _copied(other, first.state_dict()) else None for other in others]


def _layers(candidate, build, seed, poolings, ids, mask, sizes: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return three counts for each pair of layers and d_ff.

    They are the number of weights, the number of weights that a gradient reaches, and the calls of the part that is called most
    often.
    """
    counts = []
    for layers, d_ff in sizes:
        model = candidate(**{**build, "layers": layers, "d_ff": d_ff}).eval()
        weights = list(model.parameters())
        vectors = model(ids, mask)
        arrived = _arriving(vectors, _from_above(vectors, seed), weights)
        reached = sum(tensor.numel() for tensor in arrived if tensor is not None)
        counts.append([sum(tensor.numel() for tensor in weights), reached, _busiest(model, ids, mask)])
    return counts


def _busiest(model: nn.Module, ids: torch.Tensor, mask: torch.Tensor) -> int:
    """Return how often the most called part with weights is called for one sentence; embedding tables do not count."""
    calls: Counter[nn.Module] = Counter()
    for part in model.modules():
        if part is not model and not isinstance(part, nn.Embedding) and any(True for _ in part.parameters(recurse=False)):
            part.register_forward_pre_hook(lambda module, _: calls.update([module]))
    model(ids[:1], mask[:1])
    return max(calls.values(), default=0)


def _poolings(candidate, build, seed, poolings, ids, mask) -> dict[str, Any] | None:
    """Return the vectors of the pairs of words in `ids` with each pooling, and those of each pair's first word alone.

    The models share their weights. In some of them words do not mix ("apart"), in the others they do ("mixed"). The result is
    None if the weights do not fit.
    """
    vectors: dict[str, Any] = {}
    for name, mixing in (("apart", False), ("mixed", True)):
        models = {pooling: _made(candidate, seed, mixing=mixing, **build, pooling=pooling) for pooling in poolings}
        if not all(_copied(model, models[poolings[0]].state_dict()) for model in models.values()):
            return None
        vectors[name] = {pooling: model(ids, mask) for pooling, model in models.items()}
        vectors[name]["first word"] = models[poolings[0]](ids[:, :1], mask[:, :1])
    return vectors


def directions(shapes: Sequence[Sequence[int]], seed: int, count: int = 8) -> Iterator[list[torch.Tensor]]:
    """Yield random directions in which weights of these shapes may be moved."""
    for number in range(count):
        dice = torch.Generator().manual_seed(seed + number)
        yield [torch.randn(tuple(shape), generator=dice, dtype=torch.float64) for shape in shapes]


def _from_above(vectors: torch.Tensor, seed: int) -> torch.Tensor:
    return torch.randn(vectors.shape, generator=torch.Generator().manual_seed(seed), dtype=vectors.dtype)


def _arriving(vectors: torch.Tensor, upstream: torch.Tensor, weights: Sequence[torch.Tensor]) -> list[torch.Tensor | None]:
    """Return the gradient of each weight for this gradient from above."""
    for weight in weights:
        weight.grad = None
    if vectors.requires_grad:
        vectors.backward(upstream)
    return [weight.grad if weight.grad is None or not weight.grad.is_sparse else weight.grad.to_dense() for weight in weights]


def _gradient(candidate, build, seed, poolings, ids, mask) -> dict[str, Any]:
    """Return the gradients of the tables and the sums of squares at every weight that learns, for each pooling.

    The gradient from above is random. For "outward", the vectors themselves are the gradient from above.
    """
    by_pooling = {}
    for pooling in poolings:
        model = _made(candidate, seed, **build, pooling=pooling)
        weights = [weight for weight in model.parameters() if weight.requires_grad]
        vectors = model(ids, mask)
        arrived = _arriving(vectors, _from_above(vectors, seed), weights)
        tables = {
            name: [
                gradient
                for gradient, weight in zip(arrived, weights, strict=True)
                if weight.shape == (build[name], build["d_model"])
            ]
            for name in ("vocab_size", "max_length")
        }
        by_pooling[pooling] = {"tables": tables, "squares": _squares(arrived)}
        vectors = model(ids, mask)
        by_pooling[pooling]["outward"] = _squares(_arriving(vectors, vectors.detach(), weights))
    return by_pooling


def _squares(gradients: Sequence[torch.Tensor | None]) -> list[torch.Tensor | None]:
    return [gradient if gradient is None else gradient.double().square().sum() for gradient in gradients]


def _expected_outcome(candidate, build, seed, poolings, ids, mask) -> dict[str, Any]:
    """Return the gradients of the weights for a random gradient from above, and the vectors after small moves of the weights.

    The weights are moved ahead and back in several directions.
    """
    model = _made(candidate, seed, **build, pooling=poolings[0])
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    vectors = model(ids, mask)
    upstream = _from_above(vectors, seed)
    arrived = _arriving(vectors, upstream, weights)
    shapes, moved = [list(weight.shape) for weight in weights], []
    for moves in directions(shapes, seed):
        _step(weights, moves, EPSILON)
        ahead = model(ids, mask)
        _step(weights, moves, -2 * EPSILON)
        moved.append([ahead, model(ids, mask)])
        _step(weights, moves, EPSILON)
    return {"upstream": upstream, "shapes": shapes, "gradients": arrived, "moved": moved}


def _step(weights: Sequence[torch.Tensor], moves: Sequence[torch.Tensor], size: float) -> None:
    for weight, move in zip(weights, moves, strict=True):
        weight.data.add_((size * move).to(weight.dtype))


def _last_word(candidate, build, seed, poolings, ids, mask) -> dict[str, Any]:
    """Return the vectors of the sentences with and without their last word."""
    model = _made(candidate, seed, **build, pooling=poolings[0])
    return {"with": model(ids, mask), "without": model(ids[:, :-1], mask[:, :-1])}


_TASKS: dict[str, Callable[..., Any]] = {
    "vectors": _vectors,
    "without gradients": _without_gradients,
    "alone": _alone,
    "training": _training,
    "order": _vectors,
    "layers": _layers,
    "heads": _heads,
    "default": _default,
    "poolings": _poolings,
    "gradient": _gradient,
    "foretold": _expected_outcome,
    "last word": _last_word,
}
