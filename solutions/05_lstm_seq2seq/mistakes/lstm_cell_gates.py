"""Wrong answers about the four gates of an LSTM by name."""

import torch

from grader.course_source.catalogue import altered, base

CELL = "05.lstm_cell"


@base("step_by_step")
def lstm_cell(x, state, params):
    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    i = torch.sigmoid(i)
    f = torch.sigmoid(f)
    g = torch.tanh(g)
    o = torch.sigmoid(o)
    c = f * c + i * g
    h = o * torch.tanh(c)
    return h, c


altered(
    CELL, "sigmoid_twice", "step_by_step",
    {"c = f * c + i * g": "c = torch.sigmoid(f) * c + torch.sigmoid(i) * g", "h = o *": "h = torch.sigmoid(o) *"},
    stage="values",
    diagnosis="Each gate goes through the sigmoid twice: all of them lie between 0.5 and 0.73 then, and none can close.",
    next_step="Apply the sigmoid to a gate once: when the gates are made, or in the formula, not in both places.",
)

altered(
    CELL, "sigmoid_of_all_and_again", "step_by_step",
    {
        "gates.chunk": "torch.sigmoid(gates).chunk",
    },
    stage="values",
    diagnosis="All four pieces go through the sigmoid, and then each of them is squashed once more.",
    next_step="Squash each piece once: the sigmoid for i, f and o, tanh for g.",
)

altered(
    CELL, "candidate_squashed_twice", "step_by_step", {"i * g": "i * torch.tanh(g)"}, stage="values",
    diagnosis="The candidate g goes through tanh twice.",
    next_step="Apply tanh to g once: when it is made, or in the formula, not in both places.",
)

altered(
    CELL, "forget_gate_from_the_input_gate", "step_by_step", {"torch.sigmoid(f)": "1 - i"}, stage="values",
    diagnosis="The forget gate is replaced by 1 - i: the two are coupled, as in a GRU. An LSTM has a forget gate of its own.",
    next_step="Use the sigmoid of the second piece for f.",
)

altered(
    CELL, "gates_not_squashed", "step_by_step",
    {"i = torch.sigmoid(i)": "pass", "f = torch.sigmoid(f)": "pass", "o = torch.sigmoid(o)": "pass"},
    stage="values",
    diagnosis="The gates i, f and o enter as they are, without the sigmoid: they are not between 0 and 1.",
    next_step="Put i, f and o through the sigmoid before you multiply with them.",
)

altered(
    CELL, "tanh_for_the_gates", "step_by_step",
    {"torch.sigmoid(i)": "torch.tanh(i)", "torch.sigmoid(f)": "torch.tanh(f)", "torch.sigmoid(o)": "torch.tanh(o)"},
    stage="values",
    diagnosis="All four pieces went through tanh; a gate lies between 0 and 1, which the sigmoid gives.",
    next_step="Use the sigmoid for i, f and o, and tanh for g alone.",
)
