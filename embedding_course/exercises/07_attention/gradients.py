"""Drivers and comparison for answers that a backward pass must go through."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Mismatch, NamedParts, RandomInputs
from ...messages import Code, Message


def differentiable(*names: str, results: Sequence[str] = ("result",)) -> Callable[..., Any]:
    """Return a driver for functions whose first arguments have these names.

    Without `upstream`, the driver calls the answer and reports the result (several results under the names in `results`). With
    `upstream`, a list of the loss's gradients at the results (None if the loss does not depend on one), it reports the gradient
    of each argument. With `turned`, tensors of three or more axes come as views whose memory has two axes in the other order.
    """

    def run(
        candidate: Callable[..., Any],
        *args: Any,
        upstream: Sequence[torch.Tensor | None] | None = None,
        turned: bool = False,
        **options: Any,
    ) -> NamedParts:
        given = [_turned(value) for value in args] if turned else list(args)
        if upstream is not None:
            given[: len(names)] = [value.detach().clone().requires_grad_() for value in args[: len(names)]]
        answer = candidate(*given, **options)
        several = isinstance(answer, (tuple, list)) and len(results) > 1
        outputs = dict(zip(results, answer if several else [answer], strict=False))
        if upstream is None:
            return NamedParts(outputs)
        return backward([outputs.get(name) for name in results], upstream, dict(zip(names, given, strict=False)))

    return run


def _turned(value: Any) -> Any:
    """Return tensors of three or more axes as views with two axes in the other order in memory.

    For example, split_heads returns such views.
    """
    several = isinstance(value, torch.Tensor) and value.ndim > 2
    return value.transpose(-3, -2).contiguous().transpose(-3, -2) if several else value


def with_printed_calls(
    name: str, cases: Callable[[RandomInputs], Iterator[Case]], *, shapes_only: bool = False
) -> Callable[[RandomInputs], Iterator[Case]]:
    """Return the cases; if the driver has options of its own, the call is printed as a learner would type it.

    With `shapes_only`, so are the calls of all cases but the docstring's examples: the tensors are too many to print.
    """

    def with_calls(draw: RandomInputs) -> Iterator[Case]:
        for case in cases(draw):
            short = not shapes_only or case.name.startswith("docstring")
            if short and not {"upstream", "turned"} & set(case.options):
                yield case
                continue
            own = "".join(f", {key}={value}" for key, value in case.options.items() if key not in ("upstream", "turned"))
            shapes = [f"{key} of shape {tuple(value.shape)}" for key, value in case.args.items() if hasattr(value, "shape")]
            then = " and then .backward(...)" if "upstream" in case.options else ""
            yield replace(case, call=f"{name}({', '.join(case.args)}{own}) with {', '.join(shapes)}{then}")

    return with_calls


def backward(results: Sequence[Any], upstream: Sequence[torch.Tensor | None], leaves: Mapping[str, Any]) -> NamedParts:
    """Run backward from the results, each with its gradient from above; report what reaches the leaves."""
    pairs = [(result, grad) for result, grad in zip(results, upstream, strict=True) if grad is not None]
    joined = [(result, grad) for result, grad in pairs if getattr(result, "requires_grad", False)]
    if joined:
        torch.autograd.backward([result for result, _ in joined], [grad for _, grad in joined])
    return NamedParts({f"gradient of {name}": leaf.grad for name, leaf in leaves.items()})


def arrives(name: str, share: float | None = None, rounding: float = 1e-6) -> Callable[[Any, Any, Case], Mismatch | None]:
    """Return the rule for one gradient: it exists and equals the expected one within `share` of its largest entry.

    Where a gradient is 0 in theory (attention to a single word leaves nothing to choose), every computation leaves a different
    remainder, in proportion to the inputs and to the gradient from above: `rounding` times their size in float32.
    """

    def rule(expected: Any, got: Any, case: Case) -> Mismatch | None:
        if got is None:
            said = Message("No gradient reaches {name}. Was something detached, or made outside of torch?")
            return Mismatch("property", said.fill(name=Code(name)))
        exact = expected.dtype == torch.float64
        within = share or (1e-6 if exact else 1e-4)
        scale = max(1.0, _largest(case.args)) * max(1.0, _largest(case.options.get("upstream")))
        left = rounding * scale * (1e-3 if exact else 1.0)
        what = Message("the gradient of {name}", name=Code(name))
        return Comparison().leaf(expected, got, what, within * _largest(expected) + left)

    return rule


def _largest(value: Any) -> float:
    """Return the absolute value of the largest number in a tensor, or in all tensors within a value."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return max(map(_largest, value), default=0.0)
    numbers = isinstance(value, torch.Tensor) and value.is_floating_point() and value.numel()
    return float(value.abs().max()) if numbers else 0.0


def compare_with_gradients(
    *names: str, share: float | None = None, rounding: float = 1e-6, kind: type[Comparison] = Comparison, **more: Any
) -> Comparison:
    """Return the usual comparison (or another `kind`) with rules for the gradients of these leaves."""
    rules = {f"gradient of {name}": arrives(name, share, rounding) for name in names}
    return kind(rules={**rules, **more.pop("rules", {})}, **more)
