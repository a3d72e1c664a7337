"""The right answer to 11.max_sim."""

import torch


def max_sim(query: torch.Tensor, documents: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Score documents by MaxSim: the best match of each token of the query, added up.

    For each token of the query the largest dot product with a real token of the document counts; these are summed over
    the query. Vectors are taken as they are: nothing is normalised.

    query      (Tq, d) floating tensor: one vector for each token of the query
    documents  (N, Td, d) tensor of query's dtype: one vector for each token of each document, Td >= 1
    mask       (N, Td) of 0 and 1 in any pattern, int, bool or float: 1 marks a real token, 0 padding
    returns    (N,) tensor of documents' dtype; 0 for a document without a real token

    >>> query = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> documents = torch.tensor([[[3.0, 1.0], [0.0, 2.0]], [[-1.0, -2.0], [9.0, 9.0]]])
    >>> max_sim(query, documents, torch.tensor([[1, 1], [1, 0]])).tolist()
    [5.0, -3.0]

    Source: Khattab and Zaharia, ColBERT: Efficient and Effective Passage Search via Contextualized Late Interaction over
    BERT, 2020.
    """
    real = mask.bool()
    products = documents @ query.T  # (N, Td, Tq)
    best = products.masked_fill(~real[:, :, None], float("-inf")).amax(dim=1)  # (N, Tq)
    return best.masked_fill(~real.any(dim=1, keepdim=True), 0.0).sum(dim=1)  # (N,)
