"""Encoding, decoding, and tiktoken's engine: cases and comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import tiktoken

from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts
from . import corpora
from .byte_pairs import rename, words_of

__all__ = ["bpe_decode", "bpe_encode", "to_tiktoken"]

Merges = dict[tuple[int, int], int]


def _table(pairs: Sequence[tuple[int, int]], letters: Mapping[str, str], count: int | None = None) -> Merges:
    """The merges of a shipped table under other letters."""
    names = {ord(old): ord(new) for old, new in letters.items()}
    renamed = [tuple(names.get(one, one) for one in pair) for pair in pairs[:count]]
    return {(left, right): 256 + place for place, (left, right) in enumerate(renamed)}


def _learned(draw: Draw, count: int | None = None) -> tuple[Merges, list[str]]:
    """A table learned from one of the texts, and words of that text."""
    place = draw.integer(0, 5)
    letters = rename(draw)
    counts = (*corpora.WORDS, *corpora.RUNS)[place]
    return _table(corpora.MERGES[place], letters, count), words_of(draw, counts, letters)


def _in_pieces(draw: Draw) -> tuple[Merges, list[str]]:
    place = draw.integer(0, 2)
    letters = rename(draw)
    return _table(corpora.PIECES_MERGES[place], letters), words_of(draw, corpora.PIECES_WORDS[place], letters)


def _across(merges: Merges) -> str:
    """A word of four letters that `PIECES` cuts between the two of the first merge, and SPLIT does not."""
    left, right = next(iter(merges))
    return f" zz{chr(left)}{chr(right)}"


CHINESE = _table(corpora.CHINESE_MERGES, {})
TEXTS = ("我爱狗，狗也爱我🙂", "机器学习 dogs love 机器", "🙂🙂 I love 学习。", "爱爱爱 lovelove 狗很可爱 不在表里")

# Words in which the order of merging decides: a longest match, or the first pair from the left, gives other ids.
_RIVALS = {(98, 99): 256, (97, 98): 257, (99, 100): 258, (256, 100): 259, (97, 256): 260}

# A text with a seam of every kind that patterns differ in, and pairs that lie across the seams.
_SEAMS = "🙂🙂 爱狗x cafe\u0301 1111 it's , (x  x.\n"
_SEAM_TABLE = _table(
    [(151, 120), (177, 231), (32, 231), (101, 204), (49, 49), (39, 115), (32, 44), (32, 32), (32, 120), (40, 120), (46, 10),
     (130, 240)], {},
)  # fmt: skip


def _encode_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, text: str, merges: Merges, criterion: str, because: str = "", **options: str) -> Case:
        return Case(name, {"text": text, "merges": merges}, criterion, options, because=because)

    merges, words = _learned(draw)
    order = "Of all pairs that can be merged, the one learned first is merged first."
    text = words[0][0] + "".join(f" {word}" for word in words[:8])
    yield case("words of the training text", text, merges, "order", order)
    letters = rename(draw)
    names = {ord(old): ord(new) for old, new in letters.items()}
    rivals = {(names.get(a, a), names.get(b, b)): new for (a, b), new in _RIVALS.items()}
    text = " ".join("".join(letters[one] for one in word) for word in draw.shuffled(["abc", "abcd", "bcd", "aabcd", "cdab"]))
    yield case("pairs that compete", text, rivals, "order", order)
    kinds = ("a pair that a merge makes", "a pair that stands twice", "a longer token that was learned later")
    for name, (pairs, word) in zip(kinds, corpora.RIVALS, strict=True):
        yield case(name, word, _table(pairs, {}), "order", order)
    yield case("more words", " ".join(words[8:]) + " " + "".join(words[:3]), merges, "order")
    letters = rename(draw)
    runs = "".join(f" {letter * length}" for letter in letters.values() for length in (3, 4, 5))
    yield case("runs of one letter", runs, _table(corpora.MERGES[draw.integer(3, 5)], letters), "order")
    merges, words = _learned(draw, 3)
    # The same text with and without merges, and a word to merge in it: a cache must not outlive its table.
    first = "".join(map(chr, next(iter(merges))))
    text = " ".join([words[0], next(word for word in words if first in f" {word}"), *words[1:5]])
    yield case("few merges", text, merges, "any text")
    yield case("no merges", text, {}, "any text", "Without merges the ids are the bytes.")
    yield case("an empty text", "", merges, "any text")
    yield case("white space of any kind", f"  {words[0]}\n\n\t{words[1]}   {words[2]} ", merges, "any text")
    spaces = {(32, 32): 256, (10, 10): 257, (257, 257): 258}
    yield case("merges of spaces and line ends", f"{words[0]}     {words[1]}\n\n\n\n\n{words[2]}   ", spaces, "any text",
               "A chunk of white space is a chunk like any other.")  # fmt: skip
    yield case("line ends and control characters", f"{words[0]}\r\n{words[1]}\x00\x07{words[2]}\n", merges, "bytes",
               "The text is taken as it stands.")  # fmt: skip
    yield case("Chinese", draw.choice(TEXTS[:2]), CHINESE, "bytes", "The base ids are the bytes of UTF-8, not characters.")
    yield case("emoji", draw.choice(TEXTS[2:]), CHINESE, "bytes")
    yield case("characters never seen", "Été ∑ 한국 ½ cafe\u0301", CHINESE, "bytes", "A text of bytes never seen is its bytes.")
    cut = "Pairs are merged inside the chunks that the pattern cuts, never across."
    digit = draw.choice("123456789")
    digits = f"{digit * 4} {digit * 5}x{digit * 7}"
    yield case("long numbers", digits, {(ord(digit), ord(digit)): 256, (256, ord(digit)): 257}, "bytes", cut)
    yield case("every kind of seam", _SEAMS, _SEAM_TABLE, "bytes", cut)
    yield case("a pattern that leaves text out", "a1b", {}, "bytes",
               "The chunks are what the pattern matches, and nothing else.", pattern="[a-z]+")  # fmt: skip
    merges, words = _in_pieces(draw)
    yield case("another pattern", "".join(words[:9]) + _across(merges), merges, "bytes", cut, pattern=corpora.PIECES)


bpe_encode = Exercise(
    id="01.bpe_encode",
    title="Encode with the learned merges",
    why="Two tokenizers with one table and different orders of merging give a model different words.",
    difficulty=3,
    minutes=15,
    criteria=(
        Criterion("order", 2, "the merge that was learned first goes first"),
        Criterion("any text", 1, "few merges, none, no text, white space"),
        Criterion("bytes", 1, "bytes of any script, chunks of any pattern"),
    ),
    hints=(
        "Begin as in training: cut into chunks, chunks into bytes. Every chunk is encoded by itself.",
        "In a chunk, which pairs of neighbours stand in `merges`? The one with the lowest new id was learned first.",
        "Merge that pair everywhere in the chunk and look again; stop when no pair of neighbours stands in `merges`.",
    ),
    cases=_encode_cases,
    uses=("merge_pair",),
)


def _decode_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, ids: list[int], merges: Merges, criterion: str, because: str = "") -> Case:
        return Case(name, {"ids": ids, "merges": merges}, criterion, because=because)

    merges, words = _learned(draw)
    new = list(merges.values())
    yield case("bytes and merges", [*words[0].encode(), *draw.shuffled(new), 32, *words[1].encode(), new[-1]], merges, "text")
    yield case("merges of merges", draw.shuffled([262, 266, 273, 284, 290]), CHINESE, "text",
               "The halves of a merge may be merges themselves, and their halves too.")  # fmt: skip
    yield case("white space at both ends", [32, 9, *words[2].encode(), 10, 32], merges, "text")
    yield case("Chinese", list(draw.choice(TEXTS).encode("utf-8")), {}, "text")
    yield case("a byte of zero at the end", [104, 0], {}, "text", "0 is a byte like any other.")
    split = "A character may lie across several tokens: join the bytes first, decode them afterwards."
    yield case("characters across tokens", [231, 136, 177, *list("狗🙂".encode()), 257, 177], CHINESE, "broken bytes", split)
    broken = "Bytes that are no UTF-8 become the replacement character."
    again = [228, *"你".encode()]
    yield case("a beginning without its end, then a character", again, {}, "broken bytes",
               "Only the broken byte is replaced; the one behind it begins the next character.")  # fmt: skip
    yield case("three bytes that encode half a character", [0xED, 0xA0, 0x80], {}, "broken bytes", broken)
    start = draw.choice("🙂🐶").encode()[: draw.integer(2, 3)]
    yield case("a cut-off end", [*"我".encode(), *start], CHINESE, "broken bytes", broken)
    yield case("a stray byte", [104, draw.integer(128, 191), 105, 255], CHINESE, "broken bytes", broken)
    yield case("a beginning without its end, then letters", [231, 104, 105], CHINESE, "broken bytes", broken)
    yield case("two stray bytes side by side", [255, 254, 104], CHINESE, "broken bytes", "Each of them is replaced.")
    yield case("a byte-order mark and a line end", [239, 187, 191, 97, 13, 10], CHINESE, "broken bytes",
               "What can be decoded stands as it is.")  # fmt: skip
    yield case("no ids", [], CHINESE, "broken bytes")


bpe_decode = Exercise(
    id="01.bpe_decode",
    title="Decode",
    why="A model writes tokens; where a character lies across two of them, careless decoding prints rubbish.",
    difficulty=2,
    minutes=6,
    core=False,
    criteria=(
        Criterion("text", 1, "ids of bytes and of merges become text again"),
        Criterion("broken bytes", 1, "bytes are joined before they are decoded, and broken ones replaced"),
    ),
    hints=(
        "Which bytes does each id stand for? Ids below 256 are a byte; a merge is its two halves, one behind the other.",
        "Merges come in the order of learning: both halves are known when you meet a merge.",
        "`b''.join(...)` first, then a single `.decode(..., errors=\"replace\")`.",
    ),
    cases=_decode_cases,
)


def _run_tiktoken(candidate: Callable[..., Any], merges: Merges, texts: Sequence[str], **options: Any) -> Parts:
    """Encode and decode with what the learner made; numbers and strings come back."""
    encoding = candidate(merges, **options)
    ids = [encoding.encode(text) for text in texts]
    return Parts({
        "kind of the result": "Encoding" if isinstance(encoding, tiktoken.Encoding) else type(encoding).__name__,
        "ids": ids,
        "decoded texts": [encoding.decode(one) for one in ids],
        "bytes of single tokens": [list(encoding.decode_single_token_bytes(one)) for one in (0, 128, 255, *merges.values())],
        "number of ids": encoding.n_vocab,
        "special tokens": sorted(encoding.special_tokens_set),
    })  # fmt: skip


def _tiktoken_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, merges: Merges, texts: list[str], criterion: str, because: str = "", **options: str) -> Case:
        said = f", pattern={options['pattern']!r}" if options else ""
        call = f"to_tiktoken(merges{said}).encode(text) for the {len(merges)} merges and the texts {texts!r}"
        return Case(name, {"merges": merges, "texts": texts}, criterion, options, call, because)

    merges, words = _learned(draw)
    same = "The engine must give the ids that bpe_encode gives."
    yield case("words of the training text", merges, ["".join(f" {word}" for word in words[:8]), words[9]], "same ids", same)
    yield case("Chinese, English and emoji", CHINESE, [*TEXTS], "same ids", same)
    yield case("every kind of seam", _SEAM_TABLE, [_SEAMS], "same ids", same)
    every = "All 256 bytes are tokens, whether they were seen in training or not."
    yield case("bytes never seen", merges, ["été ∑ 한국 \x00\x7f"], "any table", every)
    yield case("no merges", {}, ["abc 爱"], "any table", every)
    merges, words = _learned(draw)
    yield case("another table of the same size", merges, ["".join(f" {word}" for word in words[:8])], "any table")
    yield case("an empty text", merges, [""], "any table")
    merges, words = _in_pieces(draw)
    text = "".join(words[:9]) + _across(merges)
    yield case("another pattern", merges, [text], "any table", "The pattern goes to the engine too.", pattern=corpora.PIECES)


to_tiktoken = Exercise(
    id="01.to_tiktoken",
    title="Your tokenizer in tiktoken's engine",
    why="The engine behind commercial models runs your own table: nothing is left that is magic.",
    difficulty=2,
    minutes=10,
    core=False,
    criteria=(
        Criterion("same ids", 2, "the engine gives the ids that bpe_encode gives"),
        Criterion("any table", 1, "every byte is a token, with or without merges, under any pattern"),
    ),
    hints=(
        "`tiktoken.Encoding` takes a name, `pat_str`, `mergeable_ranks` and `special_tokens`; read its docstring.",
        "`mergeable_ranks` maps the bytes of a token to its rank, and the rank is the id. Which bytes are token 256?",
        "All single bytes belong in, with ranks 0 to 255, then the merges in the order in which they were learned.",
    ),
    cases=_tiktoken_cases,
    run=_run_tiktoken,
)
