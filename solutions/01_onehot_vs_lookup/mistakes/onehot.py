"""Wrong answers to notebook 01 by name, and unusual right ones."""

import torch
import torch.nn.functional as F

from grader.catalogue import mistake, right_form


@mistake(
    "01.one_hot",
    "class_axis_first",
    stage="shape",
    diagnosis="The classes stand on the first axis; every id should become a row of its own.",
    next_step="Print `.shape` for ids of shape (2, 5) and 3 classes: it should be (2, 5, 3).",
)
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    return F.one_hot(ids, num_classes).movedim(-1, 0)


@right_form("01.one_hot", "comparison")
def one_hot(ids, num_classes):
    if bool(((ids < 0) | (ids >= num_classes)).any()):
        raise ValueError("out of range")
    return ids[..., None] == torch.arange(num_classes)
