"""Wrong answers to train_bpe by name: which pairs are counted and merged, and when that ends."""

from collections import Counter

import regex

from embedding_course.data.split import SPLIT
from grader.course_source.catalogue import altered, base, mistake


@mistake(
    "01.train_bpe", "chunks_counted_once", stage="values",
    diagnosis="Each chunk counts once, however often it occurs: frequent words should weigh more.",
    next_step="Keep the chunks' counts and add them, not 1, for each pair.",
)
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks = [list(chunk.encode()) for chunk in dict.fromkeys(regex.findall(pattern, text))]
    merges = {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@base("plain")
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


altered(
    "01.train_bpe", "least_frequent", "plain", {"max": "min"}, stage="values",
    diagnosis="The rarest pair is merged; the most frequent one should be.",
    next_step="`max` over the counts, or the first of `most_common`.",
)


@mistake(
    "01.train_bpe", "counted_once_for_all", stage="values",
    diagnosis="Pairs are counted once, at the beginning; each merge changes which pairs there are.",
    next_step="Count again after every merge.",
)
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks = [list(chunk.encode()) for chunk in regex.findall(pattern, text)]
    pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
    best = pairs.most_common(max(0, vocab_size - 256))
    return {pair: 256 + place for place, (pair, _) in enumerate(best)}


@mistake(
    "01.train_bpe", "vocab_size_merges", stage="shape",
    diagnosis="`vocab_size` merges are made; the 256 bytes are part of the vocabulary already.",
    next_step="There are vocab_size - 256 merges.",
)
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for place in range(vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = 256 + place
        chunks = [merge_pair(ids, best, 256 + place) for ids in chunks]
    return merges


altered(
    "01.train_bpe", "one_merge_short", "plain", {"(256, vocab_size):": "(256, vocab_size - 1):"}, stage="shape",
    diagnosis="One merge is missing: the last id, vocab_size - 1, is never given.",
    next_step="`range(256, vocab_size)` gives as many new ids as are wanted.",
)

altered(
    "01.train_bpe", "ids_from_257", "plain", {"256, vocab_size": "257, vocab_size + 1"}, stage="values",
    diagnosis="The first new id is 257; ids 0 to 255 are bytes, so the first free one is 256.",
    next_step="New ids are 256 + the number of merges made so far.",
)


@mistake(
    "01.train_bpe", "no_early_end", stage="raises",
    diagnosis="When no pair is left, `max` of nothing raises ValueError; training should end there.",
    next_step="Look whether there are pairs before you take the most frequent.",
)
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


altered(
    "01.train_bpe", "stops_at_count_one", "plain", {"pairs:": "pairs or max(pairs.values()) < 2:"}, stage="shape",
    diagnosis="Training stops when every pair stands once; it should go on until no pair is left.",
    next_step="End only when there are no pairs at all.",
)


@mistake(
    "01.train_bpe", "runs_counted_without_overlap", stage="values",
    diagnosis="A run such as aaa is counted as one (a, a); pairs are counted at every position where they stand.",
    next_step="Count with `zip(ids, ids[1:])`: aaa holds (a, a) twice.",
)
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter()
        for ids in chunks:
            place = 0
            while place < len(ids) - 1:
                pair = (ids[place], ids[place + 1])
                pairs[pair] += 1
                place += 2 if pair[0] == pair[1] and ids[place + 2 : place + 3] == [pair[0]] else 1
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "list_of_pairs", stage="type",
    diagnosis="A list of pairs comes back; a dict from pair to new id was asked for.",
    next_step="`merges[pair] = new_id`.",
)
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], []
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        merges.append(max(pairs, key=pairs.get))
        chunks = [merge_pair(ids, merges[-1], new_id) for ids in chunks]
    return merges


altered(
    "01.train_bpe", "ids_to_pairs", "plain", {"[best] = new_id": "[new_id] = best"}, stage="type",
    diagnosis="The dict is the wrong way round: it maps new ids to pairs.",
    next_step="The pair is the key, the new id the value.",
)

altered(
    "01.train_bpe", "once_a_chunk", "plain", {"zip(ids, ids[1:])": "set(zip(ids, ids[1:]))"}, stage="values",
    diagnosis="A pair counts once in each chunk; it counts at every position where it stands.",
    next_step="Count over all of `zip(ids, ids[1:])`, without a set.",
)

altered(
    "01.train_bpe", "only_bytes_merge", "plain",
    {"in zip(ids, ids[1:]))": "in zip(ids, ids[1:]) if max(pair) < 256)"},
    stage="values",
    diagnosis="Only pairs of bytes are merged; a merged id can be part of the next pair.",
    next_step="Count the pairs of whatever ids the chunks hold now, new ones included.",
)


@mistake(
    "01.train_bpe", "tokens_as_keys", stage="type",
    diagnosis="The keys are the bytes of the tokens; pairs of ids were asked for.",
    next_step="`merges[pair] = new_id`, where pair is a tuple of two ids.",
)
def train_bpe(text, vocab_size, pattern=SPLIT):
    tokens = {index: bytes([index]) for index in range(256)}
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        tokens[new_id] = tokens[best[0]] + tokens[best[1]]
        merges[tokens[new_id]] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


altered(
    "01.train_bpe", "none_at_an_early_end", "plain", {"break": "return"}, stage="type",
    diagnosis="When no pair is left, `return` without a value ends the function: what was learned is lost.",
    next_step="Leave the loop by `break`, or return the merges there.",
)


@mistake(
    "01.train_bpe", "small_sizes_refused", stage="raises",
    diagnosis="A vocab_size below 256 is refused; {} was asked for, since there is nothing to merge.",
    next_step="`range(256, vocab_size)` is empty by itself when vocab_size is small.",
)
def train_bpe(text, vocab_size, pattern=SPLIT):
    if vocab_size < 256:
        raise ValueError("256 ids are needed for the bytes")
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


altered(
    "01.train_bpe", "id_256_left_out", "plain", {"256, vocab_size": "257, vocab_size"}, stage="shape",
    diagnosis="The new ids begin at 257: one merge too few is made, and the id 256 is never given.",
    next_step="Ids 0 to 255 are bytes, so the first new one is 256: `range(256, vocab_size)`.",
)


altered(
    "01.train_bpe", "order_times_a_hundredth", "plain",
    {"max(pairs, key=pairs.get)": "max(pairs, key=lambda pair: pairs[pair] - list(pairs).index(pair) / 100)"}, stage="values",
    diagnosis="A hundredth of a pair's place is taken off its count, to decide between equals. From the hundredth pair on that "
    "is a whole occurrence.",
    next_step="Compare the counts alone: of equals any pair will do.",
)
