"""The right answer to 01.bpe_decode."""

from collections.abc import Sequence


def bpe_decode(ids: Sequence[int], merges: dict[tuple[int, int], int]) -> str:
    """Turn token ids back into text.

    ids      list of ids, each a byte (0 ... 255) or a merge
    merges   what train_bpe returned
    returns  the text; bytes that are no UTF-8 become the replacement character, as in
             bytes.decode("utf-8", errors="replace")

    >>> bpe_decode([256, 33], {(97, 98): 256})
    'ab!'
    """
    tokens = {index: bytes([index]) for index in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return b"".join(tokens[index] for index in ids).decode("utf-8", errors="replace")
