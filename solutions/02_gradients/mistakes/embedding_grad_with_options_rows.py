# exercise 02.embedding_grad_with_options
"""Wrong answers to embedding_grad_with_options by name: when an option counts, and where."""

import torch


# mistake padding_or_frequency (values)
# With a padding_idx the frequencies are skipped: `elif` runs only where the `if` before it did not.
# Next: Use two separate `if`s: the options are independent.
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[padding_idx] = 0
    elif scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


# mistake always_by_frequency (values)
# Rows are divided by their counts even when scale_grad_by_freq is False.
# Next: Ask for the option first: `if scale_grad_by_freq:`.
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


# mistake padding_column (values, raises)
# A column is set to zero; padding_idx names a row of the table.
# Next: `grad[padding_idx] = 0` clears a row, `grad[:, padding_idx] = 0` a column.
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    if padding_idx is not None:
        grad[:, padding_idx] = 0
    return grad


# mistake padding_row_removed (shape), from padding_column
# The row of the padding is taken out of the result; it stays, with zeros.
# Next: The result has num_embeddings rows: set that one to 0.
#   padding_idx is not None => padding_idx is None
#   grad[:, padding_idx] = 0 => return grad
#   return grad => return grad[torch.arange(num_embeddings) != padding_idx % num_embeddings]
