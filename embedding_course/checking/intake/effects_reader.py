"""Go through a statement's syntax tree once, without recursion, and note what it does to which names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["ANY", "FUNCTIONS", "Found", "Reader"]

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Methods that change what they are called on, and functions that change their first argument.
_MUTATORS = frozenset({
    "add", "add_module", "append", "appendleft", "apply", "clear", "copyto", "delattr", "discard", "extend", "extendleft",
    "fill", "fill_diagonal", "heapify", "heappop", "heappush", "insert", "insort", "load_state_dict", "move_to_end", "next",
    "pop", "popitem", "popleft", "put", "register_buffer", "register_module", "register_parameter", "remove", "reverse",
    "rotate", "send", "setattr", "setdefault", "setflags", "setitem", "shuffle", "sort", "subtract", "update",
    "__delattr__", "__delitem__", "__next__", "__setattr__", "__setitem__",
})  # fmt: skip
_SCOPES = ("globals", "vars", "locals")
#: Stands among the modules of star imports for whatever else binds names that the text does not show.
ANY = "?"


@dataclass
class Found:
    """As `Effects`, for what runs at once or for what runs later. `declared` are the names of global statements."""

    binds: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)
    acted_on: set[str] = field(default_factory=set)
    methods: set[tuple[str, str]] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)
    passed: set[tuple[str, str]] = field(default_factory=set)
    handed: set[tuple[str, str]] = field(default_factory=set)
    aliases: set[tuple[str, str]] = field(default_factory=set)
    stars: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)

    def spread(self) -> None:
        """What is changed under another name is changed: `for row in table: row.append(0)`."""
        others: dict[str, list[str]] = {}
        for name, other in self.aliases:
            others.setdefault(name, []).append(other)
        for kind in (self.changes, self.acted_on):
            todo = list(kind)
            while todo:
                fresh = [other for other in others.get(todo.pop(), ()) if other not in kind]
                kind.update(fresh)
                todo += fresh


class _Where(NamedTuple):
    """Where in a statement: in a function's body, in a loop, in a class's own names, with a result that nobody uses?"""

    later: bool = False
    loop: bool = False
    own_names: bool = False
    dropped: bool = False


class Reader:
    """Goes through a statement once. `attributes` are (name, attribute) pairs that are read anywhere in it."""

    def __init__(self, *nodes: ast.AST) -> None:
        self.now, self.later = Found(), Found()
        self.attributes: set[tuple[str, str]] = set()
        self._todo: list[tuple[ast.AST, _Where]] = [(node, _Where()) for node in nodes]
        while self._todo:
            node, where = self._todo.pop()
            getattr(self, f"_{type(node).__name__}", self._others)(node, where)
        self.now.spread()
        self.later.spread()

    def _found(self, where: _Where) -> Found:
        return self.later if where.later else self.now

    def _add(self, nodes: Iterable[ast.AST | None], where: _Where) -> None:
        self._todo += [(node, where) for node in nodes if node is not None]

    def _others(self, node: ast.AST, where: _Where) -> None:
        self._add(ast.iter_child_nodes(node), where._replace(dropped=False))

    def _bind(self, name: str | None, where: _Where) -> None:
        if name and not where.own_names:
            self._found(where).binds.add(name)

    def _Name(self, node: ast.Name, where: _Where) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._bind(node.id, where)

    def _Global(self, node: ast.Global, where: _Where) -> None:
        self._found(where).declared.update(node.names)

    def _Import(self, node: ast.Import, where: _Where) -> None:
        for one in node.names:
            self._bind((one.asname or one.name).split(".")[0], where)

    def _ImportFrom(self, node: ast.ImportFrom, where: _Where) -> None:
        for one in node.names:
            if one.name == "*":
                self._found(where).stars.add(node.module or "")
            else:
                self._bind(one.asname or one.name, where)

    def _FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, where: _Where) -> None:
        self._bind(node.name, where)
        self._decorated(node, where)
        self._add([node.args, node.returns], where._replace(dropped=False))
        self._add(node.body, _Where(later=True))

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, node: ast.ClassDef, where: _Where) -> None:
        self._bind(node.name, where)
        self._decorated(node, where)
        self._found(where).methods.update((name, "__init_subclass__") for base in node.bases if (name := _root(base)))
        self._add([*node.bases, *node.keywords], where)
        self._add(node.body, where._replace(own_names=True))

    def _decorated(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, where: _Where) -> None:
        """A decorator is a call, and one such as `@show.register(int)` changes what stands before its dot."""
        for one in node.decorator_list:
            bare = one.func if isinstance(one, ast.Call) else one
            found, name = self._found(where), _root(bare)
            for kind in (found.calls, found.dropped) if isinstance(bare, ast.Name) else (found.acted_on,):
                kind.add(name)
        self._add(node.decorator_list, where._replace(dropped=False))

    def _Lambda(self, node: ast.Lambda, where: _Where) -> None:
        self._add([node.args], where._replace(dropped=False))
        self._add([node.body], _Where(later=True))

    def _comprehension(self, node: ast.comprehension, where: _Where) -> None:
        """Its variables are its own; what they stand for may be changed under their names."""
        self._alias(node.target, node.iter, where)
        self._add([node.iter, *node.ifs], where._replace(dropped=False))

    def _same(self, node: ast.AST, where: _Where) -> None:
        """Parts whose result is used where the whole's is."""
        self._add(ast.iter_child_nodes(node), where)

    _ListComp = _SetComp = _DictComp = _GeneratorExp = _Await = _IfExp = _BoolOp = _Tuple = _List = _same

    def _Expr(self, node: ast.Expr, where: _Where) -> None:
        if isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.LShift):  # rows << 3
            self._found(where).acted_on.add(_root(node.value.left))
        self._add([node.value], where._replace(dropped=True))

    def _For(self, node: ast.For | ast.AsyncFor, where: _Where) -> None:
        self._alias(node.target, node.iter, where)
        self._add([node.target, node.iter, *node.orelse], where)
        self._add(node.body, where._replace(loop=True))

    _AsyncFor = _For

    def _While(self, node: ast.While, where: _Where) -> None:
        self._add([node.test, *node.orelse], where)
        self._add(node.body, where._replace(loop=True))

    def _withitem(self, node: ast.withitem, where: _Where) -> None:
        if node.optional_vars is not None:
            self._alias(node.optional_vars, node.context_expr, where)
        self._others(node, where)

    def _Assign(self, node: ast.Assign, where: _Where) -> None:
        for target in node.targets:
            if _chain(node.value) or isinstance(node.value, (ast.Tuple, ast.List)):
                self._alias(target, node.value, where)
            for one in node.value.args if isinstance(node.value, ast.Call) else ():  # partial(rows.append, 1)
                if isinstance(one, ast.Attribute) and _is_mutator(one.attr):
                    self._alias(target, one, where)
            if len(node.targets) > 1 and isinstance(target, ast.Name):  # a = b = []
                self._found(where).aliases.update({(target.id, f"={id(node)}"), (f"={id(node)}", target.id)})
        self._others(node, where)

    def _ExceptHandler(self, node: ast.ExceptHandler, where: _Where) -> None:
        self._bind(node.name, where)
        self._others(node, where)

    _MatchAs = _MatchStar = _ExceptHandler

    def _MatchMapping(self, node: ast.MatchMapping, where: _Where) -> None:
        self._bind(node.rest, where)
        self._others(node, where)

    def _alias(self, target: ast.AST, value: ast.AST, where: _Where) -> None:
        """Any name of the target may be any name of the value; both meet in one, so that their number stays bounded."""
        meeting, found = f"={id(target)}", self._found(where).aliases
        found.update((meeting, name) for part in _parts(value) if (name := _root(part)))
        found.update(
            (one.id, meeting) for one in ast.walk(target) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        )

    def _Attribute(self, node: ast.Attribute, where: _Where) -> None:
        found, plain = self._found(where), node.value if isinstance(node.value, ast.Name) else None
        if isinstance(node.ctx, ast.Load):
            self.attributes.update({(plain.id, node.attr)} if plain else ())
            found.acted_on.update({_root(node)} if _is_mutator(node.attr) else ())  # map(rows.append, words)
        else:
            found.changes.add(_root(node))
            found.binds.update({f"{plain.id}.{node.attr}"} if plain else ())
        self._others(node, where)

    def _Subscript(self, node: ast.Subscript, where: _Where) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._found(where).changes.add(_root(node))
            if _is_scope(node.value) and isinstance(node.slice, ast.Constant):
                self._bind(str(node.slice.value), where)
            elif _is_scope(node.value):
                self._found(where).stars.add(ANY)
        self._others(node, where)

    def _Call(self, node: ast.Call, where: _Where) -> None:
        found, first = self._found(where), _root(node.args[0]) if node.args else ""
        if isinstance(node.func, ast.Name):
            name = node.func.id
            if where.dropped or not (where.loop or where.later):
                found.calls.update([name, *(one.id for one in node.args if isinstance(one, ast.Name))])
            found.dropped.update({name} if where.dropped else ())
            found.stars.update({ANY} if name == "exec" else ())
            handed_over = [*node.args, *(word.value for word in node.keywords)]
            found.passed.update((name, root) for value in handed_over if (root := _root(value)))
            if _is_mutator(name):
                found.acted_on.add(first)
        elif isinstance(node.func, ast.Attribute):
            before, name = _root(node.func.value), node.func.attr
            if _is_mutator(name):
                found.handed.add((before, first))
            if name == "backward":  # (weight * x).sum().backward() leaves gradients at all of them
                inside = list(ast.walk(node.func.value))
                called = {id(one.func) for one in inside if isinstance(one, ast.Call)}
                found.acted_on.update(one.id for one in inside if isinstance(one, ast.Name) and id(one) not in called)
            if _is_mutator(name) or where.dropped:
                found.acted_on.add(before)
            else:
                found.methods.add((before, name))
            if name == "update" and _is_scope(node.func.value):
                found.binds.update(word.arg for word in node.keywords if word.arg)
                found.stars.update({ANY} if node.args or any(word.arg is None for word in node.keywords) else ())
            if name == "run_line_magic" and node.args and isinstance(node.args[0], ast.Constant):
                found.stars.update({ANY} if node.args[0].value in ("pylab", "run") else ())
        self._others(node, where)


def _is_mutator(name: str) -> bool:
    """torch's own methods that work in place end in one underscore."""
    return name in _MUTATORS or (name.endswith("_") and not name.endswith("__"))


def _is_scope(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SCOPES and not node.args


def _root(node: ast.AST) -> str:
    """The name at the beginning of a chain such as `name.layers[0].rows("x")`; empty where there is none."""
    while not isinstance(node, ast.Name):
        if isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred, ast.Await)):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("vars", "getattr") and node.args
        ):
            node = node.args[0]
        else:
            return ""
    return node.id


def _chain(node: ast.AST) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))


def _parts(value: ast.AST) -> Iterator[ast.AST]:
    """The values that may come out of an expression: of `zip(a, b)` and of `a, b` each, else the expression itself."""
    if isinstance(value, (ast.Tuple, ast.List)):
        yield from value.elts
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        yield from value.args
    else:
        yield value
