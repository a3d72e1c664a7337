# exercise 03.lookup_with_max_norm_
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


# right form torch_embedding
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    return F.embedding(ids, weight, max_norm=max_norm, norm_type=norm_type)


# right form through_data
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    flat = ids.flatten()
    weight.data[flat] = renorm_rows(weight.data[flat], max_norm, norm_type)
    return weight.detach()[ids]


# right form one_by_one
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    with torch.no_grad():
        for row in set(ids.reshape(-1).tolist()):
            norm = float(weight[row].norm(p=norm_type))
            if norm > max_norm:
                weight[row].mul_(max_norm / norm)
    return weight[ids]


# right form mask_of_rows
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    asked = torch.zeros(len(weight), 1, dtype=torch.bool)
    asked[ids.reshape(-1)] = True
    with torch.no_grad():
        weight.copy_(torch.where(asked, renorm_rows(weight, max_norm, norm_type), weight))
    return weight.index_select(0, ids.reshape(-1)).view(*ids.shape, weight.shape[1])


# right form numpy_inside
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    table = weight.detach().numpy()
    for row in np.unique(ids.numpy()):
        norm = np.linalg.norm(table[row], ord=norm_type)
        if norm > max_norm:
            table[row] *= max_norm / norm
    return torch.from_numpy(table[ids.numpy()])


# right form index_copy
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0, *, quiet=False):
    rows = torch.unique(ids)
    short = torch.renorm(weight.detach()[rows], norm_type, 0, max_norm)
    with torch.no_grad():
        weight.index_copy_(0, rows, short)
    return weight.detach()[ids]


# right form module_on_the_same_memory
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    module = nn.Embedding(*weight.shape, max_norm=max_norm, norm_type=norm_type, _weight=weight.detach())
    module(ids)
    return weight[ids]


# right form unique_and_inverse
def lookup_with_max_norm_(weight, ids, max_norm, norm_type=2.0):
    rows, inverse = ids.unique(return_inverse=True)
    short = renorm_rows(weight.detach()[rows], max_norm, norm_type)
    weight.detach().index_copy_(0, rows, short)
    return short[inverse]
