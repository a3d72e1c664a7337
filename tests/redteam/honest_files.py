"""Honest notebooks that keep things in files between cells, and in registries that definitions fill."""

from .odd_notebooks import above, after, also, answer, below, edit, end, odd

# Files between cells.
odd(
    "01",
    "a module written by %%writefile",
    above(
        "bpe_decode",
        "%%writefile pieces.py\ndef pieces(merges):\n"
        "    tokens = {index: bytes([index]) for index in range(256)}\n"
        "    for (left, right), new_id in merges.items():\n"
        "        tokens[new_id] = tokens[left] + tokens[right]\n    return tokens",
        "import pieces",
    ),
    answer(
        "bpe_decode",
        "def bpe_decode(ids, merges):\n    tokens = pieces.pieces(merges)\n"
        "    return b''.join(tokens[index] for index in ids).decode('utf-8', errors='replace')",
    ),
)
odd(
    "02",
    "torch.save and torch.load",
    above("numeric_grad", "torch.save({'two': torch.tensor(2.0)}, 'saved.pt')", "saved = torch.load('saved.pt')"),
    edit("numeric_grad", "(2 * eps)", "(float(saved['two']) * eps)"),
)
odd(
    "09",
    "a file is appended to and read within the answer",
    above("spearman", "open('log.txt', 'w').close()"),
    edit(
        "spearman",
        "return torch.corrcoef",
        "with open('log.txt', 'a') as log:\n        log.write('x')\n    return torch.corrcoef",
    ),
)

# Registries.
_LAST = """def pool_last(token_embeddings, attention_mask):
    return POOLS['last'](token_embeddings, attention_mask)"""
odd(
    "08",
    "poolings entered by a decorator",
    above(
        "pool_last",
        """POOLS = {}

def pooling(name):
    def enter(function):
        POOLS[name] = function
        return function
    return enter

@pooling('last')
def _(token_embeddings, attention_mask):
    mask = attention_mask.bool()
    last = (torch.arange(mask.shape[1]) * mask).argmax(dim=1)
    vectors = token_embeddings[torch.arange(len(last)), last]
    return vectors.masked_fill(~mask.any(dim=1)[:, None], 0.0)""",
    ),
    answer("pool_last", _LAST),
)
odd(
    "03",
    "a list of hooks that a later cell extends",
    above("norm_trace", "HOOKS = []"),
    edit("norm_trace", "optimizer.zero_grad()", "for hook in HOOKS:\n            hook(step)\n        optimizer.zero_grad()"),
    below("norm_trace", "steps = []\nHOOKS.append(steps.append)"),
    after("norm_trace", "HOOKS.clear()"),
)
odd(
    "04",
    "a counter of calls in a global",
    above("train_step", "CALLS = 0"),
    edit("train_step", "x, y = batch", "global CALLS\n    CALLS += 1\n    x, y = batch"),
    also("train_step", "CALLS = 10"),
    end("print(CALLS)"),
)
