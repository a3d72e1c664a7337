# exercise 07.MultiHeadAttention
"""Multi-head attention: wrong answers about which projection makes what, by name."""

import torch.nn as nn


# base plain
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


# mistake q_proj_for_all_three (values), from plain
# q_proj makes the queries, the keys and the values; k_proj and v_proj take no part.
# Next: Three layers for three things: `self.k_proj` makes the keys, `self.v_proj` the values.
#   self.k_proj(source) => self.q_proj(source)
#   self.v_proj(source) => self.q_proj(source)

# mistake one_layer_under_three_names (values), from plain
# q_proj, k_proj and v_proj are one and the same layer, with one set of weights.
# Next: Call nn.Linear once for each of the three.
#   -        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
#   -        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
#   -        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
#   +        self.q_proj = self.k_proj = self.v_proj = nn.Linear(d_model, d_model, bias=bias)

# mistake keys_by_the_queries_projection (values), from plain
# Queries and keys come out of the same projection; k_proj takes no part.
# Next: `self.k_proj` makes the keys.
#   self.k_proj(source) => self.q_proj(source)

# mistake values_by_the_queries_projection (values), from plain
# Queries and values come out of the same projection; v_proj takes no part.
# Next: `self.v_proj` makes the values.
#   self.v_proj(source) => self.q_proj(source)

# mistake keys_and_values_swapped (values), from plain
# Keys and values are swapped: what k_proj makes is mixed, and the queries are compared with what v_proj makes.
# Next: Compare the queries with the keys, from k_proj, and mix the values, from v_proj. Look at the order in which you hand
# them over: q, k, v.
#   self.k_proj(source) => self.v_proj(source)
#   self.v_proj(source) => self.k_proj(source)
