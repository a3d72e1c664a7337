# exercise 05.greedy_decode
"""Greedy decoding: wrong answers about how many words there may be, by name."""

import torch


# base plain
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


# mistake as_many_words_as_columns_of_the_source (values), from plain
# The loop runs once for each column of src; how much is read says nothing about how much is written, and max_len is the limit.
# Next: Let the loop run max_len times.
#   range(max_len) => range(src.shape[1])

# mistake as_many_words_as_the_longest_source (values), from plain
# The loop runs as often as the longest sentence of src has words; max_len is the limit.
# Next: Let the loop run max_len times.
#   range(max_len) => range(int(lengths.max()))
