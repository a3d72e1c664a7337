# %% [markdown] key="title"
# # 11 · A search engine
#
# **How do published models answer what people ask?**
#
# **{minutes}.**

# %% key="setup"

# %% key="imports" given=true
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from embedding_course import case, check, glossary, hint, ledger, predict, progress, reveal, waiting_for

# %% [markdown] exercise="11.bootstrap_difference"
# Write it.

# %% [markdown] exercise="11.bag_of_tokens"
# Write it.

# %% [markdown] exercise="11.translate_names"
# Write it.

# %% [markdown] exercise="11.pairwise_logistic_loss"
# Write it.

# %% [markdown] exercise="11.chunk"
# Write it.

# %% [markdown] key="stop" stop=true
# A place to stop.

# %% key="progress"
progress()
