"""Honest notebooks whose answer needs a state that cells of the learner's own bring about, in all ways that Python has."""

from dataclasses import dataclass


@dataclass(frozen=True)
class State:
    """Cells of the learner's own, and what must hold when the answer is called, as a statement. They may stand `below` it."""

    cells: tuple[str, ...]
    holds: str
    below: bool = False


def _of(*cells: str, holds: str, below: bool = False) -> State:
    return State(cells, holds, below)


STATES: dict[str, State] = {
    "star_import": _of("from math import *", holds="assert sqrt(4) == 2"),
    "filled_in_another_cell": _of("T = {}", "for word in ['a', 'b']:\n    T[word] = len(T)", holds="assert T['b'] == 1"),
    "filled_under_try": _of("try:\n    import numba\nexcept ImportError:\n    numba = 3", holds="assert numba == 3"),
    "append": _of("L = []\nL.append(1)", "L.append(2)", holds="assert L == [1, 2]"),
    "append_behind_the_answer": _of("L = [1]", "L.append(2)", holds="assert L == [1, 2]", below=True),
    "subscript": _of("CFG = {'eps': 1.0}", "CFG['eps'] = 2.0", holds="assert CFG['eps'] == 2.0"),
    "update": _of("CFG = dict(eps=1)", "CFG.update(eps=2)", holds="assert CFG['eps'] == 2"),
    "attribute": _of("class H: pass\ndef norm(x): return x", "H.norm = norm", holds="assert H.norm(3) == 3"),
    "method_set_later": _of(
        "class H:\n    eps = 1", "def f(self): return self.eps\nH.get = f", "H.eps = 2",
        holds="assert H().get() == 2",
    ),
    "setattr": _of("class H: pass", "setattr(H, 'norm', 7)", holds="assert H.norm == 7"),
    "delattr": _of(
        "class H:\n    a = b = 1", "del H.a", "delattr(H, 'b')",
        holds="assert not hasattr(H, 'a') and not hasattr(H, 'b')",
    ),
    "augmented": _of("N = 1", "N += 2", "N *= 2", holds="assert N == 6"),
    "del_item": _of("L = [1, 2, 3]", "del L[0]", holds="assert L == [2, 3]"),
    "del_of_a_shadow": _of("sum = 3", "print(sum)\ndel sum", holds="assert sum([1, 2]) == 3"),
    "future_annotations": _of(
        "from __future__ import annotations\ndef helper(x: Nowhere) -> NorThere:\n    return x", holds="assert helper(2) == 2"
    ),
    "future_in_a_cell_of_its_own": _of(
        "import os", "from __future__ import annotations", "def helper(x: Nowhere):\n    return x",
        holds="assert helper(2) == 2",
    ),
    "registry_by_decorator": _of(
        "KNOWN = {}\ndef known(f):\n    KNOWN[f.__name__] = f\n    return f", "@known\ndef twice(x): return 2 * x",
        holds="assert KNOWN['twice'](2) == 4",
    ),
    "registry_of_subclasses": _of(
        "class Base:\n    all = []\n    def __init_subclass__(cls):\n        cls.all.append(cls.__name__)",
        "class One(Base): pass",
        holds="assert Base.all == ['One']",
    ),
    "single_dispatch": _of(
        "from functools import singledispatch\n@singledispatch\ndef show(x): return 'any'",
        "@show.register(int)\ndef _(x): return 'int'", holds="assert show(1) == 'int'",
    ),
    "global_in_a_function": _of("def begin():\n    global READY\n    READY = 5", "begin()", holds="assert READY == 5"),
    "function_that_fills": _of(
        "T = {}\ndef put(word):\n    T[word] = len(T)", "put('a')\nfor w in 'bc': put(w)",
        holds="assert len(T) == 3",
    ),
    "own_class_that_grows": _of(
        "class Vocabulary:\n    def __init__(self): self.ids = {}\n    def add(self, w):\n        self.ids[w] = len(self.ids)\n"
        "        return self.ids[w]\nV = Vocabulary()", "numbers = [V.add(w) for w in 'ab']", holds="assert V.ids['b'] == 1",
    ),
    "another_name": _of("T = {}", "t = T", "t['a'] = 1", holds="assert T == {'a': 1}"),
    "rows_under_another_name": _of("G = [[], []]", "for row in G:\n    row.append(0)", holds="assert G == [[0], [0]]"),
    "walrus": _of("print(n := 10)", holds="assert n == 10"),
    "comprehension_for_its_effect": _of("L = []", "[L.append(i) for i in range(3)]", holds="assert L == [0, 1, 2]"),
    "partial": _of(
        "import functools\ndef p(x, n): return x ** n\nsquare = functools.partial(p, n=2)",
        holds="assert square(3) == 9",
    ),
    "globals": _of("globals()['NAME'] = 3", "globals().update(OTHER=4)", holds="assert NAME + OTHER == 7"),
    "unless_it_is_there": _of("if 'SIZE' not in globals():\n    SIZE = 8", holds="assert SIZE == 8"),
    "match": _of("match (1, 2):\n    case (x, y):\n        PAIR = x + y", holds="assert PAIR == 3"),
    "dataclass": _of(
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    eps: float = 1.0\nC1 = C()", "C1.eps = 2.0",
        holds="assert C1.eps == 2.0",
    ),
    "enum_and_named_tuple": _of(
        "from enum import Enum\nfrom collections import namedtuple\nclass E(Enum):\n    A = 1\nP = namedtuple('P', 'x')",
        holds="assert E.A.value == P(1).x",
    ),
    "old_numpy_names": _of("import numpy as np\nnp.float = float", holds="assert np.float is float"),
    "tensor_in_place": _of("import torch\nW = torch.zeros(2)", "W.fill_(2)", "W[0] = 1", holds="assert W.tolist() == [1, 2]"),
    "module_weights": _of(
        "lin = torch.nn.Linear(1, 1)", "with torch.no_grad():\n    lin.weight.fill_(3)", "lin.eval()",
        holds="assert lin.weight.item() == 3 and not lin.training",
    ),
    "recursion_limit": _of(
        "import sys\nsys.setrecursionlimit(20_000)\ndef deep(n): return n and deep(n - 1)", holds="assert deep(5_000) == 0"
    ),
    "reverse_order": _of("C = B + 1", "B = A + 1", "A = 1", holds="assert C == 3"),
    "semicolons": _of("a = 1; L = [a]; L.append(2); print(L)", holds="assert L == [1, 2]"),
    "timed_cell": _of("%%time\nT = {}\nfor i in range(3): T[i] = i", holds="assert len(T) == 3"),
    "timed_line": _of("%time BIG = sum(range(10))", holds="assert BIG == 45"),
    "captured_cell": _of("%%capture shown\nprint(1)\nKEPT = 2", holds="assert KEPT == 2"),
    "helper_file": _of(
        "%%writefile my_helpers.py\ndef twice(x):\n    return 2 * x", "from my_helpers import twice",
        holds="assert twice(2) == 4",
    ),
    "magics_between": _of("!pip install x\nT = {}", "%matplotlib inline\nT['a'] = 1", holds="assert T['a'] == 1"),
    "failing_plot_between": _of("T = {'a': 1}", "import seaborn\nseaborn.heatmap(T)\nT['b'] = 2", holds="assert T['b'] == 2"),
    "training_beside_it": _of(
        "LR = 0.5", "for step in range(10**12):\n    loss = step * LR", holds="assert LR == 0.5"
    ),
    "one_name_for_two_loops": _of(
        "T = {}\nfor i in range(3): T[i] = 1", "for i in range(10**12):\n    x = i", holds="assert len(T) == 3"
    ),
    "method_under_a_name": _of("L = []\nput = L.append", "put(1)", holds="assert L == [1]"),
    "iterator_moved_on": _of("it = iter(range(10**6))", "first = next(it)", holds="assert next(it) >= 1"),
    "thread_that_fills": _of(
        "import threading\nL = []\nt = threading.Thread(target=lambda: L.append(1))", "t.start(); t.join()",
        holds="assert L == [1]",
    ),
    "exec": _of("CODE = 'def helper(x): return x'", "exec(CODE)", holds="assert helper(3) == 3"),
    "pylab": _of("%pylab inline", holds="assert zeros(2).sum() == 0"),
    "gradients": _of(
        "W = torch.zeros(2, requires_grad=True)", "(W * 2).sum().backward()",
        holds="assert W.grad.tolist() == [2, 2]",
    ),
    "written_file": _of(
        "import json\nwith open('d.json', 'w') as f:\n    json.dump({'a': 1}, f)",
        "with open('d.json') as f:\n    D = json.load(f)",
        holds="assert D == {'a': 1}",
    ),
    "written_module": _of(
        "from pathlib import Path\nPath('mine.py').write_text('x = 4')", "from mine import x as got", holds="assert got == 4",
    ),
    "saved_tensor": _of(
        "torch.save({'w': torch.ones(1)}, 'w.pt')", "W = torch.load('w.pt')",
        holds="assert W['w'].item() == 1",
    ),
    "progress_bar": _of(
        "from tqdm.auto import tqdm, trange\nL = []\nbar = tqdm(range(3), desc='x')\nfor i in bar:\n    L.append(i)\n"
        "    bar.set_postfix(loss=0)", "for i in trange(2): L.append(i)", holds="assert L == [0, 1, 2, 0, 1]",
    ),
    "main_guard": _of(
        "def main():\n    global READY\n    READY = 7\nif __name__ == '__main__':\n    main()",
        holds="assert READY == 7",
    ),
    "names_in_chinese": _of("向量 = [1, 2]\ndef 长度(x): return len(x)", "向量.append(3)", holds="assert 长度(向量) == 3"),
    "awaited": _of("async def f(): return 4", "X = await f()", holds="assert X == 4"),
    "redefined": _of(
        "def helper(x): return 0", "print(helper(1))\ndel helper", "def helper(x): return x + 1",
        holds="assert helper(2) == 3",
    ),
}  # fmt: skip
