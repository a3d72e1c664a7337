"""Mark the part of a right answer that a learner writes: signature and docstring stay, the body goes.

The marks are nbgrader's, so that its own preprocessor cuts the stub.
"""

import ast
import inspect
from collections.abc import Callable

from embedding_course.checking.intake.statements import first_line, is_docstring, split

_BEGIN, _END = "### BEGIN SOLUTION", "### END SOLUTION"


def definition(source: str, name: str) -> str:
    """Return the text of the top-level function or class `name`. Raise LookupError if there is none."""
    for statement in split(source):
        if isinstance(statement.node, (ast.FunctionDef, ast.ClassDef)) and statement.node.name == name:
            return f"{statement.undecorated or statement.text}{statement.comment}\n"
    raise LookupError(f"reference.py defines no {name}")


def with_docstrings(text: str, change: Callable[[str], str]) -> str:
    r'''Return a definition in which `change` has rewritten each docstring; one that stays the same keeps its layout.

    >>> print(with_docstrings('def f(x):\n    """Double it."""\n    return 2 * x', str.upper))
    def f(x):
        """DOUBLE IT."""
        return 2 * x
    '''
    lines = text.split("\n")
    owners = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    for statement in sorted((node.body[0] for node in owners if is_docstring(node.body[0])), key=first_line, reverse=True):
        before = inspect.cleandoc(ast.literal_eval(ast.unparse(statement)))
        after = change(before)
        if after == before:
            continue
        indent, end = " " * statement.col_offset, "\n" if "\n" in after else ""
        quoted = ("r" if "\\" in after else "") + f'"""{after}{end}"""'
        rows = [indent + row if row else "" for row in quoted.split("\n")]
        lines[first_line(statement) - 1 : statement.end_lineno] = rows
    return "\n".join(lines)


def mark_text(text: str) -> str:
    """Return a written answer between solution marks."""
    return f"{_BEGIN}\n{text}\n{_END}"


def solution_source(text: str) -> str:
    """Return the definition with solution marks around each body.

    Of a class, the public methods and `__init__` keep their signature and docstring (and `super().__init__()`);
    private helpers move into the last marked region, so that they vanish with it.
    """
    node = ast.parse(text).body[0]
    lines = text.splitlines()
    if isinstance(node, ast.FunctionDef):
        return "\n".join(_function(node, lines))
    assert isinstance(node, ast.ClassDef)
    out = lines[: first_line(node.body[0]) - 1]
    private: list[str] = []
    for statement in node.body:
        text_of = lines[first_line(statement) - 1 : statement.end_lineno]
        if not isinstance(statement, ast.FunctionDef):
            out += text_of
        elif statement.name.startswith("_") and statement.name != "__init__":
            private += ["", *text_of]
        else:
            out += ["", *_function(statement, lines)]
    if private:
        out[-1:] = [*private, out[-1]]
    return "\n".join(out)


def _function(node: ast.FunctionDef, lines: list[str]) -> list[str]:
    """Return a function's lines: everything up to the end of its docstring (and `super().__init__()`), then the body."""
    body = list(node.body)
    kept = 0
    if is_docstring(body[0]):
        kept = 1
    if len(body) > kept and ast.unparse(body[kept]) == "super().__init__()":
        kept += 1
    end = body[kept - 1].end_lineno if kept else body[0].lineno - 1
    assert end is not None
    head = lines[first_line(node) - 1 : end]
    if kept == len(body):
        return head
    indent = " " * body[0].col_offset
    return [*head, indent + _BEGIN, *lines[end : node.end_lineno], indent + _END]
