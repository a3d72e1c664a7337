# %% [markdown] key="title"
# # 07 · Attention
#
# **How does a word read its context?**
#
# In a table each word has one vector. Here its vector depends on the words around it: a **contextual vector**
# ([上下文相关向量](../glossary.md#attention-and-sentences)).
#
# **Afterwards you can**
# - write scaled dot-product attention, heads and a Transformer block;
# - say why scores are divided by √d, and what residual connections do;
# - build and train a small language model.
#
# **{minutes}.** Builds on notebooks 01 (tables of vectors), 05 (attention over a memory) and 06 (positions).

# %% key="setup"

# %% key="imports" given=true
import copy
import math
from collections.abc import Callable, Sequence
from functools import cache
from time import perf_counter
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from embedding_course import case, check, glossary, hint, ledger, predict, progress
from embedding_course import reveal, say, show_table, waiting_for
from embedding_course.learner import own_answers as pieces

# %% key="figures"
from torch.utils.flop_counter import FlopCounterMode
from embedding_course.data.micro import micro_language
from embedding_course.experiments.attention import attention_ablations, masked_words
from embedding_course.experiments.attention import next_words, parity, reversal, senses
from embedding_course.experiments import curves
from embedding_course.experiments.attention.causal import Causal
from embedding_course.experiments.five_questions import documents, five_questions
from embedding_course.experiments.attention.hashed_words import hashed_words
from embedding_course.experiments.training import Batches, train
from embedding_course.plot import attention as pictures
from embedding_course.plot import blocks
from embedding_course.plot.architecture import models

# True: measure the recorded curves again with your functions, one to three minutes each
RERUN = False

# %% [markdown] key="it"
# ## 1 · What is “it”?
#
# - 奖杯放不进箱子，因为它太**大**了。 (*The trophy does not go into the box, because it is too big.*)
# - 奖杯放不进箱子，因为它太**小**了。 (*… because it is too small.*)
#
# 它 (*it*) is the trophy in the first sentence and the box in the second. Its vector must take something from other words.
# **Attention** ([注意力](../glossary.md#attention-and-sentences)) does this.
#
# In the first layer 它 has the same vector in both sentences, so it looks for the same thing. We look at 大 (*big*) and 小 (*small*): each finds the noun that it describes. In a later layer 它 can read the result from 大 or 小.
#
# Each word has a **query** ([查询](../glossary.md#attention-and-sentences)), what it looks for, and a **key** ([键](../glossary.md#attention-and-sentences)), what it offers. Here both have two numbers, chosen by hand. The first means *thing*, the second *large* (negative: *narrow*). The dot product of a query and a key is the **score**. A **softmax**
# ([归一化指数函数](../glossary.md#language-models)) turns scores, divided by √2 (section 2), into weights with the sum 1. 大 has the query (2, 1), 小 has (2, −1). For 大:
#
# | | 奖杯 *trophy* | 放不进 *does not fit* | 箱子 *box* | 因为 *because* |
# |---|---|---|---|---|
# | key | (2, 2) | (0, 0) | (2, −2) | (−1, 0) |
# | score | 6 | 0 | 2 | −2 |

# %% key="it-figure"
words = [
    "奖杯\ntrophy",
    "放不进\ndoes not fit",
    "箱子\nbox",
    "因为\nbecause",
]
keys = torch.tensor([[2.0, 2.0], [0.0, 0.0], [2.0, -2.0], [-1.0, 0.0]])
big, small = torch.tensor([2.0, 1.0]), torch.tensor([2.0, -1.0])
weights = {}
queries = {"大 (big)": big, "小 (small)": small}
for name, query in queries.items():
    scores = keys @ query  # one score for each word
    weights[f"query of {name}"] = F.softmax(scores / math.sqrt(2), dim=0)
pictures.show_candidates(words, weights)

# %% [markdown] key="formula"
# 大 attends to the trophy, 小 to the box. In a model queries and keys are learned linear maps of the words' vectors. So is the **value** of each word: what it passes on.
#
# The result of attention is the weighted mean of the values. With one query in each row of $Q$, and $d_k$ for the width of queries and keys (2 above):
#
# $$\text{attention}(Q,K,V)=\text{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)V$$

# %% [markdown] exercise="07.scaled_dot_product_attention"
# Write the formula. Any number of axes may stand in front: none for one sentence, one for a batch, later also one for heads. A mask says which keys each query may attend to (True); it hides later words (section 3) or padding (fillers after short sentences). Your `MultiHeadAttention` (section 4) calls this function.

# %% [markdown] key="root"
# ## 2 · Why divide by √d?
#
# We draw queries and keys from N(0, 1), 16 keys for each query.

# %% key="predict-scale"
predict("07-scale", "Width 1,024, no root. Each query has 16 weights. "
        "How large is the largest one on average? (1/16 to 1)", guess=None)

# %% key="scale-figure"
widths, variance, largest = (4, 16, 64, 256, 1024), {}, {}
for name, power in (("q · k", 0.0), ("q · k / √d", 0.5)):
    generator = torch.Generator().manual_seed(0)
    variance[name], largest[name] = [], []
    for d in widths:
        q = torch.randn(500, 1, d, generator=generator)
        k = torch.randn(500, 16, d, generator=generator)
        scores = (q * k).sum(dim=-1) / d**power  # (500, 16)
        variance[name].append(scores.var().item())
        largest[name].append(scores.softmax(dim=-1).amax(dim=-1).mean().item())
show_table(variance, [f"variance, d = {d}" for d in widths], format=".1f")
pictures.show_scale(widths, largest, keys=16)
reveal("07-scale", round(largest["q · k"][-1], 2))

# %% [markdown] key="scale-lesson"
# Without the root the variance of the scores is the width, and in wide models one key takes nearly all the weight. Divided by $\sqrt d$ the scores have variance 1 at every width.
#
# The derivative of a weight $p$ by its own score is $p(1-p)$: nearly 0 where $p$ is nearly 0 or 1. Such a model hardly learns to attend elsewhere.
#
# <details><summary>Derivation: the variance of a dot product</summary>
#
# Let all $q_i$ and $k_i$ be independent, with mean 0 and variance 1.
#
# - One product has mean $E[q_ik_i]=E[q_i]\,E[k_i]=0$.
# - Its variance is $E[q_i^2k_i^2]=E[q_i^2]\,E[k_i^2]=1\cdot1=1$.
# - The score is a sum of $d$ such independent products. Variances add up: $\text{Var}(q\cdot k)=d$.
# - A factor $c$ changes a variance by $c^2$: $\text{Var}(q\cdot k/\sqrt d)=d/d=1$.
#
# At $d=256$ scores without the root have standard deviation 16, and $e^{16}$ is nine million.
# </details>

# %% [markdown] key="which-keys"
# ## 3 · Which keys may a query attend to?
#
# A language model predicts the next word, so it must not see that word. The **causal mask** ([因果掩码](../glossary.md#attention-and-sentences)) lets position $i$ attend to positions 0 to $i$ only. ✔ (True) means *may attend*:
#
# | query ↓ key → | 我 *I* | 看见 *see* | 狗 *dog* |
# |---|---|---|---|
# | 我 | ✔ | | |
# | 看见 | ✔ | ✔ | |
# | 狗 | ✔ | ✔ | ✔ |

# %% [markdown] key="heads-lesson"
# ## 4 · Several heads
#
# In 狗咬人 (*dog bites man*) let 咬 attend to 狗 and 人 with weight 0.5 each. It gets their mean, and the same mean in 人咬狗 (*man bites dog*). Unequal weights give different mixtures, but each word still gets only one: it cannot fetch 狗 and 人 separately.
#
# So the width is cut into **heads** ([注意力头](../glossary.md#attention-and-sentences)). Each is a slice of the dimensions with its own queries, keys, values and weights. One can attend to the word before, another to the word after.

# %% [markdown] exercise="07.MultiHeadAttention"
# Project, cut into heads, attend, merge the heads, project once more. (A picture: section B below, in *Further*.) To cut, (B, T, d) becomes (B, T, h, d/h). Then heads and positions change places: (B, h, T, d/h). Your function takes the heads as a batch. To merge, take the same two steps backwards. The last projection mixes the slices of the heads.
#
# Attention of a text to itself is **self-attention** ([自注意力](../glossary.md#attention-and-sentences)); to another text, the `context`, it is **cross-attention** ([交叉注意力](../glossary.md#attention-and-sentences)), as in your `attend` of notebook 05. Queries come from `x`, keys and values from `context`. Every block of section 5 uses this module. Beware of PyTorch's `nn.MultiheadAttention`: in its masks True means *hidden*.

# %% [markdown] key="stop" stop=true
# You have attention as a module of your own. In the second sitting it moves into a block, and the blocks become a language model.

# %% [markdown] key="first-further" further=true
# Do these two first: `split_heads` (section B) and section D, which compares attention with an LSTM. You may skip sections A and C. S1 to S5 are the five Chinese tutorials that this course grew out of; `ledger("07")` lists what they claim.

# %% [markdown] key="masks" further=true
# ## A · The causal mask
#
# We write the mask of section 3 as a function and look at what it does to the weights. Sections E and J use your function.

# %% [markdown] exercise="07.causal_mask" further=true
# Return the triangle of section 3 for any length.

# %% key="predict-mask" further=true
predict("07-mask", "昨天 is the first word. With the mask, its weight for itself?",
        guess=None)

# %% key="mask-figure" further=true
with waiting_for("scaled_dot_product_attention", "causal_mask"):
    sentence = [
        "昨天\nyesterday",
        "我\nI",
        "看见\nsaw",
        "小\nsmall",
        "狗\ndog",
    ]
    x = torch.randn(5, 4, generator=torch.Generator().manual_seed(3))
    free = scaled_dot_product_attention(x, x, x)[1]
    masked = scaled_dot_product_attention(x, x, x, causal_mask(5))[1]
    maps = {"without a mask": free, "with the causal mask": masked}
    pictures.show_weights(sentence, maps)
    reveal("07-mask", round(masked[0, 0].item(), 2))

# %% [markdown] key="mask-lesson" further=true
# Each row still has the sum 1. The first word may attend to itself alone, so its weight is 1. The last word sees everything, so its row did not change.

# %% [markdown] key="head-by-head" further=true
# ## B · Heads one by one
#
# We compare your module with PyTorch's, look at what heads add, and write the two steps of section 4 as functions.

# %% key="heads-picture" further=true
models.heads({"B": 3, "T": 5, "d": 16, "h": 2, "d/h": 8})

# %% key="use-attention" further=true
with waiting_for("MultiHeadAttention"), torch.no_grad():
    torch.manual_seed(0)
    x, context = torch.randn(2, 5, 16), torch.randn(2, 7, 16)
    attention = MultiHeadAttention(16, 4)
    pytorch = parity.torch_attention(attention, heads=4)  # with your weights
    across = attention(x, context)
    gaps = {
        "PyTorch, self-attention": attention(x) - pytorch(x, x, x)[0],
        "PyTorch, cross-attention": across - pytorch(x, context, context)[0],
        "context in reverse order": across - attention(x, context.flip(1)),
    }
    differences = {name: f"{gap.abs().max():.0e}" for name, gap in gaps.items()}
    show_table(differences, ("largest difference",))


# %% [markdown] key="one-head-text" further=true
# In the picture the width is the same on both sides; with heads there are h tables of weights. Your module computes what PyTorch's computes, up to rounding. The order of the context changes nothing, so positions have to be added (notebook 06).
#
# Now 狗咬人 (*dog bites man*) with random vectors. We compare it with 人咬狗 (*man bites dog*): first one head with equal weights, then one head with weights 0.7 and 0.3, then two heads.

# %% key="predict-one-head" further=true
predict("07-one-head", "Equal weights: how far apart are the two results for 咬?",
        guess=None)

# %% key="one-head" further=true
dog, man = torch.randn(2, 8, generator=torch.Generator().manual_seed(0))
equal = (0.5 * dog + 0.5 * man).dist(0.5 * man + 0.5 * dog).item()
unequal = (0.7 * dog + 0.3 * man).dist(0.7 * man + 0.3 * dog).item()
two = torch.cat([dog[:4], man[4:]]).dist(torch.cat([man[:4], dog[4:]])).item()
distances = {"equal weights": equal, "0.7 and 0.3": unequal, "two heads": two}
show_table(distances, ("distance",), format=".2f")
reveal("07-one-head", round(equal, 2))

# %% [markdown] key="one-head-lesson" further=true
# With equal weights the two sentences look the same. Unequal weights tell them apart, but the two words are mixed in one vector. Two heads keep them apart.

# %% [markdown] exercise="07.split_heads" further=true
# Cut the width into heads, and bring the heads in front of the positions. Sections E and J call this function.

# %% [markdown] exercise="07.merge_heads" further=true
# Write the way back from heads to one width. Mind the order of the axes. Section J calls this function.

# %% [markdown] key="attend-text" further=true
# Your `attend` of notebook 05 was cross-attention without the root. If it was kept, we compare it with today's function. The query is multiplied by 4, which undoes the root of 16:

# %% key="attend-again" further=true
attend = pieces.own("05.attend")  # what passed its check in notebook 05, or None
with waiting_for("scaled_dot_product_attention"):
    query, memory = torch.randn(2, 16), torch.randn(2, 7, 16)
    mask = torch.arange(7) < torch.tensor([[7], [4]])  # (B, S)
    queries = 4 * query[:, None]  # (B, 1, H)
    mixed, _ = scaled_dot_product_attention(queries, memory, memory, mask[:, None])
    if attend is not None:
        difference = (attend(query, memory, mask)[0] - mixed[:, 0]).abs().max()
        say("difference to your attend: {difference:.0e}", difference=difference)

# %% [markdown] key="bug-values" further=true
# ## C · Five claims about attention
#
# We check five sentences of the tutorials, each with a few lines of code.
#
# ### Find the bug: are values compared?
#
# > “它通过计算查询(Query)、键(Key)和值(Value)之间的相似性,动态地分配权重”\
# > (*by computing the similarity between query, key and value it assigns weights dynamically*). S2, *2.2 Transformer的核心组件及其功能*
#
# We make the values a hundred times as large and look at the weights.

# %% key="predict-values" further=true
predict("07-values", "100 · V in place of V: by how much does a weight change?",
        guess=None)

# %% key="values" further=true
with waiting_for("scaled_dot_product_attention"):
    q, k, v = torch.randn(3, 5, 8, generator=torch.Generator().manual_seed(0))
    before = scaled_dot_product_attention(q, k, v)[1]
    after = scaled_dot_product_attention(q, k, 100 * v)[1]
    reveal("07-values", (after - before).abs().max().item())

# %% [markdown] key="values-lesson" further=true
# The weights do not change. Queries and keys are compared; values are only averaged.

# %% [markdown] key="bug-linear" further=true
# ### Find the bug: is attention linear?
#
# > “增加非线性变换能力（注意力是线性的）” (*adds non-linear transformations; attention is linear*)\
# > S4, *Feed-Forward Network*, on what the feed-forward net is for
#
# A linear operation turns twice the input into twice the output. We try it.

# %% key="linear" further=true
with waiting_for("scaled_dot_product_attention"):
    x = torch.randn(5, 8, generator=torch.Generator().manual_seed(1))
    output, weights = scaled_dot_product_attention(x, x, x)
    doubled, sharper = scaled_dot_product_attention(2 * x, 2 * x, 2 * x)
    show_table(
        {
            "difference to twice the output": (doubled - 2 * output).abs().max().item(),
            "mean largest weight, x": weights.amax(dim=-1).mean().item(),
            "mean largest weight, 2 x": sharper.amax(dim=-1).mean().item(),
        },
        format=".2f",
    )

# %% [markdown] key="scale-question" further=true
# Attention would be linear with fixed weights. But the weights come from the same vectors through a softmax. Vectors of twice the size make sharper weights.

# %% [markdown] key="bug-redrawn" further=true
# ### Find the bug: weights drawn inside the function
#
# > `W_q = np.random.randn(d_model, d_model)  # Query 投影` (*query projection*)\
# > S4, *Multi-Head Attention*, inside `def multi_head_attention(X, …)`
#
# S4's model draws its token table once. Its layers draw their matrices *in every call*. The output is meant for “相似度计算” (*computing similarity*; *完整流程代码*). Here is one such layer, shortened. It has two bugs, and
# section 2 has shown one of them.

# %% key="redrawn" further=true
def encode_as_printed(x):
    d = x.shape[-1]
    to_query, to_key, to_value = torch.randn(3, d, d)
    return scaled_dot_product_attention(x @ to_query, x @ to_key, x @ to_value)

# %% key="predict-redrawn" further=true
predict("07-redrawn", "The same text twice: the cosine of its two vectors?", guess=None,
        choices={"same": "near 1", "unrelated": "near 0", "opposite": "near -1"})

# %% key="redrawn-run" further=true
with waiting_for("scaled_dot_product_attention"):
    torch.manual_seed(0)
    text = torch.randn(10, 256)
    (first, weights), (second, _) = encode_as_printed(text), encode_as_printed(text)
    cosine = F.cosine_similarity(first.mean(dim=0), second.mean(dim=0), dim=0).item()
    say("mean largest weight: {weight:.3f}", weight=weights.amax(dim=-1).mean().item())
    say("cosine of the two vectors: {cosine:.2f}", cosine=cosine)
    nearest = "same" if cosine > 0.5 else "opposite" if cosine < -0.5 else "unrelated"
    reveal("07-redrawn", nearest)

# %% [markdown] key="redrawn-lesson" further=true
# The same text gets two unrelated vectors. Weights belong in a module, where they are drawn once.
#
# The second bug is their size. S4 says, rightly, that the root brings the variance back to 1 *if* the entries of Q and K have variance 1. After matrices with entries of size 1 that variance is $d$. The root is then not enough, and one key gets all
# the weight.

# %% [markdown] key="bug-efficient" further=true
# ### Find the bug: are heads cheaper?
#
# > “这种设计不仅增强了模型的表达能力,还显著提高了计算效率。”\
# > (*this design not only makes the model more expressive, it also raises the efficiency of computing markedly*). S2, *2.2 Transformer的核心组件及其功能*
#
# We compare one head of width 64 with eight heads of width 8. PyTorch counts the operations in matrix products.

# %% key="predict-efficient" further=true
predict("07-efficient", "Operations with 8 heads, as a multiple of those with 1?",
        guess=None)

# %% key="efficient" further=true
with waiting_for("MultiHeadAttention"), torch.no_grad():
    products, softmaxes = [], []
    for heads in (1, 8):
        with FlopCounterMode(display=False) as counter:
            MultiHeadAttention(64, heads)(torch.zeros(2, 32, 64))
        products.append(counter.get_total_flops())
        softmaxes.append(2 * heads * 32 * 32)  # weights: B · h · T · T
    rows = {"operations in products": products, "weights in softmaxes": softmaxes}
    show_table(rows, ("1 head", "8 heads"), format=",")
    reveal("07-efficient", products[1] / products[0])

# %% [markdown] key="bug-output" further=true
# The products cost the same, and so do the parameters. The softmaxes cost more, because each head has its own table of weights. Heads give several sets of weights, not speed.
#
# ### Find the bug: does W_o add non-linearity?
#
# > “增加非线性：虽然 W_o 是线性的，但与后续层组合形成非线性”\
# > (*adds non-linearity: W_o is linear, but together with the layers after it, it forms something non-linear*). S4, *Multi-Head Attention*
#
# We check whether `out_proj` is linear: does the image of a sum equal the sum of the images?

# %% key="output-projection" further=true
with waiting_for("MultiHeadAttention"), torch.no_grad():
    project = MultiHeadAttention(64, 8, bias=False).out_proj
    a, b = torch.randn(2, 64)
    gap = (project(a + b) - project(a) - project(b)).abs().max()
    say("W(a + b) - W a - W b: {gap:.0e}", gap=gap)

# %% [markdown] key="output-lesson" further=true
# The difference is rounding, so W_o is linear. The layers after it are non-linear with it or without. Its task is another, which S4 names one line above: it mixes the slices of the heads. Merging only lays them side by side. (They are not *averaged* either, as “多头平均降低噪声”
# (*averaging the heads lowers noise*) has it.)

# %% [markdown] key="serial" further=true
# ## D · One step after another: an LSTM and attention
#
# An LSTM (notebook 05) needs the state of position $t-1$ before it can compute position $t$. Attention computes all positions at once. We measure both: the steps that have to wait for one another, the multiplications, and the time here.

# %% key="predict-serial" further=true
predict("07-serial", "Which is faster here at 1,024 positions?", guess=None,
        choices={"lstm": "the LSTM", "attention": "attention"})

# %% key="serial-run" further=true
def seconds(layer, x):  # the best of three runs
    times = []
    for _ in range(3):
        start = perf_counter()
        layer(x)
        times.append(perf_counter() - start)
    return min(times)

with waiting_for("MultiHeadAttention"), torch.no_grad():
    rows, d = {}, 64
    for T in (16, 128, 1024):
        x, lstm = torch.randn(1, T, d), nn.LSTM(d, d, batch_first=True)
        ratio = seconds(lstm, x) / seconds(MultiHeadAttention(d, 4), x)
        products = (8 * T * d * d, 4 * T * d * d + 2 * T * T * d)  # LSTM, attention
        rows[f"{T:,} positions"] = (T, 1, *products, f"{ratio:.2f}")
    counts = ("steps: LSTM", "attention", "products: LSTM", "attention")
    show_table(rows, (*counts, "time: LSTM / attention"))
    reveal("07-serial", "attention" if ratio > 1 else "lstm")

# %% [markdown] key="serial-lesson" further=true
# The LSTM waits once for each position, attention never. On one core this does not help, because a core computes one product after another anyway. At 1,024 positions attention has 4.5 times as many products, and here it is slower. At 16 positions it is faster.
#
# A graphics card computes many products at once. Then mostly the steps that wait count, and this is what Transformers gained over recurrent networks (Vaswani et al. 2017, section 4). We have not measured that here. The times are of one run, so expect other ratios on your machine.

# %% [markdown] key="the-block"
# ## 5 · The block
#
# A **Transformer block** has two parts. Attention mixes positions. Then a **feed-forward net** of two linear layers treats each position alone. Two more things make deep models trainable.
#
# **Layer norm** ([层归一化](../glossary.md#attention-and-sentences)) gives each position's vector mean 0 and standard deviation 1. Then it scales and shifts each dimension by learned amounts:
#
# $$\frac{x-\mu}{\sqrt{\sigma^2+\epsilon}}\cdot\gamma+\beta$$

# %% [markdown] key="norm-where"
# A **residual connection** ([残差连接](../glossary.md#attention-and-sentences)) adds a part's input to its output: $x+f(x)$. In 2017 the norm stood after the sum (**post-norm**, [后置归一化](../glossary.md#attention-and-sentences)). Today it mostly stands before each part (**pre-norm**).

# %% key="block-picture"
models.block({"B": 2, "T": 5, "d": 16, "d_ff": 32})

# %% [markdown] exercise="07.TransformerBlock"
# Write the block in both forms. In the feed-forward net stands a GELU, a smooth ReLU; d_ff is usually 4 d. `TinyLM` (section 6) and the search engine of notebook 11 are built of this block.

# %% [markdown] key="residual-text"
# ### With and without the sums
#
# We send random vectors through twelve of your blocks, once as they are and once with $f(x)$ in place of $x+f(x)$. We measure how similar two positions become, and how much of the gradient comes back: its norm at the input, divided by its norm at the output.

# %% key="predict-residual"
predict("07-residual", "Without sums: mean cosine of two positions after 12 blocks?",
        guess=None)

# %% key="residual"
def without_sums(block, x):
    x = block.attention(block.norm1(x))
    return block.ff2(F.gelu(block.ff1(block.norm2(x))))

rows, ways = {}, {"with sums": lambda block, x: block(x), "without sums": without_sums}
with waiting_for("TransformerBlock"):
    for name, apply in ways.items():
        torch.manual_seed(0)
        stack = [TransformerBlock(32, 4, 64) for _ in range(12)]
        start = output = torch.randn(8, 10, 32, requires_grad=True)
        for block in stack:
            output = apply(block, output)
        sent = torch.randn_like(output)  # a random gradient at the output
        (received,) = torch.autograd.grad(output, start, sent)
        cosine = F.cosine_similarity(output[:, :1], output[:, 1:], dim=-1).mean().item()
        rows[name] = (cosine, (received.norm() / sent.norm()).item())
    show_table(rows, ("cosine of positions", "gradient norm, in / out"), ".3f")
    reveal("07-residual", round(cosine, 2))

# %% [markdown] key="residual-lesson"
# Without the sums all positions end as the same vector: attention averages again and again, and nothing keeps them apart. Only 0.14 of the gradient comes back (0.004 to 0.14 with eight seeds). With the sums none is lost (here it even grows to 1.3). Layer norm alone prevents neither.

# %% [markdown] key="lm"
# ## 6 · A language model that writes
#
# Besides blocks, a model that writes needs three things: a table of words (notebook 01), a table of positions (06) and an output with a score for each word.

# %% [markdown] exercise="07.TinyLM"
# The token table has a vector for each word, so it serves again as the output: $\text{logits}=x\cdot E^\top$. This is **weight tying** ([共享权重](../glossary.md#attention-and-sentences)), and it saves V · d numbers. Today's chat programs have the same parts, only more and wider. Below you train your model, and it writes.

# %% key="use-lm"
with waiting_for("TinyLM"), torch.no_grad():
    torch.manual_seed(0)
    model = TinyLM(11, d_model=16, heads=4, layers=2, d_ff=32, max_length=8)
    ids = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])
    changed = torch.cat([ids[:, :-1], ids[:, -1:] - 1], dim=1)  # another last word
    moved = (model(ids) - model(changed)).abs().amax(dim=(0, 2))  # for each position
    show_table({"change of the logits": moved.tolist()}, range(5), format=".1f")

# %% [markdown] key="lm-text"
# Another last word changes the logits at its own position only. Use this test on every language model that you write. With a mask that ends one position too late the model sees the words that it should predict, and the loss only looks good.
#
# We train on the **micro-language** ([微型语言](../glossary.md#language-models)), a small grammar made for this course. The loss is the **cross-entropy** ([交叉熵](../glossary.md#language-models)) of the next word, in **nats** ([奈特](../glossary.md#language-models)). Several words may come next, so it cannot fall to 0: the
# entropy of the language is its **floor** ([熵下界](../glossary.md#language-models)). The figure shows two floors, given four words and given all, and the loss of **bigram** counts (one word before).

# %% key="lm-rows"
language, vocabulary = micro_language(), micro_language().vocabulary["english"]
lm_rows, new_rows = next_words.rows("train"), next_words.rows("test", 2000)
print(tuple(lm_rows.shape), *(vocabulary.words[i] for i in lm_rows[0]))

def step(batch):
    logits = model(batch[0][:, :-1])  # (B, T, V): what comes after each position …
    targets = batch[0][:, 1:].flatten()  # … and what came
    loss = F.cross_entropy(logits.flatten(0, 1), targets, ignore_index=vocabulary.pad)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
    return loss.item()

# %% key="lm-train" seconds=10
lm_levels = next_words.levels(lm_rows, new_rows)
lm_levels.pop("unigram")  # 4.44 would squeeze the figure
with waiting_for("TinyLM"):
    torch.manual_seed(0)
    model = TinyLM(len(vocabulary), 32, heads=2, layers=2, d_ff=64, max_length=14)
    for table in (model.token_table, model.position_table):
        nn.init.normal_(table.weight, std=0.1)
    optimizer = torch.optim.Adam(model.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.015, 400, pct_start=0.1)

    def measure():
        return next_words.loss(model, new_rows)

    lm_run = train(step, Batches((lm_rows,), 128, 400), "next words", measure, every=80)
    title = "How near to the floor is your model?"
    blocks.show_runs({"your TinyLM": lm_run.measured[1:]}, title, levels=lm_levels)

# %% [markdown] key="lm-write-text"
# Your model gets as low as any model with a window of four words can, within seconds. It has not yet reached the floor given all words before.
#
# Now it writes: it draws a word with its probability, appends it, and reads the longer text again. The temperature divides the logits (notebook 04).

# %% key="lm-sentences"
@torch.no_grad()
def write(temperature, texts):
    ids = torch.full((texts, 1), vocabulary.bos)
    generator = torch.Generator().manual_seed(0)
    while ids.shape[1] <= 14:
        logits = model(ids)[:, -1]  # scores for the word after the last position
        probabilities = (logits / temperature).softmax(dim=-1)
        word = torch.multinomial(probabilities, 1, generator=generator)
        ids = torch.cat([ids, word], dim=1)
    return [vocabulary.decode(row) for row in ids.tolist()]  # up to <eos>

with waiting_for("TinyLM"):
    sentences, rows = set(language.translations("english")), {}
    for temperature in (0.3, 1.0, 2.0):
        texts = write(temperature, texts=100)
        right = sum(text in sentences for text in texts)
        rows[f"temperature {temperature}"] = (right, len(set(texts)), texts[0])
    show_table(rows, ("right of 100", "different", "the first"))

# %% [markdown] key="lm-lesson"
# At temperature 0.3 nearly all texts are sentences of the language; at 2 hardly any are. At 1 a sentence of ten words has ten chances to draw a word that does not fit. “Right” means no more than “a sentence of this grammar”: the model knows nothing about the world.

# %% [markdown] key="reflection" reflection=3
# ## 7 · In your own words (3 points, graded by a person)
#
# A colleague has written a language model with his own attention. “On held-out text the loss is 0.4 nats a word,” he writes, “half of what others report. Shapes are right, and the loss fell smoothly.” What do you answer?
#
# *Points: (1) why none of his three arguments excludes a bug; (1) a bug that fits, and how the model sees the answer; (1) two tests, and what each shows if he is right and if he is wrong.*

# %% [markdown] key="reflection-model" model_answer=true
# Shapes are right with many bugs. A smooth loss shows that the model learns something, but not what. Held-out text does not help either: the bug is in the model, so it sees the next word there as in training. A loss that others do not come near
# may lie below the entropy floor of the text. A causal mask that ends one position too late fits all this: each position sees the word that it should predict. Heads merged without moving the position axis back do the same (section E): they fill early positions with what later
# ones saw. I would (a) replace the last words and check that no output before them moves; with the bug they move. I would (b) compare his layer with nn.MultiheadAttention under the same weights and the same mask: rounding if he is right, more if not. Generating text would show it too.
# There the future does not exist yet, so such a model writes much worse than its loss suggests.

# %% [markdown] key="card-text"
# ## 8 · Summary
#
# We put the five search questions of the course (notebook 01) to an encoder that is **not trained**. Each word is hashed to one of 4,095 random vectors, two of your blocks follow, and a text is the mean of its first 32 words.

# %% key="engine"
@torch.no_grad()
def encode(texts):
    vectors = []
    for ids in hashed_words(texts, rows=4096, length=32).split(256):  # 0 is padding
        real, x = ids != 0, word_table(ids)
        for block in encoder_blocks:
            x = block(x, real[:, None, None])  # no position attends to padding
        vectors.append((x * real[..., None]).sum(dim=1))
    return F.normalize(torch.cat(vectors), dim=-1)

document_vectors = cache(lambda: encode(documents()))
with waiting_for("TransformerBlock"):
    torch.manual_seed(0)
    word_table = nn.Embedding(4096, 64)
    encoder_blocks = [TransformerBlock(64, 4, 128) for _ in range(2)]

    def score(question):
        return document_vectors() @ encode([question])[0]

    five_questions("07", "untrained encoder", score)

# %% [markdown] key="take-along"
# Most of these ranks are no better than chance, and another seed gives other ranks. Only a shared word helps: it has the same random vector in both texts. Meaning has to be learned (notebooks 08 and 09).
#
# **What you take along.** Attention is a weighted mean, and the words make the weights. The root and the sums keep it trainable.
#
# Next, notebook 08: *how do many vectors become one?*



# %% [markdown] key="second-further" further=true
# Do section E first: a bug that no accuracy shows. Then do sections H and I, where one word with two meanings gets two kinds of vectors. You may skip the others.
#
# ### How far back does your model look?
#
# In notebook 04 a window hid the first word. Here the model of section 6 reads two beginnings that differ in their first word only. If *tomorrow* stands there, it cannot come again at the end.

# %% key="lm-far-back" further=true
with waiting_for("TinyLM"), torch.no_grad():
    rows = {}
    for first in ("", "tomorrow "):
        beginning = first + "they will go to the hospital"
        ids = torch.tensor([[vocabulary.bos, *vocabulary.encode(beginning)]])
        probabilities = model(ids)[0, -1].softmax(dim=0)
        yours = probabilities[vocabulary.ids["tomorrow"]].item()
        exact = language.next_word().after(beginning).get("tomorrow", 0.0)
        rows[f"{beginning} …"] = (yours, exact)
    show_table(rows, ("tomorrow: your model", "the language"), format=".4f")

# %% [markdown] key="lm-far-back-lesson" further=true
# The first word, seven positions back, nearly rules out the second *tomorrow*. Attention reaches the whole text.

# %% [markdown] key="does-it-learn" further=true
# ## E · The same accuracy
#
# We train your attention alone, then break it, and train it again. The task is to say a row of eight words backwards. Position 0 must look at position 7, position 1 at position 6, and so on. The model adds a table of positions to the words, and a linear layer reads the words off the
# output.

# %% key="reverser" further=true
class Reverser(nn.Module):
    def __init__(self, layer, blank):
        super().__init__()
        self.words = nn.Embedding(10, 32)
        self.positions = nn.Parameter(torch.randn(8, 32))
        self.queries = nn.Parameter(torch.randn(8, 32)) if blank else None
        self.layer, self.output = layer, nn.Linear(32, 10)

    def parts(self, words):  # what goes into the layer: (x,) or (x, context)
        context = self.words(words) + self.positions
        if self.queries is None:
            return (context,)
        return self.queries.expand_as(context), context

    def forward(self, words):
        return self.output(self.layer(*self.parts(words)))

# %% key="reversal-training" further=true
def learn_to_reverse(title, blank=False, change=None):
    torch.manual_seed(0)
    layer = MultiHeadAttention(32, 4)
    model = Reverser(layer, blank)
    if change:
        change(layer, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

    def step(words):
        targets = words.flip(1).flatten()  # the row backwards
        loss = F.cross_entropy(model(words).flatten(0, 1), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    run = train(step, list(torch.randint(10, (250, 64, 8))), title)
    return reversal.tried(model, run)  # accuracy on 1,000 new rows

# %% key="predict-reversal" further=true
predict("07-reversal", "Accuracy after 250 steps? (0 to 1; guessing gives 0.1)",
        guess=None)

# %% key="reversal" further=true
with waiting_for("MultiHeadAttention"):
    outcomes = {"right": learn_to_reverse(title="reversal")}
    reveal("07-reversal", round(outcomes["right"].accuracy, 3))

# %% key="reversal-figure" further=true
with waiting_for("split_heads", "scaled_dot_product_attention"):
    right = reversal.looks(outcomes["right"], split_heads, scaled_dot_product_attention)
    maps = {"right": right}  # (heads, T, T)
    pictures.show_heads(maps)

# %% [markdown] key="reversal-lesson" further=true
# Every head shows the anti-diagonal, some a little blurred: position 0 attends to position 7, position 1 to position 6. The model has learned this from examples alone.

# %% [markdown] key="blank" further=true
# ### Queries without words
#
# Now the queries come from eight learned vectors, one a position, without words. The words are the context. This is cross-attention.

# %% key="blank-run" further=true
with waiting_for("MultiHeadAttention", "split_heads", "scaled_dot_product_attention"):
    blank = learn_to_reverse(title="reversal, queries without words", blank=True)
    say("right: {accuracy:.1%}", accuracy=blank.accuracy)
    attended = reversal.looks(blank, split_heads, scaled_dot_product_attention)
    pictures.show_heads({"queries without words": attended})

# %% [markdown] key="scramble" further=true
# The task needs positions only, so this works as well.
#
# ### Scrambled heads
#
# Here is a mistake that people really make: they merge the heads and forget to swap heads and positions first. `reshape` alone gives the right shape. We build this into a fresh copy of your layer and train it.

# %% key="scramble-code" further=true
leaking = {}  # what your `leaks` says of each model

def scramble(attention, heads):
    def reshape_only(_, inputs):  # cut your output again, and merge without the swap
        return (split_heads(inputs[0], heads).reshape(inputs[0].shape),)
    attention.out_proj.register_forward_pre_hook(reshape_only)

# %% key="predict-scramble" further=true
predict("07-scramble", "Accuracy with scrambled heads? (0 to 1)", guess=None)

# %% key="scramble-run" further=true
with waiting_for("MultiHeadAttention", "split_heads"):
    outcomes["scrambled"] = learn_to_reverse("scrambled heads", change=scramble)
    rows = {name: (run.losses[-1], run.accuracy) for name, run in outcomes.items()}
    show_table(rows, ("last loss", "accuracy"), format=".4f")
    reveal("07-scramble", round(outcomes["scrambled"].accuracy, 3))

# %% [markdown] key="scramble-lesson" further=true
# **The accuracy is 100 % again.** Loss, shapes and gradients are all in order, because the layer has learned weights that make up for the mistake. Two things tell the models apart: their maps, and a comparison with PyTorch.

# %% key="telling-apart" further=true
with waiting_for("MultiHeadAttention"), torch.no_grad():
    both_maps = dict(maps)
    both_maps["scrambled"] = reversal.looks(
        outcomes["scrambled"], split_heads, scaled_dot_product_attention
    )
    pictures.show_heads(both_maps)
    gaps = {}
    for name, outcome in outcomes.items():
        layer, x = outcome.model.layer, torch.randn(2, 8, 32)
        gap = layer(x) - parity.torch_attention(layer, 4)(x, x, x)[0]
        gaps[name] = f"{gap.abs().max():.0e}"
    show_table(gaps, ("difference to PyTorch",))

# %% [markdown] key="stairs" further=true
# The scrambled maps show stairs. Without the swap, output positions 0 and 1 hold head 0 at *all eight positions*, positions 2 and 3 hold head 1, and so on. So the first four positions of a head must all fetch the word for position 0.
#
# Reversal has no mask. In a language model the same mistake does harm. Output position 0 then holds what the head found at positions 0 to 3, and position 3 may attend to words 0 to 3. So position 0 sees the words that it should predict.

# %% [markdown] key="property-text" further=true
# ### A test of the property
#
# A comparison needs something to compare with. A test of the *property* does not: in a layer with a causal mask, a later word must not change an earlier output.

# %% [markdown] exercise="07.leaks" further=true
# Write this test: change later positions and compare earlier outputs. Your test is run on sound models and on leaking ones. The next cells use it.

# %% key="use-leaks" further=true
with waiting_for("leaks", "causal_mask", "MultiHeadAttention"):
    rows = torch.randn(4, 8, 32)
    for name, outcome in outcomes.items():
        leaking[name] = bool(leaks(Causal(outcome.model.layer, causal_mask), rows))
    show_table({name: str(leak) for name, leak in leaking.items()}, ("leaks",))

# %% [markdown] key="floor-question" further=true
# ### A loss that is too good
#
# What does such a leak do to a language model? Two of your blocks are trained on the micro-language as in section 6. The entropy floor is **1.28 nats a word** (1.38 given the last four words). Three models: a right one, one with scrambled heads, and one whose mask ends a position too
# late.

# %% key="predict-floor" further=true
predict("07-floor", "Held-out loss with scrambled heads? (floor: 1.28)",
        guess=None, within=0.5)

# %% key="floor" further=true
floor = curves.load(
    "07_floor",
    rerun=RERUN
    and (lambda: attention_ablations.floor(TransformerBlock, causal_mask, split_heads)),
)
title = "Which models get below the floor? (micro-language)"
levels = {"entropy floor": floor.numbers["floor"]}
blocks.show_runs(floor.named(), title, floor.source(), levels, log=True)
reveal("07-floor", round(floor.curves["scrambled"][-1][1], 2))

# %% [markdown] key="floor-lesson" further=true
# Two of the three are far below the floor, and on *held-out* text. These models read the answer and copy it, and in held-out text the answer is there too. On real text the entropy is not known, and a leak only looks like a good result. So test results that are
# better than expected. `leaks` costs a few milliseconds.

# %% key="card" further=true
with waiting_for("MultiHeadAttention"):
    titles = {"heads merged correctly": "right", "heads scrambled": "scrambled"}
    rows = {
        title: (both_maps[name], outcomes[name].accuracy, leaking.get(name))
        for title, name in titles.items()
    }
    pictures.card(rows)

# %% [markdown] key="inside-block" further=true
# ## F · Inside the block
#
# We write the parts of the block ourselves and measure what each of them does. First we compare your block with PyTorch's.

# %% key="use-block" further=true
with waiting_for("TransformerBlock"), torch.no_grad():
    torch.manual_seed(0)
    x, mask = torch.randn(2, 5, 16), torch.ones(5, 5, dtype=torch.bool).tril()
    differences = {}
    for norm in ("pre", "post"):
        block = TransformerBlock(16, 4, 32, norm).eval()
        pytorch = parity.encoder_layer(block, 4, norm)  # nn.TransformerEncoderLayer
        gap = block(x, mask) - pytorch(x, src_mask=~mask)  # there True means hidden
        differences[f"{norm}-norm"] = f"{gap.abs().max():.0e}"
    show_table(differences, ("difference to PyTorch",))

# %% [markdown] key="use-block-lesson" further=true
# The difference is rounding. It is about 1e-4 if you chose the tanh form of GELU.

# %% [markdown] exercise="07.feed_forward" further=true
# Write the feed-forward net of 2017, with a ReLU. Section K uses it for a mixture of experts.

# %% [markdown] key="inside-question" further=true
# ### Why four times as wide?
#
# > “4 倍是甜蜜点（sweet spot）” (*four times is the sweet spot*). S4, *Feed-Forward Network*
#
# S4 says that twice is too little, and that eight times overfits and is slow. We train the model of section H with nets that are 1, 2, 4 and 8 times as wide, three seeds each.

# %% key="predict-inside" further=true
predict("07-inside", "Which ends with the lowest loss: 1, 2, 4 or 8 times?",
        guess=None, within=0)

# %% key="inside" further=true
inside = curves.load(
    "07_inside", rerun=RERUN and (lambda: attention_ablations.inside(TransformerBlock))
)
rows = {}
for times, run in inside.curves.items():
    low, high = (inside.numbers[f"{times}, {end}"] for end in ("lowest", "highest"))
    share = int(times) / (int(times) + 2)  # net 2 · times · d², attention 4 · d²
    rows[f"{times} times"] = (run[-1][1], low, high, share)
show_table(rows, ("mean loss", "lowest", "highest", "net's share of weights"), ".2f")
published = {"BERT-base": 3072 / 768, "Llama 2 7B": 11008 / 4096}
published["T5 11B"] = 65536 / 1024
show_table(published, ("times as wide, published",), format=".1f")
ends = {int(times): run[-1][1] for times, run in inside.curves.items()}
reveal("07-inside", min(ends, key=ends.__getitem__))

# %% [markdown] key="inside-lesson" further=true
# Four times ends lowest in this small language, by 0.04 nats. The seeds of 2, 4 and 8 times meet at 1.11, so the order may be luck. Four times is a good default, but no law: published models use from 2.7 to 64 times. At four times, two thirds of a layer's matrices are in the net.

# %% [markdown] exercise="07.layer_norm" further=true
# Write layer norm (section 5) by hand. Mind where eps stands. The next cells and section J use it.

# %% [markdown] key="bug-norm" further=true
# ### Find the bug: two lines about layer norm
#
# > `LN(x) = γ * (x - μ) / (σ + ε) + β`\
# > “如果训练后 γ = std，β = mean … 相当于"取消"归一化！” (*if after training γ = std and β = mean, … that amounts to cancelling the normalisation!*)\
# > S4, *Layer Normalization*
#
# We test both lines with two tokens. (1, 3) has $\mu=2,\sigma=1$, and (10, 50) has $\mu=30,\sigma=20$. We set $\gamma$ and $\beta$ for the first token.

# %% key="predict-norm" further=true
predict("07-norm", "γ = 1, β = 2: the first number of (10, 50) becomes?", guess=None)

# %% key="norm-run" further=true
with waiting_for("layer_norm"):
    tokens = torch.tensor([[1.0, 3.0], [10.0, 50.0]])
    gamma, beta = torch.full((2,), 1.0), torch.full((2,), 2.0)
    back = layer_norm(tokens, gamma, beta)
    show_table({"(1, 3)": back[0].tolist(), "(10, 50)": back[1].tolist()}, format=".2f")
    small = torch.tensor([-0.001, 0.001])  # σ = 0.001
    under_root = layer_norm(small, torch.ones(2), torch.zeros(2))[1].item()
    beside_root = 0.001 / (0.001 + 1e-5)
    rows = {"√(σ² + ε)": under_root, "σ + ε": beside_root}
    show_table(rows, ("0.001 becomes",), ".2f")
    reveal("07-norm", round(back[1, 0].item(), 2))

# %% [markdown] key="norm-lesson" further=true
# Both tokens come out as (1, 3). $\mu$ and $\sigma$ belong to a *token*, but $\gamma$ and $\beta$ belong to a *dimension*. One pair for all tokens cannot undo what differs from token to token. And where $\sigma$ is small, $\sqrt{\sigma^2+\epsilon}$ is a very different number from $\sigma+\epsilon$.
#
# ### Why not batch norm?
#
# **Batch norm** ([批归一化](../glossary.md#attention-and-sentences)) is common for pictures. It gives each *dimension* mean 0 and standard deviation 1 over the rows of the batch. S4 says of layer norm: “Layer Norm 与 batch size 无关” (*layer norm has nothing to do with the batch size*), and “Layer Norm 训练和推理完全一致”
# (*it is exactly the same in training and in use*). We put one token into a batch of 2, into a batch of 64, and into a model in use:

# %% key="batch-norm" further=true
draw = torch.Generator().manual_seed(0)
token, others = torch.randn(64, 8, generator=draw).split([1, 63])
rows = {}
for norm in (nn.LayerNorm(8), nn.BatchNorm1d(8)):
    of_2 = norm.train()(torch.cat([token, others[:1]]))[0]
    of_64 = norm.train()(torch.cat([token, others]))[0]
    in_use = norm.eval()(token)[0]  # batch norm takes running means of its batches
    gaps = of_2 - of_64, of_64 - in_use
    rows[type(norm).__name__] = [gap.abs().max().item() for gap in gaps]
show_table(rows, ("2 or 64 rows", "training or use"), format=".2f")

# %% [markdown] key="before-or-after" further=true
# Both sentences hold. With batch norm a token's vector depends on the rest of the batch, padding included.

# %% [markdown] key="depth-question" further=true
# ### Twelve blocks: before or after?
#
# Does it matter where the norm stands? “Pre-LN 更稳定” (*pre-norm is more stable*), says S4 (*完整的 Transformer Block*). We train twelve blocks for 300 steps at the task of section H, all with the same learning rate. **Warm-up** means that the rate starts small (more in notebook 09). The fifth model has no residual connections.

# %% key="predict-depth" further=true
predict("07-depth", "Which of the five ends lowest?", guess=None,
        choices={"pre": "pre-norm", "pre_cold": "pre-norm, no warm-up",
                 "post": "post-norm", "post_cold": "post-norm, no warm-up",
                 "no_sums": "pre-norm, no residual connections"})

# %% key="depth" further=true
depth = curves.load(
    "07_depth", rerun=RERUN and (lambda: attention_ablations.depth(TransformerBlock))
)
levels = {"guessing by frequency": masked_words.by_frequency()}
title = "Twelve blocks: should the norm stand before or after?"
blocks.show_runs(depth.named(), title, depth.source(), levels)
reveal("07-depth", min(depth.curves, key=lambda name: depth.curves[name][-1][1]))

# %% [markdown] key="depth-lesson" further=true
# At this depth and rate the post-norm models learn only how frequent each word is, with warm-up or without. This does not show that post-norm cannot be trained: BERT was. It shows that post-norm needs more care. Without residual connections the model learns no more than that either.

# %% [markdown] key="how-large" further=true
# ## G · How large is it?
#
# > `text-embedding-3-small 参数量详细计算` … `W_e: 100,256 × 1,536 = 154,793,216 参数` … `494,697,728 参数 ≈ 495M 参数`\
# > (*detailed count of the parameters of text-embedding-3-small*; 参数: *parameters*). S4, *参数量计算*
#
# We count the parameters of this model. S4 presents it as OpenAI's text-embedding-3-small, with twelve layers (“OpenAI text-embedding-3-small 使用 12 层”). OpenAI has not published its size, so the sizes are S4's. Its layers add up rightly. Its product for the table is 800,000 too large, and so is the sum (`ledger("S4.size-of-the-table")` and `ledger("S4.size-of-the-model")`).

# %% [markdown] exercise="07.count_encoder_parameters" further=true
# Count the table, and in each layer attention, the feed-forward net and two norms. The next cells use your count.

# %% key="count" further=true
with waiting_for("count_encoder_parameters"):
    total = count_encoder_parameters(100256, 1536, 12, 6144)
    rows = {
        "token table": f"{100256 * 1536:,}",
        "whole model": f"{total:,}",
        "S4's total is larger by": f"{494_697_728 - total:,}",
    }
    show_table(rows, ("parameters",))

# %% [markdown] key="bug-bert" further=true
# ### Find the bug: 110 million, and what they are for
#
# > “BERT-base模型包含约1.1亿参数用于优化嵌入矩阵”\
# > (*the BERT-base model has about 110 million parameters for optimising the embedding matrix*). S2, *六、总结*
#
# In its section 3.2 S2 says “其中很大一部分” (*a large part of them*). We count. BERT-base has 30,522 tokens, width 768, twelve layers, 3,072 inside, and biases in attention. GPT-3, for comparison, has 50,257 tokens, width 12,288 and 96 layers.

# %% key="predict-bert" further=true
predict("07-bert", "Which fraction of BERT-base is the token table? (0 to 1)",
        guess=None)

# %% key="bert-figure" further=true
sizes = {
    "S4's model": (100256, 1536, 12, 6144),
    "BERT-base": (30522, 768, 12, 3072, True),
    "GPT-3": (50257, 12288, 96, 49152, True),
}
with waiting_for("count_encoder_parameters"):
    counted = {}
    for name, size in sizes.items():
        table = size[0] * size[1]
        layers = int(count_encoder_parameters(*size)) - table
        counted[name] = {"token table": table, "layers": layers}
    blocks.show_counts(counted)
    bert = counted["BERT-base"]
    reveal("07-bert", round(bert["token table"] / sum(bert.values()), 2))

# %% [markdown] key="bert-lesson" further=true
# The table is about a fifth. (Positions, segments, a first norm and the pooler bring BERT-base to 109,482,240. With positions and segments the embedding has 23.8 million, 22 %.) You may call a fifth “a large part”, but it is not 110 million. In GPT-3 the table has 617,558,016 parameters, a third of a percent. Tables grow with the width, layers with its square.

# %% [markdown] key="labels" further=true
# ## H · Learning without labels
#
# ### Find the bug: “needs labelled data”
#
# > “这一过程需要大量的标注数据支持” (*this process needs a great amount of labelled data*). S2, *3.2 嵌入向量的训练过程*
#
# Our sentences have no labels. We cover a word, and the model predicts it, so the text is its own label. This is BERT's objective, *masked words*. S2 describes it itself two paragraphs further on.
#
# The text is 56,079 English sentences of the micro-language. Each word is covered with a probability of 15 %, and at least one in every sentence, about a quarter of all words. The model has two of **your** blocks, width 48 and four heads, and trains for 500 steps. Its mask hides only padding: here later words may be used.

# %% key="encoder" further=true
class CoveredWords(nn.Module):
    def __init__(self, width=48, heads=4, layers=2, d_ff=96):
        super().__init__()
        words, longest = len(masked_words.words()), masked_words.LONGEST
        self.token_table = nn.Embedding(words + 1, width)  # one row more: the gap
        self.position_table = nn.Embedding(longest, width)
        nn.init.normal_(self.token_table.weight, std=0.1)
        nn.init.normal_(self.position_table.weight, std=0.1)
        made = [TransformerBlock(width, heads, d_ff) for _ in range(layers)]
        self.blocks = nn.ModuleList(made)
        self.norm, self.output = nn.LayerNorm(width), nn.Linear(width, words)

    def states(self, ids):  # before the first block, and after each: (B, T, d)
        states = [self.token_table(ids) + self.position_table.weight[: ids.shape[1]]]
        for block in self.blocks:
            states.append(block(states[-1], (ids != 0)[:, None, None]))  # hide padding
        return states

    def forward(self, ids):
        return self.output(self.norm(self.states(ids)[-1]))

# %% key="covered-training" further=true
def learn_covered_words():
    torch.manual_seed(0)
    model, covering = CoveredWords(), torch.Generator().manual_seed(0)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    rate = masked_words.warm_up(steps=500)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    def step(batch):
        rows, hidden = masked_words.cover(batch[0], covering)
        loss = F.cross_entropy(model(rows)[hidden], batch[0][hidden])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        return loss.item()
    def measure():
        return masked_words.held_out(model)[0]

    batches = Batches((masked_words.text("train"),), 128, 500)
    run = train(step, batches, "covered words", measure, every=100)
    return masked_words.Result(model, run, *masked_words.held_out(model))

# %% key="masked-run" further=true seconds=17
with waiting_for("TransformerBlock"):
    covered = learn_covered_words()
    say("guessed in new sentences: {share:.0%}", share=covered.share)
    levels = {"guessing by frequency": masked_words.by_frequency()}
    title = "How well are covered words guessed in new sentences?"
    blocks.show_runs({"your blocks": covered.run.measured}, title, levels=levels)

# %% key="predict-fill" further=true
predict("07-fill", "“tomorrow they will play [?] at school”: the most probable word?",
        guess=None, text=True)

# %% key="fill" further=true
gaps = ["tomorrow they will play [?] at school", "the [?] is sleeping"]
gaps += ["tomorrow my mother will feed that [?]", "they never play the [?]"]
with waiting_for("TransformerBlock"):
    rows = {}
    for sentence in gaps:
        best = masked_words.fill(covered.model, sentence)
        rows[sentence] = [f"{word} {probability:.2f}" for word, probability in best]
    show_table(rows, ("first", "second", "third"))
    reveal("07-fill", masked_words.fill(covered.model, gaps[0])[0][0])

# %% [markdown] key="parts-question" further=true
# Many gaps have no single answer: a dog sleeps, and so does a cat. Some answers are wrong: one cannot play the hospital.
#
# Which part of the model matters most? We train it again with parts missing.

# %% key="predict-parts" further=true
predict("07-parts", "Without which part is the loss highest?", guess=None,
        choices={"no_attention": "attention", "no_positions": "positions",
                 "no_feed_forward": "the feed-forward nets",
                 "one_block": "the second block", "one_head": "all heads but one"})

# %% key="parts" further=true
parts = curves.load(
    "07_parts", rerun=RERUN and (lambda: attention_ablations.parts(TransformerBlock))
)
title = "Covered words: what is lost without a part?"
blocks.show_runs(parts.named(), title, parts.source())
reveal("07-parts", max(parts.curves, key=lambda name: parts.curves[name][-1][1]))

# %% [markdown] key="parts-lesson" further=true
# Without attention no word sees another, and the model guesses from positions and frequencies. Without positions a sentence is a bag of words. With one head or one block the loss is a tenth of a nat higher.
#
# The feed-forward nets make **hardly any difference** here, although they hold 30 % of the parameters. This language is small; do not conclude that large models could do without them. (One seed each.)

# %% [markdown] key="bat" further=true
# ## I · One word, two meanings
#
# A *bat* flies at night (蝙蝠) or hits a ball (球棒). The micro-language has both, and the Chinese side of each sentence says which. The table has one row for *bat*. After the blocks *bat* has a vector in each sentence. The model was not told that there are two meanings.
#
# We test it: for each *bat* in the test sentences we find the most similar *bat* in 600 training sentences. Does it mean the same? (Guessing gives 0.5.)

# %% key="predict-bat" further=true
predict("07-bat", "After two blocks: fraction whose nearest bat means the same?",
        guess=None)

# %% key="bat-run" further=true
with waiting_for("TransformerBlock"):
    rows = {}
    layers = {"row of the table": -1, "with its position": 0}
    layers |= {"one block": 1, "two blocks": 2}
    for name, layer in layers.items():
        known = senses.vectors(covered.model, "bat", layer, "train", 600)
        new = senses.vectors(covered.model, "bat", layer)
        rows[name] = senses.right_neighbours(known, new)
    show_table(rows, ("same meaning",), format=".2f")
    reveal("07-bat", round(rows["two blocks"], 2))

# %% key="bat-figure" further=true
with waiting_for("TransformerBlock"):
    one_row = torch.zeros(len(new.senses), 2)
    mapped = senses.map_of(known, new)
    panels = {"the row of the table": one_row, "after two blocks": mapped}
    blocks.show_senses(panels, new.senses, senses.SIGNS)
    print(*senses.examples(known, new), sep="\n")

# %% [markdown] key="bat-lesson" further=true
# The points are test sentences. Across is the line between the means of the two groups in training sentences. Upwards is the direction of largest variance at right angles to it. Look at the pairs: the nearest *bat* mostly stands in a sentence that is nearly the same. The vector now holds both the word and its context. In this small language the context decides; on real text expect a lower accuracy.
#
# Notebooks 01 to 04 have **static** vectors: “静态embedding：一词一向量” (*static embedding: one word, one vector*), as S1 says (*5.1 上下文相关embedding*). These are **contextual** vectors. Notebook 08 shows how a whole text becomes *one* vector.

# %% [markdown] key="today" further=true
# ## J · What has changed in the block
#
# Your block is that of 2017 with the norm in front. We look at four later changes and count what each of them saves. The example is Llama 3 8B, whose sizes are published: 32 layers, width 4,096. (Its positions are rotated, as in notebook 06.)
#
# **RMSNorm** ([均方根归一化](../glossary.md#attention-and-sentences)) divides by the root of the mean square. Unlike layer norm it does not subtract the mean and has no $\beta$:
#
# $$\frac{x}{\sqrt{\frac1d\sum_i x_i^2+\epsilon}}\cdot\gamma$$

# %% key="rms-norm" further=true
def rms_norm(x, gamma, eps=1e-5):
    mean_square = (x * x).mean(dim=-1, keepdim=True)
    return gamma * x / (mean_square + eps).sqrt()

# operations for a row of d numbers, as multiples of d (eps and the root add 2 to both)
steps = ("mean", "subtract it", "squares", "their mean", "divide", "times γ", "plus β")
layer_norm_steps = dict.fromkeys(steps, 1)
rms_norm_steps = dict.fromkeys(("squares", "their mean", "divide", "times γ"), 1)
counts = {"layer norm": len(layer_norm_steps), "RMSNorm": len(rms_norm_steps)}
show_table(counts, ("operations a number",))

with waiting_for("layer_norm"):
    draw = torch.Generator().manual_seed(0)
    x, gamma = torch.randn(100, 96, generator=draw) + 1, torch.linspace(0.5, 2, 96)
    centred, gaps = x - x.mean(dim=-1, keepdim=True), {}
    for name, rows in (("mean 0", centred), ("mean near 1", x)):
        gap = layer_norm(rows, gamma, torch.zeros(96)) - rms_norm(rows, gamma)
        gaps[name] = f"{gap.abs().max():.1g}"
    show_table(gaps, ("difference of the norms",))

# %% [markdown] key="swiglu-text" further=true
# On rows with mean 0 the two norms are the same. On other rows the mean stays in, and the next matrix has to deal with it.
#
# **SwiGLU** ([门控前馈网络](../glossary.md#attention-and-sentences)) gives the feed-forward net a third matrix. Two matrices lead inside, and one of them is a **gate**. Its output goes through SiLU, $z\cdot\sigma(z)$, another smooth ReLU. Then it is multiplied by the other's output, number by number. For the same number of weights each matrix is two thirds as wide inside: 8/3 d instead of 4 d.

# %% key="swiglu" further=true
class SwiGLU(nn.Module):
    def __init__(self, d, inside):
        super().__init__()
        self.gate = nn.Linear(d, inside, bias=False)
        self.up = nn.Linear(d, inside, bias=False)
        self.down = nn.Linear(inside, d, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))

def multiply_adds(run, *inputs):  # in matrix products
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        run(*inputs)
    return counter.get_total_flops() // 2

# %% key="swiglu-run" further=true
with waiting_for("TransformerBlock"):
    block, rows = TransformerBlock(96, 4, 4 * 96), {}
    plain = nn.Sequential(block.ff1, nn.GELU(), block.ff2)
    for name, net in (("ff1, GELU, ff2", plain), ("SwiGLU", SwiGLU(96, 8 * 96 // 3))):
        matrices = [weight for weight in net.parameters() if weight.ndim == 2]
        weights = sum(weight.numel() for weight in matrices)
        work = multiply_adds(net, torch.zeros(1, 96))
        rows[name] = (len(matrices[0]), len(matrices), weights, work)
    show_table(rows, ("inside", "matrices", "weights", "multiply-adds a position"))
    whole = sum(weight.numel() for weight in block.parameters())
    say("RMSNorm saves parameters: {share:.1%}", share=2 * 96 / whole)  # two β
published = {"Llama 2 7B": 11008 / 4096, "Llama 3 8B": 14336 / 4096}
show_table(published, ("inside / d, published",), format=".2f")

# %% [markdown] key="kv-text" further=true
# SwiGLU saves nothing: it has the same weights and the same work. It is used because it reached lower losses at the same size (Shazeer 2020; not tried here). RMSNorm saves three operations of seven, in a small part of the block.
#
# The **key-value cache** ([键值缓存](../glossary.md#attention-and-sentences)) saves more. Your `write` put the whole text through the model for each new word: 1 position, then 2, then 3. With a causal mask no later word changes an earlier position, so its keys and values are the same each time. The cache keeps them, and only the new position is computed. Its query attends to all kept keys. (One position needs no mask, and a plain reshape cuts it into heads.)

# %% key="kv-cache" further=true
class CachedAttention(nn.Module):
    def __init__(self, attention, heads):
        super().__init__()
        self.q, self.k, self.v, self.out = parity.projections(attention)  # your weights
        self.heads, self.keys, self.values = heads, None, None

    def forward(self, x, *_, **__):  # x (B, 1, d): the new position alone
        shape = len(x), self.heads, 1, -1
        q, k, v = (project(x).view(shape) for project in (self.q, self.k, self.v))
        self.keys = k if self.keys is None else torch.cat([self.keys, k], dim=2)
        self.values = v if self.values is None else torch.cat([self.values, v], dim=2)
        mixed, _ = scaled_dot_product_attention(q, self.keys, self.values)
        return self.out(mixed.reshape(x.shape))

def with_cache(model, heads):
    model = copy.deepcopy(model)
    for block in model.blocks:
        block.attention = CachedAttention(block.attention, heads)
    return model

# %% key="kv-write" further=true
@torch.no_grad()
def write_on(model, ids, words, cached):  # ids (B, 1)
    positions, draw = 0, torch.Generator().manual_seed(0)
    model = with_cache(model, heads=2) if cached else model
    for t in range(words):
        if cached:
            x = model.token_table(ids[:, -1:]) + model.position_table.weight[t]
            for block in model.blocks:
                x = block(x)
            logits = (model.norm(x) @ model.token_table.weight.T)[:, -1]
        else:
            logits = model(ids)[:, -1]
        positions += 1 if cached else ids.shape[1]
        word = torch.multinomial(logits.softmax(dim=-1), 1, generator=draw)
        ids = torch.cat([ids, word], dim=1)
    return ids, logits, positions

# %% key="kv-count" further=true
with waiting_for("TinyLM", "scaled_dot_product_attention"):
    begun = torch.full((100, 1), vocabulary.bos)
    slow, slow_logits, all_positions = write_on(model, begun, 14, cached=False)
    quick, quick_logits, new_positions = write_on(model, begun, 14, cached=True)
    work = [multiply_adds(write_on, model, begun[:1], 14, way) for way in (False, True)]
    rows = {
        "positions, 14 words": (all_positions, new_positions),
        "positions, 8,192 words": (8192 * 8193 // 2, 8192),
        "multiply-adds, 14 words": work,
    }
    show_table(rows, ("without cache", "with cache"))
    say("words that differ: {count}", count=int((slow != quick).sum()))
    gap = (slow_logits - quick_logits).abs().max()
    say("difference of the last logits: {gap:.0e}", gap=gap)

# %% [markdown] key="grouped-text" further=true
# The words are the same, drawn from the same probabilities. For T words the cache computes T positions instead of T (T + 1) / 2. (The scores remain: the new query is compared with every kept key.)
#
# The cache costs memory: two numbers for each layer, each head, each dimension of a head, and each position. Llama 3 8B has 16-bit numbers (2 bytes):
#
# $$\text{bytes}=2\cdot\text{layers}\cdot\text{kept heads}\cdot\text{width of a head}\cdot\text{tokens}\cdot2$$
#
# It has 32 heads of width 128. How much would the keys and values of all of them take?

# %% key="predict-cache" further=true
predict("07-cache", "32 layers, 32 heads of width 128, 8,192 tokens: how many GB?",
        guess=None)

# %% key="cache-size" further=true
def cache_bytes(layers, kv_heads, head_width, tokens, bytes_a_number=2):
    return 2 * layers * kv_heads * head_width * tokens * bytes_a_number

d, inside, tokens = 4096, 14336, 128_256
matrices = 2 * d * d + 2 * d * 8 * 128 + 3 * d * inside  # q, out; k, v; SwiGLU
# table and output (not tied), layers with two norms, last norm
whole = 2 * tokens * d + 32 * (matrices + 2 * d) + d
show_table({"Llama 3 8B": (whole, 2 * whole / 1e9)}, ("parameters", "GB"), ".2f")
rows = {}
for kv_heads in (32, 8, 1):
    size = cache_bytes(32, kv_heads, 128, 8192) / 1e9
    rows[f"{kv_heads} key-value heads"] = (f"{size:.2f}", 2 * 32 * d * kv_heads * 128)
show_table(rows, ("GB of cache a text", "weights in k_proj and v_proj"))
reveal("07-cache", round(cache_bytes(32, 32, 128, 8192) / 1e9, 2))

# %% [markdown] key="grouped-how" further=true
# The weights of the whole model take 16 GB, so four such texts would take as much again. Llama 3 8B therefore has 32 query heads and only 8 heads of keys and values. Each serves a group of four queries: **grouped queries** ([分组查询注意力](../glossary.md#attention-and-sentences)). The cache shrinks to a quarter, and so do k_proj and v_proj. We try it with your layer's weights:

# %% key="grouped" further=true
def grouped_queries(x, layers, heads, kv_heads):  # k, v: kv_heads · d / heads wide
    to_q, to_k, to_v, to_out = layers
    queries = split_heads(to_q(x), heads)  # (B, heads, T, d / heads)
    kept = [split_heads(narrow(x), kv_heads) for narrow in (to_k, to_v)]
    group = heads // kv_heads  # query heads that share a head of keys and values
    keys, values = (rows.repeat_interleave(group, dim=1) for rows in kept)
    mixed, _ = scaled_dot_product_attention(queries, keys, values)
    return to_out(merge_heads(mixed)), kept[0].shape

# %% key="grouped-run" further=true
with waiting_for(
    "MultiHeadAttention", "split_heads", "merge_heads", "scaled_dot_product_attention"
), torch.no_grad():
    attention, x, rows = MultiHeadAttention(64, 8), torch.randn(2, 5, 64), {}
    q, k, v, out = parity.projections(attention)
    for kv_heads in (8, 2, 1):
        if kv_heads < 8:  # narrower layers, not trained
            k, v = nn.Linear(64, kv_heads * 8), nn.Linear(64, kv_heads * 8)
        y, shape = grouped_queries(x, (q, k, v, out), 8, kv_heads)
        gap = f"{(y - attention(x)).abs().max():.0e}"
        weights = k.weight.numel() + v.weight.numel()
        compared = gap if kv_heads == 8 else "–"
        rows[f"{kv_heads} of 8 kept"] = (weights, str(tuple(shape)), compared)
    show_table(rows, ("weights of k and v", "kept keys", "difference to your layer"))

# %% [markdown] key="kv-causal-text" further=true
# With eight of eight heads kept it is your layer. With fewer (–) it is another model, and has to be trained as one.
#
# Last, we check that the cache needs the causal mask: does a fifth word change the vectors of the four before it?

# %% key="kv-causal" further=true
with waiting_for("TransformerBlock", "causal_mask"), torch.no_grad():
    block, x, changes = TransformerBlock(16, 4, 32), torch.randn(1, 5, 16), {}
    for name, mask in (("causal mask", causal_mask), ("no mask", lambda length: None)):
        change = block(x, mask(5))[:, :4] - block(x[:, :4], mask(4))
        changes[name] = f"{change.abs().max():.1g}"
    show_table(changes, ("change by a fifth word",))

# %% [markdown] key="kv-lesson" further=true
# Without the mask a new word changes the vectors before it, and kept keys would be wrong from the second block on. With the mask they stay right. The cache costs memory with every token, and each text that is written at the same time needs its own.

# %% [markdown] key="where" further=true
# ## K · Where this goes
#
# **Mixture of experts.** A block can have several feed-forward nets side by side, and a *gate* that sends each token to a few of them. Such a model has many more parameters and hardly more work for each token. (S1's section *5.4 分层embedding与专家混合（MoE）* has it in its heading and shows something else: a table for each layer, `self.embeddings[layer_idx]`, which the caller picks.)
#
# The gate is what matters. We leave it out and take the mean of all experts:

# %% key="predict-experts" further=true
predict("07-experts", "Four experts of width 32: how wide is one equal net?",
        guess=None)

# %% key="experts" further=true
with waiting_for("feed_forward"):
    shapes = ((32, 8), (32,), (8, 32), (8,))
    experts = [[torch.randn(shape) for shape in shapes] for _ in range(4)]
    x, (w1, b1, w2, b2) = torch.randn(2, 50, 8), zip(*experts, strict=True)
    mean = sum(feed_forward(x, *expert) for expert in experts) / 4
    joined = torch.cat(w1), torch.cat(b1), torch.cat(w2, dim=1) / 4, sum(b2) / 4
    wide = feed_forward(x, *joined)
    say("difference: {gap:.0e}", gap=(mean - wide).abs().max())
    chosen = nn.Linear(8, 4)(x).argmax(dim=-1).flatten()  # an untrained gate
    tokens = chosen.bincount(minlength=4).tolist()
    show_table({"tokens": tokens}, [f"expert {i}" for i in range(4)])
    reveal("07-experts", len(torch.cat(b1)))

# %% [markdown] key="where-more" further=true
# Without a gate the four experts are one wide net. With a gate that picks one expert, each token costs a quarter. Published models pick from one up to eight experts for each token (Switch Transformer one, Mixtral two, DeepSeek-V3 eight).
#
# **Pictures.** A vision Transformer cuts an image into patches and treats each as a word. **Biology.** Models of proteins (ESM) cover amino acids instead of words, again without labels.
#
# **Long texts.** Every position attends to every position, so the work grows with the square of the length. Memory would too, if all scores were kept. Today's programs (FlashAttention) compute scores in tiles and never store them. The work remains.

# %% key="where-run" further=true
image = torch.rand(1, 3, 224, 224)
patches = F.unfold(image, kernel_size=16, stride=16).transpose(1, 2)
show_table({"image": patches.shape}, ("images", "patches", "numbers in each"))
rows = {}
for length in (512, 4096, 131_072):
    scores = length * length
    rows[f"{length:,} tokens"] = (f"{scores:,}", f"{2 * scores / 1e9:.3f}")
show_table(rows, ("scores a head and layer", "GB in 16 bits"))
