# exercise 01.bpe_encode
"""Wrong answers to bpe_encode by name: the order of merging."""

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


# mistake one_merge_a_chunk (shape, values), from highest_merge_first
# Each chunk is merged once; a merge makes new pairs that can be merged again.
# Next: Repeat until no pair of neighbours stands in `merges`.
#   -        while pairs := [pair for pair in zip(ids, ids[1:]) if pair in merges]:
#   -            best = max(pairs, key=merges.get)
#   +        pairs = [pair for pair in zip(ids, ids[1:]) if pair in merges]
#   +        if pairs:
#   +            best = min(pairs, key=merges.get)


# mistake pairs_of_the_beginning (shape, values)
# The pairs are looked up once, before any merging; pairs that merging makes are never seen.
# Next: Look at the neighbours again after every merge.
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        for pair in sorted({pair for pair in zip(ids, ids[1:]) if pair in merges}, key=merges.get):
            ids = merge_pair(ids, pair, merges[pair])
        encoded += ids
    return encoded


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


# mistake pass_after_pass (shape, values)
# A pair that a merge has made must wait while others are merged, even where it was learned before them.
# Next: After every merge look at all neighbours again, and take the pair with the lowest new id.
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        while pairs := {pair for pair in zip(ids, ids[1:]) if pair in merges}:
            for pair in sorted(pairs, key=merges.get):
                ids = merge_pair(ids, pair, merges[pair])
        encoded += ids
    return encoded


# mistake merges_in_reverse (shape, values), from pairs_of_the_beginning
# The merges run from the last to the first: a merge of merges is tried before its halves are there.
# Next: Go through `merges` from the first to the last, as they were learned.
#   -        for pair in sorted({pair for pair in zip(ids, ids[1:]) if pair in merges}, key=merges.get):
#   +        for pair, new_id in reversed(merges.items()):
#   merges[pair] => new_id

# mistake nothing_to_merge (raises), from pairs_of_the_beginning
# A chunk of a single id has no pair, and `min` of nothing raises ValueError.
# Next: Go on only while the chunk has two ids or more.
#   -        for pair in sorted({pair for pair in zip(ids, ids[1:]) if pair in merges}, key=merges.get):
#   +        while True:
#   +            pair = min(zip(ids, ids[1:]), key=lambda pair: merges.get(pair, float("inf")))
#   +            if pair not in merges:
#   +                break


# mistake runs_from_the_right (shape, values)
# Runs of one id are merged from the right; the rule is from left to right, as in training.
# Next: Use your `merge_pair`, or walk from the left.
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        for (left, right), new_id in merges.items():
            place = len(ids) - 2
            while place >= 0:
                if ids[place] == left and ids[place + 1] == right:
                    ids[place : place + 2] = [new_id]
                    place -= 1
                place -= 1
        encoded += ids
    return encoded


# mistake first_hit_only (shape, values)
# Each merge is applied once in a chunk; it applies wherever its pair stands.
# Next: Merge a pair everywhere in the chunk before you go on to the next: that is what `merge_pair` does.
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        for pair, new_id in merges.items():
            for place in range(len(ids) - 1):
                if (ids[place], ids[place + 1]) == pair:
                    ids[place : place + 2] = [new_id]
                    break
        encoded += ids
    return encoded


# mistake every_pair_looked_up (raises), from highest_merge_first
# `merges[pair]` is asked for pairs that were never merged, and raises KeyError.
# Next: `merges.get(pair, math.inf)` gives such a pair the last place.
#   pairs := [pair for pair in zip(ids, ids[1:]) if pair in merges] => len(ids) > 1
#   max(pairs, key=merges.get) => min(zip(ids, ids[1:]), key=lambda pair: merges[pair])
