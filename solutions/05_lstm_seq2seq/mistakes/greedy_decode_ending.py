"""Greedy decoding: wrong answers about where a sentence ends and what its list holds, by name."""

import torch

from grader.course_source.catalogue import altered, base, mistake

GREEDY = "05.greedy_decode"


@mistake(
    GREEDY, "eos_kept", stage="values",
    diagnosis="eos is part of the result; a sentence ends before it.",
    next_step="Look for eos before you append the word.",
)
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0].tolist()):
            if not done[row]:
                sentences[row].append(word)
            if word == eos:
                done[row] = True
        if all(done):
            break
    return sentences


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
    GREEDY, "bos_kept", "plain",
    {"return sentences": "return [[bos, *sentence] for sentence in sentences]"},
    stage="values",
    diagnosis="Every sentence starts with the bos that was fed.",
    next_step="Start the lists empty: bos goes in and does not come out.",
)

altered(
    GREEDY, "goes_on_after_eos", "plain", {"elif not done[row]": "else"}, stage="values",
    diagnosis="A row goes on growing after its eos, until all rows are done.",
    next_step="Remember which rows are done, and append nothing more to them.",
)

altered(
    GREEDY, "stops_with_the_first", "plain", {"all": "any"}, stage="values",
    diagnosis="All rows stop as soon as the first one says eos.",
    next_step="Go on until every row is done.",
)


@mistake(
    GREEDY, "stops_only_together", stage="values",
    diagnosis="It only stops when all rows say eos in the same round; rows that were done before went on growing.",
    next_step="Keep for each row whether it is done.",
)
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


@mistake(
    GREEDY, "never_stops_early", stage="values",
    diagnosis="eos is not looked for: every row has max_len words.",
    next_step="Stop a row at its eos.",
)
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0].tolist()):
            sentences[row].append(word)
        if all(done):
            break
    return sentences


@mistake(
    GREEDY, "eos_filtered_out", stage="values",
    diagnosis="eos is left out, but the words behind it stay.",
    next_step="Cut the row at its first eos.",
)
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0].tolist()):
            sentences[row].append(word)
        if all(done):
            break
    return [[word for word in line if word != eos] for line in sentences]


altered(
    GREEDY, "one_word_too_few", "plain", {"(max_len)": "(max_len - 1)"}, stage="values",
    diagnosis="A row that does not end has one word too few.",
    next_step="Go max_len rounds, since bos is no word of the sentence; and cut off nothing but eos.",
)

altered(
    GREEDY, "one_word_too_many", "plain", {"(max_len)": "(max_len + 1)"}, stage="values",
    diagnosis="Rows that do not end have max_len + 1 words.",
    next_step="Go max_len rounds.",
)

altered(
    GREEDY, "shared_list", "plain", {"[[] for _ in range(len(src))]": "[[]] * len(src)"}, stage="values",
    diagnosis="All rows share one list: `[[]] * B` repeats the same list.",
    next_step="Make a list for each row: `[[] for _ in range(B)]`.",
)


@mistake(
    GREEDY, "words_are_tensors", stage="type",
    diagnosis="The words are 0-d tensors; Python ints were asked for.",
    next_step="Call `.tolist()` or `.item()`.",
)
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0]):
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)

        if all(done):
            break
    return sentences


@mistake(
    GREEDY, "words_are_numpy_ints", stage="type",
    diagnosis="The words are numpy's integers; Python ints were asked for.",
    next_step="`.tolist()` instead of `.numpy()`.",
)
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0].numpy()):
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)

        if all(done):
            break
    return sentences


@mistake(
    GREEDY, "a_tensor", stage="type",
    diagnosis="A tensor comes back, filled up; a list for each row was asked for.",
    next_step="Cut each row at its eos and collect lists.",
)
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    columns = [words[:, :0]]
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        columns.append(words)
    return torch.cat(columns, dim=1)


@mistake(
    GREEDY, "eos_must_come", stage="raises",
    diagnosis="It looks for the position of eos, and fails in a row that has none.",
    next_step="Look whether eos is there before asking where.",
)
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    columns = [words[:, :0]]
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        columns.append(words)
    return [line[: line.index(eos)] for line in torch.cat(columns, dim=1).tolist()]


altered(
    GREEDY, "every_bos_left_out", "plain",
    {"return sentences": "return [[word for word in line if word != bos] for line in sentences]"},
    stage="values",
    diagnosis="Every bos is left out; one that the decoder says is a word like any other.",
    next_step="Leave out only the bos that you fed at the start, by never appending it.",
)

altered(
    GREEDY, "id_0_left_out", "plain",
    {"return sentences": "return [[word for word in line if word != 0] for line in sentences]"},
    stage="values",
    diagnosis="The id 0 is taken for padding and left out; nobody said that it is.",
    next_step="Keep every word up to eos.",
)

altered(
    GREEDY, "empty_sentences_left_out", "plain",
    {"return sentences": "return [line for line in sentences if line]"},
    stage="shape",
    diagnosis="A row that ends at once is missing; each row of src has a list, be it empty.",
    next_step="Keep empty lists.",
)

altered(
    GREEDY, "eos_only_after_a_word", "plain",
    {"eos:": "eos and sentences[row]:", "[row]:": "[row] and word != eos:"},
    stage="values",
    diagnosis="An eos in the first round does not end the row.",
    next_step="Look for eos in every round.",
)

altered(
    GREEDY, "eos_and_bos_swapped", "plain", {"((len(src), 1), bos)": "((len(src), 1), eos)"}, stage="values",
    diagnosis="bos and eos are swapped: eos goes in first.",
    next_step="bos is fed first, eos ends a row.",
)


@mistake(
    GREEDY, "at_least_one_word", stage="values",
    diagnosis="With max_len 0 there still is a word: the loop asks only after the first one.",
    next_step="Ask before each round whether more words are wanted.",
)
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    rounds = 0
    while True:
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0].tolist()):
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)
        rounds += 1
        if rounds >= max_len or all(done):
            break
    return sentences


@mistake(
    GREEDY, "limit_from_the_source", stage="values",
    diagnosis="A sentence is cut off by the length of the one that was read; only max_len and eos end it.",
    next_step="Let the loop run max_len times.",
)
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


@mistake(
    GREEDY, "eos_held_back", stage="values",
    diagnosis="eos is held back, so that sentences grow longer than the decoder's best words.",
    next_step="Leave the scores as the decoder gives them: eos ends a row as soon as it is the best word.",
)
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


@mistake(
    GREEDY, "first_end_ends_all", stage="values",
    diagnosis="Decoding stops as soon as any row has reached eos; the other rows are not finished then.",
    next_step="Remember which rows have ended, and stop when all have.",
)
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
