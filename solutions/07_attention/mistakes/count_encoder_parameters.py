# exercise 07.count_encoder_parameters
import torch
import torch.nn as nn


# base plain
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    attention = 4 * d_model * d_model + attention_bias * 4 * d_model
    return vocab_size * d_model + layers * (attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model)


# mistake no_table (values), from plain
# The token table is missing.
# Next: Add vocab_size * d_model, once.
#   vocab_size * d_model + layers => layers

# mistake a_table_in_each_layer (values), from plain
# The token table is counted in each layer; there is one for all.
# Next: Add it outside the brackets that `layers` multiplies.
#   vocab_size * d_model + layers * (attention => layers * (vocab_size * d_model + attention

# mistake table_twice (values), from plain
# The table is counted twice, as if there were an output layer of its own.
# Next: An encoder gives vectors: it has no output layer.
#   vocab_size * d_model => 2 * vocab_size * d_model

# mistake no_output_projection (values), from plain
# Attention has four projections: queries, keys, values and the output; here are three.
# Next: Count 4 * d_model².
#   4 * d_model * d_model + attention_bias * 4 * d_model => 3 * d_model * d_model + attention_bias * 3 * d_model

# mistake three_biases (values), from plain
# With attention_bias all four projections have a bias, the output projection included.
# Next: Add 4 * d_model a layer.
#   attention_bias * 4 => attention_bias * 3

# mistake one_bias_a_layer (values), from plain
# With attention_bias each of the four projections has a bias; here one is counted for all four.
# Next: Add 4 * d_model a layer.
#   attention_bias * 4 * d_model => attention_bias * d_model


# mistake one_bias_in_all (values)
# The biases of attention are added once; each layer has its own.
# Next: Put them inside the brackets that `layers` multiplies.
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    a_layer = 4 * d_model * d_model + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model
    return vocab_size * d_model + layers * a_layer + (4 * d_model if attention_bias else 0)


# mistake bias_ignored (values)
# attention_bias makes no difference.
# Next: With it, each of the four projections has d_model numbers more.
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    return vocab_size * d_model + layers * (4 * d_model**2 + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model)


# mistake bias_by_default (values), from plain
# Attention's biases are counted unless one says otherwise; without a word there are none.
# Next: Keep the default of the signature: attention_bias=False.
#   attention_bias=False => attention_bias=True

# mistake bias_turned_round (values), from plain
# The biases are counted when there are none, and the other way round.
# Next: Add them when attention_bias is True.
#   4 * d_model * d_model + attention_bias * 4 * d_model => 4 * d_model * d_model + (0 if attention_bias else 4 * d_model)

# mistake feed_forward_without_biases (values), from plain
# The feed-forward net's biases are missing: d_ff and d_model numbers a layer.
# Next: A linear layer from m to n with a bias has m * n + n numbers.
#   attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model => attention + 2 * d_model * d_ff + 4 * d_model

# mistake biases_all_of_one_size (values), from plain
# A bias is as long as its layer's output: d_ff for the first, d_model for the second.
# Next: Count d_ff + d_model.
#   attention + 2 * d_model * d_ff + d_ff + d_model => attention + 2 * d_model * d_ff + 2 * d_model

# mistake one_matrix_in_feed_forward (values), from plain
# The feed-forward net has two matrices, there and back.
# Next: Count 2 * d_model * d_ff.
#   2 * d_model => d_model

# mistake always_four_times_as_wide (values), from plain
# d_ff is taken to be 4 * d_model, whatever it is.
# Next: Use the parameter d_ff.
#   attention + 2 * d_model * d_ff + d_ff + d_model => attention + 8 * d_model**2 + 5 * d_model

# mistake one_norm (values), from plain
# A layer has two norms, one for attention and one for the feed-forward net; here is one.
# Next: Count 2 * 2 * d_model a layer.
#   + 4 => + 2

# mistake no_norms (values), from plain
# The layer norms are missing: each has a gamma and a beta.
# Next: Count 2 * 2 * d_model a layer.
#   attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model => attention + 2 * d_model * d_ff + d_ff + d_model


# mistake last_norm (values)
# A norm behind the last layer is counted; there is none here.
# Next: Without layers only the table is left.
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    attention = 4 * d_model * d_model + attention_bias * 4 * d_model
    a_layer = attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model
    return vocab_size * d_model + layers * a_layer + 2 * d_model


# mistake with_positions (values), from last_norm
# A table of 512 positions is counted; there is none here.
# Next: Count the token table only.
#   vocab_size * d_model + layers * a_layer + 2 * d_model => (vocab_size + 512) * d_model + layers * a_layer

# mistake one_layer_only (values), from plain
# The layers are not multiplied: each has parameters of its own.
# Next: Multiply what one layer holds by `layers`.
#   layers * => min(layers, 1) *


# mistake in_millions (type)
# The number comes back as millions, but the exercise asks for the exact int.
# Next: Return the sum itself.
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    attention = 4 * d_model * d_model + attention_bias * 4 * d_model
    return (vocab_size * d_model + layers * (attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model)) / 1e6


# mistake a_float (type), from plain
# The count is a float, but the exercise asks for an int.
# Next: Use `//` instead of `/`, and integers throughout.
#   4 * d_model * d_model => 4 * d_model**2.0


# right form modules_on_the_meta_device
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    with torch.device("meta"):
        parts = [nn.Embedding(vocab_size, d_model)]
        for _ in range(layers):
            parts += [nn.Linear(d_model, d_model, bias=attention_bias) for _ in range(4)]
            parts += [nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)]
    return sum(parameter.numel() for part in parts for parameter in part.parameters())


# right form sum_of_shapes
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    def linear(m, n, bias=True):
        return m * n + (n if bias else 0)

    total = vocab_size * d_model
    for _ in range(layers):
        total += 4 * linear(d_model, d_model, attention_bias)
        total += linear(d_model, d_ff) + linear(d_ff, d_model)
        total += 2 * (d_model + d_model)
    return total


# right form tensor_arithmetic
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False, positions=0):
    sizes = torch.tensor([d_model**2, d_model * d_ff, d_model, d_ff])
    times = torch.tensor([4, 2, 9 if attention_bias else 5, 1])
    return (vocab_size + positions) * d_model + layers * (sizes * times).sum()


# right form torchs_own_encoder_layer
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    layer = nn.TransformerEncoderLayer(d_model, 1, d_ff, batch_first=True, device="meta")
    count = sum(p.numel() for p in layer.parameters())  # torch's attention has biases
    if not attention_bias:
        count -= 4 * d_model
    return vocab_size * d_model + layers * count


# right form one_polynomial
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    d, f, a = d_model, d_ff, int(attention_bias)
    print(d, f)
    return vocab_size * d + layers * (4 * d * d + 2 * d * f + f + (5 + 4 * a) * d)
