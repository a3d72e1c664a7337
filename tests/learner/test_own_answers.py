"""Answers that passed are kept as text and come back in a later notebook."""

import linecache
import sys

import pytest

from embedding_course.learner import own_answers as pieces

CELL = '''
import math
from torch.nn import functional as renamed

SCALE = 2.0

def helper(x):
    return renamed.relu(x) * factor

class TransformerBlock(nn.Module):
    """A block."""

    def __init__(self, d_model):
        super().__init__()
        self.ff1 = nn.Linear(d_model, d_model)

    def forward(self, x: torch.Tensor, mask=None) -> torch.Tensor:
        table = self.ff1(x)
        return other(helper(table)) / SCALE + math.pi

print("must not run again")
'''
OTHER = "def other(x):\n    return x.clone()\n"


def _run(scope: dict, text: str, name: str) -> None:
    """As a notebook runs a cell."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec", dont_inherit=True), scope)


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path))
    scope = {"__name__": "__main__", "factor": 3, "table": object(), "x": [1, 2]}
    _run(scope, "import torch\nimport torch.nn as nn\n", "<cell 1>")
    _run(scope, OTHER, "<cell 2>")
    _run(scope, CELL, "<cell 3>")
    for name, value in scope.items():
        if not name.startswith("__"):
            monkeypatch.setitem(vars(sys.modules["__main__"]), name, value)
    return scope


def test_a_class_comes_back_with_all_that_it_needs(notebook, capsys):
    import torch

    capsys.readouterr()
    assert pieces.own("07.TransformerBlock") is None
    assert pieces.keep("07.TransformerBlock", notebook["TransformerBlock"])
    block = pieces.own("07.TransformerBlock")
    assert block is not notebook["TransformerBlock"]
    torch.manual_seed(0)
    original = notebook["TransformerBlock"](4)
    restored = block(4)
    restored.load_state_dict(original.state_dict())
    x = torch.randn(2, 3, 4)
    assert torch.equal(original(x), restored(x))
    first, second = capsys.readouterr().out.splitlines()  # only definitions are kept: the cell prints nothing again
    assert first == "No `TransformerBlock` of notebook 07 is kept here."
    assert second.startswith("Your `TransformerBlock` of notebook 07, as it passed its check on 2")
    assert second.endswith("07_TransformerBlock.py).")


def test_what_has_no_source_is_not_kept(notebook):
    assert not pieces.keep("07.split_heads", sum)
    assert not pieces.keep("07.split_heads", 3)
    assert pieces.source_of("07.split_heads") is None


def test_a_file_that_no_longer_runs_is_as_none(notebook, tmp_path, capsys):
    assert pieces.keep("07.other", notebook["other"])
    (tmp_path / "pieces" / "07_other.py").write_text("import no_such_module_at_all\n", encoding="utf-8")
    capsys.readouterr()
    assert pieces.own("07.other") is None
    output = capsys.readouterr().out
    assert "Your `other` of notebook 07" in output and "does not run here: ModuleNotFoundError" in output
    (tmp_path / "pieces" / "07_other.py").write_text("another = 3\n", encoding="utf-8")
    assert pieces.own("07.other") is None and "does not run here: KeyError" in capsys.readouterr().out


def test_a_name_for_two_things(tmp_path, monkeypatch):
    """A local variable may be called like a global of the notebook that nobody could keep."""
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path))
    scope = {"__name__": "__main__", "mask": open}
    _run(scope, "def first(mask):\n    places = mask\n    return places\n", "<cell 4>")
    assert pieces.keep("08.first", scope["first"])
    assert "import" not in (pieces.source_of("08.first") or "")
    assert pieces.own("08.first")(3) == 3


def test_what_names_nothing_in_its_annotations_comes_back(tmp_path, monkeypatch):
    """A cell may begin with `from __future__ import annotations`, which no other line of a file may stand before."""
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path))
    scope = {"__name__": "__main__"}
    text = "from __future__ import annotations\n\ndef other(x: Nowhere) -> NorThere:\n    return x + 1\n"
    _run(scope, text, "<cell 5>")
    assert pieces.keep("08.other", scope["other"])
    kept = pieces.source_of("08.other") or ""
    assert kept.startswith("from __future__") and kept.count("from __future__") == 1
    assert pieces.own("08.other")(3) == 4
    exec(compile(kept, "kept", "exec", dont_inherit=True), {})


def test_a_table_that_cells_filled_is_kept_by_its_values(tmp_path, monkeypatch):
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path))
    scope = {"__name__": "__main__", "TABLE": {"a": [1, 2.5], ("b", None): {3}}, "HUGE": list(range(10_000)), "OPEN": [open]}
    monkeypatch.setattr(sys.modules["__main__"], "TABLE", scope["TABLE"], raising=False)
    _run(scope, "def looks(x):\n    return TABLE[x]\n", "<cell 6>")
    _run(scope, "def looks_far(x):\n    return HUGE[x], OPEN\n", "<cell 7>")
    assert pieces.keep("08.looks", scope["looks"]) and pieces.own("08.looks")("a") == [1, 2.5]
    assert pieces.keep("08.looks_far", scope["looks_far"])
    kept = pieces.source_of("08.looks_far") or ""
    assert "HUGE =" not in kept and "OPEN =" not in kept


def test_what_is_kept_is_cut_by_statements_not_by_lines(notebook, capsys):
    cell = "import math; print('again')\nLIMIT = 3; print(LIMIT)\n\ndef f(x):\n    return min(x, LIMIT)  # no more\n"
    _run(notebook, cell, "<cell 4>")
    capsys.readouterr()
    assert pieces.keep("03.f", notebook["f"])
    assert pieces.source_of("03.f") == "import math\n\nLIMIT = 3\n\ndef f(x):\n    return min(x, LIMIT)  # no more\n"
    assert pieces.own("03.f")(5) == 3 and capsys.readouterr().out.count("\n") == 1, "the line that says where it comes from"
