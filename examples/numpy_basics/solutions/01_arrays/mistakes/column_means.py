# exercise 01.column_means
"""Wrong answers to 01.column_means by name, and unusual right ones."""

import math

import numpy as np


# base plain
def column_means(table):
    if len(table) == 0:
        raise ValueError("no rows")
    return table.sum(axis=0) / len(table)


# mistake row_means (values, shape), from plain
# These are the means of the rows.
# Next: `axis=0` is the one that disappears: a sum over it runs down the rows and leaves one number for each column.
#   table.sum(axis=0) / len(table) => table.mean(axis=1)

# mistake one_mean (type), from plain
# This is one mean over all numbers; asked for is one for each column.
# Next: Say over which axis: `table.mean(axis=0)`.
#   table.sum(axis=0) / len(table) => table.mean()

# mistake sums (values), from plain
# These are the sums of the columns, not their means.
# Next: Divide by the number of rows.
#   table.sum(axis=0) / len(table) => table.sum(axis=0)

# mistake divided_by_columns (values), from plain
# The sums are divided by the number of columns; each sum has as many terms as there are rows.
# Next: `table.shape` is (rows, columns): divide by its first number.
#   table.sum(axis=0) / len(table) => table.sum(axis=0) / table.shape[1]

# mistake whole_numbers (values), from plain
# `//` rounds every mean down.
# Next: Divide with `/`.
#   table.sum(axis=0) / len(table) => table.sum(axis=0) // len(table)

# mistake kept_axis (shape), from plain
# The result has the shape (1, d): an axis of size 1 is left over.
# Next: Leave `keepdims` out, or take the first row of the result.
#   table.sum(axis=0) / len(table) => table.mean(axis=0, keepdims=True)


# mistake mean_of_nothing (property)
# A table without rows gives nan: the mean of nothing.
# Next: Test `len(table) == 0` first, and raise ValueError there.
def column_means(table):
    return table.mean(axis=0)


# right form loop
def column_means(table):
    if table.shape[0] < 1:
        raise ValueError("no rows")
    found = []
    for column in range(table.shape[1]):
        found.append(math.fsum(float(value) for value in table[:, column]) / table.shape[0])
    return np.array(found)


# right form matrix_product
def column_means(table):
    if not len(table):
        raise ValueError
    return np.full(len(table), 1 / len(table)) @ table


# right form transposed
def column_means(table):
    if table.size == 0:
        raise ValueError("nothing to average")
    return np.average(table.T, axis=-1)
