"""Wrong answers to make_ngrams by name: which words become targets, and what stands before the first ones."""

import torch

from grader.course_source.catalogue import mistake

NGRAMS = "04.make_ngrams"


@mistake(
    NGRAMS, "first_word_is_no_target", stage="shape",
    diagnosis="The first word of each sentence is never a target: the window starts one position too late.",
    next_step="The first row of a sentence is bos alone, and its target is the first word.",
)
def make_ngrams(sentences, context, bos, eos):
    rows, targets = [], []
    for sentence in sentences:
        padded = [bos] * context + sentence + [eos]
        for place in range(context + 1, len(padded)):
            rows.append(padded[place - context : place])
            targets.append(padded[place])
    return torch.tensor(rows, dtype=torch.int64).reshape(-1, context), torch.tensor(targets, dtype=torch.int64)


@mistake(
    NGRAMS, "eos_before_a_single_bos", stage="values",
    diagnosis="One bos stands right before the words, and eos fills up what is left of it; bos belongs there too.",
    next_step="Begin each sentence with `context` times bos.",
)
def make_ngrams(sentences, context, bos, eos):
    rows, targets = [], []
    for sentence in sentences:
        padded = [eos] * (context - 1) + [bos] + sentence + [eos]
        for place in range(context, len(padded)):
            rows.append(padded[place - context : place])
            targets.append(padded[place])
    return torch.tensor(rows, dtype=torch.int64).reshape(-1, context), torch.tensor(targets, dtype=torch.int64)
