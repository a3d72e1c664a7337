# exercise 01.moving_average
"""Wrong answers to 01.moving_average by name, and unusual right ones."""

import numpy as np


# base convolved
def moving_average(values, width):
    if width < 1 or width > len(values):
        raise ValueError("no such window")
    return np.convolve(values, np.ones(width), mode="valid") / width


# mistake same_length (shape), from convolved
# There are as many windows as values: those at the ends reach beyond them.
# Next: Use `mode="valid"`, which keeps the windows that lie within the values.
#   "valid" => "same"

# mistake full_length (shape), from convolved
# Windows that begin before the values and end behind them are counted too.
# Next: Use `mode="valid"`, which keeps the windows that lie within the values.
#   "valid" => "full"

# mistake sums (values), from convolved
# These are the sums of the windows, not their means.
# Next: Divide by `width`.
#   np.convolve(values, np.ones(width), mode="valid") / width => np.convolve(values, np.ones(width), mode="valid")


# base by_slices
def moving_average(values, width):
    if not 1 <= width <= len(values):
        raise ValueError("no such window")
    return np.array([values[start : start + width].mean() for start in range(len(values) - width + 1)])


# mistake last_window_missing (shape), from by_slices
# The last window is missing: there are n - width + 1 of them.
# Next: Where does the last window begin? At n - width, and `range` leaves its end out.
#   len(values) - width + 1 => len(values) - width

# mistake one_too_wide (values), from by_slices
# Each window holds a value too many: a slice leaves out its end already.
# Next: values[start : start + width] has width entries.
#   start + width => start + width + 1

# mistake side_by_side (shape), from by_slices
# The windows lie side by side; each should begin one value after the one before.
# Next: Let the windows overlap: `range(len(values) - width + 1)`.
#   len(values) - width + 1 => 0, len(values) - width + 1, width


# mistake any_width (property)
# A width that fits no window gives something; it should raise ValueError.
# Next: Test `1 <= width <= len(values)` first.
def moving_average(values, width):
    return np.array([values[start : start + width].sum() / max(width, 1) for start in range(len(values) - width + 1)])


# right form running_sums
def moving_average(values, width):
    if not 1 <= width <= len(values):
        raise ValueError("no such window")
    sums = np.concatenate([[0.0], np.cumsum(values)])
    return (sums[width:] - sums[:-width]) / width


# right form added_slices
def moving_average(values, width):
    many = len(values) - width + 1
    if width < 1 or many < 1:
        raise ValueError("no such window")
    return sum(values[place : place + many] for place in range(width)) / width


# right form list_of_means
def moving_average(values, width):
    numbers = values.tolist()
    if width <= 0 or width > len(numbers):
        raise ValueError(width)
    return np.array([sum(numbers[at : at + width]) / width for at in range(len(numbers) - width + 1)])
