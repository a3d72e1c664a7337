"""What `grader bench` measures is there on a fresh clone, in which nothing was built yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import nbformat
import pytest

from grader.bench import sides
from grader.bench.usage import Used


def test_the_notebooks_are_written_with_their_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []

    def instead(words: Sequence[str], home: Path) -> Used:
        asked.append(words)
        return Used(1.0, 2.0)

    monkeypatch.setattr(sides, "measure", instead)
    found = sides.lessons(tmp_path, ["01_onehot_vs_lookup"])
    assert list(found) == ["01_onehot_vs_lookup"]
    ((_, *words),) = asked
    (path,) = (Path(word) for word in words if word.endswith(".ipynb"))
    code = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    assert "def one_hot" in code and "raise NotImplementedError" not in code
