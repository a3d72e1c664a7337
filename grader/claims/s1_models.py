"""S1: the models it prints, from the LSTM encoder to CLIP."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from grader.catalogue import references

from .compare import below, spread
from .entry import CONDITION, HOLDS, WRONG, Finding, Source, at, found

s1 = Source("S1")


def rope_with_halves(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """The helper as printed: a (time, width) table of angles laid out in halves, for neighbours as pairs."""
    angles = references("06_positional_encoding")["rope_angles"](positions, x.shape[-1])
    table = torch.cat([angles, angles], dim=-1)
    partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return x * table.cos() + partner * table.sin()


@s1.claim("The encoder classes can be used as printed.", WRONG, at("05", "bug-super"))
def encoder_as_printed() -> Finding:
    class Printed(nn.Module):
        def __init__(self) -> None:
            self.embedding = nn.Embedding(10, 4)

    class Repaired(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(10, 4)

    repaired = len(list(Repaired().parameters()))
    try:
        Printed()
    except AttributeError as error:
        said = type(error).__name__
    else:
        said = ""
    return found(
        said == "",
        f"Constructing one raises {said or 'nothing'}; with super().__init__() it has {repaired} parameter tensor.",
        "Their constructors lack super().__init__(), which makes the places that parameters are kept in.",
    )


@s1.claim("All positions of a sinusoidal table are moved on by one linear map.", HOLDS, at("06", "06.shift_matrix"))
def shift_is_linear() -> Finding:
    answers = references("06_positional_encoding")
    table, move = answers["sinusoidal_positions"](1000, 64), answers["shift_matrix"](5, 64)
    fitted = torch.linalg.lstsq(table[:-5].double(), table[5:].double(), driver="gelsd").solution
    error, by_fit = spread(table[:-5] @ move.T, table[5:]), spread(table[:-5].double() @ fitted, table[5:].double())
    return found(
        {"the matrix of rotations": error < 1e-4, "the best fit": by_fit < 1e-3},
        f"Five further, at 995 positions: the matrix of rotations errs by {below(error)}; a fitted matrix finds the same.",
    )


@s1.claim("The RoPE helper takes x as [batch, time, heads, width].", WRONG, at("06", "bug-helper"), at("06", "helper-run"))
def rope_helper_shapes() -> Finding:
    trials, turned = {}, {}
    for time, heads in ((6, 4), (4, 4)):
        x = torch.ones(2, time, heads, 8)
        try:
            moved = rope_with_halves(x, torch.arange(time)) != x
        except RuntimeError:
            trials[f"time {time}, heads {heads}"] = False
            continue
        turned[heads] = moved.any(dim=-1)[0, 0].tolist()  # at time 0 nothing may turn
        trials[f"time {time}, heads {heads}"] = not any(turned[heads])
    (at_zero,) = turned.values()
    return found(
        trials,
        f"Time 6, heads 4: RuntimeError. Time 4, heads 4: no error, and at time 0, where nothing may turn, {sum(at_zero)} of "
        "4 heads did.",
        "The axes must be [batch, heads, time, width]. Otherwise it fails, or, with as many heads as words, silently turns "
        "each "
        "head by its own number.",
    )


@s1.claim("The RoPE helper is a rotation: it keeps norms.", WRONG, at("06", "helper-lengths"), at("06", "06.apply_rope"))
def rope_helper_norms() -> Finding:
    unit = F.normalize(torch.randn(1, 1, 500, 8), dim=-1)
    lengths = rope_with_halves(unit, torch.arange(500)).norm(dim=-1)
    right = references("06_positional_encoding")["apply_rope"](unit, torch.arange(500)).norm(dim=-1)
    error = spread(right, torch.ones_like(right))
    return found(
        spread(lengths, torch.ones_like(lengths)) < 1e-5,
        f"500 vectors of length 1 come out with lengths from {lengths.min():.2f} to {lengths.max():.2f}; "
        f"with both numbers of a pair turned by one angle the error is {below(error)}.",
        "The table is laid out for halves, the pairs are neighbours: the two numbers of a pair turn by different angles.",
    )


@s1.claim("The sample of several experts is a mixture of experts.", WRONG, at("07", "where"))
def experts_without_gate() -> Finding:
    experts = nn.ModuleList(nn.Linear(16, 16) for _ in range(4))
    gate = nn.Linear(16, 4)
    x, y = torch.randn(2, 100, 16)

    def outputs(z: torch.Tensor) -> torch.Tensor:
        return torch.stack([expert(z) for expert in experts], dim=-1)  # (N, 16, 4)

    one = nn.Linear(16, 16)
    with torch.no_grad():
        for name, parameter in one.named_parameters():
            parameter.copy_(torch.stack([expert.get_parameter(name) for expert in experts]).mean(dim=0))

    def gated(z: torch.Tensor) -> torch.Tensor:
        return (outputs(z) * gate(z).softmax(dim=-1)[:, None]).sum(dim=-1)

    plain = spread(outputs(x).mean(dim=-1), one(x))
    bent = spread(gated(x) + gated(y), 2 * gated((x + y) / 2))
    return found(
        plain > 1e-3,
        f"Four linear experts averaged differ from a single linear layer by {below(plain)}. With a gate, f(x) + f(y) and "
        f"2 f((x + y) / 2) are {bent:.1f} apart: that is no linear layer.",
        "Without a gate that looks at the input nobody chooses among the experts, and linear ones are one layer again.",
    )


def clip_features() -> tuple[torch.Tensor, torch.Tensor]:
    """Eight images and their captions: 512 numbers each of variance 1 or so, alike in pairs."""
    images = torch.randn(8, 512)
    return images, images + 0.5 * torch.randn(8, 512)


@s1.claim(
    "The CLIP loss as printed: dot products of the features, divided by the temperature.", WRONG, at("09", "bug-normalise")
)
def clip_without_normalising() -> Finding:
    images, texts = clip_features()
    raw = images @ texts.T / 0.07
    scaled = F.normalize(images, dim=1) @ F.normalize(texts, dim=1).T / 0.07
    chance = raw.softmax(dim=1).diagonal().min().item()
    return found(
        raw.abs().max().item() <= 1 / 0.07 + 1e-3,
        f"Features of 512 numbers of variance 1, temperature .07: logits up to {raw.abs().max():,.0f}, "
        f"so that each pair already has a chance of {chance:.3f}. Normalised: up to {scaled.max():.1f}.",
        f"Normalise first: then logits are cosines / temperature and stay within ±{1 / 0.07:.1f}.",
    )


@s1.claim("The prompt search takes the encoder's output as its query.", CONDITION, at("09", "bug-prompt"))
def prompt_search_shapes() -> Finding:
    prompts, query = F.normalize(torch.randn(20, 32), dim=1), F.normalize(torch.randn(1, 32), dim=1)

    def works(asked: torch.Tensor) -> bool:
        try:
            return (prompts @ asked).topk(3).indices.shape == (3,)
        except RuntimeError:
            return False

    return found(
        {"a query (d,)": works(query[0]), "a query (1, d)": works(query)},
        "Similarities as prompts @ query, 20 prompts of width 32: a query (32,) gives three hits, a query (1, 32) a "
        "RuntimeError.",
        "For a query (d,). An encoder gives (1, d) for one text: squeeze its batch axis, or score as query @ prompts.T.",
    )


def quantise(weight: torch.Tensor, bits: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Codes, step and start of an even grid from the least to the largest number, cast to bytes whatever `bits` says."""
    start, step = weight.min(), (weight.max() - weight.min()) / (2**bits - 1)
    return ((weight - start) / step).round().byte(), step, start


@s1.claim("The quantiser stores a table in as many bits as it is told.", CONDITION, at("09", "bug-byte"))
def quantiser_bits() -> Finding:
    table = torch.randn(100, 64)
    trials, told = {}, []
    for bits in (4, 8, 16):
        codes, step, start = quantise(table, bits)
        worst = spread(codes * step + start, table)
        exact = worst <= 0.51 * step.item()
        trials[f"{bits} bits"] = exact and codes.nbytes * 8 == bits * table.numel()
        lost = "within half a step" if exact else "larger than the average number" if worst > table.abs().mean() else "larger"
        told.append(f"{bits} bits: {codes.nbytes:,} bytes, error {lost}")
    return found(
        trials,
        f"6,400 numbers: {'; '.join(told)}.",
        "For 8 bits only, since .byte() is called whatever `bits` is: 4 save nothing, and 16 overflow and destroy the table.",
    )


@s1.claim("The quantiser takes any table.", CONDITION, at("09", "bug-byte"))
def quantiser_constant_table() -> Finding:
    constant = torch.full((4, 3), 0.7)
    step = (constant.max() - constant.min()) / 255
    before_cast = (constant - constant.min()) / step
    codes, fine_step, start = quantise(torch.randn(4, 3), 8)
    return found(
        {
            "a random table": bool((codes * fine_step + start).isfinite().all()),
            "a constant table": bool(before_cast.isfinite().all()),
        },
        f"A table of twelve times .7: the step is {step:g}, and 0 / 0 gives {int(before_cast.isnan().sum())} times nan. "
        "What a cast makes of nan is not defined; a 0 would be right by luck.",
        "For tables with two different numbers at least. A step of 0 has to be caught.",
    )
