"""From a sentence to ids: cases and comparison."""

from collections.abc import Iterator

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs

SPECIALS = ("<pad>", "<unk>", "<bos>", "<eos>")


def _cases(draw: RandomInputs) -> Iterator[Case]:
    words = [*draw.words(5, letters="aeiklmnorstu"), "喜欢"]
    # ids in no order, and <unk> anywhere but at 0 or 1: nothing may be taken from the words' places
    ids = [int(value) for value in draw.distinct(10, 40) + 2]
    names = draw.shuffled([*SPECIALS, *words])
    vocab = dict(zip(names, ids, strict=True))

    def case(name: str, sentence: str, criterion: str, because: str = "") -> Case:
        return Case(name, {"sentence": sentence, "vocab": vocab}, criterion, because=because)

    picked = draw.shuffled(words)
    unseen, *_ = (word for word in draw.words(8, letters="bcdghz") if word not in vocab)
    yield case("known words", " ".join(picked[:4]), "known words").trying("returns")
    yield case("repeated words", f"{picked[0]} {picked[1]} {picked[1]} {picked[0]}", "known words").trying("returns")
    unknown = "A word that is not in the vocabulary becomes the id of <unk>."
    yield case("an unknown word", f"{picked[0]} {unseen} {picked[2]}", "unknown words", unknown)
    yield case("only unknown words", f"未知 {unseen} 未知", "unknown words", unknown)
    yield case("capitals differ", " ".join(f"{word} {word.upper()}" for word in picked[1:4]), "unknown words", unknown)
    other = "Words are compared whole, punctuation and capitals included."
    yield case("punctuation differs", f"{picked[0]}, {picked[0]} '{picked[1]}' {picked[2]}!", "unknown words", other)
    yield case("parts of known words", f"喜 {picked[1]}zz 喜欢 欢 {picked[2]}", "unknown words", other)
    example = {"<unk>": 1, "a": 2}
    yield Case("docstring example", {"sentence": "a x", "vocab": example}, "unknown words", because=unknown)
    accents = {"caf\u00e9": 3, "<unk>": 5, "ab": 4}
    yield Case("words that look alike", {"sentence": "cafe\u0301 caf\u00e9 ａｂ", "vocab": accents}, "unknown words",
               because=other)
    first = {"b": 1, "a": 2, "<unk>": 0}
    yield Case("<unk> has the id 0", {"sentence": "b x a", "vocab": first}, "unknown words", because=unknown).trying(
        "vocab dict")
    again = {"a": 7, "<unk>": 4, "x": 9}
    yield Case("the same sentence, another vocabulary", {"sentence": "b x a", "vocab": again}, "unknown words",
               because=unknown).trying("vocab dict")
    yield case("specials in the sentence", f"<bos> {picked[4]} <eos> {picked[0]} <pad> {picked[1]}", "any text",
               "A special is a word like any other.").trying("vocab dict")
    yield case("tabs and runs of spaces", f"  {picked[0]}\t{picked[1]}   {picked[2]}\n", "any text").trying("sentence words")
    wide = f"{picked[0]}\u3000{picked[1]}\r\n{picked[2]}\u3000\u3000{picked[3]}\r\n"
    yield case("wide spaces and other line ends", wide, "any text", "White space of any kind separates words.").trying(
        "sentence words")
    long = " ".join(draw.choice(words) for _ in range(520))
    yield case("a long sentence", long, "any text", "Every word has an id, in a sentence of any length.").trying("returns")
    yield case("one word", picked[5], "any text").trying("returns")
    yield case("an empty sentence", "", "any text", "An empty sentence has no ids.").trying("returns")
    yield case("only white space", "  \t ", "any text", "White space is no word.").trying("sentence words")
    rare = f"{picked[1]}\u00a0{picked[0]}\x0b{picked[2]}\u2003{picked[1]}\u2028{picked[3]}"
    yield case("rare kinds of white space", rare, "any text", "White space of any kind separates words.").trying(
        "sentence words")
    low = {"<unk>": 3, "a": 0, "b": 1, "c": 2}
    yield Case("an id of 0", {"sentence": "b a c a", "vocab": low}, "any text", because="0 is an id like any other.").trying(
        "vocab dict")


encode_sentence = Exercise(
    id="01.encode_sentence",
    title="From a sentence to ids",
    why="Every model that reads words takes such a list of ids as its input.",
    difficulty=1,
    minutes=6,
    core=False,
    criteria=(
        Criterion("known words", 1, "each word becomes its id, in order"),
        Criterion("unknown words", 0.5, "words outside the vocabulary become <unk>", tries=("a word outside",)),
        Criterion("any text", 0.5, "white space of any kind, specials, many words, one, none, the id 0"),
    ),
    hints=(
        "Split the sentence as `build_vocab` did; look each word up.",
        "A dict raises KeyError for a missing key. Which of its methods returns a default instead?",
        "Read the id of `<unk>` from the vocabulary. It need not be 1.",
    ),
    cases=_cases,
)
