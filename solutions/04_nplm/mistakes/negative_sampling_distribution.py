# exercise 04.negative_sampling_distribution
import numpy as np
import torch
import torch.nn.functional as F


# mistake shares_to_the_power (values)
# The relative frequencies are raised to the power and left like that: they do not sum to one.
# Next: Divide by the sum after the power.
def negative_sampling_distribution(counts, power=0.75):
    return (counts / counts.sum()) ** power


# mistake divided_by_the_sum_of_counts (values), from shares_to_the_power
# The powers are divided by the sum of the counts; by their own sum they would sum to one.
# Next: Add up the powers, and divide the powers by this sum.
#   (counts / counts.sum()) ** power => counts**power / counts.sum()

# mistake plain_frequencies (values), from shares_to_the_power
# These are the plain frequencies: the power is missing.
# Next: Raise the counts to the power before you divide.
#   (counts / counts.sum()) ** power => counts / counts.sum()


# mistake always_three_quarters (values)
# The power is always 0.75, whatever is given.
# Next: Use the argument power.
def negative_sampling_distribution(counts, power=0.75):
    weights = counts**0.75
    return weights / weights.sum()


# mistake another_default (values), from always_three_quarters
# Without an argument the power is 1; its default is 0.75.
# Next: Write `power=0.75` in the signature.
#   power=0.75 => power=1.0
#   counts**0.75 => counts ** float(power)

# mistake softmax (values), from shares_to_the_power
# A softmax of the counts gives nearly everything to the most frequent word.
# Next: Divide the powers by their sum; no exp is needed.
#   (counts / counts.sum()) ** power => torch.softmax(counts.float() ** power, dim=0)

# mistake one_added (values), from always_three_quarters
# 1 is added to every count: words that never occur would be drawn, and the others' probabilities change.
# Next: Use the counts as they are.
#   counts**0.75 => (counts + 1) ** float(power)

# mistake zeros_count_as_one (values), from always_three_quarters
# Zero counts are raised to 1: a word that never occurs has a probability above 0.
# Next: 0 to a positive power is 0; leave the zeros alone.
#   counts**0.75 => counts.clamp(min=1) ** float(power)

# mistake zero_times_log_of_zero (not finite), from always_three_quarters
# Zero counts give nan: 0 times the log of 0.
# Next: Raise the counts to the power directly.
#   counts**0.75 => counts * torch.exp((float(power) - 1) * counts.log())

# mistake zeros_left_out (shape), from always_three_quarters
# Words that never occur are left out: the ids of the words behind them have moved.
# Next: Keep a position for every word; a zero count gets probability 0.
#   counts**0.75 => counts[counts > 0] ** float(power)

# mistake divided_by_the_largest (values), from always_three_quarters
# The powers are divided by the largest one; probabilities sum to one.
# Next: Divide by their sum.
#   counts**0.75 => counts ** float(power)
#   weights.sum => weights.max

# mistake inverse_power (values), from always_three_quarters
# The counts are raised to 1 / power: frequent words are drawn even more often.
# Next: A power of 0.75 is `counts ** 0.75`.
#   counts**0.75 => counts.double() ** (1 / power)
#   weights / weights.sum() => (weights / weights.sum()).float()

# mistake sorted (values), from always_three_quarters
# The probabilities are sorted by size; they should stand in the order of the counts.
# Next: Leave the order alone: position i belongs to word i.
#   counts**0.75 => counts.sort(descending=True).values ** float(power)


# mistake counts_overwritten (property)
# The result is right, and the caller's counts have changed: `**=`, `/=` and `pow_` work in place.
# Next: Write `counts ** power` and `weights / total`, which make new tensors; `counts.float()` need not make one.
def negative_sampling_distribution(counts, power=0.75):
    if counts.is_floating_point():
        counts **= power
        return counts / counts.sum()
    weights = counts ** float(power)
    return weights / weights.sum()


# mistake float64_for_all (dtype), from always_three_quarters
# float32 counts give float64 probabilities; the result keeps a floating type.
# Next: Return to the type of the counts where that is floating.
#   counts**0.75 => counts.double() ** power

# mistake list_returned (type), from always_three_quarters
# The probabilities come in a list; a tensor was asked for.
# Next: Keep them in a tensor.
#   counts**0.75 => [count**power for count in counts.tolist()]
#   weights / weights.sum() => [weight / sum(weights) for weight in weights]


# right form softmax_of_logs
def negative_sampling_distribution(counts, power=0.75):
    return torch.softmax(power * counts.float().log(), dim=0)


# right form normalised
def negative_sampling_distribution(counts, power=0.75):
    return F.normalize(torch.pow(counts.to(torch.float32), power), p=1, dim=0)


# right form shares_first
def negative_sampling_distribution(counts, power=0.75, eps=0.0):
    frequencies = counts / counts.sum()
    weights = frequencies**power
    return weights / (weights.sum() + eps)


# right form numpy_inside
def negative_sampling_distribution(counts, power=0.75):
    weights = counts.numpy().astype(np.float64) ** power
    result = torch.from_numpy(weights / weights.sum())
    return result.to(counts.dtype) if counts.is_floating_point() else result


# right form loop
def negative_sampling_distribution(counts, power=0.75):
    weights = [float(count) ** power if count > 0 else 0.0 for count in counts]
    print(sum(weights))
    return torch.tensor([weight / sum(weights) for weight in weights])
