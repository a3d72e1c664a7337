"""Wrong answers to embedding_grad_with_options by name: when an option counts, and where."""

import torch

from grader.course_source.catalogue import mistake

OPTIONS = "02.embedding_grad_with_options"


@mistake(
    OPTIONS, "padding_or_frequency", stage="values",
    diagnosis="With a padding_idx the frequencies are skipped: `elif` runs only where the `if` before it did not.",
    next_step="Use two separate `if`s: the options are independent.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[padding_idx] = 0
    elif scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "always_by_frequency", stage="values",
    diagnosis="Rows are divided by their counts even when scale_grad_by_freq is False.",
    next_step="Ask for the option first: `if scale_grad_by_freq:`.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "padding_column", stage=("values", "raises"),
    diagnosis="A column is set to zero; padding_idx names a row of the table.",
    next_step="`grad[padding_idx] = 0` clears a row, `grad[:, padding_idx] = 0` a column.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    if padding_idx is not None:
        grad[:, padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "padding_row_removed", stage="shape",
    diagnosis="The row of the padding is taken out of the result; it stays, with zeros.",
    next_step="The result has num_embeddings rows: set that one to 0.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    if padding_idx is None:
        return grad
    return grad[torch.arange(num_embeddings) != padding_idx % num_embeddings]
