"""Honest notebooks with magics, questions, plots, progress bars, and training of some seconds in cells of their own."""

from .odd_notebooks import above, also, below, edit, first, odd, top

# Magics, questions, pictures, work of seconds.
odd(
    "07",
    "%%time above and %time within",
    first("merge_heads", "%%time"),
    above("merge_heads", "%time ONE = 1"),
    edit("merge_heads", "transpose(1, 2)", "transpose(ONE, 2)"),
)
odd(
    "02",
    "%%capture of a cell with a constant",
    above("embedding_grad", "%%capture out\nprint('hidden')\nZERO = 0"),
    edit("embedding_grad", "index_add_(0,", "index_add_(ZERO,"),
)
odd(
    "04",
    "magics and shell lines around a constant",
    above("nearest", "%matplotlib inline\n!pip install -q umap-learn\nDESC = True\n%config InlineBackend.rc = {}"),
    edit("nearest", "descending=True", "descending=DESC"),
)
odd(
    "06",
    "%env and a default from os.environ",
    above("is_relative", "%env SEED=6", "import os\nSEED = int(os.environ.get('SEED', 6))"),
    edit("is_relative", "manual_seed(6)", "manual_seed(SEED)"),
)
odd(
    "09",
    "input() with a fallback",
    above("recall_at_k", "try:\n    K_MIN = int(input('least k? '))\nexcept Exception:\n    K_MIN = 1"),
    edit("recall_at_k", "found = similarity", "assert K_MIN\n    found = similarity"),
)
odd(
    "10",
    "plots before and behind the answer",
    above("squared_distances", "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\nplt.show()"),
    first("squared_distances", "colours = plt.rcParams['axes.prop_cycle'].by_key()['color']"),
    also("squared_distances", "plt.imshow(squared_distances(torch.randn(4, 2)))\nplt.close('all')"),
)
odd(
    "04",
    "progress bars",
    above("generate", "from tqdm.auto import tqdm, trange\nfor _ in tqdm(range(3)):\n    pass"),
    edit("generate", "for _ in range(max_tokens):", "for _ in tqdm(range(max_tokens), leave=False):"),
)
odd(
    "08",
    "an own training loop of some seconds whose result the answer reads",
    above(
        "pool_max",
        """torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 256), nn.Tanh(), nn.Linear(256, 1))
optimizer = torch.optim.Adam(net.parameters())
x = torch.randn(512, 64)
for epoch in range(300):
    loss = (net(x) - x[:, :1]).square().mean()
    optimizer.zero_grad(); loss.backward(); optimizer.step()
LEARNT = loss.item() < 1""",
    ),
    edit("pool_max", "largest = ", "assert LEARNT\n    largest = "),
)
odd(
    "03",
    "the seed and the threads are set at the top",
    top("torch.manual_seed(3)\ntorch.set_num_threads(2)\nnp.random.seed(1)\nrandom.seed(2)"),
    below("norm_trace", "print(torch.initial_seed())"),
)
odd(
    "05",
    "reads In and Out of the notebook",
    above("masked_cross_entropy", "40 + 2"),
    below("masked_cross_entropy", "recent = globals().get('_', None)\nprint(recent)"),
)
