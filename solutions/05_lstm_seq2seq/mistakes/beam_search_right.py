# exercise 05.beam_search
import heapq

import numpy as np
import torch


# right form tensors_and_topk
def beam_search(step, bos, eos, width, max_len, *, verbose=False):
    prefixes, totals = torch.tensor([[bos]]), torch.zeros(1)
    best, best_total = [], float("-inf")
    for _ in range(max_len):
        scores = totals.unsqueeze(1) + step(prefixes)
        top = scores[:, eos].argmax()
        if scores[top, eos] > best_total:
            best, best_total = prefixes[top, 1:].tolist(), scores[top, eos].item()
        scores[:, [bos, eos]] = float("-inf")
        totals, places = scores.view(-1).topk(min(width, scores.numel()))
        parents, tokens = places.div(scores.shape[1], rounding_mode="floor"), places.remainder(scores.shape[1])
        prefixes = torch.hstack([prefixes[parents], tokens[:, None]])
    return prefixes[totals.argmax(), 1:].tolist() if totals.max() > best_total else best


# right form one_prefix_a_call
def beam_search(step, bos, eos, width, max_len):
    beam = {(bos,): 0.0}
    finished = {}
    for _ in range(max_len):
        following = {}
        for prefix, total in beam.items():
            row = step(torch.tensor(prefix, dtype=torch.long).reshape(1, -1)).squeeze(0)
            for token, value in enumerate(row.double().numpy()):
                if token == eos:
                    finished[prefix] = total + float(value)
                elif np.isfinite(value):
                    following[(*prefix, token)] = total + float(value)
        beam = dict(heapq.nlargest(width, following.items(), key=lambda item: item[1]))
    everything = {**finished, **beam}
    print(len(everything))
    return list(max(everything, key=everything.get))[1:]


# right form stops_when_nothing_better_can_come
def beam_search(step, bos, eos, width, max_len):
    beam, best = [(0.0, (bos,))], (float("-inf"), ())
    steps = 0
    while beam and steps < max_len and beam[0][0] > best[0]:
        steps += 1
        rows = torch.log_softmax(step(torch.tensor([prefix for _, prefix in beam])), dim=-1)
        heap = []
        for (total, prefix), row in zip(beam, rows.tolist()):
            best = max(best, (total + row[eos], prefix))
            for token, value in enumerate(row):
                if token not in {bos, eos}:
                    heapq.heappush(heap, (total + value, (*prefix, token)))
                    if len(heap) > width:
                        heapq.heappop(heap)
        beam = sorted(heap, reverse=True)
    if beam:
        best = max(best, beam[0])
    return [token for token in best[1] if token != bos]


# right form numpy_with_float64_totals
def beam_search(step, bos, eos, width, max_len):
    prefixes, totals = np.full((1, 1), bos, dtype=np.int64), np.zeros(1)
    done = []
    with torch.no_grad():
        for _ in range(max_len):
            rows = step(torch.from_numpy(prefixes)).numpy().astype(np.float64) + totals[:, None]
            done.extend(zip(rows[:, eos], prefixes.tolist()))
            rows[:, eos] = -np.inf
            order = np.argsort(-rows, axis=None)[:width]
            parents, tokens = np.unravel_index(order, rows.shape)
            totals = rows[parents, tokens]
            prefixes = np.concatenate([prefixes[parents], tokens[:, None]], axis=1)
    done.extend(zip(totals, prefixes.tolist()))
    return max(done)[1][1:]


# right form ended_ones_take_places
def beam_search(step, bos, eos, width, max_len):
    # Whatever an ended sequence pushes off the beam has a smaller total already, and totals only fall.
    table = torch.full((width, max_len + 1), bos)
    totals, best, best_total = torch.zeros(1, dtype=torch.float64), [], -torch.inf
    for t in range(1, max_len + 1):
        rows = step(table[: len(totals), :t]).double() + totals[:, None]
        for row, total in enumerate(rows[:, eos].tolist()):
            if total > best_total:
                best, best_total = table[row, 1:t].tolist(), total
        places = rows.flatten().argsort(descending=True)[:width]
        places = places[places % rows.shape[1] != eos]
        if not len(places):
            return best
        totals = rows.flatten()[places]
        table[: len(places), :t] = table[places // rows.shape[1], :t].clone()
        table[: len(places), t] = places % rows.shape[1]
    winner = int(totals.argmax())
    return best if best_total >= totals[winner] else table[winner, 1:].tolist()


# right form recursion
def beam_search(step, bos, eos, width, max_len):
    def search(beam, left):
        if left == 0 or not beam:
            return beam
        rows = step(torch.stack([prefix for _, prefix in beam]))
        ended = [(total + row[eos].item(), prefix) for (total, prefix), row in zip(beam, rows)]
        more = [
            (total + row[token].item(), torch.cat([prefix, torch.tensor([token])]))
            for (total, prefix), row in zip(beam, rows)
            for token in range(len(row))
            if token not in (bos, eos)
        ]
        more.sort(key=lambda entry: -entry[0])
        return [max(ended, key=lambda entry: entry[0])] + search(more[:width], left - 1)

    return max(search([(0.0, torch.tensor([bos]))], max_len), key=lambda entry: entry[0])[1][1:].tolist()


# survivor total + row[eos] > best_total → total + row[eos] >= best_total
# Of equal totals any may be taken.

# survivor 0.0 → 1.0
# All totals begin with the same number, so their order is the same.

# survivor True → False
# strict=False: there is one row for each prefix, so both are of one length.
