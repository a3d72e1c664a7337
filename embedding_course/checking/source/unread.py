"""Arguments and attributes of an answer that are never read."""

import ast
from collections.abc import Collection, Iterator

from ...messages import Code, Count, Message
from .answer_tree import Written, as_name, assigned, calls_in
from .slip import Slip, listed

#: Names that can read a variable without naming it.
_INDIRECT = {"locals", "vars", "eval", "exec", "getattr", "children", "modules", "named_children", "_modules", "__dict__"}
#: Two names for one of them are no slip.
_CONTAINERS = {"ModuleList", "ModuleDict", "ParameterList", "Sequential"}


def unread_arguments(written: Written, given: Collection[str]) -> Iterator[Slip]:
    """Yield the arguments in `given` that are never read, by the function or by a class's `forward`."""
    name = "forward" if isinstance(written.node, ast.ClassDef) else written.node.name
    function = written.functions.get(name)
    if function is None or _INDIRECT & written.words.keys():
        return
    unread: list[str] = []
    for argument in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]:
        line = _replaced_before_read(function, argument.arg) if argument.arg in given else None
        if line:
            says = Message("`{name}` as it is given is never read: line {line} puts something else in its place first.")
            step = Message("Look at what the docstring says of `{name}`, and use what is given.", name=Code(argument.arg))
            yield Slip("unread", says.fill(name=Code(argument.arg), line=Count(line)), step)
        elif line == 0:
            unread.append(argument.arg)
    if unread:
        says = Message.plural(
            "{names} is never read in `{function}`.",
            "{names} are never read in `{function}`.",
            Count(len(unread)),
            names=listed(unread),
            function=Code(name),
        )
        yield Slip("unread", says, Message("Look at what the docstring says of {names}.", names=listed(unread)))


def _replaced_before_read(function: ast.FunctionDef, name: str) -> int | None:
    """Return the line that replaces a name before it is read, None if it is read first, or 0 if it does not occur."""
    for statement in function.body:
        occurrences = [node for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id == name]
        if not occurrences:
            continue
        plain = isinstance(statement, ast.Assign) and any(as_name(target) == name for target in statement.targets)
        if plain and all(isinstance(node.ctx, ast.Store) for node in occurrences):
            return statement.lineno
        return None
    return 0


def unused_layers(written: Written) -> Iterator[Slip]:
    """Yield layers that the constructor keeps on `self` and that no method uses."""
    if not isinstance(written.node, ast.ClassDef) or _INDIRECT & written.words.keys() or _gives_itself_away(written.node):
        return
    read = {
        node.attr
        for node in ast.walk(written.node)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and _is_self(node.value)
    }
    kept = dict.fromkeys(target.attr for target, value, _ in _kept(written) if _is_layer(value))
    missing = [name for name in kept if name not in read]
    if not missing or "forward" not in written.functions:
        return
    names = listed([f"self.{name}" for name in missing])
    says = Message.plural(
        "{names} is made in `__init__` and never used.",
        "{names} are made in `__init__` and never used.",
        Count(len(missing)),
        names=names,
    )
    yield Slip("unused", says, Message("Where in `forward` should {names} take part?", names=names))


def same_layer_twice(written: Written) -> Iterator[Slip]:
    """Yield pairs of attributes that hold the same layer."""
    function = written.functions.get("__init__")
    local = {
        target.id: value
        for node in (ast.walk(function) if function else ())
        for target, value in assigned(node)
        if isinstance(target, ast.Name) and _is_layer(value)
    }
    holds: dict[str, ast.expr] = {}
    for target, value, line in _kept(written):
        name = as_name(value)
        layer = local.get(name) or (holds.get(name.removeprefix("self.")) if name.startswith("self.") else None) or value
        if not _is_layer(layer):
            continue
        first = next((name for name, node in holds.items() if node is layer and name != target.attr), None)
        if first:
            says = Message(
                "Line {line} gives `self.{name}` the same layer as `self.{other}`: they share one set of weights.",
                line=Count(line),
                name=Code(target.attr),
                other=Code(first),
            )
            step = Message("Make a layer of its own for `self.{name}`, by a call of its own.", name=Code(target.attr))
            yield Slip("same layer", says, step)
        holds[target.attr] = layer


def _kept(written: Written) -> Iterator[tuple[ast.Attribute, ast.expr, int]]:
    """Yield what the constructor keeps on `self`: the attribute, the value, the line."""
    function = written.functions.get("__init__")
    if function is None or not isinstance(written.node, ast.ClassDef):
        return
    for node in ast.walk(function):
        for target, value in assigned(node):
            if isinstance(target, ast.Attribute) and _is_self(target.value):
                yield target, value, value.lineno


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _is_layer(value: ast.expr) -> bool:
    """Return True for something made by a class: `nn.Linear(…)`, `MultiHeadAttention(…)`."""
    kind = as_name(value.func).rpartition(".")[2] if isinstance(value, ast.Call) else ""
    return kind[:1].isupper() and kind not in _CONTAINERS


def _gives_itself_away(node: ast.ClassDef) -> bool:
    """Return True if other code may read the attributes: a function that receives `self`, or a base class of the learner."""
    handed = any(_is_self(argument) for call in calls_in(node) for argument in call.args)
    return handed or any(as_name(above).rpartition(".")[2] != "Module" for above in node.bases)
