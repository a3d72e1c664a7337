"""S4, embeddings from the bottom up: byte pairs, tokenizers and the bill."""

from __future__ import annotations

from collections import Counter

import torch
from torch import nn

from embedding_course.data.tiktoken_facts import ENCODINGS, token_count, token_ids, token_pieces
from embedding_course.demo.word_pairs import letter_pairs

from .compare import agree, rounds_to
from .course_tokens import CHINESE, DOGS, ENGLISH, byte_ids
from .entry import CONDITION, HOLDS, WRONG, Finding, Source, at, found

s4 = Source("S4")
WORDS: tuple[str, ...] = ("low", "lower", "newest", "widest")
PRICE = 0.03 / 1000  # dollars for a token


def _top(counts: Counter[str]) -> list[str]:
    return [pair for pair, count in counts.items() if count == max(counts.values())]


@s4.claim(
    "low, lower, newest, widest, each once: lo 2, ow 2, we 2, es 2, st 2, `t</w>` 2 are the first counts.",
    HOLDS,
    at("01", "figure-tie"),
)
def first_pair_counts() -> Finding:
    counts = letter_pairs(dict.fromkeys(WORDS, 1))
    top = _top(counts)
    return found(
        sorted(top) == sorted(["lo", "ow", "we", "es", "st", "t</w>"]) and counts["lo"] == 2,
        f"Counted: {', '.join(f'`{pair}` {counts[pair]}' for pair in top)}; all {len(counts) - len(top)} other pairs once.",
    )


@s4.claim("One pair is the most frequent and is merged first.", WRONG, at("01", "predict-tie"), at("01", "bug-weights"))
def one_most_frequent_pair() -> Finding:
    once, weighted = (
        _top(letter_pairs(dict.fromkeys(WORDS, 1))),
        _top(letter_pairs({"low": 5, "lower": 2, "newest": 6, "widest": 3})),
    )
    return found(
        len(once) == 1,
        f"{len(once)} pairs share the first place; with the frequencies 5, 2, 6, 3 still {len(weighted)} do "
        f"({', '.join(f'`{pair}`' for pair in weighted)}).",
        "It is a tie. A rule that breaks ties is part of the method.",
    )


@s4.claim("Counting each word once finds the pairs to merge.", CONDITION, at("01", "bug-weights"), at("01", "01.train_bpe"))
def words_counted_once() -> Finding:
    trials = {}
    for name, times in (("all words equally frequent", (4, 4, 4, 4)), ("frequencies 5, 2, 6, 3", (5, 2, 6, 3))):
        words = dict(zip(WORDS, times, strict=True))
        trials[name] = set(_top(letter_pairs(words))) == set(_top(letter_pairs(words, weighted=False)))
    counts = letter_pairs({"low": 5, "lower": 2, "newest": 6, "widest": 3})
    return found(
        trials,
        f"In a text with 5, 2, 6 and 3 of these words `es` stands {counts['es']} times, `lo` {counts['lo']} times; counted "
        "once "
        "for each word both have 2.",
        "Only where all words are equally frequent. A pair counts as often as it stands in the text.",
    )


@s4.claim(f"{CHINESE} has 12, 12, 8 and 5 tokens.", WRONG, at("01", "real-tokenizers"), at("01", "explain-pieces"))
def printed_token_counts() -> Finding:
    counts = {name: token_count(CHINESE, name) for name in ENCODINGS}
    printed = dict(zip(ENCODINGS, (12, 12, 8, 5), strict=True))
    right = [name for name in ENCODINGS if counts[name] == printed[name]]
    return found(
        counts == printed,
        f"Recorded: {', '.join(f'{count} in {name}' for name, count in counts.items())}.",
        f"{', '.join(map(str, counts.values()))}. Only the count of {' and '.join(right)} is right.",
    )


@s4.claim('The id of " love" is 1223.', WRONG, at("01", "show-love"))
def id_of_love() -> Finding:
    ids = {
        name: token_ids(ENGLISH, name)[token_pieces(ENGLISH, name).index(b" love")] for name in ("cl100k_base", "o200k_base")
    }
    return found(
        1223 in ids.values(),
        f"Recorded: {', '.join(f'{index} in {name}' for name, index in ids.items())}.",
        f"{' and '.join(map(str, ids.values()))}: an id means something only together with its tokenizer.",
    )


@s4.claim(f"Token 105,939 is one of {DOGS} and has a row in a table of 100,256.", WRONG, at("01", "run-bug-id"))
def id_outside_the_table() -> Finding:
    table = nn.Embedding(100_256, 1)
    try:
        table(torch.tensor([105_939]))
        said = ""
    except IndexError as error:
        said = type(error).__name__
    real = token_ids(DOGS, "cl100k_base")
    return found(
        105_939 in real and not said,
        f"The lookup: {said or 'no error'}. The recorded ids are {real}.",
        "No tokenizer gave these ids, and a table of 100,256 rows ends with row 100,255.",
    )


@s4.claim("The vocabulary has |V| = 100,000 entries.", WRONG, at("01", "explain-id"))
def size_of_the_vocabulary() -> Finding:
    merges, single = 100_000, len(byte_ids())
    return found(
        max(105_939, *token_ids(CHINESE, "cl100k_base")) < 100_000 and merges + single == 100_000,
        f"The tutorial itself uses id 105,939 and a table of 100,256 rows; {merges:,} merges and {single} single bytes are "
        f"{merges + single:,}.",
        "100,256 ordinary tokens, ids 0 to 100,255: 100,000 counts the merges alone.",
    )


@s4.claim(
    "A thousand calls of 12 tokens at $0.03 per 1,000 tokens cost $0.036.",
    WRONG,
    at("01", "predict-cost"),
    at("01", "count-cost"),
)
def cost_of_calls() -> Finding:
    cost = 12 * PRICE * 1000
    return found(
        agree(0.036, cost, 0.01),
        f"12 × 1,000 × $0.03 / 1,000 = ${cost:.2f}.",
        f"${cost:.2f}; off by a factor of {cost / 0.036:.0f}.",
    )


@s4.claim("The new tokenizer saves 58 %.", WRONG, at("01", "explain-cost"))
def saving_of_the_tokenizer() -> Finding:
    old, new = (token_count(CHINESE, name) for name in ("r50k_base", "o200k_base"))
    printed, saved = 1 - 5 / 12, 1 - new / old
    assert rounds_to(100 * printed, "58")
    return found(
        rounds_to(100 * saved, "58"),
        f"58 % follows from the printed 12 and 5. With the recorded {old} and {new} a thousand calls cost "
        f"${old * PRICE * 1000:.2f} and ${new * PRICE * 1000:.2f}.",
        f"{saved:.0%}.",
    )
