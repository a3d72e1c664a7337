"""Honest notebooks that use what Python and notebooks offer: closures, caches, code from text, magics, plots, training."""

from .odd_notebooks import above, after, also, answer, edit, end, first, odd

# Functions.
odd(
    "01",
    "a generator makes the merged list",
    answer(
        "merge_pair",
        """def _merged(ids, pair, new_id):
    place = 0
    while place < len(ids):
        if tuple(ids[place:place + 2]) == tuple(pair):
            yield new_id
            place += 2
        else:
            yield ids[place]
            place += 1

def merge_pair(ids, pair, new_id):
    return list(_merged(ids, pair, new_id))""",
    ),
)
odd(
    "02",
    "a closure over a variable of the notebook",
    above(
        "softmax_cross_entropy_grad",
        "def make(scale):\n    def scaled(g):\n        return g / (scale * len(g))\n    return scaled",
        "mean_of = make(1)",
    ),
    edit("softmax_cross_entropy_grad", "gradient / len(logits)", "mean_of(gradient)"),
    after("softmax_cross_entropy_grad", "del make"),
)
odd(
    "05",
    "closures over a loop variable, bound by a default",
    above(
        "shift_targets",
        "makers = []\nfor fill in ('bos', 'pad'):\n"
        "    makers.append(lambda tgt, value, fill=fill: tgt.new_full((len(tgt), 1), value))",
    ),
    edit("shift_targets", "tgt.new_full((rows, 1), bos)", "makers[0](tgt, bos)"),
    edit("shift_targets", "tgt.new_full((rows, 1), pad)", "makers[1](tgt, pad)"),
)
odd(
    "06",
    "closures over a loop variable that stays at its last value",
    above("sinusoidal_positions", "waves = []\nfor wave in ('cos', 'sin'):\n    waves.append(lambda a: getattr(a, wave)())"),
    edit("sinusoidal_positions", "= angles.sin()", "= waves[0](angles)"),
    end("wave = None"),
)
odd(
    "04",
    "a cached helper",
    above("ngram_baseline", "import functools\n@functools.lru_cache(maxsize=None)\ndef size(v):\n    return v * v"),
    edit("ngram_baseline", "minlength=V * V", "minlength=size(V)"),
    after("ngram_baseline", "size.cache_clear(); size(3)"),
)
odd(
    "07",
    "partials of a partial",
    above(
        "layer_norm",
        "from functools import partial\nrow_mean = partial(torch.mean, dim=-1)",
        "row_mean = partial(row_mean, keepdim=True)",
    ),
    edit("layer_norm", "centred.square().mean(dim=-1, keepdim=True)", "row_mean(centred.square())"),
)
odd(
    "09",
    "lambdas in a table",
    above(
        "quantize_uint8", "ENDS = {'low': lambda x: x.amin(dim=1, keepdim=True), 'high': lambda x: x.amax(dim=1, keepdim=True)}"
    ),
    edit("quantize_uint8", "x.amin(dim=1, keepdim=True)", "ENDS['low'](x)"),
    edit("quantize_uint8", "x.amax(dim=1, keepdim=True)", "ENDS['high'](x)"),
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
    "05",
    "a helper made by eval",
    above("attend", "dots = eval('lambda q, m: torch.einsum(\"bh,bsh->bs\", q, m)')"),
    edit("attend", 'torch.einsum("bh,bsh->bs", query, memory)', "dots(query, memory)"),
)
odd(
    "04",
    "names made by globals()",
    above("skip_gram_pairs", "for name, value in dict(LEFT=1, RIGHT=1).items():\n    globals()[name] = value"),
    edit("skip_gram_pairs", "place + window)", "RIGHT * (place + window))"),
    after("skip_gram_pairs", "del globals()['LEFT']"),
)
odd(
    "07",
    "star imports",
    above("scaled_dot_product_attention", "from math import *\nfrom torch.nn.functional import *"),
    edit("scaled_dot_product_attention", "math.sqrt(", "sqrt("),
    edit("scaled_dot_product_attention", "torch.softmax(", "softmax("),
)
odd(
    "10",
    "from __future__ in a cell, and a postponed annotation",
    above("trustworthiness", "from __future__ import annotations"),
    first("trustworthiness", "Table = None"),
    also("trustworthiness", "def shown(x: NotThere) -> AlsoNot:\n    return x"),
)
odd(
    "02",
    "import under try with another way",
    above("numeric_grad", "try:\n    from numba import ndindex\nexcept ImportError:\n    from numpy import ndindex"),
    edit("numeric_grad", "np.ndindex(", "ndindex("),
)
odd(
    "06",
    "a dataclass of settings",
    above(
        "apply_rope",
        "from dataclasses import dataclass, field\n@dataclass\nclass Pairs:\n    step: int = 2\n"
        "    starts: list = field(default_factory=lambda: [0, 1])\nPAIRS = Pairs()",
    ),
    edit(
        "apply_rope", "x[..., 0::2], x[..., 1::2]", "x[..., PAIRS.starts[0]::PAIRS.step], x[..., PAIRS.starts[1]::PAIRS.step]"
    ),
)
odd(
    "08",
    "walrus at the top of the notebook",
    above("pool_cls", "print(FIRST := 1)"),
    edit("pool_cls", "argmax(dim=1)", "argmax(dim=FIRST)"),
)
odd(
    "09",
    "async helper that is awaited",
    above(
        "hamming_search", "import asyncio\nasync def bits():\n    await asyncio.sleep(0)\n    return 8", "BITS = await bits()"
    ),
    edit("hamming_search", "range(8)", "range(BITS)"),
)
odd(
    "03",
    "context manager of one's own",
    above(
        "lookup_with_max_norm_",
        "from contextlib import contextmanager\n@contextmanager\ndef frozen():\n    with torch.no_grad():\n        yield",
    ),
    edit("lookup_with_max_norm_", "with torch.no_grad():", "with frozen():"),
)
odd(
    "05",
    "a named tuple and an enum",
    above(
        "beam_search",
        "from collections import namedtuple\nfrom enum import Enum, auto\n"
        "Hyp = namedtuple('Hyp', 'prefix total')\n"
        "class Mode(Enum):\n    BEAM = auto()",
    ),
    edit("beam_search", "[([bos], 0.0)]", "[Hyp([bos], 0.0)]"),
)
odd(
    "01",
    "a regular expression compiled in a cell",
    above("encode_with_special", "import regex as re\nBAR = re.compile('x').pattern.replace('x', '|')"),
    edit("encode_with_special", '"|".join(', "BAR.join("),
)
