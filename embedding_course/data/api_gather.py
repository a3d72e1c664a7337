"""Reads the docstrings of the installed libraries, each in a process of its own, and remembers the result.

A library that fails, hangs or is not installed is missing from the result, and nothing else happens.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from ..files import keep, state_file
from . import api_clean, api_collect, api_groups

__all__ = ["LIBRARIES", "Entry", "Gathered", "gather", "installed"]

#: What is read, by import name; the value is the name under which it is installed.
LIBRARIES = {
    "python": None,
    "numpy": "numpy",
    "scipy": "scipy",
    "sklearn": "scikit-learn",
    "matplotlib": "matplotlib",
    "torch": "torch",
}
SECONDS = 300  # after which a library is given up


class Entry(msgspec.Struct, frozen=True):
    """A function, class or method: its name, its library, its first sentence and the rest of its docstring."""

    name: str
    library: str
    kind: str
    summary: str
    body: str
    group: str  # near-identical entries have the same; a split never parts them


class Gathered(msgspec.Struct, frozen=True):
    """All entries, by name, and the version of each library that was read."""

    entries: list[Entry]
    versions: dict[str, str]


def installed() -> dict[str, str]:
    """The version of each library that is there; nothing is imported.

    >>> list(installed())[0]
    'python'
    """
    found = {}
    for library, package in LIBRARIES.items():
        try:
            found[library] = version(package).split("+")[0] if package else platform.python_version()
        except PackageNotFoundError:
            continue
    return found


def gather(libraries: dict[str, str], seconds: float = SECONDS) -> Gathered:
    """The entries of these libraries, from the learner's cache where they are in it, else read now and put there.

    `libraries` maps names to versions, as `installed` gives them. What could not be read completely is not kept.
    """
    path = _cache(libraries)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Gathered)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        pass  # not there, or spoilt: it is made anew and replaced
    print(f"Reading the docstrings of {', '.join(libraries)}: once, half a minute on a free machine.")
    with ThreadPoolExecutor(min(len(libraries), os.cpu_count() or 1)) as pool:
        answers = list(pool.map(lambda library: _collected(library, seconds), libraries))
    raw = {library: answer["found"] for library, answer in zip(libraries, answers, strict=True) if answer}
    versions = {library: answer["version"] for library, answer in zip(libraries, answers, strict=True) if answer}
    gathered = Gathered(_entries(raw), versions)
    if len(raw) == len(libraries):
        keep(path, msgspec.json.encode(gathered))
    else:
        print(f"Not read: {', '.join(set(libraries) - set(raw))}.")
    return gathered


def _collected(library: str, seconds: float) -> dict[str, Any] | None:
    """What `api_collect` found, or None. It runs in an empty folder, with this kernel's search path, without threads."""
    request = json.dumps({"library": library, "path": _path()})
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-W", "ignore", str(Path(api_collect.__file__).resolve())],
                input=request.encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env={**os.environ, **threads, "MPLBACKEND": "agg"},
                timeout=seconds,
                check=True,
            )
            return json.loads(done.stdout)
        except (OSError, subprocess.SubprocessError, ValueError):
            return None


def _path() -> list[str]:
    """Where modules are searched: installed ones first, so that a learner's own random.py is nobody's library."""
    found = [entry for entry in sys.path if entry and Path(entry).resolve() != Path.cwd()]
    roots = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    return sorted(found, key=lambda entry: not entry.startswith(roots))


def _entries(raw: dict[str, list[list[str]]]) -> list[Entry]:
    """Cleaned, each summary and each body once (shorter names first), in groups, by name."""
    found = [(library, name, kind, text) for library, rows in raw.items() for name, kind, text in rows]
    found.sort(key=lambda row: (row[1].count("."), len(row[1]), row[1]))
    said: set[str] = set()
    kept: list[tuple[str, str, str, str, str]] = []
    for library, name, kind, text in found:
        pair = api_clean.clean(text)
        if pair is None:
            continue
        keys = {f"{side} {' '.join(api_clean.words_of(part))}" for side, part in enumerate(pair)} | {f"name {name}"}
        if not keys & said:
            said |= keys
            kept.append((name, library, kind, *pair))
    groups = api_groups.groups_of([(row[3], row[4]) for row in kept])
    names: dict[int, str] = {}
    for row, group in zip(kept, groups, strict=True):
        names[group] = min(row[0], names.get(group, row[0]))
    return sorted((Entry(*row, names[group]) for row, group in zip(kept, groups, strict=True)), key=lambda entry: entry.name)


def _cache(libraries: dict[str, str]) -> Path:
    """The file for just these versions, read by just this code."""
    code = [Path(str(module.__file__)).read_bytes() for module in (api_collect, api_clean, api_groups)]
    code.append(Path(__file__).read_bytes())
    key = hashlib.sha256(b"".join([repr(sorted(libraries.items())).encode(), platform.system().encode(), *code]))
    return state_file().parent / "cache" / f"api-docstrings-{key.hexdigest()[:16]}.json"
