# exercise 01.train_bpe
import random
from collections import Counter, defaultdict

import numpy as np
import regex

from embedding_course.data.split import SPLIT


# right form any_of_a_tie
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks = [list(match.group().encode()) for match in regex.finditer(pattern, text)]
    merges = {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        most = max(pairs.values())
        best = random.choice([pair for pair in pairs if pairs[pair] == most])
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


# right form numpy_unique
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks = [np.array(list(chunk.encode()), dtype=np.int64) for chunk in regex.findall(pattern, text)]
    merges = {}
    while 256 + len(merges) < vocab_size:
        parts = [np.stack([ids[:-1], ids[1:]], axis=1) for ids in chunks if len(ids) > 1]
        if not parts:
            break
        pairs, counts = np.unique(np.concatenate(parts), axis=0, return_counts=True)
        left, right = pairs[counts.argmax()]
        new_id = 256 + len(merges)
        merges[left, right] = new_id
        chunks = [np.array(merge_pair(ids.tolist(), (int(left), int(right)), new_id)) for ids in chunks]
    return merges


# right form every_chunk_by_itself
def train_bpe(text, vocab_size, pattern=SPLIT, verbose=False):
    chunks, merges = [list(chunk.encode("utf-8")) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        counts = defaultdict(int)
        for ids in chunks:
            for place in range(len(ids) - 1):
                counts[ids[place], ids[place + 1]] += 1
        if not counts:
            break
        best, _ = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[0]
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


# right form last_of_a_tie
def train_bpe(text, vocab_size, pattern=SPLIT):
    words = Counter(tuple(chunk.encode()) for chunk in regex.findall(pattern, text))
    merges = {}
    while 256 + len(merges) < vocab_size:
        pairs = Counter()
        for word, count in words.items():
            for pair in zip(word, word[1:]):
                pairs[pair] += count
        if len(pairs) == 0:
            return merges
        highest = max(pairs.values())
        best = max(pair for pair, count in pairs.items() if count == highest)
        new_id = merges[best] = 256 + len(merges)
        merged = Counter()
        for word, count in words.items():
            merged[tuple(merge_pair(list(word), best, new_id))] += count
        words = merged
    return merges


# right form strings
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks = ["".join(map(chr, chunk.encode())) for chunk in regex.findall(pattern, text)]
    merges = {}
    for new_id in range(256, max(256, vocab_size)):
        pairs = Counter(a + b for chunk in chunks for a, b in zip(chunk, chunk[1:]))
        if not pairs:
            break
        best = pairs.most_common(1)[0][0]
        merges[ord(best[0]), ord(best[1])] = new_id
        chunks = [chunk.replace(best, chr(new_id)) for chunk in chunks]
    return merges


# right form counts_kept_up_to_date
def train_bpe(text, vocab_size, pattern=SPLIT):
    words = {tuple(chunk.encode()): count for chunk, count in Counter(regex.findall(pattern, text)).items()}
    pairs, merges = Counter(), {}
    for word, count in words.items():
        for pair in zip(word, word[1:]):
            pairs[pair] += count
    for new_id in range(256, vocab_size):
        pairs = +pairs
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], -pair[0], pair[1]))
        merges[best] = new_id
        for word, count in list(words.items()):
            merged = tuple(merge_pair(list(word), best, new_id))
            pairs.subtract({pair: many * count for pair, many in Counter(zip(word, word[1:])).items()})
            pairs.update({pair: many * count for pair, many in Counter(zip(merged, merged[1:])).items()})
            del words[word]
            words[merged] = count
    return merges
