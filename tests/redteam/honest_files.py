"""Honest notebooks that keep things in files between cells, and in registries that definitions fill."""

from .odd_notebooks import above, after, also, answer, below, edit, end, first, odd

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
    "04",
    "json between cells",
    above(
        "perplexity",
        "import json\nwith open('config.json', 'w') as f:\n    json.dump({'base': 1}, f)",
        "config = json.load(open('config.json'))",
    ),
    edit("perplexity", "math.exp(losses / tokens)", "config['base'] * math.exp(losses / tokens)"),
)
odd(
    "08",
    "a pickle between cells",
    above(
        "cosine_similarity_matrix",
        "import pickle\npickle.dump({'dim': 1}, open('o.pkl', 'wb'))",
        "options = pickle.load(open('o.pkl', 'rb'))",
    ),
    edit("cosine_similarity_matrix", "F.normalize(a, dim=1)", "F.normalize(a, **options)"),
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
odd(
    "10",
    "np.save, np.load and pathlib",
    above(
        "norm_outliers",
        "from pathlib import Path\nPath('out').mkdir(exist_ok=True)\nnp.save('out/limits.npy', np.array([1.0]))",
        "limits = np.load('out/limits.npy')",
    ),
    edit("norm_outliers", "threshold * norms.std()", "float(limits[0]) * threshold * norms.std()"),
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
    "09",
    "losses entered by __init_subclass__",
    above(
        "clip_loss",
        """class Loss:
    known = {}
    def __init_subclass__(cls, name, **options):
        super().__init_subclass__(**options)
        Loss.known[name] = cls()

class Symmetric(Loss, name='clip'):
    def __call__(self, logits):
        pairs = torch.arange(len(logits))
        return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2""",
    ),
    answer("clip_loss", "def clip_loss(logits):\n    return Loss.known['clip'](logits)"),
)
odd(
    "07",
    "layers entered by a metaclass",
    above(
        "feed_forward",
        """class Kept(type):
    kinds = {}
    def __new__(meta, name, bases, members):
        made = super().__new__(meta, name, bases, members)
        meta.kinds[name.lower()] = made
        return made

class Relu(metaclass=Kept):
    def __call__(self, x):
        return x.clamp(min=0)""",
    ),
    edit("feed_forward", "torch.relu(", "Kept.kinds['relu']()("),
)
odd(
    "06",
    "angles by singledispatch",
    first(
        "rope_angles",
        """import functools

@functools.singledispatch
def as_base(base):
    raise TypeError(base)

@as_base.register(int)
@as_base.register(float)
def _(base):
    return float(base)
""",
    ),
    edit("rope_angles", "base**exponents", "as_base(base)**exponents"),
)
odd(
    "05",
    "a table of gates filled in a loop",
    above(
        "lstm_cell",
        "GATES = {}\n"
        "for name, f in [('i', 'sigmoid'), ('f', 'sigmoid'), ('g', 'tanh'), ('o', 'sigmoid')]:\n"
        "    GATES[name] = getattr(torch, f)",
    ),
    edit("lstm_cell", "torch.sigmoid(i) * torch.tanh(g)", "GATES['i'](i) * GATES['g'](g)"),
)
odd(
    "02",
    "a chain of functions that decorators extend",
    above(
        "embedding_grad",
        "STEPS = []\ndef then(f):\n    STEPS.append(f)\n    return f",
        "@then\ndef flat(ids):\n    return ids.reshape(-1)",
        "@then\ndef whole(ids):\n    return ids.long()",
    ),
    edit("embedding_grad", "index_add_(0, ids.reshape(-1)", "index_add_(0, STEPS[1](STEPS[0](ids))"),
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
