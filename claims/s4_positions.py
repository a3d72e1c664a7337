"""S4: its positional encoding."""

from __future__ import annotations

import math

import torch
from torch import nn

from embedding_course.experiments.positional_encoding import copy_back
from grader.course_source.catalogue import references

from .agreement import below, rounds_to, spread
from .entry import CONDITION, HOLDS, WRONG, Measured, Source, at, found, quoted
from .shared_runs import copied

s4 = Source("S4")
ENCODING, WHY = "位置编码（Sinusoidal Position Encoding）", "为什么使用 sin/cos？"


def _table(length: int, width: int) -> torch.Tensor:
    return references("06_positional_encoding")["sinusoidal_positions"](length, width).double()


def _printed(length: int, width: int) -> torch.Tensor:
    """Run the loop as printed: i runs over 0, 2, 4, … and is doubled all the same."""
    table, positions = torch.zeros(length, width, dtype=torch.float64), torch.arange(length, dtype=torch.float64)
    for i in range(0, width, 2):
        angle = positions / 10000 ** (2 * i / width)
        table[:, i], table[:, i + 1] = angle.sin(), angle.cos()
    return table


@s4.claim(
    "Self-attention does not see the order of words by itself.",
    CONDITION,
    at("06", "bag-answer"),
    at("06", "bag"),
    quote=quoted(
        ENCODING,
        "问题：Self-Attention 本身对位置不敏感，需要额外注入位置信息",
        "problem: self-attention itself is not sensitive to position; the position has to be put in besides",
    ),
)
def attention_without_order() -> Measured:
    """Compare a word that is first with the word when it is last, with and without a causal mask."""
    words, attention = nn.Embedding(3, 16), nn.MultiheadAttention(16, 2, batch_first=True).eval()
    x = words(torch.tensor([[0, 1, 2], [2, 1, 0]]))
    later = torch.ones(3, 3).triu(1).bool()
    errors = {}
    for name, mask in (("all see all", None), ("a causal mask", later)):
        seen, _ = attention(x, x, x, attn_mask=mask)
        errors[name] = spread(seen[0, 0], seen[1, 2])
    return found(
        {name: error < 1e-6 for name, error in errors.items()},
        f"A word that is first or last of the same three: its vectors differ by {below(errors['all see all'])}, behind a "
        "causal "
        f"mask by {errors['a causal mask']:.2f}.",
        "Where all words see one another. Behind a causal mask the first word sees one word and the last sees all.",
    )


@s4.claim(
    "The loop over i = 0, 2, 4, … with 10000^(2i/d) gives the paper's encoding.",
    WRONG,
    at("06", "bug-exponent"),
    at("06", "exponent-lesson"),
    quote=quoted(ENCODING, "denominator = np.power(10000, 2*i / d_model)"),
)
def doubled_exponent() -> Measured:
    """Compare the printed sinusoidal encoding with the paper's."""
    printed, right = _printed(513, 16), _table(513, 16)
    error = spread(printed[5], right[5])
    slow = [int((table[512] - table[0]).abs().lt(0.05).sum()) for table in (printed, right)]
    assert rounds_to(error, "0.89")
    return found(
        error < 1e-6,
        f"d = 16, position 5: up to {error:.2f} off. Of 16 columns {slow[0]} differ by less than .05 between position 0 and "
        f"512, where it should be {slow[1]}.",
        "i is the 2i of the formula already, so the exponent is doubled: 10000^(i/d) in this loop.",
    )


@s4.claim(
    "Neighbouring positions have similar vectors.",
    HOLDS,
    at("06", "similarity-lesson"),
    quote=quoted(WHY, "相邻位置的编码向量相似", "the codes of neighbouring positions are similar"),
)
def neighbours_are_similar() -> Measured:
    """Find the positions that are most similar to position 10 in a sinusoidal table."""
    unit = nn.functional.normalize(_table(100, 1536), dim=1)
    cosines = unit[10] @ unit.T
    return found(
        cosines.argsort(descending=True)[:3].sort().values.tolist() == [9, 10, 11],
        f"1,536 columns: the cosine of PE(10) is {cosines[11]:.2f} with PE(11), {cosines[20]:.2f} with PE(20), "
        f"{cosines[60]:.2f} with PE(60).",
    )


@s4.claim(
    "All positions of a sinusoidal table are moved on by one linear map.",
    HOLDS,
    at("06", "similarity-lesson"),
    at("06", "06.shift_matrix"),
    quote=quoted(WHY, "PE(pos+k) 可以表示为 PE(pos) 的线性变换", "PE(pos+k) can be written as a linear map of PE(pos)"),
)
def shift_is_linear() -> Measured:
    """Test whether one matrix moves all positions of a sinusoidal table by five."""
    answers = references("06_positional_encoding")
    table, move = answers["sinusoidal_positions"](1000, 64), answers["shift_matrix"](5, 64)
    fitted = torch.linalg.lstsq(table[:-5].double(), table[5:].double(), driver="gelsd").solution
    error, by_fit = spread(table[:-5] @ move.T, table[5:]), spread(table[:-5].double() @ fitted, table[5:].double())
    return found(
        {"the matrix of rotations": error < 1e-4, "the best fit": by_fit < 1e-3},
        f"Five further, at 995 positions: the matrix of rotations errs by {below(error)}; a fitted matrix finds the same.",
    )


@s4.claim(
    "PE(pos + k, 2i) is a linear combination of PE(pos, 2i) and PE(k).",
    WRONG,
    at("06", "bug-half"),
    at("06", "half"),
    quote=quoted(
        WHY,
        "PE(pos+k, 2i)   可由 PE(pos, 2i) 和 PE(k) 线性组合得到",
        "PE(pos+k, 2i) can be combined linearly from PE(pos, 2i) and PE(k)",
    ),
)
def shift_from_the_sine_alone() -> Measured:
    """Fit a moved position by the sine alone, and by sine and cosine."""
    table, k = _table(500, 16), 2

    def error(columns: slice) -> float:
        constant = torch.ones(500 - k, 1, dtype=torch.float64)  # all numbers of PE(k) are constants here
        known, wanted = torch.cat([table[:-k, columns], constant], dim=1), table[k:, 0:1]
        fit = torch.linalg.lstsq(known, wanted).solution
        return (known @ fit - wanted).square().mean().sqrt().item()

    alone, both = error(slice(0, 1)), error(slice(0, 2))
    return found(
        alone < 1e-3,
        f"The best line for the fastest pair, k = 2: typical error {alone:.2f} from the sine alone, "
        f"{'less than 1e-6' if both < 1e-6 else f'{both:.2g}'} from sine and cosine.",
        "Of PE(pos, 2i) and PE(pos, 2i + 1), as in the proof above it: it takes the sine and the cosine.",
    )


@s4.claim(
    "A learned table of 512 positions cannot take a text of 600 words.",
    HOLDS,
    at("06", "06.LearnedPositions"),
    quote=quoted(
        WHY, "训练最大长度 512 → 无法处理长度 600 的序列", "longest text in training 512 → a sequence of 600 cannot be handled"
    ),
)
def learned_positions_end() -> Measured:
    """Look up position 599 in a learned table of 512 positions."""
    table = nn.Embedding(512, 8)
    try:
        table(torch.arange(600))
        error_name = ""
    except IndexError as error:
        error_name = type(error).__name__
    return found(error_name != "", f"Rows 0 to 511 exist; row 599 of the table: {error_name or 'no error'}.")


@s4.claim(
    "The encoding can handle texts of any length.",
    CONDITION,
    at("06", "far-question"),
    at("06", "far-run"),
    quote=quoted(
        WHY,
        "训练最大长度 512 → 可以处理任意长度（公式通用）",
        "longest text in training 512 → any length can be handled: the formula is general",
    ),
    varies=True,
)
def any_length() -> Measured:
    """Test whether position 999,999 can be computed, and whether a trained model can use positions beyond training."""
    far, outcome = _table(1_000_000, 16)[-1], copied("sinusoidal")
    seen, further = outcome.accuracy[0], outcome.accuracy[copy_back.STARTS.index(100)]
    return found(
        {"it can be computed": bool(far.isfinite().all()), "a model can use it": further > 0.9 * seen},
        f"Position 999,999 has its vector. But a model that was trained at positions 0 to 31 and says {seen:.0%} of the words "
        f"right there says {further:.0%} right at positions 100 to 131.",
        "It can be computed for any position. That a model understands positions it was not trained at is another matter.",
    )


@s4.claim(
    "Adding the position is best; the paper's experiments prove it.",
    WRONG,
    at("06", "bug-add"),
    at("06", "add"),
    quote=quoted(
        ENCODING,
        "实践效果好：论文实验证明相加效果最佳",
        "works well in practice: experiments in the paper prove that adding works best",
    ),
)
def adding_or_concatenating() -> Measured:
    """Compare a linear layer over the sum of word and position with one over both concatenated."""
    x, p, wanted = torch.randn(400, 16), torch.randn(400, 16), torch.randn(400, 8)

    def error(known: torch.Tensor) -> float:
        fit = torch.linalg.lstsq(known, wanted).solution
        return (known @ fit - wanted).square().mean().item()

    weight = torch.randn(16, 8)
    same = spread((x + p) @ weight, torch.cat([x, p], dim=1) @ torch.cat([weight, weight]))
    assert same < 1e-4 and math.isfinite(same)
    added, joined = error(x + p), error(torch.cat([x, p], dim=1))
    return found(
        added < joined,
        "A linear layer over [x; p] does all that one over x + p does (difference less than 1e-4), and fits "
        f"random targets no worse: error {joined:.2f} against {added:.2f}.",
        "The paper of 2017 reports no such comparison. Adding is concatenating with both maps tied to one; what it gains "
        "is half "
        "of the width.",
    )
