"""The letters that a docstring gives to axes, and lines that confuse two axes."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...messages import Code, Count, Message
from .answer_tree import Written, as_name
from .slip import Slip, quoted

_LINE = re.compile(r"^\s*(?P<names>[a-z_]\w*(?:, [a-z_]\w*)*)\s{2,}(?P<says>\S.*)$", re.MULTILINE)
_SHAPE = re.compile(r"\((?P<axes>[A-Z]\w*|[a-z]\w*|\d+)(?P<more>(?:, ?[\w/ ]+)*,?)\)")
_SIZE = re.compile(r"^(?P<letter>[A-Z]\w*),")
#: What learners call a size whose letter is another one in the docstring.
_SYNONYMS = {
    "B": ("batch", "batch_size", "bs", "n_batch"),
    "T": ("t", "seq_len", "length", "seq_length", "seq", "n_positions", "num_positions", "sequence_length"),
    "S": ("src_len", "source_length"),
    "N": ("n", "rows", "num_rows"),
    "V": ("vocab_size", "num_embeddings", "vocab"),
    "d": ("dim", "width", "d_model", "embedding_dim"),
    "h": ("heads", "n_heads", "num_heads"),
}


@dataclass(frozen=True)
class Axes:
    """The letters of each argument's axes, and what the letters are in one case."""

    of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)

    def letters_for(self, size: int) -> list[str]:
        """Return the letters that have this size here."""
        return [letter for letter, here in self.sizes.items() if here == size]


def axes_of(written: Written, given: Mapping[str, Any]) -> Axes:
    """Return what the docstring says of the arguments' axes, as far as it agrees with what is given."""
    of: dict[str, tuple[str, ...]] = {}
    sizes: dict[str, int] = {}
    for line in _LINE.finditer(written.docstring):
        shape_match, size = _SHAPE.search(line["says"]), _SIZE.match(line["says"])
        for name in line["names"].split(", "):
            value = given.get(name)
            if size and isinstance(value, int):
                sizes.setdefault(size["letter"], value)
            shape = getattr(value, "shape", None)
            if not shape_match or shape is None:
                continue
            letters = tuple(axis.strip() for axis in f"{shape_match['axes']}{shape_match['more']}".split(",") if axis.strip())
            if len(letters) == len(shape) and "returns" not in name:
                of[name] = letters
                for letter, here in zip(letters, shape, strict=True):
                    if letter.isidentifier():
                        sizes.setdefault(letter, int(here))
    return Axes(of, sizes)


def axis_taken_for_another(written: Written, given: Mapping[str, Any]) -> Iterator[Slip]:
    """Yield a slip for `T = x.shape[0]` where x has the shape (B, T, d), and for a table of positions that is cut to B rows."""
    axes = axes_of(written, given)
    for function in written.in_use.values():
        stored = {child.id for child in ast.walk(function) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)}
        known = {name: letters for name, letters in axes.of.items() if name not in stored}
        for node in ast.walk(function):
            for target, name, axis in _sizes_bound(node, known) if isinstance(node, ast.Assign) else ():
                letters = known[name]
                meant = next((letter for letter in letters if _names(target, letter)), None)
                if meant and meant != letters[axis]:
                    alone = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
                    code = quoted(node)
                    if not alone:
                        code = Message("`{name}` in {code}", name=Code(target), code=code)
                    yield _other_axis(node, code, name, letters, axis, meant)
            yield from _cut_to_the_batch(node, known)


def _shape_of(value: ast.expr) -> str:
    """Return the name whose shape this is: `x.shape`, `x.size()`; empty for anything else."""
    if isinstance(value, ast.Call) and not value.args and not value.keywords:
        name = as_name(value.func)
        return name.removesuffix(".size") if name.endswith(".size") else ""
    name = as_name(value)
    return name.removesuffix(".shape") if name.endswith(".shape") else ""


def _names(target: str, letter: str) -> bool:
    return target == letter or target.lower() in _SYNONYMS.get(letter, ())


def _other_axis(node: ast.AST, code: Code | Message, name: str, letters: tuple[str, ...], axis: int, meant: str) -> Slip:
    says = Message("Line {line}: {code} takes {letter}, the size of axis {axis}; `{name}` has the shape ({shape}).")
    if letters[axis] == "B" and "T" in letters:
        says = Message("Line {line}: {code} takes {letter}, the number of sentences; `{name}` has the shape ({shape}).")
    says = says.fill(
        line=Count(getattr(node, "lineno", 0)),
        code=code,
        letter=Code(letters[axis]),
        axis=Count(axis),
        name=Code(name),
        shape=Code(", ".join(letters)),
    )
    step = Message("{letter} is `{name}.shape[{axis}]`.", letter=Code(meant), name=Code(name), axis=Count(letters.index(meant)))
    return Slip("axis", says, step, first=True)


def _axis_of(value: ast.expr, known: Mapping[str, tuple[str, ...]]) -> tuple[str, int] | None:
    """Return the argument and the axis whose size this is: `x.shape[1]`, `x.size(1)`, `len(x)`."""
    name, axis = "", None
    if isinstance(value, ast.Call) and as_name(value.func) == "len" and len(value.args) == 1:
        name, axis = as_name(value.args[0]), 0
    elif isinstance(value, ast.Call) and as_name(value.func).endswith(".size") and len(value.args) == 1:
        name, axis = as_name(value.func).removesuffix(".size"), _whole(value.args[0])
    elif isinstance(value, ast.Subscript):
        name, axis = _shape_of(value.value), _whole(value.slice)
    count = len(known.get(name, ()))
    if axis is None or not -count <= axis < count:
        return None
    return name, axis % count


def _whole(node: ast.expr) -> int | None:
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    return sign * node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _sizes_bound(node: ast.Assign, known: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str, int]]:
    """Yield each name that is bound to the size of an axis: the name, the argument, the axis."""
    if len(node.targets) != 1:
        return
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Name):
        argument_axis = _axis_of(value, known)
        if argument_axis:
            yield target.id, *argument_axis
    elif isinstance(target, ast.Tuple):
        names = [child.id if isinstance(child, ast.Name) else "" for child in target.elts]
        name = _shape_of(value)
        if len(names) == len(known.get(name, ())):
            yield from ((bound, name, axis) for axis, bound in enumerate(names))


def _cut_to_the_batch(node: ast.AST, known: Mapping[str, tuple[str, ...]]) -> Iterator[Slip]:
    """Yield a slip for `table[:x.shape[0]]` where x has the shape (B, T, …) and the table has no axis of B."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice) or node.slice.lower is not None:
        return
    argument_axis = _axis_of(node.slice.upper, known) if node.slice.upper is not None else None
    if argument_axis and "B" not in known.get(as_name(node.value), ()):
        name, axis = argument_axis
        if known[name][axis] == "B" and "T" in known[name]:
            yield _other_axis(node, quoted(node), name, known[name], axis, "T")


def shapes_taken_apart(written: Written, given: Mapping[str, Any]) -> Iterator[Slip]:
    """Yield `B, T, d = x.shape` where x as it is given has another number of axes."""
    for function in written.in_use.values():
        stored = {child.id for child in ast.walk(function) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)}
        for node in ast.walk(function):
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], (ast.Tuple, ast.List)):
                continue
            name, names = _shape_of(node.value), node.targets[0].elts
            count = getattr(given.get(name), "ndim", None)
            if name in stored or count is None or any(isinstance(child, ast.Starred) for child in names):
                continue
            if count != len(names):
                says = Message.plural(
                    "Line {line} takes {code} apart into {names} names; here `{name}` has {count} axis.",
                    "Line {line} takes {code} apart into {names} names; here `{name}` has {count} axes.",
                    Count(count),
                    line=Count(node.lineno),
                    code=quoted(node.value),
                    names=Count(len(names)),
                    name=Code(name),
                )
                step = Message(
                    "Take what holds for any number of axes: `{name}.shape[-1]`, or `*rest, last = {name}.shape`.",
                    name=Code(name),
                )
                yield Slip("shape", says, step, instead=True)
