"""The right answer to 01.column_means."""

import numpy as np


def column_means(table: np.ndarray) -> np.ndarray:
    """Give the mean of each column.

    table    (n, d) array of numbers; it is not modified
    returns  (d,) float64 array. Raises ValueError when the table has no rows

    >>> column_means(np.array([[1.0, 10.0], [3.0, 30.0]]))
    array([ 2., 20.])
    """
    if len(table) == 0:
        raise ValueError("a table without rows has no means")
    return table.mean(axis=0)
