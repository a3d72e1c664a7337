# exercise 02.count_labels
"""Wrong answers to 02.count_labels by name, and unusual right ones."""

from collections import Counter

import numpy as np


# base plain
def count_labels(labels, size):
    if ((labels < 0) | (labels >= size)).any():
        raise ValueError("a label out of range")
    return np.bincount(labels, minlength=size)


# mistake only_those_that_occur (shape), from plain
# The result ends at the largest label that occurs; labels behind it have a count too, 0.
# Next: Give `minlength=size`.
#   labels, minlength=size => labels

# mistake shares (dtype), from plain
# These are shares, not counts.
# Next: Leave the division out: asked for is how often, as whole numbers.
#   np.bincount(labels, minlength=size) => np.bincount(labels, minlength=size) / max(len(labels), 1)

# mistake label_too_large (property), from plain
# A label of `size` or more is let through.
# Next: The largest label is size - 1: test both ends of the range.
#   ((labels < 0) | (labels >= size)).any => ((labels < 0)).any

# mistake one_too_far (property), from plain
# The label `size` is let through: labels begin at 0, so the last one is size - 1.
# Next: Write `labels >= size`.
#   labels >= size => labels > size


# mistake assigned_once (values)
# `counts[labels] += 1` adds 1 once for each label, however often it stands in the list.
# Next: Use `np.add.at(counts, labels, 1)` or `np.bincount`.
def count_labels(labels, size):
    if ((labels < 0) | (labels >= size)).any():
        raise ValueError("a label out of range")
    counts = np.zeros(size, dtype=np.int64)
    counts[labels] += 1
    return counts


# mistake negative_label (property), from assigned_once
# A negative label counts from the end: it is taken for one of the last labels.
# Next: Test for labels below 0 too: an index of -1 is no mistake to numpy.
#   (labels < 0) | (labels >= size) => labels >= size
#   counts[labels] += 1 => np.add.at(counts, labels, 1)

# mistake floating_counts (dtype), from assigned_once
# The counts are floating numbers: `np.zeros` makes float64 unless it is told otherwise.
# Next: Write `np.zeros(size, dtype=np.int64)`.
#   ((labels < 0) | (labels >= size)).any() => len(labels) and (labels.min() < 0 or labels.max() >= size)
#   size, dtype=np.int64 => size
#   counts[labels] += 1 => np.add.at(counts, labels, 1)


# right form loop
def count_labels(labels, size):
    counts = np.zeros(size, dtype=np.int64)
    for label in labels.tolist():
        if label < 0 or label >= size:
            raise ValueError(label)
        counts[label] += 1
    return counts


# right form comparison
def count_labels(labels, size):
    if len(labels) and not (labels.min() >= 0 and labels.max() < size):
        raise ValueError("a label out of range")
    return (labels[:, None] == np.arange(size)).sum(axis=0)


# right form counter
def count_labels(labels, size):
    counts = Counter(labels.tolist())
    if set(counts) - set(range(size)):
        raise ValueError("a label out of range")
    return np.array([counts[label] for label in range(size)], dtype=np.int64)


# survivor (labels < 0) | (labels >= size) → labels >= size
# survivor 0 → -1
# np.bincount itself raises ValueError for a negative label.
