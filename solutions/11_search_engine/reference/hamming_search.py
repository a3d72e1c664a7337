"""The right answer to 11.hamming_search."""

import torch


def hamming_search(queries: torch.Tensor, codes: torch.Tensor, k: int) -> torch.Tensor:
    """Find for each query the k codes that differ from it in the fewest bits (the Hamming distance), the nearest first.

    Of codes that are equally far away, the one with the smaller number comes first.

    queries  (Q, b) uint8 tensor: Q codes of b bytes; Q and b at least 1
    codes    (N, b) uint8 tensor: what is searched; N may be 0
    k        how many codes are wanted, at least 1; it may exceed N
    returns  (Q, k) int64 tensor: the numbers of the codes, counted from 0; -1 where there are fewer than k

    >>> codes = torch.tensor([[0b11110000], [0b00000111], [0b00000001]], dtype=torch.uint8)
    >>> hamming_search(torch.tensor([[0b00000000], [0b11110011]], dtype=torch.uint8), codes, k=2).tolist()
    [[2, 1], [0, 1]]
    >>> hamming_search(torch.tensor([[0b00001000]], dtype=torch.uint8), codes, k=4).tolist()
    [[2, 1, 0, -1]]

    Source: Yamada et al., Efficient Passage Retrieval with Hashing for Open-domain Question Answering, 2021.
    """
    different = queries[:, None, :] ^ codes[None, :, :]  # (Q, N, b)
    ones = [((different >> bit) & 1).sum(dim=2) for bit in range(8)]  # eight times (Q, N)
    distance = torch.stack(ones).sum(dim=0)  # (Q, N)
    nearest = distance.argsort(dim=1, stable=True)[:, :k]
    found = torch.full((len(queries), k), -1)
    found[:, : nearest.shape[1]] = nearest
    return found
