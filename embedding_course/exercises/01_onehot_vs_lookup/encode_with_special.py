"""Special tokens inside a text: cases."""

from collections.abc import Iterator

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs
from . import corpora
from .merge_tables import CHINESE, Merges, across, learned, learned_in_pieces, numbered
from .texts import mixed_text, rename

Special = dict[str, int]
# Every pair of the mark's letters can be merged, within it and with what stands beside it.
_GREEDY = [(60, 124), (124, 62), (97, 60), (62, 97), (32, 60), (62, 32), (97, 97), (98, 97)]


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str, text: str, merges: Merges, special: Special, criterion: str, because: str = "", **options: str
    ) -> Case:
        args = {"text": text, "merges": merges, "special": special}
        return Case(name, args, criterion, options, because=because)

    merges, words = learned(draw, runs=False)
    first = 256 + len(merges)
    a, b, c = (first + offset for offset in draw.distinct(3, 20).tolist())
    words = [f" {word}" for word in words]
    becomes = "A special string becomes its id and is not encoded otherwise."
    yield case("one in the middle", words[0] + words[1] + "<|end|>" + words[2], merges, {"<|end|>": a}, "special",
               becomes).trying("merges what train_bpe")
    chat = f"<|user|>{words[3]}{words[4]}<|end|><|reply|>{words[5]}{words[6]}<|end|>"
    yield case("a chat", chat, merges, {"<|user|>": a, "<|reply|>": b, "<|end|>": c}, "special", becomes)
    text = f"{words[7]}<|user|>{words[8]}"
    yield case("a special string that does not occur", text, merges, {"<|end|>": b, "<|user|>": a}, "special", becomes)
    yield case("the same one several times", f"<s>{words[0]}<s>{words[1]}{words[2]}<s>", merges, {"<s>": c}, "special", becomes)
    yield case("docstring example", "ab<|end|>ab", {(97, 98): 256}, {"<|end|>": 257}, "special", becomes)

    longer = "Of two that begin at one place the longer one wins, whichever stands first in `special`."
    earlier = "Of two that overlap the one that begins first wins."
    text = f"{words[0]}<s><s>s>{words[1]}"
    yield case("one begins another", text, merges, {"<s>": a, "<s>s>": b}, "overlaps", longer).trying("of those that begin")
    yield case("one begins another, the longer first", text, merges, {"<s>s>": b, "<s>": a}, "overlaps", longer).trying(
        "of those that begin")
    yield case("one ends another", f"{words[2]}<|a|>{words[3]}", merges, {"|a|>": a, "<|a|>": b}, "overlaps", earlier)
    crossing = {"<b>c": a, "a<b>": b, "b>cdddd": c}
    yield case("two that overlap", f"{words[4]}a<b>cdddd{words[5]}a<b>", merges, crossing, "overlaps", earlier)
    yield case("three that overlap in a row", f"a<b>c<b>cdddd{words[6]}", merges, crossing, "overlaps", earlier)
    yield case("one inside another", f"{words[0]}[[x]]{words[1]}[x]", merges, {"[x]": a, "[[x]]": b}, "overlaps", earlier)
    for kind, name in (("a long one", draw.choice("klmnop") * 30), ("a very long one", draw.choice("klmnop") * 150)):
        either = {"a<": a, f"<{name}>": b}
        yield case(f"{kind} begins a letter later", f"{words[1]}a<{name}>{words[6]}", merges, either, "overlaps", earlier)
    yield case("one that overlaps itself", f"{words[2]}==={words[3]}====", merges, {"==": c}, "overlaps", earlier)

    never = "Nothing merges across a special token, and what stands on either side of it is encoded by itself."
    table = numbered(_GREEDY, {})
    yield case("merges on both sides", "aa<|>aa <|> a<|>aba", table, {"<|>": 300}, "between", never).trying("Nothing merges")
    letters = rename(draw)
    pairs = numbered([(97, 98), (256, 97), (256, 256)], letters)
    split = "".join(letters.get(character, character) for character in "aba#baba#ab#abab")
    yield case("a cut inside a run of pairs", split, pairs, {"#": 270}, "between", never).trying("Nothing merges")
    spaces = {(32, 32): 256, (256, 256): 257, (10, 10): 258}
    yield case("white space beside it", f"{words[0]}  <s>  {words[1]} \n\n<s>\n\n", spaces, {"<s>": 260}, "between",
               "Spaces around a special string are text like any other.").trying("the text between two")
    digit = draw.choice("123456789")
    numbers = {(ord(digit), ord(digit)): 256, (256, ord(digit)): 257}
    yield case("digits on both sides", f"{digit * 4}<s>{digit * 2}<s>{digit * 5}", numbers, {"<s>": 258}, "between",
               "The text between is cut as if it stood alone.").trying("the text between two")
    yield case("a space in the special string", f"{words[0]}</ s >{words[1]}", merges, {"</ s >": a}, "between",
               becomes).trying("special dict")
    inside, taught = learned_in_pieces(draw)
    piece = "".join(taught[:5]) + "<s>" + across(inside) + "<s>" + "".join(taught[5:9])
    yield case("another pattern", piece, inside, {"<s>": 270}, "between", "The pattern cuts the text between.",
               pattern=corpora.PIECES).trying("the text between two", "pattern")

    plain = "".join(words[:6])
    yield case("no special strings", f"{plain}<|end|>", merges, {}, "any text", "An empty `special` changes nothing.").trying(
        "an empty one changes")
    yield case("an empty text", "", merges, {"<s>": a}, "any text", "No text, no ids.").trying("text any text", "returns")
    yield case("one by itself", "<|end|>", merges, {"<|end|>": b}, "any text", "There is no text before or after it.").trying(
        "text any text")
    yield case("several side by side", "<s><s></s><s>", merges, {"<s>": a, "</s>": b}, "any text").trying("text any text")
    signs = f"{words[0]}[.*]{words[1]}x$^(?{words[2]}.a+{words[3]}aaa"
    yield case("signs of regular expressions", signs, merges, {"[.*]": a, "$^(?": b, ".a+": c}, "any text",
               "A special string is looked for as it stands; a dot is a dot.").trying("special dict")
    script = f"{mixed_text(draw)}用户{mixed_text(draw)}🐱{mixed_text(draw)}"
    yield case("Chinese and emoji", script, CHINESE, {"用户": 310, "🐱": 305}, "any text",
               "The text is characters, its base ids are bytes.").trying("the text between two", "text any text")
    yield case("other letters", f"{words[0]}<|END|>{words[1]}<| end|>{words[2]}<|end|", merges, {"<|end|>": a}, "any text",
               "What only looks like a special string is text.").trying("text any text")
    yield case("no merges", f"{words[0]}<s>{words[1]}", {}, {"<s>": 256}, "any text").trying(
        "merges what train_bpe", "special dict")
    yield case("the last characters", f"{words[5]}{words[6]}<s>", merges, {"<s>": c}, "any text")


encode_with_special = Exercise(
    id="01.encode_with_special",
    title="Special tokens in a chat's text",
    why="Special tokens mark who speaks in a chat. A user must not be able to write one.",
    difficulty=2,
    minutes=16,
    core=False,
    criteria=(
        Criterion("special", 1, "special strings become their ids, the text around them is encoded",
                  tries=("Turn a text", "special dict", "returns")),
        Criterion("overlaps", 1, "the one that begins first wins, and of those the longest", tries=("The text is read",)),
        Criterion("between", 0.5, "nothing merges across a special token; the text between is cut by itself"),
        Criterion("any text", 0.5, "no special strings, no text, strings of any characters"),
    ),
    hints=(
        "Cut the text first: pieces of plain text and special strings in turn. Your `bpe_encode` does the pieces.",
        "At a position of the text: which special strings begin there (`text.startswith(string, place)`)? Of several "
        "take the longest, and go on behind it. If there is none, go one position on.",
        "Or let `regex.split` do it: an alternation of the special strings, the longest first, in one pair of brackets, "
        "keeps the strings it cuts at. `regex.escape` takes care of signs such as `|`. What if there is no special string?",
        "`parts = regex.split('(' + '|'.join(map(regex.escape, sorted(special, key=len, reverse=True))) + ')', text)`",
    ),
    cases=_cases,
    uses=("bpe_encode", "merge_pair"),
)
