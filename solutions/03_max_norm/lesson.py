# %% [markdown] key="title"
# # 03 · max_norm

# %% key="imports" given=true
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from embedding_course import check

# %% [markdown] exercise="03.renorm_rows"
# a

# %% [markdown] exercise="03.lookup_with_max_norm_"
# b

# %% [markdown] exercise="03.grad_after_lookup"
# c

# %% [markdown] exercise="03.tied_scores"
# d

# %% [markdown] exercise="03.norm_trace"
# e
