"""The right answer to 01.moving_average."""

import numpy as np


def moving_average(values: np.ndarray, width: int) -> np.ndarray:
    """Give the mean of each window of neighbouring values.

    values   (n,) float64 array; it is not modified
    width    how many values a window holds
    returns  (n - width + 1,) float64 array: the mean of values[0:width], of values[1:width + 1], …
             Raises ValueError when width is below 1 or above n

    >>> moving_average(np.array([1.0, 2.0, 6.0]), 2)
    array([1.5, 4. ])
    """
    if not 1 <= width <= len(values):
        raise ValueError(f"a window of {width} in {len(values)} values")
    windows = np.lib.stride_tricks.sliding_window_view(values, width)
    return windows.mean(axis=1)
