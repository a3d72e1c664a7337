# exercise 05.lstm_cell
import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
def lstm_cell(x, state, params):
    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


# mistake input_and_forget_swapped (values), from plain
# The first two gates are swapped, where the pieces are unpacked or in the formula: the first piece is the input gate i, the
# second the forget gate f.
# Next: Unpack the four pieces as i, f, g, o; then f multiplies the old c, and i the candidate g.
#   i, f => f, i

# mistake output_gate_third (values), from plain
# The last two pieces are exchanged, where they are unpacked (i, f, o, g) or in the formula; PyTorch's order is i, f, g, o.
# Next: Take the third piece for g (tanh) and the last for o (sigmoid).
#   g, o => o, g

# mistake proposal_second (values), from plain
# The second and third piece are exchanged, where they are unpacked (i, g, f, o, TensorFlow's old order) or in the formula;
# PyTorch's order is i, f, g, o.
# Next: Take the second piece for f and the third for g.
#   f, g => g, f

# mistake every_fourth_row (values), from plain
# The gates are taken as every fourth column; each gate's H columns stand together.
# Next: Cut the sum into four blocks of H columns, with `chunk(4, dim=1)` or slices.
#   gates.chunk(4, dim=1) => (gates[:, gate::4] for gate in range(4))

# mistake proposal_not_squashed (values), from plain
# The candidate g enters as it is, without tanh.
# Next: The third piece goes through tanh before it is multiplied with i.
#   torch.tanh(g) => g

# mistake one_bias (values), from plain
# Only bias_ih is added; there are two biases, and both count.
# Next: Add bias_hh as well.
#   params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh => h @ params["weight_hh"].T + params["bias_ih

# mistake no_bias (values), from plain
# The biases are left out.
# Next: Add bias_ih and bias_hh to the sum.
#   params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"] => h @ params["weight_hh"].T

# mistake forget_bias_of_one (values), from plain
# A 1 is added to the forget gate; some libraries start training like that, and PyTorch's step does not.
# Next: Leave the 1 out: biases come from params alone.
#   torch.sigmoid(f) => torch.sigmoid(f + 1)

# mistake weights_not_transposed (raises), from plain
# x is multiplied with weight_ih, (4H, d), where its transpose, (d, 4H), is needed.
# Next: Write the shapes down: (B, d) times (d, 4H) is (B, 4H).
#   ].T + params["bias_ih"] + h @ params["weight_hh"].T => ] + params["bias_ih"] + h @ params["weight_hh"]

# mistake transposed_unless_it_fits (values), from plain
# weight_ih is transposed only where the shapes demand it; when d is 4H, both ways fit and one is wrong.
# Next: Always transpose: weight_ih has one row for each gate number, whatever its shape.
#   -    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
#   +    weight = params["weight_ih"] if params["weight_ih"].shape[0] == x.shape[1] else params["weight_ih"].T
#   +    gates = x @ weight + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]

# mistake pieces_of_the_batch (raises, shape), from plain
# `chunk(4)` cuts along the batch; the gates stand side by side, on the last axis.
# Next: Cut along dim=1.
#   4, dim=1 => 4

# mistake pieces_of_the_batch_when_there_are_four (values), from plain
# When the batch has exactly four rows, the gates are cut along the batch; with other sizes the cut is right.
# Next: Cut along dim=1, whatever the size of the batch.
#        gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
#   +    if len(gates) == 4:
#   +        gates = gates.reshape(4, 4, -1).transpose(0, 1).reshape(4, -1)

# mistake old_cell_state_in_h (values), from plain
# h is made from the old cell state; it is made from the new one.
# Next: Compute the new c first, and use it in h.
#   c = torch => new_c = torch
#   torch.sigmoid(o) * torch.tanh(c), c => torch.sigmoid(o) * torch.tanh(c), new_c

# mistake no_tanh_in_h (values), from plain
# h is o * c; the cell state goes through tanh first.
# Next: h' = o * tanh(c').
#   torch.tanh(c) => c

# mistake tanh_around_the_product (values), from plain
# h is tanh(o * c); tanh belongs around c alone.
# Next: h' = o * tanh(c').
#   torch.sigmoid(o) * torch.tanh(c) => torch.tanh(torch.sigmoid(o) * c)

# mistake cell_state_squashed (values), from plain
# The new cell state itself went through tanh; it is kept unbounded, and only h sees its tanh.
# Next: Return c' = f * c + i * g as it is.
#   sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g => tanh(torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
#   torch.tanh(c) => c

# mistake forgets_everything (values), from plain
# The old cell state is dropped: the new one is only i * g.
# Next: Add the part of the old cell state that the forget gate lets through.
#   torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g) => torch.sigmoid(i) * torch.tanh(g)

# mistake one_minus_f (values), from plain
# f counts as how much to forget; it is how much to keep.
# Next: Multiply the old cell state with f.
#   torch.sigmoid(f) * c => (1 - torch.sigmoid(f)) * c

# mistake state_swapped (values), from plain
# The state is unpacked as (c, h); it comes as (h, c).
# Next: `h, c = state`.
#   h, c => c, h

# mistake result_swapped (values), from plain
# (c, h) comes back, but the exercise asks for (h, c).
# Next: Return h first.
#   torch.sigmoid(o) * torch.tanh(c), c => c, torch.sigmoid(o) * torch.tanh(c)

# mistake only_h (type), from plain
# Only h comes back; the next step needs c as well.
# Next: Return the pair (h, c).
#   torch.sigmoid(o) * torch.tanh(c), c => torch.sigmoid(o) * torch.tanh(c)

# mistake stacked (type), from plain
# h and c are stacked into one tensor; a pair of tensors was asked for.
# Next: Return `h, c`.
#   torch.sigmoid(o) * torch.tanh(c), c => torch.stack([torch.sigmoid(o) * torch.tanh(c), c])

# mistake one_row_squeezed (shape), from plain
# With a single row the batch axis disappears: `squeeze()` drops every axis of size 1.
# Next: Leave `squeeze()` out; h and c are (B, H) also when B is 1.
#   torch.sigmoid(o) * torch.tanh(c), c => (torch.sigmoid(o) * torch.tanh(c)).squeeze(), c.squeeze()

# mistake state_ignored (values), from plain
# The old h takes no part in the gates.
# Next: Add h times the transpose of weight_hh to the sum.
#   h @ params["weight_hh"].T + params => params

# mistake changes_the_old_state (property), from plain
# The new cell state is written into the old one, which belongs to the caller.
# Next: Write `c = f * c + ...` instead of `c *= f`.
#   -    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
#   +    c *= torch.sigmoid(f)
#   +    c += torch.sigmoid(i) * torch.tanh(g)

# mistake takes_params_away (property), from plain
# The entries are popped out of params; the next step finds it empty.
# Next: Read them: `params["bias_ih"]`.
#   -    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
#   +    gates = x @ params.pop("weight_ih").T + h @ params.pop("weight_hh").T + params.pop("bias_ih") + params.pop("bias_hh")

# mistake always_float32 (dtype), from plain
# The computation is cast to float32, and the result with it.
# Next: Work in the dtype of x: no `.float()`, and no tensor made of Python numbers (`.item()`, `.tolist()`).
#   h, c = state => h, c = (part.float() for part in state)
#   -    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
#   +    weights = {name: value.float() for name, value in params.items()}
#   +    gates = x.float() @ weights["weight_ih"].T + weights["bias_ih"] + h @ weights["weight_hh"].T + weights["bias_hh"]

# mistake float32_inside (values), from plain
# The result is float64 and its digits are not: the sum was rounded to float32 on the way.
# Next: Leave `.float()` out: work in the dtype of x.
#   -    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
#   +    gates = x.float() @ params["weight_ih"].float().T + params["bias_ih"].float()
#   +    gates = (gates + h.float() @ params["weight_hh"].float().T + params["bias_hh"].float()).to(x.dtype)

# mistake tanh_by_exponentials (not finite), from plain
# tanh is built from exp(x) and exp(-x): for large numbers that is inf / inf, nan.
# Next: Use `torch.tanh`, which is safe for numbers of any size.
#    def lstm_cell(x, state, params):
#   +    def tanh(value):
#   +        return (torch.exp(value) - torch.exp(-value)) / (torch.exp(value) + torch.exp(-value))
#   +
#   torch.tanh(g) => tanh(g)
#   torch.tanh(c) => tanh(c)

# mistake sigmoid_by_exponentials (not finite), from plain
# 1 / (1 + exp(-x)) is right forward; its gradient is 0 * inf, nan, where x is a large negative number.
# Next: Use `torch.sigmoid`, whose gradient is safe for numbers of any size.
#    def lstm_cell(x, state, params):
#   +    def sigmoid(value):
#   +        return 1 / (1 + torch.exp(-value))
#   +
#   torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g) => sigmoid(f) * c + sigmoid(i) * torch.tanh(g)
#   torch.sigmoid(o) => sigmoid(o)

# mistake hard_sigmoid (values), from plain
# The gates are squashed by straight lines (a hard sigmoid) instead of the sigmoid.
# Next: Use `torch.sigmoid`.
#   torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g) => F.hardsigmoid(f) * c + F.hardsigmoid(i) * torch.tanh(g)
#   torch.sigmoid(o) => F.hardsigmoid(o)


# mistake no_graph (property)
# Nothing of the step is recorded, so no weight can learn from it.
# Next: No `torch.no_grad()`, `.detach()` or `.data`, and no tensor made of Python numbers (`.item()`, `.tolist()`).
def lstm_cell(x, state, params):
    with torch.no_grad():
        h, c = state
        gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
        i, f, g, o = gates.chunk(4, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


# mistake old_cell_state_detached (property), from plain
# The old cell state is detached, so the gradient stops at this step; it must go on to earlier words.
# Next: Use c itself, without `.detach()` or `.data`.
#   torch.sigmoid(f) * c => torch.sigmoid(f) * c.detach()


# mistake module_with_copied_weights (property)
# The weights are copied into a module of torch's: the values are right, and the gradient stays in the copies.
# Next: Compute with the tensors in params themselves.
def lstm_cell(x, state, params):
    cell = nn.LSTMCell(x.shape[1], state[0].shape[1], dtype=x.dtype)
    cell.load_state_dict(params)
    return cell(x, state)


# mistake params_by_place (raises)
# The weights are taken out of params by their position; a dict may hold them in any order.
# Next: Take them by name: `params["weight_ih"]` and so on.
def lstm_cell(x, state, params):
    weight_ih, weight_hh, bias_ih, bias_hh = params.values()
    h, c = state
    i, f, g, o = (x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh).chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


# right form torchs_own
def lstm_cell(x, state, params):
    return torch.lstm_cell(x, state, params["weight_ih"], params["weight_hh"], params["bias_ih"], params["bias_hh"])


# right form functional_call_of_a_module
def lstm_cell(x, state, params):
    cell = nn.LSTMCell(x.shape[1], state[0].shape[1])
    return torch.func.functional_call(cell, params, (x, state))


# right form one_product_of_what_is_joined
def lstm_cell(x, state, params):
    h, c = state
    joined = torch.cat([x, h], dim=1)
    weight = torch.cat([params["weight_ih"], params["weight_hh"]], dim=1)
    gates = F.linear(joined, weight, params["bias_ih"] + params["bias_hh"])
    i, f, g, o = torch.split(gates, h.shape[1], dim=-1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return [o.sigmoid() * c.tanh(), c]


# right form row_by_row
def lstm_cell(x, state, params):
    size = state[0].shape[1]
    new_h, new_c = [], []
    for row, h, c in zip(x, *state):
        z = params["weight_ih"].mv(row) + params["bias_ih"] + params["weight_hh"].mv(h) + params["bias_hh"]
        i, f, g, o = (z[gate * size : (gate + 1) * size] for gate in range(4))
        new_c.append(torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g))
        new_h.append(torch.sigmoid(o) * torch.tanh(new_c[-1]))
    return torch.stack(new_h), torch.stack(new_c)


# right form gate_by_gate_with_einsum
def lstm_cell(x, state, params, verbose=False):
    h, c = state
    size = h.shape[-1]

    def gate(number):
        rows = slice(number * size, (number + 1) * size)
        z = torch.einsum("bd,hd->bh", x, params["weight_ih"][rows])
        z = z + torch.einsum("bk,hk->bh", h, params["weight_hh"][rows])
        return z + params["bias_ih"][rows] + params["bias_hh"][rows]

    c = c * torch.sigmoid(gate(1)) + torch.sigmoid(gate(0)) * torch.tanh(gate(2))
    print("one step")
    return torch.sigmoid(gate(3)) * torch.tanh(c), c


# right form sigmoid_from_tanh
def lstm_cell(x, state, params):
    def sigmoid(z):
        return 0.5 * (1 + torch.tanh(z / 2))

    h, c = state
    batch, size = h.shape
    z = x.mm(params["weight_ih"].t()) + h.mm(params["weight_hh"].t()) + params["bias_ih"] + params["bias_hh"]
    z = z.reshape(batch, 4, size)
    c_new = sigmoid(z[:, 1]) * c + sigmoid(z[:, 0]) * torch.tanh(z[:, 2])
    return sigmoid(z[:, 3]) * torch.tanh(c_new), c_new


# right form float64_inside
def lstm_cell(x, state, params):
    h, c = (part.double() for part in state)
    wide = {name: value.double() for name, value in params.items()}
    z = (x.double() @ wide["weight_ih"].T + h @ wide["weight_hh"].T + wide["bias_ih"] + wide["bias_hh"]).T
    size = h.shape[1]
    i, f, g, o = z[:size].T, z[size : 2 * size].T, z[2 * size : 3 * size].T, z[3 * size :].T
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return (o.sigmoid() * c.tanh()).to(x.dtype), c.to(x.dtype)


# right form list_of_one_row_of_gates
def lstm_cell(x, state, params):
    h, c = state
    sums = F.linear(x, params["weight_ih"], params["bias_ih"]) + F.linear(h, params["weight_hh"], params["bias_hh"])
    gates = sums.unflatten(1, (4, -1))  # (B, 4, H)
    c = torch.addcmul(gates[:, 1].sigmoid() * c, gates[:, 0].sigmoid(), gates[:, 2].tanh())
    return [gates[:, 3].sigmoid() * c.tanh(), c]
