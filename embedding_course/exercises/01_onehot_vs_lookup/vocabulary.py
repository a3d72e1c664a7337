"""Vocabulary and encoding: cases and comparison."""

from __future__ import annotations

from collections.abc import Iterator

from ...draw import Draw
from ...exercise import Case, Criterion, Exercise

__all__ = ["build_vocab", "encode_sentence"]

SPECIALS = ("<pad>", "<unk>", "<bos>", "<eos>")


def _text(draw: Draw, counts: dict[str, int], words_a_sentence: int = 4) -> list[str]:
    """Sentences in which each word occurs as often as `counts` says, in no order, capitals and all."""
    words = draw.shuffled([word for word, count in counts.items() for _ in range(count)])
    return [" ".join(words[start : start + words_a_sentence]) for start in range(0, len(words), words_a_sentence)]


def _words_apart(draw: Draw, count: int) -> list[str]:
    """Words none of which stands inside another."""
    found: list[str] = []
    for word in draw.words(5 * count):
        if not any(word in other or other in word for other in found):
            found.append(word)
    return found[:count]


def _vocab_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, sentences: list[str], criterion: str, because: str = "", **options: object) -> Case:
        return Case(name, {"sentences": sentences}, criterion, options, because=because)

    one, two, three, four, five = _words_apart(draw, 5)
    # Only the criterion "ties" holds ties that matter: a wrong tie-break costs its points and no others.
    # The rarest word opens the text; ten is more than nine in numbers and less in strings.
    rare_first = [f"{four} {three}", *_text(draw, {one: 10, two: 4, three: 1})]
    yield case("clear frequencies", rare_first, "frequency")
    yield case("Chinese words", ["我 喜欢 狗 狗", "我 爱 狗 狗", "我 喜欢 狗"], "frequency",
               "Every occurrence counts, also the second one in a sentence.")  # fmt: skip

    yield case("one sentence several times", [f"{one} {one}", three, three, three], "frequency",
               "A sentence that stands three times counts three times.")  # fmt: skip

    tie = "Words of one frequency keep the order in which they first appear."
    yield case("all words once", [f"{three} {five}", f"{one} {four} {two}"], "ties", tie)
    yield case("ties at two frequencies", [f"{five} {two} {four}", f"{two} {one} {five}", three], "ties", tie)
    yield case("ties against the alphabet", ["zebra ant zebra ant", "mole bee"], "ties", tie)
    reached = [f"{one} {two} {two} {one}", f"{one} {two}"]
    yield case("ties and min_freq 2", reached, "ties", tie, min_freq=2)
    many = {word: draw.integer(1, 3) for word in _words_apart(draw, 40)}
    yield case("many words", _text(draw, many, words_a_sentence=8), "ties", tie)

    clear = {one: 5, two: 3, three: 2, four: 1}
    kept = "A word stays when it is counted at least min_freq times."
    yield case("min_freq 2", _text(draw, clear), "options", kept, min_freq=2)
    yield case("min_freq 3", _text(draw, clear), "options", kept, min_freq=3)
    yield case("min_freq above every count", _text(draw, clear), "options", kept, min_freq=99)
    inside = ["dog dogs dogs dogs", "pad dogs pad pad"]
    yield case("min_freq and words inside others", inside, "options", "“dog” is counted once here.", min_freq=2)
    rare = [f"<eos> {one} {two}", f"{one} {two} {one}"]
    yield case("min_freq and a rare special", rare, "options", "Specials stay however rare they are.", min_freq=2)
    yield case("other specials", _text(draw, clear), "options", specials=("[PAD]", "[UNK]"))
    yield case("no specials", _text(draw, clear), "options", specials=())
    yield case("specials in another order", [f"{one} {two} {one}"], "options",
               "`specials` is any sequence of names, and stays as it is.", specials=["<unk>", "<eos>", "<pad>"])  # fmt: skip
    yield case("usual specials that are words here", [f"<pad> {one} <pad> {one} <unk> <pad>"], "options",
               "Special are the names in `specials`, and no others.", specials=("[PAD]", "[UNK]"))  # fmt: skip

    space = "Words are separated by white space of any kind and length, and keep their capitals."
    yield case("capitals", [f"The the {one}", f"the THE {one} {one}", f"The the the {one} {one}"], "text", space)
    wide = [f"  {one}\t{two}  {one}\n", f"{one}   {three}\t\t{two} ", f"{one}\n{four}\n\n{one} {two} {three}"]
    yield case("tabs, line ends and runs of spaces", wide, "text", space)
    yield case("the wide space of Chinese text", [f"{one}\u3000{two}\u3000\u3000{one}"], "text", space)
    yield case("the space that does not break", [f"{one}\u00a0{two} {one}"], "text", space)
    ends = [f"{one} {two}. {one}", f"{one} {two}. {one}", f"{three} {two}."]
    yield case("sentences that end in a full stop", ends, "text", "Words are what stands between white space, nothing less.")
    marked = [f"{one}, 42 {two}! {one},", f"42 {two}! {one}, 42", f"{one} {one},"]
    yield case("punctuation and digits stay", marked, "text", "Words are what stands between white space, nothing less.")
    short, long = "caf\u00e9", "cafe\u0301"  # one letter é, or an e and an accent
    alike = [f"{short} {one}, {short} {long}", f"{short} {long} {one}\uff0c", f"{short} {long} {one},"]
    yield case("words that look alike", alike, "text", "Words stand as they are, letters and commas of either kind.")
    special = "A special that occurs in the text keeps its own id and appears once."
    yield case("a special in the text", [f"<pad> {one} <eos>", f"{one} <eos> <eos> {two} <eos>", "<eos>"], "text", special)
    yield case("a word that ends like a special", [f"{one}<eos> {two} {one}<eos>"], "text", special)
    yield case("empty sentences", ["", f"{one} {two}", "   ", two], "text")
    yield case("no sentences", [], "text")


build_vocab = Exercise(
    id="01.build_vocab",
    title="A vocabulary",
    why="Every model that reads text begins with this table of words and numbers, and inherits its mistakes.",
    difficulty=1,
    minutes=10,
    criteria=(
        Criterion("frequency", 1, "specials first, then words by falling frequency, with ids 0, 1, 2, …"),
        Criterion("ties", 1, "words of one frequency by first appearance"),
        Criterion("options", 0.5, "min_freq and specials are followed"),
        Criterion("text", 0.5, "white space of any kind, capitals, specials in the text, empty text"),
    ),
    hints=(
        "Two steps: count the words, then give out ids. The specials get theirs before any word does.",
        "`str.split()` without arguments splits at white space of any kind; `collections.Counter` counts.",
        "Python's `sorted` is stable: equal keys keep their order. In which order does a Counter hold its words?",
        "The next free id is the number of names that have one, `len(vocab)`: a special met in the text takes none.",
    ),
    cases=_vocab_cases,
)


def _encode_cases(draw: Draw) -> Iterator[Case]:
    words = [*draw.words(5, letters="aeiklmnorstu"), "喜欢"]
    # ids in no order, and <unk> anywhere but at 0 or 1: nothing may be taken from the words' places
    ids = [int(value) for value in draw.distinct(10, 40) + 2]
    names = draw.shuffled([*SPECIALS, *words])
    vocab = dict(zip(names, ids, strict=True))

    def case(name: str, sentence: str, criterion: str, because: str = "") -> Case:
        return Case(name, {"sentence": sentence, "vocab": vocab}, criterion, because=because)

    picked = draw.shuffled(words)
    yield case("known words", " ".join(picked[:4]), "known words")
    yield case("repeated words", f"{picked[0]} {picked[1]} {picked[1]} {picked[0]}", "known words")
    unknown = "A word that is not in the vocabulary becomes the id of <unk>."
    yield case("an unknown word", f"{picked[0]} 未知 {picked[2]}", "unknown words", unknown)
    yield case("only unknown words", "never seen before", "unknown words", unknown)
    yield case("capitals differ", " ".join(f"{word} {word.upper()}" for word in picked[1:4]), "unknown words", unknown)
    other = "Words are compared whole, as they stand between white space."
    yield case("punctuation differs", f"{picked[0]}, {picked[0]} {picked[2]}!", "unknown words", other)
    yield case("parts of known words", f"喜 {picked[1]}zz 喜欢 欢 {picked[2]}", "unknown words", other)
    first = {"b": 1, "a": 2, "<unk>": 0}
    yield Case("<unk> has the id 0", {"sentence": "b x a", "vocab": first}, "unknown words", because=unknown)
    again = {"a": 7, "<unk>": 4, "x": 9}
    yield Case("the same sentence, another vocabulary", {"sentence": "b x a", "vocab": again}, "unknown words", because=unknown)
    yield case("a special in the sentence", f"<bos> {picked[4]} <eos>", "any text", "A special is a word like any other.")
    yield case("tabs and runs of spaces", f"  {picked[0]}\t{picked[1]}   {picked[2]}\n", "any text")
    wide = f"{picked[0]}\u3000{picked[1]}\r\n{picked[2]}\u3000\u3000{picked[3]}\r\n"
    yield case("wide spaces and other line ends", wide, "any text", "White space of any kind separates words.")
    long = " ".join(draw.choice(words) for _ in range(70))
    yield case("a long sentence", long, "any text", "Every word has an id, in a sentence of any length.")
    yield case("one word", picked[5], "any text")
    yield case("an empty sentence", "", "any text", "An empty sentence has no ids.")
    yield case("nothing but white space", "  \t ", "any text", "White space is no word.")
    yield case(
        "the space that does not break", f"{picked[1]}\u00a0{picked[0]}", "any text", "White space of any kind separates words."
    )
    low = {"<unk>": 3, "a": 0, "b": 1, "c": 2}
    yield Case("an id of 0", {"sentence": "b a c a", "vocab": low}, "any text", because="0 is an id like any other.")


encode_sentence = Exercise(
    id="01.encode_sentence",
    title="From a sentence to ids",
    why="Every model that reads words is fed with such a list of ids.",
    difficulty=1,
    minutes=5,
    core=False,
    criteria=(
        Criterion("known words", 1, "each word becomes its id, in order"),
        Criterion("unknown words", 0.5, "words outside the vocabulary become <unk>"),
        Criterion("any text", 0.5, "white space of any kind, specials, many words, one, none, the id 0"),
    ),
    hints=(
        "Split the sentence as `build_vocab` did; look each word up.",
        "What does a dict do when asked for a key that it lacks, and which method lets you say what to take instead?",
        "The id of `<unk>` stands in the vocabulary; it need not be 1.",
    ),
    cases=_encode_cases,
)
