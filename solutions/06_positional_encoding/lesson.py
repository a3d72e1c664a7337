# %% [markdown] key="title"
# # 06 · Position
#
# **How does a model know what comes first?**
#
# **Attention** ([注意力](../glossary.md#attention-and-sentences)), the main layer of today's language models, does not by itself depend on the order of words. The order has to be put in:
# by a **positional encoding** ([位置编码](../glossary.md#sequences)). This notebook is about three of them: sinusoids that are added, a table that is learned, and vectors that
# are rotated; and about the segment vectors that BERT adds beside them. The course grew out of five tutorials in Chinese, here called S1 to S5 (`ledger("06")` lists what they
# claim). Some of their sentences and lines of code are put to the test here.
#
# **Afterwards you can**
# - write the sinusoidal table, and say why one matrix moves all of its rows;
# - build the sum of word, position and segment that enters BERT;
# - write rotary positions (RoPE) in any of their forms, and tell a right form from a wrong one by a test of your own;
# - say what happens beyond the lengths seen in training, for each of the three, with a measurement at hand.
#
# **{minutes}.** Builds on notebook 01: an embedding is a row of a table. Attention itself comes in notebook 07; here PyTorch's
# own will do.

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
from embedding_course.experiments.positional_encoding import copy_back, copy_race, sentence_pair
from embedding_course.experiments import curves
from embedding_course.plot import positions as pictures
from embedding_course.plot import rotary
from embedding_course.plot.chinese import label

RERUN = False  # True: the recorded race of section 7 is run again with your functions (about a minute)

# %% [markdown] key="bag-question"
# ## 1 · A bag of words
#
# 狗咬人 (*dog bites man*) is no news, 人咬狗 (*man bites dog*) is. Same three words, another order. We send both sentences through a
# layer of attention and look at what becomes of 狗 (*dog*): once it bites, once it is bitten.

# %% key="predict-bag"
predict("06-bag", "By how much do the two vectors of 狗 differ after attention? (a number; 0 = not at all)", guess=None)

# %% key="bag"
torch.manual_seed(0)
words, attention = nn.Embedding(3, 16), nn.MultiheadAttention(16, 2, batch_first=True).eval()
x = words(torch.tensor([[0, 1, 2], [2, 1, 0]]))  # 狗 咬 人, 人 咬 狗
seen, _ = attention(x, x, x)
difference = (seen[0, 0] - seen[1, 2]).abs().max().item()
print(f"largest difference {difference:.1e}")
reveal("06-bag", round(difference, 4))
later = torch.ones(3, 3).triu(1).bool()  # True: this word must not be looked at
masked, _ = attention(x, x, x, attn_mask=later)
print(f"and where a word sees itself and what came before it, nothing else: {(masked[0, 0] - masked[1, 2]).abs().max():.2f}")

# %% [markdown] key="bag-answer"
# Nothing but rounding. Attention compares vectors with vectors; their positions do not enter. (As long as all words see one
# another. The last line has a *causal mask* ([因果掩码](../glossary.md#attention-and-sentences)), as models have that write: the first word sees one word, the last sees three, and that
# tells them apart. The further part comes back to it.) Before a model can learn grammar, the position should get *into the vectors*.
#
# The plainest idea is to add the number of the position itself. But vectors have entries of size 1, and positions grow:

# %% key="plain-number"
one, other = words.weight[0], words.weight[1]
for position in (0, 5, 50, 500):
    print(f"position {position:3}: cosine of two different words {F.cosine_similarity(one + position, other + position, dim=0):.4f}")

# %% [markdown] key="clock-question"
# At position 500 all words look alike. What is wanted are numbers that stay small, differ from position to position, and exist for every position.
#
# ## 2 · The hands of a clock
#
# A clock has such numbers. Its hands never leave the dial, and hours, minutes and seconds together tell many moments apart, because
# they turn at different speeds. Below, three hands for each word of 昨天我在公园里看见一只小狗 (*Yesterday I saw a little dog in the park*).

# %% key="predict-clock"
predict("06-turn", "The fastest hand turns by 1 radian a position. After how many positions has it gone round once?", guess=None)

# %% key="clock-figure"
spoken = (("昨天", "zuótiān"), ("我", "wǒ"), ("在", "zài"), ("公园", "gōngyuán"), ("里", "lǐ"), ("看见", "kànjiàn"), ("一", "yī"), ("只", "zhī"), ("小", "xiǎo"), ("狗", "gǒu"))
pictures.show_clocks([label(*word) for word in spoken], speeds=[1, 0.25, 0.0625])
reveal("06-turn", round(2 * math.pi, 2))

# %% [markdown] key="clock-lesson"
# A hand is a point on a circle, so two numbers describe it: the sine and the cosine of its angle. Put the pairs of all hands side by
# side, and position $p$ has a vector: columns $2i$ and $2i+1$ hold
#
# $$\sin\frac{p}{10000^{2i/d}}\quad\text{and}\quad\cos\frac{p}{10000^{2i/d}}.$$
#
# The first hand ($i=0$) turns by one radian at each position, the last one hardly at all. This is the sinusoidal encoding of *Attention Is All
# You Need* (Vaswani et al. 2017). It is added to the word's vector, and there is nothing in it to train.

# %% [markdown] exercise="06.sinusoidal_positions"
# Make the table for all positions at once. Mind the odd widths.

# %% key="use-table"
# waiting_for: while one of these functions is still a stub, the cell says so, and shows the figure that was recorded
with waiting_for("sinusoidal_positions"):
    pictures.show_table(sinusoidal_positions(96, 64))

# %% [markdown] key="bug-exponent"
# ### Find the bug: the doubled exponent
#
# > `denominator = np.power(10000, 2*i / d_model)`\
# > S4, *位置编码（Sinusoidal Position Encoding）*, in a loop `for i in range(0, d_model, 2)`
#
# It looks just like the formula, which stands right above it. But what does `i` count here?

# %% key="predict-exponent"
predict("06-exponent", "d = 16, position 5: how far is the worst number of the row from the right one? (between 0 and 2)", guess=None)

# %% key="exponent-figure"
with waiting_for("sinusoidal_positions"):
    right, wrong = sinusoidal_positions(6, 16)[5].float(), torch.zeros(16)
    for i in range(0, 16, 2):
        angle = torch.tensor(5 / 10000 ** (2 * i / 16))
        wrong[i], wrong[i + 1] = angle.sin(), angle.cos()
    pictures.show_exponents(right, wrong, position=5)
    reveal("06-exponent", round((right - wrong).abs().max().item(), 2))

# %% [markdown] key="exponent-lesson"
# `i` is 0, 2, 4, …: it is the $2i$ of the formula already. Doubled, the hands slow down twice as fast (in the exponent). Of these 16 columns
# 7 then differ by less than .05 between position 0 and 512; in the right table it is 1. A model trains with it all the same. No error is raised, some columns
# are just of little use: such bugs are found late.

# %% [markdown] key="bug-float" further=true
# ### Find the bug: two in one line
#
# > `pe[0, i] = torch.sin(pos / (10000 ** (i / d_model)))`\
# > `pos = 0  # 假设当前位置为0` (*suppose that the position is 0*)\
# > S2, *4.2 实现嵌入向量生成的详细步骤*
#
# The exponent is right here, other than in the line of section 2. But `pos` and `i` are Python numbers, and the one vector of **position 0** is then added to both words of its example
# “hello world”. Run the first; then think about 我爱我 (*I love me*) after the second.

# %% key="predict-same" further=true
predict("06-same", "我爱我, with the vector of position 0 added to every word: how far apart are the two 我?", guess=None)

# %% key="float-and-zero" further=true
try:
    torch.sin(3 / 10000 ** (2 / 8))
except TypeError as error:
    print("TypeError:", str(error).splitlines()[0])
with waiting_for("sinusoidal_positions"):
    x, places = words(torch.tensor([0, 1, 0])).detach(), sinusoidal_positions(3, 16)
    print(f"the two 我, each with its own position: {(x + places)[0].dist((x + places)[2]):.2f} apart")
    reveal("06-same", round((x + places[0])[0].dist((x + places[0])[2]).item(), 2))

# %% [markdown] key="similarity-question"
# ## 3 · The same everywhere
#
# Why sines, and not random vectors? Random ones would also be small and different. Multiply two rows of the table: PE[3] · PE[8], and
# then PE[53] · PE[58]. Both are five apart.

# %% key="predict-similarity"
predict("06-dot", "How is PE[53] · PE[58], compared with PE[3] · PE[8]?", guess=None,
        choices={"larger": "larger", "smaller": "smaller", "same": "the same"})

# %% key="similarity-figure"
with waiting_for("sinusoidal_positions"):
    table = sinusoidal_positions(128, 64).float()
    pictures.show_similarity(table, places=[35, 64, 90])
    near, far = (table[3] @ table[8]).item(), (table[53] @ table[58]).item()
    reveal("06-dot", "same" if abs(near - far) < 1e-3 else "larger" if far > near else "smaller")

# %% [markdown] key="similarity-lesson"
# The same: $\sin a\sin b+\cos a\cos b=\cos(a-b)$, so only the difference is left. And more is true. To get from PE[p] to PE[p + 5], each
# hand turns by an angle that does not depend on $p$. Turning is linear: **one matrix moves every row of the table by five.**

# %% [markdown] exercise="06.shift_matrix" further=true
# One matrix moves every row of the table by five, says section 3. Write it down, for any number of steps, forwards and back.

# %% key="use-shift" further=true
with waiting_for("sinusoidal_positions", "shift_matrix"):
    table, move = sinusoidal_positions(1000, 64).float(), shift_matrix(5, 64).float()
    print(f"5 further, over 995 positions: largest error {(table[:-5] @ move.T - table[5:]).abs().max():.1e}")

# %% [markdown] key="bug-half" further=true
# ### Find the bug: which number follows from which?
#
# > “PE(pos+k, 2i)   可由 PE(pos, 2i) 和 PE(k) 线性组合得到”\
# > (*PE(pos+k, 2i) can be combined linearly from PE(pos, 2i) and PE(k)*). S4, *为什么使用 sin/cos？*
#
# So S4 sums up a proof that is right; with k fixed, the sine further on would be a linear function of the sine here. Measure it: fit the best line, once from the
# sine alone, once from sine and cosine.

# %% key="predict-half" further=true
predict("06-half", "The fastest pair, k = 2. Typical error of the best line from the sine alone? (entries lie between -1 and 1)",
        guess=None, within=0.3)

# %% key="half" further=true
angles = torch.arange(500.0)
sine, cosine, one, later = angles.sin(), angles.cos(), torch.ones(500), (angles + 2).sin()[:, None]
for name, columns in (("sine and cosine", [sine, cosine, one]), ("the sine alone", [sine, one])):
    known = torch.stack(columns, dim=1)
    error = (known @ torch.linalg.lstsq(known, later).solution - later).square().mean().sqrt().item()
    print(f"from {name}: typical error {error:.1e}")
reveal("06-half", round(error, 2))

# %% [markdown] key="half-lesson" further=true
# A clock hand's height does not tell whether it is rising or falling. It takes both numbers, as in the proof; that is why they come in pairs.

# %% [markdown] key="learned-question"
# ## 4 · Positions that are learned
#
# Why invent anything? BERT and GPT-2 have a second embedding table: row $t$ for position $t$, random at the start, trained like the
# words. In the paper of 2017 both kinds were tried, and the results were nearly the same.

# %% [markdown] exercise="06.LearnedPositions"
# One table, added to whatever comes in. It has a last row: raise an error when a text is longer.

# %% key="use-learned"
with waiting_for("LearnedPositions"):
    bert = LearnedPositions(512, 768)
    print(f"{sum(one.numel() for one in bert.parameters()):,} parameters for 512 positions")
    try:
        bert(torch.zeros(1, 513, 768))
    except ValueError as error:
        print("a text of 513 words: ValueError:", error)

# %% [markdown] key="task"
# ### A task that needs positions and nothing else
#
# Ten words in random order, 32 in a row; at each position the model must repeat the word that stood **three positions back**. One layer of
# attention, 400 steps. Sequences start at position 0 in training. In the test they are as long, and start further on: at 16, at 32, at 100.
# The learned table has rows for all of these, so nothing raises an error.

# %% key="predict-learned"
predict("06-learned", "Trained at positions 0 to 31. Fraction of right words at positions 100 to 131, with learned positions?",
        guess=None, within=0.3)

# %% key="learned-run" seconds=6
found = {"none": copy_back.train(), "learned": copy_back.train(table=copy_back.learned_table())}
pictures.show_accuracy(found)
at_100 = copy_back.STARTS.index(100)
reveal("06-learned", round(found["learned"].accuracy[at_100], 2))

# %% [markdown] key="learned-lesson"
# Nearly perfect up to 31 and no better than no positions at all beyond: rows that never got a gradient (notebook 02) are still the random numbers they
# started from. (Without positions it is about 1 in 4, and not 1 in 10. The causal mask shows which words have come so far, and whoever always names the
# commonest of them is right for 25 % of the positions.)

# %% [markdown] key="segments"
# ### Two sentences in one text
#
# BERT reads pairs of sentences, and is told which word belongs to which: segment 0 or segment 1, each with a vector of its own. So there are three vectors
# for every position: word, position, segment. They are simply **added**. Our pair is 狗很可爱。这只狗是我的。 (*Dogs are cute. This dog is mine.*), with BERT's
# marks for the beginning and for the ends.

# %% [markdown] exercise="06.input_embedding"
# Add the three. All three tables must be able to learn.

# %% key="use-input"
tokens, parts, tables = sentence_pair.ids(), sentence_pair.PARTS, sentence_pair.tables()
with waiting_for("input_embedding"):
    strips = {"word": tables[0][tokens[0]], "position": tables[1][:12], "segment": tables[2][parts[0]]}
    strips["sum"] = input_embedding(tokens, parts, *tables)[0]
    pictures.show_sum([label(*word) for word in sentence_pair.WORDS], parts[0].tolist(), strips)

# %% [markdown] key="bug-add" further=true
# ### Find the bug: an experiment in a paper
#
# > “实践效果好：论文实验证明相加效果最佳”\
# > (*works well in practice: experiments in the paper prove that adding works best*). S4, *位置编码（Sinusoidal Position Encoding）*
#
# The paper of 2017 reports no experiment with concatenation. And what would it have to compare? A linear layer comes next. Over the concatenation [x; p] it has
# weights for both parts, and $W[x;p] = W_1x + W_2p$: the sum of two linear maps.

# %% key="predict-add" further=true
predict("06-add", "A linear layer over [x; p], and two linear layers over x and p, added: same result?", guess=None, choices=(True, False))

# %% key="add" further=true
x, p, both = torch.randn(5, 16), torch.randn(5, 16), nn.Linear(32, 8, bias=False)
for_x, for_p = both.weight.chunk(2, dim=1)
difference = (both(torch.cat([x, p], dim=1)) - (x @ for_x.T + p @ for_p.T)).abs().max().item()
print(f"largest difference {difference:.1e}")
reveal("06-add", bool(difference < 1e-5))

# %% [markdown] key="add-lesson" further=true
# So adding is concatenating with both maps tied to one, $W(x+p)$. What one gives up is the freedom of two maps; what one saves is half of the
# width. S4 names that reason too, and it is a good one. It is not a measurement.

# %% [markdown] key="stop" stop=true
# You have two ways to tell a model the order of words, the sinusoids and a learned table, and a figure that says how far each of them
# reaches. The second sitting turns vectors instead of adding to them.

# %% [markdown] key="rope-question"
# ## 5 · Turn instead of add
#
# In the sum, word and position mix, and attention's dot product multiplies out to four terms: word·word, word·position, position·word and
# position·position. The dot product of two *rows* depends on the offset alone. But attention multiplies with two matrices first (it compares
# *queries* and *keys*, which $W_q$ and $W_k$ make of the vectors). Two random matrices will do:

# %% key="projected"
with waiting_for("sinusoidal_positions"):
    rows, (w_q, w_k) = sinusoidal_positions(200, 64).float(), torch.randn(2, 64, 64, generator=torch.Generator().manual_seed(0)) / 8
    for name, query, key in (("PE[p] · PE[p + 5]", rows, rows), ("W_q PE[p] · W_k PE[p + 5]", rows @ w_q.T, rows @ w_k.T)):
        dots = (query[:-5] * key[5:]).sum(dim=1)
        print(f"{name:26} from {dots.min():6.2f} to {dots.max():6.2f}, for one and the same offset")

# %% [markdown] key="turn-question"
# What holds for the rows of the table does not hold inside attention; training would have to bring it about. Could *everything* depend on the offset alone?
#
# **Rotary position embedding** (RoPE, [旋转位置编码](../glossary.md#sequences); Su et al. 2021) does not add the sinusoids. It **rotates the query and the key themselves**, behind $W_q$ and $W_k$, by the angle
# of their positions. 爱 (*love*) asks, 狗 (*dog*) answers; both are arrows here, and each is turned by half a radian for each position.

# %% key="predict-arrows"
predict("06-arrows", "爱 at 1 and 狗 at 3 have a dot product of 0.22. What is it with 爱 at 6 and 狗 at 8?", guess=None, within=0.05)

# %% key="arrows-figure"
rotary.show_arrows((label("爱", "ài"), label("狗", "gǒu")), pairs=[(1, 3), (6, 8), (1, 4)], speed=0.5)
reveal("06-arrows", round(math.cos(0.35 + 2 * 0.5), 2))

# %% [markdown] key="rope-lesson"
# Both arrows went on by the same angle, so the angle between them stayed. No vector got longer. In a head of `head_dim` numbers there are
# head_dim / 2 such arrows (pairs of numbers), and pair $i$ turns by
#
# $$p\cdot 10000^{-2i/\text{head\_dim}}$$
#
# at position $p$: the speeds of the sinusoidal table again. Queries and keys are turned, values are not.
#
# (Attention makes three vectors of each word: the query that asks, the key that it is compared with, and a *value* that is averaged ([查询，键，值](../glossary.md#attention-and-sentences)). It often
# does so several times side by side, in *heads* ([注意力头](../glossary.md#attention-and-sentences)), each `head_dim` numbers wide. Notebook 07 builds all this; here you need only the shape (B, h, T, head_dim).)

# %% [markdown] exercise="06.rope_angles"
# First the angles: one for each position and pair.

# %% [markdown] exercise="06.apply_rope"
# Now turn. Which components form a pair is up to you: GPT-NeoX and Llama's converted weights pair the halves, the paper pairs neighbours.

# %% key="use-rope"
with waiting_for("apply_rope", "rope_angles", "sinusoidal_positions"):
    added = sinusoidal_positions(512, 32).float()
    ways = {"added sinusoids": lambda x, p: x + added[p], "your apply_rope": apply_rope}
    rotary.show_scores(ways)

# %% [markdown] key="rope-figure-lesson"
# One and the same query and key, put to all pairs of positions. Right: clean stripes, only the offset counts. Left: the stripes of
# position·position are there (here the sinusoids were added to query and key themselves), crossed by what each word has to do with each position.

# %% [markdown] key="bug-helper"
# ### Find the bug: a helper for RoPE
#
# > `return x * cos + rotated * sin`\
# > S1, *旋转位置编码（RoPE）：现代LLM的新趋势*
#
# S1's helper is three lines long, and each is right. Neighbours are pairs (`rotated` holds −b, a for a, b), and a comment says that `x` is [batch, seq_len, num_heads,
# head_dim]. But `cos` and `sin` come from the caller, and nothing says how they must be laid out. So let us be the caller, with three tables that one
# meets. Only one of them is what the helper needs.

# %% key="helper"
def helper(x, cos, sin):  # S1's helper, in our words
    partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return x * cos + partner * sin

def tables_of_angles(positions, width):
    angles = rope_angles(positions, width)  # (T, width / 2)
    pairs, halves = angles.repeat_interleave(2, dim=-1), angles.repeat(1, 2)  # a a b b, and a b a b
    return {"pairs, (T, 1, width)": pairs[:, None], "halves, (T, 1, width)": halves[:, None], "pairs, (T, width)": pairs}

# %% key="helper-run"
with waiting_for("rope_angles"):
    for T, heads in ((6, 4), (4, 4)):
        x = torch.ones(2, T, heads, 8)
        for name, angles in tables_of_angles(torch.arange(T), 8).items():
            try:
                moved = (helper(x, angles.cos(), angles.sin()) != x)[:, 0].any(dim=-1).float().mean().item()
                print(f"{T} words, {heads} heads, {name:21} at position 0, where nothing may turn, {moved:.0%} of the heads did")
            except RuntimeError as error:
                print(f"{T} words, {heads} heads, {name:21} RuntimeError: {error}")

# %% key="predict-helper"
predict("06-helper", "The table in halves, 500 vectors of length 1. How long is the longest that comes out?", guess=None)

# %% key="helper-lengths"
def mispaired(x, positions):  # x (B, h, T, head_dim): neighbours as pairs, angles in halves
    angles = rope_angles(positions, x.shape[-1]).to(x.dtype).repeat(1, 2)
    return helper(x, angles.cos(), angles.sin())

with waiting_for("rope_angles"):
    unit = F.normalize(torch.randn(1, 1, 500, 8, generator=torch.Generator().manual_seed(0)), dim=-1)
    lengths = mispaired(unit, torch.arange(500)).norm(dim=-1)
    print(f"lengths from {lengths.min():.2f} to {lengths.max():.2f}")
    reveal("06-helper", round(lengths.max().item(), 2))

# %% [markdown] key="helper-lesson"
# The first table is right: one row for each word and all of its heads, one angle for both numbers of a pair. The last does not fit, unless there happen
# to be as many heads as words: then each *head* is rotated by its index, and the position does not enter. (It does fit where the axes are (B, h, T, head_dim), as in yours.)
# The table in halves fits and runs. But it is laid out for pairs (i, i + head_dim / 2), and the helper pairs neighbours: the two numbers of a pair turn by
# two different angles. That is no rotation: some vectors shrink to half their length, others grow by a third.
#
# No line is wrong; what is missing is the **contract**: the shape of `cos` and `sin`, and which angle stands in which column.

# %% [markdown] key="test-question"
# ## 6 · A test that tells them apart
#
# With the wrong table the helper runs, and as you will see it trains. To find such a bug one must test the *property*: do dot products depend on the offset alone?

# %% [markdown] exercise="06.is_relative"
# Write that test. Your test is tested on some fifty encoders, sound ones and broken ones.

# %% key="use-test"
with waiting_for("is_relative", "apply_rope", "rope_angles", "sinusoidal_positions"):
    tried = {"your apply_rope": apply_rope, "the wrong table": mispaired, "nothing": lambda x, p: x}
    tried["added sinusoids"] = lambda x, p: x + sinusoidal_positions(512, x.shape[-1]).to(x.dtype)[p]
    for name, encode in tried.items():
        print(f"{name:22} relative: {bool(is_relative(encode))}")

# %% [markdown] key="far-question"
# ## 7 · Beyond the training
#
# To work at positions or lengths that training never had is **extrapolation** ([外推](../glossary.md#sequences)).
#
# > “训练最大长度 512 → 可以处理任意长度（公式通用）”\
# > (*longest text in training 512 → any length can be handled: the formula is general*). S4, *为什么使用 sin/cos？*
#
# S2 agrees: the encoding “在长序列中依然保持良好的性能” (*still does well on long sequences*; *3.1 嵌入向量的数学原理*). Back to the copying task. RoPE runs twice, with your pairs
# and with others: the components are permuted, your function rotates them, and they are permuted back. Trained at positions 0 to 31, what does each way give further on?

# %% key="predict-far"
predict("06-far", "Fraction of right words at positions 100 to 131 with the sinusoidal table? (learned: about a quarter)", guess=None, within=0.25)

# %% key="far-run" seconds=14
with waiting_for("sinusoidal_positions", "rope_angles", "apply_rope"):
    found["sinusoidal"] = copy_back.train(table=sinusoidal_positions(copy_back.FURTHEST, 32).float())
    found["rope"] = copy_back.train(turn=apply_rope)
    found["other_pairs"] = copy_back.train(turn=copy_race.other_pairs(apply_rope))
    found["wrong_pairs"] = copy_back.train(turn=mispaired)
    pictures.show_accuracy(found)
    print("loss at the end of training:", {copy_race.WAYS[name]: round(outcome.loss, 3) for name, outcome in found.items()})
    reveal("06-far", round(found["sinusoidal"].accuracy[at_100], 2))

# %% [markdown] key="far-lesson"
# - **Computable is not the same as learned.** The sinusoidal table goes on for ever; what the model learned from it does not. It fails a few
#   positions beyond the training.
# - **RoPE gives the same scores** when the window has moved: only offsets enter, and all of them were trained. Which components form the pairs does not
#   matter, as long as both of a pair turn by one angle.
# - **The wrong pairing trained perfectly well** and fails further on. A low training loss is no proof that the positions are right. (Heads here
#   are 8 numbers wide. With wider heads the layer has room to repair part of the damage: measured once with 16 numbers, seed 0, it kept
#   65 to 97 % of the words beyond position 31.)
#
# One run each may be chance; five of each are recorded in the further part.

# %% [markdown] key="race-text" further=true
# ### Five runs each
#
# One run for each way, as in section 7, may be chance. Five runs each, with their lowest and highest accuracies at positions 100 to 131:

# %% key="race" further=true
race = curves.load("06_race", rerun=RERUN and (lambda: copy_race.measure(sinusoidal_positions, rope_angles, apply_rope)))
for name in race.curves:
    print(f"{race.label(name):18} {race.numbers[f'{name}, lowest']:.2f} to {race.numbers[f'{name}, highest']:.2f}")

# %% [markdown] key="race-lesson" further=true
# The order of the ways does not depend on the seed (*no positions* and *learned* are tied for the last).

# %% [markdown] key="long-text"
# S1 says of RoPE:
#
# > “RoPE通过旋转而非加法的方式编码位置，在长序列上表现更好”\
# > (*RoPE encodes positions by turning instead of adding, and does better on long sequences*). S1, *旋转位置编码（RoPE）：现代LLM的新趋势*
#
# So RoPE has no limit? The window was moved, not lengthened. The same model, on one sequence of 200 words:

# %% key="predict-long"
predict("06-long", "RoPE, trained on 32 words, one text of 200: fraction of right words at its end?", guess=None, within=0.5)

# %% key="long-run"
for name, outcome in found.items():
    print(f"{copy_race.WAYS[name]:18} last 32 of 200 words: {outcome.at_the_end:.2f}")
if "rope" in found:
    reveal("06-long", round(found["rope"].at_the_end, 2))

# %% [markdown] key="long-lesson"
# Guessing, like all others. Offsets of more than 31 never occurred in training, so the model has not learned to ignore them. *Moving* a text and
# *lengthening* it are two tests; RoPE passes the first by its construction and the second only with further help. S1's sentence is true of the first.

# %% [markdown] key="where"
# ## 8 · Where this goes
#
# Long contexts are made by turning more slowly, so that long offsets look like short ones: divide the positions (position interpolation), or raise the
# base. Llama 2 has a base of 10,000 and read texts of 4,096 tokens; Llama 3 has 500,000.

# %% [markdown] key="where-figure-text" further=true
# ### How slowly does each pair turn?
#
# Section 8 names two bases, 10,000 (Llama 2) and 500,000 (Llama 3). With your angles, for heads of 128 numbers:

# %% key="where-figure" further=true
with waiting_for("rope_angles"):
    turns = {f"base {base:,}": 2 * math.pi / rope_angles(torch.tensor([1.0]), 128, float(base))[0] for base in (10_000, 500_000)}
    rotary.show_wavelengths(turns, trained=4096)

# %% [markdown] key="where-images" further=true
# ### Images, and no positions at all
#
# RoPE also gives the patches of an **image** their positions: half of the components turn by the row, the other half by the column. ALiBi goes another way and
# subtracts a penalty for distance from the scores, with no vectors at all. And some models have no positions: a causal mask alone (each word
# sees itself and those before it) tells the first word from the second, since the first sees only itself. Our “none” (section 7) had a little of that.

# %% key="where-images-run" further=true
with waiting_for("apply_rope", "rope_angles"):
    def place(x, row, column):
        by_row, by_column = x.chunk(2, dim=-1)
        return torch.cat([apply_rope(by_row, torch.tensor([row])), apply_rope(by_column, torch.tensor([column]))], dim=-1)
    query, key = torch.randn(2, 1, 1, 1, 32, generator=torch.Generator().manual_seed(0))
    for there, here in (((2, 3), (4, 8)), ((10, 1), (12, 6)), ((10, 1), (15, 3))):
        print(f"patches {there} and {here}: dot product {(place(query, *there) * place(key, *here)).sum():.4f}")

# %% [markdown] key="reflection" reflection=3
# ## 9 · In your own words (3 points, graded by a person)
#
# A colleague trains a model with RoPE on texts of 512 tokens and wants to serve texts of 4,096. “RoPE is relative,” she writes, “so the length does
# not matter. And our loss went down smoothly, so the encoding is implemented correctly.” What do you answer?
#
# *What earns points: (1) what “relative” does promise, and what it does not promise for longer texts; (1) why a falling loss does not show that
# the encoding is right, with an example; (1) two measurements that you would make before serving, one for each of her sentences.*

# %% [markdown] key="reflection-model" model_answer=true
# Relative means that scores depend on offsets alone: a window of 512 tokens may stand anywhere. In a text of 4,096 there are offsets up to 4,095, and
# those above 511 were never trained; in the notebook a model trained on 32 words fell to guessing at the end of 200. A falling loss shows only that the
# model found something that works at the positions of the training. The wrongly laid out table reached a loss of nearly 0 and failed at
# positions past 100. I would (a) test the property: encode random vectors at shifted positions and compare dot products (`is_relative`), and lengths before and
# after; (b) measure the loss by position on texts of 4,096 tokens, and again with interpolated positions or a larger base, before choosing.

# %% [markdown] key="card-text"
# ## 10 · Your card
#
# One query, one key, 24 positions to look from. **Your** `apply_rope` against the helper with the wrong table.

# %% key="card"
with waiting_for("apply_rope", "rope_angles"):
    rotary.card({"my apply_rope: one curve": apply_rope, "pairs and angles laid out differently": mispaired})

# %% [markdown] key="take-along"
# **What you take along.** Attention without a mask and without positions treats a sentence as a bag of words; the order has to be put in, added to the vectors or turned into queries and keys.
# What happens beyond the lengths of the training follows from no formula: measure it.
#
# Next, notebook 07: *how does a word look at the others?*

# %% key="progress"
progress()
