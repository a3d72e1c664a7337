"""Wrong answers about decoding bytes by name, and unusual right ones."""

import codecs
import io
import unicodedata

import numpy as np

from grader.course_source.catalogue import altered, base, mistake, right_form


@base("plain")
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return "".join(tokens[one] for one in ids)


altered(
    "01.bpe_decode", "token_by_token", "plain",
    {"[one] for": '[one].decode("utf-8", errors="replace") for'},
    stage="values",
    diagnosis="Each token is decoded by itself; a character that lies across two of them breaks.",
    next_step="Join the bytes of all tokens first and decode once.",
)

altered(
    "01.bpe_decode", "strict", "plain",
    {'"".join(tokens[one] for one in ids)': 'b"".join(tokens[one] for one in ids).decode("utf-8")'},
    stage="raises",
    diagnosis="Bytes that are no UTF-8 raise UnicodeDecodeError; they should become the replacement character.",
    next_step='`decode("utf-8", errors="replace")`.',
)

altered(
    "01.bpe_decode", "broken_bytes_dropped", "plain",
    {'"".join(tokens[one] for one in ids)': 'b"".join(tokens[one] for one in ids).decode("utf-8", errors="ignore")'},
    stage="values",
    diagnosis="Bytes that are no UTF-8 are left out; a reader should see that something was there.",
    next_step='`errors="replace"` instead of `"ignore"`.',
)

altered(
    "01.bpe_decode", "bytes_as_characters", "plain", {"bytes([one])": "chr(one)"}, stage="values",
    diagnosis="Each byte becomes a character of its own, as with `chr` or Latin-1; in UTF-8 a character may need several.",
    next_step="Collect bytes and decode them as UTF-8.",
)


@mistake(
    "01.bpe_decode", "halves_swapped", stage="values",
    diagnosis="The halves of a merge are joined in the wrong order.",
    next_step="The left id's bytes come first.",
)
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[right] + tokens[left]
    return b"".join(tokens[one] for one in ids).decode("utf-8", errors="replace")


@mistake(
    "01.bpe_decode", "merges_unfolded_once", stage="raises",
    diagnosis="A merge is unfolded into its two ids once; these may be merges themselves.",
    next_step="Build the bytes of every id from those of its halves, in the order of learning.",
)
def bpe_decode(ids, merges):
    halves = {new_id: pair for pair, new_id in merges.items()}
    flat = [part for one in ids for part in halves.get(one, (one,))]
    return bytes(flat).decode("utf-8", errors="replace")


altered(
    "01.bpe_decode", "returns_bytes", "plain", {'return "': 'return b"'}, stage="type",
    diagnosis="Bytes come back; a string was asked for.",
    next_step='Decode at the end: `.decode("utf-8", errors="replace")`.',
)


@mistake(
    "01.bpe_decode", "cut_off_end_lost", stage="values",
    diagnosis="An incremental decoder waits for the rest of a character; it is never told that the ids have ended.",
    next_step="Join all bytes and decode them at once, or finish with `final=True`.",
)
def bpe_decode(ids, merges):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    return "".join(decoder.decode(tokens[one]) for one in ids)


@mistake(
    "01.bpe_decode", "broken_start_takes_the_next", stage="values",
    diagnosis="Bytes are held back until they decode; behind a broken character the byte that begins the next is lost.",
    next_step="Join all bytes and decode them at once: only the broken ones are replaced.",
)
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


altered(
    "01.bpe_decode", "zeros_for_bytes", "plain",
    {
        "bytes([one])": "bytes(one)",
        '"".join(tokens[one] for one in ids)': 'b"".join(tokens[one] for one in ids).decode("utf-8", errors="replace")',
    },
    stage="values",
    diagnosis="`bytes(97)` is 97 zeros; the byte of value 97 is `bytes([97])`.",
    next_step="Put the number in a list: `bytes([index])`.",
)

altered(
    "01.bpe_decode", "printed_bytes", "plain",
    {'"".join(tokens[one] for one in ids)': 'str(b"".join(tokens[one] for one in ids))'},
    stage="values",
    diagnosis="`str` of bytes is how they are printed, `b'...'` with its quotes; it decodes nothing.",
    next_step='`.decode("utf-8", errors="replace")` turns bytes into text.',
)

altered(
    "01.bpe_decode", "stripped", "plain",
    {
        '"".join(tokens[one] for one in ids)':
            'b"".join(tokens[one] for one in ids).decode("utf-8", errors="replace").strip()',
    },
    stage="values",
    diagnosis="White space at the ends is stripped; it was in the text.",
    next_step="Return the decoded text as it is.",
)

altered(
    "01.bpe_decode", "zero_ends_the_text", "plain",
    {
        "one: bytes([one]) for one": "index: bytes([index]) for index",
        '"".join(tokens[one] for one in ids)':
            'b"".join(tokens[index] for index in ids if index).decode("utf-8", errors="replace")',
    },
    stage="values",
    diagnosis="Ids of 0 are left out, as if they were padding; the byte 0 is a character like any other.",
    next_step="Take every id, also one that counts as false.",
)

altered(
    "01.bpe_decode", "byte_order_mark_lost", "plain",
    {
        "one: bytes([one]) for one": "index: bytes([index]) for index",
        '"".join(tokens[one] for one in ids)':
            'b"".join(tokens[index] for index in ids).decode("utf-8-sig", errors="replace")',
    },
    stage="values",
    diagnosis="`utf-8-sig` removes a byte-order mark at the beginning; it was in the text.",
    next_step="Decode as plain `utf-8`.",
)


@mistake(
    "01.bpe_decode", "all_or_nothing", stage="values",
    diagnosis="One broken byte spoils the whole text; only that byte should be replaced.",
    next_step="`.decode(\"utf-8\", errors=\"replace\")` replaces what is broken and keeps the rest.",
)
def bpe_decode(ids, merges):
    tokens = {index: bytes([index]) for index in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    try:
        return b"".join(tokens[index] for index in ids).decode("utf-8")
    except UnicodeDecodeError:
        return "\ufffd"


@mistake(
    "01.bpe_decode", "normalised", stage="values",
    diagnosis="The text is normalised after decoding: an e and an accent become one character, which has other bytes.",
    next_step="Return the text as it comes out of `decode`.",
)
def bpe_decode(ids, merges):
    tokens = {index: bytes([index]) for index in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    text = b"".join(tokens[index] for index in ids).decode("utf-8", errors="replace")
    return unicodedata.normalize("NFC", text)


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


@right_form("01.bpe_decode", "text_stream")
def bpe_decode(ids, merges):
    halves = {new_id: pair for pair, new_id in merges.items()}

    def spell(index):
        return bytes([index]) if index < 256 else spell(halves[index][0]) + spell(halves[index][1])

    data = io.BytesIO(b"".join(map(spell, ids)))
    return io.TextIOWrapper(data, encoding="utf-8", errors="replace", newline="").read()


@right_form("01.bpe_decode", "merges_undone_from_the_last")
def bpe_decode(ids, merges):
    ids = list(ids)
    for pair, new_id in reversed(list(merges.items())):
        ids = [part for one in ids for part in (pair if one == new_id else (one,))]
    return str(np.array(ids, dtype=np.uint8).tobytes(), "utf-8", "replace")
