# exercise 04.make_ngrams
"""Wrong answers to make_ngrams by name: which words become targets, and what stands before the first ones."""

import torch


# mistake first_word_is_no_target (shape)
# The first word of each sentence is never a target: the window starts one position too late.
# Next: The first row of a sentence is bos alone, and its target is the first word.
def make_ngrams(sentences, context, bos, eos):
    rows, targets = [], []
    for sentence in sentences:
        padded = [bos] * context + sentence + [eos]
        for place in range(context + 1, len(padded)):
            rows.append(padded[place - context : place])
            targets.append(padded[place])
    return torch.tensor(rows, dtype=torch.int64).reshape(-1, context), torch.tensor(targets, dtype=torch.int64)


# mistake eos_before_a_single_bos (values), from first_word_is_no_target
# One bos stands right before the words, and eos fills up what is left of it; bos belongs there too.
# Next: Begin each sentence with `context` times bos.
#   [bos] * context => [eos] * (context - 1) + [bos]
#   context + 1 => context
