# exercise 01.encode_with_special
import re

import regex
import tiktoken

from embedding_course.data.split import SPLIT


# right form place_by_place
def encode_with_special(text, merges, special, pattern=SPLIT):
    encoded, plain, place = [], "", 0
    while place < len(text):
        fits = [string for string in special if text.startswith(string, place)]
        if fits:
            best = max(fits, key=len)
            encoded += bpe_encode(plain, merges, pattern)
            encoded.append(special[best])
            plain, place = "", place + len(best)
        else:
            plain, place = plain + text[place], place + 1
    return [*encoded, *bpe_encode(plain, merges, pattern)]


# right form earliest_hit_then_the_rest
def encode_with_special(text, merges, special, pattern=SPLIT):
    hits = [(text.find(string), -len(string), string) for string in special if string in text]
    if not hits:
        return bpe_encode(text, merges, pattern)
    start, _, string = min(hits)
    rest = encode_with_special(text[start + len(string) :], merges, special, pattern)
    return [*bpe_encode(text[:start], merges, pattern), special[string], *rest]


# right form falling_alphabet_and_finditer
def encode_with_special(text, merges, special, pattern=SPLIT, verbose=False):
    # Of two that begin alike the longer one comes later in the alphabet.
    encoded, end = (), 0
    if special:
        for match in re.finditer("|".join(map(re.escape, sorted(special, reverse=True))), text):
            encoded += (*bpe_encode(text[end : match.start()], merges, pattern), special[match[0]])
            end = match.end()
    if verbose:
        print(encoded)
    return encoded + tuple(bpe_encode(text[end:], merges, pattern))


# right form the_engine_between
def encode_with_special(text, merges, special, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: one for one, token in tokens.items()}
    engine = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    if not special:
        return engine.encode_ordinary(text)
    marks = "|".join(regex.escape(one) for one in sorted(special, key=len, reverse=True))
    parts = regex.split(f"({marks})", text)  # plain text and special strings in turn
    return [
        index
        for at, part in enumerate(parts)
        for index in ([special[part]] if at % 2 else engine.encode_ordinary(part))
    ]


# right form partition_without_a_regular_expression
def encode_with_special(text, merges, special, pattern=SPLIT):
    ids = []
    while True:
        places = {text.index(string): 0 for string in special if string in text}
        if not places:
            break
        first = min(places)
        string = max((one for one in special if text.startswith(one, first)), key=len)
        ids.extend(bpe_encode(text[:first], merges, pattern))
        ids.append(special[string])
        text = text[first + len(string) :]
    ids.extend(bpe_encode(text, merges, pattern))
    return ids
