"""Wrong answers about search by differing bits by name, and unusual right ones."""

import heapq

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form, survivor

HAMMING = "09.hamming_search"


@base("plain")
def hamming_search(queries, codes, k):
    found = torch.full((len(queries), k), -1)
    table = torch.tensor([bin(byte).count("1") for byte in range(256)])
    for row, query in enumerate(queries):
        distance = table[(query ^ codes).long()].sum(dim=1)
        order = distance.argsort(stable=True)[:k]
        found[row, : len(order)] = order
    return found


altered(
    HAMMING, "farthest_first", "plain", {"argsort(stable=True)": "argsort(stable=True, descending=True)"}, stage="values",
    diagnosis="The codes that differ in the most bits come first: sorted downwards, or the equal bits were counted.",
    next_step="Count the bits that differ, `query ^ codes`, and sort upwards.",
)

altered(
    HAMMING, "nearest_last", "plain", {"= order\n": "= order.flip(0)\n"}, stage="values",
    diagnosis="The right codes are there, the farthest of them first.",
    next_step="The nearest comes first: leave the order as `argsort` gives it.",
)

altered(
    HAMMING, "larger_number_first", "plain",
    {"distance.argsort(stable=True)[:k]": "(-distance).argsort(stable=True).flip(0)[:k]"},
    stage="values",
    diagnosis="Of codes equally far away the one with the larger number comes first, as in an order that was turned round.",
    next_step="Sort upwards at once, with `stable=True`: equals then keep their order.",
)

altered(
    HAMMING, "topk_among_equals", "plain",
    {"distance.argsort(stable=True)[:k]": "distance.topk(min(k, len(codes)), largest=False).indices"}, stage="values",
    diagnosis="`topk` promises nothing about the order of equals; the smaller number should come first.",
    next_step="Sort with `argsort(stable=True)`.",
)

altered(
    HAMMING, "ones_in_common", "plain", {"(query ^ codes)": "(query & codes)"}, stage="values",
    diagnosis="`&` keeps the bits that are 1 in both; what differs is asked for.",
    next_step="Use `^` (exclusive or): 1 where the two bits differ.",
)

altered(
    HAMMING, "most_ones_in_common", "plain",
    {"(query ^ codes)": "(query & codes)", "argsort(stable=True)": "argsort(stable=True, descending=True)"}, stage="values",
    diagnosis="Only the query's ones count, and how many the code shares; a code's own ones differ from the query as well.",
    next_step="Count the bits in which they differ, `query ^ codes`, and take the fewest.",
)

altered(
    HAMMING, "ones_in_either", "plain", {"(query ^ codes)": "(query | codes)"}, stage="values",
    diagnosis="`|` has a 1 where either bit is 1; what differs is asked for.",
    next_step="Use `^` (exclusive or).",
)

altered(
    HAMMING, "counts_bytes", "plain", {"table[(query ^ codes).long()]": "(query != codes)"}, stage="values",
    diagnosis="The bytes that differ are counted; asked for are the bits.",
    next_step="`query ^ codes` has a 1 for each bit that differs: count the ones in each byte.",
)

altered(
    HAMMING, "sums_the_bytes", "plain", {"table[(query ^ codes).long()]": "(query ^ codes).long()"}, stage="values",
    diagnosis="`^` is right, but its bytes are added up as numbers: the first bit of a byte weighs 128 times the last.",
    next_step="Count the ones in each byte.",
)

altered(
    HAMMING, "difference_of_numbers", "plain", {"table[(query ^ codes).long()]": "(query.long() - codes.long()).abs()"},
    stage="values",
    diagnosis="The bytes are compared as numbers; 127 and 128 are neighbours as numbers and differ in all eight bits.",
    next_step="Compare bit by bit: `query ^ codes`, then count the ones.",
)

altered(
    HAMMING, "squared_difference", "plain", {"table[(query ^ codes).long()]": "((query.double() - codes) ** 2)"},
    stage="values",
    diagnosis="This is the Euclidean distance of the bytes as numbers; asked for is the number of bits that differ.",
    next_step="Compare bit by bit: `query ^ codes`, then count the ones.",
)

altered(
    HAMMING, "dot_product_of_bytes", "plain",
    {"table[(query ^ codes).long()].sum(dim=1)": "-(codes.long() * query.long()).sum(dim=1)"}, stage="values",
    diagnosis="The dot product of the bytes says nothing about their bits.",
    next_step="Compare bit by bit: `query ^ codes`, then count the ones.",
)

altered(
    HAMMING, "bits_of_the_difference", "plain", {"(query ^ codes).long()": "(query.long() - codes.long()).abs()"},
    stage="values",
    diagnosis="The ones in the difference of the numbers are counted; a difference carries from bit to bit.",
    next_step="Use `^` instead of `-`.",
)

altered(
    HAMMING, "seven_bits", "plain", {'bin(byte).count("1")': 'bin(byte & 127).count("1")'}, stage="values",
    diagnosis="The most significant bit of each byte is left out.",
    next_step="A byte has eight bits: `range(8)`.",
)

altered(
    HAMMING, "without_the_last_bit", "plain", {'bin(byte).count("1")': 'bin(byte >> 1).count("1")'}, stage="values",
    diagnosis="The least significant bit of each byte is left out.",
    next_step="A byte has eight bits, the first of them with a shift of 0: `range(8)`.",
)

altered(
    HAMMING, "first_byte_alone", "plain", {".sum(dim=1)": "[:, 0]"}, stage="values",
    diagnosis="Only the first byte of each code is compared.",
    next_step="Sum over the bytes.",
)

altered(
    HAMMING, "counted_in_a_byte", "plain", {".sum(dim=1)": ".sum(dim=1, dtype=torch.uint8)"}, stage="values",
    diagnosis="The distance is counted in a uint8, which begins at 0 again after 255.",
    next_step="Sum into int64.",
)

altered(
    HAMMING, "zeros_for_missing", "plain", {", -1)": ", 0)"}, stage="values",
    diagnosis="Missing entries are 0, which is the number of a code; -1 was asked for.",
    next_step="Fill up with -1.",
)

altered(
    HAMMING, "missing_in_front", "plain", {"found[row, : len(order)]": "found[row, k - len(order) :]"}, stage="values",
    diagnosis="The missing entries stand in front; they belong at the end.",
    next_step="The nearest code is in column 0.",
)

altered(
    HAMMING, "fewer_columns", "plain", {"return found": "return found[:, : len(codes)]"}, stage="shape",
    diagnosis="Where k exceeds the number of codes, columns are missing.",
    next_step="The result always has k columns: fill up with -1.",
)

altered(
    HAMMING, "k_must_fit", "plain", {"found[row, : len(order)] = order": "found[row] = order"}, stage="raises",
    diagnosis="Where k exceeds the number of codes, a shorter row is put into a longer one.",
    next_step="Fill in as many as there are, and leave -1 in the rest.",
)

altered(
    HAMMING, "int32_numbers", "plain", {"return found": "return found.int()"}, stage="dtype",
    diagnosis="The numbers are int32; int64 was asked for.",
    next_step="Leave the type of `argsort` as it is.",
)

altered(
    HAMMING, "floating_numbers", "plain", {"k), -1)": "k), -1.0)"}, stage="dtype",
    diagnosis="The numbers are floating; int64 was asked for.",
    next_step="Fill with -1, not with -1.0, or give `dtype=torch.int64`.",
)

altered(
    HAMMING, "numbers_from_1", "plain", {"= order\n": "= order + 1\n"}, stage="values",
    diagnosis="The codes are numbered from 1.",
    next_step="The first code has the number 0.",
)

altered(
    HAMMING, "first_query_for_all", "plain", {"(query ^ codes)": "(queries[0] ^ codes)"}, stage="values",
    diagnosis="Every query gets what is near to the first one.",
    next_step="Look for an index 0 that should be the row.",
)

altered(
    HAMMING, "distances_instead_of_numbers", "plain",
    {"order = distance.argsort(stable=True)[:k]": "order = distance.sort().values[:k]"}, stage="values",
    diagnosis="The distances come back; asked for are the numbers of the codes.",
    next_step="`argsort` gives the numbers.",
)

altered(
    HAMMING, "ranks_instead_of_numbers", "plain", {"argsort(stable=True)": "argsort(stable=True).argsort()"}, stage="values",
    diagnosis="These are the codes' ranks, in the order in which they are stored; asked for are numbers, in the order of rank.",
    next_step="One `argsort` is enough.",
)

altered(
    HAMMING, "identical_codes_dropped", "plain",
    {"order = distance.argsort(": "order = distance.where(distance > 0, 9999).argsort("}, stage="values",
    diagnosis="A code that equals the query is put last; with a distance of 0 it is the nearest of all.",
    next_step="Leave the distances as they are.",
)

altered(
    HAMMING, "changes_the_codes", "plain", {"(query ^ codes)": "codes.bitwise_xor_(query)"}, stage="values",
    diagnosis="The codes themselves are overwritten, so that the next query is compared with something else.",
    next_step="Write `codes ^ query`, which makes a new tensor.",
)

altered(
    HAMMING, "a_list_comes_back", "plain", {"return found": "return found.tolist()"}, stage="type",
    diagnosis="The result is a list; a tensor was asked for.",
    next_step="Return an int64 tensor.",
)


@mistake(
    HAMMING, "one_code_for_each_distance", stage="values",
    diagnosis="A dict with the distances as keys holds one code for each: of several equally far ones the last is kept.",
    next_step="Keep (distance, number) pairs in a list, and sort it.",
)
def hamming_search(queries, codes, k):
    found = torch.full((len(queries), k), -1)
    for row, query in enumerate(queries.tolist()):
        at = {}
        for number, code in enumerate(codes.tolist()):
            at[sum(bin(a ^ b).count("1") for a, b in zip(query, code))] = number
        for place, distance in enumerate(sorted(at)[:k]):
            found[row, place] = at[distance]
    return found


@mistake(
    HAMMING, "queries_for_codes", stage="shape",
    diagnosis="For each code the nearest queries come back; asked for are the nearest codes of each query.",
    next_step="One row for each query: loop over the queries, or sort the table (Q, N) along dim 1.",
)
def hamming_search(queries, codes, k):
    bits = [torch.from_numpy(np.unpackbits(side.numpy(), axis=1)).long() for side in (codes, queries)]
    distance = (bits[0][:, None] != bits[1][None]).sum(dim=2)
    order = distance.argsort(dim=1, stable=True)[:, :k]
    return F.pad(order, (0, k - order.shape[1]), value=-1)


@mistake(
    HAMMING, "sorted_over_the_queries", stage="values",
    diagnosis="The table (Q, N) is sorted along its columns, so that queries are ranked instead of codes.",
    next_step="Sort along dim 1.",
)
def hamming_search(queries, codes, k):
    bits = [torch.from_numpy(np.unpackbits(side.numpy(), axis=1)).long() for side in (queries, codes)]
    distance = (bits[0][:, None] != bits[1][None]).sum(dim=2)
    order = distance.argsort(dim=0, stable=True)[:, :k]
    return F.pad(order, (0, k - order.shape[1]), value=-1)


@mistake(
    HAMMING, "row_against_row", stage="raises",
    diagnosis="Query and code of one row are compared, which works only where there are as many of both.",
    next_step="Every query is compared with every code: `queries[:, None] ^ codes[None]`.",
)
def hamming_search(queries, codes, k):
    table = torch.tensor([bin(byte).count("1") for byte in range(256)])
    distance = table[(queries ^ codes).long()]
    order = distance.argsort(dim=1, stable=True)[:, :k]
    return F.pad(order, (0, k - order.shape[1]), value=-1)


@right_form(HAMMING, "pairs_sorted")
def hamming_search(queries, codes, k):
    rows = []
    for query in queries.tolist():
        pairs = []
        for number, code in enumerate(codes.tolist()):
            pairs.append((sum((a ^ b).bit_count() for a, b in zip(query, code)), number))
        best = [number for _, number in sorted(pairs)[:k]]
        rows.append(best + [-1] * (k - len(best)))
    return torch.tensor(rows)


@right_form(HAMMING, "numpy_unpackbits")
def hamming_search(queries, codes, k):
    q, c = np.unpackbits(queries.numpy(), axis=1), np.unpackbits(codes.numpy(), axis=1)
    distance = (q[:, None, :] != c[None, :, :]).sum(axis=2)
    order = np.argsort(distance, axis=1, kind="stable")[:, :k]
    out = np.full((len(q), k), -1, dtype=np.int64)
    out[:, : order.shape[1]] = order
    return torch.from_numpy(out)


@right_form(HAMMING, "a_table_of_256")
def hamming_search(queries, codes, k):
    ones = (torch.arange(256)[:, None] >> torch.arange(8) & 1).sum(dim=1)
    distance = ones[(queries.unsqueeze(1) ^ codes.unsqueeze(0)).int()].sum(dim=-1)
    order = torch.sort(distance, dim=1, stable=True).indices
    order = torch.cat([order, torch.full((len(queries), k), -1)], dim=1)
    return order[:, :k]


@right_form(HAMMING, "dot_products_of_signs")
def hamming_search(queries, codes, k):
    def signs(side):
        bits = side[:, :, None] >> torch.arange(8, dtype=torch.uint8) & 1
        return bits.double().flatten(1) * 2 - 1

    agree = torch.einsum("qi,ni->qn", signs(queries), signs(codes))
    order = agree.argsort(dim=1, descending=True, stable=True)[:, :k]
    return F.pad(order, (0, k - order.shape[1]), value=-1)


@right_form(HAMMING, "distance_and_number_in_one_key")
def hamming_search(queries, codes, k):
    n = codes.shape[0]
    left = queries[:, None].to(torch.int64) ^ codes[None].to(torch.int64)
    distance = torch.zeros(left.shape[:2], dtype=torch.int64)
    while left.any():
        distance += (left & 1).sum(dim=2)
        left = left >> 1
    key = distance * max(n, 1) + torch.arange(n)
    best = key.topk(min(k, n), dim=1, largest=False, sorted=True).values % max(n, 1)
    return F.pad(best, (0, k - best.shape[1]), value=-1)


@right_form(HAMMING, "heap_of_whole_numbers")
def hamming_search(queries, codes, k):
    stored = [int.from_bytes(bytes(row), "big") for row in codes.tolist()]
    found = torch.full((len(queries), k), -1, dtype=torch.long)
    for row, query in enumerate(queries.tolist()):
        asked = int.from_bytes(bytes(query), "big")
        near = heapq.nsmallest(k, range(len(stored)), key=lambda number: bin(asked ^ stored[number]).count("1"))
        found[row, : len(near)] = torch.tensor(near, dtype=torch.long)
    return found


@right_form(HAMMING, "cdist_of_bits")
def hamming_search(queries, codes, k):
    a, b = (torch.from_numpy(np.unpackbits(side.numpy(), axis=1)).float() for side in (queries, codes))
    order = torch.cdist(a, b, p=1).argsort(dim=1, stable=True)
    return F.pad(order, (0, k), value=-1)[:, :k]


survivor(HAMMING, "8 → 9", "A byte that is shifted by eight places is 0: a ninth bit adds nothing.")


altered(
    HAMMING, "number_times_a_thousandth", "plain",
    {"sum(dim=1)": "sum(dim=1) + torch.arange(len(codes)) / 1000"}, stage="values",
    diagnosis="A thousandth of its number is added to each distance, to decide between equals. From the thousandth code on "
    "that is a whole bit.",
    next_step="Sort by two things at once, or stably: `argsort(stable=True)` keeps the order of equals.",
)

altered(
    HAMMING, "number_times_a_hundredth", "plain",
    {"sum(dim=1)": "sum(dim=1) * 100 + torch.arange(len(codes))"}, stage="values",
    diagnosis="A distance counts a hundred times, a code's number once, to decide between equals. From the hundredth code on "
    "its number weighs more than a bit.",
    next_step="Sort by two things at once, or stably: `argsort(stable=True)` keeps the order of equals.",
)
