"""Wrong answers to 02.count_labels by name, and unusual right ones."""

from collections import Counter

import numpy as np

from grader.course_source.catalogue import altered, base, mistake, right_form, survivor


@base("plain")
def count_labels(labels, size):
    if ((labels < 0) | (labels >= size)).any():
        raise ValueError("a label out of range")
    return np.bincount(labels, minlength=size)


altered(
    "02.count_labels", "only_those_that_occur", "plain", {", minlength=size": ""}, stage="shape",
    diagnosis="The result ends at the largest label that occurs; labels behind it have a count too, 0.",
    next_step="Give `minlength=size`.",
)

altered(
    "02.count_labels", "shares", "plain", {"minlength=size)": "minlength=size) / max(len(labels), 1)"}, stage="dtype",
    diagnosis="These are shares, not counts.",
    next_step="Leave the division out: asked for is how often, as whole numbers.",
)

altered(
    "02.count_labels", "label_too_large", "plain", {" | (labels >= size)": ""}, stage="property",
    diagnosis="A label of `size` or more is let through.",
    next_step="The largest label is size - 1: test both ends of the range.",
)

altered(
    "02.count_labels", "one_too_far", "plain", {"labels >= size": "labels > size"}, stage="property",
    diagnosis="The label `size` is let through: labels begin at 0, so the last one is size - 1.",
    next_step="Write `labels >= size`.",
)


@mistake(
    "02.count_labels", "assigned_once", stage="values",
    diagnosis="`counts[labels] += 1` adds 1 once for each label, however often it stands in the list.",
    next_step="Use `np.add.at(counts, labels, 1)` or `np.bincount`.",
)
def count_labels(labels, size):
    if ((labels < 0) | (labels >= size)).any():
        raise ValueError("a label out of range")
    counts = np.zeros(size, dtype=np.int64)
    counts[labels] += 1
    return counts


@mistake(
    "02.count_labels", "negative_label", stage="property",
    diagnosis="A negative label counts from the end: it is taken for one of the last labels.",
    next_step="Test for labels below 0 too: an index of -1 is no mistake to numpy.",
)
def count_labels(labels, size):
    if (labels >= size).any():
        raise ValueError("a label out of range")
    counts = np.zeros(size, dtype=np.int64)
    np.add.at(counts, labels, 1)
    return counts


@mistake(
    "02.count_labels", "floating_counts", stage="dtype",
    diagnosis="The counts are floating numbers: `np.zeros` makes float64 unless it is told otherwise.",
    next_step="Write `np.zeros(size, dtype=np.int64)`.",
)
def count_labels(labels, size):
    if len(labels) and (labels.min() < 0 or labels.max() >= size):
        raise ValueError("a label out of range")
    counts = np.zeros(size)
    np.add.at(counts, labels, 1)
    return counts


@right_form("02.count_labels", "loop")
def count_labels(labels, size):
    counts = np.zeros(size, dtype=np.int64)
    for label in labels.tolist():
        if label < 0 or label >= size:
            raise ValueError(label)
        counts[label] += 1
    return counts


@right_form("02.count_labels", "comparison")
def count_labels(labels, size):
    if len(labels) and not (labels.min() >= 0 and labels.max() < size):
        raise ValueError("a label out of range")
    return (labels[:, None] == np.arange(size)).sum(axis=0)


@right_form("02.count_labels", "counter")
def count_labels(labels, size):
    counts = Counter(labels.tolist())
    if set(counts) - set(range(size)):
        raise ValueError("a label out of range")
    return np.array([counts[label] for label in range(size)], dtype=np.int64)


survivor(
    "02.count_labels", ("(labels < 0) | (labels >= size) → labels >= size", "0 → -1"),
    "np.bincount itself raises ValueError for a negative label.",
)
