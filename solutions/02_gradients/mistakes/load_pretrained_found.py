"""Loading pretrained vectors: wrong answers about the words that are found and their widths, by name."""


import numpy as np
import torch

from grader.course_source.catalogue import mistake

LOAD = "02.load_pretrained"


@mistake(
    LOAD, "rows_in_dict_order", stage="values",
    diagnosis="Rows are numbered in the order of the dict; the row of a word is its id.",
    next_step="Use `for word, row in vocab.items()` instead of `enumerate`.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for row, word in enumerate(vocab):
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "found_by_nonzero", stage="values",
    diagnosis="A known word whose vector is all zeros is taken for a new one: found is read off the numbers in the matrix.",
    next_step="Set `found[row] = True` where you copy.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.zeros(len(vocab), dim)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row] = vector
    found = (matrix != 0).any(dim=1)
    matrix[~found] = torch.randn(int((~found).sum()), dim, generator=generator) * 0.02
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "width_not_checked", stage="raises",
    diagnosis="A vector of another width ends in torch's RuntimeError, or, with a "
    "single number, in no error at all.",
    next_step="Compare the vector's shape with (dim,) and raise ValueError before you assign it.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            matrix[row] = torch.as_tensor(vectors[word], dtype=torch.float32)
            found[row] = True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "single_numbers_spread", stage="property",
    diagnosis="A vector of one number is spread over the whole row without complaint.",
    next_step="Compare the vector's shape with (dim,) yourself: assignment "
    "accepts a single number for a row.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = (torch.randn(len(vocab), dim, generator=generator) * 0.02).numpy()
    found = np.zeros(len(vocab), dtype=bool)
    for word, row in vocab.items():
        if word in vectors:
            matrix[row] = np.asarray(vectors[word], dtype=np.float32)
            found[row] = True
    matrix[padding_idx], found[padding_idx] = 0, False
    return torch.from_numpy(matrix), torch.from_numpy(found)


@mistake(
    LOAD, "too_short_is_padded", stage="property",
    diagnosis="Only vectors that are too long are refused; those that are too short are filled up.",
    next_step="Refuse every width that is not dim.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if len(vector) > dim:
                raise ValueError("width")
            matrix[row, : len(vector)], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "widths_compared_with_each_other", stage="raises",
    diagnosis="The vectors are compared with one another; when all have the same wrong width, no error is raised.",
    next_step="Compare each vector's shape with (dim,).",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    if len({len(vectors[word]) for word in vocab if word in vectors}) > 1:
        raise ValueError("widths differ")
    for word, row in vocab.items():
        if word in vectors:
            matrix[row], found[row] = torch.as_tensor(vectors[word], dtype=torch.float32), True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "wrong_widths_skipped", stage="property",
    diagnosis="A word whose vector has another width becomes a new word without an error.",
    next_step="Raise ValueError instead of going on with the next word.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and len(vectors[word]) == dim:
            matrix[row], found[row] = torch.as_tensor(vectors[word], dtype=torch.float32), True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "empty_vector_is_none", stage="property",
    diagnosis="A known word whose vector is empty passes for a new word; its vector has another width than dim.",
    next_step="Ask `word in vectors` instead of whether there are any numbers.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        vector = torch.as_tensor(vectors.get(word, []), dtype=torch.float32)
        if len(vector):
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "strangers_checked_too", stage="raises",
    diagnosis="A word outside the vocabulary is refused for its width; such words do not matter.",
    next_step="Check the width of words in the vocabulary only.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    if any(len(vector) != dim for vector in vectors.values()):
        raise ValueError("width")
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            matrix[row], found[row] = torch.as_tensor(vectors[word], dtype=torch.float32), True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "words_outside_the_vocabulary", stage="raises",
    diagnosis="A word of vectors that is not in the vocabulary ends in a KeyError.",
    next_step="Go through the vocabulary and look its words up in vectors, not the other way round.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, vector in vectors.items():
        row = vocab[word]
        if row != padding_idx:
            vector = torch.as_tensor(vector, dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "lists_refused", stage="raises",
    diagnosis="A vector that is a list cannot be assigned to a row of a tensor.",
    next_step="Turn the vector into a tensor first: `torch.as_tensor` takes lists, arrays and tensors.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            if len(vectors[word]) != dim:
                raise ValueError("width")
            matrix[row], found[row] = torch.from_numpy(vectors[word]).float(), True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "always_float64", stage="dtype",
    diagnosis="The matrix is float64, numpy's own choice; a table in float32 was asked for.",
    next_step="Convert the result: `torch.tensor(matrix, dtype=torch.float32)`.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = (torch.randn(len(vocab), dim, generator=generator) * 0.02).numpy().astype(np.float64)
    found = np.zeros(len(vocab), dtype=bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = np.asarray(vectors[word], dtype=float)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return torch.from_numpy(matrix), torch.from_numpy(found)


@mistake(
    LOAD, "found_counts_all_words", stage="values",
    diagnosis="found is True for every word but padding; it should be True where a vector was copied.",
    next_step="Set found[row] in the branch in which you copy.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.ones(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row] = vector
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "capitals_ignored", stage="values",
    diagnosis="“Bank” gets the vector of “bank”; a word is known when vectors holds exactly that word.",
    next_step="Look the word up exactly as the vocabulary has it.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        vector = vectors.get(word, vectors.get(word.lower()))
        if vector is not None:
            vector = torch.as_tensor(vector, dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "matrix_only", stage="raises",
    diagnosis="Only the matrix is returned; asked for are the matrix and found.",
    next_step="End with `return matrix, found`.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row] = vector
    matrix[padding_idx] = 0
    return matrix


@mistake(
    LOAD, "as_many_rows_as_vectors", stage="shape",
    diagnosis="The table grows with the number of vectors; it has a row for every word of the vocabulary and no others.",
    next_step="The table has `len(vocab)` rows.",
)
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    rows = max(len(vocab), len(vectors))
    matrix = 0.02 * torch.randn(rows, dim, generator=generator)
    found = torch.zeros(rows, dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError(word)
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found
