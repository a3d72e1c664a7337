"""Wrong answers about pairs of near words by name."""

from collections import Counter

import torch

from grader.course_source.catalogue import altered, base, mistake

PAIRS = "04.skip_gram_pairs"


@base("plain")
def skip_gram_pairs(ids, window):
    pairs = []
    for i in range(len(ids)):
        for j in range(max(0, i - window), min(len(ids), i + window + 1)):
            if j != i:
                pairs.append((ids[i], ids[j]))
    return pairs


altered(
    PAIRS, "what_follows_only", "plain", {"max(0, i - window)": "i + 1"}, stage="shape",
    diagnosis="A word is paired with those behind it only; those before it are near as well.",
    next_step="Begin `window` places before the word: each two near places make two pairs, one from either side.",
)

altered(
    PAIRS, "the_word_itself", "plain", {"if j != i": "if True"}, stage="shape",
    diagnosis="Each word is paired with its own place: distance 0.",
    next_step="Leave the place itself out: `if j != i`.",
)

altered(
    PAIRS, "last_place_missing", "plain", {"i + window + 1": "i + window"}, stage="shape",
    diagnosis="The word exactly `window` places behind is missing: `range` stops before its end.",
    next_step="The end of the range has to be one further: `i + window + 1`.",
)

altered(
    PAIRS, "first_place_missing", "plain", {"i - window": "i - window + 1"}, stage="shape",
    diagnosis="The word exactly `window` places before is missing.",
    next_step="Begin at `i - window`: that place is still inside the window.",
)

altered(
    PAIRS, "window_of_one_less", "plain", {"i - window": "i - window + 1", "i + window + 1": "i + window"},
    stage="shape",
    diagnosis="Words exactly `window` places away are missing on both sides.",
    next_step="A distance equal to the window is still inside: <=, not <.",
)

altered(
    PAIRS, "one_place_too_many", "plain", {"i + window + 1": "i + window + 2"}, stage="shape",
    diagnosis="On the right the window reaches one place too far.",
    next_step="Behind the word there are `window` places: the range ends with i + window + 1.",
)

altered(
    PAIRS, "wraps_around", "plain", {"max(0, i - window)": "i - window"}, stage="shape",
    diagnosis="Near the beginning the places become negative, and `ids[-1]` is the last word: the text is closed to a ring.",
    next_step="Begin at `max(0, i - window)`.",
)

altered(
    PAIRS, "a_ring", "plain",
    {
        "range(max(0, i - window), min(len(ids), i + window + 1))": "range(i - window, i + window + 1)",
        "ids[j]": "ids[j % len(ids)]",
    },
    stage="shape",
    diagnosis="Places beyond the ends are taken modulo the length: the text is closed to a ring.",
    next_step="Beyond the ends there is nothing: leave such places out.",
)

altered(
    PAIRS, "beyond_the_end", "plain", {"min(len(ids), i + window + 1)": "i + window + 1"}, stage="raises",
    diagnosis="Near the end of the text the window reaches places that are not there.",
    next_step="End the range at `min(len(ids), i + window + 1)`.",
)

altered(
    PAIRS, "equal_words_dropped", "plain", {"if j != i": "if ids[j] != ids[i]"}, stage=("shape", "values"),
    diagnosis="Two near places that hold the same word make no pair: words are compared where places should be.",
    next_step="Compare places: `j != i`.",
)

altered(
    PAIRS, "each_pair_once", "plain", {"return pairs": "return list(dict.fromkeys(pairs))"}, stage="shape",
    diagnosis="Each pair is kept once; it counts as often as it occurs.",
    next_step="Collect the pairs in a list. A set or a dict forgets how often something was seen.",
)

altered(
    PAIRS, "only_the_window_s_edge", "plain", {"if j != i": "if abs(j - i) == window and window"}, stage="shape",
    diagnosis="Only the words exactly `window` places away are paired; those between count too.",
    next_step="The distance may be anything from 1 to `window`.",
)

altered(
    PAIRS, "neighbours_only", "plain", {"i - window": "i - 1", "i + window": "i + 1"}, stage="shape",
    diagnosis="Only direct neighbours are paired, whatever the window is.",
    next_step="Use `window` at both ends of the range.",
)

altered(
    PAIRS, "half_a_window", "plain", {"i - window": "i - window // 2", "i + window": "i + window // 2"}, stage="shape",
    diagnosis="The window is shared out between both sides; it reaches `window` places on each of them.",
    next_step="Do not halve the window.",
)

altered(
    PAIRS, "whole_text", "plain", {"range(max(0, i - window), min(len(ids), i + window + 1))": "range(len(ids))"},
    stage="shape",
    diagnosis="Every word is paired with all others of the text: the window is not used.",
    next_step="Only places from i - window to i + window are near.",
)

altered(
    PAIRS, "full_windows_only", "plain", {"for i in range(len(ids))": "for i in range(window, len(ids) - window)"},
    stage="shape",
    diagnosis="Words near both ends are no centres: only those with a full window are taken.",
    next_step="Every place is a centre; near the ends it has fewer contexts.",
)

altered(
    PAIRS, "last_word_forgotten", "plain", {"for i in range(len(ids))": "for i in range(len(ids) - 1)"}, stage="shape",
    diagnosis="The last word is never a centre.",
    next_step="`range(len(ids))` ends with the last place already.",
)

altered(
    PAIRS, "steps_of_a_window", "plain", {"for i in range(len(ids))": "for i in range(0, len(ids), max(window, 1))"},
    stage="shape",
    diagnosis="The window jumps: only every `window`-th word is a centre.",
    next_step="Every word is a centre once.",
)

altered(
    PAIRS, "places_for_words", "plain", {"(ids[i], ids[j])": "(i, j)"}, stage="values",
    diagnosis="The pairs hold the numbers of places; asked for are the ids that stand there.",
    next_step="Look the ids up: `(ids[i], ids[j])`.",
)

altered(
    PAIRS, "place_and_word", "plain", {"(ids[i], ids[j])": "(i, ids[j])"}, stage="values",
    diagnosis="The centre is given by its place, the context by its id.",
    next_step="Both are ids: `(ids[i], ids[j])`.",
)

altered(
    PAIRS, "with_the_distance", "plain", {"(ids[i], ids[j])": "(ids[i], ids[j], abs(i - j))"}, stage="shape",
    diagnosis="There are three numbers in each tuple; two were asked for, centre and context.",
    next_step="Leave the distance out.",
)

altered(
    PAIRS, "flattened", "plain", {"append((ids[i], ids[j]))": "extend((ids[i], ids[j]))"}, stage="type",
    diagnosis="The numbers of all pairs stand one after the other in one flat list.",
    next_step="`pairs.append((centre, context))` adds a pair; `extend` and `+=` add its two numbers.",
)

altered(
    PAIRS, "id_0_dropped", "plain", {"if j != i": "if j != i and ids[j]"}, stage=("shape", "values"),
    diagnosis="The id 0 is nobody's context: 0 counts as false in a condition.",
    next_step="0 is an id like any other; ask for the place alone.",
)

altered(
    PAIRS, "zero_taken_for_one", "plain", {"pairs = []": "pairs, window = [], window or 1"}, stage="shape",
    diagnosis="A window of 0 becomes a window of 1: 0 counts as false in `window or 1`.",
    next_step="Take the window as it is given: with 0 there is no pair.",
)

altered(
    PAIRS, "sorted_first", "plain", {"pairs = []": "pairs, ids = [], sorted(ids)"}, stage="values",
    diagnosis="The ids are sorted before they are paired: near in the text is no longer near in the list.",
    next_step="Keep the order of the text.",
)

altered(
    PAIRS, "different_words_only", "plain", {"pairs = []": "pairs, ids = [], list(dict.fromkeys(ids))"}, stage="shape",
    diagnosis="Each word is kept at its first place only, and later ones are dropped before anything is paired.",
    next_step="Take the text as it stands: ids may come again.",
)

altered(
    PAIRS, "too_short_for_the_window", "plain",
    {"pairs = []": "pairs = []\n    if window >= len(ids):\n        return pairs"}, stage="shape",
    diagnosis="Texts that are no longer than the window give nothing.",
    next_step="Leave that case alone: a long window pairs every word with every other one.",
)

altered(
    PAIRS, "one_pair_for_a_word_alone", "plain", {"return pairs": "return pairs or [(word, word) for word in ids[:1]]"},
    stage="shape",
    diagnosis="Where there is no pair, the first word is paired with itself.",
    next_step="Return the empty list.",
)

altered(
    PAIRS, "a_tensor", "plain", {"return pairs": "return torch.tensor(pairs)"}, stage="type",
    diagnosis="A tensor comes back; asked for is a list of tuples.",
    next_step="Return the list itself.",
)

altered(
    PAIRS, "counted", "plain", {"return pairs": "return Counter(pairs)"}, stage="type",
    diagnosis="The pairs come back counted; asked for is a list in which each stands as often as it occurs.",
    next_step="Return the list of pairs itself.",
)

altered(
    PAIRS, "a_set", "plain", {"return pairs": "return set(pairs)"}, stage="type",
    diagnosis="A set comes back: it holds each pair once.",
    next_step="Collect the pairs in a list, which keeps them as often as they occur.",
)

altered(
    PAIRS, "nothing_returned", "plain", {"return pairs": "print(len(pairs))"}, stage="type",
    diagnosis="Nothing is returned.",
    next_step="End with `return pairs`.",
)

altered(
    PAIRS, "ids_used_up", "plain", {"return pairs": "ids.clear()\n    return pairs"}, stage="property",
    diagnosis="The pairs are right, and the caller's list has changed.",
    next_step="Build a new list and leave `ids` alone: no `pop`, `append` or `clear` on it.",
)


@mistake(
    PAIRS, "slice_that_wraps", stage="shape",
    diagnosis="Near the beginning `i - window` is negative, and `ids[i - window : i]` counts from the end: words are lost.",
    next_step="Cut the slice at `max(0, i - window)`.",
)
def skip_gram_pairs(ids, window):
    pairs = []
    for i, centre in enumerate(ids):
        for context in ids[i - window : i] + ids[i + 1 : i + 1 + window]:
            pairs.append((centre, context))
    return pairs


@mistake(
    PAIRS, "place_looked_up", stage=("values", "shape"),
    diagnosis="A word's place is looked up with `index`, which finds the first one: words that come again get the neighbours "
    "of their first place.",
    next_step="Go through the places (`enumerate`), not through the words.",
)
def skip_gram_pairs(ids, window):
    pairs = []
    for word in ids:
        i = ids.index(word)
        for j in range(max(0, i - window), min(len(ids), i + window + 1)):
            if j != i:
                pairs.append((word, ids[j]))
    return pairs


@mistake(
    PAIRS, "contexts_in_a_list", stage=("shape", "type"),
    diagnosis="Each centre comes once, with a list of its contexts; asked for is a tuple for each pair.",
    next_step="Make one tuple (centre, context) for each context.",
)
def skip_gram_pairs(ids, window):
    return [(word, ids[max(0, i - window) : i] + ids[i + 1 : i + window + 1]) for i, word in enumerate(ids)]


@mistake(
    PAIRS, "every_window_again", stage="shape",
    diagnosis="All pairs of each window of window + 1 words are listed, so that near ones are counted again in every window "
    "that covers them.",
    next_step="Go through the centres, and pair each with its own contexts: two places make two pairs in all.",
)
def skip_gram_pairs(ids, window):
    pairs = []
    for start in range(max(1, len(ids) - window)):
        inside = ids[start : start + window + 1]
        pairs += [(a, b) for i, a in enumerate(inside) for j, b in enumerate(inside) if i != j]
    return pairs


@mistake(
    PAIRS, "each_context_once", stage="shape",
    diagnosis="A context that stands twice near one centre is paired with it once.",
    next_step="Do not make a set of the contexts: both places count.",
)
def skip_gram_pairs(ids, window):
    pairs = []
    for i, centre in enumerate(ids):
        pairs += [(centre, context) for context in set(ids[max(0, i - window) : i] + ids[i + 1 : i + window + 1])]
    return pairs


@mistake(
    PAIRS, "returned_too_soon", stage="shape",
    diagnosis="`return` stands inside the loop: only the first word has been a centre by then.",
    next_step="Move `return` to the left, behind the whole loop.",
)
def skip_gram_pairs(ids, window):
    pairs = []
    for i, centre in enumerate(ids):
        for j in range(max(0, i - window), min(len(ids), i + window + 1)):
            if j != i:
                pairs.append((centre, ids[j]))
        return pairs
    return pairs


@mistake(
    PAIRS, "earlier_word_always_first", stage="values",
    diagnosis="The earlier word is the centre of both pairs; of two near words each is the centre once.",
    next_step="The second pair is the first one turned round: `(ids[j], ids[i])`.",
)
def skip_gram_pairs(ids, window):
    pairs = []
    for i in range(len(ids)):
        for j in range(i + 1, min(len(ids), i + window + 1)):
            pairs += [(ids[i], ids[j]), (ids[i], ids[j])]
    return pairs
