"""Measure the gradient of a sentence's first word after many steps of a recurrent network."""

import torch
import torch.nn as nn

LENGTHS = (5, 10, 20, 40, 60)


def measure(max_norm: float | None = None, clip_gradients: float | None = None, seeds: int = 5) -> list[float]:
    """Return the norm of the first word's gradient for each sentence length: the geometric mean over fresh networks.

    The recurrent matrix is twice an orthogonal one, which doubles the norm of every vector. With `clip_gradients` all gradients
    together are scaled down to this norm, as `clip_grad_norm_` does.
    """
    norms = []
    for length in LENGTHS:
        sizes = torch.tensor([_one(length, max_norm, clip_gradients, seed) for seed in range(seeds)])
        norms.append(sizes.log().mean().exp().item())
    return norms


def _one(length: int, max_norm: float | None, clip_gradients: float | None, seed: int) -> float:
    generator = torch.Generator().manual_seed(seed)
    embedding = nn.Embedding(100, 16, max_norm=max_norm, _weight=torch.randn(100, 16, generator=generator))
    network = nn.RNN(16, 64, batch_first=True)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_((torch.rand(parameter.shape, generator=generator) - 0.5) / 4)
        recurrent = dict(network.named_parameters())["weight_hh_l0"]
        nn.init.orthogonal_(recurrent, gain=2.0, generator=generator)
    ids = torch.randint(1, 100, (8, length), generator=generator)
    ids[:, 0] = 0  # This word occurs nowhere else.
    states, _ = network(embedding(ids))
    states[:, -1].square().mean().backward()
    if clip_gradients is not None:
        nn.utils.clip_grad_norm_([*embedding.parameters(), *network.parameters()], clip_gradients)
    grad = embedding.weight.grad
    assert grad is not None
    return grad[0].norm().item()
