# exercise 11.max_sim
import numpy as np
import torch


# right form loops
def max_sim(query, documents, mask):
    scores = []
    for document, kept in zip(documents, mask):
        total = 0.0
        real = [vector for vector, flag in zip(document, kept) if flag]
        if real:
            for token in query:
                total += max(float(token.double() @ vector.double()) for vector in real)
        scores.append(total)
    return torch.tensor(scores, dtype=documents.dtype)


# right form einsum
def max_sim(query, documents, mask):
    scores = torch.einsum("qd,ntd->nqt", query, documents)
    keep = (mask > 0).unsqueeze(1)
    best = torch.where(keep, scores, -torch.inf).max(dim=-1).values
    return torch.where(keep.any(-1), best, 0.0).sum(-1).to(documents.dtype)


# right form numpy_inside
def max_sim(query, documents, mask):
    q, d, m = query.numpy(), documents.numpy(), mask.numpy().astype(bool)
    products = np.where(m[:, None], q @ d.transpose(0, 2, 1), -np.inf)
    best = np.where(m.any(axis=1)[:, None], products.max(axis=2), 0)
    print(best.shape)
    return torch.from_numpy(best.sum(axis=1).astype(d.dtype))


# right form packed_tokens_and_scatter
def max_sim(query, documents, mask, *, verbose=False):
    owner, place = mask.nonzero(as_tuple=True)
    products = documents[owner, place] @ query.T
    best = torch.full((len(documents), len(query)), float("-inf"), dtype=documents.dtype)
    best = best.scatter_reduce(0, owner[:, None].expand_as(products), products, "amax")
    return best.nan_to_num(neginf=0.0).sum(dim=1)


# right form documents_one_by_one
def max_sim(query, documents, mask):
    result = documents.new_zeros(documents.shape[0])
    for row in range(documents.shape[0]):
        real = documents[row][mask[row] != 0]
        if real.shape[0] > 0:
            result[row] = torch.matmul(query, real.t()).topk(1, dim=1).values.sum()
    return result


# right form smallest_number_of_the_dtype
def max_sim(query, documents, mask):
    products = torch.bmm(documents, query.t().expand(len(documents), -1, -1))
    products = products.masked_fill(mask.bool().logical_not().unsqueeze(-1), torch.finfo(products.dtype).min)
    best, _ = torch.max(products, 1)
    return torch.stack([row.sum() if bool(kept.any()) else row.new_zeros(()) for row, kept in zip(best, mask)])


# right form one_large_product
def max_sim(query, documents, mask):
    number, length, width = documents.shape
    products = documents.contiguous().view(-1, width).mm(query.T).view(number, length, -1)
    products[~mask.to(torch.bool)] = -torch.inf
    best = products.sort(dim=1, descending=True).values[:, 0]
    best[mask.sum(dim=1) == 0] = 0
    return best.sum(dim=-1)


# right form float64_inside
def max_sim(query, documents, mask):
    real = mask.double() > 0.5
    products = documents.double() @ query.double().transpose(0, 1)
    lowest = products.min() - 1
    best = torch.where(real[..., None], products, lowest).amax(1) * real.any(1, keepdim=True).double()
    return best.sum(1).to(query.dtype)
