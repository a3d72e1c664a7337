# %% [markdown] key="title"
# # 03 · max_norm
#
# **What does clipping a row do to its gradient?**
#
# `nn.Embedding` has the argument `max_norm` ([最大范数](../glossary.md#the-table)). With `max_norm=1.0`, a lookup first shortens
# rows longer than 1, in the table itself. This is called **clipping**.
#
# **Afterwards you can**
# - say which rows a lookup with `max_norm` changes, and in which mode;
# - write the clipping and the lookup;
# - predict the gradient that PyTorch leaves in the table;
# - use one table twice without an error.
#
# **{minutes}.** Builds on notebook 02: which rows an optimizer moves.

# %% key="setup"

# %% key="imports" given=true
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cache
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from embedding_course import (
    case, check, glossary, hint, ledger, predict, progress, reveal, say, show_table,
    waiting_for)

# %% key="figures"
from embedding_course.data.published import published_or_none
from embedding_course.experiments.five_questions import documents, five_questions
from embedding_course.experiments.max_norm import first_word_gradient, next_word
from embedding_course.plot import clipped_gradients, norm_traces
from embedding_course.plot import max_norm as pictures

# %% [markdown] key="arrows-text"
# ## 1 · Which rows does a lookup clip?
#
# We look up the three words of 我爱书 (*I love books*) in a table of six words, with `max_norm=1`. The picture shows each row as an
# arrow. Its length is the **norm** ([范数](../glossary.md#the-table)) of the row, $\lVert e\rVert=\sqrt{e_1^2+e_2^2}$.

# %% key="arrows"
six_words = (("我", "I"), ("爱", "love"), ("书", "book"),
             ("猫", "cat"), ("狗", "dog"), ("水", "water"))
names = [f"{word} ({english})" for word, english in six_words]
six = torch.tensor([[0.45, 0.6], [1.7, 1.1], [-1.2, 1.5],
                    [1.6, -1.2], [-0.7, -0.35], [-1.0, -1.8]])
clipped = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone())
clipped(torch.tensor([0, 1, 2]))
pictures.clipping(six, clipped.weight.detach(), [0, 1, 2], max_norm=1.0, names=names)

# %% [markdown] key="arrows-lesson"
# - Only rows that you look up can change. 猫 (*cat*) and 水 (*water*) stay longer than 1.
# - A clipped row keeps its direction.
# - A short row such as 我 (*I*) stays as it is.
#
# For every row $e$ that you look up: $e\leftarrow e\cdot\min(1,\text{max\_norm}/\lVert e\rVert)$.

# %% [markdown] exercise="03.renorm_rows"
# Write the clipping for a whole table, as a function that returns a new table. `norm_type` chooses the norm: 1 sums the absolute
# values, 2 is the usual length, `inf` takes the largest absolute value. Section B (below, in *Further*) draws all three. You need
# this function in the next exercise and in the summary.

# %% [markdown] key="writes"
# ## 2 · Does a lookup write during evaluation?
#
# We test a lookup in two modes for evaluation.

# %% key="eval-writes"
for mode in (torch.no_grad, torch.inference_mode):
    table = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone()).eval()
    with mode():
        table(torch.tensor([1]))
    changed = (table.weight != six).any(dim=1)
    say("{mode}: rows changed: {count}", mode=mode.__name__, count=int(changed.sum()))

# %% [markdown] key="eval-lesson"
# The table is in eval mode (`.eval()`), and gradients are off. The lookup still changed a row. So an evaluation can change the model.

# %% [markdown] exercise="03.lookup_with_max_norm_"
# Write the lookup that changes its table in place, as PyTorch does. The next section asks for the gradient after such a lookup.

# %% [markdown] key="gradient-question"
# ## 3 · Which gradient comes back?
#
# We look up one row, (3, 4), with `max_norm=1`. The lookup returns (0.6, 0.8). The loss is the sum of squares, so its gradient at a
# point $e$ is $2e$. Three candidates for `weight.grad`:
#
# - **at the row before the lookup**: 2·(3, 4) = (6, 8);
# - **through the norm**, if autograd recorded the clipping: (0, 0). The clipped row always has norm 1, so this loss is always 1;
# - **at the clipped row**: 2·(0.6, 0.8) = (1.2, 1.6).

# %% key="predict-gradient"
predict("03-gradient", "The first number of weight.grad: 6, 0 or 1.2?",
        guess=None, within=0.01)

# %% key="gradient"
single = nn.Embedding(1, 2, max_norm=1.0, _weight=torch.tensor([[3.0, 4.0]]))
single(torch.tensor([0])).square().sum().backward()
say("gradient: {gradient}", gradient=single.weight.grad)
reveal("03-gradient", single.weight.grad[0, 0].item())

# %% [markdown] key="gradient-lesson"
# The gradient is taken **at the clipped row**. PyTorch clips the table before the lookup, under `no_grad`, so autograd does not
# record it.

# %% [markdown] exercise="03.grad_after_lookup"
# Return the gradient that PyTorch leaves in `weight.grad`. You may use autograd, but you do not need it. The next cell compares your
# gradient with PyTorch's. Section D (in *Further*) draws the three candidates at many rows and follows a row that is trained.

# %% key="use-grad-after-lookup"
# waiting_for: while one of these functions is a stub, the cell says what it waits for
with waiting_for("grad_after_lookup", "lookup_with_max_norm_"):
    weight, target = 3 * torch.randn(1000, 16), torch.randn(64, 8, 16)
    ids = torch.randint(1000, (64, 8))
    embedding = nn.Embedding(1000, 16, max_norm=1.0, _weight=weight.clone())
    (embedding(ids) - target).square().sum().backward()
    gradient = grad_after_lookup(weight, ids, lambda out: 2 * (out - target), 1.0)
    difference = (gradient - embedding.weight.grad).abs().max()
    say("largest difference, 512 lookups: {difference:.0e}", difference=difference)

# %% [markdown] key="pitfall"
# ## 4 · The pitfall: one table, used twice
#
# Many models use one table for lookups and for scores: **weight tying**
# ([权重绑定](../glossary.md#attention-and-sentences)). We compute the scores, then look up a short row, then call `backward`. The backward
# pass needs the table as it was for the scores.

# %% key="pitfall-error"
tied = nn.Embedding(4, 3, max_norm=0.5, _weight=torch.full((4, 3), 0.1))
hidden = torch.ones(1, 3, requires_grad=True)
scores = hidden @ tied.weight.T  # this product uses the table before the lookup
try:
    (scores.sum() + tied(torch.tensor([1])).sum()).backward()
except RuntimeError as error:
    print("RuntimeError:", str(error).split(": [")[0])

# %% [markdown] key="pitfall-lesson"
# The backward pass fails. PyTorch counts every lookup with `max_norm` as a write, even if all rows are short. **Do all lookups
# first, in one call. Then use the table** (exercise in section C, in *Further*).

# %% [markdown] key="when"
# ## 5 · max_norm or something else?
#
# Each goal has its own tool:
#
# - No long row dominates the scores: `max_norm`.
# - Every row has norm 1: `F.normalize` in the model.
# - Gradients do not explode: `clip_grad_norm_` (section E, in *Further*).
# - The loss gets lower: a smaller initialisation, as section F shows.
#
# The optimizer moves a row after its clip. So clip the table before you save it (section 7).

# %% [markdown] key="reflection" reflection=3
# ## 6 · In your own words (3 points, graded by a person)
#
# A colleague trains with Adam and `max_norm=1.0` and reports: “No row of my saved table is longer than 1. Two evaluations gave the
# same numbers.” Does this prove that all rows are short and that the table does not change? What do you check?
#
# *One point each: why saved rows may be longer than 1; what an evaluation in eval mode does to the table; a check in code.*

# %% [markdown] key="reflection-model" model_answer=true
# Neither is a proof. The lookup clips a row, and the optimizer's step comes after it. So the rows of the last batch
# stand where the last step put them. Adam also moves rows that are not looked up, and a row that was never looked up was never clipped. So
# rows of the saved table may be longer than 1. Evaluation writes too: its first lookup of a row clips it, in eval mode and under `no_grad`.
# The same lookups return the same vectors the second time, so an evaluation that only looks up repeats its numbers. Code that
# reads `weight` directly, such as nearest neighbours or tied scores, can give other numbers before and after. Check
# `embedding.weight.norm(dim=1).max()`. Or copy the table with `before = embedding.weight.detach().clone()`, evaluate, and test
# `torch.equal(before, embedding.weight)`.

# %% [markdown] key="card-text"
# ## 7 · Summary
#
# We ask the five questions again. A text is the mean of its words' GloVe vectors. Notebook 02 ranked by the dot product. The
# cosine ignores norms.

# %% key="five-questions"
glove = published_or_none("glove")

def mean_vector(text):
    words = re.findall("[a-z0-9]+", text.lower())
    known = [glove.index[word] for word in words if word in glove.index]
    return glove.vectors[known].mean(dim=0)

@cache
def document_vectors():
    return torch.stack([mean_vector(text) for text in documents()])

def cosine_scores(question):
    return F.cosine_similarity(document_vectors(), mean_vector(question)[None])

five_questions("03", "mean of GloVe vectors, cosine", cosine_scores if glove else None)

# %% [markdown] key="five-questions-lesson"
# By the dot product, `matplotlib.pyplot.hot` came first for all five questions. Its vector is the third longest. Compared with
# notebook 02, the cosine moves three right answers up and two down.
#
# Now we train with `max_norm=1` and count the rows that end above 1.

# %% key="card"
with waiting_for("renorm_rows"):
    rows_above = {}
    for optimizer in ("SGD", "Adam"):
        trained = next_word.train(max_norm=1.0, optimizer=optimizer).table
        norms = [table.norm(dim=1) for table in (trained, renorm_rows(trained, 1.0))]
        rows_above[optimizer] = [int((norm > 1 + 1e-6).sum()) for norm in norms]
    show_table(rows_above, columns=("rows above 1 (of 1,000)", "after renorm_rows"))

# %% [markdown] key="take-along"
# With SGD, 213 rows end above 1: two were never looked up, and 211 took a step after their last clip.
#
# A lookup with `max_norm` writes to the table, and the gradient belongs to the clipped row.
#
# Next, notebook 04: *what does a model learn that a table of counts cannot?*

# %% key="progress"
progress()

# %% [markdown] key="further-first" further=true
# **Do section C first**: it shows two more unexpected writes and has an exercise. If you train with `max_norm`, do section F next.

# %% [markdown] key="five-rows" further=true
# ## A · A table by numbers
#
# S5, a note on `max_norm` in Chinese, works with a table of five words in three dimensions. We repeat its numbers.

# %% key="five-rows-table" further=true
W = torch.tensor([[.3367, .1288, .2345], [.2303, -1.1229, -.1863],
                  [2.2082, -.6380, .4617], [.2674, .5349, .8094],
                  [1.1103, -1.6898, -.9890]])
W.norm(dim=1)

# %% [markdown] key="five-rows-question" further=true
# Rows 2 and 4 have a norm above 1.5. Now we look up words 2 and 3 with `max_norm=1.5`.

# %% key="predict-rows" further=true
predict("03-rows-changed", "How many of the five rows are different afterwards?",
        guess=None, within=0)

# %% key="five-rows-lookup" further=true
embedding = nn.Embedding(5, 3, max_norm=1.5, _weight=W.clone())
embedding(torch.tensor([2, 3]))
changed = (embedding.weight != W).any(dim=1)
print(embedding.weight.data)
reveal("03-rows-changed", int(changed.sum()))

# %% [markdown] key="five-rows-answer" further=true
# Only row 2 changed, to (1.4128, -.4082, .2954). Row 3 was looked up too, but it is short, so it is **not stretched**. Row 4 is too
# long as well, but it was not looked up. After a lookup it becomes (.7399, -1.1261, -.6591):

# %% key="five-rows-both" further=true
embedding(torch.tensor([4]))
embedding.weight.data[[2, 4]], embedding.weight.data.norm(dim=1)

# %% [markdown] key="bug-exact" further=true
# ### Find the bug: exactly?
#
# > “就会被按比例缩小,使得它的范数刚好等于max_norm” (*it is scaled down in proportion, so that its norm is exactly max_norm*; S5, “1. 类比
# > “词典””)
#
# > “第 0 行:0.4300(未变)…第 3 行:1.0063(未变)” (*row 0: 0.4300 (unchanged) … row 3: 1.0063 (unchanged)*; S5, “4. 重归一化后的权重矩阵”)
#
# We print the norms with more digits, in double precision, before and after the lookup.

# %% key="more-digits" further=true
double = nn.Embedding(5, 3, max_norm=1.5, _weight=W.double())
before = [f"{norm:.6f}" for norm in W.double().norm(dim=1).tolist()]
after = [f"{norm:.9f}" for norm in double(torch.arange(5)).norm(dim=1).tolist()]
show_table({"row": [*range(5)], "before": before, "after": after})

# %% [markdown] key="more-digits-lesson" further=true
# .430054 rounds to .4301, and 1.006354 to 1.0064. S5 cut the digits off instead of rounding. And the clipped norms are 1.499999936
# and 1.499999933, not 1.5. Next we clip a tiny row, where the error is larger.

# %% key="predict-tiny" further=true
predict("03-tiny", "Row of norm 1e-6, max_norm=5e-7: new norm divided by max_norm?",
        guess=None, within=0.01)

# %% key="tiny" further=true
tiny_row = torch.tensor([[6e-7, 8e-7]], dtype=torch.float64)
tiny = nn.Embedding(1, 2, max_norm=5e-7, _weight=tiny_row)
fraction = tiny(torch.tensor([0])).norm().item() / 5e-7
pictures.shortfall()
reveal("03-tiny", round(fraction, 3))

# %% [markdown] key="tiny-lesson" further=true
# PyTorch multiplies by max_norm / (norm + 1e-7). The 1e-7 makes a row shorter by the fraction 1e-7 / (norm + 1e-7). That is nine per
# cent for a row of norm 1e-6, and about the last digit of float32 for a row of norm 1. In float32, rounding may also leave a row slightly
# *above* `max_norm`, and its next lookup writes to it again. So compare norms with a tolerance, not with `==`.

# %% [markdown] key="balls-text" further=true
# ## B · Three norms
#
# `norm_type` chooses the norm. We draw the rows that are short enough under each of three norms: the *ball* of this norm.

# %% key="predict-balls" further=true
predict("03-which-norm", "Which norm_type shortens (1.5, 0.9) most: 1, 2 or inf?",
        guess=None, within=0)

# %% key="balls" further=true
rows = [[1.5, 0.9], [-0.5, 1.6], [-1.4, -1.2], [0.3, -1.5],
        [-0.4, 0.3], [-1.6, 0.2], [0.5, 0.25], [1.1, -1.1]]
pictures.norm_balls(torch.tensor(rows))
reveal("03-which-norm", 1)

# %% [markdown] key="balls-lesson" further=true
# The 1-norm of a row is at least its 2-norm, and the 2-norm is at least the largest absolute value. So `norm_type=1` clips the most rows.
# Under all three norms a row moves straight towards the origin. This holds for `inf` too: `clamp` cuts each number by itself and
# would turn the row.

# %% key="use-renorm-rows" further=true
with waiting_for("renorm_rows"):
    for order in (1, 2, math.inf):
        table = nn.Embedding(5, 3, max_norm=1.5, norm_type=order, _weight=W.clone())
        difference = (renorm_rows(W, 1.5, order) - table(torch.arange(5))).abs().max()
        say("norm_type {order}: difference {value:.0e}", order=order, value=difference)

# %% [markdown] key="bug-frozen" further=true
# ## C · More writes that you may not expect
#
# ### Find the bug: a frozen table stays as it is
#
# This is a common belief, not a quotation. Freezing switches the gradient off. Here `vectors` is a tensor that you loaded and want to use
# again later.

# %% key="predict-frozen" further=true
predict("03-frozen", "Row 1 of `vectors` has norm 5. What norm after the lookup?",
        guess=None, within=0.01)

# %% key="frozen" further=true
vectors = torch.tensor([[3.0, 4.0], [3.0, 4.0], [3.0, 4.0]])
frozen = nn.Embedding.from_pretrained(vectors, freeze=True, max_norm=1.0)
frozen(torch.tensor([1]))
say("norms of `vectors`: {norms}", norms=vectors.norm(dim=1).tolist())
reveal("03-frozen", round(vectors[1].norm().item(), 3))

# %% [markdown] key="frozen-lesson" further=true
# `from_pretrained` copies nothing, so the lookup wrote into *your* tensor. If the tensor came from a NumPy array, the lookup writes into
# that array. Pass `vectors.clone()` instead. The same happens in memory that several processes share: with `max_norm`, their lookups
# write to it at the same time.
#
# A write also changes a ranking. Next we ask which word fits the vector (1, 0.1) best, before and after a lookup of 爱 (*love*).

# %% key="best-match" further=true
table = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone()).eval()
query = torch.tensor([1.0, 0.1])
with torch.no_grad():
    before = (table.weight @ query).argmax().item()
    table(torch.tensor([1]))
    after = (table.weight @ query).argmax().item()
show_table({"before": names[before], "after": names[after]}, columns=("best match",))

# %% key="use-lookup" further=true
with waiting_for("lookup_with_max_norm_", "renorm_rows"):
    table = six.clone()
    for reading in ("first", "second"):
        before = table.clone()
        lookup_with_max_norm_(table, torch.tensor([0, 1, 2, 1]), 1.0)
        count = int((table - before).abs().amax(dim=1).gt(1e-6).sum())
        say("{reading} lookup, rows changed: {count}", reading=reading, count=count)

# %% [markdown] key="pitfall-two-text" further=true
# ### Tied tables: two sentences
#
# PyTorch counts the writes to a tensor; the count is in `weight._version`. In the backward pass, autograd compares it with the
# count when the score was computed. A lookup with `max_norm` counts as a write even if it changes no row:

# %% key="version" further=true
for sentence in ([1], [0, 2], []):
    tied(torch.tensor(sentence, dtype=torch.long))
    say("{ids}: writes so far {version}", ids=sentence, version=tied.weight._version)

# %% [markdown] key="pitfall-two-after" further=true
# So the error of section 4 also comes when you look up first, but one sentence after the other. Here two sentences are scored, followed
# by one backward pass:

# %% key="pitfall-two" further=true
tied = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone())
loss = 0.0
for sentence in ([0, 1], [4, 3]):
    scores = tied(torch.tensor(sentence)).mean(dim=0) @ tied.weight.T
    loss = loss + scores.logsumexp(dim=0)
try:
    loss.backward()
except RuntimeError as error:
    print("RuntimeError:", str(error).split(": [")[0])

# %% [markdown] key="pitfall-fix" further=true
# The second lookup wrote to the table that the first sentence's scores need. PyTorch's documentation gives the advice that S5 repeats:
#
# > “如果你在 forward 之前对embedding.weight做可微操作,需要先.clone()一份再用” (*for differentiable operations on embedding.weight before
# > forward, clone it first*; S5, “5. 对权重的具体影响总结”)
#
# With a clone the error goes away. But a clone from *before* the lookup holds unclipped rows.

# %% key="predict-clone" further=true
predict("03-clone", "Score of 爱 with the clone, divided by the right score?",
        guess=None, within=0.05)

# %% key="pitfall-clone" further=true
tied = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone())
cloned = tied.weight.clone()  # before the lookup
sentence = tied(torch.tensor([0, 1])).mean(dim=0)
stale, fresh = sentence @ cloned[1], sentence @ tied.weight[1]
show_table({"clone": stale, "clipped table": fresh}, columns=("score of 爱 (love)",),
           format=".3f")
reveal("03-clone", round((stale / fresh).item(), 2))

# %% [markdown] key="pitfall-order" further=true
# The clone scores against rows that no lookup will return again. The code runs, but it is a different model. With all lookups first, in
# one call, you have neither problem.
#
# Words outside the batch enter the product *unclipped*. With a fresh N(0, 1) table, long rows that were never looked up get large
# scores. If you do not want this, clip the whole table once at the start.

# %% [markdown] exercise="03.tied_scores" further=true
# Look up all words first, in one call, then use the table. Average the vectors of each sentence and score every word of the vocabulary
# against this average. The next cell trains on two sentences with it.

# %% key="use-tied-scores" further=true
with waiting_for("tied_scores"):
    tied = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone())
    scores = tied_scores(tied, torch.tensor([[0, 1], [4, 3]]))
    scores.logsumexp(dim=1).sum().backward()
    norms = dict(zip(names, tied.weight.grad.norm(dim=1)))
    show_table(norms, columns=("norm of the gradient",), format=".2f")

# %% [markdown] key="way-text" further=true
# ## D · Where does training take a row?
#
# First we draw the three candidates of section 3 at many rows. Each arrow is one SGD step with learning rate 0.2.

# %% key="fields" further=true
at_row = clipped_gradients.fields(
    lambda e: e.square().sum(dim=-1), max_norm=1.0, row=(3.0, 4.0))

# %% [markdown] key="fields-lesson" further=true
# Inside the circle the three agree. Outside, all of PyTorch's arrows have the same length, because they belong to the clipped row.
# Through the norm there is no arrow: this loss depends only on the norm of the row, and the clipped norm is 1.
#
# Now we follow one row on its way to a target outside the circle, with PyTorch's gradient and with the gradient through the norm.

# %% key="predict-way" further=true
predict("03-way", "Where does the row end up with PyTorch's clipping?", guess=None,
        choices={"target": "at the target", "nearest point": "at the nearest allowed point",
                 "origin": "at the origin"})

# %% key="way" further=true
distances = clipped_gradients.way_of_a_row((-0.8, 2.1), target=(2.4, 0.9),
                                           max_norm=1.0, lr=0.08, steps=12)
show_table(distances, columns=("distance after 12 steps",), format=".2f")
reveal("03-way", min(distances, key=distances.get))

# %% [markdown] key="way-lesson" further=true
# Each step is followed by a clip. This is **projected gradient descent**: it ends at the allowed point that is nearest to the target. The
# clip comes at the *next* lookup. Until then the row stands at the tip of the arrow, outside the circle.
#
# With the gradient through the norm, a row can only turn. This gradient is at right angles to the row, so each step makes the row *longer*,
# and longer rows turn more slowly. If you want this gradient, write `F.normalize` into your model.
#
# Scaling a row is the projection only for `norm_type=2`. For 1 and `inf` it does not lead to the nearest point.

# %% [markdown] key="bug-exploding" further=true
# ## E · Find the bug: exploding gradients
#
# > “限制每个 embedding 行向量的最大范数,可以避免某些向量过大,防止梯度爆炸” (*bounding the norm of each row keeps some vectors from growing too
# > large and prevents exploding gradients*; S5, “5. 对权重的具体影响总结”)
#
# We send sentences through a recurrent network whose matrix doubles the norm of a vector in every step. Then we measure the gradient that
# arrives at the first word: without a limit, with `max_norm=1`, and with `clip_grad_norm_`.

# %% key="predict-exploding" further=true
predict("03-exploding", "60 words: gradient with max_norm=1, divided by without?",
        guess=None, within=0.3)

# %% key="exploding" further=true
sizes = {"no limit": first_word_gradient.measure(),
         "max_norm = 1": first_word_gradient.measure(max_norm=1.0),
         "clip_grad_norm_(1)": first_word_gradient.measure(clip_gradients=1.0)}
clipped_gradients.through_time(first_word_gradient.LENGTHS, sizes)
reveal("03-exploding", round(sizes["max_norm = 1"][-1] / sizes["no limit"][-1], 1))

# %% [markdown] key="exploding-answer" further=true
# `max_norm` bounds **weights**, and only those of this table. The gradient explodes in the recurrent matrix, which `max_norm` does not
# touch. Here the gradient becomes *larger* with `max_norm`: long inputs saturate the tanh, which shrinks the gradient, and short inputs
# saturate it less. Against exploding gradients there is another tool with a similar name, `torch.nn.utils.clip_grad_norm_`.

# %% [markdown] key="training" further=true
# ## F · Norms during training
#
# We train on 50,000 pairs of neighbouring words from the Python language reference: 1,000 words, 16 dimensions. For each of 64 pairs, the
# model finds the second word that belongs to the first. The table starts as in PyTorch, from N(0, 1), so the norm of a row is
# about √16 = 4. We run 300 steps of SGD, with and without `max_norm=1`.

# %% key="predict-held" further=true
predict("03-better", "Which run has the lower loss on pairs held out of training?",
        guess=None, choices={"with": "with max_norm", "without": "without max_norm"})

# %% key="train" further=true
free, bounded = next_word.train(), next_word.train(max_norm=1.0)
norm_traces.words_over_time({"no max_norm": free, "max_norm = 1": bounded},
                            next_word.pairs().names, frequent=[0, 1, 2],
                            rare=[900, 940, 980], ceiling=1.0)
losses = {"no max_norm": free.held_out_loss, "max_norm = 1": bounded.held_out_loss,
          "guessing": math.log(64)}
show_table(losses, columns=("test loss",), format=".2f")
reveal("03-better", "with" if bounded.held_out_loss < free.held_out_loss else "without")

# %% [markdown] key="train-lesson" further=true
# A **frequent** word reaches the limit in the first step and then moves up and down around it: a step pushes it out, the next lookup
# clips it. A **rare** word keeps its first norm until its first lookup, and then drops to the limit in one step. A row that is never
# looked up never drops.
#
# The loss is much lower with `max_norm`. But `max_norm=1` changes two things at once: rows are clipped in every lookup, and they
# *start* four times shorter, with norm 1. So this does not yet show that the limit helps.

# %% [markdown] key="confound" further=true
# ### Was it the limit?
#
# We add a third run, without a limit, that starts short: from N(0, 0.25²), with norms of about 1.

# %% key="predict-confound" further=true
predict("03-confound", "Loss of the short start, compared with max_norm=1?",
        guess=None, choices={"higher": "higher", "lower": "lower"})

# %% key="confound-run" further=true
short = next_word.train(scale=0.25)
runs = {"N(0, 1)": free, "N(0, 1), max_norm=1": bounded, "N(0, 0.25²)": short}
results = {name: (run.held_out_loss, run.norms[-1].max()) for name, run in runs.items()}
show_table(results, columns=("test loss", "largest norm"), format=".2f")
higher = short.held_out_loss > bounded.held_out_loss
reveal("03-confound", "higher" if higher else "lower")

# %% [markdown] key="confound-lesson" further=true
# The initialisation ([初始化](../glossary.md#the-table)) lowered the loss. The short start without a limit does at least as well. The order is
# the same for three seeds and for SGD, momentum and Adam; a test of the course repeats this. You may still want `max_norm`. But if
# somebody says that it “improves training”, ask for this third run.

# %% [markdown] key="optimizers" further=true
# ### The optimizer does not know the limit
#
# Momentum and Adam go on moving a row after its gradient is gone (notebook 02). The clip changes the row, not the optimizer's memory.
# We take all rows that were clipped and then not looked up for 60 steps. The line is their mean norm, and the band holds 80 % of them.

# %% key="predict-drift" further=true
predict("03-drift", "Adam: mean norm of such a row after the 60 steps?",
        guess=None, within=0.03)

# %% key="drift" further=true
runs = {"SGD": bounded, "momentum": next_word.train(1.0, "momentum"),
        "Adam": next_word.train(1.0, "Adam")}
ends = norm_traces.drift(runs, ceiling=1.0)
show_table(ends, columns=("mean norm", "10 % of rows below", "10 % of rows above"), format=".2f")
reveal("03-drift", round(ends["Adam"].mean, 2))

# %% [markdown] key="drift-lesson" further=true
# With **SGD** a row stands still after its step. **Momentum** moves it a little: eight in ten rows end between .98 and 1.03, and the
# mean stays at 1.00. **Adam** divides by the size of past gradients, so even a rare word takes many steps of full size: one row in ten ends 40 % above the
# limit, or more. Nothing clips a row until its next lookup.
#
# So the rows of a saved table can be longer than `max_norm`. The longest row is the same in all three tables, because it was never
# looked up.

# %% key="checkpoint" further=true
norms = {name: run.table.norm(dim=1) for name, run in runs.items()}
show_table({name: (int((norm > 1).sum()), norm.max()) for name, norm in norms.items()},
           columns=("rows above 1", "largest norm"), format=".2f")

# %% [markdown] exercise="03.norm_trace" further=true
# Train, and record the norm of every row after each step. The next cell draws three runs with it.

# %% key="use-norm-trace" further=true
with waiting_for("norm_trace"):
    traces = {}
    for title, ceiling, optimizer in (("no max_norm, Adam", None, "Adam"),
                                      ("max_norm = 1, SGD", 1.0, "SGD"),
                                      ("max_norm = 1, Adam", 1.0, "Adam")):
        run = next_word.new_run(ceiling, optimizer)
        trace = norm_trace(run.embedding, run.optimizer, run.batches, run.loss_fn)
        traces[title] = trace.detach()
    norm_traces.card(traces, ceiling=1.0)

# %% [markdown] key="history" further=true
# Bounded row norms are older than `nn.Embedding`. Srebro, Rennie and Jaakkola (2004) bound them in matrix factorisation
# ([矩阵分解](../glossary.md#training-by-comparison)), and Srivastava et al. (2014) with dropout. Bordes et al. (2013, TransE) keep entity vectors at
# norm 1.
