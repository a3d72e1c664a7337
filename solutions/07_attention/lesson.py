# %% [markdown] key="title"
# # 07 · Attention
#
# **How does a word look at the others?**
#
# In a table a word has one vector. Here words attend to one another, and a word gets another vector in
# another context, a **contextual vector** ([上下文相关向量](../glossary.md#attention-and-sentences)). You write the Transformer's block from its parts, train it, and let it write. (S1 to S5 are the five Chinese tutorials that this course grew out of;
# `ledger("07")` lists what they claim.)
#
# **Afterwards you can**
# - write scaled dot-product attention and its heads, and a Transformer block, with the norm before or after the sum;
# - build a small language model of your own blocks, train it, and let it write;
# - say why a model's accuracy does not show that its attention is right, and what does;
# - further: test any model for looking ahead, count the parameters of an encoder, and show that one word with two meanings has two groups
#   of contextual vectors.
#
# **{minutes}.** Builds on notebooks 01 (tables of vectors), 05 (looking back at a memory) and 06 (positions).

# %% key="setup"

# %% key="imports" given=true
import math
from collections.abc import Callable, Sequence
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from embedding_course import case, check, glossary, hint, ledger, predict, progress, reveal, waiting_for
from embedding_course.learner import own_answers as pieces

# %% key="figures"
from embedding_course.data.micro import micro_language
from embedding_course.experiments.attention import attention_ablations, masked_words, next_words, parity, reversal, senses
from embedding_course.experiments import curves
from embedding_course.experiments.attention.causal import Causal
from embedding_course.experiments.training import Batches, train
from embedding_course.plot import attention as pictures
from embedding_course.plot import blocks
from embedding_course.plot.architecture import models
from embedding_course.plot.chinese import label

RERUN = False  # True: recorded curves are made again, with your functions (one to three minutes of a core each)

# %% [markdown] key="it"
# ## 1 · What is “it”?
#
# - 奖杯放不进箱子，因为它太**大**了。 (*The trophy does not go into the box, because it is too big.*)
# - 奖杯放不进箱子，因为它太**小**了。 (*The trophy does not go into the box, because it is too small.*)
#
# 它 (*it*) is the trophy in the first sentence and the box in the second. One character decides, and it stands elsewhere. No row of a table
# depends on that: 它 has to **attend** to the other words, and *to which of them* depends on the context.
#
# So let 它 have a **query** ([查询，键，值](../glossary.md#attention-and-sentences)): two numbers here, made up by hand. The first says “I want a thing”, the second “a large one” (or, if
# negative, “a narrow one”). Each word has a **key** of the same kind. The dot product of query and key is the score, and a **softmax** ([归一化指数函数](../glossary.md#language-models)) makes weights of
# the scores, divided by $\sqrt2$ (why: section A, further). In the sentence with “too big”, 它 asks with the query (2, 1):
#
# | | 奖杯 *trophy* | 放不进 *does not go into* | 箱子 *box* | 因为 *because* |
# |---|---|---|---|---|
# | key | (2, 2) | (0, 0) | (2, −2) | (−1, 0) |
# | score | 6 | 0 | 2 | −2 |

# %% key="predict-it"
predict("07-it", "“Too big”: how large is 它's attention weight for 奖杯? (0 to 1)", guess=None)

# %% key="it-figure"
words = [label(*word) for word in (("奖杯", "jiǎngbēi"), ("放不进", "fàng bu jìn"), ("箱子", "xiāngzi"), ("因为", "yīnwèi"))]
signs = torch.tensor([[2.0, 2.0], [0.0, 0.0], [2.0, -2.0], [-1.0, 0.0]])
asked = {"it … too big": torch.tensor([2.0, 1.0]), "it … too small": torch.tensor([2.0, -1.0])}
shares = {name: F.softmax(signs @ query / math.sqrt(2), dim=0) for name, query in asked.items()}
pictures.show_candidates(words, shares)
reveal("07-it", round(shares["it … too big"][0].item(), 2))

# %% [markdown] key="formula"
# The keys are the same in both sentences, only the query changed. In a model these numbers are not made up: queries and keys are linear
# maps of the words' vectors, and the maps are learned.
#
# What does 它 get? Each word also has a **value**, and the result is the weighted mean of the values. This is **attention** ([注意力](../glossary.md#attention-and-sentences)). For all queries at once:
#
# $$\text{attention}(Q,K,V)=\text{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)V$$
#
# Without the root one key would get nearly all the weight in wide models (section A, further).
# *Scores, weights, weighted mean.* Three lines of code and a mask, which says which keys each query may attend to; a query without any key gets zeros.

# %% [markdown] exercise="07.scaled_dot_product_attention"
# Scores, weights, weighted mean: for one sentence, for a batch, for many heads.

# %% [markdown] key="bug-values" further=true
# ### Find the bug: three that are compared
#
# > “它通过计算查询(Query)、键(Key)和值(Value)之间的相似性,动态地分配权重”\
# > (*by computing the similarity between query, key and value it assigns weights dynamically*). S2, *2.2 Transformer的核心组件及其功能*
#
# Make the values a hundred times as large, or replace them: what happens to the weights?

# %% key="predict-values" further=true
predict("07-values", "V becomes 100 · V: how much does the largest weight change? (a number)", guess=None)

# %% key="values" further=true
with waiting_for("scaled_dot_product_attention"):
    q, k, v = torch.randn(3, 5, 8, generator=torch.Generator().manual_seed(0))
    change = scaled_dot_product_attention(q, k, v)[1] - scaled_dot_product_attention(q, k, 100 * v)[1]
    reveal("07-values", change.abs().max().item())

# %% [markdown] key="values-lesson" further=true
# Nothing. Query and key are compared, the value is only averaged.

# %% [markdown] key="bug-linear" further=true
# ### Find the bug: “attention is linear”
#
# > “增加非线性变换能力（注意力是线性的）” (*adds non-linear transformations; attention is linear*)\
# > S4, *Feed-Forward Network*, on what the feed-forward net is for
#
# Put in twice the vectors; a linear operation gives twice the result.

# %% key="linear" further=true
with waiting_for("scaled_dot_product_attention"):
    x = torch.randn(5, 8, generator=torch.Generator().manual_seed(1))
    once, twice = scaled_dot_product_attention(x, x, x), scaled_dot_product_attention(2 * x, 2 * x, 2 * x)
    print(f"twice the result would differ by 0; it differs by {(twice[0] - 2 * once[0]).abs().max():.2f}")
    print(f"mean largest weight: {once[1].amax(dim=-1).mean():.2f} before, {twice[1].amax(dim=-1).mean():.2f} after")

# %% [markdown] key="scale-question" further=true
# It would be linear if the weights were fixed. But the weights are made of the same vectors, through a softmax: doubled vectors make
# sharper weights. This brings us to the root in the formula.

# %% [markdown] key="root" further=true
# ## A · What the root is for
#
# Draw queries and keys from N(0, 1), 16 keys for each query. A dot product of $d$ such pairs has a variance of $d$: at width 256 the scores
# have a standard deviation of 16, and $e^{16}$ is nine million.

# %% key="predict-scale" further=true
predict("07-scale", "Width 1,024, no root: the mean largest of 16 weights? (1/16 = all equal, 1 = one has all the weight)", guess=None)

# %% key="scale-figure" further=true
widths, largest = (4, 16, 64, 256, 1024), {"q · k": [], "q · k / √d": []}
for d in widths:
    q, k = torch.randn(200, 1, d), torch.randn(200, 16, d)
    for name, factor in (("q · k", 1.0), ("q · k / √d", d**-0.5)):
        largest[name].append(((q * k).sum(dim=-1) * factor).softmax(dim=-1).amax(dim=-1).mean().item())
pictures.show_scale(widths, largest, keys=16)
reveal("07-scale", round(largest["q · k"][-1], 2))

# %% [markdown] key="scale-lesson" further=true
# Divided by $\sqrt d$ the scores have a variance of 1 at every width. Why does it matter? Where the largest weight is nearly 1, the gradient of
# the softmax is nearly 0: a model that starts with weights of 0 and 1 hardly learns to attend elsewhere.

# %% [markdown] key="bug-redrawn" further=true
# ### Find the bug: weights drawn inside the function
#
# > `W_q = np.random.randn(d_model, d_model)  # Query 投影` (*query projection*)\
# > S4, *Multi-Head Attention*, inside `def multi_head_attention(X, …)`
#
# S4's model draws its table of tokens once, but the matrices of its layers *within the call*; what comes out is meant for “相似度计算” (*computing similarity*;
# *完整流程代码*). Here is one layer of it, shortened. There are two bugs, and one of them you have just seen.

# %% key="redrawn" further=true
def encode_as_printed(x):
    to_query, to_key, to_value = torch.randn(3, x.shape[-1], x.shape[-1])
    return scaled_dot_product_attention(x @ to_query, x @ to_key, x @ to_value)

# %% key="predict-redrawn" further=true
predict("07-redrawn", "The same text twice through it: the cosine of the two vectors?", guess=None,
        choices={"same": "near 1", "unrelated": "near 0", "opposite": "near -1"})

# %% key="redrawn-run" further=true
with waiting_for("scaled_dot_product_attention"):
    torch.manual_seed(0)
    text = torch.randn(10, 256)
    (one, weights), (other, _) = encode_as_printed(text), encode_as_printed(text)
    cosine = F.cosine_similarity(one.mean(dim=0), other.mean(dim=0), dim=0).item()
    print(f"mean largest weight {weights.amax(dim=-1).mean():.3f}, cosine {cosine:.2f}")
    reveal("07-redrawn", "same" if cosine > 0.5 else "opposite" if cosine < -0.5 else "unrelated")

# %% [markdown] key="redrawn-lesson" further=true
# Unrelated vectors for one and the same text. Weights belong in a module, where they are drawn once. And entries of size 1 are too large for
# them. S4 says, rightly, that the root brings the variance back to 1 *if* the entries of Q and K have variance 1; behind such matrices it is $d$, so the root is not
# enough, and one key gets all the weight.

# %% [markdown] key="which-keys"
# ## 2 · Which keys a query may attend to
#
# A model that predicts the next word must not see it. In training all words of a sentence go in at once, so later words have to be hidden: position $i$ may
# attend to positions 0 to $i$. This is the **causal mask** ([因果掩码](../glossary.md#attention-and-sentences)): a triangle of True, which means *may attend*.

# %% [markdown] exercise="07.causal_mask" further=true
# The triangle of section 2, which hides the later positions, as a function.

# %% key="predict-mask"
predict("07-mask", "昨天 is the first word. With the mask, what is its weight for itself?", guess=None)

# %% key="mask-figure"
# waiting_for: while one of these functions is still a stub, the cell says so, and shows the figure that was recorded
with waiting_for("scaled_dot_product_attention"):
    triangle = torch.ones(5, 5, dtype=torch.bool).tril()
    spoken = [label(*word) for word in (("昨天", "zuótiān"), ("我", "wǒ"), ("看见", "kànjiàn"), ("小", "xiǎo"), ("狗", "gǒu"))]
    x = torch.randn(5, 4, generator=torch.Generator().manual_seed(3))
    free, masked = (scaled_dot_product_attention(x, x, x, mask)[1] for mask in (None, triangle))
    pictures.show_weights(spoken, {"without a mask": free, "with the causal mask": masked})
    reveal("07-mask", round(masked[0, 0].item(), 2))

# %% [markdown] key="mask-lesson"
# Each row still sums to 1: the softmax runs over the keys that are left. The other mask that you will meet hides **padding**; it has
# one row for a whole sentence. Beware of PyTorch: in `nn.MultiheadAttention` True means *not allowed*.
#
# ## 3 · Several heads
#
# 狗咬人 (*dog bites man*): the vector of 咬 should tell who bites, and who is bitten. It attends to both with weight 0.5 each, and gets one mean: the same as in
# 人咬狗.

# %% [markdown] key="one-head-text" further=true
# ### One mean, or two heads
#
# One mean cannot tell 狗咬人 (*dog bites man*) from 人咬狗, says section 3; two heads can. Here are both for 咬 (*bites*), with vectors drawn at random: first the mean of its two neighbours,
# then two heads, of which one attends to the word before and one to the word after.

# %% key="predict-one-head" further=true
predict("07-one-head", "How far apart are the two means of 狗 and 人, for 狗咬人 and for 人咬狗?", guess=None)

# %% key="one-head" further=true
dog, man = torch.randn(2, 8, generator=torch.Generator().manual_seed(0))
mean, other_mean = 0.5 * dog + 0.5 * man, 0.5 * man + 0.5 * dog
two, other_two = torch.cat([dog[:4], man[4:]]), torch.cat([man[:4], dog[4:]])
print(f"two heads, one for the word before and one for the word after: {two.dist(other_two):.2f} apart")
reveal("07-one-head", round(mean.dist(other_mean).item(), 2))

# %% [markdown] key="heads-lesson"
# One set of weights gives one mean, and a mean does not tell which word was which. So the width is cut into **heads** ([注意力头](../glossary.md#attention-and-sentences)): each has its own queries,
# keys and values, a slice of the columns, and its own weights. Afterwards the slices are put side by side again.
#
# With heads as an axis *before* the positions, your attention function takes them as a batch: (B, h, T, d / h). The picture below has one head on the left and h heads beside one another on the right, with the shapes of what
# goes from part to part. The width is the same on both sides; what grows is the number of tables of weights.

# %% key="heads-picture"
models.heads({"B": 3, "T": 5, "d": 16, "h": 2, "d/h": 8})

# %% [markdown] exercise="07.split_heads"
# A head is a slice of the width.

# %% [markdown] exercise="07.merge_heads" further=true
# The way back from heads to one width, which your `MultiHeadAttention` goes inside, as a function of its own. Mind the order of the axes.

# %% [markdown] key="cross"
# Now all of it: project to queries, keys and values, split, attend, merge, project once more. One more thing is needed. Queries may come from
# one text, and keys and values from **another**: a translation that looks at its source (your `attend` of notebook 05 was just that; there the
# other text was called memory, and the result context). This is **cross-attention** ([自注意力，交叉注意力](../glossary.md#attention-and-sentences)); the other text is called `context` here, and may have
# another length.

# %% [markdown] key="attend-text" further=true
# If your `attend` of notebook 05 was kept, it can be held against today's function; it did not scale, so the query is multiplied by 4 first:

# %% key="attend-again" further=true
attend = pieces.own("05.attend")  # what passed its check in notebook 05, or None
with waiting_for("scaled_dot_product_attention"):
    query, memory, seen = torch.randn(2, 16), torch.randn(2, 7, 16), torch.arange(7) < torch.tensor([[7], [4]])
    mixed = scaled_dot_product_attention(4 * query[:, None], memory, memory, seen[:, None])[0][:, 0]
    if attend is None:
        print("No attend of notebook 05 was kept; the mixed memory here has shape", tuple(mixed.shape))
    else:
        print(f"your attend and today's function differ by {(attend(query, memory, seen)[0] - mixed).abs().max():.0e}")

# %% [markdown] exercise="07.MultiHeadAttention"
# Put the parts together. The way back from heads to one width is the one step that you have not written: mind the order of the axes.
# (`merge_heads`, further, asks for it alone.)

# %% key="use-attention"
with waiting_for("MultiHeadAttention"), torch.no_grad():
    mine, x, context = MultiHeadAttention(16, 4), torch.randn(2, 5, 16), torch.randn(2, 7, 16)
    theirs = parity.torch_attention(mine, heads=4)  # nn.MultiheadAttention with your weights
    print(f"5 words attend to 7: {tuple(mine(x, context).shape)}")
    print(f"difference to PyTorch, among themselves {(mine(x) - theirs(x, x, x)[0]).abs().max():.0e}", end=", ")
    print(f"across {(mine(x, context) - theirs(x, context, context)[0]).abs().max():.0e}")
    print(f"context in reverse order: {(mine(x, context) - mine(x, context.flip(1))).abs().max():.0e} changes: it is a bag")

# %% [markdown] key="stop" stop=true
# You have attention as a module of your own: scores, weights, heads, and its numbers are those of PyTorch's. In the second sitting it
# learns, moves into a block, and the blocks become a language model that writes.

# %% [markdown] key="bug-efficient" further=true
# ### Find the bug: are heads cheaper?
#
# > “这种设计不仅增强了模型的表达能力,还显著提高了计算效率。”\
# > (*this design not only makes the model more expressive, it also raises the efficiency of computing markedly*). S2, *2.2 Transformer的核心组件及其功能*
#
# Eight heads of width 8 instead of one of width 64: smaller products, but eight times as many. PyTorch can count.

# %% key="predict-efficient" further=true
predict("07-efficient", "Operations in matrix products with 8 heads, as a multiple of those with 1 head?", guess=None)

# %% key="efficient" further=true
from torch.utils.flop_counter import FlopCounterMode

with waiting_for("MultiHeadAttention"), torch.no_grad():
    counted = {}
    for heads in (1, 8):
        with FlopCounterMode(display=False) as counter:
            MultiHeadAttention(64, heads)(torch.zeros(2, 32, 64))
        counted[heads] = counter.get_total_flops()
    print("in products:", counted, "  weights in softmaxes:", {heads: heads * 2 * 32 * 32 for heads in counted})
    reveal("07-efficient", counted[8] / counted[1])

# %% [markdown] key="bug-output" further=true
# The products cost the same, and so does the memory for parameters. The softmaxes cost more, since each head has a table of weights of its own. Heads give several sets of weights,
# not speed.
#
# ### Find the bug: “adds non-linearity”
#
# > “增加非线性：虽然 W_o 是线性的，但与后续层组合形成非线性”\
# > (*adds non-linearity: W_o is linear, but together with the layers after it, it forms something non-linear*). S4, *Multi-Head Attention*
#
# The first half of this line contradicts its heading. After a matrix ($W_V$, inside each head) and a weighted sum comes another matrix: they could be multiplied into one. The
# layers after it are non-linear, with it or without.

# %% key="output-projection" further=true
with waiting_for("MultiHeadAttention"), torch.no_grad():
    project = MultiHeadAttention(64, 8, bias=False).out_proj
    one, other = torch.randn(2, 64)
    print(f"W(a + b) - (W a + W b): {(project(one + other) - project(one) - project(other)).abs().max():.0e}")

# %% [markdown] key="output-lesson" further=true
# Rounding. Its task is another, and S4 names it one line above: it lets the heads' slices mix, which the merge has only laid side by side. (They are not *averaged* either, as
# “多头平均降低噪声” (*averaging the heads lowers noise*) further down has it.)

# %% [markdown] key="does-it-learn"
# ## 4 · Does it learn?
#
# Say a row of eight words backwards. Position 0 must look at position 7, position 1 at position 6, and so on. **Your** attention gets words and positions (a table of
# each, added), a linear layer reads the words off what comes out; 250 steps.

# %% key="reverser"
class Reverser(nn.Module):
    def __init__(self, layer, blank):
        super().__init__()
        self.words, self.positions = nn.Embedding(10, 32), nn.Parameter(torch.randn(8, 32))
        self.asking = nn.Parameter(torch.randn(8, 32)) if blank else None
        self.layer, self.output = layer, nn.Linear(32, 10)

    def parts(self, words):  # what goes into the layer: (x,) or (x, context)
        read = self.words(words) + self.positions
        return (self.asking.expand_as(read), read) if self.asking is not None else (read,)

    def forward(self, words):
        return self.output(self.layer(*self.parts(words)))

# %% key="reversal-training"
def learn_to_reverse(title, blank=False, change=None):
    torch.manual_seed(0)
    layer = MultiHeadAttention(32, 4)
    model = Reverser(layer, blank)
    if change:
        change(layer, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

    def step(words):
        loss = F.cross_entropy(model(words).flatten(0, 1), words.flip(1).flatten())  # the row backwards is the target
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    run = train(step, list(torch.randint(10, (250, 64, 8))), title)  # calls step for each batch, and shows the loss
    return reversal.tried(model, run)

# %% key="predict-reversal"
predict("07-reversal", "Fraction of right words in 1,000 new rows after 250 steps? (guessing: 0.1)", guess=None)

# %% key="reversal"
with waiting_for("MultiHeadAttention"):
    outcomes = {"right": learn_to_reverse("reversal")}
    reveal("07-reversal", round(outcomes["right"].accuracy, 3))

# %% key="reversal-figure"
with waiting_for("split_heads", "scaled_dot_product_attention", after=("outcomes",)):
    maps = {"right": reversal.looks(outcomes["right"], split_heads, scaled_dot_product_attention)}
    pictures.show_heads(maps)

# %% [markdown] key="reversal-lesson"
# There it is, the anti-diagonal: position 0 looks at position 7, position 1 at position 6. The model has learned it from the examples alone.

# %% [markdown] key="blank" further=true
# ### Queries without words
#
# The model of section 4 made its queries of words and positions. Now the same task with cross-attention: the queries come from eight positions
# without words, from the position vectors alone; the words are the context. Does it find the anti-diagonal as well?

# %% key="blank-run" further=true
with waiting_for("MultiHeadAttention", "split_heads", "scaled_dot_product_attention"):
    blank = learn_to_reverse("reversal, queries without words", blank=True)
    print(f"{blank.accuracy:.1%} right")
    pictures.show_heads({"queries without words": reversal.looks(blank, split_heads, scaled_dot_product_attention)})

# %% [markdown] key="scramble"
# ## 5 · The same accuracy
#
# Here is a mistake that people really make: merging the heads without moving the position axis back in front of them. `reshape` alone gives the right shape. We build it into
# a fresh copy of your layer, and train that.

# %% key="scramble-code"
caught = {}  # what your `leaks` (further) says of each model

def scramble(attention, heads):
    def mix_up(_, inputs):  # what your merge made, put back to (B, heads, T, d / heads) and just reshaped
        return (split_heads(inputs[0], heads).reshape(inputs[0].shape),)
    attention.out_proj.register_forward_pre_hook(mix_up)

# %% key="predict-scramble"
predict("07-scramble", "Fraction of right words with scrambled heads? (right heads: you just saw)", guess=None)

# %% key="scramble-run"
with waiting_for("MultiHeadAttention", "split_heads", after=("outcomes",)):
    outcomes["scrambled"] = learn_to_reverse("scrambled heads", change=scramble)
    print({name: f"last loss {outcome.losses[-1]:.4f}, {outcome.accuracy:.1%} right" for name, outcome in outcomes.items()})
    reveal("07-scramble", round(outcomes["scrambled"].accuracy, 3))

# %% [markdown] key="scramble-lesson"
# **An accuracy of 100 %.** Loss, accuracy, shapes and gradients are all in order. The layer has learned weights that make up for the mistake, as the copying model
# of notebook 06 did with wrong rotations. What does tell them apart?

# %% key="telling-apart"
with waiting_for("MultiHeadAttention", after=("outcomes", "maps")), torch.no_grad():
    maps["scrambled"] = reversal.looks(outcomes["scrambled"], split_heads, scaled_dot_product_attention)
    pictures.show_heads(maps)
    for name, outcome in outcomes.items():
        layer, x = outcome.model.layer, torch.randn(2, 8, 32)
        gap = (layer(x) - parity.torch_attention(layer, 4)(x, x, x)[0]).abs().max().item()
        print(f"{name:10} shape {tuple(layer(x).shape)}, {outcome.accuracy:.1%} right, difference to PyTorch {gap:.0e}")

# %% [markdown] key="stairs"
# Stairs. A reshape without the transpose fills output positions 0 and 1 with head 0 *at all eight positions*, positions 2 and 3 with head 1, and so on. So the head's first
# four positions must all fetch the word for position 0.
#
# Reversal has no mask. In a model that predicts the next word the same mistake would do more harm: each head keeps to the causal mask, but output position 0 is then filled with what the
# head found at positions 0 to 3, and position 3 may attend to the words 0 to 3. So position 0 sees the very words that it should predict.

# %% [markdown] key="property-text" further=true
# ### A test of the property
#
# Comparing with PyTorch found the wrong merge of section 5. That needs something to compare with. A test of the *property* works without: in a layer with a causal
# mask, a later word must not change an earlier output. In the scrambled layer it does, since position 0 is filled with what positions 1 to 3 saw.

# %% [markdown] exercise="07.leaks" further=true
# A test of your own: change the later positions, and compare the outputs before them. Your test is tested on sound models and on leaking ones.

# %% key="use-leaks" further=true
with waiting_for("leaks", "causal_mask", "MultiHeadAttention", after=("outcomes",)):
    rows = torch.randn(4, 8, 32)
    caught.update({name: bool(leaks(Causal(one.model.layer, causal_mask), rows)) for name, one in outcomes.items()})
    print("with a causal mask, looks ahead:", caught)

# %% [markdown] key="floor-question" further=true
# ### A loss that is too good
#
# What does such a mistake do in a language model? A next-word model, two of your blocks (section 6), is trained on the micro-language, as in section 7. Given all the words before, the entropy floor is
# **1.28 nats a word** (1.38 given the last four), and no model that sees only the words before gets below it. Three runs: right; with scrambled heads; with a mask that ends one position too late.

# %% key="predict-floor" further=true
predict("07-floor", "Held-out loss of the model with scrambled heads after 600 steps? (floor: 1.28)", guess=None, within=0.5)

# %% key="floor" further=true
floor = curves.load(
    "07_floor", rerun=RERUN and (lambda: attention_ablations.floor(TransformerBlock, causal_mask, split_heads))
)
blocks.show_runs(floor.named(), "Which models get below the floor? (micro-language)", floor.source(), floor.numbers, log=True)
reveal("07-floor", round(floor.curves["scrambled"][-1][1], 2))

# %% [markdown] key="floor-lesson" further=true
# Two of the three are far below the floor, and on *held-out* text: a held-out set does not help, since the leak is there too. These models read the answer and copy it. On real text the entropy
# is not known, and a leak of a few positions only looks like a good result. Test results that are better than expected; `leaks` costs a few milliseconds.

# %% [markdown] key="the-block"
# ## 6 · The block
#
# Attention mixes positions. Then each position is processed by itself: two linear layers, with a ReLU between them, usually four times as
# wide inside.

# %% [markdown] exercise="07.feed_forward" further=true
# Two linear layers and a ReLU, for each position by itself.

# %% [markdown] key="inside-question" further=true
# ### Why four times?
#
# > “4 倍是甜蜜点（sweet spot）” (*four times is the sweet spot*). S4, *Feed-Forward Network*
#
# Twice, it says, is too little, and eight times overfits and is slow. Here is the model of section C (below) with nets that are 1, 2, 4 and 8 times as wide inside, three seeds each.

# %% key="predict-inside" further=true
predict("07-inside", "Which ends with the lowest loss: 1, 2, 4 or 8 times?", guess=None, within=0)

# %% key="inside" further=true
inside = curves.load("07_inside", rerun=RERUN and (lambda: attention_ablations.inside(TransformerBlock)))
for times, run in inside.curves.items():
    low, high = (inside.numbers[f"{times}, {end}"] for end in ("lowest", "highest"))
    share = int(times) / (int(times) + 2)  # 2 times d² of the net, 4 d² of attention
    print(f"{times} times: loss {run[-1][1]:.2f} ({low:.2f} to {high:.2f}); the net holds {share:.0%} of a layer's matrices")
published = {"BERT-base": (768, 3072), "Llama 2 7B": (4096, 11008), "T5 11B": (1024, 65536)}
print("published:", {name: round(wide / width, 1) for name, (width, wide) in published.items()})
reveal("07-inside", int(min(inside.curves, key=lambda times: inside.curves[times][-1][1])))

# %% [markdown] key="inside-lesson" further=true
# Four it is, by 0.04 nats, in this small language. That makes it a good default and no law: models that work well have been built with less than three times and with
# sixty-four. At four times, two thirds of a layer's matrices are in the net.

# %% [markdown] key="norm"
# After some dozens of layers vectors have grown or shrunk. **Layer norm** ([层归一化](../glossary.md#attention-and-sentences)) gives each position's vector mean 0 and standard deviation 1, then stretches
# ($\gamma$) and shifts ($\beta$) each column, by learned amounts:
#
# $$\frac{x-\mu}{\sqrt{\sigma^2+\epsilon}}\cdot\gamma+\beta$$

# %% [markdown] exercise="07.layer_norm" further=true
# Layer norm by hand; mind where eps stands.

# %% [markdown] key="bug-norm" further=true
# ### Find the bug: two lines about layer norm
#
# > `LN(x) = γ * (x - μ) / (σ + ε) + β`\
# > “如果训练后 γ = std，β = mean … 相当于"取消"归一化！” (*if after training γ = std and β = mean, … that amounts to cancelling the normalisation!*)\
# > S4, *Layer Normalization*
#
# Two tokens: (1, 3) has $\mu=2,\sigma=1$, and (10, 50) has $\mu=30,\sigma=20$. We set $\gamma$ and $\beta$ for the first.

# %% key="predict-norm" further=true
predict("07-norm", "γ = 1, β = 2. The first number of the second token (10, 50) becomes?", guess=None)

# %% key="norm-run" further=true
with waiting_for("layer_norm"):
    back = layer_norm(torch.tensor([[1.0, 3.0], [10.0, 50.0]]), gamma=torch.full((2,), 1.0), beta=torch.full((2,), 2.0))
    small = torch.tensor([-0.001, 0.001])
    print("back again:", [[round(number, 2) for number in row] for row in back.tolist()])
    print(f"a row of standard deviation 0.001: {layer_norm(small, torch.ones(2), torch.zeros(2))[1]:.2f}, by σ + ε {0.001 / (0.001 + 1e-5):.2f}")
    reveal("07-norm", round(back[1, 0].item(), 2))

# %% [markdown] key="norm-lesson" further=true
# Both tokens come out as (1, 3). $\mu$ and $\sigma$ belong to a *token*, $\gamma$ and $\beta$ to a *column*: one pair for all tokens cannot undo what differs from
# token to token. And $\sqrt{\sigma^2+\epsilon}$ is another number than $\sigma+\epsilon$ wherever $\sigma$ is small.
#
# ### Why not batch norm?
#
# In pictures it is often a *column* that gets mean 0 and standard deviation 1, over all rows of the batch: **batch norm**. S4 says why not in texts: “Layer Norm 与 batch size
# 无关” (*layer norm has nothing to do with the batch size*), and “Layer Norm 训练和推理完全一致” (*it is exactly the same in training and in use*). One token in a batch of 2, in a batch of 64,
# and in use:

# %% key="batch-norm" further=true
token, others = torch.randn(64, 8, generator=torch.Generator().manual_seed(0)).split([1, 63])
for norm in (nn.LayerNorm(8), nn.BatchNorm1d(8)):
    few, many = (norm.train()(torch.cat([token, rest]))[0] for rest in (others[:1], others))
    used = norm.eval()(token)[0]  # batch norm takes running means of the batches that it saw
    print(f"{type(norm).__name__:11} 2 or 64 in the batch: {(few - many).abs().max():.2f} apart, training or use: {(many - used).abs().max():.2f}")

# %% [markdown] key="before-or-after" further=true
# Both hold. With batch norm a token's vector depends on all the rest of the batch, padding included.

# %% [markdown] key="norm-where"
# ### Before or after
#
# Now the block: attention and feed-forward, each **added** to what came in (a **residual connection**, [残差连接](../glossary.md#attention-and-sentences)), each with a norm. In 2017 the norm stood
# after the sum (post-norm); today it mostly stands in front of the layer (pre-norm), and the sums pass through without a norm.

# %% key="block-picture"
models.block({"B": 2, "T": 5, "d": 16, "d_ff": 32})

# %% [markdown] exercise="07.TransformerBlock"
# Attention, feed-forward, two norms, two residual connections. In the middle of the feed-forward stands a GELU, a smooth ReLU.

# %% key="use-block"
with waiting_for("TransformerBlock"), torch.no_grad():
    x, seen = torch.randn(2, 5, 16), torch.ones(5, 5, dtype=torch.bool).tril()
    for norm in ("pre", "post"):
        block = TransformerBlock(16, 4, 32, norm).eval()
        theirs = parity.encoder_layer(block, 4, norm)  # nn.TransformerEncoderLayer with your weights; True = hidden
        print(f"{norm:4}: difference to PyTorch {(block(x, seen) - theirs(x, src_mask=~seen)).abs().max():.0e}")

# %% [markdown] key="use-block-lesson"
# Rounding, or about 1e-4 if you chose the tanh form of GELU: your block is PyTorch's.

# %% [markdown] key="depth-question" further=true
# ### Twelve blocks: before or after?
#
# Does it matter where the norm stands? “Pre-LN 更稳定” (*pre-norm is more stable*), says S4 (*完整的 Transformer Block*). Twelve
# blocks, 300 steps at the task of section C (below), same rate for all. “Warm-up” is a learning rate that starts small; there is more on it in notebook 09.

# %% key="predict-depth" further=true
predict("07-depth", "Which of the four ends lowest?", guess=None,
        choices={"pre": "pre-norm", "pre_cold": "pre-norm, no warm-up", "post": "post-norm", "post_cold": "post-norm, no warm-up"})

# %% key="depth" further=true
depth = curves.load("07_depth", rerun=RERUN and (lambda: attention_ablations.depth(TransformerBlock)))
levels = {"guessing by frequency": masked_words.by_frequency()}
blocks.show_runs(depth.named(), "Twelve blocks: should the norm stand before or after?", depth.source(), levels)
best = min(depth.curves, key=lambda name: depth.curves[name][-1][1])
reveal("07-depth", best)

# %% [markdown] key="depth-lesson" further=true
# At this depth and rate the post-norm models learned nothing but how frequent each word is, warm-up or not. That does not show that post-norm cannot
# be trained (BERT was); it shows that it needs more care.

# %% [markdown] key="lm"
# ## 7 · A language model that writes
#
# What do your blocks need before they can write a sentence? A table of words (notebook 01), a table of positions (06) and a causal mask (section 2) are there; the output is missing. It has to give every word a
# score, and there is already a vector for every word. So the token table serves a second time, as the output: $\text{logits} = x \cdot E^\top$. This is **weight tying** ([共享权重](../glossary.md#attention-and-sentences)),
# and it saves a matrix of V · d numbers. The models behind today's chat programs are built of parts like these, with more and wider blocks.

# %% key="lm-picture"
models.language_model()

# %% [markdown] exercise="07.TinyLM"
# Two tables, your blocks, a norm, and the token table once more.

# %% key="use-lm"
with waiting_for("TinyLM"), torch.no_grad():
    model, ids = TinyLM(11, d_model=16, heads=4, layers=2, d_ff=32, max_length=8), torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])
    logits, others = model(ids), model(torch.cat([ids[:, :-1], ids[:, -1:] - 1], dim=1))  # another last word
    print(f"another last word moves the logits before it by {(logits - others)[:, :-1].abs().max():.0e}, its own by {(logits - others)[:, -1].abs().max():.1f}")
    (V, d), longest = model.token_table.weight.shape, len(model.position_table.weight)
    models.language_model({"B": len(ids), "T": ids.shape[1], "V": V, "d": d, "max_length": longest}, layers=len(model.blocks))

# %% [markdown] key="lm-text"
# The cell above has tested a property: another last word moves no logits before it. If it did, the model would see the words that it should predict, in new text as well as in training, and no loss would show it.
#
# The text is the **micro-language** ([微型语言](../glossary.md#language-models)), a small grammar of Chinese and English sentences that was made for this course: 56,079 English sentences to learn from, and 2,000 new ones to be measured on. A row begins with `<bos>` and ends with `<eos>`; behind that it is filled up, and the loss
# leaves those positions out. At each position the target is the word that stands one further on, so one sentence gives as many examples as it has words.

# %% key="lm-rows"
language, vocabulary = micro_language(), micro_language().vocabulary["english"]
lm_rows, new_rows = next_words.rows("train"), next_words.rows("test", 2000)
print(tuple(lm_rows.shape), *(vocabulary.words[i] for i in lm_rows[0]))
lm_levels = next_words.levels(lm_rows, new_rows)
print({name: round(level, 2) for name, level in lm_levels.items()})

# %% [markdown] key="lm-levels"
# The loss is the **cross-entropy**: minus the natural logarithm of the probability of the true word, on average. Its unit is the **nat** ([奈特](../glossary.md#language-models)): 1 nat is the loss of a true word with probability 1/e, about 0.37.
# Where several words may come next, nobody can know which one will, so the loss cannot fall to 0. For a grammar that is known, the least possible loss can be computed: the entropy of the language, an
# **entropy floor** ([熵下界](../glossary.md#language-models)) below each loss curve.
#
# Four levels to compare with, in nats a word. *Unigram* and *bigram* count words and pairs of words (notebook 04). A model with a **window of four words**, as in notebook 04, cannot get below the third number
# on the whole language, however long it is trained. The fourth is the entropy floor given all words before. A model that gets below it sees more than the words before.

# %% key="predict-lm"
predict("07-lm", "Your model's loss on new sentences after 400 steps, in nats a word?", guess=None)

# %% key="lm-train"
def step(batch):
    logits = model(batch[0][:, :-1])  # (B, T, V): what comes after each position …
    loss = F.cross_entropy(logits.flatten(0, 1), batch[0][:, 1:].flatten(), ignore_index=vocabulary.pad)  # … and what came
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
    return loss.item()

with waiting_for("TinyLM"):
    torch.manual_seed(0)
    model = TinyLM(len(vocabulary), d_model=32, heads=2, layers=2, d_ff=64, max_length=14)
    for table in (model.token_table, model.position_table):
        nn.init.normal_(table.weight, std=0.1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.015)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.015, total_steps=400, pct_start=0.1)  # the rate rises for 40 steps, then falls to nearly 0
    lm_run = train(step, Batches((lm_rows,), 128, 400), "next words", measure=lambda: next_words.loss(model, new_rows), every=80)

# %% key="lm-figure"
with waiting_for("TinyLM", after=("model", "lm_run")):
    print(f"{sum(weight.numel() for weight in model.parameters()):,} parameters, {lm_run.seconds:.0f} seconds by the clock")
    below = {name: level for name, level in lm_levels.items() if name != "unigram"}
    blocks.show_runs({"your TinyLM": lm_run.measured[1:]}, "How near to the floor does your model come?", levels=below)
    reveal("07-lm", round(lm_run.measured[-1][1], 2))

# %% [markdown] key="lm-write-text"
# It comes down to the floor of a window of four words within seconds, and it is not yet at the floor given all words. In notebook 04 one example showed what a window cannot do: whether *tomorrow* comes after *they
# will go to the hospital* depends on a word that lay outside. Does your model see it? Then let it
# write: append a word, ask again. The most probable word each time is **greedy decoding** ([贪心解码](../glossary.md#sequences)); or each word is drawn with its probability, as in notebook 04.

# %% key="lm-write"
@torch.no_grad()
def write(beginning, temperature=0.0, texts=1):
    ids = torch.tensor([[vocabulary.bos, *vocabulary.encode(beginning)]] * texts)
    generator = torch.Generator().manual_seed(0)
    while ids.shape[1] <= 14:
        logits = model(ids)[:, -1]  # at the last position: scores for the word that is not there yet
        if temperature == 0:
            word = logits.argmax(dim=-1, keepdim=True)  # greedy
        else:
            word = torch.multinomial((logits / temperature).softmax(dim=-1), 1, generator=generator)
        ids = torch.cat([ids, word], dim=1)
    return [vocabulary.decode(row) for row in ids.tolist()]  # up to <eos>

with waiting_for("TinyLM", after=("model", "lm_run")):
    for beginning in ("they will go to the hospital", "tomorrow they will go to the hospital"):
        logits = model(torch.tensor([[vocabulary.bos, *vocabulary.encode(beginning)]]))[0, -1]
        said = logits.softmax(dim=0)[vocabulary.ids["tomorrow"]].item()
        true = language.next_word().after(beginning).get("tomorrow", 0.0)
        print(f"{beginning:37} … tomorrow: your model {said:.4f}, the language {true:.4f}")

# %% key="predict-sentences"
predict("07-sentences", "Of 100 sentences drawn at temperature 1, how many are sentences of the language? (notebook 04: 36)", guess=None, within=0.2)

# %% key="lm-sentences"
with waiting_for("TinyLM", after=("model", "lm_run")):
    for beginning in ("the", "yesterday", "tomorrow they", "my mother"):
        print("greedy:", *write(beginning))
    spoken, right = set(language.translations("english")), {}
    for temperature in (0.3, 1.0, 2.0):
        texts = write("", temperature, texts=100)
        right[temperature] = sum(text in spoken for text in texts)
        print(f"temperature {temperature}: {right[temperature]} of 100 right, {len(set(texts))} different:", "; ".join(texts[:3]))
    reveal("07-sentences", right[1.0])

# %% [markdown] key="lm-lesson"
# Where the first word is *tomorrow*, the model gives a second one nearly no probability, seven positions later: attention reaches the whole text, and no window ends. It pays when the model writes. In notebook 04 fewer
# sentences were right at temperature 0.3 than at 1, since the most probable words led into beginnings that lay outside the window. Here it is the other way round: the low temperature gives mostly
# sentences of the language, and few of them twice. At 1 the model draws from its own distribution: a sentence of ten words has ten positions at which an improbable word may be drawn that does not fit.
#
# What this does not show is that such a model knows anything. The language is small, its test sentences follow the same grammar, and “right” means only that a sentence belongs to the language. From here to a
# large model the parts stay nearly the same; their number changes (section B, further), and so does the amount of text.

# %% [markdown] key="how-large" further=true
# ## B · How large is it?
#
# > `W_e: 100,256 × 1,536 = 154,793,216 参数` … `494,697,728 参数 ≈ 495M 参数` (参数: *parameters*)\
# > S4, *参数量计算*
#
# The parameters of a hypothetical model: a vocabulary of 100,256, width 1,536, twelve layers, 6,144 inside the feed-forward. The layers are right;
# the table's product is 800,000 too large, and so is the total (`ledger("S4.size-of-the-table")` and `ledger("S4.size-of-the-model")` have both sums). Count it yourself:

# %% [markdown] exercise="07.count_encoder_parameters" further=true
# Count: the table, and in each layer attention, feed-forward and two norms.

# %% key="count" further=true
with waiting_for("count_encoder_parameters"):
    total = count_encoder_parameters(100256, 1536, 12, 6144)
    print(f"table {100256 * 1536:,}, in all {total:,}: S4's total is {494_697_728 - total:,} too large")

# %% [markdown] key="bug-bert" further=true
# ### Find the bug: 110 million, and what they are for
#
# > “BERT-base模型包含约1.1亿参数用于优化嵌入矩阵”\
# > (*the BERT-base model has about 110 million parameters for optimising the embedding matrix*). S2, *六、总结*
#
# In its section 3.2 it is “其中很大一部分” (*a large part of them*). Count: BERT-base has 30,522 tokens, width 768, twelve layers, 3,072 inside, and biases in attention. For comparison GPT-3: 50,257 tokens, width
# 12,288, 96 layers.

# %% key="predict-bert" further=true
predict("07-bert", "What fraction of BERT-base's parameters is in the token table? (0 to 1)", guess=None)

# %% key="bert-figure" further=true
with waiting_for("count_encoder_parameters"):
    sizes = {"the hypothetical model": (100256, 1536, 12, 6144), "BERT-base": (30522, 768, 12, 3072, True)}
    sizes["GPT-3"] = (50257, 12288, 96, 49152, True)
    table = {name: vocabulary * width for name, (vocabulary, width, *_) in sizes.items()}
    counted = {name: {"token table": table[name], "layers": int(count_encoder_parameters(*size)) - table[name]} for name, size in sizes.items()}
    blocks.show_counts(counted)
    reveal("07-bert", round(table["BERT-base"] / sum(counted["BERT-base"].values()), 2))

# %% [markdown] key="bert-lesson" further=true
# About a fifth. (Positions, segments, a first norm and the pooler bring BERT-base to 109,482,240; with positions and segments the embedding has
# 23.8 million, 22 %.) Whether a fifth is “a large part” is a matter of taste; 110 million it is not. In GPT-3 the table's 617,558,016 are a third of a percent. Tables grow with the width, layers with its square.

# %% [markdown] key="labels" further=true
# ## C · Learning without labels
#
# ### Find the bug: “needs labelled data”
#
# > “这一过程需要大量的标注数据支持” (*this process needs a great amount of labelled data*). S2, *3.2 嵌入向量的训练过程*
#
# We have sentences without labels. Cover a word, and let the model predict it: the text is its own label. That is BERT's objective, *masked
# words*, which S2 itself describes two paragraphs further on.
#
# The text: 56,079 English sentences of the micro-language, about a quarter of the words covered (each with a probability of 15 %, and at least one in every sentence). The model: two of **your** blocks, width 48, four heads, 500 steps. A
# mask hides the padding, nothing else: here later words may be used.

# %% key="encoder" further=true
class CoveredWords(nn.Module):
    def __init__(self, width=48, heads=4, layers=2, d_ff=96):
        super().__init__()
        words = len(masked_words.words())
        self.token_table = nn.Embedding(words + 1, width)  # one row more: the gap
        self.position_table = nn.Embedding(masked_words.LONGEST, width)
        for table in (self.token_table, self.position_table):
            nn.init.normal_(table.weight, std=0.1)
        self.blocks = nn.ModuleList([TransformerBlock(width, heads, d_ff) for _ in range(layers)])
        self.norm, self.output = nn.LayerNorm(width), nn.Linear(width, words)

    def states(self, ids):  # before the first block, and after each: (B, T, d)
        found = [self.token_table(ids) + self.position_table.weight[: ids.shape[1]]]
        for block in self.blocks:
            found.append(block(found[-1], (ids != 0)[:, None, None]))  # nobody attends to padding: (B, 1, 1, T)
        return found

    def forward(self, ids):
        return self.output(self.norm(self.states(ids)[-1]))

# %% key="covered-training" further=true
def learn_covered_words():
    torch.manual_seed(0)
    model, covering = CoveredWords(), torch.Generator().manual_seed(0)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, masked_words.warm_up(steps=500))

    def step(batch):
        rows, hidden = masked_words.cover(batch[0], covering)
        loss = F.cross_entropy(model(rows)[hidden], batch[0][hidden])  # only what was covered counts
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        return loss.item()

    batches = Batches((masked_words.text("train"),), 128, 500)
    run = train(step, batches, "covered words", measure=lambda: masked_words.held_out(model)[0], every=100)
    return masked_words.Result(model, run, *masked_words.held_out(model))

# %% key="masked-run" further=true seconds=17
with waiting_for("TransformerBlock"):
    found = learn_covered_words()
    print(f"{found.parameters:,} parameters; {found.share:.0%} of covered words in new sentences guessed")
    blocks.show_runs({"your blocks": found.run.measured}, "How well are covered words guessed in new sentences?", levels={"guessing by frequency": masked_words.by_frequency()})

# %% key="predict-fill" further=true
predict("07-fill", "“tomorrow they will play [?] at school”: the most probable word?", guess=None, text=True)

# %% key="fill" further=true
with waiting_for("TransformerBlock", after=("found",)):
    gaps = ["tomorrow they will play [?] at school", "the [?] is sleeping", "tomorrow my mother will feed that [?]", "they never play the [?]"]
    for sentence in gaps:
        said = masked_words.fill(found.model, sentence)
        print(f"{sentence:40}", ", ".join(f"{word} {probability:.2f}" for word, probability in said))
    reveal("07-fill", masked_words.fill(found.model, gaps[0])[0][0])

# %% [markdown] key="parts-question" further=true
# Many gaps have no single answer (a dog sleeps, and so does a cat), and some answers are wrong: one does not play the hospital. And how much does each part of the model contribute? The same run, with parts missing:

# %% key="predict-parts" further=true
predict("07-parts", "Without which part is the loss highest?", guess=None,
        choices={"no_attention": "attention", "no_positions": "positions", "no_feed_forward": "the feed-forward nets", "one_block": "the second block", "one_head": "all heads but one"})

# %% key="parts" further=true
parts = curves.load("07_parts", rerun=RERUN and (lambda: attention_ablations.parts(TransformerBlock)))
blocks.show_runs(parts.named(), "Covered words: what is lost without a part?", parts.source())
worst = max(parts.curves, key=lambda name: parts.curves[name][-1][1])
reveal("07-parts", worst)

# %% [markdown] key="parts-lesson" further=true
# Without attention no word sees another, and only the position and the frequencies are left to guess from. Without positions a sentence is a bag. With one head or one
# block the loss is a tenth of a nat higher. And the feed-forward nets (twice as wide inside, in this model) make **hardly any difference** here, although they hold 30 % of the parameters: this
# language is small. Do not conclude that large models could do without. (One seed each.)

# %% [markdown] key="bat" further=true
# ## D · One word, two meanings
#
# A *bat* flies at night (蝙蝠) or hits a ball (球棒). In the micro-language both occur, and the Chinese side of each sentence says which. In the
# table *bat* has one row. After the blocks it has a vector in each sentence. The model was never told that there are two meanings.
#
# The test: for each *bat* in the test sentences find the most similar *bat* in 600 training sentences. Does it mean the same? (Both
# meanings count alike, so guessing gives 0.5.)

# %% key="predict-bat" further=true
predict("07-bat", "Fraction of bats whose nearest bat means the same, with the vectors after two blocks?", guess=None)

# %% key="bat-run" further=true
with waiting_for("TransformerBlock", after=("found",)):
    for layer, name in ((-1, "row of the table"), (0, "with its position"), (1, "after one block"), (2, "after two blocks")):
        known, new = senses.vectors(found.model, "bat", layer, "train", 600), senses.vectors(found.model, "bat", layer)
        same = senses.right_neighbours(known, new)
        print(f"{name:18} {same:.2f}")
    reveal("07-bat", round(same, 2))

# %% key="bat-figure" further=true
with waiting_for("TransformerBlock", after=("found", "known", "new")):
    one_row = torch.zeros(len(new.senses), 2)
    signs = {sense: f"{label(*sign)} ({sense})" for sense, sign in senses.SIGNS.items()}
    blocks.show_senses({"the row of the table": one_row, "after two blocks": senses.map_of(known, new)}, new.senses, signs)
    print(*senses.examples(known, new), sep="\n")

# %% [markdown] key="bat-lesson" further=true
# (Across: the line between the two groups' means in training sentences; the points are test sentences. Upwards: the direction of largest variance at right angles
# to it.) Look at the pairs: the nearest *bat* mostly stands in a sentence that is nearly the same. The vector now holds both the word and
# its context. In so small a language the context decides; on real text expect a lower accuracy.
#
# This is the difference between **static** vectors, as in notebooks 01 to 04, and **contextual** ones: “静态embedding：一词一向量” (*static embedding: one word, one vector*), as S1 says (*5.1
# 上下文相关embedding*). How a whole text becomes *one* vector is the
# question of notebook 08.

# %% [markdown] key="today" further=true
# ## E · What has changed in the block
#
# Your block is that of 2017, with the norm in front. What do later models have in its place, and what does each change save? We take Llama 3 8B, whose
# sizes are published: 32 layers, width 4,096. (Its positions are rotated, as in notebook 06.)
#
# **RMSNorm** ([均方根归一化](../glossary.md#attention-and-sentences)) divides by the root of the mean square. Layer norm takes the mean away before that, and adds $\beta$ at the end; RMSNorm does neither:
#
# $$\frac{x}{\sqrt{\frac1d\sum_i x_i^2+\epsilon}}\cdot\gamma$$

# %% key="rms-norm" further=true
def rms_norm(x, gamma, eps=1e-5):
    mean_square = (x * x).mean(dim=-1, keepdim=True)
    return gamma * x / (mean_square + eps).sqrt()

# operations for a row of d numbers, as multiples of d (eps and the root are 2 more, in both)
layer_norm_steps = {"mean": 1, "subtract it": 1, "squares": 1, "their mean": 1, "divide": 1, "times γ": 1, "plus β": 1}
rms_norm_steps = {name: count for name, count in layer_norm_steps.items() if name not in ("mean", "subtract it", "plus β")}
print(f"operations a number: layer norm {sum(layer_norm_steps.values())}, RMSNorm {sum(rms_norm_steps.values())}: {', '.join(rms_norm_steps)}")

with waiting_for("layer_norm"):
    x, gamma = torch.randn(100, 96, generator=torch.Generator().manual_seed(0)) + 1, torch.linspace(0.5, 2, 96)
    for name, rows in (("mean 0", x - x.mean(dim=-1, keepdim=True)), ("a mean near 1", x)):
        gap = (layer_norm(rows, gamma, torch.zeros(96)) - rms_norm(rows, gamma)).abs().max()
        print(f"rows with {name}: your layer_norm and rms_norm differ by {gap:.1g}")

# %% [markdown] key="swiglu-text" further=true
# On rows with mean 0 it is layer norm without $\beta$. On others the mean stays in, and the next matrix has to deal with it.
#
# **SwiGLU** ([门控前馈网络](../glossary.md#attention-and-sentences)) gives the feed-forward a third matrix. One of the two that lead inside is a **gate**: its output goes through SiLU, $z\cdot\sigma(z)$, another smooth ReLU, and is
# multiplied by the other's output, number by number. Three matrices instead of two: for the same number of weights each is two thirds as wide inside. With 4 d before that is 8/3 d.

# %% key="swiglu" further=true
from torch.utils.flop_counter import FlopCounterMode

class SwiGLU(nn.Module):
    def __init__(self, d, inside):
        super().__init__()
        self.gate, self.up = nn.Linear(d, inside, bias=False), nn.Linear(d, inside, bias=False)
        self.down = nn.Linear(inside, d, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def multiply_adds(run, *inputs):  # in matrix products
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        run(*inputs)
    return counter.get_total_flops() // 2

# %% key="swiglu-run" further=true
with waiting_for("TransformerBlock"):
    block = TransformerBlock(96, 4, 4 * 96)
    nets = {"ff1, GELU, ff2": nn.Sequential(block.ff1, nn.GELU(), block.ff2), "SwiGLU": SwiGLU(96, 8 * 96 // 3)}
    for name, net in nets.items():
        matrices = [weight for weight in net.parameters() if weight.ndim == 2]
        print(f"{name:14} inside {len(matrices[0])}: {sum(weight.numel() for weight in matrices):,} weights in {len(matrices)} matrices,",
              f"{multiply_adds(net, torch.zeros(1, 96)):,} multiply-adds a position")
    norms = sum(weight.numel() for norm in (block.norm1, block.norm2) for weight in norm.parameters())
    whole = sum(weight.numel() for weight in block.parameters())
    print(f"your block's norms: {norms} parameters, {norms // 2} as RMSNorm; that is {norms / 2 / whole:.1%} of the block saved")
print("inside / d, published:", {name: round(wide / 4096, 2) for name, wide in {"Llama 2 7B": 11008, "Llama 3 8B": 14336}.items()})

# %% [markdown] key="kv-text" further=true
# So SwiGLU saves nothing: same weights, same work. It is chosen because it reached lower losses at the same size (Shazeer 2020; not tried here). RMSNorm saves three operations of seven, in a small part of the block.
#
# **The key-value cache** ([键值缓存](../glossary.md#attention-and-sentences)) saves more. Your `write` put the whole text through the model for each new word: 1 position, then 2, then 3. But with a causal mask no later word changes what
# stands at an earlier position, so its keys and values come out the same each time. Keep them, and only the new position has to be computed. Its query attends to all the kept keys. (One position needs no mask,
# and cutting it into heads is a plain reshape.)

# %% key="kv-cache" further=true
import copy

class Remembering(nn.Module):
    def __init__(self, attention, heads):
        super().__init__()
        self.q, self.k, self.v, self.out = parity.projections(attention)  # your weights
        self.heads, self.keys, self.values = heads, None, None

    def forward(self, x, *_, **__):  # x (B, 1, d): the new position alone
        q, k, v = (layer(x).view(len(x), self.heads, 1, -1) for layer in (self.q, self.k, self.v))
        self.keys = k if self.keys is None else torch.cat([self.keys, k], dim=2)
        self.values = v if self.values is None else torch.cat([self.values, v], dim=2)
        return self.out(scaled_dot_product_attention(q, self.keys, self.values)[0].reshape(x.shape))

def remembering(model, heads):
    model = copy.deepcopy(model)
    for block in model.blocks:
        block.attention = Remembering(block.attention, heads)
    return model

# %% key="kv-write" further=true
@torch.no_grad()
def write_on(model, ids, words, remember):  # ids (B, 1)
    positions, draw = 0, torch.Generator().manual_seed(0)
    model = remembering(model, heads=2) if remember else model
    for place in range(words):
        if remember:
            x = model.token_table(ids[:, -1:]) + model.position_table.weight[place]
            for block in model.blocks:
                x = block(x)
            logits = (model.norm(x) @ model.token_table.weight.T)[:, -1]
        else:
            logits = model(ids)[:, -1]
        positions += 1 if remember else ids.shape[1]
        ids = torch.cat([ids, torch.multinomial(logits.softmax(dim=-1), 1, generator=draw)], dim=1)
    return ids, logits, positions

# %% key="kv-count" further=true
with waiting_for("TinyLM", "scaled_dot_product_attention", after=("model", "lm_run")):
    begun, texts, ends, work = torch.full((100, 1), vocabulary.bos), {}, {}, {}
    for name, remember in (("without", False), ("with", True)):
        texts[name], ends[name], positions = write_on(model, begun, 14, remember)
        work[name] = multiply_adds(write_on, model, begun[:1], 14, remember)
        print(f"{name} cache, for a text of 14 words: {positions} positions computed, {work[name]:,} multiply-adds")
    print(f"{work['without'] / work['with']:.1f} times less work; of {100 * 14:,} words drawn {(texts['with'] != texts['without']).sum()} differ,",
          f"the last logits by {(ends['with'] - ends['without']).abs().max():.0e}")
print("positions for 8,192 words:", f"{8192 * 8193 // 2:,} without, 8,192 with")

# %% [markdown] key="grouped-text" further=true
# The same words, each drawn from the same probabilities. For T words T positions are computed instead of T (T + 1) / 2. (Scores remain: the new query is compared with
# every key that is kept.)
#
# It costs memory: two numbers for each layer, each component of each head, and each position. For Llama 3 8B in 16 bits (2 bytes a number):
#
# $$\text{bytes}=2\cdot\text{layers}\cdot\text{heads that are kept}\cdot\text{width of a head}\cdot\text{tokens}\cdot2$$
#
# It has 32 heads of width 128. If each had its keys and values kept:

# %% key="predict-cache" further=true
predict("07-cache", "32 layers, 32 heads of width 128, one text of 8,192 tokens: how many GB are kept?", guess=None)

# %% key="cache-size" further=true
def cache_bytes(layers, kv_heads, head_width, tokens, bytes_a_number=2):
    return 2 * layers * kv_heads * head_width * tokens * bytes_a_number

d, inside, tokens = 4096, 14336, 128_256
matrices = 2 * d * d + 2 * d * 8 * 128 + 3 * d * inside  # q and out; k and v of 8 heads; SwiGLU
whole = 2 * tokens * d + 32 * (matrices + 2 * d) + d  # table and output (not tied), layers with two norms, last norm
print(f"Llama 3 8B: {whole:,} parameters, {2 * whole / 1e9:.2f} GB in 16 bits")
for kv_heads in (32, 8, 1):
    narrow = 2 * 32 * d * kv_heads * 128  # k_proj and v_proj of 32 layers
    print(f"key-value heads {kv_heads:2}: {cache_bytes(32, kv_heads, 128, 8192) / 1e9:.2f} GB for a text; k_proj and v_proj {narrow:13,} parameters")
reveal("07-cache", round(cache_bytes(32, 32, 128, 8192) / 1e9, 2))

# %% [markdown] key="grouped-how" further=true
# The weights of the whole model are 16 GB: four such texts take as much again. So Llama 3 8B has 32 query heads and only 8 heads of keys and values, each for a group of four queries: **grouped queries** ([分组查询注意力](../glossary.md#attention-and-sentences)).
# That is a quarter of the cache, and of k_proj and v_proj. On your layer's weights:

# %% key="grouped" further=true
def grouped_queries(x, layers, heads, kv_heads):  # k and v are narrower: (d, kv_heads * d / heads)
    to_q, to_k, to_v, to_out = layers
    queries = split_heads(to_q(x), heads)  # (B, heads, T, d / heads)
    kept = [split_heads(narrow(x), kv_heads) for narrow in (to_k, to_v)]  # (B, kv_heads, T, d / heads)
    keys, values = (rows.repeat_interleave(heads // kv_heads, dim=1) for rows in kept)  # one for each query head
    return to_out(merge_heads(scaled_dot_product_attention(queries, keys, values)[0])), kept[0].shape

with waiting_for("MultiHeadAttention", "split_heads", "merge_heads", "scaled_dot_product_attention"), torch.no_grad():
    mine, x = MultiHeadAttention(64, 8), torch.randn(2, 5, 64)
    q, k, v, out = parity.projections(mine)
    for kv_heads in (8, 2, 1):
        if kv_heads < 8:  # a model of its own: narrower layers, not trained
            k, v = nn.Linear(64, kv_heads * 8), nn.Linear(64, kv_heads * 8)
        y, shape = grouped_queries(x, (q, k, v, out), 8, kv_heads)
        said = f", difference to your layer {(y - mine(x)).abs().max():.1g}" if kv_heads == 8 else ""
        print(f"{kv_heads} of 8: k_proj and v_proj {k.weight.numel() + v.weight.numel():5,} weights, keys kept {tuple(shape)}, result {tuple(y.shape)}{said}")

# %% key="kv-causal" further=true
with waiting_for("TransformerBlock", "causal_mask"), torch.no_grad():
    block, x = TransformerBlock(16, 4, 32), torch.randn(1, 5, 16)
    for name, mask in (("causal mask", causal_mask), ("no mask", lambda length: None)):
        change = block(x, mask(5))[:, :4] - block(x[:, :4], mask(4))
        print(f"{name:11}: a fifth word changes the four vectors before it by {change.abs().max():.1g}")

# %% [markdown] key="kv-lesson" further=true
# With eight of eight heads kept it is your layer. With fewer it is another model, and has to be trained as one.
#
# What the cache costs is memory: it grows with every token, and each text that is written at the same time needs its own. And it works only because of causality. Without the mask a new word changes
# the vectors of those before it, and what was kept from the second block on would be wrong.

# %% [markdown] key="where" further=true
# ## F · Where this goes
#
# **Mixture of experts.** Several feed-forward nets side by side, and a *gate* that sends each token to one or two of them: many more parameters, hardly more
# work for each token. (S1's section *5.4 分层embedding与专家混合（MoE）* names it in its heading and shows something else: a table for each layer, `self.embeddings[layer_idx]`,
# which the caller picks. There are no experts in it.) The gate is what matters. Suppose that there is none, and the mean of all experts is taken:

# %% key="predict-experts" further=true
predict("07-experts", "Four experts without a gate, each 32 wide: how wide is the single feed-forward that does just the same?", guess=None)

# %% key="experts" further=true
with waiting_for("feed_forward"):
    experts = [(torch.randn(32, 8), torch.randn(32), torch.randn(8, 32), torch.randn(8)) for _ in range(4)]
    x, (into, into_bias, out, out_bias) = torch.randn(2, 50, 8), zip(*experts, strict=True)
    mean = sum(feed_forward(x, *expert) for expert in experts) / 4
    wide = feed_forward(x, torch.cat(into), torch.cat(into_bias), torch.cat(out, dim=1) / 4, sum(out_bias) / 4)
    print(f"difference {(mean - wide).abs().max():.0e}")
    print("with a gate, tokens for each expert:", nn.Linear(8, 4)(x).argmax(dim=-1).flatten().bincount(minlength=4).tolist())
    reveal("07-experts", len(torch.cat(into_bias)))

# %% [markdown] key="where-more" further=true
# Without a gate it is one wide layer, written in a complicated way. With one (here untrained) each token costs a quarter.
#
# **Pictures.** A vision Transformer cuts an image into patches and treats each as a word. **Biology.** Models of proteins (ESM) cover amino acids instead of
# words; those have no labels either. **Long texts.** Every position attends to every position, so the work grows with the square of the length. So would memory, if all scores were kept;
# today's programs (FlashAttention) compute them in tiles and never store them; the work remains.

# %% key="where-run" further=true
image = torch.rand(1, 3, 224, 224)
print("image as words:", tuple(F.unfold(image, kernel_size=16, stride=16).transpose(1, 2).shape), "= (images, patches, numbers in each)")
for length in (512, 4096, 131_072):
    print(f"{length:7,} tokens: {length * length:14,} scores a head and layer; kept in 16 bits: {length * length * 2 / 1e9:6.3f} GB")

# %% [markdown] key="reflection" reflection=3
# ## 8 · In your own words (3 points, graded by a person)
#
# A colleague has written a language model with his own attention. “Held-out loss is 0.4 nats a word,” he writes, “half of what others
# report. Shapes are right, the loss fell smoothly, and on sequence reversal it scores 100 %. We should publish.” What do you answer?
#
# *What earns points: (1) why none of his four arguments excludes a bug, the held-out loss included; (1) a concrete bug that fits what he sees, and how it lets the
# model see the answer (section 5 has one); (1) two tests that you would run, and what each would show if he is right and if he is wrong.*

# %% [markdown] key="reflection-model" model_answer=true
# Shapes are right for a wrong merge too; a smooth loss shows that something is being learned, not what; reversal has no mask, and in the notebook scrambled heads
# scored 100 % as well. Held-out text does not help, since the bug is in the model: it sees the next word in held-out text just as in training. Heads that are
# merged without moving the position axis back in front fill early positions with what later ones saw, mask or not; a mask one position too far does the same. A loss that others do not
# come near may lie below the entropy floor of the text. I would (a) replace the last words and look whether outputs before them move, as we did with TinyLM (`leaks`, further, tries every position); they may not move if he is right;
# (b) compare his layer with nn.MultiheadAttention under shared weights: rounding errors if he is right. Generating text would show it too: there the future does not exist yet,
# so such a model writes much worse than its loss suggests.

# %% [markdown] key="card-text"
# ## 9 · Your card
#
# Two models that reverse a row of words, with one accuracy. Below each stands whether it looks ahead: that is filled in by `leaks`, an exercise of the further part. Run this cell again when you have done it.

# %% key="card"
with waiting_for("MultiHeadAttention", after=("outcomes", "maps")):
    rows = {}
    for name, title in (("right", "heads merged rightly"), ("scrambled", "heads scrambled")):
        rows[title] = (maps[name], outcomes[name].accuracy, caught.get(name))
    pictures.card(rows)

# %% [markdown] key="take-along"
# **What you take along.** Attention is a weighted mean, and the words themselves make the weights. A high accuracy does not show that a model is right: test what
# must hold, such as that no later word changes an earlier output.
#
# Next, notebook 08: *how do many vectors become one?*

# %% key="where-next"
progress()
