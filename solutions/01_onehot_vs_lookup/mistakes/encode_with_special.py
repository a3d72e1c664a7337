"""Wrong answers about special tokens in a text by name."""

import regex

from embedding_course.data.split import SPLIT
from grader.course_source.catalogue import altered, base, mistake

SPECIAL = "01.encode_with_special"


@base("plain")
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


@mistake(
    SPECIAL, "special_ignored", stage=("shape", "values"),
    diagnosis="`special` is not used: the special strings are encoded as text.",
    next_step="Cut the text at the special strings first, and give each of them its id.",
)
def encode_with_special(text, merges, special, pattern=SPLIT):
    return bpe_encode(text, merges, pattern)


altered(
    SPECIAL, "special_lost", "plain", {'f"({marks})"': "marks"}, stage=("shape", "values"),
    diagnosis="The text is cut at the special strings, and they themselves get lost.",
    next_step="With brackets round the alternation, `regex.split` keeps what it cuts at: `f'({marks})'`.",
)

altered(
    SPECIAL, "not_escaped", "plain", {"regex.escape(one)": "one"}, stage=("shape", "values", "raises"),
    diagnosis="The special strings are read as regular expressions: the bars of `<|end|>` mean “or”.",
    next_step="Put each of them through `regex.escape`.",
)

altered(
    SPECIAL, "order_of_the_dict", "plain", {"sorted(special, key=len, reverse=True)": "special"}, stage=("shape", "values"),
    diagnosis="Of two special strings that begin at one place the one that stands first in `special` wins.",
    next_step="An alternation takes the first that fits: put the longest first.",
)

altered(
    SPECIAL, "shortest_first", "plain", {", reverse=True": ""}, stage=("shape", "values"),
    diagnosis="Of two special strings that begin at one place the shorter one wins.",
    next_step="Sort them by falling length: `reverse=True`.",
)

altered(
    SPECIAL, "the_first_only", "plain", {", text):": ", text, maxsplit=1):"}, stage=("shape", "values"),
    diagnosis="Only the first special string of the text becomes an id; the others are encoded as text.",
    next_step="Cut at every special string.",
)

altered(
    SPECIAL, "pattern_forgotten", "plain", {"bpe_encode(part, merges, pattern)": "bpe_encode(part, merges)"},
    stage=("shape", "values"),
    diagnosis="The text between is cut by the usual pattern, whatever `pattern` says.",
    next_step="Hand the pattern on: `bpe_encode(part, merges, pattern)`.",
)

altered(
    SPECIAL, "nothing_to_cut_at", "plain", {"if not special:": "if special is None:"}, stage=("shape", "values"),
    diagnosis="Without special strings the alternation is empty: it fits everywhere, and the text falls into characters.",
    next_step="Treat an empty `special` by itself: then it is `bpe_encode(text, merges, pattern)`.",
)

altered(
    SPECIAL, "nothing_without_special", "plain", {"        return bpe_encode(text, merges, pattern)": "        return []"},
    stage="shape",
    diagnosis="An empty `special` gives no ids at all.",
    next_step="Without special strings the whole text is encoded as usual.",
)

altered(
    SPECIAL, "spaces_stripped", "plain", {"bpe_encode(part,": "bpe_encode(part.strip(),"}, stage=("shape", "values"),
    diagnosis="White space beside a special string is stripped; it is text, and decoding should give it back.",
    next_step="Leave the parts as they are: no `strip`.",
)

altered(
    SPECIAL, "blank_parts_dropped", "plain", {"        else:": "        elif part.strip():"}, stage=("shape", "values"),
    diagnosis="Parts of nothing but white space are left out.",
    next_step="Only an empty part gives nothing, and `bpe_encode` sees to that.",
)

altered(
    SPECIAL, "capitals_do_not_matter", "plain",
    {", text):": ", text, flags=regex.IGNORECASE):", "if part in special": "if part.lower() in special",
     "special[part]": "special[part.lower()]"},
    stage=("shape", "values", "raises"),
    diagnosis="A string in other letters, such as `<|END|>`, is taken for the special one.",
    next_step="Compare as the text stands: `<|END|>` is plain text.",
)

altered(
    SPECIAL, "lists_in_the_list", "plain", {"encoded += bpe_encode(part, merges, pattern)":
        "encoded.append(bpe_encode(part, merges, pattern))"},
    stage=("type", "shape"),
    diagnosis="The ids of each part come as a list inside the list; one flat list of ids was asked for.",
    next_step="`encoded += ids`, or `extend`, instead of `append`.",
)

altered(
    SPECIAL, "ids_counted_anew", "plain", {"special[part]": "256 + len(merges) + list(special).index(part)"},
    stage="values",
    diagnosis="Special tokens are numbered from 256 + len(merges) on; their ids are given.",
    next_step="The id of a special string is `special[string]`.",
)

altered(
    SPECIAL, "special_only", "plain", {"encoded += bpe_encode(part, merges, pattern)": "pass"}, stage="shape",
    diagnosis="Only the ids of the special strings come back; the text around them is left out.",
    next_step="Encode the parts that are not special with `bpe_encode`.",
)

altered(
    SPECIAL, "bytes_between", "plain", {"encoded += bpe_encode(part, merges, pattern)": "encoded += part.encode()"},
    stage=("shape", "values"),
    diagnosis="The text between stays in bytes: no merge is applied to it.",
    next_step="Encode each part with `bpe_encode(part, merges, pattern)`.",
)

altered(
    SPECIAL, "line_ends_removed", "plain", {", text):": ", ' '.join(text.split())):"}, stage=("shape", "values"),
    diagnosis="Runs of white space are made one space before the text is cut.",
    next_step="Take the text as it stands.",
)

altered(
    SPECIAL, "special_changed", "plain", {"    return encoded": "    special.clear()\n    return encoded"}, stage="property",
    diagnosis="The ids are right, and the caller's `special` has changed.",
    next_step="Read from `special` and leave it alone; copy it where you want to change it.",
)

altered(
    SPECIAL, "nothing_returned", "plain", {"    return encoded": "    print(encoded)"}, stage="type",
    diagnosis="Nothing is returned.",
    next_step="End with `return encoded`.",
)


@mistake(
    SPECIAL, "one_string_after_the_other", stage=("shape", "values"),
    diagnosis="The text is cut at the first special string of the dict, then at the second: of two that overlap the one that "
    "stands first in `special` wins.",
    next_step="Go through the text once, from left to right, and look for all special strings at each place.",
)
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


@mistake(
    SPECIAL, "longest_of_all_first", stage=("shape", "values"),
    diagnosis="The longest special string wins wherever it stands; of two that overlap the one that begins first should.",
    next_step="Length decides only between strings that begin at the same place.",
)
def encode_with_special(text, merges, special, pattern=SPLIT):
    for string in sorted(special, key=len, reverse=True):
        before, found, after = text.partition(string)
        if found:
            left = encode_with_special(before, merges, special, pattern)
            return left + [special[string]] + encode_with_special(after, merges, special, pattern)
    return bpe_encode(text, merges, pattern)


@mistake(
    SPECIAL, "from_right_to_left", stage=("shape", "values"),
    diagnosis="The text is searched from its end: of two special strings that overlap the later one wins.",
    next_step="Read from left to right.",
)
def encode_with_special(text, merges, special, pattern=SPLIT):
    hits = [(text.rfind(string) + len(string), len(string), string) for string in special if string in text]
    if not hits:
        return bpe_encode(text, merges, pattern)
    end, length, string = max(hits)
    before = encode_with_special(text[: end - length], merges, special, pattern)
    return before + [special[string]] + bpe_encode(text[end:], merges, pattern)


@mistake(
    SPECIAL, "only_whole_chunks", stage=("shape", "values"),
    diagnosis="Special strings are looked for among the chunks of the pattern, which cuts them up or joins them with their "
    "neighbours.",
    next_step="Look for them in the text itself, before the pattern cuts it.",
)
def encode_with_special(text, merges, special, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        encoded += [special[chunk]] if chunk in special else bpe_encode(chunk, merges, pattern)
    return encoded


@mistake(
    SPECIAL, "only_between_spaces", stage=("shape", "values"),
    diagnosis="A special string is found only where white space stands on both sides.",
    next_step="It may stand anywhere, also inside a word.",
)
def encode_with_special(text, merges, special, pattern=SPLIT):
    encoded = []
    for part in regex.split(r"(\s+)", text):
        encoded += [special[part]] if part in special else bpe_encode(part, merges, pattern)
    return encoded


@mistake(
    SPECIAL, "found_among_the_ids", stage=("shape", "values"),
    diagnosis="The whole text is encoded first, and the special strings are looked for among the ids: by then their letters "
    "have merged with their neighbours.",
    next_step="Cut the text at the special strings before anything is encoded.",
)
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


@mistake(
    SPECIAL, "letter_by_letter", stage=("shape", "values"),
    diagnosis="Between special strings every character is encoded by itself, so nothing merges.",
    next_step="Collect the characters up to the next special string, and encode them together.",
)
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


@mistake(
    SPECIAL, "end_forgotten", stage=("shape", "values"),
    diagnosis="What stands behind the last special string is lost.",
    next_step="After the loop, encode the rest of the text.",
)
def encode_with_special(text, merges, special, pattern=SPLIT):
    encoded, start, place = [], 0, 0
    while place < len(text):
        fits = [one for one in special if text.startswith(one, place)]
        if fits:
            best = max(fits, key=len)
            encoded += [*bpe_encode(text[start:place], merges, pattern), special[best]]
            start = place = place + len(best)
        else:
            place += 1
    return encoded


@mistake(
    SPECIAL, "beginning_forgotten", stage=("shape", "values"),
    diagnosis="What stands before the first special string is lost.",
    next_step="The first part of the text begins at place 0, not behind the first special string.",
)
def encode_with_special(text, merges, special, pattern=SPLIT):
    if not special:
        return bpe_encode(text, merges, pattern)
    marks = "|".join(regex.escape(one) for one in sorted(special, key=len, reverse=True))
    found, encoded = list(regex.finditer(marks, text)), []
    ends = [one.start() for one in found[1:]] + [len(text)]
    for one, end in zip(found, ends):
        encoded += [special[one.group()], *bpe_encode(text[one.end() : end], merges, pattern)]
    return encoded


@mistake(
    SPECIAL, "a_stand_in", stage=("shape", "values"),
    diagnosis="Each special string is replaced by a rare character, and the text is encoded as a whole: the pattern "
    "cuts the text beside it otherwise than if it stood alone.",
    next_step="Encode the parts between special strings one by one.",
)
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


@mistake(
    SPECIAL, "text_glued_together", stage=("shape", "values"),
    diagnosis="The text on both sides of a special string is encoded as one, so that pairs merge across it.",
    next_step="Encode each part by itself, in its place.",
)
def encode_with_special(text, merges, special, pattern=SPLIT):
    if not special:
        return bpe_encode(text, merges, pattern)
    marks = "|".join(regex.escape(one) for one in sorted(special, key=len, reverse=True))
    found = [special[one] for one in regex.findall(marks, text)]
    return bpe_encode(regex.sub(marks, "", text), merges, pattern) + found


@mistake(
    SPECIAL, "words_between_spaces", stage=("shape", "values"),
    diagnosis="The text is cut at spaces: they are lost, and a special string inside a word is not found.",
    next_step="Cut the text at the special strings, nowhere else.",
)
def encode_with_special(text, merges, special, pattern=SPLIT):
    encoded = []
    for word in text.split(" "):
        encoded += [special[word]] if word in special else bpe_encode(word, merges, pattern)
    return encoded


@mistake(
    SPECIAL, "place_times_a_hundred", stage=("shape", "values"),
    diagnosis="A place counts a hundred, a letter of the special string one: a string of more than a hundred letters wins over "
    "one that begins earlier.",
    next_step="Compare two things at once: a key of (the place, minus the length).",
)
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


@mistake(
    SPECIAL, "a_tenth_off_for_each_letter", stage=("shape", "values"),
    diagnosis="A tenth is taken off the place for each letter of the special string: one of eleven letters more wins over one "
    "that begins a place earlier.",
    next_step="Compare two things at once: a key of (the place, minus the length).",
)
def encode_with_special(text, merges, special, pattern=SPLIT):
    encoded = []
    while text:
        found = [one for one in special if one in text]
        if not found:
            return encoded + bpe_encode(text, merges, pattern)
        first = min(found, key=lambda one: text.index(one) - 0.1 * len(one))
        before, _, text = text.partition(first)
        encoded += [*bpe_encode(before, merges, pattern), special[first]]
    return encoded
