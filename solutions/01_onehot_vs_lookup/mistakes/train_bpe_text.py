"""Wrong answers to train_bpe by name: what is done to the text."""

import unicodedata
from collections import Counter

import regex

from embedding_course.data.split import SPLIT
from grader.course_source.catalogue import mistake


@mistake(
    "01.train_bpe", "no_cuts", stage="values",
    diagnosis="The text is not cut into chunks: pairs are formed across words and spaces.",
    next_step="`regex.findall(pattern, text)` gives the chunks; count and merge inside each.",
)
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
)
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
)
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
    "01.train_bpe", "characters", stage="values",
    diagnosis="The base ids are characters (`ord`), not bytes: a Chinese character would need an id far above 255.",
    next_step="`list(chunk.encode('utf-8'))` gives the bytes.",
)
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
    "01.train_bpe", "normalised", stage="values",
    diagnosis="The text is normalised first: a letter that can be written in two ways gets other bytes than it has.",
    next_step="Take the text as it stands.",
)
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
)
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
)
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
)
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


@mistake(
    "01.train_bpe", "text_between_matches_kept", stage="values",
    diagnosis="What lies between the matches of the pattern is taken for chunks, too.",
    next_step="The chunks are the matches alone: `regex.findall(pattern, text)`.",
)
def train_bpe(text, vocab_size, pattern=SPLIT):
    parts = [part for part in regex.split(f"({pattern})", text) if part]
    chunks, merges = [list(part.encode()) for part in parts], {}
    for new_id in range(256, vocab_size):
        pairs = Counter(pair for ids in chunks for pair in zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = new_id
        chunks = [merge_pair(ids, best, new_id) for ids in chunks]
    return merges


@mistake(
    "01.train_bpe", "pieces_of_text", stage="type",
    diagnosis="The pairs are of characters, pieces of text; they should be of ids, and the first 256 ids are the bytes.",
    next_step="Turn each chunk into ids first: `list(chunk.encode('utf-8'))`.",
)
def train_bpe(text, vocab_size, pattern=SPLIT):
    chunks = [list(chunk) for chunk in regex.findall(pattern, text)]
    merges = {}
    while len(merges) < vocab_size - 256:
        pairs = Counter()
        for ids in chunks:
            pairs.update(zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges[best] = 256 + len(merges)
        chunks = [merge_pair(ids, best, merges[best]) for ids in chunks]
    return merges
