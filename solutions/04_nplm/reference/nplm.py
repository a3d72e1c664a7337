"""The right answer to 04.NPLM."""


import torch
import torch.nn as nn


class NPLM(nn.Module):
    """A neural probabilistic language model (Bengio et al., 2003): it turns a window of words into logits.

    With e the embeddings of a row's words, one after the other, oldest first:
    logits = output(tanh(hidden(e))). With `direct`, direct(e) is added to them.

    vocab_size     V
    context        C, how many words a row has
    embedding_dim  d, the width of a word's vector
    hidden_dim     H, the width of the hidden layer
    direct         whether a linear layer without bias leads from e straight to the logits

    Attributes: `embedding`, an nn.Embedding (V, d) (no `padding_idx`); `hidden` and `output`, each an
    nn.Linear with bias; `direct`, an nn.Linear without bias, or None (or False) when it is off. There is no
    dropout and no other parameter.

    forward(x): x is an int64 tensor (B, C), B at least 1; returns the logits, (B, V). Gradients reach every parameter.

    >>> model = NPLM(vocab_size=7, context=2, embedding_dim=2, hidden_dim=2)
    >>> sum(parameter.numel() for parameter in model.parameters())
    45
    >>> model(torch.tensor([[0, 3], [3, 6], [1, 1]])).shape
    torch.Size([3, 7])
    """

    def __init__(self, vocab_size: int, context: int, embedding_dim: int, hidden_dim: int, direct: bool = False) -> None:
        super().__init__()
        width = context * embedding_dim
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(width, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(width, vocab_size, bias=False) if direct else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        e = self.embedding(x).flatten(start_dim=1)  # (B, C, d) -> (B, C * d)
        logits = self.output(torch.tanh(self.hidden(e)))  # (B, V)
        return logits if self.direct is None else logits + self.direct(e)
