"""The right answer to 02.count_labels."""

import numpy as np


def count_labels(labels: np.ndarray, size: int) -> np.ndarray:
    """Count how often each label occurs.

    labels   (n,) int64 array of labels from 0 to size - 1; it is not modified
    size     how many labels there are
    returns  (size,) int64 array. Raises ValueError when a label lies outside 0 ... size - 1

    >>> count_labels(np.array([2, 0, 2]), 4)
    array([1, 0, 2, 0])
    """
    if ((labels < 0) | (labels >= size)).any():
        raise ValueError("a label out of range")
    return np.bincount(labels, minlength=size)
