# exercise 08.TextEncoder
"""Wrong text encoders by name: layers that are not their own, too many or too few of them."""

import torch.nn as nn
import torch.nn.functional as F


# base plain
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)
        )
        self.pool = {"mean": pool_mean, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_weighted}[pooling]

    def forward(self, ids, attention_mask):
        mask = attention_mask.bool()
        if mask.sum(dim=1).max() > self.max_length:
            raise ValueError("too long")
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
        x = self.tokens(ids) + self.positions(places)
        hidden = ~mask & mask.any(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=hidden)
        return F.normalize(self.pool(x, mask), dim=1)


# mistake attention_shared (property), from plain
# One part, the attention or the norms, serves all layers; only the rest of each layer is its own.
# Next: Make every part that has weights inside the loop over the layers.
#            )
#   +        for layer in self.layers:
#   +            layer.self_attn = self.layers[0].self_attn

# mistake feed_forward_shared (property), from plain
# All layers use one feed-forward; only the rest of each layer is its own.
# Next: Make both linear maps inside the loop over the layers.
#            )
#   +        for layer in self.layers:
#   +            layer.linear1, layer.linear2 = self.layers[0].linear1, self.layers[0].linear2

# mistake one_layer_too_many (property), from plain
# There is one layer more than was asked for.
# Next: `range(layers)` has as many turns as there should be layers.
#   range(layers) => range(layers + 1)

# mistake always_two_layers (property), from plain
# The number of layers is fixed; the argument is not used.
# Next: Make as many layers as `layers` says.
#   range(layers) => range(2)

# mistake frozen_positions (property), from plain
# The vectors of the positions are detached: their table never learns.
# Next: Leave out `detach()`, `.data` and `no_grad`.
#   self.positions(places) => self.positions(places).detach()
