# exercise 01.merge_pair
import numpy as np


# right form string_replace
def merge_pair(ids, pair, new_id):
    text = "".join(map(chr, ids)).replace(chr(pair[0]) + chr(pair[1]), chr(new_id))
    return [ord(letter) for letter in text]


# right form stack_of_output
def merge_pair(ids, pair, new_id):
    merged, free = [], False
    for one in ids:
        if free and merged[-1] == pair[0] and one == pair[1]:
            merged[-1] = new_id
            free = False
        else:
            merged.append(one)
            free = True
    return tuple(merged)


# right form iterator
def merge_pair(ids, pair, new_id):
    def walk():
        skip = False
        for one, following in zip(ids, [*ids[1:], None]):
            if skip:
                skip = False
            elif (one, following) == tuple(pair):
                skip = True
                yield new_id
            else:
                yield one

    return list(walk())


# right form copy_and_pop
def merge_pair(ids, pair, new_id):
    left, merged = list(reversed(ids)), []
    while left:
        one = left.pop()
        if left and one == pair[0] and left[-1] == pair[1]:
            left.pop()
            one = new_id
        merged.append(one)
    return merged


# right form look_back
def merge_pair(ids, pair, new_id):
    merged = []
    for one in ids:
        if merged and merged[-1] == pair[0] and one == pair[1]:
            merged[-1] = new_id
        else:
            merged.append(one)
    return merged


# right form numpy_hits
def merge_pair(ids, pair, new_id):
    padded = np.array([*ids, -1], dtype=np.int64)
    hits = np.flatnonzero((padded[:-1] == pair[0]) & (padded[1:] == pair[1]))
    taken = set()
    for place in hits.tolist():
        if place - 1 not in taken:
            taken.add(place)
    return [new_id if place in taken else one for place, one in enumerate(ids) if place - 1 not in taken]


# right form recursion_from_hit_to_hit
def merge_pair(ids, pair, new_id):
    for place in range(len(ids) - 1):
        if ids[place] == pair[0] and ids[place + 1] == pair[1]:
            return [*ids[:place], new_id, *merge_pair(ids[place + 2 :], pair, new_id)]
    return list(ids)
