# %% [markdown] key="title"
# # 02 · Choosing and counting
#
# **How does an array pick from another one?**
#
# Ten thousand labels are no picture; three counts are. And of ten thousand rows one wants the nearest. Both are one line of
# numpy, and both have a wrong line that looks almost the same.
#
# **Afterwards you can**
# - count labels, also those that do not occur;
# - find the nearest row of a table for many queries at once.
#
# **{minutes}.** Builds on notebook 01: which axis goes.

# %% key="setup"

# %% key="imports" given=true
import numpy as np
from numpy_basics import predict, progress, reveal

# %% [markdown] key="same-place"
# ## 1 · The same place twice
#
# What does `counts[labels] += 1` do where a label stands in `labels` twice?

# %% key="predict-twice"
predict("02-twice", "labels are [2, 2, 2]. What is counts[2] afterwards, when it was 0 before?", guess=None)

# %% key="twice"
counts = np.zeros(4, dtype=np.int64)
counts[np.array([2, 2, 2])] += 1
print(counts)
reveal("02-twice", int(counts[2]), within=0)

# %% [markdown] key="twice-why"
# The right side is computed first, for all three at once: each of them is 0 + 1. Then 1 is written into the same place three
# times.

# %% [markdown] exercise="02.count_labels"
# Count the labels. Those that do not occur have the count 0, and a label that there is not raises ValueError.

# %% [markdown] key="near"
# ## 2 · What is near
#
# A query of shape (q, d) and a table of shape (n, d) have no shape in common. With an axis of size 1 put in, (q, 1, d) and
# (1, n, d), each query meets each row: the difference has the shape (q, n, d).

# %% key="near-shapes"
queries, table = np.zeros((2, 3)), np.ones((5, 3))
(queries[:, None, :] - table[None, :, :]).shape

# %% [markdown] exercise="02.nearest_rows"
# Give for each query the position of the row at the least Euclidean distance.

# %% [markdown] key="why-not-products" reflection=2
# ## 3 · In your own words
#
# Why can the row with the largest product `queries @ table.T` be another one than the nearest row? One or two sentences, with an
# example. (2 points: one for the length of a row, one for an example.)

# %% [markdown] key="why-not-products-model" model_answer=true
# A product grows with the length of the row. For the query (1, 0), the row (10, 10) has the product 10 and the row (1, 0) the
# product 1, but the second one is at distance 0.

# %% key="progress"
progress()
