"""Wrong answers about looking ahead by name: how one changes, measures and cleans up."""

import torch

from grader.course_source.catalogue import mistake

LEAKS = "07.leaks"


@mistake(
    LEAKS, "exact_equality", stage="values",
    diagnosis="Outputs are compared exactly, so rounding counts as a leak.",
    next_step="Allow one part in a thousand of the largest output.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    generator = torch.Generator().manual_seed(0)
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn(other[:, t:].shape, generator=generator, dtype=x.dtype) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 0)
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "fixed_small_number", stage="values",
    diagnosis="The limit is a fixed small number: rounding in large outputs exceeds it.",
    next_step="Make it relative: 1e-3 times the largest output.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    generator = torch.Generator().manual_seed(0)
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn(other[:, t:].shape, generator=generator, dtype=x.dtype) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-6)
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "fixed_thousandth", stage="values",
    diagnosis="The limit does not depend on the size of the outputs: leaks in small ones stay below it.",
    next_step="Make it relative: 1e-3 times the largest output.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    generator = torch.Generator().manual_seed(0)
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn(other[:, t:].shape, generator=generator, dtype=x.dtype) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3)
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "a_tenth_allowed", stage="values",
    diagnosis="A tenth of the largest output is allowed, so smaller leaks go unseen.",
    next_step="The limit is one part in a thousand.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    generator = torch.Generator().manual_seed(0)
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn(other[:, t:].shape, generator=generator, dtype=x.dtype) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 0.15 * before.abs().max())
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "allclose_as_it_stands", stage="values",
    diagnosis="Each number is compared relative to itself, which is too strict near 0.",
    next_step="The measure is the largest output: a thousandth of that.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    generator = torch.Generator().manual_seed(0)
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn(other[:, t:].shape, generator=generator, dtype=x.dtype) * x.abs().mean()
            found = found or not torch.allclose(model(other)[:, :t], before[:, :t])
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "noise_of_a_fixed_size", stage="values",
    diagnosis="Noise of size 1 is added whatever the size of the input: for large inputs that is nothing.",
    next_step="Scale the noise by the size of x, or replace the positions.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] += 0.3 * torch.randn_like(other[:, t:])
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "order_of_the_future_changed", stage="values",
    diagnosis="The later positions are only permuted, which does not change the output of a model that takes their mean.",
    next_step="Replace them by noise.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = other[:, t:].flip(1)
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "signs_turned", stage="values",
    diagnosis="The later positions only change sign, which a model that squares them does not notice.",
    next_step="Replace them by noise.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = -other[:, t:]
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "constant_added", stage="values",
    diagnosis="A constant is added to all numbers of a position, which a model that normalises them does not notice.",
    next_step="Replace the positions by noise.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] += x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "noise_in_float32", stage="raises",
    diagnosis="The noise is float32, and so is what it is put together with; a float64 model refuses that.",
    next_step="`torch.randn_like` takes the dtype of its argument.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = torch.cat([x[:, :t].float(), torch.randn(x[:, t:].shape) * x.abs().mean().float()], dim=1)
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "dropout_left_on", stage="values",
    diagnosis="Dropout is left on, and two calls differ because of it.",
    next_step="Call model.eval() first.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "changes_the_input", stage=("values", "property"),
    diagnosis="The later positions are replaced in x itself.",
    next_step="Work on `x.clone()`: the next round, and the caller, need x as it was.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x
            other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "needs_two_positions", stage="raises",
    diagnosis="With a single position there is nothing to compare, and the maximum of nothing raises.",
    next_step="Return False where there is no later position.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, max(x.shape[1], 2)):
            other = x.clone()
            other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean()
            moved = (model(other) - before)[:, : min(t, x.shape[1] - 1)].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "stays_in_evaluation", stage="property",
    diagnosis="The model stays in evaluation mode: whoever trains it on has lost the dropout.",
    next_step="Put the modes back at the end.",
)
def leaks(model, x):
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    return found


@mistake(
    LEAKS, "always_back_to_training", stage="property",
    diagnosis="Afterwards the model is in training mode, even if it was not before.",
    next_step="Note the modes first, and put back those.",
)
def leaks(model, x):
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    model.train()
    return found


@mistake(
    LEAKS, "modes_of_the_parts_lost", stage="property",
    diagnosis="The model's own mode is put back, and all its parts get the same one; a frozen part is not frozen any more.",
    next_step="Note `module.training` for each module in model.modules().",
)
def leaks(model, x):
    training = model.training
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    model.train(training)
    return found


@mistake(
    LEAKS, "top_mode_only", stage="property",
    diagnosis="Only the model's own flag is put back; its parts stay in evaluation mode.",
    next_step="Put back the mode of each module in model.modules().",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    model.training = modes[0][1]
    return found


@mistake(
    LEAKS, "early_return", stage="property",
    diagnosis="Where a leak is found, the function returns before the modes are put back.",
    next_step="Put them back in a `finally`, or return at the end only.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            if moved > 1e-3 * before.abs().max():
                return True
    for module, training in modes:
        module.training = training
    return found


@mistake(
    LEAKS, "number_instead_of_bool", stage="type",
    diagnosis="The movement itself is returned; asked for is a bool.",
    next_step="Return `bool(...)` of the comparison.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    generator = torch.Generator().manual_seed(0)
    found = 0.0
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn(other[:, t:].shape, generator=generator, dtype=x.dtype) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = max(found, float(moved / before.abs().max()))
    for module, training in modes:
        module.training = training
    return found
