"""Honest notebooks that use what Python and notebooks offer: closures, caches, code from text, magics, plots, training."""

from .odd_notebooks import above, after, answer, edit, end, first, odd

# Functions.
odd(
    "06",
    "closures over a loop variable that stays at its last value",
    above("sinusoidal_positions", "waves = []\nfor wave in ('cos', 'sin'):\n    waves.append(lambda a: getattr(a, wave)())"),
    edit("sinusoidal_positions", "= angles.sin()", "= waves[0](angles)"),
    end("wave = None"),
)
odd(
    "10",
    "the answer is made by a lambda and a partial",
    first("joint_probabilities", "from functools import partial as part"),
    answer(
        "joint_probabilities",
        "from functools import partial as part\n"
        "_joint = lambda scale, p: (p + p.T) / (scale * len(p))\n"
        "joint_probabilities = part(_joint, 2)",
    ),
)
odd(
    "08",
    "a class with __call__ is the answer",
    answer(
        "pool_weighted",
        """class _Weighted:
    def __call__(self, token_embeddings, attention_mask):
        mask = attention_mask.to(token_embeddings.dtype)
        weights = (mask.cumsum(dim=1) * mask)[:, :, None]
        return (token_embeddings * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)

pool_weighted = _Weighted()""",
    ),
)
odd(
    "03",
    "decorated by an own timer that counts",
    above(
        "renorm_rows",
        "import functools, time\nTIMES = defaultdict(list)\n\ndef timed(f):\n"
        "    @functools.wraps(f)\n    def inner(*args, **options):\n"
        "        begin = time.perf_counter()\n        try:\n"
        "            return f(*args, **options)\n        finally:\n"
        "            TIMES[f.__name__].append(time.perf_counter() - begin)\n    return inner",
    ),
    edit("renorm_rows", "def renorm_rows(", "@timed\ndef renorm_rows("),
    after("renorm_rows", "print({k: sum(v) for k, v in TIMES.items()})"),
)
odd(
    "09",
    "recursion between two helpers",
    first(
        "ndcg_at_k",
        "def even(n):\n    return n == 0 or odd_number(n - 1)\n\ndef odd_number(n):\n    return n != 0 and even(n - 1)\n",
    ),
    edit("ndcg_at_k", "given = [", "assert even(4)\n    given = ["),
)

# Code from text, names from text.
odd(
    "01",
    "the answer is made by exec",
    answer(
        "encode_sentence",
        '''exec("""
def encode_sentence(sentence, vocab):
    return [vocab.get(word, vocab["<unk>"]) for word in sentence.split()]
""")''',
    ),
)
odd(
    "07",
    "star imports",
    above("scaled_dot_product_attention", "from math import *\nfrom torch.nn.functional import *"),
    edit("scaled_dot_product_attention", "math.sqrt(", "sqrt("),
    edit("scaled_dot_product_attention", "torch.softmax(", "softmax("),
)
