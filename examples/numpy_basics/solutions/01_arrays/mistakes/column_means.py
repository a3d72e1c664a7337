"""Wrong answers to 01.column_means by name, and unusual right ones."""

import math

import numpy as np

from grader.course_source.catalogue import altered, base, mistake, right_form


@base("plain")
def column_means(table):
    if len(table) == 0:
        raise ValueError("no rows")
    return table.sum(axis=0) / len(table)


altered(
    "01.column_means", "row_means", "plain", {"table.sum(axis=0) / len(table)": "table.mean(axis=1)"},
    stage=("values", "shape"),
    diagnosis="These are the means of the rows.",
    next_step="`axis=0` is the one that disappears: a sum over it runs down the rows and leaves one number for each column.",
)

altered(
    "01.column_means", "one_mean", "plain", {"table.sum(axis=0) / len(table)": "table.mean()"}, stage="type",
    diagnosis="This is one mean over all numbers; asked for is one for each column.",
    next_step="Say over which axis: `table.mean(axis=0)`.",
)

altered(
    "01.column_means", "sums", "plain", {" / len(table)": ""}, stage="values",
    diagnosis="These are the sums of the columns, not their means.",
    next_step="Divide by the number of rows.",
)

altered(
    "01.column_means", "divided_by_columns", "plain", {"/ len(table)": "/ table.shape[1]"}, stage="values",
    diagnosis="The sums are divided by the number of columns; each sum has as many terms as there are rows.",
    next_step="`table.shape` is (rows, columns): divide by its first number.",
)

altered(
    "01.column_means", "whole_numbers", "plain", {"sum(axis=0) / len(table)": "sum(axis=0) // len(table)"}, stage="values",
    diagnosis="`//` rounds every mean down.",
    next_step="Divide with `/`.",
)

altered(
    "01.column_means", "kept_axis", "plain", {"table.sum(axis=0) / len(table)": "table.mean(axis=0, keepdims=True)"},
    stage="shape",
    diagnosis="The result has the shape (1, d): an axis of size 1 is left over.",
    next_step="Leave `keepdims` out, or take the first row of the result.",
)


@mistake(
    "01.column_means", "mean_of_nothing", stage="property",
    diagnosis="A table without rows gives nan: the mean of nothing.",
    next_step="Test `len(table) == 0` first, and raise ValueError there.",
)
def column_means(table):
    return table.mean(axis=0)


@right_form("01.column_means", "loop")
def column_means(table):
    if table.shape[0] < 1:
        raise ValueError("no rows")
    found = []
    for column in range(table.shape[1]):
        found.append(math.fsum(float(value) for value in table[:, column]) / table.shape[0])
    return np.array(found)


@right_form("01.column_means", "matrix_product")
def column_means(table):
    if not len(table):
        raise ValueError
    return np.full(len(table), 1 / len(table)) @ table


@right_form("01.column_means", "transposed")
def column_means(table):
    if table.size == 0:
        raise ValueError("nothing to average")
    return np.average(table.T, axis=-1)
