"""Wrong answers to 01.standardise by name, and unusual right ones."""

import numpy as np

from grader.course_source.catalogue import altered, base, mistake, right_form, survivor


@base("plain")
def standardise(table):
    centred = table - table.mean(axis=0)
    spread = table.std(axis=0)
    return centred / np.where(spread == 0, 1.0, spread)


altered(
    "01.standardise", "divided_by_n_minus_1", "plain", {"table.std(axis=0)": "table.std(axis=0, ddof=min(1, len(table) - 1))"},
    stage="values",
    diagnosis="The squares are divided by n - 1; here the standard deviation is that of the rows at hand, divided by n.",
    next_step="Leave `ddof` out.",
)

altered(
    "01.standardise", "variance", "plain", {"table.std(axis=0)": "table.var(axis=0)"}, stage="values",
    diagnosis="The columns are divided by their variance: the root is missing.",
    next_step="Take the root of the variance, or `table.std(axis=0)`.",
)

altered(
    "01.standardise", "one_spread", "plain", {"table.std(axis=0)": "table.std()"}, stage="values",
    diagnosis="All columns are divided by one number, the standard deviation of the whole table.",
    next_step="Give the axis: each column has a standard deviation of its own.",
)

altered(
    "01.standardise", "not_centred", "plain", {"table - table.mean(axis=0)": "table"}, stage="values",
    diagnosis="The columns still have their means: nothing was taken from them.",
    next_step="Subtract `column_means(table)` before you divide.",
)

altered(
    "01.standardise", "only_centred", "plain", {"centred / np.where(spread == 0, 1.0, spread)": "centred"}, stage="values",
    diagnosis="The columns have mean 0, but their own standard deviations still.",
    next_step="Divide each column by its standard deviation.",
)

altered(
    "01.standardise", "divides_by_zero", "plain", {"np.where(spread == 0, 1.0, spread)": "spread"}, stage="not finite",
    diagnosis="A column that does not vary is divided by 0, which gives nan.",
    next_step="Divide by 1 where the standard deviation is 0.",
)


@mistake(
    "01.standardise", "in_place", stage="property",
    diagnosis="`-=` and `/=` write into the table that belongs to the caller.",
    next_step="Write `table = table - ...`, which makes a new array.",
)
def standardise(table):
    spread = table.std(axis=0)
    spread[spread == 0] = 1
    table -= table.mean(axis=0)
    table /= spread
    return table


@right_form("01.standardise", "own_means")
def standardise(table):
    means = column_means(table)
    spread = np.array([np.sqrt(np.mean((table[:, place] - means[place]) ** 2)) for place in range(table.shape[1])])
    spread[spread == 0] = 1
    return (table - means) / spread


@right_form("01.standardise", "divide_where")
def standardise(table):
    centred = table - table.mean(axis=0, keepdims=True)
    spread = table.std(axis=0, keepdims=True)
    return np.divide(centred, spread, out=np.zeros_like(table), where=spread > 0)


@right_form("01.standardise", "column_by_column")
def standardise(table):
    out = np.empty(table.shape)
    for place, column in enumerate(table.T):
        centred = column - column.sum() / len(column)
        length = (centred @ centred / len(column)) ** 0.5
        out[:, place] = centred / length if length else 0.0
    return out


survivor("01.standardise", "1.0 → 3.0", "Where the deviation is 0 the column is 0 already, whatever it is divided by.")
