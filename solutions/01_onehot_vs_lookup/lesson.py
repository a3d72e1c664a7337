# %% [markdown] key="title"
# # 01 · One-hot and lookup

# %% key="imports" given=true
import torch
from embedding_course import check

# %% [markdown] exercise="01.one_hot"
# Make one-hot vectors.
