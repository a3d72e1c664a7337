# exercise 09.nt_xent
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


# mistake a_view_is_its_own_candidate (values)
# The diagonal stays in: each view is a candidate for itself, with the cosine 1.
# Next: Put -inf on the diagonal of the logits before the softmax.
def nt_xent(z1, z2, temperature):
    views = F.normalize(torch.cat([z1, z2]))
    partners = torch.arange(len(views)).roll(len(z1))
    return F.cross_entropy(views @ views.T / temperature, partners)


# base plain
def nt_xent(z1, z2, temperature):
    views = F.normalize(torch.cat([z1, z2]))
    logits = views @ views.T / temperature
    logits = logits.masked_fill(torch.eye(len(views), dtype=torch.bool), float("-inf"))
    return F.cross_entropy(logits, torch.arange(len(views)).roll(len(z1)))


# mistake diagonal_set_to_0 (values), from plain
# The diagonal's logit is set to 0, which is a cosine like any other: exp(0) = 1 stays in the sum.
# Next: Set it to -inf, whose exp is 0.
#   views @ views.T / temperature => views @ views.T / temperature * (1 - torch.eye(len(views), dtype=z1.dtype))
#   -    logits = logits.masked_fill(torch.eye(len(views), dtype=torch.bool), float("-inf"))


# mistake across_the_views_only (values)
# Views of the first kind are only compared with those of the second, as in CLIP; here all 2N views meet.
# Next: Stack z1 and z2 to (2N, d) and compare all with all.
def nt_xent(z1, z2, temperature):
    logits = F.normalize(z1) @ F.normalize(z2).T / temperature
    pairs = torch.arange(len(z1))
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


# mistake first_views_only (values), from plain
# Only the N views of z1 look for their partner; the loss is a mean over all 2N.
# Next: Take the cross-entropy over all 2N rows.
#   -    return F.cross_entropy(logits, torch.arange(len(views)).roll(len(z1)))
#   +    n = len(z1)
#   +    return F.cross_entropy(logits[:n], torch.arange(n) + n)

# mistake divides_by_n (values), from plain
# The sum over 2N views is divided by N: twice too large.
# Next: There are 2N rows; take their mean.
#   -    return F.cross_entropy(logits, torch.arange(len(views)).roll(len(z1)))
#   +    partners = torch.arange(len(views)).roll(len(z1))
#   +    return F.cross_entropy(logits, partners, reduction="sum") / len(z1)

# mistake sum_over_the_views (values), from plain
# The views' losses are added; the mean was asked for.
# Next: Leave `reduction` at its default.
#   torch.arange(len(views)).roll(len(z1)) => torch.arange(len(views)).roll(len(z1)), reduction="sum"

# mistake neighbours_as_partners (values), from plain
# Rows 0 and 1, 2 and 3, ... are taken for partners; stacked by `cat`, the partner of row i is row i + N.
# Next: Write down the 2N rows for N = 2 and say which belong together.
#   F.cross_entropy(logits, torch.arange(len(views)).roll(len(z1))) => F.cross_entropy(logits, torch.arange(len(views)) ^ 1)

# mistake mirrored_partners (values), from plain
# The anti-diagonal is taken for the partners: row i with row 2N - 1 - i. The partner of row i is row i + N.
# Next: Write down the 2N rows for N = 2 and say which belong together.
#   F.cross_entropy(logits, torch.arange(len(views)).roll(len(z1))) => F.cross_entropy(logits, torch.arange(len(views)).flip(0))


# mistake partner_not_in_the_denominator (values)
# The denominator holds negatives only; the partner belongs to it too.
# Next: Leave out the view itself, and nothing else.
def nt_xent(z1, z2, temperature):
    n = len(z1)
    views = F.normalize(torch.cat([z1, z2]))
    logits = views @ views.T / temperature
    partners = torch.arange(2 * n).roll(n)
    right = logits[torch.arange(2 * n), partners]
    if n == 1:
        return -right.mean()
    out = torch.eye(2 * n, dtype=torch.bool)
    out[torch.arange(2 * n), partners] = True
    return (torch.logsumexp(logits.masked_fill(out, float("-inf")), dim=1) - right).mean()


# mistake multiplies_by_the_temperature (values), from plain
# The cosines are multiplied by the temperature; a low temperature makes logits large, so divide.
# Next: Replace the multiplication by a division.
#   views @ views.T / temperature => views @ views.T * temperature

# mistake temperature_ignored (values), from plain
# The cosines are used as logits; the temperature is never applied.
# Next: Divide the cosines by the temperature before the softmax.
#   -    logits = views @ views.T / temperature
#   logits.masked_fill => (views @ views.T).masked_fill

# mistake not_normalised (values), from plain
# The views are not normalised: these are dot products, not cosines.
# Next: Divide each row by its length first.
#   F.normalize(torch.cat([z1, z2])) => torch.cat([z1, z2])

# mistake normalised_along_the_batch (values), from plain
# The columns are normalised, over the batch; a view's length is taken along its own row.
# Next: Print the lengths of the rows after your normalisation: each should be 1.
#   torch.cat([z1, z2]) => torch.cat([z1, z2]), dim=0


# mistake overflows (not finite)
# exp of a cosine divided by 0.01 is inf in float32.
# Next: `F.cross_entropy` or `torch.logsumexp` of the logits never takes exp of a large number.
def nt_xent(z1, z2, temperature):
    n = len(z1)
    views = F.normalize(torch.cat([z1, z2]))
    powers = (views @ views.T / temperature).exp() * (1 - torch.eye(2 * n, dtype=z1.dtype))
    right = powers[torch.arange(2 * n), torch.arange(2 * n).roll(n)]
    return -(right / powers.sum(dim=1)).log().mean()


# mistake one_maximum_for_all_views (not finite)
# The largest logit of the whole table is subtracted: a view far below it underflows to log(0).
# Next: Subtract each row's own largest logit, or use `F.cross_entropy`.
def nt_xent(z1, z2, temperature):
    n = len(z1)
    views = F.normalize(torch.cat([z1, z2]))
    logits = (views @ views.T / temperature).masked_fill(torch.eye(2 * n, dtype=torch.bool), float("-inf"))
    powers = (logits - logits.max()).exp()
    right = powers[torch.arange(2 * n), torch.arange(2 * n).roll(n)]
    return -(right / powers.sum(dim=1)).log().mean()


# mistake own_cosine_as_the_maximum (not finite)
# 1 / temperature is subtracted from every logit, as the largest there can be: far below it exp underflows.
# Next: Subtract the largest logit that a row really has, or use `F.cross_entropy`.
def nt_xent(z1, z2, temperature):
    n = len(z1)
    views = F.normalize(torch.cat([z1, z2]))
    logits = (views @ views.T - 1) / temperature
    logits = logits.masked_fill(torch.eye(2 * n, dtype=torch.bool), float("-inf"))
    right = logits[torch.arange(2 * n), torch.arange(2 * n).roll(n)]
    return (logits.exp().sum(dim=1).log() - right).mean()


# mistake a_loss_for_each_view (shape), from plain
# One loss for each view comes back; a training step needs one number.
# Next: Take the mean over the 2N views.
#   torch.arange(len(views)).roll(len(z1)) => torch.arange(len(views)).roll(len(z1)), reduction="none"

# mistake always_float32 (dtype), from plain
# float64 views give a float32 loss.
# Next: Leave `.float()` out: work in the type of the views.
#   F.normalize(torch.cat([z1, z2])) => F.normalize(torch.cat([z1, z2]).float())

# mistake a_python_number (type), from plain
# `.item()` makes a plain number, from which no backward pass can start.
# Next: Return the 0-d tensor itself.
#   -    return F.cross_entropy(logits, torch.arange(len(views)).roll(len(z1)))
#   +    return F.cross_entropy(logits, torch.arange(len(views)).roll(len(z1))).item()

# mistake second_view_detached (property), from plain
# The second view is detached, so no gradient reaches it; both views are to learn.
# Next: Remove `detach()`.
#   [z1, z2] => [z1, z2.detach()]

# mistake graph_cut (property), from plain
# The views are detached: nothing could learn from this loss.
# Next: Remove `detach()`, `.data` or `torch.no_grad()`: the loss must carry a graph.
#   [z1, z2] => [z1.data, z2.data]
#   logits = logits.masked_fill(torch.eye(len(views), dtype=torch.bool), float("-inf")) => logits.fill_diagonal_(float("-inf"))

# mistake normalises_in_place (property), from plain
# The caller's views are overwritten with unit vectors.
# Next: Write `z1 = z1 / ...`: a new tensor, not `/=`.
#   -    views = F.normalize(torch.cat([z1, z2]))
#   +    z1 /= z1.norm(dim=1, keepdim=True)
#   +    z2 /= z2.norm(dim=1, keepdim=True)
#   +    views = torch.cat([z1, z2])


# mistake log_of_softmax (not finite)
# softmax first, then the logarithm: the probability of a dissimilar partner is 0 in float32, and log(0) is -inf.
# Next: `F.log_softmax` or `F.cross_entropy` never compute that probability by itself.
def nt_xent(z1, z2, temperature):
    views = F.normalize(torch.cat([z1, z2]))
    logits = (views @ views.T / temperature).masked_fill(torch.eye(len(views), dtype=torch.bool), float("-inf"))
    partners = torch.arange(len(views)).roll(len(z1))
    return -logits.softmax(dim=1)[torch.arange(len(views)), partners].log().mean()


# mistake own_exp_subtracted (not finite)
# Each view's own exp is added and then subtracted: where it is far larger than all others, they are lost in rounding, and the
# logarithm is that of 0.
# Next: Leave the diagonal out before exp is taken: -inf there.
def nt_xent(z1, z2, temperature):
    views = F.normalize(torch.cat([z1, z2]).double())
    logits = views @ views.T / temperature
    powers = logits.exp()
    others = powers.sum(dim=1) - powers.diagonal()
    right = logits[torch.arange(len(views)), torch.arange(len(views)).roll(len(z1))]
    return (others.log() - right).mean().to(z1.dtype)


# right form large_negative_constant_in_place
def nt_xent(z1, z2, temperature):
    n = z1.shape[0]
    views = F.normalize(torch.cat((z1, z2), dim=0), dim=1)
    logits = torch.mm(views, views.t()) / temperature
    logits.fill_diagonal_(-1e9)
    targets = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(logits, targets)


# right form interleaved_views
def nt_xent(z1, z2, temperature):
    n, d = z1.shape
    views = torch.stack([z1, z2], dim=1).reshape(2 * n, d)  # partners are neighbours here
    views = views / views.norm(dim=1, keepdim=True)
    logits = torch.einsum("id,jd->ij", views, views) / temperature - 1e6 * torch.eye(2 * n, dtype=z1.dtype)
    return nn.CrossEntropyLoss()(logits, torch.arange(2 * n) ^ 1)


# right form diagonal_cut_out
def nt_xent(z1, z2, temperature):
    n = len(z1)
    views = torch.cat([z1, z2])
    logits = F.cosine_similarity(views.unsqueeze(1), views.unsqueeze(0), dim=-1) / temperature
    others = ~torch.eye(2 * n, dtype=bool)
    right = torch.cat([logits.diagonal(n), logits.diagonal(-n)])
    return torch.mean(logits[others].view(2 * n, -1).logsumexp(dim=1) - right)


# right form loops
def nt_xent(z1, z2, temperature):
    n, views = len(z1), [*z1, *z2]
    losses = []
    for i in range(2 * n):
        scores = {j: F.cosine_similarity(views[i], views[j], dim=0) / temperature for j in range(2 * n) if j != i}
        losses.append(torch.stack(list(scores.values())).logsumexp(0) - scores[(i + n) % (2 * n)])
    return torch.stack(losses).mean()


# right form float64_inside
def nt_xent(z1, z2, temperature, eps=1e-12):
    n = len(z1)
    views = torch.vstack([z1, z2]).double()
    views = views / views.square().sum(1, keepdim=True).sqrt().clamp(min=eps)
    logits = views @ views.T / temperature
    logits = torch.where(torch.eye(2 * n) > 0, torch.tensor(-torch.inf, dtype=torch.float64), logits)
    logits = logits - logits.detach().amax(1, keepdim=True)
    loss = logits.exp().sum(1).log() - logits[np.arange(2 * n), (np.arange(2 * n) + n) % (2 * n)]
    return loss.mean().to(z1.dtype)


# right form four_blocks
def nt_xent(z1, z2, temperature):
    a, b = F.normalize(z1), F.normalize(z2)
    itself, pairs = torch.eye(len(a), dtype=torch.bool), torch.arange(len(a))
    aa = (a @ a.T / temperature).masked_fill(itself, -torch.inf)
    bb = (b @ b.T / temperature).masked_fill(itself, -torch.inf)
    ab = a @ b.T / temperature
    return (F.cross_entropy(torch.cat([ab, aa], 1), pairs) + F.cross_entropy(torch.cat([ab.T, bb], 1), pairs)) / 2
