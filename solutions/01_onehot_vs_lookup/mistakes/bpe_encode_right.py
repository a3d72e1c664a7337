# exercise 01.bpe_encode
import regex
import tiktoken

from embedding_course.data.split import SPLIT


# right form one_hit_at_a_time
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for match in regex.finditer(pattern, text):
        ids = list(match.group().encode())
        while True:
            hits = [(merges[pair], place) for place, pair in enumerate(zip(ids, ids[1:])) if pair in merges]
            if not hits:
                break
            new_id, place = min(hits)
            ids[place : place + 2] = [new_id]
        encoded.extend(ids)
    return tuple(encoded)


# right form whole_chunks_first
def bpe_encode(text, merges, pattern=SPLIT):
    # A chunk that is a token comes out as that token, as it does in tiktoken's engine.
    tokens = {index: bytes([index]) for index in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    whole = {token: index for index, token in tokens.items()}

    def encode(data):
        ids = list(data)
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        return ids

    chunks = [chunk.encode() for chunk in regex.findall(pattern, text)]
    return [index for data in chunks for index in ([whole[data]] if data in whole else encode(data))]


# right form all_merges_in_turn
def bpe_encode(text, merges, pattern=SPLIT):
    encoded = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode())
        for pair, new_id in merges.items():
            ids = merge_pair(ids, pair, new_id)
        encoded += ids
    return encoded


# right form recursion_and_ranks
def bpe_encode(text, merges, pattern=SPLIT):
    def best(ids):
        ranks = [merges.get(pair, 10**9) for pair in zip(ids, ids[1:])]
        lowest = min(ranks, default=10**9)
        if lowest == 10**9:
            return ids
        place = ranks.index(lowest)
        return best(ids[:place] + [lowest] + ids[place + 2 :])

    return tuple(one for chunk in regex.findall(pattern, text) for one in best(list(chunk.encode("utf-8"))))


# right form engine
def bpe_encode(text, merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: one for one, token in tokens.items()}
    return tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}).encode_ordinary(text)
