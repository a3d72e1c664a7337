# %% [markdown] key="title"
# # 01 · Arrays and axes
#
# **Which axis does a sum run over?**
#
# A table of three measurements of two quantities has the shape (3, 2): three rows, two columns. A sum over it may give one
# number, two, or three. In this notebook you find out which, and you put columns of different units on one scale.
#
# **Afterwards you can**
# - say what `axis=0` leaves of a shape;
# - take the mean of each column, and of nothing;
# - put columns on one scale without writing into somebody else's table.
#
# **{minutes}.** Builds on nothing but Python.

# %% key="setup"

# %% key="imports" given=true
import numpy as np
from numpy_basics import predict, progress, reveal

# %% [markdown] key="three-rows"
# ## 1 · Three rows, two columns
#
# Here are the height in metres and the weight in grams of three cats.

# %% key="three-rows-table"
cats = np.array([[0.25, 4000.0], [0.24, 3500.0], [0.29, 5100.0]])
cats.shape

# %% key="predict-sum"
predict("01-sum", "How many numbers does cats.sum(axis=0) give?", guess=None)

# %% key="sum-over-rows"
print(cats.sum(axis=0), cats.sum(axis=1))
reveal("01-sum", cats.sum(axis=0).size, within=0)

# %% [markdown] key="axis-that-goes"
# The axis that is named is the one that goes: `axis=0` has size 3, and (3, 2) becomes (2,). The sum runs down the rows.

# %% [markdown] exercise="01.column_means"
# Write the mean of each column. A table without rows has none: say so by a ValueError.

# %% [markdown] key="one-scale"
# ## 2 · One scale
#
# The two columns above cannot be compared: one cat differs from another by 0.05 in the first and by 1600 in the second. After
# each column has lost its mean and has been divided by its standard deviation, both are of one size.

# %% [markdown] exercise="01.standardise"
# Write it. Your `column_means` helps; the table itself stays as it is.

# %% [markdown] exercise="01.moving_average" further=true
# A window of `width` neighbours moves along a list of values. Write the mean of each window that lies within the list.

# %% key="progress"
progress()
