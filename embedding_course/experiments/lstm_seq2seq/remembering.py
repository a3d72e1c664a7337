"""Measure how much the first word still changes the state of untrained recurrent networks some words later."""

import torch
import torch.nn.functional as F
from torch import nn

from ...messages import translatable

#: The networks compared: torch's layer, and the number added to the bias of the forget gate.
KINDS = {
    translatable("plain RNN"): (nn.RNN, 0.0),
    translatable("LSTM as torch makes it"): (nn.LSTM, 0.0),
    translatable("LSTM, forget gate opened"): (nn.LSTM, 4.0),
}


def forget_gate(words: int = 30, width: int = 48, hidden: int = 64, seeds: int = 20) -> float:
    """Return the geometric mean of the forget gate of PyTorch's untrained LSTM, over random words.

    Parameters
    ----------
    words, width, hidden : int, optional
        As in `influence`.
    seeds : int, optional
        Number of random networks.
    """
    logarithms = []
    for seed in range(seeds):
        torch.manual_seed(seed)
        network, vectors = nn.LSTM(width, hidden), torch.randn(words, width)
        with torch.no_grad():
            before = torch.cat([torch.zeros(1, hidden), network(vectors)[0][:-1]])
            weights = dict(network.named_parameters())
            sums = F.linear(vectors, weights["weight_ih_l0"], weights["bias_ih_l0"])
            sums += F.linear(before, weights["weight_hh_l0"], weights["bias_hh_l0"])
        logarithms.append(sums[:, hidden : 2 * hidden].sigmoid().log().mean())
    return torch.stack(logarithms).mean().exp().item()


def influence(kind: str, words: int = 30, width: int = 48, hidden: int = 64, seeds: int = 5) -> torch.Tensor:
    """Return the size of the derivative of the state after n words by the first word's vector, relative to n = 1, (words,).

    It is estimated from eight random directions, and averaged over a few random networks.

    Parameters
    ----------
    kind : str
        Name of a network in `KINDS`.
    words : int, optional
        Number of words.
    width : int, optional
        Number of dimensions of a word's vector.
    hidden : int, optional
        Number of dimensions of the state.
    seeds : int, optional
        Number of random networks.
    """
    layer, opened = KINDS[kind]
    total = torch.zeros(words)
    for seed in range(seeds):
        torch.manual_seed(seed)
        network: nn.Module = layer(width, hidden)
        if opened:
            with torch.no_grad():
                network.get_parameter("bias_ih_l0")[hidden : 2 * hidden] += opened
        first = torch.randn(width, requires_grad=True)
        states, _ = network(torch.cat([first[None], torch.randn(words - 1, width)]))
        for _ in range(8):
            sizes = [torch.autograd.grad(state @ torch.randn(hidden), first, retain_graph=True)[0].norm() for state in states]
            total += torch.stack(sizes)
    return total / total[0]
