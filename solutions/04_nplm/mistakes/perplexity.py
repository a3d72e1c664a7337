# exercise 04.perplexity
import math

import numpy as np
import torch


# mistake mean_of_perplexities (values)
# The perplexities of the batches are averaged: that depends on how the text was cut.
# Next: Add up all losses and all tokens first; then one division, one exp.
def perplexity(nll_sums, token_counts):
    values = [math.exp(nll / count) for nll, count in zip(nll_sums, token_counts) if count]
    return sum(values) / len(values)


# mistake weighted_mean_of_perplexities (values)
# The perplexities of the batches are averaged, if by their tokens: the mean belongs inside the exp.
# Next: Average the losses, then take exp once.
def perplexity(nll_sums, token_counts):
    total = sum(count * math.exp(nll / count) for nll, count in zip(nll_sums, token_counts) if count)
    return float(total / sum(token_counts))


# mistake mean_of_batch_means (values)
# The mean losses of the batches are averaged: a batch of 3 tokens counts as much as one of 64.
# Next: Divide the sum of all losses by the number of all tokens.
def perplexity(nll_sums, token_counts):
    means = [nll / count for nll, count in zip(nll_sums, token_counts) if count]
    return math.exp(sum(means) / len(means))


# base plain
def perplexity(nll_sums, token_counts):
    total, tokens = 0.0, 0
    for nll, count in zip(nll_sums, token_counts):
        if count == 0:
            continue
        total += float(nll)
        tokens += int(count)
    return math.exp(total / tokens)


# mistake divides_by_empty_batches (raises), from plain
# A batch without tokens is divided by 0.
# Next: Divide once, the sum of all losses by the number of all tokens.
#   -        if count == 0:
#   -            continue
#   float(nll) => float(nll) / int(count) * int(count)


# mistake divided_by_the_batches (values)
# The sum of losses is divided by the number of batches, not of tokens.
# Next: token_counts says how many tokens each batch has.
def perplexity(nll_sums, token_counts):
    mean = float(sum(nll_sums)) / len(nll_sums)
    return math.exp(mean) if mean < 700 else math.inf


# mistake of_the_sum (values, raises)
# exp is taken of the sum of all losses: the more text, the larger it gets.
# Next: Divide by the number of tokens before exp.
def perplexity(nll_sums, token_counts):
    return math.exp(sum(nll_sums))


# mistake two_to_the_power (values), from of_the_sum
# 2 is raised to the mean loss; that belongs to losses in bits. These are in nats.
# Next: Use exp.
#   math.exp(sum(nll_sums)) => float(2 ** (sum(nll_sums) / sum(token_counts)))

# mistake mean_loss (values), from of_the_sum
# This is the mean loss; the perplexity is exp of it.
# Next: Take exp at the end.
#   math.exp(sum(nll_sums)) => float(sum(nll_sums) / sum(token_counts))

# mistake sign_flipped (values), from of_the_sum
# This is exp of minus the mean loss: the geometric mean of the tokens' probabilities, below 1.
# Next: The losses are already negative log-likelihoods: no further minus.
#   sum(nll_sums) => -sum(nll_sums) / sum(token_counts)

# mistake empty_batches_count_as_one_token (values), from of_the_sum
# An empty batch is counted as one token: `max(count, 1)`.
# Next: Leave it out: with one division at the end no empty batch is ever divided by.
#   sum(nll_sums) => sum(nll_sums) / sum(max(int(count), 1) for count in token_counts)

# mistake whole_division (values), from of_the_sum
# `//` drops the fraction of the mean loss.
# Next: Divide with `/`.
#   sum(nll_sums) => sum(nll_sums) // sum(token_counts)

# mistake one_more_token (values), from of_the_sum
# One token too many is counted, to avoid a division by 0 that cannot happen.
# Next: Divide by the number of tokens itself: not all batches are empty.
#   sum(nll_sums) => sum(nll_sums) / (sum(token_counts) + 1)

# mistake tensors_only (raises), from of_the_sum
# It needs tensors: a list has no method `sum`.
# Next: Python's `sum(...)` takes lists and tensors alike.
#   math.exp(sum(nll_sums)) => torch.exp(nll_sums.sum() / token_counts.sum()).item()

# mistake one_number_in_a_row (shape), from plain
# The result has the shape (1,); a single number has no axis.
# Next: Return the number itself, or `torch.tensor(number)` without square brackets.
#   math.exp(total / tokens) => torch.tensor([total / tokens]).exp()


# mistake one_for_each_batch (shape)
# There is one perplexity for each batch, but the exercise asks for a single number for all of the text.
# Next: Sum both arguments before you divide.
def perplexity(nll_sums, token_counts):
    return torch.exp(torch.as_tensor(nll_sums) / torch.as_tensor(token_counts).clamp(min=1))


# mistake batches_without_loss_skipped (values), from plain
# A batch whose loss is 0 is left out together with its tokens; they were foreseen for certain, and count.
# Next: Add up the tokens of all batches.
#   count == 0 => nll == 0
#   math.exp(total / tokens) => math.exp(total / tokens) if tokens else 1.0


# mistake rounded (values)
# The perplexity is rounded to a few digits; to compare two models you need the others, too.
# Next: Return the number as it is, and round where you print it.
def perplexity(nll_sums, token_counts):
    total = sum(float(nll) for nll in nll_sums)
    return round(math.exp(total / float(sum(token_counts))), 2)


# right form torch_inside
def perplexity(nll_sums, token_counts):
    return torch.exp(torch.as_tensor(nll_sums).double().sum() / torch.as_tensor(token_counts).sum())


# right form float32_throughout
def perplexity(nll_sums, token_counts):
    nll = torch.as_tensor(nll_sums, dtype=torch.float32)
    counts = torch.as_tensor(token_counts, dtype=torch.float32)
    return (nll.sum() / counts.sum()).exp().item()


# right form running_sums, from plain
#   def perplexity(nll_sums, token_counts): => def perplexity(nll_sums, token_counts, base=math.e):
#   math.exp(total / tokens) => base ** (total / tokens)


# right form numpy_inside
def perplexity(nll_sums, token_counts):
    return np.exp(np.sum(np.asarray(nll_sums, dtype=np.float64)) / np.sum(np.asarray(token_counts)))


# right form weighted_means
def perplexity(nll_sums, token_counts):
    nll, counts = torch.as_tensor(nll_sums).double(), torch.as_tensor(token_counts).double()
    full = counts > 0
    means, weights = nll[full] / counts[full], counts[full] / counts.sum()
    return math.exp((means * weights).sum())
