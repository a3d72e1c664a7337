"""Wrong answers about n-grams by name, and unusual right ones."""

from collections import deque

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

NGRAMS = "04.make_ngrams"


@mistake(
    NGRAMS, "eos_is_no_target", stage="shape",
    diagnosis="The closing eos is never a target: a model trained on these rows cannot learn where a sentence ends.",
    next_step="Put eos behind each sentence before you slide the window.",
)
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        padded = [bos] * context + sentence
        for i in range(len(sentence)):
            X.append(padded[i : i + context])
            Y.append(padded[i + context])
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


@mistake(
    NGRAMS, "no_padding", stage="shape",
    diagnosis="The first words of a sentence are never targets: rows begin only where a full context stands.",
    next_step="Put `context` times bos before each sentence, so that its first word has a context too.",
)
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        whole = sentence + [eos]
        for i in range(context, len(whole)):
            X.append(whole[i - context : i])
            Y.append(whole[i])
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


@mistake(
    NGRAMS, "a_single_bos", stage="shape",
    diagnosis="One bos stands before each sentence, however long the context is: its first words are never targets.",
    next_step="The first word needs a whole context of bos: `context` of them.",
)
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        whole = [bos] + sentence + [eos]
        for i in range(context, len(whole)):
            X.append(whole[i - context : i])
            Y.append(whole[i])
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


@mistake(
    NGRAMS, "bos_is_a_target", stage="shape",
    diagnosis="bos is a target as well: there is one row too many for each sentence. Nobody has to predict bos.",
    next_step="Pad with exactly `context` times bos; the first target is the first word.",
)
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        padded = [bos] * (context + 1) + sentence + [eos]
        for i in range(len(padded) - context):
            X.append(padded[i : i + context])
            Y.append(padded[i + context])
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


@mistake(
    NGRAMS, "contexts_cross_sentences", stage="values",
    diagnosis="Contexts reach into the sentence before: the text is treated as one long sentence.",
    next_step="Begin anew with `context` times bos for every sentence.",
)
def make_ngrams(sentences, context, bos, eos):
    stream = [bos] * context
    for sentence in sentences:
        stream += sentence + [eos]
    X = [stream[i : i + context] for i in range(len(stream) - context)]
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(stream[context:], dtype=torch.long)


@mistake(
    NGRAMS, "padded_on_the_right", stage="values",
    diagnosis="Short contexts are filled up on the right; bos belongs on the left, before the words.",
    next_step="The last column of X is always the word right before the target.",
)
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        whole = sentence + [eos]
        for i, target in enumerate(whole):
            before = whole[max(0, i - context) : i]
            X.append(before + [bos] * (context - len(before)))
            Y.append(target)
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


@base("plain")
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        padded = [bos] * context + sentence + [eos]
        for i in range(context, len(padded)):
            X.append(padded[i - context : i])
            Y.append(padded[i])
    return torch.stack(X), torch.stack(Y)


altered(
    NGRAMS, "newest_first", "plain",
    {
        "append(padded[i - context : i])": "append([padded[i - back] for back in range(1, context + 1)])",
        ".stack(X), torch.stack(Y)":
            ".tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)",
    },
    stage="values",
    diagnosis="Each context is written backwards: the newest word should stand in the last column.",
    next_step="Keep the words of a context in the order of the text.",
)

altered(
    NGRAMS, "the_target_is_in_the_context", "plain",
    {
        "(padded[i - context : i])": "(padded[i - context + 1 : i + 1])",
        ".stack(X), torch.stack(Y)":
            ".tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)",
    },
    stage="values",
    diagnosis="The last column of X is the target itself: the model is told the answer.",
    next_step="The context ends right before the target: `padded[i - context : i]` for the target `padded[i]`.",
)

altered(
    NGRAMS, "padded_with_eos", "plain",
    {
        "[bos]": "[eos]",
        ".stack(X), torch.stack(Y)":
            ".tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)",
    },
    stage="values",
    diagnosis="Contexts are padded with eos; the start of a sentence is marked with bos.",
    next_step="Fill the left side with the argument bos.",
)


@mistake(
    NGRAMS, "padded_with_zeros", stage="values",
    diagnosis="Contexts are padded with 0; bos may be any id.",
    next_step="Fill the left side with the argument bos.",
)
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        whole = sentence + [eos]
        for i, target in enumerate(whole):
            before = whole[max(0, i - context) : i]
            X.append([0] * (context - len(before)) + before)
            Y.append(target)
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


@mistake(
    NGRAMS, "one_window_for_all", stage="values",
    diagnosis="All rows of X are the last window: the same list was stored again and again while it went on changing.",
    next_step="Store a copy: `X.append(list(window))`, or take slices of the padded sentence.",
)
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


@mistake(
    NGRAMS, "window_never_reset", stage="values",
    diagnosis="The window is set to bos once, before the first sentence: later sentences begin with the words before.",
    next_step="Move the line that fills the window with bos into the loop over sentences.",
)
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


@mistake(
    NGRAMS, "the_growing_context", stage="raises",
    diagnosis="Each context is all that stands before, so the rows have different lengths.",
    next_step="Keep the last `context` ids only, and fill up with bos on the left.",
)
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        whole = [bos] * context + sentence + [eos]
        for i in range(context, len(whole)):
            X.append(whole[:i])
            Y.append(whole[i])
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


altered(
    NGRAMS, "floats_when_empty", "plain",
    {"stack(X), torch.stack": "tensor(X).reshape(-1, context), torch.tensor"},
    stage="dtype",
    diagnosis="Without any sentence the result is float32: `torch.tensor([])` does not know that ids are meant.",
    next_step="Say `dtype=torch.long` whenever a tensor is made of a list that may be empty.",
)

altered(
    NGRAMS, "one_axis_when_empty", "plain",
    {".stack(X), torch.stack(Y)": ".tensor(X, dtype=torch.long), torch.tensor(Y, dtype=torch.long)"},
    stage="shape",
    diagnosis="Without any sentence X has shape (0,); it should keep its second axis: (0, context).",
    next_step="Reshape X to (-1, context), or start from `torch.zeros(0, context, dtype=torch.long)`.",
)

altered(
    NGRAMS, "stacks_nothing", "plain",
    {"[bos] * context + sentence + [eos]": "torch.tensor([bos] * context + sentence + [eos], dtype=torch.long)"},
    stage="raises",
    diagnosis="`torch.stack` refuses an empty list, so a text without sentences raises.",
    next_step="Treat the empty case: shapes (0, context) and (0,), int64.",
)


@mistake(
    NGRAMS, "empty_sentences_skipped", stage="shape",
    diagnosis="Empty sentences are left out; each of them is one row: nothing but bos, then eos.",
    next_step="Drop the line that skips them: the loop gives them their row by itself.",
)
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        if not sentence:
            continue
        padded = [bos] * context + sentence + [eos]
        for i in range(context, len(padded)):
            X.append(padded[i - context : i])
            Y.append(padded[i])
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


@mistake(
    NGRAMS, "repeated_rows_dropped", stage="shape",
    diagnosis="Equal rows are kept once only; each occurrence of a word is a target, and counts.",
    next_step="Collect rows in a list; a set or dict forgets how often something was seen.",
)
def make_ngrams(sentences, context, bos, eos):
    seen = {}
    for sentence in sentences:
        padded = [bos] * context + sentence + [eos]
        for i in range(context, len(padded)):
            seen[tuple(padded[i - context : i]), padded[i]] = None
    X = torch.tensor([list(row) for row, _ in seen], dtype=torch.long).reshape(-1, context)
    return X, torch.tensor([target for _, target in seen], dtype=torch.long)


@mistake(
    NGRAMS, "sentences_changed", stage="property",
    diagnosis="The rows are right, and the caller's sentences have changed: `append`, `insert` and `sentences[k] = ...` write "
    "into them.",
    next_step="Build a new list: `[bos] * context + sentence + [eos]`.",
)
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        sentence.append(eos)
        padded = [bos] * context + sentence
        for i in range(context, len(padded)):
            X.append(padded[i - context : i])
            Y.append(padded[i])
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


altered(
    NGRAMS, "context_of_one_squeezed", "plain",
    {
        ".stack(X), torch.stack(Y)":
            ".tensor(X, dtype=torch.long).reshape(-1, context).squeeze(), torch.tensor(Y, dtype=torch.long)",
    },
    stage="shape",
    diagnosis="With a context of one word X loses its second axis: `squeeze` drops every axis of length 1.",
    next_step="Leave `squeeze` out: X is (N, context) for every context.",
)

altered(
    NGRAMS, "swapped", "plain",
    {
        ".stack(X), torch.stack(Y)":
            ".tensor(Y, dtype=torch.long), torch.tensor(X, dtype=torch.long).reshape(-1, context)",
    },
    stage="shape",
    diagnosis="X and Y are returned in the wrong order: first the contexts, then the targets.",
    next_step="Return (X, Y).",
)

altered(
    NGRAMS, "lists_returned", "plain", {"torch.stack(X), torch.stack(Y)": "X, Y"}, stage="type",
    diagnosis="X and Y are Python lists; a model needs int64 tensors.",
    next_step="Turn both into tensors at the end, with `dtype=torch.long`.",
)

altered(
    NGRAMS, "float_ids", "plain",
    {"stack(X), torch.stack": "Tensor(X).reshape(-1, context), torch.Tensor"},
    stage="dtype",
    diagnosis="The ids are float32: `torch.Tensor(list)` and `torch.zeros` make floats, and a lookup refuses them.",
    next_step="Use `torch.tensor(list, dtype=torch.long)`.",
)


@mistake(
    NGRAMS, "one_bos_before_short_sentences_only", stage="values",
    diagnosis="Only the first row is padded with bos as it should be; later rows of a sentence lack their bos.",
    next_step="Each word moves the window by one place: a bos leaves it on the left only when it is full.",
)
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        whole = sentence + [eos]
        for i, target in enumerate(whole):
            X.append([bos] * context if i < context else whole[i - context : i])
            Y.append(target)
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


@mistake(
    NGRAMS, "targets_equal_to_bos_dropped", stage="shape",
    diagnosis="Rows whose target equals bos are filtered out; where bos and eos share an id, every eos is lost.",
    next_step="Do not make the rows that you would have to filter: the first target is the first word.",
)
def make_ngrams(sentences, context, bos, eos):
    X, Y = [], []
    for sentence in sentences:
        padded = [bos] * (2 * context) + sentence + [eos]
        for i in range(context, len(padded)):
            if padded[i] != bos:
                X.append(padded[i - context : i])
                Y.append(padded[i])
    return torch.tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)


altered(
    NGRAMS, "the_word_0_dropped", "plain",
    {
        "+ sentence": "+ [word for word in sentence if word]",
        ".stack(X), torch.stack(Y)":
            ".tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)",
    },
    stage="shape",
    diagnosis="The word with id 0 is left out: 0 counts as false in a condition.",
    next_step="0 is an id like any other; do not ask `if word`.",
)

altered(
    NGRAMS, "longest_sentence_first", "plain",
    {
        " sentences": " sorted(sentences, key=len, reverse=True)",
        ".stack(X), torch.stack(Y)":
            ".tensor(X, dtype=torch.long).reshape(-1, context), torch.tensor(Y, dtype=torch.long)",
    },
    stage="values",
    diagnosis="The sentences are sorted by length; the rows should keep the order of the text.",
    next_step="Go through the sentences in the order in which they come.",
)


@mistake(
    NGRAMS, "place_looked_up", stage="values",
    diagnosis="A word's position is looked up with `index`, which finds the first one that is equal: words that come again get "
    "the context of their first occurrence.",
    next_step="Go through the positions (`range`, `enumerate`), not through the words.",
)
def make_ngrams(sentences, context, bos, eos):
    rows, targets = [], []
    for sentence in sentences:
        padded = [bos] * context + sentence + [eos]
        for word in padded[context:]:
            place = padded.index(word, context)
            rows.append(padded[place - context : place])
            targets.append(word)
    return torch.tensor(rows, dtype=torch.long).reshape(-1, context), torch.tensor(targets, dtype=torch.long)


@right_form(NGRAMS, "unfold")
def make_ngrams(sentences, context, bos, eos):
    windows = [torch.empty(0, context + 1, dtype=torch.int64)]
    for sentence in sentences:
        padded = F.pad(torch.tensor([*sentence, eos], dtype=torch.int64), (context, 0), value=bos)
        windows.append(padded.unfold(0, context + 1, 1))
    both = torch.cat(windows)
    return both[:, :-1], both[:, -1]


@right_form(NGRAMS, "deque_and_list_returned")
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


@right_form(NGRAMS, "numpy_inside")
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


@right_form(NGRAMS, "column_after_column")
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


@right_form(NGRAMS, "index_arithmetic_with_an_option")
def make_ngrams(sentences, context, bos, eos, dtype=torch.int64):
    tokens, starts = [], []
    for sentence in sentences:
        tokens.extend([bos] * context)
        starts.extend(range(len(tokens) - context, len(tokens) + len(sentence) + 1 - context))
        tokens.extend(sentence + [eos])
    tokens, starts = torch.tensor(tokens, dtype=dtype), torch.tensor(starts, dtype=dtype)
    return tokens[starts[:, None] + torch.arange(context)], tokens[starts + context]


@right_form(NGRAMS, "columns_turned_round")
def make_ngrams(sentences, context, bos, eos):
    columns = [[] for _ in range(context + 1)]
    for sentence in sentences:
        padded = [bos] * context + sentence + [eos]
        for place, column in enumerate(columns):
            column += padded[place : place + len(sentence) + 1]
    table = torch.tensor(columns, dtype=torch.int64).T  # both results are views with gaps in memory
    return table[:, :-1], table[:, -1]
