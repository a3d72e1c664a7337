"""Wrong answers to load_pretrained by name: the padding row."""

import torch

from grader.course_source.catalogue import mistake

LOAD = "02.load_pretrained"


@mistake(
    LOAD, "padding_is_drawn", stage="values",
    diagnosis="The padding row gets random numbers like a new word; it should be zero.",
    next_step="Set `matrix[padding_idx] = 0` as the last step.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    return matrix, found


@mistake(
    LOAD, "padding_is_found", stage="values",
    diagnosis="The padding row is copied from vectors when its word occurs there; "
    "it should stay zero and not found.",
    next_step="Skip the row padding_idx, or clear both matrix and found there at the end.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    matrix[padding_idx] = 0
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    return matrix, found


@mistake(
    LOAD, "padding_zero_and_still_found", stage="values",
    diagnosis="The padding row is zero, and found says that it was copied.",
    next_step="Set `found[padding_idx] = False` beside the row of zeros.",
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
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "padding_is_always_row_0", stage="values",
    diagnosis="Row 0 is treated as padding whatever padding_idx says.",
    next_step="Use padding_idx wherever a 0 stands in your code.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != 0:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[0] = 0
    return matrix, found


@mistake(
    LOAD, "padding_by_its_word", stage="values",
    diagnosis="The word \"<pad>\" is skipped; which row is padding is said by padding_idx alone.",
    next_step="Compare the row with padding_idx, not the word with a text.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and word != "<pad>" and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "padding_taken_out_of_vectors", stage="property",
    diagnosis="The padding word is removed from vectors, which belongs to the caller.",
    next_step="Skip the padding row in your loop instead.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    for word, row in vocab.items():
        if row == padding_idx:
            vectors.pop(word, None)
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "padding_word_not_checked", stage="property",
    diagnosis="The padding word is skipped before its vector's width is looked at; a wrong width should raise ValueError.",
    next_step="Check the vectors of all words in the vocabulary, and clear the padding row last.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = 0.02 * torch.randn(len(vocab), dim, generator=generator)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError(word)
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found
