"""The definition that answers an exercise, cut out of its cell: what a person has to read of it."""

import ast
import io
import tokenize

from embedding_course.checking.intake.statements import Statement, is_docstring, split

_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


def definition_in(source: str, name: str) -> Statement | None:
    """Return the last function or class `name` at a cell's top level; None where there is none, or no Python."""
    named = [
        statement for statement in split(source) if isinstance(statement.node, _DEFINITIONS) and statement.node.name == name
    ]
    return named[-1] if named else None


def without_comments(text: str) -> str:
    r"""Return a definition without docstrings, comments and empty lines.

    Raise SyntaxError or ValueError if the text is no definition.

    >>> without_comments('def f(x):\n    "Half."\n\n    # next\n    return x / 2')
    'def f(x):\n    return x / 2'
    """
    lines, inside = text.split("\n"), set[int]()
    for token in _tokens(text):
        (first, column), (last, _) = token.start, token.end
        if token.type == tokenize.COMMENT:
            lines[first - 1] = lines[first - 1][:column].rstrip()
        elif last > first and token.string.strip():  # the lines through which a text goes on may be empty
            inside |= {*range(first + 1, last + 1)}
    given = {number for node in ast.walk(ast.parse(text)) for number in _docstring_lines(node)}
    kept = ((number, line) for number, line in enumerate(lines, 1) if number not in given)
    return "\n".join(line for number, line in kept if line.strip() or number in inside)


def shape_of(text: str) -> str:
    r"""Return the syntax tree of a definition as text, with its own names replaced by numbers.

    The texts are equal for answers that differ in names and layout only.

    >>> shape_of("def f(x): return x + 1") == shape_of("def f(y):\n    # one more\n    return y + 1")
    True
    """
    tree = ast.parse(without_comments(text))
    bound = dict.fromkeys(node.arg for node in ast.walk(tree) if isinstance(node, ast.arg))
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    numbers = {name: f"v{number}" for number, name in enumerate(bound | dict.fromkeys(node.id for node in stored))}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.arg, node.annotation = numbers[node.arg], None
        elif isinstance(node, ast.Name):
            node.id = numbers.get(node.id, node.id)
    return ast.dump(tree)


def _tokens(text: str) -> list[tokenize.TokenInfo]:
    try:
        return list(tokenize.generate_tokens(io.StringIO(text).readline))
    except tokenize.TokenError as error:
        raise ValueError(f"no Python: {error}") from None


def _docstring_lines(node: ast.AST) -> range:
    """Return a docstring on lines of its own, in a body that goes on after it."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return range(0)
    if len(node.body) < 2 or not is_docstring(node.body[0]):
        return range(0)
    docstring, after, *_ = node.body
    last = docstring.end_lineno or docstring.lineno
    return range(docstring.lineno, last + 1) if node.lineno < docstring.lineno and last < after.lineno else range(0)
