"""Wrong answers about merging rankings by name, and unusual right ones."""

import heapq
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import torch

from grader.course_source.catalogue import altered, base, mistake, right_form, survivor

FUSION = "09.reciprocal_rank_fusion"


@base("plain")
def reciprocal_rank_fusion(rankings, k=60):
    scores = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0) + 1 / (k + rank)
    ordered = sorted(scores, key=lambda number: (-scores[number], number))
    return ordered


altered(
    FUSION, "ranks_from_0", "plain", {"enumerate(ranking, 1)": "enumerate(ranking)"}, stage="values",
    diagnosis="Ranks are counted from 0; the best has rank 1.",
    next_step="Begin with 1: `enumerate(ranking, 1)`.",
)

altered(
    FUSION, "lowest_score_first", "plain", {"(-scores[number], number)": "(scores[number], number)"}, stage="values",
    diagnosis="The lowest score comes first.",
    next_step="Sort by minus the score.",
)

altered(
    FUSION, "larger_id_first", "plain", {"(-scores[number], number))": "(scores[number], number), reverse=True)"},
    stage="values",
    diagnosis="Of equal scores the larger id comes first: `reverse=True` turns round both parts of the key.",
    next_step="Sort by (minus the score, the id), without `reverse`.",
)

altered(
    FUSION, "first_met_first", "plain", {"(-scores[number], number)": "-scores[number]"}, stage="values",
    diagnosis="Of equal scores the id that was met first comes first; it should be the smaller id.",
    next_step="Put the id into the key as well: (minus the score, the id).",
)

altered(
    FUSION, "always_60", "plain", {"(k + rank)": "(60 + rank)"}, stage="values",
    diagnosis="60 is used whatever k is.",
    next_step="Write `k + rank`.",
)

altered(
    FUSION, "without_k", "plain", {"(k + rank)": "rank"}, stage="values",
    diagnosis="1 / rank: k is left out, or multiplies the rank, which changes no order.",
    next_step="Divide by k + rank.",
)

altered(
    FUSION, "brackets_forgotten", "plain", {"1 / (k + rank)": "1 / k + rank"}, stage="values",
    diagnosis="Without brackets this is 1 / k, plus the rank: what stands last gets most.",
    next_step="Write `1 / (k + rank)`.",
)

altered(
    FUSION, "whole_division", "plain", {"1 / (k": "1 // (k"}, stage="values",
    diagnosis="The ids come back in the order of their numbers: `//` cuts 1 / 61 off to 0, or the scores are not used.",
    next_step="Divide with a single `/`, and give `sorted` the key (minus the score, the id).",
)

altered(
    FUSION, "scores_rounded", "plain", {"-scores[number], number": "-round(scores[number], 4), number"}, stage="values",
    diagnosis="The scores are rounded, and some that differ become equal.",
    next_step="Compare the scores as they are.",
)

altered(
    FUSION, "last_ranking_counts", "plain", {"scores.get(number, 0) + ": ""}, stage="values",
    diagnosis="A later ranking overwrites what an earlier one gave.",
    next_step="Add to the score: `+=`.",
)

altered(
    FUSION, "best_rank_only", "plain", {"scores.get(number, 0) + 1 / (k + rank)": "max(scores.get(number, 0), 1 / (k + rank))"},
    stage="values",
    diagnosis="Only an id's best rank counts; the sum over all rankings is asked for.",
    next_step="Add instead of taking the larger.",
)

altered(
    FUSION, "counts_rankings", "plain", {"1 / (k + rank)": "1"}, stage="values",
    diagnosis="Each ranking counts 1, wherever the id stands in it.",
    next_step="Add 1 / (k + rank).",
)

altered(
    FUSION, "product", "plain", {"scores.get(number, 0) + 1 /": "scores.get(number, 1) * 1 /"}, stage="values",
    diagnosis="The parts are multiplied; they should be added.",
    next_step="Begin with 0 and add.",
)

altered(
    FUSION, "sum_of_ranks", "plain",
    {"1 / (k + rank)": "rank", "(-scores[number], number)": "(scores[number], number)"}, stage="values",
    diagnosis="The ranks are added up, and the smallest sum comes first: an id that stands in few rankings profits from it.",
    next_step="Add 1 / (k + rank), and sort by falling sum.",
)

altered(
    FUSION, "borda_points", "plain", {"1 / (k + rank)": "len(ranking) - rank"}, stage="values",
    diagnosis="An id gets a point for each that stands behind it (Borda's count); asked for is 1 / (k + rank).",
    next_step="Add 1 / (k + rank).",
)

altered(
    FUSION, "ranks_go_on", "plain", {"enumerate(ranking, 1)": "enumerate(ranking, 1 + len(scores))"},
    stage="values",
    diagnosis="The ranks do not begin anew with each ranking.",
    next_step="Every ranking begins with rank 1.",
)

altered(
    FUSION, "ranks_from_the_end", "plain", {"enumerate(ranking, 1)": "enumerate(reversed(ranking), 1)"}, stage="values",
    diagnosis="Rank 1 goes to the last one of each ranking.",
    next_step="The best stands first.",
)

altered(
    FUSION, "first_and_second_only", "plain", {"in rankings:": "in rankings[:2]:"}, stage="values",
    diagnosis="Only the first two rankings are read.",
    next_step="Loop over all of them.",
)

altered(
    FUSION, "k_results", "plain", {"return ordered": "return ordered[:k]"}, stage="shape",
    diagnosis="Only k ids come back; k is no number of results here.",
    next_step="Return all of them.",
)

altered(
    FUSION, "pairs_with_scores", "plain", {"return ordered": "return [(number, scores[number]) for number in ordered]"},
    stage="type",
    diagnosis="Pairs of id and score come back; the ids alone are asked for.",
    next_step="Return the ids.",
)

altered(
    FUSION, "the_scores", "plain", {"return ordered": "return [scores[number] for number in ordered]"}, stage="type",
    diagnosis="The scores come back; the ids are asked for.",
    next_step="Return the ids, sorted by their scores.",
)

altered(
    FUSION, "a_dict_comes_back", "plain", {"return ordered": "return {number: scores[number] for number in ordered}"},
    stage="type",
    diagnosis="The result is a dict; a list of ids is asked for.",
    next_step="Return the list of its keys, sorted.",
)

altered(
    FUSION, "a_tensor_comes_back", "plain", {"return ordered": "return torch.tensor(ordered)"}, stage="type",
    diagnosis="The result is a tensor; a list is asked for.",
    next_step="Return the list itself.",
)


@mistake(
    FUSION, "mean_over_its_rankings", stage="values",
    diagnosis="The score is the mean over the rankings in which the id stands, so that standing in one of them is no drawback.",
    next_step="Take the sum.",
)
def reciprocal_rank_fusion(rankings, k=60):
    parts = defaultdict(list)
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            parts[number].append(1 / (k + rank))
    return sorted(parts, key=lambda number: (-sum(parts[number]) / len(parts[number]), number))


@mistake(
    FUSION, "reciprocal_of_the_sum", stage="values",
    diagnosis="The ranks are summed first and the reciprocal is taken of that; asked for is the sum of the reciprocals.",
    next_step="Divide before you add.",
)
def reciprocal_rank_fusion(rankings, k=60):
    total = Counter()
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            total[number] += k + rank
    return sorted(total, key=lambda number: (-1 / total[number], number))


@mistake(
    FUSION, "absent_is_last", stage="values",
    diagnosis="An id that does not stand in a ranking gets the rank behind its last; it should get nothing from it.",
    next_step="Add only where the id stands.",
)
def reciprocal_rank_fusion(rankings, k=60):
    numbers = {number for ranking in rankings for number in ranking}

    def score(number):
        ranks = [ranking.index(number) + 1 if number in ranking else len(ranking) + 1 for ranking in rankings]
        return sum(1 / (k + rank) for rank in ranks)

    return sorted(numbers, key=lambda number: (-score(number), number))


@mistake(
    FUSION, "common_ids_only", stage="shape",
    diagnosis="Only ids that stand in all rankings come back.",
    next_step="Every id that stands in any of them gets a score.",
)
def reciprocal_rank_fusion(rankings, k=60):
    numbers = set.intersection(*map(set, rankings)) if rankings else set()
    score = {number: sum(1 / (k + ranking.index(number) + 1) for ranking in rankings) for number in numbers}
    return sorted(numbers, key=lambda number: (-score[number], number))


@mistake(
    FUSION, "ids_of_the_first_only", stage="shape",
    diagnosis="Only ids of the first ranking come back.",
    next_step="Ids that stand in a later ranking alone belong to the result as well.",
)
def reciprocal_rank_fusion(rankings, k=60):
    if not rankings:
        return []
    score = {number: 0.0 for number in rankings[0]}
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            if number in score:
                score[number] += 1 / (k + rank)
    return sorted(score, key=lambda number: (-score[number], number))


@mistake(
    FUSION, "all_must_stand_everywhere", stage="raises",
    diagnosis="`index` raises where an id does not stand in a ranking.",
    next_step="Ask whether it stands there first, or loop over each ranking and add as you go.",
)
def reciprocal_rank_fusion(rankings, k=60):
    numbers = {number for ranking in rankings for number in ranking}
    score = {number: sum(1 / (k + ranking.index(number) + 1) for ranking in rankings) for number in numbers}
    return sorted(numbers, key=lambda number: (-score[number], number))


@mistake(
    FUSION, "as_long_as_the_shortest", stage="shape",
    diagnosis="`zip` stops at the end of the shortest ranking: what stands further down in others is lost.",
    next_step="Loop over the rankings, and inside over one ranking's ids.",
)
def reciprocal_rank_fusion(rankings, k=60):
    score = defaultdict(float)
    for rank, numbers in enumerate(zip(*rankings), 1):
        for number in numbers:
            score[number] += 1 / (k + rank)
    return sorted(score, key=lambda number: (-score[number], number))


@mistake(
    FUSION, "ids_as_places", stage="raises",
    diagnosis="The ids are used as places in a list of scores, which has as many places as there are ids.",
    next_step="Ids are any numbers: keep the scores in a dict.",
)
def reciprocal_rank_fusion(rankings, k=60):
    numbers = {number for ranking in rankings for number in ranking}
    score = [0.0] * len(numbers)
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            score[number] += 1 / (k + rank)
    return sorted(numbers, key=lambda number: (-score[number], number))


@mistake(
    FUSION, "no_rankings_refused", stage="raises",
    diagnosis="Without rankings there is no longest one, and `max` raises.",
    next_step="For no rankings return an empty list.",
)
def reciprocal_rank_fusion(rankings, k=60):
    score = defaultdict(float)
    for place in range(max(len(ranking) for ranking in rankings)):
        for ranking in rankings:
            if place < len(ranking):
                score[ranking[place]] += 1 / (k + place + 1)
    return sorted(score, key=lambda number: (-score[number], number))


@mistake(
    FUSION, "first_ranking_needed", stage="raises",
    diagnosis="`rankings[0]` raises where there are no rankings.",
    next_step="Begin with an empty dict instead of the first ranking.",
)
def reciprocal_rank_fusion(rankings, k=60):
    score = {number: 1 / (k + rank) for rank, number in enumerate(rankings[0], 1)}
    for ranking in rankings[1:]:
        for rank, number in enumerate(ranking, 1):
            score[number] = score.get(number, 0) + 1 / (k + rank)
    return sorted(score, key=lambda number: (-score[number], number))


@mistake(
    FUSION, "the_first_as_it_stands", stage="values",
    diagnosis="The first ranking comes back, with what it lacks behind it: nothing is merged.",
    next_step="Give every id a score from all rankings.",
)
def reciprocal_rank_fusion(rankings, k=60):
    return list(dict.fromkeys(number for ranking in rankings for number in ranking))


@mistake(
    FUSION, "in_turn", stage="values",
    diagnosis="One is taken from each ranking in turn; an id that both rank third is no better than another's third.",
    next_step="Give every id the sum of 1 / (k + rank).",
)
def reciprocal_rank_fusion(rankings, k=60):
    merged = []
    for place in range(max(map(len, rankings), default=0)):
        merged += [ranking[place] for ranking in rankings if place < len(ranking) and ranking[place] not in merged]
    return list(dict.fromkeys(merged))


@mistake(
    FUSION, "uses_the_rankings_up", stage="property",
    diagnosis="Ids are taken out of the caller's lists.",
    next_step="Read the lists with a loop, and leave them as they are.",
)
def reciprocal_rank_fusion(rankings, k=60):
    score = defaultdict(float)
    for ranking in rankings:
        rank = 0
        while ranking:
            rank += 1
            score[ranking.pop(0)] += 1 / (k + rank)
    return sorted(score, key=lambda number: (-score[number], number))


@mistake(
    FUSION, "ids_come_back_twice", stage="shape",
    diagnosis="An id comes back as often as it stands in a ranking.",
    next_step="Sort the keys of the scores, not all entries of all rankings.",
)
def reciprocal_rank_fusion(rankings, k=60):
    score = defaultdict(float)
    everything = []
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            score[number] += 1 / (k + rank)
            everything.append(number)
    return sorted(everything, key=lambda number: (-score[number], number))


@right_form(FUSION, "counter")
def reciprocal_rank_fusion(rankings, k=60):
    scores = Counter()
    for ranking in rankings:
        scores.update({number: 1 / (k + place + 1) for place, number in enumerate(ranking)})
    return sorted(sorted(scores), key=scores.get, reverse=True)


@right_form(FUSION, "fractions_and_index")
def reciprocal_rank_fusion(rankings, k=60):
    numbers = set().union(*rankings)

    def score(number):
        return sum(Fraction(1, k + one.index(number) + 1) for one in rankings if number in one)

    return sorted(numbers, key=lambda number: (-score(number), number))


@right_form(FUSION, "numpy_unique_and_lexsort")
def reciprocal_rank_fusion(rankings, k=60):
    if not any(rankings):
        return []
    numbers, which = np.unique(np.concatenate([np.asarray(one, dtype=np.int64) for one in rankings]), return_inverse=True)
    parts = np.concatenate([1.0 / (k + np.arange(1, len(one) + 1)) for one in rankings])
    scores = np.bincount(which, weights=parts)
    return numbers[np.lexsort((numbers, -scores))].tolist()


@right_form(FUSION, "torch_index_add")
def reciprocal_rank_fusion(rankings, k=60):
    entries = torch.tensor([number for one in rankings for number in one], dtype=torch.int64)
    parts = torch.tensor([1 / (k + rank) for one in rankings for rank in range(1, len(one) + 1)], dtype=torch.float64)
    numbers, which = entries.unique(sorted=True, return_inverse=True)
    scores = torch.zeros(len(numbers), dtype=torch.float64).index_add_(0, which, parts)
    return numbers[scores.argsort(descending=True, stable=True)].tolist()


@right_form(FUSION, "a_heap")
def reciprocal_rank_fusion(rankings, k=60):
    scores = {}
    for one in rankings:
        for rank in range(len(one)):
            scores[one[rank]] = scores.get(one[rank], 0.0) + (k + rank + 1) ** -1
    heap = [(-score, number) for number, score in scores.items()]
    heapq.heapify(heap)
    merged = []
    while heap:
        merged.append(heapq.heappop(heap)[1])
    return merged


@right_form(FUSION, "the_best_of_the_rest")
def reciprocal_rank_fusion(rankings, k=60):
    left = {number: 0.0 for one in rankings for number in one}
    for one in rankings:
        rank = 1
        for number in one:
            left[number] += 1.0 / (k + rank)
            rank += 1
    merged = []
    while left:
        top = max(left.values())
        best = min(number for number, score in left.items() if score == top)
        merged.append(best)
        del left[best]
    return merged


survivor(FUSION, "1 → 2 (2)", "2 / (k + rank) doubles every score: no order changes.")


altered(
    FUSION, "a_little_off_for_the_id", "plain", {"-scores[number], number": "-scores[number] + 1e-9 * number"}, stage="values",
    diagnosis="A little is taken off each score for its id, to decide between equals. For a large id that is more than the "
    "score itself.",
    next_step="Sort by two things at once: a key of (minus the score, the id).",
)

altered(
    FUSION, "five_decimals", "plain", {"-scores[number], number": "-round(scores[number], 5), number"}, stage="values",
    diagnosis="The scores are rounded to five decimals. Behind rank 300 neighbours differ by less, and become equal.",
    next_step="Compare the scores as they are.",
)

altered(
    FUSION, "five_hundred_places", "plain", {"enumerate(ranking, 1)": "enumerate(ranking[:500], 1)"}, stage="values",
    diagnosis="Only the first five hundred places of each ranking are read.",
    next_step="Read each ranking to its end.",
)
