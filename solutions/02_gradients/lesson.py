# %% [markdown] key="title"
# # 02 · Gradients
#
# **Which rows of the table learn, and which do not?**
#
# A table of a million words is trained with batches of a few hundred. So most rows stand still in most steps. Do they? It depends on
# more than the batch: on the loss, on the padding, on the initialisation, and above all on the optimizer.
#
# **Afterwards you can**
# - write the gradient of a lookup and of the cross-entropy by hand, and test any gradient numerically;
# - say what `padding_idx` does, and when it stops doing it;
# - predict which rows five optimizers move, without running them;
# - load pretrained vectors into part of a table;
# - further: say what a word starts from that nobody has seen.
#
# **{minutes}.** Builds on notebook 01: an embedding is a lookup, and a lookup is a matrix product.

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
from embedding_course import case, check, glossary, hint, ledger, predict, progress, reveal, waiting_for

# %% key="figures"
from embedding_course.data import language_reference
from embedding_course.experiments import curves
from embedding_course.experiments.gradients import difference_quotients, glove_start, initialisation
from embedding_course.experiments.gradients import moving_rows, pretrained, sparse_cost
from embedding_course.plot import cross_entropy, lines, scatter_add
from embedding_course.plot import moving_rows as moving_pictures
from embedding_course.plot import pretrained as pretrained_pictures

# %% [markdown] key="lookup-question"
# ## 1 · One word twice
#
# A table of four words, all ones. The sentence holds word 1, word 2, and word 1 again. The loss is the sum of all numbers that
# were looked up, so each looked-up vector gets the gradient (1, 1).

# %% key="predict-repeat"
predict("02-row-1", "What stands in each column of the gradient of row 1?", guess=None)

# %% key="repeat"
table = nn.Embedding.from_pretrained(torch.ones(4, 2), freeze=False)
table(torch.tensor([1, 2, 1])).sum().backward()
print(table.weight.grad)
reveal("02-row-1", int(table.weight.grad[1, 0]))

# %% [markdown] key="bug-sum"
# ### Find the bug: the gradient of a row
#
# Two sentences of S1, an essay on embeddings inside an LSTM:
#
# > “根据链式法则：$\frac{\partial L}{\partial E[i]} = \frac{\partial L}{\partial \mathbf{e}_i}$” (*by the chain rule, the gradient of row
# > i is that of its vector e_i*; S1, “embedding梯度计算的深度推导”)
#
# > “只有在当前batch中出现的词索引，其对应的embedding行才会有非零梯度” (*only the rows of word indices that occur in the current batch have a
# > gradient that is not zero*; S1, “embedding梯度计算的深度推导”)
#
# The first is right for a word that occurs once. Row 1 was looked up at two positions and got 2, as S1's own example shows a little
# below: the gradients of **all its occurrences add up**. The operation is called *scatter-add* ([散射累加](../glossary.md#the-table)): the gradient of every
# position is added to its word's row. The second is right for rows 0 and 3 here, and for every table that is only looked up; section 4 shows another.

# %% key="scatter-figure"
places = torch.tensor([[0.5, -1.0], [2.0, 0.3], [1.5, 0.4]])
gradient = torch.zeros(4, 2).index_add_(0, torch.tensor([1, 2, 1]), places)
scatter_add.show_scatter_add([1, 2, 1], places, gradient)

# %% [markdown] exercise="02.embedding_grad"
# Write the scatter-add for ids of any shape.

# %% [markdown] key="loss-question"
# ## 2 · Where the gradient comes from
#
# The gradients that are added come from a loss, nearly always the **cross-entropy** ([交叉熵](../glossary.md#language-models)) of a softmax: minus the logarithm of the
# probability that the model gave to the right word, on average. Its gradient is surprisingly simple. Five words, **logits** ([未归一化分数](../glossary.md#language-models)),
# the scores before the softmax, as below, and the right word is 爱 (*love*).

# %% key="predict-sum"
predict("02-grad-sum", "The five numbers of the gradient add up to what?", guess=None)

# %% key="loss-figure"
logits = torch.tensor([1.0, 2.0, -0.5, 0.3, 0.0], requires_grad=True)
F.cross_entropy(logits, torch.tensor(1)).backward()
cross_entropy.show_cross_entropy_gradient(logits.detach(), 1, ["我", "爱", "狗", "花", "家"])
reveal("02-grad-sum", round(float(logits.grad.sum()), 6))

# %% [markdown] key="loss-lesson"
# Probability minus truth: every wrong word is pushed down by its own probability, the right one is pulled up by 1 minus its own.
# Both sides are the same amount, so the sum is 0.

# %% [markdown] exercise="02.softmax_cross_entropy_grad"
# For a batch, and for the *mean* loss. Logits may be as large as 1000.

# %% [markdown] key="numeric-question"
# ## 3 · A gradient by number
#
# How do you know that a gradient is right? Move one number a little in both directions and look at what the loss does. The step should
# be small. But how small?

# %% key="predict-step"
predict("02-best-step", "float64, central difference: with which step is the error least? (say 1e-3, 1e-5 or 1e-9)", guess=None, within=0.5)

# %% key="numeric-figure"
steps = [10.0**power for power in range(-11, 0)]
found = {label: difference_quotients.errors(steps, dtype, central) for label, dtype, central in difference_quotients.KINDS}
lines.show_step_errors(steps, found)
reveal("02-best-step", steps[int(np.argmin(found["central, float64"]))])

# %% [markdown] key="numeric-lesson"
# Two errors work against each other: with a large step the curvature of the loss counts, with a small one rounding does.
# Central differences are better than forward ones by orders of magnitude, and float32 is too coarse for this: check gradients in float64.

# %% [markdown] exercise="02.numeric_grad"
# The tool for all that follows. It must leave `x` as it found it.

# %% key="check-by-number"
# waiting_for: while one of these functions is still a stub, the cell says so, and shows the figure that was recorded
with waiting_for("numeric_grad", "softmax_cross_entropy_grad"):
    scores, targets = torch.randn(3, 5, dtype=torch.float64), torch.tensor([0, 3, 3])
    by_number = numeric_grad(lambda x: F.cross_entropy(x, targets), scores)
    mine = softmax_cross_entropy_grad(scores, targets)
    print(f"your formula against your measurement: largest difference {(mine - by_number).abs().max():.1e}")

# %% [markdown] key="stop" stop=true
# You have the gradient of a table and of the loss, written by hand, and a number that says how far they are from a measured one.
# The second sitting asks which rows move by it.

# %% [markdown] key="padding"
# ## 4 · Rows that should not learn
#
# Sentences of different lengths are filled up with a padding word ([填充](../glossary.md#text-and-ids)). `padding_idx=0` gives its row two things: zeros at the start, and no
# gradient.

# %% key="padding-run"
padded = nn.Embedding(4, 3, padding_idx=0)
padded(torch.tensor([[2, 3, 0, 0]])).sum().backward()
padded.weight.data[0], padded.weight.grad[0]

# %% [markdown] key="bug-padding"
# ### Find the bug: a row that stays zero
#
# > “padding_idx：指定哪个索引保持零向量” (*padding_idx: says which index stays the zero vector*; S1, “1.3 关键术语说明”)
#
# It stays so until somebody writes into the table. Initialising it again does that, and so does loading vectors over it.

# %% key="predict-padding"
predict("02-padding-norm", "After nn.init.normal_(padded.weight): is row 0 still zero?", guess=None, choices=(True, False))

# %% key="padding-lost"
torch.manual_seed(0)
nn.init.normal_(padded.weight)
reveal("02-padding-norm", bool(padded.weight[0].norm() == 0))
padded.weight.data[0]

# %% [markdown] key="padding-part"
# Nothing brings the zeros back. Does the row at least keep what it was given?
#
# > “padding索引，该行不参与训练” (*index of padding; this row takes no part in training*; S1, “2.3 embedding层的完整剖析”)
#
# Two trials: AdamW, whose weight decay needs no gradient; and a table that also scores the words at the output (*tied* weights).

# %% key="predict-padding-tied"
predict("02-padding-tied", "The table looks words up and scores them. Does the padding row get a gradient?", guess=None, choices=(True, False))

# %% key="padding-moves"
decayed = nn.Embedding.from_pretrained(torch.ones(4, 3), freeze=False, padding_idx=0)
optimizer = torch.optim.AdamW(decayed.parameters(), lr=0.01, weight_decay=0.01)
for _ in range(100):
    optimizer.zero_grad()
    decayed(torch.tensor([[2, 0]])).sum().backward()
    optimizer.step()
tied = nn.Embedding(4, 3, padding_idx=0)
(tied(torch.tensor([2, 3])) @ tied.weight.T).logsumexp(dim=1).sum().backward()
print("a padding row of ones after 100 steps of AdamW:", decayed.weight.data[0])
print("gradients of the tied table, row by row:", tied.weight.grad.norm(dim=1))
reveal("02-padding-tied", bool(tied.weight.grad[0].any()))

# %% [markdown] key="padding-lesson"
# `padding_idx` keeps the gradient of *lookups* away from its row, and nothing else. SGD and Adam leave such a row as it is; AdamW shrinks
# it a little in every step, unless it is zero. And as an output row it gets a gradient like all others, which is also why no row of a
# tied table is without one: every word is among the wrong answers for some position, and has a probability above 0 there.

# %% [markdown] key="scale" further=true
# ### Words that come too often
#
# `scale_grad_by_freq=True` divides a row's gradient by the number of times its word occurs in the batch (not in the text): sums
# become means.

# %% key="scale-run" further=true
for scaled in (False, True):
    table = nn.Embedding(4, 2, scale_grad_by_freq=scaled)
    table(torch.tensor([1, 2, 1, 1])).sum().backward()
    print(f"scale_grad_by_freq={scaled!s:6}", table.weight.grad[:, 0])

# %% [markdown] exercise="02.embedding_grad_with_options" further=true
# Both options, as `nn.Embedding` has them. A negative `padding_idx` counts from the end.

# %% [markdown] key="start"
# ## 5 · How to begin
#
# What should stand in the table before the first step? This is its **initialisation** ([初始化](../glossary.md#the-table)). `nn.Embedding` draws from N(0, 1). GPT-2 and BERT take a standard deviation of
# 0.02; Xavier and Kaiming derive theirs from the table's shape. For 100,256 words and 1,536 numbers:

# %% key="start-numbers"
for name, std in initialisation.standard_deviations(100_256, 1_536).items():
    print(f"{name:12} standard deviation {std:.5f}")
text = language_reference.words()  # real text: the Python language reference that comes with Python
vocab = language_reference.common_words(text, 1_000)
ids = language_reference.ids_of(text, vocab)

# %% [markdown] key="bug-xavier" further=true
# ### Find the bug: a formula and the line below it
#
# S4, which goes from text to vector, announces Xavier's start (*Xavier 初始化*), and writes
#
# > “公式：std = sqrt(2 / (fan_in + fan_out))…W_e = np.random.randn(100256, 1536) * np.sqrt(2/1536)” (*formula: …*; S4, “Embedding 矩阵”)
#
# The formula is Xavier's. The line below it takes one side of the table instead of both: .0361, Kaiming's. Xavier's, sqrt(2 / (100,256 +
# 1,536)), is eight times smaller: .00443.

# %% [markdown] key="first-loss-text" further=true
# ### How high is the first loss?
#
# Of the starts of section 5, which ones are good? A thousand words of real text, and a table that also scores the words at the output (tied), or one that does not.

# %% key="predict-first-loss" further=true
predict("02-first-loss", "1,000 words, table N(0, 1), used for output too: how large is the first loss? (guessing: log(1,000) = 6.9)",
        guess=None, within=0.25)

# %% key="start-figure" further=true
stds = initialisation.standard_deviations(1_000, 64)
runs = {tied: {name: initialisation.train(ids, 1_000, std, tied=tied) for name, std in stds.items()} for tied in (True, False)}
lines.show_first_losses(runs, math.log(1_000))
print(f"N(0, 1), tied: the logits have a standard deviation of {runs[True]['N(0, 1)'].logit_std:.1f} before the first step")
reveal("02-first-loss", runs[True]["N(0, 1)"].losses[0])

# %% [markdown] key="start-lesson" further=true
# Real text: the Python language reference that comes with Python. Where the table also scores the words (tied weights, left), N(0, 1) makes
# logits with a standard deviation of about 8 = √64: the model gives some words a probability near 1 before it has learned anything, and the
# loss starts far above that of guessing. With separate
# output weights the initialisation matters much less. This is one reason to start with small numbers. There is another way: T5 ties its weights, begins
# with N(0, 1), and divides the logits by √d.

# %% key="tied-scaled" further=true
for name, std, scale in (("N(0, 1)", 1.0, 1.0), ("N(0, 0.02²)", 0.02, 1.0), ("N(0, 1), logits / √64", 1.0, 1 / 8)):
    print(f"tied, {name:22} first loss {initialisation.first_loss(ids, 1_000, std, scale=scale):.1f}")

# %% [markdown] key="start-lesson-core"
# The largest and the smallest are more than two hundred times apart. What that does to the first loss is measured in the further part: much where the table also scores the words, little where the output has weights of its own.

# %% [markdown] key="sparse"
# ## 6 · Only the rows that were touched
#
# The gradient of a lookup is nearly all zeros. `sparse=True` keeps only the rows that are not, a **sparse gradient** ([稀疏梯度](../glossary.md#the-table)).

# %% key="sparse-run"
thin = nn.Embedding(1_000_000, 4, sparse=True)
thin(torch.tensor([5, 7, 5])).sum().backward()
thin.weight.grad.coalesce().indices(), thin.weight.grad.coalesce().values()

# %% key="predict-cost"
predict("02-step-cost", "100,000 rows instead of 1,000: how many times longer does a SparseAdam step take?", guess=None, within=0.5)

# %% key="sparse-figure"
sizes = [1_000, 10_000, 100_000]
cost = {name: sparse_cost.milliseconds(name, sizes) for name in sparse_cost.STEPPERS}
lines.show_step_cost(sizes, cost)
reveal("02-step-cost", round(cost["SparseAdam"][-1] / cost["SparseAdam"][0], 1))

# %% [markdown] key="sparse-lesson"
# A dense step touches every row, a sparse one only those of the batch: its cost hardly depends on the number of rows.

# %% [markdown] exercise="02.sparse_sgd_step_"
# A step that touches only the rows it is given, in place.

# %% [markdown] key="moved-question"
# ## 7 · Which rows really move?
#
# ### Find the bug: rows outside the batch
#
# > “则只有这些索引对应的embedding行会被更新” (*then only the rows of these indices, those in the batch, are updated*; S1, “第二阶段：训练更新写入”)
#
# It sounds obvious: no gradient, no change. Eight words, twelve batches of one short sentence. 讨厌 (*hate*) is in the second batch only,
# 狗 (*dog*) in none. Five of PyTorch's own optimizers train on them.

# %% key="predict-moved"
predict("02-dog-moves", "Which optimizer moves 狗, the word that never occurs?", guess=None,
        choices={"sgd": "SGD", "adam": "Adam", "adamw": "AdamW", "none": "none of them"})

# %% key="moved-figure"
row = {chinese: index for index, (chinese, _, _) in enumerate(moving_rows.WORDS)}
history = [torch.tensor([row[word] for word in sentence.split()]) for sentence in moving_rows.SENTENCES]
movements = [moving_rows.movement(name, history, len(row)) for name in moving_rows.OPTIMIZERS]
moving_pictures.show_movement(movements, history)
reveal("02-dog-moves", next(one.optimizer for one in movements if one.differs[row["狗"]]))

# %% [markdown] key="moved-lesson"
# - **SGD** and **SparseAdam**: a row moves in the steps whose batch holds it, and in no others. The sentence above is true for them, and
#   the formula beside it in S1 is SGD's.
# - **Momentum** and **Adam** keep running means of past gradients. 讨厌 goes on moving long after its only sentence.
# - **AdamW** shrinks every row a little in every step (weight decay), even rows that no batch ever held. (A row of zeros, such as
#   a padding row, stays zero.)

# %% [markdown] key="late-text" further=true
# ### How far a single gradient carries a row
#
# How far does a single gradient, of size 1, move a row that is never seen again? SGD takes one step of one learning rate and stops.
# With momentum, one gradient moves the row by ten learning rates in total, early or late. And Adam? If the gradient comes in its very first step, six. A rare
# word's may come after ten thousand steps in which the row was not seen.

# %% key="predict-late" further=true
predict("02-late", "Adam, a row's only gradient in step 10,000: how many learning rates does the row travel in all?", guess=None, within=0.2)

# %% key="travel-figure" further=true
travel = {name: moving_rows.further_travel(name) for name in ("sgd", "sgd-momentum")}
travel |= {f"adam, step {step:,}": moving_rows.further_travel("adam", seen_at=step) for step in (1, 10_000)}
lines.show_travel(travel)
reveal("02-late", round(travel["adam, step 10,000"][-1].item(), 1))

# %% [markdown] key="travel-lesson" further=true
# About 32, five times as far as an early one. Adam divides by the root of a running mean of squared gradients, which starts at zero. In the
# first steps this mean is corrected for that; after ten thousand steps it counts as true, and a row that was not seen has a mean of zero. So
# the first gradient that it gets is divided by a very small number: √.001 of itself. The first step alone is three learning rates.

# %% [markdown] exercise="02.moved_rows"
# Put it into a function: given the optimizer's name and the batches, which rows end up elsewhere? No training needed, only reasoning.

# %% [markdown] key="real-text"
# On real text (the Python language reference that comes with Python), in batches of 64 words out of 1,000, the fraction of rows that each optimizer moves:

# %% key="real-text-figure"
batches = list(ids[: 64 * 40].view(40, 64))
shares = {name: moving_rows.movement(name, batches, 1_000).moved.float().mean(dim=1) for name in moving_rows.OPTIMIZERS}
in_batch = torch.tensor([len(batch.unique()) / 1_000 for batch in batches])
lines.show_share_moved(shares, in_batch)

# %% [markdown] key="real-text-lesson"
# After forty batches Adam and momentum move every row that was ever seen, in each step; AdamW moves the rest as well. (Adam's running mean lasts for
# one or two hundred steps. Then what is left of it is too small for float32 to add to a row.) A rare word's vector
# is moved far more often by these running means than by a gradient of its own.

# %% [markdown] key="pretrained-question"
# ## 8 · Somebody else's vectors
#
# Training from nothing wastes what others have learned. One takes a file of **pretrained vectors** ([预训练词向量](../glossary.md#the-table)), copies those of the words that one has,
# and draws the rest. Then there is a choice: train the table on, or freeze it (`requires_grad_(False)`).

# %% [markdown] exercise="02.load_pretrained"
# Copy the known rows, draw the unknown ones, keep the padding row at zero.

# %% key="predict-frozen"
predict("02-frozen", "4,000 words of training text: which start is best for words that it never met?", guess=None,
        choices={"random": "random vectors", "trained": "given vectors, trained on", "frozen": "given vectors, frozen"})

# %% key="pretrained-figure"
with waiting_for("load_pretrained"):
    corpus = pretrained.texts()
    words = language_reference.common_words(corpus.long + corpus.short, 1_000)
    vectors = pretrained.train_vectors(corpus.long)
    matrix, known = load_pretrained(words, vectors, 32, generator=torch.Generator().manual_seed(0))
    short, test = (language_reference.ids_of(part, words) for part in (corpus.short, corpus.test))
    outcomes = {way: pretrained.compare(way, matrix, known, short, test) for way in pretrained.WAYS}
    pretrained_pictures.show_outcomes(outcomes)
    best = min(outcomes, key=lambda way: outcomes[way].only_pretrained)
    reveal("02-frozen", ("random", "trained", "frozen")[pretrained.WAYS.index(best)])

# %% [markdown] key="pretrained-lesson"
# Vectors that others trained help most with words that your own text lacks: those rows get no gradient, so a random row stays random.
# Training moves the words it sees. Unseen words stay behind and no longer fit, so freezing wins here for words that training
# never met. For the words that it did meet, the frozen table is far behind.

# %% [markdown] key="glove-question" further=true
# ### Does GloVe know your words?
#
# The vectors of section 8 came from 90,000 words. **GloVe** (Pennington, Socher and Manning 2014) offers 400,000 words with 50 numbers
# each, made from six billion words of Wikipedia and newspapers. Before you load such a file, count how many of your words it has: this is
# its **coverage**. We count the different words (types) and the running words (tokens) of the story of notebook 01 and of the language
# reference.

# %% key="predict-coverage" further=true
predict("02-coverage", "The story cut at spaces: GloVe has what fraction of its types?",
        guess=None, within=0.15)

# %% key="glove-coverage" further=true
glove = glove_start.glove_or_none()
numbers = glove_start.quick_numbers(glove) if glove else curves.load("02_glove").numbers
print("                        types  tokens")
for name in glove_start.texts():
    types, tokens = (numbers[f"{name}, {kind}"] for kind in ("types", "tokens"))
    print(f"{name:22}  {types:5.2f}  {tokens:6.2f}")
reveal("02-coverage", round(numbers[f"{glove_start.STORY}, types"], 2))

# %% [markdown] key="glove-coverage-seen" further=true
# The same story goes from 58 % of its different words to all of them, although only the cutting and the capitals changed. `The` and `dog.` are
# unknown, `the`, `dog` and `.` are known. So **cut a text as the makers of the vectors cut theirs** before you call a word unknown.
#
# In the language reference, 18 % of the different words are missing, but only 2 % of the running words: what is missing is rare, such
# as `iterable`, `typeerror` and `__getitem__`. These rare words are often what a text is about.

# %% [markdown] key="cold-question" further=true
# ### A word that nobody has seen
#
# What about a word that neither the file of pretrained vectors (section 8) nor your text has? Its row gets no gradient from lookups, so it keeps what it starts with
# (weight decay aside). In a recommender this is the **cold start**: a new book, a new reader. S1's loader leaves such rows at
#
# > `embedding_matrix = torch.randn(len(vocab), embedding_dim)` (S1, “预训练embedding初始化”)
#
# which also draws the row of `<pad>`. To see how good a guess that is, treat known words as unknown: take the rarer half of the 800 pretrained words, make
# up each row, and measure how far it stands from the word's true vector (as a multiple of how far a row of zeros does).

# %% key="predict-cold" further=true
predict("02-cold", "Which start is nearest to the words' true vectors?", guess=None,
        choices={"one": "N(0, 1)", "small": "N(0, 0.02²)", "mean": "the mean of the known rows"})

# %% key="cold-start" further=true
given = torch.stack(list(pretrained.train_vectors(pretrained.texts().long).values()))
starts = pretrained.cold_starts(*given.chunk(2))
print("how far, times a row of zeros    here   GloVe")
for name in (*starts, glove_start.NGRAMS):
    here = f"{starts[name]:.2f}" if name in starts else "-"
    print(f"{name:30}   {here:>4}   {numbers[name]:5.2f}")
reveal("02-cold", ("one", "small", "mean")[int(np.argmin(list(starts.values())))])

# %% [markdown] key="cold-lesson" further=true
# N(0, 1) is worst, since its rows are about √32 = 5.7 long, and those of this table 3 on average. The mean is best, by a little, and it is
# the same for every new word. No such row holds anything about its word.
#
# GloVe shows the same order (500 of its words were treated as unknown, and 20,000 as known). What helps there is something that is known
# about the word: its letters. In the last line, each n-gram (notebook 01) gets the mean vector of the known words that contain it, and a
# new word gets the mean of its n-grams. This **subword** start is the nearest, but it knows only spelling: after subtracting the mean of all words, those nearest to its guess
# for `cpython` are *python* and *monkey*, and for `unhashable` they are *punishable* and *adultery*. Better still is a description of the
# word that a model can read (notebook 09).

# %% [markdown] key="freeze-question" further=true
# ### GloVe: freeze it, or train it on?
#
# In section 8, freezing was best for words that the training never met, and worst for those that it met. What counts in the end is the loss on
# the whole test text. We train on 2,000 to 32,000 words of the language reference, each word about three times, with ten seeds. A seed draws the
# paragraphs, the new rows and the batches.

# %% key="predict-freeze" further=true
predict("02-freeze", "2,000 words to train on: which table has the lowest test loss?", guess=None,
        choices={"random": "random", "trained": "GloVe, trained on", "frozen": "GloVe, frozen"})

# %% key="freeze-figure" further=true
RERUN = False  # True: measure again with your load_pretrained (two minutes; needs GloVe)
again = RERUN and glove and (lambda: glove_start.measure(load_pretrained))
record = curves.load("02_glove", rerun=again or False)
pretrained_pictures.show_text_sizes(record)
best = min(pretrained.WAYS, key=lambda way: record.curves[way][0][1])
reveal("02-freeze", ("random", "trained", "frozen")[pretrained.WAYS.index(best)])

# %% [markdown] key="freeze-lesson" further=true
# GloVe is worth most where text is short: trained on, it saves 0.45 nats against random vectors with 2,000 words of text, and 0.05 with
# 32,000. Training on is ahead of freezing at each size. With 2,000 words its lead is small, 0.03 nats (0.01 to 0.04, an interval of 95 %
# over the ten seeds), and with 32,000 words it is 0.19 (0.18 to 0.21). The frozen table is then behind even random vectors that learn,
# since only its output layer can still adapt to the text. The test text is always the same 8,239 words, so the intervals do not say how
# another text would come out.
#
# Section 8 is no contradiction. Frozen vectors are best for words that the training never met, but such words are few in the whole text.
#
# **The same in real tools.** `nn.Embedding.from_pretrained` makes a layer from your matrix. It freezes the table unless you say otherwise.

# %% key="from-pretrained" further=true
with waiting_for("load_pretrained", after=["matrix"]):
    for freeze in (True, False):
        layer = nn.Embedding.from_pretrained(matrix, freeze=freeze, padding_idx=0)
        print(f"freeze={freeze!s:6} trained: {layer.weight.requires_grad}")

# %% [markdown] key="reflection" reflection=3
# ## 9 · In your own words (3 points, graded by a person)
#
# You train a table of 200,000 words with Adam. A word was last seen fifty steps ago, and its vector in the checkpoint still changes. A colleague
# calls it a bug and proposes `sparse=True` with SparseAdam. What is going on, and what would you weigh before you agree?
#
# *What earns points: (1) why a row without a gradient moves; (1) what SparseAdam does instead, and what that changes besides speed; (1) one
# thing to measure before deciding.*

# %% [markdown] key="reflection-model" model_answer=true
# Adam keeps running means of every row's gradient. After the last sighting the means decay but are not zero, so the row drifts on, for one or
# two hundred steps until float32 no longer shows it; it is how Adam is defined. SparseAdam updates means and rows only where the batch has a
# gradient: seldom words keep stale means for long and then take steps of another size, and there is no weight decay. It is faster and needs
# no dense gradient. Measure the loss on rare words with both, and the time and memory of a step; look how far rows drift after they were
# last seen.

# %% [markdown] key="card-text"
# ## 10 · Your card
#
# The measured truth, and beside it what **your** `moved_rows` says without having trained anything.

# %% key="card"
with waiting_for("moved_rows"):
    said = {name: moved_rows(name, history, len(row)) for name in moving_rows.OPTIMIZERS}
    moving_pictures.show_prediction(movements, history, said)

# %% [markdown] key="take-along"
# **What you take along.** A row's gradient is the sum of the gradients at all its uses, and a row that is not used gets none. Whether it *moves*
# without any is up to the optimizer.
#
# Next, notebook 03: *what does clipping a row do to its gradient?*

# %% key="where-next"
progress()
