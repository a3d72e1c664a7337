"""Wrong answers about skip-gram with negative sampling by name, and unusual right ones."""

import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

SGNS = "04.sgns_loss"


@base("plain")
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum(dim=-1))
    far = F.logsigmoid((negatives * center[:, None]).sum(dim=-1)).sum(dim=1)
    return -(near + far).mean()


altered(
    SGNS, "mean_over_the_negatives", "plain",
    {"((negatives * center[:, None]).sum(dim=-1)).sum": "(-(negatives * center[:, None]).sum(dim=-1)).mean"},
    stage=("values", "not finite"),
    diagnosis="The negatives' part is averaged over K; their log-sigmoids should be added.",
    next_step="Sum over the K negatives, then take the mean over N.",
)


@mistake(
    SGNS, "mean_over_everything", stage="values",
    diagnosis="The mean is over all N * (K + 1) scores, as `binary_cross_entropy_with_logits` takes it.",
    next_step="Sum over context and negatives of a pair; the mean is over the N pairs.",
)
def sgns_loss(center, context, negatives):
    near = (center * context).sum(dim=-1, keepdim=True)
    far = (negatives * center[:, None]).sum(dim=-1)
    scores = torch.cat([near, far], dim=1)
    labels = torch.cat([torch.ones_like(near), torch.zeros_like(far)], dim=1)
    return F.binary_cross_entropy_with_logits(scores, labels)


@mistake(
    SGNS, "sum_over_the_pairs", stage="values",
    diagnosis="The losses of the pairs are added; asked for is their mean.",
    next_step="Divide by N: take the mean over the first axis.",
)
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum(dim=-1)).sum()
    far = F.logsigmoid(-(negatives * center[:, None]).sum(dim=-1)).sum()
    return -(near + far)


@mistake(
    SGNS, "negatives_without_a_minus", stage="values",
    diagnosis="The negatives' scores have no minus: drawn words are pulled near as if they were true neighbours.",
    next_step="Inside the sigmoid the negatives' scores have a minus.",
)
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum(dim=-1))
    far = F.logsigmoid((negatives * center[:, None]).sum(dim=-1)).sum(dim=1)
    return -(near + far).mean()


altered(
    SGNS, "minus_outside", "plain", {"near +": "near -"}, stage="values",
    diagnosis="The negatives' part is log sigmoid(score) with a minus in front; the minus belongs inside the sigmoid.",
    next_step="The probability that a drawn word is no neighbour is 1 - sigmoid(s) = sigmoid(-s). Take its log.",
)


@mistake(
    SGNS, "sign_flipped", stage="values",
    diagnosis="This is the log-likelihood; the loss is minus that.",
    next_step="Put a minus in front of the mean.",
)
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum(dim=-1))
    far = F.logsigmoid(-(negatives * center[:, None]).sum(dim=-1)).sum(dim=1)
    return (near + far).mean()


@mistake(
    SGNS, "no_negatives", stage="values",
    diagnosis="The negatives are not used: the loss is least when all vectors are equal.",
    next_step="Add the log-sigmoids of the negatives.",
)
def sgns_loss(center, context, negatives):
    return -F.logsigmoid((center * context).sum(dim=-1)).mean()


@mistake(
    SGNS, "log_of_a_sigmoid", stage="not finite",
    diagnosis="The sigmoid of a very negative score is 0 (as exp of a large one is inf), and its log is infinite.",
    next_step="`F.logsigmoid` computes both in one step and stays finite.",
)
def sgns_loss(center, context, negatives):
    near = torch.log(torch.sigmoid((center * context).sum(dim=-1)))
    far = torch.log(torch.sigmoid(-(negatives * center[:, None]).sum(dim=-1))).sum(dim=1)
    return -(near + far).mean()


@mistake(
    SGNS, "a_little_inside_the_log", stage="values",
    diagnosis="Something small is added inside the log: that is finite, and wrong for large scores, without a gradient.",
    next_step="`F.logsigmoid` needs no such help.",
)
def sgns_loss(center, context, negatives):
    near = torch.log(torch.sigmoid((center * context).sum(dim=-1)) + 1e-12)
    far = torch.log(torch.sigmoid(-(negatives * center[:, None]).sum(dim=-1)) + 1e-12).sum(dim=1)
    return -(near + far).mean()


@mistake(
    SGNS, "scores_clamped", stage="values",
    diagnosis="Scores are clamped before the sigmoid: beyond the limit there is no gradient, and the loss is wrong.",
    next_step="`F.logsigmoid` takes scores of any size.",
)
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum(dim=-1).clamp(-30, 30))
    far = F.logsigmoid(-(negatives * center[:, None]).sum(dim=-1).clamp(-30, 30)).sum(dim=1)
    return -(near + far).mean()


@mistake(
    SGNS, "where_with_nan_behind", stage=("not finite", "values"),
    diagnosis="`torch.where` picks the finite branch, and its gradient still goes through the other one: inf * 0 is nan.",
    next_step="Use `F.logsigmoid`, or write it with exp(-|x|), which never overflows.",
)
def sgns_loss(center, context, negatives):
    def log_sigmoid(x):
        return torch.where(x > 0, -torch.log1p(torch.exp(-x)), x - torch.log1p(torch.exp(x)))

    near = log_sigmoid((center * context).sum(dim=-1))
    far = log_sigmoid(-(negatives * center[:, None]).sum(dim=-1)).sum(dim=1)
    return -(near + far).mean()


altered(
    SGNS, "negatives_of_the_context", "plain",
    {"far = F.logsigmoid((negatives * center[:, None])": "far = F.logsigmoid(-(negatives * context[:, None])"},
    stage="values",
    diagnosis="The negatives are compared with the context's vector; they are drawn against the center.",
    next_step="Both parts are dot products with center.",
)

altered(
    SGNS, "axes_meet_wrongly", "plain",
    {
        "far = F.logsigmoid((negatives * center[:, None]).sum(dim=-":
            "far = F.logsigmoid(-(negatives * center).sum(dim=-",
    },
    stage=("raises", "values"),
    diagnosis="center is multiplied with negatives without an axis for K: that fails, or, where N equals K, pairs centers "
    "with other rows' negatives.",
    next_step="Give center an axis: `center[:, None, :]` is (N, 1, d).",
)

altered(
    SGNS, "all_negatives_for_all", "plain",
    {
        "logsigmoid((negatives * center[:, None]).sum(dim=-1))":
            "logsigmoid(-(center @ negatives.reshape(-1, center.shape[1]).T))",
    },
    stage="values",
    diagnosis="Each center meets the negatives of all pairs; each pair has K of its own.",
    next_step="Multiply row by row: `negatives[n]` belongs to `center[n]`.",
)


@mistake(
    SGNS, "cosines", stage="values",
    diagnosis="The scores are cosines; asked for are dot products.",
    next_step="Leave the normalisation out.",
)
def sgns_loss(center, context, negatives):
    near = F.logsigmoid(F.cosine_similarity(center, context, dim=-1))
    far = F.logsigmoid(-F.cosine_similarity(negatives, center[:, None], dim=-1)).sum(dim=1)
    return -(near + far).mean()


@mistake(
    SGNS, "softmax_over_the_drawn", stage="values",
    diagnosis="This is a softmax over context and negatives; asked for are K + 1 separate yes-or-no questions.",
    next_step="Take a log-sigmoid of each score, and add them.",
)
def sgns_loss(center, context, negatives):
    near = (center * context).sum(dim=-1, keepdim=True)
    far = (negatives * center[:, None]).sum(dim=-1)
    scores = torch.cat([near, far], dim=1)
    return F.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long))


altered(
    SGNS, "score_of_the_sum", "plain",
    {"(negatives * center[:, None]).sum(dim=-1)).sum(dim=1": "-(negatives * center[:, None]).sum(dim=(1, 2))"},
    stage="values",
    diagnosis="The negatives' scores are added before the log-sigmoid; it is taken of each of them.",
    next_step="Log-sigmoid first, then the sum over K.",
)


@mistake(
    SGNS, "one_for_each_pair", stage="shape",
    diagnosis="There is one loss for each pair; asked for is their mean.",
    next_step="Take the mean over N at the end.",
)
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum(dim=-1))
    far = F.logsigmoid(-(negatives * center[:, None]).sum(dim=-1)).sum(dim=1)
    return -(near + far)


@mistake(
    SGNS, "a_number", stage="type",
    diagnosis="The loss is a Python number: there is nothing to go backward through.",
    next_step="Return the 0-d tensor itself, without `.item()`.",
)
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum(dim=-1))
    far = F.logsigmoid(-(negatives * center[:, None]).sum(dim=-1)).sum(dim=1)
    return -(near + far).mean().item()


altered(
    SGNS, "negatives_detached", "plain",
    {"far = F.logsigmoid((negatives * center[:,": "far = F.logsigmoid(-(negatives.detach() * center[:,"},
    stage="property",
    diagnosis="No gradient reaches the negatives: the drawn words never move away.",
    next_step="Leave `detach` out: the negatives' vectors learn too.",
)


@mistake(
    SGNS, "squeezed", stage=("raises", "values"),
    diagnosis="`squeeze()` also drops the axis of a single pair or a single negative.",
    next_step="Name the axis: `squeeze(2)`, or sum over the last axis instead of `bmm`.",
)
def sgns_loss(center, context, negatives):
    near = F.logsigmoid((center * context).sum(dim=-1))
    far = torch.bmm(negatives, center.unsqueeze(2)).squeeze()
    return -(near + F.logsigmoid(-far).sum(dim=1)).mean()


@mistake(
    SGNS, "float32_inside", stage="values",
    diagnosis="The vectors are rounded to float32 on the way: the loss is float64, and its digits are not.",
    next_step="Leave the type alone: no `.float()`.",
)
def sgns_loss(center, context, negatives):
    v, u, n = center.float(), context.float(), negatives.float()
    near = F.logsigmoid((v * u).sum(dim=1))
    far = F.logsigmoid(-torch.einsum("nkd,nd->nk", n, v)).sum(dim=1)
    return -(near + far).mean().to(center.dtype)


@right_form(SGNS, "softplus_and_einsum")
def sgns_loss(center, context, negatives):
    near = torch.einsum("nd,nd->n", center, context)
    far = torch.einsum("nkd,nd->nk", negatives, center)
    return (F.softplus(-near) + F.softplus(far).sum(-1)).sum() / len(center)


@right_form(SGNS, "binary_cross_entropy")
def sgns_loss(center, context, negatives):
    scores = torch.matmul(torch.cat([context[:, None], negatives], dim=1), center.unsqueeze(-1)).squeeze(-1)
    labels = torch.zeros_like(scores)
    labels[:, 0] = 1
    return F.binary_cross_entropy_with_logits(scores, labels, reduction="sum") / scores.shape[0]


@right_form(SGNS, "loops")
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


@right_form(SGNS, "logaddexp_in_float64")
def sgns_loss(center, context, negatives):
    v = center.double()
    near = (v * context.double()).sum(1)
    far = (negatives.double() * v.unsqueeze(1)).sum(2)
    zero = torch.zeros((), dtype=torch.float64)
    return (torch.logaddexp(zero, -near) + torch.logaddexp(zero, far).sum(1)).mean().to(center.dtype)


@right_form(SGNS, "signed_scores")
def sgns_loss(center, context, negatives):
    everything = torch.cat([context.unsqueeze(1), -negatives], dim=1)
    return -F.logsigmoid((everything @ center.unsqueeze(2)).squeeze(2)).sum(dim=1).mean(dim=0)


@mistake(
    SGNS, "twice_the_slope_at_0", stage="values",
    diagnosis="Where a score is exactly 0, as with context vectors that begin as zeros, the gradient is twice what it should "
    "be: `clamp` has the slope 1 there, and `abs` the slope 0.",
    next_step="Use `F.softplus` or `F.logsigmoid`: both are exact for large scores, and smooth at 0.",
)
def sgns_loss(center, context, negatives):
    def cost(x):
        return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))

    near = -(center * context).sum(dim=1)
    far = (negatives * center[:, None, :]).sum(dim=2)
    return cost(near).mean() + cost(far).sum(dim=1).mean()


@mistake(
    SGNS, "one_negative_squeezed", stage="values",
    diagnosis="With one negative a pair, `squeeze()` takes their axis away as well, and the sum goes over the pairs.",
    next_step="Say which axis: `squeeze(-1)`, or sum over the axis of the negatives, `sum(dim=1)`.",
)
def sgns_loss(center, context, negatives):
    positive = F.logsigmoid((center * context).sum(-1))
    negative = F.logsigmoid(-torch.bmm(negatives, center[:, :, None]).squeeze()).sum(-1)
    return -(positive + negative).mean()


@right_form(SGNS, "all_words_in_one_tensor")
def sgns_loss(center, context, negatives):
    words = torch.cat([-context[:, None], negatives], dim=1)  # (N, 1 + K, d)
    scores = torch.einsum("nkd,nd->nk", words, center)
    return torch.logaddexp(scores, torch.zeros_like(scores)).sum() / len(center)


@mistake(
    SGNS, "no_slope_at_0", stage="values",
    diagnosis="Where a score is exactly 0, as with context vectors that begin as zeros, no gradient arrives: `relu` and `abs` "
    "both have the slope 0 there, and the logarithm hangs on `abs`.",
    next_step="Use `F.softplus` or `F.logsigmoid`: both are exact for large scores, and smooth at 0.",
)
def sgns_loss(center, context, negatives):
    def cost(x):
        return F.relu(x) + torch.log1p(torch.exp(-x.abs()))

    near = -(center * context).sum(dim=1)
    far = (negatives * center[:, None, :]).sum(dim=2)
    return (cost(near) + cost(far).sum(dim=1)).mean()


@right_form(SGNS, "two_cases_for_the_exponential")
def sgns_loss(center, context, negatives):
    def cost(x):
        return torch.where(x > 0, x + torch.log1p(torch.exp(-x.clamp(min=0))), torch.log1p(torch.exp(x.clamp(max=0))))

    near = -(center * context).sum(dim=1)
    far = (negatives * center[:, None, :]).sum(dim=2)
    return (cost(near) + cost(far).sum(dim=1)).mean()
