"""The right answer to 09.recommend."""

import torch
import torch.nn.functional as F


def recommend(users: torch.Tensor, items: torch.Tensor, seen: torch.Tensor, k: int) -> torch.Tensor:
    """Return, for each user, the items nearest by cosine among those that the user has not seen.

    users    (U, d) floating tensor, one vector for each user, none of them zero
    items    (I, d) floating tensor, one vector for each item, none of them zero
    seen     (U, I) bool tensor: True where the user has seen the item
    k        how many to recommend, at least 1; it may exceed I
    returns  (U, k) int64 tensor: indices of items, best first; -1 where no unseen item is left

    >>> users, items = torch.tensor([[1.0, 0.0]]), torch.tensor([[9.0, 9.0], [2.0, 1.0], [0.0, 3.0]])
    >>> recommend(users, items, torch.tensor([[False, False, False]]), k=2).tolist()
    [[1, 0]]
    >>> recommend(users, items, torch.tensor([[False, True, True]]), k=2).tolist()
    [[0, -1]]
    """
    cosines = F.normalize(users) @ F.normalize(items).T  # (U, I)
    unseen = cosines.masked_fill(seen, float("-inf"))
    values, best = unseen.topk(min(k, items.shape[0]), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)
