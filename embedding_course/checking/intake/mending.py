"""Mend slips in a finished answer that leave nothing to guess: a misspelt name, or a line of the stub that was left.

The class's `course.toml` says whether a mended answer counts. It is always graded, and the feedback page says what was
mended.
"""

import ast
import difflib
from collections.abc import Collection

from .statements import FUNCTIONS, Statement, definitions, split
from .stubs import is_stub, raises_bare

#: Names that are at least this similar are taken for one name, where a cell defines nothing else.
_ALIKE = 0.8


def misspelt_name(source: str, name: str, other_names: Collection[str]) -> str:
    """Return the name under which a cell defines the answer to `name`; empty unless there is exactly one that is meant.

    Parameters
    ----------
    source : str
        The text of the answer's cell.
    name : str
        The name that the exercise asks for.
    other_names : collection of str
        The names of the notebook's other exercises, none of which is a misspelling.

    Examples
    --------
    >>> misspelt_name("def renorm_row(weight): return weight", "renorm_rows", {"tied_scores"})
    'renorm_row'
    """
    kinds = (*FUNCTIONS, ast.ClassDef)
    names = {
        statement.node.name for statement in split(source) if isinstance(statement.node, kinds) and not is_stub(statement.node)
    }
    if name in names or name in definitions(source):
        return ""
    near = [candidate for candidate in names - set(other_names) if _alike(candidate, name)]
    return near[0] if len(near) == 1 else ""


def _alike(left: str, right: str) -> bool:
    plain_left, plain_right = (name.replace("_", "").casefold() for name in (left, right))
    return plain_left == plain_right or difflib.SequenceMatcher(None, plain_left, plain_right).ratio() >= _ALIKE


def without_leftover_lines(source: str, name: str) -> tuple[str, int]:
    r"""Return the definition of `name` without the stub's `raise NotImplementedError()`, and the first line where one stood.

    Only functions with other statements beside that line are mended; a function that is still a stub stays one.

    Returns
    -------
    text : str
        The mended definition; empty where there is nothing to mend.
    line : int
        The line of the cell in which the first leftover line stands, or 0.

    Examples
    --------
    >>> without_leftover_lines("def f(x):\n    raise NotImplementedError()\n    return x", "f")
    ('def f(x):\n    pass\n    return x', 2)
    """
    kinds = (*FUNCTIONS, ast.ClassDef)
    named = [statement for statement in split(source) if isinstance(statement.node, kinds) and statement.node.name == name]
    if not named or is_stub(named[-1].node):
        return "", 0
    return _mended(named[-1])


def _mended(definition: Statement) -> tuple[str, int]:
    functions = [node for node in ast.walk(definition.node) if isinstance(node, FUNCTIONS) and not is_stub(node)]
    leftover = [node for function in functions for node in function.body if raises_bare(node)]
    if not leftover:
        return "", 0
    lines = definition.text.split("\n")
    offset = min([definition.node.lineno, *(decorator.lineno for decorator in getattr(definition.node, "decorator_list", ()))])
    for node in leftover:
        first, last = node.lineno - offset, (node.end_lineno or node.lineno) - offset
        lines[first : last + 1] = [f"{' ' * node.col_offset}pass", *[""] * (last - first)]
    return "\n".join(lines), definition.line + min(node.lineno for node in leftover) - offset
