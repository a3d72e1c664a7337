"""Collect the experiments whose curves are recorded and the trainings whose tables are recorded.

Each `solutions/NN_topic/curves.py` lists them by name: the experiments in CURVES and the trainings in TABLES.

The parameters of such a function are names of exercises of its notebook, whose reference answers it is called with, or names
of classes and functions that cells of the lesson define.
"""

import ast
import inspect
import runpy
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F

from ..course_source.catalogue import references
from ..course_source.lesson import read_lesson
from ..paths import SOLUTIONS


def experiments() -> dict[str, Callable[[], Any]]:
    """Return the experiments of all notebooks by name; each is ready to be called and returns `Curves`."""
    return _listed("CURVES")


def trainings() -> dict[str, Callable[[], Any]]:
    """Return the trainings of all notebooks by name; each is ready to be called and returns a `Table`."""
    return _listed("TABLES")


def _listed(kind: str) -> dict[str, Callable[[], Any]]:
    functions: dict[str, Callable[[], Any]] = {}
    for path in sorted(SOLUTIONS.glob("*/curves.py")):
        answers = references(path.parent.name)
        for name, function in runpy.run_path(str(path)).get(kind, {}).items():
            wanted = list(inspect.signature(function).parameters)
            of_lesson = {parameter: _defined(path.parent.name, parameter) for parameter in wanted if parameter not in answers}
            functions[name] = partial(
                function, **{parameter: answers[parameter] for parameter in wanted if parameter in answers} | of_lesson
            )
    return functions


def _defined(topic: str, name: str) -> Any:
    """Return what a cell of the lesson defines under this name, run with torch alone. Raise LookupError if none does."""
    for cell in read_lesson(topic):
        if cell.kind == "code" and f" {name}(" in cell.source:
            for node in ast.parse(cell.source).body:
                if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
                    scope: dict[str, Any] = {"torch": torch, "nn": torch.nn, "F": F}
                    exec(compile(ast.Module([node], []), f"{topic}: {cell.key}", "exec"), scope)
                    return scope[name]
    raise LookupError(f"solutions/{topic}/curves.py asks for {name}: no exercise is called so, and no cell defines it")
