"""Which statements of other cells an answer needs, and which experiments stay where they are."""

from __future__ import annotations

import pytest

from embedding_course.checking.intake.needed import needed
from embedding_course.checking.intake.statements import left_after, same_code, split

ANSWER = "def f(x):\n    return helper(x) + TABLE['a']"


def taken(*cells: str, answer: str = ANSWER, given: tuple[str, ...] = (), names: tuple[str, ...] = ("f",)) -> list[str]:
    return [one.text for _, one in needed(cells, {answer}, set(given), set(names))]


def test_what_binds_and_what_changes_a_needed_name_is_taken_in_order() -> None:
    table, fill, helper = "TABLE = {}", "for w in words: TABLE[w] = 1", "def helper(x): return x * scale"
    cells = [table, fill, "words = 'ab'", helper, "scale = 2\nscale += 1", "print(scale)"]
    assert taken(*cells) == [table, fill, "words = 'ab'", helper, "scale = 2", "scale += 1"]


@pytest.mark.parametrize(
    "experiment",
    [
        "for step in range(1000):\n    loss = train(step)",
        "losses = []\nfor step in range(10):\n    losses.append(helper(step))",
        "plt.plot(TABLE['a'])\nplt.show()",
        "print(helper(3), TABLE)",
        "y = [helper(i) for i in range(9)]",
        "while True:\n    x = f(1)",
        "import seaborn\nseaborn.heatmap(TABLE)",
        "for word in TABLE:\n    print(word)",
        "for k, v in TABLE.items():\n    total = v + 1",
        "assert f(3) == 4",
        "with open('log.txt', 'w') as log:\n    log.write(str(TABLE))",
        "plt.rcParams['font.size'] = 3",
        "model = Model(); model.train()\nfor x in TABLE:\n    model.step(x)",
        "class Other(Base):\n    table = TABLE",
    ],
)
def test_experiments_are_left_where_they_are(experiment: str) -> None:
    cells = ["import matplotlib.pyplot as plt", "TABLE = {'a': 1}", "def helper(x): return x", experiment]
    assert set(taken(*cells)) == {"TABLE = {'a': 1}", "def helper(x): return x"}


def test_a_loop_is_not_taken_for_the_sake_of_its_variable() -> None:
    cells = ["TABLE = {}\nfor i in range(3): TABLE[i] = helper(i)", "def helper(i): return i", "for i in range(10**9): x = i"]
    assert "for i in range(10**9): x = i" not in taken(*cells)


def test_given_names_and_answers_are_not_rebound_but_an_answers_class_may_be_completed() -> None:
    cells = ["torch = None", "np['x'] = 3", "def f(x): return 0", "f.cache = {}", "np.float = float", "import torch"]
    answer = "def f(x):\n    return torch.ones(1), np.float(3), np.ones(2), f.cache"
    assert taken(*cells, answer=answer, given=("torch", "np")) == ["f.cache = {}", "np.float = float", "import torch"]


def test_an_experiment_in_the_answers_cell_gets_names_but_no_loops() -> None:
    cells = ["import math", "data = [1]", "for i in range(9): data.append(i)"]
    answer = "def f(x): return x\nprint(math.pi, data)"
    assert taken(*cells, answer=answer) == ["import math", "data = [1]"]


def test_star_imports_are_taken_only_where_a_name_is_missing() -> None:
    cells = ["from math import *", "from no_such_module import *"]
    assert taken(*cells, answer="def f(x): return sqrt(x)") == cells
    assert taken(*cells, answer="def f(x): return len(x)") == []
    assert taken("from math import *", answer="def f(x): return anything(x)") == []


def test_from_future_comes_first() -> None:
    assert taken("x = 1", "import os\nfrom __future__ import annotations", answer="def f(): return x")[0].startswith("from __")


def test_an_answer_made_in_an_unforeseen_way_gets_all_that_its_cell_names() -> None:
    assert taken("TABLE = {}\nfor i in range(3): TABLE[i] = i", answer="exec('def f(x): return x')\nTABLE") == [
        "TABLE = {}", "for i in range(3): TABLE[i] = i",
    ]  # fmt: skip


def test_a_statements_own_text() -> None:
    cell = "%%time\n\nx = 'ä'; y = [1,\n  2]  # why\n@one\n@two(3)\nclass A:\n    pass\n!ls\n%time z = 4"
    parts = [(one.text, one.line) for one in split(cell)]
    assert parts[:3] == [("x = 'ä'", 3), ("y = [1,\n  2]", 3), ("@one\n@two(3)\nclass A:\n    pass", 5)]
    assert "system('ls')" in parts[3][0] and parts[4] == ("z = 4", 10)
    assert split(cell)[2].undecorated == "class A:\n    pass" and split(cell)[0].undecorated == ""


def test_cells_in_other_languages_are_no_python() -> None:
    assert split("%%bash\nx=1") == () and split("%%html\nx = 1") == () and len(split("%%capture out\nx = 1")) == 1


def test_the_same_code_however_deep() -> None:
    deep = "x = " + " + ".join(["1"] * 600)
    (one,), (other,) = split(deep), split(deep + "  # a comment")
    assert same_code(one.node, other.node) and not same_code(one.node, split("x = 2")[0].node)
    assert not same_code(split("x = 1")[0].node, split("x = True")[0].node)


def test_after_two_ends_nothing_of_a_cell_is_left() -> None:
    class Part:
        def __init__(self, answers: tuple[str, ...], defines: bool) -> None:
            self.answers, self.defines = answers, defines

    ended: set[tuple[str, ...]] = set()
    parts = [Part((), False), Part(("f",), True), Part(("f",), True), Part(("g",), False), Part(("f",), False)]
    left = left_after(parts, 4, ended)
    assert left == parts[:4]
    assert left_after(left, 2, ended) == [parts[0], parts[3]]
    assert left_after(left, 0, ended) == parts[1:4]


@pytest.mark.parametrize("call", ["get_ipython().run_line_magic()", "open()", "next()", "setattr()", "exec()", "append()"])
def test_a_call_without_arguments_is_read_too(call: str) -> None:
    (one,) = split(call)
    assert one.effects.looks_up
