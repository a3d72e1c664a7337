"""S1: what counts as an embedding, which pieces of text get a row, and where the row of a new word starts."""

from __future__ import annotations

import contextlib
import io

import torch
import torch.nn.functional as F
from torch import nn

from embedding_course.data.dog_and_machine import story, story_pairs
from embedding_course.experiments import curves
from embedding_course.experiments.gradients import pretrained
from embedding_course.experiments.onehot_vs_lookup.character_ngrams import ngrams, overlap
from grader.course_source.catalogue import references

from .agreement import below, spread
from .entry import CONDITION, HOLDS, Measured, Source, at, found, quoted

s1 = Source("S1")
PIECES = "5.2 子词级embedding"


@s1.claim(
    "One-hot vectors are sparse, nearly all zeros; embeddings are dense.",
    HOLDS,
    at("01", "dense-sparse"),
    quote=quoted(
        "1.3 关键术语说明",
        "稀疏向量（Sparse Vector）：one-hot这样的高维、大部分为0的向量",
        "sparse vector: a vector of many dimensions, most of them 0, such as one-hot",
    ),
)
def dense_and_sparse() -> Measured:
    """Count the numbers that are not zero in a one-hot vector and in an embedding."""
    one_hot, row = F.one_hot(torch.tensor(7), 50_000), nn.Embedding(100, 300).weight[7]
    one_hot_count, row_count = int(one_hot.count_nonzero()), int(row.count_nonzero())
    return found(
        {"one-hot": one_hot_count == 1, "embedding": row_count == 300},
        f"Not zero: {one_hot_count} of 50,000 numbers of a one-hot vector, {row_count} of 300 of a row of an embedding.",
    )


@s1.claim(
    "One-hot is only a way of encoding, not an embedding: that is dense, learnable, and has a structure of meaning.",
    CONDITION,
    at("01", "dense-sparse"),
    quote=quoted(
        '误区1："one-hot向量也是embedding"',
        "one-hot只是编码方式，不是embedding",
        "one-hot is only a way of encoding, not an embedding",
    ),
)
def one_hot_is_no_embedding() -> Measured:
    """Compare a lookup in the identity matrix with one-hot vectors, and measure the similarities in a fresh table."""
    ids = torch.tensor([3, 0, 3])
    identity = nn.Embedding.from_pretrained(torch.eye(5), freeze=False)
    apart = spread(identity(ids), F.one_hot(ids, 5).float())
    identity(ids).sum().backward()
    learns = identity.weight.grad is not None and bool(identity.weight.grad.any())
    fresh = F.normalize(nn.Embedding(500, 64).weight.detach(), dim=1)
    alike = (fresh @ fresh.T).fill_diagonal_(0).abs().mean().item()
    return found(
        {"by its marks, density": int(identity(ids)[0].count_nonzero()) == 1, "by the equation of its 2.1": apart > 0},
        f"A lookup in the identity matrix gives one-hot vectors (difference {below(apart)}), and that table "
        f"{'can' if learns else 'cannot'} learn. A fresh nn.Embedding has no structure of meaning either: its rows are random, "
        f"their cosines {alike:.2f} in size on average.",
        "As the word is mostly used, for dense vectors that were trained. By S1's own equation in 2.1 (embedding layer = "
        "one-hot + linear layer) one-hot is the embedding whose table is the identity.",
    )


@s1.claim(
    "`sentence.split()` gives the words of a sentence.",
    CONDITION,
    at("01", "bug-white-space"),
    at("01", "after-white-space"),
    quote=quoted("未登录词（OOV）处理策略", "for word in sentence.split()"),
)
def white_space() -> Measured:
    """Count the pieces that `split()` makes of Chinese and English sentences."""
    chinese, english = zip(*story_pairs(), strict=True)
    texts = {"Chinese": chinese, "English": english, "S1's own sentence": ("我 爱 自然 语言 处理",)}
    pieces = {name: sum(len(sentence.split()) for sentence in half) / len(half) for name, half in texts.items()}
    different = len({piece for sentence in chinese for piece in sentence.split()})
    return found(
        {name: pieces[name] > 2 for name in pieces},
        f"The course's story: {pieces['English']:.1f} pieces for each English sentence, {pieces['Chinese']:.1f} for each "
        f"Chinese one ({different} different 'words' in {len(chinese)} sentences).",
        "In languages that part words by spaces, and even there `clever.` is another word than `clever`. Chinese has to be cut "
        "before, as S1's sentence 我 爱 自然 语言 处理 was.",
    )


@s1.claim(
    "Subwords are the cure for unknown words.",
    CONDITION,
    at("01", "count-pairs"),
    at("01", "count-bytes"),
    quote=quoted(
        PIECES,
        "解决OOV问题的利器：…子词embedding（BPE/SentencePiece）",
        "a sharp tool against the trouble with unknown words: … subword embeddings (BPE / SentencePiece)",
    ),
)
def subwords_for_unknown_words() -> Measured:
    """Encode new text with subwords of bytes and of characters, and test whether it comes back."""
    answers, known, new = references("01_onehot_vs_lookup"), story(stop=80), f"{story(start=80)} 🐶"
    merges = answers["train_bpe"](known, 256 + 50)
    back = answers["bpe_decode"](answers["bpe_encode"](new, merges), merges)
    strange = dict.fromkeys(letter for letter in new if letter not in known)
    return found(
        {"pieces of bytes": back == new, "pieces of characters": not strange},
        f"Trained on 80 sentences of the story: on the last ten and 🐶 the round trip through pieces of bytes is exact; pieces "
        f"that are made of the characters of those 80 lack {len(strange)} characters, {' '.join(list(strange)[:4])} … 🐶.",
        "If the smallest pieces are bytes. Pieces of characters leave characters that the training did not have unknown.",
    )


@s1.claim(
    "BPE and SentencePiece stand for one and the same: pieces of words.",
    CONDITION,
    at("01", "sentencepiece"),
    quote=quoted(PIECES, "子词embedding（BPE/SentencePiece）", "subword embeddings (BPE / SentencePiece)"),
)
def place_of_sentencepiece() -> Measured:
    """Test whether text with two spaces in a row survives BPE on raw text and BPE on words."""
    answers, text = references("01_onehot_vs_lookup"), "the dog  and the cat and the dog"
    marked = text.replace(" ", "▁")
    merges = answers["train_bpe"](marked, 256 + 12, r"▁*[^▁]+")
    back = answers["bpe_decode"](answers["bpe_encode"](marked, merges, r"▁*[^▁]+"), merges).replace("▁", " ")
    return found(
        {"the merges": back == text, "what they run on": " ".join(text.split()) == text},
        "The same loop of merges runs on raw text with ▁ for each space, and joining the pieces gives the text back, two "
        "spaces in a row included; words cut at white space and joined again lose one of them.",
        "BPE is a method of choosing pieces. SentencePiece is a program that learns byte pairs or a unigram model, from raw "
        "text in which a space is a letter.",
    )


@s1.claim(
    "Embeddings of characters help with unknown words.",
    CONDITION,
    at("01", "character-ngrams"),
    at("01", "ngrams-lesson"),
    quote=quoted(PIECES, "char_embedding = nn.Embedding(char_vocab_size, char_embed_size)"),
)
def characters_for_unknown_words() -> Measured:
    """Find for each unknown word the known word that shares the most n-grams of characters."""
    table = {word: ngrams(word) for word in story("english", stop=80).split()}
    wanted = {"clever": "clever.", "reading": "read", "teach": "teacher", "looks": "look", "white": "", "sky": ""}
    near = {}
    for word in wanted:
        shared = {other: overlap(ngrams(word), runs) for other, runs in table.items()}
        best = max(shared, key=shared.__getitem__)
        near[word] = best if shared[best] > 0 else ""
    matches = ", ".join(f"{word}: {best or 'none'}" for word, best in near.items())
    return found(
        {word: near[word] == wanted[word] and bool(wanted[word]) for word in wanted},
        "The known word that shares most runs of three to six letters, for words that the story's first 80 sentences lack: "
        f"{matches}.",
        "For words that are spelled like a relative. Spelling says nothing about words without one, and misleads about some.",
    )


@s1.claim(
    "Words that the pretrained vectors lack start from N(0, 1).",
    CONDITION,
    at("02", "cold-start"),
    at("02", "cold-lesson"),
    quote=quoted("预训练embedding初始化", "embedding_matrix = torch.randn(len(vocab), embedding_dim)"),
)
def cold_start() -> Measured:
    """Compare starting vectors for words without a pretrained vector, by their distance from the true one."""
    vectors = torch.stack(list(pretrained.train_vectors(pretrained.texts().long).values()))
    drawn, small, mean = pretrained.cold_starts(*vectors.chunk(2)).values()
    vocabulary, given = ("<pad>", "<unk>", "dog"), {"dog": [0.5, -0.2]}
    matrix = torch.randn(len(vocabulary), 2)
    for index, word in enumerate(vocabulary):
        if word in given:
            matrix[index] = torch.tensor(given[word])
    return found(
        {"words": bool(matrix[1].any()), "<pad>": not matrix[0].any()},
        f"The rarer half of 800 pretrained vectors, as if unknown: a row of N(0, 1) stands {drawn:.1f} times as far from the "
        f"true vector as a row of zeros, one of N(0, 0.02²) {small:.2f}, the mean of the known rows {mean:.2f} times. The row "
        "of <pad> is drawn as well.",
        "For words, though a small row or the mean of the known ones is a nearer guess. The padding row has to be set to "
        "zero again.",
    )


@s1.claim(
    "A vocabulary of fewer than 10,000 words takes 32 to 128 numbers.",
    CONDITION,
    at("05", "tables-text"),
    at("05", "widths"),
    quote=quoted(
        "4.2 embedding维度选择指南",
        "小型（<1万词汇） | 32-128 | 避免过拟合",
        "small (under 10,000 words) | 32–128 | avoids overfitting",
    ),
)
def width_of_a_small_table() -> Measured:
    """Compare the recorded accuracies of the translation at widths 8 to 128."""
    with contextlib.redirect_stdout(io.StringIO()):  # it says where the curves come from
        right = curves.load("05_widths").numbers
    return found(
        {"48 are enough": right["48"] > 0.9, "128 are enough": right["128"] > 0.9, "16 are too few": right["16"] < 0.9},
        "178 words, in the recorded runs of the translation: "
        f"{', '.join(f'{width} numbers {right[width]:.1%} right' for width in ('8', '16', '48', '128'))}.",
        "It works, and fewer numbers may do. Where the knee lies depends on task and time.",
    )
