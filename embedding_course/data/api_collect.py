"""Collect the docstrings of one library. `api_docstrings` runs this file by its path, in a process of its own.

Importing every module of a library may warn, print, open files or fail, and the kernel must not be affected. This file
therefore imports nothing of the course. It reads {"library", "path", "modules"} as JSON from stdin and writes
{"version": ..., "found": [[name, kind, docstring], ...]} as JSON to stdout; what the imports print is dropped.
"""

import importlib
import inspect
import json
import os
import pkgutil
import sys
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

#: Modules of the standard library that act on import, are programs, or have no docstrings.
ODD = frozenset((
    "antigravity", "this", "test", "idlelib", "turtledemo", "lib2to3", "encodings", "pydoc_data", "ensurepip", "venv",
    "distutils", "msilib", "turtle", "tkinter",
))
#: Parts of names of modules that are internal, or that need further packages to be imported.
NOT_FOR_USERS = frozenset((
    "tests", "test", "testing", "conftest", "setup", "compat", "externals", "f2py", "distutils", "onnx", "tensorboard",
    "backends", "fx", "contrib", "pylab", "ao", "quantization", "quantizable", "quantized", "export", "package",
))
_REFUSED = ("socket.connect", "socket.getaddrinfo", "socket.bind", "webbrowser.open", "urllib.Request")


def main() -> None:
    """Answer one request: read it from stdin and write the result to stdout."""
    request = json.load(sys.stdin)
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.path[:] = request["path"]
    sys.addaudithook(_refuse)
    warnings.simplefilter("ignore")
    if request["library"] != "python":
        importlib.import_module(request["library"])  # If the library cannot be imported, there is no answer.
    rows, version = collect(request["library"])
    json.dump({"version": version, "found": rows}, answer)
    answer.flush()
    os._exit(0)  # This skips the exit handlers of the library.


def _refuse(event: str, _: Any) -> None:
    if event in _REFUSED:
        raise OSError(f"{event} is not for imports")


def collect(library: str) -> tuple[list[list[str]], str]:
    """Return every documented function, class and method of a library, and the version of the library.

    Each object occurs once, as [name, kind, docstring], under its shortest public name.
    """
    names: dict[int, list[tuple[bool, int, int, str]]] = {}
    objects: dict[int, Any] = {}
    version = sys.version.split()[0]
    for module in _modules(library):
        if module.__name__ == library:
            version = str(getattr(module, "__version__", version)).split("+")[0]
        for name, value in _public(module, library):
            home = getattr(value, "__module__", None) or module.__name__
            elsewhere = not f"{home}.".startswith(f"{module.__name__}.")  # This module only imported the object.
            here = [(name, value)]
            if inspect.isclass(value):
                here += [(f"{name}.{method}", inner) for method, inner in _methods(value)]
            for full, each in here:
                names.setdefault(id(each), []).append((elsewhere, full.count("."), len(full), full))
                objects[id(each)] = each  # A reference is kept, so that the id is not reused.
    rows = []
    for key, value in objects.items():
        text = vars(value).get("__doc__") if inspect.isclass(value) else getattr(value, "__doc__", None)
        if isinstance(text, str) and text.strip():
            name = min(names[key])[-1].removeprefix("builtins.")
            rows.append([name, "class" if inspect.isclass(value) else "function", inspect.cleandoc(text)])
    return sorted(rows), version


def _modules(library: str) -> Iterator[ModuleType]:
    """Yield the public modules of a library, or of the whole standard library, that can be imported."""
    if library == "python":
        roots = sorted(name for name in sys.stdlib_module_names if not name.startswith("_") and name not in ODD)
    else:
        roots = [library]
    waiting = list(reversed(roots))
    while waiting:
        name = waiting.pop()
        try:
            module = importlib.import_module(name)
        except BaseException:  # Some modules even exit on import.
            continue
        yield module
        inner = pkgutil.iter_modules(getattr(module, "__path__", []))
        below = sorted(each.name for each in inner if not each.name.startswith("_") and each.name not in NOT_FOR_USERS)
        waiting += [f"{name}.{each}" for each in reversed(below)]


def _public(module: ModuleType, library: str) -> Iterator[tuple[str, Any]]:
    """Yield name and value of each object that a module exports and the library itself defines."""
    listed = getattr(module, "__all__", None)
    for name in sorted(set(listed if listed is not None else vars(module))):
        if not isinstance(name, str) or (name.startswith("_")):
            continue
        try:
            value = getattr(module, name)
        except BaseException:
            continue
        if (inspect.isclass(value) or callable(value)) and _own(value, library):
            yield f"{module.__name__}.{name}", value


def _own(value: Any, library: str) -> bool:
    if not (inspect.isclass(value) or inspect.isroutine(value) or type(value).__name__ in ("ufunc", "OpOverloadPacket")):
        return hasattr(value, "__wrapped__") and inspect.isroutine(value.__wrapped__)
    home = getattr(value, "__module__", None)
    if not isinstance(home, str):
        return True
    root = home.partition(".")[0]
    return root in sys.stdlib_module_names if library == "python" else root == library


def _methods(kind: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods that a class or one of its private base classes defines."""
    library = kind.__module__.partition(".")[0]
    for above in kind.__mro__:
        home = f"{above.__module__}.{above.__qualname__}"
        if above is not kind and not (home.startswith(f"{library}.") and "._" in home):
            continue
        for name, value in vars(above).items():
            value = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
            if not name.startswith("_") and inspect.isroutine(value):
                yield name, value


if __name__ == "__main__":
    main()
