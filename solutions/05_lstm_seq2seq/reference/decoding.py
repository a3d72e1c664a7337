"""Right answers to notebook 05: decoding word by word, and attention."""

import torch
import torch.nn as nn


def greedy_decode(
    encoder: nn.Module, decoder: nn.Module, src: torch.Tensor, lengths: torch.Tensor, max_len: int, bos: int, eos: int
) -> list[list[int]]:
    """Translate a batch of sentences: at each step take the best word, and feed it to the next step.

    encoder  called as encoder(src, lengths), returns outputs and the state (h, c), each (1, B, H)
    decoder  called as decoder(words (B, T), state), returns logits (B, T, V) and the state afterwards
    src      (B, S) int64 ids
    lengths  (B,) int64: how many ids of each row are real
    max_len  at most so many words for each row
    bos      the id that is fed first
    eos      the id that ends a row; each row ends at its own
    returns  a list of words for each row of src, in their order: Python ints, without the bos that was fed and
             without eos. A row may be empty

    Both modules may be called as often as you like, with any of the rows. Whether they are in eval mode is for the
    caller to say.

    >>> def encoder(src, lengths):
    ...     return None, (torch.zeros(1, 2, 1), torch.zeros(1, 2, 1))
    >>> def decoder(words, state):  # counts: after word n comes word n + 1
    ...     return nn.functional.one_hot(words + 1, 9), state
    >>> greedy_decode(encoder, decoder, torch.zeros(2, 3), torch.tensor([3, 1]), max_len=10, bos=4, eos=8)
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


def attend(query: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Look back at a memory: dot-product attention (Luong et al. 2015), without a scale.

    query    (B, H): what the decoder looks for, its h
    memory   (B, S, H), S at least 1: what there is, the encoder's outputs
    mask     (B, S) bool: True where a word may be looked at
    returns  context (B, H), the sum of the memory's rows by weight, and weights (B, S), the softmax of the scores
             query · memory over the words that may be looked at. Where there is none, both are zero

    >>> query, memory = torch.tensor([[1.0, 0.0]]), torch.tensor([[[0.0, 2.0], [0.0, 4.0], [9.0, 9.0]]])
    >>> context, weights = attend(query, memory, torch.tensor([[True, True, False]]))
    >>> weights.tolist(), context.tolist()
    ([[0.5, 0.5, 0.0]], [[0.0, 3.0]])
    """
    scores = torch.einsum("bh,bsh->bs", query, memory)
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=1) * mask  # a row without any word had the same weight everywhere
    return torch.einsum("bs,bsh->bh", weights, memory), weights
