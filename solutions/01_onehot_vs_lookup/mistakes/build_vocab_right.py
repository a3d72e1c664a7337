# exercise 01.build_vocab
import itertools
import re
from collections import Counter, OrderedDict, defaultdict

import numpy as np
import torch


# right form groups_of_sorted_words
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    words = list(itertools.chain.from_iterable(map(str.split, sentences)))
    groups = [(-len(list(group)), words.index(word), word) for word, group in itertools.groupby(sorted(words))]
    vocab = OrderedDict((special, index) for index, special in enumerate(specials))
    for count, _, word in sorted(groups):
        if -count >= min_freq:
            vocab.setdefault(word, len(vocab))
    return vocab


# right form torch_argsort
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    words = [word for sentence in sentences for word in sentence.split() if word not in specials]
    names = sorted(set(words), key=words.index)
    counts = torch.tensor([words.count(name) for name in names], dtype=torch.int64)
    order = torch.argsort(counts, descending=True, stable=True)
    kept = [names[place] for place in order.tolist() if counts[place] >= min_freq]
    return dict(zip([*specials, *kept], range(len(specials) + len(kept))))


# right form loop_with_get
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>"), verbose=False):
    counts = {}
    for sentence in sentences:
        for word in sentence.split():
            counts[word] = counts.get(word, 0) + 1
    vocab = {}
    for special in specials:
        vocab[special] = len(vocab)
    for word in sorted(counts, key=lambda entry: counts[entry], reverse=True):
        if counts[word] >= min_freq and word not in vocab:
            vocab[word] = len(vocab)
    return vocab


# right form regular_expression_and_first_places
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    words = re.findall(r"\S+", "\n".join(sentences))
    first = {}
    for place, word in enumerate(words):
        first.setdefault(word, place)
    kept = {word for word in first if words.count(word) >= min_freq} - set(specials)
    order = list(specials) + sorted(kept, key=lambda word: (-words.count(word), first[word]))
    return OrderedDict((word, index) for index, word in enumerate(order))


# right form round_by_round
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = defaultdict(int)
    for word in " ".join(sentences).split():
        counts[word] += 1
    vocab = dict(zip(specials, range(len(specials))))
    for count in range(max(counts.values(), default=0), max(min_freq, 1) - 1, -1):
        for word in counts:
            if counts[word] == count and word not in vocab:
                vocab[word] = len(vocab)
    return vocab


# right form numpy_unique
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    vocab = {special: np.int64(index) for index, special in enumerate(specials)}
    words = [word for sentence in sentences for word in sentence.split() if word not in vocab]
    if words:
        names, first, counts = np.unique(words, return_index=True, return_counts=True)
        for place in np.lexsort((first, -counts)):
            if counts[place] >= min_freq:
                vocab[str(names[place])] = len(vocab)
    return vocab


# right form sum_of_counters
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = sum((Counter(sentence.split()) for sentence in sentences), Counter())
    for special in specials:
        counts.pop(special, None)
    names = list(specials)
    for word, count in sorted(counts.items(), key=lambda pair: pair[1], reverse=True):
        if count < min_freq:
            break
        names.append(word)
    return dict(zip(names, range(len(names)), strict=True))


# survivor 1 → 0
# Every word that occurs is counted at least once: at least 0 keeps the same words.
