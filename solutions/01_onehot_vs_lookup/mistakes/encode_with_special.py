# exercise 01.encode_with_special
import regex

from embedding_course.data.split import SPLIT


# mistake special_ignored (shape, values)
# `special` is not used: the special strings are encoded as text.
# Next: Cut the text at the special strings first, and give each of them its id.
def encode_with_special(text, merges, special, pattern=SPLIT):
    return bpe_encode(text, merges, pattern)


# base plain
def encode_with_special(text, merges, special, pattern=SPLIT):
    if not special:
        return bpe_encode(text, merges, pattern)
    marks = "|".join(regex.escape(one) for one in sorted(special, key=len, reverse=True))
    encoded = []
    for part in regex.split(f"({marks})", text):
        if part in special:
            encoded.append(special[part])
        else:
            encoded += bpe_encode(part, merges, pattern)
    return encoded


# mistake special_lost (shape, values), from plain
# The text is cut at the special strings, and they themselves get lost.
# Next: With brackets round the alternation, `regex.split` keeps what it cuts at: `f'({marks})'`.
#   f"({marks})" => marks

# mistake not_escaped (shape, values, raises), from plain
# The special strings are read as regular expressions: the bars of `<|end|>` mean “or”.
# Next: Put each of them through `regex.escape`.
#   regex.escape(one) => one

# mistake order_of_the_dict (shape, values), from plain
# Of two special strings that begin at one place the one that stands first in `special` wins.
# Next: An alternation takes the first that fits: put the longest first.
#   sorted(special, key=len, reverse=True) => special

# mistake shortest_first (shape, values), from plain
# Of two special strings that begin at one place the shorter one wins.
# Next: Sort them by falling length: `reverse=True`.
#   key=len, reverse=True => key=len

# mistake the_first_only (shape, values), from plain
# Only the first special string of the text becomes an id; the others are encoded as text.
# Next: Cut at every special string.
#   f"({marks})", text => f"({marks})", text, maxsplit=1

# mistake pattern_forgotten (shape, values), from plain
# The text between is cut by the usual pattern, whatever `pattern` says.
# Next: Hand the pattern on: `bpe_encode(part, merges, pattern)`.
#   part, merges, pattern => part, merges

# mistake nothing_to_cut_at (shape, values), from plain
# Without special strings the alternation is empty: it fits everywhere, and the text falls into characters.
# Next: Treat an empty `special` by itself: then it is `bpe_encode(text, merges, pattern)`.
#   not special => special is None

# mistake nothing_without_special (shape), from plain
# An empty `special` gives no ids at all.
# Next: Without special strings the whole text is encoded as usual.
#   bpe_encode(text, merges, pattern) => []

# mistake spaces_stripped (shape, values), from plain
# White space beside a special string is stripped; it is text, and decoding should give it back.
# Next: Leave the parts as they are: no `strip`.
#   part, merges => part.strip(), merges

# mistake blank_parts_dropped (shape, values), from plain
# Parts of nothing but white space are left out.
# Next: Only an empty part gives nothing, and `bpe_encode` sees to that.
#   -        else:
#   +        elif part.strip():

# mistake capitals_do_not_matter (shape, values, raises), from plain
# A string in other letters, such as `<|END|>`, is taken for the special one.
# Next: Compare as the text stands: `<|END|>` is plain text.
#   f"({marks})", text => f"({marks})", text, flags=regex.IGNORECASE
#   part in special => part.lower() in special
#   special[part] => special[part.lower()]

# mistake lists_in_the_list (type, shape), from plain
# The ids of each part come as a list inside the list; one flat list of ids was asked for.
# Next: `encoded += ids`, or `extend`, instead of `append`.
#   encoded += bpe_encode(part, merges, pattern) => encoded.append(bpe_encode(part, merges, pattern))

# mistake ids_counted_anew (values), from plain
# Special tokens are numbered from 256 + len(merges) on; their ids are given.
# Next: The id of a special string is `special[string]`.
#   special[part] => 256 + len(merges) + list(special).index(part)

# mistake special_only (shape), from plain
# Only the ids of the special strings come back; the text around them is left out.
# Next: Encode the parts that are not special with `bpe_encode`.
#   encoded += bpe_encode(part, merges, pattern) => pass

# mistake bytes_between (shape, values), from plain
# The text between stays in bytes: no merge is applied to it.
# Next: Encode each part with `bpe_encode(part, merges, pattern)`.
#   bpe_encode(part, merges, pattern) => part.encode()

# mistake line_ends_removed (shape, values), from plain
# Runs of white space are made one space before the text is cut.
# Next: Take the text as it stands.
#   f"({marks})", text => f"({marks})", ' '.join(text.split())

# mistake special_changed (property), from plain
# The ids are right, but the caller's `special` has changed.
# Next: Read from `special` and leave it alone; copy it where you want to change it.
#                encoded += bpe_encode(part, merges, pattern)
#   +    special.clear()

# mistake nothing_returned (type), from plain
# Nothing is returned.
# Next: End with `return encoded`.
#   return encoded => print(encoded)


# mistake one_string_after_the_other (shape, values)
# The text is cut at the first special string of the dict, then at the second: of two that overlap the one that stands first in
# `special` wins.
# Next: Go through the text once, from left to right, and look for all special strings at each place.
def encode_with_special(text, merges, special, pattern=SPLIT):
    parts = [text]
    for string, index in special.items():
        cut = []
        for part in parts:
            if isinstance(part, int):
                cut.append(part)
                continue
            for at, piece in enumerate(part.split(string)):
                cut += [index, piece] if at else [piece]
        parts = cut
    encoded = []
    for part in parts:
        encoded += [part] if isinstance(part, int) else bpe_encode(part, merges, pattern)
    return encoded


# mistake longest_of_all_first (shape, values)
# The longest special string wins wherever it stands; of two that overlap the one that begins first should.
# Next: Length decides only between strings that begin at the same place.
def encode_with_special(text, merges, special, pattern=SPLIT):
    for string in sorted(special, key=len, reverse=True):
        before, found, after = text.partition(string)
        if found:
            left = encode_with_special(before, merges, special, pattern)
            return left + [special[string]] + encode_with_special(after, merges, special, pattern)
    return bpe_encode(text, merges, pattern)


# mistake from_right_to_left (shape, values)
# The text is searched from its end: of two special strings that overlap the later one wins.
# Next: Read from left to right.
def encode_with_special(text, merges, special, pattern=SPLIT):
    hits = [(text.rfind(string) + len(string), len(string), string) for string in special if string in text]
    if not hits:
        return bpe_encode(text, merges, pattern)
    end, length, string = max(hits)
    before = encode_with_special(text[: end - length], merges, special, pattern)
    return before + [special[string]] + bpe_encode(text[end:], merges, pattern)


# mistake only_whole_chunks (shape, values)
# Special strings are looked for among the chunks of the pattern, which cuts them up or joins them with their neighbours.
# Next: Look for them in the text itself, before the pattern cuts it.
def encode_with_special(text, merges, special, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        encoded += [special[chunk]] if chunk in special else bpe_encode(chunk, merges, pattern)
    return encoded


# mistake only_between_spaces (shape, values)
# A special string is found only where white space stands on both sides.
# Next: It may stand anywhere, also inside a word.
def encode_with_special(text, merges, special, pattern=SPLIT):
    encoded = []
    for part in regex.split(r"(\s+)", text):
        encoded += [special[part]] if part in special else bpe_encode(part, merges, pattern)
    return encoded


# mistake found_among_the_ids (shape, values)
# The whole text is encoded first, and the special strings are looked for among the ids: by then their letters have merged with
# their neighbours.
# Next: Cut the text at the special strings before anything is encoded.
def encode_with_special(text, merges, special, pattern=SPLIT):
    ids, encoded, place = bpe_encode(text, merges, pattern), [], 0
    wanted = [(bpe_encode(one, merges, pattern), special[one]) for one in sorted(special, key=len, reverse=True)]
    while place < len(ids):
        for pieces, index in wanted:
            if ids[place : place + len(pieces)] == pieces:
                encoded.append(index)
                place += len(pieces)
                break
        else:
            encoded.append(ids[place])
            place += 1
    return encoded


# mistake letter_by_letter (shape, values)
# Between special strings every character is encoded by itself, so nothing merges.
# Next: Collect the characters up to the next special string, and encode them together.
def encode_with_special(text, merges, special, pattern=SPLIT):
    encoded, place = [], 0
    while place < len(text):
        fits = [one for one in special if text.startswith(one, place)]
        if fits:
            best = max(fits, key=len)
            encoded.append(special[best])
            place += len(best)
        else:
            encoded += bpe_encode(text[place], merges, pattern)
            place += 1
    return encoded


# mistake end_forgotten (shape, values), from letter_by_letter
# What stands behind the last special string is lost.
# Next: After the loop, encode the rest of the text.
#   encoded, place = [], 0 => encoded, start, place = [], 0, 0
#   encoded.append(special[best]) => encoded += [*bpe_encode(text[start:place], merges, pattern), special[best]]
#   place += len(best) => start = place = place + len(best)
#   -            encoded += bpe_encode(text[place], merges, pattern)


# mistake beginning_forgotten (shape, values)
# What stands before the first special string is lost.
# Next: The first part of the text begins at place 0, not behind the first special string.
def encode_with_special(text, merges, special, pattern=SPLIT):
    if not special:
        return bpe_encode(text, merges, pattern)
    marks = "|".join(regex.escape(one) for one in sorted(special, key=len, reverse=True))
    found, encoded = list(regex.finditer(marks, text)), []
    ends = [one.start() for one in found[1:]] + [len(text)]
    for one, end in zip(found, ends):
        encoded += [special[one.group()], *bpe_encode(text[one.end() : end], merges, pattern)]
    return encoded


# mistake a_stand_in (shape, values)
# Each special string is replaced by a rare character, and the text is encoded as a whole: the pattern cuts the text beside it
# otherwise than if it stood alone.
# Next: Encode the parts between special strings one by one.
def encode_with_special(text, merges, special, pattern=SPLIT):
    for at, string in enumerate(sorted(special, key=len, reverse=True)):
        text = text.replace(string, chr(0xE000 + at))
    ids = bpe_encode(text, merges, pattern)
    for at, string in enumerate(sorted(special, key=len, reverse=True)):
        stand_in, place = list(chr(0xE000 + at).encode()), 0
        while place < len(ids):
            if ids[place : place + 3] == stand_in:
                ids[place : place + 3] = [special[string]]
            place += 1
    return ids


# mistake text_glued_together (shape, values)
# The text on both sides of a special string is encoded as one, so that pairs merge across it.
# Next: Encode each part by itself, in its place.
def encode_with_special(text, merges, special, pattern=SPLIT):
    if not special:
        return bpe_encode(text, merges, pattern)
    marks = "|".join(regex.escape(one) for one in sorted(special, key=len, reverse=True))
    found = [special[one] for one in regex.findall(marks, text)]
    return bpe_encode(regex.sub(marks, "", text), merges, pattern) + found


# mistake words_between_spaces (shape, values)
# The text is cut at spaces: they are lost, and a special string inside a word is not found.
# Next: Cut the text at the special strings, nowhere else.
def encode_with_special(text, merges, special, pattern=SPLIT):
    encoded = []
    for word in text.split(" "):
        encoded += [special[word]] if word in special else bpe_encode(word, merges, pattern)
    return encoded


# mistake place_times_a_hundred (shape, values)
# A place counts a hundred, a letter of the special string one: a string of more than a hundred letters wins over one that
# begins earlier.
# Next: Compare two things at once: a key of (the place, minus the length).
def encode_with_special(text, merges, special, pattern=SPLIT):
    encoded = []
    while text:
        found = [one for one in special if one in text]
        if not found:
            return encoded + bpe_encode(text, merges, pattern)
        first = min(found, key=lambda one: 100 * text.index(one) - len(one))
        before, _, text = text.partition(first)
        encoded += [*bpe_encode(before, merges, pattern), special[first]]
    return encoded


# mistake a_tenth_off_for_each_letter (shape, values), from place_times_a_hundred
# Each letter of a special string takes a tenth off its position: a string that is eleven letters longer wins over one that
# begins one position earlier.
# Next: Compare two things at once: a key of (the place, minus the length).
#   100 * text.index(one) - len(one) => text.index(one) - 0.1 * len(one)
