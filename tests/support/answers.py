"""Find answers where none may be: every statement of every reference, looked for in other texts."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from grader.paths import SOLUTIONS

#: Shorter statements (`return total`, `import torch`) are nobody's answer.
SHORTEST = 25
#: What a learner's text, a docstring or a driver says as well; it gives nothing away.
_COMMON = re.compile(r"super\(\).__init__\(|raise NotImplementedError")


@cache
def statements(folder: Path = SOLUTIONS) -> dict[str, str]:
    """Normalised text of each statement in a reference's body -> where it stands."""
    locations: dict[str, str] = {}
    for path in sorted(folder.glob("*/reference/*.py")):
        text = path.read_text(encoding="utf-8")
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef):
                for statement in _statements(function, text):
                    locations.setdefault(statement, f"{path.parent.parent.name}: {function.name}")
    return locations


def _statements(function: ast.FunctionDef, text: str) -> Iterator[str]:
    for node in ast.walk(function):
        if node is function or not isinstance(node, ast.stmt) or isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # a docstring stays in the stub
        inner = getattr(node, "body", None)
        whole = ast.get_source_segment(text, node) or ""
        if inner:  # of a loop or a branch, its head
            whole = "\n".join(whole.splitlines()[: inner[0].lineno - node.lineno]) or whole.splitlines()[0]
        statement = normal(whole)
        if len(statement) > SHORTEST and not _COMMON.search(statement):
            yield statement


def normal(text: str) -> str:
    """Without comments' alignment and line breaks: what a formatter might change."""
    return re.sub(r"\s+", " ", re.sub(r"\s*#[^\n\"']*$", "", text, flags=re.M)).strip()


def text_of(name: str, body: bytes) -> str:
    """The text of a file; of a notebook, its cells and outputs as a reader sees them."""
    text = body.decode("utf-8", errors="replace")
    if not name.endswith(".ipynb"):
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) + json.dumps(cell.get("outputs", [])) for cell in cells)


def leaks(name: str, body: bytes) -> list[str]:
    """The reference's statements that occur in a file, with where they come from."""
    text = normal(text_of(name, body))
    return [f"{name}: {statement!r} ({where})" for statement, where in statements().items() if statement in text]
