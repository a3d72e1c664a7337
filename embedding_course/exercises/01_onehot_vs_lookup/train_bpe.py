"""Training byte-pair encoding: cases and comparison."""

from collections import Counter
from collections.abc import Iterator, Mapping

from ...checking.call_fault import modified_fault, raised_fault
from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, Observation, RandomInputs
from ...checking.mismatch import RESULT
from ...messages import Message
from . import corpora
from .texts import rename, words_of


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, text: str, merges: int, criterion: str, because: str = "", **options: str) -> Case:
        return Case(name, {"text": text, "vocab_size": 256 + merges}, criterion, options, because=because)

    def text(counts: Mapping[str, int], own: bool = False) -> str:
        return "".join(f" {word}" for word in words_of(draw, counts, {} if own else rename(draw)))

    often = "Each step merges the pair that stands side by side most often, counted over the whole text."
    letters = draw.shuffled("abcdefghijklmnopqrstuvwxyz")[:5]
    pair = letters[0] + letters[1]
    yield case("one merge", f"{pair} {pair} {letters[2]}{pair} {letters[3]}{letters[4]}", 1, "merges", often).trying(
        "vocab_size 256")
    yield case("eight merges", text(draw.choice(corpora.WORDS)), 8, "merges", often).trying(
        "text training text", "vocab_size 256", "returns", "in every occurrence")
    yield case("another text", text(draw.choice(corpora.WORDS)), 5, "merges", often).trying(
        "vocab_size 256", "in every occurrence")
    alike = " ".join(f"{letter}{letters[1]}" for letter in (letters[0], *letters[2:], letters[0]))
    yield case("words that end alike", alike, 1, "merges",
               "No pair crosses a cut: a letter and the space after it are not a pair.").trying("and no pair")
    once = draw.shuffled([a + b for a in "bcdfghjklmnp" for b in "aeiouyqrstvw"])
    yield case("144 pairs, the last one twice", " ".join([*once, once[-1]]), 1, "merges", often, pattern="[a-z]+")
    yield case("docstring example", "ab cab", 1, "merges", often).trying("returns")
    yield case("no merges asked for", text(corpora.WORDS[0]), 0, "size",
               "256 ids are the bytes: nothing is left to merge.").trying("vocab_size of 256")
    yield case("less than 256 ids", text(corpora.WORDS[0]), -draw.integer(1, 200), "size", "There is nothing to merge.").trying(
        "vocab_size of 256")
    yield case("more ids than pairs", f"{pair}{letters[2]}", 20, "size", "When no pair is left, training ends early.").trying(
        "returns", "Training ends")
    yield case("a text without pairs", letters[0], 3, "size", "When no pair is left, training ends early.").trying(
        "Training ends")
    yield case("an empty text", "", 3, "size", "When no pair is left, training ends early.").trying(
        "text training text", "Training ends")
    runs = "A pair counts at every position: aaa holds (a, a) twice."
    for name, counts in zip(("runs of a letter", "more runs", "runs of several letters"), corpora.RUNS, strict=True):
        yield case(name, text(counts), 8, "counting", runs)
    pieces = "The pattern says where the text is cut; no pair crosses a cut."
    yield case("another pattern", text(draw.choice(corpora.PIECES_WORDS)), 6, "counting", pieces,
               pattern=corpora.PIECES).trying("pattern", "the chunks", "and no pair")
    yield case("many single letters", " ".join(draw.shuffled([letters[0]] * 4 + [letters[1]] * 9)), 2, "counting",
               pieces).trying("and no pair")
    scripts = "The ids are bytes of UTF-8, not characters; the text is taken as it stands."
    yield case("Chinese, English and emoji", text(draw.choice(corpora.SCRIPTS), own=True), 11, "any text", scripts).trying(
        "text training text", "vocab_size 256")
    other = letters[2] + letters[3]
    yield case("blank lines", f"{pair}\n\n\n{pair}\n\n\n{other}\n\n\n{letters[4]}", 2, "any text",
               "A chunk of white space is a chunk like any other.").trying("and no pair")
    yield case("lines that end in two bytes", f"{pair}\r\n {letters[2]}\r\n {letters[3]}\r\n {letters[4]}", 1, "any text",
               scripts)
    yield case("accents, numbers and brackets", "".join(piece * count for piece, count in corpora.CUTS.items()), 5, "any text",
               pieces).trying("and no pair")
    yield case("a pattern that leaves text out", f"{pair}1212121212 {pair}", 1, "any text",
               "The chunks are what the pattern matches, and nothing else.", pattern="[a-z]+").trying("pattern", "the chunks")
    yield case("white space at either end", "\n" * 6 + pair + " " * 6, 2, "any text", scripts).trying("text training text")
    lines = _lines_without_shared_bytes(draw)
    yield case("pairs that occur once", "\n".join(lines), 40, "any text", "A pair that occurs once is a pair too.").trying(
        "Of several", "Training ends")
    ties = "Of several pairs with the highest count any is right."
    lines = [line for line, count in zip(lines, (3, 2, 3, 1, 2, 3, 2), strict=True) for _ in range(count)]
    yield case("ties at every step", "\n".join(draw.shuffled(lines)), draw.integer(265, 268) - 256, "any text", ties).trying(
        "Of several")


def _lines_without_shared_bytes(draw: RandomInputs) -> list[str]:
    """Return seven lines, each a chunk of its own, in which every byte occurs once.

    The last one is a character (U+212B) that becomes another letter with other bytes when a text is normalised.
    """
    letters = "".join(draw.shuffled("abcdefghijklmnopqrstuvwxyz"))
    return draw.shuffled([letters[:2], letters[2:5], letters[5:9], "é" + letters[9:11], draw.choice("爱爸爷"), "🙂", "\u212b"])


def _judge_merges(expected: Observation, got: Observation, case: Case) -> Mismatch | None:
    """Compare the merges with the right table, or, if lines share no byte, accept any order of merges within a tie.

    To train again, and see whether each merged pair was a most frequent one, would work for every text, but it would put the
    answer to this exercise into the package that learners have. All cases are therefore of these two kinds.
    """
    if got.raised is not None:
        return raised_fault(got)
    fault = Comparison().leaf({}, got.value, RESULT) if not isinstance(got.value, dict) else None
    if fault:
        return fault
    odd = [key for key in got.value if not (isinstance(key, tuple) and len(key) == 2 and {*map(type, key)} == {int})]
    if odd:
        message = Message("The keys of the result are not all pairs of two ids: {key} is not.", key=repr(odd[0]))
        return Mismatch("type", message, Message("The keys of the result are not all pairs of two ids."))
    claimed = sorted(got.value.items(), key=lambda merge: merge[1] if type(merge[1]) is int else -1)
    new_ids = [new_id for _, new_id in claimed]
    if new_ids != list(range(256, 256 + len(claimed))):
        message = Message("The new ids are not 256, 257, … without gaps: they begin with {ids}.", ids=new_ids[:5])
        return Mismatch("values", message, Message("The new ids are not 256, 257, … without gaps."))
    wanted = max(0, case.args["vocab_size"] - 256)
    if len(claimed) > wanted:
        message = Message("The result has {received} merges, more than the {expected} that were asked for.")
        hidden = Message("The result has more merges than were asked for.")
        return Mismatch("shape", message.fill(received=len(claimed), expected=wanted), hidden)
    lines = Counter(case.args["text"].split("\n"))
    data = "".join(lines).encode("utf-8")
    alone = len(set(data)) == len(data) and "" not in lines and " " not in case.args["text"]
    wrong = _first_against_lines(claimed, lines) if alone else _first_against(claimed, expected.value)
    if wrong is not None:
        left, right = claimed[wrong][0]
        message = Message("Merge {number} joins {pair}, which is not a most frequent pair at that point.")
        hidden = Message("One of the merges joins a pair that is not a most frequent one.")
        return Mismatch("values", message.fill(number=wrong + 1, pair=(left, right)), hidden)
    if len(claimed) < len(expected.value):
        message = Message("Training ended after {merges} merges although pairs are left.", merges=len(claimed))
        return Mismatch("shape", message, Message("Training ended although pairs are left."))
    return modified_fault(got) if got.modified else None


_Claimed = list[tuple[tuple[int, int], int]]


def _first_against(claimed: _Claimed, right: Mapping[tuple[int, int], int]) -> int | None:
    """Return the position of the first merge that is not the right one, in a text without ties."""
    return next((index for index, (pair, new_id) in enumerate(claimed) if right.get(pair) != new_id), None)


def _first_against_lines(claimed: _Claimed, lines: Mapping[str, int]) -> int | None:
    """Return the position of the first merge of a pair that was not a most frequent one, in a text whose lines share no byte.

    Every byte has one position, so each id is a stretch of positions, and a pair occurs as often as its line. In whatever order
    the pairs are merged, a line of n bytes has n - 1 merges, each with the line's count. The counts can therefore only fall.
    """
    falling = sorted((count for line, count in lines.items() for _ in line.encode("utf-8")[1:]), reverse=True)
    stretches: dict[int, tuple[int, int, int]] = {}
    position = 0
    for line, count in lines.items():
        position += 1  # a gap: what lies in two lines is not side by side
        for byte in line.encode("utf-8"):
            position += 1
            stretches[byte] = (position, position, count)
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
    minutes=40,
    criteria=(
        Criterion("merges", 3, "each step merges a most frequent pair and gives it the next id", tries=("Each step merges",)),
        Criterion("size", 1, "as many merges as asked for; fewer when no pair is left"),
        Criterion("counting", 2, "pairs are counted in every occurrence, at every position, and never across a cut",
                  tries=("A pair is counted",)),
        Criterion("any text", 2, "bytes of any script, white space, pairs that stand once, ties"),
    ),
    hints=(
        "Cut the text with `regex.findall(pattern, text)`, turn each chunk into a list of bytes, and never join them again.",
        "One step: count the pairs of neighbours in all chunks (`zip(ids, ids[1:])`), take the most frequent, merge it in "
        "every chunk with your `merge_pair`.",
        "The same chunk occurs often: count chunks first, and let each pair count as often as its chunk occurs.",
        "`max` of an empty Counter raises ValueError. Stop before that, when no pair is left.",
    ),
    cases=_cases,
    compare=_judge_merges,
    uses=("merge_pair",),
)
