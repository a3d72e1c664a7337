"""The right answer to 02.load_pretrained."""

import torch


def load_pretrained(
    vocab: dict[str, int],
    vectors: dict,
    dim: int,
    padding_idx: int = 0,
    generator: torch.Generator | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Fill a table with pretrained vectors, and with small random numbers for words without one.

    vocab        word -> id; the ids are 0 to V-1, in any order
    vectors      word -> vector, a list, array or tensor; words outside the vocabulary are ignored
    dim          d, the width of the table
    padding_idx  the row that stays zero and counts as not found, even if vectors has its word
    generator    where all randomness comes from; None means torch's global one
    returns      (matrix, found): float32 tensor (V, d) and bool tensor (V,). Rows of known words are
                 copied and found, rows of new words are normal with mean 0 and standard deviation 0.02

    Raises ValueError if the vector of a word in the vocabulary, or of the padding word, has another width than dim.

    >>> matrix, found = load_pretrained({"<pad>": 0, "cat": 2, "dog": 1}, {"cat": [1.0, 2.0]}, 2)
    >>> matrix[[0, 2]].tolist(), found.tolist()
    ([[0.0, 0.0], [1.0, 2.0]], [False, False, True])
    """
    matrix = 0.02 * torch.randn(len(vocab), dim, dtype=torch.float32, generator=generator)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, row in vocab.items():
        if word in vectors:
            vector = torch.as_tensor(vectors[word], dtype=torch.float32)
            if vector.shape != (dim,):
                raise ValueError(f"{word!r} has a vector of shape {tuple(vector.shape)}, not ({dim},)")
            matrix[row], found[row] = vector, True
    matrix[padding_idx], found[padding_idx] = 0, False
    return matrix, found
