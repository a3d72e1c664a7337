"""A vocabulary: cases and comparison."""

from collections.abc import Iterator

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs


def _text(draw: RandomInputs, counts: dict[str, int], words_a_sentence: int = 4) -> list[str]:
    """Return sentences in which each word occurs as often as `counts` says, in random order."""
    words = draw.shuffled([word for word, count in counts.items() for _ in range(count)])
    return [" ".join(words[start : start + words_a_sentence]) for start in range(0, len(words), words_a_sentence)]


def _words_apart(draw: RandomInputs, count: int) -> list[str]:
    """Return words of which none is part of another."""
    words: list[str] = []
    for word in draw.words(5 * count):
        if not any(word in other or other in word for other in words):
            words.append(word)
    return words[:count]


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, sentences: list[str], criterion: str, because: str = "", **options: object) -> Case:
        return Case(name, {"sentences": sentences}, criterion, options, because=because)

    one, two, three, four, five = _words_apart(draw, 5)
    # Only the criterion "ties" holds ties that matter: a wrong tie-break costs its points and no others.
    # The rarest word opens the text; ten is more than nine in numbers and less in strings.
    rare_first = [f"{four} {three}", *_text(draw, {one: 10, two: 4, three: 1})]
    yield case("clear frequencies", rare_first, "frequency").trying("sentences")
    first, second, third, fourth = draw.shuffled(["我", "喜欢", "狗", "爱"])
    chinese = [f"{first} {second} {third} {third}", f"{first} {fourth} {third} {third}", f"{first} {second} {third}"]
    yield case("Chinese words", chinese, "frequency", "Every occurrence counts, also the second one in a sentence.")
    yield case("one sentence several times", [f"{one} {one}", three, three, three], "frequency",
               "A sentence that is given three times counts three times.")

    tie = "Words of one frequency keep the order in which they first appear."
    yield case("all words once", [f"{three} {five}", f"{one} {four} {two}"], "ties", tie)
    yield case("ties at two frequencies", [f"{five} {two} {four}", f"{two} {one} {five}", three], "ties", tie)
    yield case("ties against the alphabet", ["zebra ant zebra ant", "mole bee"], "ties", tie)
    reached = [f"{one} {two} {two} {one}", f"{one} {two}"]
    yield case("ties and min_freq 2", reached, "ties", tie, min_freq=2)
    within = [f"{one}{two} {three} {one}", f"{two} {four}"]
    yield case("ties of words inside others", within, "ties", "A word inside a longer word does not count as an appearance.")
    many = {first + second: draw.integer(1, 3) for first in "bcdfghjklm" for second in "aeiouy"}
    yield case("many words", _text(draw, many, words_a_sentence=8), "ties", tie)
    rest = draw.shuffled([a + b + c for a in "bcdfghjklm" for b in "aeiouyqrst" for c in "npvwxzaeiou"])[:1030]
    late = "A word that is counted more often comes first, however late it appears."
    yield case("130 words, the last one twice", [" ".join(rest[:130]), rest[129]], "ties", late)
    yield case("1030 words and min_freq 2", [" ".join(rest), rest[0], rest[-1], rest[-1]], "ties", late, min_freq=2)

    clear = {one: 5, two: 3, three: 2, four: 1}
    kept = "A word stays when it is counted at least min_freq times."
    yield case("min_freq 2", _text(draw, clear), "options", kept, min_freq=2).trying("min_freq")
    yield case("min_freq 3", _text(draw, clear), "options", kept, min_freq=3).trying("min_freq")
    yield case("min_freq above every count", _text(draw, clear), "options", kept, min_freq=99).trying("min_freq")
    inside = ["dog dogs dogs dogs", "pad dogs pad pad"]
    yield case("min_freq and words inside others", inside, "options", "“dog” is counted once here.", min_freq=2).trying(
        "min_freq")
    rare = [f"<eos> {one} {two}", f"{one} {two} {one}"]
    yield case("min_freq and a rare special", rare, "options", "Specials stay however rare they are.", min_freq=2).trying(
        "which come first")
    yield case("docstring example", ["b a", "a c a c"], "options", specials=("<pad>", "<unk>")).trying("dict from word")
    yield case("other specials", _text(draw, clear), "options", specials=("[PAD]", "[UNK]")).trying("which come first")
    yield case("no specials", _text(draw, clear), "options", specials=()).trying("which come first")
    yield case("specials in another order", [f"{one} {two} {one}"], "options",
               "`specials` is any sequence of names, and stays as it is.", specials=["<unk>", "<eos>", "<pad>"]).trying(
        "which come first")
    yield case("usual specials that are words here", [f"<pad> {one} <pad> {one} <unk> <pad>"], "options",
               "Only the names in `specials` are special.", specials=("[PAD]", "[UNK]")).trying("which come first")

    space = "Words are separated by white space of any kind and length, and keep their capitals."
    yield case("capitals", [f"The the {one}", f"the THE {one} {one}", f"The the the {one} {one}"], "text", space).trying(
        "and keep their capitals")
    wide = [f"  {one}\t{two}  {one}\n", f"{one}   {three}\t\t{two} ", f"{one}\n{four}\n\n{one} {two} {three}"]
    yield case("tabs, line ends and runs of spaces", wide, "text", space).trying("words are separated")
    yield case("the wide space of Chinese text", [f"{one}\u3000{two}\u3000\u3000{one}"], "text", space).trying(
        "words are separated")
    yield case("the no-break space", [f"{one}\u00a0{two} {one}"], "text", space).trying("words are separated")
    rare = [f"{one}\x0b{two}\x0c{one}\u2003{three}\u2028{one}\x85{two}"]
    yield case("rare kinds of white space", rare, "text", space).trying("words are separated")
    ends = [f"{one} {two}. {one}", f"{one} {two}. {one}", f"{three} {two}."]
    yield case("sentences that end in a full stop", ends, "text",
               "Words are what white space separates, punctuation included.").trying("and keep their capitals")
    marked = _text(draw, {"a": 8, "–": 7, "well-known": 6, "don't": 5, f"{one},": 4, "42": 3, f"{two}!": 2, one: 1})
    yield case("punctuation and digits stay", marked, "text",
               "Words are what white space separates, punctuation included.").trying("and keep their capitals")
    short, long = "caf\u00e9", "cafe\u0301"  # one letter é, or an e and an accent
    alike = [f"{short} {one}, {short} {long}", f"{short} {long} {one}\uff0c", f"{short} {long} {one},"]
    yield case("words that look alike", alike, "text", "Words stand as they are, letters and commas of either kind.").trying(
        "and keep their capitals")
    special = "A special that occurs in the text keeps its own id and appears once."
    yield case("a special in the text", [f"<pad> {one} <eos>", f"{one} <eos> <eos> {two} <eos>", "<eos>"], "text",
               special).trying("one that occurs")
    glued = [f"{one}<eos> <bos>{two} {one}<eos> <EOS>", f"{one}<eos> <bos>{two}"]
    yield case("words that begin or end like a special", glued, "text",
               "A special is a whole word, as `specials` has it.").trying("one that occurs")
    yield case("empty sentences", ["", f"{one} {two}", "   ", two], "text").trying("sentences")
    yield case("no sentences", [], "text").trying("sentences")


build_vocab = Exercise(
    id="01.build_vocab",
    title="A vocabulary",
    why="Every model that reads text begins with such a dict from tokens to ids.",
    difficulty=1,
    minutes=13,
    core=False,
    criteria=(
        Criterion("frequency", 1, "specials first, then words by falling frequency, with ids 0, 1, 2, …",
                  tries=("dict from word",)),
        Criterion("ties", 1, "words of one frequency by first appearance", tries=("words of equal frequency",)),
        Criterion("options", 0.5, "min_freq and specials are followed"),
        Criterion("text", 0.5, "white space of any kind, capitals, specials in the text, empty text"),
    ),
    hints=(
        "Two steps: count the words, then assign ids. The special tokens get theirs first.",
        "`str.split()` without arguments splits at white space of any kind; `collections.Counter` counts.",
        "Python's `sorted` is stable: equal keys keep their order. A Counter holds its words in the order of first appearance.",
        "The next free id is `len(vocab)`. A special token that occurs in the text takes no new id.",
    ),
    cases=_cases,
)
