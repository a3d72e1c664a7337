"""Files by which cells hand something to one another: one writes `words.json`, another opens it or imports `helpers.py`."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

__all__ = ["Files", "files_of"]

_NAME = re.compile(r"[\w./ -]{1,100}\.\w{1,12}")
#: Calls that write a file. `open` does with a mode that says so.
_WRITERS = frozenset({
    "dump", "imsave", "run_cell_magic", "save", "save_file", "save_model", "savefig", "savetxt", "savez", "savez_compressed",
    "to_csv", "to_json", "to_pickle", "tofile", "write_bytes", "write_text",
})  # fmt: skip
_MODES = frozenset("wax+")


@dataclass(frozen=True)
class Files:
    """Of a statement: the files that it names, as `file words.json`, those of them that it writes, and the names of variables
    that stand for the path of one that it writes."""

    named: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()


def files_of(node: ast.stmt) -> Files:
    """The files that a statement names and writes, wherever inside.

    >>> sorted(files_of(ast.parse("open('words.txt', 'w').write('a')").body[0]).written)
    ['file words.txt']
    >>> sorted(files_of(ast.parse("import helpers").body[0]).named)
    ['file helpers.py']
    """
    named, paths, writes = set[str](), set[str](), False
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and _NAME.fullmatch(one.value):
            named.add(_file(one.value))
        elif isinstance(one, ast.Import):
            named.update(_file(f"{entry.name.split('.')[0]}.py") for entry in one.names)
        elif isinstance(one, ast.ImportFrom) and one.module:
            named.add(_file(f"{one.module.split('.')[0]}.py"))
        elif isinstance(one, ast.Call) and _writes(one):
            writes = True
            paths.update(argument.id for argument in one.args if isinstance(argument, ast.Name))
    return Files(frozenset(named), frozenset(named if writes else ()), frozenset(paths))


def _file(path: str) -> str:
    return f"file {path.removeprefix('./')}"


def _writes(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name != "open":
        return name in _WRITERS
    words = [*call.args[:2], *(word.value for word in call.keywords if word.arg == "mode")]
    return any(
        isinstance(word, ast.Constant) and _MODES & {*str(word.value)[:3]} and len(str(word.value)) < 4 for word in words
    )
