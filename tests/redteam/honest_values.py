"""Honest notebooks whose answers need a state that own cells bring about: by reading, in place, in modules, in files."""

from .odd_notebooks import above, answer, below, edit, first, odd

# Values that change without an assignment.
odd(
    "01",
    "defaultdict filled by reading",
    above("build_vocab", "numbers = defaultdict(lambda: len(numbers))\nnumbers['<pad>'], numbers['<unk>']"),
    above("encode_sentence", "for word in 'a b a'.split():\n    numbers[word]"),
    edit("encode_sentence", "return [", "assert len(numbers) == 4\n    return ["),
)
odd(
    "01",
    "a dict with __missing__",
    above(
        "encode_sentence",
        "class Ids(dict):\n    def __missing__(self, word):\n        self[word] = len(self)\n"
        "        return self[word]\nmine = Ids()",
        "mine['a'], mine['b']",
    ),
    edit("encode_sentence", "return [", "assert mine == {'a': 0, 'b': 1}\n    return ["),
)
odd(
    "02",
    "a buffer that is written to",
    above("moved_rows", "import io\nlog = io.StringIO()", "_ = log.write('begin\\n')"),
    edit("moved_rows", "decays = ", "assert log.getvalue().startswith('begin')\n    decays = "),
)
odd(
    "04",
    "an order that is shuffled",
    above("make_ngrams", "rng = random.Random(4)\nORDER = list(range(6))", "rng.shuffle(ORDER)"),
    edit("make_ngrams", "rows, targets = [], []", "assert ORDER != sorted(ORDER)\n    rows, targets = [], []"),
)
odd(
    "03",
    "a table written by out=",
    above("renorm_rows", "W = torch.empty(2, 2)", "torch.mul(torch.eye(2), 3, out=W)"),
    edit("renorm_rows", "norms = ", "assert W.sum() == 6\n    norms = "),
)
odd(
    "10",
    "numpy writes into an array by out=",
    above("pca", "box = np.zeros(3)\nnp.add(box, 2, out=box)"),
    edit("pca", "centred = x", "assert box.sum() == 6\n    centred = x"),
)
odd(
    "08",
    "a view of a table is written to",
    above("pool_mean", "base = torch.zeros(4)\nview = base[1:3]", "view += 1\nview[0] = 5"),
    edit("pool_mean", "mask = ", "assert base.tolist() == [0, 5, 1, 0]\n    mask = "),
)
odd(
    "09",
    "rows of a list are one list",
    above("recommend", "grid = [[0]] * 3\ngrid[1].append(7)"),
    edit("recommend", "cosines = ", "assert grid[2] == [0, 7]\n    cosines = "),
)
odd(
    "05",
    "a function's default list grows",
    first("bleu", "def seen(n, known=[]):\n    known.append(n)\n    return known\n\nseen(1)"),
    edit("bleu", "logs = []", "assert seen(0)[0] == 1\n    logs = []"),
)
odd(
    "06",
    "an iterator that was begun",
    above("shift_matrix", "numbers = iter(range(100, 1_000_000))", "next(numbers)"),
    edit("shift_matrix", "matrix = torch.zeros", "assert next(numbers) > 100\n    matrix = torch.zeros"),
)
odd(
    "07",
    "a generator of sizes that sends",
    above(
        "count_encoder_parameters",
        "def adder():\n    total = 0\n    while True:\n        total += (yield total) or 0\n\n"
        "sizes = adder()\nnext(sizes)\nsizes.send(5)",
    ),
    edit("count_encoder_parameters", "attention = 4", "assert sizes.send(0) == 5\n    attention = 4"),
)

# Modules, classes and the shell itself.
odd(
    "07",
    "a mask set on a module by setattr",
    above("causal_mask", "setattr(torch, 'below', lambda n: torch.ones(n, n).tril().bool())"),
    answer("causal_mask", "def causal_mask(length):\n    return torch.below(length)"),
)
odd(
    "08",
    "a method of torch.Tensor",
    above(
        "pool_mean",
        "def masked_mean(self, mask):\n    m = mask.to(self.dtype)[:, :, None]\n"
        "    return (self * m).sum(dim=1) / m.sum(dim=1).clamp(min=1)\n\n"
        "torch.Tensor.masked_mean = masked_mean",
    ),
    answer(
        "pool_mean", "def pool_mean(token_embeddings, attention_mask):\n    return token_embeddings.masked_mean(attention_mask)"
    ),
)
odd(
    "05",
    "nn.Module has a method more",
    above("Encoder", "def count(self):\n    return sum(p.numel() for p in self.parameters())\nnn.Module.count = count"),
    edit("Encoder", "vectors = self.embedding(src)", "assert self.count() > 0\n        vectors = self.embedding(src)"),
)
odd(
    "06",
    "a constant put into math",
    above("shift_matrix", "math.tau2 = math.tau / 2"),
    edit("shift_matrix", "matrix = torch.zeros", "assert math.tau2 == math.pi\n    matrix = torch.zeros"),
)
odd(
    "09",
    "a function put into F",
    above("nt_xent", "F.unit = lambda x: F.normalize(x, dim=1)"),
    edit("nt_xent", "F.normalize(torch.cat([z1, z2]))", "F.unit(torch.cat([z1, z2]))"),
)
odd(
    "01",
    "names pushed into the shell",
    above("merge_pair", "get_ipython().push({'STEP': 2})"),
    edit("merge_pair", "place += 2", "place += STEP"),
)
odd(
    "02",
    "user_ns and run_cell",
    above("sparse_sgd_step_", "get_ipython().user_ns['SIGN'] = -1", "get_ipython().run_cell('ONE = 1')"),
    edit("sparse_sgd_step_", "alpha=-lr", "alpha=SIGN * ONE * lr"),
)
odd(
    "03",
    "builtins gets a name",
    above("tied_scores", "import builtins\nbuiltins.AXIS = 1"),
    edit("tied_scores", "mean(dim=1)", "mean(dim=AXIS)"),
)
odd(
    "10",
    "a new entry in sys.modules",
    above(
        "joint_probabilities",
        "import sys, types\nmine = types.ModuleType('mine')\nmine.both = lambda p: p + p.T\nsys.modules['mine'] = mine",
    ),
    edit("joint_probabilities", "return (p + p.T)", "import mine\n    return mine.both(p)"),
)
odd(
    "04",
    "a class gets its method later",
    answer(
        "NPLM",
        """class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        width = context * embedding_dim
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(width, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(width, vocab_size, bias=False) if direct else None""",
    ),
    below(
        "NPLM",
        """def forward(self, x):
    e = self.embedding(x).flatten(start_dim=1)
    logits = self.output(torch.tanh(self.hidden(e)))
    return logits if self.direct is None else logits + self.direct(e)

setattr(NPLM, 'forward', forward)""",
    ),
)
