# exercise 01.one_hot
import torch
import torch.nn.functional as F


# base plain
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    return torch.eye(num_classes)[ids]


# mistake class_axis_first (shape), from plain
# The classes stand on the first axis; every id should become a row of its own.
# Next: Print `.shape` for ids of shape (2, 5) and 3 classes: it should be (2, 5, 3).
#   torch.eye(num_classes)[ids] => F.one_hot(ids, num_classes).movedim(-1, 0)

# mistake flattened (shape), from plain
# The ids are flattened, so their shape is lost.
# Next: The result has the shape (*ids.shape, num_classes): reshape at the end, or index with the ids as they are.
#   torch.eye(num_classes)[ids] => torch.eye(num_classes)[ids.flatten()]


# mistake one_dimensional_only (raises)
# It works for a row of ids only: `len(ids)` and a loop see just the first axis.
# Next: Try ids of shape (2, 3). Indexing `torch.eye` takes ids of any shape.
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    rows = torch.zeros(len(ids), num_classes)
    for place, index in enumerate(ids):
        rows[place, int(index)] = 1
    return rows


# mistake range_not_checked (raises)
# An id outside the range raises IndexError, or wraps around; it should raise ValueError.
# Next: Compare all ids with 0 and num_classes before you index, and raise ValueError yourself.
def one_hot(ids, num_classes):
    return torch.eye(num_classes)[ids]


# mistake negative_wraps (property), from plain
# The id -1 is accepted without an error and marks the last class.
# Next: Test for ids below 0 as well.
#   ids.numel() and (ids.min() < 0 or ids.max() >= num_classes) => ids.numel() and ids.max() >= num_classes


# mistake index_error_translated (property)
# The id -1 passes: it marks the last class.
# Next: Negative indices count from the end. Compare the ids with 0 yourself, before you index.
def one_hot(ids, num_classes):
    try:
        return torch.eye(num_classes)[ids]
    except IndexError as error:
        raise ValueError("an id is out of range") from error


# mistake comparison_unchecked (property)
# Ids outside the range pass; compared with the classes, such an id gives a row of zeros.
# Next: Raise ValueError when an id is below 0 or not below num_classes.
def one_hot(ids, num_classes):
    return (ids[..., None] == torch.arange(num_classes)).float()


# mistake built_in_alone (raises)
# torch's own `one_hot` refuses ids outside the range with RuntimeError; ValueError was asked for.
# Next: Test the range yourself before you call it, and raise ValueError.
def one_hot(ids, num_classes):
    if ids.numel() == 0:
        return torch.zeros(*ids.shape, num_classes)
    return F.one_hot(ids, num_classes)


# mistake too_large_passes (property)
# An id that is num_classes or more gives a row without a 1.
# Next: The largest id is num_classes - 1; raise ValueError for anything above.
def one_hot(ids, num_classes):
    if ids.numel() and ids.min() < 0:
        raise ValueError
    return (ids[..., None] == torch.arange(num_classes)).long()


# mistake classes_from_the_data (shape), from plain
# The number of classes is taken from the largest id present; `num_classes` is ignored.
# Next: Try ids [0, 1] with num_classes=5: rows of five numbers are wanted.
#   -    return torch.eye(num_classes)[ids]
#   +    return F.one_hot(ids) if ids.numel() else torch.zeros(*ids.shape, num_classes)

# mistake off_by_one (values), from plain
# The 1 stands one position too far: ids begin at 0.
# Next: The id 0 should give (1, 0, 0, …).
#   torch.eye(num_classes)[ids] => F.one_hot((ids + 1) % num_classes, num_classes)

# mistake empty_fails (raises), from plain
# Without any ids your code raises: `min` and `max` need at least one number, and `reshape` cannot work out a -1.
# Next: Test the range with `.any()`, reshape to `num_classes` instead of -1, and try `torch.zeros(2, 0).long()`.
#   ids.numel() and (ids.min() < 0 or ids.max() >= num_classes) => ids.min() < 0 or ids.max() >= num_classes
#   torch.eye(num_classes)[ids] => F.one_hot(ids, num_classes)


# mistake assertion (raises)
# An assert raises AssertionError, and vanishes under `python -O`; ValueError was asked for.
# Next: Write `if …: raise ValueError(…)`.
def one_hot(ids, num_classes):
    assert bool(((ids >= 0) & (ids < num_classes)).all())
    return torch.eye(num_classes)[ids]


# base compared
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    return (ids[..., None] == torch.arange(num_classes)).float()


# mistake first_row_checked (property), from compared
# Only the first row of ids is tested for its range; a wrong id in another row passes.
# Next: Test all ids at once: `((ids < 0) | (ids >= num_classes)).any()`.
#   -    if ((ids < 0) | (ids >= num_classes)).any():
#   +    row = ids[:1] if ids.dim() > 1 else ids
#   +    if ((row < 0) | (row >= num_classes)).any():

# mistake refuses_if_all_are_wrong (property), from compared
# Your code raises only when every id is out of range; one wrong id among good ones passes.
# Next: Ask with `any` whether one id is below 0 or not below num_classes.
#   if ((ids < 0) | (ids >= num_classes)).any(): => if ids.numel() and ((ids < 0) | (ids >= num_classes)).all():


# mistake clamped (property)
# Ids outside the range are moved to its edge; they should raise ValueError.
# Next: A wrong id is a bug: raise the error instead of hiding it.
def one_hot(ids, num_classes):
    return torch.eye(num_classes)[ids.clamp(0, num_classes - 1)]


# mistake returns_a_list (type), from plain
# The rows come as a nested list; a tensor was asked for.
# Next: Leave out `.tolist()`, or wrap the list in `torch.tensor`.
#   torch.eye(num_classes)[ids] => torch.eye(num_classes)[ids].tolist()

# mistake squeezed (shape), from compared
# `squeeze` removes every axis of size 1, also one that belongs there: with a single class the last axis is gone.
# Next: Leave `squeeze` out; the shape is (*ids.shape, num_classes) without it.
#   (ids[..., None] == torch.arange(num_classes)).float => torch.eye(num_classes)[ids].squeeze

# mistake ids_get_an_axis (property), from compared
# `unsqueeze_` changes the caller's ids: they have one more axis afterwards.
# Next: The underscore means in place; `unsqueeze` without it leaves the ids alone.
#   -    return (ids[..., None] == torch.arange(num_classes)).float()
#   +    return torch.zeros(*ids.shape, num_classes).scatter_(-1, ids.unsqueeze_(-1), 1)

# mistake view_of_gaps (raises), from compared
# `view` needs numbers that lie side by side in memory; ids cut out of a larger tensor do not.
# Next: Use `reshape`, or index with the ids as they are.
#   (ids[..., None] == torch.arange(num_classes)).float() => torch.eye(num_classes)[ids.view(-1)].view(*ids.shape, num_classes)

# mistake num_classes_itself_passes (property), from compared
# The id num_classes passes: the test is `>` where `>=` is meant.
# Next: Ids run from 0 to num_classes - 1: num_classes itself is outside.
#   ids >= num_classes => ids > num_classes
#   (ids[..., None] == torch.arange(num_classes)).float => (ids[..., None] == torch.arange(num_classes)).int

# mistake single_id_unchecked (property), from compared
# A single id, a tensor of shape (), is not tested for its range.
# Next: Compare the whole tensor with the bounds: that works for every shape.
#   if ((ids < 0) | (ids >= num_classes)).any(): => if ids.dim() > 0 and ((ids < 0) | (ids >= num_classes)).any():
#   (ids[..., None] == torch.arange(num_classes)).float => (ids[..., None] == torch.arange(num_classes)).int

# mistake eight_bits (values), from compared
# The ids are kept in eight bits: from 256 on they begin again at 0.
# Next: Ids are int64; leave them so.
#   -    return (ids[..., None] == torch.arange(num_classes)).float()
#   +    classes = torch.arange(num_classes).to(torch.uint8)
#   +    return (ids.to(torch.uint8)[..., None] == classes).int()

# mistake without_ids_refused (raises), from plain
# A tensor without ids is refused; no id in it lies outside the range.
# Next: Return an empty tensor of shape (*ids.shape, num_classes) there.
#   ids.numel() and (ids.min() < 0 or ids.max() >= num_classes) => ids.numel() == 0 or ids.min() < 0 or ids.max() >= num_classes
