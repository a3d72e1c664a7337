# %% [markdown] key="title"
# # 03 · max_norm
#
# **What does clipping a row do to its gradient?**
#
# `nn.Embedding` has an argument that looks harmless: `max_norm=1.0` ([最大范数，重新归一化](../glossary.md#the-table)). It promises that no word's vector gets longer than that. In
# this notebook you find out what it writes, when it writes it, and which gradient comes back. Along the way you put sentences to the
# test: those of S5, a note on `max_norm` in Chinese, most of them right, and beliefs that are common.
#
# **Afterwards you can**
# - say which rows a lookup with `max_norm` changes, in which mode, and by how much;
# - write it yourself, for any `norm_type`;
# - predict the gradient that PyTorch leaves behind, and name the two that it does not take;
# - use one table twice without autograd's "modified by an inplace operation";
# - trace the lengths of rows along a training run, and say what the optimizer did to them.
#
# **{minutes}.** Builds on notebook 02: which rows of a table a gradient reaches, and which rows an optimizer moves.

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
from embedding_course import case, check, glossary, hint, ledger, predict, progress, reveal, say, waiting_for

# %% key="figures"
from embedding_course.experiments.max_norm import first_word_gradient, next_word
from embedding_course.plot import clipped_gradients, norm_traces
from embedding_course.plot import max_norm as pictures
from embedding_course.plot.chinese import label

# %% [markdown] key="five-rows"
# ## 1 · Which rows, and how short?
#
# Here is S5's table of five words, three numbers each. The length of a row is its 2-norm ([范数](../glossary.md#the-table)), $\sqrt{x_1^2+x_2^2+x_3^2}$.

# %% key="five-rows-table"
W = torch.tensor([[.3367, .1288, .2345], [.2303, -1.1229, -.1863], [2.2082, -.6380, .4617],
                  [.2674, .5349, .8094], [1.1103, -1.6898, -.9890]])
W.norm(dim=1)

# %% [markdown] key="five-rows-question"
# Rows 2 and 4 are longer than 1.5. Now words 2 and 3 are looked up in this table with `max_norm=1.5`.

# %% key="predict-rows"
predict("03-rows-changed", "How many of the five rows are different afterwards?", guess=None, within=0)

# %% key="five-rows-lookup"
embedding = nn.Embedding(5, 3, max_norm=1.5, _weight=W.clone())
embedding(torch.tensor([2, 3]))
changed = (embedding.weight != W).any(dim=1)
print(embedding.weight.data, changed, sep="\n")
reveal("03-rows-changed", int(changed.sum()))

# %% [markdown] key="five-rows-answer"
# One. Row 2 was too long and became (1.4128, -.4082, .2954). Row 3 was looked up too, but it is short enough: it is **not
# stretched**. Row 4 is too long as well, but nobody asked for it. Look it up, and it becomes (.7399, -1.1261, -.6591):

# %% key="five-rows-both"
embedding(torch.tensor([4]))
embedding.weight.data[[2, 4]], embedding.weight.norm(dim=1)

# %% [markdown] key="arrows-text"
# The same in two dimensions, so that it can be seen. The sentence is 我爱书 (*I love books*); the table holds three more words.
# Four of the six rows are longer than `max_norm=1`.

# %% key="predict-arrows"
predict("03-arrows", "我, 爱 and 书 are looked up. How many of the six arrows get shorter?", guess=None, within=0)

# %% key="arrows"
six_words = (("我", "wǒ", "I"), ("爱", "ài", "love"), ("书", "shū", "book"), ("猫", "māo", "cat"), ("狗", "gǒu", "dog"), ("水", "shuǐ", "water"))
names = [f"{label(word, pinyin)} {english}" for word, pinyin, english in six_words]
six = torch.tensor([[0.45, 0.6], [1.7, 1.1], [-1.2, 1.5], [1.6, -1.2], [-0.7, -0.35], [-1.0, -1.8]])
clipped = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone())
clipped(torch.tensor([0, 1, 2]))
pictures.clipping(six, clipped.weight.detach(), [0, 1, 2], max_norm=1.0, names=names)
reveal("03-arrows", int((clipped.weight != six).any(dim=1).sum()))

# %% [markdown] key="arrows-lesson"
# Three things to read off. **Only rows that are looked up** can change: 猫 (*cat*) and 水 (*water*) are too long and stay so.
# A row that changes **keeps its direction**. And a row inside the circle stays as it is.
#
# In formulas: $e \leftarrow e \cdot \min(1, \text{max\_norm} / \lVert e \rVert)$ for every looked-up row $e$.

# %% [markdown] key="balls-text"
# ### What “long” means
#
# `norm_type` chooses the norm: 1 adds up the absolute values, 2 is the usual length, `inf` takes the largest absolute value.
# Each has its own set of rows that are short enough: its *ball*.

# %% key="predict-balls"
predict("03-which-norm", "Under which norm_type (1, 2 or inf) is the row (1.5, 0.9) shortened most?", guess=None, within=0)

# %% key="balls"
rows = [[1.5, 0.9], [-0.5, 1.6], [-1.4, -1.2], [0.3, -1.5], [-0.4, 0.3], [-1.6, 0.2], [0.5, 0.25], [1.1, -1.1]]
pictures.norm_balls(torch.tensor(rows))
reveal("03-which-norm", 1)

# %% [markdown] key="balls-lesson"
# The 1-norm of a row is never less than its 2-norm, and that is never less than its largest entry. So `norm_type=1` finds most rows
# too long. In all three, a row slides towards the origin. Even for `inf` no entry is cut by itself: `clamp` would turn the row.

# %% [markdown] exercise="03.renorm_rows"
# Write the clipping itself, for a whole table and without touching it: each row that is longer than `max_norm` is scaled down
# to that length.

# %% key="use-renorm-rows"
# waiting_for: while one of these functions is still a stub, the cell says so, and shows the figure that was recorded
with waiting_for("renorm_rows"):
    for order in (1, 2, math.inf):
        theirs = nn.Embedding(5, 3, max_norm=1.5, norm_type=order, _weight=W.clone())
        difference = (renorm_rows(W, 1.5, order) - theirs(torch.arange(5))).abs().max()
        say("norm_type {order}: your rows differ from torch's by {difference:.0e} at most", order=order, difference=difference)

# %% [markdown] key="bug-exact" further=true
# ### Find the bug: exactly?
#
# > “就会被按比例缩小,使得它的范数刚好等于max_norm” (*it is scaled down in proportion, so that its norm is exactly max_norm*; S5, “1. 类比
# > “词典””)
#
# > “第 0 行:0.4300(未变)…第 3 行:1.0063(未变)” (*row 0: 0.4300 (unchanged) … row 3: 1.0063 (unchanged)*; S5, “4. 重归一化后的权重矩阵”)
#
# Here are the norms with more digits, in double precision, and those of rows 2 and 4 after the clip:

# %% key="more-digits" further=true
double = nn.Embedding(5, 3, max_norm=1.5, _weight=W.double())
say("before: {norms}", norms=[f"{norm:.6f}" for norm in W.double().norm(dim=1).tolist()])
say("after:  {norms}", norms=[f"{norm:.9f}" for norm in double(torch.arange(5)).norm(dim=1).tolist()])

# %% [markdown] key="more-digits-lesson" further=true
# .43005 rounds to .4301 and 1.006354 to 1.0064: S5's digits are cut off, not rounded. And 1.499999936 is not 1.5. So how far
# off can it get?

# %% key="predict-tiny" further=true
predict("03-tiny", "A row of norm 1e-6 with max_norm=5e-7: how long is it afterwards, as a fraction of max_norm?", guess=None, within=0.01)

# %% key="tiny" further=true
tiny = nn.Embedding(1, 2, max_norm=5e-7, _weight=torch.tensor([[6e-7, 8e-7]], dtype=torch.float64))
share = tiny(torch.tensor([0])).norm().item() / 5e-7
pictures.shortfall()
reveal("03-tiny", round(share, 3))

# %% [markdown] key="tiny-lesson" further=true
# PyTorch multiplies by max_norm / (norm + 1e-7). The 1e-7 costs the fraction 1e-7 / (norm + 1e-7) of the length: nine per cent of a
# row of norm 1e-6, no more than float32's last digit or two for a row of norm 1. In float32, rounding may even leave a row slightly
# *above* `max_norm`; then its next lookup writes to it again. Compare with a tolerance, never with `==`.

# %% [markdown] key="writes"
# ## 2 · Reading is writing
#
# The lookup changed the table itself, as S5 says. Try that where one would least expect it. (That a model only reads in eval
# mode is a common belief; no source of ours says it.)

# %% key="predict-eval"
predict("03-eval-writes", "model.eval() and torch.no_grad(): does a lookup still change the table?", guess=None, choices=(True, False))

# %% key="eval-writes"
for mode in (torch.no_grad, torch.inference_mode):
    table = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone()).eval()
    with mode():
        table(torch.tensor([1]))
    say("{mode:14} rows changed: {changed}", mode=mode.__name__, changed=(table.weight != six).any(dim=1).tolist())
reveal("03-eval-writes", bool((table.weight != six).any()))

# %% [markdown] key="eval-lesson"
# `eval()` switches dropout and batch norm; `no_grad` switches off the recording of gradients. Clipping is neither. So an evaluation may
# change the model that it evaluates. Does that matter? Which word fits the question (1, 0.1) best, before and after somebody *reads*
# the word 爱 (*love*)?

# %% key="best-match"
table, question = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone()).eval(), torch.tensor([1.0, 0.1])
with torch.no_grad():
    before = (table.weight @ question).argmax().item()
    table(torch.tensor([1]))
    after = (table.weight @ question).argmax().item()
say("best match before: {before} · after: {after}", before=names[before], after=names[after])

# %% [markdown] key="bug-frozen"
# ### Find the bug: frozen vectors stay as they are
#
# A common belief again, and nobody's sentence. Freezing switches the gradient off. Here `vectors` is a tensor that you loaded from somewhere, and may want to use again.

# %% key="predict-frozen"
predict("03-frozen", "Row 1 of `vectors` had norm 5. What is it after one lookup in the frozen table with max_norm=1?", guess=None, within=0.01)

# %% key="frozen"
vectors = torch.tensor([[3.0, 4.0], [3.0, 4.0], [3.0, 4.0]])
frozen = nn.Embedding.from_pretrained(vectors, freeze=True, max_norm=1.0)
frozen(torch.tensor([1]))
say("norms of the tensor that was loaded: {norms}", norms=vectors.norm(dim=1).tolist())
reveal("03-frozen", round(vectors[1].norm().item(), 3))

# %% [markdown] key="frozen-lesson"
# `from_pretrained` copies nothing, so the lookup wrote into *your* tensor (and had it come from a NumPy array, into that). Give it
# a `.clone()`. The same goes for memory that several processes share: with `max_norm`, their lookups write to it at the same time.

# %% [markdown] exercise="03.lookup_with_max_norm_"
# Now the lookup with its side effect. It changes `weight` in place, as PyTorch does, and only the rows that were asked for.

# %% key="use-lookup"
with waiting_for("lookup_with_max_norm_", "renorm_rows"):
    mine = six.clone()
    for text in ("first reading: {count} rows changed", "second reading: {count} rows changed"):
        before = mine.clone()
        lookup_with_max_norm_(mine, torch.tensor([0, 1, 2, 1]), 1.0)
        say(text, count=int((mine - before).abs().amax(dim=1).gt(1e-6).sum()))

# %% [markdown] key="gradient-question"
# ## 3 · Which gradient?
#
# Take a single row (3, 4) with `max_norm=1`. The lookup returns (0.6, 0.8). The loss is the sum of squares, so its gradient at
# a point $e$ is $2e$. Three answers look reasonable for `weight.grad`:
#
# - **at the row as it stood**: 2·(3, 4) = (6, 8), since that is what was in the table;
# - **through the norm**: the clipped row has length 1 whatever the row's length, so the loss cannot change, and the gradient is (0, 0);
# - **at the clipped row**: 2·(0.6, 0.8) = (1.2, 1.6), as if somebody had clipped the table before anything began.

# %% key="predict-gradient"
predict("03-gradient", "The first number of weight.grad: 6, 0 or 1.2?", guess=None, within=0.01)

# %% key="gradient"
one = nn.Embedding(1, 2, max_norm=1.0, _weight=torch.tensor([[3.0, 4.0]]))
one(torch.tensor([0])).square().sum().backward()
say("gradient {gradient} · the row is now {row}", gradient=one.weight.grad, row=one.weight.data)
reveal("03-gradient", one.weight.grad[0, 0].item())

# %% [markdown] key="fields-text"
# All three again, at many rows, computed by autograd. An arrow is one SGD step with learning rate 0.2.

# %% key="fields"
gradient_of = clipped_gradients.fields(lambda e: e.square().sum(dim=-1), max_norm=1.0, row=(3.0, 4.0))

# %% [markdown] key="fields-lesson"
# Inside the circle the three agree. Outside, PyTorch's arrow has the same length however far away the row is, since it belongs to the
# clipped row. The true gradient of the formula in section 1 is zero for this loss: only a change of direction could help, and this loss does
# not depend on the direction.
#
# The reason: clipping is **not part of the graph** that autograd records. It is done to the table, under `no_grad`, before the lookup. The backward
# pass starts from the row that is there *now*, and knows of no other.

# %% [markdown] key="way-text"
# So which function does training minimise? Follow one row on its way to a target outside the circle.

# %% key="predict-way"
predict("03-way", "With PyTorch's clipping: where does the row end up?", guess=None,
        choices={"target": "at the target", "nearest": "at the nearest allowed point", "origin": "at the origin"})

# %% key="way"
far = clipped_gradients.way_of_a_row((-0.8, 2.1), target=(2.4, 0.9), max_norm=1.0, lr=0.08, steps=12)
say("after 12 steps its lookup returns a row {target:.2f} from the target, {nearest:.2f} from the nearest allowed point, {origin:.2f} from the origin", **far)
reveal("03-way", min(far, key=far.get))

# %% [markdown] key="way-lesson"
# Step, clip, step, clip: this is **projected gradient descent**. It minimises a loss like this one over all rows within the ball, and
# comes to rest at the allowed point nearest to the target. The clip comes late, at the *next* lookup; until then the row stands where the
# arrow ends, outside the circle.
#
# Through the norm, a row can only turn: the gradient is at right angles to the row, so each step makes the row *longer*, and
# longer rows turn more slowly. If that is what you want, write `F.normalize` into your model, where autograd can see it.
#
# (Scaling leads to the nearest point of the ball only for `norm_type=2`. With 1 and `inf` it is not the projection.)

# %% [markdown] key="stop" stop=true
# You have the clipping and the lookup that does it, you know that a lookup writes, and have seen which gradient comes back. The second
# sitting computes that gradient, and measures what a training run makes of the rows.

# %% [markdown] exercise="03.grad_after_lookup"
# Give the gradient that PyTorch would leave in `weight.grad`. You may ask autograd for it; can you do without?

# %% key="use-grad-after-lookup"
with waiting_for("grad_after_lookup", "renorm_rows", "lookup_with_max_norm_"):
    big, ids, target = 3 * torch.randn(1000, 16), torch.randint(1000, (64, 8)), torch.randn(64, 8, 16)
    theirs = nn.Embedding(1000, 16, max_norm=1.0, _weight=big.clone())
    (theirs(ids) - target).square().sum().backward()
    mine = grad_after_lookup(big, ids, lambda out: 2 * (out - target), 1.0)
    difference = (mine - theirs.weight.grad).abs().max()
    say("512 lookups: your gradient differs from PyTorch's by {difference:.0e} at most", difference=difference)

# %% [markdown] key="pitfall"
# ## 4 · The pitfall: one table, used twice
#
# Many models use the table at both ends: to look words up, and to score every word of the vocabulary (“tied” weights). Autograd keeps what it
# needs for the backward pass, and here it needs the table. What if a lookup ([查表](../glossary.md#the-table)) writes to the table in between?

# %% key="predict-pitfall"
predict("03-pitfall", "Row 1 is short: nothing gets clipped. Does the backward pass work?", guess=None, choices=(True, False))

# %% key="pitfall-error"
tied = nn.Embedding(4, 3, max_norm=0.5, _weight=torch.full((4, 3), 0.1))
scores = torch.ones(1, 3, requires_grad=True) @ tied.weight.T  # the table, before the lookup
outcome = True
try:
    (scores.sum() + tied(torch.tensor([1])).sum()).backward()
except RuntimeError as error:
    outcome = False
    print("RuntimeError:", str(error).split(". Hint")[0])
reveal("03-pitfall", outcome)

# %% [markdown] key="pitfall-lesson"
# A tensor counts how often it has been written to, and autograd compares. The lookup counts as a write even if all rows are short,
# so the error comes with all data, and you see it in the first run:

# %% key="version"
for sentence in ([1], [0, 2], []):
    tied(torch.tensor(sentence, dtype=torch.long))
    say("looked up {ids} · version of the table: {version}", ids=sentence, version=tied.weight._version)

# %% [markdown] key="pitfall-two-text" further=true
# ### The pitfall, one sentence after the other
#
# The error of section 4 also happens to people who *do* look up first. Two sentences, scored one after the other, one backward pass:

# %% key="pitfall-two" further=true
tied = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone())
loss = 0.0
for sentence in ([0, 1], [4, 3]):
    loss = loss + (tied(torch.tensor(sentence)).mean(dim=0) @ tied.weight.T).logsumexp(dim=0)
try:
    loss.backward()
except RuntimeError as error:
    print("RuntimeError:", str(error).split(". Hint")[0])

# %% [markdown] key="pitfall-fix" further=true
# The second lookup wrote to the table that the first sentence's scores remember. PyTorch's documentation has the advice that S5 repeats:
#
# > “如果你在 forward 之前对embedding.weight做可微操作,需要先.clone()一份再用” (*for differentiable operations on embedding.weight before
# > forward, clone it first*; S5, “5. 对权重的具体影响总结”)
#
# With that the error goes away. But which rows does a clone from *before* the lookup hold?

# %% key="predict-clone" further=true
predict("03-clone", "我爱 is scored against a clone from before the lookup. The score of 爱 is how many times that of the right order?",
        guess=None, within=0.05)

# %% key="pitfall-clone" further=true
tied = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone())
copied = tied.weight.clone()  # before
sentence = tied(torch.tensor([0, 1])).mean(dim=0)
stale, fresh = sentence @ copied[1], sentence @ tied.weight[1]
say("score of 爱 (love) by the clone: {stale:.3f}, by the clipped table: {fresh:.3f}", stale=stale, fresh=fresh)
reveal("03-clone", round((stale / fresh).item(), 2))

# %% [markdown] key="pitfall-order" further=true
# The clone scores against rows that no lookup will ever return again. It is legal, and a different model. One call that does all
# lookups first has neither trouble.
#
# One more thing to know: words that were not in the batch enter the product *unclipped*. Under tied weights and a fresh N(0, 1)
# table, long rows that were never looked up get scores that are large in absolute value; if you do not want that, clip the whole table once
# at the start.

# %% [markdown] exercise="03.tied_scores"
# The clean way out costs nothing: **all lookups first, in one call; then use the table.** Average the vectors of a sentence and
# score every word of the vocabulary against that average, with one table for both.

# %% key="use-tied-scores"
with waiting_for("tied_scores"):
    tied = nn.Embedding(6, 2, max_norm=1.0, _weight=six.clone())
    tied_scores(tied, torch.tensor([[0, 1], [4, 3]])).logsumexp(dim=1).sum().backward()
    norms = [f"{norm:.2f}" for norm in tied.weight.grad.norm(dim=1).tolist()]
    say("both sentences, one backward pass; gradient norms of the rows: {norms}", norms=norms)

# %% [markdown] key="bug-exploding" further=true
# ## A · Find the bug: exploding gradients
#
# > “限制每个 embedding 行向量的最大范数,可以避免某些向量过大,防止梯度爆炸” (*bounding the norm of each row keeps some vectors from growing too
# > large and prevents exploding gradients*; S5, “5. 对权重的具体影响总结”)
#
# Shorter rows, smaller numbers, smaller gradients? A sentence goes through a recurrent network whose matrix doubles the length of every
# vector, step by step. We measure the gradient that arrives at the first word, three ways.

# %% key="predict-exploding" further=true
predict("03-exploding", "60 words: max_norm=1 makes the first word's gradient how many times as large as no limit does?", guess=None, within=0.3)

# %% key="exploding" further=true
sizes = {"no limit": first_word_gradient.measure(), "max_norm = 1": first_word_gradient.measure(max_norm=1.0),
         "clip_grad_norm_(1)": first_word_gradient.measure(clip_gradients=1.0)}
clipped_gradients.through_time(first_word_gradient.LENGTHS, sizes)
reveal("03-exploding", round(sizes["max_norm = 1"][-1] / sizes["no limit"][-1], 1))

# %% [markdown] key="exploding-answer" further=true
# `max_norm` bounds **weights**, and only those of this table. The gradient explodes in the recurrent matrix, which `max_norm` does not touch.
# Here the gradient even gets *larger*: long inputs saturate the tanh, which dampens what comes back; short ones do so less.
# Against exploding gradients there is `torch.nn.utils.clip_grad_norm_`, another tool with nearly the same name.

# %% [markdown] key="training" further=true
# ## B · What it does to training
#
# A real run: 50,000 pairs of neighbouring words from the Python language reference that came with your Python, 1,000
# words, 16 numbers each. Every batch of 64 pairs asks: which second word belongs to which first word? The table starts as PyTorch makes
# it, from N(0, 1), so its rows have a length of about √16 = 4. SGD, 300 steps, with and without `max_norm=1`.

# %% key="predict-held" further=true
predict("03-better", "Which has the lower loss on pairs it has not seen?", guess=None,
        choices={"with": "with max_norm", "without": "without max_norm"})

# %% key="train" further=true
free, bounded = next_word.train(), next_word.train(max_norm=1.0)
norm_traces.words_over_time({"no max_norm": free, "max_norm = 1": bounded}, next_word.pairs().names,
                            frequent=[0, 1, 2], rare=[900, 940, 980], ceiling=1.0)
say("loss on unseen pairs: without {free:.2f}, with {bounded:.2f} (guessing: {guessing:.2f})",
    free=free.held_out_loss, bounded=bounded.held_out_loss, guessing=math.log(64))
reveal("03-better", "with" if bounded.held_out_loss < free.held_out_loss else "without")

# %% [markdown] key="train-lesson" further=true
# A **frequent** word meets the ceiling in the first step and then moves up and down around it: a step pushes it out, the next lookup pulls it
# back. A **rare** word stays as long as it was drawn until its first lookup, and drops to the ceiling in one step. Rows that are
# never looked up never drop.
#
# And the loss is far lower with `max_norm`. Is that the proof? No: two things changed at once.

# %% [markdown] key="confound" further=true
# ### Was it the ceiling?
#
# With `max_norm=1` rows are clipped, but above all they *start* four times shorter. So here is the run that the comparison lacks: no
# ceiling, a table that starts from N(0, 0.25²), rows of length about 1.

# %% key="predict-confound" further=true
predict("03-confound", "How is the loss of the short start without a ceiling, compared with that of max_norm=1?", guess=None,
        choices={"higher": "higher", "lower": "lower"})

# %% key="confound-run" further=true
short = next_word.train(scale=0.25)
for name, history in (("N(0, 1)", free), ("N(0, 1), max_norm=1", bounded), ("N(0, 0.25²), no max_norm", short)):
    say("{name:26} loss {loss:.2f}   longest row at the end {longest:.2f}", name=name, loss=history.held_out_loss, longest=history.norms[-1].max())
reveal("03-confound", "higher" if short.held_out_loss > bounded.held_out_loss else "lower")

# %% [markdown] key="confound-lesson" further=true
# The initialisation ([初始化](../glossary.md#the-table)) did it. The short table without any ceiling does at least as well (the order is the same for three seeds and for
# SGD, momentum and Adam; a test of the course repeats that). `max_norm` may still be what you want, but whoever tells you
# that it "improves training" should show you this third run.

# %% [markdown] key="optimizers" further=true
# ### The optimizer does not know
#
# How far does it go? Take all rows that were just clipped and then left alone for 60 steps.

# %% key="predict-drift" further=true
predict("03-drift", "max_norm=1, Adam: how long is such a row on average after 60 steps without a lookup?", guess=None, within=0.03)

# %% key="drift" further=true
runs = {"SGD": bounded, "momentum": next_word.train(1.0, "momentum"), "Adam": next_word.train(1.0, "Adam")}
ends = norm_traces.drift(runs, ceiling=1.0)
for name, end in ends.items():
    say("{name:9} after 60 steps: {mean:.2f} on average, 80 % of the rows from {low:.2f} to {high:.2f}", name=name, mean=end.mean, low=end.low, high=end.high)
reveal("03-drift", round(ends["Adam"].mean, 2))

# %% [markdown] key="drift-lesson" further=true
# Under **SGD** a row stands still. **Momentum** carries it a little, some rows outwards and some inwards: eight in ten end between .98 and
# 1.03, and the mean stays at 1.00. **Adam** divides by the size of past gradients, so even a rare word takes steps of full size, one after
# another: one row in ten ends 40 % above the ceiling, or more. Nothing holds it until somebody reads it.
#
# So a checkpoint is not within the ball, whatever `max_norm` says. (The longest row, the same in all three, was never read.)

# %% key="checkpoint" further=true
for name, history in runs.items():
    norms = history.table.norm(dim=1)
    say("{name:9} {above:4} of {rows} rows above the ceiling, the longest {longest:.2f}",
        name=name, above=int((norms > 1).sum()), rows=len(norms), longest=norms.max())
with waiting_for("renorm_rows"):
    norms = renorm_rows(runs["Adam"].table, 1.0).norm(dim=1)
    say("Adam's table after your renorm_rows: {above} above the ceiling", above=int((norms > 1 + 1e-6).sum()))

# %% [markdown] key="rows-in-training"
# ## 5 · The rows in training
#
# The clip happens at a lookup, the optimizer's step after it. And Momentum and Adam go on moving a row after its gradient has gone
# (notebook 02): the clip changes the *row*; what the optimizer remembers about it stays as it was. Nothing holds such a row until somebody
# reads it, and rows that are never looked up are never clipped. So a saved table need not be within the ball. To see it, measure every row
# at every step.

# %% [markdown] exercise="03.norm_trace"
# Train, and note every row's length after each step.

# %% [markdown] key="when"
# ## 6 · When to use it
#
# | you want | take |
# |---|---|
# | rows whose score must not be large by their length alone (dot products, distances as in TransE) | `max_norm`, and clip the whole table before saving |
# | vectors of length exactly 1, with the right gradient | `F.normalize` in the model |
# | a good start | a smaller initialisation |
# | no exploding gradients | `clip_grad_norm_` |
# | weights that shrink a little all the time | weight decay |
#
# *Where it comes from:* bounding row norms as regularisation is older than `nn.Embedding`: Srebro, Rennie and Jaakkola (2004) for matrix
# factorisation ([矩阵分解](../glossary.md#training-by-comparison)); Srivastava et al. (2014) with dropout; Bordes et al. (2013, TransE) keep entity vectors at length 1.

# %% [markdown] key="reflection" reflection=3
# ## 7 · In your own words (3 points, graded by a person)
#
# A colleague trains word vectors with Adam and `max_norm=1.0` and reports: “All vectors of my saved table lie in the unit ball, and
# evaluating the model twice gave the same numbers.” Which of the two statements would you trust, and what would you check?
#
# *What earns points: (1) why rows of a saved table may be longer than 1, with at least one of the reasons; (1) what an evaluation
# in eval mode does to the table, and which later results it can change; (1) one concrete check, in a line of code or two.*

# %% [markdown] key="reflection-model" model_answer=true
# Neither without looking. The clip happens at a lookup, the optimizer's step after it: rows of the last batch stand where the last step
# put them, Adam goes on moving rows that are not looked up, and rows that were never looked up were never clipped. So the saved
# table may well leave the ball. Evaluation writes: its first lookup of a row clips it, in eval mode and under `no_grad` too. The same
# lookups return the same vectors the second time, so an evaluation that only looks up repeats itself; whatever reads
# `weight` directly (nearest neighbours, tied scores) can differ before and after. Check: `embedding.weight.norm(dim=1).max()`, and
# `torch.equal(before, embedding.weight)` with `before = embedding.weight.detach().clone()` around an evaluation.

# %% [markdown] key="card-text"
# ## 8 · Your card
#
# Three runs on real text, every row of the table, measured by **your** `norm_trace`.

# %% key="card"
with waiting_for("norm_trace"):
    mine = {}
    for title, ceiling, optimizer in (("no max_norm, Adam", None, "Adam"), ("max_norm = 1, SGD", 1.0, "SGD"), ("max_norm = 1, Adam", 1.0, "Adam")):
        run = next_word.new_run(ceiling, optimizer)
        mine[title] = norm_trace(run.embedding, run.optimizer, run.batches, run.loss_fn).detach()
    norm_traces.card(mine, ceiling=1.0)

# %% [markdown] key="take-along"
# **What you take along.** A lookup with `max_norm` writes to the table, and the gradient flows as if it had not. Rows are within the ceiling
# when they are read, not when they are saved.
#
# Next, notebook 04: *why is counting not enough, and what does a model learn that a table of counts cannot?*

# %% key="progress"
progress()
