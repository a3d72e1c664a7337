# %% [markdown] key="title"
# # 00 · Start here
#
# **What will you build, and do you know enough PyTorch for it?**
#
# This notebook is a warm-up. It has no points, and you do not hand it in. First you see what the course builds. Then you
# write eight functions of one line each, on tensors. The last sections say how the other notebooks work. If more than
# three of the eight functions are new to you, work through an introduction to PyTorch first.
#
# **About {minutes} minutes.**

# %% key="setup"

# %% key="imports"
import re

import torch

from embedding_course import predict, progress, reveal, say
from embedding_course.experiments.five_questions import documents, five_questions
from embedding_course.experiments.start_here.tries import try_it

# %% [markdown] key="thread"
# ## 1 · Five questions
#
# The course builds a search that finds the right Python function for a question. We start with the simplest search, to
# see where it fails.
#
# The 3,112 **documents** are docstrings of functions and classes: Python, NumPy, SciPy, scikit-learn, Matplotlib and
# PyTorch. The score of a document is the number of words that it shares with the question. The first run reads the
# docstrings from this machine. That takes about half a minute, once.

# %% key="five-questions" seconds=30
def words(text):
    return set(re.findall("[a-z]+", text.lower()))


def score(question):
    asked = words(question)
    return torch.tensor([len(asked & words(text)) for text in documents()])


five_questions("00", "words in common", score)

# %% [markdown] key="thread-seen"
# The upper table shows the **rank** of the first right document: 1 is the best, 3,112 the worst. One question of five is
# answered. The lower table shows which document came first.
#
# The answer to *create nested folders in one go* is `os.makedirs`: “create a leaf directory and all intermediate ones”.
# Question and answer mean the same, but they share one word, *create*. The word *folder* stands in none of the documents.
# `numpy.nested_iters` comes first, because it contains *create*, *nested*, *in* and *one*.
#
# To search by meaning, we need numbers that stand for the meaning of a word: an **embedding** (嵌入). You ask the five
# questions again at the end of each lesson. The table grows by one row a lesson.

# %% [markdown] key="shapes"
# ## 2 · Shape and dtype
#
# A **tensor** is an array of numbers. Its *shape* gives the size along each axis, its *dtype* the type of the numbers.
# Replace `raise NotImplementedError()` by your line and run the cell (Shift+Enter). `try_it` calls your function once and
# says whether the result is right.

# %% key="empty-table"
def empty_table(rows, columns):
    """Return a table of zeros with this many rows and columns."""
    raise NotImplementedError()


try_it(empty_table)

# %% key="as-ids"
def as_ids(numbers):
    """Return a list of whole numbers as a tensor of torch.int64."""
    raise NotImplementedError()


try_it(as_ids)

# %% [markdown] key="indexing"
# ## 3 · Indexing
#
# `table[i]` is row i, `table[:, j]` is column j. An index may also be a tensor: it then picks several rows at once.

# %% key="last-column"
def last_column(table):
    """Return the last column of a table (rows, columns) as a tensor (rows,)."""
    raise NotImplementedError()


try_it(last_column)

# %% key="rows-of"
def rows_of(table, ids):
    """Return the row of each id, a tensor (*ids.shape, columns). The ids have any shape."""
    raise NotImplementedError()


try_it(rows_of)

# %% [markdown] key="broadcasting"
# ## 4 · Broadcasting and products
#
# PyTorch aligns two shapes on the right. Where one of them has size 1 or no axis, its numbers are repeated along the axis
# of the other. This is **broadcasting** (广播).
#
# Write a guess in place of `None` before you run the next two cells. This is how `predict` works in all notebooks.

# %% key="predict-shape"
predict("00-shape", "How many numbers has torch.zeros(4, 1) + torch.zeros(6)?", guess=None, within=0)

# %% key="shape"
added = torch.zeros(4, 1) + torch.zeros(6)
say("shape {shape}", shape=tuple(added.shape))
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
    """Return the matrix product of x (…, n) and a matrix (n, m), a tensor (…, m)."""
    raise NotImplementedError()


try_it(project)

# %% [markdown] key="autograd"
# ## 5 · Autograd
#
# PyTorch records what is computed from a tensor with `requires_grad=True`. `backward()` on a single number then fills
# `.grad`: the slope of that number with respect to each entry of the tensor.

# %% key="slope"
def slope(x):
    """Return the gradient of the sum of squares of x, taken by autograd, at x."""
    x = x.clone().requires_grad_()
    raise NotImplementedError()


try_it(slope)

# %% [markdown] key="checks"
# ## 6 · How the eleven notebooks work
#
# * **A check** stands below each exercise: `check("01.one_hot")`. It calls your function with several inputs,
#   says what went wrong, shows the arguments, and counts points. Run it as often as you like.
# * **Hints:** `hint("01.one_hot")` gives one hint. Run it again for the next one.
# * **Predictions** are for you alone. They are not graded.
# * **Demonstrations** may run your own functions. Until these are written, the cell names the function that it waits for.
# * **Two sittings.** Each notebook has a marked place to stop. The parts below a heading *Further* are folded, and the
#   rest does not depend on them.
# * **Progress:** `progress()` lists what you have passed. `progress(page=True)` writes a page.
# * **Glossary:** `glossary("softmax")` explains a term, and so does `glossary("归一化指数函数")`.
# * **English punctuation:** Python reads `,` `(` `:` and not `，` `（` `：`. The course points to such a sign below the
#   error.
# * **No GPU** is needed, and the results are the same without one. If your tensors are on `cuda`, remove the call that
#   moved them.

# %% [markdown] key="every-check"
# ## 7 · What every check asks
#
# Some rules hold for every exercise. They stand here once, and the exercises do not repeat them.
#
# | what | rule |
# |---|---|
# | dtype | The result has the dtype of the input: float32 in, float32 out; float64 is tested too. Ids are `int64`. |
# | memory layout | A transposed or sliced tensor gives the same result as a fresh copy. |
# | sizes | Several sentences at once (B > 1). Empty input gives an empty result where that makes sense. |
# | arguments | They stay as they were. Functions whose name ends in `_` are the exception. |
# | large numbers | Results and gradients stay finite. |
# | ways of writing it | Loops, NumPy, `einsum`, PyTorch's own functions, and a 0-d tensor for a number: all are accepted. |
#
# An example: a transposed tensor keeps its numbers in another order in memory. `reshape` copes with that, `view` does
# not.

# %% key="memory-layout"
transposed = torch.arange(6.0).reshape(2, 3).T
print("contiguous:", transposed.is_contiguous())
print("reshape:", tuple(transposed.reshape(-1).shape))
try:
    print("view:", tuple(transposed.view(-1).shape))
except RuntimeError as error:
    print("view:", type(error).__name__)

# %% [markdown] key="every-check-seen"
# So `reshape` is the safe choice in your answers.

# %% [markdown] key="stuck"
# ## 8 · When you are stuck
#
# 1. Read the last line of the message first: it names the error. The check shows the arguments. Call your function with
#    these yourself.
# 2. Print shapes and dtypes: `print(x.shape, x.dtype)`. Most errors in this course are errors of shape.
# 3. Work through one small example by hand and compare it number by number.
# 4. Take a hint. After several tries, `solution("01.one_hot")` shows a worked answer if the course comes with its
#    solutions.
# 5. Restart the kernel and run all cells. A name may still hold a value from a cell that you have changed.
# 6. Go on. Every notebook also runs with exercises left out, and recorded results replace what is missing.

# %% key="progress"
progress()
