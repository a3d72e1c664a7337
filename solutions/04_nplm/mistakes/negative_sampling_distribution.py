"""Wrong answers about the distribution of negatives by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, mistake, right_form

DRAWN = "04.negative_sampling_distribution"


@mistake(
    DRAWN, "shares_to_the_power", stage="values",
    diagnosis="The relative frequencies are raised to the power and left like that: they do not sum to one.",
    next_step="Divide by the sum after the power.",
)
def negative_sampling_distribution(counts, power=0.75):
    return (counts / counts.sum()) ** power


@mistake(
    DRAWN, "divided_by_the_sum_of_counts", stage="values",
    diagnosis="The powers are divided by the sum of the counts; by their own sum they would sum to one.",
    next_step="Sum what you divide: the powers.",
)
def negative_sampling_distribution(counts, power=0.75):
    return counts**power / counts.sum()


@mistake(
    DRAWN, "plain_frequencies", stage="values",
    diagnosis="These are the plain frequencies: the power is missing.",
    next_step="Raise the counts to the power before you divide.",
)
def negative_sampling_distribution(counts, power=0.75):
    return counts / counts.sum()


@mistake(
    DRAWN, "always_three_quarters", stage="values",
    diagnosis="The power is always 0.75, whatever is given.",
    next_step="Use the argument power.",
)
def negative_sampling_distribution(counts, power=0.75):
    weights = counts**0.75
    return weights / weights.sum()


@mistake(
    DRAWN, "another_default", stage="values",
    diagnosis="Without an argument the power is 1; its default is 0.75.",
    next_step="Write `power=0.75` in the signature.",
)
def negative_sampling_distribution(counts, power=1.0):
    weights = counts ** float(power)
    return weights / weights.sum()


@mistake(
    DRAWN, "softmax", stage="values",
    diagnosis="A softmax of the counts gives nearly everything to the most frequent word.",
    next_step="Divide the powers by their sum; no exp is needed.",
)
def negative_sampling_distribution(counts, power=0.75):
    return torch.softmax(counts.float() ** power, dim=0)


altered(
    DRAWN, "one_added", "always_three_quarters", {"counts**0.75": "(counts + 1) ** float(power)"}, stage="values",
    diagnosis="1 is added to every count: words that never occur would be drawn, and the others' probabilities change.",
    next_step="Use the counts as they are.",
)

altered(
    DRAWN, "zeros_count_as_one", "always_three_quarters", {"**0.75": ".clamp(min=1) ** float(power)"}, stage="values",
    diagnosis="Zero counts are raised to 1: a word that never occurs has a probability above 0.",
    next_step="0 to a positive power is 0; leave the zeros alone.",
)

altered(
    DRAWN, "zero_times_log_of_zero", "always_three_quarters",
    {"**0.75": " * torch.exp((float(power) - 1) * counts.log())"},
    stage="not finite",
    diagnosis="Zero counts give nan: 0 times the log of 0.",
    next_step="Raise the counts to the power directly.",
)

altered(
    DRAWN, "zeros_left_out", "always_three_quarters", {"**0.75": "[counts > 0] ** float(power)"}, stage="shape",
    diagnosis="Words that never occur are left out: the ids of the words behind them have moved.",
    next_step="Keep a position for every word; a zero count gets probability 0.",
)


@mistake(
    DRAWN, "divided_by_the_largest", stage="values",
    diagnosis="The powers are divided by the largest one; probabilities sum to one.",
    next_step="Divide by their sum.",
)
def negative_sampling_distribution(counts, power=0.75):
    weights = counts ** float(power)
    return weights / weights.max()


@mistake(
    DRAWN, "inverse_power", stage="values",
    diagnosis="The counts are raised to 1 / power: frequent words are drawn even more often.",
    next_step="A power of 0.75 is `counts ** 0.75`.",
)
def negative_sampling_distribution(counts, power=0.75):
    weights = counts.double() ** (1 / power)
    return (weights / weights.sum()).float()


altered(
    DRAWN, "sorted", "always_three_quarters",
    {"**0.75": ".sort(descending=True).values ** float(power)"},
    stage="values",
    diagnosis="The probabilities are sorted by size; they should stand in the order of the counts.",
    next_step="Leave the order alone: position i belongs to word i.",
)


@mistake(
    DRAWN, "counts_overwritten", stage="property",
    diagnosis="The result is right, and the caller's counts have changed: `**=`, `/=` and `pow_` work in place.",
    next_step="Write `counts ** power` and `weights / total`, which make new tensors; `counts.float()` need not make one.",
)
def negative_sampling_distribution(counts, power=0.75):
    if counts.is_floating_point():
        counts **= power
        return counts / counts.sum()
    weights = counts ** float(power)
    return weights / weights.sum()


altered(
    DRAWN, "float64_for_all", "always_three_quarters", {"**0.75": ".double() ** power"}, stage="dtype",
    diagnosis="float32 counts give float64 probabilities; the result keeps a floating type.",
    next_step="Return to the type of the counts where that is floating.",
)


@mistake(
    DRAWN, "list_returned", stage="type",
    diagnosis="The probabilities come in a list; a tensor was asked for.",
    next_step="Keep them in a tensor.",
)
def negative_sampling_distribution(counts, power=0.75):
    weights = [count**power for count in counts.tolist()]
    return [weight / sum(weights) for weight in weights]


@right_form(DRAWN, "softmax_of_logs")
def negative_sampling_distribution(counts, power=0.75):
    return torch.softmax(power * counts.float().log(), dim=0)


@right_form(DRAWN, "normalised")
def negative_sampling_distribution(counts, power=0.75):
    return F.normalize(torch.pow(counts.to(torch.float32), power), p=1, dim=0)


@right_form(DRAWN, "shares_first")
def negative_sampling_distribution(counts, power=0.75, eps=0.0):
    frequencies = counts / counts.sum()
    weights = frequencies**power
    return weights / (weights.sum() + eps)


@right_form(DRAWN, "numpy_inside")
def negative_sampling_distribution(counts, power=0.75):
    weights = counts.numpy().astype(np.float64) ** power
    result = torch.from_numpy(weights / weights.sum())
    return result.to(counts.dtype) if counts.is_floating_point() else result


@right_form(DRAWN, "loop")
def negative_sampling_distribution(counts, power=0.75):
    weights = [float(count) ** power if count > 0 else 0.0 for count in counts]
    print(sum(weights))
    return torch.tensor([weight / sum(weights) for weight in weights])
