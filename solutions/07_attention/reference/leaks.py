"""The right answer to 07.leaks."""

import torch
import torch.nn as nn


def leaks(model: nn.Module, x: torch.Tensor) -> bool:
    """Return whether a later position changes an earlier output of this model.

    The positions from t on are replaced by noise as large in value as the input (its standard deviation); if an output
    before t moves by more than one part in a thousand of the largest output, in any row of the batch, the model leaks.
    All positions t are tried.

    model    any nn.Module that makes (B, T, anything) of x; dropout is not a leak. The model's train or eval mode, and
             each submodule's, is as before
    x        tensor of shape (B, T, d)
    returns  True when the model leaks, else False

    >>> class Running(nn.Module):
    ...     def forward(self, x):
    ...         return x.cumsum(dim=1)
    >>> class Mean(nn.Module):
    ...     def forward(self, x):
    ...         return x + x.mean(dim=1, keepdim=True)
    >>> x = torch.arange(30.0).reshape(2, 5, 3)
    >>> leaks(Running(), x), leaks(Mean(), x)
    (False, True)
    """
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            before = model(x)
            for t in range(1, x.shape[1]):
                other = x.clone()
                other[:, t:] = torch.randn_like(other[:, t:]) * x.std()
                moved = (model(other) - before)[:, :t].abs().max()
                if moved > 1e-3 * before.abs().max():
                    return True
        return False
    finally:
        for module, training in modes:
            module.training = training
