"""Where a learner's progress lives: one JSON file, replaced in one step so that a crash loses nothing."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import msgspec

from .result import Result

__all__ = ["Record", "forget", "learners_folder", "load", "record", "save_to", "state_file", "update"]

_FOLDER = ".embedding_course"
_chosen: Path | None = None


class Record(msgspec.Struct):
    """What is remembered: the best score and the last status of each exercise, hints seen, guesses made, and whether a
    worked solution was read "before" or "after" the exercise was done."""

    best: dict[str, float] = {}
    status: dict[str, str] = {}
    tries: dict[str, int] = {}
    hints: dict[str, int] = {}
    guesses: dict[str, Any] = {}
    solutions: dict[str, str] = {}
    changed: float = 0.0


def state_file() -> Path:
    """The file in use: the one chosen by `save_to`, the EMBEDDING_COURSE_STATE folder, the nearest
    `.embedding_course` folder above, or a new one here."""
    if _chosen is not None:
        return _chosen
    named = os.environ.get("EMBEDDING_COURSE_STATE")
    if named:
        return Path(named) / "progress.json"
    here = Path.cwd()
    home = next((folder for folder in (here, *here.parents) if (folder / _FOLDER).is_dir()), here)
    return home / _FOLDER / "progress.json"


def learners_folder(near: Path | None = None) -> Path:
    """The folder in which the learner's things lie: where they are kept by choice, else around the progress record,
    looked for upwards from `near` (a notebook file) if that is given."""
    if _chosen is not None:
        return _chosen.parent
    if near is not None:
        start = near.resolve().parent
        return next((folder for folder in (start, *start.parents) if (folder / _FOLDER).is_dir()), start)
    home = state_file().parent
    return home.parent if home.name == _FOLDER else home


def load(path: Path | None = None) -> Record:
    """What is remembered so far, in the file in use or in another one. An unreadable file is set aside, never overwritten."""
    path = path or state_file()
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except OSError:
        return Record()
    except (msgspec.DecodeError, UnicodeDecodeError):
        path.replace(path.with_suffix(f".unreadable-{int(time.time())}.json"))
        return Record()


def update(memory: Record) -> None:
    """Write the record beside its place and move it there. A read-only folder costs the memory, not the check."""
    memory.changed = time.time()
    path = state_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_bytes(msgspec.json.encode(memory))
        part.replace(path)
    except OSError:
        return


def record(result: Result) -> None:
    """Remember a result: the best score counts, the last status is shown."""
    memory = load()
    name = result.exercise
    memory.best[name] = max(memory.best.get(name, 0.0), result.score)
    memory.status[name] = result.status
    if result.status != "not attempted":
        memory.tries[name] = memory.tries.get(name, 0) + 1
    update(memory)


def save_to(folder: str | Path) -> Path:
    """Keep the record in `folder` from now on, merged with what is already there."""
    global _chosen
    mine = load()
    _chosen = Path(folder).expanduser() / "progress.json"
    theirs = load()
    for name, score in theirs.best.items():
        if score >= mine.best.get(name, -1.0):
            mine.best[name], mine.status[name] = score, theirs.status.get(name, "")
    for mapping in ("tries", "hints"):
        merged = {**getattr(theirs, mapping), **getattr(mine, mapping)}
        setattr(mine, mapping, merged)
    mine.guesses = {**theirs.guesses, **mine.guesses}
    early = {name: when for record in (theirs, mine) for name, when in record.solutions.items() if when == "before"}
    mine.solutions = {**theirs.solutions, **mine.solutions, **early}
    update(mine)
    return _chosen


def forget() -> None:
    """Start anew; the old record is kept beside as a backup."""
    path = state_file()
    if path.exists():
        path.replace(path.with_suffix(f".backup-{int(time.time())}.json"))
