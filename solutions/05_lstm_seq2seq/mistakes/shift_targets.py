# exercise 05.shift_targets
import numpy as np
import torch
import torch.nn.functional as F


# mistake eos_in_the_last_column (values)
# eos stands in the last column of every row, behind the padding; it belongs right behind the last word.
# Next: Count the words of each row: the count is the column of its eos.
def shift_targets(tgt, bos, eos, pad):
    rows = len(tgt)
    decoder_input = torch.cat([tgt.new_full((rows, 1), bos), tgt], dim=1)
    return decoder_input, torch.cat([tgt, tgt.new_full((rows, 1), eos)], dim=1)


# base plain
def shift_targets(tgt, bos, eos, pad):
    rows = len(tgt)
    decoder_input = torch.cat([tgt.new_full((rows, 1), bos), tgt], dim=1)
    target = torch.cat([tgt, tgt.new_full((rows, 1), pad)], dim=1)
    target[torch.arange(rows), (tgt != pad).sum(dim=1)] = eos
    return decoder_input, target


# mistake no_eos_in_padded_rows (values), from plain
# Only full rows end in eos; a padded row must end, too.
# Next: Every row gets one eos, at the column that its number of words gives.
#   -    target[torch.arange(rows), (tgt != pad).sum(dim=1)] = eos
#   +    full = (tgt != pad).all(dim=1)
#   +    target[full, -1] = eos

# mistake no_eos_in_full_rows (values), from plain
# A row without padding gets no eos: it was written where the first pad stood, and there is none.
# Next: Add a column of padding first; then every row has a first pad.
#   -    target[torch.arange(rows), (tgt != pad).sum(dim=1)] = eos
#   +    for row in range(rows):
#   +        for column in range(tgt.shape[1]):
#   +            if tgt[row, column] == pad:
#   +                target[row, column] = eos
#   +                break

# mistake no_eos (values), from eos_in_the_last_column
# The target has no eos; the decoder would never learn to stop.
# Next: Put eos behind the last word of each row.
#   (rows, 1), eos => (rows, 1), pad

# mistake eos_in_place_of_all_padding (values), from plain
# All the padding of the target became eos; only one eos ends a row, and pad stays pad.
# Next: Write eos at a single column of each row.
#   -    target[torch.arange(rows), (tgt != pad).sum(dim=1)] = eos
#   -    return decoder_input, target
#   +    return decoder_input, target.masked_fill(target == pad, eos)

# mistake eos_over_the_last_word (values), from plain
# eos overwrites the last word; it belongs in the column behind it.
# Next: A row of n words has them in columns 0 to n - 1, and eos in column n.
#   (tgt != pad).sum(dim=1) => (tgt != pad).sum(dim=1) - 1

# mistake one_length_for_all (values), from plain
# The length of the longest row decides where all rows end.
# Next: Sum over dim=1, so that every row has a count of its own.
#   torch.arange(rows), (tgt != pad).sum(dim=1) => :, max((row != pad).sum() for row in tgt)

# mistake first_pad_by_argmax (values), from plain
# `argmax` looks for the first pad in tgt; a full row has none, the answer is 0, and its first word is lost.
# Next: Look in the target after it got its column of padding, or count the words.
#   (tgt != pad).sum => (tgt == pad).int().argmax

# mistake ends_where_the_word_is_0 (values), from plain
# Padding is recognised by the id 0; the parameter pad says which id it is.
# Next: Compare with pad.
#   tgt != pad => tgt != 0

# mistake words_are_above_pad (values), from plain
# What is greater than pad counts as a word; pad may be greater than all words, or stand among them.
# Next: Compare with `!= pad`.
#   tgt != pad => tgt > pad

# mistake fixed_special_ids (values), from plain
# bos, eos and pad are taken for 1, 2 and 0, whatever was given.
# Next: Use the parameters.
#   (rows, 1), bos => (rows, 1), 1
#   (rows, 1), pad => (rows, 1), 0
#   target[torch.arange(rows), (tgt != pad).sum(dim=1)] = eos => target[torch.arange(rows), (tgt != 0).sum(dim=1)] = 2

# mistake input_not_shifted (values), from plain
# The decoder is fed the very word that it should predict: it learns to copy.
# Next: The input starts with bos, and every word goes in one position after it came out.
#   -    decoder_input = torch.cat([tgt.new_full((rows, 1), bos), tgt], dim=1)
#   decoder_input, target => target.clone(), target


# mistake both_with_bos_and_eos (shape)
# Both rows are bos, words, eos: two columns more than tgt. The input has no eos, the target no bos.
# Next: Cut the last column off the input and the first one off the target.
def shift_targets(tgt, bos, eos, pad):
    rows = len(tgt)
    whole = torch.cat([tgt.new_full((rows, 1), bos), tgt, tgt.new_full((rows, 1), pad)], dim=1)
    whole[torch.arange(rows), (tgt != pad).sum(dim=1) + 1] = eos
    return whole, whole


# mistake as_wide_as_tgt (shape)
# Both results are as wide as tgt: the target loses eos in full rows. There is one step more than there are words.
# Next: Both results have T + 1 columns.
def shift_targets(tgt, bos, eos, pad):
    rows = len(tgt)
    decoder_input = torch.cat([tgt.new_full((rows, 1), bos), tgt[:, :-1]], dim=1)
    return decoder_input, tgt.clone()


# mistake input_as_wide_as_tgt (shape), from plain
# The input has lost the last word: eos is to be predicted from it.
# Next: The input is bos and then all of tgt.
#   tgt.new_full((rows, 1), bos), tgt => tgt.new_full((rows, 1), bos), tgt[:, :-1]

# mistake no_bos (values), from plain
# The input starts with eos instead of bos.
# Next: Fill the first column of the input with bos.
#   (rows, 1), bos => (rows, 1), eos

# mistake target_first (values), from plain
# The two results are swapped: first comes what the decoder is fed, then what it should say.
# Next: Return decoder_input first.
#   decoder_input, target => target, decoder_input

# mistake rolled (values), from plain
# The input is the target turned round by one: eos or pad goes in first, where bos belongs.
# Next: After rolling, write bos into the first column.
#   -    decoder_input = torch.cat([tgt.new_full((rows, 1), bos), tgt], dim=1)
#   decoder_input, target => target.roll(1, dims=1), target

# mistake joined_below (raises), from plain
# The pieces are joined along the batch; a column is joined along dim=1.
# Next: Pass `dim=1` to `torch.cat`.
#   [tgt.new_full((rows, 1), bos), tgt], dim=1 => [tgt.new_full((rows, 1), bos), tgt]
#   [tgt, tgt.new_full((rows, 1), pad)], dim=1 => [tgt, tgt.new_full((rows, 1), pad)]


# mistake floats (dtype)
# The results are floats: `torch.zeros` and `torch.ones` make floats unless told otherwise.
# Next: Make ids with `dtype=torch.long`, or with `tgt.new_full`.
def shift_targets(tgt, bos, eos, pad):
    rows, columns = tgt.shape
    decoder_input = torch.zeros(rows, columns + 1)
    target = torch.zeros(rows, columns + 1) + pad
    decoder_input[:, 0] = bos
    decoder_input[:, 1:] = tgt
    target[:, :-1] = tgt
    target[torch.arange(rows), (tgt != pad).sum(dim=1)] = eos
    return decoder_input, target


# mistake lists (type)
# Lists come back; tensors were asked for.
# Next: Put `torch.tensor` around each.
def shift_targets(tgt, bos, eos, pad):
    fed, wanted = [], []
    for row in tgt.tolist():
        words = [word for word in row if word != pad]
        rest = len(row) - len(words)
        fed.append([bos, *words] + [pad] * rest)
        wanted.append([*words, eos] + [pad] * rest)
    return fed, wanted


# mistake ragged_rows (raises)
# The rows were not filled up again, and rows of unequal length make no tensor.
# Next: Fill each row up with pad to T + 1 ids.
def shift_targets(tgt, bos, eos, pad):
    words = [[word for word in row if word != pad] for row in tgt.tolist()]
    return torch.tensor([[bos, *row] for row in words]), torch.tensor([[*row, eos] for row in words])


# mistake ends_at_the_longest_row (shape)
# The results end at the longest sentence; they have T + 1 columns, whatever the sentences.
# Next: Fill rows up to tgt.shape[1] + 1 ids.
def shift_targets(tgt, bos, eos, pad):
    words = [[word for word in row if word != pad] for row in tgt.tolist()]
    longest = max(len(row) for row in words)
    fed = [[bos, *row] + [pad] * (longest - len(row)) for row in words]
    wanted = [[*row, eos] + [pad] * (longest - len(row)) for row in words]
    return torch.tensor(fed), torch.tensor(wanted)


# mistake no_first_column (raises), from plain
# It fails when tgt has no columns: there is no last one to look at.
# Next: Try tgt of shape (3, 0): every row is bos going in and eos coming out.
#   -    target[torch.arange(rows), (tgt != pad).sum(dim=1)] = eos
#   +    full = tgt[:, -1] != pad
#   +    target[torch.arange(rows), torch.where(full, tgt.shape[1], (tgt == pad).int().argmax(dim=1))] = eos

# mistake rows_without_words_left_alone (values), from plain
# A row without words gets no eos; it should end at once.
# Next: Leave the condition out: 0 words put eos into column 0.
#   -    target[torch.arange(rows), (tgt != pad).sum(dim=1)] = eos
#   +    lengths = (tgt != pad).sum(dim=1)
#   +    for row in range(rows):
#   +        if lengths[row]:
#   +            target[row, lengths[row]] = eos


# mistake tgt_written_to (property)
# eos is written into tgt itself, which belongs to the caller.
# Next: Write into a clone, or into what `torch.cat` returned.
def shift_targets(tgt, bos, eos, pad):
    rows, columns = tgt.shape
    lengths = (tgt != pad).sum(dim=1)
    decoder_input = torch.cat([tgt.new_full((rows, 1), bos), tgt], dim=1)
    last = tgt.new_full((rows, 1), pad)
    for row in range(rows):
        if lengths[row] < columns:
            tgt[row, lengths[row]] = eos
        else:
            last[row] = eos
    return decoder_input, torch.cat([tgt, last], dim=1)


# mistake eos_in_the_columns_of_others (values)
# `decoder_target[:, lengths] = eos` writes eos into every row, at the lengths of all rows.
# Next: Name the row of each length too: `decoder_target[torch.arange(B), lengths] = eos`.
def shift_targets(tgt, bos, eos, pad):
    decoder_input = torch.cat([tgt.new_full((len(tgt), 1), bos), tgt], dim=1)
    decoder_target = torch.cat([tgt, tgt.new_full((len(tgt), 1), pad)], dim=1)
    decoder_target[:, (tgt != pad).sum(dim=1)] = eos
    return decoder_input, decoder_target


# right form lists_inside
def shift_targets(tgt, bos, eos, pad):
    width = tgt.size(1) + 1
    fed, wanted = [], []
    for row in tgt.tolist():
        words = [word for word in row if word != pad]
        fed.append(([bos] + words + [eos] * width)[:width])
        wanted.append((words + [eos] + [pad] * width)[:width])
    return [torch.tensor(fed), torch.tensor(wanted)]


# right form scatter_and_pad
def shift_targets(tgt, bos, eos, pad):
    lengths = tgt.ne(pad).sum(1, keepdim=True)
    target = F.pad(tgt, (0, 1), value=pad).scatter(1, lengths, eos)
    fed = target.roll(1, dims=1)
    fed[:, 0] = bos
    return fed, target


# right form first_pad_after_a_column_of_it
def shift_targets(tgt, bos, eos, pad, verbose=False):
    column = torch.full((tgt.shape[0], 1), pad)
    target = torch.hstack((tgt, column))
    first = (target == pad).to(torch.uint8).argmax(dim=-1)
    target[range(len(target)), first] = eos
    return torch.hstack((torch.full_like(column, bos), tgt)), target


# right form masks_only
def shift_targets(tgt, bos, eos, pad):
    before = F.pad(tgt, (1, 0), value=bos)
    after = F.pad(tgt, (0, 1), value=pad)
    end = (after == pad) & (before != pad)
    return before, torch.where(end, torch.tensor(eos), after)


# right form numpy_inside
def shift_targets(tgt, bos, eos, pad):
    ids = tgt.numpy()
    fed = np.concatenate([np.full((len(ids), 1), bos), ids], axis=1)
    wanted = np.full((ids.shape[0], ids.shape[1] + 1), pad)
    for row, words in enumerate(ids):
        n = int((words != pad).sum())
        wanted[row, :n] = words[:n]
        wanted[row, n] = eos
    return torch.from_numpy(fed), torch.from_numpy(wanted)


# right form input_made_of_the_target
def shift_targets(tgt, bos, eos, pad):
    B, T = tgt.shape
    target = torch.full((B, T + 1), pad, dtype=torch.long)
    target[:, :T] = tgt
    target[torch.arange(B), (tgt != pad).sum(-1)] = eos
    fed = torch.full((B, T + 1), pad, dtype=torch.long)
    fed[:, 0] = bos
    fed[:, 1:] = target[:, :-1].masked_fill(target[:, :-1] == eos, pad)
    return fed, target


# right form two_views_of_one_tensor
def shift_targets(tgt, bos, eos, pad):
    B, T = tgt.shape
    both = tgt.new_full((B, T + 2), pad)
    both[:, 0], both[:, 1 : T + 1] = bos, tgt
    both[torch.arange(B), (tgt != pad).sum(dim=1) + 1] = eos
    return both[:, :-1], both[:, 1:]
