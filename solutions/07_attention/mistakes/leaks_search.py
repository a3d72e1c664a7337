"""Wrong answers about looking ahead by name: where one looks."""

import torch

from grader.course_source.catalogue import altered, base, mistake

LEAKS = "07.leaks"


@base("plain")
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


altered(
    LEAKS, "always_true", "plain", {"return found": "return True"}, stage="values",
    diagnosis="Every model is said to leak.",
    next_step="Compare outputs before and after a change of later positions.",
)

altered(
    LEAKS, "always_false", "plain", {"return found": "return False"}, stage="values",
    diagnosis="No model is ever said to leak: nothing is compared, or the change is too small, or it is made in another "
    "row.",
    next_step="Compare outputs before and after a change of later positions.",
)

altered(
    LEAKS, "only_the_last_position_changed", "plain",
    {"for t in range(1, x.shape[1": "for t in range(max(x.shape[1] - 1, 1), x.shape[1"},
    stage="values",
    diagnosis="Only the last position is changed, so a leak from any other one goes unseen.",
    next_step="Try every position t: change all positions from t on.",
)

altered(
    LEAKS, "only_the_first_output_watched", "plain", {"x.shape[1]": "min(2, x.shape[1])"}, stage="values",
    diagnosis="Only the first output is watched, so a leak into any other one goes unseen.",
    next_step="Try every position t, and watch all outputs before it.",
)

altered(
    LEAKS, "only_the_middle", "plain",
    {"1, x.shape[1]": "max(x.shape[1] // 2, 1), max(x.shape[1] // 2, 1) + (x.shape[1] > 1)"},
    stage="values",
    diagnosis="There is only one cut, in the middle: leaks inside either half go unseen.",
    next_step="Try every position t.",
)

altered(
    LEAKS, "last_position_forgotten", "plain", {"(1, x.shape[1]):": "(1, x.shape[1] - 1):"}, stage="values",
    diagnosis="The last position is never changed by itself, so a leak from it to its neighbour goes unseen.",
    next_step="t runs up to T - 1, that is range(1, T).",
)

altered(
    LEAKS, "first_position_forgotten", "plain",
    {"for t in range(1, x.shape[1": "for t in range(2, x.shape[1"},
    stage="values",
    diagnosis="The first output is never watched by itself: t should begin at 1.",
    next_step="Use range(1, T).",
)

altered(
    LEAKS, "columns_counted", "plain", {"shape[1]": "shape[-1]"}, stage="values",
    diagnosis="t runs over as many positions as there are columns: with fewer columns than positions the last ones go untried.",
    next_step="x is (B, T, d): take T from x.shape[1].",
)

altered(
    LEAKS, "own_position_watched", "plain", {"[:, :t].abs()": "[:, : t + 1].abs()"}, stage="values",
    diagnosis="The output at the changed position is watched as well, and of course it moves.",
    next_step="Watch `[:, :t]` when the positions from t on are changed.",
)


@mistake(
    LEAKS, "past_changed", stage="values",
    diagnosis="The past is changed and the future watched; that is what a model is for.",
    next_step="Change `[:, t:]` and watch `[:, :t]`.",
)
def leaks(model, x):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, :t] = torch.randn_like(other[:, :t]) * x.abs().mean()
            moved = (model(other) - before)[:, t:].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    for module, training in modes:
        module.training = training
    return found


altered(
    LEAKS, "one_row_only", "plain", {"other) - before)[:, :t].abs": "other) - before)[0, :t].abs"}, stage="values",
    diagnosis="Only the first row of the batch is changed, or watched.",
    next_step="Change `[:, t:]` in all rows, and take the largest movement over the whole batch.",
)

altered(
    LEAKS, "last_row_only", "plain", {"other) - before)[:, :t].abs": "other) - before)[-1, :t].abs"}, stage="values",
    diagnosis="Only the last row of the batch is watched.",
    next_step="Take the largest movement over the whole batch.",
)

altered(
    LEAKS, "mean_of_the_movement", "plain", {"[:, :t].abs().max()": "[:, :t].abs().mean()"}, stage="values",
    diagnosis="The movement is averaged: a leak at a few outputs is lost among all that do not move.",
    next_step="Take the largest movement.",
)


@mistake(
    LEAKS, "modes_of_the_children", stage="property",
    diagnosis="The modes of the model and its direct parts are put back; parts of parts get the mode of the part.",
    next_step="model.modules() walks through all of them; set `module.training` of each.",
)
def leaks(model, x):
    mode = model.training
    modes = [(module, module.training) for module in model.children()]
    model.eval()
    found = False
    with torch.no_grad():
        before = model(x)
        for t in range(1, x.shape[1]):
            other = x.clone()
            other[:, t:] = torch.randn_like(other[:, t:]) * x.abs().mean()
            moved = (model(other) - before)[:, :t].abs().max()
            found = found or bool(moved > 1e-3 * before.abs().max())
    model.training = mode
    for module, training in modes:
        module.train(training)
    return found
