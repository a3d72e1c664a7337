# exercise 03.tied_scores
import torch
import torch.nn.functional as F


# right form clip_outside
def tied_scores(embedding, ids):
    with torch.no_grad():
        rows = ids.unique()
        weight = embedding.weight
        weight[rows] = renorm_rows(weight[rows], embedding.max_norm, embedding.norm_type)
    return F.linear(embedding.weight[ids].mean(1), embedding.weight)


# right form straight_through
def tied_scores(embedding, ids):
    weight = embedding.weight
    asked = torch.zeros(len(weight), 1, dtype=torch.bool)
    asked[ids.reshape(-1)] = True
    short = torch.renorm(weight, embedding.norm_type, 0, embedding.max_norm)
    table = weight + torch.where(asked, short - weight, torch.zeros_like(weight)).detach()
    return torch.einsum("btd,vd->bv", table[ids], table) / ids.shape[1]


# right form functional_embedding
def tied_scores(embedding, ids):
    table = embedding.weight.T
    words = F.embedding(ids, embedding.weight, max_norm=embedding.max_norm, norm_type=embedding.norm_type)
    return (words @ table).mean(dim=-2)


# right form word_by_word
def tied_scores(embedding, ids):
    total = 0
    for position in range(ids.shape[1]):
        total = total + embedding(ids[:, position])
    return (embedding.weight @ (total / ids.shape[1]).T).T


# right form lookup_from_before
def tied_scores(embedding, ids):
    lookup_with_max_norm_(embedding.weight, ids, embedding.max_norm, embedding.norm_type)
    counts = torch.zeros(len(ids), embedding.num_embeddings, dtype=embedding.weight.dtype)
    counts.scatter_add_(1, ids, torch.ones_like(ids, dtype=counts.dtype))
    return counts / ids.shape[1] @ embedding.weight @ embedding.weight.transpose(0, 1)


# right form loop_after_one_lookup
def tied_scores(embedding, ids, verbose=False):
    words = embedding(ids)
    return torch.stack([torch.stack([sentence.mean(0) @ row for row in embedding.weight]) for sentence in words])


# right form gradient_passed_on_by_a_hook
def tied_scores(embedding, ids):
    table = embedding.weight.detach().clone()
    F.embedding(ids, table, max_norm=embedding.max_norm, norm_type=embedding.norm_type)
    table.requires_grad_()

    def pass_on(grad):
        old = embedding.weight.grad
        embedding.weight.grad = grad.clone() if old is None else old + grad

    table.register_hook(pass_on)
    return table[ids].mean(dim=1) @ table.T


# right form einsum
def tied_scores(embedding, ids):
    words = embedding(ids)
    return torch.einsum("btd,vd->bv", words, embedding.weight) / words.shape[1]


# right form embedding_bag
def tied_scores(embedding, ids):
    embedding(ids)
    sentences = F.embedding_bag(ids.contiguous(), embedding.weight, mode="mean")
    return F.linear(sentences, embedding.weight)
