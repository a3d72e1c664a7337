"""Honest notebooks whose answers need a state that own cells bring about: by reading, in place, in modules, in files."""

from __future__ import annotations

from .odd_notebooks import above, after, also, answer, below, edit, end, first, odd

# Values that change without an assignment.
odd("01", "defaultdict filled by reading", above("build_vocab", "ids = defaultdict(lambda: len(ids))\nids['<pad>'], ids['<unk>']"),
    above("encode_sentence", "for word in 'a b a'.split():\n    ids[word]"),
    edit("encode_sentence", "return [", "assert len(ids) == 4\n    return ["))  # fmt: skip
odd("01", "a dict with __missing__", above("encode_sentence",
    "class Ids(dict):\n    def __missing__(self, word):\n        self[word] = len(self)\n        return self[word]\nmine = Ids()",
    "mine['a'], mine['b']"), edit("encode_sentence", "return [", "assert mine == {'a': 0, 'b': 1}\n    return ["))  # fmt: skip
odd("02", "a buffer that is written to", above("moved_rows", "import io\nlog = io.StringIO()", "_ = log.write('begin\\n')"),
    edit("moved_rows", "decays = ", "assert log.getvalue().startswith('begin')\n    decays = "))  # fmt: skip
odd("04", "an order that is shuffled", above("make_ngrams", "rng = random.Random(4)\nORDER = list(range(6))", "rng.shuffle(ORDER)"),
    edit("make_ngrams", "rows, targets = [], []", "assert ORDER != sorted(ORDER)\n    rows, targets = [], []"))  # fmt: skip
odd("03", "a table written by out=", above("renorm_rows", "W = torch.empty(2, 2)", "torch.mul(torch.eye(2), 3, out=W)"),
    edit("renorm_rows", "norms = ", "assert W.sum() == 6\n    norms = "))  # fmt: skip
odd("10", "numpy writes into an array by out=", above("pca", "box = np.zeros(3)\nnp.add(box, 2, out=box)"),
    edit("pca", "centred = x", "assert box.sum() == 6\n    centred = x"))  # fmt: skip
odd("08", "a view of a table is written to", above("pool_mean", "base = torch.zeros(4)\nview = base[1:3]", "view += 1\nview[0] = 5"),
    edit("pool_mean", "mask = ", "assert base.tolist() == [0, 5, 1, 0]\n    mask = "))  # fmt: skip
odd("09", "rows of a list are one list", above("recommend", "grid = [[0]] * 3\ngrid[1].append(7)"),
    edit("recommend", "cosines = ", "assert grid[2] == [0, 7]\n    cosines = "))  # fmt: skip
odd("05", "a function's default list grows", first("bleu", "def seen(n, known=[]):\n    known.append(n)\n    return known\n\nseen(1)"),
    edit("bleu", "logs = []", "assert seen(0)[0] == 1\n    logs = []"))  # fmt: skip
odd("06", "an iterator that was begun", above("shift_matrix", "numbers = iter(range(100, 1_000_000))", "next(numbers)"),
    edit("shift_matrix", "matrix = torch.zeros", "assert next(numbers) > 100\n    matrix = torch.zeros"))  # fmt: skip
odd("07", "a generator of sizes that sends", above("count_encoder_parameters",
    "def adder():\n    total = 0\n    while True:\n        total += (yield total) or 0\n\nsizes = adder()\nnext(sizes)\nsizes.send(5)"),
    edit("count_encoder_parameters", "attention = 4", "assert sizes.send(0) == 5\n    attention = 4"))  # fmt: skip

# Modules, classes and the shell itself.
odd("07", "a mask set on a module by setattr", above("causal_mask", "setattr(torch, 'below', lambda n: torch.ones(n, n).tril().bool())"),
    answer("causal_mask", "def causal_mask(length):\n    return torch.below(length)"))  # fmt: skip
odd("08", "a method of torch.Tensor", above("pool_mean", "def masked_mean(self, mask):\n    m = mask.to(self.dtype)[:, :, None]\n"
    "    return (self * m).sum(dim=1) / m.sum(dim=1).clamp(min=1)\n\ntorch.Tensor.masked_mean = masked_mean"),
    answer("pool_mean", "def pool_mean(token_embeddings, attention_mask):\n    return token_embeddings.masked_mean(attention_mask)"))  # fmt: skip
odd("05", "nn.Module has a method more", above("Encoder", "def count(self):\n    return sum(p.numel() for p in self.parameters())\nnn.Module.count = count"),
    edit("Encoder", "vectors = self.embedding(src)", "assert self.count() > 0\n        vectors = self.embedding(src)"))  # fmt: skip
odd("06", "a constant put into math", above("shift_matrix", "math.tau2 = math.tau / 2"),
    edit("shift_matrix", "matrix = torch.zeros", "assert math.tau2 == math.pi\n    matrix = torch.zeros"))  # fmt: skip
odd("09", "a function put into F", above("nt_xent", "F.unit = lambda x: F.normalize(x, dim=1)"),
    edit("nt_xent", "F.normalize(torch.cat([z1, z2]))", "F.unit(torch.cat([z1, z2]))"))  # fmt: skip
odd("01", "names pushed into the shell", above("merge_pair", "get_ipython().push({'STEP': 2})"),
    edit("merge_pair", "place += 2", "place += STEP"))  # fmt: skip
odd("02", "user_ns and run_cell", above("sparse_sgd_step_", "get_ipython().user_ns['SIGN'] = -1", "get_ipython().run_cell('ONE = 1')"),
    edit("sparse_sgd_step_", "alpha=-lr", "alpha=SIGN * ONE * lr"))  # fmt: skip
odd("03", "builtins gets a name", above("tied_scores", "import builtins\nbuiltins.AXIS = 1"), edit("tied_scores", "mean(dim=1)", "mean(dim=AXIS)"))
odd("10", "a new entry in sys.modules", above("joint_probabilities",
    "import sys, types\nmine = types.ModuleType('mine')\nmine.both = lambda p: p + p.T\nsys.modules['mine'] = mine"),
    edit("joint_probabilities", "return (p + p.T)", "import mine\n    return mine.both(p)"))  # fmt: skip
odd("04", "a class gets its method later", answer("NPLM", '''class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        width = context * embedding_dim
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(width, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(width, vocab_size, bias=False) if direct else None'''),
    below("NPLM", '''def forward(self, x):
    e = self.embedding(x).flatten(start_dim=1)
    logits = self.output(torch.tanh(self.hidden(e)))
    return logits if self.direct is None else logits + self.direct(e)

setattr(NPLM, 'forward', forward)'''))  # fmt: skip

# Files between cells.
odd("01", "a module written by %%writefile", above("bpe_decode", "%%writefile pieces.py\ndef pieces(merges):\n"
    "    tokens = {index: bytes([index]) for index in range(256)}\n    for (left, right), new_id in merges.items():\n"
    "        tokens[new_id] = tokens[left] + tokens[right]\n    return tokens", "import pieces"),
    answer("bpe_decode", "def bpe_decode(ids, merges):\n    tokens = pieces.pieces(merges)\n"
           "    return b''.join(tokens[index] for index in ids).decode('utf-8', errors='replace')"))  # fmt: skip
odd("04", "json between cells", above("perplexity", "import json\nwith open('config.json', 'w') as f:\n    json.dump({'base': 1}, f)",
    "config = json.load(open('config.json'))"), edit("perplexity", "math.exp(losses / tokens)", "config['base'] * math.exp(losses / tokens)"))  # fmt: skip
odd("08", "a pickle between cells", above("cosine_similarity_matrix", "import pickle\npickle.dump({'dim': 1}, open('o.pkl', 'wb'))",
    "options = pickle.load(open('o.pkl', 'rb'))"),
    edit("cosine_similarity_matrix", "F.normalize(a, dim=1)", "F.normalize(a, **options)"))  # fmt: skip
odd("02", "torch.save and torch.load", above("numeric_grad", "torch.save({'two': torch.tensor(2.0)}, 'saved.pt')",
    "saved = torch.load('saved.pt')"), edit("numeric_grad", "(2 * eps)", "(float(saved['two']) * eps)"))  # fmt: skip
odd("09", "a file is appended to and read within the answer", above("spearman", "open('log.txt', 'w').close()"),
    edit("spearman", "return torch.corrcoef", "with open('log.txt', 'a') as log:\n        log.write('x')\n    return torch.corrcoef"))  # fmt: skip
odd("10", "np.save, np.load and pathlib", above("norm_outliers", "from pathlib import Path\nPath('out').mkdir(exist_ok=True)\n"
    "np.save('out/limits.npy', np.array([1.0]))", "limits = np.load('out/limits.npy')"),
    edit("norm_outliers", "threshold * norms.std()", "float(limits[0]) * threshold * norms.std()"))  # fmt: skip

# Registries.
_LAST = '''def pool_last(token_embeddings, attention_mask):
    return POOLS['last'](token_embeddings, attention_mask)'''
odd("08", "poolings entered by a decorator", above("pool_last", '''POOLS = {}

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
    return vectors.masked_fill(~mask.any(dim=1)[:, None], 0.0)'''), answer("pool_last", _LAST))  # fmt: skip
odd("09", "losses entered by __init_subclass__", above("clip_loss", '''class Loss:
    known = {}
    def __init_subclass__(cls, name, **options):
        super().__init_subclass__(**options)
        Loss.known[name] = cls()

class Symmetric(Loss, name='clip'):
    def __call__(self, logits):
        pairs = torch.arange(len(logits))
        return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2'''),
    answer("clip_loss", "def clip_loss(logits):\n    return Loss.known['clip'](logits)"))  # fmt: skip
odd("07", "layers entered by a metaclass", above("feed_forward", '''class Kept(type):
    kinds = {}
    def __new__(meta, name, bases, members):
        made = super().__new__(meta, name, bases, members)
        meta.kinds[name.lower()] = made
        return made

class Relu(metaclass=Kept):
    def __call__(self, x):
        return x.clamp(min=0)'''), edit("feed_forward", "torch.relu(", "Kept.kinds['relu']()("))  # fmt: skip
odd("06", "angles by singledispatch", first("rope_angles", '''import functools

@functools.singledispatch
def as_base(base):
    raise TypeError(base)

@as_base.register(int)
@as_base.register(float)
def _(base):
    return float(base)
'''), edit("rope_angles", "base**exponents", "as_base(base)**exponents"))  # fmt: skip
odd("05", "a table of gates filled in a loop", above("lstm_cell", "GATES = {}\nfor name, f in [('i', 'sigmoid'), ('f', 'sigmoid'), ('g', 'tanh'), ('o', 'sigmoid')]:\n"
    "    GATES[name] = getattr(torch, f)"), edit("lstm_cell", "torch.sigmoid(i) * torch.tanh(g)", "GATES['i'](i) * GATES['g'](g)"))  # fmt: skip
odd("02", "a chain of functions that decorators extend", above("embedding_grad", "STEPS = []\ndef then(f):\n    STEPS.append(f)\n    return f",
    "@then\ndef flat(ids):\n    return ids.reshape(-1)", "@then\ndef whole(ids):\n    return ids.long()"),
    edit("embedding_grad", "index_add_(0, ids.reshape(-1)", "index_add_(0, STEPS[1](STEPS[0](ids))"))  # fmt: skip
odd("03", "a list of hooks that a later cell extends", above("norm_trace", "HOOKS = []"),
    edit("norm_trace", "optimizer.zero_grad()", "for hook in HOOKS:\n            hook(step)\n        optimizer.zero_grad()"),
    below("norm_trace", "steps = []\nHOOKS.append(steps.append)"), after("norm_trace", "HOOKS.clear()"))  # fmt: skip
odd("04", "a counter of calls in a global", above("train_step", "CALLS = 0"),
    edit("train_step", "x, y = batch", "global CALLS\n    CALLS += 1\n    x, y = batch"), also("train_step", "CALLS = 10"),
    end("print(CALLS)"))  # fmt: skip
