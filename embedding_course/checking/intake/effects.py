"""What a top-level statement of a cell does when it runs: the names it binds, those it changes in place, those it looks up.

Read from the syntax tree and without recursion, so that depth is no obstacle. "At once" means while the statement runs; the
bodies of functions run later, and what they do to names of the notebook is told apart.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from .effects_reader import FUNCTIONS, Reader
from .files_between_cells import files_of

__all__ = ["Effects", "effects_of"]

_Entry = TypeVar("_Entry")


#: Of most kinds of effects a statement has none, and Python makes each empty set anew: a notebook may hold many statements.
_NONE: frozenset[Any] = frozenset()


@dataclass(frozen=True)
class Effects:
    """What one statement does, by names.

    At once: `binds` get a value; `changes` are changed by an assignment into them, `acted_on` by a method that does so or whose
    result nobody uses; `methods` are the other (name, method) calls; `calls` functions that may do something beside what they
    return, `dropped` those whose result nobody uses; `files` are written; `passed` are (function, name) pairs, `handed` (name
    before the dot, name) pairs of a method that changes what it is given; `aliases` (name, other) pairs that may share a value;
    `stars` modules of which everything is imported.
    When its functions are called: `later_changes`, `later_calls`, `changes_arguments`; for a class the `mutating_methods`.
    `looks_up` is all of it, attributes included: `np.float` stands for that of a name.
    """

    binds: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    acted_on: frozenset[str] = frozenset()
    methods: frozenset[tuple[str, str]] = frozenset()
    calls: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    passed: frozenset[tuple[str, str]] = frozenset()
    handed: frozenset[tuple[str, str]] = frozenset()
    aliases: frozenset[tuple[str, str]] = frozenset()
    stars: frozenset[str] = frozenset()
    later_changes: frozenset[str] = frozenset()
    later_calls: frozenset[str] = frozenset()
    changes_arguments: bool = False
    mutating_methods: frozenset[str] = frozenset()
    looks_up: frozenset[str] = frozenset()


def effects_of(node: ast.stmt, globals_used: Collection[str]) -> Effects:
    """What a statement does; `globals_used` are the names that it looks up outside of its functions, wherever inside."""
    reader = Reader(node)
    now, later = reader.now, reader.later
    known = {*globals_used, *now.binds}
    files = files_of(node)
    bound_later = later.binds & later.declared
    return Effects(
        binds=_frozen(now.binds),
        changes=_frozen(now.changes & known),
        acted_on=_frozen((now.acted_on | files.paths) & known),
        methods=_frozen(now.methods),
        calls=_frozen(now.calls),
        dropped=_frozen(now.dropped),
        files=files.written or _NONE,
        passed=_frozen(now.passed),
        handed=_frozen(now.handed),
        aliases=_frozen({*now.aliases, *((name, file) for file in files.written for name in now.binds)}),
        stars=_frozen(now.stars),
        later_changes=_frozen(((later.changes | later.acted_on) & set(globals_used)) | bound_later),
        later_calls=_frozen(later.calls & set(globals_used)),
        changes_arguments=isinstance(node, FUNCTIONS) and not _parameters(node).isdisjoint(later.changes | later.acted_on),
        mutating_methods=_mutating_methods(node) if isinstance(node, ast.ClassDef) else _NONE,
        looks_up=_frozen(
            {*globals_used, *files.named, *(f"{name}.{rest}" for name, rest in reader.attributes if name in known)}
        ),
    )


def _frozen(found: Iterable[_Entry]) -> frozenset[_Entry]:
    return frozenset(found) or _NONE


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {one.arg for one in named if one is not None}


def _mutating_methods(node: ast.ClassDef) -> frozenset[str]:
    """Methods that change their object. Where subclasses are told to the class, to make one may be such a change."""
    found = set()
    for one in node.body:
        if isinstance(one, FUNCTIONS) and one.args.args:
            body = Reader(*one.body).now
            if one.args.args[0].arg in body.changes | body.acted_on or one.name == "__init_subclass__":
                found.add(one.name)
    return frozenset(found | ({"__init_subclass__"} if node.keywords else set()))
