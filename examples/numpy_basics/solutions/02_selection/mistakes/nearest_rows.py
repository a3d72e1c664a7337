"""Wrong answers to 02.nearest_rows by name, and unusual right ones."""

import numpy as np

from grader.course_source.catalogue import altered, base, mistake, right_form


@base("plain")
def nearest_rows(queries, table):
    gaps = queries[:, None, :] - table[None, :, :]
    return (gaps**2).sum(axis=2).argmin(axis=1)


altered(
    "02.nearest_rows", "farthest", "plain", {"argmin": "argmax"}, stage="values",
    diagnosis="These are the farthest rows.",
    next_step="The least distance is wanted: `argmin`.",
)

altered(
    "02.nearest_rows", "query_for_each_row", "plain", {"argmin(axis=1)": "argmin(axis=0)"}, stage=("values", "shape"),
    diagnosis="For each row of the table this gives the nearest query; asked for is the other way round.",
    next_step="Print the shape of the distances: (q, n). The axis of the rows is the second.",
)

altered(
    "02.nearest_rows", "distances", "plain", {".argmin(axis=1)": ".min(axis=1)"}, stage="dtype",
    diagnosis="These are the least squared distances; asked for is where they stand.",
    next_step="`argmin` gives the position of the least entry.",
)

altered(
    "02.nearest_rows", "signed_gaps", "plain", {"(gaps**2).sum": "gaps.sum"}, stage="values",
    diagnosis="The gaps are added with their signs, so that they cancel.",
    next_step="Square each gap before you add.",
)

altered(
    "02.nearest_rows", "one_best", "plain", {"argmin(axis=1)": "argmin()"}, stage="type",
    diagnosis="This is one position in the whole table of distances; each query needs its own.",
    next_step="Say over which axis: `argmin(axis=1)`.",
)


@mistake(
    "02.nearest_rows", "largest_product", stage="values",
    diagnosis="The largest product belongs to a long row as much as to a near one.",
    next_step="Compute distances: the square of the gap, added over the last axis.",
)
def nearest_rows(queries, table):
    return (queries @ table.T).argmax(axis=1)


@right_form("02.nearest_rows", "loop")
def nearest_rows(queries, table):
    found = [int(np.argmin([np.linalg.norm(query - row) for row in table])) for query in queries]
    return np.array(found, dtype=np.int64)


@right_form("02.nearest_rows", "multiplied_out")
def nearest_rows(queries, table):
    return ((table**2).sum(axis=1) - 2 * queries @ table.T).argmin(axis=1)


@right_form("02.nearest_rows", "norms")
def nearest_rows(queries, table):
    return np.linalg.norm(queries[:, np.newaxis] - table, axis=-1).argsort(axis=-1)[:, 0]
