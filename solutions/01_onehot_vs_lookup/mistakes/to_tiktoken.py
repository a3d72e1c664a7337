# exercise 01.to_tiktoken
import tiktoken

from embedding_course.data.split import SPLIT


# base plain
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: one for one, token in tokens.items()}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


# mistake bytes_left_out (raises), from plain
# Only the merges are in the table; the engine also needs the 256 single bytes.
# Next: Begin with {bytes([i]): i for i in range(256)}.
#        tokens = {one: bytes([one]) for one in range(256)}
#   +    ranks = {}
#   -    ranks = {token: one for one, token in tokens.items()}
#   +        ranks[tokens[new_id]] = new_id

# mistake ranks_from_zero (values), from plain
# The merges are ranked from 0, before the bytes; the rank of a token is its id.
# Next: Bytes have ranks 0 to 255, merges 256, 257, … as in `merges`.
#   -    ranks = {token: one for one, token in tokens.items()}
#   +    learned = [tokens[new_id] for new_id in merges.values()]
#   +    ranks = {token: rank for rank, token in enumerate(learned + [bytes([one]) for one in range(256)])}

# mistake sorted_by_length (values), from plain
# The merges are ranked by length, not by the order of learning.
# Next: Keep the ids that `merges` gives.
#   -    ranks = {token: one for one, token in tokens.items()}
#   +    order = sorted(tokens.values(), key=lambda token: (len(token), token))
#   +    ranks = {token: rank for rank, token in enumerate(order)}

# mistake pattern_ignored (shape, values), from plain
# The engine always cuts in the same way; the argument `pattern` is ignored.
# Next: Pass `pattern` as `pat_str`.
#   pat_str=pattern => pat_str=SPLIT

# mistake special_token_added (values), from plain
# A special token was added; none was asked for.
# Next: `special_tokens={}`.
#   -    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
#   +    special = {"<|endoftext|>": 256 + len(merges)}
#   +    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)


# mistake pairs_as_keys (raises)
# The table maps pairs of ids to ranks; the engine wants the bytes of each token.
# Next: Spell every merge out in bytes, as for decoding.
def to_tiktoken(merges, pattern=SPLIT):
    ranks = {bytes([one]): one for one in range(256)}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks={**ranks, **merges}, special_tokens={})


# mistake returns_the_table (raises), from plain
# What comes back is no tiktoken.Encoding but a table of ranks, or something of one's own.
# Next: Hand the table to `tiktoken.Encoding` as `mergeable_ranks`.
#   ranks = {token: one for one, token in tokens.items()} => return {token: one for one, token in tokens.items()}
#   -    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})

# mistake halves_swapped (shape, values), from plain
# The halves of a merge are joined in the wrong order.
# Next: The left id's bytes come first.
#   tokens[left] + tokens[right] => tokens[right] + tokens[left]

# mistake bytes_by_chr (shape, values, raises), from plain
# The single bytes are made with `chr(i).encode()`, which gives two bytes from 128 on.
# Next: `bytes([i])` is the byte i.
#   bytes([one]) => chr(one).encode()

# mistake keys_are_no_bytes (raises), from plain
# The keys of the table are no bytes, but text or ids; the engine asks for the bytes of each token.
# Next: `mergeable_ranks` maps bytes to ranks: `{token: rank for rank, token in tokens.items()}`, without `decode`.
#   token: => token.decode("utf-8", errors="replace"):

# mistake short_ones_first (values), from plain
# The merges are numbered anew, short tokens first; the rank of a token is the id that `merges` gives it.
# Next: Keep the ids that `merges` gives.
#   one for one, token in tokens.items( => rank for rank, token in enumerate(sorted(tokens.values(), key=len)


# right form spelled_by_decoding
def to_tiktoken(merges, pattern=SPLIT):
    halves = {new_id: pair for pair, new_id in merges.items()}

    def spell(one):
        return bytes([one]) if one < 256 else b"".join(map(spell, halves[one]))

    ranks = {spell(one): one for one in range(256 + len(merges))}
    return tiktoken.Encoding(
        name="embedding-course", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}, explicit_n_vocab=len(ranks)
    )


# right form list_of_tokens
def to_tiktoken(merges, pattern=SPLIT, name="list"):
    tokens = [bytes([one]) for one in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=dict(zip(tokens, range(len(tokens)))), special_tokens={})


# few right forms
# The engine has one constructor; right answers differ only in how tokens are spelled.


# right form subclass
def to_tiktoken(merges, pattern=SPLIT):
    class Mine(tiktoken.Encoding):
        pass

    tokens = [bytes([one]) for one in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    ranks = dict(zip(tokens, range(len(tokens))))
    return Mine("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}, explicit_n_vocab=len(ranks))
