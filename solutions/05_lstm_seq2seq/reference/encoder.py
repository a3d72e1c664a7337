"""The right answer to 05.Encoder."""

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Encoder(nn.Module):
    """Encode a batch of sentences with one LSTM. Padding changes neither the state nor the outputs at real words.

    Attributes: `embedding`, an nn.Embedding (vocab_size, embedding_dim), and `lstm`, a one-layer nn.LSTM with biases:
    the weights are set by these names. There is no dropout by default.

    >>> encoder = Encoder(vocab_size=6, embedding_dim=2, hidden_dim=3)
    >>> src = torch.tensor([[4, 5, 0], [1, 2, 3]])
    >>> outputs, (h, c) = encoder(src, lengths=torch.tensor([2, 3]))
    >>> outputs.shape, h.shape, c.shape
    (torch.Size([2, 3, 3]), torch.Size([1, 2, 3]), torch.Size([1, 2, 3]))
    >>> outputs[0, 2].tolist(), bool((h[0, 0] == outputs[0, 1]).all())
    ([0.0, 0.0, 0.0], True)
    """

    def __init__(self, vocab_size: int, embedding_dim: int, hidden_dim: int, pad: int = 0) -> None:
        """Make a table for vocab_size words and an LSTM with hidden_dim numbers in h and in c; pad is the id of padding."""
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        """Encode each sentence up to its length.

        src      (B, S) int64 ids
        lengths  (B,) int64: how many ids of each row are real, 1 to S, in any order. What stands behind them does
                 not count; within them the id pad is a word like any other
        returns  outputs (B, S, H): h after each word, zero at padding; and the state (h, c), each (1, B, H), after
                 the last real word of each row. Gradients reach all parameters from outputs, h and c
        """
        vectors = self.embedding(src)  # (B, S, d)
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        packed_outputs, state = self.lstm(packed)
        outputs, _ = pad_packed_sequence(packed_outputs, batch_first=True, total_length=src.shape[1])
        return outputs, state
