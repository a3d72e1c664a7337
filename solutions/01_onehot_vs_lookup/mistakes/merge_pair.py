"""Wrong answers to merge_pair by name."""


from grader.course_source.catalogue import mistake


@mistake(
    "01.merge_pair", "first_hit_only", stage="shape",
    diagnosis="Only the first occurrence is replaced.",
    next_step="Go on after a hit, two positions further, until the list ends.",
)
def merge_pair(ids, pair, new_id):
    for place in range(len(ids) - 1):
        if (ids[place], ids[place + 1]) == pair:
            return ids[:place] + [new_id] + ids[place + 2 :]
    return list(ids)


@mistake(
    "01.merge_pair", "last_id_lost", stage="shape",
    diagnosis="The last id is dropped when it belongs to no hit.",
    next_step="Let the loop run to the last id, and look for a partner only where there is one.",
)
def merge_pair(ids, pair, new_id):
    merged, place = [], 0
    while place < len(ids) - 1:
        if (ids[place], ids[place + 1]) == pair:
            merged.append(new_id)
            place += 2
        else:
            merged.append(ids[place])
            place += 1
    return merged


@mistake(
    "01.merge_pair", "overlapping", stage="shape",
    diagnosis="After a hit the walk goes on by one position, so that the second half of the pair is kept or used again.",
    next_step="A hit uses two ids up: go two positions on.",
)
def merge_pair(ids, pair, new_id):
    merged = []
    for place in range(len(ids)):
        merged.append(new_id if tuple(ids[place : place + 2]) == pair else ids[place])
    return merged


@mistake(
    "01.merge_pair", "runs_overlap", stage="values",
    diagnosis="In a run of one id every neighbouring pair is merged, though an id can belong to one pair only.",
    next_step="Try [1, 1, 1] with (1, 1): the result has two entries, the new id and a 1.",
)
def merge_pair(ids, pair, new_id):
    hits = [place for place in range(len(ids) - 1) if (ids[place], ids[place + 1]) == pair]
    second = {place + 1 for place in hits}
    return [new_id if place in hits else one for place, one in enumerate(ids) if place in hits or place not in second]


@mistake(
    "01.merge_pair", "index_error", stage="raises",
    diagnosis="At the last position the next id is asked for, and there is none.",
    next_step="Compare a slice, or stop looking for partners one position before the end.",
)
def merge_pair(ids, pair, new_id):
    merged, place = [], 0
    while place < len(ids):
        if ids[place] == pair[0] and ids[place + 1] == pair[1]:
            merged.append(new_id)
            place += 2
        else:
            merged.append(ids[place])
            place += 1
    return merged


@mistake(
    "01.merge_pair", "either_order", stage="shape",
    diagnosis="The pair is taken in either order: (b, a) is merged like (a, b).",
    next_step="Compare first with first and second with second.",
)
def merge_pair(ids, pair, new_id):
    merged, place = [], 0
    while place < len(ids):
        if sorted(ids[place : place + 2]) == sorted(pair):
            merged.append(new_id)
            place += 2
        else:
            merged.append(ids[place])
            place += 1
    return merged


@mistake(
    "01.merge_pair", "in_place", stage="property",
    diagnosis="The list that came in is changed; the caller still needs it.",
    next_step="Build a new list, or work on a copy.",
)
def merge_pair(ids, pair, new_id):
    place = 0
    while place < len(ids) - 1:
        if (ids[place], ids[place + 1]) == pair:
            ids[place : place + 2] = [new_id]
        place += 1
    return ids


@mistake(
    "01.merge_pair", "own_list_back", stage="property",
    diagnosis="Where nothing is merged, the caller's own list comes back; changing the result then changes the input.",
    next_step="Return a new list in every case: `list(ids)` is a copy.",
)
def merge_pair(ids, pair, new_id):
    if pair not in zip(ids, ids[1:]):
        return ids
    merged, place = [], 0
    while place < len(ids):
        if tuple(ids[place : place + 2]) == pair:
            merged.append(new_id)
            place += 2
        else:
            merged.append(ids[place])
            place += 1
    return merged


@mistake(
    "01.merge_pair", "from_the_right", stage="values",
    diagnosis="Runs are merged from the right; the rule is from left to right.",
    next_step="Try [1, 1, 1] with (1, 1): the new id comes first, the single 1 last.",
)
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


@mistake(
    "01.merge_pair", "inserted_beside", stage="shape",
    diagnosis="The new id is put in front of the pair, and the pair stays.",
    next_step="The new id stands in the place of both: skip them.",
)
def merge_pair(ids, pair, new_id):
    merged = []
    for place, one in enumerate(ids):
        if tuple(ids[place : place + 2]) == pair:
            merged.append(new_id)
        merged.append(one)
    return merged


@mistake(
    "01.merge_pair", "as_text", stage=("shape", "values"),
    diagnosis="The ids are replaced in a printed list, where `2, 3` also stands inside `12, 3` and `2, 34`.",
    next_step="Compare numbers with numbers: walk along the list itself.",
)
def merge_pair(ids, pair, new_id):
    text = ", ".join(str(one) for one in ids).replace(f"{pair[0]}, {pair[1]}", str(new_id))
    return [int(part) for part in text.split(", ")] if text else []


@mistake(
    "01.merge_pair", "bytes_only", stage="raises",
    diagnosis="The ids are put into `bytes`, which hold numbers up to 255 only; ids of merges are larger.",
    next_step="Stay with a list of ints: after the first merge the ids are no bytes any more.",
)
def merge_pair(ids, pair, new_id):
    merged = []
    for part in bytes(ids).split(bytes(pair)):
        merged += [new_id, *part]
    return merged[1:]


@mistake(
    "01.merge_pair", "stops_at_zero", stage="shape",
    diagnosis="The walk ends at an id that counts as false: 0 is an id like any other.",
    next_step="Ask `is None`, or compare positions with `len(ids)`, where you ask whether there is another id.",
)
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


@mistake(
    "01.merge_pair", "zero_behind_the_end", stage="values",
    diagnosis="Behind the last id a 0 is supposed to stand: a pair that ends in 0 is found where nothing follows.",
    next_step="Put `None` there, which is no id, or stop one position before the end.",
)
def merge_pair(ids, pair, new_id):
    merged, place = [], 0
    while place < len(ids):
        following = ids[place + 1] if place + 1 < len(ids) else 0
        if (ids[place], following) == pair:
            merged.append(new_id)
            place += 2
        else:
            merged.append(ids[place])
            place += 1
    return merged


@mistake(
    "01.merge_pair", "none_without_a_hit", stage="type",
    diagnosis="Where the pair does not occur, nothing is returned; a copy of the list was asked for.",
    next_step="Put the `return` behind the loop, where every way through the function ends.",
)
def merge_pair(ids, pair, new_id):
    merged, place = [], 0
    while place < len(ids):
        hit = tuple(ids[place : place + 2]) == pair
        merged.append(new_id if hit else ids[place])
        place += 2 if hit else 1
    if len(merged) < len(ids):
        return merged


@mistake(
    "01.merge_pair", "for_loop_does_not_skip", stage=("values", "shape"),
    diagnosis="`i += 1` inside a for loop skips nothing: the next round takes the next number of the range all the same.",
    next_step="Use `while` and move the position yourself, by two after a hit; and mind the last id, which has no neighbour.",
)
def merge_pair(ids, pair, new_id):
    merged = []
    for i in range(len(ids) - 1):
        if ids[i] == pair[0] and ids[i + 1] == pair[1]:
            merged.append(new_id)
            i += 1
        else:
            merged.append(ids[i])
    return merged


@mistake(
    "01.merge_pair", "asks_beyond_the_end", stage="raises",
    diagnosis="A pair is made at every position, and the last id has no neighbour on its right.",
    next_step="Ask `place + 1 < len(ids)` first, or compare the slice `ids[place : place + 2]`.",
)
def merge_pair(ids, pair, new_id):
    merged, place = [], 0
    while place < len(ids):
        if (ids[place], ids[place + 1]) == tuple(pair):
            merged.append(new_id)
            place += 2
        else:
            merged.append(ids[place])
            place += 1
    return merged


@mistake(
    "01.merge_pair", "list_against_tuple", stage="shape",
    diagnosis="A slice of a list is compared with a tuple: `[1, 2] == (1, 2)` is False, so nothing is ever merged.",
    next_step="Make both of one kind: `tuple(ids[place : place + 2]) == tuple(pair)`.",
)
def merge_pair(ids, pair, new_id):
    merged, place = [], 0
    while place < len(ids):
        if ids[place : place + 2] == pair:
            merged.append(new_id)
            place += 2
        else:
            merged.append(ids[place])
            place += 1
    return merged
