"""Imports keep to the contracts, which the picture of docs/architecture.md shows."""

import subprocess
import sys
from pathlib import Path

from grader.authoring.rooms_picture import PICTURE, rooms, rooms_picture
from grader.paths import ROOT


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
