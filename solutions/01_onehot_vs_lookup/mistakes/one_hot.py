"""Wrong answers to one_hot by name."""

import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake


@base("plain")
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    return torch.eye(num_classes)[ids].tolist()


altered(
    "01.one_hot", "class_axis_first", "plain",
    {"torch.eye(num_classes)[ids].tolist()": "F.one_hot(ids, num_classes).movedim(-1, 0)"},
    stage="shape",
    diagnosis="The classes stand on the first axis; every id should become a row of its own.",
    next_step="Print `.shape` for ids of shape (2, 5) and 3 classes: it should be (2, 5, 3).",
)

altered(
    "01.one_hot", "flattened", "plain", {"[ids].tolist()": "[ids.flatten()]"}, stage="shape",
    diagnosis="The ids are flattened, so their shape is lost.",
    next_step="The result has the shape (*ids.shape, num_classes): reshape at the end, or index with the ids as they are.",
)


@mistake(
    "01.one_hot", "one_dimensional_only", stage="raises",
    diagnosis="It works for a row of ids only: `len(ids)` and a loop see just the first axis.",
    next_step="Try ids of shape (2, 3). Indexing `torch.eye` takes ids of any shape.",
)
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    rows = torch.zeros(len(ids), num_classes)
    for place, index in enumerate(ids):
        rows[place, int(index)] = 1
    return rows


@mistake(
    "01.one_hot", "range_not_checked", stage="raises",
    diagnosis="An id outside the range raises IndexError, or wraps around; it should raise ValueError.",
    next_step="Compare all ids with 0 and num_classes before you index, and raise ValueError yourself.",
)
def one_hot(ids, num_classes):
    return torch.eye(num_classes)[ids]


altered(
    "01.one_hot", "negative_wraps", "plain",
    {"(ids.min() < 0 or ids.max() >= num_classes)": "ids.max() >= num_classes", ".tolist()": ""},
    stage="property",
    diagnosis="The id -1 is accepted without an error and marks the last class.",
    next_step="Test for ids below 0 as well.",
)


@mistake(
    "01.one_hot", "index_error_translated", stage="property",
    diagnosis="The id -1 passes: it marks the last class.",
    next_step="Negative indices count from the end. Compare the ids with 0 yourself, before you index.",
)
def one_hot(ids, num_classes):
    try:
        return torch.eye(num_classes)[ids]
    except IndexError as error:
        raise ValueError("an id is out of range") from error


@mistake(
    "01.one_hot", "comparison_unchecked", stage="property",
    diagnosis="Ids outside the range pass; compared with the classes, such an id gives a row of zeros.",
    next_step="Raise ValueError when an id is below 0 or not below num_classes.",
)
def one_hot(ids, num_classes):
    return (ids[..., None] == torch.arange(num_classes)).float()


@mistake(
    "01.one_hot", "built_in_alone", stage="raises",
    diagnosis="torch's own `one_hot` refuses ids outside the range with RuntimeError; ValueError was asked for.",
    next_step="Test the range yourself before you call it, and raise ValueError.",
)
def one_hot(ids, num_classes):
    if ids.numel() == 0:
        return torch.zeros(*ids.shape, num_classes)
    return F.one_hot(ids, num_classes)


@mistake(
    "01.one_hot", "too_large_passes", stage="property",
    diagnosis="An id that is num_classes or more gives a row without a 1.",
    next_step="The largest id is num_classes - 1; raise ValueError for anything above.",
)
def one_hot(ids, num_classes):
    if ids.numel() and ids.min() < 0:
        raise ValueError
    return (ids[..., None] == torch.arange(num_classes)).long()


altered(
    "01.one_hot", "classes_from_the_data", "plain",
    {
        "torch.eye(num_classes)[ids].tolist()":
            "F.one_hot(ids) if ids.numel() else torch.zeros(*ids.shape, num_classes)",
    },
    stage="shape",
    diagnosis="The number of classes is taken from the largest id present; `num_classes` is ignored.",
    next_step="Try ids [0, 1] with num_classes=5: rows of five numbers are wanted.",
)

altered(
    "01.one_hot", "off_by_one", "plain",
    {"torch.eye(num_classes)[ids].tolist()": "F.one_hot((ids + 1) % num_classes, num_classes)"},
    stage="values",
    diagnosis="The 1 stands one position too far: ids begin at 0.",
    next_step="The id 0 should give (1, 0, 0, …).",
)


@mistake(
    "01.one_hot", "empty_fails", stage="raises",
    diagnosis="Without any ids it raises: `min` and `max` have nothing to look at, and -1 in a reshape nothing to divide.",
    next_step="Ask for the range with `.any()`, reshape to `num_classes` instead of -1, and try `torch.zeros(2, 0).long()`.",
)
def one_hot(ids, num_classes):
    if ids.min() < 0 or ids.max() >= num_classes:
        raise ValueError
    return F.one_hot(ids, num_classes)


@mistake(
    "01.one_hot", "assertion", stage="raises",
    diagnosis="An assert raises AssertionError, and vanishes under `python -O`; ValueError was asked for.",
    next_step="Write `if …: raise ValueError(…)`.",
)
def one_hot(ids, num_classes):
    assert bool(((ids >= 0) & (ids < num_classes)).all())
    return torch.eye(num_classes)[ids]


@mistake(
    "01.one_hot", "first_row_checked", stage="property",
    diagnosis="Only the first row of ids is tested for its range; a wrong id in another row passes.",
    next_step="Test all ids at once: `((ids < 0) | (ids >= num_classes)).any()`.",
)
def one_hot(ids, num_classes):
    row = ids[:1] if ids.dim() > 1 else ids
    if ((row < 0) | (row >= num_classes)).any():
        raise ValueError
    return (ids[..., None] == torch.arange(num_classes)).float()


@mistake(
    "01.one_hot", "refuses_if_all_are_wrong", stage="property",
    diagnosis="It refuses only when every id is out of range; one wrong id among good ones passes.",
    next_step="Ask with `any` whether one id is below 0 or not below num_classes.",
)
def one_hot(ids, num_classes):
    if ids.numel() and ((ids < 0) | (ids >= num_classes)).all():
        raise ValueError
    return (ids[..., None] == torch.arange(num_classes)).float()


@mistake(
    "01.one_hot", "clamped", stage="property",
    diagnosis="Ids outside the range are moved to its edge; they should raise ValueError.",
    next_step="A wrong id is somebody's bug: say so instead of hiding it.",
)
def one_hot(ids, num_classes):
    return torch.eye(num_classes)[ids.clamp(0, num_classes - 1)]


@mistake(
    "01.one_hot", "returns_a_list", stage="type",
    diagnosis="The rows come as a nested list; a tensor was asked for.",
    next_step="Leave out `.tolist()`, or wrap the list in `torch.tensor`.",
)
def one_hot(ids, num_classes):
    if ids.numel() and (ids.min() < 0 or ids.max() >= num_classes):
        raise ValueError
    return torch.eye(num_classes)[ids].tolist()


@mistake(
    "01.one_hot", "squeezed", stage="shape",
    diagnosis="`squeeze` removes every axis of size 1, also one that belongs there: with a single class the last axis is gone.",
    next_step="Leave `squeeze` out; the shape is (*ids.shape, num_classes) without it.",
)
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    return torch.eye(num_classes)[ids].squeeze()


@mistake(
    "01.one_hot", "ids_get_an_axis", stage="property",
    diagnosis="`unsqueeze_` changes the caller's ids: they have one more axis afterwards.",
    next_step="The underscore means in place; `unsqueeze` without it leaves the ids alone.",
)
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    return torch.zeros(*ids.shape, num_classes).scatter_(-1, ids.unsqueeze_(-1), 1)


@mistake(
    "01.one_hot", "view_of_gaps", stage="raises",
    diagnosis="`view` needs numbers that lie side by side in memory; ids cut out of a larger tensor do not.",
    next_step="Use `reshape`, or index with the ids as they are.",
)
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    return torch.eye(num_classes)[ids.view(-1)].view(*ids.shape, num_classes)


@mistake(
    "01.one_hot", "num_classes_itself_passes", stage="property",
    diagnosis="The id num_classes passes: the test is `>` where `>=` is meant.",
    next_step="Ids run from 0 to num_classes - 1: num_classes itself is outside.",
)
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids > num_classes)).any():
        raise ValueError
    return (ids[..., None] == torch.arange(num_classes)).int()


@mistake(
    "01.one_hot", "single_id_unchecked", stage="property",
    diagnosis="A single id, a tensor of shape (), is not tested for its range.",
    next_step="Compare the whole tensor with the bounds: that works for every shape.",
)
def one_hot(ids, num_classes):
    if ids.dim() > 0 and ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    return (ids[..., None] == torch.arange(num_classes)).int()


@mistake(
    "01.one_hot", "eight_bits", stage="values",
    diagnosis="The ids are kept in eight bits: from 256 on they begin again at 0.",
    next_step="Ids are int64; leave them so.",
)
def one_hot(ids, num_classes):
    if ((ids < 0) | (ids >= num_classes)).any():
        raise ValueError
    classes = torch.arange(num_classes).to(torch.uint8)
    return (ids.to(torch.uint8)[..., None] == classes).int()


altered(
    "01.one_hot", "without_ids_refused", "plain",
    {
        "and (ids.min() < 0 or ids.max() >= num_classes)": "== 0 or ids.min() < 0 or ids.max() >= num_classes",
        ".tolist()": "",
    },
    stage="raises",
    diagnosis="A tensor without ids is refused; no id in it lies outside the range.",
    next_step="Return an empty tensor of shape (*ids.shape, num_classes) there.",
)
