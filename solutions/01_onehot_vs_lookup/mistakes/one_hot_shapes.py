# exercise 01.one_hot
"""Wrong answers to one_hot by name: where the classes lie, and how many rows there are."""

import torch


# base plain
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    return torch.eye(num_classes)[ids]


# mistake class_axis_second (shape, values), from plain
# The classes stand on the second axis, as pictures have their channels; here they come last.
# Next: Print `.shape` for ids of shape (2, 5) and 3 classes: it should be (2, 5, 3).
#   torch.eye(num_classes)[ids] => torch.stack([(ids == one).float() for one in range(num_classes)], dim=min(1, ids.ndim))


# mistake one_row_for_a_sentence (shape)
# There is one row for each entry of the first axis: all ids of a sentence share it.
# Next: Every id gets a row of its own: for ids of shape (2, 5) and 3 classes the result has shape (2, 5, 3).
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    rows = torch.zeros(len(ids), num_classes)
    for place, index in enumerate(ids):
        rows[place, index] = 1
    return rows


# mistake one_row_for_all (shape), from plain
# All ids are marked in one row, which says which of them occur; each id should have a row of its own.
# Next: Make (*ids.shape, num_classes) zeros, and write the 1 of each id into its own row.
#   -    return torch.eye(num_classes)[ids]
#   +    row = torch.zeros(num_classes)
#   +    row[ids] = 1
#   +    return row

# mistake ids_in_place_of_ones (values), from plain
# The id itself stands where the 1 belongs.
# Next: Write 1 at the place that the id names: `scatter_(-1, ids[..., None], 1)`.
#   -    return torch.eye(num_classes)[ids]
#   +    places = ids[..., None]
#   +    return torch.zeros(*ids.shape, num_classes, dtype=ids.dtype).scatter_(-1, places, places)

# mistake error_returned (property), from plain
# The ValueError is returned as if it were a result; it should be raised.
# Next: Write `raise ValueError(…)` in place of `return ValueError(…)`.
#   raise ValueError => return ValueError(f"ids must lie in 0 ... {num_classes - 1}")

# mistake only_negative_ids_refused (raises), from plain
# Only ids below 0 are tested; one of num_classes or more raises IndexError, not ValueError.
# Next: Test both ends of the range: `(ids < 0) | (ids >= num_classes)`.
#   (ids < 0) | (ids >= num_classes) => ids < 0
