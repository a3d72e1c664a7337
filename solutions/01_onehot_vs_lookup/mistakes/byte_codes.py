"""Wrong answers on encoding, decoding and tiktoken's engine by name, and unusual right ones."""

import codecs

import regex
import tiktoken

from embedding_course.data.split import SPLIT
from grader.catalogue import few, mistake, right_form

# --- 01.bpe_encode


@mistake(
    "01.bpe_encode", "longest_match_first", stage=("shape", "values"),
    diagnosis="At each place the longest known token is taken; byte-pair encoding merges in the order of learning instead.",
    next_step="Work `abcd` out by hand with the merges bc, bcd, abc: the longest match takes abc, the order of learning bcd.",
)  # fmt: skip
def bpe_encode(text, merges, pattern=SPLIT):
    tokens = {bytes([one]): one for one in range(256)}
    halves = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        halves[new_id] = halves[left] + halves[right]
        tokens[halves[new_id]] = new_id
    ids = []
    for chunk in regex.findall(pattern, text):
        data = chunk.encode()
        while data:
            end = next(end for end in range(len(data), 0, -1) if data[:end] in tokens)
            ids.append(tokens[data[:end]])
            data = data[end:]
    return ids


@mistake(
    "01.bpe_encode", "first_pair_from_the_left", stage=("shape", "values"),
    diagnosis="The first pair from the left that can be merged is merged, whichever it is.",
    next_step="Among all pairs that can be merged, take the one with the lowest new id.",
)  # fmt: skip
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids, place = list(chunk.encode()), 0
        while place < len(ids) - 1:
            pair = (ids[place], ids[place + 1])
            if pair in merges:
                ids[place : place + 2] = [merges[pair]]
                place = 0
            else:
                place += 1
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "highest_merge_first", stage=("shape", "values"),
    diagnosis="The merge that was learned last goes first.",
    next_step="`min` of the new ids, not `max`.",
)  # fmt: skip
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        while pairs := [pair for pair in zip(ids, ids[1:]) if pair in merges]:
            best = max(pairs, key=merges.get)
            ids = merge_pair(ids, best, merges[best])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "one_merge_a_chunk", stage=("shape", "values"),
    diagnosis="Each chunk is merged once; a merge makes new pairs that can be merged again.",
    next_step="Repeat until no pair of neighbours stands in `merges`.",
)  # fmt: skip
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        pairs = [pair for pair in zip(ids, ids[1:]) if pair in merges]
        if pairs:
            best = min(pairs, key=merges.get)
            ids = merge_pair(ids, best, merges[best])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "no_cuts", stage=("shape", "values"),
    diagnosis="The text is not cut into chunks, so pairs are merged across cuts.",
    next_step="Encode each chunk of `regex.findall(pattern, text)` by itself and join the lists of ids.",
)  # fmt: skip
def bpe_encode(text, merges, pattern=SPLIT):
    ids = list(text.encode())
    for pair, new_id in merges.items():
        ids = merge_pair(ids, pair, new_id)
    return ids


@mistake(
    "01.bpe_encode", "bytes_only", stage="shape",
    diagnosis="The bytes come back unmerged.",
    next_step="Apply the merges: the pair with the lowest new id first.",
)  # fmt: skip
def bpe_encode(text, merges, pattern=SPLIT):
    return list(text.encode())


@mistake(
    "01.bpe_encode", "characters", stage="shape",
    diagnosis="The base ids are characters (`ord`), not bytes.",
    next_step="`list(chunk.encode('utf-8'))` gives the bytes.",
)  # fmt: skip
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
    diagnosis="The text is split into words, and the spaces between them get lost.",
    next_step="Cut with the pattern: its chunks joined give the whole text back.",
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(SPLIT, text):
        ids = list(chunk.encode())
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "pairs_of_the_beginning", stage=("shape", "values"),
    diagnosis="The pairs are looked up once, before any merging; pairs that merging makes are never seen.",
    next_step="Look at the neighbours again after every merge.",
)  # fmt: skip
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        for pair in sorted({pair for pair in zip(ids, ids[1:]) if pair in merges}, key=merges.get):
            ids = merge_pair(ids, pair, merges[pair])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "nothing_to_merge", stage="raises",
    diagnosis="A chunk of a single id has no pair, and `min` of nothing raises ValueError.",
    next_step="Go on only while the chunk has two ids or more.",
)  # fmt: skip
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        while True:
            pair = min(zip(ids, ids[1:]), key=lambda pair: merges.get(pair, float("inf")))
            if pair not in merges:
                break
            ids = merge_pair(ids, pair, merges[pair])
        encoded += ids
    return encoded


@mistake(
    "01.bpe_encode", "text_tidied", stage="values",
    diagnosis="The text is tidied (lower case, one form of accents) before it is encoded; it cannot be had back then.",
    next_step="Encode the text as it stands: decoding should give every byte of it back.",
)  # fmt: skip
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text.lower()):
        ids = list(chunk.encode())
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded


@right_form("01.bpe_encode", "all_merges_in_turn")
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded


@right_form("01.bpe_encode", "recursion_and_ranks")
def bpe_encode(text, merges, pattern=SPLIT):
    def best(ids):
        ranks = [merges.get(pair, 10**9) for pair in zip(ids, ids[1:])]
        lowest = min(ranks, default=10**9)
        if lowest == 10**9:
            return ids
        place = ranks.index(lowest)
        return best(ids[:place] + [lowest] + ids[place + 2 :])

    return tuple(one for chunk in regex.findall(pattern, text) for one in best(list(chunk.encode("utf-8"))))


@right_form("01.bpe_encode", "engine")
def bpe_encode(text, merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: one for one, token in tokens.items()}
    return tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}).encode_ordinary(text)


# --- 01.bpe_decode


@mistake(
    "01.bpe_decode", "token_by_token", stage="values",
    diagnosis="Each token is decoded by itself; a character that lies across two of them breaks.",
    next_step="Join the bytes of all tokens first and decode once.",
)  # fmt: skip
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return "".join(tokens[one].decode("utf-8", errors="replace") for one in ids)


@mistake(
    "01.bpe_decode", "strict", stage="raises",
    diagnosis="Bytes that are no UTF-8 raise UnicodeDecodeError; they should become the replacement character.",
    next_step='`decode("utf-8", errors="replace")`.',
)  # fmt: skip
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return b"".join(tokens[one] for one in ids).decode("utf-8")


@mistake(
    "01.bpe_decode", "broken_bytes_dropped", stage="values",
    diagnosis="Bytes that are no UTF-8 are left out; a reader should see that something was there.",
    next_step='`errors="replace"` instead of `"ignore"`.',
)  # fmt: skip
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return b"".join(tokens[one] for one in ids).decode("utf-8", errors="ignore")


@mistake(
    "01.bpe_decode", "bytes_as_characters", stage="values",
    diagnosis="Each byte is turned into a character by `chr`: that is Latin-1, not UTF-8.",
    next_step="Collect bytes and decode them as UTF-8.",
)  # fmt: skip
def bpe_decode(ids, merges):
    tokens = {one: chr(one) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return "".join(tokens[one] for one in ids)


@mistake(
    "01.bpe_decode", "halves_swapped", stage="values",
    diagnosis="The halves of a merge are joined in the wrong order.",
    next_step="The left id's bytes come first.",
)  # fmt: skip
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[right] + tokens[left]
    return b"".join(tokens[one] for one in ids).decode("utf-8", errors="replace")


@mistake(
    "01.bpe_decode", "merges_unfolded_once", stage="raises",
    diagnosis="A merge is unfolded into its two ids once; these may be merges themselves.",
    next_step="Build the bytes of every id from those of its halves, in the order of learning.",
)  # fmt: skip
def bpe_decode(ids, merges):
    halves = {new_id: pair for pair, new_id in merges.items()}
    flat = [part for one in ids for part in halves.get(one, (one,))]
    return bytes(flat).decode("utf-8", errors="replace")


@mistake(
    "01.bpe_decode", "returns_bytes", stage="type",
    diagnosis="Bytes come back; a string was asked for.",
    next_step='Decode at the end: `.decode("utf-8", errors="replace")`.',
)  # fmt: skip
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return b"".join(tokens[one] for one in ids)


@mistake(
    "01.bpe_decode", "cut_off_end_lost", stage="values",
    diagnosis="An incremental decoder waits for the rest of a character; at the end of the ids nobody tells it to stop.",
    next_step="Join all bytes and decode them at once, or finish with `final=True`.",
)  # fmt: skip
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    return "".join(decoder.decode(tokens[one]) for one in ids)


@mistake(
    "01.bpe_decode", "stripped", stage="values",
    diagnosis="White space at the ends is stripped; it was in the text.",
    next_step="Return the decoded text as it is.",
)  # fmt: skip
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return b"".join(tokens[one] for one in ids).decode("utf-8", errors="replace").strip()


@right_form("01.bpe_decode", "unfold_until_bytes")
def bpe_decode(ids, merges):
    halves = {new_id: pair for pair, new_id in merges.items()}
    stack, data = list(reversed(ids)), bytearray()
    while stack:
        one = stack.pop()
        if one in halves:
            left, right = halves[one]
            stack += [right, left]
        else:
            data.append(one)
    return str(bytes(data), "utf-8", "replace")


@right_form("01.bpe_decode", "recursion")
def bpe_decode(ids, merges):
    halves = dict(zip(merges.values(), merges.keys()))

    def spell(one):
        return bytes([one]) if one < 256 else spell(halves[one][0]) + spell(halves[one][1])

    return b"".join(map(spell, ids)).decode(errors="replace")


@right_form("01.bpe_decode", "list_of_tokens")
def bpe_decode(ids, merges):
    tokens = [bytes([one]) for one in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    data = b""
    for one in ids:
        data += tokens[one]
    return data.decode("utf-8", "replace")


# --- 01.to_tiktoken


@mistake(
    "01.to_tiktoken", "bytes_left_out", stage="raises",
    diagnosis="Only the merges are in the table; the engine also needs the 256 single bytes.",
    next_step="Begin with {bytes([i]): i for i in range(256)}.",
)  # fmt: skip
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    ranks = {}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
        ranks[tokens[new_id]] = new_id
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "ranks_from_zero", stage="values",
    diagnosis="The merges are ranked from 0, before the bytes; the rank of a token is its id.",
    next_step="Bytes have ranks 0 to 255, merges 256, 257, … as in `merges`.",
)  # fmt: skip
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    learned = [tokens[new_id] for new_id in merges.values()]
    ranks = {token: rank for rank, token in enumerate(learned + [bytes([one]) for one in range(256)])}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "sorted_by_length", stage="values",
    diagnosis="The merges are ranked by length, not by the order of learning.",
    next_step="Keep the ids that `merges` gives.",
)  # fmt: skip
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    order = sorted(tokens.values(), key=lambda token: (len(token), token))
    ranks = {token: rank for rank, token in enumerate(order)}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "pattern_ignored", stage=("shape", "values"),
    diagnosis="The engine always cuts in the same way; the argument `pattern` is ignored.",
    next_step="Pass `pattern` as `pat_str`.",
)  # fmt: skip
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: one for one, token in tokens.items()}
    return tiktoken.Encoding("mine", pat_str=SPLIT, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "special_token_added", stage="values",
    diagnosis="A special token was added; none was asked for.",
    next_step="`special_tokens={}`.",
)  # fmt: skip
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: one for one, token in tokens.items()}
    special = {"<|endoftext|>": 256 + len(merges)}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)


@mistake(
    "01.to_tiktoken", "pairs_as_keys", stage="raises",
    diagnosis="The table maps pairs of ids to ranks; the engine wants the bytes of each token.",
    next_step="Spell every merge out in bytes, as for decoding.",
)  # fmt: skip
def to_tiktoken(merges, pattern=SPLIT):
    ranks = {bytes([one]): one for one in range(256)}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks={**ranks, **merges}, special_tokens={})


@mistake(
    "01.to_tiktoken", "returns_the_table", stage="raises",
    diagnosis="What comes back cannot encode, as a table of ranks cannot; a tiktoken.Encoding was asked for.",
    next_step="Hand the table to `tiktoken.Encoding` as `mergeable_ranks`.",
)  # fmt: skip
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return {token: one for one, token in tokens.items()}


@mistake(
    "01.to_tiktoken", "halves_swapped", stage=("shape", "values"),
    diagnosis="The halves of a merge are joined in the wrong order.",
    next_step="The left id's bytes come first.",
)  # fmt: skip
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[right] + tokens[left]
    ranks = {token: one for one, token in tokens.items()}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "bytes_by_chr", stage=("shape", "values", "raises"),
    diagnosis="The single bytes are made with `chr(i).encode()`, which gives two bytes from 128 on.",
    next_step="`bytes([i])` is the byte i.",
)  # fmt: skip
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: chr(one).encode() for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: one for one, token in tokens.items()}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@right_form("01.to_tiktoken", "spelled_by_decoding")
def to_tiktoken(merges, pattern=SPLIT):
    halves = {new_id: pair for pair, new_id in merges.items()}

    def spell(one):
        return bytes([one]) if one < 256 else b"".join(map(spell, halves[one]))

    ranks = {spell(one): one for one in range(256 + len(merges))}
    return tiktoken.Encoding(
        name="embedding-course", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}, explicit_n_vocab=len(ranks)
    )


@right_form("01.to_tiktoken", "list_of_tokens")
def to_tiktoken(merges, pattern=SPLIT, name="list"):
    tokens = [bytes([one]) for one in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=dict(zip(tokens, range(len(tokens)))), special_tokens={})


few("01.to_tiktoken", "right forms", "The engine has one constructor; right answers differ only in how tokens are spelled.")
