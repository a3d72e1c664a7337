"""Store a learner's progress in one JSON file, which is replaced atomically so that a crash loses nothing."""

import time
from pathlib import Path
from typing import Any

import msgspec

from ...checking.result import Result
from ...files import choose, copy_over, keep, state_file
from ...messages import Message
from ...subject.errors import CourseError

#: The folders beside the record that are copied with it: own answers and own tables.
_ALONG = ("pieces", "tables")
#: Whoever checks nothing for so many seconds did something else.
_BREAK = 20 * 60


class EngineRow(msgspec.Struct, frozen=True):
    """Hold what a search engine gave for the five questions: the rank of the first right document, and what came first."""

    engine: str
    ranks: list[int]
    first: list[str]


class ProgressRecord(msgspec.Struct):
    """Hold the progress of a learner.

    It has the best score and the last status of each exercise, tries and the seconds of work before them, hints seen, guesses
    made, whether a worked solution was read "before" or "after" the exercise was done, the name of the mistake that the last
    check recognised, and the learner's search engine at the end of each lesson.
    """

    best: dict[str, float] = {}
    status: dict[str, str] = {}
    tries: dict[str, int] = {}
    seconds: dict[str, float] = {}
    hints: dict[str, int] = {}
    guesses: dict[str, Any] = {}
    solutions: dict[str, str] = {}
    mistakes: dict[str, str] = {}
    engines: dict[str, EngineRow] = {}
    changed: float = 0.0


def load(path: Path | None = None) -> ProgressRecord:
    """Return the record in the file in use, or in `path`. An unreadable file is set aside, never overwritten."""
    path = path or state_file()
    try:
        return msgspec.json.decode(path.read_bytes(), type=ProgressRecord)
    except OSError:
        return ProgressRecord()
    except (msgspec.DecodeError, UnicodeDecodeError):
        path.replace(path.with_suffix(f".unreadable-{int(time.time())}.json"))
        return ProgressRecord()


def update(memory: ProgressRecord) -> None:
    """Write the record. If the folder is read-only, the record is lost but the check goes on."""
    memory.changed = time.time()
    keep(state_file(), msgspec.json.encode(memory))


def record(result: Result) -> None:
    """Record a result: the best score counts, the last status is shown."""
    memory = load()
    name = result.exercise
    memory.best[name] = max(memory.best.get(name, 0.0), result.score)
    memory.status[name] = result.status
    memory.mistakes.pop(name, None)
    if result.mistake:
        memory.mistakes[name] = result.mistake
    if result.status != "not attempted":
        memory.tries[name] = memory.tries.get(name, 0) + 1
        since = time.time() - memory.changed
        if 0 < since <= _BREAK:
            memory.seconds[name] = memory.seconds.get(name, 0.0) + since
    update(memory)


def save_to(folder: str | Path) -> Path:
    """Keep the record, own answers and own tables in `folder` from now on, merged with what is already there.

    Raises
    ------
    CourseError
        If nothing can be written there; the earlier folder stays in use.
    """
    mine, before = load(), state_file().parent
    path = choose(Path(folder))
    theirs = load()
    _take_along(before, path.parent)
    for name, score in theirs.best.items():
        if score >= mine.best.get(name, -1.0):
            mine.best[name], mine.status[name] = score, theirs.status.get(name, "")
    for mapping in ("tries", "seconds", "hints"):
        merged = {**getattr(theirs, mapping), **getattr(mine, mapping)}
        setattr(mine, mapping, merged)
    mine.mistakes = {**theirs.mistakes, **mine.mistakes}
    mine.engines = {**theirs.engines, **mine.engines}
    mine.guesses = {**theirs.guesses, **mine.guesses}
    early = {name: when for record in (theirs, mine) for name, when in record.solutions.items() if when == "before"}
    mine.solutions = {**theirs.solutions, **mine.solutions, **early}
    update(mine)
    return path


def _take_along(before: Path, now: Path) -> None:
    """Copy answers and tables into the folder that is used now; the newer of two versions wins."""
    for source in (path for part in _ALONG for path in sorted((before / part).glob("*")) if path.is_file()):
        if ".backup-" not in source.name and not source.name.startswith("."):
            try:
                copy_over(source, now / source.parent.name / source.name)
            except OSError as error:
                message = Message(
                    "{file} could not be copied to {folder} ({reason}): it is still in {old}. Make room there, then call this "
                    "again.",
                    file=source.name,
                    folder=now,
                    reason=error.strerror or error,
                    old=source.parent,
                )
                raise CourseError(message) from None


def forget() -> None:
    """Start a new record; the old one is kept beside it as a backup."""
    path = state_file()
    if path.exists():
        path.replace(path.with_suffix(f".backup-{int(time.time())}.json"))
