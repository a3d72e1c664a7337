"""The right answer to 05.lstm_cell."""

import torch


def lstm_cell(
    x: torch.Tensor, state: tuple[torch.Tensor, torch.Tensor], params: dict[str, torch.Tensor]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute one step of an LSTM (Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al. 2000).

    The gates i, f, g, o are sigmoid, sigmoid, tanh, sigmoid of x W_ih^T + b_ih + h W_hh^T + b_hh. Then
    c' = f * c + i * g and h' = o * tanh(c').

    x        (B, d): the vectors of one word for each row of the batch
    state    (h, c), each (B, H): the state before
    params   weight_ih (4H, d), weight_hh (4H, H), bias_ih (4H,), bias_hh (4H,); the rows of the gates stand
             in PyTorch's order: i, f, g, o
    returns  (h, c), each (B, H), the state afterwards; gradients flow to all inputs

    With weights and biases of 0 every gate is one half and the candidate g is 0, so half of c stays:

    >>> zeros = {"weight_ih": (4, 2), "weight_hh": (4, 1), "bias_ih": (4,), "bias_hh": (4,)}
    >>> params = {name: torch.zeros(shape) for name, shape in zeros.items()}
    >>> h, c = lstm_cell(torch.ones(1, 2), (torch.zeros(1, 1), torch.ones(1, 1)), params)
    >>> c, h
    (tensor([[0.5000]]), tensor([[0.2311]]))
    """
    h, c = state
    from_input = x @ params["weight_ih"].T + params["bias_ih"]  # (B, 4H)
    from_state = h @ params["weight_hh"].T + params["bias_hh"]  # (B, 4H)
    i, f, g, o = (from_input + from_state).chunk(4, dim=1)  # (B, H) each
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    h = torch.sigmoid(o) * torch.tanh(c)
    return h, c
