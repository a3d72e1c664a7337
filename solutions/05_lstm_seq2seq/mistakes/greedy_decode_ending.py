# exercise 05.greedy_decode
"""Greedy decoding: wrong answers about where a sentence ends and what its list holds, by name."""

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


# mistake eos_kept (values), from plain
# eos is part of the result; a sentence ends before it.
# Next: Look for eos before you append the word.
#            for row, word in enumerate(words[:, 0].tolist()):
#   +            if not done[row]:
#   +                sentences[row].append(word)
#   -            elif not done[row]:
#   -                sentences[row].append(word)

# mistake bos_kept (values), from plain
# Every sentence starts with the bos that was fed.
# Next: Start the lists empty: bos goes in and does not come out.
#   return sentences => return [[bos, *sentence] for sentence in sentences]

# mistake goes_on_after_eos (values), from plain
# A row goes on growing after its eos, until all rows are done.
# Next: Remember which rows are done, and append nothing more to them.
#   -            elif not done[row]:
#   +            else:

# mistake stops_with_the_first (values), from plain
# All rows stop as soon as the first one says eos.
# Next: Go on until every row is done.
#   all(done) => any(done)


# mistake stops_only_together (values)
# It only stops when all rows say eos in the same round; rows that were done before went on growing.
# Next: Keep for each row whether it is done.
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        if (words == eos).all():
            break
        for row, word in enumerate(words[:, 0].tolist()):
            sentences[row].append(word)
    return sentences


# mistake never_stops_early (values), from plain
# eos is not looked for: every row has max_len words.
# Next: Stop a row at its eos.
#   -            if word == eos:
#   -                done[row] = True
#   -            elif not done[row]:
#   -                sentences[row].append(word)
#   +            sentences[row].append(word)

# mistake eos_filtered_out (values), from plain
# eos is left out, but the words behind it stay.
# Next: Cut the row at its first eos.
#   -            if word == eos:
#   -                done[row] = True
#   -            elif not done[row]:
#   -                sentences[row].append(word)
#   +            sentences[row].append(word)
#   return sentences => return [[word for word in line if word != eos] for line in sentences]

# mistake one_word_too_few (values), from plain
# A row that does not end has one word too few.
# Next: Go max_len rounds, since bos is no word of the sentence; and cut off nothing but eos.
#   range(max_len) => range(max_len - 1)

# mistake one_word_too_many (values), from plain
# Rows that do not end have max_len + 1 words.
# Next: Go max_len rounds.
#   range(max_len) => range(max_len + 1)

# mistake shared_list (values), from plain
# All rows share one list: `[[]] * B` repeats the same list.
# Next: Make a list for each row: `[[] for _ in range(B)]`.
#   [[] for _ in range(len(src))] => [[]] * len(src)

# mistake words_are_tensors (type), from plain
# The words are 0-d tensors; Python ints were asked for.
# Next: Call `.tolist()` or `.item()`.
#   words[:, 0].tolist() => words[:, 0]
#                    sentences[row].append(word)
#   +

# mistake words_are_numpy_ints (type), from plain
# The words are numpy's integers; Python ints were asked for.
# Next: `.tolist()` instead of `.numpy()`.
#   words[:, 0].tolist => words[:, 0].numpy
#                    sentences[row].append(word)
#   +


# mistake a_tensor (type)
# A tensor comes back, filled up; a list for each row was asked for.
# Next: Cut each row at its eos and collect lists.
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    columns = [words[:, :0]]
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        columns.append(words)
    return torch.cat(columns, dim=1)


# mistake eos_must_come (raises), from a_tensor
# It looks for the position of eos, and fails in a row that has none.
# Next: Look whether eos is there before asking where.
#   torch.cat(columns, dim=1) => [line[: line.index(eos)] for line in torch.cat(columns, dim=1).tolist()]

# mistake every_bos_left_out (values), from plain
# Every bos is left out; one that the decoder says is a word like any other.
# Next: Leave out only the bos that you fed at the start, by never appending it.
#   return sentences => return [[word for word in line if word != bos] for line in sentences]

# mistake id_0_left_out (values), from plain
# The id 0 is taken for padding and left out; nobody said that it is.
# Next: Keep every word up to eos.
#   return sentences => return [[word for word in line if word != 0] for line in sentences]

# mistake empty_sentences_left_out (shape), from plain
# A row that ends at once is missing; each row of src has a list, be it empty.
# Next: Keep empty lists.
#   return sentences => return [line for line in sentences if line]

# mistake eos_only_after_a_word (values), from plain
# An eos in the first round does not end the row.
# Next: Look for eos in every round.
#   word == eos => word == eos and sentences[row]
#   not done[row] => not done[row] and word != eos

# mistake eos_and_bos_swapped (values), from plain
# bos and eos are swapped: eos goes in first.
# Next: bos is fed first, eos ends a row.
#   (len(src), 1), bos => (len(src), 1), eos

# mistake at_least_one_word (values), from plain
# With max_len 0 there still is a word: the loop asks only after the first one.
# Next: Ask before each round whether more words are wanted.
#   -    for _ in range(max_len):
#   +    rounds = 0
#   +    while True:
#   -        if all(done):
#   +        rounds += 1
#   +        if rounds >= max_len or all(done):


# mistake limit_from_the_source (values)
# A sentence is cut off by the length of the one that was read; only max_len and eos end it.
# Next: Let the loop run max_len times.
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    sentences = []
    for row in range(len(src)):
        _, state = encoder(src[row : row + 1], lengths[row : row + 1])
        word, sentence = torch.tensor([[bos]]), []
        for _ in range(min(max_len, 2 * int(lengths[row]) + 5)):
            logits, state = decoder(word, state)
            word = logits.argmax(dim=-1)
            if word.item() == eos:
                break
            sentence.append(word.item())
        sentences.append(sentence)
    return sentences


# mistake eos_held_back (values)
# eos is held back, so that sentences grow longer than the decoder's best words.
# Next: Leave the scores as the decoder gives them: eos ends a row as soon as it is the best word.
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, (h, c) = encoder(src, lengths)
    sentences = []
    for row in range(len(src)):
        state = h[:, row : row + 1], c[:, row : row + 1]
        word, sentence = bos, []
        for _ in range(max_len):
            logits, state = decoder(torch.tensor([[word]]), state)
            scores = logits[0, -1].clone()
            scores[eos] -= 2.0
            word = scores.argmax().item()
            if word == eos:
                break
            sentence.append(word)
        sentences.append(sentence)
    return sentences


# mistake first_end_ends_all (values)
# Decoding stops as soon as any row has reached eos; the other rows are not finished then.
# Next: Remember which rows have ended, and stop when all have.
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    with torch.no_grad():
        _, state = encoder(src, lengths)
        words = torch.full((len(src), 1), bos)
        sentences = [[] for _ in range(len(src))]
        for _ in range(max_len):
            logits, state = decoder(words, state)
            words = logits.argmax(-1)
            if (words == eos).any():
                break
            for row, word in enumerate(words[:, 0].tolist()):
                sentences[row].append(word)
    return sentences
