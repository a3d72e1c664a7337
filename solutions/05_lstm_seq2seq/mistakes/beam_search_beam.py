"""Beam search: wrong answers about what stays on the beam, and how step is called, by name."""

import torch

from grader.course_source.catalogue import altered, base, mistake

BEAM = "05.beam_search"


@base("lists")
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


@base("tensors")
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


@mistake(
    BEAM, "greedy", stage="values",
    diagnosis="This is greedy decoding: one beginning is followed, and width has no effect.",
    next_step="Keep the width best beginnings, each with its total.",
)
def beam_search(step, bos, eos, width, max_len):
    words = [bos]
    for _ in range(max_len):
        row = step(torch.tensor([words]))[0]
        word = int(row.argmax())
        if word == eos:
            break
        words.append(word)
    return words[1:]


@mistake(
    BEAM, "one_beginning_with_its_ends", stage="values",
    diagnosis="Only one beginning is followed, or the beam holds the same one several times; width has no effect.",
    next_step="Keep the width best beginnings, each with its total.",
)
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


altered(
    BEAM, "all_beginnings_kept", "lists", {"beam = found[:width]": "beam = found[:60]"}, stage="values",
    diagnosis="More beginnings are kept than width says: sequences are found that a beam of this width loses.",
    next_step="Keep the width best ones at each step, and no more.",
)

altered(
    BEAM, "twice_as_many", "lists", {"found[:width]": "found[: 2 * width]"}, stage="values",
    diagnosis="Twice as many beginnings are kept as width says.",
    next_step="Keep the width best ones; ended sequences take no place among them, so no spare ones are needed.",
)

altered(
    BEAM, "one_more", "lists", {"found[:width]": "found[: width + 1]"}, stage="values",
    diagnosis="One beginning more is kept than width says.",
    next_step="The first width ones are [:width].",
)

altered(
    BEAM, "one_fewer", "lists", {"found[:width]": "found[: max(width - 1, 1)]"}, stage="values",
    diagnosis="One beginning fewer is kept than width says.",
    next_step="Ended sequences take no place on the beam: width unfinished ones stay.",
)

altered(
    BEAM, "the_worst_ones", "lists", {", reverse=True": ""}, stage="values",
    diagnosis="The beginnings with the smallest totals are kept.",
    next_step="The best ones have the largest totals: sort in falling order.",
)

altered(
    BEAM, "each_keeps_its_own_best", "lists",
    {"        found.sort(key=lambda entry: entry[1], reverse=True)\n        beam = found[:width]\n":
         "        best = {}\n        for entry in sorted(found, key=lambda entry: entry[1]):\n"
         "            best[tuple(entry[0][:-1]) if len(entry[0]) > 2 else entry[0][-1]] = entry\n"
         "        beam = sorted(best.values(), key=lambda entry: entry[1], reverse=True)[:width]\n"},
    stage="values",
    diagnosis="Each beginning goes on with its own best token; two of the best may continue the same beginning.",
    next_step="Put the continuations of all beginnings together, and take the width best of them.",
)

altered(
    BEAM, "width_of_each", "lists",
    {"        found.sort(key=lambda entry: entry[1], reverse=True)\n        beam = found[:width]\n":
         "        size = len(rows[0]) - 2\n        beam = []\n        for i in range(0, len(found), size or 1):\n            "
         "beam += sorted(found[i : i + size], key=lambda entry: entry[1], reverse=True)[:width]\n        beam = beam[:60]\n"},
    stage=("values", "property"),
    diagnosis="Each beginning goes on with its width best tokens, so the beam grows at each step.",
    next_step="Put the continuations of all beginnings together, and take the width best of them.",
)

altered(
    BEAM, "totals_forgotten", "lists",
    {"found.append((prefix + [token], total + row[token]))": "found.append((prefix + [token], row[token]))"}, stage="values",
    diagnosis="Only the last token's log-probability is compared; what came before is forgotten.",
    next_step="A continuation's total is its beginning's total plus the log-probability of the new token.",
)

altered(
    BEAM, "probabilities_added", "lists",
    {"total + row[eos]": "total + 2.718281828459045 ** row[eos]",
     "total + row[token]": "total + 2.718281828459045 ** row[token]"},
    stage="values",
    diagnosis="Probabilities are added; it is their logarithms that add up.",
    next_step="Add what step returns, without exp.",
)

altered(
    BEAM, "no_token_left", "lists", {"        if not beam:\n            break\n": ""}, stage="raises",
    diagnosis="Where no token is left to continue with, step is called with no prefix at all.",
    next_step="Leave the loop when the beam is empty.",
)

altered(
    BEAM, "a_tuple_with_the_total", "lists",
    {"max(done + beam, key=lambda entry: entry[1])[0][1:]": "max(done + beam, key=lambda entry: entry[1])"}, stage="type",
    diagnosis="The sequence and its total come back; asked for is the sequence.",
    next_step="Return the list alone.",
)

altered(
    BEAM, "no_int64_tensor", "lists", {"torch.tensor([prefix for prefix, _ in beam])": "[prefix for prefix, _ in beam]"},
    stage="raises",
    diagnosis="step is called with something else than a tensor of int64: a list, or floating numbers.",
    next_step="Make a tensor of ints: `torch.tensor(prefixes)` for a list of lists of ints, shape (k, t).",
)

altered(
    BEAM, "only_the_last_token", "lists",
    {"[prefix for prefix, _ in beam]": "[prefix[-1:] for prefix, _ in beam]"}, stage="raises",
    diagnosis="From the second step on the prefixes do not begin with bos: the last token alone is passed, or bos was dropped.",
    next_step="Call it with prefixes of shape (k, t), bos first.",
)

altered(
    BEAM, "prefixes_in_one_row", "lists",
    {"torch.tensor([prefix for prefix, _ in beam])": "torch.tensor([t for prefix, _ in beam for t in prefix])"}, stage="raises",
    diagnosis="The prefixes stand in one row, one behind the other.",
    next_step="One row for each prefix: shape (k, t).",
)

altered(
    BEAM, "every_beginning_tried", "lists",
    {"        beam = found[:width]\n":
         "        beam = found[:width]\n        if found and max_len >= len(found[0][0]):\n"
         "            step(torch.tensor([prefix for prefix, _ in found]))\n"},
    stage="property",
    diagnosis="The result is right, but step is called with all continuations at once, before the width best are chosen.",
    next_step="Choose first, then call step with what is on the beam.",
)

altered(
    BEAM, "parents_mixed_up", "tensors", {"prefixes[places // size]": "prefixes.expand(len(places), -1)"
                                          " if len(prefixes) == 1 else prefixes[: 1].expand(len(places), -1)"},
    stage="values",
    diagnosis="All new tokens are put behind the first prefix, whichever beginning they continue.",
    next_step="An index into the flattened (k, V) totals says both: index // V is the prefix, index % V the token.",
)

altered(
    BEAM, "prefixes_stay_in_place", "tensors",
    {"prefixes[places // size]": "prefixes[torch.arange(len(places)) % len(prefixes)]"}, stage="values",
    diagnosis="The new tokens are put behind the prefixes in their old order, whichever beginning they continue.",
    next_step="An index into the flattened (k, V) totals says both: index // V is the prefix, index % V the token.",
)

altered(
    BEAM, "divided_by_the_width", "tensors",
    {"prefixes[places // size]": "prefixes[(places // width).clamp(max=len(prefixes) - 1)]"}, stage="values",
    diagnosis="The indices are divided by width; in the flattened (k, V) totals each prefix has V places.",
    next_step="The prefix is index // V.",
)

altered(
    BEAM, "k_must_fit", "tensors", {"min(width, scores.numel())": "width"}, stage="raises",
    diagnosis="topk refuses a width above the number of totals.",
    next_step="Ask for the smaller of width and their number.",
)

altered(
    BEAM, "tokens_are_tensors", "tensors",
    {"best, best_total = prefixes[ended.argmax(), 1:].tolist(), ended.max()":
         "best, best_total = list(prefixes[ended.argmax(), 1:]), ended.max()",
     "best = prefixes[totals.argmax(), 1:].tolist()": "best = list(prefixes[totals.argmax(), 1:])"},
    stage="type",
    diagnosis="The list holds tensors; asked for are Python ints.",
    next_step="`.tolist()` makes Python ints.",
)

altered(
    BEAM, "a_tensor_comes_back", "tensors", {"    return best": "    return torch.tensor(best)"}, stage="type",
    diagnosis="A tensor comes back; asked for is a list.",
    next_step="Return `.tolist()` of it.",
)


@mistake(
    BEAM, "products_in_float32", stage="values",
    diagnosis="Probabilities are multiplied in float32: after many steps all products are 0.",
    next_step="Add the logarithms, as they come from step.",
)
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


altered(
    BEAM, "total_returned_too", "lists",
    {"return max(done + beam, key=lambda entry: entry[1])[0][1:]": "return max(done + beam, key=lambda entry: entry[1])[::-1]"},
    stage=("type", "shape"),
    diagnosis="The total comes back with the sequence; asked for is the sequence alone.",
    next_step="Return the list of tokens only.",
)
