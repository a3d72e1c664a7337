# exercise 02.load_pretrained
"""Wrong answers to load_pretrained by name: the padding row."""

import torch


# mistake padding_is_drawn (values)
# The padding row gets random numbers like a new word; it should be zero.
# Next: Set `matrix[padding_idx] = 0` as the last step.
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


# mistake padding_is_found (values), from padding_is_drawn
# The padding row is copied from vectors when its word occurs there; it should stay zero and not found.
# Next: Skip the row padding_idx, or clear both matrix and found there at the end.
#        matrix = torch.randn(len(vocab), dim, generator=generator) * 0.02
#   +    matrix[padding_idx] = 0
#   word in vectors and row != padding_idx => word in vectors

# mistake padding_zero_and_still_found (values), from padding_is_drawn
# The padding row is zero, but found says that it was copied.
# Next: Set `found[padding_idx] = False` beside the row of zeros.
#   word in vectors and row != padding_idx => word in vectors
#                matrix[row], found[row] = vector, True
#   +    matrix[padding_idx] = 0

# mistake padding_is_always_row_0 (values), from padding_is_drawn
# Row 0 is treated as padding whatever padding_idx says.
# Next: Use padding_idx wherever a 0 stands in your code.
#   row != padding_idx => row != 0
#                matrix[row], found[row] = vector, True
#   +    matrix[0] = 0

# mistake padding_by_its_word (values), from padding_is_drawn
# The word "<pad>" is skipped; only padding_idx says which row is padding.
# Next: Compare the row with padding_idx, not the word with a text.
#   row != padding_idx => word != "<pad>" and row != padding_idx
#                matrix[row], found[row] = vector, True
#   +    matrix[padding_idx] = 0

# mistake padding_taken_out_of_vectors (property), from padding_is_drawn
# The padding word is removed from vectors, which belongs to the caller.
# Next: Skip the padding row in your loop instead.
#    def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
#   +    for word, row in vocab.items():
#   +        if row == padding_idx:
#   +            vectors.pop(word, None)
#   word in vectors and row != padding_idx => word in vectors
#                matrix[row], found[row] = vector, True
#   +    matrix[padding_idx] = 0

# mistake padding_word_not_checked (property), from padding_is_drawn
# The padding word is skipped before its vector's width is looked at; a wrong width should raise ValueError.
# Next: Check the vectors of all words in the vocabulary, and clear the padding row last.
#   torch.randn(len(vocab), dim, generator=generator) * 0.02 => 0.02 * torch.randn(len(vocab), dim, generator=generator)
#   "width" => word
#                matrix[row], found[row] = vector, True
#   +    matrix[padding_idx] = 0
