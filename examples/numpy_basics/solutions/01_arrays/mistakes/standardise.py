# exercise 01.standardise
"""Wrong answers to 01.standardise by name, and unusual right ones."""

import numpy as np


# base plain
def standardise(table):
    centred = table - table.mean(axis=0)
    spread = table.std(axis=0)
    return centred / np.where(spread == 0, 1.0, spread)


# mistake divided_by_n_minus_1 (values), from plain
# The squares are divided by n - 1; here the standard deviation is that of the rows at hand, divided by n.
# Next: Leave `ddof` out.
#   table.std(axis=0) => table.std(axis=0, ddof=min(1, len(table) - 1))

# mistake variance (values), from plain
# The columns are divided by their variance: the root is missing.
# Next: Take the root of the variance, or `table.std(axis=0)`.
#   table.std => table.var

# mistake one_spread (values), from plain
# All columns are divided by one number, the standard deviation of the whole table.
# Next: Give the axis: each column has a standard deviation of its own.
#   table.std(axis=0) => table.std()

# mistake not_centred (values), from plain
# The columns still have their means: nothing was taken from them.
# Next: Subtract `column_means(table)` before you divide.
#   table - table.mean(axis=0) => table

# mistake only_centred (values), from plain
# The columns have mean 0, but their own standard deviations still.
# Next: Divide each column by its standard deviation.
#   centred / np.where(spread == 0, 1.0, spread) => centred

# mistake divides_by_zero (not finite), from plain
# A column that does not vary is divided by 0, which gives nan.
# Next: Divide by 1 where the standard deviation is 0.
#   np.where(spread == 0, 1.0, spread) => spread


# mistake in_place (property)
# `-=` and `/=` write into the table that belongs to the caller.
# Next: Write `table = table - ...`, which makes a new array.
def standardise(table):
    spread = table.std(axis=0)
    spread[spread == 0] = 1
    table -= table.mean(axis=0)
    table /= spread
    return table


# right form own_means
def standardise(table):
    means = column_means(table)
    spread = np.array([np.sqrt(np.mean((table[:, place] - means[place]) ** 2)) for place in range(table.shape[1])])
    spread[spread == 0] = 1
    return (table - means) / spread


# right form divide_where
def standardise(table):
    centred = table - table.mean(axis=0, keepdims=True)
    spread = table.std(axis=0, keepdims=True)
    return np.divide(centred, spread, out=np.zeros_like(table), where=spread > 0)


# right form column_by_column
def standardise(table):
    out = np.empty(table.shape)
    for place, column in enumerate(table.T):
        centred = column - column.sum() / len(column)
        length = (centred @ centred / len(column)) ** 0.5
        out[:, place] = centred / length if length else 0.0
    return out


# survivor 1.0 → 3.0
# Where the deviation is 0 the column is 0 already, whatever it is divided by.
