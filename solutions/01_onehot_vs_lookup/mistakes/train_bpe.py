"""Wrong answers about learning the merges by name, and unusual right ones."""

import unicodedata
from collections import Counter, defaultdict

import regex

from embedding_course.data.split import SPLIT
from grader.catalogue import mistake, right_form


@mistake(
    "01.train_bpe", "chunks_counted_once", stage="values",
    diagnosis="Each chunk counts once, however often it occurs: frequent words should weigh more.",
    next_step="Keep the chunks' counts and add them, not 1, for each pair.",
)  # fmt: skip
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


@mistake(
    "01.train_bpe", "no_cuts", stage="values",
    diagnosis="The text is not cut into chunks: pairs are formed across words and spaces.",
    next_step="`regex.findall(pattern, text)` gives the chunks; count and merge inside each.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    ids, merges = list(text.encode()), {}
    for new_id in range(256, vocab_size):
        pairs = Counter(zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        ids = merge_pair(ids, best, new_id)
    return merges


@mistake(
    "01.train_bpe", "end_of_the_text_is_stripped", stage="values",
    diagnosis="White space at the end of the text is cut off before training; its pairs count, too.",
    next_step="Take the text as it stands, without strip or rstrip.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks = [list(chunk.encode()) for chunk in regex.findall(pattern, text.rstrip())]
    merges = {}
    while 256 + len(merges) < vocab_size:
        counts = Counter(pair for chunk in chunks for pair in zip(chunk, chunk[1:]))
        if not counts:
            break
        best = max(counts, key=counts.get)
        merges[best] = 256 + len(merges)
        chunks = [merge_pair(chunk, best, merges[best]) for chunk in chunks]
    return merges


@mistake(
    "01.train_bpe", "pattern_ignored", stage="values",
    diagnosis="The text is always cut in the same way; the argument `pattern` is ignored.",
    next_step="Use the parameter in `regex.findall`.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(SPLIT, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "least_frequent", stage="values",
    diagnosis="The rarest pair is merged; the most frequent one should be.",
    next_step="`max` over the counts, or the first of `most_common`.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = min(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "counted_once_for_all", stage="values",
    diagnosis="Pairs are counted once, at the beginning; each merge changes which pairs there are.",
    next_step="Count again after every merge.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks = [list(chunk.encode()) for chunk in regex.findall(pattern, text)]
    pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
    best = pairs.most_common(max(0, vocab_size - 256))
    return {pair: 256 + place for place, (pair, _) in enumerate(best)}


@mistake(
    "01.train_bpe", "vocab_size_merges", stage="shape",
    diagnosis="`vocab_size` merges are made; the 256 bytes are part of the vocabulary already.",
    next_step="There are vocab_size - 256 merges.",
)  # fmt: skip
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


@mistake(
    "01.train_bpe", "one_merge_short", stage="shape",
    diagnosis="One merge is missing: the last id, vocab_size - 1, is never given.",
    next_step="`range(256, vocab_size)` gives as many new ids as are wanted.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size - 1):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "ids_from_257", stage="values",
    diagnosis="The first new id is 257; ids 0 to 255 are bytes, so the first free one is 256.",
    next_step="New ids are 256 + the number of merges made so far.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(257, vocab_size + 1):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "no_early_end", stage="raises",
    diagnosis="When no pair is left, `max` of nothing raises ValueError; training should end there.",
    next_step="Look whether there are pairs before you take the most frequent.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "stops_at_count_one", stage="shape",
    diagnosis="Training stops when every pair stands once; it should go on until no pair is left.",
    next_step="End only when there are no pairs at all.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs or max(pairs.values()) < 2:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "characters", stage="values",
    diagnosis="The base ids are characters (`ord`), not bytes: a Chinese character would need an id far above 255.",
    next_step="`list(chunk.encode('utf-8'))` gives the bytes.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [[ord(letter) for letter in chunk] for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "runs_counted_without_overlap", stage="values",
    diagnosis="A run such as aaa is counted as one (a, a); pairs are counted at every place where they stand.",
    next_step="Count with `zip(ids, ids[1:])`: aaa holds (a, a) twice.",
)  # fmt: skip
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
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], []
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        merges.append(max(pairs, key=pairs.get))
        chunks = [merge_pair(ids, merges[-1], new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "ids_to_pairs", stage="type",
    diagnosis="The dict is the wrong way round: it maps new ids to pairs.",
    next_step="The pair is the key, the new id the value.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[new_id] = best
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "once_a_chunk", stage="values",
    diagnosis="A pair counts once in each chunk; it counts at every place where it stands.",
    next_step="Count over all of `zip(ids, ids[1:])`, without a set.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in set(zip(ids, ids[1:])))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "normalised", stage="values",
    diagnosis="The text is normalised first: a letter that can be written in two ways gets other bytes than it has.",
    next_step="Take the text as it stands.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    text, merges = unicodedata.normalize("NFC", text), {}
    chunks = [list(chunk.encode()) for chunk in regex.findall(pattern, text)]
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "lower_case", stage="values",
    diagnosis="The text is turned into lower case first; A and a are different bytes.",
    next_step="Take the text as it stands.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text.lower())], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "spaces_stripped", stage="values",
    diagnosis="White space is cut off the chunks; a space belongs to its chunk and is merged like any other byte.",
    next_step="Take the chunks as `regex.findall` gives them: ` dog` has four bytes.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.strip().encode()) for chunk in regex.findall(pattern, text)], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "blank_chunks_dropped", stage="values",
    diagnosis="Chunks of white space are left out; they hold pairs too, as in the indentation of code.",
    next_step="Count every chunk that the pattern gives.",
)  # fmt: skip
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text) if chunk.strip()], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@right_form("01.train_bpe", "every_chunk_by_itself")
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


@right_form("01.train_bpe", "last_of_a_tie")
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


@right_form("01.train_bpe", "strings")
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


@right_form("01.train_bpe", "counts_kept_up_to_date")
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
