"""What the course uses in place of S4's tokens: ids recorded from the published tokenizers, and tests of them."""

from __future__ import annotations

from embedding_course.data.tiktoken_facts import ENCODINGS, token_count, token_ids, token_pieces

from .entry import HOLDS, Measured, Source, at, found

course = Source("course")
CHINESE, DOGS, ENGLISH = "我爱机器学习", "狗很可爱", "I love machine learning"


def byte_ids() -> dict[int, int]:
    """Return the id of each single byte in these encodings: printable ones first, then the others, both in order."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [byte for byte in range(256) if byte not in printable]
    return {byte: index for index, byte in enumerate([*printable, *rest])}


def _real(text: str, encoding: str, count: int, ids: list[int] | None = None) -> tuple[bool, int]:
    """Check that the recorded facts agree among themselves, and count the one-byte ids that could be computed again."""
    if ids is None:
        return token_count(text, encoding) == count, 0
    recorded = token_ids(text, encoding)
    right, single, alone = recorded == ids and len(ids) == count == token_count(text, encoding), 0, byte_ids()
    try:
        pieces = token_pieces(text, encoding)
    except KeyError:
        return right, 0
    for piece, index in zip(pieces, ids, strict=True):
        if len(piece) == 1:
            right, single = right and alone[piece[0]] == index, single + 1
    return right and b"".join(pieces) == text.encode(), single


@course.claim(
    f"{CHINESE}: r50k and p50k 14 tokens, cl100k 8, o200k 4, with the ids that the course gives.",
    HOLDS,
    at("01", "show-pieces"),
)
def real_tokens_of_chinese() -> Measured:
    """Compare the tokens of the Chinese example in four encodings with the recorded ones."""
    long = [22755, 239, 163, 230, 109, 17312, 118, 161, 247, 101, 27764, 99, 20046, 254]
    wanted = {
        "r50k_base": long,
        "p50k_base": long,
        "o200k_base": [7522, 6414, 96849, 64550],
        "cl100k_base": [37046, 76207, 109, 33748, 32648, 48864, 18259, 254],
    }
    results = {name: _real(CHINESE, name, len(ids), ids) for name, ids in wanted.items()}
    return found(
        {name: right for name, (right, _) in results.items()},
        "As recorded with the published ranks; the pieces join to the text's 18 bytes, and "
        f"{sum(single for _, single in results.values())} ids of single bytes follow from the order of bytes.",
    )


@course.claim(f"{DOGS}: r50k and p50k 9 tokens, cl100k 8, o200k 4.", HOLDS, at("01", "bug-id"))
def real_tokens_of_dogs() -> Measured:
    """Compare the tokens of the example with dogs in four encodings with the recorded ones."""
    results = {
        "r50k_base": _real(DOGS, "r50k_base", 9),
        "p50k_base": _real(DOGS, "p50k_base", 9),
        "cl100k_base": _real(DOGS, "cl100k_base", 8, [163, 233, 245, 17599, 230, 31540, 76207, 109]),
        "o200k_base": _real(DOGS, "o200k_base", 4, [35182, 18730, 6571, 6414]),
    }
    return found(
        {name: right for name, (right, _) in results.items()},
        f"As recorded: cl100k {token_ids(DOGS, 'cl100k_base')}, o200k {token_ids(DOGS, 'o200k_base')}; "
        f"{sum(single for _, single in results.values())} ids of single bytes computed again.",
    )


@course.claim("狗 is 2 tokens in r50k and p50k, 3 in cl100k, 1 in o200k; dog is 1 in each.", HOLDS, at("01", "explain-id"))
def real_tokens_of_dog() -> Measured:
    """Count the tokens of 狗 and dog in four encodings."""
    counts = dict(zip(ENCODINGS, (2, 2, 3, 1), strict=True))
    bytes_of = [byte_ids()[byte] for byte in "狗".encode()]
    trials = {name: token_count("狗", name) == count and token_count("dog", name) == 1 for name, count in counts.items()}
    trials["bytes"] = token_ids("狗", "cl100k_base") == bytes_of and token_ids("狗", "o200k_base") == [35182]
    return found(trials, f"As recorded; in cl100k they are the three bytes of 狗, whose ids are computed: {bytes_of}.")


@course.claim(
    f'"{ENGLISH}" is 4 tokens in each; cl100k [40, 3021, 5780, 6975], o200k [40, 3047, 7342, 7524].',
    HOLDS,
    at("01", "show-love"),
)
def real_tokens_of_english() -> Measured:
    """Compare the tokens of the English example in four encodings with the recorded ones."""
    trials = {name: token_count(ENGLISH, name) == 4 for name in ENCODINGS}
    trials["cl100k ids"] = _real(ENGLISH, "cl100k_base", 4, [40, 3021, 5780, 6975])[0]
    trials["o200k ids"] = _real(ENGLISH, "o200k_base", 4, [40, 3047, 7342, 7524])[0]
    return found(trials, f"As recorded; the id of I is that of a single byte, {byte_ids()[ord('I')]}.")
