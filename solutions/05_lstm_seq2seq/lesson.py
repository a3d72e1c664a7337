# %% [markdown] key="title"
# # 05 · LSTM translation
#
# **How does one sentence become another?**
#
# 他明天会坐公共汽车去图书馆 has seven words. *He will go to the library by bus tomorrow* has nine. 明天 (*tomorrow*) moves from the second position to the
# last, so a word-by-word dictionary cannot translate it. One network reads the sentence, another one writes it. You build both.
#
# **Afterwards you can**
# - batch sentences of different lengths so that padding changes nothing;
# - train a decoder on the true words;
# - show that one state is a bottleneck, and add attention;
# - read where a translator looks while it writes.
#
# **{minutes}.** Builds on notebook 02 (padding rows) and notebook 04 (a model that predicts the next word).

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
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from embedding_course import case, check, glossary, hint, ledger, predict, progress
from embedding_course import reveal, say, show_table, waiting_for
from embedding_course.learner import own_answers

# %% key="figures"
from embedding_course.data.bleu_pairs import bleu_pairs
from embedding_course.data.micro import micro_language
from embedding_course.experiments import curves
from embedding_course.experiments.five_questions import five_questions
from embedding_course.experiments.lstm_seq2seq import bleu as sacre
from embedding_course.experiments.lstm_seq2seq import own_pieces, remembering, search
from embedding_course.experiments.lstm_seq2seq import translation, translation_tables
from embedding_course.experiments.lstm_seq2seq import translation_experiments
from embedding_course.experiments.training import Batches, train
from embedding_course.plot import alignment, sentence_grid
from embedding_course.plot import translation as pictures
from embedding_course.plot.architecture import models
RERUN = False  # True: the recorded runs are done again here (some minutes)

# %% [markdown] key="text"
# ## 1 · The task, and a state that reads
#
# We translate sentences of the **micro-language** ([微型语言](../glossary.md#language-models)), a small grammar of Chinese and English. It has 70,000 pairs,
# and each Chinese sentence has exactly one right translation.

# %% key="text-look"
for pair in micro_language().pairs("test", 5, seed=2):
    print(f"{pair.chinese:32} {pair.english}")

# %% [markdown] key="order"
# The mean of the word vectors cannot translate. 猫追狗 (*the cat chases the dog*) and 狗追猫 (*the dog chases the cat*) have the same mean. A
# **recurrent network** ([循环神经网络](../glossary.md#sequences)) reads word by word and keeps a state: new state = f(old state, word). You use an **LSTM**
# ([长短期记忆网络](../glossary.md#sequences)). Its state has two vectors. The hidden state h is the output, and the cell state c is the memory.

# %% [markdown] key="memory-text" further=true
# *Which to do first:* the figure of section A. Then do its exercise if you want to know what an LSTM computes.
#
# ## A · For how long does a state remember?
#
# We move the first word's vector a little and measure how much the state moves, n words later. We compare three untrained networks: a plain RNN, PyTorch's
# LSTM, and an LSTM whose **forget gate** ([遗忘门](../glossary.md#sequences)) was opened.

# %% key="predict-memory" further=true
predict("05-memory", "After 30 words, whose state depends least on the first?",
        guess=None,
        choices={"rnn": "the plain RNN", "lstm": "the LSTM as torch makes it"})

# %% key="memory" seconds=6 further=true
influence = {name: remembering.influence(name) for name in remembering.KINDS}
pictures.show_influence(influence)
say("forget gate, geometric mean:", f"{remembering.forget_gate():.3f}")
last = {name: values[-1].item() for name, values in influence.items()}
reveal("05-memory", min(("rnn", "plain RNN"), ("lstm", "LSTM as torch makes it"),
                        key=lambda choice: last[choice[1]])[0])

# %% [markdown] key="memory-lesson" further=true
# After 30 words the influence of the first word is 3 · 10⁻¹⁰ in the plain RNN and 4 · 10⁻⁷ in the new LSTM (1 after one word). With the open gate it is still 1.1. The reason
# is the cell state:
#
# $$c_t = f_t \odot c_{t-1} + i_t \odot g_t \qquad h_t = o_t \odot \tanh(c_t)$$
#
# The gates $i, f, o$ are sigmoids, so they lie between 0 and 1. The candidate $g$ is a tanh. All four are computed from the word and the old $h$. In a new LSTM the
# forget gate is about ½. Over many words its geometric mean counts, and we measured .485. So the gates alone lose more than half of the memory with every word. With
# $f$ near 1 the memory stays. Training can open the gate where that lowers the loss.
#
# <details><summary>Derivation: back-propagation through time (BPTT) in the cell</summary>
#
# Write $\bar{x}$ for $\partial L / \partial x$. The gates are $\sigma$ or tanh of $z = W x_t + U h_{t-1} + b$.
#
# 1. $h_t = o_t \odot \tanh c_t$, so $\bar{c}_t$ receives $\bar{h}_t \odot o_t \odot (1 - \tanh^2 c_t)$.
# 2. $c_{t+1} = f_{t+1} \odot c_t + \ldots$, so $\bar{c}_t$ also receives $\bar{c}_{t+1} \odot f_{t+1}$. Add both.
# 3. Gates: $\bar{f}_t = \bar{c}_t \odot c_{t-1}$, $\bar{i}_t = \bar{c}_t \odot g_t$, $\bar{g}_t = \bar{c}_t \odot i_t$, $\bar{o}_t = \bar{h}_t \odot \tanh c_t$.
# 4. Through $\sigma' = \sigma (1 - \sigma)$ and $\tanh' = 1 - \tanh^2$ these become $\bar{z}_t$, and $\bar{h}_{t-1}$ receives $U^\top \bar{z}_t$.
# 5. Along $c$ alone, $n$ words multiply $\bar{c}$ by $f_{t+1} \odot \cdots \odot f_{t+n}$. No matrix is in this product.
# 6. With $f = .485$ and $n = 29$ the product is $8 \cdot 10^{-10}$. With $f = \sigma(4) = .982$ it is .59. The measured
#    influence is larger (4 · 10⁻⁷), since $h$ carries some of it as well.
#
# A plain RNN multiplies by $U^\top \mathrm{diag}(1 - h^2)$ at every word, whatever it should keep.
# </details>

# %% [markdown] exercise="05.lstm_cell" further=true
# Compute one step: from the old state $(h, c)$ and one word's vector to the new state. The weights of the four gates stand in PyTorch's order i, f, g, o. The next
# cell compares your step with PyTorch's LSTM.

# %% key="use-cell" further=true
with waiting_for("lstm_cell"):
    lstm, words = nn.LSTM(48, 64), torch.randn(12, 5, 48)
    params = {name.removesuffix("_l0"): p for name, p in lstm.named_parameters()}
    cell_state = (torch.zeros(5, 64), torch.zeros(5, 64))
    for word in words:
        cell_state = lstm_cell(word, cell_state, params)
    difference = (cell_state[0] - lstm(words)[0][-1]).abs().max()
    say("largest difference from torch:", f"{difference:.0e}")

# %% [markdown] key="batches"
# ## 2 · Sentences of different lengths
#
# A batch is a rectangle, so short sentences are filled up with **padding** ([填充](../glossary.md#text-and-ids)). We measure what it does to the state, and remove the damage.

# %% key="batch-figure"
sentences = ["他 的 箱子 很 小", "女孩 不 喜欢 游泳", "明天 他们 会 走路 去 医院"]
sentences += ["上周 我 和 学生 们 一起 打 了 篮球"]
meanings = {"他": "he", "的": "'s", "箱子": "box", "很": "very", "小": "small"}
meanings |= {"女孩": "girl", "不": "not", "喜欢": "like", "游泳": "swim"}
meanings |= {"明天": "tomorrow", "他们": "they", "会": "will", "走路": "walk"}
meanings |= {"去": "go to", "医院": "hospital", "上周": "last week", "我": "I"}
meanings |= {"和": "with", "学生": "student", "们": "(plural)", "一起": "together"}
meanings |= {"打": "play", "了": "(past)", "篮球": "basketball"}
sentence_grid.show_batch(sentences, meanings)

# %% [markdown] key="padding-question"
# An LSTM treats `<pad>` like any other word. Even where the row of `<pad>` is zero, the biases and the old $h$ are not. So it goes on computing. The state at the end of
# the row is then not the state at the end of the sentence.

# %% key="predict-padding"
predict("05-pad-state", "A sentence of 4 words in a batch 9 wide: "
        "how far does its last h move, in percent of its norm?", guess=None, within=0.2)

# %% key="padding"
torch.manual_seed(0)
table = nn.Embedding(len(translation.CHINESE()), 48, padding_idx=0)
lstm = nn.LSTM(48, 64, batch_first=True)
ids = torch.tensor([translation.CHINESE().encode(sentences[1])])
alone = lstm(table(ids))[1][0]
padded = lstm(table(F.pad(ids, (0, 5))))[1][0]
change = ((padded - alone).norm() / alone.norm()).item()
reveal("05-pad-state", round(100 * change))

# %% [markdown] key="packing"
# Five columns of padding move h by 92 % of its norm. The remedy is a **packed sequence** ([打包序列](../glossary.md#sequences)). `pack_padded_sequence`
# stores the words of each step, and how many rows have not ended (the last line of the figure). So each row's state is the one after its last real word.
# `pad_packed_sequence(outputs, batch_first=True, total_length=S)` makes a rectangle of S columns again, with zeros at padding.

# %% key="packing-run"
rectangle = table(F.pad(ids, (0, 5)))
packed = pack_padded_sequence(rectangle, torch.tensor([4]), batch_first=True,
                              enforce_sorted=False)
say("packed, last h moves by:", f"{(lstm(packed)[1][0] - alone).abs().max():.0e}")

# %% [markdown] key="bug-super" further=true
# ### Find the bug: an encoder in print
#
# S1 is one of the five Chinese tutorials that this course grew out of (`ledger("S1")` lists its claims). It shows this much of its encoder:
#
# > `def __init__(self, vocab_size, embed_size, hidden_size, num_layers=1):…self.embedding = nn.Embedding(vocab_size, embed_size,
# > padding_idx=0)` (S1, “4.1 LSTM Seq2Seq中的embedding应用”)

# %% key="bug-super-run" further=true
class PrintedEncoder(nn.Module):
    def __init__(self, vocab_size, embed_size, hidden_size, num_layers=1):
        self.embedding = nn.Embedding(vocab_size, embed_size, padding_idx=0)


try:
    PrintedEncoder(178, 48, 64)
except AttributeError as error:
    print("AttributeError:", error)

# %% [markdown] key="bug-super-lesson" further=true
# The line `super().__init__()` is missing. It makes the dictionaries in which `nn.Module` keeps its parameters. S1's decoder and the class of its 4.5 lack it too. (S1's
# whole program stands on another page.) Python raises an error here. The mistakes of section D raise none.

# %% [markdown] exercise="05.Encoder"
# Write the **encoder** ([编码器](../glossary.md#sequences)), the network that reads. Lengths may come in any order. Padding changes nothing, whatever ids it has. You train it in
# section 4, and attention looks at its outputs in section 6.

# %% [markdown] key="decoder"
# ## 3 · What the decoder reads and writes
#
# Now we prepare what the **decoder** ([解码器](../glossary.md#sequences)) reads in training, and what it should write. It is a language model as in notebook 04: given the words so
# far, it predicts the next one. It starts from the encoder's state. In training it reads the **true** words before each position, even where it would have written others. This is **teacher forcing**
# ([教师强制](../glossary.md#sequences)). So all positions are trained at once, and input and target are the same words, one step apart.

# %% key="shift-figure"
sentence_grid.show_shift(["his", "box", "is", "very", "small"])

# %% [markdown] exercise="05.shift_targets"
# Make the two rows of the figure for a padded batch. Mind where `<eos>` goes in a row that ends early. You use this in every training step of section 4.

# %% [markdown] key="stop" stop=true
# You have an encoder that padding does not disturb, and the decoder's input and target. The second sitting trains both, finds the bottleneck of the state, and goes
# around it with attention.

# %% [markdown] key="training-text"
# ## 4 · The decoder, and training
#
# We build the decoder, train it together with your encoder, and look at its mistakes.

# %% [markdown] exercise="05.Decoder"
# Build it from a table, an LSTM and a linear layer, and return the state as well. So it can read all words at once (training) or one at a time (translating). The next cells train it.

# %% [markdown] key="own-run"
# The next cells train on 20,000 pairs: 1,250 batches of 64, with Adam. Sentences whose meaning occurs in the test set are left out. The loss is the **cross-entropy**
# ([交叉熵](../glossary.md#language-models)) of notebook 04, and padding does not count. Two things are new:
#
# - The gradient of a recurrent network is sometimes very large. So the gradients of all parameters together are clipped to norm 1.
# - `OneCycleLR` raises the learning rate in the first tenth of the steps and then lowers it to nearly 0.

# %% key="own-model"
chinese, english = translation.CHINESE(), translation.ENGLISH()  # the vocabularies
# waiting_for: while one of these is still a stub, the cell says so
with waiting_for("Encoder", "Decoder"):
    torch.manual_seed(0)
    encoder = Encoder(len(chinese), 48, 64, pad=0)
    decoder = Decoder(len(english), 48, 64, pad=0)
    learned = [*encoder.parameters(), *decoder.parameters()]
    optimizer = torch.optim.Adam(learned, lr=5e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=1250,
                                                   pct_start=0.1)

# %% key="own-step"
def step(batch):
    source, source_lengths, target, target_lengths = batch
    target = target[:, : target_lengths.max()]
    decoder_input, wanted = shift_targets(target, english.bos, english.eos, 0)
    _, state = encoder(source[:, : source_lengths.max()], source_lengths)
    logits, _ = decoder(decoder_input, state)  # all positions at once
    # the mean over real words: padding has the id 0, and does not count
    loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=0)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(learned, 1.0)
    optimizer.step()
    schedule.step()
    return loss.item()

# %% key="own-training" seconds=44
unseen = translation.held_out()  # 2,000 pairs with meanings that training never had
with waiting_for("Encoder", "Decoder", "shift_targets"):
    batches = Batches(translation.text().tensors, 64, 1250)
    training = train(step, batches, "your encoder and decoder")  # calls step
    trained = encoder.eval(), decoder.eval()
    written, correct = own_pieces.decode(*trained, unseen)
    say("first loss:", f"{training.losses[0]:.2f}")
    say("sentences without a wrong word:", f"{correct.float().mean():.3f}")
    for number in (~correct).nonzero()[:3, 0].tolist():
        pair = unseen.pairs[number]
        say("{raw}\n  right:   {right}\n  written: {written}",
            raw=pair.raw, right=pair.english, written=written[number])

# %% [markdown] key="own-lesson"
# The first loss is that of guessing among 235 words, log 235 = 5.46 nats. After training, about 90 % of the unseen sentences come out without a wrong word. To write, the
# decoder reads its own last word and takes the most probable next one: **greedy decoding** ([贪心解码](../glossary.md#sequences), further).
#
# Look at the mistakes. They are fluent English that says something else: another thing, or an action too few. The decoder is a good language model. What it loses is the *source*.

# %% [markdown] key="bottleneck"
# ## 5 · The bottleneck of the state
#
# We test how much one state can hold. It has 2 · 64 numbers, and the decoder gets nothing else of the Chinese text. In these recorded runs every second text is **two** sentences, one
# after the other.

# %% key="predict-two"
predict("05-two", "One state: which fraction of texts of 19 to 26 words comes out "
        "right? (0 to 1)", guess=None, within=0.2)

# %% key="lengths-joined"
joined = curves.load("05_joined", rerun=RERUN and translation_experiments.joined)
shares = {"attention": {}, "plain": {}}  # fraction of right texts by number of words
for name, share in joined.numbers.items():
    model, length = name.split(", ")
    shares[model][length] = share
question = "One sentence or two: how many of each length come out right?"
pictures.show_lengths({"plain": shares["plain"]}, question)
reveal("05-two", round(shares["plain"]["19–26"], 2))

# %% [markdown] key="joined-lesson"
# Of the texts of up to 12 words 65 to 86 % come out right. Of longer texts, nearly all of them two sentences, only 6 to 9 % do. (One run.) Every text must fit into 128 numbers: this is the
# **bottleneck** ([瓶颈](../glossary.md#sequences)). Length is not the only cause. Trained on single sentences, the same model gets at least 95 % of those with 12 to 14 words right (two runs).

# %% [markdown] key="attention-text"
# ## 6 · Attention: look at the source again
#
# Now the decoder may look at every Chinese word before it writes the next English one: **attention** ([注意力](../glossary.md#attention-and-sentences)). Its $h$ is the
# **query** ([查询](../glossary.md#attention-and-sentences)). The encoder's outputs, one for each Chinese word, are the memory. A dot product compares the query with each of them, and
# their weighted sum is the context:
#
# $$\text{weights} = \text{softmax}(\text{memory} \cdot h) \qquad \text{context} = \sum_s \text{weights}_s\, \text{memory}_s$$
#
# After a softmax every position has some weight. So mask the *scores* before the softmax, and padding gets none.

# %% [markdown] key="picture-text" further=true
# *Which to do first:* `greedy_decode` in section B, which every translator needs. Then look at the figure of section D.
#
# ### The model with attention
#
# The figure shows the whole model and the shapes between its parts. A batch has B pairs, padded to S Chinese and T English words. A word has d dimensions and a state H. The English
# vocabulary has V words.

# %% key="picture" further=true
first = translation.batch_of([rows[:32] for rows in translation.text().tensors])
sizes = {"B": len(first.source), "S": first.source.shape[1], "T": first.fed.shape[1]}
models.encoder_decoder(sizes | {"d": 48, "H": 64, "2H": 128, "V": len(english)})

# %% [markdown] exercise="05.attend"
# Compute context and weights for one query a row. Do not scale the scores (notebook 07 says when to scale). You use it in this section and in the summary, and
# notebook 07 builds the Transformer's attention from it.

# %% [markdown] key="headline"
# The next cell trains a model with the same sizes, sentences and steps as yours. Only attention is new. It is the course's own model and uses PyTorch's attention.
# Then your `attend` takes its place.

# %% key="train-attention" seconds=38
run = translation.train(translation.Setting(), "with attention")
translation_tables.keep_tables(run.model)  # notebook 10 compares the two languages
source = unseen.chinese, unseen.chinese_lengths
translations = translation.translate(run.model, *source)
share = translation.right(translations, unseen).float().mean().item()
say("sentences without a wrong word:", f"{share:.3f}")
with waiting_for("attend"):
    run.model.own_attend = attend
    with_yours = translation.right(translation.translate(run.model, *source), unseen)
    say("with your attend:", f"{with_yours.float().mean():.3f}")
run.model.own_attend = None
pictures.show_lengths(shares, question)

# %% [markdown] key="headline-lesson"
# With attention 99.6 % of the single sentences come out right, instead of about 90 %. The figure shows the recorded runs on one sentence or two. With attention 97 to 100 % of every
# length are right. The bottleneck is gone.

# %% [markdown] key="alignment-text"
# Where does the model look while it writes? The figure shows the weights for *he will go to the library by bus tomorrow*. Each row is an English word, each column a
# Chinese one. Dark means much weight. Which source word belongs to which written one is called the **alignment** ([对齐](../glossary.md#sequences)).

# %% key="predict-tomorrow"
predict("05-tomorrow", "At which of the 7 Chinese words does it look most when it "
        "writes tomorrow? (1 to 7)", guess=None, within=0)

# %% key="alignment"
sentence = "他 明天 会 坐 公共汽车 去 图书馆"
meanings |= {"坐": "sit in", "公共汽车": "bus", "图书馆": "library"}
run.model.own_attend = own_answers.own("05.attend")  # yours, once it passed its check
looks = translation.alignment(run.model, sentence)  # words, words, weights (T, S)
alignment.card(looks, meanings, share, run.parameters, run.seconds,
               mine=run.model.own_attend is not None)
row = looks[1].index("tomorrow") if "tomorrow" in looks[1] else 0
reveal("05-tomorrow", int(looks[2][row].argmax()) + 1)

# %% [markdown] key="alignment-lesson"
# No alignment was given in training. The model learned the word order itself: *library* looks at the last word, and *tomorrow*, written last, near the front.
#
# But be careful. In our run *tomorrow* looks at 会 (*will*), one position *after* 明天. That is no mistake: the memory at 会 is the LSTM's state after that word, and
# holds the words before it as well. **Attention weights say where the model read. They do not say which word means what.**

# %% [markdown] key="greedy" further=true
# ## B · Greedy decoding, and whether a search finds more
#
# In use there are no true words. The most probable word is fed back as the next input until `<eos>` comes. So far a function of the course did this for you.

# %% [markdown] exercise="05.greedy_decode" further=true
# Decode a whole batch. Each row stops at its own `<eos>`, and the others go on. The next cells translate with it and compare it with beam search.

# %% key="use-greedy" further=true
with waiting_for("greedy_decode"):
    width = int(unseen.chinese_lengths.max())
    rows = greedy_decode(*trained, unseen.chinese[:, :width], unseen.chinese_lengths,
                         16, english.bos, english.eos)
    decoded = [english.decode(row) for row in rows]
    same = sum(a == b for a, b in zip(decoded, written, strict=True))
    say("the same as the course's: {same:,} of 2,000", same=same)

# %% [markdown] key="beam-text" further=true
# ### Is the sentence that it writes the most probable one?
#
# The probability of a sentence is the product of its words' probabilities. A second-best word now may lead to a better sentence. If greedy decoding writes a sentence
# although the model gives another one a larger total log-probability, that is a **search error** ([搜索错误](../glossary.md#sequences)). **Beam search**
# ([束搜索](../glossary.md#sequences)) keeps several beginnings instead of one.

# %% [markdown] exercise="05.beam_search" further=true
# Keep the `width` best beginnings at each step, and every sentence that has ended. The next cell compares it with the exact search.

# %% [markdown] key="beam-measure" further=true
# In this small language the most probable sentence can be found exactly. Log-probabilities are never above 0, so a beginning that is already worse than a complete
# sentence can be dropped. `exact_best` always continues the best open beginning. We compare it with your greedy decoding and your beam search on twelve unseen sentences.

# %% key="predict-beam" further=true
predict("05-beam", "For how many of the twelve sentences does greedy decoding miss "
        "the most probable one? (0 to 12)", guess=None, within=0)

# %% key="beam-own" further=true
with waiting_for("greedy_decode", "beam_search"):
    missed, correct_by = Counter(), Counter()
    for pair in unseen.pairs[:12]:
        # next_word: prefixes -> log-probabilities
        next_word = search.next_word(*trained, pair.chinese)
        best, highest = search.exact_best(next_word)
        source_ids = torch.tensor([chinese.encode(pair.chinese)])
        source_length = torch.tensor([source_ids.shape[1]])
        decoded = {"exact best": best, "greedy": greedy_decode(
            *trained, source_ids, source_length, 16, english.bos, english.eos)[0]}
        for beam in (2, 4, 8):
            decoded[f"beam of {beam}"] = beam_search(
                next_word, english.bos, english.eos, beam, 16)
        for name, words in decoded.items():
            missed[name] += search.total(next_word, words) < highest - search.SAME
            correct_by[name] += english.decode(words) == pair.english
    show_table({name: (missed[name], correct_by[name]) for name in decoded},
               columns=("missed", "right"))
    reveal("05-beam", missed["greedy"])

# %% [markdown] key="beam-lesson" further=true
# The first column counts how often the **search** missed the model's most probable sentence. A wider beam misses it less often. The second column is about the **model**:
# where its most probable sentence is a wrong translation, no search helps. A search error can even be lucky. With twelve sentences a difference of one or two is chance. A
# beam of 8 calls the decoder with up to eight times as many prefixes, so compare both columns before you pay for it.

# %% [markdown] key="loss-text" further=true
# ## C · What counts in the loss, and in the score
#
# The target has padding, too. We leave it out of the loss. It is easy to learn that `<pad>` follows `<eos>`, and easy positions make a mean look good.

# %% key="predict-dilution" further=true
predict("05-dilution", "Real words cost 2 nats each, padding costs 0. A third of all "
        "positions is padding. The mean that counts it?", guess=None, within=0.02)

# %% key="dilution" further=true
costs = torch.tensor([2.0, 2.0, 2.0, 2.0, 0.0, 0.0])
real = torch.tensor([1, 1, 1, 1, 0, 0]).bool()
say("all positions:", f"{costs.mean():.2f}")
say("real words:", f"{costs[real].mean():.2f}")
reveal("05-dilution", round(costs.mean().item(), 2))

# %% [markdown] exercise="05.masked_cross_entropy" further=true
# Write out what `F.cross_entropy(…, ignore_index=pad)` does: the mean over real words. The next cell measures your trained model with it.

# %% key="use-loss" further=true
with waiting_for("masked_cross_entropy"), torch.no_grad():
    batch = translation.batch_of([tensor[:64] for tensor in unseen.tensors])
    _, state = trained[0](batch.source, batch.lengths)
    logits, _ = trained[1](batch.fed, state)
    say("padding, fraction of positions:", f"{(batch.wanted == 0).float().mean():.2f}")
    say("real words:", f"{masked_cross_entropy(logits, batch.wanted, 0):.2f}")
    everything = F.cross_entropy(logits.flatten(0, 1), batch.wanted.flatten())
    say("all positions:", f"{everything:.2f}")

# %% [markdown] key="use-loss-lesson" further=true
# Here padding makes the loss larger, not smaller: your decoder was never trained to write `<pad>`. In either direction, a mean over all positions is not the loss of a word.

# %% [markdown] key="bleu-lesson" further=true
# ### What BLEU counts
#
# **BLEU** (Papineni et al. 2002) asks what fraction of the written **n-grams** of one to four words also stand in the reference. None counts more often than it stands there.
# The counts are summed over all sentences, and BLEU is the geometric mean of the four fractions. That alone would favour short texts. So there is a
# **brevity penalty** ([过短惩罚](../glossary.md#sequences)). If c words were written, the references have r, and c is less than r, the score is multiplied by exp(1 - r/c).
# We count two mistakes in *he will go to the library by bus tomorrow* by hand:

# %% key="bleu-by-hand" further=true
precisions = {  # of n-grams of one to four words, and the number of words written
    "… to the SCHOOL by bus tomorrow": ((8 / 9, 6 / 8, 4 / 7, 2 / 6), 9),
    "… to the library by bus": ((8 / 8, 7 / 7, 6 / 6, 5 / 5), 8),
}
show_table({text: (math.prod(fractions) ** 0.25, math.exp(min(0, 1 - 9 / length)))
            for text, (fractions, length) in precisions.items()},
           columns=("geometric mean", "brevity penalty"), format=".2f")

# %% [markdown] exercise="05.bleu" further=true
# Compute these numbers for any sentences: sums over all sentences first, then four divisions. The next cell compares your BLEU with sacrebleu's.

# %% key="bleu-own" further=true
recorded_bleu = sacre.bleu(translations, [pair.english for pair in unseen.pairs])
say("2,000 sentences, sacrebleu:", f"{recorded_bleu:.1f}")
with waiting_for("bleu"):
    fifty = bleu_pairs()  # with the BLEU that sacrebleu gave them
    pairs = zip(fifty.candidates, fifty.references, strict=True)
    scores = [100 * bleu([candidate], [reference]) for candidate, reference in pairs]
    difference = max(abs(a - b) for a, b in zip(scores, fifty.scores, strict=True))
    together = 100 * bleu(fifty.candidates, fifty.references)
    unseen_bleu = 100 * bleu([text.split() for text in translations],
                             [pair.english.split() for pair in unseen.pairs])
    say("2,000 sentences, yours:", f"{unseen_bleu:.1f}")
    say("fifty pairs, largest difference:", f"{difference:.0e}")
    say("all fifty together: {yours:.2f} (sacrebleu {sacrebleu:.2f})",
        yours=together, sacrebleu=fifty.together)
    say("mean of the fifty:", f"{sum(scores) / 50:.2f}")
    say("pairs with BLEU 0:", sum(score == 0 for score in scores))

# %% [markdown] key="bleu-flatters" further=true
# The BLEU of all pairs together is not the mean of their BLEUs, and five pairs have BLEU 0 though some of their words are right. Papers report BLEU, since real sentences have
# many right translations. Here each has one, so we can ask for every word. BLEU flatters: the sentence that sends him to school still has .60, and among 2,000 others it hardly
# shows.

# %% [markdown] key="wrong-text" further=true
# ## D · It trained, and it was wrong
#
# We compare a right run with three that have one common mistake each. All four are recorded and without attention, and all four losses fall.
#
# - **state at padding**: no packing; the decoder starts from the state at the end of the rectangle;
# - **target not shifted**: the decoder reads the very word that it should write;
# - **loss counts padding**: the mean is taken over all positions.

# %% key="predict-slips" further=true
predict("05-slips", "Which of the four has the lowest loss at the end?", guess=None,
        choices={"right": "the right run", "state": "state at padding",
                 "target": "target not shifted", "loss": "loss counts padding"})

# %% key="slips" further=true
mistakes = curves.load("05_slips", rerun=RERUN and translation_experiments.slips)
pictures.show_slips(mistakes)
best = min(mistakes.curves, key=lambda name: mistakes.curves[name][-1][1])
reveal("05-slips", best)

# %% [markdown] key="slips-lesson" further=true
# - **Not shifted** has by far the lowest loss and translates nothing. It learned to copy its input, and in use there is nothing to copy.
# - **Counting padding** has a lower loss than the right run and a slightly worse translation (90 against 93 %; one run each). The two losses are means over different
#   positions. Never compare them.
# - **State at padding** ends at a loss of .16 instead of .07, but you rarely have the right curve beside yours. Its decoder learned the padding that batches happen to have. With
#   twenty more columns of padding (hatched) it gets 1 % right, while the right run keeps every sentence.
#
# The curves do not show these mistakes. Three tests find them:
#
# - Translate unseen sentences.
# - Translate one sentence **alone and in a wide batch**, and compare.
# - Train with the source of another sentence. The loss must not go to zero.

# %% [markdown] key="tables-text" further=true
# ## E · The embedding table: how many dimensions, how many tables?
#
# A common rule of thumb takes the fourth root of the vocabulary size as the **dimension** ([嵌入维度](../glossary.md#the-table)). For 178 words that is 4. S1 has a table:
#
# > “小型（<1万词汇） | 32-128 | 避免过拟合” (*small (under 10,000 words) | 32–128 | avoids overfitting*; S1, “4.2 embedding维度选择指南”)
#
# We measure both.

# %% key="predict-width" further=true
predict("05-width", "The smallest of the dimensions 2, 4, 8, 16, 48, 128 with which "
        "90 % come out right?", guess=None, within=0)

# %% key="widths" further=true
widths = curves.load("05_widths", rerun=RERUN and translation_experiments.widths)
pictures.show_widths(widths)
reached = [int(name) for name in widths.curves if widths.numbers[name] >= 0.9]
reveal("05-width", min(reached, default=128))

# %% [markdown] key="widths-lesson" further=true
# With the fourth root one sentence in thirteen comes out right. S1's range works, and so do 16 dimensions. Beyond 48 more dimensions only cost parameters. (One run each: some
# tenths of a percent are chance.) Four numbers suffice to tell 178 words apart, but not to learn in 1,250 steps how they differ. The dimension that suffices depends on task and
# training time, so **measure it on your task**. Notebook 11 does so for search.
#
# ### One table or two?
#
# English words stand in two tables: the decoder's embedding table and the output layer. They can share one matrix: **weight tying**
# ([权重绑定](../glossary.md#attention-and-sentences)). Chinese and English have no word in common here, so sharing a table between them gains nothing.

# %% key="tables" further=true
tables = curves.load("05_tables", rerun=RERUN and translation_experiments.tables)
common = set(translation.CHINESE().words) & set(translation.ENGLISH().words)
say("in both vocabularies:", *sorted(common))
sizes = {name: int(tables.numbers[f"{name}, parameters"]) for name in tables.curves}
show_table({tables.label(name): (size, tables.numbers[name])
            for name, size in sizes.items()},
           columns=("parameters", "right"), format=".3f")

# %% [markdown] key="tables-lesson" further=true
# One table instead of two saves a sixth of all parameters. The translations differ in a handful of sentences, from one run each.
#
# The last three lines have only **1,000** translated pairs to learn from. Their Chinese table starts at random, or from vectors made beforehand from Chinese sentences alone (as in
# notebook 02). Such vectors raise the right translations from 48 to 66 %, and to 69 % if they are frozen. With 20,000 pairs 99.6 % are right without them.
#
# ### Words that training never had
#
# 熊猫 (*panda*) occurs in no training sentence. It becomes `<unk>`, a row that training never changed.

# %% key="predict-panda" further=true
predict("05-panda", "What does the model write for 熊猫?", guess=None,
        choices={"unk": "<unk>", "nothing": "nothing: it leaves the word out",
                 "another": "another word"})

# %% key="panda" further=true
unknown = ["女孩 昨天 看见 了 一 只 熊猫", "他 明天 会 买 一 本 词典", "熊猫 在 公园 里"]
answers = translation.say(run.model, unknown)
for text, answer in zip(unknown, answers, strict=True):
    print(f"{text:24} {answer}")
kind = "another" if len(answers[0].split()) > 5 else "nothing"
reveal("05-panda", "unk" if "<unk>" in answers[0] else kind)

# %% [markdown] key="panda-lesson" further=true
# It does not write `<unk>`, since no training sentence has `<unk>` as its target. It writes a fluent sentence that is false. Not only the panda is lost: the row of `<unk>` still
# holds its random start, and that can change the whole state.
#
# Does it help to meet `<unk>` in training? In this recorded run the Chinese vocabulary holds only the 96 most frequent words. All others are `<unk>` from the start:

# %% key="narrow" further=true
narrow = curves.load("05_unknown_words", rerun=RERUN and translation_experiments.narrow)
say("all words known: {share:.1%} right", share=narrow.numbers["all known"])
say("some words unknown: {share:.1%} right", share=narrow.numbers["some unknown"])

# %% [markdown] key="narrow-lesson" further=true
# More than half of the sentences with a hidden word come out right: the model learned to guess it from the words around it. The guess is as fluent as everything else. Today's
# systems therefore split words into pieces (byte pairs, notebook 01): 熊猫 becomes two known pieces, bear and cat.

# %% [markdown] key="where-to" further=true
# *Where this goes:* notebook 07 drops the LSTM and keeps attention. Sources: Hochreiter and Schmidhuber (1997) for the cell, Gers et al. (2000) for the forget gate, Sutskever et al.
# (2014) for encoder and decoder, Bahdanau et al. (2015) and Luong et al. (2015) for attention.

# %% [markdown] key="reflection" reflection=3
# ## 7 · In your own words (3 points, graded by a person)
#
# A colleague's translation model has a training loss of 0.02 and gets 97 % of the test sentences right, in batches of 64. In production sentences come one at a time, and
# users complain. Name a cause that fits *all* of this, and the test that would have found it.
#
# *Points: (1) a cause by which results depend on the batch, and how; (1) why neither loss nor test score showed it; (1) a test that compares one sentence in two batches,
# and what must be equal.*

# %% [markdown] key="reflection-model" model_answer=true
# The encoder reads padding: its state is taken at the end of the padded rectangle instead of after the last word. In batches of 64 nearly all sentences are padded to about
# the same width, in training and in the test. So the decoder has learned states that have run through some padding, and loss and score are measured with them. A single
# sentence has no padding and gives a state that the decoder has rarely seen. Test: encode a sentence alone and again in a batch with a much longer one. State and outputs at
# its words must agree to rounding, and so must the translations.

# %% [markdown] key="card-text"
# ## 8 · Summary
#
# Every lesson ends with the course's five questions. Here **no engine** answers them: your translator knows 178 Chinese words and nothing about code. The lesson shows why no
# later engine keeps a text in the last state of an LSTM. **The state keeps the grammar and forgets which things the text names.** A search needs just these.

# %% key="card"
five_questions("05", "no engine", None)

# %% [markdown] key="take-along"
# **What you take along.** One state can carry a short sentence. Attention lets the decoder look at all of a long one. The vector of a sentence must not depend on padding or on
# the rest of its batch.
#
# Next, notebook 06: *how does a model know what comes first?*

# %% key="where-next"
progress()
