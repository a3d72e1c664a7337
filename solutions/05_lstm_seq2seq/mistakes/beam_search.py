# exercise 05.beam_search
import torch


# mistake greedy (values)
# This is greedy decoding: one beginning is followed, and width has no effect.
# Next: Keep the width best beginnings, each with its total.
def beam_search(step, bos, eos, width, max_len):
    words = [bos]
    for _ in range(max_len):
        row = step(torch.tensor([words]))[0]
        word = int(row.argmax())
        if word == eos:
            break
        words.append(word)
    return words[1:]


# mistake one_beginning_with_its_ends (values)
# Only one beginning is followed, or the beam holds the same one several times; width has no effect.
# Next: Keep the width best beginnings, each with its total.
def beam_search(step, bos, eos, width, max_len):
    words, total, best, best_total = [bos], 0.0, [], -float("inf")
    for _ in range(max_len):
        row = step(torch.tensor([words]))[0]
        if total + row[eos] > best_total:
            best, best_total = words[1:], total + row[eos]
        row[eos] = -float("inf")
        word = int(row.argmax())
        total = total + row[word]
        words = [*words, word]
    return words[1:] if total > best_total else best


# base lists
def beam_search(step, bos, eos, width, max_len):
    beam, done = [([bos], 0.0)], []
    for _ in range(max_len):
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


# mistake all_beginnings_kept (values), from lists
# More beginnings are kept than width says: sequences are found that a beam of this width loses.
# Next: Keep the width best ones at each step, and no more.
#   found[:width] => found[:60]

# mistake twice_as_many (values), from lists
# Twice as many beginnings are kept as width says.
# Next: Keep the width best ones; ended sequences take no place among them, so no spare ones are needed.
#   found[:width] => found[: 2 * width]

# mistake one_more (values), from lists
# One beginning more is kept than width says.
# Next: The first width ones are [:width].
#   found[:width] => found[: width + 1]

# mistake one_fewer (values), from lists
# One beginning fewer is kept than width says.
# Next: Ended sequences take no place on the beam: width unfinished ones stay.
#   found[:width] => found[: max(width - 1, 1)]

# mistake the_worst_ones (values), from lists
# The beginnings with the smallest totals are kept.
# Next: The best ones have the largest totals: sort in falling order.
#   key=lambda entry: entry[1], reverse=True => key=lambda entry: entry[1]

# mistake each_keeps_its_own_best (values), from lists
# Each beginning goes on with its own best token; two of the best may continue the same beginning.
# Next: Put the continuations of all beginnings together, and take the width best of them.
#   -        found.sort(key=lambda entry: entry[1], reverse=True)
#   -        beam = found[:width]
#   +        best = {}
#   +        for entry in sorted(found, key=lambda entry: entry[1]):
#   +            best[tuple(entry[0][:-1]) if len(entry[0]) > 2 else entry[0][-1]] = entry
#   +        beam = sorted(best.values(), key=lambda entry: entry[1], reverse=True)[:width]

# mistake width_of_each (values, property), from lists
# Each beginning goes on with its width best tokens, so the beam grows at each step.
# Next: Put the continuations of all beginnings together, and take the width best of them.
#   -        found.sort(key=lambda entry: entry[1], reverse=True)
#   -        beam = found[:width]
#   +        size = len(rows[0]) - 2
#   +        beam = []
#   +        for i in range(0, len(found), size or 1):
#   +            beam += sorted(found[i : i + size], key=lambda entry: entry[1], reverse=True)[:width]
#   +        beam = beam[:60]

# mistake totals_forgotten (values), from lists
# Only the last token's log-probability is compared; what came before is forgotten.
# Next: A continuation's total is its beginning's total plus the log-probability of the new token.
#   total + row[token] => row[token]

# mistake probabilities_added (values), from lists
# Probabilities are added; the logarithms should be added.
# Next: Add what step returns, without exp.
#   row[eos] => 2.718281828459045 ** row[eos]
#   row[token] => 2.718281828459045 ** row[token]

# mistake no_token_left (raises), from lists
# Where no token is left to continue with, step is called with no prefix at all.
# Next: Leave the loop when the beam is empty.
#   -        if not beam:
#   -            break

# mistake a_tuple_with_the_total (type), from lists
# The sequence and its total come back, but the exercise asks for the sequence.
# Next: Return the list alone.
#   max(done + beam, key=lambda entry: entry[1])[0][1:] => max(done + beam, key=lambda entry: entry[1])

# mistake no_int64_tensor (raises), from lists
# step is called with something else than a tensor of int64: a list, or floating numbers.
# Next: Make a tensor of ints: `torch.tensor(prefixes)` for a list of lists of ints, shape (k, t).
#   torch.tensor([prefix for prefix, _ in beam]) => [prefix for prefix, _ in beam]

# mistake only_the_last_token (raises), from lists
# From the second step on the prefixes do not begin with bos: the last token alone is passed, or bos was dropped.
# Next: Call it with prefixes of shape (k, t), bos first.
#   [prefix for prefix, _ in beam] => [prefix[-1:] for prefix, _ in beam]

# mistake prefixes_in_one_row (raises), from lists
# The prefixes stand in one row, one behind the other.
# Next: One row for each prefix: shape (k, t).
#   [prefix for prefix, _ in beam] => [t for prefix, _ in beam for t in prefix]

# mistake every_beginning_tried (property), from lists
# The result is right, but step is called with all continuations at once, before the width best are chosen.
# Next: Choose first, then call step with what is on the beam.
#            beam = found[:width]
#   +        if found and max_len >= len(found[0][0]):
#   +            step(torch.tensor([prefix for prefix, _ in found]))


# base tensors
def beam_search(step, bos, eos, width, max_len):
    prefixes, totals = torch.tensor([[bos]]), torch.zeros(1)
    best, best_total = [], -float("inf")
    for _ in range(max_len):
        scores = totals[:, None] + step(prefixes)
        ended = scores[:, eos]
        if ended.max() > best_total:
            best, best_total = prefixes[ended.argmax(), 1:].tolist(), ended.max()
        scores[:, [bos, eos]] = -float("inf")
        size = scores.shape[1]
        totals, places = scores.flatten().topk(min(width, scores.numel()))
        prefixes = torch.cat([prefixes[places // size], places[:, None] % size], dim=1)
    if totals.max() > best_total:
        best = prefixes[totals.argmax(), 1:].tolist()
    return best


# mistake parents_mixed_up (values), from tensors
# All new tokens are put behind the first prefix, whichever beginning they continue.
# Next: An index into the flattened (k, V) totals says both: index // V is the prefix, index % V the token.
#   [places // size] => .expand(len(places), -1) if len(prefixes) == 1 else prefixes[: 1].expand(len(places), -1)

# mistake prefixes_stay_in_place (values), from tensors
# The new tokens are put behind the prefixes in their old order, whichever beginning they continue.
# Next: An index into the flattened (k, V) totals says both: index // V is the prefix, index % V the token.
#   places // size => torch.arange(len(places)) % len(prefixes)

# mistake divided_by_the_width (values), from tensors
# The indices are divided by width; in the flattened (k, V) totals each prefix has V places.
# Next: The prefix is index // V.
#   places // size => (places // width).clamp(max=len(prefixes) - 1)

# mistake k_must_fit (raises), from tensors
# topk refuses a width above the number of totals.
# Next: Ask for the smaller of width and their number.
#   min(width, scores.numel()) => width

# mistake tokens_are_tensors (type), from tensors
# The list holds tensors, but the exercise asks for Python ints.
# Next: `.tolist()` makes Python ints.
#   prefixes[ended.argmax(), 1:].tolist() => list(prefixes[ended.argmax(), 1:])
#   prefixes[totals.argmax(), 1:].tolist() => list(prefixes[totals.argmax(), 1:])

# mistake a_tensor_comes_back (type), from tensors
# A tensor comes back, but the exercise asks for a list.
# Next: Return `.tolist()` of it.
#   return best => return torch.tensor(best)


# mistake products_in_float32 (values)
# Probabilities are multiplied in float32: after many steps all products are 0.
# Next: Add the logarithms, as they come from step.
def beam_search(step, bos, eos, width, max_len):
    prefixes, chances = torch.tensor([[bos]]), torch.ones(1)
    best, best_chance = [], -1.0
    for _ in range(max_len):
        scores = chances[:, None] * step(prefixes).exp().float()
        ended = scores[:, eos]
        if ended.max() > best_chance:
            best, best_chance = prefixes[ended.argmax(), 1:].tolist(), ended.max()
        scores[:, [bos, eos]] = -1.0
        size = scores.shape[1]
        chances, places = scores.flatten().topk(min(width, scores.numel()))
        prefixes = torch.cat([prefixes[places // size], places[:, None] % size], dim=1)
        chances = chances.clamp(min=0)
    return prefixes[chances.argmax(), 1:].tolist() if chances.max() > best_chance else best


# mistake total_returned_too (type, shape), from lists
# The total comes back with the sequence, but the exercise asks for the sequence alone.
# Next: Return the list of tokens only.
#   max(done + beam, key=lambda entry: entry[1])[0][1:] => max(done + beam, key=lambda entry: entry[1])[::-1]


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
# Totals are divided by the length, but the exercise asks for the largest total.
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
