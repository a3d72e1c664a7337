"""Find which cell of a lesson gives a name its value, and in which section a learner finds that cell."""

import ast
import re
import symtable
from collections.abc import Iterable, Mapping

from embedding_course.checking.exercise import Exercise

from .lesson import LessonCell


def givers(cells: Iterable[LessonCell], exercises: Mapping[str, Exercise]) -> dict[str, dict[str, str]]:
    """Return, for each cell, the names that it reads and the cell that bound each of them last.

    >>> one, two = LessonCell("one", "code", "x = 1", {}), LessonCell("two", "code", "print(x)", {})
    >>> givers([one, two], {})
    {'one': {}, 'two': {'x': 'one'}}
    """
    last: dict[str, str] = {}
    names_by_cell: dict[str, dict[str, str]] = {}
    for cell in cells:
        binds, reads = _names(cell, exercises)
        names_by_cell[cell.key] = {name: last[name] for name in sorted(reads) if name in last}
        last |= dict.fromkeys(binds, cell.key)
    return names_by_cell


_HEADING = re.compile(r"^#{2,4} ((?:\d+|[A-Z]) · .+)$", re.MULTILINE)


def sections_of_names(cells: Iterable[LessonCell], exercises: Mapping[str, Exercise]) -> dict[str, list[str]]:
    """Return, for each name that a lesson makes, the headings of the sections that make it, in the order of the notebook.

    Names of the setup and of the imports have no section: those cells run first.

    >>> cells = [LessonCell("h", "markdown", "## 2 · Rows", {}), LessonCell("one", "code", "x = 1", {})]
    >>> sections_of_names(cells, {})
    {'x': ['2 · Rows']}
    """
    sections: dict[str, list[str]] = {}
    heading = ""
    for cell in cells:
        if cell.kind == "markdown":
            heading = next(reversed(_HEADING.findall(cell.source)), heading)
        for name in sorted(_names(cell, exercises)[0]):
            known = sections.setdefault(name, [])
            if heading not in known:
                known.append(heading)
    return sections


def _names(cell: LessonCell, exercises: Mapping[str, Exercise]) -> tuple[set[str], set[str]]:
    if "exercise" in cell.meta:
        exercise = exercises[cell.meta["exercise"]]
        return {exercise.name}, set()
    if cell.kind != "code" or cell.key == "setup":
        return set(), set()
    top = symtable.symtable(cell.source, cell.key, "exec")
    binds = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    reads = {name for table in _tables(top) for name in _free(table)}
    tree = ast.parse(cell.source)
    return binds, (reads | _waited_for(tree)) - _bound_first(tree)


def _tables(table: symtable.SymbolTable) -> Iterable[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)


def _free(table: symtable.SymbolTable) -> Iterable[str]:
    top = table.get_type() == "module"
    return (symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced() and (top or symbol.is_global()))


def _waited_for(tree: ast.Module) -> set[str]:
    """Return the strings in `with waiting_for("one")`."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "waiting_for"]
    inside = [node for call in calls for node in ast.walk(call) if isinstance(node, ast.Constant)]
    return {node.value for node in inside if isinstance(node.value, str)}


def _bound_first(tree: ast.Module) -> set[str]:
    """Return names that a statement of the cell itself binds before any statement reads them."""
    bound: set[str] = set()
    read: set[str] = set()
    for line in _statements(tree.body):
        if isinstance(line, ast.FunctionDef | ast.ClassDef):
            bound |= {line.name} - read
            continue
        heads = [getattr(line, part) for part in ("iter", "test") if hasattr(line, part)] if hasattr(line, "body") else [line]
        read |= {name for head in heads for name in _loaded(head)}
        goals = line.targets if isinstance(line, ast.Assign) else [line.target] if isinstance(line, ast.For) else []
        bound |= {node.id for goal in goals for node in ast.walk(goal) if isinstance(node, ast.Name)} - read
        if isinstance(line, ast.ExceptHandler) and line.name:
            bound.add(line.name)
    return bound


def _loaded(tree: ast.AST) -> set[str]:
    """Return the names that are read, without those that a comprehension binds for itself."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    inner = {
        name.id
        for node in ast.walk(tree)
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target)
        if isinstance(name, ast.Name)
    }
    return {name.id for name in names if isinstance(name.ctx, ast.Load)} - inner


def _statements(lines: Iterable[ast.AST]) -> Iterable[ast.AST]:
    for line in lines:
        yield line
        for part in () if isinstance(line, ast.FunctionDef | ast.ClassDef) else ("body", "handlers", "orelse", "finalbody"):
            yield from _statements(getattr(line, part, ()))
