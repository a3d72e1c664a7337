"""Read the statements and definitions of a cell from its syntax tree, without running it."""

import ast
import re
import symtable
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .magics import parsed
from .no_python import Broken, without_broken

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

#: Up to how many characters a cell is short or long, and how many trees of each kind stay in memory.
_SHORT, _LONG, _SOME, _FEW = 2_000, 20_000, 16, 4
_COMMENT = re.compile(rb"[ \t]*#.*")


@dataclass(frozen=True, eq=False)
class Statement:
    """One top-level statement of a cell.

    It holds the syntax tree, the statement's own text (decorators included), the line on which it begins, and the `comment`
    behind it on its last line.
    """

    node: ast.stmt
    text: str
    line: int = 1
    comment: str = ""

    @cached_property
    def binds(self) -> frozenset[str]:
        """Return the names that the statement binds at the notebook's top level, as far as its text shows."""
        return _bound(self.text, self.node)

    @cached_property
    def looks_up(self) -> frozenset[str]:
        """Return the names that the statement looks up outside of itself, inside functions too."""
        return looked_up(self.text, self.node)

    @property
    def last_line(self) -> int:
        """Return the line of the cell on which the statement ends."""
        return self.line + self.text.count("\n")

    @property
    def defines(self) -> bool:
        """Return True for a definition, an import or an assignment."""
        return isinstance(self.node, (*_DEFINITIONS, *_IMPORTS, ast.Assign, ast.AnnAssign))

    @property
    def costs_nothing(self) -> bool:
        """Return True for a definition, an import or the assignment of a constant, which can be run on their own."""
        if isinstance(self.node, (ast.Assign, ast.AnnAssign)) and self.node.value is not None:
            return _is_constant(self.node.value)
        return isinstance(self.node, (*_DEFINITIONS, *_IMPORTS))

    @property
    def undecorated(self) -> str:
        """Return the text of a definition without its decorators, or an empty string if it has none."""
        if not getattr(self.node, "decorator_list", ()):
            return ""
        return "\n".join(self.text.split("\n")[self.node.lineno - first_line(self.node) :])

    @property
    def for_people(self) -> str:
        """Return the text with the comment behind it, as a reader would copy it."""
        return self.text + self.comment


_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


def split(source: str) -> tuple[Statement, ...]:
    r"""Return the top-level statements of a cell; if the cell as a whole is not Python, those of its parts that are.

    Magics become plain calls.

    >>> [(one.text, one.line) for one in split("import math; x = 1\n\n@cache\ndef f(): pass")]
    [('import math', 1), ('x = 1', 1), ('@cache\ndef f(): pass', 3)]
    """
    return _parts(source)[0]


def broken_parts(source: str) -> tuple[Broken, ...]:
    """Return the parts of a cell that are not Python; nothing if the whole cell is not Python."""
    return _parts(source)[1]


_Parts = tuple[tuple[Statement, ...], tuple[Broken, ...]]


def _parts(source: str) -> _Parts:
    read = _parts_of_short if len(source) < _SHORT else _parts_of_middling if len(source) < _LONG else _parts_of_long
    return read(source)


def _cut(source: str) -> _Parts:
    broken: tuple[Broken, ...] = ()
    try:
        try:
            text, tree, left_out = parsed(source)
        except SyntaxError:
            mended, broken = without_broken(source, parsed)
            text, tree, left_out = parsed(mended)
        lines = text.split("\n")
        return tuple(_statement(node, lines, left_out) for node in tree.body), broken
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return (), ()


_parts_of_short, _parts_of_middling = lru_cache(maxsize=512)(_cut), lru_cache(maxsize=_SOME)(_cut)
_parts_of_long = lru_cache(maxsize=_FEW)(_cut)


def _statement(node: ast.stmt, lines: list[str], left_out: int) -> Statement:
    """Cut a statement out of its cell. Columns count bytes; what a decorator stands before begins with its line."""
    first = first_line(node)
    column = node.col_offset if first == node.lineno else 0
    assert node.end_lineno is not None
    cut = lines[first - 1 : node.end_lineno]
    last = cut[-1].encode()
    cut[-1], comment = last[: node.end_col_offset].decode(), _COMMENT.match(last, node.end_col_offset or 0)
    cut[0] = cut[0].encode()[column:].decode()
    return Statement(node, "\n".join(cut), first + left_out, comment[0].decode().rstrip() if comment else "")


def first_line(node: ast.stmt) -> int:
    """Return the line on which a statement begins, which is that of its first decorator if it has any."""
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])


def is_docstring(node: ast.stmt) -> bool:
    """Return True if the statement is a string on its own."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def statements(source: str) -> tuple[ast.stmt, ...]:
    """Return the syntax trees of a cell's top-level statements; none if the cell is not Python."""
    return tuple(statement.node for statement in split(source))


def bound_names(source: str) -> set[str]:
    """Return the names that a cell's statements bind when it runs."""
    return {name for statement in split(source) for name in statement.binds}


def star_imports(source: str) -> set[str]:
    """Return the modules from which a cell imports everything."""
    nodes = (node for node in statements(source) if isinstance(node, ast.ImportFrom))
    return {node.module or "" for node in nodes if any(alias.name == "*" for alias in node.names)}


def definitions_only(source: str) -> str:
    r"""Return the definitions, imports and constants of a cell, which can be run where the cell as a whole cannot.

    >>> definitions_only("import math\nLR = 0.5\nwhile True: pass\ndef f(): return LR")
    'import math\nLR = 0.5\ndef f(): return LR'
    """
    return "\n".join(statement.text for statement in split(source) if statement.costs_nothing)


def _is_constant(value: ast.expr) -> bool:
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def _bound(text: str, node: ast.stmt) -> frozenset[str]:
    table = _symbols(text)
    if table is None:
        return frozenset({node.name} if isinstance(node, _DEFINITIONS) else ())
    return frozenset(symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported())


def _symbols(text: str) -> symtable.SymbolTable | None:
    """Return the symbol table of a statement; None where the compiler refuses it, as for an `await` by itself."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python says it when the cell runs
            return symtable.symtable(text, "statement", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def looked_up(text: str, node: ast.stmt) -> frozenset[str]:
    r"""Return the names that a top-level statement looks up outside of itself, at any depth; local variables are left out.

    >>> sorted(split("def f(x):\n    y = x\n    return g(y)")[0].looks_up)
    ['g']
    """
    table = _symbols(text)
    if table is None:
        return frozenset(child.id for child in ast.walk(node) if isinstance(child, ast.Name))
    return frozenset(global_names(table))


def global_names(table: symtable.SymbolTable) -> Iterator[str]:
    """Yield the names that code looks up outside of itself; local variables and attributes are left out."""
    outermost = table.get_type() == "module"
    for symbol in table.get_symbols():
        outside = not symbol.is_assigned() if outermost else symbol.is_global()
        if symbol.is_referenced() and outside:
            yield symbol.get_name()
    for inner in table.get_children():
        yield from global_names(inner)


def definitions(source: str) -> dict[str, ast.stmt]:
    """Return the functions, classes and plain assignments at a cell's top level by name, also those under conditions.

    If a name is defined several times, the last definition counts.
    """
    return _definitions_in_short(source) if len(source) < _SHORT else _definitions(source)


def _definitions(source: str) -> dict[str, ast.stmt]:
    nodes: dict[str, ast.stmt] = {}
    for statement in split(source):
        if isinstance(statement.node, (*_DEFINITIONS, ast.Assign, ast.AnnAssign, ast.If, ast.Try, ast.With)):
            nodes.update(dict.fromkeys(statement.binds, statement.node))
    return nodes


_definitions_in_short = lru_cache(maxsize=512)(_definitions)


def same_code(left: ast.AST | None, right: ast.AST | None) -> bool:
    """Return True if two definitions are equal apart from comments and layout, however deeply they are nested."""
    if left is None or right is None:
        return False
    pairs: list[tuple[object, object]] = [(left, right)]
    while pairs:
        first, second = pairs.pop()
        if isinstance(first, ast.AST):
            if type(first) is not type(second):
                return False
            pairs += [(getattr(first, name, None), getattr(second, name, None)) for name in first._fields]
        elif isinstance(first, list):
            if not isinstance(second, list) or len(first) != len(second):
                return False
            pairs += zip(first, second, strict=True)
        elif first != second or type(first) is not type(second):
            return False
    return True
