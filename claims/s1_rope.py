"""S1: what it says about positions, its helper for RoPE above all."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from embedding_course.experiments.positional_encoding import copy_back
from grader.course_source.catalogue import references

from .agreement import below, spread
from .entry import CONDITION, HOLDS, Measured, Source, at, found, quoted
from .shared_runs import copied

s1 = Source("S1")
ROPE = "旋转位置编码（RoPE）：现代LLM的新趋势"


@s1.claim(
    "The vectors of word, position and segment are added.",
    HOLDS,
    at("06", "segments"),
    at("06", "06.input_embedding"),
    quote=quoted(
        "Token Embedding、Position Embedding、Segment Embedding", "三种embedding相加", "the three kinds of embedding are added"
    ),
)
def three_tables_are_added() -> Measured:
    """Add vectors of word, position and segment, and find the rows with a gradient in the three tables."""
    tables = [nn.Embedding(rows, 8) for rows in (20, 6, 2)]
    ids = torch.tensor([[3, 7, 3]]), torch.arange(3)[None], torch.tensor([[0, 0, 1]])
    whole = sum((table(rows) for table, rows in zip(tables, ids, strict=True)), torch.zeros(1, 3, 8))
    answer = references("06_positional_encoding")["input_embedding"](ids[0], ids[2], *(table.weight for table in tables))
    whole.sum().backward()
    learning = [int(table.weight.grad.any(dim=1).sum()) for table in tables if table.weight.grad is not None]
    return found(
        {"sum": spread(whole, answer) < 1e-6, "all three learn": learning == [2, 3, 2]},
        f"Three words, two of them alike, in two parts: rows with a gradient in the three tables {learning}.",
    )


def helper(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Turn vectors as S1's helper does: neighbours are pairs, the tables are whatever the caller brings."""
    partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return x * cos + partner * sin


def _angles(time: int, width: int) -> torch.Tensor:
    return references("06_positional_encoding")["rope_angles"](torch.arange(time), width)  # (T, width / 2)


@s1.claim(
    "The RoPE helper turns an x of [batch_size, seq_len, num_heads, head_dim] by cos and sin.",
    CONDITION,
    at("06", "bug-helper"),
    at("06", "helper-run"),
    quote=quoted(ROPE, "# x: [batch_size, seq_len, num_heads, head_dim]"),
)
def rope_helper_shapes() -> Measured:
    """Compare the printed RoPE helper with the right answer for tables of two shapes."""
    rope, trials, turned = references("06_positional_encoding")["apply_rope"], {}, 0
    for time, heads in ((6, 4), (4, 4)):
        x, angles = torch.randn(2, time, heads, 8), _angles(time, 8).repeat_interleave(2, dim=-1)
        right = rope(x.transpose(1, 2), torch.arange(time)).transpose(1, 2)
        for name, table in (("(time, 1, width)", angles[:, None]), ("(time, width)", angles)):
            try:
                y = helper(x, table.cos(), table.sin())
            except RuntimeError:
                y = torch.full_like(x, torch.inf)
            trials[f"{time} words, {heads} heads, tables {name}"] = spread(y, right) < 1e-5
            if y.isfinite().all():  # no error: at time 0 nothing may turn
                turned = int((y != x)[0, 0].any(dim=-1).sum())
    return found(
        trials,
        "Tables (time, 1, width): right. Tables (time, width): RuntimeError for 6 words and 4 heads; for 4 words and 4 heads "
        f"no error, and at time 0, where nothing may turn, {turned} of 4 heads did.",
        "With tables (time, 1, width). Nothing in the helper says so; tables (time, width) fail, or with as many heads as "
        "words "
        "silently turn each head by its own number.",
    )


@s1.claim(
    "The RoPE helper is a rotation: it keeps norms.",
    CONDITION,
    at("06", "helper-lengths"),
    at("06", "06.apply_rope"),
    quote=quoted(ROPE, "return x * cos + rotated * sin"),
)
def rope_helper_norms() -> Measured:
    """Test whether the printed RoPE helper keeps norms, for both layouts of its tables."""
    unit, angles = F.normalize(torch.randn(1, 500, 1, 8), dim=-1), _angles(500, 8)[:, None]
    laid_out = {"each angle twice in a row": angles.repeat_interleave(2, dim=-1), "in halves": angles.repeat(1, 1, 2)}
    lengths = {name: helper(unit, table.cos(), table.sin()).norm(dim=-1) for name, table in laid_out.items()}
    errors = {name: spread(norms, torch.ones_like(norms)) for name, norms in lengths.items()}
    halves = lengths["in halves"]
    return found(
        {f"angles {name}": error < 1e-5 for name, error in errors.items()},
        "500 vectors of length 1, tables with each angle twice in a row: lengths keep up to an error "
        f"{below(errors['each angle twice in a row'])}. Tables in halves: from {halves.min():.2f} to {halves.max():.2f}.",
        "If the tables hold each angle twice in a row, as the helper pairs neighbours. Tables in halves turn the two "
        "numbers of "
        "a pair by different angles.",
    )


@s1.claim(
    "RoPE does better on long sequences than what is added.",
    CONDITION,
    at("06", "long-text"),
    at("06", "long-lesson"),
    quote=quoted(
        ROPE,
        "RoPE通过旋转而非加法的方式编码位置，在长序列上表现更好",
        "RoPE encodes positions by turning instead of adding, and does better on long sequences",
    ),
    varies=True,
)
def rope_on_long_sequences() -> Measured:
    """Compare models with RoPE and with added sinusoidal positions on positions beyond training."""
    turned, added = copied("RoPE"), copied("sinusoidal")
    far = copy_back.STARTS.index(100)
    return found(
        {
            "a window of the same length, moved on": turned.accuracy[far] > added.accuracy[far] + 0.1,
            "a text six times as long": turned.at_the_end > added.at_the_end + 0.1,
        },
        f"Trained to copy at positions 0 to 31. At positions 100 to 131: {turned.accuracy[far]:.0%} right with RoPE, "
        f"{added.accuracy[far]:.0%} with the added table. At the end of one text of 200 words: {turned.at_the_end:.0%} and "
        f"{added.at_the_end:.0%} (guessing: {1 / copy_back.WORDS:.0%}).",
        "Where the window moves. In a longer text there are offsets that were never trained, and both only guess.",
    )
