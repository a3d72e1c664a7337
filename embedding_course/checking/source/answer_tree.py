"""The code of an answer as a syntax tree, with the words in it."""

import ast
import copy
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..intake.statements import split

#: Longer cells are not looked into, nor definitions that are nested more deeply, have more nodes or longer names: nobody writes
#: them by hand, and what a learner sends must not decide how long a verdict takes or is. The largest known answer has 630
#: nodes.
_LONGEST, _DEEPEST, _MOST_NODES, _LONGEST_NAME = 50_000, 60, 5_000, 80
#: A longer number is not laid out again: Python refuses to write it in decimal.
_MAX_BITS = 1_000
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, eq=False)
class Written:
    """The definition that answers an exercise: a function, or a class with its methods. Lines are those of its cell.

    `stub` is the docstring that the course gave it, for answers without a docstring.
    """

    node: ast.FunctionDef | ast.ClassDef
    stub: str = ""

    @cached_property
    def docstring(self) -> str:
        """Return the docstring of the stub, or that of the answer if the stub has none."""
        return self.stub or docstrings(self.node)

    @cached_property
    def functions(self) -> dict[str, ast.FunctionDef]:
        """Return the function itself, or a class's methods, by name."""
        if isinstance(self.node, ast.FunctionDef):
            return {self.node.name: self.node}
        return {node.name: node for node in self.node.body if isinstance(node, ast.FunctionDef)}

    @cached_property
    def in_use(self) -> dict[str, ast.FunctionDef]:
        """Return what runs when the answer is used: all but the constructor and the methods that it calls."""
        making = {"__init__"}
        if "__init__" in self.functions:
            making |= {str(as_name(node.func)).removeprefix("self.") for node in calls_in(self.functions["__init__"])}
        return {name: node for name, node in self.functions.items() if name not in making}

    @cached_property
    def words(self) -> dict[str, int]:
        """Return every name, attribute, keyword and constant word of the code, with the first line that contains it."""
        first_lines: dict[str, int] = {}
        for node in ast.walk(self.node):
            for word in _words_of(node):
                line = getattr(node, "lineno", self.node.lineno)
                first_lines[word] = min(line, first_lines.get(word, line))
        return first_lines

    @cached_property
    def code(self) -> str:
        """Return the code without comments and docstrings, in Python's own layout."""
        return ast.unparse(_NoTexts().visit(copy.deepcopy(self.node)))

    def line_of(self, quoted: str) -> int:
        """Return the first line that contains a quoted piece of code such as `.float()`, `torch.no_grad()` or `%`, or 0.

        The arguments of a call are ignored.
        """
        words = _WORD.findall(quoted)
        if not words:
            return self.node.lineno if quoted.strip() and quoted.strip() in self.code else 0
        lines = [self.words.get(word, 0) for word in words if word != "torch" or len(words) == 1]
        return max(lines) if all(lines) else 0


def docstrings(node: ast.AST) -> str:
    """Return the docstrings of a definition and of the methods in it."""
    definitions = (child for child in ast.walk(node) if isinstance(child, (ast.FunctionDef, ast.ClassDef)))
    return "\n".join(ast.get_docstring(child) or "" for child in definitions)


def find_written(cells: str | Sequence[str], name: str, stub: str = "") -> Written | None:
    r"""Return the last definition of `name` at the top level of the cells; None if there is none or it cannot be read.

    `stub` is the docstring that the course gave the function or class.

    >>> found = find_written("def half(x):\n    return x / 2", "half")
    >>> found and found.words["x"]
    1
    """
    for cell in reversed([cells] if isinstance(cells, str) else cells):
        if name not in cell or len(cell) > _LONGEST:
            continue
        for node in reversed(split(cell)):
            if isinstance(node.node, (ast.FunctionDef, ast.ClassDef)) and node.node.name == name:
                return Written(node.node, stub) if _is_by_hand(node.node) else None
    return None


def _is_by_hand(tree: ast.AST) -> bool:
    level: list[ast.AST] = [tree]
    count = 1
    for _ in range(_DEEPEST):
        level = [below for node in level for below in ast.iter_child_nodes(node)]
        count += len(level)
    names = (word for node in ast.walk(tree) for word in _words_of(node))
    numbers = (child.value for child in ast.walk(tree) if isinstance(child, ast.Constant) and isinstance(child.value, int))
    return (
        not level
        and count <= _MOST_NODES
        and all(len(name) <= _LONGEST_NAME for name in names)
        and all(number.bit_length() <= _MAX_BITS for number in numbers)
    )


def as_name(node: ast.AST | None) -> str:
    """Return a name with its attributes, as it is written; empty for anything else.

    >>> as_name(ast.parse("torch.nn.Linear", mode="eval").body)
    'torch.nn.Linear'
    """
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = as_name(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""


def method_of(call: ast.Call) -> str:
    """Return the last name of what is called: `sum` in `x.sum()` and in `torch.sum(x)`."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else as_name(call.func)


def number_in(node: ast.AST | None) -> float | None:
    """Return the number that stands there, infinity too; None for anything else.

    >>> number_in(ast.parse("-float('inf')", mode="eval").body)
    -inf
    """
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number_in(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.Attribute) and node.attr == "inf":
        return math.inf
    if isinstance(node, ast.Call) and as_name(node.func) == "float" and node.args and isinstance(node.args[0], ast.Constant):
        text = str(node.args[0].value).strip().lower()
        return {"inf": math.inf, "-inf": -math.inf, "infinity": math.inf}.get(text)
    return None


def assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what an assignment binds to what, also in `first, second = one, other`."""
    if not isinstance(node, ast.Assign):
        return
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and len(target.elts) == len(node.value.elts):
            yield from zip(target.elts, node.value.elts, strict=True)
        else:
            yield target, node.value


def assigned_values(function: ast.AST) -> dict[str, ast.expr]:
    """Return the expression that each name in a function is bound to last."""
    return {as_name(target): value for node in ast.walk(function) for target, value in assigned(node) if as_name(target)}


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    """Yield all calls inside, in the order in which they stand."""
    calls = [call for call in ast.walk(node) if isinstance(call, ast.Call)]
    yield from sorted(calls, key=lambda call: (call.lineno, call.col_offset))


def _words_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, (ast.arg, ast.keyword)):
        yield node.arg or ""
    elif isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool)):
        yield str(node.value)
    elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name


class _NoTexts(ast.NodeTransformer):
    """Remove every string that is a statement of its own."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else node
