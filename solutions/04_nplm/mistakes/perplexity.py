"""Wrong answers about perplexity by name, and unusual right ones."""

import math

import numpy as np
import torch

from grader.course_source.catalogue import mistake, right_form

PERPLEXITY = "04.perplexity"


@mistake(
    PERPLEXITY, "mean_of_perplexities", stage="values",
    diagnosis="The perplexities of the batches are averaged: that depends on how the text was cut.",
    next_step="Add up all losses and all tokens first; then one division, one exp.",
)
def perplexity(nll_sums, token_counts):
    values = [math.exp(nll / count) for nll, count in zip(nll_sums, token_counts) if count]
    return sum(values) / len(values)


@mistake(
    PERPLEXITY, "weighted_mean_of_perplexities", stage="values",
    diagnosis="The perplexities of the batches are averaged, if by their tokens: the mean belongs inside the exp.",
    next_step="Average the losses, then take exp once.",
)
def perplexity(nll_sums, token_counts):
    total = sum(count * math.exp(nll / count) for nll, count in zip(nll_sums, token_counts) if count)
    return float(total / sum(token_counts))


@mistake(
    PERPLEXITY, "mean_of_batch_means", stage="values",
    diagnosis="The mean losses of the batches are averaged: a batch of 3 tokens counts as much as one of 64.",
    next_step="Divide the sum of all losses by the number of all tokens.",
)
def perplexity(nll_sums, token_counts):
    means = [nll / count for nll, count in zip(nll_sums, token_counts) if count]
    return math.exp(sum(means) / len(means))


@mistake(
    PERPLEXITY, "divides_by_empty_batches", stage="raises",
    diagnosis="A batch without tokens is divided by 0.",
    next_step="Divide once, the sum of all losses by the number of all tokens.",
)
def perplexity(nll_sums, token_counts):
    total, tokens = 0.0, 0
    for nll, count in zip(nll_sums, token_counts):
        total += float(nll) / int(count) * int(count)
        tokens += int(count)
    return math.exp(total / tokens)


@mistake(
    PERPLEXITY, "divided_by_the_batches", stage="values",
    diagnosis="The sum of losses is divided by the number of batches, not of tokens.",
    next_step="token_counts says how many tokens each batch has.",
)
def perplexity(nll_sums, token_counts):
    mean = float(sum(nll_sums)) / len(nll_sums)
    return math.exp(mean) if mean < 700 else math.inf


@mistake(
    PERPLEXITY, "of_the_sum", stage=("values", "raises"),
    diagnosis="exp is taken of the sum of all losses: the more text, the larger it gets.",
    next_step="Divide by the number of tokens before exp.",
)
def perplexity(nll_sums, token_counts):
    return math.exp(sum(nll_sums))


@mistake(
    PERPLEXITY, "two_to_the_power", stage="values",
    diagnosis="2 is raised to the mean loss; that belongs to losses in bits. These are in nats.",
    next_step="Use exp.",
)
def perplexity(nll_sums, token_counts):
    return float(2 ** (sum(nll_sums) / sum(token_counts)))


@mistake(
    PERPLEXITY, "mean_loss", stage="values",
    diagnosis="This is the mean loss; the perplexity is exp of it.",
    next_step="Take exp at the end.",
)
def perplexity(nll_sums, token_counts):
    return float(sum(nll_sums) / sum(token_counts))


@mistake(
    PERPLEXITY, "sign_flipped", stage="values",
    diagnosis="exp of minus the mean loss: that is the mean probability per token, below 1.",
    next_step="The losses are already negative log-likelihoods: no further minus.",
)
def perplexity(nll_sums, token_counts):
    return math.exp(-sum(nll_sums) / sum(token_counts))


@mistake(
    PERPLEXITY, "empty_batches_count_as_one_token", stage="values",
    diagnosis="An empty batch is counted as one token: `max(count, 1)`.",
    next_step="Leave it out: with one division at the end no empty batch is ever divided by.",
)
def perplexity(nll_sums, token_counts):
    return math.exp(sum(nll_sums) / sum(max(int(count), 1) for count in token_counts))


@mistake(
    PERPLEXITY, "whole_division", stage="values",
    diagnosis="`//` drops the fraction of the mean loss.",
    next_step="Divide with `/`.",
)
def perplexity(nll_sums, token_counts):
    return math.exp(sum(nll_sums) // sum(token_counts))


@mistake(
    PERPLEXITY, "one_more_token", stage="values",
    diagnosis="One token too many is counted, to avoid a division by 0 that cannot happen.",
    next_step="Divide by the number of tokens itself: not all batches are empty.",
)
def perplexity(nll_sums, token_counts):
    return math.exp(sum(nll_sums) / (sum(token_counts) + 1))


@mistake(
    PERPLEXITY, "tensors_only", stage="raises",
    diagnosis="It needs tensors: a list has no method `sum`.",
    next_step="Python's `sum(...)` takes lists and tensors alike.",
)
def perplexity(nll_sums, token_counts):
    return torch.exp(nll_sums.sum() / token_counts.sum()).item()


@mistake(
    PERPLEXITY, "one_for_each_batch", stage="shape",
    diagnosis="There is one perplexity for each batch; asked for is a single number for all of the text.",
    next_step="Sum both arguments before you divide.",
)
def perplexity(nll_sums, token_counts):
    return torch.exp(torch.as_tensor(nll_sums) / torch.as_tensor(token_counts).clamp(min=1))


@mistake(
    PERPLEXITY, "batches_without_loss_skipped", stage="values",
    diagnosis="A batch whose loss is 0 is left out together with its tokens; they were foreseen for certain, and count.",
    next_step="Add up the tokens of all batches.",
)
def perplexity(nll_sums, token_counts):
    total, tokens = 0.0, 0
    for nll, count in zip(nll_sums, token_counts):
        if nll == 0:
            continue
        total += float(nll)
        tokens += int(count)
    return math.exp(total / tokens) if tokens else 1.0


@mistake(
    PERPLEXITY, "rounded", stage="values",
    diagnosis="The perplexity is rounded to a few digits; those who compare two models need the others, too.",
    next_step="Return the number as it is, and round where you print it.",
)
def perplexity(nll_sums, token_counts):
    total = sum(float(nll) for nll in nll_sums)
    return round(math.exp(total / float(sum(token_counts))), 2)



@right_form(PERPLEXITY, "torch_inside")
def perplexity(nll_sums, token_counts):
    return torch.exp(torch.as_tensor(nll_sums).double().sum() / torch.as_tensor(token_counts).sum())


@right_form(PERPLEXITY, "float32_throughout")
def perplexity(nll_sums, token_counts):
    nll = torch.as_tensor(nll_sums, dtype=torch.float32)
    counts = torch.as_tensor(token_counts, dtype=torch.float32)
    return (nll.sum() / counts.sum()).exp().item()


@right_form(PERPLEXITY, "running_sums")
def perplexity(nll_sums, token_counts, base=math.e):
    total, tokens = 0.0, 0
    for nll, count in zip(nll_sums, token_counts):
        if count == 0:
            continue
        total += float(nll)
        tokens += int(count)
    return base ** (total / tokens)


@right_form(PERPLEXITY, "numpy_inside")
def perplexity(nll_sums, token_counts):
    return np.exp(np.sum(np.asarray(nll_sums, dtype=np.float64)) / np.sum(np.asarray(token_counts)))


@right_form(PERPLEXITY, "weighted_means")
def perplexity(nll_sums, token_counts):
    nll, counts = torch.as_tensor(nll_sums).double(), torch.as_tensor(token_counts).double()
    full = counts > 0
    means, weights = nll[full] / counts[full], counts[full] / counts.sum()
    return math.exp((means * weights).sum())
