"""S1, an essay on embeddings inside an LSTM: what a lookup is and what it costs."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from .compare import agree, below, rounds_to, spread
from .entry import CONDITION, HOLDS, WRONG, Finding, Source, at, found

s1 = Source("S1")


@s1.claim("Any two words are equally far apart as one-hot vectors.", HOLDS, at("01", "no-meaning"))
def one_hot_distances() -> Finding:
    trials = {}
    for size in (5, 700):
        distances = torch.pdist(torch.eye(size, dtype=torch.float64))
        trials[f"{size} words"] = spread(distances, torch.full_like(distances, math.sqrt(2))) < 1e-12
    return found(trials, f"All {5 * 4 // 2} and all {700 * 699 // 2:,} distances are √2.")


@s1.claim(
    "A lookup gives what the one-hot vector times the table gives, and is a linear layer without bias.",
    HOLDS, at("01", "use-both"), at("01", "three-layers"),
)  # fmt: skip
def lookup_is_a_product() -> Finding:
    table, ids = nn.Embedding(1000, 16), torch.tensor([3, 1, 3, 999])
    one_hot = F.one_hot(ids, 1000).float()
    linear = nn.Linear(1000, 16)
    linear.weight.data = table.weight.data.T
    by_product, with_bias = one_hot @ table.weight, linear(one_hot)
    without = spread(table(ids), F.linear(one_hot, linear.weight))
    trials = {"product": spread(table(ids), by_product) < 1e-6, "linear layer": without < 1e-6}
    assert spread(with_bias - table(ids), linear.bias.expand(4, 16)) < 1e-6
    return found(trials, f"Largest difference: {below(without)}. With a bias every row would be off by the bias.")


@s1.claim("A one-hot vector of 50,000 floats takes 167 times the memory of a vector of 300.", HOLDS, at("01", "figure-memory"))
def one_hot_against_a_row() -> Finding:
    one_hot, vector = torch.zeros(50_000).nbytes, torch.zeros(300).nbytes
    return found(rounds_to(one_hot / vector, "167"), f"{one_hot:,} / {vector:,} bytes = {one_hot / vector:.1f}.")


@s1.claim("So a lookup needs 167 times less memory than the one-hot way.", WRONG, at("01", "bug-memory"))
def memory_saved_by_lookup() -> Finding:
    table = nn.Embedding(50_000, 300, device="meta").weight
    matrix = nn.Linear(50_000, 300, bias=False, device="meta").weight
    token, one_hot = torch.tensor(7).nbytes, torch.zeros(50_000).nbytes
    saved = (matrix.nbytes + one_hot) / (table.nbytes + token)
    return found(
        agree(167, saved, 0.01),
        f"Matrix {matrix.nbytes:,} bytes, table {table.nbytes:,}; with the input of one word the ways differ by a factor of "
        f"{saved:.4f}.",
        f"Both need the same {table.nbytes / 1e6:.0f} MB. What shrinks is the input of a word: {token} bytes as an id, "
        f"{one_hot // token:,} times less than one-hot.",
    )


@s1.claim("One-hot times table costs O(V·d) operations.", HOLDS, at("01", "explain-time"))
def cost_of_the_product() -> Finding:
    def operations(vocabulary: int, width: int) -> int:
        counter = FlopCounterMode(display=False)
        with counter:
            torch.mm(torch.empty(1, vocabulary, device="meta"), torch.empty(vocabulary, width, device="meta"))
        return counter.get_total_flops()

    small, more_words, wider = operations(1_000, 300), operations(50_000, 300), operations(1_000, 600)
    return found(
        {"V": more_words == 50 * small, "d": wider == 2 * small},
        f"Counted by torch: {small:,} for 1,000 × 300, {more_words:,} for 50,000 × 300, {wider:,} for 1,000 × 600.",
    )


@s1.claim("A lookup is O(1).", CONDITION, at("01", "explain-time"), at("01", "explain-rows"))
def lookup_is_constant() -> Finding:
    def numbers_read(rows: int, width: int) -> int:
        table = nn.Embedding(rows, width)
        table(torch.tensor([7])).sum().backward()
        assert table.weight.grad is not None
        return int(table.weight.grad.count_nonzero())

    def bytes_touched(rows: int) -> int:
        ids = torch.randint(rows, (50_000,), generator=torch.Generator().manual_seed(0))
        return len(ids.unique()) * 32 * 4

    small, large, wide = numbers_read(1_000, 32), numbers_read(100_000, 32), numbers_read(1_000, 64)
    near, far = bytes_touched(1_000), bytes_touched(1_000_000)
    return found(
        {"in the number of rows": small == large, "in the width": small == wide},
        f"One word reads {small} numbers of a table of 1,000 rows, {large} of 100,000 rows, {wide} of rows twice as wide. "
        f"50,000 random lookups touch {near / 1e6:.2f} MB of a table of a thousand rows and {far / 1e6:.1f} MB of one of a "
        "million.",
        "Constant in the number of rows, O(d) in the width, and about steps only: a table that no longer fits into the "
        "cache takes longer to read (the notebook measures it).",
    )


@s1.claim("GPT-3's token table, 50,257 × 12,288, has 617,558,016 parameters.", HOLDS, at("01", "count-gpt3"))
def gpt3_table() -> Finding:
    count = nn.Embedding(50_257, 12_288, device="meta").weight.numel()
    return found(count == 617_558_016, f"{count:,}, from a table without memory behind it.")


def _gpt3() -> int:
    """All parameters of a GPT of 96 layers, width 12,288, 2,048 positions, output tied to the table."""
    width = 12_288
    layer = nn.TransformerEncoderLayer(width, 96, 4 * width, device="meta")
    tables = [nn.Embedding(50_257, width, device="meta"), nn.Embedding(2_048, width, device="meta")]
    count = sum(one.numel() for module in (*tables, nn.LayerNorm(width, device="meta")) for one in module.parameters())
    return count + 96 * sum(one.numel() for one in layer.parameters())


@s1.claim("Most of GPT-3's parameters are in its embeddings.", WRONG, at("01", "bug-gpt3"))
def gpt3_mostly_embedding() -> Finding:
    table, whole = 50_257 * 12_288, _gpt3()
    return found(
        table > whole / 2,
        f"{table:,} of {whole:,} (96 layers of the published sizes, added up): {table / whole:.2%}.",
        f"{table / whole:.2%}. The larger the model, the smaller the share of its table.",
    )


@s1.claim("An embedding layer gives a word the same vector in every sentence.", HOLDS, at("07", "bat"))
def static_vectors() -> Finding:
    table = nn.Embedding(10, 16)
    alone = spread(table(torch.tensor([3, 1, 4]))[0], table(torch.tensor([5, 9, 3]))[2])
    attention = nn.MultiheadAttention(16, 2, batch_first=True).eval()
    first, second = (attention(x, x, x)[0] for x in (table(torch.tensor([[3, 1, 4]])), table(torch.tensor([[5, 9, 3]]))))
    return found(
        alone == 0 and spread(first[0, 0], second[0, 2]) > 0.01,
        "Word 3 in two sentences: difference 0 from the table; after one attention layer it has two different vectors.",
    )
