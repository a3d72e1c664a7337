"""Greedy decoding: wrong answers about how many words there may be, by name."""

import torch

from grader.course_source.catalogue import altered, base

GREEDY = "05.greedy_decode"


@base("plain")
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0].tolist()):
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)
        if all(done):
            break
    return sentences


altered(
    GREEDY, "as_many_words_as_columns_of_the_source", "plain", {"range(max_len)": "range(src.shape[1])"}, stage="values",
    diagnosis="The loop runs once for each column of src; how much is read says nothing about how much is written, and max_len "
    "is the limit.",
    next_step="Let the loop run max_len times.",
)

altered(
    GREEDY, "as_many_words_as_the_longest_source", "plain", {"range(max_len)": "range(int(lengths.max()))"}, stage="values",
    diagnosis="The loop runs as often as the longest sentence of src has words; max_len is the limit.",
    next_step="Let the loop run max_len times.",
)
