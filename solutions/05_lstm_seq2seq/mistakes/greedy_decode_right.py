# exercise 05.greedy_decode
import numpy as np
import torch


# right form row_by_row
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


# right form cut_afterwards
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    state = encoder(src, lengths)[1]
    columns = [torch.full((src.shape[0], 1), bos, dtype=torch.long)]
    for _ in range(max_len):
        logits, state = decoder(columns[-1], state)
        columns.append(logits[:, -1, :].argmax(-1, keepdim=True))
    lines = torch.cat(columns, dim=1)[:, 1:].tolist()
    return [line[: line.index(eos)] if eos in line else line for line in lines]


# right form all_words_again_each_time
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    with torch.inference_mode():
        _, start = encoder(src, lengths)
        words = torch.full((len(src), 1), bos)
        while words.shape[1] <= max_len and not (words == eos).any(dim=1).all():
            logits, _ = decoder(words, start)
            words = torch.cat([words, logits[:, -1:].argmax(-1)], dim=1)
    return tuple(tuple((row[1:] + [eos])[: (row[1:] + [eos]).index(eos)]) for row in words.tolist())


# right form finished_rows_taken_out
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


# right form finished_rows_are_fed_eos
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


# right form numpy_and_a_sorted_batch
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


# right form one_round_calls_the_next
def greedy_decode(encoder, decoder, src, lengths, max_len, bos, eos):
    sentences = [[] for _ in range(src.shape[0])]

    def go_on(rows, words, state, left):
        if not (left and rows):
            return
        logits, (h, c) = decoder(words, state)
        best = logits[:, -1].max(dim=-1).indices
        going = (best != eos).nonzero()[:, 0]
        for place in going.tolist():
            sentences[rows[place]].append(int(best[place]))
        go_on([rows[place] for place in going.tolist()], best[going][:, None], (h[:, going], c[:, going]), left - 1)

    with torch.inference_mode():
        go_on(list(range(len(src))), torch.full((len(src), 1), bos), encoder(src, lengths)[1], max_len)
    return tuple(sentences)


# survivor if not going: → pass
# Rounds after the last row is done change nothing: they only take time.

# survivor 0 → -1
# There is one column of words: the first one is the last.
