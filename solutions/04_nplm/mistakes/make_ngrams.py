# exercise 04.make_ngrams
from collections import deque

import numpy as np
import torch
import torch.nn.functional as F


# mistake eos_is_no_target (shape)
# The closing eos is never a target: a model trained on these rows cannot learn where a sentence ends.
# Next: Put eos behind each sentence before you slide the window.
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        padded = [bos] * context + sentence
        for i in range(len(sentence)):
            X.append(padded[i : i + context])
            Y.append(padded[i + context])
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


# mistake no_padding (shape)
# The first words of a sentence are never targets: rows begin only where a full context stands.
# Next: Put `context` times bos before each sentence, so that its first word has a context too.
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        whole = sentence + [eos]
        for i in range(context, len(whole)):
            X.append(whole[i - context : i])
            Y.append(whole[i])
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


# mistake a_single_bos (shape), from no_padding
# One bos stands before each sentence, however long the context is: its first words are never targets.
# Next: The first word needs a whole context of bos: `context` of them.
#   sentence + [eos] => [bos] + sentence + [eos]

# mistake bos_is_a_target (shape), from eos_is_no_target
# bos is a target as well: there is one row too many for each sentence. bos need not be predicted.
# Next: Pad with exactly `context` times bos; the first target is the first word.
#   [bos] * context + sentence => [bos] * (context + 1) + sentence + [eos]
#   len(sentence) => len(padded) - context


# mistake contexts_cross_sentences (values)
# Contexts reach into the sentence before: the text is treated as one long sentence.
# Next: Begin anew with `context` times bos for every sentence.
def make_ngrams(sentences, context, bos, eos):
    stream = [bos] * context
    for sentence in sentences:
        stream += sentence + [eos]
    X = [stream[i : i + context] for i in range(len(stream) - context)]
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(stream[context:], dtype=torch.long)


# mistake padded_on_the_right (values)
# Short contexts are filled up on the right; bos belongs on the left, before the words.
# Next: The last column of X is always the word right before the target.
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        whole = sentence + [eos]
        for i, target in enumerate(whole):
            before = whole[max(0, i - context) : i]
            X.append(before + [bos] * (context - len(before)))
            Y.append(target)
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


# base plain
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        padded = [bos] * context + sentence + [eos]
        for i in range(context, len(padded)):
            X.append(padded[i - context : i])
            Y.append(padded[i])
    return torch.stack(X), torch.stack(Y)


# mistake newest_first (values), from plain
# Each context is written backwards: the newest word should stand in the last column.
# Next: Keep the words of a context in the order of the text.
#   padded[i - context : i] => [padded[i - back] for back in range(1, context + 1)]
#   torch.stack(X), torch.stack(Y) => torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)

# mistake the_target_is_in_the_context (values), from plain
# The last column of X is the target itself: the model is told the answer.
# Next: The context ends right before the target: `padded[i - context : i]` for the target `padded[i]`.
#   padded[i - context : i] => padded[i - context + 1 : i + 1]
#   torch.stack(X), torch.stack(Y) => torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)

# mistake padded_with_eos (values), from plain
# Contexts are padded with eos; the start of a sentence is marked with bos.
# Next: Fill the left side with the argument bos.
#   [bos] => [eos]
#   torch.stack(X), torch.stack(Y) => torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)

# mistake padded_with_zeros (values), from padded_on_the_right
# Contexts are padded with 0; bos may be any id.
# Next: Fill the left side with the argument bos.
#   before + [bos] * (context - len(before)) => [0] * (context - len(before)) + before


# mistake one_window_for_all (values)
# All rows of X are the last window: the same list was stored again and again while it went on changing.
# Next: Store a copy: `X.append(list(window))`, or take slices of the padded sentence.
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        window = [bos] * context
        for word in sentence + [eos]:
            X.append(window)
            Y.append(word)
            window.pop(0)
            window.append(word)
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


# mistake window_never_reset (values)
# The window is set to bos once, before the first sentence: later sentences begin with the words before.
# Next: Move the line that fills the window with bos into the loop over sentences.
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    window = [bos] * context
    for sentence in sentences:
        for word in sentence:
            X.append(list(window))
            Y.append(word)
            window = window[1:] + [word]
        X.append(list(window))
        Y.append(eos)
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


# mistake the_growing_context (raises), from no_padding
# Each context is all that stands before, so the rows have different lengths.
# Next: Keep the last `context` ids only, and fill up with bos on the left.
#   sentence + [eos] => [bos] * context + sentence + [eos]
#   whole[i - context : i] => whole[:i]

# mistake floats_when_empty (dtype), from plain
# Without any sentence the result is float32: `torch.tensor([])` does not know that ids are meant.
# Next: Say `dtype=torch.long` whenever a tensor is made of a list that may be empty.
#   torch.stack(X), torch.stack(Y) => torch.tensor(X).reshape(-1, context), torch.tensor(Y)

# mistake one_axis_when_empty (shape), from plain
# Without any sentence X has shape (0,); it should keep its second axis: (0, context).
# Next: Reshape X to (-1, context), or start from `torch.zeros(0, context, dtype=torch.long)`.
#   torch.stack(X), torch.stack(Y) => torch.tensor(X, dtype=torch.long), torch.tensor(Y, dtype=torch.long)

# mistake stacks_nothing (raises), from plain
# `torch.stack` refuses an empty list, so a text without sentences raises.
# Next: Treat the empty case: shapes (0, context) and (0,), int64.
#   [bos] * context + sentence + [eos] => torch.tensor([bos] * context + sentence + [eos], dtype=torch.long)

# mistake empty_sentences_skipped (shape), from plain
# Empty sentences are left out; each of them is one row: nothing but bos, then eos.
# Next: Drop the line that skips them: the loop gives them their row by itself.
#        for sentence in sentences:
#   +        if not sentence:
#   +            continue
#   torch.stack(X), torch.stack(Y) => torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)

# mistake repeated_rows_dropped (shape), from plain
# Equal rows are kept once only; each occurrence of a word is a target, and counts.
# Next: Collect rows in a list; a set or dict forgets how often something was seen.
#   X, Y = [], [] => seen = {}
#   X.append(padded[i - context : i]) => seen[tuple(padded[i - context : i]), padded[i]] = None
#   -            Y.append(padded[i])
#   +    X = torch.tensor([list(row) for row, _ in seen], dtype=torch.long).reshape(-1, context)
#   torch.stack(X), torch.stack(Y) => X, torch.tensor([target for _, target in seen], dtype=torch.long)

# mistake sentences_changed (property), from plain
# The rows are right, and the caller's sentences have changed: `append`, `insert` and `sentences[k] = ...` write into them.
# Next: Build a new list: `[bos] * context + sentence + [eos]`.
#   -        padded = [bos] * context + sentence + [eos]
#   +        sentence.append(eos)
#   +        padded = [bos] * context + sentence
#   torch.stack(X), torch.stack(Y) => torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)

# mistake context_of_one_squeezed (shape), from plain
# With a context of one word X loses its second axis: `squeeze` drops every axis of length 1.
# Next: Leave `squeeze` out: X is (N, context) for every context.
#   stack(X), torch.stack(Y => tensor(X, dtype=torch.long).reshape(-1, context).squeeze(), torch.tensor(Y, dtype=torch.long

# mistake swapped (shape), from plain
# X and Y are returned in the wrong order: first the contexts, then the targets.
# Next: Return (X, Y).
#   torch.stack(X), torch.stack(Y) => torch.tensor(Y, dtype=torch.long), torch.tensor(X, dtype=torch.long).reshape(-1, context)

# mistake lists_returned (type), from plain
# X and Y are Python lists; a model needs int64 tensors.
# Next: Turn both into tensors at the end, with `dtype=torch.long`.
#   torch.stack(X), torch.stack(Y) => X, Y

# mistake float_ids (dtype), from plain
# The ids are float32: `torch.Tensor(list)` and `torch.zeros` make floats, and a lookup refuses them.
# Next: Use `torch.tensor(list, dtype=torch.long)`.
#   torch.stack(X), torch.stack(Y) => torch.Tensor(X).reshape(-1, context), torch.Tensor(Y)

# mistake one_bos_before_short_sentences_only (values), from padded_on_the_right
# Only the first row is padded with bos as it should be; later rows of a sentence lack their bos.
# Next: Each word moves the window by one place: a bos leaves it on the left only when it is full.
#   -            before = whole[max(0, i - context) : i]
#   -            X.append(before + [bos] * (context - len(before)))
#   +            X.append([bos] * context if i < context else whole[i - context : i])


# mistake targets_equal_to_bos_dropped (shape)
# Rows whose target equals bos are filtered out; where bos and eos share an id, every eos is lost.
# Next: Do not make the rows that you would have to filter: the first target is the first word.
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        padded = [bos] * (2 * context) + sentence + [eos]
        for i in range(context, len(padded)):
            if padded[i] != bos:
                X.append(padded[i - context : i])
                Y.append(padded[i])
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


# mistake the_word_0_dropped (shape), from plain
# The word with id 0 is left out: 0 counts as false in a condition.
# Next: 0 is an id like any other; do not ask `if word`.
#   [bos] * context + sentence => [bos] * context + [word for word in sentence if word]
#   torch.stack(X), torch.stack(Y) => torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)

# mistake longest_sentence_first (values), from plain
# The sentences are sorted by length; the rows should keep the order of the text.
# Next: Go through the sentences in the order in which they come.
#   -    for sentence in sentences:
#   +    for sentence in sorted(sentences, key=len, reverse=True):
#   torch.stack(X), torch.stack(Y) => torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


# mistake place_looked_up (values)
# A word's position is looked up with `index`, which finds the first one that is equal: words that come again get the context of
# their first occurrence.
# Next: Go through the positions (`range`, `enumerate`), not through the words.
def make_ngrams(sentences, context, bos, eos):
    rows, targets = [], []
    for sentence in sentences:
        padded = [bos] * context + sentence + [eos]
        for word in padded[context:]:
            place = padded.index(word, context)
            rows.append(padded[place - context : place])
            targets.append(word)
    return torch.tensor(rows, dtype=torch.long).reshape(-1, context), torch.tensor(targets, dtype=torch.long)


# right form unfold
def make_ngrams(sentences, context, bos, eos):
    windows = [torch.empty(0, context + 1, dtype=torch.int64)]
    for sentence in sentences:
        padded = F.pad(torch.tensor([*sentence, eos], dtype=torch.int64), (context, 0), value=bos)
        windows.append(padded.unfold(0, context + 1, 1))
    both = torch.cat(windows)
    return both[:, :-1], both[:, -1]


# right form deque_and_list_returned
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        window = deque([bos] * context, maxlen=context)
        for word in (*sentence, eos):
            X.append(tuple(window))
            Y.append(word)
            window.append(word)
    print(len(Y), "rows")
    return [torch.LongTensor(X).view(len(X), context), torch.LongTensor(Y)]


# right form numpy_inside
def make_ngrams(sentences, context, bos, eos):
    total = sum(len(sentence) + 1 for sentence in sentences)
    X, Y = np.full((total, context), bos, dtype=np.int64), np.zeros(total, dtype=np.int64)
    row = 0
    for sentence in sentences:
        for place in range(len(sentence) + 1):
            before = sentence[max(0, place - context) : place]
            if before:
                X[row, -len(before) :] = before
            Y[row] = sentence[place] if place < len(sentence) else eos
            row += 1
    return torch.from_numpy(X), torch.from_numpy(Y)


# right form column_after_column
def make_ngrams(sentences, context, bos, eos):
    Y = [word for sentence in sentences for word in sentence + [eos]]
    columns = []
    for back in range(context, 0, -1):
        column = []
        for sentence in sentences:
            whole = sentence + [eos]
            column += [whole[i - back] if i >= back else bos for i in range(len(whole))]
        columns.append(torch.tensor(column, dtype=torch.long))
    return torch.stack(columns, dim=1), torch.tensor(Y, dtype=torch.long)


# right form index_arithmetic_with_an_option
def make_ngrams(sentences, context, bos, eos, dtype=torch.int64):
    tokens, starts = [], []
    for sentence in sentences:
        tokens.extend([bos] * context)
        starts.extend(range(len(tokens) - context, len(tokens) + len(sentence) + 1 - context))
        tokens.extend(sentence + [eos])
    tokens, starts = torch.tensor(tokens, dtype=dtype), torch.tensor(starts, dtype=dtype)
    return tokens[starts[:, None] + torch.arange(context)], tokens[starts + context]


# right form columns_turned_round
def make_ngrams(sentences, context, bos, eos):
    columns = [[] for _ in range(context + 1)]
    for sentence in sentences:
        padded = [bos] * context + sentence + [eos]
        for place, column in enumerate(columns):
            column += padded[place : place + len(sentence) + 1]
    table = torch.tensor(columns, dtype=torch.int64).T  # both results are views with gaps in memory
    return table[:, :-1], table[:, -1]
