# exercise 01.bpe_encode
import regex

from embedding_course.data.split import SPLIT


# mistake longest_match_first (shape, values)
# At each position the longest known token is taken; byte-pair encoding merges in the order of learning instead.
# Next: Work `abcd` out by hand with the merges bc, bcd, abc: the longest match takes abc, the order of learning bcd.
def bpe_encode(text, merges, pattern=SPLIT):
    tokens = {bytes([one]): one for one in range(256)}
    halves = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        halves[new_id] = halves[left] + halves[right]
        tokens[halves[new_id]] = new_id
    ids = []
    for chunk in regex.findall(pattern, text):
        data = chunk.encode()
        while data:
            end = next(end for end in range(len(data), 0, -1) if data[:end] in tokens)
            ids.append(tokens[data[:end]])
            data = data[end:]
    return ids


# mistake first_pair_from_the_left (shape, values)
# The first pair from the left that can be merged is merged, whichever it is.
# Next: Among all pairs that can be merged, take the one with the lowest new id.
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids, place = list(chunk.encode()), 0
        while place < len(ids) - 1:
            pair = (ids[place], ids[place + 1])
            if pair in merges:
                ids[place : place + 2] = [merges[pair]]
                place = 0
            else:
                place += 1
        encoded += ids
    return encoded


# mistake highest_merge_first (shape, values)
# The merge that was learned last goes first.
# Next: `min` of the new ids, not `max`.
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        while pairs := [pair for pair in zip(ids, ids[1:]) if pair in merges]:
            best = max(pairs, key=merges.get)
            ids = merge_pair(ids, best, merges[best])
        encoded += ids
    return encoded


# base plain
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded


# mistake one_merge_a_chunk (shape, values), from plain
# Each chunk is merged once; a merge makes new pairs that can be merged again.
# Next: Repeat until no pair of neighbours stands in `merges`.
#   -        for pair, new_id in merges.items():
#   +        pairs = [pair for pair in zip(ids, ids[1:]) if pair in merges]
#   +        if pairs:
#   +            best = min(pairs, key=merges.get)
#   ids, pair, new_id => ids, best, merges[best]

# mistake pairs_of_the_beginning (shape, values), from plain
# The pairs are looked up once, before any merging; pairs that merging makes are never seen.
# Next: Look at the neighbours again after every merge.
#   pair, new_id in merges.items() => pair in sorted({pair for pair in zip(ids, ids[1:]) if pair in merges}, key=merges.get)
#   ids, pair, new_id => ids, pair, merges[pair]

# mistake most_frequent_first (shape, values), from highest_merge_first
# The pair that stands most often in the chunk is merged first, as in training; the order of learning decides.
# Next: Choose by the new id, `merges[pair]`, and count nothing.
#   merges.get => lambda pair: (pairs.count(pair), -merges[pair])

# mistake smallest_ids_first (shape, values), from highest_merge_first
# The pair with the smallest ids is merged first: `min(pairs)` compares the pairs themselves.
# Next: Compare what the pairs become: `min(pairs, key=merges.get)`.
#   max(pairs, key=merges.get) => min(pairs)

# mistake longest_token_first (shape, values), from highest_merge_first
# Of the pairs that can be merged, the one that makes the longest token goes first.
# Next: Choose by the new id, `merges[pair]`: the lowest was learned first.
#        encoded = []
#   +    length = dict.fromkeys(range(256), 1)
#   +    for (left, right), new_id in merges.items():
#   +        length[new_id] = length[left] + length[right]
#   merges.get => lambda pair: (length[merges[pair]], -merges[pair])

# mistake pass_after_pass (shape, values), from plain
# A pair that a merge has made must wait while others are merged, even where it was learned before them.
# Next: After every merge look at all neighbours again, and take the pair with the lowest new id.
#   for pair, new_id in merges.items(): => while pairs := {pair for pair in zip(ids, ids[1:]) if pair in merges}:
#   -            ids = merge_pair(ids, pair, new_id)
#   +            for pair in sorted(pairs, key=merges.get):
#   +                ids = merge_pair(ids, pair, merges[pair])

# mistake merges_in_reverse (shape, values), from plain
# The merges run from the last to the first: a merge of merges is tried before its halves are there.
# Next: Go through `merges` from the first to the last, as they were learned.
#   merges.items() => reversed(merges.items())

# mistake nothing_to_merge (raises), from plain
# A chunk of a single id has no pair, and `min` of nothing raises ValueError.
# Next: Go on only while the chunk has two ids or more.
#   -        for pair, new_id in merges.items():
#   +        while True:
#   +            pair = min(zip(ids, ids[1:]), key=lambda pair: merges.get(pair, float("inf")))
#   +            if pair not in merges:
#   +                break
#   ids, pair, new_id => ids, pair, merges[pair]

# mistake runs_from_the_right (shape, values), from plain
# Runs of one id are merged from the right; the rule is from left to right, as in training.
# Next: Use your `merge_pair`, or walk from the left.
#   pair, new_id in merges.items() => (left, right), new_id in merges.items()
#   -            ids = merge_pair(ids, pair, new_id)
#   +            place = len(ids) - 2
#   +            while place >= 0:
#   +                if ids[place] == left and ids[place + 1] == right:
#   +                    ids[place : place + 2] = [new_id]
#   +                    place -= 1
#   +                place -= 1

# mistake first_hit_only (shape, values), from plain
# Each merge is applied once in a chunk; it applies wherever its pair stands.
# Next: Merge a pair everywhere in the chunk before you go on to the next: that is what `merge_pair` does.
#   -            ids = merge_pair(ids, pair, new_id)
#   +            for place in range(len(ids) - 1):
#   +                if (ids[place], ids[place + 1]) == pair:
#   +                    ids[place : place + 2] = [new_id]
#   +                    break

# mistake every_pair_looked_up (raises), from highest_merge_first
# `merges[pair]` is asked for pairs that were never merged, and raises KeyError.
# Next: `merges.get(pair, math.inf)` gives such a pair the last place.
#   pairs := [pair for pair in zip(ids, ids[1:]) if pair in merges] => len(ids) > 1
#   max(pairs, key=merges.get) => min(zip(ids, ids[1:]), key=lambda pair: merges[pair])


# mistake no_cuts (shape, values)
# The text is not cut into chunks, so pairs are merged across cuts.
# Next: Encode each chunk of `regex.findall(pattern, text)` by itself and join the lists of ids.
def bpe_encode(text, merges, pattern=SPLIT):
    ids = list(text.encode())
    for pair, new_id in merges.items():
        ids = merge_pair(ids, pair, new_id)
    return ids


# mistake bytes_only (shape)
# The bytes come back unmerged.
# Next: Apply the merges: the pair with the lowest new id first.
def bpe_encode(text, merges, pattern=SPLIT):
    return list(text.encode())


# mistake characters (shape), from plain
# The base ids are characters (`ord`), not bytes.
# Next: `list(chunk.encode('utf-8'))` gives the bytes.
#   list(chunk.encode()) => [ord(letter) for letter in chunk]

# mistake white_space_lost (shape, values), from plain
# Words are encoded without the white space around them: the spaces get lost.
# Next: Cut with the pattern: its chunks joined give the whole text back.
#   -    for chunk in regex.findall(pattern, text):
#   +    for word in text.split():
#   chunk.encode => word.encode

# mistake list_a_chunk (type), from plain
# A list of lists comes back, one a chunk; a single list of ids was asked for.
# Next: `encoded += ids`, or `extend`, instead of `append`.
#   encoded += ids => encoded.append(ids)


# mistake line_by_line (shape, values)
# Each line is encoded by itself, so merges over several line ends are lost.
# Next: Cut the whole text with the pattern, and with nothing else.
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for line in text.splitlines(keepends=True):
        for chunk in regex.findall(pattern, line):
            ids = list(chunk.encode())
            for pair, new_id in merges.items():
                ids = merge_pair(ids, pair, new_id)
            encoded += ids
    return encoded


# mistake pattern_ignored (shape, values), from plain
# The text is always cut in the same way; the argument `pattern` is ignored.
# Next: Use the parameter in `regex.findall`.
#   pattern, text => SPLIT, text

# mistake text_tidied (values), from plain
# The text is tidied (lower case, one form of accents) before it is encoded; it cannot be had back then.
# Next: Encode the text as it stands: decoding should give every byte of it back.
#   pattern, text => pattern, text.lower()

# mistake text_between_matches_kept (shape, values), from plain
# What lies between the matches of the pattern is encoded, too.
# Next: The chunks are the matches alone: `regex.findall(pattern, text)`.
#   -    for chunk in regex.findall(pattern, text):
#   +    for part in regex.split(f"({pattern})", text):
#   chunk.encode => (part or "").encode
