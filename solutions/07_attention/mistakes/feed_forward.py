"""Wrong answers about the feed-forward net by name, and unusual right ones."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

NET = "07.feed_forward"


@mistake(
    NET, "weights_not_transposed", stage="raises",
    diagnosis="The weights lie as in nn.Linear, one row for each output: their last axis meets the last axis of x.",
    next_step="Use `x @ w1.T`, or `F.linear(x, w1, b1)`.",
)
def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(x @ w1 + b1) @ w2 + b2


@mistake(
    NET, "transposed_where_it_does_not_show", stage="values",
    diagnosis="Where d_ff equals d, the weights are used without being transposed.",
    next_step="Shapes cannot tell you there. Always use the transpose, as nn.Linear does.",
)
def feed_forward(x, w1, b1, w2, b2):
    w1 = w1 if w1.shape[0] == x.shape[-1] else w1.T
    w2 = w2 if w2.shape[0] == w1.shape[-1] else w2.T
    return torch.relu(x @ w1 + b1) @ w2 + b2


@base("plain")
def feed_forward(x, w1, b1, w2, b2):
    return F.linear(F.relu(F.linear(x, w1, b1)), w2, b2)


altered(
    NET, "no_relu", "plain", {".relu(F.linear(x, w1, b1))": ".linear(x, w1, b1)"}, stage="values",
    diagnosis="There is no ReLU: two linear layers in a row are only one linear layer.",
    next_step="Put `torch.relu(...)` around the first layer.",
)


@mistake(
    NET, "relu_at_the_end", stage="values",
    diagnosis="The ReLU stands behind the second layer; it belongs between the two.",
    next_step="Put `torch.relu(...)` around the first layer only.",
)
def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(F.linear(F.linear(x, w1, b1), w2, b2))


@mistake(
    NET, "relu_twice", stage="values",
    diagnosis="There is a second ReLU behind the second layer; the output may be negative.",
    next_step="Keep only the one between the layers.",
)
def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2))


altered(
    NET, "relu_on_the_input", "plain",
    {".relu(F.linear(x, w1, b1))": ".linear(torch.relu(x), w1, b1)"},
    stage="values",
    diagnosis="The ReLU is applied to x; it belongs behind the first layer.",
    next_step="First the linear layer with its bias, then the ReLU.",
)


@mistake(
    NET, "relu_before_the_bias", stage="values",
    diagnosis="The first bias is added behind the ReLU; it belongs inside.",
    next_step="`torch.relu(x @ w1.T + b1)`.",
)
def feed_forward(x, w1, b1, w2, b2):
    return (torch.relu(x @ w1.T) + b1) @ w2.T + b2


altered(
    NET, "gelu", "plain", {"relu": "gelu"}, stage="values",
    diagnosis="This is GELU; asked for is ReLU.",
    next_step="Use `torch.relu`.",
)

altered(
    NET, "leaky", "plain", {"relu": "leaky_relu"}, stage="values",
    diagnosis="Negative numbers let a little through; ReLU makes them 0.",
    next_step="Use `torch.relu`.",
)

altered(
    NET, "cut_off_at_six", "plain", {"relu": "relu6"}, stage="values",
    diagnosis="Large numbers are cut off between the layers; ReLU changes only negative ones.",
    next_step="Use `torch.relu`, which has no upper end.",
)


@mistake(
    NET, "first_bias_missing", stage="values",
    diagnosis="b1 is not used.",
    next_step="Add it before the ReLU.",
)
def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(x @ w1.T) @ w2.T + b2


@mistake(
    NET, "second_bias_missing", stage="values",
    diagnosis="b2 is not used.",
    next_step="Add it at the end.",
)
def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(x @ w1.T + b1) @ w2.T


@mistake(
    NET, "residual_added", stage="values",
    diagnosis="x is added to the result; the residual connection belongs to the block, not to this function.",
    next_step="Return the second layer's output alone.",
)
def feed_forward(x, w1, b1, w2, b2):
    return x + F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2)


@mistake(
    NET, "positions_averaged", stage="shape",
    diagnosis="The positions are averaged; each one should go through the net for itself.",
    next_step="Leave the mean out: `@` treats every position by itself.",
)
def feed_forward(x, w1, b1, w2, b2):
    if x.shape[1] == 1:
        x = x.squeeze(1)
    else:
        x = x.mean(dim=1)
    return F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2)


@mistake(
    NET, "flattened_output", stage="shape",
    diagnosis="Sentences and positions end up on one axis; the result has the shape (B, T, d).",
    next_step="Reshape back at the end, or do not flatten at all: `@` takes (B, T, d) as it is.",
)
def feed_forward(x, w1, b1, w2, b2):
    flat = x.reshape(-1, x.shape[-1])
    return F.linear(torch.relu(F.linear(flat, w1, b1)), w2, b2)


altered(
    NET, "squared_relu", "plain",
    {"F.relu(F.linear(x, w1, b1))": "torch.relu(F.linear(x, w1, b1)) ** 2"},
    stage="values",
    diagnosis="The middle is squared; ReLU leaves positive numbers as they are.",
    next_step="Use `torch.relu` alone.",
)

altered(
    NET, "absolute_value", "plain", {"F.relu": "torch.abs"}, stage="values",
    diagnosis="Negative numbers become positive; ReLU makes them 0.",
    next_step="Use `torch.relu` or `clamp(min=0)`.",
)


@mistake(
    NET, "bias_changed_in_place", stage="property",
    diagnosis="`b1 += ...` changes the caller's bias, and the next call starts from there.",
    next_step="Write `x @ w1.T + b1`, which makes a new tensor.",
)
def feed_forward(x, w1, b1, w2, b2):
    rows = []
    for position in x.reshape(-1, x.shape[-1]):
        hidden = b1.clone()
        hidden += w1 @ position
        rows.append(torch.relu(hidden) @ w2.T + b2)
    if rows:
        b1 += 0.1
        b1 -= 0.2
    return torch.stack(rows).reshape(x.shape) if rows else x.clone()


@mistake(
    NET, "always_float32", stage="dtype",
    diagnosis="The result is float32 whatever comes in.",
    next_step="Leave `.float()` out.",
)
def feed_forward(x, w1, b1, w2, b2):
    return F.linear(torch.relu(F.linear(x.float(), w1.float(), b1.float())), w2.float(), b2.float())


@mistake(
    NET, "rounds_to_float32", stage="values",
    diagnosis="float64 inputs pass through float32 on the way: half of the digits are lost.",
    next_step="Leave `.float()` out.",
)
def feed_forward(x, w1, b1, w2, b2):
    hidden = torch.relu(F.linear(x.float(), w1.float(), b1.float()))
    return F.linear(hidden.to(x.dtype), w2, b2)


@mistake(
    NET, "fresh_parameters", stage="property",
    diagnosis="The weights are copied into new layers: the result is right, but no gradient reaches the arguments.",
    next_step="Compute with w1, b1, w2 and b2 themselves.",
)
def feed_forward(x, w1, b1, w2, b2):
    first, second = nn.Linear(*reversed(w1.shape)).to(x.dtype), nn.Linear(*reversed(w2.shape)).to(x.dtype)
    for layer, weight, bias in ((first, w1, b1), (second, w2, b2)):
        layer.weight.data, layer.bias.data = weight.data, bias.data
    return second(torch.relu(first(x)))


@mistake(
    NET, "no_gradient", stage="property",
    diagnosis="Gradients cannot flow: the computation is cut off from its inputs.",
    next_step="Take out `torch.no_grad`, `.detach()`, `.data` and `.numpy()`.",
)
def feed_forward(x, w1, b1, w2, b2):
    with torch.no_grad():
        return F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2)


@mistake(
    NET, "view_of_positions", stage="raises",
    diagnosis="`view` is asked for all positions in one axis, which fails where the axes do not lie in order.",
    next_step="`x @ w1.T` lets B and T stand; or use `reshape`.",
)
def feed_forward(x, w1, b1, w2, b2):
    positions = x.view(x.shape[0] * x.shape[1], x.shape[2])
    hidden = torch.relu(positions @ w1.T + b1)
    return (hidden @ w2.T + b2).view(x.shape)


@right_form(NET, "functional")
def feed_forward(x, w1, b1, w2, b2):
    return F.linear(F.relu(F.linear(x, w1, b1)), w2, b2)


@right_form(NET, "einsum_and_clamp")
def feed_forward(x, w1, b1, w2, b2, activation=None):
    hidden = torch.einsum("btd,fd->btf", x, w1) + b1
    return torch.einsum("btf,df->btd", hidden.clamp(min=0), w2) + b2


@right_form(NET, "loop_over_positions")
def feed_forward(x, w1, b1, w2, b2):
    out = torch.zeros_like(x)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            out[b, t] = w2 @ torch.maximum(w1 @ x[b, t] + b1, torch.zeros_like(b1)) + b2
    return out


@right_form(NET, "one_position_after_another")
def feed_forward(x, w1, b1, w2, b2):
    print("positions", x.size(1))
    return torch.stack([torch.addmm(b2, F.relu(torch.addmm(b1, x[:, t], w1.t())), w2.t()) for t in range(x.size(1))], 1)


@right_form(NET, "float64_inside_and_where")
def feed_forward(x, w1, b1, w2, b2):
    hidden = (x.double().unsqueeze(-2) * w1.double()).sum(-1) + b1.double()
    hidden = torch.where(hidden > 0, hidden, torch.zeros_like(hidden))
    return ((hidden.unsqueeze(-2) * w2.double()).sum(-1) + b2.double()).to(x.dtype)
