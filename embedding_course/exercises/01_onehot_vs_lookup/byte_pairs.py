"""Merging and training: cases and comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...compare import Fault, Same, modified_fault, raised_fault
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...observe import Observation
from ...plain import Parts
from . import corpora

__all__ = ["merge_pair", "rename", "train_bpe", "words_of"]


def _run_merge(candidate: Callable[..., Any], ids: list[int], pair: tuple[int, int], new_id: int) -> Parts:
    """Merge, and say whether what comes back unchanged is the caller's own list. (A changed one is noticed anyway.)"""
    before = list(ids)
    result = candidate(ids, pair, new_id)
    return Parts({"result": result, "a new list": result is not ids or ids != before})


def _new_list(_: Any, new: Any, __: Case) -> Fault | None:
    said = "the list that came in is returned itself; a new list was asked for, which the caller may change"
    return None if new is True else Fault("property", said)


def _merge_cases(draw: Draw) -> Iterator[Case]:
    one, two, three, four = (int(value) for value in draw.distinct(4, 200) + 5)
    new = draw.integer(256, 400)

    def case(name: str, ids: list[int], pair: tuple[int, int], criterion: str, because: str = "") -> Case:
        return Case(name, {"ids": ids, "pair": pair, "new_id": new}, criterion, because=because)

    yield case("one hit in the middle", [three, one, two, four], (one, two), "every hit")
    yield case("two hits", [one, two, three, one, two, four], (one, two), "every hit", "Every occurrence is replaced.")
    yield case("neighbours in the other order", [two, one, three, one, two, four], (one, two), "every hit",
               "(a, b) is another pair than (b, a).")  # fmt: skip
    yield case("hits side by side", [one, two, one, two, one], (one, two), "every hit")
    yield case("the last id is no hit", [one, two, three], (one, two), "edges", "The last id must not get lost.")
    yield case("a hit at the end", [three, four, one, two], (one, two), "edges")
    yield case("the first half at the end", [one, two, three, one], (one, two), "edges")
    yield case("no hit", [three, one, four, two], (one, two), "edges")
    yield case("the id 0", [0, one, two, 0, one, 0], (0, one), "edges", "0 is an id like any other.")
    yield case("no ids", [], (one, two), "edges")
    yield case("a single id", [one], (one, two), "edges")
    yield case("nothing but the pair", [one, two], (one, two), "edges")
    big = draw.integer(70_000, 90_000)
    yield case("ids above 255", [one, big, two, 256, big, two], (big, two), "edges",
               "After the first merge of all, ids are no bytes any more.")  # fmt: skip
    first, second = (int(value) for value in draw.distinct(2, 8) + 1)
    alike = [first + 10, second, first, second, first, 10 * second + 9]
    yield case("ids that look alike in print", alike, (first, second), "edges")
    runs = "An id belongs to one pair only: a run is replaced from the left, two by two."
    yield case("three alike", [one, one, one, two], (one, one), "runs", runs)
    yield case("four alike", [three, one, one, one, one], (one, one), "runs", runs)
    yield case("five alike and more", [one] * 5 + [two] + [one] * 2, (one, one), "runs", runs)


merge_pair = Exercise(
    id="01.merge_pair",
    title="Merge one pair",
    why="It is the one operation that byte-pair encoding consists of, in training and in use.",
    difficulty=2,
    minutes=8,
    criteria=(
        Criterion("every hit", 1, "all occurrences of the pair, in this order, become the new id"),
        Criterion("edges", 1, "beginning, end, no hit, no ids, id 0, ids above 255; the list that came in stays"),
        Criterion("runs", 1, "runs of one id are replaced from left to right, two by two"),
    ),
    hints=(
        "Walk along the list with an index; at each place ask whether this id and the next are the pair.",
        "After a hit go two places on, otherwise one. A `for` loop over the ids cannot skip; `while` can.",
        "What is at the last place, where no next id is? A slice `ids[i : i + 2]` may be shorter than two.",
    ),
    cases=_merge_cases,
    run=_run_merge,
    compare=Same(rules={"a new list": _new_list}),
)


def rename(draw: Draw) -> dict[str, str]:
    """Other letters for a to f."""
    return dict(zip("abcdef", draw.shuffled("abcdefghijklmnopqrstuvwxyz")[:6], strict=True))


def words_of(draw: Draw, counts: Mapping[str, int], letters: Mapping[str, str]) -> list[str]:
    """The words of a text as often as they are counted, renamed and shuffled."""
    words = [word for word, count in counts.items() for _ in range(count)]
    return ["".join(letters.get(letter, letter) for letter in word) for word in draw.shuffled(words)]


def _train_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, text: str, merges: int, criterion: str, because: str = "", **options: str) -> Case:
        return Case(name, {"text": text, "vocab_size": 256 + merges}, criterion, options, because=because)

    def text(counts: Mapping[str, int], own: bool = False) -> str:
        return "".join(f" {word}" for word in words_of(draw, counts, {} if own else rename(draw)))

    often = "Each step merges the pair that stands side by side most often, counted over the whole text."
    letters = draw.shuffled("abcdefghijklmnopqrstuvwxyz")[:5]
    one = letters[0] + letters[1]
    yield case("one merge", f"{one} {one} {letters[2]}{one} {letters[3]}{letters[4]}", 1, "merges", often)
    yield case("eight merges", text(draw.choice(corpora.WORDS)), 8, "merges", often)
    yield case("another text", text(draw.choice(corpora.WORDS)), 5, "merges", often)
    alike = " ".join(f"{letter}{letters[1]}" for letter in (letters[0], *letters[2:], letters[0]))
    yield case("words that end alike", alike, 1, "merges", "No pair crosses a cut: a letter and the space behind it are none.")
    yield case("no merges asked for", text(corpora.WORDS[0]), 0, "size", "256 ids are the bytes: nothing is left to merge.")
    yield case("less than 256 ids", text(corpora.WORDS[0]), -draw.integer(1, 200), "size", "There is nothing to merge.")
    yield case("more ids than pairs", f"{one}{letters[2]}", 20, "size", "When no pair is left, training ends early.")
    yield case("a text without pairs", letters[0], 3, "size", "When no pair is left, training ends early.")
    yield case("an empty text", "", 3, "size", "When no pair is left, training ends early.")
    runs = "A pair counts at every place where it stands: aaa holds (a, a) twice."
    for name, counts in zip(("runs of a letter", "more runs", "runs of several letters"), corpora.RUNS, strict=True):
        yield case(name, text(counts), 8, "counting", runs)
    pieces = "The pattern says where the text is cut; no pair crosses a cut."
    yield case("another pattern", text(draw.choice(corpora.PIECES_WORDS)), 6, "counting", pieces, pattern=corpora.PIECES)
    yield case("many single letters", " ".join(draw.shuffled([letters[0]] * 4 + [letters[1]] * 9)), 2, "counting", pieces)
    scripts = "The ids are bytes of UTF-8, not characters; the text is taken as it stands."
    yield case("Chinese, English and emoji", text(draw.choice(corpora.SCRIPTS), own=True), 11, "any text", scripts)
    other = letters[2] + letters[3]
    yield case("blank lines", f"{one}\n\n\n{one}\n\n\n{other}\n\n\n{letters[4]}", 2, "any text",
               "A chunk of white space is a chunk like any other.")  # fmt: skip
    yield case("lines that end in two bytes", f"{one}\r\n {letters[2]}\r\n {letters[3]}\r\n {letters[4]}", 1, "any text",
               scripts)  # fmt: skip
    yield case("accents, numbers and brackets", "".join(piece * count for piece, count in corpora.CUTS.items()), 5, "any text",
               pieces)  # fmt: skip
    yield case("a pattern that leaves text out", f"{one}1212121212 {one}", 1, "any text",
               "The chunks are what the pattern matches, and nothing else.", pattern="[a-z]+")  # fmt: skip
    yield case("white space at either end", "\n" * 6 + one + " " * 6, 2, "any text", scripts)
    lines = _lines_without_shared_bytes(draw)
    yield case("pairs that stand once", "\n".join(lines), 40, "any text", "A pair that stands once is a pair too.")
    ties = "Of several pairs with the highest count any is right."
    lines = [line for line, count in zip(lines, (3, 2, 3, 1, 2, 3, 2), strict=True) for _ in range(count)]
    yield case("ties at every step", "\n".join(draw.shuffled(lines)), draw.integer(265, 268) - 256, "any text", ties)


def _lines_without_shared_bytes(draw: Draw) -> list[str]:
    """Seven lines, each a chunk of its own, in which every byte stands once.

    The last one is a sign (U+212B) that becomes another letter, of other bytes, when a text is normalised.
    """
    letters = "".join(draw.shuffled("abcdefghijklmnopqrstuvwxyz"))
    return draw.shuffled([letters[:2], letters[2:5], letters[5:9], "é" + letters[9:11], draw.choice("爱爸爷"), "🙂", "\u212b"])


def _judge_merges(expected: Observation, got: Observation, case: Case) -> Fault | None:
    """Where no step has a tie, there is one right table; where lines share no byte, any order within a tie is right.

    Training again, to see whether each claimed pair was a most frequent one, would do for every text; but it would put
    the answer to this exercise into the package that learners have. So the cases are of these two kinds only.
    """
    if got.raised is not None:
        return raised_fault(got)
    fault = Same().leaf({}, got.value, "the result") if not isinstance(got.value, dict) else None
    if fault:
        return fault
    odd = [key for key in got.value if not (isinstance(key, tuple) and len(key) == 2 and {*map(type, key)} == {int})]
    if odd:
        return Fault("type", "the keys of the result are not all pairs of two ids", f": {odd[0]!r}")
    claimed = sorted(got.value.items(), key=lambda entry: entry[1] if type(entry[1]) is int else -1)
    new_ids = [new_id for _, new_id in claimed]
    if new_ids != list(range(256, 256 + len(claimed))):
        return Fault("values", "the new ids are not 256, 257, … without gaps", f": {new_ids[:5]}")
    wanted = max(0, case.args["vocab_size"] - 256)
    if len(claimed) > wanted:
        return Fault("shape", f"the result has {len(claimed)} merges; {wanted} were asked for")
    lines = Counter(case.args["text"].split("\n"))
    data = "".join(lines).encode("utf-8")
    alone = len(set(data)) == len(data) and "" not in lines and " " not in case.args["text"]
    wrong = _first_against_lines(claimed, lines) if alone else _first_against(claimed, expected.value)
    if wrong is not None:
        left, right = claimed[wrong][0]
        said = f"merge {wrong + 1} is not of a most frequent pair"
        return Fault("values", said, f": at that point ({left}, {right}) does not stand most often")
    if len(claimed) < len(expected.value):
        return Fault("shape", f"training ended after {len(claimed)} merges although pairs are left")
    return modified_fault(got) if got.modified else None


_Claimed = list[tuple[tuple[int, int], int]]


def _first_against(claimed: _Claimed, right: Mapping[tuple[int, int], int]) -> int | None:
    """The first merge that is not the right one, in a text without ties."""
    return next((place for place, (pair, new_id) in enumerate(claimed) if right.get(pair) != new_id), None)


def _first_against_lines(claimed: _Claimed, lines: Mapping[str, int]) -> int | None:
    """The first merge of a pair that was not a most frequent one, in a text whose lines share no byte.

    Every byte has one place, so each id is a stretch of places, and a pair stands as often as its line: whatever is
    merged first, a line of n bytes has n - 1 merges, each with the line's count. The counts can only fall, then.
    """
    falling = sorted((count for line, count in lines.items() for _ in line.encode("utf-8")[1:]), reverse=True)
    stretches: dict[int, tuple[int, int, int]] = {}
    place = 0
    for line, count in lines.items():
        place += 1  # a gap: what lies in two lines is not side by side
        for byte in line.encode("utf-8"):
            place += 1
            stretches[byte] = (place, place, count)
    for step, ((left, right), new_id) in enumerate(claimed):
        first, second = stretches.pop(left, None), stretches.pop(right, None)
        if first is None or second is None or first[1] + 1 != second[0] or first[2] < falling[step]:
            return step
        stretches[new_id] = (first[0], second[1], first[2])
    return None


train_bpe = Exercise(
    id="01.train_bpe",
    title="Train byte-pair encoding",
    why="This loop decides what a token is in nearly every large language model.",
    difficulty=3,
    minutes=20,
    criteria=(
        Criterion("merges", 2, "each step merges a most frequent pair and gives it the next id"),
        Criterion("size", 1, "as many merges as asked for; fewer when no pair is left"),
        Criterion("counting", 1, "pairs are counted in every occurrence, at every place, and never across a cut"),
        Criterion("any text", 1, "bytes of any script, white space, pairs that stand once, ties"),
    ),
    hints=(
        "Cut the text with `regex.findall(pattern, text)`, turn each chunk into a list of bytes, and never join them again.",
        "One step: count the pairs of neighbours in all chunks (`zip(ids, ids[1:])`), take the most frequent, merge it in "
        "every chunk with your `merge_pair`.",
        "The same chunk occurs often: count chunks first, and let each pair count as often as its chunk occurs.",
        "What does `max` say of an empty Counter? That is the moment to stop.",
    ),
    cases=_train_cases,
    compare=_judge_merges,
    uses=("merge_pair",),
)
