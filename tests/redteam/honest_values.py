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
    "10",
    "numpy writes into an array by out=",
    above("pca", "box = np.zeros(3)\nnp.add(box, 2, out=box)"),
    edit("pca", "centred = x", "assert box.sum() == 6\n    centred = x"),
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
