# exercise 07.TinyLM
"""The small language model: wrong answers about where the norm stands and which axis is the time, by name."""

import torch
import torch.nn as nn


# base plain
class TinyLM(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length):
        super().__init__()
        self.token_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        self.blocks = nn.ModuleList([TransformerBlock(d_model, heads, d_ff) for _ in range(layers)])
        self.norm = nn.LayerNorm(d_model)

    def forward(self, ids):
        length = ids.shape[1]
        if length > self.position_table.num_embeddings:
            raise ValueError("too many ids")
        x = self.token_table(ids) + self.position_table(torch.arange(length))
        for block in self.blocks:
            x = block(x, causal_mask(length))
        return self.norm(x) @ self.token_table.weight.T


# mistake length_of_the_batch (values, raises), from plain
# The length is taken from `ids.shape[0]`, the number of sentences; ids are (B, T), so T is `ids.shape[1]`.
# Next: Take T from axis 1: `ids.shape[1]`.
#   ids.shape[1] => ids.shape[0]

# mistake norm_before_every_block (values), from plain
# The norm stands before every block; it belongs behind the last one, once.
# Next: Give each block x as it is, and normalise what the last block returns.
#   x, causal_mask(length) => self.norm(x), causal_mask(length)
#   self.norm(x) => x

# mistake norm_before_every_block_and_at_the_end (values), from plain
# The last norm is used before every block as well; it belongs behind the last one alone.
# Next: Give each block x as it is: it has norms of its own.
#   x, causal_mask(length) => self.norm(x), causal_mask(length)

# mistake norm_of_the_tokens_alone (values), from plain
# The norm stands behind the token table; it belongs behind the last block.
# Next: Add the two tables as they are, and normalise what the last block returns.
#   self.token_table(ids) => self.norm(self.token_table(ids))
#   self.norm(x) => x

# mistake norm_before_every_block_beside_x (values), from plain
# Each block is given a normalised x and added to x; a block adds by itself, and the norm belongs behind the last one.
# Next: In the loop `x = block(x, mask)` is all; normalise what the last block returns.
#   block(x, causal_mask(length)) => x + block(self.norm(x), causal_mask(length))
#   self.norm(x) => x

# mistake table_normalised_too (values), from plain
# The table is normalised as well before the product; logits are products with its rows as they are.
# Next: Multiply with `self.token_table.weight.T` itself.
#   self.token_table.weight => self.norm(self.token_table.weight)
