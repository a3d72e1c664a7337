"""The right answer to 11.chunk."""


def chunk(n_tokens: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Cut a text of n_tokens tokens into windows that overlap.

    Each window begins size - overlap tokens after the one before. The first window that reaches the end of the text ends at
    n_tokens, so it may be shorter, and it is the last one.

    n_tokens  how many tokens the text has, 0 or more; no tokens give []
    size      how many tokens a window has
    overlap   how many tokens two neighbouring windows share: from 0 to size - 1
    returns   a list of pairs (start, end); a window holds the tokens from start to end - 1

    Raises ValueError unless 0 <= overlap < size, whatever n_tokens is.

    >>> chunk(10, size=4, overlap=1)
    [(0, 4), (3, 7), (6, 10)]
    >>> chunk(0, size=4, overlap=1)
    []
    """
    if not 0 <= overlap < size:
        raise ValueError(f"an overlap from 0 to {size - 1} is possible, not {overlap}")
    windows = []
    start = end = 0
    while end < n_tokens:
        end = min(start + size, n_tokens)
        windows.append((start, end))
        start += size - overlap
    return windows
