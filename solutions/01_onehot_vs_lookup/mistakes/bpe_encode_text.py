# exercise 01.bpe_encode
"""Wrong answers to bpe_encode by name: what is done to the text."""

import regex

from embedding_course.data.split import SPLIT


# mistake no_cuts (shape, values)
# The text is not cut into chunks, so pairs are merged across cuts.
# Next: Encode each chunk of `regex.findall(pattern, text)` by itself and join the lists of ids.
def bpe_encode(text, merges, pattern=SPLIT):
    ids = list(text.encode())
    for pair, new_id in merges.items():
        ids = merge_pair(ids, pair, new_id)
    return ids


# mistake bytes_only (shape)
# The bytes come back unmerged.
# Next: Apply the merges: the pair with the lowest new id first.
def bpe_encode(text, merges, pattern=SPLIT):
    return list(text.encode())


# base plain
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded


# mistake characters (shape), from plain
# The base ids are characters (`ord`), not bytes.
# Next: `list(chunk.encode('utf-8'))` gives the bytes.
#   list(chunk.encode()) => [ord(letter) for letter in chunk]

# mistake white_space_lost (shape, values), from plain
# Words are encoded without the white space around them: the spaces get lost.
# Next: Cut with the pattern: its chunks joined give the whole text back.
#   -    for chunk in regex.findall(pattern, text):
#   +    for word in text.split():
#   chunk.encode => word.encode

# mistake list_a_chunk (type), from plain
# A list of lists comes back, one a chunk; a single list of ids was asked for.
# Next: `encoded += ids`, or `extend`, instead of `append`.
#   encoded += ids => encoded.append(ids)


# mistake line_by_line (shape, values)
# Each line is encoded by itself, so merges over several line ends are lost.
# Next: Cut the whole text with the pattern, and with nothing else.
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for line in text.splitlines(keepends=True):
        for chunk in regex.findall(pattern, line):
            ids = list(chunk.encode())
            for pair, new_id in merges.items():
                ids = merge_pair(ids, pair, new_id)
            encoded += ids
    return encoded


# mistake pattern_ignored (shape, values), from plain
# The text is always cut in the same way; the argument `pattern` is ignored.
# Next: Use the parameter in `regex.findall`.
#   pattern, text => SPLIT, text

# mistake text_tidied (values), from plain
# The text is tidied (lower case, one form of accents) before it is encoded; it cannot be had back then.
# Next: Encode the text as it stands: decoding should give every byte of it back.
#   pattern, text => pattern, text.lower()

# mistake text_between_matches_kept (shape, values), from plain
# What lies between the matches of the pattern is encoded, too.
# Next: The chunks are the matches alone: `regex.findall(pattern, text)`.
#   -    for chunk in regex.findall(pattern, text):
#   +    for part in regex.split(f"({pattern})", text):
#   chunk.encode => (part or "").encode
