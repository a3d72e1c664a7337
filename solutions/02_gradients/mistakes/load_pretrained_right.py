# exercise 02.load_pretrained
import numpy as np
import torch
import torch.nn as nn


# right form list_of_rows
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    rows, found = [None] * len(vocab), [False] * len(vocab)
    for word, row in vocab.items():
        if word in vectors:
            numbers = [float(number) for number in vectors[word]]
            if len(numbers) != dim:
                raise ValueError(word)
            rows[row], found[row] = torch.tensor(numbers), row != padding_idx
        else:
            rows[row] = torch.normal(0.0, 0.02, (dim,), generator=generator)
    rows[padding_idx] = torch.zeros(dim)
    return torch.stack(rows), torch.tensor(found)


# right form draws_word_by_word
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None, std=0.02):
    matrix = torch.zeros(len(vocab), dim)
    found = torch.zeros(len(vocab), dtype=torch.bool)
    for word, index in sorted(vocab.items(), key=lambda pair: pair[1]):
        if word not in vectors:
            if index != padding_idx:
                matrix[index] = torch.normal(0.0, std, (dim,), generator=generator)
            continue
        vector = [float(number) for number in vectors[word]]
        if len(vector) != dim:
            raise ValueError(f"{word}: {len(vector)} numbers instead of {dim}")
        if index != padding_idx:
            matrix[index] = torch.tensor(vector)
            found[index] = True
    return matrix, found


# right form arrays_of_known_words
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


# right form embedding_weight
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    table = nn.Embedding(len(vocab), dim, padding_idx=padding_idx)
    found = torch.tensor([False] * len(vocab))
    with torch.no_grad():
        nn.init.normal_(table.weight, mean=0.0, std=0.02, generator=generator)
        for word in vocab:
            if word in vectors:
                vector = torch.tensor(np.array(vectors[word]), dtype=torch.float32)
                if tuple(vector.shape) != (dim,):
                    raise ValueError(word)
                table.weight[vocab[word]] = vector
                found[vocab[word]] = vocab[word] != padding_idx
        table.weight[padding_idx].zero_()
    return table.weight, found


# right form numpy_seeded_by_the_generator
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


# right form known_words_stacked
def load_pretrained(vocab, vectors, dim, padding_idx=0, generator=None):
    if any(len(vectors[word]) != dim for word in vocab if word in vectors):
        raise ValueError("wrong width")
    known = [word for word, index in vocab.items() if word in vectors and index != padding_idx]
    rows = [torch.as_tensor(vectors[word]).double() for word in known]
    matrix = torch.empty(len(vocab), dim).normal_(0, 0.02, generator=generator)
    found = torch.zeros(len(vocab)).bool()
    if known:
        index = torch.tensor([vocab[word] for word in known])
        matrix[index] = torch.stack(rows).float()
        found[index] = True
    matrix[padding_idx] = 0.0
    return [matrix, found]
