"""S5, a note on max_norm in nn.Embedding."""

from __future__ import annotations

import math

import torch
from torch import nn

from embedding_course.demo import first_word_gradient

from .compare import below, row, spread
from .entry import CONDITION, HOLDS, WRONG, Finding, Source, at, found

s5 = Source("S5")
W = torch.tensor(
    [[.3367, .1288, .2345], [.2303, -1.1229, -.1863], [2.2082, -.6380, .4617], [.2674, .5349, .8094], [1.1103, -1.6898, -.9890]]
)  # fmt: skip


def table(weight: torch.Tensor = W, max_norm: float = 1.5, norm_type: float = 2.0) -> nn.Embedding:
    """An embedding with max_norm over a copy of the weight."""
    return nn.Embedding(*weight.shape, max_norm=max_norm, norm_type=norm_type, _weight=weight.clone())


@s5.claim("Rows 1, 2 and 4 of W have norms 1.1613, 2.3444, 2.2508.", HOLDS, at("03", "five-rows-table"))
def norms_of_the_rows() -> Finding:
    norms = W.double().norm(dim=1)[[1, 2, 4]].tolist()
    return found(row(norms, "1.1613 2.3444 2.2508"), f"{', '.join(f'{norm:.6f}' for norm in norms)}.")


@s5.claim("Rows 0 and 3 have norms .4300 and 1.0063.", WRONG, at("03", "bug-exact"))
def norms_cut_off() -> Finding:
    norms = W.double().norm(dim=1)[[0, 3]].tolist()
    assert row(norms, ".4301 1.0064")
    cut = [math.floor(norm * 1e4) / 1e4 for norm in norms]
    return found(
        row(norms, ".4300 1.0063"),
        f"{norms[0]:.6f} and {norms[1]:.6f}; cut off after four digits {cut[0]:.4f} and {cut[1]:.4f}.",
        "Rounded: .4301 and 1.0064. The printed digits are cut off.",
    )


@s5.claim(
    "max_norm = 1.5 makes rows 2 and 4 (1.4128, -.4082, .2954) and (.7399, -1.1261, -.6591).", HOLDS, at("03", "five-rows-both")
)
def clipped_rows() -> Finding:
    embedding = table(W.double())
    rows = embedding(torch.tensor([2, 4])).detach()
    return found(
        {"row 2": row(rows[0].tolist(), "1.4128 -.4082 .2954"), "row 4": row(rows[1].tolist(), ".7399 -1.1261 -.6591")},
        f"({', '.join(f'{one:.4f}' for one in rows[0])}) and ({', '.join(f'{one:.4f}' for one in rows[1])}).",
    )


@s5.claim("Only rows that are looked up are clipped, and short ones are not stretched.", HOLDS, at("03", "five-rows-answer"))
def only_looked_up_rows() -> Finding:
    embedding = table()
    embedding(torch.tensor([2, 3]))
    changed = (embedding.weight != W).any(dim=1).nonzero().flatten().tolist()
    return found(
        changed == [2],
        f"Looked up: 2 and 3. Changed: {changed}. Row 4, too long as well, keeps {embedding.weight[4].norm():.4f}.",
    )


@s5.claim("A clipped row keeps its direction.", HOLDS, at("03", "arrows-lesson"), at("03", "03.renorm_rows"))
def direction_is_kept() -> Finding:
    trials = {}
    for order in (1.0, 2.0, math.inf):
        rows = table(norm_type=order)(torch.tensor([2, 4]))
        trials[f"norm_type {order:g}"] = bool((torch.cosine_similarity(rows, W[[2, 4]]) > 1 - 1e-6).all())
    return found(trials, "Cosine of each row before and after is 1 to rounding, for norm_type 1, 2 and ∞.")


@s5.claim("The lookup changes the table in place.", HOLDS, at("03", "writes"), at("03", "03.lookup_with_max_norm_"))
def table_is_changed() -> Finding:
    embedding = table()
    address, version = embedding.weight.data_ptr(), embedding.weight._version
    embedding(torch.tensor([2]))
    return found(
        {"changed": not embedding.weight.equal(W), "same memory": embedding.weight.data_ptr() == address},
        f"Same memory, other numbers; autograd counts {embedding.weight._version - version} more write.",
    )


@s5.claim("The clipped norm is exactly max_norm.", CONDITION, at("03", "more-digits"), at("03", "tiny-lesson"))
def exact_norm() -> Finding:
    single = table()(torch.tensor([2])).norm().item()
    double = table(W.double())(torch.tensor([2])).norm().item()
    tiny = torch.tensor([[6e-7, 8e-7]], dtype=torch.float64)
    short = table(tiny, max_norm=5e-7)(torch.tensor([0])).norm().item() / 5e-7
    return found(
        {"float32": abs(single / 1.5 - 1) < 1e-6, "float64": abs(double / 1.5 - 1) < 1e-9, "a tiny row": abs(short - 1) < 1e-3},
        f"Row 2 in float32 differs from 1.5 by a share of {below(abs(single / 1.5 - 1))}. In float64: {double:.9f}. A row of "
        "norm 1e-6 with "
        f"max_norm 5e-7: {short:.3f} of max_norm.",
        "To float32's rounding, for norms around 1. PyTorch multiplies by max_norm / (norm + 1e-7).",
    )


@s5.claim("max_norm prevents exploding gradients.", WRONG, at("03", "bug-exploding"), at("03", "exploding"), varies=True)
def exploding_gradients() -> Finding:
    free, bounded = first_word_gradient.measure(), first_word_gradient.measure(max_norm=1.0)
    return found(
        bounded[-1] < 2 * bounded[0],
        f"The gradient of a sentence's first word through a recurrent network grows from {bounded[0]:.2f} (5 words) to "
        f"{bounded[-1]:.0f} (60 words) with max_norm = 1, and from {free[0]:.2f} to {free[-1]:.0f} without.",
        "It bounds the table's weights. Against exploding gradients there is clip_grad_norm_.",
    )


@s5.claim("In eval mode and under no_grad a lookup only reads.", WRONG, at("03", "eval-writes"))
def reading_writes() -> Finding:
    trials = {}
    for name, mode in (("no_grad", torch.no_grad), ("inference_mode", torch.inference_mode)):
        embedding = table().eval()
        with mode():
            embedding(torch.tensor([2]))
        trials[name] = embedding.weight.equal(W)
    written = [name for name, held in trials.items() if not held]
    return found(trials, f"Row 2 was clipped in eval mode under {' and under '.join(written)}.", "It writes there too.")


@s5.claim(
    "A table with max_norm can be used a second time in the same graph.",
    CONDITION,
    at("03", "pitfall"),
    at("03", "03.tied_scores"),
)
def used_twice() -> Finding:
    def works(order: str) -> bool:
        embedding, x, ids = table(), torch.ones(1, 3, requires_grad=True), torch.tensor([2])
        if order == "lookup first":
            looked_up = embedding(ids)
            scores = x @ embedding.weight.T
        else:
            scores = x @ (embedding.weight.clone() if order == "a clone" else embedding.weight).T
            looked_up = embedding(ids)
        try:
            (scores.sum() + looked_up.sum()).backward()
        except RuntimeError:
            return False
        return True

    trials = {order: works(order) for order in ("table first", "a clone", "lookup first")}
    return found(
        trials,
        f"Backward {'works' if trials['table first'] else 'fails'} when the product with the table comes before the lookup; "
        "it works "
        "with a clone, and with all lookups first.",
        "If all lookups come first, or the product uses a clone (which holds the rows unclipped). Otherwise backward() "
        "complains of a change in place.",
    )


@s5.claim("norm_type chooses the norm that is bounded.", HOLDS, at("03", "balls-lesson"))
def type_of_norm() -> Finding:
    trials = {}
    for order in (1.0, 2.0, math.inf):
        rows = table(norm_type=order)(torch.arange(5))
        wanted = W.norm(p=order, dim=1).clamp(max=1.5)
        trials[f"norm_type {order:g}"] = spread(rows.norm(p=order, dim=1), wanted) < 1e-5
    too_long = [int((W.norm(p=order, dim=1) > 1.5).sum()) for order in (1.0, 2.0, math.inf)]
    return found(
        trials, f"Rows of W that are longer than 1.5 under norm 1, 2 and ∞: {too_long}; all come out at 1.5 in that norm."
    )
