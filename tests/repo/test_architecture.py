"""docs/architecture.md: what it names is there, and the contracts that its picture shows are kept."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.authoring.rooms_picture import PICTURE, rooms, rooms_picture
from grader.paths import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROWS = [line.split("|")[1:3] for line in PAGE.splitlines() if line.startswith("| ") and "`" in line]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip())
def test_what_to_open_is_there(row: list[str]) -> None:
    paths = [name for name in re.findall(r"`([^`]+)`", row[1]) if "/" in name]
    assert paths and all((ROOT / name).exists() for name in paths)


def test_there_are_enough_rows() -> None:
    assert len(ROWS) >= 25


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z_]+/[a-z_/]+\.py)`", PAGE))))
def test_modules_named_in_the_text_are_there(name: str) -> None:
    roots = (ROOT, ROOT / "embedding_course", ROOT / "grader")
    assert any((root / name).exists() for root in roots)


def test_the_contracts_of_imports_are_kept() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_room_is_in_the_picture() -> None:
    for package, storeys in rooms().items():
        shown = {name for storey in storeys for name in storey}
        there = {path.name for path in (ROOT / package).iterdir() if (path / "__init__.py").exists()}
        assert there <= shown
    assert PICTURE.read_text(encoding="utf-8") == rooms_picture(), "run `grader build` and commit"


def test_no_module_imports_itself_by_way_of_others() -> None:
    """A circle of imports: whoever reads one of them has to read them all."""
    import grimp

    graph = grimp.build_graph("embedding_course", "grader")
    left = {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}
    while leaves := {module for module, wanted in left.items() if not wanted & left.keys()}:
        left = {module: wanted for module, wanted in left.items() if module not in leaves}
    assert not left
