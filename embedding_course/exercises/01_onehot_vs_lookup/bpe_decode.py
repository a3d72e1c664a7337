"""Decoding: cases and comparison."""

from collections.abc import Iterator

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs
from .merge_tables import CHINESE, Merges, learned
from .texts import mixed_text


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, ids: list[int], merges: Merges, criterion: str, because: str = "") -> Case:
        return Case(name, {"ids": ids, "merges": merges}, criterion, because=because)

    merges, words = learned(draw)
    new = list(merges.values())
    yield case("bytes and merges", [*words[0].encode(), *draw.shuffled(new), 32, *words[1].encode(), new[-1]], merges,
               "text").trying("returns")
    yield case("merges of merges", [104, *draw.shuffled([262, 266, 273, 284, 290]), 105], CHINESE, "text",
               "The halves of a merge may be merges themselves, and their halves too.")
    yield case("Chinese", list(mixed_text(draw).encode("utf-8")), {}, "text").trying("returns")
    yield case("docstring example", [256, 33], {(97, 98): 256}, "text")
    yield case("white space at both ends", [32, 9, *words[2].encode(), 10, 32], merges, "any ids")
    yield case("a byte of zero at the end", [*words[3].encode(), 0], {}, "any ids", "0 is a byte like any other.").trying(
        "ids list")
    yield case("a byte-order mark and a line end", [239, 187, 191, *words[4].encode(), 13, 10], CHINESE, "any ids",
               "Bytes that form characters are decoded as usual.")
    yield case("a combining accent", [*"cafe\u0301".encode(), *words[5].encode()], {}, "any ids",
               "The bytes decide: an e and a combining accent stay two characters.")
    yield case("no ids", [], CHINESE, "any ids").trying("ids list")
    split = "The bytes of one character may be in several tokens: join the bytes first, then decode."
    yield case("characters across tokens", [231, 136, 177, *list("狗🙂".encode()), 257, 177], CHINESE, "broken bytes", split)
    broken = "Bytes that are no UTF-8 become the replacement character."
    again = [228, *"你".encode()]
    yield case("a broken character, then a whole one", again, {}, "broken bytes",
               "Only the broken byte is replaced; the one behind it begins the next character.")
    yield case("three bytes that encode half a character", [0xED, 0xA0, 0x80], {}, "broken bytes", broken)
    start = draw.choice("🙂🐶").encode()[: draw.integer(2, 3)]
    yield case("a cut-off end", [*"我".encode(), *start], CHINESE, "broken bytes", broken)
    yield case("a stray byte", [104, draw.integer(128, 191), 105, 255], CHINESE, "broken bytes", broken)
    yield case("a broken character, then letters", [231, 104, 105], CHINESE, "broken bytes", broken)
    yield case("two stray bytes side by side", [255, 254, 104], CHINESE, "broken bytes", "Each of them is replaced.")


bpe_decode = Exercise(
    id="01.bpe_decode",
    title="Decode",
    why="A model writes tokens. The bytes of one character may be in two of them, so decoding token by token would lose it.",
    difficulty=2,
    minutes=8,
    criteria=(
        Criterion("text", 1, "ids of bytes and of merges become text again", tries=("ids list", "merges")),
        Criterion("any ids", 1, "zero bytes, white space, marks, accents, and no ids at all", tries=("returns",)),
        Criterion("broken bytes", 1, "bytes are joined before they are decoded, and broken ones replaced",
                  tries=("bytes that are no UTF-8",)),
    ),
    hints=(
        "An id below 256 is a byte. A merged id stands for the bytes of its two halves, one after the other.",
        "Merges come in the order of learning: both halves are known when you meet a merge.",
        "`b''.join(...)` first, then a single `.decode(..., errors=\"replace\")`.",
    ),
    cases=_cases,
)
