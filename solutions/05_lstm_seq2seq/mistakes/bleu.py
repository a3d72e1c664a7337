# exercise 05.bleu
import math
from collections import Counter


# base plain
def bleu(candidates, references, max_n=4):
    logs = 0.0
    for n in range(1, max_n + 1):
        matched = said = 0
        for candidate, reference in zip(candidates, references):
            mine = Counter(tuple(candidate[i : i + n]) for i in range(len(candidate) - n + 1))
            theirs = Counter(tuple(reference[i : i + n]) for i in range(len(reference) - n + 1))
            matched += sum(min(count, theirs[gram]) for gram, count in mine.items())
            said += sum(mine.values())
        if matched == 0:
            return 0.0
        logs += math.log(matched / said)
    c = sum(len(candidate) for candidate in candidates)
    r = sum(len(reference) for reference in references)
    penalty = math.exp(1 - r / c) if c < r else 1.0
    return penalty * math.exp(logs / max_n)


# mistake not_clipped (values), from plain
# A repeated n-gram counts each time, however often its reference has it.
# Next: Count it at most as often as it is in the reference: the smaller of the two counts.
#   min(count, theirs[gram]) => count * (gram in theirs)

# mistake different_ngrams_only (values), from plain
# Sets forget how often an n-gram occurs: each different one counts once.
# Next: Count with `Counter` instead of a set.
#   sum(min(count, theirs[gram]) for gram, count in mine.items()) => len(set(mine) & set(theirs))
#   sum(mine.values()) => len(mine)

# mistake each_match_once (values), from plain
# A matching n-gram counts once, however often both sentences have it.
# Next: Add the smaller of the two counts.
#   (min(count, theirs[gram]) for gram, count in mine.items()) => ((gram in theirs) for gram, count in mine.items())

# mistake counts_of_the_reference (values), from plain
# A matching n-gram counts as often as the reference has it, also where the candidate has it less often.
# Next: Add the smaller of the two counts.
#   min(count, theirs[gram]) => theirs[gram]

# mistake recall (values), from plain
# The matches are divided by the number of n-grams in the reference: that is recall.
# Next: Precision is the fraction of the written n-grams that are right: divide by the number of n-grams in the candidates.
#   mine.values => theirs.values

# mistake arguments_exchanged (values), from plain
# Candidates and references have changed places.
# Next: The candidates come first.
#   zip(candidates, references) => zip(references, candidates)
#   math.exp(1 - r / c) if c < r else 1.0 => math.exp(1 - c / r) if r < c else 1.0

# mistake no_brevity_penalty (values), from plain
# The brevity penalty never applies: it is missing, or c and r count sentences, of which there are equally many.
# Next: Multiply by exp(1 - r / c) where c < r; both are numbers of tokens, summed over all sentences.
#   penalty * math.exp(logs / max_n) => math.exp(logs / max_n)

# mistake penalty_upside_down (values), from plain
# The brevity penalty has c and r exchanged, and rewards short candidates.
# Next: It is exp(1 - r / c), with c tokens said and r in the references: less than 1.
#   r / c => c / r

# mistake penalty_as_a_fraction (values), from plain
# The penalty is c / r; BLEU's is exp(1 - r / c).
# Next: Take the exponential.
#   math.exp(1 - r / c) => c / r

# mistake penalty_for_long_ones (values), from plain
# The penalty is applied where too much was said; it is for candidates that are too short.
# Next: It applies where c < r.
#   c < r => c > r

# mistake penalty_always (values), from plain
# exp(1 - r / c) is always a factor: a candidate with more words than its reference is rewarded.
# Next: Where c is not below r, the penalty is 1.
#   math.exp(1 - r / c) if c < r else 1.0 => math.exp(1 - r / c)

# mistake penalty_in_both_directions (values), from plain
# Candidates that are too long get a penalty as well.
# Next: Where c is not below r, the penalty is 1.
#   math.exp(1 - r / c) if c < r else 1.0 => math.exp(-abs(1 - r / c))

# mistake penalty_inside_the_root (values), from plain
# The root is taken of the penalty as well.
# Next: First the geometric mean of the precisions, then times the penalty.
#   penalty * math.exp(logs / max_n) => (penalty * math.exp(logs)) ** (1 / max_n)

# mistake penalty_of_the_mean_sentence (values), from plain
# The penalty is computed for each sentence and averaged; it is one, from the summed lengths.
# Next: Sum the lengths over all sentences first.
#   -    penalty = math.exp(1 - r / c) if c < r else 1.0
#   +    each = [math.exp(1 - len(b) / len(a)) if 0 < len(a) < len(b) else float(len(a) > 0)
#   +            for a, b in zip(candidates, references)]
#   +    penalty = sum(each) / len(each)

# mistake arithmetic_mean (values), from plain
# The precisions are averaged; BLEU takes their geometric mean.
# Next: Average the logarithms, then take exp; one precision of 0 makes BLEU 0.
#   matched == 0 => said == 0
#   math.log(matched / said) => matched / said
#   penalty * math.exp(logs / max_n) => penalty * logs / max_n

# mistake product_without_root (values), from plain
# The precisions are multiplied, and no root is taken.
# Next: The geometric mean of max_n numbers is the max_n-th root of their product.
#   logs / max_n => logs

# mistake always_the_fourth_root (values), from plain
# The fourth root is taken, whatever max_n is.
# Next: Divide the sum of the logarithms by max_n.
#   logs / max_n => logs / 4

# mistake always_up_to_four (values), from plain
# n-grams up to four words are counted, whatever max_n is.
# Next: Let n run from 1 to max_n.
#   logs = 0.0 => logs, max_n = 0.0, 4

# mistake only_the_longest (values), from plain
# Only n-grams of max_n words are counted.
# Next: Let n run from 1 to max_n.
#   1, max_n + 1 => max_n, max_n + 1
#   logs / max_n => logs

# mistake up_to_one_less (values), from plain
# n stops before max_n.
# Next: range(1, max_n + 1) ends with max_n.
#   max_n + 1 => max_n

# mistake from_pairs_on (values), from plain
# Single words are left out.
# Next: Let n run from 1 to max_n.
#   1, max_n + 1 => 2, max_n + 1
#   logs / max_n => logs / max(max_n - 1, 1)

# mistake last_ngram_missing (values), from plain
# The last n-gram of each candidate is missing.
# Next: A sentence of L tokens has L - n + 1 n-grams.
#   len(candidate) - n + 1 => len(candidate) - n

# mistake pieces_at_the_end (values), from plain
# At the end of a sentence slices shorter than n are counted as n-grams.
# Next: A sentence of L tokens has L - n + 1 n-grams: stop there.
#   len(candidate) - n + 1 => len(candidate)
#   len(reference) - n + 1 => len(reference)

# mistake negative_number_of_ngrams (values), from plain
# A sentence shorter than n counts as a negative number of n-grams.
# Next: Take max(L - n + 1, 0).
#   sum(mine.values()) => len(candidate) - n + 1

# mistake tokens_instead_of_ngrams (values), from plain
# The matches are divided by the number of tokens; a sentence has fewer n-grams than tokens.
# Next: A sentence of L tokens has max(L - n + 1, 0) n-grams.
#   sum(mine.values()) => len(candidate)

# mistake glued_together (values), from plain
# The tokens of an n-gram are joined to one string, and different n-grams may look alike.
# Next: Use tuples: `tuple(tokens[i : i + n])`.
#   tuple(candidate[i : i + n]) => ''.join(map(str, candidate[i : i + n]))
#   tuple(reference[i : i + n]) => ''.join(map(str, reference[i : i + n]))

# mistake order_ignored (values), from plain
# An n-gram's words are compared in any order.
# Next: Use tuples: `tuple(tokens[i : i + n])`.
#   tuple(candidate[i : i + n]) => frozenset(candidate[i : i + n])
#   tuple(reference[i : i + n]) => frozenset(reference[i : i + n])

# mistake lists_as_keys (raises), from plain
# A list cannot be counted: it is not hashable.
# Next: Make a tuple of it: `tuple(tokens[i : i + n])`.
#   tuple(candidate[i : i + n]) => candidate[i : i + n]

# mistake skips_zeros (values), from plain
# A precision of 0 is skipped; without smoothing it makes BLEU 0.
# Next: Return 0.0 as soon as a precision is 0 or has no n-gram.
#   return 0.0 => continue
#        r = sum(len(reference) for reference in references)
#   +    if c == 0:
#   +        return 0.0

# mistake plus_one (values), from plain
# One is added to the counts (smoothing).
# Next: Divide the counts as they are; where a precision is 0, BLEU is 0.
#   -        if matched == 0:
#   -            return 0.0
#   -        logs += math.log(matched / said)
#   +        logs += math.log((matched + 1) / (said + 1))
#   r / c => r / max(c, 1)

# mistake logarithm_of_nothing (raises), from plain
# The logarithm of a precision of 0 is taken, or 0 is divided by 0.
# Next: Return 0.0 before that.
#   -        if matched == 0:
#   -            return 0.0

# mistake only_no_ngrams_are_looked_at (raises), from plain
# Where there are n-grams but none is right, the logarithm of 0 is taken.
# Next: Return 0.0 where no n-gram matches.
#   matched == 0 => said == 0

# mistake percent (values), from plain
# The result is in percent, from 0 to 100.
# Next: Leave the factor 100 out: BLEU is between 0 and 1 here.
#   penalty * math.exp(logs / max_n) => 100 * penalty * math.exp(logs / max_n)

# mistake rounded (values), from plain
# The result is rounded.
# Next: Return the number as it is; round where you print.
#   penalty * math.exp(logs / max_n) => round(penalty * math.exp(logs / max_n), 2)

# mistake none_for_nothing (type), from plain
# Where nothing matches, None comes back.
# Next: Return 0.0.
#   return 0.0 => return None
