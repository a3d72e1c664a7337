# exercise 07.leaks
import torch


# base plain
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
            found = found or bool(moved > 1e-3 * before.abs().max())
    for module, training in modes:
        module.training = training
    return found


# mistake exact_equality (values), from plain
# Outputs are compared exactly, so rounding counts as a leak.
# Next: Allow one part in a thousand of the largest output.
#   1e-3 * before.abs().max() => 0

# mistake fixed_small_number (values), from plain
# The limit is a fixed small number: rounding in large outputs exceeds it.
# Next: Make it relative: 1e-3 times the largest output.
#   1e-3 * before.abs().max() => 1e-6

# mistake fixed_thousandth (values), from plain
# The limit does not depend on the size of the outputs: leaks in small ones stay below it.
# Next: Make it relative: 1e-3 times the largest output.
#   1e-3 * before.abs().max() => 1e-3

# mistake a_tenth_allowed (values), from plain
# A tenth of the largest output is allowed, so smaller leaks go unseen.
# Next: The limit is one part in a thousand.
#   1e-3 => 0.15

# mistake allclose_as_it_stands (values), from plain
# Each number is compared relative to itself, which is too strict near 0.
# Next: The measure is the largest output: a thousandth of that.
#   -            moved = (model(other) - before)[:, :t].abs().max()
#   -            found = found or bool(moved > 1e-3 * before.abs().max())
#   +            found = found or not torch.allclose(model(other)[:, :t], before[:, :t])


# base loop
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
    for module, training in modes:
        module.training = training
    return found


# mistake noise_of_a_fixed_size (values), from loop
# Noise of size 1 is added whatever the size of the input: for large inputs that is nothing.
# Next: Scale the noise by the size of x, or replace the positions.
#   other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean() => other[:, t:] += 0.3 * torch.randn_like(other[:, t:])

# mistake order_of_the_future_changed (values), from loop
# The later positions are only permuted, which does not change the output of a model that takes their mean.
# Next: Replace them by noise.
#   torch.randn_like(other[:, t:]) * x.abs().mean() => other[:, t:].flip(1)

# mistake signs_turned (values), from loop
# The later positions only change sign, which a model that squares them does not notice.
# Next: Replace them by noise.
#   torch.randn_like(other[:, t:]) * x.abs().mean() => -other[:, t:]

# mistake constant_added (values), from loop
# A constant is added to all numbers of a position, which a model that normalises them does not notice.
# Next: Replace the positions by noise.
#   other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean() => other[:, t:] += x.abs().mean()

# mistake noise_in_float32 (raises), from loop
# The noise is float32, and so is what it is put together with; a float64 model refuses that.
# Next: `torch.randn_like` takes the dtype of its argument.
#   -            other = x.clone()
#   -            other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean()
#   +            other = torch.cat([x[:, :t].float(), torch.randn(x[:, t:].shape) * x.abs().mean().float()], dim=1)

# mistake dropout_left_on (values), from loop
# Dropout is left on, and two calls differ because of it.
# Next: Call model.eval() first.
#   -    model.eval()

# mistake changes_the_input (values, property), from loop
# The later positions are replaced in x itself.
# Next: Work on `x.clone()`: the next round, and the caller, need x as it was.
#   x.clone() => x

# mistake needs_two_positions (raises), from loop
# With a single position there is nothing to compare, and the maximum of nothing raises.
# Next: Return False where there is no later position.
#   x.shape[1] => max(x.shape[1], 2)
#   :, :t => :, : min(t, x.shape[1] - 1)


# mistake stays_in_evaluation (property)
# The model stays in evaluation mode: in further training it has no dropout.
# Next: Put the modes back at the end.
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


# mistake always_back_to_training (property), from stays_in_evaluation
# Afterwards the model is in training mode, even if it was not before.
# Next: Note the modes first, and put back those.
#                found = found or bool(moved > 1e-3 * before.abs().max())
#   +    model.train()

# mistake modes_of_the_parts_lost (property), from loop
# The model's own mode is put back, and all its parts get the same one; a frozen part is not frozen any more.
# Next: Note `module.training` for each module in model.modules().
#   modes = [(module, module.training) for module in model.modules()] => training = model.training
#   -    for module, training in modes:
#   -        module.training = training
#   +    model.train(training)

# mistake top_mode_only (property), from loop
# Only the model's own flag is put back; its parts stay in evaluation mode.
# Next: Put back the mode of each module in model.modules().
#   -    for module, training in modes:
#   -        module.training = training
#   +    model.training = modes[0][1]

# mistake early_return (property), from loop
# Where a leak is found, the function returns before the modes are put back.
# Next: Put them back in a `finally`, or return at the end only.
#   -            found = found or bool(moved > 1e-3 * before.abs().max())
#   +            if moved > 1e-3 * before.abs().max():
#   +                return True

# mistake number_instead_of_bool (type), from plain
# The movement itself is returned, but the exercise asks for a bool.
# Next: Return `bool(...)` of the comparison.
#   found = False => found = 0.0
#   found or bool(moved > 1e-3 * before.abs().max()) => max(found, float(moved / before.abs().max()))

# mistake always_true (values), from loop
# Every model is said to leak.
# Next: Compare outputs before and after a change of later positions.
#   return found => return True

# mistake always_false (values), from loop
# No model is ever said to leak: nothing is compared, or the change is too small, or it is made in another row.
# Next: Compare outputs before and after a change of later positions.
#   return found => return False

# mistake only_the_last_position_changed (values), from loop
# Only the last position is changed, so a leak from any other one goes unseen.
# Next: Try every position t: change all positions from t on.
#   1, x.shape[1] => max(x.shape[1] - 1, 1), x.shape[1]

# mistake only_the_first_output_watched (values), from loop
# Only the first output is watched, so a leak into any other one goes unseen.
# Next: Try every position t, and watch all outputs before it.
#   x.shape[1] => min(2, x.shape[1])

# mistake only_the_middle (values), from loop
# There is only one cut, in the middle: leaks inside either half go unseen.
# Next: Try every position t.
#   1, x.shape[1] => max(x.shape[1] // 2, 1), max(x.shape[1] // 2, 1) + (x.shape[1] > 1)

# mistake last_position_forgotten (values), from loop
# The last position is never changed by itself, so a leak from it to its neighbour goes unseen.
# Next: t runs up to T - 1, that is range(1, T).
#   x.shape[1] => x.shape[1] - 1

# mistake first_position_forgotten (values), from loop
# The first output is never watched by itself: t should begin at 1.
# Next: Use range(1, T).
#   1, x.shape[1] => 2, x.shape[1]

# mistake columns_counted (values), from loop
# t runs over as many positions as there are columns: with fewer columns than positions the last ones go untried.
# Next: x is (B, T, d): take T from x.shape[1].
#   x.shape[1] => x.shape[-1]

# mistake own_position_watched (values), from loop
# The output at the changed position is watched as well, and of course it moves.
# Next: Watch `[:, :t]` when the positions from t on are changed.
#   :, :t => :, : t + 1

# mistake past_changed (values), from loop
# The past is changed and the future watched; that is what a model is for.
# Next: Change `[:, t:]` and watch `[:, :t]`.
#   t:] = torch.randn_like(other[:, t: => :t] = torch.randn_like(other[:, :t
#   :, :t => :, t:

# mistake one_row_only (values), from loop
# Only the first row of the batch is changed, or watched.
# Next: Change `[:, t:]` in all rows, and take the largest movement over the whole batch.
#   :, :t => 0, :t

# mistake last_row_only (values), from loop
# Only the last row of the batch is watched.
# Next: Take the largest movement over the whole batch.
#   :, :t => -1, :t

# mistake mean_of_the_movement (values), from loop
# The movement is averaged: a leak at a few outputs is lost among all that do not move.
# Next: Take the largest movement.
#   (model(other) - before)[:, :t].abs().max => (model(other) - before)[:, :t].abs().mean

# mistake modes_of_the_children (property), from loop
# The modes of the model and its direct parts are put back; parts of parts get the mode of the part.
# Next: model.modules() walks through all of them; set `module.training` of each.
#   -    modes = [(module, module.training) for module in model.modules()]
#   +    mode = model.training
#   +    modes = [(module, module.training) for module in model.children()]
#                found = found or bool(moved > 1e-3 * before.abs().max())
#   +    model.training = mode
#   module.training = training => module.train(training)
