"""Wrong answers about tiktoken's engine by name, and unusual right ones."""

import tiktoken

from embedding_course.data.split import SPLIT
from grader.course_source.catalogue import few, mistake, right_form


@mistake(
    "01.to_tiktoken", "bytes_left_out", stage="raises",
    diagnosis="Only the merges are in the table; the engine also needs the 256 single bytes.",
    next_step="Begin with {bytes([i]): i for i in range(256)}.",
)
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    ranks = {}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
        ranks[tokens[new_id]] = new_id
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "ranks_from_zero", stage="values",
    diagnosis="The merges are ranked from 0, before the bytes; the rank of a token is its id.",
    next_step="Bytes have ranks 0 to 255, merges 256, 257, … as in `merges`.",
)
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    learned = [tokens[new_id] for new_id in merges.values()]
    ranks = {token: rank for rank, token in enumerate(learned + [bytes([one]) for one in range(256)])}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "sorted_by_length", stage="values",
    diagnosis="The merges are ranked by length, not by the order of learning.",
    next_step="Keep the ids that `merges` gives.",
)
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    order = sorted(tokens.values(), key=lambda token: (len(token), token))
    ranks = {token: rank for rank, token in enumerate(order)}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "pattern_ignored", stage=("shape", "values"),
    diagnosis="The engine always cuts in the same way; the argument `pattern` is ignored.",
    next_step="Pass `pattern` as `pat_str`.",
)
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: one for one, token in tokens.items()}
    return tiktoken.Encoding("mine", pat_str=SPLIT, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "special_token_added", stage="values",
    diagnosis="A special token was added; none was asked for.",
    next_step="`special_tokens={}`.",
)
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: one for one, token in tokens.items()}
    special = {"<|endoftext|>": 256 + len(merges)}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)


@mistake(
    "01.to_tiktoken", "pairs_as_keys", stage="raises",
    diagnosis="The table maps pairs of ids to ranks; the engine wants the bytes of each token.",
    next_step="Spell every merge out in bytes, as for decoding.",
)
def to_tiktoken(merges, pattern=SPLIT):
    ranks = {bytes([one]): one for one in range(256)}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks={**ranks, **merges}, special_tokens={})


@mistake(
    "01.to_tiktoken", "returns_the_table", stage="raises",
    diagnosis="What comes back is no tiktoken.Encoding but a table of ranks, or something of one's own.",
    next_step="Hand the table to `tiktoken.Encoding` as `mergeable_ranks`.",
)
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return {token: one for one, token in tokens.items()}


@mistake(
    "01.to_tiktoken", "halves_swapped", stage=("shape", "values"),
    diagnosis="The halves of a merge are joined in the wrong order.",
    next_step="The left id's bytes come first.",
)
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[right] + tokens[left]
    ranks = {token: one for one, token in tokens.items()}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "bytes_by_chr", stage=("shape", "values", "raises"),
    diagnosis="The single bytes are made with `chr(i).encode()`, which gives two bytes from 128 on.",
    next_step="`bytes([i])` is the byte i.",
)
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: chr(one).encode() for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: one for one, token in tokens.items()}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "keys_are_no_bytes", stage="raises",
    diagnosis="The keys of the table are no bytes, but text or ids; the engine asks for the bytes of each token.",
    next_step="`mergeable_ranks` maps bytes to ranks: `{token: one for one, token in tokens.items()}`, without `decode`.",
)
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token.decode("utf-8", errors="replace"): one for one, token in tokens.items()}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@mistake(
    "01.to_tiktoken", "short_ones_first", stage="values",
    diagnosis="The merges are numbered anew, short tokens first; the rank of a token is the id that `merges` gives it.",
    next_step="Keep the ids that `merges` gives.",
)
def to_tiktoken(merges, pattern=SPLIT):
    tokens = {one: bytes([one]) for one in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: rank for rank, token in enumerate(sorted(tokens.values(), key=len))}
    return tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@right_form("01.to_tiktoken", "spelled_by_decoding")
def to_tiktoken(merges, pattern=SPLIT):
    halves = {new_id: pair for pair, new_id in merges.items()}

    def spell(one):
        return bytes([one]) if one < 256 else b"".join(map(spell, halves[one]))

    ranks = {spell(one): one for one in range(256 + len(merges))}
    return tiktoken.Encoding(
        name="embedding-course", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}, explicit_n_vocab=len(ranks)
    )


@right_form("01.to_tiktoken", "list_of_tokens")
def to_tiktoken(merges, pattern=SPLIT, name="list"):
    tokens = [bytes([one]) for one in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=dict(zip(tokens, range(len(tokens)))), special_tokens={})


few("01.to_tiktoken", "right forms", "The engine has one constructor; right answers differ only in how tokens are spelled.")


@right_form("01.to_tiktoken", "subclass")
def to_tiktoken(merges, pattern=SPLIT):
    class Mine(tiktoken.Encoding):
        pass

    tokens = [bytes([one]) for one in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    ranks = dict(zip(tokens, range(len(tokens))))
    return Mine("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}, explicit_n_vocab=len(ranks))
