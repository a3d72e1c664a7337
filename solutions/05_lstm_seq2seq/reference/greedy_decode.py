"""The right answer to 05.greedy_decode."""

import torch
import torch.nn as nn


def greedy_decode(
    encoder: nn.Module, decoder: nn.Module, src: torch.Tensor, lengths: torch.Tensor, max_len: int, bos: int, eos: int
) -> list[list[int]]:
    """Translate a batch of sentences. At each step take the best word and feed it to the next step.

    encoder  called as encoder(src, lengths), returns outputs and the state (h, c), each (1, B, H)
    decoder  called as decoder(words (B, T), state), returns logits (B, T, V) and the state afterwards
    src      (B, S) int64 ids
    lengths  (B,) int64: how many ids of each row are real
    max_len  the largest number of words in a row of the result
    bos      the id that is fed first
    eos      the id that ends a row; each row ends at its own
    returns  a list for each row of src, in the order of src: its words as Python ints, without the bos that was fed
             and without eos. A row may be empty

    Both modules may be called as often as you like, with any rows of the batch. Their weights and their mode (train or
    eval) must stay as they are, even during the call.

    >>> class Start(nn.Module):
    ...     def forward(self, src, lengths):
    ...         return None, (torch.zeros(1, 2, 1), torch.zeros(1, 2, 1))
    >>> class Count(nn.Module):  # after word n comes word n + 1
    ...     def forward(self, words, state):
    ...         return nn.functional.one_hot(words + 1, 9).float(), state
    >>> src = torch.zeros(2, 3, dtype=torch.int64)
    >>> greedy_decode(Start(), Count(), src, torch.tensor([3, 1]), max_len=10, bos=4, eos=8)
    [[5, 6, 7], [5, 6, 7]]
    """
    sentences: list[list[int]] = [[] for _ in range(len(src))]
    going = set(range(len(src)))
    with torch.no_grad():
        _, state = encoder(src, lengths)
        words = torch.full((len(src), 1), bos)
        for _ in range(max_len):
            logits, state = decoder(words, state)  # (B, 1, V)
            words = logits.argmax(dim=-1)  # (B, 1)
            for row, word in enumerate(words[:, 0].tolist()):
                if word == eos:
                    going.discard(row)
                elif row in going:
                    sentences[row].append(word)
            if not going:
                break
    return sentences
