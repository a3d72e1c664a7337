"""Modules under the names that they had when an older notebook or class folder was made: those must still open."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["keep_older_names"]

#: Where the experiments were, one module beside the other; each has kept its own name.
_EXPERIMENTS = "embedding_course.demo"
_NOW = {
    "embedding_course.pieces": "embedding_course.learner.own_answers",
    "embedding_course.tables": "embedding_course.learner.own_tables",
    "grader.nbgrader_plugin": "grader.marking.nbgrader_plugin",
}


@cache
def _experiments() -> dict[str, str]:
    folder = Path(__file__).parent / "experiments"
    paths = sorted(path.relative_to(folder).with_suffix("") for path in folder.rglob("[a-z]*.py"))
    return {f"{_EXPERIMENTS}.{path.name}": ".".join(("embedding_course.experiments", *path.parts)) for path in paths}


class _OlderNames(MetaPathFinder, Loader):
    """Asked after all other finders: an older name gives the module as it is called now, the same object."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname == _EXPERIMENTS:
            return ModuleSpec(fullname, self, is_package=True)
        now = _NOW.get(fullname) or (_experiments().get(fullname) if fullname.startswith(_EXPERIMENTS) else None)
        return ModuleSpec(fullname, self, loader_state=import_module(now).__spec__) if now else None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return sys.modules[spec.loader_state.name] if spec.loader_state else None

    def exec_module(self, module: ModuleType) -> None:
        """The module ran under its own name already; only that it is known by that name is put right."""
        if module.__spec__ is not None and module.__spec__.loader_state:
            module.__spec__ = module.__spec__.loader_state


def keep_older_names() -> None:
    """From now on older names can be imported."""
    if not any(isinstance(finder, _OlderNames) for finder in sys.meta_path):
        sys.meta_path.append(_OlderNames())
