# exercise 01.merge_pair


# mistake first_hit_only (shape)
# Only the first occurrence is replaced.
# Next: Go on after a hit, two positions further, until the list ends.
def merge_pair(ids, pair, new_id):
    for place in range(len(ids) - 1):
        if (ids[place], ids[place + 1]) == pair:
            return ids[:place] + [new_id] + ids[place + 2 :]
    return list(ids)


# base plain
def merge_pair(ids, pair, new_id):
    merged, place = [], 0
    while place < len(ids):
        if tuple(ids[place : place + 2]) == pair:
            merged.append(new_id)
            place += 2
        else:
            merged.append(ids[place])
            place += 1
    return merged


# mistake last_id_lost (shape), from plain
# The last id is dropped when it belongs to no hit.
# Next: Let the loop run to the last id, and look for a partner only where there is one.
#   len(ids) => len(ids) - 1
#   tuple(ids[place : place + 2]) => (ids[place], ids[place + 1])


# mistake overlapping (shape)
# After a hit the walk goes on by one position, so that the second half of the pair is kept or used again.
# Next: A hit uses two ids up: go two positions on.
def merge_pair(ids, pair, new_id):
    merged = []
    for place in range(len(ids)):
        merged.append(new_id if tuple(ids[place : place + 2]) == pair else ids[place])
    return merged


# mistake runs_overlap (values)
# In a run of one id every neighbouring pair is merged, though an id can belong to one pair only.
# Next: Try [1, 1, 1] with (1, 1): the result has two entries, the new id and a 1.
def merge_pair(ids, pair, new_id):
    hits = [place for place in range(len(ids) - 1) if (ids[place], ids[place + 1]) == pair]
    second = {place + 1 for place in hits}
    return [new_id if place in hits else one for place, one in enumerate(ids) if place in hits or place not in second]


# mistake index_error (raises), from plain
# At the last position the next id is asked for, and there is none.
# Next: Compare a slice, or stop looking for partners one position before the end.
#   tuple(ids[place : place + 2]) == pair => ids[place] == pair[0] and ids[place + 1] == pair[1]

# mistake either_order (shape), from plain
# The pair is taken in either order: (b, a) is merged like (a, b).
# Next: Compare first with first and second with second.
#   tuple(ids[place : place + 2]) == pair => sorted(ids[place : place + 2]) == sorted(pair)


# mistake in_place (property)
# The list that came in is changed; the caller still needs it.
# Next: Build a new list, or work on a copy.
def merge_pair(ids, pair, new_id):
    place = 0
    while place < len(ids) - 1:
        if (ids[place], ids[place + 1]) == pair:
            ids[place : place + 2] = [new_id]
        place += 1
    return ids


# mistake own_list_back (property), from plain
# Where nothing is merged, the caller's own list comes back; changing the result then changes the input.
# Next: Return a new list in every case: `list(ids)` is a copy.
#    def merge_pair(ids, pair, new_id):
#   +    if pair not in zip(ids, ids[1:]):
#   +        return ids


# mistake from_the_right (values)
# Runs are merged from the right; the rule is from left to right.
# Next: Try [1, 1, 1] with (1, 1): the new id comes first, the single 1 last.
def merge_pair(ids, pair, new_id):
    merged, place = [], len(ids)
    while place > 0:
        if place > 1 and (ids[place - 2], ids[place - 1]) == pair:
            merged.append(new_id)
            place -= 2
        else:
            merged.append(ids[place - 1])
            place -= 1
    return merged[::-1]


# mistake inserted_beside (shape)
# The new id is put in front of the pair, and the pair stays.
# Next: The new id stands in the place of both: skip them.
def merge_pair(ids, pair, new_id):
    merged = []
    for place, one in enumerate(ids):
        if tuple(ids[place : place + 2]) == pair:
            merged.append(new_id)
        merged.append(one)
    return merged


# mistake as_text (shape, values)
# The ids are replaced in a printed list, where `2, 3` also stands inside `12, 3` and `2, 34`.
# Next: Compare numbers with numbers: walk along the list itself.
def merge_pair(ids, pair, new_id):
    text = ", ".join(str(one) for one in ids).replace(f"{pair[0]}, {pair[1]}", str(new_id))
    return [int(part) for part in text.split(", ")] if text else []


# mistake bytes_only (raises)
# The ids are put into `bytes`, which hold numbers up to 255 only; ids of merges are larger.
# Next: Stay with a list of ints: after the first merge the ids are no bytes any more.
def merge_pair(ids, pair, new_id):
    merged = []
    for part in bytes(ids).split(bytes(pair)):
        merged += [new_id, *part]
    return merged[1:]


# mistake stops_at_zero (shape)
# The loop stops at the id 0, which counts as false in Python; 0 is an id like any other.
# Next: Ask `is None`, or compare positions with `len(ids)`, where you ask whether there is another id.
def merge_pair(ids, pair, new_id):
    merged, rest = [], iter(ids)
    one = next(rest, None)
    while one:
        following = next(rest, None)
        if (one, following) == pair:
            merged.append(new_id)
            one = next(rest, None)
        else:
            merged.append(one)
            one = following
    return merged


# mistake zero_behind_the_end (values), from plain
# Behind the last id a 0 is supposed to stand: a pair that ends in 0 is found where nothing follows.
# Next: Put `None` there, which is no id, or stop one position before the end.
#   -        if tuple(ids[place : place + 2]) == pair:
#   +        following = ids[place + 1] if place + 1 < len(ids) else 0
#   +        if (ids[place], following) == pair:


# mistake none_without_a_hit (type)
# Where the pair does not occur, nothing is returned; a copy of the list was asked for.
# Next: Put the `return` behind the loop, where every way through the function ends.
def merge_pair(ids, pair, new_id):
    merged, place = [], 0
    while place < len(ids):
        hit = tuple(ids[place : place + 2]) == pair
        merged.append(new_id if hit else ids[place])
        place += 2 if hit else 1
    if len(merged) < len(ids):
        return merged


# mistake for_loop_does_not_skip (values, shape)
# `i += 1` inside a for loop skips nothing: the next round takes the next number of the range all the same.
# Next: Use `while` and move the position yourself, by two after a hit; and mind the last id, which has no neighbour.
def merge_pair(ids, pair, new_id):
    merged = []
    for i in range(len(ids) - 1):
        if ids[i] == pair[0] and ids[i + 1] == pair[1]:
            merged.append(new_id)
            i += 1
        else:
            merged.append(ids[i])
    return merged


# mistake asks_beyond_the_end (raises), from plain
# A pair is made at every position, and the last id has no neighbour on its right.
# Next: Ask `place + 1 < len(ids)` first, or compare the slice `ids[place : place + 2]`.
#   tuple(ids[place : place + 2]) == pair => (ids[place], ids[place + 1]) == tuple(pair)

# mistake list_against_tuple (shape), from plain
# A slice of a list is compared with a tuple: `[1, 2] == (1, 2)` is False, so nothing is ever merged.
# Next: Make both of one kind: `tuple(ids[place : place + 2]) == tuple(pair)`.
#   tuple(ids[place : place + 2]) => ids[place : place + 2]
