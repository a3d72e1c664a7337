"""Wrong answers to bpe_encode by name: the order of merging."""

import regex

from embedding_course.data.split import SPLIT
from grader.course_source.catalogue import mistake


@mistake(
    "01.bpe_encode", "longest_match_first", stage=("shape", "values"),
    diagnosis="At each position the longest known token is taken; byte-pair encoding merges in the order of learning instead.",
    next_step="Work `abcd` out by hand with the merges bc, bcd, abc: the longest match takes abc, the order of learning bcd.",
)
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


@mistake(
    "01.bpe_encode", "first_pair_from_the_left", stage=("shape", "values"),
    diagnosis="The first pair from the left that can be merged is merged, whichever it is.",
    next_step="Among all pairs that can be merged, take the one with the lowest new id.",
)
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


@mistake(
    "01.bpe_encode", "highest_merge_first", stage=("shape", "values"),
    diagnosis="The merge that was learned last goes first.",
    next_step="`min` of the new ids, not `max`.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        while pairs := [pair for pair in zip(ids, ids[1:]) if pair in merges]:
            best = max(pairs, key=merges.get)
            ids = merge_pair(ids, best, merges[best])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "one_merge_a_chunk", stage=("shape", "values"),
    diagnosis="Each chunk is merged once; a merge makes new pairs that can be merged again.",
    next_step="Repeat until no pair of neighbours stands in `merges`.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        pairs = [pair for pair in zip(ids, ids[1:]) if pair in merges]
        if pairs:
            best = min(pairs, key=merges.get)
            ids = merge_pair(ids, best, merges[best])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "pairs_of_the_beginning", stage=("shape", "values"),
    diagnosis="The pairs are looked up once, before any merging; pairs that merging makes are never seen.",
    next_step="Look at the neighbours again after every merge.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        for pair in sorted({pair for pair in zip(ids, ids[1:]) if pair in merges}, key=merges.get):
            ids = merge_pair(ids, pair, merges[pair])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "most_frequent_first", stage=("shape", "values"),
    diagnosis="The pair that stands most often in the chunk is merged first, as in training; the order of learning decides.",
    next_step="Choose by the new id, `merges[pair]`, and count nothing.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        while pairs := [pair for pair in zip(ids, ids[1:]) if pair in merges]:
            best = max(pairs, key=lambda pair: (pairs.count(pair), -merges[pair]))
            ids = merge_pair(ids, best, merges[best])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "smallest_ids_first", stage=("shape", "values"),
    diagnosis="The pair with the smallest ids is merged first: `min(pairs)` compares the pairs themselves.",
    next_step="Compare what the pairs become: `min(pairs, key=merges.get)`.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        while pairs := [pair for pair in zip(ids, ids[1:]) if pair in merges]:
            best = min(pairs)
            ids = merge_pair(ids, best, merges[best])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "longest_token_first", stage=("shape", "values"),
    diagnosis="Of the pairs that can be merged, the one that makes the longest token goes first.",
    next_step="Choose by the new id, `merges[pair]`: the lowest was learned first.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    length = dict.fromkeys(range(256), 1)
    for (left, right), new_id in merges.items():
        length[new_id] = length[left] + length[right]
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        while pairs := [pair for pair in zip(ids, ids[1:]) if pair in merges]:
            best = max(pairs, key=lambda pair: (length[merges[pair]], -merges[pair]))
            ids = merge_pair(ids, best, merges[best])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "pass_after_pass", stage=("shape", "values"),
    diagnosis="A pair that a merge has made must wait while others are merged, even where it was learned before them.",
    next_step="After every merge look at all neighbours again, and take the pair with the lowest new id.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        while pairs := {pair for pair in zip(ids, ids[1:]) if pair in merges}:
            for pair in sorted(pairs, key=merges.get):
                ids = merge_pair(ids, pair, merges[pair])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "merges_in_reverse", stage=("shape", "values"),
    diagnosis="The merges run from the last to the first: a merge of merges is tried before its halves are there.",
    next_step="Go through `merges` from the first to the last, as they were learned.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        for pair, new_id in reversed(merges.items()):
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "nothing_to_merge", stage="raises",
    diagnosis="A chunk of a single id has no pair, and `min` of nothing raises ValueError.",
    next_step="Go on only while the chunk has two ids or more.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        while True:
            pair = min(zip(ids, ids[1:]), key=lambda pair: merges.get(pair, float("inf")))
            if pair not in merges:
                break
            ids = merge_pair(ids, pair, merges[pair])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "runs_from_the_right", stage=("shape", "values"),
    diagnosis="Runs of one id are merged from the right; the rule is from left to right, as in training.",
    next_step="Use your `merge_pair`, or walk from the left.",
)
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


@mistake(
    "01.bpe_encode", "first_hit_only", stage=("shape", "values"),
    diagnosis="Each merge is applied once in a chunk; it applies wherever its pair stands.",
    next_step="Merge a pair everywhere in the chunk before you go on to the next: that is what `merge_pair` does.",
)
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


@mistake(
    "01.bpe_encode", "every_pair_looked_up", stage="raises",
    diagnosis="`merges[pair]` is asked for pairs that were never merged, and raises KeyError.",
    next_step="`merges.get(pair, math.inf)` gives such a pair the last place.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        while len(ids) > 1:
            best = min(zip(ids, ids[1:]), key=lambda pair: merges[pair])
            ids = merge_pair(ids, best, merges[best])
        encoded += ids
    return encoded
