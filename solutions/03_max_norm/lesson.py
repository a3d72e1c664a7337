# %% [markdown] key="title"
# # 03 · max_norm
#
# **What does clipping a row do to its gradient?**
#
# `nn.Embedding` has an argument that looks harmless: `max_norm=1.0`. It promises that no word's vector gets longer than that. In
# this notebook you find out what it writes, when it writes it, and what gradient comes back.
#
# **Afterwards you can**
# - say which rows a lookup with `max_norm` changes, in which mode, and by how much;
# - write it yourself, for any `norm_type`;
# - predict the gradient that PyTorch leaves behind, and name the two it does not take;
# - read a trace of row norms along a training run.
#
# **About 60 minutes.** Builds on notebook 02: which rows of a table a gradient reaches.

# %% key="setup"

# %% key="imports" given=true
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from embedding_course import check, hint, predict, progress, reveal, waiting_for

# %% key="figures"
from embedding_course.demo.growing_norms import new_run
from embedding_course.plot import max_norm as pictures
from embedding_course.plot import norm_lines

# %% [markdown] key="five-rows"
# ## 1 · Five rows, and a lookup
#
# Here is a table of five words, three numbers each. The length of a row is its 2-norm, $\sqrt{x_1^2+x_2^2+x_3^2}$.

# %% key="five-rows-table"
W = torch.tensor([[.3367, .1288, .2345], [.2303, -1.1229, -.1863], [2.2082, -.6380, .4617],
                  [.2674, .5349, .8094], [1.1103, -1.6898, -.9890]])
W.norm(dim=1)

# %% [markdown] key="five-rows-question"
# Two rows are longer than 1.5. Now words 2 and 3 are looked up in a table with `max_norm=1.5`.

# %% key="predict-rows"
predict("03-rows-changed", "How many of the five rows are different afterwards?", guess=None)

# %% key="five-rows-lookup"
embedding = nn.Embedding(5, 3, max_norm=1.5, _weight=W.clone())
embedding(torch.tensor([2, 3]))
changed = (embedding.weight != W).any(dim=1)
print(embedding.weight.data, changed, sep="\n")
reveal("03-rows-changed", int(changed.sum()), within=0)

# %% [markdown] key="five-rows-answer"
# One. Row 2 was too long and became (1.4128, -.4082, .2954). Row 3 was looked up and short enough: it stays, it is **not
# stretched**. Row 4 is too long as well, but nobody asked for it. Look it up, and it becomes (.7399, -1.1261, -.6591):

# %% key="five-rows-both"
embedding(torch.tensor([4]))
embedding.weight.data[[2, 4]], embedding.weight.norm(dim=1)

# %% [markdown] key="arrows-text"
# The same in two dimensions, so that it can be seen. Rows 0, 1 and 2 are looked up (orange).

# %% key="arrows"
table = torch.tensor([[2.0, 1.0], [0.4, 0.6], [-1.5, 1.6], [1.7, -1.2], [-0.8, -0.3], [-0.9, -1.9]])
clipped = nn.Embedding(6, 2, max_norm=1.0, _weight=table.clone())
clipped(torch.tensor([0, 1, 2]))
pictures.clipping(table, clipped.weight.detach(), [0, 1, 2], max_norm=1.0)

# %% [markdown] key="arrows-lesson"
# Three things to read off: **only rows that were looked up** move; they move **along their own direction**; a row inside the
# circle stays where it is. Grey rows 3 and 5 stick out and nobody minds, until their next lookup.

# %% [markdown] exercise="03.renorm_rows"
# Write the clipping itself, for a whole table and without touching it: each row that is longer than `max_norm` is scaled down
# to that length.

# %% [markdown] key="balls-text"
# ### What “long” means
#
# `norm_type` chooses the yardstick: 1 adds up absolute values, 2 is the usual length, `inf` takes the largest absolute value.

# %% key="predict-balls"
predict("03-which-norm", "Under which norm_type (1, 2 or inf) is the row (1.5, 0.9) shortened most?", guess=None)

# %% key="balls"
pictures.norm_balls()
reveal("03-which-norm", 1)

# %% [markdown] exercise="03.lookup_with_max_norm_"
# Now the lookup with its side effect. It changes `weight` in place, as PyTorch does, and only the rows that were asked for.

# %% [markdown] key="writes"
# ## 2 · A lookup that writes
#
# Reading from a table is a write. That is unusual enough to try it where one would least expect it.

# %% key="predict-eval"
predict("03-eval-writes", "model.eval() and torch.no_grad(): does a lookup still change the table? (yes / no)", guess=None)

# %% key="eval-writes"
table = nn.Embedding(3, 2, max_norm=1.0, _weight=torch.full((3, 2), 3.0)).eval()
with torch.no_grad():
    table(torch.tensor([1]))
print(table.weight.norm(dim=1))
reveal("03-eval-writes", "yes" if table.weight[1].norm() < 2 else "no")

# %% [markdown] key="bug-exact"
# ### Find the bug: “the clipped norm is exactly max_norm”
#
# A note on `max_norm` says so, and prints the norms .4300 and 1.0063 for rows 0 and 3 of our table. Both sentences are nearly
# right. The norms are .43005 and 1.006354: cut off, not rounded. And PyTorch divides by (norm + 0.0000001), so that a
# row of zeros cannot divide by zero. In float32 that disappears in rounding. In float64, or for tiny norms, it shows:

# %% key="exact"
for dtype, size in ((torch.float32, 3.0), (torch.float64, 3.0), (torch.float64, 3e-6)):
    row = nn.Embedding(1, 2, max_norm=size / 3, _weight=torch.tensor([[0.6 * size, 0.8 * size]], dtype=dtype))
    reached = row(torch.tensor([0])).norm().item()
    print(f"{dtype!s:14} norm {size:<8g} clipped to max_norm × {reached / (size / 3):.9f}")

# %% [markdown] key="gradient-question"
# ## 3 · Which gradient?
#
# Take a single row (3, 4) with `max_norm=1`. The lookup returns (0.6, 0.8). The loss is the sum of squares, so its gradient at
# a point $e$ is $2e$. Three answers look reasonable for `weight.grad`:
#
# - **at the unclipped row**: 2·(3, 4) = (6, 8), since that is what stood in the table;
# - **through the norm**: the loss of the clipped row is 1 whatever the row's length, so the gradient is (0, 0);
# - **at the clipped row**: 2·(0.6, 0.8) = (1.2, 1.6), as if the clipping had happened before anything began.

# %% key="predict-gradient"
predict("03-gradient", "The first number of weight.grad: 6, 0 or 1.2?", guess=None)

# %% key="gradient"
one = nn.Embedding(1, 2, max_norm=1.0, _weight=torch.tensor([[3.0, 4.0]]))
one(torch.tensor([0])).square().sum().backward()
print(one.weight.grad)
reveal("03-gradient", one.weight.grad[0, 0].item())

# %% key="gradient-picture"
pictures.gradients_at_a_clipped_row([3.0, 4.0], max_norm=1.0)

# %% [markdown] key="gradient-lesson"
# Clipping is not part of the graph. It happens to the table, under `no_grad`, before the lookup; the backward pass then starts
# from the row that is there *now*. That is cheap, and it means that the gradient may push a row outward again and again,
# only to have it cut at its next lookup.

# %% [markdown] exercise="03.grad_after_lookup"
# Give the gradient that PyTorch would leave in `weight.grad`, without asking autograd for it.

# %% [markdown] key="pitfall"
# ## 4 · The pitfall: using the table before the lookup
#
# Some models use the table twice: once to look words up, once to score them (“tied” weights). Autograd remembers the table as it
# was at its first use. If a lookup then writes into it, the memory is no longer true.

# %% key="pitfall-error"
tied = nn.Embedding(4, 3, max_norm=0.5)
used_first = tied.weight.square().sum()
try:
    (used_first + tied(torch.tensor([1])).sum()).backward()
except RuntimeError as error:
    print(str(error).split(".")[0] + ".")

# %% [markdown] key="pitfall-fix"
# Two ways out. **Look up first**, so that the write is over before anybody remembers the table. Or use a **clone** for the other
# purpose, so that what is remembered is not what is written:

# %% key="pitfall-clone"
used_first = tied.weight.clone().square().sum()
(used_first + tied(torch.tensor([1])).sum()).backward()
tied.weight.grad.shape

# %% [markdown] exercise="03.tied_scores"
# Average the vectors of a sentence and score every word of the vocabulary against that average, with one table for both.

# %% [markdown] key="training"
# ## 5 · What it does to training
#
# A small experiment: 30 words, frequent ones seen often (word r in proportion to 1/r). Each batch asks the vectors to
# point the right way. The classes can be separated, so the loss is never satisfied, and rows grow and grow.

# %% key="predict-longest"
predict("03-longest", "200 steps, max_norm=2: how long is the longest row after the last step?", guess=None)

# %% key="torch-traces"
traces = {}
for name, ceiling in (("without max_norm", None), ("max_norm = 2", 2.0)):
    run, rows = new_run(ceiling), []
    for batch in run.batches:
        run.optimizer.zero_grad()
        run.loss_fn(run.embedding(batch)).backward()
        run.optimizer.step()
        rows.append(run.embedding.weight.detach().norm(dim=1))
    traces[name] = torch.stack(rows)

# %% key="traces-figure"
norm_lines.row_norms(traces, 2.0, "Lengths of 30 rows over 200 steps: without max_norm frequent words grow longest, rare ones "
                                  "least; with max_norm 2 the frequent ones stay at the dashed line, a little above it.")
reveal("03-longest", traces["max_norm = 2"][-1].max().item(), within=0.01)

# %% [markdown] key="traces-lesson"
# The rows end a little **above** the ceiling. The clip comes with the lookup, the optimizer's step comes after it: between two
# lookups nothing holds a row down. Frequent words hit the ceiling first, rare ones may never meet it. So `max_norm` takes
# word frequency out of the lengths, which is what people mostly want from it.

# %% [markdown] key="bug-exploding"
# ### Find the bug: “max_norm prevents exploding gradients”
#
# It bounds *weights*. Let us multiply the loss by a growing factor and look at the largest entry of the gradient.

# %% key="exploding"
for factor in (1, 1_000, 1_000_000):
    bounded = nn.Embedding(4, 3, max_norm=1.0)
    (factor * bounded(torch.arange(4)).sum()).backward()
    print(f"loss × {factor:>9,}   longest row {bounded.weight.norm(dim=1).max():.2f}   largest gradient {bounded.weight.grad.max():,.0f}")

# %% [markdown] key="bug-exploding-answer"
# The rows obey, the gradient does as it likes. Against exploding gradients there is `torch.nn.utils.clip_grad_norm_`, which
# is another tool with nearly the same name.

# %% [markdown] exercise="03.norm_trace"
# Write the instrument that drew the figure: train, and note every row's length after each step.

# %% [markdown] key="momentum"
# ### With memory in the optimizer
#
# Momentum and Adam remember where a row was going, and know nothing of the clip. A row may be pushed well past
# the ceiling in every step in which it is *not* looked up. Change `momentum` and watch the last number.

# %% key="momentum-run" edit=true
momentum = 0.9
run = new_run(max_norm=2.0)
run.optimizer = torch.optim.SGD(run.embedding.parameters(), lr=1.0, momentum=momentum)
with waiting_for("norm_trace"):
    longest = norm_trace(run.embedding, run.optimizer, run.batches, run.loss_fn).max()
    print(f"momentum {momentum}: the longest row along the way had length {longest:.2f}")

# %% [markdown] key="reflection" reflection=3
# ## 6 · In your own words (3 points, graded by a person)
#
# A colleague trains word vectors with `max_norm=1.0` and reports: “All vectors of my saved table lie in the unit ball, and evaluating
# the model twice gave the same numbers.” Which of the two statements would you trust, and what would you check?
#
# *What earns points: (1) why rows of a saved table may be longer than 1; (1) what an evaluation in eval mode does to the table, and
# whether it can change later results; (1) one concrete check, in a line of code or two.*

# %% [markdown] key="reflection-model" model_answer=true
# Neither without looking. After the last optimizer step rows may stand above the ceiling, and rows that were never looked up since
# (or at all) were never clipped. Evaluation writes: the lookups of the first evaluation clip rows. The same lookups then return the
# same vectors, so that evaluation repeats; but whatever reads `weight` itself (nearest neighbours, tied scores) may differ before
# and after. Check: `embedding.weight.norm(dim=1).max()` and `torch.equal(before, embedding.weight)` around the evaluation.

# %% [markdown] key="card-text"
# ## 7 · Your card
#
# Both runs again, this time measured by **your** `norm_trace`. If it looks like the figure above, you built the instrument.

# %% key="card"
with waiting_for("norm_trace"):
    free, held = new_run(), new_run(max_norm=2.0)
    mine = [norm_trace(one.embedding, one.optimizer, one.batches, one.loss_fn) for one in (free, held)]
    norm_lines.card(mine[0].detach(), mine[1].detach(), 2.0)

# %% key="progress"
progress()
