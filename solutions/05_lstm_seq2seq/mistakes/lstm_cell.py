"""Wrong answers about one step of an LSTM by name, and unusual right ones."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

CELL = "05.lstm_cell"


@base("plain")
def lstm_cell(x, state, params):
    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


altered(
    CELL, "input_and_forget_swapped", "plain", {"i, f,": "f, i,"}, stage="values",
    diagnosis="The first two gates are swapped, where the pieces are unpacked or in the formula: the first piece is the input "
    "gate i, the second the forget gate f.",
    next_step="Unpack the four pieces as i, f, g, o; then f multiplies the old c, and i the candidate g.",
)

altered(
    CELL, "output_gate_third", "plain", {"g, o": "o, g"}, stage="values",
    diagnosis="The last two pieces are exchanged, where they are unpacked (i, f, o, g) or in the formula; PyTorch's order is "
    "i, f, g, o.",
    next_step="Take the third piece for g (tanh) and the last for o (sigmoid).",
)

altered(
    CELL, "proposal_second", "plain", {"f, g,": "g, f,"}, stage="values",
    diagnosis="The second and third piece are exchanged, where they are unpacked (i, g, f, o, TensorFlow's old order) or in "
    "the formula; PyTorch's order is i, f, g, o.",
    next_step="Take the second piece for f and the third for g.",
)

altered(
    CELL, "every_fourth_row", "plain",
    {"gates.chunk(4, dim=1)": "(gates[:, gate::4] for gate in range(4))"},
    stage="values",
    diagnosis="The gates are taken as every fourth column; each gate's H columns stand together.",
    next_step="Cut the sum into four blocks of H columns, with `chunk(4, dim=1)` or slices.",
)


altered(
    CELL, "proposal_not_squashed", "plain", {"torch.tanh(g)": "g"}, stage="values",
    diagnosis="The candidate g enters as it is, without tanh.",
    next_step="The third piece goes through tanh before it is multiplied with i.",
)

altered(
    CELL, "one_bias", "plain",
    {
        '+ params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]':
            '+ h @ params["weight_hh"].T + params["bias_ih"]',
    },
    stage="values",
    diagnosis="Only bias_ih is added; there are two biases, and both count.",
    next_step="Add bias_hh as well.",
)

altered(
    CELL, "no_bias", "plain",
    {'params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]': 'h @ params["weight_hh"].T'},
    stage="values",
    diagnosis="The biases are left out.",
    next_step="Add bias_ih and bias_hh to the sum.",
)

altered(
    CELL, "forget_bias_of_one", "plain", {"sigmoid(f)": "sigmoid(f + 1)"}, stage="values",
    diagnosis="A 1 is added to the forget gate; some libraries start training like that, and PyTorch's step does not.",
    next_step="Leave the 1 out: biases come from params alone.",
)

altered(
    CELL, "weights_not_transposed", "plain",
    {'.T + params["bias_ih"] + h @ params["weight_hh"].T': ' + params["bias_ih"] + h @ params["weight_hh"]'},
    stage="raises",
    diagnosis="x is multiplied with weight_ih, (4H, d), where its transpose, (d, 4H), is needed.",
    next_step="Write the shapes down: (B, d) times (d, 4H) is (B, 4H).",
)


@mistake(
    CELL, "transposed_unless_it_fits", stage="values",
    diagnosis="weight_ih is transposed only where the shapes demand it; when d is 4H, both ways fit and one is wrong.",
    next_step="Always transpose: weight_ih has one row for each gate number, whatever its shape.",
)
def lstm_cell(x, state, params):
    h, c = state
    weight = params["weight_ih"] if params["weight_ih"].shape[0] == x.shape[1] else params["weight_ih"].T
    gates = x @ weight + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


altered(
    CELL, "pieces_of_the_batch", "plain", {", dim=1": ""}, stage=("raises", "shape"),
    diagnosis="`chunk(4)` cuts along the batch; the gates stand side by side, on the last axis.",
    next_step="Cut along dim=1.",
)


@mistake(
    CELL, "pieces_of_the_batch_when_there_are_four", stage="values",
    diagnosis="The gates are cut along whichever axis four goes into first; with four rows that is the batch.",
    next_step="Cut along dim=1, whatever the size of the batch.",
)
def lstm_cell(x, state, params):
    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    if len(gates) == 4:
        gates = gates.reshape(4, 4, -1).transpose(0, 1).reshape(4, -1)
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@mistake(
    CELL, "old_cell_state_in_h", stage="values",
    diagnosis="h is made from the old cell state; it is made from the new one.",
    next_step="Compute the new c first, and use it in h.",
)
def lstm_cell(x, state, params):
    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    new_c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), new_c


altered(
    CELL, "no_tanh_in_h", "plain", {"torch.tanh(c)": "c"}, stage="values",
    diagnosis="h is o * c; the cell state goes through tanh first.",
    next_step="h' = o * tanh(c').",
)

altered(
    CELL, "tanh_around_the_product", "plain",
    {"torch.sigmoid(o) * torch.tanh(c)": "torch.tanh(torch.sigmoid(o) * c)"},
    stage="values",
    diagnosis="h is tanh(o * c); tanh belongs around c alone.",
    next_step="h' = o * tanh(c').",
)


@mistake(
    CELL, "cell_state_squashed", stage="values",
    diagnosis="The new cell state itself went through tanh; it is kept unbounded, and only h sees its tanh.",
    next_step="Return c' = f * c + i * g as it is.",
)
def lstm_cell(x, state, params):
    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.tanh(torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g))
    return torch.sigmoid(o) * c, c


altered(
    CELL, "forgets_everything", "plain", {"f) * c + torch.sigmoid(": ""}, stage="values",
    diagnosis="The old cell state is dropped: the new one is only i * g.",
    next_step="Add the part of the old cell state that the forget gate lets through.",
)

altered(
    CELL, "one_minus_f", "plain", {"torch.sigmoid(f)": "(1 - torch.sigmoid(f))"}, stage="values",
    diagnosis="f counts as how much to forget; it is how much to keep.",
    next_step="Multiply the old cell state with f.",
)


altered(
    CELL, "state_swapped", "plain", {"h, c =": "c, h ="}, stage="values",
    diagnosis="The state is unpacked as (c, h); it comes as (h, c).",
    next_step="`h, c = state`.",
)

altered(
    CELL, "result_swapped", "plain",
    {"torch.sigmoid(o) * torch.tanh(c), c": "c, torch.sigmoid(o) * torch.tanh(c)"},
    stage="values",
    diagnosis="(c, h) comes back; asked for is (h, c).",
    next_step="Return h first.",
)

altered(
    CELL, "only_h", "plain", {"(c), c": "(c)"}, stage="type",
    diagnosis="Only h comes back; the next step needs c as well.",
    next_step="Return the pair (h, c).",
)

altered(
    CELL, "stacked", "plain",
    {"sigmoid(o) * torch.tanh(c), c": "stack([torch.sigmoid(o) * torch.tanh(c), c])"},
    stage="type",
    diagnosis="h and c are stacked into one tensor; a pair of tensors was asked for.",
    next_step="Return `h, c`.",
)

altered(
    CELL, "one_row_squeezed", "plain",
    {"torch.sigmoid(o) * torch.tanh(c), c": "(torch.sigmoid(o) * torch.tanh(c)).squeeze(), c.squeeze()"},
    stage="shape",
    diagnosis="With a single row the batch axis disappears: `squeeze()` drops every axis of size 1.",
    next_step="Leave `squeeze()` out; h and c are (B, H) also when B is 1.",
)

altered(
    CELL, "state_ignored", "plain", {'h @ params["weight_hh"].T + ': ""}, stage="values",
    diagnosis="The old h takes no part in the gates.",
    next_step="Add h times the transpose of weight_hh to the sum.",
)


@mistake(
    CELL, "changes_the_old_state", stage="property",
    diagnosis="The new cell state is written into the old one, which belongs to the caller.",
    next_step="Write `c = f * c + ...` instead of `c *= f`.",
)
def lstm_cell(x, state, params):
    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    c *= torch.sigmoid(f)
    c += torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


altered(
    CELL, "takes_params_away", "plain",
    {
        '["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]':
            '.pop("weight_ih").T + h @ params.pop("weight_hh").T + params.pop("bias_ih") + params.pop("bias_hh")',
    },
    stage="property",
    diagnosis="The entries are popped out of params; the next step finds it empty.",
    next_step='Read them: `params["bias_ih"]`.',
)


@mistake(
    CELL, "always_float32", stage="dtype",
    diagnosis="The computation is cast to float32, and the result with it.",
    next_step="Work in the dtype of x: no `.float()`, and no tensor made of Python numbers (`.item()`, `.tolist()`).",
)
def lstm_cell(x, state, params):
    h, c = (part.float() for part in state)
    weights = {name: value.float() for name, value in params.items()}
    gates = x.float() @ weights["weight_ih"].T + weights["bias_ih"] + h @ weights["weight_hh"].T + weights["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@mistake(
    CELL, "float32_inside", stage="values",
    diagnosis="The result is float64 and its digits are not: the sum was rounded to float32 on the way.",
    next_step="Leave `.float()` out: work in the dtype of x.",
)
def lstm_cell(x, state, params):
    h, c = state
    gates = x.float() @ params["weight_ih"].float().T + params["bias_ih"].float()
    gates = (gates + h.float() @ params["weight_hh"].float().T + params["bias_hh"].float()).to(x.dtype)
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@mistake(
    CELL, "tanh_by_exponentials", stage="not finite",
    diagnosis="tanh is built from exp(x) and exp(-x): for large numbers that is inf / inf, nan.",
    next_step="Use `torch.tanh`, which is safe for numbers of any size.",
)
def lstm_cell(x, state, params):
    def tanh(value):
        return (torch.exp(value) - torch.exp(-value)) / (torch.exp(value) + torch.exp(-value))

    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * tanh(g)
    return torch.sigmoid(o) * tanh(c), c


@mistake(
    CELL, "sigmoid_by_exponentials", stage="not finite",
    diagnosis="1 / (1 + exp(-x)) is right forward; its gradient is 0 * inf, nan, where x is a large negative number.",
    next_step="Use `torch.sigmoid`, whose gradient is safe for numbers of any size.",
)
def lstm_cell(x, state, params):
    def sigmoid(value):
        return 1 / (1 + torch.exp(-value))

    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    c = sigmoid(f) * c + sigmoid(i) * torch.tanh(g)
    return sigmoid(o) * torch.tanh(c), c


@mistake(
    CELL, "hard_sigmoid", stage="values",
    diagnosis="The gates are squashed by straight lines (a hard sigmoid) instead of the sigmoid.",
    next_step="Use `torch.sigmoid`.",
)
def lstm_cell(x, state, params):
    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    c = F.hardsigmoid(f) * c + F.hardsigmoid(i) * torch.tanh(g)
    return F.hardsigmoid(o) * torch.tanh(c), c


@mistake(
    CELL, "no_graph", stage="property",
    diagnosis="Nothing of the step is recorded, so no weight can learn from it.",
    next_step="No `torch.no_grad()`, `.detach()` or `.data`, and no tensor made of Python numbers (`.item()`, `.tolist()`).",
)
def lstm_cell(x, state, params):
    with torch.no_grad():
        h, c = state
        gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
        i, f, g, o = gates.chunk(4, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


altered(
    CELL, "old_cell_state_detached", "plain", {"* c +": "* c.detach() +"}, stage="property",
    diagnosis="The old cell state is detached, so the gradient stops at this step; it must go on to earlier words.",
    next_step="Use c itself, without `.detach()` or `.data`.",
)


@mistake(
    CELL, "module_with_copied_weights", stage="property",
    diagnosis="The weights are copied into a module of torch's: the values are right, and the gradient stays in the copies.",
    next_step="Compute with the tensors in params themselves.",
)
def lstm_cell(x, state, params):
    cell = nn.LSTMCell(x.shape[1], state[0].shape[1], dtype=x.dtype)
    cell.load_state_dict(params)
    return cell(x, state)


@mistake(
    CELL, "params_by_place", stage="raises",
    diagnosis="The weights are taken out of params by their position; a dict may hold them in any order.",
    next_step='Take them by name: `params["weight_ih"]` and so on.',
)
def lstm_cell(x, state, params):
    weight_ih, weight_hh, bias_ih, bias_hh = params.values()
    h, c = state
    i, f, g, o = (x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh).chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@right_form(CELL, "torchs_own")
def lstm_cell(x, state, params):
    return torch.lstm_cell(x, state, params["weight_ih"], params["weight_hh"], params["bias_ih"], params["bias_hh"])


@right_form(CELL, "functional_call_of_a_module")
def lstm_cell(x, state, params):
    cell = nn.LSTMCell(x.shape[1], state[0].shape[1])
    return torch.func.functional_call(cell, params, (x, state))


@right_form(CELL, "one_product_of_what_is_joined")
def lstm_cell(x, state, params):
    h, c = state
    joined = torch.cat([x, h], dim=1)
    weight = torch.cat([params["weight_ih"], params["weight_hh"]], dim=1)
    gates = F.linear(joined, weight, params["bias_ih"] + params["bias_hh"])
    i, f, g, o = torch.split(gates, h.shape[1], dim=-1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return [o.sigmoid() * c.tanh(), c]


@right_form(CELL, "row_by_row")
def lstm_cell(x, state, params):
    size = state[0].shape[1]
    new_h, new_c = [], []
    for row, h, c in zip(x, *state):
        z = params["weight_ih"].mv(row) + params["bias_ih"] + params["weight_hh"].mv(h) + params["bias_hh"]
        i, f, g, o = (z[gate * size : (gate + 1) * size] for gate in range(4))
        new_c.append(torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g))
        new_h.append(torch.sigmoid(o) * torch.tanh(new_c[-1]))
    return torch.stack(new_h), torch.stack(new_c)


@right_form(CELL, "gate_by_gate_with_einsum")
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


@right_form(CELL, "sigmoid_from_tanh")
def lstm_cell(x, state, params):
    def sigmoid(z):
        return 0.5 * (1 + torch.tanh(z / 2))

    h, c = state
    batch, size = h.shape
    z = x.mm(params["weight_ih"].t()) + h.mm(params["weight_hh"].t()) + params["bias_ih"] + params["bias_hh"]
    z = z.reshape(batch, 4, size)
    c_new = sigmoid(z[:, 1]) * c + sigmoid(z[:, 0]) * torch.tanh(z[:, 2])
    return sigmoid(z[:, 3]) * torch.tanh(c_new), c_new


@right_form(CELL, "float64_inside")
def lstm_cell(x, state, params):
    h, c = (part.double() for part in state)
    wide = {name: value.double() for name, value in params.items()}
    z = (x.double() @ wide["weight_ih"].T + h @ wide["weight_hh"].T + wide["bias_ih"] + wide["bias_hh"]).T
    size = h.shape[1]
    i, f, g, o = z[:size].T, z[size : 2 * size].T, z[2 * size : 3 * size].T, z[3 * size :].T
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return (o.sigmoid() * c.tanh()).to(x.dtype), c.to(x.dtype)


@right_form(CELL, "list_of_one_row_of_gates")
def lstm_cell(x, state, params):
    h, c = state
    sums = F.linear(x, params["weight_ih"], params["bias_ih"]) + F.linear(h, params["weight_hh"], params["bias_hh"])
    gates = sums.unflatten(1, (4, -1))  # (B, 4, H)
    c = torch.addcmul(gates[:, 1].sigmoid() * c, gates[:, 0].sigmoid(), gates[:, 2].tanh())
    return [gates[:, 3].sigmoid() * c.tanh(), c]
