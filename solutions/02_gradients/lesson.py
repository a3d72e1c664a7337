# %% [markdown] key="title"
# # 02 · Gradients
#
# **Which rows of the table learn, and which do not?**
#
# A table of a million words is trained with batches of a few hundred words. You may expect that all other rows stand still. Whether
# they do depends on the loss, on padding and above all on the optimizer.
#
# **Afterwards you can**
# - write the gradient of a lookup and of the cross-entropy by hand;
# - say what `padding_idx` does, and what it does not do;
# - predict which rows five optimizers move, without running them;
# - load pretrained vectors into part of a table.
#
# **{minutes}.** Builds on notebook 01: an embedding is a lookup, and a lookup is a matrix product.

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
from embedding_course.data import language_reference
from embedding_course.data.published import published_or_none
from embedding_course.experiments import curves
from embedding_course.experiments.five_questions import documents, five_questions
from embedding_course.experiments.gradients import difference_quotients, glove_start
from embedding_course.experiments.gradients import initialisation, moving_rows
from embedding_course.experiments.gradients import pretrained, sparse_cost
from embedding_course.plot import cross_entropy, lines, scatter_add
from embedding_course.plot import moving_rows as moving_pictures
from embedding_course.plot import pretrained as pretrained_pictures

# %% [markdown] key="lookup-question"
# ## 1 · One word twice
#
# We look up word 1, word 2 and word 1 again in a table of ones. The loss is the sum of all numbers that we looked up, so each
# looked-up vector gets the gradient (1, 1).

# %% key="predict-repeat"
predict("02-row-1", "Which number stands in row 1 of the table's gradient?", guess=None)

# %% key="repeat"
table = nn.Embedding.from_pretrained(torch.ones(4, 2), freeze=False)
table(torch.tensor([1, 2, 1])).sum().backward()
print(table.weight.grad)
reveal("02-row-1", int(table.weight.grad[1, 0]))

# %% [markdown] key="bug-sum"
# ### Find the bug: the gradient of a row
#
# Here are two sentences of S1, an essay on embeddings inside an LSTM:
#
# > “根据链式法则：$\frac{\partial L}{\partial E[i]} = \frac{\partial L}{\partial \mathbf{e}_i}$” (*by the chain rule, the gradient of row
# > i is that of its vector e_i*; S1, “embedding梯度计算的深度推导”)
#
# > “只有在当前batch中出现的词索引，其对应的embedding行才会有非零梯度” (*only the rows of word indices that occur in the current batch have a
# > gradient that is not zero*; S1, “embedding梯度计算的深度推导”)
#
# The first holds for a word that occurs once. Row 1 was looked up at two positions and got 2: the gradients of **all its
# occurrences add up**. An example further down in S1 shows this too. This operation is called **scatter-add**
# ([按索引累加](../glossary.md#the-table)). The second sentence holds for tables that are only looked up. Section 3 shows another table.

# %% key="scatter-figure"
gradients = torch.tensor([[0.5, -1.0], [2.0, 0.3], [1.5, 0.4]])
row_gradients = torch.zeros(4, 2).index_add_(0, torch.tensor([1, 2, 1]), gradients)
scatter_add.show_scatter_add([1, 2, 1], gradients, row_gradients)

# %% [markdown] exercise="02.embedding_grad"
# Write the scatter-add for ids of any shape. You need it again in notebook 03, for the gradient after a clipped lookup.

# %% [markdown] key="loss-question"
# ## 2 · Where the gradient comes from
#
# The loss is nearly always the **cross-entropy** ([交叉熵](../glossary.md#language-models)): the mean of −log p over all positions.
# Here p is the probability that the model gives to the right word. A softmax makes the probabilities from scores, the **logits**
# ([未归一化分数](../glossary.md#language-models)). Below are the logits of five words. The right word is 爱 (*love*).

# %% key="predict-sum"
predict("02-grad-sum", "What is the sum of the gradient's five numbers?", guess=None)

# %% key="loss-figure"
logits = torch.tensor([1.0, 2.0, -0.5, 0.3, 0.0], requires_grad=True)
F.cross_entropy(logits, torch.tensor(1)).backward()
words = ["我\nI", "爱\nlove", "狗\ndog", "花\nflower", "家\nhome"]
cross_entropy.show_cross_entropy_gradient(logits.detach(), 1, words)
reveal("02-grad-sum", round(float(logits.grad.sum()), 6))

# %% [markdown] key="loss-lesson"
# The gradient is the probability minus the truth, which is 1 for the right word and 0 for the others. A wrong word is pushed down by
# its probability. The right word is pulled up by 1 minus its own. So the gradient sums to 0.
#
# <details><summary>Derivation: the gradient of the cross-entropy</summary>
#
# Let $z$ be the logits, $t$ the right word and $p_j = e^{z_j} / \sum_k e^{z_k}$. The loss of one position is
# $$L = -\log p_t = \log \sum_k e^{z_k} - z_t.$$
# The derivative of the first term is $\frac{\partial}{\partial z_j} \log \sum_k e^{z_k} = \frac{e^{z_j}}{\sum_k e^{z_k}} = p_j$.
# The derivative of the second term, $z_t$, is 1 for $j = t$ and 0 otherwise; we write $[j = t]$. Together:
# $$\frac{\partial L}{\partial z_j} = p_j - [j = t].$$
# The sum over $j$ is $1 - 1 = 0$. For the mean over $N$ positions, each gradient is divided by $N$.
#
# </details>

# %% [markdown] exercise="02.softmax_cross_entropy_grad"
# Write this gradient for a batch and for the *mean* loss. Logits may be as large as 1000. Section A tests your formula by measurement.
# Notebook 04 trains a language model with this loss.

# %% [markdown] key="padding"
# ## 3 · Rows that should not learn
#
# We fill short sentences up with a padding word ([填充](../glossary.md#text-and-ids)). `padding_idx=0` does two things to its row: it
# starts at zero, and it gets no gradient.

# %% key="padding-run"
padded = nn.Embedding(4, 3, padding_idx=0)
padded(torch.tensor([[2, 3, 0, 0]])).sum().backward()
say("row 0: {row}", row=padded.weight.data[0])
say("its gradient: {gradient}", gradient=padded.weight.grad[0])

# %% [markdown] key="bug-padding"
# ### Find the bug: a row that stays zero
#
# > “padding_idx：指定哪个索引保持零向量” (*padding_idx: says which index stays the zero vector*; S1, “1.3 关键术语说明”)
#
# The row stays zero until something writes into the table. A second initialisation does this, and so does loading vectors.

# %% key="padding-lost"
torch.manual_seed(0)
nn.init.normal_(padded.weight)
say("norm of row 0: {norm:.2f}", norm=padded.weight[0].norm())

# %% [markdown] key="padding-part"
# Now we test a second sentence of S1:
#
# > “padding索引，该行不参与训练” (*index of padding; this row takes no part in training*; S1, “2.3 embedding层的完整剖析”)
#
# We make two trials. AdamW has weight decay, which needs no gradient. The second table also scores the words at the output: **weight
# tying** ([权重绑定](../glossary.md#attention-and-sentences)).

# %% key="predict-padding-tied"
predict("02-padding-tied", "Does the padding row of a tied table get a gradient?",
        guess=None, choices=(True, False))

# %% key="padding-moves"
decayed = nn.Embedding.from_pretrained(torch.ones(4, 3), freeze=False, padding_idx=0)
optimizer = torch.optim.AdamW(decayed.parameters(), lr=0.01, weight_decay=0.01)
for _ in range(100):
    optimizer.zero_grad()
    decayed(torch.tensor([[2, 0]])).sum().backward()
    optimizer.step()
say("AdamW, padding row of ones: {row}", row=decayed.weight.data[0])
tied = nn.Embedding(4, 3, padding_idx=0)
(tied(torch.tensor([2, 3])) @ tied.weight.T).logsumexp(dim=1).sum().backward()
say("tied table, gradient norms: {norms}", norms=tied.weight.grad.norm(dim=1))
reveal("02-padding-tied", bool(tied.weight.grad[0].any()))

# %% [markdown] key="padding-lesson"
# `padding_idx` keeps the gradient of *lookups* away from its row, and nothing else. AdamW shrinks the row a little in every step, unless
# it is zero. In a tied table the padding row gets a gradient like all others, because every word is a wrong answer for some position.

# %% [markdown] key="sparse"
# ## 4 · Only the rows of the batch
#
# The gradient of a lookup is nearly all zeros. With `sparse=True`, PyTorch stores only the other rows: a **sparse gradient**
# ([稀疏梯度](../glossary.md#the-table)).

# %% key="sparse-run"
sparse = nn.Embedding(1_000_000, 4, sparse=True)
sparse(torch.tensor([5, 7, 5])).sum().backward()
gradient = sparse.weight.grad.coalesce()
say("rows: {rows}", rows=gradient.indices()[0].tolist())
say("values: {values}", values=gradient.values().tolist())

# %% [markdown] key="sparse-cost-text"
# We measure a training step for tables of three sizes. Each step looks up 64 rows.

# %% key="sparse-figure"
sizes = [1_000, 10_000, 100_000]
cost = {name: sparse_cost.milliseconds(name, sizes) for name in sparse_cost.STEPPERS}
lines.show_step_cost(sizes, cost)

# %% [markdown] key="sparse-lesson"
# A dense step touches every row. A sparse step touches only the rows of the batch, so its cost hardly depends on the size of the table.
# Adam and AdamW refuse sparse gradients; SGD, SparseAdam and Adagrad accept them. Section F spreads a large table over machines.

# %% [markdown] key="further-first" further=true
# **Do section A first**: it tests your formula of section 2.

# %% [markdown] key="numeric-question" further=true
# ## A · A gradient by measurement
#
# We test a gradient by moving one number a little to both sides and measuring the loss. First we look for a good step size.

# %% key="predict-step" further=true
predict("02-best-step", "Central difference, float64: which step is best?", guess=None,
        choices={"large": "about 1e-2", "middle": "about 1e-4", "small": "about 1e-9"})

# %% key="numeric-figure" further=true
steps = [10.0**power for power in range(-11, 0)]
errors = {name: difference_quotients.errors(steps, dtype, central)
          for name, dtype, central in difference_quotients.KINDS}
lines.show_step_errors(steps, errors)
best_step = steps[int(np.argmin(errors["central, float64"]))]
size = "large" if best_step > 1e-3 else "small" if best_step < 1e-6 else "middle"
reveal("02-best-step", size)

# %% [markdown] key="numeric-lesson" further=true
# Two errors compete. With a large step, the curvature of the loss counts; with a small step, rounding counts. Central differences are far
# more accurate than forward ones, and float32 is too coarse. So check gradients in float64, with a step near 1e-4.

# %% [markdown] exercise="02.numeric_grad" further=true
# Write the measurement. It must leave `x` as it was. The next cell compares your formula of section 2 with it. Notebook 10 uses it to
# test the gradient of t-SNE.

# %% key="check-by-number" further=true
# waiting_for: while one of these functions is a stub, the cell says what it waits for
with waiting_for("numeric_grad", "softmax_cross_entropy_grad"):
    scores, targets = torch.randn(3, 5, dtype=torch.float64), torch.tensor([0, 3, 3])
    measured = numeric_grad(lambda x: F.cross_entropy(x, targets), scores)
    derived = softmax_cross_entropy_grad(scores, targets)
    difference = (derived - measured).abs().max()
    say("largest difference: {difference:.1e}", difference=difference)

# %% [markdown] key="scale" further=true
# ## B · Words that occur often
#
# `scale_grad_by_freq=True` divides the gradient of a row by the number of times its word occurs in the batch. So sums become means.

# %% key="scale-run" further=true
for scaled in (False, True):
    table = nn.Embedding(4, 2, scale_grad_by_freq=scaled)
    table(torch.tensor([1, 2, 1, 1])).sum().backward()
    say("scaled: {scaled}, gradient: {gradient}", scaled=scaled,
        gradient=table.weight.grad[:, 0].tolist())

# %% [markdown] exercise="02.embedding_grad_with_options" further=true
# Write both options of `nn.Embedding`. A negative `padding_idx` counts from the end. You meet `padding_idx` again in notebook 05.

# %% [markdown] key="stop" stop=true
# You have written the gradient of a table and of the loss. You know which rows get a gradient, and which rows get none. The second
# sitting asks which rows move.

# %% [markdown] key="moved-question"
# ## 5 · Which rows really move?
#
# ### Find the bug: rows outside the batch
#
# > “则只有这些索引对应的embedding行会被更新” (*then only the rows of these indices, those in the batch, are updated*; S1, “第二阶段：训练更新写入”)
#
# We train a table of eight words on twelve batches, each with one short sentence. 讨厌 (*hate*) is in the second batch only, and 狗
# (*dog*) is in none. We compare five of PyTorch's optimizers.

# %% key="predict-moved"
predict("02-dog-moves", "Which optimizer moves 狗 (dog), which never occurs?",
        guess=None, choices={"sgd": "SGD", "adam": "Adam", "adamw": "AdamW",
                             "none": "none of them"})

# %% key="moved-figure"
row_of = {chinese: row for row, (chinese, _) in enumerate(moving_rows.WORDS)}
history = [torch.tensor([row_of[word] for word in sentence.split()])
           for sentence in moving_rows.SENTENCES]
movements = [moving_rows.movement(name, history, len(row_of))
             for name in moving_rows.OPTIMIZERS]
moving_pictures.show_movement(movements, history)
movers = [movement.optimizer for movement in movements if movement.differs[row_of["狗"]]]
reveal("02-dog-moves", movers[0])

# %% [markdown] key="moved-lesson"
# - **SGD** and **SparseAdam** move a row only in the steps whose batch holds it. S1's sentence is true for them, as long as there is no
#   weight decay and no weight tying. The formula beside it in S1 is SGD's.
# - **Momentum** and **Adam** keep running means of past gradients. So 讨厌 goes on moving long after its only sentence.
# - **AdamW** shrinks every row a little in every step, even rows that no batch ever held. A row of zeros stays zero.

# %% [markdown] exercise="02.moved_rows"
# Return which rows differ from their start, given the optimizer and the batches. You need no training, only reasoning. The summary
# compares your answer with these measurements.

# %% [markdown] key="real-text"
# Next we take real text, the Python language reference, in batches of 64 words out of 1,000. We measure the fraction of rows that
# each optimizer moves in a step.

# %% key="real-text-figure"
text = language_reference.words()
vocab = language_reference.common_words(text, 1_000)
ids = language_reference.ids_of(text, vocab)
batches = list(ids[: 64 * 40].view(40, 64))
shares = {name: moving_rows.movement(name, batches, 1_000).moved.float().mean(dim=1)
          for name in moving_rows.OPTIMIZERS}
in_batch = torch.tensor([len(batch.unique()) / 1_000 for batch in batches])
lines.show_share_moved(shares, in_batch)

# %% [markdown] key="real-text-lesson"
# Adam and momentum move every row that was seen before, in each of the forty steps. AdamW moves the others too. So running means move the
# row of a rare word far more often than its own gradient does. After one or two hundred steps, what is left of Adam's mean is too
# small to change the row in float32.

# %% [markdown] key="pretrained-question"
# ## 6 · How to begin
#
# Before the first step, the rows need numbers: the **initialisation** ([初始化](../glossary.md#the-table)). `nn.Embedding` draws them
# from N(0, 1). GPT-2 and BERT use a standard deviation of 0.02, and section C shows why. Or you take **pretrained vectors**
# ([预训练词向量](../glossary.md#the-table)) from a file. You copy those of your words and draw the rest. Then you train the table on, or
# freeze it. We compare the two on 4,000 words of training text.

# %% [markdown] exercise="02.load_pretrained"
# Copy the known rows, draw the unknown ones, and keep the padding row at zero. The next cell trains from your table.

# %% key="predict-frozen"
predict("02-frozen", "Which start is best for words outside the training text?",
        guess=None, choices={"random": "random vectors",
                             "trained": "given vectors, trained on",
                             "frozen": "given vectors, frozen"})

# %% key="pretrained-figure"
# waiting_for: while one of these functions is a stub, the cell says what it waits for
with waiting_for("load_pretrained"):
    corpus = pretrained.texts()
    words = language_reference.common_words(corpus.long + corpus.short, 1_000)
    vectors = pretrained.train_vectors(corpus.long)
    generator = torch.Generator().manual_seed(0)
    matrix, known = load_pretrained(words, vectors, 32, generator=generator)
    short, test = (language_reference.ids_of(part, words)
                   for part in (corpus.short, corpus.test))
    outcomes = {way: pretrained.compare(way, matrix, known, short, test)
                for way in pretrained.WAYS}
    pretrained_pictures.show_outcomes(outcomes)
    best = min(outcomes, key=lambda way: outcomes[way].only_pretrained)
    reveal("02-frozen", ("random", "trained", "frozen")[pretrained.WAYS.index(best)])

# %% [markdown] key="pretrained-lesson"
# Pretrained vectors help most with words that your own text lacks. A random row of such a word gets no gradient and stays random.
# Training moves the words it sees; unseen words stay behind and no longer fit. So the frozen table is best for words that training
# never met (5.43 nats against 5.79). For the words that it did meet, the frozen table is far behind (4.74 nats against 3.33).

# %% [markdown] key="reflection" reflection=3
# ## 7 · In your own words (3 points, graded by a person)
#
# You train a table of 200,000 words with Adam. A word was last seen fifty steps ago, and its row still changes. A colleague calls this
# a bug and proposes `sparse=True` with SparseAdam. What happens here, and what do you weigh before you agree?
#
# *One point each: why a row without a gradient moves; what SparseAdam does instead, and what this changes besides speed; one
# measurement before you decide.*

# %% [markdown] key="reflection-model" model_answer=true
# Adam keeps running means of every row's gradient. When a word no longer occurs, its means decay but are not zero. So its row moves on,
# for one or two hundred steps, until the steps are too small for float32. This is how Adam is defined, and no bug. SparseAdam updates
# means and rows only where the batch has a gradient. So rare words keep old moment estimates, which distort their next update, and
# there is no weight decay. SparseAdam is faster and needs no dense gradient. Measure the loss on rare words with both, and the time and
# memory of a step. Also measure how far rows move after they were last seen.

# %% [markdown] key="card-text"
# ## 8 · Summary
#
# We ask the five questions again, with vectors that others trained. **GloVe** has a vector of 50 numbers for each of 400,000 words. A
# text is the mean of its words' vectors, and a score is a dot product.

# %% key="five-questions"
glove = published_or_none("glove")

def mean_vector(text):
    words = re.findall("[a-z0-9]+", text.lower())
    known = [glove.index[word] for word in words if word in glove.index]
    return glove.vectors[known].mean(dim=0)

@cache
def document_vectors():
    return torch.stack([mean_vector(text) for text in documents()])

def dot_scores(question):
    return document_vectors() @ mean_vector(question)

engine = "mean of GloVe vectors, dot product"
five_questions("02", engine, dot_scores if glove else None)

# %% [markdown] key="five-questions-lesson"
# This engine is bad: no right answer is among the first hundred. The same document, `matplotlib.pyplot.hot`, comes first for all five
# questions. Notebook 03 shows why.
#
# Now we compare the measured rows of section 5 with **your** `moved_rows`, which trained nothing.

# %% key="card"
with waiting_for("moved_rows"):
    predicted = {name: moved_rows(name, history, len(row_of))
                 for name in moving_rows.OPTIMIZERS}
    moving_pictures.show_prediction(movements, history, predicted)

# %% [markdown] key="take-along"
# The gradient of a row is the sum over all its uses. A row that is not used gets none. Whether it *moves* all the same depends on the
# optimizer.
#
# Next, notebook 03: *what does clipping a row do to its gradient?*

# %% key="where-next"
progress()

# %% [markdown] key="further-second" further=true
# **Do section C first.** If you work with published vectors, do section E next; for very large tables, section F.

# %% [markdown] key="start" further=true
# ## C · The first loss
#
# We compare four standard deviations for a table of 100,256 words in 1,536 dimensions. Xavier's and Kaiming's follow from the shape of
# the table.

# %% key="start-numbers" further=true
show_table(initialisation.standard_deviations(100_256, 1_536),
           columns=("standard deviation",), format=".5f")

# %% [markdown] key="bug-xavier" further=true
# ### Find the bug: a formula and the line below it
#
# S4, which goes from text to vector, announces Xavier's initialisation and writes
#
# > “公式：std = sqrt(2 / (fan_in + fan_out))…W_e = np.random.randn(100256, 1536) * np.sqrt(2/1536)” (*formula: …*; S4, “Embedding 矩阵”)
#
# The formula is Xavier's. The code below it uses one side of the table instead of both: .0361, which is Kaiming's value. Xavier's,
# sqrt(2 / (100,256 + 1,536)), is eight times smaller: .00443.

# %% [markdown] key="first-loss-text" further=true
# ### How high is the first loss?
#
# We train on a thousand words of real text. One table also scores the words at the output (tied), the other has separate output weights.

# %% key="predict-first-loss" further=true
predict("02-first-loss", "Tied table from N(0, 1): the first loss? (guessing: 6.9)",
        guess=None, within=0.25)

# %% key="start-figure" further=true
stds = initialisation.standard_deviations(1_000, 64)
runs = {tied: {name: initialisation.train(ids, 1_000, std, tied=tied)
               for name, std in stds.items()}
        for tied in (True, False)}
lines.show_first_losses(runs, math.log(1_000))
say("standard deviation of logits: {std:.1f}", std=runs[True]["N(0, 1)"].logit_std)
reveal("02-first-loss", runs[True]["N(0, 1)"].losses[0])

# %% [markdown] key="start-lesson" further=true
# In the tied table (left), N(0, 1) gives logits with a standard deviation of about 8 = √64. The model gives some words a probability near
# 1 before it has learned anything, so the first loss is far above that of guessing. With separate output weights (right) the initialisation
# matters much less. This is one reason to start with small numbers. T5 takes another way: it ties its weights, starts from N(0, 1) and
# divides the logits by √d.

# %% key="tied-scaled" further=true
starts = {"N(0, 1)": (1.0, 1.0), "N(0, 0.02²)": (0.02, 1.0),
          "N(0, 1), logits / √64": (1.0, 1 / 8)}
losses = {name: initialisation.first_loss(ids, 1_000, std, scale=scale)
          for name, (std, scale) in starts.items()}
show_table(losses, columns=("first loss, tied",), format=".1f")

# %% [markdown] key="late-text" further=true
# ## D · How far does one gradient move a row?
#
# A row gets one gradient of size 1 and is never seen again. SGD moves it by one learning rate. With momentum, one gradient moves the
# row by ten learning rates in total, early or late. With Adam it is six if the gradient comes in the first step. The gradient of a rare
# word may come after ten thousand steps without it.

# %% key="predict-late" further=true
predict("02-late", "Adam, gradient in step 10,000: how many learning rates?",
        guess=None, within=0.2)

# %% key="travel-figure" further=true
travel = {name: moving_rows.further_travel(name) for name in ("sgd", "sgd-momentum")}
for step in (1, 10_000):
    travel[f"adam, step {step:,}"] = moving_rows.further_travel("adam", seen_at=step)
lines.show_travel(travel)
reveal("02-late", round(travel["adam, step 10,000"][-1].item(), 1))

# %% [markdown] key="travel-lesson" further=true
# The row moves by about 32 learning rates, five times as far as with an early gradient. Adam divides by the root of a running mean of
# squared gradients, which starts at zero. In the first steps Adam corrects this mean. After ten thousand steps it no longer does, and the
# mean of an unseen row is zero. So its first gradient g is divided by a very small number, √.001 · g.

# %% [markdown] key="glove-question" further=true
# ## E · GloVe in your own table
#
# ### Does GloVe know your words?
#
# **GloVe** (Pennington, Socher and Manning 2014) was made from six billion words of Wikipedia and newspapers. Before you load such a
# file, count how many of your words it has: its **coverage**. We count different words (types) and running words (tokens) in the story of
# notebook 01 and in the language reference.

# %% key="predict-coverage" further=true
predict("02-coverage", "Story cut at spaces: what fraction of its types has GloVe?",
        guess=None, within=0.15)

# %% key="glove-coverage" further=true
numbers = glove_start.quick_numbers(glove) if glove else curves.load("02_glove").numbers
coverage = {name: [numbers[f"{name}, {kind}"] for kind in ("types", "tokens")]
            for name in glove_start.texts()}
show_table(coverage, columns=("types", "tokens"), format=".2f")
reveal("02-coverage", round(numbers[f"{glove_start.STORY}, types"], 2))

# %% [markdown] key="glove-coverage-seen" further=true
# Coverage of the story rises from 58 % of its types to all of them when only the cutting and the capitals change. GloVe lacks `The`
# and `dog.`, but it has `the`, `dog` and `.`. So **cut a text as the makers of the vectors cut theirs**.
#
# In the language reference, 18 % of the types are missing, but only 2 % of the tokens. The missing words are rare, such as `iterable`,
# `typeerror` and `__getitem__`. Rare words are often what a text is about.

# %% [markdown] key="cold-question" further=true
# ### A word without a vector
#
# Some words are missing both in the file and in your text. Such a row gets no gradient from lookups and keeps its start. In a recommender this
# is the **cold start** of a new book or reader. S1's loader leaves these rows at
#
# > `embedding_matrix = torch.randn(len(vocab), embedding_dim)` (S1, “预训练embedding初始化”)
#
# This also draws the row of `<pad>`. We test how good such a guess is. We treat the rarer half of the 800 pretrained words of section 6
# as unknown, make up each row and measure its distance from the true vector. The unit is the distance between a row of zeros and that
# vector.

# %% key="predict-cold" further=true
predict("02-cold", "Which start is nearest to the words' true vectors?", guess=None,
        choices={"one": "N(0, 1)", "small": "N(0, 0.02²)",
                 "mean": "the mean of the known rows"})

# %% key="cold-start" further=true
given = torch.stack(list(pretrained.train_vectors(pretrained.texts().long).values()))
starts = pretrained.cold_starts(*given.chunk(2))
distances = {name: (f"{starts[name]:.2f}" if name in starts else "-", numbers[name])
             for name in (*starts, glove_start.NGRAMS)}
show_table(distances, columns=("section 6", "GloVe"), format=".2f")
reveal("02-cold", ("one", "small", "mean")[int(np.argmin(list(starts.values())))])

# %% [markdown] key="cold-lesson" further=true
# N(0, 1) is worst: its rows have norms of about √32 = 5.7, and those of this table 3 on average. The mean of the known rows is best by a
# little, and it is the same for every new word.
#
# For GloVe we treated 500 words as unknown and 20,000 as known. The order is the same. Letters help: each n-gram (notebook 01) gets the mean
# vector of the known words that contain it, and a new word gets the mean of its n-grams. This **subword** start is the nearest. But it knows
# only spelling. Its guess for `cpython` is near *python* and *monkey*, and for `unhashable` near *punishable* and *adultery* (after
# subtracting the mean of all words). A description of the word that a model can read is better still (notebook 09).

# %% [markdown] key="freeze-question" further=true
# ### GloVe: freeze it, or train it on?
#
# What counts in the end is the loss on the whole test text. We train on 2,000 to 32,000 words of the language reference, each word about
# three times, with ten seeds. A seed draws the paragraphs, the new rows and the batches.

# %% key="predict-freeze" further=true
predict("02-freeze", "2,000 words to train on: which has the lowest test loss?",
        guess=None, choices={"random": "random", "trained": "GloVe, trained on",
                             "frozen": "GloVe, frozen"})

# %% key="freeze-figure" further=true
RERUN = False  # True: measure with your load_pretrained (two minutes; needs GloVe)
again = RERUN and glove and (lambda: glove_start.measure(load_pretrained))
record = curves.load("02_glove", rerun=again or False)
pretrained_pictures.show_text_sizes(record)
best = min(pretrained.WAYS, key=lambda way: record.curves[way][0][1])
reveal("02-freeze", ("random", "trained", "frozen")[pretrained.WAYS.index(best)])

# %% [markdown] key="freeze-lesson" further=true
# GloVe helps most where text is short. Trained on, it saves 0.45 nats against random vectors with 2,000 words, and 0.05 with 32,000.
# Training on is ahead of freezing at each size. With 2,000 words it leads by 0.03 nats (0.01 to 0.04, an interval of 95 % over ten
# seeds), and with 32,000 by 0.19 (0.18 to 0.21). There the frozen table is behind even random vectors, since only its output layer can adapt. The test
# text is always the same 8,239 words, so another text may give other numbers.
#
# This agrees with section 6: frozen vectors are best for words that training never met, but such words are few.
#
# In PyTorch, `nn.Embedding.from_pretrained` makes a layer from your matrix. It freezes the table by default.

# %% key="from-pretrained" further=true
with waiting_for("load_pretrained"):
    for freeze in (True, False):
        layer = nn.Embedding.from_pretrained(matrix, freeze=freeze, padding_idx=0)
        say("freeze={freeze}: trained: {trained}", freeze=freeze,
            trained=layer.weight.requires_grad)

# %% [markdown] key="large-question" further=true
# ## F · A table of 100 million rows
#
# Tables of users or products have hundreds of millions of rows and do not fit on one machine. We train such a table step by step: with
# sparse steps, on shards, and with compressed gradients.

# %% [markdown] exercise="02.sparse_sgd_step_" further=true
# Write an SGD step that touches only the rows it is given, in place. Below, each machine runs it on its own shard.

# %% [markdown] key="shards-text" further=true
# ### Shards
#
# We split a table into eight **shards** (分片), one for each machine: row i is on machine i % 8. A lookup sends each id to the machine of
# its row, and the vector comes back. The gradient takes the same way, and each machine steps its own rows. We test whether this gives
# the same table as on a single machine.

# %% key="shards" further=true
with waiting_for("sparse_sgd_step_"):
    machines, table, batch = 8, torch.randn(1_000, 16), ids[:4_096]
    shards = [table[machine::machines].clone() for machine in range(machines)]
    gradients = torch.randn(len(batch), 16)  # stands for what the backward pass returns
    for machine, shard in enumerate(shards):
        asked = batch % machines == machine
        sparse_sgd_step_(shard, batch[asked] // machines, gradients[asked], lr=0.1)
    sparse_sgd_step_(table, batch, gradients, lr=0.1)
    same = all(torch.allclose(shard, table[machine::machines], atol=1e-5)
               for machine, shard in enumerate(shards))
    say("same as one table: {same}", same=same)

# %% [markdown] key="load-text" further=true
# The rows are sorted by the frequency of their words. We count the lookups of the busiest machine for two splits: blocks of 125
# neighbouring rows, and row i on machine i % 8.

# %% key="load" further=true
loads = {"blocks of 125 rows": ids // 125, "row i on machine i % 8": ids % 8}
busiest = {name: machine.bincount().max() / len(ids) for name, machine in loads.items()}
show_table(busiest, columns=("busiest machine, share of lookups",), format=".2f")

# %% [markdown] key="bytes-text" further=true
# With blocks, one machine answers 80 % of the lookups, and the others wait. Row i on machine i % 8 is closer to the fair share of 12.5 %.
# A very frequent word still makes its machine busier: `-` alone is 11 % of this text.
#
# ### What moves, in bytes
#
# We assume 100 million rows of 64 float32 numbers. So the table takes 25.6 GB, and Adam's two running means take another 51.2 GB. A step
# has 8,192 examples with 26 ids of 8 bytes each, spread over eight machines. No id repeats; with repeats, less moves. We count what one
# machine sends in one step, once with a full table on each machine and once with shards.

# %% key="bytes" further=true
rows, width, machines = 100_000_000, 64, 8
lookups = 8_192 * 26 / machines  # of one machine
others = (machines - 1) / machines  # the fraction of rows that stand on other machines
vector, index = 4 * width, 8  # bytes
sent = {
    "8 full tables, dense gradient": 2 * others * rows * vector,  # ring all-reduce
    "8 full tables, sparse rows": (machines - 1) * lookups * (vector + index),
    "shards: ids": others * lookups * index,
    "shards: vectors": others * lookups * vector,
    "shards: gradients": others * lookups * vector,
    "shards: gradients, 8 bits": others * lookups * (width + 4),  # and one scale a row
    "shards: gradients, top 6 of 64": others * lookups * 6 * (4 + 1),  # and positions
}
sent = {name: count / 1e6 for name, count in sent.items()}
show_table(sent, columns=("sent by one machine, MB",), format=",.1f")

# %% [markdown] key="bytes-lesson" further=true
# - A **dense** gradient moves 44.8 GB in each step, however small the batch is. **Sparse** rows move 49 MB, about 900 times less.
# - With shards, every vector travels to one machine only (**all-to-all**, 全交换): 12 MB in total. DLRM, a recommender of Naumov et al.
#   (2019), shards its tables this way.
# - In a **parameter server** (参数服务器; Li et al. 2014), machines of their own hold the shards. Workers pull rows and push gradients.
#   Workers that do not wait for each other push gradients of rows that have changed since: *stale* gradients.
# - **Gradient compression** (梯度压缩) shrinks the gradients 3.8 times (8 bits) or 8.5 times (top 6 of 64). The vectors keep their size.

# %% [markdown] key="compression-text" further=true
# ### Compressed gradients
#
# We compress the gradient of a real batch and measure the error, as a fraction of the gradient's norm.

# %% key="compression" further=true
table = (0.1 * torch.randn(1_000, 64)).requires_grad_()
F.cross_entropy(table[ids[:4_096]] @ table.detach().T, ids[1:4_097]).backward()
gradient = table.grad[table.grad.any(dim=1)]
scale = gradient.abs().amax(dim=1, keepdim=True) / 127
eight_bits = (gradient / scale).round() * scale
largest = gradient.abs().topk(6, dim=1).indices
top_6 = torch.zeros_like(gradient).scatter(1, largest, gradient.gather(1, largest))
received = {"8 bits": eight_bits, "top 6 of 64": top_6}
errors = {name: (gradient - values).norm() / gradient.norm()
          for name, values in received.items()}
show_table(errors, columns=("relative error",), format=".3f")

# %% [markdown] key="compression-lesson" further=true
# Rounding to 8 bits changes the gradient by less than 1 % of its norm. Keeping six of 64 numbers changes it by 75 %. So in practice each
# machine keeps the rest and adds it to its next gradient: **error feedback** (误差反馈; Seide et al. 2014, Lin et al. 2018). We have not
# measured what this does to the loss.
