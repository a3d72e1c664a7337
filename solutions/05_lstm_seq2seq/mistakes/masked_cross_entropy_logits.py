# exercise 05.masked_cross_entropy
"""Wrong answers to masked_cross_entropy by name: what is done to the logits before the loss."""

import torch.nn.functional as F


# mistake reshaped_for_the_loss (values)
# `reshape(B, V, T)` moves no axis: it cuts the same row of numbers up anew, and words and classes are mixed.
# Next: Exchange the axes with `transpose(1, 2)`, or flatten words and batch into one axis.
def masked_cross_entropy(logits, targets, pad):
    B, T, V = logits.shape
    total = F.cross_entropy(logits.reshape(B, V, T), targets, ignore_index=pad, reduction="sum")
    return total / (targets != pad).sum().clamp(min=1)


# mistake blank_logits_counted (values)
# The logits of padding are set to 0, and their loss, log V each, is added all the same.
# Next: Leave the losses at padding out of the sum; the logits need no mask.
def masked_cross_entropy(logits, targets, pad):
    real = targets != pad
    blank = (logits * real[..., None]).reshape(-1, logits.shape[-1])
    total = F.cross_entropy(blank, targets.masked_fill(~real, 0).reshape(-1), reduction="sum")
    return total / real.sum().clamp(min=1)
