# exercise 02.softmax_cross_entropy_grad
"""Wrong answers to softmax_cross_entropy_grad by name: one half of the formula treated alone, or another function derived."""

import torch
import torch.nn.functional as F


# mistake only_the_truth_divided (values)
# Only the 1 of the right class is divided by N; the probabilities are not.
# Next: Divide the whole difference: `(probabilities - truth) / N`.
def softmax_cross_entropy_grad(logits, targets):
    probabilities = torch.softmax(logits, dim=1)
    probabilities[torch.arange(len(logits)), targets] -= 1 / len(logits)
    return probabilities


# mistake only_the_probabilities_divided (values)
# Only the probabilities are divided by N; the 1 of the right class is not.
# Next: Divide the whole difference: `(probabilities - truth) / N`.
def softmax_cross_entropy_grad(logits, targets):
    gradient = torch.softmax(logits, dim=1) / len(logits)
    gradient[torch.arange(len(logits)), targets] -= 1
    return gradient


# mistake softmax_twice (values)
# The softmax is taken twice: `F.cross_entropy` takes it of what it is given, and was given probabilities.
# Next: Hand the logits to `F.cross_entropy` as they are.
def softmax_cross_entropy_grad(logits, targets):
    x = torch.softmax(logits, dim=1).detach().requires_grad_()
    F.cross_entropy(x, targets).backward()
    return x.grad


# mistake the_loss_itself (shape)
# The loss is returned, a single number; the task asks for its gradient, a number for each logit.
# Next: The gradient has the shape of the logits, (N, V).
def softmax_cross_entropy_grad(logits, targets):
    return F.cross_entropy(logits, targets)


# mistake large_logits_cut_off (values)
# Large logits are cut off before exp: that avoids inf and changes the probabilities.
# Next: Subtract each row's largest logit instead: that changes nothing but the range.
def softmax_cross_entropy_grad(logits, targets):
    powers = logits.clamp(max=50).exp()
    probabilities = powers / powers.sum(dim=1, keepdim=True)
    probabilities[torch.arange(len(logits)), targets] -= 1
    return probabilities / len(logits)
