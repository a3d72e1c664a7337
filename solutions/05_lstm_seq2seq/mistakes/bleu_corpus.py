# exercise 05.bleu
"""BLEU: wrong answers about many sentences, by name, and unusual right answers."""

import math
from collections import Counter, defaultdict
from itertools import chain

import numpy as np
import torch


# mistake mean_of_sentences (values)
# BLEU is computed for each sentence and averaged; the counts of all sentences are to be summed first.
# Next: One precision for each n, from sums over all sentences.
def bleu(candidates, references, max_n=4):
    def grams(tokens, n):
        return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))

    scores = []
    for candidate, reference in zip(candidates, references):
        logs = []
        for n in range(1, max_n + 1):
            same = sum((grams(candidate, n) & grams(reference, n)).values())
            if same == 0:
                break
            logs.append(math.log(same / (len(candidate) - n + 1)))
        else:
            penalty = min(0.0, 1 - len(reference) / len(candidate))
            scores.append(math.exp(sum(logs) / max_n + penalty))
    return sum(scores) / max(len(candidates), 1)


# mistake mean_of_precisions (values)
# The precisions are computed for each sentence and averaged; counts are to be summed before the division.
# Next: For each n sum matches and n-grams over all sentences, and divide once.
def bleu(candidates, references, max_n=4):
    logs = 0.0
    for n in range(1, max_n + 1):
        shares = []
        for candidate, reference in zip(candidates, references):
            mine = Counter(tuple(candidate[i : i + n]) for i in range(len(candidate) - n + 1))
            theirs = Counter(tuple(reference[i : i + n]) for i in range(len(reference) - n + 1))
            if mine:
                shares.append(sum((mine & theirs).values()) / sum(mine.values()))
        if not sum(shares):
            return 0.0
        logs += math.log(sum(shares) / len(shares))
    c, r = sum(map(len, candidates)), sum(map(len, references))
    return math.exp(logs / max_n) * (math.exp(1 - r / c) if c < r else 1.0)


# mistake one_long_text (values)
# All sentences are joined to one text: n-grams run across their borders, and match other references.
# Next: Count the n-grams of each sentence, and sum the counts.
def bleu(candidates, references, max_n=4):
    candidate, reference = list(chain(*candidates)), list(chain(*references))
    logs = 0.0
    for n in range(1, max_n + 1):
        mine = Counter(tuple(candidate[i : i + n]) for i in range(len(candidate) - n + 1))
        theirs = Counter(tuple(reference[i : i + n]) for i in range(len(reference) - n + 1))
        same = sum((mine & theirs).values())
        if not same:
            return 0.0
        logs += math.log(same / sum(mine.values()))
    c, r = len(candidate), len(reference)
    return math.exp(logs / max_n) * (math.exp(1 - r / c) if c < r else 1.0)


# mistake all_references_together (values)
# The n-grams of all references are put together, so a candidate may match another one's reference.
# Next: Compare each candidate with its own reference, then sum.
def bleu(candidates, references, max_n=4):
    logs = 0.0
    for n in range(1, max_n + 1):
        mine, theirs = Counter(), Counter()
        for candidate in candidates:
            mine.update(tuple(candidate[i : i + n]) for i in range(len(candidate) - n + 1))
        for reference in references:
            theirs.update(tuple(reference[i : i + n]) for i in range(len(reference) - n + 1))
        same = sum((mine & theirs).values())
        if not same:
            return 0.0
        logs += math.log(same / sum(mine.values()))
    c, r = sum(map(len, candidates)), sum(map(len, references))
    return math.exp(logs / max_n) * (math.exp(1 - r / c) if c < r else 1.0)


# mistake the_first_sentence_only (values), from one_long_text
# Only the first sentence is scored.
# Next: Go through all pairs, and sum the counts.
#   -    candidate, reference = list(chain(*candidates)), list(chain(*references))
#   +    if not candidates:
#   +        return 0.0
#   +    candidate, reference = candidates[0], references[0]


# mistake references_used_up (property)
# Words that matched are removed from the caller's references.
# Next: Work on a copy, or count with `Counter`.
def bleu(candidates, references, max_n=4):
    c, r = sum(map(len, candidates)), sum(map(len, references))
    logs = 0.0
    for n in range(max_n, 0, -1):
        matched = said = 0
        for candidate, reference in zip(candidates, references):
            left = reference if n == 1 else [tuple(reference[i : i + n]) for i in range(len(reference) - n + 1)]
            for i in range(len(candidate) - n + 1):
                gram = candidate[i] if n == 1 else tuple(candidate[i : i + n])
                said += 1
                if gram in left:
                    left.remove(gram)
                    matched += 1
        if not matched:
            return 0.0
        logs += math.log(matched / said)
    return math.exp(logs / max_n) * (math.exp(1 - r / c) if c < r else 1.0)


# mistake one_number_in_a_row (shape)
# The result has the shape (1,); a single number has no axis.
# Next: Return the number itself, or `torch.tensor(number)` without square brackets.
def bleu(candidates, references, max_n=4):
    logs = []
    for n in range(1, max_n + 1):
        matched = said = 0
        for candidate, reference in zip(candidates, references):
            mine = Counter(tuple(candidate[i : i + n]) for i in range(len(candidate) - n + 1))
            theirs = Counter(tuple(reference[i : i + n]) for i in range(len(reference) - n + 1))
            matched += (mine & theirs).total()
            said += mine.total()
        logs.append(math.log(matched / said) if matched else -math.inf)
    c, r = (sum(len(tokens) for tokens in side) for side in (candidates, references))
    return torch.tensor([min(0.0, 1 - r / c if c else 0.0) + sum(logs) / max_n]).exp()


# mistake a_tensor_of_logarithms (shape)
# One number for each n comes back, but the exercise asks for their geometric mean with the penalty.
# Next: Average the logarithms and take exp: a single number.
def bleu(candidates, references, max_n=4):
    shares = []
    for n in range(1, max_n + 1):
        matched = said = 0
        for candidate, reference in zip(candidates, references):
            mine = Counter(tuple(candidate[i : i + n]) for i in range(len(candidate) - n + 1))
            theirs = Counter(tuple(reference[i : i + n]) for i in range(len(reference) - n + 1))
            matched += sum((mine & theirs).values())
            said += sum(mine.values())
        shares.append(matched / max(said, 1))
    return torch.tensor(shares)


# right form lists_that_are_used_up
def bleu(candidates, references, max_n=4, *, verbose=False):
    product = 1.0
    for n in range(1, max_n + 1):
        matched = said = 0
        for candidate, reference in zip(candidates, references):
            left = [reference[i : i + n] for i in range(len(reference) - n + 1)]
            for i in range(len(candidate) - n + 1):
                said += 1
                if candidate[i : i + n] in left:
                    left.remove(candidate[i : i + n])
                    matched += 1
        product *= matched / said if said else 0.0
    c = sum(len(one) for one in candidates)
    r = sum(len(one) for one in references)
    penalty = 0.0 if c == 0 else min(1.0, math.exp(1 - r / c))
    return penalty * product ** (1 / max_n)


# right form sentence_by_sentence
def bleu(candidates, references, max_n=4):
    matched, said = defaultdict(int), defaultdict(int)
    c = r = 0
    for pair in zip(candidates, references):
        c, r = c + len(pair[0]), r + len(pair[1])
        for n in range(1, max_n + 1):
            mine, theirs = (Counter(zip(*(side[shift:] for shift in range(n)))) for side in pair)
            said[n] += max(len(pair[0]) - n + 1, 0)
            matched[n] += sum((mine & theirs).values())
    print(dict(matched))
    if min(matched[n] for n in range(1, max_n + 1)) == 0:
        return 0.0
    mean = math.prod(matched[n] / said[n] for n in matched) ** (1 / len(matched))
    return mean * math.exp(-max(0, r - c) / c)


# right form numpy_logarithms
def bleu(candidates, references, max_n=4):
    counts = np.zeros((max_n, 2))
    for candidate, reference in zip(candidates, references):
        for n in range(1, max_n + 1):
            mine = Counter(" | ".join(map(repr, candidate[i : i + n])) for i in range(len(candidate) - n + 1))
            theirs = Counter(" | ".join(map(repr, reference[i : i + n])) for i in range(len(reference) - n + 1))
            counts[n - 1] += sum((mine & theirs).values()), sum(mine.values())
    with np.errstate(all="ignore"):
        precisions = np.nan_to_num(counts[:, 0] / counts[:, 1])
        score = np.exp(np.log(precisions).mean())
    lengths = [sum(len(one) for one in side) for side in (candidates, references)]
    return float(score * np.exp(min(0, 1 - lengths[1] / lengths[0]))) if score > 0 else 0.0


# right form torch_inside
def bleu(candidates, references, max_n=4):
    tally = torch.zeros(2, max_n, dtype=torch.float64)
    for n in range(max_n):
        for said, wanted in zip(candidates, references):
            grams = [tuple(said[i - n : i + 1]) for i in range(n, len(said))]
            there = [tuple(wanted[i - n : i + 1]) for i in range(n, len(wanted))]
            tally[0, n] += sum(min(grams.count(gram), there.count(gram)) for gram in set(grams))
            tally[1, n] += len(grams)
    if (tally == 0).any():
        return 0.0
    c, r = (sum(map(len, side)) for side in (candidates, references))
    return ((tally[0] / tally[1]).log().mean() + min(0, 1 - r / c)).exp().item()


# right form zero_dimensional_tensor
def bleu(candidates, references, max_n=4):
    c, r = sum(map(len, candidates)), sum(map(len, references))
    precisions = []
    for n in range(1, max_n + 1):
        both = [
            (Counter(zip(*[a[k:] for k in range(n)])), Counter(zip(*[b[k:] for k in range(n)])))
            for a, b in zip(candidates, references)
        ]
        total = sum(sum(a.values()) for a, _ in both)
        precisions.append(sum(sum((a & b).values()) for a, b in both) / total if total else 0.0)
    value = torch.tensor(precisions, dtype=torch.float64).prod() ** (1 / max_n)
    return value * math.exp(1 - r / c) if 0 < c < r else value


# survivor True → False
# strict=False: there is one reference for each candidate, so both lists are of one length.
