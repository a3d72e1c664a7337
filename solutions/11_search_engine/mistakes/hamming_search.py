# exercise 11.hamming_search
import heapq

import numpy as np
import torch
import torch.nn.functional as F


# base plain
def hamming_search(queries, codes, k):
    found = torch.full((len(queries), k), -1)
    table = torch.tensor([bin(byte).count("1") for byte in range(256)])
    for row, query in enumerate(queries):
        distance = table[(query ^ codes).long()].sum(dim=1)
        order = distance.argsort(stable=True)[:k]
        found[row, : len(order)] = order
    return found


# mistake farthest_first (values), from plain
# The codes that differ in the most bits come first: sorted downwards, or the equal bits were counted.
# Next: Count the bits that differ, `query ^ codes`, and sort upwards.
#   stable=True => stable=True, descending=True

# mistake nearest_last (values), from plain
# The right codes are there, the farthest of them first.
# Next: The nearest comes first: leave the order as `argsort` gives it.
#   found[row, : len(order)] = order => found[row, : len(order)] = order.flip(0)

# mistake larger_number_first (values), from plain
# Of codes equally far away the one with the larger number comes first, as in an order that was turned round.
# Next: Sort upwards at once, with `stable=True`: equals then keep their order.
#   distance.argsort(stable=True) => (-distance).argsort(stable=True).flip(0)

# mistake topk_among_equals (values), from plain
# `topk` promises nothing about the order of equals; the smaller number should come first.
# Next: Sort with `argsort(stable=True)`.
#   distance.argsort(stable=True)[:k] => distance.topk(min(k, len(codes)), largest=False).indices

# mistake ones_in_common (values), from plain
# `&` keeps the bits that are 1 in both; what differs is asked for.
# Next: Use `^` (exclusive or): 1 where the two bits differ.
#   query ^ codes => query & codes

# mistake most_ones_in_common (values), from plain
# Only the query's ones count, and how many the code shares; a code's own ones differ from the query as well.
# Next: Count the bits in which they differ, `query ^ codes`, and take the fewest.
#   query ^ codes => query & codes
#   stable=True => stable=True, descending=True

# mistake ones_in_either (values), from plain
# `|` has a 1 where either bit is 1; what differs is asked for.
# Next: Use `^` (exclusive or).
#   query ^ codes => query | codes

# mistake counts_bytes (values), from plain
# The bytes that differ are counted, but the exercise asks for the bits.
# Next: `query ^ codes` has a 1 for each bit that differs: count the ones in each byte.
#   table[(query ^ codes).long()].sum => (query != codes).sum

# mistake sums_the_bytes (values), from plain
# `^` is right, but its bytes are added up as numbers: the first bit of a byte weighs 128 times the last.
# Next: Count the ones in each byte.
#   table[(query ^ codes).long()] => (query ^ codes).long()

# mistake difference_of_numbers (values), from plain
# The bytes are compared as numbers; 127 and 128 are neighbours as numbers and differ in all eight bits.
# Next: Compare bit by bit: `query ^ codes`, then count the ones.
#   table[(query ^ codes).long()] => (query.long() - codes.long()).abs()

# mistake squared_difference (values), from plain
# This is the Euclidean distance of the bytes as numbers, but the exercise asks for the number of bits that differ.
# Next: Compare bit by bit: `query ^ codes`, then count the ones.
#   table[(query ^ codes).long()].sum => ((query.double() - codes) ** 2).sum

# mistake dot_product_of_bytes (values), from plain
# The dot product of the bytes says nothing about their bits.
# Next: Compare bit by bit: `query ^ codes`, then count the ones.
#   table[(query ^ codes).long()].sum(dim=1) => -(codes.long() * query.long()).sum(dim=1)

# mistake bits_of_the_difference (values), from plain
# The ones in the difference of the numbers are counted; a difference carries from bit to bit.
# Next: Use `^` instead of `-`.
#   (query ^ codes).long => (query.long() - codes.long()).abs

# mistake seven_bits (values), from plain
# The most significant bit of each byte is left out.
# Next: A byte has eight bits: `range(8)`.
#   bin(byte) => bin(byte & 127)

# mistake without_the_last_bit (values), from plain
# The least significant bit of each byte is left out.
# Next: A byte has eight bits, the first of them with a shift of 0: `range(8)`.
#   bin(byte) => bin(byte >> 1)

# mistake first_byte_alone (values), from plain
# Only the first byte of each code is compared.
# Next: Sum over the bytes.
#   table[(query ^ codes).long()].sum(dim=1) => table[(query ^ codes).long()][:, 0]

# mistake counted_in_a_byte (values), from plain
# The distance is counted in a uint8, which begins at 0 again after 255.
# Next: Sum into int64.
#   dim=1 => dim=1, dtype=torch.uint8

# mistake zeros_for_missing (values), from plain
# Missing entries are 0, which is the number of a code; -1 was asked for.
# Next: Fill up with -1.
#   (len(queries), k), -1 => (len(queries), k), 0

# mistake missing_in_front (values), from plain
# The missing entries stand in front; they belong at the end.
# Next: The nearest code is in column 0.
#   row, : len(order) => row, k - len(order) :

# mistake fewer_columns (shape), from plain
# Where k exceeds the number of codes, columns are missing.
# Next: The result always has k columns: fill up with -1.
#   return found => return found[:, : len(codes)]

# mistake k_must_fit (raises), from plain
# Where k exceeds the number of codes, a shorter row is put into a longer one.
# Next: Fill in as many as there are, and leave -1 in the rest.
#   row, : len(order) => row

# mistake int32_numbers (dtype), from plain
# The numbers are int32; int64 was asked for.
# Next: Leave the type of `argsort` as it is.
#   return found => return found.int()

# mistake floating_numbers (dtype), from plain
# The numbers are floating; int64 was asked for.
# Next: Fill with -1, not with -1.0, or give `dtype=torch.int64`.
#   (len(queries), k), -1 => (len(queries), k), -1.0

# mistake numbers_from_1 (values), from plain
# The codes are numbered from 1.
# Next: The first code has the number 0.
#   found[row, : len(order)] = order => found[row, : len(order)] = order + 1

# mistake first_query_for_all (values), from plain
# Every query gets what is near to the first one.
# Next: Look for an index 0 that should be the row.
#   query ^ codes => queries[0] ^ codes

# mistake distances_instead_of_numbers (values), from plain
# The distances come back, but the exercise asks for the numbers of the codes.
# Next: `argsort` gives the numbers.
#   distance.argsort(stable=True) => distance.sort().values

# mistake ranks_instead_of_numbers (values), from plain
# These are the codes' ranks, in the order in which they are stored, but the exercise asks for numbers, in the order of rank.
# Next: One `argsort` is enough.
#   distance.argsort(stable=True) => distance.argsort(stable=True).argsort()

# mistake identical_codes_dropped (values), from plain
# A code that equals the query is put last; with a distance of 0 it is the nearest of all.
# Next: Leave the distances as they are.
#   distance.argsort => distance.where(distance > 0, 9999).argsort

# mistake changes_the_codes (values, property), from plain
# The codes themselves are overwritten, so that the next query is compared with something else.
# Next: Write `codes ^ query`, which makes a new tensor.
#   (query ^ codes).long => codes.bitwise_xor_(query).long

# mistake a_list_comes_back (type), from plain
# The result is a list; a tensor was asked for.
# Next: Return an int64 tensor.
#   return found => return found.tolist()


# mistake one_code_for_each_distance (values)
# A dict with the distances as keys holds one code for each: of several equally far ones the last is kept.
# Next: Keep (distance, number) pairs in a list, and sort it.
def hamming_search(queries, codes, k):
    found = torch.full((len(queries), k), -1)
    for row, query in enumerate(queries.tolist()):
        at = {}
        for number, code in enumerate(codes.tolist()):
            at[sum(bin(a ^ b).count("1") for a, b in zip(query, code))] = number
        for place, distance in enumerate(sorted(at)[:k]):
            found[row, place] = at[distance]
    return found


# mistake queries_for_codes (shape)
# For each code the nearest queries come back, but the exercise asks for the nearest codes of each query.
# Next: One row for each query: loop over the queries, or sort the table (Q, N) along dim 1.
def hamming_search(queries, codes, k):
    bits = [torch.from_numpy(np.unpackbits(side.numpy(), axis=1)).long() for side in (codes, queries)]
    distance = (bits[0][:, None] != bits[1][None]).sum(dim=2)
    order = distance.argsort(dim=1, stable=True)[:, :k]
    return F.pad(order, (0, k - order.shape[1]), value=-1)


# mistake sorted_over_the_queries (values), from queries_for_codes
# The table (Q, N) is sorted along its columns, so that queries are ranked instead of codes.
# Next: Sort along dim 1.
#   codes, queries => queries, codes
#   dim=1 => dim=0


# mistake row_against_row (raises)
# Query and code of one row are compared, which works only where there are as many of both.
# Next: Every query is compared with every code: `queries[:, None] ^ codes[None]`.
def hamming_search(queries, codes, k):
    table = torch.tensor([bin(byte).count("1") for byte in range(256)])
    distance = table[(queries ^ codes).long()]
    order = distance.argsort(dim=1, stable=True)[:, :k]
    return F.pad(order, (0, k - order.shape[1]), value=-1)


# right form pairs_sorted
def hamming_search(queries, codes, k):
    rows = []
    for query in queries.tolist():
        pairs = []
        for number, code in enumerate(codes.tolist()):
            pairs.append((sum((a ^ b).bit_count() for a, b in zip(query, code)), number))
        best = [number for _, number in sorted(pairs)[:k]]
        rows.append(best + [-1] * (k - len(best)))
    return torch.tensor(rows)


# right form numpy_unpackbits
def hamming_search(queries, codes, k):
    q, c = np.unpackbits(queries.numpy(), axis=1), np.unpackbits(codes.numpy(), axis=1)
    distance = (q[:, None, :] != c[None, :, :]).sum(axis=2)
    order = np.argsort(distance, axis=1, kind="stable")[:, :k]
    out = np.full((len(q), k), -1, dtype=np.int64)
    out[:, : order.shape[1]] = order
    return torch.from_numpy(out)


# right form a_table_of_256
def hamming_search(queries, codes, k):
    ones = (torch.arange(256)[:, None] >> torch.arange(8) & 1).sum(dim=1)
    distance = ones[(queries.unsqueeze(1) ^ codes.unsqueeze(0)).int()].sum(dim=-1)
    order = torch.sort(distance, dim=1, stable=True).indices
    order = torch.cat([order, torch.full((len(queries), k), -1)], dim=1)
    return order[:, :k]


# right form dot_products_of_signs
def hamming_search(queries, codes, k):
    def signs(side):
        bits = side[:, :, None] >> torch.arange(8, dtype=torch.uint8) & 1
        return bits.double().flatten(1) * 2 - 1

    agree = torch.einsum("qi,ni->qn", signs(queries), signs(codes))
    order = agree.argsort(dim=1, descending=True, stable=True)[:, :k]
    return F.pad(order, (0, k - order.shape[1]), value=-1)


# right form distance_and_number_in_one_key
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


# right form heap_of_whole_numbers
def hamming_search(queries, codes, k):
    stored = [int.from_bytes(bytes(row), "big") for row in codes.tolist()]
    found = torch.full((len(queries), k), -1, dtype=torch.long)
    for row, query in enumerate(queries.tolist()):
        asked = int.from_bytes(bytes(query), "big")
        near = heapq.nsmallest(k, range(len(stored)), key=lambda number: bin(asked ^ stored[number]).count("1"))
        found[row, : len(near)] = torch.tensor(near, dtype=torch.long)
    return found


# right form cdist_of_bits
def hamming_search(queries, codes, k):
    a, b = (torch.from_numpy(np.unpackbits(side.numpy(), axis=1)).float() for side in (queries, codes))
    order = torch.cdist(a, b, p=1).argsort(dim=1, stable=True)
    return F.pad(order, (0, k), value=-1)[:, :k]


# survivor 8 → 9
# A byte that is shifted by eight places is 0: a ninth bit adds nothing.

# mistake number_times_a_thousandth (values), from plain
# To decide between equals, a thousandth of the code's number is added to its distance. From the thousandth code on, this adds a
# whole bit.
# Next: Sort by two things at once, or stably: `argsort(stable=True)` keeps the order of equals.
#   table[(query ^ codes).long()].sum(dim=1) => table[(query ^ codes).long()].sum(dim=1) + torch.arange(len(codes)) / 1000

# mistake number_times_a_hundredth (values), from plain
# To decide between equals, each distance is multiplied by a hundred and the code's number is added. From the hundredth code on,
# the number weighs more than a bit.
# Next: Sort by two things at once, or stably: `argsort(stable=True)` keeps the order of equals.
#   table[(query ^ codes).long()].sum(dim=1) => table[(query ^ codes).long()].sum(dim=1) * 100 + torch.arange(len(codes))
