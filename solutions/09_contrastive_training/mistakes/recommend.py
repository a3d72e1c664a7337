"""Wrong answers about recommending by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import mistake, right_form

SHOP = "09.recommend"


@mistake(
    SHOP, "dot_product_instead_of_cosine", stage="values",
    diagnosis="The items' own lengths take part: long ones are recommended to everybody.",
    next_step="Divide every item, a row, by its own length first: afterwards each row has the length 1.",
)
def recommend(users, items, seen, k):
    values, best = (users @ items.T).masked_fill(seen, float("-inf")).topk(min(k, len(items)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "normalised_along_the_batch", stage="values",
    diagnosis="The columns are normalised; a vector's length is taken along its own row.",
    next_step="Print the lengths of the rows after your normalisation: each should be 1.",
)
def recommend(users, items, seen, k):
    cosines = F.normalize(users, dim=0) @ F.normalize(items, dim=0).T
    values, best = cosines.masked_fill(seen, float("-inf")).topk(min(k, len(items)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "nearest_by_distance", stage="values",
    diagnosis="The items are ranked by distance; asked for is the cosine, which does not depend on lengths.",
    next_step="Rank by cosine, or by the distance of unit vectors.",
)
def recommend(users, items, seen, k):
    near = -torch.linalg.vector_norm(users[:, None] - items[None], dim=2)
    values, best = near.masked_fill(seen, float("-inf")).topk(min(k, len(items)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "seen_ones_too", stage="values",
    diagnosis="Seen items are recommended again.",
    next_step="Put -inf where `seen` is True, before you look for the best.",
)
def recommend(users, items, seen, k):
    best = (F.normalize(users) @ F.normalize(items).T).topk(min(k, len(items)), dim=1).indices
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "only_seen_ones", stage="values",
    diagnosis="Only seen items are recommended: the mask is the wrong way round.",
    next_step="True means seen: those are to be left out.",
)
def recommend(users, items, seen, k):
    cosines = F.normalize(users) @ F.normalize(items).T
    values, best = cosines.masked_fill(~seen, float("-inf")).topk(min(k, len(items)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "seen_by_anybody", stage="values",
    diagnosis="What one user has seen is left out for all.",
    next_step="Use each user's own row of `seen`.",
)
def recommend(users, items, seen, k):
    cosines = F.normalize(users) @ F.normalize(items).T
    values, best = cosines.masked_fill(seen.any(dim=0), float("-inf")).topk(min(k, len(items)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "seen_ones_get_0", stage="values",
    diagnosis="Seen items get the cosine 0, which is better than any negative one.",
    next_step="Use -inf.",
)
def recommend(users, items, seen, k):
    cosines = F.normalize(users) @ F.normalize(items).T * ~seen
    best = cosines.topk(min(k, len(items)), dim=1).indices
    best = best.masked_fill(seen.gather(1, best), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "seen_ones_get_one_less", stage="values",
    diagnosis="1 is subtracted where seen; that does not push a seen item below every unseen one.",
    next_step="Cosines lie between -1 and 1: subtract more than 2, or use -inf.",
)
def recommend(users, items, seen, k):
    cosines = F.normalize(users) @ F.normalize(items).T - seen.to(users.dtype)
    best = cosines.topk(min(k, len(items)), dim=1).indices
    best = best.masked_fill(seen.gather(1, best), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "left_out_after_the_search", stage="values",
    diagnosis="The k best are searched first and seen ones crossed out afterwards; those behind them do not move up.",
    next_step="Leave seen items out before the search.",
)
def recommend(users, items, seen, k):
    best = (F.normalize(users) @ F.normalize(items).T).topk(min(k, len(items)), dim=1).indices
    best = best.masked_fill(seen.gather(1, best), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "worst_first", stage="values",
    diagnosis="`argsort` puts the smallest first: these are the least fitting items.",
    next_step="Sort with `descending=True`.",
)
def recommend(users, items, seen, k):
    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("inf"))
    values, order = cosines.sort(dim=1)
    best = order.masked_fill(values == float("inf"), -1)[:, :k]
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "not_in_order", stage="values",
    diagnosis="The right items come back in the order of their numbers; the best should stand first.",
    next_step="Keep the order in which topk returns them.",
)
def recommend(users, items, seen, k):
    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf"))
    values, best = cosines.topk(min(k, len(items)), dim=1)
    best = best.masked_fill(values == float("-inf"), len(items)).sort(dim=1).values
    best = best.masked_fill(best == len(items), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "filled_up_with_seen_ones", stage="values",
    diagnosis="Where too few unseen items are left, seen ones are recommended instead of -1.",
    next_step="Look at the values that topk returns: -inf means that there is none.",
)
def recommend(users, items, seen, k):
    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf"))
    best = cosines.topk(min(k, len(items)), dim=1).indices
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "k_must_fit", stage="raises",
    diagnosis="topk refuses a k above the number of items.",
    next_step="Ask for min(k, I), and fill up with -1.",
)
def recommend(users, items, seen, k):
    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf"))
    values, best = cosines.topk(k, dim=1)
    return best.masked_fill(values == float("-inf"), -1)


@mistake(
    SHOP, "narrow_when_k_is_large", stage="shape",
    diagnosis="With k above the number of items the result has I columns; it always has k.",
    next_step="Fill up with -1.",
)
def recommend(users, items, seen, k):
    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, float("-inf"))
    values, best = cosines.topk(min(k, len(items)), dim=1)
    return best.masked_fill(values == float("-inf"), -1)


@mistake(
    SHOP, "users_for_each_item", stage="shape",
    diagnosis="The best users for each item come back; it is the other way round.",
    next_step="Rows are users: use `dim=1` in topk.",
)
def recommend(users, items, seen, k):
    cosines = (F.normalize(items) @ F.normalize(users).T).masked_fill(seen.T, float("-inf"))
    values, best = cosines.topk(min(k, len(users)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "cosines_instead_of_items", stage="dtype",
    diagnosis="The cosines come back; asked for are the indices of the items.",
    next_step="topk returns values and indices: take the indices.",
)
def recommend(users, items, seen, k):
    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, -1.0)
    best = cosines.topk(min(k, len(items)), dim=1).values
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "a_list_for_each_user", stage="type",
    diagnosis="A list of lists comes back; asked for is a tensor of shape (U, k).",
    next_step="Fill every row up to k with -1 and make a tensor of it.",
)
def recommend(users, items, seen, k):
    cosines = F.normalize(users) @ F.normalize(items).T
    return [[i for i in row.argsort(descending=True).tolist() if not own[i]][:k] for row, own in zip(cosines, seen)]


@mistake(
    SHOP, "rounds_to_float32", stage="values",
    diagnosis="float64 vectors are rounded to float32 first: where large parts cancel, nothing is left of the small ones.",
    next_step="Leave `.float()` out: work in the type that comes in.",
)
def recommend(users, items, seen, k):
    cosines = (F.normalize(users.float()) @ F.normalize(items.float()).T).masked_fill(seen, float("-inf"))
    values, best = cosines.topk(min(k, len(items)), dim=1)
    best = best.masked_fill(values == float("-inf"), -1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@mistake(
    SHOP, "marks_as_seen", stage="property",
    diagnosis="What is recommended is marked in the caller's `seen`.",
    next_step="Work on a clone.",
)
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


@mistake(
    SHOP, "seen_ones_get_minus_one", stage="values",
    diagnosis="Seen items get the cosine -1, which an unseen one exactly opposite to the user has as well.",
    next_step="Use minus infinity: no cosine is below it.",
)
def recommend(users, items, seen, k):
    cosines = (F.normalize(users) @ F.normalize(items).T).masked_fill(seen, -1.0)
    best = cosines.topk(min(k, len(items)), dim=1).indices
    best = torch.where(seen.gather(1, best), -1, best)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@right_form(SHOP, "row_by_row_lists")
def recommend(users, items, seen, k):
    rows = []
    for user, own in zip(users, seen.tolist()):
        scores = F.cosine_similarity(user[None], items, dim=1).tolist()
        order = sorted((i for i in range(len(items)) if not own[i]), key=lambda i: scores[i], reverse=True)
        rows.append((order + [-1] * k)[:k])
    return torch.tensor(rows)


@right_form(SHOP, "users_left_as_they_are")
def recommend(users, items, seen, k):
    scores = users @ (items / items.norm(dim=1, keepdim=True)).T
    scores[seen] = -torch.inf
    order = scores.argsort(dim=1, descending=True)
    order[seen.gather(1, order)] = -1
    padding = torch.full((len(users), k), -1, dtype=torch.int64)
    return torch.cat([order, padding], dim=1)[:, :k]


@right_form(SHOP, "minus_two")
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


@right_form(SHOP, "numpy_inside")
def recommend(users, items, seen, k):
    u, i, s = users.numpy().astype(np.float64), items.numpy().astype(np.float64), seen.numpy()
    cosines = u @ i.T / np.linalg.norm(u, axis=1)[:, None] / np.linalg.norm(i, axis=1)
    found = np.full((len(u), k), -1)
    for row in range(len(u)):
        order = [column for column in np.argsort(-cosines[row]) if not s[row, column]][:k]
        found[row, : len(order)] = order
    return torch.from_numpy(found)


@right_form(SHOP, "padded_before_the_search")
def recommend(users, items, seen, k):
    cosines = F.cosine_similarity(users.unsqueeze(1), items.unsqueeze(0), dim=-1)
    cosines = cosines - 1e9 * seen
    cosines = torch.cat([cosines, torch.full((len(users), k), -1e9, dtype=cosines.dtype)], dim=1)
    values, best = cosines.topk(k, dim=1)
    return best.where(values > -1e8, torch.tensor(-1))


@mistake(
    SHOP, "ten_more_and_then_left_out", stage="values",
    diagnosis="The k + 10 best are searched and seen ones crossed out afterwards. Who has seen more than ten of the best gets "
    "too few.",
    next_step="Leave seen items out before the search.",
)
def recommend(users, items, seen, k):
    cosines = F.normalize(users) @ F.normalize(items).T
    found = torch.full((len(users), k), -1)
    for user, best in enumerate(cosines.topk(min(k + 10, len(items)), dim=1).indices):
        new = best[~seen[user, best]][:k]
        found[user, : len(new)] = new
    return found
