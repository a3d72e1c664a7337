"""S4, embeddings from the bottom up: byte pairs and token ids."""

from __future__ import annotations

from collections import Counter

import torch
from tiktoken.model import encoding_name_for_model
from torch import nn

from embedding_course.data.tiktoken_facts import ENCODINGS, token_count, token_ids, token_pieces
from embedding_course.experiments.onehot_vs_lookup.word_pairs import letter_pairs

from .course_tokens import CHINESE, DOGS, ENGLISH, byte_ids
from .entry import CONDITION, HOLDS, WRONG, Measured, Source, at, found, quoted

s4 = Source("S4")
WORDS: tuple[str, ...] = ("low", "lower", "newest", "widest")
PAIRS, ENGINE, IDS, TABLE, PRACTICE = (
    "BPE 算法原理",
    "Tiktoken（OpenAI 的实现）",
    "Token ID 的数学表示",
    "Embedding 矩阵",
    "Tiktoken 实战",
)


def _top(counts: Counter[str]) -> list[str]:
    return [pair for pair, count in counts.items() if count == max(counts.values())]


@s4.claim(
    "low, lower, newest, widest, each once: lo 2, ow 2, `w</w>` 1, we 2, er 1, `r</w>` 1 are among the first counts.",
    HOLDS,
    at("01", "figure-tie"),
    quote=quoted(PAIRS, """('l', 'o'): 2,      # "low" 和 "lower" 中都有 "lo\"""", "both “low” and “lower” hold “lo”"),
)
def first_pair_counts() -> Measured:
    """Count the pairs of letters in four words."""
    counts, listed = letter_pairs(dict.fromkeys(WORDS, 1)), {"lo": 2, "ow": 2, "w</w>": 1, "we": 2, "er": 1, "r</w>": 1}
    top = _top(counts)
    return found(
        {f"`{pair}`": counts[pair] == count for pair, count in listed.items()},
        f"So they are. In all: {', '.join(f'`{pair}` {counts[pair]}' for pair in top)}; all {len(counts) - len(top)} other "
        "pairs once.",
    )


@s4.claim(
    "Suppose that the pair lo is the most frequent one; in practice `max(pairs, key=pairs.get)` finds it.",
    CONDITION,
    at("01", "bug-weights"),
    at("01", "predict-tie"),
    quote=quoted(PAIRS, "假设 ('l', 'o') 出现频率最高", "suppose that ('l', 'o') is the most frequent"),
)
def most_frequent_pair() -> Measured:
    """Find the most frequent pair, and test whether it is the only one and depends on the order of words."""
    counts = letter_pairs(dict.fromkeys(WORDS, 1))
    top, weighted = _top(counts), _top(letter_pairs({"low": 5, "lower": 2, "newest": 6, "widest": 3}))
    from_the_end = letter_pairs(dict.fromkeys(reversed(WORDS), 1))
    first, last = max(counts, key=counts.__getitem__), max(from_the_end, key=from_the_end.__getitem__)
    return found(
        {"no pair stands there more often": "lo" in top, "no other as often": top == ["lo"]},
        f"{len(top)} pairs share the first place. `max` takes the first of them in the dictionary: `{first}`, or `{last}` when "
        f"the words are read in the opposite order. With the frequencies 5, 2, 6, 3 still {len(weighted)} pairs are alike "
        f"({', '.join(f'`{pair}`' for pair in weighted)}).",
        "It is one of six. A rule that breaks ties is part of the method.",
    )


@s4.claim(
    "The pairs of each word are counted once.",
    CONDITION,
    at("01", "bug-weights"),
    at("01", "01.train_bpe"),
    quote=quoted(PAIRS, "pairs[pair] = pairs.get(pair, 0) + 1  # 计数", "count"),
)
def words_counted_once() -> Measured:
    """Compare the most frequent pairs with and without the words' frequencies."""
    trials = {}
    for name, times in (("all words equally frequent", (4, 4, 4, 4)), ("frequencies 5, 2, 6, 3", (5, 2, 6, 3))):
        words = dict(zip(WORDS, times, strict=True))
        trials[name] = set(_top(letter_pairs(words))) == set(_top(letter_pairs(words, weighted=False)))
    counts = letter_pairs({"low": 5, "lower": 2, "newest": 6, "widest": 3})
    return found(
        trials,
        f"In a text with 5, 2, 6 and 3 of these words `es` occurs {counts['es']} times, `lo` {counts['lo']} times; counted "
        "once for each word both have 2.",
        "Only where all words are equally frequent. A pair counts as often as it occurs in the text.",
    )


@s4.claim(
    f"{CHINESE} has 12, 12, 8 and 5 tokens.",
    WRONG,
    at("01", "bug-counts"),
    at("01", "explain-pieces"),
    quote=quoted(
        PRACTICE,
        "输出示例（实际运行结果）…Token 数量: 12…Token 数量: 12…Token 数量: 8…Token 数量: 5",
        "example output (of an actual run) … number of tokens: 12 … 12 … 8 … 5",
    ),
)
def printed_token_counts() -> Measured:
    """Compare the printed token counts of the Chinese example with the recorded ones."""
    counts = {name: token_count(CHINESE, name) for name in ENCODINGS}
    printed = dict(zip(ENCODINGS, (12, 12, 8, 5), strict=True))
    right = [name for name in ENCODINGS if counts[name] == printed[name]]
    return found(
        counts == printed,
        f"Recorded: {', '.join(f'{count} in {name}' for name, count in counts.items())}.",
        f"{', '.join(map(str, counts.values()))}. Only the count of {' and '.join(right)} is right.",
    )


@s4.claim(
    f"In cl100k {CHINESE} begins with the tokens 57668, 95182, 68241, 106665.",
    WRONG,
    at("01", "explain-pieces"),
    quote=quoted(PRACTICE, "Token IDs:  [57668, 95182, 68241, 106665, ...]"),
)
def printed_ids_of_chinese() -> Measured:
    """Compare the printed ids of the Chinese example with the recorded ones."""
    printed, real = [57_668, 95_182, 68_241, 106_665], token_ids(CHINESE, "cl100k_base")
    assert not set(printed) & {token for name in ENCODINGS for token in token_ids(CHINESE, name)}
    return found(
        real[:4] == printed,
        f"Recorded: {real}. An id of 106,665 lies outside the 100,256 ordinary tokens, and the same first three are printed "
        "for o200k, which has other tokens.",
        "None of the printed ids is among the recorded ones of any of the four encodings.",
    )


@s4.claim(
    'The id of " love" is 1223.',
    WRONG,
    at("01", "explain-pieces"),
    at("01", "show-love"),
    quote=quoted(PRACTICE, "Token 1: ID=  1223 | ' love'"),
)
def id_of_love() -> Measured:
    """Compare the printed id of " love" with the recorded ones."""
    names = ("cl100k_base", "o200k_base")
    ids = {name: token_ids(ENGLISH, name)[token_pieces(ENGLISH, name).index(b" love")] for name in names}
    others = [index for index in token_ids(ENGLISH, "cl100k_base") if index in (40, 5780, 6975)]
    return found(
        1223 in ids.values(),
        f"Recorded: {', '.join(f'{index} in {name}' for name, index in ids.items())}. The ids that it prints for the other "
        f"{len(others)} tokens are right.",
        f"{' and '.join(map(str, ids.values()))}: an id means something only together with its tokenizer.",
    )


@s4.claim(
    f"{DOGS} has the ids 105939, 104523, 100234, 98765.",
    WRONG,
    at("01", "bug-id"),
    quote=quoted(IDS, f'f("{DOGS}") = [105939, 104523, 100234, 98765]', "f(“dogs are cute”) = [105939, 104523, 100234, 98765]"),
)
def printed_ids_of_dogs() -> Measured:
    """Compare the printed ids of the example with dogs with the recorded ones."""
    real = {name: token_ids(DOGS, name) for name in ("cl100k_base", "o200k_base")}
    printed = {105_939, 104_523, 100_234, 98_765}
    return found(
        any(printed & set(ids) for ids in real.values()),
        f"Recorded: {'; '.join(f'{ids} in {name}' for name, ids in real.items())}.",
        "Not one of them occurs in either. (Of the first it says further on 假设, suppose.)",
    )


@s4.claim(
    "Each id lies in the range [0, |V| - 1], with |V| = 100,000.",
    CONDITION,
    at("01", "bug-id"),
    at("01", "explain-id"),
    quote=quoted(
        IDS, "每个 ID 是词汇表中的索引，范围 [0, |V|-1]", "each id is an index of the vocabulary, in the range [0, |V|-1]"
    ),
)
def ids_within_the_vocabulary() -> Measured:
    """Test whether the printed ids are within the printed size of the vocabulary."""
    own = (105_939, 104_523, 100_234, 98_765)
    outside = [index for index in own if index > 100_000 - 1]
    return found(
        {f"its id {index:,}": index not in outside for index in own},
        f"Of the four ids in its own example {len(outside)} are too large: {outside}.",
        "As a definition. Only the last id of its example keeps to it.",
    )


@s4.claim(
    "Token 105,939 has a row in a table of 100,256.",
    WRONG,
    at("01", "bug-id"),
    at("01", "run-bug-id"),
    quote=quoted(TABLE, "embedding_vector = W_e[token_id, :]  # 取第 105939 行", "take row 105939"),
)
def id_outside_the_table() -> Measured:
    """Look up token 105,939 in a table of 100,256 rows, in torch and in numpy."""
    table, token = nn.Embedding(100_256, 1), torch.tensor([105_939])
    error_names = []
    for read in (lambda: table(token), lambda: table.weight.detach().numpy()[105_939, :]):
        try:
            read()
        except IndexError as error:
            error_names.append(type(error).__name__)
    return found(
        len(error_names) < 2,
        f"{' and '.join(error_names) or 'No error'}, in torch and in numpy.",
        "A table of 100,256 rows ends with row 100,255.",
    )


@s4.claim(
    "cl100k has a vocabulary of 100,256.",
    HOLDS,
    at("01", "explain-id"),
    quote=quoted(
        ENGINE,
        '"cl100k_base" 是 GPT-3.5/GPT-4 使用的编码器，词汇表大小 100,256',
        "“cl100k_base” is the encoder that GPT-3.5 / GPT-4 use, with a vocabulary of 100,256",
    ),
)
def size_of_the_vocabulary() -> Measured:
    """Compute the size of cl100k's vocabulary from its merges and single bytes."""
    merges, single = 100_000, len(byte_ids())
    return found(
        merges + single == 100_256,
        f"{merges:,} merges and {single} single bytes are {merges + single:,} ordinary tokens, ids 0 to 100,255; special "
        "tokens come on top.",
    )


@s4.claim(
    "cl100k is the encoding of GPT-3.5 and GPT-4.",
    CONDITION,
    at("01", "explain-id"),
    quote=quoted(PRACTICE, "cl100k_base : # GPT-3.5/GPT-4 使用", "used by GPT-3.5 / GPT-4"),
)
def encoding_of_gpt_three_and_a_half() -> Measured:
    """Look up the encodings of the models in tiktoken's own table."""
    names = {
        model: encoding_name_for_model(model) for model in ("gpt-3.5-turbo", "gpt-4", "text-davinci-003", "text-davinci-002")
    }
    return found(
        {model: name == "cl100k_base" for model, name in names.items()},
        f"By tiktoken's own table: {', '.join(f'{model} {name}' for model, name in names.items())}.",
        "For gpt-3.5-turbo and GPT-4. The first models of the GPT-3.5 series, text-davinci-002 and 003, use p50k.",
    )
