# %% [markdown] key="title"
# # 05 · LSTM translation
#
# **How does one sentence become another?**
#
# 他明天会坐公共汽车去图书馆 has seven words, *he will go to the library by bus tomorrow* has nine, and 明天 (*tomorrow*) has gone from the second position
# to the last. So a word-by-word dictionary will not do. One network reads the sentence, another writes a new one. You build both, and train them in
# seconds.
#
# **Afterwards you can**
# - batch sentences of different lengths so that padding changes nothing;
# - train a decoder on the true words and let it write without them;
# - add attention and read where each word looks;
# - further: open a forget gate, and catch three mistakes whose loss curves look fine.
#
# **{minutes}.** Builds on notebooks 02 (padding rows) and 04 (a model that predicts the next word).

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
from embedding_course import case, check, glossary, hint, ledger, predict, progress, reveal, waiting_for
from embedding_course.learner import own_answers as pieces

# %% key="figures"
from embedding_course.data.bleu_pairs import bleu_pairs
from embedding_course.data.micro import micro_language
from embedding_course.experiments.lstm_seq2seq import bleu as sacre
from embedding_course.experiments.lstm_seq2seq import own_pieces, remembering, search, translation, translation_experiments, translation_tables
from embedding_course.experiments import curves
from embedding_course.experiments.training import Batches, train
from embedding_course.plot import alignment, sentence_grid
from embedding_course.plot import translation as pictures
from embedding_course.plot.architecture import models
from embedding_course.plot.chinese import say_how
RERUN = False  # True: the recorded runs are done again here (some minutes)

# %% [markdown] key="text"
# ## 1 · The task, and a state that reads
#
# The sentences come from the **micro-language** ([微型语言](../glossary.md#language-models)), a small grammar of Chinese and English: 70,000 pairs, each Chinese sentence with
# exactly one right translation.

# %% key="text-look"
for pair in micro_language().pairs("test", 5, seed=2):
    print(f"{pair.chinese:32} {pair.english}")

# %% [markdown] key="order"
# The mean of the word vectors cannot translate: 猫追狗 and 狗追猫, *the cat chases the dog* and *the dog chases the cat*, have the same
# mean. A **recurrent network** ([循环网络，长短期记忆网络](../glossary.md#sequences)) reads word by word and keeps a state: new state = f(old state, word).
# You will use an **LSTM**, whose state has two parts: what it says, h, and its memory, c.

# %% [markdown] key="memory-text" further=true
# ### For how long does a state remember?
#
# For how long does the state depend on a word? We move the first word's vector a little and look how much the state moves, n words later. Three networks,
# all untrained: a plain RNN, an LSTM as PyTorch makes it, and one whose *forget gate* ([门](../glossary.md#sequences)) was opened.

# %% key="predict-memory" further=true
predict("05-memory", "After 30 words, whose state depends least on the first?", guess=None,
        choices={"rnn": "the plain RNN", "lstm": "the LSTM as torch makes it"})

# %% key="memory" seconds=6 further=true
kept = {name: remembering.influence(name) for name in remembering.KINDS}
pictures.show_influence(kept)
reveal("05-memory", "rnn" if kept["plain RNN"][-1] < kept["LSTM as torch makes it"][-1] else "lstm")

# %% [markdown] key="memory-lesson" further=true
# An LSTM can have a long memory; a new one has not. Its cell state goes through
#
# $$c \leftarrow f \odot c + i \odot g \qquad h = o \odot \tanh(c)$$
#
# with gates $i, f, o$ between 0 and 1 (sigmoids) and a candidate $g$ (a tanh), each computed from the word and the old $h$. A new LSTM has
# $f \approx \tfrac12$ and loses nearly half of its memory with every word. With $f$ near 1 the old state is carried on as it is: nothing is multiplied away.
# Training can open the gate where that lowers the loss.

# %% [markdown] exercise="05.lstm_cell" further=true
# One word, one step: from the old state $(h, c)$ and the word's vector to the new one. The four blocks of the weights are in PyTorch's order i, f, g, o.

# %% key="use-cell" further=true
with waiting_for("lstm_cell"):
    theirs, words = nn.LSTM(48, 64), torch.randn(12, 5, 48)
    params = {name.removesuffix("_l0"): value for name, value in theirs.named_parameters()}
    state = (torch.zeros(5, 64), torch.zeros(5, 64))
    for word in words:
        state = lstm_cell(word, state, params)
    print(f"12 words: your h differs from torch's by {(state[0] - theirs(words)[0][-1]).abs().max():.0e} at most")

# %% [markdown] key="batches"
# ## 2 · Sentences of unequal length
#
# A batch is a rectangle. Short sentences are filled up with `<pad>`.

# %% key="batch-figure"
say_how()
sentences = ["他 的 箱子 很 小", "女孩 不 喜欢 游泳", "明天 他们 会 走路 去 医院", "上周 我 和 学生 们 一起 打 了 篮球"]
sentence_grid.show_batch(sentences)

# %% [markdown] key="padding-question"
# An LSTM treats `<pad>`, the padding ([填充](../glossary.md#text-and-ids)), like any other word. Even where its row is zero there are biases and the old $h$. So it goes on
# computing, and the state at the end of the rectangle is not the state at the end of the sentence.

# %% key="predict-padding"
predict("05-pad-state", "A sentence of 4 words in a batch 9 wide: how far does its last h move, in percent of its length?", guess=None, within=0.2)

# %% key="padding"
torch.manual_seed(0)
table, reader = nn.Embedding(len(translation.CHINESE()), 48, padding_idx=0), nn.LSTM(48, 64, batch_first=True)
ids = torch.tensor([translation.CHINESE().encode(sentences[1])])
alone = reader(table(ids))[1][0]
padded = reader(table(F.pad(ids, (0, 5))))[1][0]
moved = ((padded - alone).norm() / alone.norm()).item()
reveal("05-pad-state", round(100 * moved))

# %% [markdown] key="packing"
# The remedy is the last line of the figure. `pack_padded_sequence` orders the words step by step
# and notes how many rows have not ended yet: a **packed sequence** ([打包序列](../glossary.md#sequences)). Rows that have ended are left alone, and each row's state is the one **after its last real word**.
# `pad_packed_sequence(outputs, batch_first=True, total_length=S)` makes a rectangle of S columns again, with zeros at padding.

# %% key="packing-run"
packed = pack_padded_sequence(table(F.pad(ids, (0, 5))), torch.tensor([4]), batch_first=True, enforce_sorted=False)
print(f"packed: the last h moves by {(reader(packed)[1][0] - alone).abs().max():.0e}")

# %% [markdown] key="bug-super" further=true
# ### Find the bug: an encoder in print
#
# S1, one of the five Chinese tutorials that this course grew out of (`ledger("S1")` lists what it claims), is an essay on embeddings inside an LSTM that translates. It shows of its encoder class this much (the whole program stands on another page):
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
# `nn.Module` keeps its parameters in dictionaries that `super().__init__()` makes, and that line is not there; nor is it in S1's decoder, or in the class
# of its 4.5 that shares a table. Here Python raises an error at once. The mistakes of section B, made up for this course, raise none.

# %% [markdown] exercise="05.Encoder"
# Now your encoder. Lengths may come in any order, and padding, whatever it is, changes nothing.

# %% [markdown] key="decoder"
# ## 3 · Writing, one word at a time
#
# The decoder ([编码器，解码器](../glossary.md#sequences)) is a language model as in notebook 04: given the words so far, which one is next? It starts from the encoder's state. While it learns,
# it is fed the **true** words before each position, whatever it would have said: **teacher forcing** ([教师强制](../glossary.md#sequences)). So all positions are trained at once, with input and
# target one step apart. Its loss is the **cross-entropy** ([交叉熵](../glossary.md#language-models)): minus the natural logarithm of the probability of the
# true word, on average, in **nats** ([奈特](../glossary.md#language-models)).

# %% key="shift-figure"
sentence_grid.show_shift(["his", "box", "is", "very", "small"])

# %% [markdown] key="copy-text" further=true
# ### Input and target, not shifted
#
# The decoder's input and its target are the same words, one step apart (section 3). What if somebody forgets the step?

# %% key="predict-copy" further=true
predict("05-copy", "If input and target were NOT shifted, which loss could the decoder reach? (in nats)", guess=None)

# %% key="copy-cost" further=true
reveal("05-copy", 0)

# %% [markdown] key="copy-lesson" further=true
# Zero, without reading any Chinese: the answer stands in the input. Follow the dotted lines in the figure of section 3: that is all that separates translating from
# copying.

# %% [markdown] exercise="05.shift_targets"
# Make the two rows of the figure, for a padded batch. Where does `<eos>` go in a row that ends early?

# %% [markdown] exercise="05.Decoder"
# Embedding, LSTM, scores. It gives its state back, so that it can be called for all words at once (training) or one at a time (translating).

# %% key="use-decoder"
# waiting_for: while one of these functions is still a stub, the cell says so, and shows the figure that was recorded
with waiting_for("Encoder", "shift_targets", "Decoder"), torch.no_grad():
    torch.manual_seed(0)
    numbers = len(translation.CHINESE()), len(translation.ENGLISH())  # words in each vocabulary
    _, state = Encoder(numbers[0], 48, 64)(ids, torch.tensor([len(ids[0])]))
    words = torch.tensor([translation.ENGLISH().encode("the girl does not like swimming")])
    fed, wanted = shift_targets(words, translation.ENGLISH().bos, translation.ENGLISH().eos, 0)
    logits, _ = Decoder(numbers[1], 48, 64)(fed, state)
    print(f"untrained: {F.cross_entropy(logits[0], wanted[0]):.2f} nats a word; guessing among {numbers[1]} words costs {math.log(numbers[1]):.2f}")

# %% [markdown] key="stop" stop=true
# You have an encoder that padding does not disturb, the two shifted rows, and a decoder that can write. Its first loss is that of guessing: it has learned
# nothing yet. The second sitting trains it, translates, and lets it look back.

# %% [markdown] key="loss-text"
# ### What counts in the loss
#
# The target has padding too. It must not count: to predict `<pad>` after `<eos>` is easy, and easy positions make the mean look good.

# %% key="predict-dilution"
predict("05-dilution", "Real words cost 2 nats each, padding costs 0. A third of all positions is padding. The mean that counts it?",
        guess=None, within=0.02)

# %% key="dilution"
costs, real = torch.tensor([2.0, 2.0, 2.0, 2.0, 0.0, 0.0]), torch.tensor([1, 1, 1, 1, 0, 0]).bool()
print(f"counting padding {costs.mean():.2f}, real words only {costs[real].mean():.2f}")
reveal("05-dilution", round(costs.mean().item(), 2))

# %% [markdown] exercise="05.masked_cross_entropy" further=true
# What `F.cross_entropy(…, ignore_index=pad)` does, written out: the mean over real words, however many there are, and if there are none.

# %% [markdown] key="greedy"
# When it translates, nobody knows the true words. The most probable word goes back in as the next input, until `<eos>` comes: **greedy decoding** ([贪心解码](../glossary.md#sequences)).

# %% [markdown] exercise="05.greedy_decode"
# Each row stops at its own `<eos>`; the others go on.

# %% [markdown] key="own-run"
# ### Your pieces, trained
#
# 20,000 pairs, 1,250 batches of 64, Adam. A tenth of all *meanings* is held out, so that no unseen sentence was met in other words. The state that passes from encoder to decoder holds 2 · 64 numbers, and everything about the Chinese sentence must be in
# them. A step of the training is what it was in notebook 04: loss, gradients, update. Two things are new. The gradients of all parameters together are cut to length 1, since those of a recurrent network
# are sometimes very large; and the learning rate rises in the first tenth of the steps, then falls to nearly 0: that is what `OneCycleLR` does.

# %% key="own-model"
chinese, english = translation.CHINESE(), translation.ENGLISH()  # the two vocabularies
with waiting_for("Encoder", "Decoder"):
    torch.manual_seed(0)
    encoder, decoder = Encoder(len(chinese), 48, 64, pad=0), Decoder(len(english), 48, 64, pad=0)
    learned = [*encoder.parameters(), *decoder.parameters()]
    optimizer = torch.optim.Adam(learned, lr=5e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=1250, pct_start=0.1)

# %% key="own-step"
def step(batch):
    source, source_lengths, target, target_lengths = batch
    fed, wanted = shift_targets(target[:, : target_lengths.max()], english.bos, english.eos, 0)
    _, state = encoder(source[:, : source_lengths.max()], source_lengths)
    logits, _ = decoder(fed, state)  # all positions at once, each after the true words before it
    loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=0)  # the mean over real words: padding, id 0, does not count
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(learned, 1.0)
    optimizer.step()
    schedule.step()
    return loss.item()

# %% key="own-training"
with waiting_for("Encoder", "Decoder", "shift_targets", after=["encoder", "decoder"]):
    train(step, Batches(translation.text().tensors, 64, 1250), "your encoder and decoder")  # calls step for each batch
    mine = encoder.eval(), decoder.eval()

# %% key="predict-own"
predict("05-own", "Fraction of 2,000 unseen sentences that come out without a single wrong word? (0 to 1)", guess=None, within=0.05)

# %% key="own" seconds=44
slips = curves.load("05_slips", rerun=RERUN and translation_experiments.slips)
unseen, without = translation.held_out(), {name[7:]: share for name, share in slips.numbers.items() if name.startswith("length ")}
share_without = slips.numbers["right"]
with waiting_for("Encoder", "Decoder", "shift_targets", "greedy_decode", after=["mine"]):
    said, hits = own_pieces.decode(*mine, greedy_decode, unseen)
    without, share_without = translation.by_length(hits, unseen), hits.float().mean().item()
    for one, pair in [*zip(said, unseen.pairs, strict=True)][:4]:
        print(f"{pair.chinese:30} {one}")
reveal("05-own", round(share_without, 2))

# %% [markdown] key="beam-text" further=true
# ### Is the sentence that it writes the one that it finds most probable?
#
# Greedy decoding takes the best word each time. A sentence's probability is the product of its words' probabilities, so a second-best word now may lead to a
# better sentence. Where greedy decoding writes a sentence although the model gives another one a larger total log-probability, it made a **search error** ([搜索错误](../glossary.md#sequences)).
# **Beam search** ([束搜索](../glossary.md#sequences)) keeps not one beginning but several.

# %% [markdown] exercise="05.beam_search" further=true
# Keep the `width` best beginnings at each step, and forget no sentence that has ended.

# %% [markdown] key="beam-measure" further=true
# In this small language the most probable sentence of all can be found exactly: log-probabilities are never above 0, so a beginning that is already worse than a complete
# sentence can be dropped. `exact_best` always continues the best beginning that is still open, whatever its length. Here are your decoder, your greedy decoding and your beam
# search beside it, on twelve unseen sentences.

# %% key="predict-beam" further=true
predict("05-beam", "For how many of the twelve sentences does greedy decoding miss the most probable one? (0 to 12)", guess=None, within=0)

# %% key="beam-own" further=true
with waiting_for("Encoder", "Decoder", "shift_targets", "greedy_decode", "beam_search", after=["mine"]):
    missed, right_ones = Counter(), Counter()
    for pair in unseen.pairs[:12]:
        next_word = search.next_word(*mine, pair.chinese)  # prefixes -> log-probabilities
        best, highest = search.exact_best(next_word)
        ids = torch.tensor([chinese.encode(pair.chinese)])
        found = {"exact best": best, "greedy": greedy_decode(*mine, ids, torch.tensor([ids.shape[1]]), 16, english.bos, english.eos)[0]}
        for width in (2, 4, 8):
            found[f"beam of {width}"] = beam_search(next_word, english.bos, english.eos, width, 16)
        for name, words in found.items():
            missed[name] += search.total(next_word, words) < highest - search.SAME
            right_ones[name] += english.decode(words) == pair.english
    for name in found:
        print(f"{name:10}  most probable sentence missed {missed[name]:2} of 12, translated rightly {right_ones[name]:2} of 12")
    reveal("05-beam", missed["greedy"])

# %% [markdown] key="beam-lesson" further=true
# Read the two columns apart. The first is about the **search**: a wider beam misses the most probable sentence less often, and the exact best never does, by definition. The second is
# about the **model**: where the sentence that it finds most probable is a wrong translation, no search helps, and a search error may even be lucky. A model that is sure of its words leaves a search little to
# do. So compare both columns before you pay for a wide beam: a beam of 8 calls the decoder with up to eight times as many prefixes.

# %% [markdown] key="bottleneck" further=true
# ## A · What 128 numbers cannot hold
#
# “The longer the sentence, the worse”, one often reads about such models. Is it so?

# %% key="predict-longest" further=true
predict("05-longest", "Which sentences have the larger fraction of wrong translations?", guess=None,
        choices={"short": "the short ones (3–5 words)", "long": "the long ones (12–14 words)"})

# %% key="lengths-without" further=true
pictures.show_lengths({"plain": without})
reveal("05-longest", "short" if without["3–5"] < without["12–14"] else "long")

# %% key="wrong-ones" further=true
with waiting_for("Encoder", "Decoder", "shift_targets", "greedy_decode", after=["said"]):
    wrong = [(pair, one) for pair, one in zip(unseen.pairs, said, strict=True) if one != pair.english]
    for pair, one in wrong[:4]:
        print(f"{pair.raw}\n  right: {pair.english}\n  said:  {one}")

# %% [markdown] key="bottleneck-lesson" further=true
# Not for these sentences. Fourteen words of a small language fit into 128 numbers, and long is not the same as difficult. The mistakes themselves tell more. They are
# fluent English that says something else: another thing, another person. The decoder is a good language model; what it loses is
# the *source*.
#
# So let us give the state more to hold. In these recorded runs every second text is **two** sentences, one after the other.

# %% key="predict-two" further=true
predict("05-two", "Without attention: fraction of right translations among texts of 19 to 26 Chinese words? (0 to 1)", guess=None, within=0.2)

# %% key="lengths-joined" further=true
joined = curves.load("05_joined", rerun=RERUN and translation_experiments.joined)
texts = {name: {key.split(", ")[1]: share for key, share in joined.numbers.items() if key.startswith(name)} for name in joined.curves}
pictures.show_lengths({"plain": texts["plain"]}, "One sentence or two: how many of each length come out right?")
reveal("05-two", round(texts["plain"]["19–26"], 2))

# %% [markdown] key="joined-lesson" further=true
# Now it is so, and the drop lies where one sentence ends and two begin (13 words and more are nearly always two).
# Whatever the length of the text, the encoder must put it into 128 numbers, and the decoder has nothing else up to the last word.

# %% [markdown] key="attention-text"
# ## 4 · Looking back
#
# All that your decoder knows of the Chinese sentence is one state of 2 · 64 numbers, and it goes on changing with every word that is written. Let the decoder look at the Chinese sentence again before each word: **attention** ([注意力](../glossary.md#attention-and-sentences)). Its $h$ is the query; the encoder's output at each Chinese word is
# both what the query is compared with (dot product) and what is averaged:
#
# $$\text{weights} = \text{softmax}(\text{memory} \cdot h) \qquad \text{context} = \sum_s \text{weights}_s\, \text{memory}_s$$
#
# Padding must get no weight, and after a softmax every position has some: it is the *scores* that have to be masked.

# %% [markdown] key="picture-text"
# Here is the whole model, with the shapes of what goes from part to part: a batch of B pairs, padded to S Chinese and T English words; d numbers for a word, H in a state. V is the size of the English
# vocabulary.

# %% key="picture"
first = translation.batch_of([rows[:32] for rows in translation.text().tensors])  # the first 32 pairs
sizes = {"B": len(first.source), "S": first.source.shape[1], "T": first.fed.shape[1], "d": 48, "H": 64, "2H": 128, "V": len(english)}
models.encoder_decoder(sizes)

# %% [markdown] exercise="05.attend"
# One query a row, a mask, no scaling (notebook 07 will say when to scale).

# %% [markdown] key="headline"
# Same sizes, same sentences, same steps as for your two pieces above; only attention is new. The model is the course's own and uses torch's attention; yours takes its place below. Beside the fraction of right
# sentences the cell prints BLEU, a score from 0 to 100 in which a sentence with one wrong word counts for something as well (further: what exactly it counts).

# %% key="predict-attention"
predict("05-attention", "And with attention: the fraction of unseen sentences without a wrong word? (0 to 1)", guess=None, within=0.01)

# %% key="train-attention" seconds=38
run = translation.train(translation.Setting(), "with attention")
translation_tables.keep_tables(run.model)  # notebook 10 asks where the two languages lie
said_by = translation.translate(run.model, unseen.chinese, unseen.chinese_lengths)
hits_by = translation.right(said_by, unseen)
share = hits_by.float().mean().item()
score = sacre.bleu(said_by, [pair.english for pair in unseen.pairs])
print(f"{run.parameters:,} parameters, {run.seconds:.0f} processor seconds: {share:.1%} right, BLEU {score:.1f}")
reveal("05-attention", round(share, 3))

# %% [markdown] key="lengths-both-text" further=true
# The model of section 4 may look at every Chinese word again. Here are both models, first on the single sentences, then (recorded) on the texts of one sentence or two. The vertical axes do not begin at 0 where no value is near it.

# %% key="lengths-both" further=true
pictures.show_lengths({"attention": translation.by_length(hits_by, unseen), "plain": without})
pictures.show_lengths({name: texts[name] for name in ("attention", "plain")}, "One sentence or two: how many of each length come out right?")

# %% [markdown] key="bleu-lesson" further=true
# ### What BLEU counts
#
# **BLEU** (Papineni et al. 2002) asks what fraction of the runs of one, two, three and four words that were said stand in the reference too, none counted more
# often than it stands there. It pools these counts over all sentences and takes the geometric mean of the four fractions. Alone that would favour short texts,
# so there is a *brevity penalty*: if c words were said where the references have r, and c is less, the score is multiplied by exp(1 - r/c). Two slips in
# *he will go to the library by bus tomorrow*, counted by hand:

# %% key="bleu-by-hand" further=true
slipped = {  # fractions of runs of one to four words that are in the reference, and how many of its nine words were said
    "… to the SCHOOL by bus tomorrow": ((8 / 9, 6 / 8, 4 / 7, 2 / 6), 9),
    "… to the library by bus": ((8 / 8, 7 / 7, 6 / 6, 5 / 5), 8),
}
for name, (shares, number) in slipped.items():
    print(f"{name:33} geometric mean {math.prod(shares) ** 0.25:.2f}, brevity penalty {math.exp(min(0, 1 - 9 / number)):.2f}")

# %% [markdown] exercise="05.bleu" further=true
# The figures above, for any sentences: first the sums over all of them, then four divisions.

# %% key="bleu-own" further=true
with waiting_for("bleu"):
    fifty = bleu_pairs()  # with BLEU as sacrebleu computed it: no smoothing, tokens as they are
    yours = [100 * bleu([one], [other]) for one, other in zip(fifty.candidates, fifty.references, strict=True)]
    apart = max(abs(one - other) for one, other in zip(yours, fifty.scores, strict=True))
    together = 100 * bleu(fifty.candidates, fifty.references)
    print(f"fifty pairs, one by one: yours and sacrebleu's differ by {apart:.0e} at most")
    print(f"all fifty together: yours {together:.2f}, sacrebleu's {fifty.together:.2f}; the mean of the fifty is {sum(yours) / 50:.2f}")
    print(f"pairs with BLEU 0, though not all words are wrong: {sum(score == 0 for score in yours)}")
    print(f"2,000 unseen sentences: yours {100 * bleu([one.split() for one in said_by], [pair.english.split() for pair in unseen.pairs]):.1f}")

# %% [markdown] key="bleu-flatters" further=true
# BLEU is what papers report, since real translation has many right answers. Here each sentence has one, so we can afford the stricter measure: word for word.
# Note how BLEU flatters: the sentence that sends him to school still scores .60. Pooled with 2,000 others it hardly shows.

# %% [markdown] key="alignment-text"
# Which source word belongs to which written one? That is the **alignment** ([对齐](../glossary.md#sequences)). Where does the model look while it writes *he will go to the library by bus tomorrow*? Each row is an English word, each column a Chinese one, dark means much
# weight, and each row's largest weight is written out.

# %% key="predict-tomorrow"
predict("05-tomorrow", "At which of the 7 Chinese words does it look most when it writes tomorrow? (1 to 7)", guess=None, within=0)

# %% key="alignment"
chosen = ["他 明天 会 坐 公共汽车 去 图书馆", "你 的 帽子 比 他 的 手表 贵"]
meanings = {"他": "he", "明天": "tomorrow", "会": "will", "坐": "sit in", "公共汽车": "bus", "去": "go to", "图书馆": "library"}
meanings |= {"你": "you", "的": "'s", "帽子": "hat", "比": "than", "手表": "watch", "贵": "expensive"}
found = [translation.alignment(run.model, sentence) for sentence in chosen]
alignment.show_alignment(found, meanings)
spot = found[0][1].index("tomorrow") if "tomorrow" in found[0][1] else 0
reveal("05-tomorrow", int(found[0][2][spot].argmax()) + 1)

# %% [markdown] key="alignment-lesson"
# Nobody told the model which word belongs to which. The jumps are word order, learned: *library* and *by* go to the end and back, and *tomorrow*, the last word,
# reads near the front.
#
# But be careful. In our run, *tomorrow* reads at 会 (*will*), one position *behind* 明天; that is no mistake, since the memory at a position is
# the LSTM's state **after** that word and holds the words before as well. And *bus* reads at 坐 (*sit, ride*) more than at 公共汽车, since in this small language one
# rides nothing else. **Attention weights say where the model read, not which word means what.**

# %% key="own-attend"
with waiting_for("attend"):
    run.model.own_attend = attend
    agreed = translation.translate(run.model, unseen.chinese, unseen.chinese_lengths)
    print(f"with your attend in torch's place, {sum(a == b for a, b in zip(agreed, said_by, strict=True)):,} of 2,000 translations are the same")
run.model.own_attend = None

# %% [markdown] key="wrong-text" further=true
# ## B · It trained, and it was wrong
#
# Three runs without attention, each with one mistake that is easily made. Their losses were recorded, and all of them fall as they should.
#
# - **state at padding**: no packing; the decoder starts from the state at the end of the rectangle;
# - **target not shifted**: the decoder is fed the very word that it should say;
# - **loss counts padding**: the mean is taken over all positions.

# %% key="predict-slips" further=true
predict("05-slips", "Which of the four has the lowest loss at the end?", guess=None,
        choices={"right": "the right run", "state": "state at padding", "target": "target not shifted", "loss": "loss counts padding"})

# %% key="slips" further=true
pictures.show_slips(slips)
best = min(slips.curves, key=lambda name: slips.curves[name][-1][1])
reveal("05-slips", best)

# %% [markdown] key="slips-lesson" further=true
# - **Not shifted** has by far the best loss and translates nothing. It learned to copy, and when it translates there is nothing to copy.
# - **Counting padding** has a better *number* than the right run and a slightly worse translation. The two losses are means over different things:
#   never compare them.
# - **State at padding** ends higher, at .16 instead of .07, but usually there is no right curve to compare with. Its decoder adapted to the padding that batches happen to have.
#   Give the same sentences twenty columns more (hatched), and nearly nothing is left, while the right run does not change by a single sentence. If a model's
#   answer depends on the other sentences of its batch, its test result means little.
#
# None of this is in the curves. What finds it: translate held-out sentences; translate one **alone and in a wide batch** and compare; train with
# the source of another sentence, and be alarmed if the loss still goes to zero.

# %% [markdown] key="tables-text" further=true
# ## C · The table: how wide, whose, and from where?
#
# There are many rules of thumb for the width. One that is often repeated takes the fourth root of the vocabulary: for 178 words, that is 4. S1 has a table:
#
# > “小型（<1万词汇） | 32-128 | 避免过拟合” (*small (under 10,000 words) | 32–128 | avoids overfitting*; S1, “4.2 embedding维度选择指南”)
#
# Measured:

# %% key="predict-width" further=true
predict("05-width", "The smallest width of 2, 4, 8, 16, 48, 128 that translates at least 90 % without a wrong word?", guess=None, within=0)

# %% key="widths" further=true
widths = curves.load("05_widths", rerun=RERUN and translation_experiments.widths)
pictures.show_widths(widths)
reveal("05-width", next((int(name) for name in widths.curves if widths.numbers[name] >= 0.9), 128))

# %% [markdown] key="widths-lesson" further=true
# The fourth root gets one sentence in thirteen right. S1's range works, and so do 16 numbers; from 48 on more width buys nothing but parameters. (One run
# each: some tenths of a percent are noise.) 4 numbers are enough to tell 178 words apart; but it must be learned in 1,250 steps
# that they differ, and in what. From which width on more does not help depends on task and training time: **measure it on yours** (notebook 11 does so for search).
#
# ### One table or two?
#
# The English words stand in two tables: one that feeds the decoder and one, the output layer's, that scores. They can be one (*tied*). Sharing with
# Chinese would gain nothing here: the two vocabularies have no word in common.

# %% key="tables" further=true
tables = curves.load("05_tables", rerun=RERUN and translation_experiments.tables)
common = set(translation.CHINESE().words) & set(translation.ENGLISH().words)
print("in both vocabularies:", *sorted(common))
for name in tables.curves:
    print(f"{tables.label(name):12} {tables.numbers[f'{name}, parameters']:8,.0f} parameters   {tables.numbers[name]:.1%} right")

# %% [markdown] key="tables-lesson" further=true
# The last three lines have only **1,000** translated pairs to learn from. There are plenty of Chinese sentences *without* a translation, and from their neighbouring words
# (as in notebook 02) vectors were made beforehand. They raise the fraction of right translations from 48 % to 66 %, and frozen ones do no worse: 1,000
# pairs are too few to improve on them. With 20,000 pairs there is nothing left to gain.
#
# One table instead of two saves a sixth of all parameters here; the difference in what comes out is a handful of sentences, from one run each.
#
# ### Words that training never had
#
# 熊猫 (*panda*) is in no training sentence. It becomes `<unk>`, a row that training never touched.

# %% key="predict-panda" further=true
predict("05-panda", "What does the model write for 熊猫?", guess=None,
        choices={"unk": "<unk>", "nothing": "nothing: it leaves the word out", "another": "another word"})

# %% key="panda" further=true
strange = ["女孩 昨天 看见 了 一 只 熊猫", "他 明天 会 买 一 本 词典", "熊猫 在 公园 里"]
answers = translation.say(run.model, strange)
for one, answer in zip(strange, answers, strict=True):
    print(f"{one:24} {answer}")
reveal("05-panda", "unk" if "<unk>" in answers[0] else "another" if len(answers[0].split()) > 5 else "nothing")

# %% [markdown] key="panda-lesson" further=true
# It does not write `<unk>`. No training sentence had `<unk>` as its target, so it is never written, and out comes a sentence, fluent or nearly so, that is simply
# false. Not only the panda may be lost: the row of `<unk>` still holds the random numbers that it began with, and they can change the whole state.
#
# Would it help to meet `<unk>` in training? Here the Chinese vocabulary has room for the 96 commonest words, and all others are `<unk>` from the start:

# %% key="narrow" further=true
narrow = curves.load("05_unknown_words", rerun=RERUN and translation_experiments.narrow)
print(f"all words known: {narrow.numbers['all known']:.1%} right · some unknown: {narrow.numbers['some unknown']:.1%}")

# %% [markdown] key="narrow-lesson" further=true
# More than half come out right, although a word or more is hidden: the model has learned to guess it from the words around. But it is a guess, and as fluent as all the rest. That is why today's systems cut words into pieces (byte pairs, notebook 01): 熊猫 would be two known pieces, bear and
# cat.

# %% [markdown] key="reflection" reflection=3
# ## 5 · In your own words (3 points, graded by a person)
#
# A colleague's translation model has a training loss of 0.02 and gets 97 % of the test sentences right, in batches of 64. In production, where sentences come one at
# a time, users complain. Name a cause that fits *all* of this, and describe the test that would have found it.
#
# *What earns points: (1) a cause by which results depend on the batch, with the mechanism; (1) why neither the loss nor the test score showed it; (1) a test
# that compares the same sentence in two batches, with what must be equal.*

# %% [markdown] key="reflection-model" model_answer=true
# The encoder reads padding: its state is taken at the end of the padded rectangle instead of after the last word. In batches of 64 nearly all sentences are padded to about
# the same width, in training and in the test alike, so the decoder has learned states that have run through some padding; loss and score are both
# measured under that condition. A single sentence has no padding and gives a state that it has rarely seen. Test: encode a sentence alone and again in a batch with a much longer one; state
# and outputs at its words must agree to rounding, and so must the translations.

# %% [markdown] key="card-text"
# ## 6 · Your card
#
# One sentence, seen through **your** `attend` once it has passed its check (PyTorch's until then), and the fraction of 2,000 unseen sentences
# that came out right with it.

# %% key="card"
run.model.own_attend = pieces.own("05.attend")
alignment.card(translation.alignment(run.model, chosen[0]), meanings, translation.exact(run.model, unseen), run.parameters, run.seconds,
               mine=run.model.own_attend is not None)

# %% [markdown] key="where-to" further=true
# *Where this goes:* the LSTM's state was the bottleneck and attention went around it. Notebook 07 leaves the LSTM out altogether. Hochreiter and Schmidhuber (1997) for
# the cell; Gers et al. (2000) for the forget gate; Sutskever et al. (2014) for one network that reads and one that writes; Bahdanau et al. (2015) and Luong et al. (2015) for attention.

# %% [markdown] key="take-along"
# **What you take along.** One state can carry a short sentence; attention lets the decoder look back at all of a long one. A sentence's vector must not depend
# on the rest of its batch, nor on padding.
#
# Next, notebook 06: *how does a model know what comes first?*

# %% key="where-next"
progress()
