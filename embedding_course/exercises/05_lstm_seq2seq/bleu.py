"""BLEU: cases."""

from collections.abc import Callable, Iterator

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs

Sentence = list
Pairs = Callable[..., tuple[list[Sentence], list[Sentence]]]


def _slipped(draw: RandomInputs, reference: Sentence, words: Sentence, slips: int) -> Sentence:
    """Return the sentence with `slips` words replaced, never two neighbours, so that n-grams of up to four words are left."""
    blocks = sorted(draw.distinct(slips, len(reference) // 5).tolist())
    candidate = list(reference)
    others = draw.shuffled([word for word in words if word not in reference])
    for block, word in zip(blocks, others, strict=False):
        candidate[5 * block + draw.integer(0, 1)] = word
    return candidate


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        candidates: list[Sentence],
        references: list[Sentence],
        criterion: str,
        because: str = "",
        max_n: int | None = None,
    ) -> Case:
        args = {"candidates": candidates, "references": references}
        return Case(name, args if max_n is None else {**args, "max_n": max_n}, criterion, because=because)

    words = draw.words(23)

    def sentence(length: int) -> Sentence:
        return [words[index] for index in draw.distinct(length, len(words)).tolist()]

    def pair(length: int, slips: int) -> tuple[Sentence, Sentence]:
        reference = sentence(length + draw.integer(0, 3))
        return _slipped(draw, reference, words, slips), reference

    def pairs(*shapes: tuple[int, int]) -> tuple[list[Sentence], list[Sentence]]:
        both = [pair(*shape) for shape in shapes]
        return [candidate for candidate, _ in both], [wanted for _, wanted in both]

    together = "The counts of all sentences are summed before they are divided."
    yield case("one sentence with a slip", *pairs((11, 1)), "n-grams")
    yield case("pairs of words at most", *pairs((7, 1)), "n-grams", "Only n-grams up to max_n count.", 2).trying(
        "max_n the longest")
    yield case("three sentences", *pairs((13, 2), (11, 1), (16, 3)), "n-grams", together).trying(
        "candidates list", "a sentence", "Both numbers")
    yield case("a long and a short sentence", *pairs((19, 1), (6, 1)), "n-grams", together).trying("Both numbers")
    exchanged = sentence(draw.integer(9, 13))
    yield case("two words exchanged", [[*exchanged[:2], exchanged[3], exchanged[2], *exchanged[4:]]], [exchanged], "n-grams",
               "An n-gram is n words in a row.", 2)
    wanted = [sentence(length) for length in [draw.integer(12, 16)] * 3]  # of one length: no penalty, whoever is compared
    candidates, again = [_slipped(draw, target, words, 2) for target in wanted], sentence(9)
    yield case("two sentences exchanged", [candidates[1], candidates[0], candidates[2], again], [*wanted, again],
               "n-grams", "A candidate is compared with its own reference only.")
    yield from _clipped(draw, sentence, case)
    yield from _brevity(draw, pairs, sentence, case)
    yield from _zero(draw, pairs, sentence, case)
    yield from _any_input(draw, pairs, words, case)


def _clipped(draw: RandomInputs, sentence: Callable[[int], Sentence], case: Callable[..., Case]) -> Iterator[Case]:
    at_most = "An n-gram counts at most as often as its own reference has it."
    wanted = sentence(draw.integer(7, 9))
    yield case("one word many times", [[*wanted[:6], wanted[0], wanted[0], wanted[0]]], [wanted], "clipping", at_most)
    first, second, *rest = wanted
    yield case("a bigram three times, twice in the reference",
               [[first, second, rest[0], first, second, rest[1], first, second, rest[2]]],
               [[first, second, rest[0], rest[1], first, second, *rest[2:5]]], "clipping", at_most, 3)
    both, size = sentence(18), draw.integer(6, 9)
    same, other = both[:size], both[size:]
    yield case("a word that only the reference repeats", [same], [[*same[:-1], same[0]]], "clipping",
               "An n-gram counts at most as often as the candidate has it.", 2)
    yield case("a repeated word that another reference has", [[*same, same[0], same[0]], other], [same, [*other, same[0]]],
               "clipping", at_most, 3)
    yield case("a repeated word that the reference repeats", [[*same[:4], same[0], same[0]]], [[same[0], *same[:4], same[0]]],
               "clipping", "Each occurrence counts, not each different word.", 2)


def _brevity(
    draw: RandomInputs, pairs: Pairs, sentence: Callable[[int], Sentence], case: Callable[..., Case]
) -> Iterator[Case]:
    shorter = "The candidates have fewer words than the references: there is a brevity penalty."
    wanted = sentence(draw.integer(9, 17))
    yield case("the end is left out", [wanted[:-2]], [wanted], "brevity", shorter)
    yield case("half is left out", [wanted[:5]], [wanted], "brevity", shorter, 3)
    candidates, wanted = pairs((11, 1), (13, 1))
    yield case("one sentence too short, another too long", [candidates[0][:-3], [*candidates[1], "ö"]], wanted, "brevity",
               "The lengths are summed over all sentences before they are compared.")
    yield case("words are added", [[*candidates[0], "ö", "ü"], candidates[1]], wanted, "brevity",
               "Extra words are not rewarded: they lower the precision.").trying("For each n")
    yield case("too long and too short by the same number", [[*candidates[0], "ö"], candidates[1][:-1]], wanted, "brevity",
               "As many words as the references have: no penalty.")


def _zero(
    draw: RandomInputs, pairs: Pairs, sentence: Callable[[int], Sentence], case: Callable[..., Case]
) -> Iterator[Case]:
    none = "There is no smoothing: where a precision is 0, BLEU is 0."
    wanted = sentence(7)
    yield case("no 4-gram is right", [[*wanted[:3], wanted[6], *wanted[3:6]]], [wanted], "zeros", none).trying(
        "There is no smoothing")
    yield case("no word is right", [sentence(6)[:3]], [["ü", "ö", "ä"]], "zeros", none).trying("There is no smoothing")
    yield case("no 4-gram at all", [wanted[:3]], [wanted[:3]], "zeros",
               "A sentence of three words has no 4-gram.").trying("There is no smoothing")
    candidates, wanted = pairs((12, 1), (11, 1))
    yield case("an empty sentence among others", [candidates[0], [], candidates[1]], [wanted[0], sentence(3), wanted[1]],
               "zeros", "A sentence without words has no n-gram, and its reference counts for the brevity penalty.").trying(
        "candidates list", "a sentence")
    short = [candidates[0], sentence(2), candidates[1], []], [wanted[0], sentence(2), wanted[1], sentence(1)]
    yield case("short sentences among others", *short, "zeros",
               "A sentence of two words has no trigram, and 0 4-grams, not -1.").trying("Both numbers")
    yield case("only empty candidates", [[], []], [sentence(4), sentence(3)], "zeros", "No n-gram at all: 0.").trying(
        "candidates list", "a sentence", "There is no smoothing")
    yield case("no sentences", [], [], "zeros", "No n-gram at all: 0.").trying(
        "candidates list", "a sentence", "references list", "returns", "There is no smoothing")


def _any_input(draw: RandomInputs, pairs: Pairs, words: Sentence, case: Callable[..., Case]) -> Iterator[Case]:
    candidates, wanted = pairs((11, 1), (13, 2), (7, 1))
    number = {word: index for index, word in enumerate(words)}
    ids = [[[number[word] for word in sentence] for sentence in side] for side in (candidates, wanted)]
    yield case("ids for tokens", *ids, "any input", "Tokens may be ints.").trying("candidates list", "a sentence")
    yield case("single words only", candidates, wanted, "any input", "Only n-grams up to max_n count.", 1).trying(
        "max_n the longest")
    yield case("n-grams up to five", *pairs((17, 1), (13, 1)), "any input", "Only n-grams up to max_n count.", 5).trying(
        "max_n the longest", "For each n")
    yield case("all is right", wanted, [list(sentence) for sentence in wanted], "any input").trying("returns")
    yield case("one sentence of one word", [wanted[0][:1]], [wanted[0][:1]], "any input", max_n=1).trying("max_n the longest")
    a, b, c, d = draw.words(4, "bcdfg")
    glued = [a + b, c, d, a, b]
    apart = [a, b + c, d, a, b]
    yield case("words that look alike when joined", [glued], [apart], "any input",
               "An n-gram is n tokens in a row, not n letters.", 2).trying("candidates list", "a sentence")
    known = [["the", "cat", "sat"]], [["the", "cat", "sat", "down"]]
    yield case("docstring example", *known, "any input", max_n=2).trying("returns")


bleu = Exercise(
    id="05.bleu",
    title="BLEU",
    why="Papers compare translations by this number. Writing it shows what it counts and what it misses.",
    difficulty=2,
    minutes=22,
    core=False,
    criteria=(
        Criterion("n-grams", 1, "the geometric mean of the precisions, counts summed over all sentences",
                  tries=("references list", "returns", "For each n", "BLEU is the geometric", "else 1")),
        Criterion("clipping", 0.5, "an n-gram counts at most as often as its own reference has it",
                  tries=("An n-gram counts",)),
        Criterion("brevity", 0.5, "the brevity penalty, for all sentences together", tries=("BLEU is the geometric", "else 1")),
        Criterion("zeros", 0.5, "empty and short sentences, and precisions of 0"),
        Criterion("any input", 0.5, "ids or strings, any max_n, sentences that are all right"),
    ),
    hints=(
        "Begin with one n and one sentence: write down its n-grams as tuples, and count them with `Counter`.",
        "`Counter & Counter` keeps of each entry the smaller count: that is the clipping. `.total()` or "
        "`sum(counter.values())` says how many there are.",
        "For each n two sums over all sentences: matching n-grams, and n-grams in the candidate. One division for each n, "
        "after the sums. When the first sum is 0, the result is 0.0.",
        "n-grams: Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)). At the end: "
        "math.exp(sum of the logarithms / max_n), times math.exp(1 - r / c) if c < r.",
    ),
    cases=_cases,
)
