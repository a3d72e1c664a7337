"""Wrong answers about the four gates of an LSTM by name."""

import torch

from grader.course_source.catalogue import altered, base, mistake

CELL = "05.lstm_cell"


@base("plain")
def lstm_cell(x, state, params):
    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


altered(
    CELL, "sigmoid_twice", "plain",
    {
        "torch.sigmoid(f)": "torch.sigmoid(torch.sigmoid(f))",
        "torch.sigmoid(i)": "torch.sigmoid(torch.sigmoid(i))",
        "torch.sigmoid(o)": "torch.sigmoid(torch.sigmoid(o))",
    },
    stage="values",
    diagnosis="Each gate goes through the sigmoid twice: all of them lie between 0.5 and 0.73 then, and none can close.",
    next_step="Apply the sigmoid to a gate once: when the gates are made, or in the formula, not in both places.",
)

altered(
    CELL, "sigmoid_of_all_and_again", "plain", {"gates.chunk": "torch.sigmoid(gates).chunk"}, stage="values",
    diagnosis="All four pieces go through the sigmoid, and then each of them is squashed once more.",
    next_step="Squash each piece once: the sigmoid for i, f and o, tanh for g.",
)

altered(
    CELL, "candidate_squashed_twice", "plain", {"torch.tanh(g)": "torch.tanh(torch.tanh(g))"}, stage="values",
    diagnosis="The candidate g goes through tanh twice.",
    next_step="Apply tanh to g once: when it is made, or in the formula, not in both places.",
)

altered(
    CELL, "proposal_through_the_sigmoid", "plain", {"torch.tanh(g)": "torch.sigmoid(g)"}, stage="values",
    diagnosis="All four pieces went through the sigmoid; the candidate g goes through tanh, so that it can be negative.",
    next_step="Use tanh for the third piece.",
)

altered(
    CELL, "coupled_gates", "plain", {"torch.sigmoid(i)": "(1 - torch.sigmoid(f))"}, stage="values",
    diagnosis="The input gate is replaced by 1 - f, as in a GRU; an LSTM has an input gate of its own.",
    next_step="Use the sigmoid of the first piece for i.",
)

altered(
    CELL, "forget_gate_from_the_input_gate", "plain", {"torch.sigmoid(f)": "(1 - torch.sigmoid(i))"}, stage="values",
    diagnosis="The forget gate is replaced by 1 - i: the two are coupled, as in a GRU. An LSTM has a forget gate of its own.",
    next_step="Use the sigmoid of the second piece for f.",
)

altered(
    CELL, "gates_not_squashed", "plain", {"torch.sigmoid(i)": "i", "torch.sigmoid(f)": "f", "torch.sigmoid(o)": "o"},
    stage="values",
    diagnosis="The gates i, f and o enter as they are, without the sigmoid: they are not between 0 and 1.",
    next_step="Put i, f and o through the sigmoid before you multiply with them.",
)

altered(
    CELL, "tanh_for_the_gates", "plain",
    {"torch.sigmoid(i)": "torch.tanh(i)", "torch.sigmoid(f)": "torch.tanh(f)", "torch.sigmoid(o)": "torch.tanh(o)"},
    stage="values",
    diagnosis="All four pieces went through tanh; a gate lies between 0 and 1, which the sigmoid gives.",
    next_step="Use the sigmoid for i, f and o, and tanh for g alone.",
)


@mistake(
    CELL, "old_state_detached", stage="property",
    diagnosis="The old state is detached: no gradient reaches the steps before.",
    next_step="Unpack the state as it is: `h, c = state`.",
)
def lstm_cell(x, state, params):
    h, c = (part.detach() for part in state)
    rows = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = rows.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@mistake(
    CELL, "reshaped_into_gates", stage="values",
    diagnosis="`reshape(4, B, H)` of a (B, 4H) tensor mixes the rows of the batch: it cuts up the first rows, not the columns.",
    next_step="Cut the columns: `chunk(4, dim=1)`, or `reshape(B, 4, H)` and take along axis 1.",
)
def lstm_cell(x, state, params):
    h, c = state
    rows = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = rows.reshape(4, len(x), -1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c
