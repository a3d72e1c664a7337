"""The right answer to 11.BertEncoder."""

from collections.abc import Sequence

import torch
import torch.nn as nn


class BertEncoder(nn.Module):
    """The encoder of BERT around given blocks: a sum of three tables, a norm, and the blocks in their order.

    vocab_size  V, how many tokens there are. Any id from 0 to V - 1 may occur, and none is padding by itself
    d_model     d, the width
    max_length  how many positions there are
    blocks      a list of modules, which may be empty; they are used as they are, not copied. Each is called once a forward
                pass, as block(x, mask) or block(x, mask=mask), and gives a tensor of the shape of x

    Attributes: word_table, position_table and segment_table (nn.Embedding; segment_table has two rows), norm (nn.LayerNorm
    with eps 1e-12) and blocks (nn.ModuleList). There is no other parameter, no persistent buffer, and no dropout.

    >>> encoder = BertEncoder(vocab_size=9, d_model=4, max_length=5, blocks=[])
    >>> encoder(torch.tensor([[3, 1, 4]]), torch.tensor([[1, 1, 1]])).shape
    torch.Size([1, 3, 4])
    """

    def __init__(self, vocab_size: int, d_model: int, max_length: int, blocks: Sequence[nn.Module]) -> None:
        super().__init__()
        self.word_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        self.segment_table = nn.Embedding(2, d_model)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        self.blocks = nn.ModuleList(blocks)

    def forward(self, ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Give a vector of each token: the rows of word, position (0 to T - 1) and segment 0 are added and normalised.

        Then come the blocks. Their mask is a bool tensor that broadcasts to (B, heads, T, T); it is True where a key is a real
        token, for every query, whether that is padding or not.

        ids             int64 tensor of shape (B, T); ids under padding are valid ids. ValueError when T is above max_length
        attention_mask  (B, T) of 0 and 1, int, bool or float: 1 marks a real token, 0 padding in any place. Every row has a
                        real token
        returns         tensor of shape (B, T, d); what comes out under padding does not matter. Gradients reach every row of
                        a table that a real token used
        """
        length = ids.shape[1]
        if length > self.position_table.num_embeddings:
            raise ValueError(f"{length} tokens, and only {self.position_table.num_embeddings} positions")
        places = torch.arange(length)
        x = self.word_table(ids) + self.position_table(places) + self.segment_table(torch.zeros_like(ids))  # (B, T, d)
        x = self.norm(x)
        mask = attention_mask.bool()[:, None, None, :]  # (B, 1, 1, T)
        for block in self.blocks:
            x = block(x, mask)
        return x
