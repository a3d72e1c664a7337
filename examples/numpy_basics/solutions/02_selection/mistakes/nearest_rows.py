# exercise 02.nearest_rows
"""Wrong answers to 02.nearest_rows by name, and unusual right ones."""

import numpy as np


# base plain
def nearest_rows(queries, table):
    gaps = queries[:, None, :] - table[None, :, :]
    return (gaps**2).sum(axis=2).argmin(axis=1)


# mistake farthest (values), from plain
# These are the farthest rows.
# Next: The least distance is wanted: `argmin`.
#   (gaps**2).sum(axis=2).argmin => (gaps**2).sum(axis=2).argmax

# mistake query_for_each_row (values, shape), from plain
# For each row of the table this gives the nearest query; asked for is the other way round.
# Next: Print the shape of the distances: (q, n). The axis of the rows is the second.
#   axis=1 => axis=0

# mistake distances (dtype), from plain
# These are the least squared distances; asked for is where they stand.
# Next: `argmin` gives the position of the least entry.
#   (gaps**2).sum(axis=2).argmin => (gaps**2).sum(axis=2).min

# mistake signed_gaps (values), from plain
# The gaps are added with their signs, so that they cancel.
# Next: Square each gap before you add.
#   (gaps**2).sum => gaps.sum

# mistake one_best (type), from plain
# This is one position in the whole table of distances; each query needs its own.
# Next: Say over which axis: `argmin(axis=1)`.
#   (gaps**2).sum(axis=2).argmin(axis=1) => (gaps**2).sum(axis=2).argmin()


# mistake largest_product (values)
# The largest product belongs to a long row as much as to a near one.
# Next: Compute distances: the square of the gap, added over the last axis.
def nearest_rows(queries, table):
    return (queries @ table.T).argmax(axis=1)


# right form loop
def nearest_rows(queries, table):
    found = [int(np.argmin([np.linalg.norm(query - row) for row in table])) for query in queries]
    return np.array(found, dtype=np.int64)


# right form multiplied_out
def nearest_rows(queries, table):
    return ((table**2).sum(axis=1) - 2 * queries @ table.T).argmin(axis=1)


# right form norms
def nearest_rows(queries, table):
    return np.linalg.norm(queries[:, np.newaxis] - table, axis=-1).argsort(axis=-1)[:, 0]
