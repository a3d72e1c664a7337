# exercise 01.train_bpe
"""Wrong answers to train_bpe by name: what is done to the text."""

import unicodedata
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


# mistake no_cuts (values), from plain
# The text is not cut into chunks: pairs are formed across words and spaces.
# Next: `regex.findall(pattern, text)` gives the chunks; count and merge inside each.
#   -    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
#   +    ids, merges = list(text.encode()), {}
#   Counter(pair for ids in chunks for pair in zip(ids, ids[1:])) => Counter(zip(ids, ids[1:]))
#   chunks = [merge_pair(ids, best, new_id) for ids in chunks] => ids = merge_pair(ids, best, new_id)


# mistake end_of_the_text_is_stripped (values)
# White space at the end of the text is cut off before training; its pairs count, too.
# Next: Take the text as it stands, without strip or rstrip.
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


# mistake pattern_ignored (values), from plain
# The text is always cut in the same way; the argument `pattern` is ignored.
# Next: Use the parameter in `regex.findall`.
#   pattern, text => SPLIT, text

# mistake characters (values), from plain
# The base ids are characters (`ord`), not bytes: a Chinese character would need an id far above 255.
# Next: `list(chunk.encode('utf-8'))` gives the bytes.
#   list(chunk.encode()) => [ord(letter) for letter in chunk]

# mistake normalised (values), from plain
# The text is normalised first: a letter that can be written in two ways gets other bytes than it has.
# Next: Take the text as it stands.
#   -    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
#   +    text, merges = unicodedata.normalize("NFC", text), {}
#   +    chunks = [list(chunk.encode()) for chunk in regex.findall(pattern, text)]

# mistake lower_case (values), from plain
# The text is turned into lower case first; A and a are different bytes.
# Next: Take the text as it stands.
#   pattern, text => pattern, text.lower()

# mistake spaces_stripped (values), from plain
# White space is cut off the chunks; a space belongs to its chunk and is merged like any other byte.
# Next: Take the chunks as `regex.findall` gives them: ` dog` has four bytes.
#   chunk.encode => chunk.strip().encode

# mistake blank_chunks_dropped (values), from plain
# Chunks of white space are left out; they hold pairs too, as in the indentation of code.
# Next: Count every chunk that the pattern gives.
#   chunk in regex.findall(pattern, text) => chunk in regex.findall(pattern, text) if chunk.strip()

# mistake text_between_matches_kept (values), from plain
# What lies between the matches of the pattern is taken for chunks, too.
# Next: The chunks are the matches alone: `regex.findall(pattern, text)`.
#   -    chunks, merges = [list(chunk.encode()) for chunk in regex.findall(pattern, text)], {}
#   +    parts = [part for part in regex.split(f"({pattern})", text) if part]
#   +    chunks, merges = [list(part.encode()) for part in parts], {}


# mistake pieces_of_text (type)
# The pairs are of characters, pieces of text; they should be of ids, and the first 256 ids are the bytes.
# Next: Turn each chunk into ids first: `list(chunk.encode('utf-8'))`.
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
