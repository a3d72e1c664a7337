"""The right answer to 05.Decoder."""

import torch
import torch.nn as nn


class Decoder(nn.Module):
    """Compute, after each word that is fed, a score of every word of the vocabulary to come next.

    Attributes: `embedding`, an nn.Embedding (vocab_size, embedding_dim), `lstm`, a one-layer nn.LSTM, and `output`, an
    nn.Linear from its h to the vocabulary, both with biases: the weights are set by these names. There is no
    dropout by default.

    >>> decoder = Decoder(vocab_size=6, embedding_dim=2, hidden_dim=3)
    >>> state = (torch.zeros(1, 2, 3), torch.zeros(1, 2, 3))
    >>> logits, (h, c) = decoder(torch.tensor([[1, 4], [1, 5]]), state)
    >>> logits.shape, h.shape, c.shape
    (torch.Size([2, 2, 6]), torch.Size([1, 2, 3]), torch.Size([1, 2, 3]))
    """

    def __init__(self, vocab_size: int, embedding_dim: int, hidden_dim: int, pad: int = 0) -> None:
        """Make a table, an LSTM with hidden_dim numbers in h and in c, and a linear layer; pad is the id of padding."""
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(
        self, decoder_input: torch.Tensor, state: tuple[torch.Tensor, torch.Tensor]
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        """Read the words that are fed, starting from `state`.

        decoder_input  (B, T) int64 ids, T at least 1
        state          (h, c), each (1, B, H): the encoder's, or what an earlier call returned
        returns        logits (B, T, V), at each position those of the next word; and the state (h, c), each (1, B, H),
                       after the last word. Gradients reach all parameters and the incoming state
        """
        hidden, state = self.lstm(self.embedding(decoder_input), state)  # (B, T, H)
        return self.output(hidden), state
