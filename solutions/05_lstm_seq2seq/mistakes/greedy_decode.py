"""Wrong answers about greedy decoding by name, and unusual right ones."""

import numpy as np
import torch

from grader.catalogue import mistake, right_form, survivor

GREEDY = "05.greedy_decode"


@mistake(
    GREEDY, "eos_kept", stage="values",
    diagnosis="eos is part of the result; a sentence ends before it.",
    next_step="Look for eos before you append the word.",
)  # fmt: skip
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


@mistake(
    GREEDY, "bos_kept", stage="values",
    diagnosis="Every sentence starts with the bos that was fed.",
    next_step="Start the lists empty: bos goes in and does not come out.",
)  # fmt: skip
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
    return [[bos, *sentence] for sentence in sentences]


@mistake(
    GREEDY, "goes_on_after_eos", stage="values",
    diagnosis="A row goes on growing after its eos, until all rows are done.",
    next_step="Remember which rows are done, and append nothing more to them.",
)  # fmt: skip
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
            else:
                sentences[row].append(word)
        if all(done):
            break
    return sentences


@mistake(
    GREEDY, "stops_with_the_first", stage="values",
    diagnosis="All rows stop as soon as the first one says eos.",
    next_step="Go on until every row is done.",
)  # fmt: skip
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
        if any(done):
            break
    return sentences


@mistake(
    GREEDY, "stops_only_together", stage="values",
    diagnosis="It only stops when all rows say eos in the same round; rows that were done before went on growing.",
    next_step="Keep for each row whether it is done.",
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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


@mistake(
    GREEDY, "state_not_handed_on", stage="values",
    diagnosis="Every step starts from the encoder's state again; only the word changes.",
    next_step="Keep the state that the decoder returns, and hand it to the next step.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, _ = decoder(words, state)
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0].tolist()):
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)
        if all(done):
            break
    return sentences


@mistake(
    GREEDY, "bos_every_time", stage="values",
    diagnosis="bos is fed in every round; from the second round on the word that came out goes in.",
    next_step="Feed the words that were chosen the round before.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    first = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(first, state)
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0].tolist()):
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)
        if all(done):
            break
    return sentences


@mistake(
    GREEDY, "only_h_handed_on", stage="values",
    diagnosis="Of the state only h is handed on; c stays the encoder's.",
    next_step="Hand on the pair (h, c) as it came.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, (h, c) = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, (h, _) = decoder(words, (h, c))
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0].tolist()):
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)
        if all(done):
            break
    return sentences


@mistake(
    GREEDY, "whole_prefix_with_the_new_state", stage="values",
    diagnosis="All words so far are fed again, to a state that has read them already.",
    next_step="Feed the last word with the new state, or all words with the encoder's state.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = torch.cat([words, logits[:, -1:].argmax(dim=-1)], dim=1)
        for row, word in enumerate(words[:, -1].tolist()):
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)

        if all(done):
            break
    return sentences


@mistake(
    GREEDY, "first_place_of_the_prefix", stage="values",
    diagnosis="All words so far are fed, and the logits of the first place are taken instead of the last.",
    next_step="Take `logits[:, -1]`.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, _ = decoder(words, state)
        words = torch.cat([words, logits[:, :1].argmax(dim=-1)], dim=1)
        for row, word in enumerate(words[:, -1].tolist()):
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)

        if all(done):
            break
    return sentences


@mistake(
    GREEDY, "lengths_ignored", stage="values",
    diagnosis="The encoder is told that every row is full: it reads the padding too.",
    next_step="Hand lengths on as they are.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, torch.full_like(lengths, src.shape[1]))
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


@mistake(
    GREEDY, "left_sorted", stage="values",
    diagnosis="The rows were sorted by length and not put back.",
    next_step="Undo the sorting in the result; or do not sort at all.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    order = lengths.argsort(descending=True)
    _, state = encoder(src[order], lengths[order])
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


@mistake(
    GREEDY, "one_word_too_few", stage="values",
    diagnosis="A row that does not end has one word too few.",
    next_step="Go max_len rounds, since bos is no word of the sentence; and cut off nothing but eos.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len - 1):
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


@mistake(
    GREEDY, "one_word_too_many", stage="values",
    diagnosis="Rows that do not end have max_len + 1 words.",
    next_step="Go max_len rounds.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len + 1):
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


@mistake(
    GREEDY, "argmax_over_the_words", stage="values",
    diagnosis="argmax runs over the words instead of the vocabulary: `dim=1` is the time.",
    next_step="Take argmax over the last axis, dim=-1.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=1)
        for row, word in enumerate(words[:, 0].tolist()):
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)
        if all(done):
            break
    return sentences


@mistake(
    GREEDY, "scores_above_0_only", stage="values",
    diagnosis="The search for the best score starts from 0, so negative scores are never chosen.",
    next_step="Start from the first score, or use argmax.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        chosen = []
        for row, scores in enumerate(logits[:, 0].tolist()):
            word, top = 0, 0.0
            for candidate, score in enumerate(scores):
                if score > top:
                    word, top = candidate, score
            chosen.append([word])
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)
        words = torch.tensor(chosen)
    return sentences


@mistake(
    GREEDY, "words_without_second_axis", stage="raises",
    diagnosis="The chosen words are fed as (B,); the decoder takes (B, 1).",
    next_step="Keep the axis: `argmax(dim=-1)` of logits (B, 1, V) is (B, 1) already.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits[:, -1].argmax(dim=-1)
        for row, word in enumerate(words.tolist()):
            if word == eos:
                done[row] = True
            elif not done[row]:
                sentences[row].append(word)
    return sentences


@mistake(
    GREEDY, "one_sentence_only", stage="raises",
    diagnosis="`.item()` works for a single row only.",
    next_step="Go through the rows: `.tolist()` gives all their words.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    word = torch.full((len(src), 1), bos)
    sentence = []
    for _ in range(max_len):
        logits, state = decoder(word, state)
        word = logits.argmax(dim=-1)
        if word.item() == eos:
            break
        sentence.append(word.item())
    return [sentence]


@mistake(
    GREEDY, "first_row_for_all", stage="values",
    diagnosis="Every row gets the words of the first one.",
    next_step="Decode each row from its own state.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    sentences = []
    for row in range(len(src)):
        _, state = encoder(src[:1], lengths[:1])
        word, words = torch.tensor([[bos]]), []
        for _ in range(max_len):
            logits, state = decoder(word, state)
            word = logits.argmax(dim=-1)
            if word.item() == eos:
                break
            words.append(word.item())
        sentences.append(words)
    return sentences


@mistake(
    GREEDY, "shared_list", stage="values",
    diagnosis="All rows share one list: `[[]] * B` repeats the same list.",
    next_step="Make a list for each row: `[[] for _ in range(B)]`.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[]] * len(src)
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


@mistake(
    GREEDY, "words_are_tensors", stage="type",
    diagnosis="The words are 0-d tensors; Python ints were asked for.",
    next_step="Call `.tolist()` or `.item()`.",
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
    diagnosis="It looks for the place of eos, and fails in a row that has none.",
    next_step="Look whether eos is there before asking where.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    columns = [words[:, :0]]
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        columns.append(words)
    return [line[: line.index(eos)] for line in torch.cat(columns, dim=1).tolist()]


@mistake(
    GREEDY, "every_bos_left_out", stage="values",
    diagnosis="Every bos is left out; one that the decoder says is a word like any other.",
    next_step="Leave out only the bos that you fed at the start, by never appending it.",
)  # fmt: skip
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
    return [[word for word in line if word != bos] for line in sentences]


@mistake(
    GREEDY, "id_0_left_out", stage="values",
    diagnosis="The id 0 is taken for padding and left out; nobody said that it is.",
    next_step="Keep every word up to eos.",
)  # fmt: skip
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
    return [[word for word in line if word != 0] for line in sentences]


@mistake(
    GREEDY, "empty_sentences_left_out", stage="shape",
    diagnosis="A row that ends at once is missing; each row of src has a list, be it empty.",
    next_step="Keep empty lists.",
)  # fmt: skip
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
    return [line for line in sentences if line]


@mistake(
    GREEDY, "eos_only_after_a_word", stage="values",
    diagnosis="An eos in the first round does not end the row.",
    next_step="Look for eos in every round.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    done = [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0].tolist()):
            if word == eos and sentences[row]:
                done[row] = True
            elif not done[row] and word != eos:
                sentences[row].append(word)
        if all(done):
            break
    return sentences


@mistake(
    GREEDY, "eos_and_bos_swapped", stage="values",
    diagnosis="bos and eos are swapped: eos goes in first.",
    next_step="bos is fed first, eos ends a row.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), eos)
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


@mistake(
    GREEDY, "finished_rows_shift_the_others", stage="raises",
    diagnosis="Finished rows are taken out of the words but not out of the state.",
    next_step="Take them out of h and c too (on their second axis), or let them run along.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    rows = list(range(len(src)))
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        going = [place for place, word in enumerate(words[:, 0].tolist()) if word != eos]
        for place in going:
            sentences[rows[place]].append(int(words[place, 0]))
        rows, words = [rows[place] for place in going], words[going]
        if not rows:
            break
    return sentences


@mistake(
    GREEDY, "rows_mixed_up_when_some_end", stage="values",
    diagnosis="After some rows have ended, words are put into the wrong lists.",
    next_step="Remember which row of src each remaining place belongs to.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, (h, c) = encoder(src, lengths)
    words = torch.full((len(src), 1), bos)
    sentences = [[] for _ in range(len(src))]
    for _ in range(max_len):
        logits, (h, c) = decoder(words, (h, c))
        words = logits.argmax(dim=-1)
        going = [place for place, word in enumerate(words[:, 0].tolist()) if word != eos]
        for place, word in enumerate(words[going, 0].tolist()):
            sentences[place].append(word)
        words, h, c = words[going], h[:, going], c[:, going]
        if not going:
            break
    return sentences


@mistake(
    GREEDY, "sets_eval_mode", stage="property",
    diagnosis="The modules are put into eval mode; the mode is for the caller to say.",
    next_step="Leave `.eval()` out: who decodes while training wants to go on training afterwards.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    encoder.eval()
    decoder.eval()
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


@mistake(
    GREEDY, "sets_training_mode", stage="property",
    diagnosis="The modules are in training mode afterwards; the mode is for the caller to say.",
    next_step="Leave `.train()` out.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    encoder.train()
    decoder.train()
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


@mistake(
    GREEDY, "at_least_one_word", stage="values",
    diagnosis="With max_len 0 there still is a word: the loop asks only after the first one.",
    next_step="Ask before each round whether more words are wanted.",
)  # fmt: skip
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
)  # fmt: skip
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
    GREEDY, "beam_search", stage="values",
    diagnosis="This is a beam search, for the likeliest whole sentence; asked for is the best word of each step.",
    next_step="Keep one beginning for each row, and always go on with its best word.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos, width=3):
    _, (h, c) = encoder(src, lengths)
    sentences = []
    for row in range(len(src)):
        beams = [(0.0, [], (h[:, row : row + 1], c[:, row : row + 1]), False)]
        for _ in range(max_len):
            longer = []
            for total, words, state, done in beams:
                if done:
                    longer.append((total, words, state, True))
                    continue
                logits, after = decoder(torch.tensor([[words[-1] if words else bos]]), state)
                top = logits[0, -1].log_softmax(dim=-1).topk(width)
                for score, word in zip(top.values.tolist(), top.indices.tolist()):
                    longer.append((total + score, words if word == eos else [*words, word], after, word == eos))
            beams = sorted(longer, key=lambda beam: -beam[0])[:width]
        sentences.append(beams[0][1])
    return sentences


@mistake(
    GREEDY, "repetition_penalty", stage="values",
    diagnosis="Words that were said before are held back; the best word may be one of them.",
    next_step="Leave the scores as the decoder gives them.",
)  # fmt: skip
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, (h, c) = encoder(src, lengths)
    sentences = []
    for row in range(len(src)):
        state = h[:, row : row + 1], c[:, row : row + 1]
        word, sentence = bos, []
        for _ in range(max_len):
            logits, state = decoder(torch.tensor([[word]]), state)
            scores = logits[0, -1].clone()
            scores[sentence] -= 2.0
            word = scores.argmax().item()
            if word == eos:
                break
            sentence.append(word)
        sentences.append(sentence)
    return sentences


@mistake(
    GREEDY, "eos_held_back", stage="values",
    diagnosis="eos is held back, so that sentences grow longer than the decoder's best words.",
    next_step="Leave the scores as the decoder gives them: eos ends a row as soon as it is the best word.",
)  # fmt: skip
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


@right_form(GREEDY, "row_by_row")
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos, verbose=True):
    sentences = []
    for sentence, length in zip(src, lengths):
        _, state = encoder(sentence[None, : int(length)], length.reshape(1))
        word, words = bos, []
        while len(words) < max_len:
            scores, state = decoder(torch.tensor([[word]]), state)
            word = scores[0, -1].argmax().item()
            if word == eos:
                break
            words.append(word)
        print(words)
        sentences.append(words)
    return sentences


@right_form(GREEDY, "cut_afterwards")
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    state = encoder(src, lengths)[1]
    columns = [torch.full((src.shape[0], 1), bos, dtype=torch.long)]
    for _ in range(max_len):
        logits, state = decoder(columns[-1], state)
        columns.append(logits[:, -1, :].argmax(-1, keepdim=True))
    lines = torch.cat(columns, dim=1)[:, 1:].tolist()
    return [line[: line.index(eos)] if eos in line else line for line in lines]


@right_form(GREEDY, "all_words_again_each_time")
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    with torch.inference_mode():
        _, start = encoder(src, lengths)
        words = torch.full((len(src), 1), bos)
        while words.shape[1] <= max_len and not (words == eos).any(dim=1).all():
            logits, _ = decoder(words, start)
            words = torch.cat([words, logits[:, -1:].argmax(-1)], dim=1)
    return tuple(tuple((row[1:] + [eos])[: (row[1:] + [eos]).index(eos)]) for row in words.tolist())


@right_form(GREEDY, "finished_rows_taken_out")
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, (h, c) = encoder(src, lengths)
    rows = torch.arange(len(src))
    words = torch.full((len(src), 1), bos)
    sentences = {row: [] for row in rows.tolist()}
    for _ in range(max_len):
        logits, (h, c) = decoder(words, (h, c))
        words = logits.squeeze(1).topk(1).indices
        going = (words != eos).squeeze(1)
        rows, words, h, c = rows[going], words[going], h[:, going], c[:, going]
        for row, word in zip(rows.tolist(), words.flatten().tolist()):
            sentences[row].append(word)
        if not len(rows):
            break
    return list(sentences.values())


@right_form(GREEDY, "finished_rows_are_fed_eos")
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    _, state = encoder(src, lengths)
    fed = torch.full((len(src), 1), bos)
    done = torch.zeros(len(src), dtype=torch.bool)
    out = torch.full((len(src), max_len), eos)
    for t in range(max_len):
        logits, state = decoder(fed, state)
        best = logits[:, -1].softmax(-1).argmax(-1)
        best = torch.where(done, torch.tensor(eos), best)
        out[:, t] = best
        done = done | (best == eos)
        fed = best.unsqueeze(1)
    counts = (out != eos).sum(1)
    return [row[:count].tolist() for row, count in zip(out, counts)]


@right_form(GREEDY, "numpy_and_a_sorted_batch")
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    order = torch.argsort(lengths, descending=True)
    _, state = encoder(src[order], lengths[order])
    words = torch.full((len(src), 1), bos)
    sentences = [None] * len(src)
    lines = [[] for _ in sentences]
    for _ in range(max_len):
        logits, state = decoder(words, state)
        best = np.argmax(logits.detach().numpy()[:, 0], axis=1)
        words = torch.from_numpy(best)[:, None]
        for line, word in zip(lines, best):
            line.append(int(word))
    for place, line in zip(order.tolist(), lines):
        sentences[place] = line[: line.index(eos)] if eos in line else line
    return sentences


survivor(GREEDY, "if not going: → pass", "Rounds after the last row is done change nothing: they only take time.")
survivor(GREEDY, "0 → -1", "There is one column of words: the first one is the last.")
