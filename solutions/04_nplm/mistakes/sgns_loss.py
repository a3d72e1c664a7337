# exercise 04.sgns_loss
import torch
import torch.nn.functional as F


# mistake mean_over_the_negatives (values, not finite)
# The negatives' part is averaged over K; their log-sigmoids should be added.
# Next: Sum over the K negatives, then take the mean over N.
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum(dim=-1))
    far = F.logsigmoid(-(negatives * center[:, None]).sum(dim=-1)).mean(dim=1)
    return -(near + far).mean()


# mistake mean_over_everything (values)
# The mean is over all N * (K + 1) scores, as `binary_cross_entropy_with_logits` takes it.
# Next: Sum over context and negatives of a pair; the mean is over the N pairs.
def sgns_loss(center, context, negatives):
    near = (center * context).sum(dim=-1, keepdim=True)
    far = (negatives * center[:, None]).sum(dim=-1)
    scores = torch.cat([near, far], dim=1)
    labels = torch.cat([torch.ones_like(near), torch.zeros_like(far)], dim=1)
    return F.binary_cross_entropy_with_logits(scores, labels)


# mistake sum_over_the_pairs (values)
# The losses of the pairs are added, but the exercise asks for their mean.
# Next: Divide by N: take the mean over the first axis.
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum(dim=-1)).sum()
    far = F.logsigmoid(-(negatives * center[:, None]).sum(dim=-1)).sum()
    return -(near + far)


# mistake negatives_without_a_minus (values)
# The negatives' scores have no minus: drawn words are pulled near as if they were true neighbours.
# Next: Inside the sigmoid the negatives' scores have a minus.
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum(dim=-1))
    far = F.logsigmoid((negatives * center[:, None]).sum(dim=-1)).sum(dim=1)
    return -(near + far).mean()


# mistake minus_outside (values), from negatives_without_a_minus
# The negatives' part is log sigmoid(score) with a minus in front; the minus belongs inside the sigmoid.
# Next: The probability that a drawn word is no neighbour is 1 - sigmoid(s) = sigmoid(-s). Take its log.
#   near + far => near - far

# mistake sign_flipped (values), from negatives_without_a_minus
# This is the log-likelihood; the loss is minus that.
# Next: Put a minus in front of the mean.
#   (negatives * center[:, None]).sum(dim=-1) => -(negatives * center[:, None]).sum(dim=-1)
#   -(near + far).mean() => (near + far).mean()


# mistake no_negatives (values)
# The negatives are not used: the loss is least when all vectors are equal.
# Next: Add the log-sigmoids of the negatives.
def sgns_loss(center, context, negatives):
    return -F.logsigmoid((center * context).sum(dim=-1)).mean()


# mistake log_of_a_sigmoid (not finite)
# The sigmoid of a very negative score is 0 (as exp of a large one is inf), and its log is infinite.
# Next: `F.logsigmoid` computes both in one step and stays finite.
def sgns_loss(center, context, negatives):
    near = torch.log(torch.sigmoid((center * context).sum(dim=-1)))
    far = torch.log(torch.sigmoid(-(negatives * center[:, None]).sum(dim=-1))).sum(dim=1)
    return -(near + far).mean()


# mistake a_little_inside_the_log (values)
# Something small is added inside the log: that is finite, and wrong for large scores, without a gradient.
# Next: `F.logsigmoid` needs no such help.
def sgns_loss(center, context, negatives):
    near = torch.log(torch.sigmoid((center * context).sum(dim=-1)) + 1e-12)
    far = torch.log(torch.sigmoid(-(negatives * center[:, None]).sum(dim=-1)) + 1e-12).sum(dim=1)
    return -(near + far).mean()


# mistake scores_clamped (values), from negatives_without_a_minus
# Scores are clamped before the sigmoid: beyond the limit there is no gradient, and the loss is wrong.
# Next: `F.logsigmoid` takes scores of any size.
#   (center * context).sum(dim=-1) => (center * context).sum(dim=-1).clamp(-30, 30)
#   (negatives * center[:, None]).sum(dim=-1) => -(negatives * center[:, None]).sum(dim=-1).clamp(-30, 30)


# mistake where_with_nan_behind (not finite, values)
# `torch.where` picks the finite branch, and its gradient still goes through the other one: inf * 0 is nan.
# Next: Use `F.logsigmoid`, or write it with exp(-|x|), which never overflows.
def sgns_loss(center, context, negatives):
    def log_sigmoid(x):
        return torch.where(x > 0, -torch.log1p(torch.exp(-x)), x - torch.log1p(torch.exp(x)))

    near = log_sigmoid((center * context).sum(dim=-1))
    far = log_sigmoid(-(negatives * center[:, None]).sum(dim=-1)).sum(dim=1)
    return -(near + far).mean()


# mistake negatives_of_the_context (values), from negatives_without_a_minus
# The negatives are compared with the context's vector; they are drawn against the center.
# Next: Both parts are dot products with center.
#   (negatives * center[:, None]).sum(dim=-1) => -(negatives * context[:, None]).sum(dim=-1)

# mistake axes_meet_wrongly (raises, values), from negatives_without_a_minus
# center is multiplied with negatives without an axis for K: that fails, or, where N equals K, pairs centers with other rows'
# negatives.
# Next: Give center an axis: `center[:, None, :]` is (N, 1, d).
#   (negatives * center[:, None]).sum(dim=-1) => -(negatives * center).sum(dim=-1)

# mistake all_negatives_for_all (values), from negatives_without_a_minus
# Each center meets the negatives of all pairs; each pair has K of its own.
# Next: Multiply row by row: `negatives[n]` belongs to `center[n]`.
#   (negatives * center[:, None]).sum(dim=-1) => -(center @ negatives.reshape(-1, center.shape[1]).T)

# mistake all_centers_for_each_negative (values), from negatives_without_a_minus
# `negatives @ center.T` compares each negative with the centers of all pairs; each pair has K negatives of its own.
# Next: Multiply row by row: `(negatives * center[:, None]).sum(dim=2)` is (N, K).
#   (negatives * center[:, None]).sum(dim=-1) => -(negatives @ center.T)

# mistake matrix_product_with_centers (raises, values), from negatives_without_a_minus
# `negatives @ center` is a matrix product: it does not pair the negatives of a row with the center of this row.
# Next: Multiply row by row: `(negatives * center[:, None]).sum(dim=2)` is (N, K).
#   (negatives * center[:, None]).sum(dim=-1) => -(negatives @ center)

# mistake cosines (values), from negatives_without_a_minus
# The scores are cosines, but the exercise asks for dot products.
# Next: Leave the normalisation out.
#   (center * context).sum(dim=-1) => F.cosine_similarity(center, context, dim=-1)
#   (negatives * center[:, None]).sum(dim=-1) => -F.cosine_similarity(negatives, center[:, None], dim=-1)


# mistake softmax_over_the_drawn (values)
# This is a softmax over context and negatives, but the exercise asks for K + 1 separate yes-or-no questions.
# Next: Take a log-sigmoid of each score, and add them.
def sgns_loss(center, context, negatives):
    near = (center * context).sum(dim=-1, keepdim=True)
    far = (negatives * center[:, None]).sum(dim=-1)
    scores = torch.cat([near, far], dim=1)
    return F.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long))


# mistake score_of_the_sum (values), from negatives_without_a_minus
# The negatives' scores are added before the log-sigmoid; it is taken of each of them.
# Next: Log-sigmoid first, then the sum over K.
#   (negatives * center[:, None]).sum(dim=-1)).sum(dim=1 => -(negatives * center[:, None]).sum(dim=(1, 2))

# mistake one_for_each_pair (shape), from negatives_without_a_minus
# There is one loss for each pair, but the exercise asks for their mean.
# Next: Take the mean over N at the end.
#   (negatives * center[:, None]).sum(dim=-1) => -(negatives * center[:, None]).sum(dim=-1)
#   -(near + far).mean() => -(near + far)

# mistake a_number (type), from negatives_without_a_minus
# The loss is a Python number: there is nothing to go backward through.
# Next: Return the 0-d tensor itself, without `.item()`.
#   (negatives * center[:, None]).sum(dim=-1) => -(negatives * center[:, None]).sum(dim=-1)
#   (near + far).mean() => (near + far).mean().item()

# mistake negatives_detached (property), from negatives_without_a_minus
# No gradient reaches the negatives: the drawn words never move away.
# Next: Leave `detach` out: the negatives' vectors learn too.
#   (negatives * center[:, None]).sum(dim=-1) => -(negatives.detach() * center[:, None]).sum(dim=-1)

# mistake squeezed (raises, values), from negatives_without_a_minus
# `squeeze()` also drops the axis of a single pair or a single negative.
# Next: Name the axis: `squeeze(2)`, or sum over the last axis instead of `bmm`.
#   F.logsigmoid((negatives * center[:, None]).sum(dim=-1)).sum(dim=1) => torch.bmm(negatives, center.unsqueeze(2)).squeeze()
#   near + far => near + F.logsigmoid(-far).sum(dim=1)


# mistake float32_inside (values)
# The vectors are rounded to float32 on the way: the loss is float64, and its digits are not.
# Next: Leave the type alone: no `.float()`.
def sgns_loss(center, context, negatives):
    v, u, n = center.float(), context.float(), negatives.float()
    near = F.logsigmoid((v * u).sum(dim=1))
    far = F.logsigmoid(-torch.einsum("nkd,nd->nk", n, v)).sum(dim=1)
    return -(near + far).mean().to(center.dtype)


# right form softplus_and_einsum
def sgns_loss(center, context, negatives):
    near = torch.einsum("nd,nd->n", center, context)
    far = torch.einsum("nkd,nd->nk", negatives, center)
    return (F.softplus(-near) + F.softplus(far).sum(-1)).sum() / len(center)


# right form binary_cross_entropy
def sgns_loss(center, context, negatives):
    scores = torch.matmul(torch.cat([context[:, None], negatives], dim=1), center.unsqueeze(-1)).squeeze(-1)
    labels = torch.zeros_like(scores)
    labels[:, 0] = 1
    return F.binary_cross_entropy_with_logits(scores, labels, reduction="sum") / scores.shape[0]


# right form loops
def sgns_loss(center, context, negatives, verbose=True):
    total = 0
    for v, u, drawn in zip(center, context, negatives):
        total = total - F.logsigmoid(v @ u)
        for n in drawn:
            total = total - F.logsigmoid(-(v @ n))
    loss = total / center.size(0)
    if verbose:
        print(loss)
    return loss


# right form logaddexp_in_float64
def sgns_loss(center, context, negatives):
    v = center.double()
    near = (v * context.double()).sum(1)
    far = (negatives.double() * v.unsqueeze(1)).sum(2)
    zero = torch.zeros((), dtype=torch.float64)
    return (torch.logaddexp(zero, -near) + torch.logaddexp(zero, far).sum(1)).mean().to(center.dtype)


# right form signed_scores
def sgns_loss(center, context, negatives):
    everything = torch.cat([context.unsqueeze(1), -negatives], dim=1)
    return -F.logsigmoid((everything @ center.unsqueeze(2)).squeeze(2)).sum(dim=1).mean(dim=0)


# mistake twice_the_slope_at_0 (values)
# Where a score is exactly 0, as with context vectors that begin as zeros, the gradient is twice what it should be: `clamp` has
# the slope 1 there, and `abs` the slope 0.
# Next: Use `F.softplus` or `F.logsigmoid`: both are exact for large scores, and smooth at 0.
def sgns_loss(center, context, negatives):
    def cost(x):
        return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))

    near = -(center * context).sum(dim=1)
    far = (negatives * center[:, None, :]).sum(dim=2)
    return cost(near).mean() + cost(far).sum(dim=1).mean()


# mistake one_negative_squeezed (values)
# With one negative a pair, `squeeze()` takes their axis away as well, and the sum goes over the pairs.
# Next: Say which axis: `squeeze(-1)`, or sum over the axis of the negatives, `sum(dim=1)`.
def sgns_loss(center, context, negatives):
    positive = F.logsigmoid((center * context).sum(-1))
    negative = F.logsigmoid(-torch.bmm(negatives, center[:, :, None]).squeeze()).sum(-1)
    return -(positive + negative).mean()


# right form all_words_in_one_tensor
def sgns_loss(center, context, negatives):
    words = torch.cat([-context[:, None], negatives], dim=1)  # (N, 1 + K, d)
    scores = torch.einsum("nkd,nd->nk", words, center)
    return torch.logaddexp(scores, torch.zeros_like(scores)).sum() / len(center)


# mistake no_slope_at_0 (values), from twice_the_slope_at_0
# Where a score is exactly 0, as with context vectors that begin as zeros, no gradient arrives: `relu` and `abs` both have the
# slope 0 there, and the gradient of the logarithm goes through `abs`.
# Next: Use `F.softplus` or `F.logsigmoid`: both are exact for large scores, and smooth at 0.
#   x.clamp(min=0) => F.relu(x)
#   cost(near).mean() + cost(far).sum(dim=1).mean() => (cost(near) + cost(far).sum(dim=1)).mean()


# right form two_cases_for_the_exponential
def sgns_loss(center, context, negatives):
    def cost(x):
        return torch.where(x > 0, x + torch.log1p(torch.exp(-x.clamp(min=0))), torch.log1p(torch.exp(x.clamp(max=0))))

    near = -(center * context).sum(dim=1)
    far = (negatives * center[:, None, :]).sum(dim=2)
    return (cost(near) + cost(far).sum(dim=1)).mean()


# mistake one_minus_the_sigmoid (not finite)
# 1 - sigmoid(score) is exactly 0 for a large score, and its log is infinite.
# Next: 1 - sigmoid(x) is sigmoid(-x): `F.logsigmoid(-score)` stays finite.
def sgns_loss(center, context, negatives):
    near = (center * context).sum(dim=1)
    far = torch.einsum("nd,nkd->nk", center, negatives)
    return -(F.logsigmoid(near) + torch.log(1 - torch.sigmoid(far)).sum(dim=1)).mean()


# mistake every_pair_of_the_batch (values)
# `center @ context.T` compares each center with all contexts of the batch; only its own is a true neighbour.
# Next: Multiply row by row and add: `(center * context).sum(dim=1)`.
def sgns_loss(center, context, negatives):
    near = center @ context.T
    far = torch.einsum("nd,nkd->nk", center, negatives)
    return -(F.logsigmoid(near).mean() + F.logsigmoid(-far).sum(dim=1).mean())


# mistake sigmoid_of_each_product (values)
# The log-sigmoid is taken of each of the d products; it is taken of their sum, the score.
# Next: First the dot product, then the log-sigmoid.
def sgns_loss(center, context, negatives):
    near = F.logsigmoid(center * context).sum(dim=1)
    far = F.logsigmoid(-(center[:, None] * negatives)).sum(dim=(1, 2))
    return -(near + far).mean()


# mistake one_score_for_the_batch (values)
# The products of all pairs are added into one score; each pair has a score of its own.
# Next: Sum over d for the scores, then over K, and take the mean over N.
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum())
    far = F.logsigmoid(-(negatives * center[:, None]).sum(dim=-1)).sum()
    return -(near + far)
