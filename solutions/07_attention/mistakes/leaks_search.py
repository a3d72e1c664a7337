# exercise 07.leaks
"""Wrong answers about looking ahead by name: where one looks."""

import torch


# base plain
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


# mistake always_true (values), from plain
# Every model is said to leak.
# Next: Compare outputs before and after a change of later positions.
#   return found => return True

# mistake always_false (values), from plain
# No model is ever said to leak: nothing is compared, or the change is too small, or it is made in another row.
# Next: Compare outputs before and after a change of later positions.
#   return found => return False

# mistake only_the_last_position_changed (values), from plain
# Only the last position is changed, so a leak from any other one goes unseen.
# Next: Try every position t: change all positions from t on.
#   1, x.shape[1] => max(x.shape[1] - 1, 1), x.shape[1]

# mistake only_the_first_output_watched (values), from plain
# Only the first output is watched, so a leak into any other one goes unseen.
# Next: Try every position t, and watch all outputs before it.
#   x.shape[1] => min(2, x.shape[1])

# mistake only_the_middle (values), from plain
# There is only one cut, in the middle: leaks inside either half go unseen.
# Next: Try every position t.
#   1, x.shape[1] => max(x.shape[1] // 2, 1), max(x.shape[1] // 2, 1) + (x.shape[1] > 1)

# mistake last_position_forgotten (values), from plain
# The last position is never changed by itself, so a leak from it to its neighbour goes unseen.
# Next: t runs up to T - 1, that is range(1, T).
#   x.shape[1] => x.shape[1] - 1

# mistake first_position_forgotten (values), from plain
# The first output is never watched by itself: t should begin at 1.
# Next: Use range(1, T).
#   1, x.shape[1] => 2, x.shape[1]

# mistake columns_counted (values), from plain
# t runs over as many positions as there are columns: with fewer columns than positions the last ones go untried.
# Next: x is (B, T, d): take T from x.shape[1].
#   x.shape[1] => x.shape[-1]

# mistake own_position_watched (values), from plain
# The output at the changed position is watched as well, and of course it moves.
# Next: Watch `[:, :t]` when the positions from t on are changed.
#   :, :t => :, : t + 1

# mistake past_changed (values), from plain
# The past is changed and the future watched; that is what a model is for.
# Next: Change `[:, t:]` and watch `[:, :t]`.
#   t:] = torch.randn_like(other[:, t: => :t] = torch.randn_like(other[:, :t
#   :, :t => :, t:

# mistake one_row_only (values), from plain
# Only the first row of the batch is changed, or watched.
# Next: Change `[:, t:]` in all rows, and take the largest movement over the whole batch.
#   :, :t => 0, :t

# mistake last_row_only (values), from plain
# Only the last row of the batch is watched.
# Next: Take the largest movement over the whole batch.
#   :, :t => -1, :t

# mistake mean_of_the_movement (values), from plain
# The movement is averaged: a leak at a few outputs is lost among all that do not move.
# Next: Take the largest movement.
#   (model(other) - before)[:, :t].abs().max => (model(other) - before)[:, :t].abs().mean

# mistake modes_of_the_children (property), from plain
# The modes of the model and its direct parts are put back; parts of parts get the mode of the part.
# Next: model.modules() walks through all of them; set `module.training` of each.
#   -    modes = [(module, module.training) for module in model.modules()]
#   +    mode = model.training
#   +    modes = [(module, module.training) for module in model.children()]
#                found = found or bool(moved > 1e-3 * before.abs().max())
#   +    model.training = mode
#   module.training = training => module.train(training)
