"""Wrong answers to bpe_encode by name: what is done to the text."""

import regex

from embedding_course.data.split import SPLIT
from grader.course_source.catalogue import mistake


@mistake(
    "01.bpe_encode", "no_cuts", stage=("shape", "values"),
    diagnosis="The text is not cut into chunks, so pairs are merged across cuts.",
    next_step="Encode each chunk of `regex.findall(pattern, text)` by itself and join the lists of ids.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    ids = list(text.encode())
    for pair, new_id in merges.items():
        ids = merge_pair(ids, pair, new_id)
    return ids


@mistake(
    "01.bpe_encode", "bytes_only", stage="shape",
    diagnosis="The bytes come back unmerged.",
    next_step="Apply the merges: the pair with the lowest new id first.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    return list(text.encode())


@mistake(
    "01.bpe_encode", "characters", stage="shape",
    diagnosis="The base ids are characters (`ord`), not bytes.",
    next_step="`list(chunk.encode('utf-8'))` gives the bytes.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = [ord(letter) for letter in chunk]
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "white_space_lost", stage=("shape", "values"),
    diagnosis="Words are encoded without the white space around them: the spaces get lost.",
    next_step="Cut with the pattern: its chunks joined give the whole text back.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for word in text.split():
        ids = list(word.encode())
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "list_a_chunk", stage="type",
    diagnosis="A list of lists comes back, one a chunk; a single list of ids was asked for.",
    next_step="`encoded += ids`, or `extend`, instead of `append`.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded.append(ids)
    return encoded


@mistake(
    "01.bpe_encode", "line_by_line", stage=("shape", "values"),
    diagnosis="Each line is encoded by itself, so merges over several line ends are lost.",
    next_step="Cut the whole text with the pattern, and with nothing else.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for line in text.splitlines(keepends=True):
        for chunk in regex.findall(pattern, line):
            ids = list(chunk.encode())
            for pair, new_id in merges.items():
                ids = merge_pair(ids, pair, new_id)
            encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "pattern_ignored", stage=("shape", "values"),
    diagnosis="The text is always cut in the same way; the argument `pattern` is ignored.",
    next_step="Use the parameter in `regex.findall`.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(SPLIT, text):
        ids = list(chunk.encode())
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "text_tidied", stage="values",
    diagnosis="The text is tidied (lower case, one form of accents) before it is encoded; it cannot be had back then.",
    next_step="Encode the text as it stands: decoding should give every byte of it back.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text.lower()):
        ids = list(chunk.encode())
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "text_between_matches_kept", stage=("shape", "values"),
    diagnosis="What lies between the matches of the pattern is encoded, too.",
    next_step="The chunks are the matches alone: `regex.findall(pattern, text)`.",
)
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for part in regex.split(f"({pattern})", text):
        ids = list((part or "").encode())
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded
