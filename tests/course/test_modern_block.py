"""Notebook 07's page of the modern block: what it counts is what is computed."""

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from embedding_course.exercises import find_exercise
from embedding_course.experiments.attention import parity
from grader.course_source.catalogue import callable_of, reference, references, right_forms_of
from grader.course_source.lesson import read_lesson

MULTI = find_exercise("07.MultiHeadAttention")


def _lesson(*keys: str, **answers: Any) -> dict[str, Any]:
    """What the cells of these keys define, behind the lesson's imports and with right answers."""
    scope: dict[str, Any] = {**references("07_attention"), **answers}
    for cell in read_lesson("07_attention"):
        if cell.key in ("imports", "figures", *keys):
            exec(cell.source, scope)
    return scope


class Counted(TorchDispatchMode):
    """Operations on numbers: as many as an element-wise result has, or as a mean reads."""

    def __init__(self) -> None:
        super().__init__()
        self.operations = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        self.operations += args[0].numel() if "mean" in str(func) else out.numel()
        return out


def test_the_steps_of_both_norms_are_those_that_run() -> None:
    lesson, d = _lesson("rms-norm"), 96
    x, gamma, beta = torch.randn(1, d), torch.rand(d), torch.rand(d)
    with Counted() as whole:
        reference(find_exercise("07.layer_norm"))(x, gamma, beta)
    with Counted() as root:
        normed = lesson["rms_norm"](x, gamma)
    assert whole.operations == sum(lesson["layer_norm_steps"].values()) * d + 2
    assert root.operations == sum(lesson["rms_norm_steps"].values()) * d + 2
    assert torch.allclose(normed, F.rms_norm(x, (d,), gamma, 1e-5), atol=1e-6)


def test_swiglu_has_as_many_weights_and_as_much_work_as_the_net_of_four_times() -> None:
    lesson, x = _lesson("swiglu"), torch.randn(1, 96)
    plain, gated = nn.Sequential(nn.Linear(96, 384), nn.GELU(), nn.Linear(384, 96)), lesson["SwiGLU"](96, 256)
    assert sum(weight.numel() for weight in gated.parameters()) == 2 * 4 * 96 * 96
    assert lesson["multiply_adds"](plain, x) == lesson["multiply_adds"](gated, x) == 8 * 96 * 96


def test_the_projections_are_found_in_both_forms() -> None:
    forms = [callable_of(form.source, MULTI) for form in right_forms_of(MULTI)]
    assert len({hasattr(make(6, 2), "qkv_proj") for make in forms}) == 2
    for make in forms:
        for bias in (True, False):
            mine, x = make(6, 2, bias), torch.randn(2, 5, 6)
            q, k, v, out = parity.projections(mine)
            q, k, v = (layer(x).unflatten(-1, (2, 3)).transpose(1, 2) for layer in (q, k, v))
            mixed = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
            assert torch.allclose(out(mixed), mine(x), atol=1e-5)


@pytest.mark.parametrize("make", [reference(MULTI), *(callable_of(form.source, MULTI) for form in right_forms_of(MULTI))])
def test_a_cache_changes_no_word_and_no_attention_is_too_odd_for_it(make: Any) -> None:
    lesson = _lesson("swiglu", "kv-cache", "kv-write")
    torch.manual_seed(0)
    model = lesson["TinyLM"](20, d_model=16, heads=2, layers=2, d_ff=32, max_length=9)
    for block in model.blocks:
        block.attention = make(16, 2)
    begun = torch.arange(20)[:, None]
    (slow, end, all_positions), (quick, other_end, new_positions) = (
        lesson["write_on"](model, begun, 9, remember) for remember in (False, True)
    )
    assert torch.equal(slow, quick) and torch.allclose(end, other_end, atol=1e-4)
    assert (all_positions, new_positions) == (45, 9)
    assert len({tuple(row) for row in slow.tolist()}) == 20


def test_the_cache_holds_what_the_formula_says() -> None:
    lesson = _lesson("swiglu", "kv-cache", "cache-size")
    model = lesson["with_cache"](lesson["TinyLM"](20, d_model=16, heads=2, layers=3, d_ff=32, max_length=9), heads=2)
    with torch.no_grad():
        for _ in range(7):
            x = torch.randn(1, 1, 16)
            for block in model.blocks:
                x = block(x)
    kept = [rows for block in model.blocks for rows in (block.attention.keys, block.attention.values)]
    assert sum(rows.numel() * rows.element_size() for rows in kept) == lesson["cache_bytes"](3, 2, 8, 7, bytes_a_number=4)
    assert lesson["cache_bytes"](32, 8, 128, 8192) == 2**30
    assert lesson["whole"] == 8_030_261_248  # as counted in the published weights


@pytest.mark.parametrize("kv_heads", [8, 4, 2, 1])
def test_grouped_queries_are_pytorch_s(kv_heads: int) -> None:
    lesson, x = _lesson("grouped"), torch.randn(2, 5, 64)
    q, k, v, out = nn.Linear(64, 64), nn.Linear(64, kv_heads * 8), nn.Linear(64, kv_heads * 8), nn.Linear(64, 64)
    attended, kept = lesson["grouped_queries"](x, (q, k, v, out), 8, kv_heads)
    parts = (layer(x).unflatten(-1, (-1, 8)).transpose(1, 2) for layer in (q, k, v))
    theirs = out(F.scaled_dot_product_attention(*parts, enable_gqa=True).transpose(1, 2).flatten(2))
    assert torch.allclose(attended, theirs, atol=1e-5) and kept == (2, kv_heads, 5, 8)
