# exercise 07.leaks
import copy

import numpy as np
import torch


# right form copy_of_the_model
def leaks(model, x):
    model = copy.deepcopy(model).eval()
    reference = model(x)
    size = reference.abs().max().item()
    for t in range(x.shape[1] - 1):
        noise = torch.randn(x.shape, dtype=x.dtype) * x.std()
        changed = torch.cat([x[:, : t + 1], noise[:, t + 1 :]], dim=1)
        if not torch.allclose(model(changed)[:, : t + 1], reference[:, : t + 1], rtol=0, atol=1e-3 * size):
            return True
    return False


# right form position_by_position
def leaks(model, x, tolerance=1e-3):
    modes = {module: module.training for module in model.modules()}
    try:
        for module in modes:
            module.training = False
        y = model(x).detach().numpy()
        worst = 0.0
        for later in range(1, x.shape[1]):
            for _ in range(2):
                z = x.clone()
                z[:, later] = x[:, later] + 2 * torch.randn_like(x[:, later]) * float(x.abs().max())
                worst = max(worst, np.abs(model(z).detach().numpy() - y)[:, :later].max())
        return bool(worst > tolerance * np.abs(y).max())
    finally:
        for module, training in modes.items():
            module.training = training


# right form zeros_and_a_tensor
def leaks(model, x):
    was = [m.training for m in model.modules()]
    model.train(False)
    with torch.inference_mode():
        y = model(x)
        moves = [y.new_zeros(())]
        for t in range(1, x.size(1)):
            keep = (torch.arange(x.size(1)) < t).to(x.dtype)[None, :, None]
            moves.append((model(x * keep) - y).abs()[:, :t].amax())
    print(moves)
    for m, mode in zip(model.modules(), was):
        m.training = mode
    return torch.stack(moves).max() > 0.001 * y.abs().max()


# right form same_dropout_in_both_calls
def leaks(model, x):
    def call(values):
        torch.manual_seed(5)
        with torch.no_grad():
            return model(values)

    y, leak = call(x), False
    for t in range(1, x.shape[1]):
        other = torch.where(torch.arange(x.shape[1])[:, None] < t, x, x.roll(1, dims=-1) * 1.7 - 0.4 * x.flip(0))
        leak |= ((call(other) - y).abs()[:, :t].max() / y.abs().max()).item() > 1e-3
    return leak


# right form by_gradients
def leaks(model, x):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    inputs = x.clone().requires_grad_()
    y = model(inputs)
    found = False
    for t in range(x.shape[1] - 1):
        for column in range(y.shape[2]):
            (slope,) = torch.autograd.grad(y[:, t, column].sum(), inputs, retain_graph=True)
            found = found or bool(slope[:, t + 1 :].abs().max() * x.abs().mean() > 1e-3 * y.abs().max())
    for m, training in modes:
        m.training = training
    return found


# right form dropouts_alone
def leaks(model, x):
    dropouts = {m: m.training for m in model.modules() if isinstance(m, torch.nn.Dropout)}
    for m in dropouts:
        m.eval()
    kept = x.clone()
    y = model(x).detach()
    moved = [0.0]
    for t in reversed(range(1, x.shape[1])):
        kept[:, t] = x[:, t].roll(1, dims=0) * 0.3 + torch.rand_like(x[:, t]) * x.std()
        moved.append(float((model(kept).detach() - y)[:, :t].norm(p=float("inf"))))
    for m, mode in dropouts.items():
        m.train(mode)
    return np.bool_(max(moved) / float(y.abs().max()) > 1e-3)


# survivor torch.randn_like(other[:, t:]) * x.std() → x.std()
# Whatever is put there moves the later positions by about their own size or more, and rounding stays far below a thousandth: it
# is only the wanted size of the noise that differs.

# survivor moved > 0.001 * before.abs().max() → moved >= 0.001 * before.abs().max()
# Movements are never a thousandth of the largest output exactly.
