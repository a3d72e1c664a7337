# exercise 11.reciprocal_rank_fusion
import heapq
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import torch


# base plain
def reciprocal_rank_fusion(rankings, k=60):
    scores = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0) + 1 / (k + rank)
    ordered = sorted(scores, key=lambda number: (-scores[number], number))
    return ordered


# mistake ranks_from_0 (values), from plain
# Ranks are counted from 0; the best has rank 1.
# Next: Begin with 1: `enumerate(ranking, 1)`.
#   ranking, 1 => ranking

# mistake lowest_score_first (values), from plain
# The lowest score comes first.
# Next: Sort by minus the score.
#   -scores[number] => scores[number]

# mistake larger_id_first (values), from plain
# Of equal scores the larger id comes first: `reverse=True` turns round both parts of the key.
# Next: Sort by (minus the score, the id), without `reverse`.
#   key=lambda number: (-scores[number], number) => key=lambda number: (scores[number], number), reverse=True

# mistake first_met_first (values), from plain
# Of equal scores the id that was met first comes first; it should be the smaller id.
# Next: Put the id into the key as well: (minus the score, the id).
#   (-scores[number], number) => -scores[number]

# mistake always_60 (values), from plain
# 60 is used whatever k is.
# Next: Write `k + rank`.
#   k + rank => 60 + rank

# mistake without_k (values), from plain
# 1 / rank: k is left out, or multiplies the rank, which changes no order.
# Next: Divide by k + rank.
#   1 / (k + rank) => 1 / rank

# mistake brackets_forgotten (values), from plain
# Without brackets this is 1 / k, plus the rank: what stands last gets most.
# Next: Write `1 / (k + rank)`.
#   scores.get(number, 0) + 1 / (k + rank) => scores.get(number, 0) + 1 / k + rank

# mistake whole_division (values), from plain
# The ids come back in the order of their numbers: `//` cuts 1 / 61 off to 0, or the scores are not used.
# Next: Divide with a single `/`, and give `sorted` the key (minus the score, the id).
#   1 / (k + rank) => 1 // (k + rank)

# mistake scores_rounded (values), from plain
# The scores are rounded, and some that differ become equal.
# Next: Compare the scores as they are.
#   -scores[number] => -round(scores[number], 4)

# mistake last_ranking_counts (values), from plain
# A later ranking overwrites what an earlier one gave.
# Next: Add to the score: `+=`.
#   scores.get(number, 0) + 1 / (k + rank) => 1 / (k + rank)

# mistake best_rank_only (values), from plain
# Only an id's best rank counts; the sum over all rankings is asked for.
# Next: Add instead of taking the larger.
#   scores.get(number, 0) + 1 / (k + rank) => max(scores.get(number, 0), 1 / (k + rank))

# mistake counts_rankings (values), from plain
# Each ranking counts 1, wherever the id stands in it.
# Next: Add 1 / (k + rank).
#   1 / (k + rank) => 1

# mistake product (values), from plain
# The parts are multiplied; they should be added.
# Next: Begin with 0 and add.
#   scores.get(number, 0) + 1 / (k + rank) => scores.get(number, 1) * 1 / (k + rank)

# mistake sum_of_ranks (values), from plain
# The ranks are added up, and the smallest sum comes first: an id that stands in few rankings profits from it.
# Next: Add 1 / (k + rank), and sort by falling sum.
#   1 / (k + rank) => rank
#   -scores[number] => scores[number]

# mistake borda_points (values), from plain
# An id gets a point for each that stands behind it (Borda's count), but the exercise asks for 1 / (k + rank).
# Next: Add 1 / (k + rank).
#   scores.get(number, 0) + 1 / (k + rank) => scores.get(number, 0) + len(ranking) - rank

# mistake ranks_go_on (values), from plain
# The ranks do not begin anew with each ranking.
# Next: Every ranking begins with rank 1.
#   ranking, 1 => ranking, 1 + len(scores)

# mistake ranks_from_the_end (values), from plain
# Rank 1 goes to the last one of each ranking.
# Next: The best stands first.
#   ranking, 1 => reversed(ranking), 1

# mistake first_and_second_only (values), from plain
# Only the first two rankings are read.
# Next: Loop over all of them.
#   -    for ranking in rankings:
#   +    for ranking in rankings[:2]:

# mistake k_results (shape), from plain
# Only k ids come back; k is no number of results here.
# Next: Return all of them.
#   return ordered => return ordered[:k]

# mistake pairs_with_scores (type), from plain
# Pairs of id and score come back; the ids alone are asked for.
# Next: Return the ids.
#   return ordered => return [(number, scores[number]) for number in ordered]

# mistake the_scores (type), from plain
# The scores come back; the ids are asked for.
# Next: Return the ids, sorted by their scores.
#   return ordered => return [scores[number] for number in ordered]

# mistake a_dict_comes_back (type), from plain
# The result is a dict; a list of ids is asked for.
# Next: Return the list of its keys, sorted.
#   return ordered => return {number: scores[number] for number in ordered}

# mistake a_tensor_comes_back (type), from plain
# The result is a tensor; a list is asked for.
# Next: Return the list itself.
#   return ordered => return torch.tensor(ordered)


# mistake mean_over_its_rankings (values)
# The score is the mean over the rankings in which the id stands, so that standing in one of them is no drawback.
# Next: Take the sum.
def reciprocal_rank_fusion(rankings, k=60):
    parts = defaultdict(list)
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            parts[number].append(1 / (k + rank))
    return sorted(parts, key=lambda number: (-sum(parts[number]) / len(parts[number]), number))


# base loop
def reciprocal_rank_fusion(rankings, k=60):
    score = defaultdict(float)
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            score[number] += 1 / (k + rank)
    return sorted(score, key=lambda number: (-score[number], number))


# mistake reciprocal_of_the_sum (values), from loop
# The ranks are summed first and the reciprocal is taken of that, but the exercise asks for the sum of the reciprocals.
# Next: Divide before you add.
#   score = defaultdict(float) => total = Counter()
#   score[number] += 1 / (k + rank) => total[number] += k + rank
#   score, key=lambda number: (-score[number], number) => total, key=lambda number: (-1 / total[number], number)


# mistake absent_is_last (values)
# An id that does not stand in a ranking gets the rank behind its last; it should get nothing from it.
# Next: Add only where the id stands.
def reciprocal_rank_fusion(rankings, k=60):
    numbers = {number for ranking in rankings for number in ranking}

    def score(number):
        ranks = [ranking.index(number) + 1 if number in ranking else len(ranking) + 1 for ranking in rankings]
        return sum(1 / (k + rank) for rank in ranks)

    return sorted(numbers, key=lambda number: (-score(number), number))


# mistake common_ids_only (shape)
# Only ids that stand in all rankings come back.
# Next: Every id that stands in any of them gets a score.
def reciprocal_rank_fusion(rankings, k=60):
    numbers = set.intersection(*map(set, rankings)) if rankings else set()
    score = {number: sum(1 / (k + ranking.index(number) + 1) for ranking in rankings) for number in numbers}
    return sorted(numbers, key=lambda number: (-score[number], number))


# mistake ids_of_the_first_only (shape)
# Only ids of the first ranking come back.
# Next: Ids that stand in a later ranking alone belong to the result as well.
def reciprocal_rank_fusion(rankings, k=60):
    if not rankings:
        return []
    score = {number: 0.0 for number in rankings[0]}
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            if number in score:
                score[number] += 1 / (k + rank)
    return sorted(score, key=lambda number: (-score[number], number))


# mistake all_must_stand_everywhere (raises), from common_ids_only
# `index` raises where an id does not stand in a ranking.
# Next: Ask whether it stands there first, or loop over each ranking and add as you go.
#   set.intersection(*map(set, rankings)) if rankings else set() => {number for ranking in rankings for number in ranking}

# mistake as_long_as_the_shortest (shape), from loop
# `zip` stops at the end of the shortest ranking: what stands further down in others is lost.
# Next: Loop over the rankings, and inside over one ranking's ids.
#   ranking in rankings => rank, numbers in enumerate(zip(*rankings), 1)
#   for rank, number in enumerate(ranking, 1): => for number in numbers:

# mistake ids_as_places (raises), from loop
# The ids are used as places in a list of scores, which has as many places as there are ids.
# Next: Ids are any numbers: keep the scores in a dict.
#   -    score = defaultdict(float)
#   +    numbers = {number for ranking in rankings for number in ranking}
#   +    score = [0.0] * len(numbers)
#   score, key=lambda number: (-score[number], number) => numbers, key=lambda number: (-score[number], number)


# mistake no_rankings_refused (raises)
# Without rankings there is no longest one, and `max` raises.
# Next: For no rankings return an empty list.
def reciprocal_rank_fusion(rankings, k=60):
    score = defaultdict(float)
    for place in range(max(len(ranking) for ranking in rankings)):
        for ranking in rankings:
            if place < len(ranking):
                score[ranking[place]] += 1 / (k + place + 1)
    return sorted(score, key=lambda number: (-score[number], number))


# mistake first_ranking_needed (raises)
# `rankings[0]` raises where there are no rankings.
# Next: Begin with an empty dict instead of the first ranking.
def reciprocal_rank_fusion(rankings, k=60):
    score = {number: 1 / (k + rank) for rank, number in enumerate(rankings[0], 1)}
    for ranking in rankings[1:]:
        for rank, number in enumerate(ranking, 1):
            score[number] = score.get(number, 0) + 1 / (k + rank)
    return sorted(score, key=lambda number: (-score[number], number))


# mistake the_first_as_it_stands (values)
# The first ranking comes back, with what it lacks behind it: nothing is merged.
# Next: Give every id a score from all rankings.
def reciprocal_rank_fusion(rankings, k=60):
    return list(dict.fromkeys(number for ranking in rankings for number in ranking))


# mistake in_turn (values)
# The ids are taken from the rankings in turn: an id that is third in both is no better than one that is third in one of them.
# Next: Give every id the sum of 1 / (k + rank).
def reciprocal_rank_fusion(rankings, k=60):
    merged = []
    for place in range(max(map(len, rankings), default=0)):
        merged += [ranking[place] for ranking in rankings if place < len(ranking) and ranking[place] not in merged]
    return list(dict.fromkeys(merged))


# mistake uses_the_rankings_up (property)
# Ids are taken out of the caller's lists.
# Next: Read the lists with a loop, and leave them as they are.
def reciprocal_rank_fusion(rankings, k=60):
    score = defaultdict(float)
    for ranking in rankings:
        rank = 0
        while ranking:
            rank += 1
            score[ranking.pop(0)] += 1 / (k + rank)
    return sorted(score, key=lambda number: (-score[number], number))


# mistake ids_come_back_twice (shape)
# An id comes back as often as it stands in a ranking.
# Next: Sort the keys of the scores, not all entries of all rankings.
def reciprocal_rank_fusion(rankings, k=60):
    score = defaultdict(float)
    everything = []
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            score[number] += 1 / (k + rank)
            everything.append(number)
    return sorted(everything, key=lambda number: (-score[number], number))


# right form counter
def reciprocal_rank_fusion(rankings, k=60):
    scores = Counter()
    for ranking in rankings:
        scores.update({number: 1 / (k + place + 1) for place, number in enumerate(ranking)})
    return sorted(sorted(scores), key=scores.get, reverse=True)


# right form fractions_and_index
def reciprocal_rank_fusion(rankings, k=60):
    numbers = set().union(*rankings)

    def score(number):
        return sum(Fraction(1, k + one.index(number) + 1) for one in rankings if number in one)

    return sorted(numbers, key=lambda number: (-score(number), number))


# right form numpy_unique_and_lexsort
def reciprocal_rank_fusion(rankings, k=60):
    if not any(rankings):
        return []
    numbers, which = np.unique(np.concatenate([np.asarray(one, dtype=np.int64) for one in rankings]), return_inverse=True)
    parts = np.concatenate([1.0 / (k + np.arange(1, len(one) + 1)) for one in rankings])
    scores = np.bincount(which, weights=parts)
    return numbers[np.lexsort((numbers, -scores))].tolist()


# right form torch_index_add
def reciprocal_rank_fusion(rankings, k=60):
    entries = torch.tensor([number for one in rankings for number in one], dtype=torch.int64)
    parts = torch.tensor([1 / (k + rank) for one in rankings for rank in range(1, len(one) + 1)], dtype=torch.float64)
    numbers, which = entries.unique(sorted=True, return_inverse=True)
    scores = torch.zeros(len(numbers), dtype=torch.float64).index_add_(0, which, parts)
    return numbers[scores.argsort(descending=True, stable=True)].tolist()


# right form a_heap
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


# right form the_best_of_the_rest
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


# survivor 1 → 2 (2)
# 2 / (k + rank) doubles every score: no order changes.

# mistake a_little_off_for_the_id (values), from plain
# A little is taken off each score for its id, to decide between equals. For a large id that is more than the score itself.
# Next: Sort by two things at once: a key of (minus the score, the id).
#   -scores[number], number => -scores[number] + 1e-9 * number

# mistake five_decimals (values), from plain
# The scores are rounded to five decimals. Behind rank 300 neighbours differ by less, and become equal.
# Next: Compare the scores as they are.
#   -scores[number] => -round(scores[number], 5)

# mistake five_hundred_places (shape, values), from plain
# Only the first five hundred places of each ranking are read.
# Next: Read each ranking to its end.
#   ranking, 1 => ranking[:500], 1
