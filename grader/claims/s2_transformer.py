"""S2, an essay on how a Transformer makes embedding vectors."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from embedding_course.data.micro import micro_language
from embedding_course.demo.word_classes import class_of, neighbour_accuracy
from grader.catalogue import references

from .compare import agree, below, rounds_to, spread
from .entry import HOLDS, WRONG, Finding, Source, at, found

s2 = Source("S2")


@s2.claim("The function for the positional encoding runs as printed.", WRONG, at("06", "bug-float"))
def encoding_as_printed() -> Finding:
    sine = torch.sin
    try:
        sine(3 / 10000 ** (2 / 8))  # type: ignore[arg-type] - the claim is that this works
        said = ""
    except TypeError as error:
        said = type(error).__name__
    return found(
        said == "",
        f"torch.sin of a Python float: {said or 'no error'}. Of a tensor: {sine(torch.tensor(3 / 10000 ** (2 / 8))):.4f}.",
        "torch.sin takes tensors: math.sin for a number, or the whole table at once.",
    )


@s2.claim("The example tells its two tokens apart by position.", WRONG, at("06", "predict-same"), at("06", "float-and-zero"))
def position_zero_for_all() -> Finding:
    table = references("06_positional_encoding")["sinusoidal_positions"](2, 16)
    x = torch.randn(16).expand(2, 16)  # one word twice
    printed, right = x + table[0], x + table
    apart = printed[0].dist(printed[1]).item()
    return found(
        apart > 0,
        f"One word at both places: {apart:g} apart as printed, {right[0].dist(right[1]):.2f} with the vector of each position.",
        "It adds the vector of position 0 to both, so that nothing about the order gets in.",
    )


@s2.claim("Attention weighs by the similarity of Q, K and V.", WRONG, at("07", "bug-values"))
def values_in_the_weights() -> Finding:
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
    """Operations (counted by torch) and parameters of self-attention with so many heads."""
    layer = nn.MultiheadAttention(width, heads, batch_first=True, device="meta")
    x = torch.empty(1, words, width, device="meta")
    counter = FlopCounterMode(display=False)
    with counter:
        query, key, value = F.linear(x, layer.in_proj_weight).unflatten(-1, (3, heads, -1)).permute(2, 0, 3, 1, 4)
        seen = (query @ key.transpose(-1, -2)).softmax(dim=-1) @ value
        F.linear(seen.transpose(1, 2).flatten(2), layer.out_proj.weight)
    return counter.get_total_flops(), sum(one.numel() for one in layer.parameters())


@s2.claim("Several heads are more efficient than one.", WRONG, at("07", "bug-efficient"))
def heads_and_efficiency() -> Finding:
    cost = {heads: _attention_cost(heads) for heads in (1, 2, 8)}
    told = (f"{heads}: {flops:,} operations, {count:,} parameters" for heads, (flops, count) in cost.items())
    return found(
        cost[8][0] < cost[1][0] or cost[8][1] < cost[1][1],
        f"Width 512, 128 words, by number of heads: {'; '.join(told)}.",
        "Same operations, same parameters. Heads buy several patterns of attention side by side, not speed.",
    )


@s2.claim("Embeddings need labelled data.", WRONG, at("04", "classes"), at("07", "bert-lesson"), varies=True)
def labels_for_embeddings() -> Finding:
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
    """Parameters of BERT-base by part, from its published sizes."""
    width = 768

    def count(*modules: nn.Module) -> int:
        return sum(one.numel() for module in modules for one in module.parameters())

    layer = nn.TransformerEncoderLayer(width, 12, 3072, device="meta")
    tables = [nn.Embedding(rows, width, device="meta") for rows in (30_522, 512, 2)]
    return {
        "tokens": count(tables[0]),
        "embedding": count(*tables, nn.LayerNorm(width, device="meta")),
        "layers": 12 * count(layer),
        "pooler": count(nn.Linear(width, width, device="meta")),
    }


@s2.claim("BERT-base has 110 million parameters.", HOLDS, at("07", "bug-bert"))
def bert_parameters() -> Finding:
    parts = bert()
    whole = parts["embedding"] + parts["layers"] + parts["pooler"]
    return found(
        agree(110e6, whole, 0.01),
        f"{parts['embedding']:,} for tokens, positions, segments and their norm, {parts['layers']:,} in 12 layers, "
        f"{parts['pooler']:,} in the pooler: {whole:,}.",
    )


@s2.claim("The parameters of BERT-base are mostly embedding.", WRONG, at("07", "bug-bert"))
def bert_mostly_embedding() -> Finding:
    parts = bert()
    whole = parts["embedding"] + parts["layers"] + parts["pooler"]
    share = parts["embedding"] / whole
    assert rounds_to(parts["embedding"] / 1e6, "23.8")
    return found(
        share > 0.5,
        f"{parts['embedding']:,} of {whole:,}: {share:.1%}; the token table alone is {parts['tokens'] / whole:.1%}.",
        f"{share:.0%}. {parts['layers'] / whole:.0%} are in the twelve layers.",
    )
