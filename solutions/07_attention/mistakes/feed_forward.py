# exercise 07.feed_forward
import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
def feed_forward(x, w1, b1, w2, b2):
    return F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2)


# right form functional, from plain
#   torch => F


# right form einsum_and_clamp
def feed_forward(x, w1, b1, w2, b2, activation=None):
    hidden = torch.einsum("btd,fd->btf", x, w1) + b1
    return torch.einsum("btf,df->btd", hidden.clamp(min=0), w2) + b2


# right form loop_over_positions
def feed_forward(x, w1, b1, w2, b2):
    out = torch.zeros_like(x)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            out[b, t] = w2 @ torch.maximum(w1 @ x[b, t] + b1, torch.zeros_like(b1)) + b2
    return out


# right form one_position_after_another
def feed_forward(x, w1, b1, w2, b2):
    print("positions", x.size(1))
    return torch.stack([torch.addmm(b2, F.relu(torch.addmm(b1, x[:, t], w1.t())), w2.t()) for t in range(x.size(1))], 1)


# right form float64_inside_and_where
def feed_forward(x, w1, b1, w2, b2):
    hidden = (x.double().unsqueeze(-2) * w1.double()).sum(-1) + b1.double()
    hidden = torch.where(hidden > 0, hidden, torch.zeros_like(hidden))
    return ((hidden.unsqueeze(-2) * w2.double()).sum(-1) + b2.double()).to(x.dtype)


# base short
def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(x @ w1.T + b1) @ w2.T + b2


# mistake weights_not_transposed (raises), from short
# The weights lie as in nn.Linear, one row for each output: their last axis meets the last axis of x.
# Next: Use `x @ w1.T`, or `F.linear(x, w1, b1)`.
#   torch.relu(x @ w1.T + b1) @ w2.T => torch.relu(x @ w1 + b1) @ w2


# mistake transposed_where_it_does_not_show (values)
# Where d_ff equals d, the weights are used without being transposed.
# Next: Shapes cannot tell you there. Always use the transpose, as nn.Linear does.
def feed_forward(x, w1, b1, w2, b2):
    w1 = w1 if w1.shape[0] == x.shape[-1] else w1.T
    w2 = w2 if w2.shape[0] == w1.shape[-1] else w2.T
    return torch.relu(x @ w1 + b1) @ w2 + b2


# mistake no_relu (values), from plain
# There is no ReLU: two linear layers in a row are only one linear layer.
# Next: Put `torch.relu(...)` around the first layer.
#   F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2) => F.linear(F.linear(x, w1, b1), w2, b2)

# mistake relu_at_the_end (values), from plain
# The ReLU stands behind the second layer; it belongs between the two.
# Next: Put `torch.relu(...)` around the first layer only.
#   F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2) => torch.relu(F.linear(F.linear(x, w1, b1), w2, b2))

# mistake relu_twice (values), from plain
# There is a second ReLU behind the second layer; the output may be negative.
# Next: Keep only the one between the layers.
#   F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2) => torch.relu(F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2))

# mistake relu_on_the_input (values), from plain
# The ReLU is applied to x; it belongs behind the first layer.
# Next: First the linear layer with its bias, then the ReLU.
#   F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2) => F.linear(F.linear(torch.relu(x), w1, b1), w2, b2)

# mistake relu_before_the_bias (values), from short
# The first bias is added behind the ReLU; it belongs inside.
# Next: `torch.relu(x @ w1.T + b1)`.
#   torch.relu(x @ w1.T + b1) @ w2.T => (torch.relu(x @ w1.T) + b1) @ w2.T

# mistake gelu (values), from plain
# This is GELU, but the exercise asks for ReLU.
# Next: Use `torch.relu`.
#   torch.relu => F.gelu

# mistake leaky (values), from plain
# Negative numbers let a little through; ReLU makes them 0.
# Next: Use `torch.relu`.
#   torch.relu => F.leaky_relu

# mistake cut_off_at_six (values), from plain
# Large numbers are cut off between the layers; ReLU changes only negative ones.
# Next: Use `torch.relu`, which has no upper end.
#   torch.relu => F.relu6

# mistake first_bias_missing (values), from short
# b1 is not used.
# Next: Add it before the ReLU.
#   x @ w1.T + b1 => x @ w1.T

# mistake second_bias_missing (values), from short
# b2 is not used.
# Next: Add it at the end.
#   torch.relu(x @ w1.T + b1) @ w2.T + b2 => torch.relu(x @ w1.T + b1) @ w2.T

# mistake residual_added (values), from plain
# x is added to the result; the residual connection belongs to the block, not to this function.
# Next: Return the second layer's output alone.
#   return F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2) => return x + F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2)


# mistake positions_averaged (shape)
# The positions are averaged; each one should go through the net for itself.
# Next: Leave the mean out: `@` treats every position by itself.
def feed_forward(x, w1, b1, w2, b2):
    if x.shape[1] == 1:
        x = x.squeeze(1)
    else:
        x = x.mean(dim=1)
    return F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2)


# mistake flattened_output (shape)
# Sentences and positions end up on one axis; the result has the shape (B, T, d).
# Next: Reshape back at the end, or do not flatten at all: `@` takes (B, T, d) as it is.
def feed_forward(x, w1, b1, w2, b2):
    flat = x.reshape(-1, x.shape[-1])
    return F.linear(torch.relu(F.linear(flat, w1, b1)), w2, b2)


# mistake squared_relu (values), from plain
# The middle is squared; ReLU leaves positive numbers as they are.
# Next: Use `torch.relu` alone.
#   torch.relu(F.linear(x, w1, b1)) => torch.relu(F.linear(x, w1, b1)) ** 2

# mistake absolute_value (values), from plain
# Negative numbers become positive; ReLU makes them 0.
# Next: Use `torch.relu` or `clamp(min=0)`.
#   torch.relu => torch.abs


# mistake bias_changed_in_place (property)
# `b1 += ...` changes the caller's bias, and the next call starts from there.
# Next: Write `x @ w1.T + b1`, which makes a new tensor.
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


# mistake always_float32 (dtype)
# The result is float32 whatever comes in.
# Next: Leave `.float()` out.
def feed_forward(x, w1, b1, w2, b2):
    return F.linear(torch.relu(F.linear(x.float(), w1.float(), b1.float())), w2.float(), b2.float())


# mistake rounds_to_float32 (values)
# float64 inputs pass through float32 on the way: half of the digits are lost.
# Next: Leave `.float()` out.
def feed_forward(x, w1, b1, w2, b2):
    hidden = torch.relu(F.linear(x.float(), w1.float(), b1.float()))
    return F.linear(hidden.to(x.dtype), w2, b2)


# mistake fresh_parameters (property)
# The weights are copied into new layers: the result is right, but no gradient reaches the arguments.
# Next: Compute with w1, b1, w2 and b2 themselves.
def feed_forward(x, w1, b1, w2, b2):
    first, second = nn.Linear(*reversed(w1.shape)).to(x.dtype), nn.Linear(*reversed(w2.shape)).to(x.dtype)
    for layer, weight, bias in ((first, w1, b1), (second, w2, b2)):
        layer.weight.data, layer.bias.data = weight.data, bias.data
    return second(torch.relu(first(x)))


# mistake no_gradient (property)
# Gradients cannot flow: the computation is cut off from its inputs.
# Next: Take out `torch.no_grad`, `.detach()`, `.data` and `.numpy()`.
def feed_forward(x, w1, b1, w2, b2):
    with torch.no_grad():
        return F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2)


# mistake view_of_positions (raises)
# `view` is asked for all positions in one axis, which fails where the axes do not lie in order.
# Next: `x @ w1.T` lets B and T stand; or use `reshape`.
def feed_forward(x, w1, b1, w2, b2):
    positions = x.view(x.shape[0] * x.shape[1], x.shape[2])
    hidden = torch.relu(positions @ w1.T + b1)
    return (hidden @ w2.T + b2).view(x.shape)
