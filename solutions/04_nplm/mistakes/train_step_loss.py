"""Wrong answers to train_step by name: which loss is taken, and of what."""

import torch.nn.functional as F

from grader.course_source.catalogue import mistake

STEP = "04.train_step"


@mistake(
    STEP, "a_loss_of_its_own", stage="values",
    diagnosis="The loss is always the cross-entropy; loss_fn is not called.",
    next_step="Call what is given: `loss_fn(model(x), y)`.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


@mistake(
    STEP, "probabilities_for_the_loss", stage="values",
    diagnosis="The output goes through a softmax before loss_fn sees it; a cross-entropy takes the softmax itself.",
    next_step="Hand the model's output over as it is.",
)
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    optimizer.zero_grad()
    loss = loss_fn(model(x).softmax(dim=-1), y)
    loss.backward()
    optimizer.step()
    return loss.item()
