# exercise 02.load_pretrained
"""Loading pretrained vectors: wrong answers about the words that are found and their widths, by name."""

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
            matrix[row, : len(vector)], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


# mistake rows_in_dict_order (values), from plain
# Rows are numbered in the order of the dict; the row of a word is its id.
# Next: Use `for word, row in vocab.items()` instead of `enumerate`.
#   -    for word, row in vocab.items():
#   +    for row, word in enumerate(vocab):
#   row, : len(vector) => row

# mistake found_by_nonzero (values), from plain
# A known word whose vector is all zeros is taken for a new one: found is read off the numbers in the matrix.
# Next: Set `found[row] = True` where you copy.
#   -    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
#   -    found = torch.zeros(len(vocab), dtype=torch.bool)
#   +    matrix = torch.zeros(len(vocab), dim)
#   -            matrix[row, : len(vector)], found[row] = vector, True
#   +            matrix[row] = vector
#   +    found = (matrix != 0).any(dim=1)
#   +    matrix[~found] = torch.randn(int((~found).sum()), dim, generator=generator) * 0.02


# mistake width_not_checked (raises)
# A vector of the wrong width raises torch's RuntimeError; a vector of one number raises nothing.
# Next: Compare the vector's shape with (dim,) and raise ValueError before you assign it.
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            matrix[row] = torch.as_tensor(vectors[word], dtype=torch.float32)
            found[row] = True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


# mistake single_numbers_spread (property)
# A vector of one number is spread over the whole row without complaint.
# Next: Compare the vector's shape with (dim,) yourself: assignment accepts a single number for a row.
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = (torch.randn(len(vocab), dim, generator=generator) * 0.02).numpy()
    found = np.zeros(len(vocab), dtype=bool)
    for word, row in vocab.items():
        if word in vectors:
            matrix[row] = np.asarray(vectors[word], dtype=np.float32)
            found[row] = True
    matrix[padding_idx], found[padding_idx] = 0, False
    return torch.from_numpy(matrix), torch.from_numpy(found)


# mistake too_short_is_padded (property), from plain
# Only vectors that are too long are refused; those that are too short are filled up.
# Next: Refuse every width that is not dim.
#   vector.shape != (dim,) => len(vector) > dim

# mistake widths_compared_with_each_other (raises), from width_not_checked
# The vectors are compared with one another; when all have the same wrong width, no error is raised.
# Next: Compare each vector's shape with (dim,).
#        found = torch.zeros(len(vocab), dtype=torch.bool)
#   +    if len({len(vectors[word]) for word in vocab if word in vectors}) > 1:
#   +        raise ValueError("widths differ")
#   -            matrix[row] = torch.as_tensor(vectors[word], dtype=torch.float32)
#   -            found[row] = True
#   +            matrix[row], found[row] = torch.as_tensor(vectors[word], dtype=torch.float32), True

# mistake wrong_widths_skipped (property), from width_not_checked
# A word whose vector has another width becomes a new word without an error.
# Next: Raise ValueError instead of going on with the next word.
#   -        if word in vectors:
#   -            matrix[row] = torch.as_tensor(vectors[word], dtype=torch.float32)
#   -            found[row] = True
#   +        if word in vectors and len(vectors[word]) == dim:
#   +            matrix[row], found[row] = torch.as_tensor(vectors[word], dtype=torch.float32), True

# mistake empty_vector_is_none (property), from plain
# A known word whose vector is empty passes for a new word; its vector has another width than dim.
# Next: Ask `word in vectors` instead of whether there are any numbers.
#   -        if word in vectors:
#   -            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
#   +        vector = torch.as_tensor(vectors.get(word, []), dtype=torch.float32)
#   +        if len(vector):
#   row, : len(vector) => row

# mistake strangers_checked_too (raises), from width_not_checked
# A word outside the vocabulary is refused for its width; such words do not matter.
# Next: Check the width of words in the vocabulary only.
#    def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
#   +    if any(len(vector) != dim for vector in vectors.values()):
#   +        raise ValueError("width")
#   -            matrix[row] = torch.as_tensor(vectors[word], dtype=torch.float32)
#   -            found[row] = True
#   +            matrix[row], found[row] = torch.as_tensor(vectors[word], dtype=torch.float32), True

# mistake words_outside_the_vocabulary (raises), from plain
# A word of vectors that is not in the vocabulary raises a KeyError.
# Next: Go through the vocabulary and look its words up in vectors, not the other way round.
#   -    for word, row in vocab.items():
#   -        if word in vectors:
#   -            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
#   +    for word, vector in vectors.items():
#   +        row = vocab[word]
#   +        if row != padding_idx:
#   +            vector = torch.as_tensor(vector, dtype=torch.float32)
#   row, : len(vector) => row

# mistake lists_refused (raises), from plain
# A vector that is a list cannot be assigned to a row of a tensor.
# Next: Turn the vector into a tensor first: `torch.as_tensor` takes lists, arrays and tensors.
#   -            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
#   -            if vector.shape != (dim,):
#   +            if len(vectors[word]) != dim:
#   , : len(vector)], found[row] = vector => ], found[row] = torch.from_numpy(vectors[word]).float()


# mistake always_float64 (dtype)
# The matrix is float64, numpy's own choice; a table in float32 was asked for.
# Next: Convert the result: `torch.tensor(matrix, dtype=torch.float32)`.
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


# mistake found_counts_all_words (values), from plain
# found is True for every word but padding; it should be True where a vector was copied.
# Next: Set found[row] in the branch in which you copy.
#   torch.zeros => torch.ones
#   matrix[row, : len(vector)], found[row] = vector, True => matrix[row] = vector

# mistake capitals_ignored (values), from plain
# “Bank” gets the vector of “bank”; a word is known when vectors holds exactly that word.
# Next: Look the word up exactly as the vocabulary has it.
#   -        if word in vectors:
#   -            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
#   +        vector = vectors.get(word, vectors.get(word.lower()))
#   +        if vector is not None:
#   +            vector = torch.as_tensor(vector, dtype=torch.float32)
#   row, : len(vector) => row

# mistake matrix_only (raises), from plain
# Only the matrix is returned; the task asks for the matrix and found.
# Next: End with `return matrix, found`.
#   -    found = torch.zeros(len(vocab), dtype=torch.bool)
#   matrix[row, : len(vector)], found[row] = vector, True => matrix[row] = vector
#   matrix[padding_idx], found[padding_idx] = 0, False => matrix[padding_idx] = 0
#   matrix, found => matrix

# mistake as_many_rows_as_vectors (shape), from plain
# The table grows with the number of vectors; it has a row for every word of the vocabulary and no others.
# Next: The table has `len(vocab)` rows.
#   -    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
#   -    found = torch.zeros(len(vocab), dtype=torch.bool)
#   +    rows = max(len(vocab), len(vectors))
#   +    matrix = 0.02 * torch.randn(rows, dim, generator=generator)
#   +    found = torch.zeros(rows, dtype=torch.bool)
#   "width" => word
#   row, : len(vector) => row
