# exercise 05.beam_search
"""Beam search: wrong answers about ends, totals and the number of steps, by name."""

import torch


# base plain
def beam_search(step, bos, eos, width, max_len):
    beam, done = [([bos], 0.0)], []
    for t in range(max_len):
        rows = step(torch.tensor([prefix for prefix, _ in beam])).tolist()
        found = []
        for (prefix, total), row in zip(beam, rows):
            done.append((prefix, total + row[eos]))
            for token in range(len(row)):
                if token != eos and token != bos:
                    found.append((prefix + [token], total + row[token]))
        found.sort(key=lambda entry: entry[1], reverse=True)
        beam = found[:width]
        if not beam:
            break
    return max(done + beam, key=lambda entry: entry[1])[0][1:]


# mistake stops_at_the_first_end (values), from plain
# The search stops as soon as an ended sequence is set aside; that happens at the very first step.
# Next: Go on to max_len: a later end may have a larger total. Choose among all ends when the loop is over.
#   not beam => not beam or done

# mistake ends_only_among_the_best (values), from plain
# An end is set aside only when it is among the width best; it is to be set aside whatever its rank.
# Next: End every sequence on the beam by eos at every step, before the best continuations are chosen.
#   -            done.append((prefix, total + row[eos]))
#   token != eos and token != bos => token != bos
#   -        beam = found[:width]
#   +        done += [(p[:-1], s) for p, s in found[:width] if p[-1] == eos]
#   +        beam = [(p, s) for p, s in found if p[-1] != eos][:width]


# mistake ends_stay_on_the_beam (values)
# Ended sequences stay on the beam, and are lost when better beginnings push them out.
# Next: Put ended sequences into a list of their own that nothing is removed from.
def beam_search(step, bos, eos, width, max_len):
    beam = [([bos], 0.0)]
    for _ in range(max_len):
        going = [entry for entry in beam if entry[0][-1] != eos]
        found = [entry for entry in beam if entry[0][-1] == eos]
        if not going:
            break
        rows = step(torch.tensor([prefix for prefix, _ in going])).tolist()
        for (prefix, total), row in zip(going, rows):
            for token in range(len(row)):
                if token != bos:
                    found.append((prefix + [token], total + row[token]))
        beam = sorted(found, key=lambda entry: entry[1], reverse=True)[:width]
    return [token for token in beam[0][0] if token not in (bos, eos)]


# mistake goes_on_after_eos (values), from plain
# A sequence that has said eos is continued like any other.
# Next: Keep eos off the beam: an ended sequence is set aside and gets no further token.
#   -            done.append((prefix, total + row[eos]))
#   token != eos and token != bos => token != bos
#   max(done + beam, key=lambda entry: entry[1])[0][1:] => [token for token in beam[0][0] if token not in (bos, eos)]

# mistake cut_ones_left_out (values), from plain
# Only ended sequences compete; those that are cut after max_len steps are left out.
# Next: Compare the ended ones together with what is on the beam at the end.
#   done + beam => done

# mistake ended_ones_only_if_none_is_open (values), from plain
# What is on the beam at the end is returned; the ended sequences do not compete.
# Next: Compare the ended ones together with what is on the beam at the end.
#   done + beam => beam or done

# mistake stops_when_the_best_one_ends (values), from plain
# The search returns the first end that is the best of its step; ends before it were not kept.
# Next: Set every ended sequence aside, at each step, and compare all of them at the end.
#   done.append((prefix, total + row[eos])) => found.append((prefix + [eos], total + row[eos]))
#   -        beam = found[:width]
#   +        if found[0][0][-1] == eos:
#   +            return found[0][0][1:-1]
#   +        beam = [entry for entry in found if entry[0][-1] != eos][:width]
#   done + beam => beam

# mistake stops_at_width_ends (values), from plain
# The search stops as soon as width sequences have ended; a better one may end later.
# Next: The number of ended sequences is no reason to stop: go on for max_len steps.
#   not beam => len(done) >= width or not beam

# mistake one_cut_too_early (values), from plain
# The last token of the sequences that are cut is missing.
# Next: Nothing is removed from a sequence on the beam: eos is not in it.
#   done + beam => done + [(p[:-1], s) for p, s in beam]

# mistake last_token_missing (values), from plain
# The last token is removed as if it were eos.
# Next: What was set aside without eos has no eos to be removed.
#   max(done + beam, key=lambda entry: entry[1])[0][1:] => max(done + beam, key=lambda entry: entry[1])[0][1:-1]

# mistake eos_kept (values), from plain
# eos is part of the result.
# Next: Set the sequence aside without eos, its total with it.
#   prefix, total + row[eos] => prefix + [eos], total + row[eos]

# mistake bos_kept (values), from plain
# The result begins with bos.
# Next: Leave the first token out when you return: `[1:]`.
#   max(done + beam, key=lambda entry: entry[1])[0][1:] => max(done + beam, key=lambda entry: entry[1])[0]

# mistake eos_costs_nothing (values), from plain
# The log-probability of eos does not count in the total of an ended sequence.
# Next: Add row[eos] to the total when you set a sequence aside.
#   total + row[eos] => total

# mistake mean_over_the_tokens (values), from plain
# Totals are divided by the length; asked for is the largest total.
# Next: Compare the totals as they are.
#   done + beam, key=lambda entry: entry[1] => done + beam, key=lambda entry: entry[1] / len(entry[0])

# mistake divided_by_the_root_of_the_length (values), from plain
# A length penalty was added: totals are divided by a power of the length.
# Next: Compare the totals as they are.
#   done + beam, key=lambda entry: entry[1] => done + beam, key=lambda entry: entry[1] / len(entry[0]) ** 0.5

# mistake one_step_too_few (values, raises), from plain
# There are max_len - 1 steps.
# Next: step is called for max_len steps: range(max_len).
#   range(max_len) => range(max_len - 1)

# mistake one_step_too_many (values), from plain
# There is one step more than max_len.
# Next: step is called for at most max_len steps: range(max_len).
#   range(max_len) => range(max_len + 1)

# mistake no_end_in_the_last_step (values), from plain
# In the last step no sequence is ended by eos; one that ends there has max_len - 1 tokens and counts.
# Next: Set ended sequences aside in every step, the last one included.
#   -            done.append((prefix, total + row[eos]))
#   +            if t < max_len - 1:
#   +                done.append((prefix, total + row[eos]))

# mistake no_end_at_once (values), from plain
# The empty sequence is never a result, however probable it is that eos comes at once.
# Next: Set ended sequences aside in every step, the first one included.
#   -            done.append((prefix, total + row[eos]))
#   +            if t > 0:
#   +                done.append((prefix, total + row[eos]))

# mistake what_is_cut_is_ended (values), from plain
# Sequences of max_len tokens are ended by eos in a step of their own; they are cut, and compete as they are.
# Next: Compare what is on the beam after max_len steps without another call.
#   -    return max(done + beam, key=lambda entry: entry[1])[0][1:]
#   +    if beam:
#   +        rows = step(torch.tensor([prefix for prefix, _ in beam])).tolist()
#   +        done += [(p, s + row[eos]) for (p, s), row in zip(beam, rows)]
#   +    return max(done, key=lambda entry: entry[1])[0][1:]

# mistake one_call_for_nothing (property), from plain
# The result is right, but step is called once more than max_len times, with prefixes that are already cut.
# Next: Leave the loop before step is called again.
#   range(max_len) => range(max_len + 1)
#            rows = step(torch.tensor([prefix for prefix, _ in beam])).tolist()
#   +        if t == max_len:
#   +            break
