"""Wrong answers to softmax_cross_entropy_grad by name: one half of the formula treated alone, or another function derived."""

import torch
import torch.nn.functional as F

from grader.course_source.catalogue import mistake

LOSS = "02.softmax_cross_entropy_grad"


@mistake(
    LOSS, "only_the_truth_divided", stage="values",
    diagnosis="Only the 1 of the right class is divided by N; the probabilities are not.",
    next_step="Divide the whole difference: `(probabilities - truth) / N`.",
)
def softmax_cross_entropy_grad(logits, targets):
    probabilities = torch.softmax(logits, dim=1)
    probabilities[torch.arange(len(logits)), targets] -= 1 / len(logits)
    return probabilities


@mistake(
    LOSS, "only_the_probabilities_divided", stage="values",
    diagnosis="Only the probabilities are divided by N; the 1 of the right class is not.",
    next_step="Divide the whole difference: `(probabilities - truth) / N`.",
)
def softmax_cross_entropy_grad(logits, targets):
    gradient = torch.softmax(logits, dim=1) / len(logits)
    gradient[torch.arange(len(logits)), targets] -= 1
    return gradient


@mistake(
    LOSS, "softmax_twice", stage="values",
    diagnosis="The softmax is taken twice: `F.cross_entropy` takes it of what it is given, and was given probabilities.",
    next_step="Hand the logits to `F.cross_entropy` as they are.",
)
def softmax_cross_entropy_grad(logits, targets):
    x = torch.softmax(logits, dim=1).detach().requires_grad_()
    F.cross_entropy(x, targets).backward()
    return x.grad


@mistake(
    LOSS, "the_loss_itself", stage="shape",
    diagnosis="The loss comes back, a single number; asked for is its gradient, a number for each logit.",
    next_step="The gradient has the shape of the logits, (N, V).",
)
def softmax_cross_entropy_grad(logits, targets):
    return F.cross_entropy(logits, targets)


@mistake(
    LOSS, "large_logits_cut_off", stage="values",
    diagnosis="Large logits are cut off before exp: that avoids inf and changes the probabilities.",
    next_step="Subtract each row's largest logit instead: that changes nothing but the range.",
)
def softmax_cross_entropy_grad(logits, targets):
    powers = logits.clamp(max=50).exp()
    probabilities = powers / powers.sum(dim=1, keepdim=True)
    probabilities[torch.arange(len(logits)), targets] -= 1
    return probabilities / len(logits)
