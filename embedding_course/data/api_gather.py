"""Read the docstrings of the installed libraries, each in a process of its own, and cache the result.

A library that fails, hangs or is not installed is missing from the result.
"""

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
from ..messages import say
from . import api_clean, api_collect, api_groups

#: The libraries that are read: import name to the name of the installed package.
LIBRARIES = {
    "python": None,
    "numpy": "numpy",
    "scipy": "scipy",
    "sklearn": "scikit-learn",
    "matplotlib": "matplotlib",
    "torch": "torch",
}
SECONDS = 300  # This is the time limit for each library.


class Entry(msgspec.Struct, frozen=True):
    """Hold a function, class or method: its name, its library, its first sentence and the rest of its docstring."""

    name: str
    library: str
    kind: str
    summary: str
    body: str
    group: str  # Nearly identical entries have the same group, which is in one split.


class Gathered(msgspec.Struct, frozen=True):
    """Hold all entries, sorted by name, and the version of each library that was read."""

    entries: list[Entry]
    versions: dict[str, str]


def installed() -> dict[str, str]:
    """Return the version of each library that is installed, without importing any.

    Examples
    --------
    >>> list(installed())[0]
    'python'
    """
    versions = {}
    for library, package in LIBRARIES.items():
        try:
            versions[library] = version(package).split("+")[0] if package else platform.python_version()
        except PackageNotFoundError:
            continue
    return versions


def gather(libraries: dict[str, str], seconds: float = SECONDS) -> Gathered:
    """Return the entries of the given libraries, from the learner's cache if it has them, otherwise read now and cached.

    Parameters
    ----------
    libraries : dict[str, str]
        Library to version, as `installed` returns them.
    seconds : float, optional
        Time limit for each library. Results that are incomplete are not cached.
    """
    path = cache_file(libraries)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Gathered)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        pass  # The file is missing or damaged, so it is written anew.
    say("Reading the docstrings of {libraries}: once, half a minute on a free machine.", libraries=", ".join(libraries))
    with ThreadPoolExecutor(min(len(libraries), os.cpu_count() or 1)) as pool:
        answers = list(pool.map(lambda library: collected(library, seconds), libraries))
    raw = {library: answer["found"] for library, answer in zip(libraries, answers, strict=True) if answer}
    versions = {library: answer["version"] for library, answer in zip(libraries, answers, strict=True) if answer}
    gathered = Gathered(_entries(raw), versions)
    if len(raw) == len(libraries):
        keep(path, msgspec.json.encode(gathered))
    else:
        say("Not read: {libraries}.", libraries=", ".join(set(libraries) - set(raw)))
    return gathered


def collected(library: str, seconds: float) -> dict[str, Any] | None:
    """Run `api_collect` in a process of its own and return its result, or None if it fails.

    The process starts in an empty folder, with the kernel's search path and one thread.

    Parameters
    ----------
    library : str
        Name of the library whose documentation is collected.
    seconds : float
        Time limit of the process.
    """
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
    """Return the module search path, installed packages first, so that a learner's own random.py replaces no library."""
    paths = [path for path in sys.path if path and Path(path).resolve() != Path.cwd()]
    roots = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    return sorted(paths, key=lambda path: not path.startswith(roots))


def _entries(raw: dict[str, list[list[str]]]) -> list[Entry]:
    """Return the cleaned entries by name, each summary and each body once (shorter names win), with their groups."""
    candidates = [(library, name, kind, text) for library, rows in raw.items() for name, kind, text in rows]
    candidates.sort(key=lambda row: (row[1].count("."), len(row[1]), row[1]))
    seen: set[str] = set()
    kept: list[tuple[str, str, str, str, str]] = []
    for library, name, kind, text in candidates:
        pair = api_clean.clean(text)
        if pair is None:
            continue
        keys = {f"{side} {' '.join(api_clean.words_of(part))}" for side, part in enumerate(pair)} | {f"name {name}"}
        if not keys & seen:
            seen |= keys
            kept.append((name, library, kind, *pair))
    groups = api_groups.groups_of([(row[3], row[4]) for row in kept])
    names: dict[int, str] = {}
    for row, group in zip(kept, groups, strict=True):
        names[group] = min(row[0], names.get(group, row[0]))
    return sorted((Entry(*row, names[group]) for row, group in zip(kept, groups, strict=True)), key=lambda entry: entry.name)


def cache_file(libraries: dict[str, str]) -> Path:
    """Return the cache file for these versions and for this version of the code.

    It lies beside the learner's progress, or in the folder EMBEDDING_COURSE_CACHE, which several learners can share.
    """
    code = [Path(str(module.__file__)).read_bytes() for module in (api_collect, api_clean, api_groups)]
    code.append(Path(__file__).read_bytes())
    key = hashlib.sha256(b"".join([repr(sorted(libraries.items())).encode(), platform.system().encode(), *code]))
    folder = Path(os.environ.get("EMBEDDING_COURSE_CACHE") or state_file().parent / "cache")
    return folder / f"api-docstrings-{key.hexdigest()[:16]}.json"
