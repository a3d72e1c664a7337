# %% [markdown] key="title"
# # 06 · Position
#
# **How does a model know what comes first?**
#
# **Attention** ([注意力](../glossary.md#attention-and-sentences)) is the main layer of today's language models. By itself it ignores the order of words. A **positional encoding**
# ([位置编码](../glossary.md#sequences)) puts the order in. This notebook builds three: sinusoids that are added, a table that is learned, and a rotation. We test sentences of
# the Chinese tutorials that the course grew out of, S1 to S5 (`ledger("06")` lists them).
#
# **Afterwards you can**
# - write the sinusoidal table, and explain why one matrix moves all of its rows;
# - build the sum of word, position and segment vectors that BERT uses;
# - write rotary positions (RoPE);
# - say, with measurements, what each encoding does at positions that training never had.
#
# **{minutes}.** Builds on notebook 01: an embedding is a row of a table. You write attention in notebook 07; here we use PyTorch's.

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
from embedding_course import say, show_table
from embedding_course.experiments import curves
from embedding_course.experiments.five_questions import five_questions
from embedding_course.experiments.positional_encoding import (
    copy_back, copy_race, sentence_pair,
)
from embedding_course.plot import positions as pictures
from embedding_course.plot import rotary

# True runs the recorded race again with your functions (about a minute).
RERUN = False

# %% [markdown] key="bag-question"
# ## 1 · A bag of words
#
# We first show that attention ignores word order. 狗咬人 (*dog bites man*) and 人咬狗 (*man bites dog*) have the same three words in another order. We
# send both through a layer of attention and compare the two vectors of 狗 (*dog*). In one sentence the dog bites, in the other it is bitten.

# %% key="predict-bag"
predict(
    "06-bag",
    "By how much do the two vectors of 狗 differ after attention? "
    "(a number; 0 = not at all)",
    guess=None,
)

# %% key="bag"
torch.manual_seed(0)
words = nn.Embedding(3, 16)
attention = nn.MultiheadAttention(16, 2, batch_first=True).eval()
x = words(torch.tensor([[0, 1, 2], [2, 1, 0]]))  # 狗 咬 人, 人 咬 狗
output, _ = attention(x, x, x)
difference = (output[0, 0] - output[1, 2]).abs().max().item()
say("largest difference: {difference:.1e}", difference=difference)
reveal("06-bag", round(difference, 4))
future = torch.ones(3, 3).triu(1).bool()  # True: this word must not be looked at
masked, _ = attention(x, x, x, attn_mask=future)
difference = (masked[0, 0] - masked[1, 2]).abs().max()
say("with a causal mask: {difference:.2f}", difference=difference)

# %% [markdown] key="bag-answer"
# The difference is only rounding. Attention compares vectors with vectors, and positions do not enter. With a *causal mask* ([因果掩码](../glossary.md#attention-and-sentences)) the vectors
# differ: the first word sees one word, the last sees three. Without a mask the position has to come *into the vectors*.
#
# The simplest idea is to add the position itself, as a number. But vectors have entries of size 1, and positions grow:

# %% key="plain-number"
dog, man = words.weight[0], words.weight[2]
show_table(
    {f"position {p}": F.cosine_similarity(dog + p, man + p, dim=0)
     for p in (0, 5, 50, 500)},
    columns=("cosine of 狗 and 人",), format=".4f",
)

# %% [markdown] key="clock-question"
# At position 500 the two words have nearly the same direction. We need numbers that stay small and differ from position to position.
#
# ## 2 · The hands of a clock
#
# The hands of a clock give such numbers. They stay on the dial. Several hands together tell many moments apart, because they turn at different speeds. The
# figure gives three hands to each word of 昨天我在公园里看见一只小狗 (*Yesterday I saw a little dog in the park*). Below the hands stand their sines and
# cosines.

# %% key="clock-figure"
sentence = (
    ("昨天", "yesterday"), ("我", "I"), ("在", "at"), ("公园", "park"),
    ("里", "inside"), ("看见", "see"), ("一", "one"), ("只", "(counts)"),
    ("小", "small"), ("狗", "dog"),
)
names = [f"{word}\n{english}" for word, english in sentence]
pictures.play_clocks(names, speeds=[1, 0.25, 0.0625])

# %% [markdown] key="clock-lesson"
# A hand is a point on a circle, so two numbers describe it: the sine and the cosine of its angle. The pairs of all hands, side by side, are the vector of
# position $p$. Dimensions $2i$ and $2i+1$ hold
#
# $$\sin\frac{p}{10000^{2i/d}},\qquad\cos\frac{p}{10000^{2i/d}}.$$
#
# The first hand ($i=0$) turns by one radian at each position. The last one hardly turns. This is the sinusoidal encoding of *Attention Is All You Need*
# (Vaswani et al. 2017). It is added to the word's vector and has nothing to train.

# %% [markdown] exercise="06.sinusoidal_positions"
# Make the table for all positions at once, for odd widths too. You use it in the figures below and in the copying task of section 6.

# %% key="use-table"
# waiting_for: while one of these functions is still a stub, the cell tells you so,
# and shows the recorded figure if there is one.
with waiting_for("sinusoidal_positions"):
    pictures.show_table(sinusoidal_positions(96, 64))

# %% [markdown] key="table-lesson"
# The first dimensions change quickly from position to position, the last ones hardly at all.

# %% [markdown] key="first-further" further=true
# Do “One matrix for all positions” first: RoPE uses its rotation. Then “Find the bug: the doubled exponent”.

# %% [markdown] key="bug-exponent" further=true
# ### Find the bug: the doubled exponent
#
# > `denominator = np.power(10000, 2*i / d_model)`\
# > S4, *位置编码（Sinusoidal Position Encoding）*, in a loop `for i in range(0, d_model, 2)`
#
# This looks like the formula, which stands right above it in S4. But the loop counts `i` in steps of two.

# %% key="predict-exponent" further=true
predict(
    "06-exponent",
    "d = 16, position 5: how far is the worst number of the row from the right one? "
    "(between 0 and 2)",
    guess=None,
)

# %% key="exponent-figure" further=true
with waiting_for("sinusoidal_positions"):
    right, wrong = sinusoidal_positions(6, 16)[5].float(), torch.zeros(16)
    for i in range(0, 16, 2):
        angle = torch.tensor(5 / 10000 ** (2 * i / 16))
        wrong[i], wrong[i + 1] = angle.sin(), angle.cos()
    pictures.show_exponents(right, wrong, position=5)
    reveal("06-exponent", round((right - wrong).abs().max().item(), 2))

# %% [markdown] key="exponent-lesson" further=true
# `i` is 0, 2, 4, …: it is already the $2i$ of the formula. With the doubled exponent the hands slow down too fast. Of these 16 dimensions 7 then differ by
# less than .05 between positions 0 and 512; in the right table one does. No error is raised and a model trains. So such bugs are found late.

# %% [markdown] key="bug-float" further=true
# ### Find the bug: two in one line
#
# > `pe[0, i] = torch.sin(pos / (10000 ** (i / d_model)))`\
# > `pos = 0  # 假设当前位置为0` (*suppose that the position is 0*)\
# > S2, *4.2 实现嵌入向量生成的详细步骤*
#
# Here `i` counts 0, 2, 4, … and is not doubled, so this exponent is correct. But `pos` and `i` are Python numbers, which `torch.sin` refuses. And S2 adds the one vector of
# **position 0** to both words of its example “hello world”. We run the first line, and then add the vector of position 0 to 我爱我 (*I love me*).

# %% key="predict-same" further=true
predict(
    "06-same",
    "我爱我, with the vector of position 0 added to every word: "
    "how far apart are the two 我?",
    guess=None,
)

# %% key="float-and-zero" further=true
try:
    torch.sin(3 / 10000 ** (2 / 8))
except TypeError as error:
    print("TypeError:", str(error).splitlines()[0])
with waiting_for("sinusoidal_positions"):
    love = words(torch.tensor([0, 1, 0])).detach()
    table = sinusoidal_positions(3, 16)
    own, zero = love + table, love + table[0]
    distances = {"own positions": own[0].dist(own[2])}
    distances["position 0 for all"] = zero[0].dist(zero[2])
    show_table(distances, columns=("distance of the two 我",), format=".2f")
    reveal("06-same", round(zero[0].dist(zero[2]).item(), 2))

# %% [markdown] key="similarity-question"
# ## 3 · The same everywhere
#
# Random vectors would also be small and different. We now see what sines do better. We multiply two rows of the table, PE[3] · PE[8], and then
# PE[53] · PE[58]. Both pairs are five positions apart.

# %% key="predict-similarity"
predict(
    "06-dot", "How is PE[53] · PE[58], compared with PE[3] · PE[8]?", guess=None,
    choices={"larger": "larger", "smaller": "smaller", "same": "the same"},
)

# %% key="similarity-figure"
with waiting_for("sinusoidal_positions"):
    table = sinusoidal_positions(128, 64).float()
    pictures.show_similarity(table, places=[35, 64, 90])
    near, far = (table[3] @ table[8]).item(), (table[53] @ table[58]).item()
    larger = "larger" if far > near else "smaller"
    reveal("06-dot", "same" if abs(near - far) < 1e-3 else larger)

# %% [markdown] key="similarity-lesson"
# They are the same. $\sin a\sin b+\cos a\cos b=\cos(a-b)$, so only the difference of the positions is left. From PE[p] to PE[p + 5] each hand turns by an
# angle that does not depend on $p$. A rotation is linear, so **one matrix moves every row of the table by five.**

# %% [markdown] key="shift-text" further=true
# ### One matrix for all positions
#
# Section 3 says that one matrix moves every row of the table by five positions. You now write this matrix for any number of positions.

# %% [markdown] exercise="06.shift_matrix" further=true
# Write the matrix, for steps forwards and backwards. The next cell moves a whole table with it.

# %% key="use-shift" further=true
with waiting_for("sinusoidal_positions", "shift_matrix"):
    table, move = sinusoidal_positions(1000, 64).float(), shift_matrix(5, 64).float()
    error = (table[:-5] @ move.T - table[5:]).abs().max()
    say("largest error, 995 positions: {error:.1e}", error=error)

# %% [markdown] key="bug-half" further=true
# ### Find the bug: the sine alone
#
# > “PE(pos+k, 2i)   可由 PE(pos, 2i) 和 PE(k) 线性组合得到”\
# > (*PE(pos+k, 2i) can be combined linearly from PE(pos, 2i) and PE(k)*). S4, *为什么使用 sin/cos？*
#
# S4 sums up a proof in this sentence. The proof is right, the sentence is not: with k fixed, the later sine would be a linear function of the sine here. We
# fit the best line twice, from the sine alone and from sine and cosine.

# %% key="predict-half" further=true
predict(
    "06-half",
    "The fastest pair, k = 2. Typical error of the best line from the sine alone? "
    "(entries lie between -1 and 1)",
    guess=None, within=0.3,
)

# %% key="half" further=true
angles = torch.arange(500.0)
sine, cosine, constant = angles.sin(), angles.cos(), torch.ones(500)
target = (angles + 2).sin()[:, None]
inputs = {"sine and cosine": [sine, cosine, constant], "sine alone": [sine, constant]}
errors = {}
for name, parts in inputs.items():
    known = torch.stack(parts, dim=1)
    fitted = known @ torch.linalg.lstsq(known, target).solution
    errors[name] = (fitted - target).square().mean().sqrt().item()
show_table(errors, columns=("typical error",), format=".1e")
reveal("06-half", round(errors["sine alone"], 2))

# %% [markdown] key="half-lesson" further=true
# The height of a clock hand does not tell whether it is rising or falling. The line needs both numbers, as in the proof. So the dimensions come in pairs.

# %% [markdown] key="learned-question"
# ## 4 · Positions that are learned
#
# BERT and GPT-2 have a second embedding table instead of a formula. Row $t$ belongs to position $t$, starts at random, and is trained like the words. The
# paper of 2017 tried both kinds and found nearly the same results. We compare them in a task.

# %% [markdown] exercise="06.LearnedPositions"
# Write the table and add it. A longer text than the table has no positions: raise an error. You train your table in the copying task below.

# %% [markdown] key="task"
# ### A task that needs only positions
#
# A sequence has 32 words, drawn from ten in random order. At each position the model repeats the word that stood **three positions back**. The model has one layer of
# attention and trains for 400 steps. Training sequences start at position 0. Test sequences are as long but start later: at 16, at 32, at 100. The
# learned table has rows for all these positions, so nothing raises an error.

# %% key="predict-learned"
predict(
    "06-learned",
    "Trained at positions 0 to 31. Fraction of right words at positions 100 to 131, "
    "with learned positions?",
    guess=None, within=0.3,
)

# %% key="learned-run" seconds=6
at_100 = copy_back.STARTS.index(100)
with waiting_for("LearnedPositions"):
    torch.manual_seed(0)
    (own_table,) = LearnedPositions(copy_back.FURTHEST, 32).parameters()
    outcomes = {"none": copy_back.train(), "learned": copy_back.train(table=own_table)}
    pictures.show_accuracy(outcomes)
    reveal("06-learned", round(outcomes["learned"].accuracy[at_100], 2))

# %% [markdown] key="learned-lesson"
# Up to position 31 the learned table is nearly perfect. Beyond, it is no better than no positions: those rows never got a gradient (notebook 02), so they are still the random
# numbers of the start. Chance is about 25 % here, not 10 %. The causal mask shows which words have come so far, and naming the most frequent of them is
# right that often.

# %% [markdown] key="segments"
# ### Two sentences in one text
#
# BERT reads pairs of sentences and has to know which word belongs to which. So it has a third table with two vectors, one for each **segment** (片段).
# Word, position and segment vectors are **added**. BERT normalises the sum (LayerNorm, notebook 07) before its first layer. Our pair is 狗很可爱。这只狗是我的。 (*Dogs are cute. This dog is mine.*), with BERT's
# marks.

# %% [markdown] exercise="06.input_embedding"
# Add the three vectors of each position. All three tables must be able to learn. In notebook 11 the published model begins with the same sum.

# %% key="use-input"
tokens, parts = sentence_pair.ids(), sentence_pair.PARTS
tables = sentence_pair.tables()
with waiting_for("input_embedding"):
    strips = {"word": tables[0][tokens[0]], "position": tables[1][:12]}
    strips["segment"] = tables[2][parts[0]]
    strips["sum"] = input_embedding(tokens, parts, *tables)[0]
    names = [f"{word}\n{english}" for word, english in sentence_pair.GLOSSED]
    pictures.show_sum(names, parts[0].tolist(), strips)

# %% [markdown] key="input-lesson"
# 狗 (*dog*) occurs twice. Its word vector is the same both times, and the two sums differ.

# %% [markdown] key="bug-add" further=true
# ### Find the bug: an experiment in a paper
#
# > “实践效果好：论文实验证明相加效果最佳”\
# > (*works well in practice: experiments in the paper prove that adding works best*). S4, *位置编码（Sinusoidal Position Encoding）*
#
# The paper of 2017 reports no experiment with concatenation. And the two are closely related, because a linear layer comes next. Over the concatenation [x; p] it has
# weights for both parts, and $W[x;p] = W_1x + W_2p$ is the sum of two linear maps.

# %% key="predict-add" further=true
predict(
    "06-add",
    "A linear layer over [x; p], and two linear layers over x and p, added: "
    "same result?",
    guess=None, choices=(True, False),
)

# %% key="add" further=true
x, p, both = torch.randn(5, 16), torch.randn(5, 16), nn.Linear(32, 8, bias=False)
for_x, for_p = both.weight.chunk(2, dim=1)
separate = x @ for_x.T + p @ for_p.T
difference = (both(torch.cat([x, p], dim=1)) - separate).abs().max().item()
say("largest difference: {difference:.1e}", difference=difference)
reveal("06-add", bool(difference < 1e-5))

# %% [markdown] key="add-lesson" further=true
# So adding is concatenating with both maps tied to one, $W(x+p)$. It gives up the freedom of two maps and saves half of the width. S4 names that reason too, and
# it is a good one. But it is not a measurement.

# %% [markdown] key="stop" stop=true
# You have two ways to tell a model the order of words, sinusoids and a learned table. You have seen that a learned table ends with the trained positions. The second sitting
# rotates vectors instead of adding to them.

# %% [markdown] key="rope-question"
# ## 5 · Turn instead of add
#
# We look at what happens to added positions inside attention. The dot product of two rows depends on the offset alone. But attention first multiplies each vector with a
# matrix. $W_q$ makes the *query* of a word, $W_k$ its *key*, and attention compares queries with keys. We use two random matrices:

# %% key="projected"
with waiting_for("sinusoidal_positions"):
    rows = sinusoidal_positions(200, 64).float()
    generator = torch.Generator().manual_seed(0)
    w_q, w_k = torch.randn(2, 64, 64, generator=generator) / 8
    queries, keys = rows @ w_q.T, rows @ w_k.T
    dots = {"PE[p] · PE[p + 5]": (rows[:-5] * rows[5:]).sum(dim=1)}
    dots["W_q PE[p] · W_k PE[p + 5]"] = (queries[:-5] * keys[5:]).sum(dim=1)
    show_table({name: (values.min(), values.max()) for name, values in dots.items()},
               columns=("smallest", "largest"), format=".2f")

# %% [markdown] key="turn-question"
# The offset is always 5, yet inside attention the dot products run from -7.09 to 10.63. Training would have to learn that only the offset counts.
#
# **Rotary position embedding** (RoPE, [旋转位置编码](../glossary.md#sequences); Su et al. 2021) builds it in. It does not add sinusoids. It **rotates the query and the key**, after $W_q$ and $W_k$, by
# the angle of their positions. In the figure the query of 爱 (*love*) and the key of 狗 (*dog*) are arrows. Each turns by half a radian a position.

# %% key="arrows-figure"
arrows = ("爱 love", "狗 dog")
rotary.play_arrows(arrows, offsets=(2, 3), speed=0.5)

# %% [markdown] key="rope-lesson"
# Both arrows turned by the same angle, so the angle between them stayed, and no vector got longer. A query has `head_dim` dimensions. They form head_dim / 2 pairs, each an
# arrow. Pair $i$ at position $p$ turns by
#
# $$p\cdot 10000^{-2i/\text{head\_dim}}.$$
#
# These are the speeds of the sinusoidal table. Queries and keys are rotated, values are not.
#
# (A *value* is what attention averages ([值](../glossary.md#attention-and-sentences)). Attention often works several times side by side, in *heads* ([注意力头](../glossary.md#attention-and-sentences)) of `head_dim` dimensions. You build
# both in notebook 07. Here you need only the shape (B, h, T, head_dim).)

# %% [markdown] exercise="06.rope_angles"
# Compute the angle of each position and pair. You use the angles in `apply_rope`.

# %% [markdown] exercise="06.apply_rope"
# Rotate queries or keys. You choose which dimensions form a pair: the paper pairs neighbours, GPT-NeoX and Llama's converted weights pair the halves. You use
# your function in the copying task of section 6.

# %% key="use-rope"
with waiting_for("apply_rope", "rope_angles", "sinusoidal_positions"):
    added = sinusoidal_positions(512, 32).float()
    encodings = {"added sinusoids": lambda x, p: x + added[p]}
    encodings["your apply_rope"] = apply_rope
    rotary.show_scores(encodings)

# %% [markdown] key="rope-figure-lesson"
# The figure takes one query and one key at all pairs of positions. With your `apply_rope` each diagonal has one colour: only the offset counts. With added sinusoids the
# colour changes along a diagonal, because words and positions are multiplied too.

# %% [markdown] key="far-question"
# ## 6 · Beyond the training
#
# We go back to the copying task and test all encodings at positions that training never had. This is called **extrapolation** ([外推](../glossary.md#sequences)). S4 promises:
#
# > “训练最大长度 512 → 可以处理任意长度（公式通用）”\
# > (*longest text in training 512 → any length can be handled: the formula is general*). S4, *为什么使用 sin/cos？*
#
# S2 agrees: the encoding “在长序列中依然保持良好的性能” (*still does well on long sequences*; *3.1 嵌入向量的数学原理*).
#
# RoPE runs twice: with your `apply_rope`, and with a **wrong layout**. In the wrong layout neighbours are pairs, but the two dimensions of a pair get
# different angles.

# %% key="wrong-layout"
def mispaired(x, positions):
    """Rotate with neighbours as pairs, and with angles that are laid out for halves."""
    angles = rope_angles(positions, x.shape[-1]).to(x.dtype).repeat(1, 2)
    partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return x * angles.cos() + partner * angles.sin()

# %% key="predict-far"
predict(
    "06-far",
    "Fraction of right words at positions 100 to 131 with the sinusoidal table? "
    "(learned: about a quarter)",
    guess=None, within=0.25,
)

# %% key="far-run" seconds=14
with waiting_for(
    "sinusoidal_positions", "rope_angles", "apply_rope"
):
    sinusoids = sinusoidal_positions(copy_back.FURTHEST, 32).float()
    outcomes["sinusoidal"] = copy_back.train(table=sinusoids)
    outcomes["rope"] = copy_back.train(turn=apply_rope)
    outcomes["wrong_pairs"] = copy_back.train(turn=mispaired)
    pictures.show_accuracy(outcomes)
    show_table({copy_race.WAYS[name]: run.loss for name, run in outcomes.items()},
               columns=("last training loss",), format=".3f")
    reveal("06-far", round(outcomes["sinusoidal"].accuracy[at_100], 2))

# %% [markdown] key="far-lesson"
# - **Sinusoids** lose part of what they learned. Over five recorded runs they copy 47, 44, 66 and 54 % of the words from starts 32, 48, 64 and 100. That is more than chance, 25 %, and far below the 100 % of training.
#   The table exists for every position; the model was trained on 32 of them.
# - **RoPE** copies all words, because scores depend on offsets alone and all offsets were trained.
# - **The wrong layout** ends training with a loss near 0. From position 100 on it is near chance. So a low training loss does not prove that positions are right. (Heads here are 8 dimensions wide. With
#   16 the layer repaired part of the damage: 65 to 97 % beyond position 31, measured once, seed 0.)

# %% [markdown] key="second-further" further=true
# Do “A helper for RoPE” and “A test that finds the wrong layout” first: they belong together, and the test takes half an hour.

# %% [markdown] key="race-text" further=true
# ### Five runs each
#
# One run of each encoding, as in section 6, may be chance. These are the lowest and the highest accuracy of five recorded runs at positions 100 to 131:

# %% key="race" further=true
def measure_race():
    return copy_race.measure(sinusoidal_positions, rope_angles, apply_rope)

race = curves.load("06_race", rerun=RERUN and measure_race)
ends = {
    race.label(name): [race.numbers[f"{name}, {end}"] for end in ("lowest", "highest")]
    for name in race.curves
}
show_table(ends, columns=("lowest", "highest"), format=".2f")

# %% [markdown] key="race-lesson" further=true
# In *RoPE, other pairs* the dimensions are permuted, rotated and permuted back; this changes nothing. The order of the encodings does not depend on the seed. *No positions* and *learned* are tied for last.

# %% [markdown] key="long-text"
# S1 says of RoPE:
#
# > “RoPE通过旋转而非加法的方式编码位置，在长序列上表现更好”\
# > (*RoPE encodes positions by turning instead of adding, and does better on long sequences*). S1, *旋转位置编码（RoPE）：现代LLM的新趋势*
#
# So far the sequences started later, but they were not longer. Now the same models read one sequence of 200 words:

# %% key="predict-long"
predict(
    "06-long",
    "RoPE, trained on 32 words, one text of 200: fraction of right words at its end?",
    guess=None, within=0.5,
)

# %% key="long-run"
with waiting_for("LearnedPositions"):
    show_table({copy_race.WAYS[name]: run.at_the_end for name, run in outcomes.items()},
               columns=("last 32 of 200 words",), format=".2f")
    if "rope" in outcomes:
        reveal("06-long", round(outcomes["rope"].at_the_end, 2))

# %% [markdown] key="long-lesson"
# All encodings guess: 10 to 13 % are right, and there are ten words. Offsets above 31 never occurred in training, so the model has not learned to ignore them. *Moving* a text and
# *lengthening* it are two tests. RoPE passes the first by construction. S1's sentence is true of the first only.

# %% [markdown] key="bug-helper" further=true
# ### Find the bug: a helper for RoPE
#
# > `return x * cos + rotated * sin`\
# > S1, *旋转位置编码（RoPE）：现代LLM的新趋势*
#
# S1's helper has three lines, and each is right. Neighbours are pairs (`rotated` holds −b, a for a, b), and a comment says that `x` is [batch, seq_len, num_heads,
# head_dim]. But the caller passes `cos` and `sin`, and the helper does not say how they must be laid out. We call it with three tables that are in use. Only one of
# them is right.

# %% key="helper" further=true
def helper(x, cos, sin):  # S1's helper, in our words
    partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return x * cos + partner * sin

def tables_of_angles(positions, width):
    angles = rope_angles(positions, width)  # (T, width / 2)
    pairs = angles.repeat_interleave(2, dim=-1)  # a a b b
    halves = angles.repeat(1, 2)  # a b a b
    return {"pairs, (T, 1, width)": pairs[:, None],
            "halves, (T, 1, width)": halves[:, None], "pairs, (T, width)": pairs}

# %% key="helper-run" further=true
def moved_heads(x, angles):
    """Return the fraction of heads that move at position 0, or the error."""
    try:
        moved = (helper(x, angles.cos(), angles.sin()) != x)[:, 0].any(dim=-1)
    except RuntimeError as error:
        return type(error).__name__
    return f"{moved.float().mean().item():.0%}"

with waiting_for("rope_angles"):
    moved = {name: [] for name in tables_of_angles(torch.arange(4), 8)}
    for length in (6, 4):
        x = torch.ones(2, length, 4, 8)
        for name, angles in tables_of_angles(torch.arange(length), 8).items():
            moved[name].append(moved_heads(x, angles))
    show_table({name: tuple(row) for name, row in moved.items()},
               columns=("6 words, 4 heads", "4 words, 4 heads"))

# %% [markdown] key="helper-text" further=true
# The table shows which fraction of the heads moved at position 0, where nothing may turn. The last layout raises an error for 6 words. For 4 words it turns 75 % of the heads.

# %% key="predict-helper" further=true
predict(
    "06-helper",
    "The table in halves, 500 vectors of length 1. "
    "How long is the longest that comes out?",
    guess=None,
)

# %% key="helper-lengths" further=true
with waiting_for("rope_angles"):
    generator = torch.Generator().manual_seed(0)
    unit = F.normalize(torch.randn(1, 1, 500, 8, generator=generator), dim=-1)
    norms = mispaired(unit, torch.arange(500)).norm(dim=-1)
    show_table({"shortest": norms.min(), "longest": norms.max()}, format=".2f")
    reveal("06-helper", round(norms.max().item(), 2))

# %% [markdown] key="helper-lesson" further=true
# The first table is right: one row for each word and all of its heads, and one angle for both dimensions of a pair. The last table fits only when there are as many heads as words. Then each *head*
# turns by its index, and the position does not enter. (It does fit where the axes are (B, h, T, head_dim), as in yours.)
#
# The table in halves fits and runs. It is laid out for pairs (i, i + head_dim / 2), but the helper pairs neighbours. So the two dimensions of a pair turn by different angles, and that is no
# rotation: some vectors shrink to half their norm, others grow by a third. It is the wrong layout of section 6.
#
# Each line is right. The **contract** is missing: the shape of `cos` and `sin`, and which angle stands in which column.

# %% [markdown] key="test-question" further=true
# ### A test that finds the wrong layout
#
# The wrong layout runs and trains. Only a test of the *property* finds it: do dot products depend on the offset alone?

# %% [markdown] exercise="06.is_relative" further=true
# Write that test. The check tries it on about ninety encoders, sound and broken. You use it on your own `apply_rope` in the next cell.

# %% key="use-test" further=true
with waiting_for("is_relative", "apply_rope", "rope_angles", "sinusoidal_positions"):
    def add_sinusoids(x, p):
        return x + sinusoidal_positions(512, x.shape[-1]).to(x.dtype)[p]

    encoders = {"your apply_rope": apply_rope, "wrong layout": mispaired}
    encoders |= {"nothing": lambda x, p: x, "added sinusoids": add_sinusoids}
    show_table({name: bool(is_relative(encode)) for name, encode in encoders.items()},
               columns=("relative",))

# %% [markdown] key="where"
# ## 7 · Where this goes
#
# Long contexts use slower rotations, so that long offsets look like short ones. One way is to divide the positions (position interpolation), another is a larger
# base. Llama 2 has base 10,000 and reads texts of 4,096 tokens; Llama 3 has base 500,000.

# %% [markdown] key="where-figure-text" further=true
# ### How slowly does each pair turn?
#
# Section 7 names two bases. Your `rope_angles` shows what they do, for heads of 128 dimensions:

# %% key="where-figure" further=true
with waiting_for("rope_angles"):
    first = torch.tensor([1.0])
    turns = {
        f"base {base:,}": 2 * math.pi / rope_angles(first, 128, float(base))[0]
        for base in (10_000, 500_000)
    }
    rotary.show_wavelengths(turns, trained=4096)

# %% [markdown] key="where-figure-lesson" further=true
# The slowest pair needs 54,410 positions for one turn with base 10,000, and 2.6 million with base 500,000.

# %% [markdown] key="where-images" further=true
# ### Images, and no positions at all
#
# RoPE also gives positions to the patches of an **image**: half of the dimensions turn by the row, the other half by the column. The cell shows that only the offset counts. ALiBi uses no
# vectors; it subtracts a penalty for distance from the scores. Some models have no positions at all. A causal mask tells the first word from the second, since the
# first sees only itself. The “no positions” of section 6 had a little of that.

# %% key="where-images-run" further=true
with waiting_for("apply_rope", "rope_angles"):
    def on_grid(x, row, column):
        by_row, by_column = x.chunk(2, dim=-1)
        turned = apply_rope(by_row, torch.tensor([row]))
        return torch.cat([turned, apply_rope(by_column, torch.tensor([column]))], -1)

    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 1, 1, 1, 32, generator=generator)
    patches = (((2, 3), (4, 8)), ((10, 1), (12, 6)), ((10, 1), (15, 3)))
    dots = {
        f"{start} and {end}": (on_grid(query, *start) * on_grid(key, *end)).sum()
        for start, end in patches
    }
    show_table(dots, columns=("dot product",), format=".4f")

# %% [markdown] key="reflection" reflection=3
# ## 8 · In your own words (3 points, graded by a person)
#
# A colleague trains a model with RoPE on texts of 512 tokens and wants to serve texts of 4,096. “RoPE is relative,” she writes, “so the length does
# not matter. And our loss went down smoothly, so the encoding is implemented correctly.” What do you answer?
#
# *What earns points: (1) what “relative” does promise, and what it does not promise for longer texts; (1) why a falling loss does not show that
# the encoding is right, with an example; (1) two measurements that you would make before serving, one for each of her sentences.*

# %% [markdown] key="reflection-model" model_answer=true
# Relative means that scores depend on offsets alone: a window of 512 tokens may stand anywhere. A text of 4,096 has offsets up to 4,095, and
# those above 511 were never trained. In the notebook a model trained on 32 words fell to guessing at the end of 200. A falling loss shows only that the
# model found something that works at the positions of the training. The wrong layout reached a loss of nearly 0 and failed at
# positions past 100. I would (a) test the property: encode random vectors at shifted positions and compare dot products, and lengths before and
# after; (b) measure the loss by position on texts of 4,096 tokens, and again with interpolated positions or a larger base, before choosing.

# %% [markdown] key="card-text"
# ## 9 · Summary
#
# First the five questions of the course. This notebook adds no engine: a position helps only inside a trained encoder, and notebooks 07 to 09 build one. We can ask whether an engine sees order.
# *Convert a list to an array* and *convert an array to a list* have the same words in another order. The table compares the vectors of the two questions.

# %% key="thread"
five_questions("06", "positions, no engine yet", None)
questions = ("convert a list to an array", "convert an array to a list")
vocabulary = {word: i for i, word in enumerate(sorted(set(questions[0].split())))}
ids = torch.tensor([[vocabulary[word] for word in text.split()] for text in questions])
torch.manual_seed(0)
with waiting_for("sinusoidal_positions"), torch.no_grad():
    vectors = nn.Embedding(len(vocabulary), 16)(ids)
    placed = vectors + sinusoidal_positions(6, 16).float()
    texts = {
        "mean of words": vectors.mean(dim=1),
        "mean of words + positions": placed.mean(dim=1),
        "attention, then mean": attention(vectors, vectors, vectors)[0].mean(dim=1),
        "positions, attention, mean": attention(placed, placed, placed)[0].mean(dim=1),
    }
    cosines = {name: F.cosine_similarity(*pair, dim=0) for name, pair in texts.items()}
    show_table(cosines, columns=("cosine of the questions",), format=".4f")

# %% [markdown] key="thread-lesson"
# *Why there is no engine.* A mean gives both questions the same vector. With positions it still does: the positions add the same mean to both questions. Attention without
# positions changes nothing either. Attention over words with positions tells the questions apart: 0.9876 (seed 0). But the layer is untrained, so this difference means nothing yet.

# %% [markdown] key="card-figure-text"
# The figure shows the dot product of one query and one key, seen from 24 positions, with **your** `apply_rope` and with the wrong layout.

# %% key="card"
with waiting_for("apply_rope", "rope_angles"):
    rotary.card({"my apply_rope": apply_rope, "wrong layout": mispaired})

# %% [markdown] key="take-along"
# **What you take along.** Attention without a mask and without positions treats a sentence as a bag of words. Positions are added to the vectors, or they rotate queries and
# keys. No formula says what happens beyond the trained positions: measure it.
#
# Next, notebook 07: *how does a word look at the others?*

# %% key="progress"
progress()
