# exercise 04.best_mixture
import math

import numpy as np
import torch


# base plain
def best_mixture(p_model, p_count, grid):
    losses = [-(w * p_model + (1 - w) * p_count).log().mean().item() for w in grid]
    return float(grid[losses.index(min(losses))])


# mistake weights_exchanged (values), from plain
# The weight is given to the counts; it belongs to the model.
# Next: The mixture is `w * p_model + (1 - w) * p_count`.
#   (w * p_model + (1 - w) * p_count).log() => torch.log((1 - w) * p_model + w * p_count)


# mistake mean_probability (values)
# The weight with the largest mean probability is taken; the loss is a mean of logarithms.
# Next: Take the log of each word's probability before the mean.
def best_mixture(p_model, p_count, grid):
    return float(max(grid, key=lambda w: (w * p_model + (1 - w) * p_count).mean()))


# mistake product_of_probabilities (values)
# The probabilities are multiplied: over thousands of words the product is 0 for every weight.
# Next: Add logarithms instead.
def best_mixture(p_model, p_count, grid):
    return float(max(grid, key=lambda w: (w * p_model.double() + (1 - w) * p_count.double()).prod()))


# mistake a_zero_costs_little (values), from plain
# With the weight returned some word has probability 0, which costs infinity; another weight costs less.
# Next: Compute the loss of each weight of the grid over all words: the log of 0 is -inf, and rules that weight out.
#   w * p_model + (1 - w) * p_count => w * p_model + (1 - w) * p_count + 1e-12


# base loop
def best_mixture(p_model, p_count, grid):
    best, least = float(grid[0]), math.inf
    for w in grid:
        loss = -(w * p_model + (1 - w) * p_count).log().mean().item()
        if loss < least:
            best, least = float(w), loss
    return best


# mistake log_of_zero_raises (raises), from loop
# `math.log(0)` raises; a probability of 0 should cost infinity.
# Next: Use `torch.log`, which gives -inf, or treat 0 by itself.
#   float(grid[0]) => None
#   -        loss = -(w * p_model + (1 - w) * p_count).log().mean().item()
#   +        loss = -sum(math.log(w * p + (1 - w) * q) for p, q in zip(p_model.tolist(), p_count.tolist()))

# mistake worst_weight (values), from plain
# The weight with the largest loss is returned.
# Next: Mind the sign: the loss is minus the mean log, and the least one wins.
#   -(w * p_model + (1 - w) * p_count).log().mean().item() => (w * p_model + (1 - w) * p_count).log().mean().item()


# mistake place_in_the_grid (values, type)
# This is the weight's index in the grid, but the exercise asks for the weight.
# Next: Return `grid[index]`.
def best_mixture(p_model, p_count, grid):
    losses = torch.tensor([-(w * p_model + (1 - w) * p_count).log().mean() for w in grid])
    return int(losses.argmin())


# mistake the_loss (values)
# This is the least loss, but the exercise asks for the weight that has it.
# Next: Keep each loss together with its weight.
def best_mixture(p_model, p_count, grid):
    return min(-(w * p_model + (1 - w) * p_count).log().mean().item() for w in grid)


# mistake stops_at_the_first_rise (values), from loop
# The search ends as soon as the loss rises, which only works on a grid in rising order.
# Next: Compute the loss of every weight, then take the least.
#   loss < least => loss > least
#   -            best, least = float(w), loss
#   +            break
#   +        best, least = float(w), loss

# mistake losses_mixed (values, not finite, type), from plain
# The logarithms are mixed instead of the probabilities: then one end of the grid is always best.
# Next: Mix the probabilities first, take the log of the mixture.
#   (w * p_model + (1 - w) * p_count).log().mean => (w * p_model.log() + (1 - w) * p_count.log()).mean


# mistake between_the_grid (values)
# The weight is none of the grid's: the search goes on between its ends.
# Next: Return one of the values of grid.
def best_mixture(p_model, p_count, grid):
    low, high = float(min(grid)), float(max(grid))

    def loss(w):
        return -(w * p_model + (1 - w) * p_count).double().log().sum().item()

    for _ in range(40):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if loss(left) < loss(right):
            high = right
        else:
            low = left
    return (low + high) / 2


# mistake words_won (values)
# The weight is the fraction of words that the model predicts better, rounded to the grid; how much better is not asked.
# Next: Compute the mean loss of the mixture for each weight.
def best_mixture(p_model, p_count, grid):
    share = (p_model > p_count).double().mean().item()
    return min((float(w) for w in grid), key=lambda w: abs(w - share))


# mistake grid_of_its_own (values)
# The weights tried are tenths, whatever grid is given.
# Next: Go through the argument grid.
def best_mixture(p_model, p_count, grid):
    return min((step / 10 for step in range(11)), key=lambda w: -(w * p_model + (1 - w) * p_count).log().mean().item())


# mistake lists_only (raises), from plain
# The grid is treated as a list; it may be a tensor too.
# Next: Turn it into floats first: `[float(w) for w in grid]`.
#   float(grid[losses.index(min(losses))]) => grid.copy()[losses.index(min(losses))]

# mistake the_grid_is_sorted (property), from plain
# The answer is right, and the caller's grid is sorted afterwards: `list.sort()` works in place.
# Next: No order is needed; or take `sorted(grid)`, which makes a new list.
#    def best_mixture(p_model, p_count, grid):
#   +    if isinstance(grid, list):
#   +        grid.sort()

# mistake last_word_left_out (values), from plain
# The last word is never looked at.
# Next: Take the mean over all words: no `[:-1]`.
#    def best_mixture(p_model, p_count, grid):
#   +    p_model, p_count = p_model[:-1], p_count[:-1]

# mistake begins_with_the_counts_alone (values), from loop
# The search begins with weight 0, which wins although it does not stand in the grid.
# Next: Begin with an infinite loss and no weight.
#   float(grid[0]), math.inf => 0.0, -torch.log(p_count).mean().item()
#   (w * p_model + (1 - w) * p_count).log() => torch.log(float(w) * p_model + (1 - float(w)) * p_count)


# mistake impossible_words_left_out (values)
# Words to which one of the two gives probability 0 are left out; they cost the other weights something, too, and infinity at
# one end.
# Next: Take all words: where the mixture is 0 the log is -inf, and that weight is out.
def best_mixture(p_model, p_count, grid):
    known = (p_model > 0) & (p_count > 0)
    p, q = p_model[known], p_count[known]
    losses = [-(w * p + (1 - w) * q).log().mean().item() for w in grid]
    return float(grid[losses.index(min(losses))])


# mistake one_number_in_a_row (shape)
# The result has the shape (1,); a single number has no axis.
# Next: The weights are a column, so a row of it is still a tensor with an axis: return `[0]` of it.
def best_mixture(p_model, p_count, grid):
    weights = torch.as_tensor(grid, dtype=p_model.dtype)[:, None]  # (G, 1)
    losses = -torch.log(weights * p_model + (1 - weights) * p_count).mean(dim=1)
    return weights[losses.argmin()]


# right form all_at_once
def best_mixture(p_model, p_count, grid):
    weights = torch.as_tensor(grid, dtype=p_model.dtype)[:, None]  # (G, 1)
    losses = -torch.log(weights * p_model + (1 - weights) * p_count).mean(dim=1)
    return weights[losses.argmin(), 0]


# right form numpy_and_log2
def best_mixture(p_model, p_count, grid):
    p, q = p_model.numpy().astype(np.float64), p_count.numpy().astype(np.float64)
    with np.errstate(divide="ignore"):
        bits = [np.log2(float(w) * p + (1 - float(w)) * q).sum() for w in grid]
    return float(np.asarray(grid)[np.argmax(bits)])


# right form log_space
def best_mixture(p_model, p_count, grid):
    def loss(w):
        w = torch.as_tensor(w, dtype=torch.float64)
        mixture = torch.logaddexp(w.log() + p_model.double().log(), (1 - w).log() + p_count.double().log())
        return -mixture.mean()

    return float(min(grid, key=loss))


# right form loops_and_infinity
def best_mixture(p_model, p_count, grid, verbose=False):
    best = None
    for w in grid:
        w, loss = float(w), 0.0
        for p, q in zip(p_model.tolist(), p_count.tolist()):
            mixed = w * p + (1 - w) * q
            loss += -math.log(mixed) if mixed > 0 else math.inf
        if best is None or loss < best[0]:
            best = (loss, w)
    print(best)
    return best[1]


# right form lerp_and_item
def best_mixture(p_model, p_count, grid):
    pairs = [(torch.lerp(p_count, p_model, float(w)).log().sum().item(), float(w)) for w in grid]
    return max(pairs)[1]


# right form entries_of_the_grid_compared
def best_mixture(p_model, p_count, grid):
    return min(grid, key=lambda w: -(float(w) * p_model.double() + (1 - float(w)) * p_count.double()).log2().sum())
