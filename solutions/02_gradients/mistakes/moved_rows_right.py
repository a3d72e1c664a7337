# exercise 02.moved_rows
import numpy as np
import torch
import torch.nn as nn


# right form is_in
def moved_rows(optimizer, history, num_embeddings):
    rows = torch.arange(num_embeddings)
    if optimizer == "adamw" and history:
        return rows >= 0
    seen = [index for ids in history for index in ids.flatten().tolist()]
    return torch.isin(rows, torch.tensor(seen, dtype=torch.int64))


# right form comparison
def moved_rows(optimizer, history, num_embeddings):
    moved = torch.zeros(num_embeddings, dtype=torch.bool)
    for ids in history:
        moved |= (ids.reshape(-1, 1) == torch.arange(num_embeddings)).any(dim=0)
        moved |= optimizer == "adamw"
    return moved


# right form torch_optimizers
def moved_rows(optimizer, history, num_embeddings):
    table = nn.Embedding(num_embeddings, 3, sparse=optimizer == "sparse-adam")
    start = table.weight.detach().clone()
    rule = {
        "sgd": lambda p: torch.optim.SGD(p, lr=0.1),
        "sgd-momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
        "adam": lambda p: torch.optim.Adam(p, lr=0.01),
        "adamw": lambda p: torch.optim.AdamW(p, lr=0.01, weight_decay=0.01),
        "sparse-adam": lambda p: torch.optim.SparseAdam(p, lr=0.01),
    }[optimizer](list(table.parameters()))
    for ids in history:
        rule.zero_grad()
        vectors = table(ids)
        (vectors * torch.rand_like(vectors).add(0.5)).sum().backward()
        rule.step()
    return (table.weight.detach() != start).any(dim=1)


# right form set_of_ids
def moved_rows(optimizer, history, num_embeddings):
    if not history:
        return torch.tensor([False] * num_embeddings, dtype=torch.bool)
    if optimizer == "adamw":
        return torch.tensor([True] * num_embeddings)
    seen = set()
    for ids in history:
        seen |= set(ids.flatten().tolist())
    return torch.tensor([row in seen for row in range(num_embeddings)])


# right form counts
def moved_rows(optimizer, history, num_embeddings):
    flat = [torch.zeros(0, dtype=torch.int64)] + [ids.reshape(-1) for ids in history]
    counts = torch.bincount(torch.cat(flat), minlength=num_embeddings)
    return (counts > 0) | (optimizer == "adamw" and bool(history))


# right form simulated_by_hand
def moved_rows(optimizer, history, num_embeddings):
    weight = torch.ones(num_embeddings)
    velocity = torch.zeros(num_embeddings)
    for ids in history:
        grad = torch.zeros(num_embeddings).index_add_(0, ids.reshape(-1), torch.ones(ids.numel()))
        if optimizer in ("sgd", "sparse-adam"):
            velocity = grad
        else:
            velocity = 0.9 * velocity + grad
        weight = weight - 0.01 * velocity
        if optimizer == "adamw":
            weight = weight * (1 - 0.01 * 0.01)
    return weight != 1.0


# right form numpy
def moved_rows(optimizer, history, num_embeddings):
    moved = np.zeros(num_embeddings, dtype=bool)
    for ids in history:
        moved |= optimizer == "adamw"
        moved[np.unique(ids.numpy())] = True
    return torch.from_numpy(moved)
