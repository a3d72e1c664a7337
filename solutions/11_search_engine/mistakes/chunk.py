# exercise 11.chunk
"""Wrong answers about windows over a long text by name, and unusual right ones."""

import math

import numpy as np
import torch


# base plain
def chunk(n_tokens, size, overlap):
    if not 0 <= overlap < size:
        raise ValueError("overlap out of range")
    windows = []
    start = end = 0
    while end < n_tokens:
        end = min(start + size, n_tokens)
        windows.append((start, end))
        start += size - overlap
    return windows


# mistake a_window_inside_the_last (shape)
# A further window comes after the one that reaches the end, and lies inside it.
# Next: Stop as soon as a window ends at n_tokens.
def chunk(n_tokens, size, overlap):
    if not 0 <= overlap < size:
        raise ValueError("overlap out of range")
    return [(start, min(start + size, n_tokens)) for start in range(0, n_tokens, size - overlap)]


# mistake the_rest_is_lost (shape)
# Only full windows come back: the tokens at the end stand in none.
# Next: Add the last window, which ends at n_tokens and may be shorter.
def chunk(n_tokens, size, overlap):
    if not 0 <= overlap < size:
        raise ValueError("overlap out of range")
    return [(start, start + size) for start in range(0, n_tokens - size + 1, size - overlap)]


# mistake short_texts_are_lost (shape)
# A text that is not longer than the overlap gets no window.
# Next: Every text with a token has a window: the first one begins at 0, whatever the overlap is.
def chunk(n_tokens, size, overlap):
    if not 0 <= overlap < size:
        raise ValueError("overlap out of range")
    return [(start, min(start + size, n_tokens)) for start in range(0, n_tokens - overlap, size - overlap)]


# mistake texts_shorter_than_a_window_are_lost (shape), from plain
# A text with fewer than size tokens gets no window.
# Next: Such a text is one window, from 0 to n_tokens.
#   -    windows = []
#   +    if n_tokens < size:
#   +        return []
#   +    windows = []

# mistake beyond_the_end (values), from plain
# The last window ends behind the end of the text.
# Next: It ends at n_tokens: `min(start + size, n_tokens)`.
#   -        end = min(start + size, n_tokens)
#   +        end = start + size

# mistake last_window_moved_back (values), from plain
# The last window is moved back until it is full; it should begin where its turn is, and may be shorter.
# Next: Leave its start, and end it at n_tokens.
#   windows.append((start, end)) => windows.append((max(end - size, 0), end))

# mistake last_window_grows (shape)
# The rest at the end is added to the last full window, which is then longer than size.
# Next: No window has more than size tokens: the rest is a window of its own.
def chunk(n_tokens, size, overlap):
    if not 0 <= overlap < size:
        raise ValueError("overlap out of range")
    if n_tokens < size:
        return [(0, n_tokens)] if n_tokens else []
    starts = range(0, n_tokens - size + 1, size - overlap)
    return [(start, n_tokens if start == starts[-1] else start + size) for start in starts]


# mistake overlap_ignored (shape), from plain
# The windows lie side by side: the overlap is never used.
# Next: The step from one start to the next is size - overlap.
#   start += size - overlap => start += size

# mistake overlap_added (shape), from plain
# The step is size + overlap, so that tokens between two windows are left out.
# Next: The step from one start to the next is size - overlap.
#   start += size - overlap => start += size + overlap

# mistake overlap_as_the_step (shape, raises), from plain
# The step is the overlap; the overlap is what two windows share.
# Next: The step from one start to the next is size - overlap.
#   start += size - overlap => start += max(overlap, 1)

# mistake overlap_on_both_sides (shape), from plain
# Twice the overlap is subtracted, once for each side; two neighbours share the overlap once.
# Next: The step from one start to the next is size - overlap.
#   start += size - overlap => start += max(size - 2 * overlap, 1)

# mistake one_token_too_much_shared (shape, values), from plain
# Neighbouring windows share one token more than they should.
# Next: The next window begins at end - overlap.
#   start += size - overlap => start += max(size - overlap - 1, 1)

# mistake one_token_too_few_shared (shape, values), from plain
# Neighbouring windows share one token less than they should.
# Next: The next window begins at end - overlap.
#   start += size - overlap => start += size - overlap + 1

# mistake last_token_as_the_end (values), from plain
# The second number is the last token of the window; it should be the token after it.
# Next: Leave out the `- 1`: `tokens[start:end]` has to give the window.
#   windows.append((start, end)) => windows.append((start, end - 1))

# mistake counted_from_1 (values), from plain
# The first token is number 1; tokens are counted from 0.
# Next: Begin with start = 0.
#   windows.append((start, end)) => windows.append((start + 1, end + 1))

# mistake start_and_length (values), from plain
# The second number is the length of the window; it should be its end.
# Next: Return (start, start + length).
#   windows.append((start, end)) => windows.append((start, end - start))

# mistake starts_alone (type), from plain
# Only the starts come back.
# Next: Return pairs of start and end.
#   windows.append((start, end)) => windows.append(start)

# mistake windows_as_token_lists (shape), from plain
# Each window is a list of all its tokens; start and end are enough.
# Next: Return pairs of two numbers.
#   windows.append((start, end)) => windows.append(list(range(start, end)))

# mistake an_empty_window_for_no_tokens (shape), from plain
# No tokens give the window (0, 0); there should be none.
# Next: For no tokens return an empty list.
#   return windows => return windows or [(0, 0)]

# mistake no_overlap_refused (raises), from plain
# An overlap of 0 is refused.
# Next: 0 is allowed: `0 <= overlap`.
#   0 <= overlap < size => 0 < overlap < size

# mistake overlap_of_size_allowed (property)
# An overlap as large as the window, or larger, is not refused.
# Next: Raise ValueError unless overlap < size: with a step of 0 the windows would never end.
def chunk(n_tokens, size, overlap):
    if overlap < 0:
        raise ValueError("overlap out of range")
    windows = []
    start = end = 0
    while end < n_tokens:
        end = min(start + size, n_tokens)
        windows.append((start, end))
        start += max(size - overlap, 1)
    return windows


# mistake overlap_above_size_allowed (property), from plain
# An overlap of exactly size is refused and a larger one is not.
# Next: Compare with `<`: raise ValueError unless 0 <= overlap < size.
#   not 0 <= overlap < size => overlap < 0 or overlap == size
#   start += size - overlap => start += max(size - overlap, 1)

# mistake overlap_of_exactly_size_allowed (property), from plain
# An overlap of exactly size is not refused.
# Next: Compare with `<`: raise ValueError unless 0 <= overlap < size.
#   0 <= overlap < size => 0 <= overlap <= size
#   start += size - overlap => start += max(size - overlap, 1)

# mistake negative_overlap_allowed (property), from plain
# A negative overlap is not refused: tokens between two windows are left out.
# Next: Raise ValueError unless 0 <= overlap < size.
#   0 <= overlap < size => overlap < size

# mistake nothing_refused_without_tokens (property), from plain
# Wrong arguments are not refused when there are no tokens.
# Next: Test the overlap before you return anything.
#   -    if not 0 <= overlap < size:
#   +    if n_tokens and not 0 <= overlap < size:

# mistake nothing_refused_for_short_texts (property), from plain
# Wrong arguments are not refused when the text fits into one window.
# Next: Test the overlap before you return anything.
#   -    if not 0 <= overlap < size:
#   +    if n_tokens <= size:
#   +        return [(0, n_tokens)] if n_tokens else []
#   +    if not 0 <= overlap < size:

# mistake assertion (raises), from plain
# A wrong overlap raises AssertionError; ValueError was asked for.
# Next: Write `raise ValueError(...)`: assertions vanish when Python runs with -O.
#   -    if not 0 <= overlap < size:
#   -        raise ValueError("overlap out of range")
#   +    assert 0 <= overlap < size

# mistake empty_list_instead_of_an_error (property), from plain
# A wrong overlap gives an empty list; ValueError was asked for.
# Next: Write `raise ValueError(...)`.
#   raise ValueError("overlap out of range") => return []


# mistake a_generator (type)
# A generator comes back; a list was asked for.
# Next: Collect the windows in a list.
def chunk(n_tokens, size, overlap):
    if not 0 <= overlap < size:
        raise ValueError("overlap out of range")
    starts = range(0, max(n_tokens - overlap, min(n_tokens, 1)), size - overlap)
    return ((start, min(start + size, n_tokens)) for start in starts)


# mistake a_tensor_comes_back (type), from plain
# A tensor comes back; a list of pairs was asked for.
# Next: Return the list itself.
#   return windows => return torch.tensor(windows)


# right form range_to_the_overlap
def chunk(n_tokens, size, overlap):
    if overlap < 0 or overlap >= size:
        raise ValueError
    if n_tokens == 0:
        return []
    return [(start, min(start + size, n_tokens)) for start in range(0, max(n_tokens - overlap, 1), size - overlap)]


# right form counted_before
def chunk(n_tokens, size, overlap):
    step = size - overlap
    if not (0 <= overlap and step > 0):
        raise ValueError(f"{overlap=} does not fit {size=}")
    count = math.ceil(max(n_tokens - size, 0) / step) + 1 if n_tokens else 0
    return [[number * step, min(number * step + size, n_tokens)] for number in range(count)]


# right form recursion
def chunk(n_tokens, size, overlap, start=0):
    if overlap not in range(size):
        raise ValueError("the overlap must be from 0 to size - 1")
    if not n_tokens:
        return []
    if start + size >= n_tokens:
        return [(start, n_tokens)]
    return [(start, start + size), *chunk(n_tokens, size, overlap, start + size - overlap)]


# right form numpy
def chunk(n_tokens, size, overlap):
    if np.clip(overlap, 0, size - 1) != overlap:
        raise ValueError("overlap out of range")
    starts = np.arange(0, max(n_tokens, 1), size - overlap)
    starts = starts[(starts == 0) | (starts + overlap < n_tokens)][: n_tokens and None]
    return list(zip(starts.tolist(), np.minimum(starts + size, n_tokens).tolist()))


# right form every_token_asked
def chunk(n_tokens, size, overlap):
    if not 0 <= overlap < size:
        raise ValueError("overlap out of range")
    windows = []
    for token in range(n_tokens):
        if not windows or token >= windows[-1][1]:
            start = windows[-1][0] + size - overlap if windows else 0
            windows.append((start, min(start + size, n_tokens)))
    return windows
