"""The right answer to 01.standardise."""

import numpy as np


def standardise(table: np.ndarray) -> np.ndarray:
    """Put each column on one scale: mean 0, standard deviation 1.

    table    (n, d) float64 array with n ≥ 1; it is not modified
    returns  (n, d) float64 array. A column that does not vary becomes 0

    The standard deviation is the root of the mean of the squared distances from the mean (divided by n, not by n - 1).

    >>> standardise(np.array([[1.0, 5.0], [3.0, 5.0]]))
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    centred = table - column_means(table)
    spread = np.sqrt((centred**2).mean(axis=0))
    return centred / np.where(spread == 0, 1.0, spread)
