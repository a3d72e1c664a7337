"""Loading pretrained vectors: wrong answers about the rows that are drawn and the padding row, by name."""

import math

import numpy as np
import torch

from grader.course_source.catalogue import mistake

LOAD = "02.load_pretrained"


@mistake(
    LOAD, "std_of_one", stage="values",
    diagnosis="New words are drawn with a standard deviation of 1: they would outweigh the pretrained ones.",
    next_step="Multiply the draw by 0.02, or use `normal_(0, 0.02)`.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "variance_for_std", stage="values",
    diagnosis="0.02 is used as the variance: the standard deviation comes out as 0.14.",
    next_step="Multiply the draw by 0.02 itself, without a square root.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * math.sqrt(0.02)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "std_by_width", stage="values",
    diagnosis="The standard deviation depends on the width; asked for is 0.02, whatever dim is.",
    next_step="Multiply the draw by 0.02.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) / math.sqrt(dim)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "new_words_get_the_mean", stage="values",
    diagnosis="All new words start at the mean of the known ones: nothing tells them apart.",
    next_step="Leave the rows of new words as they were drawn.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    if found.any():
        matrix[~found] = matrix[found].mean(dim=0)
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "uniform", stage="values",
    diagnosis="New words never lie far from 0, as numbers of a uniform distribution do; a normal one was asked for.",
    next_step="Use `torch.randn` times 0.02.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = (torch.rand(len(vocab), dim, generator=generator) * 2 - 1) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "new_words_are_zero", stage="values",
    diagnosis="New words stay zero: all alike, so that nothing tells them apart, and like padding.",
    next_step="Start from random rows instead of `torch.zeros`.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.zeros(len(vocab), dim)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "one_draw_for_all_new_words", stage="values",
    diagnosis="All new words share one random row: the model cannot tell them apart at the start.",
    next_step="Draw a row for each word: `torch.randn(len(vocab), dim)`.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    unknown = torch.randn(dim, generator=generator) * 0.02
    matrix = unknown.repeat(len(vocab), 1)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "generator_ignored", stage="values",
    diagnosis="The generator is not used: with the same seed the rows of new words come out otherwise.",
    next_step="Pass `generator=generator` to the function that draws.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "always_the_same_seed", stage="values",
    diagnosis="A seed is set inside the function: every generator gives the same rows.",
    next_step="Leave the seed out; it belongs to whoever made the generator.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    torch.manual_seed(0)
    matrix = torch.randn(len(vocab), dim) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "a_seed_of_its_own_without_a_generator", stage="values",
    diagnosis="Without a generator a fixed seed is used, so every call draws the same rows, whatever torch.manual_seed said. "
    "(A fresh `torch.Generator()` has a fixed seed, too.)",
    next_step="Pass `generator=None` on as it is: torch's functions take it for the global generator.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    generator = generator or torch.Generator()
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


@mistake(
    LOAD, "numpy_draws_without_a_generator", stage="values",
    diagnosis="Without a generator the rows come from numpy, which torch.manual_seed does not reach: no run can be repeated.",
    next_step="Draw with torch in both cases: `generator=None` means its global generator.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    if generator is None:
        matrix = torch.tensor(np.random.normal(0, 0.02, (len(vocab), dim)), dtype=torch.float32)
    else:
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


@mistake(
    LOAD, "only_the_seed_of_the_generator", stage="values",
    diagnosis="The generator is asked for its seed and never moves on: a second table drawn from it gets the same rows.",
    next_step="Draw from the generator itself, `generator=generator`, instead of from its `initial_seed()`.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    if generator is None:
        matrix = torch.randn(len(vocab), dim) * 0.02
    else:
        drawn = np.random.default_rng(generator.initial_seed()).normal(0, 0.02, (len(vocab), dim))
        matrix = torch.tensor(drawn, dtype=torch.float32)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "added_to_the_draw", stage="values",
    diagnosis="Known vectors are added to the random rows; they should replace them.",
    next_step="Assign with `=`, not `+=`.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row] += vector
            found[row] = True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "only_positive_draws", stage="values",
    diagnosis="New words get positive numbers only: their mean is not 0.",
    next_step="`0.02 * torch.randn(...)` has both signs; nothing needs to be made positive.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = (0.02 * torch.randn(len(vocab), dim, generator=generator)).abs()
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError(word)
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found
