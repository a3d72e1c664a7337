# exercise 09.recommend
import numpy as np
import torch
import torch.nn.functional as F


# base plain
def recommend(users, items, seen, k):
    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf"))
    values, best = cosines.topk(min(k, len(items)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


# mistake dot_product_instead_of_cosine (values), from plain
# The items' own lengths take part: long ones are recommended to everybody.
# Next: Divide every item, a row, by its own length first: afterwards each row has the length 1.
#   -    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf"))
#   cosines.topk => (users @ items.T).masked_fill(seen, float("-inf")).topk

# mistake normalised_along_the_batch (values), from plain
# The columns are normalised; a vector's length is taken along its own row.
# Next: Print the lengths of the rows after your normalisation: each should be 1.
#   -    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf"))
#   +    cosines = F.normalize(users, dim=0) @ F.normalize(items, dim=0).T
#   cosines.topk => cosines.masked_fill(seen, float("-inf")).topk

# mistake nearest_by_distance (values), from plain
# The items are ranked by distance, but the exercise asks for the cosine, which does not depend on lengths.
# Next: Rank by cosine, or by the distance of unit vectors.
#   -    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf"))
#   +    near = -torch.linalg.vector_norm(users[:, None] - items[None], dim=2)
#   cosines.topk => near.masked_fill(seen, float("-inf")).topk


# mistake seen_ones_too (values)
# Seen items are recommended again.
# Next: Put -inf where `seen` is True, before you look for the best.
def recommend(users, items, seen, k):
    best = (F.normalize(users) @ F.normalize(items).T).topk(min(k, len(items)), dim=1).indices
    return F.pad(best, (0, k - best.shape[1]), value=-1)


# mistake only_seen_ones (values), from plain
# Only seen items are recommended: the mask is the wrong way round.
# Next: True means seen: those are to be left out.
#   (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf")) => F.normalize(users) @ F.normalize(items).T
#   cosines.topk => cosines.masked_fill(~seen, float("-inf")).topk

# mistake seen_by_anybody (values), from plain
# What one user has seen is left out for all.
# Next: Use each user's own row of `seen`.
#   (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf")) => F.normalize(users) @ F.normalize(items).T
#   cosines.topk => cosines.masked_fill(seen.any(dim=0), float("-inf")).topk


# mistake seen_ones_get_0 (values)
# Seen items get the cosine 0, which is better than any negative one.
# Next: Use -inf.
def recommend(users, items, seen, k):
    cosines = F.normalize(users) @ F.normalize(items).T * ~seen
    best = cosines.topk(min(k, len(items)), dim=1).indices
    best = best.masked_fill(seen.gather(1, best), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


# mistake seen_ones_get_one_less (values), from seen_ones_get_0
# 1 is subtracted where seen; that does not push a seen item below every unseen one.
# Next: Cosines lie between -1 and 1: subtract more than 2, or use -inf.
#   F.normalize(users) @ F.normalize(items).T * ~seen => F.normalize(users) @ F.normalize(items).T - seen.to(users.dtype)


# mistake left_out_after_the_search (values)
# The k best are searched first and seen ones crossed out afterwards; those behind them do not move up.
# Next: Leave seen items out before the search.
def recommend(users, items, seen, k):
    best = (F.normalize(users) @ F.normalize(items).T).topk(min(k, len(items)), dim=1).indices
    best = best.masked_fill(seen.gather(1, best), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


# mistake worst_first (values), from plain
# `argsort` puts the smallest first: these are the least fitting items.
# Next: Sort with `descending=True`.
#   seen, float("-inf") => seen, float("inf")
#   values, best = cosines.topk(min(k, len(items)), dim=1) => values, order = cosines.sort(dim=1)
#   best.masked_fill(values == float("-inf"), -1) => order.masked_fill(values == float("inf"), -1)[:, :k]

# mistake not_in_order (values), from plain
# The right items come back in the order of their numbers; the best should stand first.
# Next: Keep the order in which topk returns them.
#   -    best = best.masked_fill(values == float("-inf"), -1)
#   +    best = best.masked_fill(values == float("-inf"), len(items)).sort(dim=1).values
#   +    best = best.masked_fill(best == len(items), -1)

# mistake filled_up_with_seen_ones (values), from plain
# Where too few unseen items are left, seen ones are recommended instead of -1.
# Next: Look at the values that topk returns: -inf means that there is none.
#   -    values, best = cosines.topk(min(k, len(items)), dim=1)
#   best.masked_fill(values == float("-inf"), -1) => cosines.topk(min(k, len(items)), dim=1).indices


# mistake k_must_fit (raises)
# topk refuses a k above the number of items.
# Next: Ask for min(k, I), and fill up with -1.
def recommend(users, items, seen, k):
    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf"))
    values, best = cosines.topk(k, dim=1)
    return best.masked_fill(values == float("-inf"), -1)


# mistake narrow_when_k_is_large (shape), from plain
# With k above the number of items the result has I columns; it always has k.
# Next: Fill up with -1.
#   best = best.masked_fill(values == float("-inf"), -1) => return best.masked_fill(values == float("-inf"), -1)
#   -    return F.pad(best, (0, k - best.shape[1]), value=-1)

# mistake users_for_each_item (shape), from plain
# The best users for each item come back; it is the other way round.
# Next: Rows are users: use `dim=1` in topk.
#   -    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf"))
#   +    cosines = (F.normalize(items) @ F.normalize(users).T).masked_fill(seen.T, float("-inf"))
#   len(items) => len(users)


# mistake cosines_instead_of_items (dtype)
# The cosines come back, but the exercise asks for the indices of the items.
# Next: topk returns values and indices: take the indices.
def recommend(users, items, seen, k):
    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, -1.0)
    best = cosines.topk(min(k, len(items)), dim=1).values
    return F.pad(best, (0, k - best.shape[1]), value=-1)


# mistake a_list_for_each_user (type)
# A list of lists comes back, but the exercise asks for a tensor of shape (U, k).
# Next: Fill every row up to k with -1 and make a tensor of it.
def recommend(users, items, seen, k):
    cosines = F.normalize(users) @ F.normalize(items).T
    return [[i for i in row.argsort(descending=True).tolist() if not own[i]][:k] for row, own in zip(cosines, seen)]


# mistake rounds_to_float32 (values), from plain
# float64 vectors are rounded to float32 first: where large parts cancel, nothing is left of the small ones.
# Next: Leave `.float()` out: work in the type that comes in.
#   F.normalize(users) @ F.normalize(items).T => F.normalize(users.float()) @ F.normalize(items.float()).T


# mistake marks_as_seen (property)
# What is recommended is marked in the caller's `seen`.
# Next: Work on a clone.
def recommend(users, items, seen, k):
    cosines = F.normalize(users) @ F.normalize(items).T
    found = torch.full((len(users), k), -1)
    for column in range(min(k, len(items))):
        for user in range(len(users)):
            if not seen[user].all():
                best = cosines[user].masked_fill(seen[user], float("-inf")).argmax()
                found[user, column] = best
                seen[user, best] = True
    return found


# mistake seen_ones_get_minus_one (values), from seen_ones_get_0
# Seen items get the cosine -1, which an unseen one exactly opposite to the user has as well.
# Next: Use minus infinity: no cosine is below it.
#   F.normalize(users) @ F.normalize(items).T * ~seen => (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, -1.0)
#   best.masked_fill(seen.gather(1, best), -1) => torch.where(seen.gather(1, best), -1, best)


# right form row_by_row_lists
def recommend(users, items, seen, k):
    rows = []
    for user, own in zip(users, seen.tolist()):
        scores = F.cosine_similarity(user[None], items, dim=1).tolist()
        order = sorted((i for i in range(len(items)) if not own[i]), key=lambda i: scores[i], reverse=True)
        rows.append((order + [-1] * k)[:k])
    return torch.tensor(rows)


# right form users_left_as_they_are
def recommend(users, items, seen, k):
    scores = users @ (items / items.norm(dim=1, keepdim=True)).T
    scores[seen] = -torch.inf
    order = scores.argsort(dim=1, descending=True)
    order[seen.gather(1, order)] = -1
    padding = torch.full((len(users), k), -1, dtype=torch.int64)
    return torch.cat([order, padding], dim=1)[:, :k]


# right form minus_two
def recommend(users, items, seen, k, *, verbose=True):
    cosines = torch.einsum("ud,id->ui", F.normalize(users, dim=1), F.normalize(items, dim=1))
    cosines = torch.where(seen, torch.full_like(cosines, -2.0), cosines)
    values, order = torch.sort(cosines, descending=True)
    found = torch.full((users.shape[0], k), -1)
    width = min(k, items.shape[0])
    found[:, :width] = torch.where(values > -1.5, order, -1)[:, :width]
    if verbose:
        print(found)
    return found


# right form numpy_inside
def recommend(users, items, seen, k):
    u, i, s = users.numpy().astype(np.float64), items.numpy().astype(np.float64), seen.numpy()
    cosines = u @ i.T / np.linalg.norm(u, axis=1)[:, None] / np.linalg.norm(i, axis=1)
    found = np.full((len(u), k), -1)
    for row in range(len(u)):
        order = [column for column in np.argsort(-cosines[row]) if not s[row, column]][:k]
        found[row, : len(order)] = order
    return torch.from_numpy(found)


# right form padded_before_the_search
def recommend(users, items, seen, k):
    cosines = F.cosine_similarity(users.unsqueeze(1), items.unsqueeze(0), dim=-1)
    cosines = cosines - 1e9 * seen
    cosines = torch.cat([cosines, torch.full((len(users), k), -1e9, dtype=cosines.dtype)], dim=1)
    values, best = cosines.topk(k, dim=1)
    return best.where(values > -1e8, torch.tensor(-1))


# mistake ten_more_and_then_left_out (values)
# The k + 10 best are searched and seen ones crossed out afterwards. Who has seen more than ten of the best gets too few.
# Next: Leave seen items out before the search.
def recommend(users, items, seen, k):
    cosines = F.normalize(users) @ F.normalize(items).T
    found = torch.full((len(users), k), -1)
    for user, best in enumerate(cosines.topk(min(k + 10, len(items)), dim=1).indices):
        new = best[~seen[user, best]][:k]
        found[user, : len(new)] = new
    return found
