# exercise 01.train_bpe
"""Wrong answers to train_bpe by name: which pairs are counted and merged, and when that ends."""

from collections import Counter

import regex

from embedding_course.data.split import SPLIT


# base plain
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


# mistake chunks_counted_once (values), from plain
# Each chunk counts once, however often it occurs: frequent words should weigh more.
# Next: Keep the chunks' counts and add them, not 1, for each pair.
#   -    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
#   +    chunks = [list(chunk.encode()) for chunk in dict.fromkeys(regex.findall(pattern, text))]
#   +    merges = {}

# mistake least_frequent (values), from plain
# The rarest pair is merged; the most frequent one should be.
# Next: `max` over the counts, or the first of `most_common`.
#   max(pairs, key=pairs.get) => min(pairs, key=pairs.get)


# mistake counted_once_for_all (values)
# Pairs are counted once, at the beginning; each merge changes which pairs there are.
# Next: Count again after every merge.
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks = [list(chunk.encode()) for chunk in regex.findall(pattern, text)]
    pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
    best = pairs.most_common(max(0, vocab_size - 256))
    return {pair: 256 + place for place, (pair, _) in enumerate(best)}


# mistake vocab_size_merges (shape), from plain
# `vocab_size` merges are made; the 256 bytes are part of the vocabulary already.
# Next: There are vocab_size - 256 merges.
#   -    for new_id in range(256, vocab_size):
#   +    for place in range(vocab_size):
#   merges[best] = new_id => merges[best] = 256 + place
#   best, new_id => best, 256 + place

# mistake one_merge_short (shape), from plain
# One merge is missing: the last id, vocab_size - 1, is never given.
# Next: `range(256, vocab_size)` gives as many new ids as are wanted.
#   256, vocab_size => 256, vocab_size - 1

# mistake ids_from_257 (values), from plain
# The first new id is 257; ids 0 to 255 are bytes, so the first free one is 256.
# Next: New ids are 256 + the number of merges made so far.
#   256, vocab_size => 257, vocab_size + 1

# mistake no_early_end (raises), from plain
# When no pair is left, `max` of nothing raises ValueError; training should end there.
# Next: Look whether there are pairs before you take the most frequent.
#   -        if not pairs:
#   -            break

# mistake stops_at_count_one (shape), from plain
# Training stops when every pair stands once; it should go on until no pair is left.
# Next: End only when there are no pairs at all.
#   not pairs => not pairs or max(pairs.values()) < 2

# mistake runs_counted_without_overlap (values), from plain
# A run such as aaa is counted as one (a, a); pairs are counted at every position where they stand.
# Next: Count with `zip(ids, ids[1:])`: aaa holds (a, a) twice.
#   -        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
#   +        pairs = Counter()
#   +        for ids in chunks:
#   +            place = 0
#   +            while place < len(ids) - 1:
#   +                pair = (ids[place], ids[place + 1])
#   +                pairs[pair] += 1
#   +                place += 2 if pair[0] == pair[1] and ids[place + 2 : place + 3] == [pair[0]] else 1

# mistake list_of_pairs (type), from plain
# A list of pairs comes back; a dict from pair to new id was asked for.
# Next: `merges[pair] = new_id`.
#   {} => []
#   -        best = max(pairs, key=pairs.get)
#   -        merges[best] = new_id
#   -        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
#   +        merges.append(max(pairs, key=pairs.get))
#   +        chunks = [merge_pair(ids, merges[-1], new_id) for ids in chunks]

# mistake ids_to_pairs (type), from plain
# The dict is the wrong way round: it maps new ids to pairs.
# Next: The pair is the key, the new id the value.
#   merges[best] = new_id => merges[new_id] = best

# mistake once_a_chunk (values), from plain
# A pair counts once in each chunk; it counts at every position where it stands.
# Next: Count over all of `zip(ids, ids[1:])`, without a set.
#   zip(ids, ids[1:]) => set(zip(ids, ids[1:]))

# mistake only_bytes_merge (values), from plain
# Only pairs of bytes are merged; a merged id can be part of the next pair.
# Next: Count the pairs of whatever ids the chunks hold now, new ones included.
#   ]) => ]) if max(pair) < 256

# mistake tokens_as_keys (type), from plain
# The keys are the bytes of the tokens; pairs of ids were asked for.
# Next: `merges[pair] = new_id`, where pair is a tuple of two ids.
#    def train_bpe(text, vocab_size, pattern=SPLIT):
#   +    tokens = {index: bytes([index]) for index in range(256)}
#   -        merges[best] = new_id
#   +        tokens[new_id] = tokens[best[0]] + tokens[best[1]]
#   +        merges[tokens[new_id]] = new_id

# mistake none_at_an_early_end (type), from plain
# When no pair is left, `return` without a value ends the function: what was learned is lost.
# Next: Leave the loop by `break`, or return the merges there.
#   break => return

# mistake small_sizes_refused (raises), from plain
# A vocab_size below 256 is refused; {} was asked for, since there is nothing to merge.
# Next: `range(256, vocab_size)` is empty by itself when vocab_size is small.
#    def train_bpe(text, vocab_size, pattern=SPLIT):
#   +    if vocab_size < 256:
#   +        raise ValueError("256 ids are needed for the bytes")

# mistake id_256_left_out (shape), from plain
# The new ids begin at 257: one merge too few is made, and the id 256 is never given.
# Next: Ids 0 to 255 are bytes, so the first new one is 256: `range(256, vocab_size)`.
#   256, vocab_size => 257, vocab_size

# mistake order_times_a_hundredth (values), from plain
# To break ties, you take a hundredth of a pair's position off its count. From the hundredth pair on, that is a whole
# occurrence.
# Next: Compare the counts alone: of equals any pair will do.
#   pairs.get => lambda pair: pairs[pair] - list(pairs).index(pair) / 100
