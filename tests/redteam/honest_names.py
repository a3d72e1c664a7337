"""Honest notebooks in which a name means one thing where an answer is checked, and another thing elsewhere."""

from .odd_notebooks import above, after, also, answer, below, edit, end, first, odd

# A built-in function's name is taken for a variable below the check of an answer that calls it.
odd(
    "01",
    "max is a number below train_bpe",
    after("train_bpe", "max = 0\nfor n in [3, 8, 5]:\n    if n > max:\n        max = n\nprint(max)"),
)
odd("02", "len is the length of a batch", end("batch = torch.tensor([1, 2, 3])\nlen = batch.shape[0]"))
odd(
    "07",
    "all and any are flags",
    end("all = leaks is not None\nany = False"),
    edit("leaks", "modes = [", "assert all([True])\n    modes = ["),
)

# Names of modules.
odd("04", "F is a force and math a mark", after("sgns_loss", "F = 9.81 * 3"), after("perplexity", "math = 'A-'"))
odd("05", "F, nn and torch are other things at the end", end("F = 1\nnn = 'nearest neighbour'\ntorch = None"))
odd("07", "math imported from itself", above("scaled_dot_product_attention", "import math"), end("from math import pi as math"))
odd(
    "06",
    "torch imported as t, and t is a time",
    first("rope_angles", "import torch as t"),
    edit("rope_angles", "-torch.arange(0, head_dim, 2, dtype=torch.float64)", "-t.arange(0, head_dim, 2, dtype=t.float64)"),
    below("rope_angles", "print(t.arange(3))"),
    after("apply_rope", "import time\nt = time.time()"),
)
odd(
    "10",
    "one alias for two modules",
    first("pca", "import torch.linalg as la"),
    edit("pca", "torch.linalg.svd(", "la.svd("),
    after("pca", "import numpy.linalg as la\nprint(la.norm([3, 4]))"),
)

# A constant, a counter or a helper of one name for two answers.
odd(
    "03",
    "EPS used twice with two values",
    above("renorm_rows", "EPS = 1e-12"),
    edit("renorm_rows", "norms.clamp(min=max_norm)", "norms.clamp(min=max(max_norm, EPS))"),
    above("norm_trace", "EPS = 1e6"),
    edit("norm_trace", "norms = embedding", "assert EPS > 1\n    norms = embedding"),
)
odd(
    "04",
    "POWER is 0.75, then 2",
    above("negative_sampling_distribution", "POWER = 1"),
    edit("negative_sampling_distribution", "counts ** float(power)", "counts ** (POWER * float(power))"),
    after("negative_sampling_distribution", "POWER = 2\nprint(negative_sampling_distribution(torch.tensor([1.0, 3.0])))"),
)
odd(
    "05",
    "NEG is the lowest float, then an int",
    above("attend", "NEG = -1e30"),
    edit("attend", "torch.finfo(scores.dtype).min", "NEG"),
    above("beam_search", "NEG = 'negative'"),
)
odd(
    "11",
    "one constant of two searches",
    above("inverted_file_search", "NOTHING = -1"),
    edit("inverted_file_search", "value=-1)", "value=NOTHING)"),
    above("hamming_search", "NOTHING = None"),
)
odd(
    "02",
    "one helper name in two answers",
    above("moved_rows", "def rows_of(ids):\n    return ids.reshape(-1)"),
    edit("moved_rows", "moved[ids.reshape(-1)]", "moved[rows_of(ids)]"),
    above("softmax_cross_entropy_grad", "def rows_of(logits):\n    return torch.arange(len(logits))"),
    edit("softmax_cross_entropy_grad", "rows = torch.arange(len(logits))", "rows = rows_of(logits)"),
)
odd(
    "09",
    "ranks is a helper of two answers",
    first("mean_reciprocal_rank", "def ranks(similarity, own):\n    return 1 + (similarity > own).sum(dim=1)\n"),
    edit("mean_reciprocal_rank", "ranks = 1 + (similarity > own).sum(dim=1)", "found = ranks(similarity, own)"),
    edit("mean_reciprocal_rank", "(1 / ranks.double())", "(1 / found.double())"),
    first("spearman", "def ranks(values):\n    return values.argsort()\n"),
)
odd(
    "07",
    "helper called helper in three answers",
    *(
        step
        for name, old in (
            ("causal_mask", "position[None, :] <= position[:, None]"),
            ("merge_heads", "x.transpose(1, 2).flatten(2)"),
            ("feed_forward", "hidden @ w2.T + b2"),
        )
        for step in (
            first(name, f"def helper(value):\n    return value + 0 if '{name}' != 'causal_mask' else value\n"),
            edit(name, f"return {old}", f"return helper({old})"),
        )
    ),
)
odd(
    "01",
    "ids is the ids of a sentence, then a counter",
    above("merge_pair", "ids = [1, 2, 3]"),
    after("merge_pair", "print(merge_pair(ids, (1, 2), 9))\nids = iter(ids)\nnext(ids)"),
)
odd(
    "10",
    "x, y and n are everything in turn",
    above("squared_distances", "x = torch.randn(5, 2)\ny = x * 2\nn = len(x)"),
    after("squared_distances", "n = squared_distances(x).sum()\nx = y = 'done'"),
    end("n = None"),
)

# Names of the lesson and of the course.
odd(
    "01",
    "own class Counter",
    answer(
        "build_vocab",
        '''class Counter(dict):
    """Counts words, in the order of their first appearance."""
    def add(self, word):
        self[word] = self.get(word, 0) + 1


def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter()
    for sentence in sentences:
        for word in sentence.split():
            counts.add(word)
    words = sorted((w for w in counts if counts[w] >= min_freq and w not in specials), key=lambda w: -counts[w])
    return {word: index for index, word in enumerate([*specials, *words])}''',
    ),
    above("train_bpe", "from collections import Counter"),
)
odd(
    "05",
    "own helper predict",
    first("greedy_decode", "def predict(decoder, words, state):\n    return decoder(words, state)\n"),
    edit("greedy_decode", "decoder(words, state)  #", "predict(decoder, words, state)  #"),
)
odd(
    "09",
    "own helpers check and hint inside an answer",
    above("clip_loss", "def hint(text):\n    return text", "def case(x):\n    return x + 0"),
    edit("clip_loss", "pairs = torch", "hint('square')\n    pairs = torch"),
    edit("clip_loss", "range(len(logits))", "range(len(case(logits)))"),
)
odd(
    "04",
    "own function called progress",
    above("perplexity", "def progress(step, total):\n    return f'{step}/{total}'"),
    edit("perplexity", "losses = torch", "progress(1, 2)\n    losses = torch"),
)
odd(
    "06",
    "own class Sequence",
    above("LearnedPositions", "class Sequence:\n    def __init__(self, length): self.length = length"),
    edit("LearnedPositions", "length = x.shape[1]", "length = Sequence(x.shape[1]).length"),
)
odd(
    "02",
    "a result is called as the exercise was",
    after(
        "embedding_grad_with_options",
        "embedding_grad_result = embedding_grad(torch.tensor([0]), torch.ones(1, 2), 2)\ngradient = embedding_grad_result",
    ),
)
odd(
    "08",
    "the answer's name is bound to its result once",
    after(
        "cosine_similarity_matrix",
        "keep = cosine_similarity_matrix\ncosine_similarity_matrix = cosine_similarity_matrix(torch.eye(2), torch.eye(2))",
        "cosine_similarity_matrix = keep",
    ),
)
odd(
    "10",
    "the answer's name is bound to its result for good",
    after("norm_outliers", "norm_outliers = norm_outliers(torch.eye(9))"),
)
odd(
    "03",
    "the answer is wrapped by a timer of the same name",
    below(
        "tied_scores",
        "_tied = tied_scores\ndef tied_scores(*args):\n    global seconds\n    begin = time.time()\n"
        "    out = _tied(*args)\n"
        "    seconds = time.time() - begin\n    return out",
        "import time",
    ),
)
odd(
    "06",
    "a global of two answers, deleted in between",
    above("sinusoidal_positions", "KIND = torch.float64"),
    edit("sinusoidal_positions", "torch.arange(length, dtype=torch.float64)", "torch.arange(length, dtype=KIND)"),
    after("sinusoidal_positions", "del KIND"),
    above("shift_matrix", "KIND = 'matrix'"),
)
odd(
    "07",
    "underscore is used and read",
    above("layer_norm", "_ = 0.5"),
    edit("layer_norm", "variance = ", "assert _ == 0.5\n    variance = "),
    after("layer_norm", "_ = None\nfor _ in range(3): pass"),
)
odd(
    "04",
    "a loop variable of the notebook that the answer reads",
    above("train_step", "for step in range(4):\n    pass"),
    edit("train_step", "x, y = batch", "assert step == 3\n    x, y = batch"),
    after("train_step", "step = 'last'"),
)
odd(
    "09",
    "the same constant under three cells",
    above("warmup_cosine", "TURN = 1", "TURN = 2", "TURN = math.pi"),
    edit("warmup_cosine", "math.pi * passed", "TURN * passed"),
    after("warmup_cosine", "TURN = 0"),
)
odd(
    "10",
    "a function redefined with another signature below",
    first("analogy", "def cosine(a, b):\n    return a @ b / a.norm(dim=1)\n"),
    edit("analogy", "embedding @ query / norms", "cosine(embedding, query)"),
    after("analogy", "def cosine(angle):\n    return math.cos(angle)\nprint(cosine(0.0))"),
)
odd(
    "05",
    "lambda table whose names change",
    above("lstm_cell", "gate = torch.sigmoid\ngates = {'i': lambda z: gate(z)}"),
    edit("lstm_cell", "torch.sigmoid(i)", "gates['i'](i)"),
    after("lstm_cell", "gate = torch.tanh"),
)
odd(
    "02",
    "eps is a default, a global and a result",
    above("numeric_grad", "eps = 1e-4"),
    edit(
        "numeric_grad", "gradient = torch.zeros_like(x)", "assert globals()['eps'] == 1e-4\n    gradient = torch.zeros_like(x)"
    ),
    after("numeric_grad", "eps = numeric_grad(lambda v: (v ** 2).sum(), torch.ones(2))"),
    also("numeric_grad", "eps = 1e-4"),
)
