# exercise 02.embedding_grad_with_options
import torch


# base padding_first
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[padding_idx] = 0
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


# mistake padding_0_ignored (values), from padding_first
# A padding_idx of 0 is ignored: `if padding_idx` is false for 0.
# Next: Ask `if padding_idx is not None`.
#   padding_idx is not None => padding_idx


# mistake negative_padding_ignored (values)
# A negative padding_idx has no effect: no id equals it.
# Next: Add num_embeddings to a negative padding_idx before you compare it with ids.
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    if padding_idx is not None:
        grad_output = grad_output * (ids != padding_idx)[..., None]
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


# mistake every_negative_padding_is_the_last_row (values), from padding_first
# Every negative padding_idx is taken for the last row.
# Next: -2 is the row before the last, -num_embeddings is row 0: leave the counting to the index itself.
#   grad[padding_idx] => grad[max(padding_idx, -1)]

# mistake padding_is_always_row_0 (values), from padding_first
# Row 0 is cleared whatever padding_idx says.
# Next: Clear the row that padding_idx names.
#   grad[padding_idx] => grad[0]

# mistake padding_ignored (values), from padding_first
# The padding row gets a gradient like any other.
# Next: Set the row of padding_idx to zero, when there is one.
#   -    if padding_idx is not None:
#   -        grad[padding_idx] = 0


# base plain
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.reshape(-1), minlength=num_embeddings).clamp(min=1)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


# mistake frequency_ignored (values), from plain
# scale_grad_by_freq changes nothing.
# Next: Divide each row by how often its id occurs, when scale_grad_by_freq is True.
#   -    if scale_grad_by_freq:
#   -        grad = grad / torch.bincount(ids.reshape(-1), minlength=num_embeddings).clamp(min=1)[:, None]

# mistake multiplies_by_frequency (values), from plain
# Each row is multiplied by its count; it should be divided, so that frequent words do not run ahead.
# Next: Divide by the counts, with 1 in place of 0.
#   -        grad = grad / torch.bincount(ids.reshape(-1), minlength=num_embeddings).clamp(min=1)[:, None]
#   +        grad = grad * torch.bincount(ids.flatten(), minlength=num_embeddings)[:, None]

# mistake divides_by_relative_frequency (values), from plain
# Each row is divided by its fraction of the batch; PyTorch divides by the plain count.
# Next: Leave out the division of the counts by the number of ids.
#   -    if scale_grad_by_freq:
#   -        grad = grad / torch.bincount(ids.reshape(-1), minlength=num_embeddings).clamp(min=1)[:, None]
#   +    if scale_grad_by_freq and ids.numel():
#   +        counts = torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)
#   +        grad = grad / (counts / ids.numel()).to(grad.dtype)[:, None]

# mistake divides_by_the_number_of_ids (values), from plain
# All rows are divided by the number of ids; each row has a count of its own.
# Next: Count each id with `torch.bincount(ids.flatten(), minlength=num_embeddings)`.
#   torch.bincount(ids.reshape(-1), minlength=num_embeddings).clamp(min=1)[:, None] => max(ids.numel(), 1)


# mistake counts_each_sentence (values)
# Repeats are counted inside each sentence; PyTorch counts over the whole batch.
# Next: Flatten the ids before you count them.
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    if scale_grad_by_freq and ids.ndim:
        counts = (ids[..., :, None] == ids[..., None, :]).sum(-1)
        grad_output = grad_output / counts[..., None]
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


# mistake divides_by_zero (not finite), from plain
# Rows that do not occur become nan: 0 divided by a count of 0.
# Next: Use `counts.clamp(min=1)`: a row that does not occur stays 0.
#   reshape(-1), minlength=num_embeddings).clamp(min=1 => flatten(), minlength=num_embeddings

# mistake too_few_counts (raises), from plain
# There are counts up to the largest id that occurs only, and they do not fit the table.
# Next: Give `torch.bincount` a `minlength` of num_embeddings.
#   ids.reshape(-1), minlength=num_embeddings => ids.flatten()

# mistake one_option_at_a_time (values), from plain
# When both options are on, the second one is skipped.
# Next: Use two separate `if`s: the options are independent.
#   ids.reshape(-1) => ids.flatten()
#   -    if padding_idx is not None:
#   +    elif padding_idx is not None:

# mistake padding_counts_as_a_repeat (values), from negative_padding_ignored
# Padding is turned into another id, whose row then gets its gradient as well.
# Next: Leave the ids as they are, and clear the padding row of the result.
#   -        grad_output = grad_output * (ids != padding_idx)[..., None]
#   +        padding = padding_idx % num_embeddings
#   +        ids = torch.where(ids == padding, (padding + 1) % num_embeddings, ids)

# mistake gradient_cleared_in_place (property), from negative_padding_ignored
# The gradients of padded positions are cleared inside grad_output, which belongs to the caller.
# Next: Clear the row of the result instead, or work on a clone.
#   grad_output = grad_output * (ids != padding_idx)[..., None] => grad_output[ids == padding_idx % num_embeddings] = 0

# mistake options_in_another_order (values), from plain
# The two options stand in another order than asked for, so by position each is taken for the other.
# Next: Keep the order of the stub: padding_idx, then scale_grad_by_freq.
#   padding_idx=None, scale_grad_by_freq=False => scale_grad_by_freq=False, padding_idx=None

# mistake counts_in_eight_bits (values), from plain
# The counts are kept in eight bits: an id that occurs 300 times is counted 44 times.
# Next: Leave the counts int64, as `torch.bincount` gives them.
#   -        grad = grad / torch.bincount(ids.reshape(-1), minlength=num_embeddings).clamp(min=1)[:, None]
#   +        counts = torch.bincount(ids.reshape(-1), minlength=num_embeddings).to(torch.uint8)
#   +        grad = grad / counts.clamp(min=1)[:, None]

# mistake rounds_to_float32 (values), from plain
# float64 gradients pass through float32 on the way: digits are lost where large gradients cancel.
# Next: Stay in the dtype of grad_output from beginning to end.
#   embedding_grad(ids, grad_output, num_embeddings) => embedding_grad(ids, grad_output.float(), num_embeddings)
#   return grad => return grad.to(grad_output.dtype)

# mistake padding_or_frequency (values), from padding_first
# With a padding_idx the frequencies are skipped: `elif` runs only where the `if` before it did not.
# Next: Use two separate `if`s: the options are independent.
#   if scale_grad_by_freq: => elif scale_grad_by_freq:

# mistake always_by_frequency (values), from plain
# Rows are divided by their counts even when scale_grad_by_freq is False.
# Next: Ask for the option first: `if scale_grad_by_freq:`.
#   -    if scale_grad_by_freq:
#   -        grad = grad / torch.bincount(ids.reshape(-1), minlength=num_embeddings).clamp(min=1)[:, None]
#   +    grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]

# mistake padding_column (values, raises), from plain
# A column is set to zero; padding_idx names a row of the table.
# Next: `grad[padding_idx] = 0` clears a row, `grad[:, padding_idx] = 0` a column.
#   ids.reshape(-1) => ids.flatten()
#   grad[padding_idx] => grad[:, padding_idx]


# mistake padding_row_removed (shape)
# The row of the padding is taken out of the result; it stays, with zeros.
# Next: The result has num_embeddings rows: set that one to 0.
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    if padding_idx is None:
        return grad
    return grad[torch.arange(num_embeddings) != padding_idx % num_embeddings]
