# exercise 01.bpe_decode
import codecs
import io
import unicodedata

import numpy as np


# base plain
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return "".join(tokens[one] for one in ids)


# mistake token_by_token (values), from plain
# Each token is decoded by itself; a character that lies across two of them breaks.
# Next: Join the bytes of all tokens first and decode once.
#   tokens[one] => tokens[one].decode("utf-8", errors="replace")

# mistake strict (raises), from plain
# Bytes that are no UTF-8 raise UnicodeDecodeError; they should become the replacement character.
# Next: `decode("utf-8", errors="replace")`.
#   "".join(tokens[one] for one in ids) => b"".join(tokens[one] for one in ids).decode("utf-8")

# mistake broken_bytes_dropped (values), from plain
# Bytes that are no UTF-8 are left out; a reader should see that something was there.
# Next: `errors="replace"` instead of `"ignore"`.
#   "".join(tokens[one] for one in ids) => b"".join(tokens[one] for one in ids).decode("utf-8", errors="ignore")

# mistake bytes_as_characters (values), from plain
# Each byte becomes a character of its own, as with `chr` or Latin-1; in UTF-8 a character may need several.
# Next: Collect bytes and decode them as UTF-8.
#   bytes([one]) => chr(one)

# mistake halves_swapped (values), from plain
# The halves of a merge are joined in the wrong order.
# Next: The left id's bytes come first.
#   tokens[left] + tokens[right] => tokens[right] + tokens[left]
#   "".join(tokens[one] for one in ids) => b"".join(tokens[one] for one in ids).decode("utf-8", errors="replace")


# mistake merges_unfolded_once (raises)
# A merge is unfolded into its two ids once; these may be merges themselves.
# Next: Build the bytes of every id from those of its halves, in the order of learning.
def bpe_decode(ids, merges):
    halves = {new_id: pair for pair, new_id in merges.items()}
    flat = [part for one in ids for part in halves.get(one, (one,))]
    return bytes(flat).decode("utf-8", errors="replace")


# mistake returns_bytes (type), from plain
# Bytes come back; a string was asked for.
# Next: Decode at the end: `.decode("utf-8", errors="replace")`.
#   "" => b""

# mistake cut_off_end_lost (values), from plain
# An incremental decoder waits for the rest of a character; it is never told that the ids have ended.
# Next: Join all bytes and decode them at once, or finish with `final=True`.
#   -    return "".join(tokens[one] for one in ids)
#   +    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
#   +    return "".join(decoder.decode(tokens[one]) for one in ids)


# mistake broken_start_takes_the_next (values)
# Bytes are held back until they decode; behind a broken character the byte that begins the next is lost.
# Next: Join all bytes and decode them at once: only the broken ones are replaced.
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    text, held = "", b""
    for one in ids:
        held += tokens[one]
        try:
            text += held.decode("utf-8")
        except UnicodeDecodeError as error:
            if error.reason == "unexpected end of data":
                continue
            text += held.decode("utf-8", errors="replace")
        held = b""
    return text + held.decode("utf-8", errors="replace")


# mistake zeros_for_bytes (values), from plain
# `bytes(97)` is 97 zeros; the byte of value 97 is `bytes([97])`.
# Next: Put the number in a list: `bytes([index])`.
#   bytes([one]) => bytes(one)
#   "".join(tokens[one] for one in ids) => b"".join(tokens[one] for one in ids).decode("utf-8", errors="replace")

# mistake printed_bytes (values), from plain
# `str` of bytes is how they are printed, `b'...'` with its quotes; it decodes nothing.
# Next: `.decode("utf-8", errors="replace")` turns bytes into text.
#   "".join(tokens[one] for one in ids) => str(b"".join(tokens[one] for one in ids))

# mistake stripped (values), from plain
# White space at the ends is stripped; it was in the text.
# Next: Return the decoded text as it is.
#   "".join(tokens[one] for one in ids) => b"".join(tokens[one] for one in ids).decode("utf-8", errors="replace").strip()

# mistake zero_ends_the_text (values), from plain
# Ids of 0 are left out, as if they were padding; the byte 0 is a character like any other.
# Next: Take every id, also one that counts as false.
#   {one: bytes([one]) for one in range(256)} => {index: bytes([index]) for index in range(256)}
#   "".join(tokens[one] for one in ids) => b"".join(tokens[index] for index in ids if index).decode("utf-8", errors="replace")

# mistake byte_order_mark_lost (values), from plain
# `utf-8-sig` removes a byte-order mark at the beginning; it was in the text.
# Next: Decode as plain `utf-8`.
#   {one: bytes([one]) for one in range(256)} => {index: bytes([index]) for index in range(256)}
#   "".join(tokens[one] for one in ids) => b"".join(tokens[index] for index in ids).decode("utf-8-sig", errors="replace")


# mistake all_or_nothing (values)
# One broken byte spoils the whole text; only that byte should be replaced.
# Next: `.decode("utf-8", errors="replace")` replaces what is broken and keeps the rest.
def bpe_decode(ids, merges):
    tokens = {index: bytes([index]) for index in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    try:
        return b"".join(tokens[index] for index in ids).decode("utf-8")
    except UnicodeDecodeError:
        return "\ufffd"


# mistake normalised (values)
# The text is normalised after decoding: an e and an accent become one character, which has other bytes.
# Next: Return the text as it comes out of `decode`.
def bpe_decode(ids, merges):
    tokens = {index: bytes([index]) for index in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    text = b"".join(tokens[index] for index in ids).decode("utf-8", errors="replace")
    return unicodedata.normalize("NFC", text)


# right form unfold_until_bytes
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


# right form recursion
def bpe_decode(ids, merges):
    halves = dict(zip(merges.values(), merges.keys()))

    def spell(one):
        return bytes([one]) if one < 256 else spell(halves[one][0]) + spell(halves[one][1])

    return b"".join(map(spell, ids)).decode(errors="replace")


# right form list_of_tokens
def bpe_decode(ids, merges):
    tokens = [bytes([one]) for one in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    data = b""
    for one in ids:
        data += tokens[one]
    return data.decode("utf-8", "replace")


# right form text_stream
def bpe_decode(ids, merges):
    halves = {new_id: pair for pair, new_id in merges.items()}

    def spell(index):
        return bytes([index]) if index < 256 else spell(halves[index][0]) + spell(halves[index][1])

    data = io.BytesIO(b"".join(map(spell, ids)))
    return io.TextIOWrapper(data, encoding="utf-8", errors="replace", newline="").read()


# right form merges_undone_from_the_last
def bpe_decode(ids, merges):
    ids = list(ids)
    for pair, new_id in reversed(list(merges.items())):
        ids = [part for one in ids for part in (pair if one == new_id else (one,))]
    return str(np.array(ids, dtype=np.uint8).tobytes(), "utf-8", "replace")
