"""Answers that passed are kept as text and come back in a later notebook."""

from __future__ import annotations

import linecache
import sys

import pytest

from embedding_course import pieces

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
    exec(compile(text, name, "exec"), scope)


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
    one = notebook["TransformerBlock"](4)
    other = block(4)
    other.load_state_dict(one.state_dict())
    x = torch.randn(2, 3, 4)
    assert torch.equal(one(x), other(x))
    assert capsys.readouterr().out == "", "only definitions are kept"


def test_what_has_no_source_is_not_kept(notebook):
    assert not pieces.keep("07.split_heads", sum)
    assert not pieces.keep("07.split_heads", 3)
    assert pieces.source_of("07.split_heads") is None


def test_a_file_that_no_longer_runs_is_as_none(notebook, tmp_path):
    assert pieces.keep("07.other", notebook["other"])
    (tmp_path / "pieces" / "07_other.py").write_text("import no_such_module_at_all\n", encoding="utf-8")
    assert pieces.own("07.other") is None


def test_a_name_for_two_things(tmp_path, monkeypatch):
    """A local variable may be called like a global of the notebook that nobody could keep."""
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path))
    scope = {"__name__": "__main__", "mask": open}
    _run(scope, "def first(mask):\n    places = mask\n    return places\n", "<cell 4>")
    assert pieces.keep("08.first", scope["first"])
    assert "import" not in (pieces.source_of("08.first") or "")
    assert pieces.own("08.first")(3) == 3
