"""Wrong answers about the number of parameters by name, and unusual right ones."""

import torch
import torch.nn as nn

from grader.course_source.catalogue import altered, base, mistake, right_form

COUNT = "07.count_encoder_parameters"


@base("plain")
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    attention = 4 * d_model * d_model + attention_bias * 4 * d_model
    return vocab_size * d_model + layers * (attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model)


altered(
    COUNT, "no_table", "plain", {"vocab_size * d_model + ": ""}, stage="values",
    diagnosis="The token table is missing.",
    next_step="Add vocab_size * d_model, once.",
)

altered(
    COUNT, "a_table_in_each_layer", "plain",
    {
        "return vocab_size * d_model + layers * (attention + 2 * d_model * d_ff":
            "return layers * (vocab_size * d_model + attention + 2 * d_model * d_ff",
    },
    stage="values",
    diagnosis="The token table is counted in each layer; there is one for all.",
    next_step="Add it outside the brackets that `layers` multiplies.",
)

altered(
    COUNT, "table_twice", "plain", {" vocab_size": " 2 * vocab_size"}, stage="values",
    diagnosis="The table is counted twice, as if there were an output layer of its own.",
    next_step="An encoder gives vectors: it has no output layer.",
)

altered(
    COUNT, "no_output_projection", "plain",
    {"4 * d_model * d_model + attention_bias * 4": "3 * d_model * d_model + attention_bias * 3"},
    stage="values",
    diagnosis="Attention has four projections: queries, keys, values and the output; here are three.",
    next_step="Count 4 * d_model².",
)

altered(
    COUNT, "three_biases", "plain", {"* 4 *": "* 3 *"}, stage="values",
    diagnosis="With attention_bias all four projections have a bias, the output projection included.",
    next_step="Add 4 * d_model a layer.",
)


altered(
    COUNT, "one_bias_a_layer", "plain", {"* 4 *": "*"}, stage="values",
    diagnosis="With attention_bias each of the four projections has a bias; here one is counted for all four.",
    next_step="Add 4 * d_model a layer.",
)


@mistake(
    COUNT, "one_bias_in_all", stage="values",
    diagnosis="The biases of attention are added once; each layer has its own.",
    next_step="Put them inside the brackets that `layers` multiplies.",
)
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    a_layer = 4 * d_model * d_model + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model
    return vocab_size * d_model + layers * a_layer + (4 * d_model if attention_bias else 0)


@mistake(
    COUNT, "bias_ignored", stage="values",
    diagnosis="attention_bias makes no difference.",
    next_step="With it, each of the four projections has d_model numbers more.",
)
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    return vocab_size * d_model + layers * (4 * d_model**2 + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model)


altered(
    COUNT, "bias_by_default", "plain", {"False": "True"}, stage="values",
    diagnosis="Attention's biases are counted unless one says otherwise; without a word there are none.",
    next_step="Keep the default of the signature: attention_bias=False.",
)

altered(
    COUNT, "bias_turned_round", "plain",
    {"attention_bias * 4 * d_model": "(0 if attention_bias else 4 * d_model)"},
    stage="values",
    diagnosis="The biases are counted when there are none, and the other way round.",
    next_step="Add them when attention_bias is True.",
)

altered(
    COUNT, "feed_forward_without_biases", "plain", {"d_ff + d_model + ": ""}, stage="values",
    diagnosis="The feed-forward net's biases are missing: d_ff and d_model numbers a layer.",
    next_step="A linear layer from m to n with a bias has m * n + n numbers.",
)


@mistake(
    COUNT, "biases_all_of_one_size", stage="values",
    diagnosis="A bias is as long as its layer's output: d_ff for the first, d_model for the second.",
    next_step="Count d_ff + d_model.",
)
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    attention = 4 * d_model * d_model + attention_bias * 4 * d_model
    return vocab_size * d_model + layers * (attention + 2 * d_model * d_ff + 2 * d_model + 4 * d_model)


altered(
    COUNT, "one_matrix_in_feed_forward", "plain", {"2 * d_model": "d_model"}, stage="values",
    diagnosis="The feed-forward net has two matrices, there and back.",
    next_step="Count 2 * d_model * d_ff.",
)

altered(
    COUNT, "always_four_times_as_wide", "plain",
    {"2 * d_model * d_ff + d_ff +": "8 * d_model**2 + 5 *"},
    stage="values",
    diagnosis="d_ff is taken to be 4 * d_model, whatever it is.",
    next_step="Use the parameter d_ff.",
)

altered(
    COUNT, "one_norm", "plain", {"+ 4 *": "+ 2 *"}, stage="values",
    diagnosis="A layer has two norms, one for attention and one for the feed-forward net; here is one.",
    next_step="Count 2 * 2 * d_model a layer.",
)

altered(
    COUNT, "no_norms", "plain", {" + 4 * d_model": ""}, stage="values",
    diagnosis="The layer norms are missing: each has a gamma and a beta.",
    next_step="Count 2 * 2 * d_model a layer.",
)


@mistake(
    COUNT, "last_norm", stage="values",
    diagnosis="A norm behind the last layer is counted; there is none here.",
    next_step="Without layers only the table is left.",
)
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    attention = 4 * d_model * d_model + attention_bias * 4 * d_model
    a_layer = attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model
    return vocab_size * d_model + layers * a_layer + 2 * d_model


@mistake(
    COUNT, "with_positions", stage="values",
    diagnosis="A table of 512 positions is counted; there is none here.",
    next_step="Count the token table only.",
)
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    attention = 4 * d_model * d_model + attention_bias * 4 * d_model
    a_layer = attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model
    return (vocab_size + 512) * d_model + layers * a_layer


altered(
    COUNT, "one_layer_only", "plain", {"layers ": "min(layers, 1) "}, stage="values",
    diagnosis="The layers are not multiplied: each has parameters of its own.",
    next_step="Multiply what one layer holds by `layers`.",
)


@mistake(
    COUNT, "in_millions", stage="type",
    diagnosis="The number comes back as millions; asked for is the exact int.",
    next_step="Return the sum itself.",
)
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    attention = 4 * d_model * d_model + attention_bias * 4 * d_model
    return (vocab_size * d_model + layers * (attention + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model)) / 1e6


altered(
    COUNT, "a_float", "plain", {"d_model * d_model": "d_model**2.0"}, stage="type",
    diagnosis="The count is a float; asked for is an int.",
    next_step="Use `//` instead of `/`, and integers throughout.",
)


@right_form(COUNT, "modules_on_the_meta_device")
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    with torch.device("meta"):
        parts = [nn.Embedding(vocab_size, d_model)]
        for _ in range(layers):
            parts += [nn.Linear(d_model, d_model, bias=attention_bias) for _ in range(4)]
            parts += [nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)]
    return sum(parameter.numel() for part in parts for parameter in part.parameters())


@right_form(COUNT, "sum_of_shapes")
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    def linear(m, n, bias=True):
        return m * n + (n if bias else 0)

    total = vocab_size * d_model
    for _ in range(layers):
        total += 4 * linear(d_model, d_model, attention_bias)
        total += linear(d_model, d_ff) + linear(d_ff, d_model)
        total += 2 * (d_model + d_model)
    return total


@right_form(COUNT, "tensor_arithmetic")
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False, positions=0):
    sizes = torch.tensor([d_model**2, d_model * d_ff, d_model, d_ff])
    times = torch.tensor([4, 2, 9 if attention_bias else 5, 1])
    return (vocab_size + positions) * d_model + layers * (sizes * times).sum()


@right_form(COUNT, "torchs_own_encoder_layer")
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    layer = nn.TransformerEncoderLayer(d_model, 1, d_ff, batch_first=True, device="meta")
    count = sum(p.numel() for p in layer.parameters())  # torch's attention has biases
    if not attention_bias:
        count -= 4 * d_model
    return vocab_size * d_model + layers * count


@right_form(COUNT, "one_polynomial")
def count_encoder_parameters(vocab_size, d_model, layers, d_ff, attention_bias=False):
    d, f, a = d_model, d_ff, int(attention_bias)
    print(d, f)
    return vocab_size * d + layers * (4 * d * d + 2 * d * f + f + (5 + 4 * a) * d)
