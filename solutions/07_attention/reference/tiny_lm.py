"""The right answer to 07.TinyLM."""


import torch
import torch.nn as nn


class TinyLM(nn.Module):
    """A small language model: at every position, scores for the word that comes next.

    x = token_table(ids) + position_table(0 to T - 1), nothing is scaled. Then the blocks, one after the other, each position
    attending to itself and to those before it. Then norm, and logits = x · token_table.weightᵀ: one table serves at both
    ends, and the output has neither a bias nor a matrix of its own.

    vocab_size  V, how many words there are. Any id from 0 to V - 1 may occur, and none is padding
    d_model     d, the width
    heads       how many heads the attention of each block has
    layers      how many blocks
    d_ff        the width inside the feed-forward nets
    max_length  how many positions there are

    Attributes: token_table (nn.Embedding, V rows), position_table (nn.Embedding, max_length rows), blocks (nn.ModuleList of
    TransformerBlock, pre-norm) and norm (nn.LayerNorm). There are no other parameters, and there is no dropout.

    >>> model = TinyLM(vocab_size=11, d_model=6, heads=2, layers=3, d_ff=24, max_length=5)
    >>> model(torch.tensor([[3, 1, 4, 1]])).shape
    torch.Size([1, 4, 11])
    >>> sum(weight.numel() for weight in model.parameters())
    1638
    """

    def __init__(self, vocab_size: int, d_model: int, heads: int, layers: int, d_ff: int, max_length: int) -> None:
        super().__init__()
        self.token_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        self.blocks = nn.ModuleList([TransformerBlock(d_model, heads, d_ff) for _ in range(layers)])
        self.norm = nn.LayerNorm(d_model)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """The logits of the next word at every position.

        ids      int64 tensor of shape (B, T). ValueError when T is greater than max_length
        returns  tensor of shape (B, T, V)
        """
        length = ids.shape[1]
        if length > self.position_table.num_embeddings:
            raise ValueError(f"{length} ids, and only {self.position_table.num_embeddings} positions")
        x = self.token_table(ids) + self.position_table(torch.arange(length))
        seen = torch.ones(length, length, dtype=torch.bool).tril()  # the causal mask
        for block in self.blocks:
            x = block(x, seen)
        return self.norm(x) @ self.token_table.weight.T
