"""S5, a note on max_norm in nn.Embedding. Its headings are numbered lines."""

from __future__ import annotations

import math

import torch
from torch import nn

from embedding_course.experiments.max_norm import first_word_gradient

from .agreement import below, row, spread
from .entry import CONDITION, HOLDS, WRONG, Measured, Source, at, found, quoted

s5 = Source("S5")
DICTIONARY, FINAL, EFFECTS = "1. 类比 “词典”", "4. 重归一化后的权重矩阵", "5. 对权重的具体影响总结"
W = torch.tensor(
    [
        [0.3367, 0.1288, 0.2345],
        [0.2303, -1.1229, -0.1863],
        [2.2082, -0.6380, 0.4617],
        [0.2674, 0.5349, 0.8094],
        [1.1103, -1.6898, -0.9890],
    ]
)


def table(weight: torch.Tensor = W, max_norm: float = 1.5, norm_type: float = 2.0) -> nn.Embedding:
    """Return an embedding with max_norm over a copy of the weight."""
    return nn.Embedding(*weight.shape, max_norm=max_norm, norm_type=norm_type, _weight=weight.clone())


@s5.claim(
    "Rows 1, 2 and 4 of W have norms 1.1613, 2.3444, 2.2508.",
    HOLDS,
    at("03", "five-rows-table"),
    quote=quoted(
        FINAL,
        "第 1 行:1.1613(未变)…第 2 行:1.5000(从 2.3444 被缩到 1.5)…第 4 行:1.5000(从 2.2508 被缩到 1.5)",
        "row 1: 1.1613 (unchanged) … row 2: 1.5000 (shrunk from 2.3444 to 1.5) … row 4: 1.5000 (shrunk from 2.2508 to 1.5)",
    ),
)
def norms_of_the_rows() -> Measured:
    """Compare the norms of rows 1, 2 and 4 of W with the printed ones."""
    norms = W.double().norm(dim=1)[[1, 2, 4]].tolist()
    return found(row(norms, "1.1613 2.3444 2.2508"), f"{', '.join(f'{norm:.6f}' for norm in norms)}.")


@s5.claim(
    "Rows 0 and 3 have norms .4300 and 1.0063.",
    CONDITION,
    at("03", "bug-exact"),
    quote=quoted(FINAL, "第 0 行:0.4300(未变)…第 3 行:1.0063(未变)", "row 0: 0.4300 (unchanged) … row 3: 1.0063 (unchanged)"),
)
def norms_cut_off() -> Measured:
    """Compare the norms of rows 0 and 3 with the printed ones, rounded and truncated."""
    norms = W.double().norm(dim=1)[[0, 3]].tolist()
    assert row(norms, ".4301 1.0064")
    cut = [math.floor(norm * 1e4) / 1e4 for norm in norms]
    return found(
        {"cut off": row(cut, ".4300 1.0063"), "rounded": row(norms, ".4300 1.0063")},
        f"{norms[0]:.6f} and {norms[1]:.6f}; cut off after four digits {cut[0]:.4f} and {cut[1]:.4f}.",
        "If digits are cut off. Rounded, they are .4301 and 1.0064.",
    )


@s5.claim(
    "max_norm = 1.5 makes rows 2 and 4 (1.4128, -.4082, .2954) and (.7399, -1.1261, -.6591).",
    HOLDS,
    at("03", "five-rows-both"),
    quote=quoted(FINAL, r"1.4128 & -0.4082 & 0.2954 …0.7399 & -1.1261 & -0.6591"),
)
def clipped_rows() -> Measured:
    """Compare rows 2 and 4 after a lookup with max_norm with the printed ones."""
    embedding = table(W.double())
    rows = embedding(torch.tensor([2, 4])).detach()
    return found(
        {"row 2": row(rows[0].tolist(), "1.4128 -.4082 .2954"), "row 4": row(rows[1].tolist(), ".7399 -1.1261 -.6591")},
        f"({', '.join(f'{value:.4f}' for value in rows[0])}) and ({', '.join(f'{value:.4f}' for value in rows[1])}).",
    )


@s5.claim(
    "Only rows that are looked up are clipped, and short ones are not stretched.",
    HOLDS,
    at("03", "five-rows-answer"),
    quote=quoted(
        DICTIONARY,
        "只有被当前 batch 索引到的那些行才会被检查和可能被缩放",
        "only the rows that the current batch indexes are checked and perhaps scaled",
    ),
)
def only_looked_up_rows() -> Measured:
    """Find the rows that a lookup of rows 2 and 3 changes."""
    embedding = table()
    embedding(torch.tensor([2, 3]))
    changed = (embedding.weight != W).any(dim=1).nonzero().flatten().tolist()
    return found(
        changed == [2],
        f"Looked up: 2 and 3. Changed: {changed}. Row 4, too long as well, keeps {embedding.weight[4].norm():.4f}.",
    )


@s5.claim(
    "A clipped row keeps its direction.",
    HOLDS,
    at("03", "arrows-lesson"),
    at("03", "03.renorm_rows"),
    quote=quoted(
        EFFECTS,
        "方向(单位向量)不变,只是“缩短”到指定长度",
        "the direction (the unit vector) stays, it is only “shortened” to the given length",
    ),
)
def direction_is_kept() -> Measured:
    """Compare the direction of clipped rows before and after, for three norms."""
    trials = {}
    for order in (1.0, 2.0, math.inf):
        rows = table(norm_type=order)(torch.tensor([2, 4]))
        trials[f"norm_type {order:g}"] = bool((torch.cosine_similarity(rows, W[[2, 4]]) > 1 - 1e-6).all())
    return found(trials, "Cosine of each row before and after is 1 to rounding, for norm_type 1, 2 and ∞.")


@s5.claim(
    "The lookup changes the table in place.",
    HOLDS,
    at("03", "writes"),
    at("03", "03.lookup_with_max_norm_"),
    quote=quoted(
        EFFECTS,
        "当 max_norm 不为 None 时,Embedding.forward 会原地修改 weight",
        "when max_norm is not None, Embedding.forward changes weight in place",
    ),
)
def table_is_changed() -> Measured:
    """Test whether a lookup changes the table in place."""
    embedding = table()
    address, version = embedding.weight.data_ptr(), embedding.weight._version
    embedding(torch.tensor([2]))
    return found(
        {"changed": not embedding.weight.equal(W), "same memory": embedding.weight.data_ptr() == address},
        f"Same memory, other numbers; autograd counts {embedding.weight._version - version} more write.",
    )


@s5.claim(
    "The clipped norm is exactly max_norm.",
    CONDITION,
    at("03", "bug-exact"),
    at("03", "more-digits"),
    at("03", "tiny-lesson"),
    quote=quoted(
        DICTIONARY,
        "就会被按比例缩小,使得它的范数刚好等于max_norm",
        "it is scaled down in proportion, so that its norm is exactly max_norm",
    ),
)
def exact_norm() -> Measured:
    """Compare the clipped norm with max_norm in float32, in float64 and for a tiny row."""
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


@s5.claim(
    "max_norm prevents exploding gradients.",
    WRONG,
    at("03", "bug-exploding"),
    at("03", "exploding"),
    varies=True,
    quote=quoted(
        EFFECTS,
        "限制每个 embedding 行向量的最大范数,可以避免某些向量过大,防止梯度爆炸",
        "bounding the norm of each row keeps some vectors from growing too large and prevents exploding gradients",
    ),
)
def exploding_gradients() -> Measured:
    """Compare the gradient of a sentence's first word through a recurrent network with and without max_norm."""
    free, bounded = first_word_gradient.measure(), first_word_gradient.measure(max_norm=1.0)
    return found(
        bounded[-1] < 2 * bounded[0],
        f"The gradient of a sentence's first word through a recurrent network grows from {bounded[0]:.2f} (5 words) to "
        f"{bounded[-1]:.0f} (60 words) with max_norm = 1, and from {free[0]:.2f} to {free[-1]:.0f} without.",
        "It bounds the table's weights. Against exploding gradients there is clip_grad_norm_.",
    )


@s5.claim(
    "A table that is used in a differentiable way before the lookup has to be cloned first.",
    HOLDS,
    at("03", "pitfall"),
    at("03", "pitfall-fix"),
    at("03", "03.tied_scores"),
    quote=quoted(
        EFFECTS,
        "如果你在 forward 之前对embedding.weight做可微操作,需要先.clone()一份再用,否则会和 autograd 的 in-place 规则冲突",
        "for differentiable operations on the weight before forward, clone it first; else they conflict with autograd's rules",
    ),
)
def used_before_the_lookup() -> Measured:
    """Run backward after a lookup that follows a product with the table, with and without a clone."""

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

    copied = table().weight.clone()[2].norm().item()
    return found(
        {"without a clone it fails": not works("table first"), "with a clone it works": works("a clone")},
        f"Backward {'works' if works('table first') else 'fails'} when the product with the table comes before the lookup, and "
        f"works with a clone, which holds the row unclipped (norm {copied:.2f}). "
        f"{'Looking up first works too' if works('lookup first') else 'Looking up first fails'}, with nothing to clone.",
    )


@s5.claim(
    "norm_type chooses the norm that is bounded.",
    HOLDS,
    at("03", "balls-lesson"),
    quote=quoted(
        DICTIONARY,
        "这里的“长度”是向量的 p-范数,默认是 L2 范数(欧几里得长度)",
        "the “length” here is the vector's p-norm, by default the L2 norm (Euclidean length)",
    ),
)
def type_of_norm() -> Measured:
    """Test whether norm_type chooses the norm that is bounded."""
    trials = {}
    for order in (1.0, 2.0, math.inf):
        rows = table(norm_type=order)(torch.arange(5))
        wanted = W.norm(p=order, dim=1).clamp(max=1.5)
        trials[f"norm_type {order:g}"] = spread(rows.norm(p=order, dim=1), wanted) < 1e-5
    too_long = [int((W.norm(p=order, dim=1) > 1.5).sum()) for order in (1.0, 2.0, math.inf)]
    return found(
        trials, f"Rows of W that are longer than 1.5 under norm 1, 2 and ∞: {too_long}; all come out at 1.5 in that norm."
    )
