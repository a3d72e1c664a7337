"""Wrong answers to embedding_grad_with_options by name."""
# ruff: noqa: F821  (the answers call `embedding_grad`, which an earlier cell defines)

import torch

from grader.course_source.catalogue import mistake

OPTIONS = "02.embedding_grad_with_options"


@mistake(
    OPTIONS, "padding_0_ignored", stage="values",
    diagnosis="A padding_idx of 0 is ignored: `if padding_idx` is false for 0.",
    next_step="Ask `if padding_idx is not None`.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx:
        grad[padding_idx] = 0
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "negative_padding_ignored", stage="values",
    diagnosis="A negative padding_idx has no effect: no id equals it.",
    next_step="Add num_embeddings to a negative padding_idx before you compare it with ids.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    if padding_idx is not None:
        grad_output = grad_output * (ids != padding_idx)[..., None]
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "every_negative_padding_is_the_last_row", stage="values",
    diagnosis="Every negative padding_idx is taken for the last row.",
    next_step="-2 is the row before the last, -num_embeddings is row 0: leave the counting to the index itself.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[max(padding_idx, -1)] = 0
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "padding_is_always_row_0", stage="values",
    diagnosis="Row 0 is cleared whatever padding_idx says.",
    next_step="Clear the row that padding_idx names.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[0] = 0
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "padding_ignored", stage="values",
    diagnosis="The padding row gets a gradient like any other.",
    next_step="Set the row of padding_idx to zero, when there is one.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "frequency_ignored", stage="values",
    diagnosis="scale_grad_by_freq changes nothing.",
    next_step="Divide each row by how often its id occurs, when scale_grad_by_freq is True.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "multiplies_by_frequency", stage="values",
    diagnosis="Each row is multiplied by its count; it should be divided, so that "
    "frequent words do not run ahead.",
    next_step="Divide by the counts, with 1 in place of 0.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad * torch.bincount(ids.flatten(), minlength=num_embeddings)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "divides_by_relative_frequency", stage="values",
    diagnosis="Each row is divided by its fraction of the batch; PyTorch divides by the plain count.",
    next_step="Leave out the division of the counts by the number of ids.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq and ids.numel():
        counts = torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)
        grad = grad / (counts / ids.numel()).to(grad.dtype)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "divides_by_the_number_of_ids", stage="values",
    diagnosis="All rows are divided by the number of ids; each row has a count of its own.",
    next_step="Count each id with `torch.bincount(ids.flatten(), minlength=num_embeddings)`.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / max(ids.numel(), 1)
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "counts_each_sentence", stage="values",
    diagnosis="Repeats are counted inside each sentence; PyTorch counts over the whole batch.",
    next_step="Flatten the ids before you count them.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    if scale_grad_by_freq and ids.ndim:
        counts = (ids[..., :, None] == ids[..., None, :]).sum(-1)
        grad_output = grad_output / counts[..., None]
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "divides_by_zero", stage="not finite",
    diagnosis="Rows that do not occur become nan: 0 divided by a count of 0.",
    next_step="Use `counts.clamp(min=1)`: a row that does not occur stays 0.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "too_few_counts", stage="raises",
    diagnosis="There are counts up to the largest id that occurs only, and they do not fit the table.",
    next_step="Give `torch.bincount` a `minlength` of num_embeddings.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten()).clamp(min=1)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "one_option_at_a_time", stage="values",
    diagnosis="When both options are on, the second one is skipped.",
    next_step="Use two separate `if`s: the options are independent.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    elif padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "padding_counts_as_a_repeat", stage="values",
    diagnosis="Padding is turned into another id, whose row then gets its gradient as well.",
    next_step="Leave the ids as they are, and clear the padding row of the result.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    if padding_idx is not None:
        padding = padding_idx % num_embeddings
        ids = torch.where(ids == padding, (padding + 1) % num_embeddings, ids)
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "gradient_cleared_in_place", stage="property",
    diagnosis="The gradients of padded positions are cleared inside "
    "grad_output, which belongs to the caller.",
    next_step="Clear the row of the result instead, or work on a clone.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    if padding_idx is not None:
        grad_output[ids == padding_idx % num_embeddings] = 0
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.flatten(), minlength=num_embeddings).clamp(min=1)[:, None]
    return grad


@mistake(
    OPTIONS, "options_in_another_order", stage="values",
    diagnosis="The two options stand in another order than asked for, so by position each is taken for the other.",
    next_step="Keep the order of the stub: padding_idx, then scale_grad_by_freq.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, scale_grad_by_freq=False, padding_idx=None):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.reshape(-1), minlength=num_embeddings).clamp(min=1)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "counts_in_eight_bits", stage="values",
    diagnosis="The counts are kept in eight bits: an id that stands 300 times is counted as 44.",
    next_step="Leave the counts int64, as `torch.bincount` gives them.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings)
    if scale_grad_by_freq:
        counts = torch.bincount(ids.reshape(-1), minlength=num_embeddings).to(torch.uint8)
        grad = grad / counts.clamp(min=1)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad


@mistake(
    OPTIONS, "rounds_to_float32", stage="values",
    diagnosis="float64 gradients pass through float32 on the way: digits are lost where large gradients cancel.",
    next_step="Stay in the dtype of grad_output from beginning to end.",
)
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output.float(), num_embeddings)
    if scale_grad_by_freq:
        grad = grad / torch.bincount(ids.reshape(-1), minlength=num_embeddings).clamp(min=1)[:, None]
    if padding_idx is not None:
        grad[padding_idx] = 0
    return grad.to(grad_output.dtype)
