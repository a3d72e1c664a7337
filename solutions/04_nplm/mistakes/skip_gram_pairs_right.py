# exercise 04.skip_gram_pairs
from collections import deque
from itertools import combinations, permutations

import numpy as np
import torch


# right form distance_by_distance
def skip_gram_pairs(ids, window):
    pairs = []
    for distance in range(1, window + 1):
        pairs += zip(ids, ids[distance:])
        pairs += zip(ids[distance:], ids)
    return pairs


# right form all_places_then_near_ones
def skip_gram_pairs(ids, window):
    return [(ids[i], ids[j]) for i, j in permutations(range(len(ids)), 2) if abs(i - j) <= window]


# right form two_lists_and_a_tuple
def skip_gram_pairs(ids, window):
    behind = [(a, b) for (i, a), (j, b) in combinations(enumerate(ids), 2) if j - i <= window]
    return tuple(behind + [[b, a] for a, b in behind])


# right form slices_without_the_word
def skip_gram_pairs(ids, window, verbose=False):
    pairs = []
    for place, centre in enumerate(ids):
        near = ids[max(0, place - window) : place + window + 1]
        near.remove(centre)  # whichever of equal words goes: what is left is the same
        pairs.extend((centre, context) for context in near)
    if verbose:
        print(pairs)
    return pairs


# right form numpy_inside
def skip_gram_pairs(ids, window):
    text = np.array(ids, dtype=np.int64)
    places = np.arange(len(text))
    apart = np.abs(places[:, None] - places[None, :])
    centres, contexts = np.nonzero((apart > 0) & (apart <= window))
    return list(zip(text[centres], text[contexts]))


# right form torch_inside
def skip_gram_pairs(ids, window):
    text = torch.tensor(ids, dtype=torch.int64)
    places = torch.arange(len(ids))
    apart = (places[:, None] - places).abs()
    centre, context = ((apart > 0) & (apart <= window)).nonzero(as_tuple=True)
    return [tuple(pair) for pair in torch.stack([text[centre], text[context]], dim=1).tolist()]


# right form a_queue_of_what_was_just_read
def skip_gram_pairs(ids, window):
    pairs, before = [], deque(maxlen=window)
    for word in ids:
        for earlier in before:
            pairs.append((word, earlier))
            pairs.append((earlier, word))
        before.append(word)
    return pairs


# right form padded_with_nothing
def skip_gram_pairs(ids, window):
    padded = [None] * window + list(ids) + [None] * window
    return [
        (padded[at], padded[at + shift])
        for at in range(window, len(padded) - window)
        for shift in range(-window, window + 1)
        if shift and padded[at + shift] is not None
    ]
