"""Wrong answers about NDCG by name, and unusual right ones."""

import math

import numpy as np
import torch

from grader.course_source.catalogue import altered, base, mistake, right_form

NDCG = "09.ndcg_at_k"


@base("plain")
def ndcg_at_k(gains, k):
    def dcg(ranked):
        return sum((2**g - 1) / math.log2(i + 2) for i, g in enumerate(ranked[:k]))

    gains = [float(g) for g in gains]
    best = dcg(sorted(gains, reverse=True))
    return dcg(gains) / best if best else 0.0


altered(
    NDCG, "gain_as_it_is", "plain", {"(2**g - 1)": "g"}, stage="values",
    diagnosis="The gain itself is used; a gain g counts 2 ** g - 1.",
    next_step="Put every gain through 2 ** g - 1.",
)

altered(
    NDCG, "minus_1_forgotten", "plain", {"(2**g - 1)": "2**g"}, stage="values",
    diagnosis="2 ** g is used: a worthless answer then counts 1.",
    next_step="Subtract 1: a gain of 0 counts nothing.",
)

altered(
    NDCG, "power_of_g_minus_1", "plain",
    {"return sum((2**g - 1) / math.": "return sum(2 ** (g - 1) / math.", "if best": "if any(gains)"},
    stage="values",
    diagnosis="2 ** (g - 1) is used; it is 2 ** g, minus 1.",
    next_step="Mind the brackets: first the power, then subtract.",
)

altered(
    NDCG, "square_instead_of_power", "plain", {"(2**g - 1)": "g**2"}, stage="values",
    diagnosis="The gain is squared; a gain g counts 2 to the power g, minus 1.",
    next_step="Write `2**g - 1`.",
)

altered(
    NDCG, "yes_or_no", "plain", {"2**g - 1": "g > 0"}, stage="values",
    diagnosis="Every gain above 0 counts the same; grades differ.",
    next_step="A gain g counts 2 ** g - 1.",
)

altered(
    NDCG, "best_order_of_the_first_k", "plain",
    {"= dcg(sorted(gains, reverse=True))": "= dcg(sorted(gains[:k], reverse=True))"},
    stage="values",
    diagnosis="The ideal is the best order of the first k gains; what was missed further down belongs to it too.",
    next_step="Sort all gains, then cut at k.",
)

altered(
    NDCG, "ideal_not_cut", "plain", {"ranked[:k]": "ranked", "(gains)": "(gains[:k])"}, stage="values",
    diagnosis="The ideal runs over all gains; it is cut at k as well.",
    next_step="Cut the sorted gains at k.",
)

altered(
    NDCG, "nothing_cut", "plain", {"ranked[:k]": "ranked"}, stage="values",
    diagnosis="k is never used.",
    next_step="Only the first k ranks count, in both sums.",
)


@mistake(
    NDCG, "not_normalised", stage="values",
    diagnosis="This is the discounted gain; it is not yet divided by the best possible one.",
    next_step="Divide by the same sum for the best order.",
)
def ndcg_at_k(gains, k):
    return sum((2 ** float(g) - 1) / math.log2(i + 2) for i, g in enumerate(gains[:k])) + 0.0


altered(
    NDCG, "worst_order", "plain", {", reverse=True": ""}, stage="values",
    diagnosis="`sorted` puts the smallest first: this is the worst order.",
    next_step="Sort with `reverse=True`.",
)

altered(
    NDCG, "discount_of_the_place_itself", "plain", {"(i + 2) for": "(i + 1) for"}, stage="raises",
    diagnosis="The discount of rank 1 is log2(1) = 0, and dividing by it fails.",
    next_step="Rank i = 1, 2, ... has the discount log2(i + 1).",
)

altered(
    NDCG, "first_two_places_alike", "plain",
    {"math.log2(i + 2)": "max(1.0, math.log2(i + 1)) if i else 2**g - 1"},
    stage="values",
    diagnosis="Ranks 1 and 2 have the discount 1, as in an older definition; here the second has log2(3).",
    next_step="Rank i = 1, 2, ... has the discount log2(i + 1).",
)

altered(
    NDCG, "discount_one_place_late", "plain", {"(i + 2) for": "(i + 3) for"}, stage="values",
    diagnosis="Rank 1 has the discount log2(3): every rank is counted one too high.",
    next_step="The discount of rank 1 is log2(2) = 1.",
)

altered(
    NDCG, "one_over_the_place", "plain", {"math.log2(i + 2)": "(i + 1)"}, stage="values",
    diagnosis="The discount is the rank itself; here it is log2(rank + 1).",
    next_step="Divide by `math.log2(rank + 1)`, ranks counted from 1.",
)

altered(
    NDCG, "no_discount", "plain",
    {"(2**g - 1) / math.log2(i + 2) for i, g in enumerate(ranked[:k])": "2**g - 1 for g in ranked[:k]"},
    stage="values",
    diagnosis="There is no discount: all ranks count the same.",
    next_step="Divide each term by log2(rank + 1).",
)

altered(
    NDCG, "multiplied_by_the_discount", "plain", {"- 1) / math.log2(": "- 1) * math.log2("}, stage="values",
    diagnosis="The terms are multiplied by the logarithm: later ranks count more.",
    next_step="Divide.",
)


@mistake(
    NDCG, "divides_by_zero", stage="raises",
    diagnosis="When no gain is above 0, the ideal is 0 and the division fails.",
    next_step="Return 0 in that case.",
)
def ndcg_at_k(gains, k):
    def dcg(ranked):
        return sum((2**g - 1) / math.log2(i + 2) for i, g in enumerate(ranked[:k]))

    gains = [float(g) for g in gains]
    return dcg(gains) / dcg(sorted(gains, reverse=True))


@mistake(
    NDCG, "nan_without_gain", stage="not finite",
    diagnosis="When no gain is above 0, 0 / 0 is nan.",
    next_step="Return 0 when the ideal is 0.",
)
def ndcg_at_k(gains, k):
    gains = torch.as_tensor(gains, dtype=torch.float64)
    discount = torch.log2(torch.arange(min(k, len(gains)), dtype=torch.float64) + 2)
    best = gains.sort(descending=True).values
    return ((2 ** gains[:k] - 1) / discount).sum() / ((2 ** best[:k] - 1) / discount).sum()


altered(
    NDCG, "perfect_without_gain", "plain", {"else 0.": "else 1."}, stage="values",
    diagnosis="When nothing can be gained, 1 is returned; 0 was asked for.",
    next_step="Return 0 when the ideal is 0.",
)


@mistake(
    NDCG, "k_must_fit", stage="raises",
    diagnosis="It fails when k exceeds the number of gains.",
    next_step="Slices stop at the end by themselves; a loop over range(k) does not.",
)
def ndcg_at_k(gains, k):
    gains = [float(g) for g in gains]
    best = sorted(gains, reverse=True)
    reached = sum((2 ** gains[i] - 1) / math.log2(i + 2) for i in range(k)) if any(gains) else 0.0
    ideal = sum((2 ** best[i] - 1) / math.log2(i + 2) for i in range(k)) if any(gains) else 1.0
    return reached / ideal


@mistake(
    NDCG, "needs_a_tensor", stage="raises",
    diagnosis="It calls methods of tensors; gains may be a list.",
    next_step="`torch.as_tensor(gains)` takes both.",
)
def ndcg_at_k(gains, k):
    best = gains.sort(descending=True).values
    discount = torch.log2(torch.arange(min(k, len(gains))) + 2.0)
    ideal = ((2.0 ** best[:k] - 1) / discount).sum()
    return (((2.0 ** gains[:k] - 1) / discount).sum() / ideal).item() if ideal > 0 else 0.0


@mistake(
    NDCG, "needs_a_list", stage="raises",
    diagnosis="It asks `if not gains:`, which a tensor of several entries refuses to answer.",
    next_step="Ask for `len(gains)`.",
)
def ndcg_at_k(gains, k):
    if not gains:
        return 0.0

    def dcg(ranked):
        return sum((2 ** float(g) - 1) / math.log2(i + 2) for i, g in enumerate(ranked[:k]))

    best = dcg(sorted(gains, reverse=True))
    return dcg(gains) / best if best else 0.0


@mistake(
    NDCG, "sorts_the_callers_list", stage="property",
    diagnosis="`gains.sort` sorts the caller's list itself.",
    next_step="Use `sorted(gains, reverse=True)`, which makes a new one.",
)
def ndcg_at_k(gains, k):
    def dcg(ranked):
        return sum((2 ** float(g) - 1) / math.log2(i + 2) for i, g in enumerate(ranked[:k]))

    reached = dcg(gains)
    if isinstance(gains, list):
        gains.sort(reverse=True)
    best = dcg(sorted(gains, reverse=True))
    return reached / best if best else 0.0


altered(
    NDCG, "mean_over_k", "plain", {"best if": "best / k if"}, stage="values",
    diagnosis="The sum is divided by k as well.",
    next_step="The measure is one sum divided by another, nothing else.",
)

altered(
    NDCG, "whole_grades_only", "plain",
    {
        "(2**g - 1) / math.log2(i + 2) for i, g in": "(2**gain - 1) / math.log2(i + 2) for i, gain in",
        "float(g) for g": "int(gain) for gain",
    },
    stage="values",
    diagnosis="The gains are made whole numbers first; a grade may be 0.5 as well.",
    next_step="Leave the gains as they are, or make them floating.",
)


@right_form(NDCG, "natural_logarithm_cancels")
def ndcg_at_k(gains, k):
    gains = torch.as_tensor(gains).tolist()

    def terms(ranked):
        return [(2**g - 1) / math.log(place + 1) for place, g in enumerate(ranked[:k], start=1)]

    best = math.fsum(terms(sorted(gains)[::-1]))
    return math.fsum(terms(gains)) / best if best else 0.0


@right_form(NDCG, "torch_throughout")
def ndcg_at_k(gains, k):
    gains = torch.as_tensor(gains, dtype=torch.float64)
    if not gains.any():
        return torch.tensor(0.0)
    worth = torch.exp2(gains) - 1
    weights = 1 / torch.log2(torch.arange(2, len(gains) + 2, dtype=torch.float64))
    weights[k:] = 0
    return (worth @ weights) / (worth.sort(descending=True).values @ weights)


@right_form(NDCG, "numpy_inside")
def ndcg_at_k(gains, k):
    worth = np.power(2.0, np.asarray(gains, dtype=float)) - 1
    weights = 1 / np.log2(np.arange(2, len(worth) + 2))
    best = np.sort(worth)[::-1][:k] @ weights[:k]
    return worth[:k] @ weights[:k] / best if best > 0 else 0.0


@right_form(NDCG, "plain_loop_whole_zero")
def ndcg_at_k(gains, k, verbose=True):
    gains = list(map(float, gains))
    ideal, reached, left = 0.0, 0.0, list(gains)
    for place in range(min(k, len(gains))):
        best = max(left)
        left.remove(best)
        ideal += (2**best - 1) / np.log2(place + 2)
        reached += (2 ** gains[place] - 1) / np.log2(place + 2)
    if verbose:
        print(reached, ideal)
    if ideal == 0:
        return 0
    return reached / ideal


@right_form(NDCG, "float32_with_a_small_number_below")
def ndcg_at_k(gains, k):
    g = torch.tensor([float(x) for x in gains])
    n = min(k, g.numel())
    discount = torch.arange(n).add(2).float().log2()
    top = torch.topk(g, n).values
    return ((2 ** g[:n] - 1) / discount).sum() / ((2**top - 1) / discount).sum().clamp(min=1e-9)
