# %% [markdown] key="title"
# # 00 · Start here
#
# **Is everything in place, and do you know enough PyTorch?**
#
# A warm-up, and no lesson: it has no points and is never handed in. Eight functions of one line each, on tensors; then
# how predicting, checking, hints and progress work in the eleven notebooks; and what to do when you are stuck. If more
# than three of the eight surprise you, work through an introduction to PyTorch first.
#
# **About {minutes} minutes.**

# %% key="setup"

# %% key="imports"
import torch

from embedding_course import predict, progress, reveal
from embedding_course.experiments.start_here.tries import try_it

# %% [markdown] key="shapes"
# ## 1 · Shape and dtype
#
# A **tensor** is an array of numbers. Its *shape* says how many there are along each axis, its *dtype* of which kind
# they are. Write the function's line in place of `raise NotImplementedError()` and run the cell (Shift+Enter). The last
# line tries it and says how it went.

# %% key="empty-table"
def empty_table(rows, columns):
    """A table of zeros with so many rows and columns."""
    raise NotImplementedError()


try_it(empty_table)

# %% key="as-ids"
def as_ids(numbers):
    """A list of whole numbers as a tensor of torch.int64."""
    raise NotImplementedError()


try_it(as_ids)

# %% [markdown] key="indexing"
# ## 2 · Indexing
#
# `table[i]` is row i, `table[:, j]` is column j. An index may also be a tensor.

# %% key="last-column"
def last_column(table):
    """The last column of a table (rows, columns), as a tensor (rows,)."""
    raise NotImplementedError()


try_it(last_column)

# %% key="rows-of"
def rows_of(table, ids):
    """For each id its row of the table. The ids have any shape; the rows' axis comes last."""
    raise NotImplementedError()


try_it(rows_of)

# %% [markdown] key="broadcasting"
# ## 3 · Broadcasting and products
#
# Two shapes are lined up on the right. Where one of them has size 1, or no axis at all, its numbers are used for every
# place along the other's axis. Write a guess in place of `None` before you run on; this is how **predict** works in all
# notebooks.

# %% key="predict-shape"
predict("00-shape", "How many numbers has torch.zeros(4, 1) + torch.zeros(6)?", guess=None, within=0)

# %% key="shape"
added = torch.zeros(4, 1) + torch.zeros(6)
print("shape", tuple(added.shape))
reveal("00-shape", added.numel())

# %% key="add-to-rows"
def add_to_rows(table, vector):
    """Add a vector (columns,) to each row of a table (rows, columns)."""
    raise NotImplementedError()


try_it(add_to_rows)

# %% key="scale-rows"
def scale_rows(table, factors):
    """Multiply row i of a table (rows, columns) by factors[i]; the factors have the shape (rows,)."""
    raise NotImplementedError()


try_it(scale_rows)

# %% key="project"
def project(x, matrix):
    """The matrix product of x (…, n) with a matrix (n, m): a tensor (…, m)."""
    raise NotImplementedError()


try_it(project)

# %% [markdown] key="autograd"
# ## 4 · Autograd
#
# A tensor with `requires_grad=True` remembers what was computed from it. `backward()` on a single number fills `.grad`
# with the slope of that number at each entry.

# %% key="slope"
def slope(x):
    """The gradient of the sum of squares of x, taken by autograd, at x."""
    x = x.clone().requires_grad_()
    raise NotImplementedError()


try_it(slope)

# %% [markdown] key="checks"
# ## 5 · How the eleven notebooks work
#
# * **A check** stands below each exercise: `check("01.one_hot", one_hot)`. It calls your function with several inputs,
#   says what went wrong and with which arguments, and counts points. You may run it as often as you like.
# * **A hint** at a time: run `hint("01.one_hot")` again and it says more.
# * **Predictions** are for you alone. Nothing of them is graded.
# * **Demonstrations** may run your own functions. Until these are written, they say what they wait for.
# * **Two sittings.** Each notebook has a marked place to stop. What stands below a heading *Further* is folded: nothing
#   else needs it.
# * **`progress()`** lists what you have passed; `progress(page=True)` writes a page.
# * **A word of the field:** `glossary("softmax")` explains it, `glossary("归一化指数函数")` too.
# * **English punctuation:** Python reads `,` `(` `:` and not `，` `（` `：`. A line below the error names such a sign.
# * **No GPU** is needed, and none changes a result. If tensors are on `cuda`, take out what put them there.

# %% [markdown] key="stuck"
# ## 6 · When you are stuck
#
# 1. Read the last line of the message first: it names the error. The check adds the arguments; call your function with
#    these yourself.
# 2. Print the shape of everything: `print(x.shape, x.dtype)`. Most errors here are errors of shape.
# 3. Do it for one small example by hand, then compare number by number.
# 4. Take a hint. After several tries, `solution("01.one_hot")` shows a worked answer where the course comes with its
#    solutions.
# 5. Restart the kernel and run all cells: a name may live from a cell that you have changed since.
# 6. Go on. Every notebook also runs with exercises left out, and recorded results stand in for what is missing.

# %% key="progress"
progress()
