"""Wrong answers to sgns_loss by name: of what the sigmoid is taken."""

import torch
import torch.nn.functional as F

from grader.course_source.catalogue import mistake

SGNS = "04.sgns_loss"


@mistake(
    SGNS, "one_minus_the_sigmoid", stage="not finite",
    diagnosis="1 - sigmoid(score) is exactly 0 for a large score, and its log is infinite.",
    next_step="1 - sigmoid(x) is sigmoid(-x): `F.logsigmoid(-score)` stays finite.",
)
def sgns_loss(center, context, negatives):
    near = (center * context).sum(dim=1)
    far = torch.einsum("nd,nkd->nk", center, negatives)
    return -(F.logsigmoid(near) + torch.log(1 - torch.sigmoid(far)).sum(dim=1)).mean()


@mistake(
    SGNS, "every_pair_of_the_batch", stage="values",
    diagnosis="`center @ context.T` compares each center with all contexts of the batch; only its own is a true neighbour.",
    next_step="Multiply row by row and add: `(center * context).sum(dim=1)`.",
)
def sgns_loss(center, context, negatives):
    near = center @ context.T
    far = torch.einsum("nd,nkd->nk", center, negatives)
    return -(F.logsigmoid(near).mean() + F.logsigmoid(-far).sum(dim=1).mean())


@mistake(
    SGNS, "sigmoid_of_each_product", stage="values",
    diagnosis="The log-sigmoid is taken of each of the d products; it is taken of their sum, the score.",
    next_step="First the dot product, then the log-sigmoid.",
)
def sgns_loss(center, context, negatives):
    near = F.logsigmoid(center * context).sum(dim=1)
    far = F.logsigmoid(-(center[:, None] * negatives)).sum(dim=(1, 2))
    return -(near + far).mean()
