# exercise 02.embedding_grad_with_options
import numpy as np
import torch
import torch.nn as nn


# right form functional
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    table = torch.zeros(num_embeddings, grad_output.shape[-1], dtype=grad_output.dtype, requires_grad=True)
    out = nn.functional.embedding(ids, table, padding_idx=padding_idx, scale_grad_by_freq=scale_grad_by_freq)
    return torch.autograd.grad(out, table, grad_output)[0]


# right form a_weight_for_each_place
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    weights = torch.ones(ids.shape, dtype=grad_output.dtype)
    if scale_grad_by_freq:
        alike = ids.reshape(-1, 1) == ids.reshape(1, -1)
        weights = 1.0 / alike.sum(dim=1).to(grad_output.dtype).reshape(ids.shape)
    if padding_idx is not None:
        weights = torch.where(ids == padding_idx % num_embeddings, 0.0, weights)
    return embedding_grad(ids, grad_output * weights.unsqueeze(-1), num_embeddings)


# right form torch_embedding
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    table = nn.Embedding(
        num_embeddings, grad_output.shape[-1], padding_idx=padding_idx, scale_grad_by_freq=scale_grad_by_freq,
        dtype=grad_output.dtype,
    )
    table(ids).backward(grad_output)
    return table.weight.grad


# right form divides_before_the_sum
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    flat, d = ids.reshape(-1), grad_output.shape[-1]
    values = grad_output.reshape(-1, d)
    if scale_grad_by_freq:
        counts = (flat[:, None] == flat[None, :]).sum(dim=1, keepdim=True)
        values = values / counts
    if padding_idx is not None:
        keep = flat != padding_idx % num_embeddings
        flat, values = flat[keep], values[keep]
    return torch.zeros(num_embeddings, d, dtype=values.dtype).index_add(0, flat, values)


# right form loops
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    padding = None if padding_idx is None else padding_idx + num_embeddings if padding_idx < 0 else padding_idx
    counts = {}
    flat = ids.flatten().tolist()
    for i in flat:
        counts[i] = counts.get(i, 0) + 1
    out = torch.zeros(num_embeddings, grad_output.shape[-1], dtype=grad_output.dtype)
    for i, g in zip(flat, grad_output.reshape(len(flat), -1) if flat else []):
        if i != padding:
            out[i] += g / counts[i] if scale_grad_by_freq else g
    return out


# right form numpy
def embedding_grad_with_options(ids, grad_output, num_embeddings, padding_idx=None, scale_grad_by_freq=False):
    grad = embedding_grad(ids, grad_output, num_embeddings).numpy().astype(np.float64)
    if scale_grad_by_freq:
        counts = np.bincount(ids.numpy().ravel(), minlength=num_embeddings)
        grad = np.where(counts[:, None] > 0, grad / np.maximum(counts, 1)[:, None], 0.0)
    if padding_idx is not None:
        grad[padding_idx] = 0.0
    return torch.as_tensor(grad, dtype=grad_output.dtype)
