# %% [markdown] key="title"
# # 08 · Pooling
#
# **How do many vectors become one?**
#
# A model gives a vector to every word. A search engine needs *one* vector for the whole sentence. Between the two is a single line of
# code: **pooling** ([池化](../glossary.md#attention-and-sentences)). It is easily written wrong, and a wrong one can have an accuracy of 100 % in the test. This notebook is about that line. (S1 to S5 are the five Chinese
# tutorials that this course grew out of; `ledger("08")` lists what they claim.)
#
# **Afterwards you can**
# - write the five poolings that sentence encoders use, right for every kind of padding;
# - say which of them can answer which question, and what changes once words have attended to one another;
# - find a pooling bug that no test score shows;
# - build the whole way from a text to a vector, from pieces that you made yourself.
#
# **{minutes}.** Builds on notebook 07: a Transformer layer takes vectors and gives back as many. PyTorch's own will do where yours is missing.

# %% key="setup"

# %% key="imports" given=true
import math
from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from embedding_course import case, check, glossary, hint, ledger, predict, progress, reveal, waiting_for

# %% key="figures"
from embedding_course.learner import own_answers as pieces
from embedding_course.data import published, sentence_tasks
from embedding_course.data.micro import micro_language
from embedding_course.data.paraphrase_groups import paraphrase_groups, twins
from embedding_course.experiments import curves
from embedding_course.experiments.pooling import causal_embedder, invariance, padding, paraphrases, published_poolings
from embedding_course.experiments.pooling import transplant, window, window_experiments
from embedding_course.plot import meaning
from embedding_course.plot import pooling as pictures
from embedding_course.plot.architecture import search
from embedding_course.plot.chinese import spelled
from embedding_course.plot.intervals import show_leads
RERUN = False  # True: the recorded runs of sections 6, 9 and A are done again here (about five minutes)

# %% [markdown] key="batch-question"
# ## 1 · A rectangle with gaps
#
# 狗追猫 (*the dog chases the cat*), 我爱机器学习 (*I love machine learning*), 今天她在公园里看书 (*today she is reading in the park*): three sentences
# of three, four and seven words. A tensor is a rectangle, so the short ones are filled up: **padding** ([填充](../glossary.md#text-and-ids)). On which side is a convention.

# %% key="batch-figure"
said = ("狗 追 猫", "我 爱 机器 学习", "今天 她 在 公园 里 看 书")
sentences = [[spelled(word) for word in one.split()] for one in said]
rows = [[1] * len(one) for one in sentences]
masks = {side: padding.pad(rows, side, width=8, seed=5)[1] for side in padding.SIDES}
pictures.show_batches(sentences, masks)

# %% [markdown] key="batch-lesson"
# BERT pads on the **right**. Models that write from left to right (GPT) are often padded on the **left**, so that the last word is
# in the last column. Batches that were put together from several sources have both. **Holes** appear when some tokens should not count: an
# instruction in front of the text, a separator, a word dropped on purpose.
#
# The `attention_mask` ([掩码](../glossary.md#text-and-ids)) says which is which: 1 for a real token, 0 for padding. It has the shape (B, T), the vectors have (B, T, d). What we
# want has (B, d).
#
# The name comes from attention, which uses it to leave padding out. Pooling must do so too.

# %% key="path-picture"
search.sentence_vector({"B": 3, "T": 8})

# %% key="predict-mean"
predict("08-mean", "Three vectors [6, 6], then nine columns of zeros. What does `x.mean(dim=1)` say instead of 6?", guess=None)

# %% key="mean"
x = torch.zeros(1, 12, 2)
x[:, :3] = 6.0
print(x.mean(dim=1))
reveal("08-mean", x.mean(dim=1)[0, 0].item())

# %% [markdown] exercise="08.pool_mean"
# The nine zeros were averaged too. Average the real tokens, and nothing else.

# %% [markdown] key="max-question"
# ## 2 · The largest number of each column
#
# In a mean all words count the same: one word that matters has little weight among twenty that do not. The **maximum** goes column by column, and keeps the
# largest number that any word has there. Here is a line of a common kind, made for this notebook: first set the padding to zero by multiplying with the mask, then
# take the maximum.

# %% key="predict-max"
predict("08-max", "Real tokens -3 and -1, and one of padding. What does `(x * mask).amax(dim=1)` give? (right: -1)", guess=None)

# %% key="bug-max"
x, mask = torch.tensor([[[-3.0], [-1.0], [7.0]]]), torch.tensor([[1, 1, 0]])
largest = (x * mask[:, :, None]).amax(dim=1).item()
print(f"the largest is {largest}")
reveal("08-max", largest)

# %% [markdown] key="max-lesson"
# ### Find the bug: “zero is harmless”
#
# It is harmless in a sum. In a maximum it is larger than every negative number, and about half of all numbers in a
# vector are negative. Which number is never the largest?

# %% [markdown] exercise="08.pool_max"
# Take the largest number of each column among the real tokens.

# %% [markdown] key="one-question"
# ## 3 · The vector of one token
#
# The third idea is not to mix at all: pick one token and take its vector. BERT has a token for this, [CLS], at the front of each text. GPT has none, but
# its last token has attended to all the others. Which column is that?

# %% key="predict-last"
predict("08-last", "4 words, padded on the left to 8 columns. The last word is in which column (from 0)?", guess=None)

# %% key="last"
left = masks["left"][1]
print("mask:", left.tolist(), " sum - 1 =", int(left.sum()) - 1)
reveal("08-last", int(left.nonzero().max()))

# %% [markdown] exercise="08.pool_cls"
# Pick the first real token, wherever it stands.

# %% [markdown] exercise="08.pool_last"
# Pick the last real token, wherever it stands. `sum - 1` is right for padding on the right only.

# %% [markdown] key="weighted-question"
# ## 4 · A weighted mean
#
# Where words are read from left to right, the vector of the first word depends on that word alone and the last one's on all. A plain mean weights both the same. SGPT
# (Muennighoff 2022) lets the weight grow with the position: 1, 2, 3, …, divided by their sum.

# %% [markdown] exercise="08.pool_weighted" further=true
# The weighted mean of section 4: let later tokens count more.

# %% key="yours"
yours = {"mean": lambda x, mask: pool_mean(x, mask), "max": lambda x, mask: pool_max(x, mask)}
yours |= {"cls": lambda x, mask: pool_cls(x, mask), "last": lambda x, mask: pool_last(x, mask)}

# %% [markdown] key="weights-question"
# How much of each token is in the result? Here is 我爱机器学习 with holes, one row for each of your poolings.

# %% key="weights-figure"
vectors, mask, words = torch.eye(8)[None], masks["holes"][1:2], iter(sentences[1])  # one direction a token, so that its weight can be read off
shown = [next(words) if real else "·" for real in mask[0]]
shares = {}
for name in ("mean", "cls", "last"):
    with waiting_for(f"pool_{name}"):
        shares[name] = yours[name](vectors, mask)[0]
if shares:
    pictures.show_weights(shares, shown)

# %% key="weighted-figure" further=true
with waiting_for("pool_weighted"):
    pictures.show_weights({"weighted": pool_weighted(torch.eye(8)[None], masks["holes"][1:2])[0]}, shown)

# %% [markdown] key="weights-lesson"
# With the weighted mean (further) there are five. Four of the five are *weighted sums*, and they differ in the weights alone. (The maximum is not: each column may take its number from another token.) A model may
# also learn the weights; that is attention with a single query, called **attention pooling**.
#
# S4 shows five as well, for one text. Its fifth, `weighted_sum / attention_mask.sum()` (*第四步：Pooling*), is where we began: the mean of the real tokens.
#
# These are the names that others use. In the library sentence-transformers the `pooling_mode` is one of
#
# | sentence-transformers | here | among its users |
# |---|---|---|
# | `"mean"` | `pool_mean` | all-MiniLM, E5 |
# | `"cls"` | `pool_cls` | BGE |
# | `"lasttoken"` | `pool_last` | E5-Mistral, Qwen3-Embedding |
# | `"weightedmean"` | `pool_weighted` | SGPT |
# | `"max"` | `pool_max` | InferSent |
#
# A sixth, `"mean_sqrt_len_tokens"`, divides the sum by the root of the length. Its direction is that of the mean. (S4 names OpenAI among the users of the mean. What its
# present models do is unpublished; the paper on an earlier one, Neelakantan et al. 2022, took the last token.)

# %% [markdown] key="sides-question"
# ## 5 · Five poolings, four kinds of padding
#
# Here are five one-liners. For a single text without padding each would be right; S4 prints the first four in this way (`X.mean(axis=0)`, `X[-1, :]`). Now they meet
# a batch. To test them no right answer is needed. There is a **property** to test, an **invariance** ([不变性](../glossary.md#attention-and-sentences)): a sentence's
# vector must not change when the sentence gets into a batch. So compare the vector in a padded batch with the one that the same function gives to
# the sentence alone.

# %% key="quick"
def in_order(x):
    return torch.arange(1, x.shape[1] + 1)

quick = {"mean": lambda x, mask: x.mean(dim=1), "max": lambda x, mask: (x * mask[:, :, None]).amax(dim=1)}
quick |= {"cls": lambda x, mask: x[:, 0], "last": lambda x, mask: x[range(len(x)), mask.sum(dim=1) - 1]}
quick["weighted"] = lambda x, mask: torch.einsum("btd,bt->bd", x, F.normalize(in_order(x) * mask.float(), p=1, dim=1))

# %% key="predict-sides"
predict("08-sides", "Of these five one-liners, how many are right when all padding is on the right?", guess=None, within=0)

# %% key="sides-figure"
found = {"one-liners": invariance.moved_by_side(quick)}
# waiting_for: while one of these functions is still a stub, the cell says so, and shows the figure that was recorded
with waiting_for("pool_mean", "pool_max", "pool_cls", "pool_last"):
    found["yours"] = invariance.moved_by_side(yours)
pictures.show_moved(found)
reveal("08-sides", sum(row[0] < 1e-4 for row in found["one-liners"].values()))

# %% [markdown] key="sides-lesson"
# A cell says by how much, at most, a number of the vector moved. On the right, three of five hold: a test with
# right padding only does not find the faults of the others. With another setting of the tokenizer, `padding_side="left"`, they give wrong vectors, and no error is raised.
#
# ### Find the bug: two conventions
#
# One more way to go wrong, and a common one. `attention_mask` has 1 for *real*. PyTorch's `src_key_padding_mask` is True for *padding*. What happens
# if the second is passed where the first is wanted?

# %% key="predict-inverted"
predict("08-inverted", "The right mean is 6, at padding stands 100, and the mask is inverted. What comes out?", guess=None)

# %% key="inverted"
x, mask = torch.tensor([[[6.0], [6.0], [100.0], [100.0]]]), torch.tensor([[1, 1, 0, 0]])
with waiting_for("pool_mean"):
    print("attention_mask:", pool_mean(x, mask).item(), "  key_padding_mask:", pool_mean(x, mask == 0).item())
    reveal("08-inverted", pool_mean(x, mask == 0).item())
for wrong in (mask[0], (mask - 1) * 1e9):
    try:
        padding.checked_mask(wrong, x.shape[:2])
    except ValueError as error:
        print("ValueError:", error)

# %% [markdown] key="inverted-lesson"
# The mean of nothing but padding, and no error: both masks have the right shape and hold 0 and 1. Other wrong masks *can* be caught, such as
# one without its batch axis, or the 0 and -1e9 that are added to attention scores. Where a mask enters your own code, check its shape and its numbers.

# %% [markdown] key="tasks-question"
# ## 6 · Which one for which question?
#
# Somebody sits at the window and notes who passes: 男孩、狗、猫、老师、马 (*boy, dog, cat, teacher, horse*). There are 10,000 such texts of 5 to 23 words, and four
# questions about each. **First**: was the first one an animal? **Last**: the last one? **Any**: did a horse pass, at any time? **Majority**: more animals than people?

# %% key="tasks-look"
walk = sentence_tasks.sentence_tasks("test", 1, seed=3)[0]
print(walk.text, {task: getattr(walk, task) for task in sentence_tasks.TASKS}, sep="\n")

# %% [markdown] key="tasks-model"
# The reader is as small as can be: a table of word vectors, your pooling, one linear layer. A word's vector is the same wherever the
# word stands: a **static** embedding. For each pooling and each question, a reader of its own is trained for 150 steps.

# %% key="predict-tasks"
predict("08-tasks", "`max` can tell whether a horse passed. Which other one can?", guess=None,
        choices={"mean": "mean", "cls": "cls", "last": "last"})

# %% key="tasks-run" seconds=7
static = {}
for name, pool in yours.items():
    with waiting_for(f"pool_{name}"):
        static |= {(name, task): window.train(pool, task, steps=150).accuracy for task in sentence_tasks.TASKS}

# %% key="tasks-figure"
if static:
    pictures.show_tasks({"static: each word for itself": static}, sentence_tasks.TASKS)
    reveal("08-tasks", max(("mean", "cls", "last"), key=lambda name: static.get((name, "any"), 0)))

# %% [markdown] key="tasks-lesson"
# - `cls` and `last` hold one word and can only guess about all else. (*Majority* from a single word gives a little more than 60 %: that word is one of those that are counted.)
# - `max` shows *whether* a word occurs, and cannot count. (Its 70 % come from short texts, where it shows which animals came at all.) `mean` shows *how many*, and not where.
# - A mean shows a single horse too: its vector can be made so long that a twenty-third of it is enough. Equal weights are a disadvantage only when training is short
#   or the text long.
#
# So one chooses the pooling by the question? Real encoders are not like this. Before pooling, their words have **attended to one another** (notebook 07): vectors are
# **contextual** ([上下文相关向量](../glossary.md#attention-and-sentences)). Here is one word with a random layer of attention, in two sentences: 看书 (*read a book*) and 看电影 (*watch a film*).

# %% key="contextual"
torch.manual_seed(0)
table = nn.Embedding(5, 32)
layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True)
x = table(torch.tensor([[0, 1, 2], [3, 1, 4]]))  # 我 看 书; 他 看 电影
for name, vectors in (("static", x), ("contextual", layer(x))):
    print(f"{name:10} the two 看: cosine {F.cosine_similarity(vectors[0, 1], vectors[1, 1], dim=0):.3f}")

# %% key="predict-mixing"
predict("08-mixing", "With one trained layer: what fraction of the first-word questions does `last` answer? (0 to 1)", guess=None)

# %% key="mixing"
weighted = pieces.own("08.pool_weighted")  # what passed its check, or None: only the run that is made again needs it
again = RERUN and weighted and (lambda: window_experiments.mixing(pool_mean, pool_max, pool_cls, pool_last, weighted))
mixing = curves.load("08_mixing", rerun=again)
contextual = {tuple(name.split(", ")): share for name, share in mixing.numbers.items()}
both = {"static (yours)": static, "contextual: one layer (recorded)": contextual}
pictures.show_tasks({name: shares for name, shares in both.items() if shares}, sentence_tasks.TASKS)
reveal("08-mixing", contextual["last", "first"])

# %% [markdown] key="mixing-lesson"
# The pattern is gone. Training makes attention **bring** what is needed to the position that the pooling uses. That is why models
# with `cls`, with `mean` and with `lasttoken` can all be good, and why one line of S4 is too strict: the last token, it says, is “对 Encoder-only
# 模型（如 BERT）不适用” (*not applicable to encoder-only models such as BERT*; *第四步：Pooling*). This one is encoder-only.
#
# But use the pooling that a model was *trained with*. A reader of the first word that was trained with `cls` and is read with the mean falls from 100 to 62 %: during training nothing had to be
# moved to other positions. The other way round it may go well: trained with the mean, read with `cls`, 100 %, since every position held what was needed.

# %% [markdown] key="stop" stop=true
# You have four poolings that padding does not change, and a table that says which question each of them can answer. The second sitting
# makes them an encoder, and searches with it.

# %% [markdown] key="cosine-question"
# ## 7 · How alike are two vectors?
#
# With one vector a sentence, sentences can be compared. The dot product is large when two vectors point the same way, and also when they are just
# long. The **cosine** ([余弦相似度](../glossary.md#attention-and-sentences)) divides both lengths out: 1 for the same direction, 0 for a right angle, -1 for opposite ones.

# %% [markdown] exercise="08.cosine_similarity_matrix"
# Compare every vector of one list with every vector of another. You will use it below.

# %% [markdown] key="bug-zero" further=true
# ### Find the bug: zeros, so no mask is needed?
#
# > “padding_idx=0处理变长序列” (*padding_idx=0 deals with sequences of varying length*). S1, *4.1 LSTM Seq2Seq中的embedding应用*
#
# And where S1 pools, it takes `text_features.mean(dim=1)` (*5.3*), with no mask. That padding rows of zeros make a mask superfluous is widely believed. Try it: a table with a row of
# zeros, a sentence of three words, nine columns of padding, `x.mean(dim=1)`.

# %% key="predict-zero" further=true
predict("08-zero", "Cosine of the unmasked mean with the right one, when all padding vectors are zeros?", guess=None, within=0.01)

# %% key="bug-zero-run" further=true
torch.manual_seed(0)
table, places, ids = nn.Embedding(20, 32, padding_idx=0), nn.Embedding(12, 32), F.pad(torch.tensor([[3, 4, 5]]), (0, 9))
with waiting_for("cosine_similarity_matrix"), torch.no_grad():
    placed = table(ids) + places.weight
    for name, x in (("words alone", table(ids)), ("words and positions", placed), ("and a layer", layer(placed))):
        plain, right = x.mean(dim=1), x[:, :3].mean(dim=1)
        length, cosine = plain.norm() / right.norm(), cosine_similarity_matrix(plain, right).item()
        print(f"{name:20} length {length:.2f} of the right one, cosine {cosine:.3f}")
    reveal("08-zero", 1.0)

# %% [markdown] key="bug-zero-lesson" further=true
# With zeros the belief is half true: the vector is four times too short, its *direction* is right, and the cosine does not depend on its length. (A dot product
# does.) With positions, or with a layer that has a bias, padding is not zero any more. No error is raised, and the result is wrong.

# %% [markdown] key="reveal-question"
# ## 8 · The same accuracy
#
# How much harm does it do? Two readers answer “did a horse pass?”. They differ in one line: your `pool_mean`, or `x.mean(dim=1)` without the mask. Same
# data, same seed, 300 steps, padding on the right to the longest text of each batch.

# %% key="predict-score"
predict("08-score", "With the right mean: 1.0 of the test is right. What fraction without a mask?", guess=None, within=0.02)

# %% key="score-run"
with waiting_for("pool_mean"):
    pair = {"with the mask": window.train(pool_mean, "any", title="with the mask")}
    pair["without"] = window.train(quick["mean"], "any", title="without      ")
    print({name: f"{found.accuracy:.1%}" for name, found in pair.items()})
    reveal("08-score", round(pair["without"].accuracy, 3))

# %% [markdown] key="score-lesson"
# The numbers show no difference. The loss fell, the test is passed. Training even *helped to hide* the bug: the padding
# row is a row like others, and the model learned one with which the answers come out right.
#
# Now test the property of section 5. The same texts, the same models; only another text of the batch is longer.

# %% key="predict-drift"
predict("08-drift", "Fraction of right answers without the mask and 40 columns of padding more? (guessing: 0.5)", guess=None)

# %% key="drift-figure"
extra = [0, 5, 10, 15, 20, 30, 40]
with waiting_for("pool_mean", after=("pair",)):
    ids, mask, _ = window.texts("test", "any")
    measured = invariance.cosine_as_padding_grows
    drifts = {name: measured(one.reader, ids[:60], mask[:60], extra) for name, one in pair.items()}
    shares = {name: [window.accuracy(one.reader, "any", more) for more in extra] for name, one in pair.items()}
    pictures.show_drift(extra, drifts, shares)
    reveal("08-drift", round(shares["without"][-1], 2))

# %% [markdown] key="drift-lesson"
# On the left, each sentence is compared with *itself alone*; the band holds eight of ten sentences. The right model stays at 1. The other one gives vectors
# that turn away with every column of padding. On the right, where the batch was 23 columns wide before, its answers stay right for a while; then it
# gives the same answer to every text.
#
# In practice: the index was built in batches of 64, the query comes alone. One sentence in two batches has two vectors, results depend on the
# rest of the batch, and the benchmark does not show it. Bugs with masks are found in just this way: by comparing a text alone with the same text in a batch, as in
# [llm2vec, where one text and several got different vectors](https://github.com/McGill-NLP/llm2vec/issues/68). (Differences in the sixth digit are rounding.)
#
# **A score is a mean over the data that you have. A property must hold for every input.** Test both.

# %% [markdown] key="encoder-question"
# ## 9 · From text to vector
#
# Now the whole way. It is the sum of this course so far:
#
# | | | notebook |
# |---|---|---|
# | text → ids | vocabulary | 01 |
# | ids → vectors | rows of a table, plus positions | 01, 06 |
# | vectors → vectors that depend on their sentence | Transformer blocks | 07 |
# | vectors → one vector | pooling, with the mask | 08 |
# | vector → unit vector | so that a dot product is a cosine | 08 |
#
# ### Find the bug: new weights at every call
#
# > `W_1 = np.random.randn(d_model, d_ff)`. S4, *Feed-Forward Network*, inside `def feed_forward(X, …)`
#
# S4 goes the same way, and draws the weights of its layers whenever they are used (notebook 07 met its attention). The same in PyTorch, table included. One text, twice:

# %% key="predict-redrawn"
predict("08-redrawn", "The cosine of the two vectors of one and the same text?", guess=None,
        choices={"same": "near 1", "unrelated": "near 0", "opposite": "near -1"})

# %% key="redrawn"
def text_to_vector(ids):
    words = nn.Embedding(100, 64)
    layer = nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True)
    return layer(words(ids)).mean(dim=1)

torch.manual_seed(0)
ids = torch.tensor([[7, 8, 9, 10]])
same = F.cosine_similarity(text_to_vector(ids), text_to_vector(ids)).item()
print(f"cosine {same:.3f}")
reveal("08-redrawn", "same" if same > 0.5 else "opposite" if same < -0.5 else "unrelated")

# %% [markdown] key="redrawn-lesson"
# Unrelated vectors. Each call draws new weights; nothing could ever be trained. Weights belong in `__init__`, and the way through them
# into `forward`. That is what a class is for.

# %% [markdown] exercise="08.TextEncoder"
# Put it together. (`pooling="weighted"` is the further `pool_weighted`: weights 1, 2, 3, … over the real tokens, divided by their sum. If
# you left it out, write it here.) Mind two things of this notebook: which position has the first word of a sentence padded on the left, and what
# attention does in a row where everything is forbidden. PyTorch's own `nn.TransformerEncoderLayer` may stand in for your block of notebook 07; with
# `dropout=0.0` and `activation="gelu"` the two can be exchanged below. (To use your block here already, paste it into the cell: grading reads this notebook alone.
# `print(pieces.source_of("07.TransformerBlock"))` shows what was kept of it.)

# %% [markdown] key="pieces"
# ### Whose layers?
#
# When a check passes, your answer is kept. If your `TransformerBlock` of notebook 07 is among them, it can take the place of PyTorch's layer here,
# with the same weights. You choose: `"mine"` or `"torch"`.

# %% key="pieces-run"
LAYERS = "mine"  # or "torch"
block = pieces.own("07.TransformerBlock") if LAYERS == "mine" else None
vocabulary = micro_language().vocabulary["chinese"]
print("Your block of notebook 07 is here." if block else "PyTorch's layers: none of yours was kept, or you chose so.")

# %% key="encoder-made"
with waiting_for("TextEncoder"):
    torch.manual_seed(0)
    encoder = TextEncoder(len(vocabulary), 32, 4, 1, 64, 16).eval()
    said = [sentence for group in paraphrase_groups("test", 8) for sentence in group]
    ids, mask = padding.pad([vocabulary.encode(sentence) for sentence in said])
    before = encoder(ids, mask)
    print(transplant.put_in(encoder, block))
    print(f"largest difference to the encoder before: {(encoder(ids, mask) - before).abs().max():.0e}")

# %% [markdown] key="paraphrase-question"
# ### What should be near?
#
# Its weights are still random. In the **micro-language** ([微型语言](../glossary.md#language-models)), a small grammar of Chinese and English that was made for this course, 这把伞比我的帽子贵 (*this umbrella is more expensive than my hat*) and 我的帽子比这把伞便宜 (*my hat is
# cheaper than this umbrella*) mean the same: **paraphrases**. We train the encoder until the cosine of paraphrases is near 1 and that of other
# sentences near 0: the squared error of a cosine, one of the three objectives that Sentence-BERT was published with. First a look at the beginning:

# %% key="look"
lines = ["昨晚 我 的 猫 追 了 那 只 猫", "我 的 猫 昨晚 追 了 那 只 猫", "我 爸爸 是 医生", "我 父亲 是 医生"]
lines += ["她 每天 在 公园 里 跑步", "每天 她 在 公园 里 跑步"]
shown = [spelled(line.replace(" ", "")) for line in lines]
with waiting_for("cosine_similarity_matrix", "TextEncoder", after=("encoder",)):
    vectors = paraphrases.encode(encoder)(lines)
    meaning.show_cosines(cosine_similarity_matrix(vectors, vectors), shown, [2, 2, 2])

# %% key="predict-search"
predict("08-search", "Before training: for what fraction of test sentences is the nearest one a paraphrase? (0 to 1)", guess=None)

# %% key="train"
with waiting_for("TextEncoder", after=("encoder",)):
    at_first = paraphrases.score(paraphrases.encode(encoder))
    reveal("08-search", round(at_first.search, 2))
    run = paraphrases.train(encoder, 150, title="paraphrases")
    trained = paraphrases.score(paraphrases.encode(encoder))
    print(f"nearest is a paraphrase: {at_first.search:.1%} before, {trained.search:.1%} after training")

# %% key="after"
with waiting_for("cosine_similarity_matrix", "TextEncoder", after=("encoder",)):
    vectors = paraphrases.encode(encoder)(lines)
    meaning.show_cosines(cosine_similarity_matrix(vectors, vectors), shown, [2, 2, 2])

# %% [markdown] key="search-lesson"
# A random encoder finds most of them already. Paraphrases share their words, and random vectors are good enough to show which words there are: so
# report such a number only beside a baseline. After training nearly every sentence is found. Is that enough? (The further part has a harder question.)

# %% [markdown] key="twins-text" further=true
# ### A harder question
#
# 那只猫比这只猫小 (*that cat is smaller than this cat*) means 这只猫比那只猫大 (*this cat is bigger than that cat*), and *not* 这只猫比那只猫小, though that has the very same
# words. Call it a **twin**. For 402 test sentences: which is nearer, the paraphrase or the twin?

# %% key="predict-twins" further=true
predict("08-twins", "Trained: for what fraction of sentences is the paraphrase nearer than the twin? (0 to 1)", guess=None)

# %% key="twins" further=true
recorded = curves.load("08_twins", rerun=RERUN and (lambda: paraphrases.with_twins(TextEncoder)))
scores = {"bag of words": tuple(paraphrases.score(paraphrases.bag_of_words))}
with waiting_for("TextEncoder", after=("at_first", "trained")):
    scores |= {"your encoder, random": tuple(at_first), "your encoder, trained": tuple(trained)}
    reveal("08-twins", round(trained.twins, 2))
for name in recorded.curves:
    scores[f"longer, against\n{recorded.label(name)} (recorded)"] = tuple(recorded.numbers[f"{name}, {test}"] for test in ("search", "twins"))
meaning.show_scores(scores, ("the nearest is a paraphrase", "nearer than its twin"))

# %% [markdown] key="twins-lesson" further=true
# Worse than guessing. The encoder *can* use the order (you were tested on that), and never had to: among random sentences the words
# alone show which belong together. A wider encoder, trained four times as long, is hardly better. What helps is to meet the twins **in training**, as examples of what should be
# far. Those are called **hard negatives** ([难负样本](../glossary.md#training-by-comparison)), and are a subject of notebook 09.

# %% [markdown] key="published-text" further=true
# ### A published encoder
#
# **all-MiniLM-L6-v2** is a BERT of six layers that was trained with the mean. We pool its token vectors in five ways, with your functions, to see what another pooling costs. First we compare one sentence with four, of which it is the first.
# Its public page shows 1, 0.6946, 0.9429 and 0.2569 for them. (Notebook 11 runs this model with your own layers; here they are PyTorch's.)

# %% key="published-four" further=true seconds=4
five = yours | {"weighted": lambda x, mask: pool_weighted(x, mask)}
try:
    minilm = published.minilm()
except published.PublishedError as error:
    minilm = None
    print(error)
if minilm:
    ids, mask = minilm.tokenizer.ids(published_poolings.FOUR)
    with torch.no_grad():
        tokens = published_poolings.TokenVectors(minilm)(ids, mask)
for name, pool in five.items():
    with waiting_for(f"pool_{name}"):
        cosines = published_poolings.RECORDED_COSINES[name]
        if minilm:
            unit = F.normalize(pool(tokens, mask), dim=1)
            cosines = (unit @ unit[0]).tolist()
        shown = " ".join(f"{cosine:.4f}" for cosine in cosines)
        print(f"{name:9}", shown, "" if minilm else "(recorded)")

# %% [markdown] key="published-search" further=true
# Only the mean gives the published numbers. For `max` and `cls`, all four sentences are similar: their vectors share a large part. Does that harm a search? The project of this course has 124 questions that people wrote by hand, and 3,112 docstrings to find.
# For each pooling we count how often the first docstring found is a right one (recall@1).

# %% key="predict-published" further=true
predict("08-published", "Which pooling finds most after the mean?", guess=None,
        choices={"cls": "cls", "last": "last", "max": "max", "weighted": "weighted"})

# %% key="published-ranks" further=true
def search_again():  # queries.tsv: the project's 20 public questions, not the 124
    questions = published_poolings.read_queries("queries.tsv")
    poolings = pool_mean, pool_max, pool_cls, pool_last, weighted
    return published_poolings.measure(*poolings, questions)

pooled = curves.load("08_published", rerun=RERUN and weighted and search_again)
ranks = {name: torch.tensor([rank for _, rank in points]).double()
         for name, points in pooled.curves.items()}
firsts = {name: (rank == 1).double() for name, rank in ranks.items()}
for name, rank in ranks.items():
    print(f"{name:9} recall@1 {firsts[name].mean():.2f}, MRR {(1 / rank).mean():.2f}")
others = [name for name in ranks if name != "mean"]
reveal("08-published", max(others, key=lambda name: float(firsts[name].mean())))

# %% [markdown] key="published-luck" further=true
# 124 questions are few. So we draw 124 of them again, with replacement, 2,000 times, and take the same ones for both poolings. The middle 95 % of the differences are an interval for the lead of the mean
# (the **bootstrap**, [自助法](../glossary.md#training-by-comparison)).

# %% key="published-leads" further=true
count = len(ranks["mean"])
generator = torch.Generator().manual_seed(0)
drawn = torch.randint(count, (2000, count), generator=generator)
middle, leads = torch.tensor([0.025, 0.975]).double(), {}
for name in others:
    differences = (firsts["mean"] - firsts[name])[drawn].mean(dim=1)
    leads[f"mean before {name}"] = tuple(differences.quantile(middle).tolist())
show_leads(leads)

# %% [markdown] key="published-lesson" further=true
# - The mean, with which the model was trained, finds 48 of 124 questions at once (.39). `last` finds 27, `cls` 23 and `max` 21. These leads are no luck: the intervals lie above 0.
# - The weighted mean finds 47. It is a mean too, with other weights, and its interval contains 0.
# - `cls` is not a bad pooling. But in this model's training the vector of [CLS] was one of many in a mean, and it never had to stand for the text alone. The same holds for the last token, [SEP].
#
# Nothing else was changed, and no error was raised. So read on the model's page which pooling it was trained with.

# %% [markdown] key="alone"
# And the property of section 5? Your encoder, trained, on left padding, on wide padding, one by one:

# %% key="alone-run"
with waiting_for("TextEncoder", after=("encoder",)), torch.no_grad():
    rows = [vocabulary.encode(line) for line in lines]
    together = encoder(*padding.pad(rows))
    for name, batch in (("padded on the left", padding.pad(rows, "left")), ("padded to 60", padding.pad(rows, width=60))):
        print(f"{name:20} moved by {(encoder(*batch) - together).abs().max():.0e}")
    alone = torch.cat([encoder(*padding.pad([row])) for row in rows])
    print(f"{'alone':20} moved by {(alone - together).abs().max():.0e}")

# %% [markdown] key="causal-question" further=true
# ## A · An embedder that is a language model
#
# Many of the embedders at the head of the present rankings (E5-Mistral, Qwen3-Embedding) are language models that were trained further. Their attention is **causal**
# ([因果掩码](../glossary.md#attention-and-sentences)): each word attends to itself and to those before it. Only the last token has attended to all, so its vector is taken, and the batch is padded on the
# left. Here is such an encoder. It is small: two layers, a width of 32, and the same paraphrases as above. Two lines decide: which positions the words get, and which columns are forbidden.

# %% key="causal-model" further=true
class CausalEncoder(nn.Module):
    def __init__(self, size, pool, causal=True, width=32):
        super().__init__()
        self.pool, self.causal, self.by_column = pool, causal, False
        self.words, self.places = nn.Embedding(size, width), nn.Embedding(64, width)
        block = nn.TransformerEncoderLayer(width, 4, 2 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(block, 2, enable_nested_tensor=False)
        self.out = nn.Linear(width, width)

    def forward(self, ids, mask):
        columns = torch.arange(ids.shape[1])
        position = columns.expand_as(ids) if self.by_column else (mask.cumsum(dim=1) - 1).clamp(min=0)
        forbidden = (mask == 0)[:, None, :].repeat(1, len(columns), 1)  # (B, query, key)
        if self.causal:
            forbidden |= columns > columns[:, None]
        forbidden &= columns != columns[:, None]  # a row where all is forbidden would be nan: each token may read itself
        x = self.blocks(self.words(ids) + self.places(position), mask=forbidden.repeat_interleave(4, dim=0))  # 4 heads
        return F.normalize(self.out(self.pool(x, mask)), dim=1)

# %% [markdown] key="causal-before" further=true
# `mask.cumsum(dim=1) - 1` counts the real tokens: the first word has position 0, whatever padding stands before it. (Libraries call these `position_ids`. Some models
# make them from the mask, others from the column, and then it is for the caller to pass them.) The next cell trains one such encoder for 60 steps, padded on the left, and tests it in ways
# which are easy to confuse.

# %% key="causal-run" further=true seconds=4
with waiting_for("pool_last"):
    torch.manual_seed(0)
    causal = CausalEncoder(len(vocabulary), pool_last)
    paraphrases.train(causal, 60, side="left")
    for side in ("left", "right"):
        print(f"padded on the {side}, pool_last".ljust(34), f"{causal_embedder.search_share(causal, side):.1%}")
    causal.by_column = True
    print("positions by column, on the left".ljust(34), f"{causal_embedder.search_share(causal):.1%}")
    causal.by_column, causal.pool = False, lambda x, mask: x[:, -1]
    for side in ("left", "right"):
        print(f"padded on the {side}, column -1".ljust(34), f"{causal_embedder.search_share(causal, side):.1%}")

# %% [markdown] key="causal-longer" further=true
# One seed and 60 steps say little about small differences. So the same was done with 150 steps from five seeds, with two encoders more: one causal with the mean, one with the mean whose words look both ways.

# %% key="predict-causal" further=true
predict("08-causal", "Which pooling finds more paraphrases in this causal encoder?", guess=None,
        choices={"mean": "mean", "last": "last"})

# %% key="causal-seeds" further=true
seeds = curves.load("08_causal", rerun=RERUN and (lambda: causal_embedder.measure(CausalEncoder, pool_last, pool_mean)))
for name, points in seeds.curves.items():
    print(f"{seeds.label(name):32}" + "  ".join(f"{share:.1%}" for _, share in points))
found = {name: sum(share for _, share in points) for name, points in seeds.curves.items()}
reveal("08-causal", max(("last", "mean"), key=found.get))

# %% [markdown] key="causal-lesson" further=true
# - The mean wins here from every seed, in a causal encoder too. One vector of 32 numbers must collect in its last column what a mean gets from all. Trained on a thousand times more text, large models are good with either;
#   what decides there is how they were trained (E5-Mistral, Wang et al. 2024, sets an end token for the purpose, so that the last vector belongs to no word).
# - `pool_last` gives the same on either side, to the digit: it asks the mask. `x[:, -1]` is right for padding on the left alone. On the right it takes the vector of a padding column. There is no error, and the number can
#   be believed, since that column too has attended to the words: from three seeds it is lower, from two even a little higher. Nobody trained that vector, and it depends on the padding.
# - Positions by column cost paraphrases too, from every seed and without an error: each sentence begins at a position that depends on the longest sentence of its batch. The encoder was not trained for that.
#
# Both are found as in section 8: encode a text alone and in a batch, and compare.

# %% [markdown] key="where" further=true
# ## B · Where this goes
#
# **Images** are pooled too. A vision transformer cuts a picture of 224 × 224 into patches of 16 × 16 and has 196 tokens and a [CLS]; some
# models take that, others the mean. CLIP takes the vector of the last token for its text. **Proteins** get one vector by the mean over amino acids.
#
# **Without pooling:** ColBERT keeps a vector for each word and compares word by word. Finer, and it must store them all:

# %% key="where-run" further=true
lengths = [len(sentence.split()) for group in paraphrase_groups("test") for sentence in group]
per_sentence = sum(lengths) / len(lengths)
for name, count in (("one vector a sentence", 1), ("one vector a word", per_sentence)):
    print(f"{name:22} a million sentences, 128 numbers of 4 bytes: {count * 1e6 * 128 * 4 / 1e9:.2f} GB")

# %% [markdown] key="reflection" reflection=3
# ## 10 · In your own words (3 points, graded by a person)
#
# A colleague replaces the pooling of a sentence encoder by `hidden.mean(dim=1)`, “simpler, and the benchmark is the same to three digits, so the mask was
# superfluous.” The service pads each batch to its longest text. What do you answer?
#
# *What earns points: (1) why the benchmark can be the same although the vectors are wrong; (1) what users of the service will see, with an
# example; (1) a test that finds it without any labels, said so exactly that one could program it.*

# %% [markdown] key="reflection-model" model_answer=true
# A model that is trained or tested with the padding in it can get used to it: batches in the benchmark are padded alike, the padding vectors are then
# nearly the same constant for all, and the answers come out right. In the notebook both readers had 100 %. In the service a sentence's
# vector depends on its neighbours: indexed in a batch with a long text it is another one than as a single query, so the same sentence may not be the nearest to
# itself, and results change with the other queries. The notebook's reader fell to guessing with 40 columns of padding more. Test: take some hundred sentences; encode
# each alone, and all in one batch padded on the right, on the left and to twice the width; ask that the largest difference of any number stays below
# 1e-5. No labels are needed, and it holds for any model.

# %% [markdown] key="card-text"
# ## 11 · Your card
#
# Sixty sentences, each compared with itself while padding is added. Left: **your** `pool_mean`.

# %% key="card"
with waiting_for("pool_mean", after=("pair", "drifts")):
    names = {"my pool_mean": "with the mask", "x.mean(dim=1)": "without"}
    drawn_lines = {new: drifts[old] for new, old in names.items()}
    pictures.card(extra, drawn_lines, {new: pair[old].accuracy for new, old in names.items()})

# %% [markdown] key="take-along"
# **What you take along.** A sentence's vector depends on one line of pooling, and padding must not change it, on whichever side it stands. The words that the
# vector is made of are not enough; training decides which sentences are near.
#
# Next, notebook 09: *how does a model learn what is alike?*

# %% key="progress"
progress()
