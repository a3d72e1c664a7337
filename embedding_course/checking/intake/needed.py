"""Which statements of a notebook's other cells its answers need: what binds a name that they look up, and what changes it.

A walk over names and statements in which each is met once, so that its cost grows as the code does. An own loop, plot or
training run is taken only where it binds or changes something that an answer's definitions need.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from .statements import Statement, split

__all__ = ["exported", "needed"]

#: Names before a dot whose methods change what they are handed: `list.append(rows, 1)`; modules are found by their imports.
_TYPES = ("list", "dict", "set", "object", "type")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def needed(
    others: Sequence[str], chosen: Collection[str], given: Collection[str], names: Collection[str] = ()
) -> list[tuple[int, Statement]]:
    """The statements of other cells that the answers need, directly or through one another, with the index of their cell.

    They come in their order, `from __future__` first. `chosen` are the cells of the answers, `names` what they are to define.
    Names that the course itself gives (`given`), and `names`, are not rebound from other cells, imports apart: an experiment
    that does so would spoil the answers. What is set on an answer afterwards, such as a method of its class, is taken.

    >>> cells = ["import math; x = 1", "rows = []\\nfor i in range(3): rows.append(i)", "print(2)"]
    >>> [one.text for _, one in needed(cells, {"def y(): return math.pi * rows[0]"}, set(), {"y"})]
    ['import math', 'rows = []', 'for i in range(3): rows.append(i)']
    """
    pool = [(cell, one) for cell, source in enumerate(others) for one in split(source)]
    answers = [one for source in chosen for one in split(source)]
    search = _Search([one for _, one in pool], answers, frozenset(given), frozenset(names))
    search.run()
    taken = [pool[index] for index in sorted(search.kept) if index < len(pool)]
    return sorted(taken, key=lambda entry: not _is_future(entry[1]))


def _is_future(one: Statement) -> bool:
    return isinstance(one.node, ast.ImportFrom) and one.node.module == "__future__"


class _Search:
    """The walk. Statements go by their index, those of the answers behind the others."""

    def __init__(
        self, pool: Sequence[Statement], answers: Sequence[Statement], given: frozenset[str], names: frozenset[str]
    ) -> None:
        self.all, self.own = [*pool, *answers], len(pool)
        self.given, self.names = given, names
        self.modules = {name for one in self.all if _is_import(one) for name in one.effects.binds}
        self.binders: dict[str, list[int]] = defaultdict(list)
        self.changers: dict[str, list[int]] = defaultdict(list)
        self.callers: dict[str, list[int]] = defaultdict(list)
        self.later_changers: dict[str, list[int]] = defaultdict(list)  # name -> functions that change it when called
        self.later_callers: dict[str, list[int]] = defaultdict(list)  # function -> functions that call it for what it does
        self.aliases: dict[str, list[str]] = defaultdict(list)
        self.values = _bound_to_values(self.all) - names
        self.classes = {one.node.name for one in self.all if isinstance(one.node, ast.ClassDef)}
        for index, one in enumerate(self.all):
            self._enter_bindings(index, one)
        self._enter_changes()
        self.kept: set[int] = set()
        self._todo: list[tuple[str, str]] = []
        self._met: set[tuple[str, str]] = set()

    def _enter_bindings(self, index: int, one: Statement) -> None:
        own, effects = index >= self.own, one.effects
        for name in effects.binds:
            if own or _is_import(one) or name not in self.given | self.names:
                self.binders[name].append(index)
        for name in effects.files:
            self.binders[name].append(index)
        for name in effects.calls | effects.acted_on:
            self.callers[name].append(index)
        for name in effects.later_changes:
            self.later_changers[name].append(index)
        for name in effects.later_calls:
            self.later_callers[name].append(index)
        for name, other in effects.aliases:
            self.aliases[other].append(name)

    def _enter_changes(self) -> None:
        """What changes which name. A module's functions change nothing that counts, only assignments into it do."""
        methods = {name for one in self.all for name in one.effects.mutating_methods}
        functions = {name for one in self.all if one.effects.changes_arguments for name in one.effects.binds}
        spaces = self.modules | self.given | {*_TYPES}
        for index, one in enumerate(self.all):
            effects = one.effects
            changed = {name for name in effects.acted_on if name not in self.modules}
            changed |= effects.changes | (effects.dropped & self.values)
            changed |= {name for name, method in effects.methods if method in methods}
            changed |= {name for function, name in effects.passed if function in functions}
            changed |= {name for space, name in effects.handed if space in spaces}
            for name in changed - self.given:
                self.changers[name].append(index)

    def run(self) -> None:
        """Take what the answers' definitions need; then for the rest of their cells what is merely bound, loops apart."""
        self._keep(index for index, one in enumerate(self.all[: self.own]) if _is_for_all(one))
        mine = range(self.own, len(self.all))
        if self.names & {name for index in mine for name in self.all[index].effects.binds}:
            self._walk(("value", name) for name in self.names)
        else:
            self._keep(mine)
            self._walk(())
        self._keep_stars()
        self._walk_loosely([index for index in mine if index not in self.kept])

    def _walk(self, start: Iterable[tuple[str, str]]) -> None:
        self._meet(start)
        while self._todo:
            kind, name = self._todo.pop()
            if kind == "value":
                self._keep(self.binders[name])
                self._meet([("touched", name)])
            elif kind == "touched":
                self._keep(self.changers[name])
                self._meet_calls(self.later_changers[name])
                self._meet(("touched", other) for other in self.aliases[name])
            else:
                self._keep(self.callers[name])
                self._meet_calls(self.later_callers[name])
                if name in self.classes:  # what its methods change is changed through any object of it
                    self._meet_calls(index for index in self.callers[name] if _makes(self.all[index], name))

    def _meet_calls(self, functions: Iterable[int]) -> None:
        self._meet(("called", name) for index in functions for name in self.all[index].effects.binds)

    def _meet(self, found: Iterable[tuple[str, str]]) -> None:
        for one in found:
            if one not in self._met:
                self._met.add(one)
                self._todo.append(one)

    def _keep(self, indices: Iterable[int]) -> None:
        for index in indices:
            if index not in self.kept:
                self.kept.add(index)
                self._meet(("value", name) for name in self.all[index].effects.looks_up)

    def _walk_loosely(self, start: list[int]) -> None:
        """For experiments in an answer's cell: imports, definitions and constants, and nothing that changes them."""
        todo, seen = list(start), set[str]()
        while todo:
            for name in self.all[todo.pop()].effects.looks_up - seen:
                seen.add(name)
                found = [index for index in self.binders[name] if index < self.own and index not in self.kept]
                found = [index for index in found if not isinstance(self.all[index].node, _LOOPS)]
                self.kept.update(found)
                todo += found

    def _keep_stars(self) -> None:
        """Star imports that may give a name which is wanted. Nothing is imported here to find out."""
        wanted = {name for kind, name in self._met if kind == "value" and "." not in name}
        wanted |= {name for one in self.all[self.own :] for name in one.effects.looks_up}
        unknown = wanted - self.given - self.names - set(vars(builtins)) - {name for name in wanted if self.binders[name]}
        for index, one in enumerate(self.all[: self.own]):
            for module in one.effects.stars:
                names = exported(module)
                if unknown if names is None else names & unknown:
                    self._keep([index])
        self._walk(())


def _bound_to_values(every: Iterable[Statement]) -> set[str]:
    """Names that assignments alone bind. To call such a value for nothing but what it does may change it; definitions show in
    their text whether calling them does."""
    assigned, other = set[str](), set[str]()
    for one in every:
        (assigned if isinstance(one.node, (ast.Assign, ast.AnnAssign)) else other).update(one.effects.binds)
    return assigned - other


def _makes(one: Statement, name: str) -> bool:
    """Is this `thing = Name(…)`?"""
    value = one.node.value if isinstance(one.node, (ast.Assign, ast.AnnAssign)) else None
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == name


def _is_import(one: Statement) -> bool:
    return isinstance(one.node, (ast.Import, ast.ImportFrom))


def _is_for_all(one: Statement) -> bool:
    """What sets something for the whole of a notebook: later versions of the language, and how deep calls may go."""
    return _is_future(one) or (isinstance(one.node, ast.Expr) and "setrecursionlimit(" in one.text)


def exported(module: str) -> set[str] | None:
    """What a star import gives, where the module happens to be loaded."""
    loaded = sys.modules.get(module)
    if loaded is None:
        return None
    return set(getattr(loaded, "__all__", None) or (name for name in vars(loaded) if not name.startswith("_")))
