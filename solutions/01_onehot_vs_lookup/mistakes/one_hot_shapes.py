"""Wrong answers to one_hot by name: where the classes lie, and how many rows there are."""

import torch

from grader.course_source.catalogue import mistake


@mistake(
    "01.one_hot", "class_axis_second", stage=("shape", "values"),
    diagnosis="The classes stand on the second axis, as pictures have their channels; here they come last.",
    next_step="Print `.shape` for ids of shape (2, 5) and 3 classes: it should be (2, 5, 3).",
)
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    return torch.stack([(ids == one).float() for one in range(num_classes)], dim=min(1, ids.ndim))


@mistake(
    "01.one_hot", "one_row_for_a_sentence", stage="shape",
    diagnosis="There is one row for each entry of the first axis: all ids of a sentence share it.",
    next_step="Every id gets a row of its own: for ids of shape (2, 5) and 3 classes the result has shape (2, 5, 3).",
)
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    rows = torch.zeros(len(ids), num_classes)
    for place, index in enumerate(ids):
        rows[place, index] = 1
    return rows


@mistake(
    "01.one_hot", "one_row_for_all", stage="shape",
    diagnosis="All ids are marked in one row, which says which of them occur; each id should have a row of its own.",
    next_step="Make (*ids.shape, num_classes) zeros, and write the 1 of each id into its own row.",
)
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    row = torch.zeros(num_classes)
    row[ids] = 1
    return row


@mistake(
    "01.one_hot", "ids_in_place_of_ones", stage="values",
    diagnosis="The id itself stands where the 1 belongs.",
    next_step="Write 1 at the place that the id names: `scatter_(-1, ids[..., None], 1)`.",
)
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    places = ids[..., None]
    return torch.zeros(*ids.shape, num_classes, dtype=ids.dtype).scatter_(-1, places, places)


@mistake(
    "01.one_hot", "error_returned", stage="property",
    diagnosis="The ValueError is returned as if it were a result; it should be raised.",
    next_step="Write `raise ValueError(…)` in place of `return ValueError(…)`.",
)
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        return ValueError(f"ids must lie in 0 ... {num_classes - 1}")
    return torch.eye(num_classes)[ids]


@mistake(
    "01.one_hot", "only_negative_ids_refused", stage="raises",
    diagnosis="Only ids below 0 are tested; one of num_classes or more raises IndexError, not ValueError.",
    next_step="Test both ends of the range: `(ids < 0) | (ids >= num_classes)`.",
)
def one_hot(ids, num_classes):
    if (ids < 0).any():
        raise ValueError
    return torch.eye(num_classes)[ids]
