"""S1: what counts as an embedding, which pieces of text get a row, and where the row of a new word starts."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from embedding_course.data.dog_and_machine import story, story_pairs
from embedding_course.experiments.gradients import pretrained
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
    "Subword embeddings are a powerful tool for out-of-vocabulary words.",
    CONDITION,
    at("01", "count-pairs"),
    at("01", "count-bytes"),
    quote=quoted(
        PIECES,
        "解决OOV问题的利器：…子词embedding（BPE/SentencePiece）",
        "a powerful tool for out-of-vocabulary words: … subword embeddings (BPE / SentencePiece)",
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
    "Subwords come from BPE or from SentencePiece.",
    HOLDS,
    at("01", "sentencepiece"),
    quote=quoted(PIECES, "子词embedding（BPE/SentencePiece）", "subword embeddings (BPE / SentencePiece)"),
)
def place_of_sentencepiece() -> Measured:
    """Cut text with two spaces in a row by BPE on words and, as SentencePiece does, on raw text with a mark for each space."""
    answers, text = references("01_onehot_vs_lookup"), "the dog  and the cat and the dog"
    marked, pattern = text.replace(" ", "▁"), r"▁*[^▁]+"
    merges = answers["train_bpe"](marked, 256 + 12, pattern)
    back = answers["bpe_decode"](answers["bpe_encode"](marked, merges, pattern), merges).replace("▁", " ")
    on_words = answers["train_bpe"](text, 256 + 12)
    longest = max(len(answers["bpe_decode"]([piece], on_words)) for piece in on_words.values())
    rejoined = " ".join(text.split())
    return found(
        {"BPE": longest > 1, "SentencePiece": back == text},
        f"Twelve merges on words give pieces of up to {longest} characters. The same loop of merges on raw text, with ▁ for "
        "each space as in SentencePiece, gives the text back, two spaces in a row included. Words that were cut at white space "
        f"and joined again {'do as well' if rejoined == text else 'lose one of them'}. BPE is a method; SentencePiece is a "
        "program that learns BPE or a unigram model.",
    )


@s1.claim(
    "Character embeddings are a powerful tool for out-of-vocabulary words.",
    CONDITION,
    at("01", "character-ngrams"),
    at("01", "ngrams-lesson"),
    quote=quoted(
        PIECES,
        "解决OOV问题的利器：…char_embedding = nn.Embedding(char_vocab_size, char_embed_size)",
        "a powerful tool for out-of-vocabulary words: … a table with one row for each character",
    ),
)
def characters_for_unknown_words() -> Measured:
    """Find out which unknown words have a row for each of their characters, and whether a mean or an LSTM sees their order."""
    trials, shares = {}, {}
    for language in ("english", "chinese"):
        cut = str.split if language == "english" else list
        known, new = story(language, stop=80), story(language, start=80)
        words = dict.fromkeys(word for word in cut(new) if word not in cut(known))
        covered = [word for word in words if set(word) <= set(known)]
        shares[language] = len(covered), len(words)
        trials[f"{language}: rows for new words"] = len(covered) > 0.9 * len(words)
    table, reader = nn.Embedding(26, 16), nn.LSTM(16, 16, batch_first=True)
    teach, cheat = (table(torch.tensor([[ord(letter) - ord("a") for letter in word]])) for word in ("teach", "cheat"))
    mean = spread(teach.mean(dim=1), cheat.mean(dim=1))
    read = spread(reader(teach)[1][0], reader(cheat)[1][0])
    trials |= {"a mean tells teach from cheat": mean > 1e-6, "an LSTM tells them apart": read > 1e-6}
    return found(
        trials,
        "Of the words in the story's last ten sentences that its first 80 lack, these have a row for each character: "
        f"{shares['english'][0]} of {shares['english'][1]} English words; {shares['chinese'][0]} of {shares['chinese'][1]} "
        f"Chinese characters. Vectors of *teach* and *cheat*, untrained: mean of the rows {below(mean)} apart, LSTM over them "
        f"{read:.2f}.",
        "Where the alphabet is small, as in English: a new word then has a row for each letter. A new Chinese character has "
        "none. And something has to read the rows in order, since a mean cannot tell *teach* from *cheat*.",
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
    "Besides N(0, 1), Xavier and Kaiming initialisation suit an embedding table.",
    CONDITION,
    at("02", "bug-xavier"),
    quote=quoted(
        "第一阶段：初始化写入",
        "# Xavier/Glorot初始化（更适合某些激活函数）…# Kaiming初始化（适合ReLU激活函数）",
        "Xavier / Glorot initialisation (suits some activation functions better) … Kaiming (suits the activation ReLU)",
    ),
)
def xavier_and_kaiming_for_a_lookup() -> Measured:
    """Compare the scale of a looked-up row in tables of 1,000 and of 100,000 words."""
    draws = {"N(0, 1)": nn.init.normal_, "Xavier": nn.init.xavier_uniform_, "Kaiming": nn.init.kaiming_uniform_}
    scales = {name: [draw(torch.empty(rows, 64)).std().item() for rows in (1_000, 100_000)] for name, draw in draws.items()}
    listed = ", ".join(f"{name} {small:.3f} and {large:.4f}" for name, (small, large) in scales.items())
    return found(
        {name: abs(small / large - 1) < 0.1 for name, (small, large) in scales.items()},
        f"Standard deviation of a row's 64 numbers in a table of 1,000 and of 100,000 words: {listed}.",
        "N(0, 1) and torch's Kaiming do not depend on the number of words. Xavier's numbers shrink as the vocabulary grows, "
        "although a lookup reads one row and adds up nothing. No activation follows a lookup, so ReLU is no reason.",
    )
