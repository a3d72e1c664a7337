"""Encoding with the learned merges: cases and comparison."""

from collections.abc import Iterator

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs
from . import corpora
from .merge_tables import CHINESE, SEAM_TABLE, SEAMS, Merges, across, learned, learned_in_pieces, numbered
from .texts import mixed_text, rename, rename_in_order

# Words in which the order of merging decides: a longest match, or the first pair from the left, gives other ids.
_RIVALS = {(98, 99): 256, (97, 98): 257, (99, 100): 258, (256, 100): 259, (97, 256): 260}


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, text: str, merges: Merges, criterion: str, because: str = "", **options: str) -> Case:
        return Case(name, {"text": text, "merges": merges}, criterion, options, because=because)

    merges, words = learned(draw, runs=False)
    order = "Of all pairs that can be merged, the one learned first is merged first."
    text = words[0][0] + "".join(f" {word}" for word in words[:8])
    yield case("words of the training text", text, merges, "order", order).trying("merges what train_bpe", "returns")
    letters = rename(draw)
    rivals = numbered(list(_RIVALS), letters)
    words_in_doubt = draw.shuffled(["abc", "abcd", "bcd", "aabcd", "cdab", "abab"])
    text = " ".join("".join(letters[character] for character in word) for word in words_in_doubt)
    yield case("pairs that compete", text, rivals, "order", order)
    kinds = ("a pair that a merge makes", "a pair that occurs twice", "a longer token that was learned later")
    for name, (pairs, word) in zip(kinds, corpora.RIVALS, strict=True):
        letters = rename_in_order(draw)
        yield case(name, "".join(letters[character] for character in word), numbered(pairs, letters), "order", order)
    yield case("more words", " ".join(words[8:]) + " " + "".join(words[:3]), merges, "order")
    yield case("docstring example", "ab", {(97, 98): 256}, "order").trying("returns")
    letters = rename(draw)
    runs = "".join(f" {letter * length}" for letter in letters.values() for length in (3, 4, 5))
    yield case("runs of one letter", runs, numbered(corpora.MERGES[draw.integer(3, 5)], letters), "any text",
               "A run of equal letters is merged from the left, two by two.").trying("text any text")
    merges, words = learned(draw, 3)
    # The same text with and without merges, and a word to merge in it: a cache must not outlive its table.
    first = "".join(map(chr, next(iter(merges))))
    text = " ".join([words[0], next(word for word in words if first in f" {word}"), *words[1:5]])
    yield case("few merges", text, merges, "any text").trying("merges what train_bpe")
    yield case("no merges", text, {}, "any text", "Without merges the ids are the bytes.").trying("merges what train_bpe")
    yield case("an empty text", "", merges, "any text").trying("text any text", "returns")
    yield case("white space of any kind", f"  {words[0]}\n\n\t{words[1]}   {words[2]} ", merges, "any text").trying(
        "cut it into chunks")
    spaces = {(32, 32): 256, (10, 10): 257, (257, 257): 258}
    yield case("merges of spaces and line ends", f"{words[0]}     {words[1]}\n\n\n\n\n{words[2]}   ", spaces, "any text",
               "A chunk of white space is a chunk like any other.").trying("text any text")
    yield case("line ends and control characters", f"{words[0]}\r\n{words[1]}\x00\x07{words[2]}\n", merges, "bytes",
               "The text is taken as it stands.").trying("text any text")
    yield case("Chinese", mixed_text(draw), CHINESE, "bytes", "The base ids are the bytes of UTF-8, not characters.").trying(
        "text any text")
    yield case("emoji", mixed_text(draw, ("🙂🙂", "🙂", "🐱", "爱🙂", "🙂 love", "🙃"), 5), CHINESE, "bytes").trying(
        "text any text")
    yield case("characters never seen", "Été ∑ 한국 ½ cafe\u0301", CHINESE, "bytes",
               "A text of bytes never seen is its bytes.").trying("text any text")
    cut = "Pairs are merged inside the chunks that the pattern cuts, never across."
    digit = draw.choice("123456789")
    digits = f"{digit * 4} {digit * 5}x{digit * 7}"
    yield case("long numbers", digits, {(ord(digit), ord(digit)): 256, (256, ord(digit)): 257}, "bytes", cut).trying(
        "cut it into chunks")
    yield case("every kind of seam", SEAMS, SEAM_TABLE, "bytes", cut).trying("cut it into chunks", "the chunks")
    yield case("a pattern that leaves text out", f"{words[0]}{digit}{words[1]} {words[2]}", merges, "bytes",
               "The chunks are what the pattern matches, and nothing else.", pattern="[a-z]+").trying("the chunks")
    merges, words = learned_in_pieces(draw)
    yield case("another pattern", "".join(words[:9]) + across(merges), merges, "bytes", cut, pattern=corpora.PIECES).trying(
        "cut it into chunks", "pattern", "the chunks")


bpe_encode = Exercise(
    id="01.bpe_encode",
    title="Encode with the learned merges",
    why="Two tokenizers with the same merges, applied in different orders, give a model different tokens.",
    difficulty=3,
    minutes=20,
    core=False,
    criteria=(
        Criterion("order", 2, "the merge that was learned first goes first", tries=("then apply",)),
        Criterion("any text", 1, "few merges, none, no text, white space, runs of one letter"),
        Criterion("bytes", 1, "bytes of any script, chunks of any pattern"),
    ),
    hints=(
        "Begin as in training: cut into chunks, chunks into bytes. Every chunk is encoded by itself.",
        "Look up the pairs of neighbours of a chunk in `merges`. The one with the lowest new id was learned first.",
        "Merge that pair everywhere in the chunk and look again; stop when no pair of neighbours stands in `merges`.",
    ),
    cases=_cases,
    uses=("merge_pair",),
)
