"""Provide the documents of the project `search_engine`: the docstrings of functions and classes of the installed libraries.

The searched documents are functions and classes, without methods. All other entries of `api_search` are further texts,
which answer no query and may be used for training.
"""

from functools import cache
from typing import NamedTuple

from . import api_search

#: Modules that are searched. The standard library is searched except for `_NOT_SEARCHED`; methods never are.
_SEARCHED = frozenset((
    "numpy", "numpy.linalg", "numpy.random", "numpy.fft", "torch", "torch.nn", "torch.nn.utils.rnn", "torch.nn.init",
    "torch.optim.lr_scheduler", "torch.utils.data", "torch.linalg", "matplotlib.pyplot", "scipy.optimize", "scipy.integrate",
    "scipy.interpolate", "scipy.linalg", "scipy.ndimage", "scipy.signal", "scipy.spatial", "scipy.stats",
    "scipy.cluster.hierarchy", "scipy.sparse.csgraph", "sklearn.cluster", "sklearn.decomposition", "sklearn.manifold",
    "sklearn.model_selection", "sklearn.metrics", "sklearn.preprocessing", "sklearn.ensemble",
    "sklearn.feature_extraction.text", "sklearn.impute", "sklearn.linear_model", "sklearn.pipeline", "sklearn.neighbors",
    "sklearn.svm", "sklearn.tree",
))
_NOT_SEARCHED = ("unittest", "test", "curses", "asyncio.", "nntplib")
_BUILT_IN = frozenset((
    "str", "bytes", "bytearray", "list", "dict", "set", "int", "float", "frozenset", "memoryview", "complex",
))


class Collection(NamedTuple):
    """Hold documents: `texts[i]` is name, first sentence and details of `names[i]`, one in each line.

    `further` are texts of the same form that answer no query.
    """

    names: list[str]
    texts: list[str]
    further: list[str]


@cache
def collection() -> Collection:
    """Return the documents of this machine; the first call may read the docstrings, which takes half a minute."""
    entries = api_search.everything()
    classes = {entry.name for entry in entries if entry.kind == "class"}
    searched = {entry.name for entry in entries if _is_searched(entry, classes)}
    text = {entry.name: f"{entry.name}\n{entry.summary}\n{entry.body}" for entry in entries}
    names = [entry.name for entry in entries if entry.name in searched]
    return Collection(names, [text[name] for name in names], [body for name, body in text.items() if name not in searched])


def _is_searched(entry: api_search.Entry, classes: set[str]) -> bool:
    module = entry.name.rpartition(".")[0]
    if entry.library != "python":
        return module in _SEARCHED
    return (module.islower() and module not in classes | _BUILT_IN and not module.startswith(_NOT_SEARCHED)) or not module
