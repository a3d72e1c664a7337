"""S2, an essay on how a Transformer makes embedding vectors."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from embedding_course.data.micro import micro_language
from embedding_course.experiments.nplm.word_classes import class_of, neighbour_accuracy
from embedding_course.experiments.positional_encoding import copy_back
from grader.course_source.catalogue import references

from .agreement import agree, below, rounds_to, spread
from .entry import CONDITION, HOLDS, WRONG, Measured, Source, at, found, quoted
from .shared_runs import copied

s2 = Source("S2")
STEPS, PARTS, MATHS = "4.2 实现嵌入向量生成的详细步骤", "2.2 Transformer的核心组件及其功能", "3.1 嵌入向量的数学原理"


@s2.claim(
    "The function for the positional encoding runs as printed.",
    WRONG,
    at("06", "bug-float"),
    at("06", "float-and-zero"),
    quote=quoted(STEPS, "pe[0, i] = torch.sin(pos / (10000 ** (i / d_model)))"),
)
def encoding_as_printed() -> Measured:
    """Call torch.sin with a Python float, as the printed function does."""
    sine = torch.sin
    try:
        sine(3 / 10000 ** (2 / 8))  # type: ignore[arg-type] - the claim is that this works
        error_name = ""
    except TypeError as error:
        error_name = type(error).__name__
    return found(
        error_name == "",
        f"torch.sin of a Python float: {error_name or 'no error'}. "
        f"Of a tensor: {sine(torch.tensor(3 / 10000 ** (2 / 8))):.4f}.",
        "torch.sin takes tensors: math.sin for a number, or the whole table at once.",
    )


@s2.claim(
    "The example, with pos = 0 for both of its tokens, captures their order.",
    WRONG,
    at("06", "bug-float"),
    at("06", "float-and-zero"),
    quote=quoted(
        STEPS,
        "为了捕捉序列中的顺序信息,我们需要在嵌入向量的基础上添加位置编码。",
        "to capture the order in the sequence, we need to add a positional encoding to the embedding vectors",
    ),
)
def position_zero_for_all() -> Measured:
    """Compare one word at two places when both get the vector of position 0."""
    table = references("06_positional_encoding")["sinusoidal_positions"](2, 16)
    x = torch.randn(16).expand(2, 16)  # one word twice
    printed, right = x + table[0], x + table
    apart = printed[0].dist(printed[1]).item()
    return found(
        apart > 0,
        f"One word at both places: {apart:g} apart as printed, {right[0].dist(right[1]):.2f} with the vector of each position.",
        "It adds the vector of position 0 to both, so that nothing about the order gets in.",
    )


@s2.claim(
    "With sinusoidal positions a model still does well on long sequences.",
    CONDITION,
    at("06", "far-question"),
    at("06", "far-run"),
    quote=quoted(
        MATHS,
        "确保了模型能够区分不同长度的句子,并且在长序列中依然保持良好的性能",
        "makes sure that the model can tell sentences of different lengths apart, and that it still does well on long "
        "sequences",
    ),
    varies=True,
)
def well_on_long_sequences() -> Measured:
    """Compare the accuracy of a copying model at trained positions, further on and in a longer text."""
    outcome = copied("sinusoidal")
    seen, moved = outcome.accuracy[0], outcome.accuracy[copy_back.STARTS.index(100)]
    return found(
        {"at trained positions": seen > 0.9, "further on": moved > 0.9, "in a longer text": outcome.at_the_end > 0.9},
        f"Trained to copy at positions 0 to 31: {seen:.0%} right there, {moved:.0%} at positions 100 to 131, "
        f"{outcome.at_the_end:.0%} at the end of one text of 200 words (guessing: {1 / copy_back.WORDS:.0%}).",
        "Where positions and lengths were trained. The encoding alone ensures nothing further on.",
    )


@s2.claim(
    "Attention weighs by the similarity of Q, K and V.",
    WRONG,
    at("07", "bug-values"),
    quote=quoted(
        PARTS,
        "它通过计算查询(Query)、键(Key)和值(Value)之间的相似性,动态地分配权重",
        "by computing the similarity between query, key and value it assigns weights dynamically",
    ),
)
def values_in_the_weights() -> Measured:
    """Test whether other values or other keys change the attention weights."""
    attention = nn.MultiheadAttention(16, 2, batch_first=True).eval()
    x, other = torch.randn(2, 1, 5, 16)
    (out, weights), (changed, same) = attention(x, x, x), attention(x, x, other)
    (_, moved) = attention(x, other, x)
    apart = max(spread(weights, same), torch.finfo(weights.dtype).eps)  # the same up to rounding, on some machines to the bit
    return found(
        apart > 1e-6,
        f"Other values: the weights change by {below(apart)}, the output by {spread(out, changed):.2f}. "
        f"Other keys: the weights change by {spread(weights, moved):.2f}.",
        "The weights come from Q and K. V is what is averaged with them.",
    )


def _attention_cost(heads: int, words: int = 128, width: int = 512) -> tuple[int, int]:
    """Return the operations that torch counts and the parameters of self-attention with this number of heads."""
    layer = nn.MultiheadAttention(width, heads, batch_first=True, device="meta")
    x = torch.empty(1, words, width, device="meta")
    counter = FlopCounterMode(display=False)
    with counter:
        query, key, value = F.linear(x, layer.in_proj_weight).unflatten(-1, (3, heads, -1)).permute(2, 0, 3, 1, 4)
        seen = (query @ key.transpose(-1, -2)).softmax(dim=-1) @ value
        F.linear(seen.transpose(1, 2).flatten(2), layer.out_proj.weight)
    return counter.get_total_flops(), sum(parameter.numel() for parameter in layer.parameters())


@s2.claim(
    "Splitting into heads makes the computation markedly more efficient.",
    WRONG,
    at("07", "bug-efficient"),
    at("07", "efficient"),
    quote=quoted(
        PARTS,
        "这种设计不仅增强了模型的表达能力,还显著提高了计算效率。",
        "this design not only makes the model more expressive, it also raises the efficiency of computing markedly",
    ),
)
def heads_and_efficiency() -> Measured:
    """Count operations, softmax weights and parameters of attention with 1, 2 and 8 heads."""
    cost = {heads: _attention_cost(heads) for heads in (1, 2, 8)}
    descriptions = (
        f"{heads}: {flops:,} operations in products, {heads * 128 * 128:,} weights in softmaxes, {count:,} parameters"
        for heads, (flops, count) in cost.items()
    )
    return found(
        cost[8][0] < cost[1][0] or cost[8][1] < cost[1][1],
        f"Width 512, 128 words, by number of heads: {'; '.join(descriptions)}.",
        "The products cost the same, the softmaxes more with every head. Heads buy several patterns of attention, not speed.",
    )


@s2.claim(
    "Training embeddings needs a great deal of labelled data.",
    WRONG,
    at("04", "classes"),
    at("07", "labels"),
    varies=True,
    quote=quoted(
        "3.2 嵌入向量的训练过程",
        "这一过程需要大量的标注数据支持,尤其是在大规模预训练阶段",
        "this process needs the support of a great deal of labelled data, above all in large-scale pretraining",
    ),
)
def labels_for_embeddings() -> Measured:
    """Make vectors by counting neighbours in raw text, and compute how often the nearest word is of the same kind."""
    language = micro_language()
    vocabulary, size = language.vocabulary["english"], len(language.vocabulary["english"])
    near = torch.ones(size, size, dtype=torch.float64) * 1e-3
    for sentence in language.sentences("english", "train", 5000):
        ids = vocabulary.encode(sentence)
        for at_, word in enumerate(ids):
            for other in (*ids[max(at_ - 2, 0) : at_], *ids[at_ + 1 : at_ + 3]):
                near[word, other] += 1
    chance = near / near.sum()
    surprise = (chance / (chance.sum(0) * chance.sum(1)[:, None])).log().clamp(min=0)
    left, strength, _ = torch.linalg.svd(surprise)
    table = left[:, :16] * strength[:16].sqrt()
    nearest, classes = references("04_nplm")["nearest"], class_of()
    pure, drawn = (neighbour_accuracy(rows, classes, nearest) for rows in (table, torch.randn(size, 16)))
    return found(
        pure < 2 * drawn,
        "Vectors from 5,000 raw sentences by counting neighbours: the nearest word is of the same kind for "
        f"{pure:.0%} of the words, for {drawn:.0%} by chance.",
        "Raw text is enough; what stands nearby is the label.",
    )


def bert() -> dict[str, int]:
    """Return the number of parameters of each part of BERT-base, from its published sizes."""
    width = 768

    def count(*modules: nn.Module) -> int:
        return sum(parameter.numel() for module in modules for parameter in module.parameters())

    layer = nn.TransformerEncoderLayer(width, 12, 3072, device="meta")
    tables = [nn.Embedding(rows, width, device="meta") for rows in (30_522, 512, 2)]
    return {
        "tokens": count(tables[0]),
        "embedding": count(*tables, nn.LayerNorm(width, device="meta")),
        "layers": 12 * count(layer),
        "pooler": count(nn.Linear(width, width, device="meta")),
    }


@s2.claim(
    "BERT-base has about 110 million parameters.",
    HOLDS,
    at("07", "bug-bert"),
    at("07", "labels"),
    quote=quoted(
        "3.2 嵌入向量的训练过程",
        "据统计,BERT-base版本的模型包含约1.1亿个参数",
        "according to statistics, the BERT-base version of the model has about 110 million parameters",
    ),
)
def bert_parameters() -> Measured:
    """Count the parameters of BERT-base."""
    parts = bert()
    whole = parts["embedding"] + parts["layers"] + parts["pooler"]
    return found(
        agree(110e6, whole, 0.01),
        f"{parts['embedding']:,} for tokens, positions, segments and their norm, {parts['layers']:,} in 12 layers, "
        f"{parts['pooler']:,} in the pooler: {whole:,}.",
    )


@s2.claim(
    "BERT-base has about 110 million parameters for its embedding matrix.",
    WRONG,
    at("07", "bug-bert"),
    at("07", "labels"),
    quote=quoted(
        "六、总结",
        "BERT-base模型包含约1.1亿参数用于优化嵌入矩阵",
        "the BERT-base model has about 110 million parameters for optimising the embedding matrix",
    ),
)
def bert_mostly_embedding() -> Measured:
    """Compute which share of BERT-base's parameters is in its embedding matrices."""
    parts = bert()
    whole = parts["embedding"] + parts["layers"] + parts["pooler"]
    share = parts["embedding"] / whole
    assert rounds_to(parts["embedding"] / 1e6, "23.8")
    return found(
        agree(110e6, parts["embedding"], 0.1),
        f"{parts['embedding']:,} of {whole:,}: {share:.1%}; the token table alone is {parts['tokens'] / whole:.1%}.",
        f"{share:.0%} of them; {parts['layers'] / whole:.0%} are in the twelve layers. Its section 3.2 has it milder: "
        "“其中很大一部分”, "
        "a large part.",
    )
