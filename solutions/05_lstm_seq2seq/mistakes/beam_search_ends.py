"""Beam search: wrong answers about ends, totals and the number of steps, by name."""

import torch

from grader.course_source.catalogue import altered, base, mistake

BEAM = "05.beam_search"


@base("plain")
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


altered(
    BEAM, "stops_at_the_first_end", "plain",
    {"        if not beam:\n": "        if not beam or done:\n"}, stage="values",
    diagnosis="The search stops as soon as an ended sequence is set aside; that happens at the very first step.",
    next_step="Go on to max_len: a later end may have a larger total. Choose among all ends when the loop is over.",
)

altered(
    BEAM, "ends_only_among_the_best", "plain",
    {"            done.append((prefix, total + row[eos]))\n": "",
     "token != eos and token != bos": "token != bos",
     "        beam = found[:width]\n": "        done += [(p[:-1], s) for p, s in found[:width] if p[-1] == eos]\n"
                                        "        beam = [(p, s) for p, s in found if p[-1] != eos][:width]\n"},
    stage="values",
    diagnosis="An end is set aside only when it is among the width best; it is to be set aside whatever its rank.",
    next_step="End every sequence on the beam by eos at every step, before the best continuations are chosen.",
)

@mistake(
    BEAM, "ends_stay_on_the_beam", stage="values",
    diagnosis="Ended sequences stay on the beam, and are lost when better beginnings push them out.",
    next_step="Put ended sequences into a list of their own that nothing is removed from.",
)
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


altered(
    BEAM, "goes_on_after_eos", "plain",
    {"            done.append((prefix, total + row[eos]))\n": "",
     "token != eos and token != bos": "token != bos",
     "max(done + beam, key=lambda entry: entry[1])[0][1:]":
         "[token for token in beam[0][0] if token not in (bos, eos)]"},
    stage="values",
    diagnosis="A sequence that has said eos is continued like any other.",
    next_step="Keep eos off the beam: an ended sequence is set aside and gets no further token.",
)

altered(
    BEAM, "cut_ones_left_out", "plain", {"max(done + beam,": "max(done,"}, stage="values",
    diagnosis="Only ended sequences compete; those that are cut after max_len steps are left out.",
    next_step="Compare the ended ones together with what is on the beam at the end.",
)

altered(
    BEAM, "ended_ones_only_if_none_is_open", "plain", {"max(done + beam,": "max(beam or done,"}, stage="values",
    diagnosis="What is on the beam at the end is returned; the ended sequences do not compete.",
    next_step="Compare the ended ones together with what is on the beam at the end.",
)

altered(
    BEAM, "stops_when_the_best_one_ends", "plain",
    {"done.append((prefix, total + row[eos]))": "found.append((prefix + [eos], total + row[eos]))",
     "        beam = found[:width]\n": "        if found[0][0][-1] == eos:\n            return found[0][0][1:-1]\n"
                                      "        beam = [entry for entry in found if entry[0][-1] != eos][:width]\n",
     "max(done + beam,": "max(beam,"},
    stage="values",
    diagnosis="The search returns the first end that is the best of its step; ends before it were not kept.",
    next_step="Set every ended sequence aside, at each step, and compare all of them at the end.",
)

altered(
    BEAM, "stops_at_width_ends", "plain", {"if not beam:": "if len(done) >= width or not beam:"}, stage="values",
    diagnosis="The search stops as soon as width sequences have ended; a better one may end later.",
    next_step="The number of ended sequences is no reason to stop: go on for max_len steps.",
)

altered(
    BEAM, "one_cut_too_early", "plain", {"max(done + beam,": "max(done + [(p[:-1], s) for p, s in beam],"}, stage="values",
    diagnosis="The last token of the sequences that are cut is missing.",
    next_step="Nothing is removed from a sequence on the beam: eos is not in it.",
)

altered(
    BEAM, "last_token_missing", "plain",
    {"entry[1])[0][1:]": "entry[1])[0][1:-1]"}, stage="values",
    diagnosis="The last token is removed as if it were eos.",
    next_step="What was set aside without eos has no eos to be removed.",
)

altered(
    BEAM, "eos_kept", "plain", {"done.append((prefix, total": "done.append((prefix + [eos], total"}, stage="values",
    diagnosis="eos is part of the result.",
    next_step="Set the sequence aside without eos, its total with it.",
)

altered(
    BEAM, "bos_kept", "plain", {"[0][1:]": "[0]"}, stage="values",
    diagnosis="The result begins with bos.",
    next_step="Leave the first token out when you return: `[1:]`.",
)

altered(
    BEAM, "eos_costs_nothing", "plain", {"total + row[eos]": "total"}, stage="values",
    diagnosis="The log-probability of eos does not count in the total of an ended sequence.",
    next_step="Add row[eos] to the total when you set a sequence aside.",
)

altered(
    BEAM, "mean_over_the_tokens", "plain",
    {"max(done + beam, key=lambda entry: entry[1])": "max(done + beam, key=lambda entry: entry[1] / len(entry[0]))"},
    stage="values",
    diagnosis="Totals are divided by the length; asked for is the largest total.",
    next_step="Compare the totals as they are.",
)

altered(
    BEAM, "divided_by_the_root_of_the_length", "plain",
    {"max(done + beam, key=lambda entry: entry[1])": "max(done + beam, key=lambda entry: entry[1] / len(entry[0]) ** 0.5)"},
    stage="values",
    diagnosis="A length penalty was added: totals are divided by a power of the length.",
    next_step="Compare the totals as they are.",
)

altered(
    BEAM, "one_step_too_few", "plain", {"range(max_len)": "range(max_len - 1)"}, stage=("values", "raises"),
    diagnosis="There are max_len - 1 steps.",
    next_step="step is called for max_len steps: range(max_len).",
)

altered(
    BEAM, "one_step_too_many", "plain", {"range(max_len)": "range(max_len + 1)"}, stage="values",
    diagnosis="There is one step more than max_len.",
    next_step="step is called for at most max_len steps: range(max_len).",
)

altered(
    BEAM, "no_end_in_the_last_step", "plain",
    {"            done.append(": "            if t < max_len - 1:\n                done.append("}, stage="values",
    diagnosis="In the last step no sequence is ended by eos; one that ends there has max_len - 1 tokens and counts.",
    next_step="Set ended sequences aside in every step, the last one included.",
)

altered(
    BEAM, "no_end_at_once", "plain",
    {"            done.append(": "            if t > 0:\n                done.append("}, stage="values",
    diagnosis="The empty sequence is never a result, however probable it is that eos comes at once.",
    next_step="Set ended sequences aside in every step, the first one included.",
)

altered(
    BEAM, "what_is_cut_is_ended", "plain",
    {"    return max(done + beam,":
         "    if beam:\n        rows = step(torch.tensor([prefix for prefix, _ in beam])).tolist()\n"
         "        done += [(p, s + row[eos]) for (p, s), row in zip(beam, rows)]\n    return max(done,"},
    stage="values",
    diagnosis="Sequences of max_len tokens are ended by eos in a step of their own; they are cut, and compete as they are.",
    next_step="Compare what is on the beam after max_len steps without another call.",
)

altered(
    BEAM, "one_call_for_nothing", "plain",
    {"range(max_len)": "range(max_len + 1)",
     "        found = []\n": "        if t == max_len:\n            break\n        found = []\n"},
    stage="property",
    diagnosis="The result is right, but step is called once more than max_len times, with prefixes that are already cut.",
    next_step="Leave the loop before step is called again.",
)
