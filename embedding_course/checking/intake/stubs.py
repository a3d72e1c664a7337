"""Recognise stubs by their form alone, so that no released notebook is needed, neither by the grader nor by a learner.

All stubs of the course have one form: of each function the signature and the docstring, of a constructor also
`super().__init__()`, and then `raise NotImplementedError()`.
"""

import ast

from .statements import FUNCTIONS, is_docstring, same_code

#: What the lesson puts into the cell of a written answer.
_TEXT_STUB = "YOUR ANSWER HERE"
_SUPER = ast.parse("super().__init__()").body[0]


def own_text(source: str) -> str:
    r"""Return what somebody wrote into the cell of a written answer; empty if it has no letter and no digit.

    >>> own_text("YOUR ANSWER HERE\n\nAdam moves the row.")
    'Adam moves the row.'
    >>> own_text("> YOUR ANSWER HERE")
    ''
    """
    text = source.replace(_TEXT_STUB, "").strip() if _TEXT_STUB in source else source
    return text if any(map(str.isalnum, text)) else ""


def is_stub(definition: ast.stmt | None) -> bool:
    r"""Return True if a definition is still as the lesson gave it; for a class, if that holds for all its methods.

    >>> is_stub(ast.parse("def f(x):\n    'Words.'\n    raise NotImplementedError()").body[0])
    True
    >>> is_stub(ast.parse("def f(x):\n    y = 2 * x\n    raise NotImplementedError()").body[0])
    False
    """
    if isinstance(definition, FUNCTIONS):
        own = _own(definition)
        return len(own) == 1 and raises_bare(own[0])
    if isinstance(definition, ast.ClassDef):
        methods = [_own(member) for member in definition.body if isinstance(member, FUNCTIONS)]
        written = [own for own in methods if own]  # a method may be given whole
        return bool(written) and all(len(own) == 1 and raises_bare(own[0]) for own in written)
    return False


def still_raises(definition: ast.stmt | None) -> bool:
    """Return True if a definition contains the stub's `raise NotImplementedError()` anywhere, as a half-written answer does."""
    return definition is not None and any(raises_bare(inner) for inner in ast.walk(definition))


def _own(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    """Return a function's statements without those that the lesson gives."""
    body = function.body[is_docstring(function.body[0]) :]
    return body[1:] if body and same_code(body[0], _SUPER) else body


def raises_bare(node: ast.AST) -> bool:
    """Return True for `raise NotImplementedError` or `raise NotImplementedError()`, without a message."""
    if not isinstance(node, ast.Raise):
        return False
    raised = node.exc
    if isinstance(raised, ast.Call) and not raised.args:
        raised = raised.func
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
