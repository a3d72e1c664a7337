"""Wrong answers to 01.moving_average by name, and unusual right ones."""

import numpy as np

from grader.course_source.catalogue import altered, base, mistake, right_form


@base("convolved")
def moving_average(values, width):
    if width < 1 or width > len(values):
        raise ValueError("no such window")
    return np.convolve(values, np.ones(width), mode="valid") / width


altered(
    "01.moving_average", "same_length", "convolved", {'mode="valid"': 'mode="same"'}, stage="shape",
    diagnosis="There are as many windows as values: those at the ends reach beyond them.",
    next_step="Use `mode=\"valid\"`, which keeps the windows that lie within the values.",
)

altered(
    "01.moving_average", "full_length", "convolved", {'mode="valid"': 'mode="full"'}, stage="shape",
    diagnosis="Windows that begin before the values and end behind them are counted too.",
    next_step="Use `mode=\"valid\"`, which keeps the windows that lie within the values.",
)

altered(
    "01.moving_average", "sums", "convolved", {" / width": ""}, stage="values",
    diagnosis="These are the sums of the windows, not their means.",
    next_step="Divide by `width`.",
)


@base("by_slices")
def moving_average(values, width):
    if not 1 <= width <= len(values):
        raise ValueError("no such window")
    return np.array([values[start : start + width].mean() for start in range(len(values) - width + 1)])


altered(
    "01.moving_average", "last_window_missing", "by_slices", {"len(values) - width + 1": "len(values) - width"}, stage="shape",
    diagnosis="The last window is missing: there are n - width + 1 of them.",
    next_step="Where does the last window begin? At n - width, and `range` leaves its end out.",
)

altered(
    "01.moving_average", "one_too_wide", "by_slices", {"start : start + width]": "start : start + width + 1]"}, stage="values",
    diagnosis="Each window holds a value too many: a slice leaves out its end already.",
    next_step="values[start : start + width] has width entries.",
)

altered(
    "01.moving_average", "side_by_side", "by_slices",
    {"range(len(values) - width + 1)": "range(0, len(values) - width + 1, width)"}, stage="shape",
    diagnosis="The windows lie side by side; each should begin one value after the one before.",
    next_step="Let the windows overlap: `range(len(values) - width + 1)`.",
)


@mistake(
    "01.moving_average", "any_width", stage="property",
    diagnosis="A width that fits no window gives something; it should raise ValueError.",
    next_step="Test `1 <= width <= len(values)` first.",
)
def moving_average(values, width):
    return np.array([values[start : start + width].sum() / max(width, 1) for start in range(len(values) - width + 1)])


@right_form("01.moving_average", "running_sums")
def moving_average(values, width):
    if not 1 <= width <= len(values):
        raise ValueError("no such window")
    sums = np.concatenate([[0.0], np.cumsum(values)])
    return (sums[width:] - sums[:-width]) / width


@right_form("01.moving_average", "added_slices")
def moving_average(values, width):
    many = len(values) - width + 1
    if width < 1 or many < 1:
        raise ValueError("no such window")
    return sum(values[place : place + many] for place in range(width)) / width


@right_form("01.moving_average", "list_of_means")
def moving_average(values, width):
    numbers = values.tolist()
    if width <= 0 or width > len(numbers):
        raise ValueError(width)
    return np.array([sum(numbers[at : at + width]) / width for at in range(len(numbers) - width + 1)])
