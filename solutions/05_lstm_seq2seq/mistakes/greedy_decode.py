# exercise 05.greedy_decode
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
# The id 0 is taken for padding and left out; here it is a word.
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


# mistake as_many_words_as_columns_of_the_source (values), from plain
# The loop runs once for each column of src; how much is read says nothing about how much is written, and max_len is the limit.
# Next: Let the loop run max_len times.
#   range(max_len) => range(src.shape[1])

# mistake as_many_words_as_the_longest_source (values), from plain
# The loop runs as often as the longest sentence of src has words; max_len is the limit.
# Next: Let the loop run max_len times.
#   range(max_len) => range(int(lengths.max()))

# mistake state_not_handed_on (values), from plain
# Every step starts from the encoder's state again; only the word changes.
# Next: Keep the state that the decoder returns, and hand it to the next step.
#   logits, state => logits, _

# mistake bos_every_time (values), from plain
# bos is fed in every round; from the second round on the word that came out goes in.
# Next: Feed the words that were chosen the round before.
#   words = torch.full((len(src), 1), bos) => first = torch.full((len(src), 1), bos)
#   words, state => first, state

# mistake only_h_handed_on (values), from plain
# Of the state only h is handed on; c stays the encoder's.
# Next: Hand on the pair (h, c) as it came.
#   _, state => _, (h, c)
#   logits, state = decoder(words, state) => logits, (h, _) = decoder(words, (h, c))

# mistake whole_prefix_with_the_new_state (values), from plain
# All words so far are fed again, to a state that has read them already.
# Next: Feed the last word with the new state, or all words with the encoder's state.
#   logits.argmax(dim=-1) => torch.cat([words, logits[:, -1:].argmax(dim=-1)], dim=1)
#   :, 0 => :, -1
#                    sentences[row].append(word)
#   +

# mistake first_place_of_the_prefix (values), from plain
# All words so far are fed, and the logits of the first position are taken instead of the last.
# Next: Take `logits[:, -1]`.
#   logits, state => logits, _
#   logits.argmax(dim=-1) => torch.cat([words, logits[:, :1].argmax(dim=-1)], dim=1)
#   :, 0 => :, -1
#                    sentences[row].append(word)
#   +

# mistake lengths_ignored (values), from plain
# The encoder is told that every row is full: it reads the padding too.
# Next: Hand lengths on as they are.
#   encoder(src, lengths) => encoder(src, torch.full_like(lengths, src.shape[1]))

# mistake left_sorted (values), from plain
# The rows were sorted by length and not put back.
# Next: Undo the sorting in the result; or do not sort at all.
#   -    _, state = encoder(src, lengths)
#   +    order = lengths.argsort(descending=True)
#   +    _, state = encoder(src[order], lengths[order])

# mistake argmax_over_the_words (values), from plain
# argmax runs over the words instead of the vocabulary: `dim=1` is the time.
# Next: Take argmax over the last axis, dim=-1.
#   dim=-1 => dim=1

# mistake scores_above_0_only (values), from plain
# The search for the best score starts from 0, so negative scores are never chosen.
# Next: Start from the first score, or use argmax.
#   -        words = logits.argmax(dim=-1)
#   -        for row, word in enumerate(words[:, 0].tolist()):
#   +        chosen = []
#   +        for row, scores in enumerate(logits[:, 0].tolist()):
#   +            word, top = 0, 0.0
#   +            for candidate, score in enumerate(scores):
#   +                if score > top:
#   +                    word, top = candidate, score
#   +            chosen.append([word])
#   -        if all(done):
#   -            break
#   +        words = torch.tensor(chosen)

# mistake words_without_second_axis (raises), from plain
# The chosen words are fed as (B,); the decoder takes (B, 1).
# Next: Keep the axis: `argmax(dim=-1)` of logits (B, 1, V) is (B, 1) already.
#   logits.argmax => logits[:, -1].argmax
#   words[:, 0] => words
#   -        if all(done):
#   -            break


# mistake one_sentence_only (raises)
# `.item()` works for a single row only.
# Next: Go through the rows: `.tolist()` gives all their words.
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


# mistake first_row_for_all (values)
# Every row gets the words of the first one.
# Next: Decode each row from its own state.
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


# mistake finished_rows_shift_the_others (raises)
# Finished rows are taken out of the words but not out of the state.
# Next: Take them out of h and c too (on their second axis), or let them run along.
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


# mistake rows_mixed_up_when_some_end (values)
# After some rows have ended, words are put into the wrong lists.
# Next: Remember which row of src each remaining position belongs to.
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


# mistake sets_eval_mode (property), from plain
# The modules are put into eval mode; the mode is for the caller to say.
# Next: Leave `.eval()` out: a training loop that decodes goes on training afterwards.
#    def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
#   +    encoder.eval()
#   +    decoder.eval()

# mistake sets_training_mode (property), from plain
# The modules are in training mode afterwards; the mode is for the caller to say.
# Next: Leave `.train()` out.
#    def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
#   +    encoder.train()
#   +    decoder.train()


# mistake beam_search (values)
# This is a beam search, for the most probable whole sentence, but the exercise asks for the best word of each step.
# Next: Keep one beginning for each row, and always go on with its best word.
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


# mistake repetition_penalty (values), from eos_held_back
# Words that were said before are held back; the best word may be one of them.
# Next: Leave the scores as the decoder gives them.
#   scores[eos] => scores[sentence]


# mistake weights_frozen (shape)
# The modules' weights need no gradient afterwards: they can learn nothing any more.
# Next: Use `with torch.no_grad():` around the calls; that ends with the block.
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    encoder.requires_grad_(False)
    decoder.requires_grad_(False)
    _, state = encoder(src, lengths)
    words, sentences, done = torch.full((len(src), 1), bos), [[] for _ in src], [False] * len(src)
    for _ in range(max_len):
        logits, state = decoder(words, state)
        words = logits.argmax(dim=-1)
        for row, word in enumerate(words[:, 0].tolist()):
            done[row] = done[row] or word == eos
            if not done[row]:
                sentences[row].append(word)
    return sentences


# mistake words_are_tensors (values)
# The words in the lists are tensors, but the exercise asks for Python ints.
# Next: `words.tolist()` gives ints, `word.item()` one.
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    with torch.no_grad():
        _, state = encoder(src, lengths)
        words = torch.full((len(src), 1), bos)
        sentences, done = [[] for _ in range(len(src))], [False] * len(src)
        for _ in range(max_len):
            logits, state = decoder(words, state)
            words = logits.argmax(-1)
            for row in range(len(src)):
                done[row] = done[row] or bool(words[row] == eos)
                if not done[row]:
                    sentences[row].append(words[row])
            if all(done):
                break
    return sentences
