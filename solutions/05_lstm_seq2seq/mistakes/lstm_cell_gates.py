# exercise 05.lstm_cell
import torch


# base plain
def lstm_cell(x, state, params):
    h, c = state
    gates = x @ params["weight_ih"].T + params["bias_ih"] + h @ params["weight_hh"].T + params["bias_hh"]
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


# mistake sigmoid_twice (values), from plain
# Each gate goes through the sigmoid twice: all of them lie between 0.5 and 0.73 then, and none can close.
# Next: Apply the sigmoid to a gate once: when the gates are made, or in the formula, not in both places.
#   f) * c + torch.sigmoid(i => torch.sigmoid(f)) * c + torch.sigmoid(torch.sigmoid(i)
#   torch.sigmoid(o) => torch.sigmoid(torch.sigmoid(o))

# mistake sigmoid_of_all_and_again (values), from plain
# All four pieces go through the sigmoid, and then each of them is squashed once more.
# Next: Squash each piece once: the sigmoid for i, f and o, tanh for g.
#   gates.chunk => torch.sigmoid(gates).chunk

# mistake candidate_squashed_twice (values), from plain
# The candidate g goes through tanh twice.
# Next: Apply tanh to g once: when it is made, or in the formula, not in both places.
#   torch.tanh(g) => torch.tanh(torch.tanh(g))

# mistake proposal_through_the_sigmoid (values), from plain
# All four pieces went through the sigmoid; the candidate g goes through tanh, so that it can be negative.
# Next: Use tanh for the third piece.
#   torch.tanh(g) => torch.sigmoid(g)

# mistake coupled_gates (values), from plain
# The input gate is replaced by 1 - f, as in a GRU; an LSTM has an input gate of its own.
# Next: Use the sigmoid of the first piece for i.
#   torch.sigmoid(i) * torch.tanh(g) => (1 - torch.sigmoid(f)) * torch.tanh(g)

# mistake forget_gate_from_the_input_gate (values), from plain
# The forget gate is replaced by 1 - i: the two are coupled, as in a GRU. An LSTM has a forget gate of its own.
# Next: Use the sigmoid of the second piece for f.
#   torch.sigmoid(f) * c => (1 - torch.sigmoid(i)) * c

# mistake gates_not_squashed (values), from plain
# The gates i, f and o enter as they are, without the sigmoid: they are not between 0 and 1.
# Next: Put i, f and o through the sigmoid before you multiply with them.
#   torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g) => f * c + i * torch.tanh(g)
#   torch.sigmoid(o) => o

# mistake tanh_for_the_gates (values), from plain
# All four pieces went through tanh; a gate lies between 0 and 1, which the sigmoid gives.
# Next: Use the sigmoid for i, f and o, and tanh for g alone.
#   torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g) => torch.tanh(f) * c + torch.tanh(i) * torch.tanh(g)
#   torch.sigmoid(o) => torch.tanh(o)

# mistake old_state_detached (property), from plain
# The old state is detached: no gradient reaches the steps before.
# Next: Unpack the state as it is: `h, c = state`.
#   h, c = state => h, c = (part.detach() for part in state)
#   gates = => rows =
#   gates.chunk => rows.chunk

# mistake reshaped_into_gates (values), from plain
# `reshape(4, B, H)` of a (B, 4H) tensor mixes the rows of the batch: it cuts up the first rows, not the columns.
# Next: Cut the columns: `chunk(4, dim=1)`, or `reshape(B, 4, H)` and take along axis 1.
#   gates = => rows =
#   gates.chunk(4, dim=1) => rows.reshape(4, len(x), -1)
