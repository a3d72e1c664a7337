"""Wrong answers to loading pretrained vectors by name, and unusual right ones."""

import math

import numpy as np
import torch
import torch.nn as nn

from grader.catalogue import mistake, right_form

LOAD = "02.load_pretrained"


@mistake(
    LOAD, "rows_in_dict_order", stage="values",
    diagnosis="Rows are numbered in the order of the dict; the row of a word is its id.",
    next_step="Use `for word, row in vocab.items()` instead of `enumerate`.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for row, word in enumerate(vocab):
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "padding_is_drawn", stage="values",
    diagnosis="The padding row gets random numbers like a new word; it should be zero.",
    next_step="Set `matrix[padding_idx] = 0` as the last step.",
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
    LOAD, "std_of_one", stage="values",
    diagnosis="New words are drawn with a standard deviation of 1: they would drown the pretrained ones.",
    next_step="Multiply the draw by 0.02, or use `normal_(0, 0.02)`.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "variance_for_std", stage="values",
    diagnosis="0.02 is used as the variance: the standard deviation comes out as 0.14.",
    next_step="Multiply the draw by 0.02 itself, without a square root.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * math.sqrt(0.02)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "std_by_width", stage="values",
    diagnosis="The standard deviation depends on the width; asked for is 0.02, whatever dim is.",
    next_step="Multiply the draw by 0.02.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) / math.sqrt(dim)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "new_words_get_the_mean", stage="values",
    diagnosis="All new words start at the mean of the known ones: nothing tells them apart.",
    next_step="Leave the rows of new words as they were drawn.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    if found.any():
        matrix[~found] = matrix[found].mean(dim=0)
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "uniform", stage="values",
    diagnosis="New words never lie far from 0, as numbers of a uniform distribution do; a normal one was asked for.",
    next_step="Use `torch.randn` times 0.02.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = (torch.rand(len(vocab), dim, generator=generator) * 2 - 1) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "new_words_are_zero", stage="values",
    diagnosis="New words stay zero: all alike, so that nothing tells them apart, and like padding.",
    next_step="Start from random rows instead of `torch.zeros`.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.zeros(len(vocab), dim)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    return matrix, found


@mistake(
    LOAD, "one_draw_for_all_new_words", stage="values",
    diagnosis="All new words share one random row: the model cannot tell them apart at the start.",
    next_step="Draw a row for each word: `torch.randn(len(vocab), dim)`.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    unknown = torch.randn(dim, generator=generator) * 0.02
    matrix = unknown.repeat(len(vocab), 1)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "generator_ignored", stage="values",
    diagnosis="The generator is not used: with the same seed the rows of new words come out otherwise.",
    next_step="Pass `generator=generator` to the function that draws.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "always_the_same_seed", stage="values",
    diagnosis="A seed is set inside the function: every generator gives the same rows.",
    next_step="Leave the seed out; it belongs to whoever made the generator.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    torch.manual_seed(0)
    matrix = torch.randn(len(vocab), dim) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "a_seed_of_its_own_without_a_generator", stage="values",
    diagnosis="Without a generator a fixed seed is used, so every call draws the same rows, whatever torch.manual_seed said. "
    "(A fresh `torch.Generator()` has a fixed seed, too.)",
    next_step="Pass `generator=None` on as it is: torch's functions take it for the global generator.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    generator = generator or torch.Generator()
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "numpy_draws_without_a_generator", stage="values",
    diagnosis="Without a generator the rows come from numpy, which torch.manual_seed does not reach: no run can be repeated.",
    next_step="Draw with torch in both cases: `generator=None` means its global generator.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    if generator is None:
        matrix = torch.tensor(np.random.normal(0, 0.02, (len(vocab), dim)), dtype=torch.float32)
    else:
        matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "only_the_seed_of_the_generator", stage="values",
    diagnosis="The generator is asked for its seed and never moves on: a second table drawn from it gets the same rows.",
    next_step="Draw from the generator itself, `generator=generator`, instead of from its `initial_seed()`.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    if generator is None:
        matrix = torch.randn(len(vocab), dim) * 0.02
    else:
        drawn = np.random.default_rng(generator.initial_seed()).normal(0, 0.02, (len(vocab), dim))
        matrix = torch.tensor(drawn, dtype=torch.float32)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "found_by_nonzero", stage="values",
    diagnosis="A known word whose vector is all zeros is taken for a new one: found is read off the numbers in the matrix.",
    next_step="Set `found[row] = True` where you copy.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.zeros(len(vocab), dim)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row] = vector
    found = (matrix != 0).any(dim=1)
    matrix[~found] = torch.randn(int((~found).sum()), dim, generator=generator) * 0.02
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "width_not_checked", stage="raises",
    diagnosis="A vector of another width ends in torch's RuntimeError, or, with a "
    "single number, in no error at all.",
    next_step="Compare the vector's shape with (dim,) and raise ValueError before you assign it.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            matrix[row] = torch.as_tensor(vectors[word], dtype=torch.float32)
            found[row] = True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "single_numbers_spread", stage="property",
    diagnosis="A vector of one number is spread over the whole row without complaint.",
    next_step="Compare the vector's shape with (dim,) yourself: assignment "
    "accepts a single number for a row.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = (torch.randn(len(vocab), dim, generator=generator) * 0.02).numpy()
    found = np.zeros(len(vocab), dtype=bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            matrix[row] = np.asarray(vectors[word], dtype=np.float32)
            found[row] = True
    matrix[padding_idx] = 0
    return torch.from_numpy(matrix), torch.from_numpy(found)


@mistake(
    LOAD, "too_short_is_padded", stage="property",
    diagnosis="Only vectors that are too long are refused; those that are too short are filled up.",
    next_step="Refuse every width that is not dim.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if len(vector) > dim:
                raise ValueError("width")
            matrix[row, : len(vector)], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "widths_compared_with_each_other", stage="raises",
    diagnosis="The vectors are compared with one another; when all have the same wrong width, nobody notices.",
    next_step="Compare each vector's shape with (dim,).",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    if len({len(vectors[word]) for word in vocab if word in vectors}) > 1:
        raise ValueError("widths differ")
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            matrix[row], found[row] = torch.as_tensor(vectors[word], dtype=torch.float32), True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "wrong_widths_skipped", stage="property",
    diagnosis="A word whose vector has another width silently becomes a new word and nobody hears of it.",
    next_step="Raise ValueError instead of going on with the next word.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx and len(vectors[word]) == dim:
            matrix[row], found[row] = torch.as_tensor(vectors[word], dtype=torch.float32), True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "empty_vector_is_none", stage="property",
    diagnosis="A known word whose vector is empty passes for a new word; its vector has another width than dim.",
    next_step="Ask `word in vectors` instead of whether there are any numbers.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        vector = torch.as_tensor(vectors.get(word, []), dtype=torch.float32)
        if len(vector) and row != padding_idx:
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "strangers_checked_too", stage="raises",
    diagnosis="A word outside the vocabulary is refused for its width; such words do not matter.",
    next_step="Check the width of words in the vocabulary only.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    if any(len(vector) != dim for vector in vectors.values()):
        raise ValueError("width")
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            matrix[row], found[row] = torch.as_tensor(vectors[word], dtype=torch.float32), True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "words_outside_the_vocabulary", stage="raises",
    diagnosis="A word of vectors that is not in the vocabulary ends in a KeyError.",
    next_step="Go through the vocabulary and look its words up in vectors, not the other way round.",
)  # fmt: skip
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
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "lists_refused", stage="raises",
    diagnosis="A vector that is a list cannot be assigned to a row of a tensor.",
    next_step="Turn the vector into a tensor first: `torch.as_tensor` takes lists, arrays and tensors.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            if len(vectors[word]) != dim:
                raise ValueError("width")
            matrix[row], found[row] = torch.from_numpy(vectors[word]).float(), True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "always_float64", stage="dtype",
    diagnosis="The matrix is float64, numpy's own choice; a table in float32 was asked for.",
    next_step="Convert the result: `torch.tensor(matrix, dtype=torch.float32)`.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = (torch.randn(len(vocab), dim, generator=generator) * 0.02).numpy().astype(np.float64)
    found = np.zeros(len(vocab), dtype=bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = np.asarray(vectors[word], dtype=float)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return torch.from_numpy(matrix), torch.from_numpy(found)


@mistake(
    LOAD, "found_counts_all_words", stage="values",
    diagnosis="found is True for every word but padding; it should be True where a vector was copied.",
    next_step="Set found[row] in the branch in which you copy.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.ones(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row] = vector
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found


@mistake(
    LOAD, "added_to_the_draw", stage="values",
    diagnosis="Known vectors are added to the random rows; they should replace them.",
    next_step="Assign with `=`, not `+=`.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row] += vector
            found[row] = True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "capitals_ignored", stage="values",
    diagnosis="“Bank” gets the vector of “bank”; a word is known when vectors holds exactly that word.",
    next_step="Look the word up exactly as the vocabulary has it.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        vector = vectors.get(word, vectors.get(word.lower()))
        if vector is not None and row != padding_idx:
            vector = torch.as_tensor(vector, dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row], found[row] = vector, True
    matrix[padding_idx] = 0
    return matrix, found


@mistake(
    LOAD, "padding_taken_out_of_vectors", stage="property",
    diagnosis="The padding word is removed from vectors, which belongs to the caller.",
    next_step="Skip the padding row in your loop instead.",
)  # fmt: skip
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
    LOAD, "matrix_only", stage="raises",
    diagnosis="Only the matrix is returned; asked for are the matrix and found.",
    next_step="End with `return matrix, found`.",
)  # fmt: skip
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    for word, row in vocab.items():
        if word in vectors and row != padding_idx:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError("width")
            matrix[row] = vector
    matrix[padding_idx] = 0
    return matrix


@right_form(LOAD, "draws_word_by_word")
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None, std=0.02):
    matrix = torch.zeros(len(vocab), dim)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, index in sorted(vocab.items(), key=lambda pair: pair[1]):
        if index == padding_idx:
            continue
        if word not in vectors:
            matrix[index] = torch.normal(0.0, std, (dim,), generator=generator)
            continue
        vector = [float(number) for number in vectors[word]]
        if len(vector) != dim:
            raise ValueError(f"{word}: {len(vector)} numbers instead of {dim}")
        matrix[index] = torch.tensor(vector)
        found[index] = True
    return matrix, found


@right_form(LOAD, "padding_word_checked_too")
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    known = {word: np.asarray(vectors[word], dtype=np.float32) for word in vocab.keys() & vectors.keys()}
    if any(vector.shape != (dim,) for vector in known.values()):
        raise ValueError("width")
    matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, vector in known.items():
        if vocab[word] != padding_idx:
            matrix[vocab[word]], found[vocab[word]] = torch.from_numpy(vector), True
    matrix[padding_idx] = 0
    return matrix, found


@right_form(LOAD, "embedding_weight")
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    table = nn.Embedding(len(vocab), dim, padding_idx=padding_idx)
    found = torch.tensor([False] * len(vocab))
    with torch.no_grad():
        nn.init.normal_(table.weight, mean=0.0, std=0.02, generator=generator)
        table.weight[padding_idx].zero_()
        for word in vocab:
            if word in vectors and vocab[word] != padding_idx:
                vector = torch.tensor(np.array(vectors[word]), dtype=torch.float32)
                if tuple(vector.shape) != (dim,):
                    raise ValueError(word)
                table.weight[vocab[word]] = vector
                found[vocab[word]] = True
    return table.weight, found


@right_form(LOAD, "numpy_seeded_by_the_generator")
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    seed = int(torch.randint(2**31, (1,), generator=generator))
    matrix = np.random.default_rng(seed).normal(0.0, 0.02, (len(vocab), dim)).astype(np.float32)
    found = np.zeros(len(vocab), dtype=bool)
    for word, index in vocab.items():
        if word in vectors:
            vector = np.asarray(vectors[word], dtype=np.float32)
            if vector.shape != (dim,):
                raise ValueError(word)
            matrix[index] = vector
            found[index] = True
    matrix[padding_idx] = 0
    found[padding_idx] = False
    return torch.from_numpy(matrix), torch.from_numpy(found)


@right_form(LOAD, "known_words_stacked")
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    known = [word for word, index in vocab.items() if word in vectors and index != padding_idx]
    rows = [torch.as_tensor(vectors[word]).double() for word in known]
    for row in rows:
        if row.numel() != dim:
            raise ValueError("wrong width")
    matrix = torch.empty(len(vocab), dim).normal_(0, 0.02, generator=generator)
    found = torch.zeros(len(vocab)).bool()
    if known:
        index = torch.tensor([vocab[word] for word in known])
        matrix[index] = torch.stack(rows).float()
        found[index] = True
    matrix[padding_idx] = 0.0
    return [matrix, found]
