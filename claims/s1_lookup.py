"""S1, an essay on embeddings inside an LSTM: what a lookup is and what it costs."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from .agreement import agree, below, rounds_to, spread
from .entry import CONDITION, HOLDS, Measured, Source, at, found, quoted

s1 = Source("S1")
MEMORY, TIME, SCALE = "内存效率对比", "计算效率对比", "分布式embedding优化"


@s1.claim(
    "Any two words are equally far apart as one-hot vectors.",
    HOLDS,
    at("01", "no-meaning"),
    quote=quoted(
        "1.2 查找表vs传统编码",
        "任意两个词的距离都相等，无法表达语义关系",
        "any two words are equally far apart; relations of meaning cannot be expressed",
    ),
)
def one_hot_distances() -> Measured:
    """Compute the distances between all one-hot vectors."""
    trials = {}
    for size in (5, 700):
        distances = torch.pdist(torch.eye(size, dtype=torch.float64))
        trials[f"{size} words"] = spread(distances, torch.full_like(distances, math.sqrt(2))) < 1e-12
    return found(trials, f"All {5 * 4 // 2} and all {700 * 699 // 2:,} distances are √2.")


@s1.claim(
    "An embedding layer is one-hot encoding and a linear layer without bias.",
    HOLDS,
    at("01", "use-both"),
    at("01", "three-layers"),
    quote=quoted(
        "one-hot + 线性层的等价性证明",
        "embedding层 = one-hot编码 + 线性层（无bias）",
        "embedding layer = one-hot encoding + linear layer (no bias)",
    ),
)
def lookup_is_a_product() -> Measured:
    """Compare a lookup with one-hot vectors times the table, and with a linear layer."""
    table, ids = nn.Embedding(1000, 16), torch.tensor([3, 1, 3, 999])
    one_hot = F.one_hot(ids, 1000).float()
    linear = nn.Linear(1000, 16)
    linear.weight.data = table.weight.data.T
    by_product, with_bias = one_hot @ table.weight, linear(one_hot)
    without = spread(table(ids), F.linear(one_hot, linear.weight))
    trials = {"product": spread(table(ids), by_product) < 1e-6, "linear layer": without < 1e-6}
    other = spread(with_bias, F.embedding(ids, table.weight + linear.bias))
    return found(
        trials,
        f"Largest difference: {below(without)}. A linear layer with a bias is a lookup too, in another table: every row plus "
        f"the bias (difference {below(other)}).",
    )


@s1.claim(
    "As a one-hot vector a word takes about 200 KB, as an embedding about 1.2 KB (50,000 words, 300 numbers).",
    HOLDS,
    at("01", "figure-memory"),
    quote=quoted(
        MEMORY,
        "one_hot_memory = vocab_size * 4  # 约200KB每个词…embedding_memory = embed_size * 4  # 约1.2KB每个词",
        "about 200 KB each word … about 1.2 KB each word",
    ),
)
def one_hot_against_a_row() -> Measured:
    """Compute the memory of a one-hot vector and of an embedding."""
    one_hot, vector = torch.zeros(50_000).nbytes, torch.zeros(300).nbytes
    return found(
        {"one-hot": one_hot == 200_000, "embedding": vector == 1_200},
        f"{one_hot:,} and {vector:,} bytes in float32; {one_hot:,} / {vector:,} = {one_hot / vector:.1f}.",
    )


@s1.claim(
    "So the embedding way saves memory: 167 times.",
    CONDITION,
    at("01", "bug-memory"),
    quote=quoted(MEMORY, "内存节省：50000/300 ≈ 167倍", "memory saved: 50000 / 300 ≈ 167 times"),
)
def memory_saved_by_lookup() -> Measured:
    """Compute by which factor a lookup saves memory, for one vector and with the table included."""
    table = nn.Embedding(50_000, 300, device="meta").weight
    matrix = nn.Linear(50_000, 300, bias=False, device="meta").weight
    token, one_hot = torch.tensor(7).nbytes, torch.zeros(50_000).nbytes
    saved = (matrix.nbytes + one_hot) / (table.nbytes + token)
    return found(
        {"a word's two vectors": rounds_to(one_hot / table[7].nbytes, "167"), "the two ways": agree(167, saved, 0.01)},
        f"Matrix {matrix.nbytes:,} bytes, table {table.nbytes:,}; with the input of one word the ways differ by a factor of "
        f"{saved:.4f}.",
        "For a word's vector in one way against that in the other, the input of one against the output of the other. Both ways "
        f"need the same {table.nbytes / 1e6:.0f} MB, and a word's input shrinks to {token} bytes, an id: {one_hot // token:,} "
        "times less than one-hot.",
    )


@s1.claim(
    "One-hot times table costs O(V·d) operations.",
    HOLDS,
    at("01", "explain-time"),
    quote=quoted(
        TIME,
        "one-hot + 线性层：需要矩阵乘法…时间复杂度：O(vocab_size * embed_size)",
        "one-hot + linear layer: needs a matrix product … time: O(vocab_size * embed_size)",
    ),
)
def cost_of_the_product() -> Measured:
    """Count the operations of one-hot times table for several V and d."""

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


@s1.claim(
    "A lookup is O(1).",
    CONDITION,
    at("01", "explain-time"),
    at("01", "explain-rows"),
    quote=quoted(TIME, "embedding查表：直接索引访问…时间复杂度：O(1)", "embedding lookup: direct access by index … time: O(1)"),
)
def lookup_is_constant() -> Measured:
    """Count the numbers that a lookup reads, by rows and by width, and the memory that many lookups touch."""

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


@s1.claim(
    "GPT-3's token table, 50,257 × 12,288, has about 620 million parameters.",
    HOLDS,
    at("01", "bug-gpt3"),
    quote=quoted(SCALE, "embedding_params = vocab_size * d_model  # 约6.2亿参数", "about 620 million parameters"),
)
def gpt3_table() -> Measured:
    """Count the parameters of GPT-3's token table."""
    count = nn.Embedding(50_257, 12_288, device="meta").weight.numel()
    return found(rounds_to(count / 1e8, "6.2"), f"{count:,}, from a table without memory behind it.")


def _gpt3() -> int:
    """Return the number of parameters of a GPT of 96 layers, width 12,288 and 2,048 positions, with tied output weights."""
    width = 12_288
    layer = nn.TransformerEncoderLayer(width, 96, 4 * width, device="meta")
    tables = [nn.Embedding(50_257, width, device="meta"), nn.Embedding(2_048, width, device="meta")]
    count = sum(
        parameter.numel() for module in (*tables, nn.LayerNorm(width, device="meta")) for parameter in module.parameters()
    )
    return count + 96 * sum(parameter.numel() for parameter in layer.parameters())


@s1.claim(
    "In large language models the embedding layer is often the part with the most parameters.",
    CONDITION,
    at("01", "bug-gpt3"),
    quote=quoted(
        SCALE,
        "在大型LLM训练中，embedding层往往是参数最多的部分",
        "in the training of large LLMs the embedding layer is often the part with the most parameters",
    ),
)
def gpt3_largest_part() -> Measured:
    """Compare GPT-3's token table with the parameters of one matrix, one layer and all feed-forward matrices."""
    width, layers, whole = 12_288, 96, _gpt3()
    table, matrix, attention = 50_257 * width, 4 * width * width, 4 * width * width
    return found(
        {
            "single matrices of GPT-3": table > matrix,
            "one layer of it": table > 2 * matrix + attention,
            "all its feed-forward matrices": table > layers * 2 * matrix,
        },
        f"The table {table:,}, one feed-forward matrix {matrix:,}; one layer {2 * matrix + attention:,} in its matrices, all "
        f"feed-forward matrices {layers * 2 * matrix:,}. The table is {table / whole:.2%} of {whole:,} (96 layers of the "
        "published sizes, added up).",
        "If a part is a single matrix: the table is the largest one. A layer is larger, and there are 96 of them.",
    )


@s1.claim(
    "An embedding layer gives a word the same vector in every sentence.",
    HOLDS,
    at("07", "bat"),
    at("07", "bat-lesson"),
    quote=quoted("5.1 上下文相关embedding", "静态embedding：一词一向量", "static embedding: one word, one vector"),
)
def static_vectors() -> Measured:
    """Compare the vectors of one word in two sentences, from the table and after an attention layer."""
    table = nn.Embedding(10, 16)
    alone = spread(table(torch.tensor([3, 1, 4]))[0], table(torch.tensor([5, 9, 3]))[2])
    attention = nn.MultiheadAttention(16, 2, batch_first=True).eval()
    first, second = (attention(x, x, x)[0] for x in (table(torch.tensor([[3, 1, 4]])), table(torch.tensor([[5, 9, 3]]))))
    return found(
        alone == 0 and spread(first[0, 0], second[0, 2]) > 0.01,
        "Word 3 in two sentences: difference 0 from the table; after one attention layer it has two different vectors.",
    )
