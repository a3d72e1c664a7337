# exercise 02.load_pretrained
"""Loading pretrained vectors: wrong answers about the rows that are drawn and the padding row, by name."""

import math

import numpy as np
import torch


# base plain
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


# mistake std_of_one (values), from plain
# New words are drawn with a standard deviation of 1: they would outweigh the pretrained ones.
# Next: Multiply the draw by 0.02, or use `normal_(0, 0.02)`.
#   torch.randn(len(vocab), dim, generator=generator) * 0.02 => torch.randn(len(vocab), dim, generator=generator)

# mistake variance_for_std (values), from plain
# 0.02 is used as the variance: the standard deviation comes out as 0.14.
# Next: Multiply the draw by 0.02 itself, without a square root.
#   0.02 => math.sqrt(0.02)

# mistake std_by_width (values), from plain
# The standard deviation depends on dim; it should be 0.02 for every dim.
# Next: Multiply the draw by 0.02.
#   * 0.02 => / math.sqrt(dim)

# mistake new_words_get_the_mean (values), from plain
# All new words start at the mean of the known ones: nothing tells them apart.
# Next: Leave the rows of new words as they were drawn.
#                matrix[row], found[row] = vector, True
#   +    if found.any():
#   +        matrix[~found] = matrix[found].mean(dim=0)

# mistake uniform (values), from plain
# New words never lie far from 0, as numbers of a uniform distribution do; a normal one was asked for.
# Next: Use `torch.randn` times 0.02.
#   torch.randn(len(vocab), dim, generator=generator => (torch.rand(len(vocab), dim, generator=generator) * 2 - 1

# mistake new_words_are_zero (values), from plain
# New words stay zero: all alike, so that nothing tells them apart, and like padding.
# Next: Start from random rows instead of `torch.zeros`.
#   torch.randn(len(vocab), dim, generator=generator) * 0.02 => torch.zeros(len(vocab), dim)

# mistake one_draw_for_all_new_words (values), from plain
# All new words share one random row: the model cannot tell them apart at the start.
# Next: Draw a row for each word: `torch.randn(len(vocab), dim)`.
#   -    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
#   +    unknown = torch.randn(dim, generator=generator) * 0.02
#   +    matrix = unknown.repeat(len(vocab), 1)

# mistake generator_ignored (values), from plain
# The generator is not used: the same seed gives other rows for new words.
# Next: Pass `generator=generator` to the function that draws.
#   dim, generator=generator => dim

# mistake always_the_same_seed (values), from plain
# A seed is set inside the function: every generator gives the same rows.
# Next: Leave the seed out: the caller has seeded the generator.
#   -    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
#   +    torch.manual_seed(0)
#   +    matrix = torch.randn(len(vocab), dim) * 0.02

# mistake a_seed_of_its_own_without_a_generator (values), from plain
# Without a generator a fixed seed is used, so every call draws the same rows, whatever torch.manual_seed said. (A fresh
# `torch.Generator()` has a fixed seed, too.)
# Next: Pass `generator=None` on as it is: torch's functions take it for the global generator.
#    def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
#   +    generator = generator or torch.Generator()

# mistake numpy_draws_without_a_generator (values), from plain
# Without a generator the rows come from numpy, which torch.manual_seed does not reach: no run can be repeated.
# Next: Draw with torch in both cases: `generator=None` means its global generator.
#   -    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
#   +    if generator is None:
#   +        matrix = torch.tensor(np.random.normal(0, 0.02, (len(vocab), dim)), dtype=torch.float32)
#   +    else:
#   +        matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02

# mistake only_the_seed_of_the_generator (values), from plain
# The generator is asked for its seed and never moves on: a second table drawn from it gets the same rows.
# Next: Draw from the generator itself, `generator=generator`, instead of from its `initial_seed()`.
#   -    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
#   +    if generator is None:
#   +        matrix = torch.randn(len(vocab), dim) * 0.02
#   +    else:
#   +        drawn = np.random.default_rng(generator.initial_seed()).normal(0, 0.02, (len(vocab), dim))
#   +        matrix = torch.tensor(drawn, dtype=torch.float32)

# mistake added_to_the_draw (values), from plain
# Known vectors are added to the random rows; they should replace them.
# Next: Assign with `=`, not `+=`.
#   -            matrix[row], found[row] = vector, True
#   +            matrix[row] += vector
#   +            found[row] = True

# mistake only_positive_draws (values), from plain
# New words get positive numbers only: their mean is not 0.
# Next: `0.02 * torch.randn(...)` has both signs; nothing needs to be made positive.
#   torch.randn(len(vocab), dim, generator=generator) * 0.02 => (0.02 * torch.randn(len(vocab), dim, generator=generator)).abs()
#   "width" => word
