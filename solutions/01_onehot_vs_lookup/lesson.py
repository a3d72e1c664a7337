# %% [markdown] key="title"
# # 01

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

# %% [markdown] exercise="01.build_vocab"
# a

# %% [markdown] exercise="01.encode_sentence"
# a

# %% [markdown] exercise="01.one_hot"
# a

# %% [markdown] exercise="01.embed_by_matmul"
# a

# %% [markdown] exercise="01.embed_by_lookup"
# a
