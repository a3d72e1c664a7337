# exercise 04.skip_gram_pairs
from collections import Counter

import torch


# base plain
def skip_gram_pairs(ids, window):
    pairs = []
    for i in range(len(ids)):
        for j in range(max(0, i - window), min(len(ids), i + window + 1)):
            if j != i:
                pairs.append((ids[i], ids[j]))
    return pairs


# mistake what_follows_only (shape), from plain
# A word is paired with those behind it only; those before it are near as well.
# Next: Begin `window` places before the word: each two near places make two pairs, one from either side.
#   max(0, i - window) => i + 1

# mistake the_word_itself (shape), from plain
# Each word is paired with its own place: distance 0.
# Next: Leave the place itself out: `if j != i`.
#   j != i => True

# mistake last_place_missing (shape), from plain
# The word exactly `window` places behind is missing: `range` stops before its end.
# Next: The end of the range has to be one further: `i + window + 1`.
#   i + window + 1 => i + window

# mistake first_place_missing (shape), from plain
# The word exactly `window` places before is missing.
# Next: Begin at `i - window`: that place is still inside the window.
#   i - window => i - window + 1

# mistake window_of_one_less (shape), from plain
# Words exactly `window` places away are missing on both sides.
# Next: A distance equal to the window is still inside: <=, not <.
#   max(0, i - window), min(len(ids), i + window + 1) => max(0, i - window + 1), min(len(ids), i + window)

# mistake one_place_too_many (shape), from plain
# On the right the window reaches one place too far.
# Next: Behind the word there are `window` places: the range ends with i + window + 1.
#   i + window + 1 => i + window + 2

# mistake wraps_around (shape), from plain
# Near the beginning the places become negative, and `ids[-1]` is the last word: the text is closed to a ring.
# Next: Begin at `max(0, i - window)`.
#   max(0, i - window) => i - window

# mistake a_ring (shape), from plain
# Places beyond the ends are taken modulo the length: the text is closed to a ring.
# Next: Beyond the ends there is nothing: leave such places out.
#   max(0, i - window), min(len(ids), i + window + 1) => i - window, i + window + 1
#   ids[j] => ids[j % len(ids)]

# mistake beyond_the_end (raises), from plain
# Near the end of the text the window reaches places that are not there.
# Next: End the range at `min(len(ids), i + window + 1)`.
#   min(len(ids), i + window + 1) => i + window + 1

# mistake equal_words_dropped (shape, values), from plain
# Two near places that hold the same word make no pair: words are compared where places should be.
# Next: Compare places: `j != i`.
#   j != i => ids[j] != ids[i]

# mistake each_pair_once (shape), from plain
# Each pair is kept once; it counts as often as it occurs.
# Next: Collect the pairs in a list. A set or a dict forgets how often something was seen.
#   return pairs => return list(dict.fromkeys(pairs))

# mistake only_the_window_s_edge (shape), from plain
# Only the words exactly `window` places away are paired; those between count too.
# Next: The distance may be anything from 1 to `window`.
#   j != i => abs(j - i) == window and window

# mistake neighbours_only (shape), from plain
# Only direct neighbours are paired, whatever the window is.
# Next: Use `window` at both ends of the range.
#   max(0, i - window), min(len(ids), i + window + 1) => max(0, i - 1), min(len(ids), i + 1 + 1)

# mistake half_a_window (shape), from plain
# The window is shared out between both sides; it reaches `window` places on each of them.
# Next: Do not halve the window.
#   max(0, i - window), min(len(ids), i + window + 1) => max(0, i - window // 2), min(len(ids), i + window // 2 + 1)

# mistake whole_text (shape), from plain
# Every word is paired with all others of the text: the window is not used.
# Next: Only places from i - window to i + window are near.
#   max(0, i - window), min(len(ids), i + window + 1) => len(ids)

# mistake full_windows_only (shape), from plain
# Words near both ends are no centres: only those with a full window are taken.
# Next: Every place is a centre; near the ends it has fewer contexts.
#   range(len(ids)) => range(window, len(ids) - window)

# mistake last_word_forgotten (shape), from plain
# The last word is never a centre.
# Next: `range(len(ids))` ends with the last place already.
#   range(len(ids)) => range(len(ids) - 1)

# mistake steps_of_a_window (shape), from plain
# The window jumps: only every `window`-th word is a centre.
# Next: Every word is a centre once.
#   range(len(ids)) => range(0, len(ids), max(window, 1))

# mistake places_for_words (values), from plain
# The pairs hold the numbers of places, but the exercise asks for the ids that stand there.
# Next: Look the ids up: `(ids[i], ids[j])`.
#   ids[i], ids[j] => i, j

# mistake place_and_word (values), from plain
# The centre is given by its place, the context by its id.
# Next: Both are ids: `(ids[i], ids[j])`.
#   ids[i] => i

# mistake with_the_distance (shape), from plain
# There are three numbers in each tuple; two were asked for, centre and context.
# Next: Leave the distance out.
#   ids[j] => ids[j], abs(i - j)

# mistake flattened (type), from plain
# The numbers of all pairs stand one after the other in one flat list.
# Next: `pairs.append((centre, context))` adds a pair; `extend` and `+=` add its two numbers.
#   pairs.append => pairs.extend

# mistake id_0_dropped (shape, values), from plain
# The id 0 is never a context: 0 counts as false in a condition.
# Next: 0 is an id like any other; ask for the place alone.
#   j != i => j != i and ids[j]

# mistake zero_taken_for_one (shape), from plain
# A window of 0 becomes a window of 1: 0 counts as false in `window or 1`.
# Next: Take the window as it is given: with 0 there is no pair.
#   pairs = [] => pairs, window = [], window or 1

# mistake sorted_first (values), from plain
# The ids are sorted before they are paired: near in the text is no longer near in the list.
# Next: Keep the order of the text.
#   pairs = [] => pairs, ids = [], sorted(ids)

# mistake different_words_only (shape), from plain
# Each word is kept at its first place only, and later ones are dropped before anything is paired.
# Next: Take the text as it stands: ids may come again.
#   pairs = [] => pairs, ids = [], list(dict.fromkeys(ids))

# mistake too_short_for_the_window (shape), from plain
# Texts that are no longer than the window give nothing.
# Next: Leave that case alone: a long window pairs every word with every other one.
#        pairs = []
#   +    if window >= len(ids):
#   +        return pairs

# mistake one_pair_for_a_word_alone (shape), from plain
# Where there is no pair, the first word is paired with itself.
# Next: Return the empty list.
#   return pairs => return pairs or [(word, word) for word in ids[:1]]

# mistake a_tensor (type), from plain
# A tensor comes back, but the exercise asks for a list of tuples.
# Next: Return the list itself.
#   return pairs => return torch.tensor(pairs)

# mistake counted (type), from plain
# The pairs come back counted, but the exercise asks for a list in which each stands as often as it occurs.
# Next: Return the list of pairs itself.
#   return pairs => return Counter(pairs)

# mistake a_set (type), from plain
# A set comes back: it holds each pair once.
# Next: Collect the pairs in a list, which keeps them as often as they occur.
#   return pairs => return set(pairs)

# mistake nothing_returned (type), from plain
# Nothing is returned.
# Next: End with `return pairs`.
#   return pairs => print(len(pairs))

# mistake ids_used_up (property), from plain
# The pairs are right, and the caller's list has changed.
# Next: Build a new list and leave `ids` alone: no `pop`, `append` or `clear` on it.
#                    pairs.append((ids[i], ids[j]))
#   +    ids.clear()


# mistake slice_that_wraps (shape)
# Near the beginning `i - window` is negative, and `ids[i - window : i]` counts from the end: words are lost.
# Next: Cut the slice at `max(0, i - window)`.
def skip_gram_pairs(ids, window):
    pairs = []
    for i, centre in enumerate(ids):
        for context in ids[i - window : i] + ids[i + 1 : i + 1 + window]:
            pairs.append((centre, context))
    return pairs


# mistake place_looked_up (values, shape), from plain
# A word's place is looked up with `index`, which finds the first one: words that come again get the neighbours of their first
# place.
# Next: Go through the places (`enumerate`), not through the words.
#   -    for i in range(len(ids)):
#   +    for word in ids:
#   +        i = ids.index(word)
#   ids[i] => word


# mistake contexts_in_a_list (shape, type)
# Each centre comes once, with a list of its contexts, but the exercise asks for a tuple for each pair.
# Next: Make one tuple (centre, context) for each context.
def skip_gram_pairs(ids, window):
    return [(word, ids[max(0, i - window) : i] + ids[i + 1 : i + window + 1]) for i, word in enumerate(ids)]


# mistake every_window_again (shape)
# All pairs of each window of window + 1 words are listed, so that near ones are counted again in every window that covers them.
# Next: Go through the centres, and pair each with its own contexts: two places make two pairs in all.
def skip_gram_pairs(ids, window):
    pairs = []
    for start in range(max(1, len(ids) - window)):
        inside = ids[start : start + window + 1]
        pairs += [(a, b) for i, a in enumerate(inside) for j, b in enumerate(inside) if i != j]
    return pairs


# mistake each_context_once (shape)
# A context that stands twice near one centre is paired with it once.
# Next: Do not make a set of the contexts: both places count.
def skip_gram_pairs(ids, window):
    pairs = []
    for i, centre in enumerate(ids):
        pairs += [(centre, context) for context in set(ids[max(0, i - window) : i] + ids[i + 1 : i + window + 1])]
    return pairs


# mistake returned_too_soon (shape), from plain
# `return` stands inside the loop: only the first word has been a centre by then.
# Next: Move `return` to the left, behind the whole loop.
#   -    for i in range(len(ids)):
#   +    for i, centre in enumerate(ids):
#   -                pairs.append((ids[i], ids[j]))
#   +                pairs.append((centre, ids[j]))
#   +        return pairs

# mistake earlier_word_always_first (values), from plain
# The earlier word is the centre of both pairs; of two near words each is the centre once.
# Next: The second pair is the first one turned round: `(ids[j], ids[i])`.
#   max(0, i - window) => i + 1
#   -            if j != i:
#   -                pairs.append((ids[i], ids[j]))
#   +            pairs += [(ids[i], ids[j]), (ids[i], ids[j])]
