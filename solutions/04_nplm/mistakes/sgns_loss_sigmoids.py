# exercise 04.sgns_loss
"""Wrong answers to sgns_loss by name: of what the sigmoid is taken."""

import torch
import torch.nn.functional as F


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
