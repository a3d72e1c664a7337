# %% [markdown] key="title"
# # 01 · One-hot and lookup
#
# **How does a word become numbers?**
#
# A network adds and multiplies. A word can do neither. Between the two stands a table with one row of numbers for
# each word. This notebook builds everything up to that table, and ends with a tokenizer of your own that can run in
# tiktoken, the engine of GPT-4's tokenizer.
#
# **Afterwards you can**
# - give the words of a text ids, and say what happens to a word that has none;
# - show that one-hot vectors, a matrix product, a linear layer and a table lookup are one and the same thing;
# - say from your own measurement what each of them costs, in bytes and in microseconds;
# - train byte-pair encoding, encode and decode with it, and explain why Chinese used to cost more than English.
#
# **About 90 minutes** with the core exercises; the further ones take another half hour. Builds on basic Python
# and a little PyTorch, and on no other notebook.

# %% key="setup"
# (the setup cell that all notebooks share stands here)

# %% key="imports" given=true
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import regex
import tiktoken
import torch
import torch.nn as nn
import torch.nn.functional as F

from embedding_course import check, hint, predict, progress, reveal, waiting_for
from embedding_course.data.split import SPLIT

# %% key="helpers"
from embedding_course.data.dog_and_machine import story, story_pairs
from embedding_course.data.tiktoken_facts import token_count, token_ids, token_pieces
from embedding_course.demo.lookup_cost import by_rows, by_vocabulary, by_width
from embedding_course.demo.self_test import ask
from embedding_course.demo.word_pairs import letter_pairs
from embedding_course.plot import bpe as bpe_figures
from embedding_course.plot import onehot as onehot_figures
from embedding_course.plot.chinese import say_how
from embedding_course.plot.token_card import show_segments, show_tokenizer
say_how()

# %% [markdown] key="how-it-works"
# ## How this notebook works
#
# * **Predict** first. Write a guess in place of `None`, run the cell, run on. Nothing is graded; a wrong guess that
#   you wrote down teaches more than a right answer that you read.
# * **Exercises** are stubs. Replace `raise NotImplementedError()`, run the cell, then the check below it. The check
#   says what went wrong, with the arguments that show it. `hint("01.build_vocab")` gives one hint at a time.
# * Some demonstrations run **your** code. Until the exercise is done they say what they wait for.
# * **Core** exercises carry the points. **Further** ones are extra credit.
#
# **A word on AI assistants.** One of them can write every function here in seconds. Then the function exists, and
# what you came for does not. Use it as you would a good colleague: let it explain an error message, ask it to quiz
# you, have it criticise code that *you* wrote. In a class, its rules apply, and help that you had is help that you
# name.

# %% [markdown] key="self-test"
# ## Is the ground firm?
#
# Four questions on tensors, not graded. Put your answer in place of `None`. If two of them surprise you, spend
# twenty minutes with a PyTorch introduction first; the rest of the notebook will go twice as fast.

# %% key="self-test-index"
ask("What is the shape of `torch.zeros(2, 3, 5)[:, 0]`?", lambda: torch.zeros(2, 3, 5)[:, 0].shape,
    mine=None, why="An integer index removes its axis.")

# %% key="self-test-matmul"
ask("What is the shape of `torch.zeros(2, 3, 5) @ torch.zeros(5, 7)`?",
    lambda: (torch.zeros(2, 3, 5) @ torch.zeros(5, 7)).shape,
    mine=None, why="The last axis meets the first axis of the matrix; all axes before it stay.")

# %% key="self-test-broadcast"
ask("What is the shape of `torch.zeros(4, 1) + torch.zeros(6)`?",
    lambda: (torch.zeros(4, 1) + torch.zeros(6)).shape,
    mine=None, why="Shapes are lined up on the right; axes of size 1 are stretched.")

# %% key="self-test-ids"
ask("`x = torch.tensor([10, 20, 30])`. What is `x[torch.tensor([[2, 0], [2, 2]])]`?",
    lambda: torch.tensor([10, 20, 30])[torch.tensor([[2, 0], [2, 2]])],
    mine=None, why="Indexing with a tensor of ids gives one entry for each id, in the ids' shape. Remember this one.")

# %% [markdown] key="vocabulary"
# ## 1 · Words get numbers
#
# How many words does a model have to know?
#
# The course comes with a small story, 90 sentences in Chinese and English, about a dog called Doudou (豆豆) and a
# machine that learns. It is short, but its words are spread as in any text: a few of them everywhere, most of them
# rare.

# %% key="predict-once"
predict("01-once", "The English half has about 800 words, 300 different ones. How many of the 300 occur only once?",
        guess=None)

# %% key="count-words"
words = Counter(story("english").split())
once = sum(count == 1 for count in words.values())
print("the commonest:", ", ".join(f"{word} {count}" for word, count in words.most_common(8)))
print(f"{words.total()} running words, {len(words)} different ones, {once} of them occur once")
reveal("01-once", once)

# %% [markdown] key="specials"
# So a vocabulary has to stop somewhere: words that are too rare to learn anything about are left out (`min_freq`).
# Before the words stand a few **special tokens** that are not words at all:
#
# | token | what it is for |
# |---|---|
# | `<pad>` | fills short sentences up, so that a batch is a rectangle |
# | `<unk>` | stands for every word outside the vocabulary (*out of vocabulary*, OOV) |
# | `<bos>`, `<eos>` | beginning and end of a sentence, for models that generate |
#
# They come first, so that their ids are the same whatever the text: `<pad>` is 0 in this whole course.

# %% [markdown] exercise="01.build_vocab"
# Specials first, in the given order. Then the words by falling frequency; words of the same frequency in the order
# of their first appearance. Words are separated by white space and keep their capitals. A special that also occurs
# in the text keeps its id and appears once.

# %% key="use-build-vocab"
with waiting_for("build_vocab"):
    vocab = build_vocab([english for _, english in story_pairs()[:80]])
    print(len(vocab), "entries:", *(f"{word}={index}" for word, index in list(vocab.items())[:12]), "...")

# %% [markdown] key="unknown"
# Now the last ten sentences, which the vocabulary has not seen. They go on about the same dog in the same park. What
# share of their words will be unknown?

# %% key="predict-unknown"
predict("01-unknown", "What share of the running words in the last ten sentences is unknown? (between 0 and 1)",
        guess=None)

# %% key="count-unknown"
known = set(story("english", stop=80).split())
later = story("english", start=80).split()
unknown = [word for word in later if word not in known]
print(f"{len(unknown)} of {len(later)}:", *unknown[:12], "...")
reveal("01-unknown", round(len(unknown) / len(later), 2))

# %% [markdown] exercise="01.encode_sentence"
# A word without an id becomes `<unk>`. It is neither dropped (the positions of the other words would shift) nor an
# error.

# %% key="use-encode-sentence"
with waiting_for("build_vocab", "encode_sentence"):
    vocab = build_vocab([english for _, english in story_pairs()[:80]])
    names = list(vocab)
    for sentence in ("Doudou is very cute.", "Doudou is very clever"):
        ids = encode_sentence(sentence, vocab)
        print(ids, "→", *(names[index] for index in ids))

# %% [markdown] key="bug-white-space"
# Look at what got lost in the second sentence. `clever` is a new word although `clever.` and `cleverest.` are in the
# story: without the full stop it is another string. To a table, `clever` and `clever.` differ as much as `clever`
# and `park`.
#
# ### Find the bug: “cut at white space and you have the words”
#
# Before you run the next cell: how many words will Chinese sentence 10 have, 我在大学学习机器学习。 (*I study machine learning at the university*)?

# %% key="predict-chinese-words"
predict("01-chinese-words", "How many pieces does `.split()` make of 我在大学学习机器学习。?", guess=None)

# %% key="count-chinese-words"
pieces = story_pairs()[9][0].split()
chinese = [sentence for sentence, _ in story_pairs()]
print(pieces, "·", len(set(chinese)), "different 'words' in", len(chinese), "sentences")
reveal("01-chinese-words", len(pieces))

# %% [markdown] key="after-white-space"
# Chinese is written without spaces, so each sentence becomes one “word” that never occurs again. Both troubles,
# rare words and text without spaces, have one cure, and section 5 builds it. First: what does a model do with an
# id?

# %% [markdown] key="one-hot"
# ## 2 · One-hot: all words equally far
#
# Why not feed the id itself to the network? Because then word 7 would be *nearly* word 8 and *twice* word 3.5. The
# story says it too: 七号和八号不一定是朋友 (*number seven and number eight need not be friends*).
#
# The oldest way out gives every word an axis of its own: a vector with a single 1, **one-hot**.

# %% key="predict-distance"
predict("01-distance", "50,000 words, one-hot. How far are the vectors of two different words from one another (Euclidean)?",
        guess=None)

# %% key="figure-distance"
onehot_figures.distance_map(["dog", "cat", "train", "learn", "the"], torch.eye(5))
reveal("01-distance", math.sqrt(2))

# %% [markdown] key="no-meaning"
# Two different one-hot vectors differ in exactly two places, so their distance is √2 and their cosine is 0, whether
# the vocabulary has 5 words or 50,000. A dog is as far from a cat as from a train. No wrong order any more, but no
# meaning either: **a one-hot vector says which word it is and nothing else.**

# %% [markdown] exercise="01.one_hot"
# The ids may have any shape; the classes come last. Any numeric or bool type will do. An id outside 0 …
# `num_classes - 1` raises `ValueError`.

# %% key="use-one-hot"
with waiting_for("build_vocab", "one_hot"):
    vocab = build_vocab([english for _, english in story_pairs()[:80]])
    ids = torch.tensor([vocab.get(word, vocab["<unk>"]) for word in ("I", "love", "machine", "learning")])
    vectors = one_hot(ids, len(vocab))
    print(tuple(vectors.shape), "and of these", vectors.numel(), "numbers", int(vectors.sum()), "are not zero")

# %% [markdown] key="lookup"
# ## 3 · The table inside the matrix
#
# What does the first layer of a network do with a one-hot vector? It multiplies it by its weights: a vector of size
# V times a matrix of size V × d.

# %% key="predict-products"
predict("01-products", "V = 5, d = 4: of the 20 products in that multiplication, how many can be anything but zero?",
        guess=None)

# %% key="figure-row"
table = torch.rand(5, 4, generator=torch.Generator().manual_seed(1)) * 2
onehot_figures.row_picker(table, 1, ["dog", "cat", "train", "learn", "the"])
reveal("01-products", 4)

# %% [markdown] key="row-is-vector"
# Every row but one is multiplied by zero. What comes out **is** row 1 of the matrix. So the weights of that layer
# are a table with one vector for each word, its **embedding**, and the whole multiplication is a way of reading one
# row. The table starts as random numbers; training moves the rows about until words that are used alike lie near
# one another. (The gradient that moves them is notebook 02, and meaning appears in notebook 04.)

# %% [markdown] exercise="01.embed_by_matmul"
# The long way, as the formula has it. The ids may have any shape, as before. The result has the table's dtype.

# %% [markdown] exercise="01.embed_by_lookup"
# The short way. One line is enough, and the last question of the self-test holds it.

# %% key="use-both"
torch.manual_seed(0)
table, ids = torch.randn(1_000, 16), torch.tensor([[3, 1, 3], [0, 999, 7]])
with waiting_for("embed_by_lookup"):
    long, short = F.one_hot(ids, 1_000).float() @ table, embed_by_lookup(ids, table)
    print(tuple(short.shape), "· largest difference of the two ways:", (long - short).abs().max().item())

# %% [markdown] key="linear-layer"
# PyTorch has both ways ready made: `nn.Linear` without a bias, and `nn.Embedding`. A linear layer stores its
# weights as (outputs, inputs), so its matrix is the table **transposed**. And it must not have a bias: that would
# add one and the same vector to every word.

# %% key="three-layers"
linear, embedding = nn.Linear(1_000, 16, bias=False), nn.Embedding(1_000, 16)
linear.weight.data, embedding.weight.data = table.T, table
by_linear, by_embedding = linear(F.one_hot(ids, 1_000).float()), embedding(ids)
print("linear", tuple(linear.weight.shape), "· embedding", tuple(embedding.weight.shape))
print("the same vectors:", torch.allclose(by_linear, by_embedding))

# %% [markdown] key="cost"
# ## 4 · What a word costs
#
# Same result, so why does everybody use the lookup? Take a usual size: 50,000 words, 300 floats each.

# %% key="predict-memory"
predict("01-memory", "In float32: how many times as much memory as a row of the table does a one-hot vector take?",
        guess=None)

# %% key="figure-memory"
table = torch.ones(50_000, 300)
size = {"an id": torch.tensor(7).nbytes, "a row of the table": table[7].nbytes,
        "a one-hot vector": torch.zeros(50_000).nbytes, "the table": table.nbytes}
onehot_figures.memory_bars(size)
reveal("01-memory", size["a one-hot vector"] / size["a row of the table"])

# %% [markdown] key="bug-memory"
# ### Find the bug: “an embedding layer needs 167 times less memory than one-hot encoding”
#
# The number is right and the sentence is wrong. It compares the *input* of one way with the *output* of the other.
# The table is 60 MB for both; there is no one-hot way without the matrix it is multiplied by. And what the lookup
# is given is not a row but an **id, 8 bytes**: 25,000 times less than the one-hot vector. What grows is the batch:
# 64 sentences of 128 words are 64 kB as ids, and 1.6 GB as one-hot vectors.

# %% key="batch-memory"
batch = 64 * 128
print(f"{batch:,} words: as ids {batch * size['an id']:,} bytes, as one-hot vectors "
      f"{batch * size['a one-hot vector']:,}; the table {size['the table']:,}")

# %% [markdown] key="bug-gpt3"
# ### Find the bug: “in GPT-3 the word embeddings hold most of the parameters”
#
# The table has 50,257 rows of width 12,288; the model has 175 billion parameters.

# %% key="predict-gpt3"
predict("01-gpt3", "What percentage of GPT-3's parameters is in its token table?", guess=None)

# %% key="count-gpt3"
entries = 50_257 * 12_288
print(f"{entries:,} of 175,000,000,000 = {entries / 175e9:.2%}")
reveal("01-gpt3", round(100 * entries / 175e9, 2))

# %% [markdown] key="after-gpt3"
# A third of one per cent. In small models it is another matter: word2vec and its kin *are* nothing but tables, and
# in BERT-base the token table holds more than a fifth (you will count it in notebook 07).

# %% key="predict-time"
predict("01-time", "64 words, 50,000 × 300. How many times as long as the lookup does one-hot times table take?",
        guess=None)

# %% key="figure-time"
matmul, lookup = by_vocabulary()
onehot_figures.cost_lines(matmul, lookup)
reveal("01-time", round(matmul[-1].seconds / lookup[-1].seconds), within=0.5)

# %% [markdown] key="explain-time"
# Measured on this machine, a moment ago. The product does V·d multiplications for each word, all but d of them with
# zero: **O(V·d)**. The lookup copies d numbers: **O(d)**. (At small sizes you mostly see what a call costs at all.)
#
# ### Find the bug: “a lookup is O(1): it takes the same time however large the table is”
#
# Two things are wrong with that. Which?

# %% key="predict-rows"
predict("01-rows", "Tables of 1,000 and of 1,000,000 rows: how many times as long does reading a row of the large one take?",
        guess=None)

# %% key="figure-rows"
rows, widths = by_rows(), by_width()
onehot_figures.lookup_lines(rows, batch=50_000, row_bytes=32 * 4, widths=widths)
reveal("01-rows", round(rows[-1].seconds / rows[0].seconds, 1), within=0.5)

# %% [markdown] key="explain-rows"
# First, d counts: a row twice as wide takes about twice as long (right). Second, the count of *operations* does not
# depend on the number of rows, but the *time* does (left): a small table lives in the processor's cache, a large
# one is fetched from main memory, row by row, at random places. The formula is about steps, the clock about memory.

# %% [markdown] key="bpe"
# ## 5 · Between letters and words: byte pairs
#
# Back to the trouble of section 1. Whole words: many, rare, and none in Chinese. Single letters: few and never
# unknown, but each says little, and texts become long. Is there something between?
#
# Start at the bottom. Every text is a row of **bytes** (UTF-8), and there are only 256 of them.

# %% key="predict-bytes"
predict("01-bytes", "How many bytes is 狗 (dog)?", guess=None)

# %% key="count-bytes"
for text in ("dog", "狗", "我爱机器学习", "🐶"):
    print(f"{text}: {len(text)} characters, {len(text.encode())} bytes: {list(text.encode())}")
reveal("01-bytes", len("狗".encode()))

# %% [markdown] key="count-pairs"
# **Byte-pair encoding** (Gage 1994; for language models Sennrich, Haddow and Birch 2016) starts from the smallest
# pieces and repeats one step: *count which two neighbours occur most often, and make the pair a new piece.*
# Frequent words grow together, rare ones stay in parts, and nothing is ever unknown.
#
# The usual example has four words: *low, lower, newest, widest*. Here the pieces are letters, and `</w>` marks the
# end of a word, so that `t</w>` (the *t* of *newest*) is another piece than the *t* in *tea*.

# %% key="predict-tie"
predict("01-tie", "Each of the four words counted once: how many pairs share the first place?", guess=None)

# %% key="figure-tie"
words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
counts = letter_pairs(words, weighted=False)
bpe_figures.pair_bars({"Each word once": counts, "Weighted": letter_pairs(words)})
reveal("01-tie", sum(count == max(counts.values()) for count in counts.values()))

# %% [markdown] key="bug-weights"
# ### Find the bug: the most frequent pair
#
# A tutorial counts each word once, calls one of these pairs the most frequent, and goes on.
#
# On the left, six pairs occur twice: which of them comes first was decided by the order of a dictionary. And a pair
# in a word that occurs a thousand times in the corpus must count a thousand times. With the frequencies 5, 2, 6 and
# 3 (right) the six become three: better, and still a tie. **A tie-break rule is part of the method**: two programs
# with different rules learn different tokens. (The check below accepts any rule.)

# %% [markdown] exercise="01.merge_pair"
# One step of the loop: replace the pair by the new id, from left to right, each id used once. What should become of
# *a a a* when *a a* is merged?

# %% key="use-merge-pair"
with waiting_for("merge_pair"):
    ids = list(b"banana bandana")
    for new_id, pair in ((256, (97, 110)), (257, (256, 97)), (258, (98, 256))):
        ids = merge_pair(ids, pair, new_id)
        print(len(ids), ids)

# %% [markdown] key="chunks"
# Should `e` + space + `t` ever become one piece? Then the vocabulary fills up with *the dog*, *the cat*, *the
# park*. So the text is first cut into **chunks**, and pairs never cross a cut. `SPLIT` is a regular expression for
# that. The space stays at the *front* of its word: ` dog` is one chunk. That does the work of `</w>`: a mark of
# where words begin instead of where they end, and no byte of the text is lost.

# %% key="show-split"
for text in ("I love 机器学习, I love dogs!", "It's 2024."):
    print(regex.findall(SPLIT, text))

# %% [markdown] exercise="01.train_bpe"
# Cut the text with `regex.findall(pattern, text)`; each chunk is a list of bytes. Then repeat: count the pairs,
# each chunk as often as it occurs; merge the commonest; give it the next id, from 256 on. Stop when the vocabulary
# is full or no pair is left. Your `merge_pair` does half of the work. Count *different* chunks, with their
# frequency: it is several times faster than going through the text.

# %% key="predict-first"
predict("01-first", "You train on 80 sentences of the story, Chinese and English. Which two letters or bytes are merged first?",
        guess=None)

# %% key="use-train-bpe"
with waiting_for("train_bpe"):
    merges = train_bpe(story(stop=80), 256 + 300)
    for (left, right), new_id in list(merges.items())[:5]:
        print(f"{new_id}: {left} + {right}")
    reveal("01-first", bytes(next(iter(merges))).decode("utf-8", errors="replace"))

# %% [markdown] key="read-merges"
# Ids below 256 are bytes: 32 is the space, 97 to 122 are a to z, 227 begins the Chinese full stop 。, and Chinese
# characters begin with 228 to 233. A number above 255 is a piece that was made in an earlier line. To see them as
# text, we need the way back.

# %% [markdown] exercise="01.bpe_encode"
# Cut into chunks, then replay the training: of all pairs that a chunk holds, merge the one that was learned
# **first** (its new id is the lowest), until none is left. Taking the longest piece that fits looks the same on
# most texts, decodes to the same text, and gives the model ids that it has never been trained on.

# %% [markdown] exercise="01.bpe_decode"
# Each id stands for bytes: those of its two parts, and so on down. Join the bytes of *all* ids, then decode once. A
# token may be a part of a character.

# %% key="use-bpe-decode"
with waiting_for("train_bpe", "bpe_decode", "merges"):
    learned = [bpe_decode([new_id], merges) for new_id in merges.values()]
    print("first: ", *(repr(token) for token in learned[:16]))
    print("last:  ", *(repr(token) for token in learned[-10:]))
    print("汉字:   ", *(token for token in learned if regex.fullmatch(r"\p{Han}{2,}", token)))

# %% [markdown] key="part-of-character"
# Once `bpe_decode` is written you see `�` above. These are pieces of characters: the two bytes that most often begin
# a Chinese character are a frequent pair like any other. That is why decoding token by token is wrong. And nobody told your tokenizer what a word is: 机器
# (*machine*) and 学习 (*learn*) grew together because they occur together.
#
# Does it help on text that it has **not** seen? The last ten sentences were kept out of the training.

# %% key="predict-compression"
predict("01-compression", "Before any merge: how many tokens does a Chinese character cost?", guess=None)

# %% key="figure-compression"
with waiting_for("train_bpe", "bpe_encode", "merges"):
    sizes, first = range(256, 557, 50), list(merges.items())
    held_out = {name: story(name.lower(), 80).replace("\n", "") for name in ("Chinese", "English")}
    shares = {name: [len(bpe_encode(text, dict(first[: size - 256]))) / len(text) for size in sizes]
              for name, text in held_out.items()}
    bpe_figures.compression_lines(list(sizes), shares)
    reveal("01-compression", shares["Chinese"][0])

# %% [markdown] key="explain-compression"
# Every merge shortens what the model has to read, and adds a row to the table of section 3. That is the bargain
# behind every vocabulary size: **longer table or longer text.** Which texts get shorter is decided by what the
# tokenizer was trained on. Which brings us to the bill.

# %% [markdown] key="real-tokenizers"
# ## 6 · Four real tokenizers, and the bill
#
# `tiktoken` is the engine that OpenAI publishes, with four generations of merges: r50k (GPT-2, GPT-3), p50k
# (Codex), cl100k (GPT-4) and o200k (GPT-4o). All are byte-pair encodings like yours, of 50,000 to 200,000 tokens.
# Their rank files are large and have to be fetched from the network, so the ids below were computed once with the
# published ranks and are shipped with the course as facts.
#
# ### Find the bug: a table of tokens
#
# For 我爱机器学习 (*I love machine learning*, six characters) a tutorial prints 12, 12, 8 and 5
# tokens.

# %% key="predict-tokens"
predict("01-tokens", "How many tokens is 我爱机器学习 in r50k, the tokenizer of GPT-2?", guess=None)

# %% key="figure-tokens"
pinyin = {"我爱机器学习": "wǒ ài jīqì xuéxí", "狗很可爱": "gǒu hěn kě'ài", "I love machine learning": ""}
bpe_figures.encoding_lines(pinyin)
reveal("01-tokens", token_count("我爱机器学习", "r50k_base"))

# %% key="show-pieces"
text = "我爱机器学习"
names = ("r50k_base", "cl100k_base", "o200k_base")
show_segments([(name, token_pieces(text, name), token_ids(text, name)) for name in names])

# %% [markdown] key="explain-pieces"
# Really 14, 14, 8 and 4. The pieces show why: r50k was trained on mostly English text, so it knows hardly any
# character as a whole and spells them out in bytes: E6 88 and 91 are 我. For cl100k 爱 is still two tokens. In
# o200k 机器 and 学习 are one token each. (p50k has the pieces of r50k here.)
#
# The same tutorial gives `" love"` the id 1223 in cl100k. Look:

# %% key="show-love"
english = "I love machine learning"
show_segments([(name, token_pieces(english, name), token_ids(english, name)) for name in names[1:]])

# %% [markdown] key="bug-id"
# It is 3021 in cl100k and 3047 in o200k. **An id means something only together with its tokenizer.** That is more
# than pedantry, as the next claim shows.
#
# ### Find the bug: ids from nowhere
#
# The tutorial goes on with ids for 狗很可爱 (*dogs are cute*) that no tokenizer gave, says that
# the vocabulary has 100,000 entries, and looks up token 105,939 in a table of 100,256 rows. What does PyTorch say
# to that?

# %% key="run-bug-id"
table = nn.Embedding(100_256, 4)
try:
    table(torch.tensor([105_939]))
except IndexError as error:
    print("IndexError:", error)
real = token_ids("狗很可爱", "cl100k_base")
print("the real ids:", real, "→ vectors", tuple(table(torch.tensor(real)).shape))

# %% [markdown] key="explain-id"
# A lucky error: on a larger table it would have read some other word's row without a sound. The real ids are eight
# (狗 alone is three bytes, three tokens) and fit: cl100k has 100,256 ordinary tokens, ids 0 to 100,255, and not
# 100,000.
#
# **Tokens are money.** Services charge by the token, and a model's window is measured in tokens.
#
# ### Find the bug: the bill
#
# The tutorial's: “12 tokens at \$0.03 per 1,000 tokens: a thousand calls cost \$0.036, and
# 58 % less with the new tokenizer's 5 tokens.”

# %% key="predict-cost"
predict("01-cost", "12 tokens a call, $0.03 per 1,000 tokens: what do a thousand calls cost, in dollars?",
        guess=None)

# %% key="count-cost"
price = 0.03 / 1000  # dollars for a token
print(f"their counts: ${12 * price * 1000:.2f} against ${5 * price * 1000:.2f}")
old, new = (token_count("我爱机器学习", name) * price * 1000 for name in ("r50k_base", "o200k_base"))
print(f"true counts:  ${old:.2f} against ${new:.2f}, a saving of {1 - new / old:.0%}")
reveal("01-cost", 12 * price * 1000)

# %% [markdown] key="explain-cost"
# The bill was off by a factor of ten, and the saving is 71 %, not 58 %. In r50k the same sentence was also 3.5
# times as expensive in Chinese as in English (14 tokens against 4); in o200k they cost the same.
#
# Your tokenizer is made of the same stuff. So it should run in the same engine.

# %% [markdown] exercise="01.to_tiktoken"
# The engine wants `mergeable_ranks`: a dict from the **bytes** of each token to its id, all 256 single bytes
# included. Its constructor is `tiktoken.Encoding(name=..., pat_str=..., mergeable_ranks=..., special_tokens={})`.

# %% key="use-to-tiktoken"
with waiting_for("train_bpe", "bpe_encode", "to_tiktoken", "merges"):
    engine, text = to_tiktoken(merges), story(start=80)
    print("the engine and you agree:", engine.encode_ordinary(text) == bpe_encode(text, merges))

# %% [markdown] key="reflection" reflection=3
# ## 7 · In your own words (3 points, graded by a person)
#
# A shop runs a chat service on an older model. Its Chinese customers write as much as its English ones, but their
# messages cost three times as much, and long ones are cut off. Explain from the *training* of byte-pair encoding
# how that comes about, and advise the shop.
#
# *What earns points: (1) that merges follow the frequency of pairs in the tokenizer's training text, and how much
# Chinese there was in it; (1) what that means for a single character, in bytes and tokens, and so for cost and
# window; (1) a remedy and its price.*

# %% [markdown] key="reflection-model" model_answer=true
# Byte-pair encoding starts from bytes and merges the pair that is most frequent in its training text, again and
# again, until the vocabulary is full. In the old tokenizer's text English was common and Chinese rare, so nearly
# all merges went into English words. A Chinese character is three bytes in UTF-8; where no merge joins them, it is
# two or three tokens, while a common English word is one. Price and window are both counted in tokens, so the same
# message costs more and is cut off sooner. The remedy is a tokenizer that was trained on a fair share of Chinese,
# with a larger vocabulary, such as o200k: there 我爱机器学习 is 4 tokens, not 14. It has its price: each new token
# is a row of d numbers in the table, and the model has to be trained with the new ids, since the old rows belong to
# the old tokens. So the shop should change to a model that comes with such a tokenizer; it cannot just swap the
# tokenizer below the model that it has.

# %% [markdown] key="card-text"
# ## 8 · Your card
#
# Your tokenizer: trained by **your** `train_bpe` on two pages of a story, run by **your** `bpe_encode` (and, since
# `to_tiktoken`, by the engine that runs GPT-4's). The last text holds an emoji that the story does not have: nothing
# is unknown to a tokenizer that starts from bytes. Try your own sentences.

# %% key="card"
with waiting_for("train_bpe", "bpe_encode", after=["merges"]):
    texts = ["我爱机器学习", "I love machine learning", "豆豆 is a very cute 狗 🐶"]
    show_tokenizer(merges, {text: bpe_encode(text, merges) for text in texts}, title="My byte-pair encoding")

# %% [markdown] key="where-next"
# **What you take along.** A word is an id; an id is a row; a row is d numbers that a model can move. One-hot
# vectors are how the mathematics says it, the lookup is how the machine does it. Which pieces get an id at all is
# decided by counting pairs.
#
# Next, notebook 02: *which rows of the table learn, and which do not?*

# %% key="progress"
progress()
