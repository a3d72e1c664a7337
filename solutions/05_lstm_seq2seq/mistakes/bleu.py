"""Wrong answers about BLEU by name."""

import math
from collections import Counter

from grader.course_source.catalogue import altered, base

BLEU = "05.bleu"


@base("plain")
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


altered(
    BLEU, "not_clipped", "plain", {"min(count, theirs[gram])": "count * (gram in theirs)"}, stage="values",
    diagnosis="A repeated n-gram counts each time, however often its reference has it.",
    next_step="Count it at most as often as it is in the reference: the smaller of the two counts.",
)

altered(
    BLEU, "different_ngrams_only", "plain",
    {"sum(min(count, theirs[gram]) for gram, count in mine.items())": "len(set(mine) & set(theirs))",
     "said += sum(mine.values())": "said += len(mine)"}, stage="values",
    diagnosis="Sets forget how often an n-gram occurs: each different one counts once.",
    next_step="Count with `Counter` instead of a set.",
)

altered(
    BLEU, "each_match_once", "plain", {"min(count, theirs[gram])": "(gram in theirs)"}, stage="values",
    diagnosis="A matching n-gram counts once, however often both sentences have it.",
    next_step="Add the smaller of the two counts.",
)

altered(
    BLEU, "counts_of_the_reference", "plain", {"min(count, theirs[gram])": "theirs[gram]"}, stage="values",
    diagnosis="A matching n-gram counts as often as the reference has it, also where the candidate has it less often.",
    next_step="Add the smaller of the two counts.",
)

altered(
    BLEU, "recall", "plain", {"said += sum(mine.values())": "said += sum(theirs.values())"}, stage="values",
    diagnosis="The matches are divided by the number of n-grams in the reference: that is recall.",
    next_step="Precision asks of what was said: divide by the number of n-grams in the candidates.",
)

altered(
    BLEU, "arguments_exchanged", "plain",
    {"zip(candidates, references)": "zip(references, candidates)", "r / c": "c / r", "if c < r": "if r < c"}, stage="values",
    diagnosis="Candidates and references have changed places.",
    next_step="The candidates come first.",
)

altered(
    BLEU, "no_brevity_penalty", "plain", {"    return penalty * ": "    return "}, stage="values",
    diagnosis="The brevity penalty never applies: it is missing, or c and r count sentences, of which there are equally many.",
    next_step="Multiply by exp(1 - r / c) where c < r; both are numbers of tokens, summed over all sentences.",
)

altered(
    BLEU, "penalty_upside_down", "plain", {"1 - r / c": "1 - c / r"}, stage="values",
    diagnosis="The brevity penalty has c and r exchanged, and rewards short candidates.",
    next_step="It is exp(1 - r / c), with c tokens said and r in the references: less than 1.",
)

altered(
    BLEU, "penalty_as_a_fraction", "plain", {"math.exp(1 - r / c)": "c / r"}, stage="values",
    diagnosis="The penalty is c / r; BLEU's is exp(1 - r / c).",
    next_step="Take the exponential.",
)

altered(
    BLEU, "penalty_for_long_ones", "plain", {"if c < r": "if c > r"}, stage="values",
    diagnosis="The penalty is applied where too much was said; it is for candidates that are too short.",
    next_step="It applies where c < r.",
)

altered(
    BLEU, "penalty_always", "plain", {" if c < r else 1.0": ""}, stage="values",
    diagnosis="exp(1 - r / c) is multiplied in always: who says more than the reference is rewarded.",
    next_step="Where c is not below r, the penalty is 1.",
)

altered(
    BLEU, "penalty_in_both_directions", "plain", {"1 - r / c": "-abs(1 - r / c)", " if c < r else 1.0": ""}, stage="values",
    diagnosis="Candidates that are too long get a penalty as well.",
    next_step="Where c is not below r, the penalty is 1.",
)

altered(
    BLEU, "penalty_inside_the_root", "plain",
    {"penalty * math.exp(logs / max_n)": "(penalty * math.exp(logs)) ** (1 / max_n)"}, stage="values",
    diagnosis="The root is taken of the penalty as well.",
    next_step="First the geometric mean of the precisions, then times the penalty.",
)

altered(
    BLEU, "penalty_of_the_mean_sentence", "plain",
    {"    penalty = math.exp(1 - r / c) if c < r else 1.0\n":
         "    each = [math.exp(1 - len(b) / len(a)) if 0 < len(a) < len(b) else float(len(a) > 0)\n"
         "            for a, b in zip(candidates, references)]\n    penalty = sum(each) / len(each)\n"}, stage="values",
    diagnosis="The penalty is computed for each sentence and averaged; it is one, from the summed lengths.",
    next_step="Sum the lengths over all sentences first.",
)

altered(
    BLEU, "arithmetic_mean", "plain",
    {"        if matched == 0:\n            return 0.0\n": "        if said == 0:\n            return 0.0\n",
     "logs += math.log(matched / said)": "logs += matched / said", "math.exp(logs / max_n)": "logs / max_n"}, stage="values",
    diagnosis="The precisions are averaged; BLEU takes their geometric mean.",
    next_step="Average the logarithms, then take exp; one precision of 0 makes BLEU 0.",
)

altered(
    BLEU, "product_without_root", "plain", {"math.exp(logs / max_n)": "math.exp(logs)"}, stage="values",
    diagnosis="The precisions are multiplied, and no root is taken.",
    next_step="The geometric mean of max_n numbers is the max_n-th root of their product.",
)

altered(
    BLEU, "always_the_fourth_root", "plain", {"math.exp(logs / max_n)": "math.exp(logs / 4)"}, stage="values",
    diagnosis="The fourth root is taken, whatever max_n is.",
    next_step="Divide the sum of the logarithms by max_n.",
)

altered(
    BLEU, "always_up_to_four", "plain", {"    logs = 0.0\n": "    logs, max_n = 0.0, 4\n"}, stage="values",
    diagnosis="n-grams up to four words are counted, whatever max_n is.",
    next_step="Let n run from 1 to max_n.",
)

altered(
    BLEU, "only_the_longest", "plain", {"range(1, max_n + 1)": "range(max_n, max_n + 1)", "logs / max_n": "logs"},
    stage="values",
    diagnosis="Only n-grams of max_n words are counted.",
    next_step="Let n run from 1 to max_n.",
)

altered(
    BLEU, "up_to_one_less", "plain", {"range(1, max_n + 1)": "range(1, max_n)"}, stage="values",
    diagnosis="n stops before max_n.",
    next_step="range(1, max_n + 1) ends with max_n.",
)

altered(
    BLEU, "from_pairs_on", "plain", {"range(1, max_n + 1)": "range(2, max_n + 1)", "logs / max_n": "logs / max(max_n - 1, 1)"},
    stage="values",
    diagnosis="Single words are left out.",
    next_step="Let n run from 1 to max_n.",
)

altered(
    BLEU, "last_ngram_missing", "plain", {"range(len(candidate) - n + 1)": "range(len(candidate) - n)"}, stage="values",
    diagnosis="The last n-gram of each candidate is missing.",
    next_step="A sentence of L tokens has L - n + 1 n-grams.",
)

altered(
    BLEU, "pieces_at_the_end", "plain",
    {"range(len(candidate) - n + 1)": "range(len(candidate))", "range(len(reference) - n + 1)": "range(len(reference))"},
    stage="values",
    diagnosis="At the end of a sentence slices shorter than n are counted as n-grams.",
    next_step="A sentence of L tokens has L - n + 1 n-grams: stop there.",
)

altered(
    BLEU, "negative_number_of_ngrams", "plain", {"said += sum(mine.values())": "said += len(candidate) - n + 1"},
    stage="values",
    diagnosis="A sentence shorter than n counts as a negative number of n-grams.",
    next_step="Take max(L - n + 1, 0).",
)

altered(
    BLEU, "tokens_instead_of_ngrams", "plain", {"said += sum(mine.values())": "said += len(candidate)"}, stage="values",
    diagnosis="The matches are divided by the number of tokens; a sentence has fewer n-grams than tokens.",
    next_step="A sentence of L tokens has max(L - n + 1, 0) n-grams.",
)

altered(
    BLEU, "glued_together", "plain",
    {"tuple(candidate[i : i + n])": "''.join(map(str, candidate[i : i + n]))",
     "tuple(reference[i : i + n])": "''.join(map(str, reference[i : i + n]))"}, stage="values",
    diagnosis="The tokens of an n-gram are joined to one string, and different n-grams may look alike.",
    next_step="Use tuples: `tuple(tokens[i : i + n])`.",
)

altered(
    BLEU, "order_ignored", "plain",
    {"tuple(candidate[i : i + n])": "frozenset(candidate[i : i + n])",
     "tuple(reference[i : i + n])": "frozenset(reference[i : i + n])"},
    stage="values",
    diagnosis="An n-gram's words are compared in any order.",
    next_step="Use tuples: `tuple(tokens[i : i + n])`.",
)

altered(
    BLEU, "lists_as_keys", "plain", {"tuple(candidate[i : i + n])": "candidate[i : i + n]"}, stage="raises",
    diagnosis="A list cannot be counted: it is not hashable.",
    next_step="Make a tuple of it: `tuple(tokens[i : i + n])`.",
)

altered(
    BLEU, "skips_zeros", "plain",
    {"            return 0.0\n": "            continue\n",
     "    penalty = ": "    if c == 0:\n        return 0.0\n    penalty = "},
    stage="values",
    diagnosis="A precision of 0 is skipped; without smoothing it makes BLEU 0.",
    next_step="Return 0.0 as soon as a precision is 0 or has no n-gram.",
)

altered(
    BLEU, "plus_one", "plain",
    {"        if matched == 0:\n            return 0.0\n        logs += math.log(matched / said)\n":
         "        logs += math.log((matched + 1) / (said + 1))\n", "r / c": "r / max(c, 1)"}, stage="values",
    diagnosis="One is added to the counts (smoothing).",
    next_step="Divide the counts as they are; where a precision is 0, BLEU is 0.",
)

altered(
    BLEU, "logarithm_of_nothing", "plain", {"        if matched == 0:\n            return 0.0\n": ""}, stage="raises",
    diagnosis="The logarithm of a precision of 0 is taken, or 0 is divided by 0.",
    next_step="Return 0.0 before that.",
)

altered(
    BLEU, "only_no_ngrams_are_looked_at", "plain", {"if matched == 0": "if said == 0"}, stage="raises",
    diagnosis="Where there are n-grams but none is right, the logarithm of 0 is taken.",
    next_step="Return 0.0 where no n-gram matches.",
)

altered(
    BLEU, "percent", "plain", {"return penalty * ": "return 100 * penalty * "}, stage="values",
    diagnosis="The result is in percent, from 0 to 100.",
    next_step="Leave the factor 100 away: BLEU is between 0 and 1 here.",
)

altered(
    BLEU, "rounded", "plain", {"return penalty * math.exp(logs / max_n)": "return round(penalty * math.exp(logs / max_n), 2)"},
    stage="values",
    diagnosis="The result is rounded.",
    next_step="Return the number as it is; round where you print.",
)

altered(
    BLEU, "none_for_nothing", "plain",
    {"if matched == 0:\n            return 0.0": "if matched == 0:\n            return None"},
    stage="type",
    diagnosis="Where nothing matches, None comes back.",
    next_step="Return 0.0.",
)
