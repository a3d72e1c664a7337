# exercise 05.masked_cross_entropy
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


# mistake padding_counts (values)
# Padding counts like words.
# Next: Leave the positions where targets equal pad out, in the sum and in the number.
def masked_cross_entropy(logits, targets, pad):
    if not targets.numel():
        return logits.sum()
    known = targets.clamp(0, logits.shape[-1] - 1)
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), known.reshape(-1))


# mistake divided_by_all_places (values)
# The sum leaves padding out, but is divided by the number of all positions, padding included.
# Next: Divide by the number of real words.
def masked_cross_entropy(logits, targets, pad):
    flat = targets.reshape(-1)
    total = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), flat, ignore_index=pad, reduction="sum")
    return total / max(flat.numel(), 1)


# mistake mean_of_sentence_means (values)
# Each sentence is averaged first, so a word in a short sentence weighs more than one in a long sentence.
# Next: Add up over the whole batch, then divide once.
def masked_cross_entropy(logits, targets, pad):
    means = []
    for row, wanted in zip(logits, targets):
        if (wanted != pad).any():
            means.append(F.cross_entropy(row, wanted, ignore_index=pad))
    return torch.stack(means).mean() if means else logits.sum() * 0


# mistake summed (values)
# The losses are added up; their mean was asked for.
# Next: Divide by the number of real words.
def masked_cross_entropy(logits, targets, pad):
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=pad, reduction="sum")


# mistake divided_by_the_sentences (values)
# The sum is divided by the number of sentences, not by the number of words.
# Next: Divide by the number of real words.
def masked_cross_entropy(logits, targets, pad):
    flat = targets.reshape(-1)
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), flat, ignore_index=pad, reduction="sum") / len(targets)


# mistake nan_without_words (not finite)
# Without a real word the mean is 0 / 0, nan; one such batch turns all weights into nan.
# Next: Add up with `reduction="sum"` and divide by the number of real words, at least 1; or return 0 early where there is no
# real word.
def masked_cross_entropy(logits, targets, pad):
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=pad)


# mistake pad_is_0 (values)
# The id 0 is left out, whatever pad is.
# Next: Compare with the parameter pad.
def masked_cross_entropy(logits, targets, pad):
    classes = logits.shape[-1]
    flat = targets.reshape(-1)
    flat = torch.where((flat >= 0) & (flat < classes), flat, torch.zeros_like(flat))
    total = F.cross_entropy(logits.reshape(-1, classes), flat, ignore_index=0, reduction="sum")
    return total / (flat != 0).sum().clamp(min=1)


# base plain
def masked_cross_entropy(logits, targets, pad):
    mask = targets != pad
    known = torch.where(mask, targets, 0)
    picked = logits.log_softmax(dim=-1).gather(2, known.unsqueeze(-1)).squeeze(-1)
    return -(picked * mask).sum() / mask.sum().clamp(min=1)


# mistake pad_must_be_a_class (raises), from plain
# The log-probability is picked at pad too; an id such as -100 is no class, and picking fails.
# Next: Replace pad by any class before picking; the mask takes it out again.
#   -    known = torch.where(mask, targets, 0)
#   known.unsqueeze => targets.unsqueeze


# mistake pad_weighs_nothing (raises)
# pad is given the weight 0 as a class; when it lies outside 0 to V - 1 there is no such class.
# Next: Mask the positions, not the class; or see which parameter of torch's function ignores an id.
def masked_cross_entropy(logits, targets, pad):
    weight = torch.ones(logits.shape[-1], dtype=logits.dtype)
    weight[pad] = 0
    flat = targets.reshape(-1)
    total = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), flat, weight=weight, reduction="sum")
    return total / (flat != pad).sum().clamp(min=1)


# mistake negative_pad_only_by_default (raises)
# pad is not handed on; torch's function ignores -100 and takes every other id for a class.
# Next: Pass `ignore_index=pad`.
def masked_cross_entropy(logits, targets, pad):
    flat = targets.reshape(-1)
    mask = flat != pad
    losses = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), flat, reduction="none")
    return (losses * mask).sum() / mask.sum().clamp(min=1)


# mistake logits_blanked (values)
# The logits at padding are set to 0; their loss is then log V, and still counts.
# Next: Mask the losses instead of the logits.
def masked_cross_entropy(logits, targets, pad):
    if not targets.numel():
        return logits.sum()
    mask = targets != pad
    flat = torch.where(mask, targets, 0).reshape(-1)
    return F.cross_entropy((logits * mask.unsqueeze(-1)).reshape(-1, logits.shape[-1]), flat)


# mistake pad_class_removed (values), from plain
# The logit of the class pad is taken out of the softmax; it stays a class that the model may choose.
# Next: Leave the logits as they are, and leave out positions only.
#        mask = targets != pad
#   +    classes = logits.shape[-1]
#   +    logits = logits.masked_fill(torch.arange(classes) == pad, -1e9)
#   (picked * mask).sum => torch.where(mask, picked, 0.0).sum


# mistake view_of_logits (raises)
# `view` fails when logits have gaps in memory.
# Next: Use `reshape`.
def masked_cross_entropy(logits, targets, pad):
    total = F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1), ignore_index=pad, reduction="sum")
    return total / (targets != pad).sum().clamp(min=1)


# mistake classes_on_the_wrong_axis (raises)
# torch's function wants the classes on axis 1; here they stand on the last axis.
# Next: Flatten to (B*T, V) and (B*T,), or move the axis: `logits.transpose(1, 2)`.
def masked_cross_entropy(logits, targets, pad):
    total = F.cross_entropy(logits, targets, ignore_index=pad, reduction="sum")
    return total / (targets != pad).sum().clamp(min=1)


# mistake softmax_over_the_words (values), from plain
# The softmax runs over the words of the sentence; it runs over the classes, the last axis.
# Next: Use `dim=-1`.
#   dim=-1 => dim=1
#   (picked * mask).sum => torch.where(mask, picked, 0.0).sum


# base by_the_library
def masked_cross_entropy(logits, targets, pad):
    flat = logits.reshape(-1, logits.shape[-1])
    total = F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad, reduction="sum")
    return total / (targets != pad).sum().clamp(min=1)


# mistake reshaped_across (values), from by_the_library
# The axes were swapped before flattening, which mixes the words' logits up.
# Next: `logits.reshape(-1, V)` keeps each word's V logits together.
#   logits.reshape => logits.transpose(1, 2).reshape


# mistake squeezed (values)
# With one word in each sentence an axis too many disappears: `squeeze()` drops every axis of size 1, and (B,) times (B, 1)
# makes (B, B).
# Next: Say which axis: `squeeze(-1)`.
def masked_cross_entropy(logits, targets, pad):
    keep = targets != pad
    known = targets.masked_fill(~keep, 0)
    picked = logits.log_softmax(-1).gather(-1, known.unsqueeze(-1)).squeeze()
    return -(picked * keep).sum() / keep.sum().clamp(min=1)


# mistake words_in_another_order (values), from by_the_library
# logits are flattened word by word and targets sentence by sentence: each loss meets another word's target.
# Next: Flatten both in the same order.
#   logits.reshape => logits.transpose(0, 1).reshape

# mistake softmax_twice (values), from by_the_library
# Probabilities go into a function that takes logits: the softmax is applied twice.
# Next: Hand the logits over as they are.
#   logits.reshape => logits.softmax(dim=-1).reshape

# mistake logits_taken_for_log_probabilities (values), from by_the_library
# The target's logit itself is taken for its log-probability.
# Next: Take the log-softmax first.
#   F.cross_entropy => F.nll_loss

# mistake sign_forgotten (values), from by_the_library
# The sign is turned round: this is the mean log-probability, and the loss is minus that.
# Next: Put a minus in front.
#   total / (targets != pad).sum().clamp(min=1) => -total / (targets != pad).sum().clamp(min=1)

# mistake perplexity (values), from by_the_library
# This is the perplexity, exp of the loss.
# Next: Leave the exponential out.
#   total / (targets != pad).sum().clamp(min=1) => (total / (targets != pad).sum().clamp(min=1)).exp()


# mistake exponentials_overflow (not finite)
# exp of a large logit is inf, and inf / inf is nan.
# Next: Use `log_softmax` or `logsumexp`, which subtract the largest logit first.
def masked_cross_entropy(logits, targets, pad):
    mask = targets != pad
    known = torch.where(mask, targets, 0)
    exps = torch.exp(logits)
    probs = exps / exps.sum(dim=-1, keepdim=True)
    picked = probs.gather(2, known.unsqueeze(-1)).squeeze(-1)
    return -torch.where(mask, picked.log(), 0.0).sum() / mask.sum().clamp(min=1)


# mistake log_of_the_softmax (not finite), from plain
# The softmax of an unlikely class rounds to 0, and its log is -inf.
# Next: Use `log_softmax`, which never forms the probability.
#   logits.log_softmax => logits.softmax
#   (picked * mask).sum => torch.where(mask, picked.log(), 0.0).sum

# mistake log_with_a_small_number (values), from plain
# A small number was added before the log: no word can cost more than its logarithm, however wrong it is.
# Next: Use `log_softmax`, which needs no such help.
#   logits.log_softmax => logits.softmax
#   (picked * mask).sum => torch.where(mask, (picked + 1e-12).log(), 0.0).sum

# mistake padding_times_zero (not finite), from plain
# Padding is removed by multiplying with 0 after -inf arose there: -inf * 0 is nan.
# Next: Use `log_softmax`, whose values are finite; or choose with `torch.where` instead of multiplying.
#   -    picked = logits.log_softmax(dim=-1).gather(2, known.unsqueeze(-1)).squeeze(-1)
#   +    logs = torch.where(mask.unsqueeze(-1), logits.log_softmax(dim=-1), logits.softmax(dim=-1).log())
#   +    picked = logs.gather(2, known.unsqueeze(-1)).squeeze(-1)

# mistake a_python_float (type), from by_the_library
# A Python float comes back, from which nothing can be learned.
# Next: Leave `.item()` out: the loss is a tensor with a graph.
#   total / (targets != pad).sum().clamp(min=1) => (total / (targets != pad).sum().clamp(min=1)).item()


# mistake one_loss_for_each_word (shape)
# A loss for each position comes back; one number was asked for.
# Next: Add the losses of real words up and divide by their number.
def masked_cross_entropy(logits, targets, pad):
    return F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=pad, reduction="none")


# mistake no_graph (property), from by_the_library
# The loss carries no graph.
# Next: Return what was computed from the logits themselves: no `.detach()`, `.data` or no_grad, and no new tensor made of a
# number, such as `torch.tensor(loss.item())`.
#   logits.reshape => logits.detach().reshape

# mistake always_float32 (dtype), from by_the_library
# The loss of float64 logits is float32.
# Next: Keep the dtype of logits: no `.float()`, and no `torch.tensor(...)` of a Python number, such as
# `torch.tensor(loss.item())`.
#   logits.reshape => logits.float().reshape

# mistake float32_inside (values), from by_the_library
# The logits are rounded to float32 on the way, and the digits that are left are too few.
# Next: Leave `.float()` out.
#   logits.reshape => logits.float().reshape
#   total / (targets != pad).sum().clamp(min=1) => (total / (targets != pad).sum().clamp(min=1)).to(logits.dtype)


# mistake targets_written_to (property)
# pad is overwritten in targets, which belong to the caller.
# Next: Use `torch.where` or a clone.
def masked_cross_entropy(logits, targets, pad):
    mask = targets != pad
    targets[~mask] = 0
    losses = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), reduction="none")
    return (losses * mask.reshape(-1)).sum() / mask.sum().clamp(min=1)


# mistake logits_scaled_in_place (property), from by_the_library
# The logits are shifted in place; they belong to the caller.
# Next: Write `logits = logits - ...`, which makes another tensor.
#    def masked_cross_entropy(logits, targets, pad):
#   +    logits = logits.clone() if logits.requires_grad else logits
#   +    logits -= logits.amax(dim=-1, keepdim=True).detach()


# right form words_picked_out
def masked_cross_entropy(logits, targets, pad):
    real = targets != pad
    if not real.any():
        return torch.tensor(0.0)
    return F.cross_entropy(logits[real], targets[real])


# right form word_by_word
def masked_cross_entropy(logits, targets, pad):
    losses = []
    for row, wanted in zip(logits, targets):
        for scores, word in zip(row, wanted.tolist()):
            if word != pad:
                losses.append(torch.logsumexp(scores, dim=0) - scores[word])
    return sum(losses) / len(losses) if losses else 0.0


# right form classes_moved_to_axis_1
def masked_cross_entropy(logits, targets, pad, reduction="mean"):
    loss = nn.CrossEntropyLoss(ignore_index=pad, reduction="sum")(logits.permute(0, 2, 1), targets)
    words = int((targets != pad).sum())
    print(words, "words")
    return loss / words if words else loss


# right form one_hot_and_a_mask
def masked_cross_entropy(logits, targets, pad):
    mask = (targets != pad).to(logits.dtype)
    known = targets.masked_fill(targets == pad, 0)
    hot = F.one_hot(known, logits.shape[-1]).to(logits.dtype)
    highest = logits.max(dim=-1, keepdim=True).values
    logs = logits - highest - (logits - highest).exp().sum(dim=-1, keepdim=True).log()
    return -torch.einsum("btv,btv,bt->", logs, hot, mask) / mask.sum().clamp(min=1)


# right form float64_inside
def masked_cross_entropy(logits, targets, pad):
    real = targets.ne(pad)
    known = torch.where(real, targets, torch.zeros_like(targets))
    logs = torch.log_softmax(logits.double(), -1)
    picked = torch.take_along_dim(logs, known[..., None], -1)[..., 0]
    loss = -(picked[real]).sum() / max(1, int(real.sum()))
    return loss.to(logits.dtype)


# right form an_integer_0_for_nothing
def masked_cross_entropy(logits, targets, pad):
    count = np.count_nonzero(targets.numpy() != pad)
    if count == 0:
        return 0
    flat = targets.flatten()
    keep = [place for place, word in enumerate(flat.tolist()) if word != pad]
    return F.nll_loss(F.log_softmax(logits.flatten(0, 1)[keep], dim=1), flat[keep])


# right form nan_replaced
def masked_cross_entropy(logits, targets, pad):
    return torch.nan_to_num(F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad))


# mistake one_maximum_for_all_words (not finite, values)
# The largest logit of the whole batch is subtracted: for a word far below it every exp is 0, and the log -inf.
# Next: Each word has a largest logit of its own: `amax(dim=-1, keepdim=True)`, or `torch.logsumexp`.
def masked_cross_entropy(logits, targets, pad):
    real = targets != pad
    if not real.any():
        return logits.sum() * 0
    rows = logits[real]
    rows = rows - rows.max().detach()
    picked = rows.gather(1, targets[real][:, None])[:, 0]
    return (rows.exp().sum(dim=1).log() - picked).mean()


# right form gathered_and_logsumexp
def masked_cross_entropy(logits, targets, pad):
    real = targets != pad
    picked = logits.gather(-1, torch.where(real, targets, 0)[..., None])[..., 0]
    losses = logits.logsumexp(dim=-1) - picked
    return torch.where(real, losses, 0.0).sum() / max(int(real.sum()), 1)
