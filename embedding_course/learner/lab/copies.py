"""Create a learner's copy of a notebook, leave it, or update the lesson around their work."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ...files import STATE_FOLDER, atomic_write
from ...messages import Message
from .carry import CannotMatch, carry

State = Literal["made", "kept", "renewed", "not matched"]


@dataclass(frozen=True)
class Copy:
    """Hold the path of a learner's copy, and one sentence on what was done with it (empty if nothing was done)."""

    path: Path
    state: State
    message: str = ""


def open_copies(notebooks: Path, work: Path) -> dict[str, Copy]:
    """Return the learner's copies in `work` of all lessons in `notebooks`, by topic.

    `work` also gets the folder in which progress is kept, so that all notebooks share it, unless the folder above has it.
    """
    if not (work.parent / STATE_FOLDER).is_dir():
        (work / STATE_FOLDER).mkdir(parents=True, exist_ok=True)
    paths = sorted(notebooks.glob("[0-9][0-9]_*/[0-9][0-9]_*.ipynb"))
    return {path.stem: open_copy(path, work) for path in paths if path.stem == path.parent.name}


def open_copy(released: Path, work: Path) -> Copy:
    """Return the learner's copy of one released notebook, created or updated if necessary.

    The lesson is kept as it was in `work/.released`, so that changes by the learner can be recognised. A copy is only ever
    replaced by a merge that contains all of the learner's cells, and the old copy is kept beside it.
    """
    topic = released.stem
    mine = work / topic / f"{topic}.ipynb"
    base = work / ".released" / f"{topic}.ipynb"
    lesson = released.read_bytes()
    if not mine.exists():
        _write(mine, lesson)
        _write(base, lesson)
        return Copy(mine, "made", str(Message("{topic}: your copy is {file}.", topic=topic, file=mine)))
    began = base.read_bytes() if base.exists() else None
    now = mine.read_bytes()
    if lesson in (began, now):
        if began != lesson:
            _write(base, lesson)
        return Copy(mine, "kept")
    try:
        merged = carry(_read(now), _read_or_none(began), _read(lesson))
    except CannotMatch as error:
        return _write_beside(mine, lesson, str(error))
    return _renew(mine, base, merged, now, began, lesson)


def _renew(mine: Path, base: Path, merged: dict[str, Any], now: bytes, began: bytes | None, lesson: bytes) -> Copy:
    if now == began:  # The learner changed nothing, so there is nothing to keep.
        _write(mine, lesson)
        _write(base, lesson)
        message = Message("{topic}: the lesson has been updated; you had not begun it.", topic=mine.stem)
        return Copy(mine, "renewed", str(message))
    backup = _unused_path(mine.with_name(f"{mine.stem}.before-update-{time.strftime('%Y%m%d-%H%M%S')}.ipynb"))
    _write(backup, now)
    _write(mine, (json.dumps(merged, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))
    _write(base, lesson)
    message = Message("{topic}: the lesson has been updated and your cells carried into it; the old copy is {file}.")
    return Copy(mine, "renewed", str(message.fill(topic=mine.stem, file=backup.name)))


def _write_beside(mine: Path, lesson: bytes, why: str) -> Copy:
    updated = mine.with_name(f"{mine.stem}.updated.ipynb")
    if not updated.exists():
        _write(updated, lesson)
    message = Message("{topic}: the lesson has been updated, but {reason}; your copy is left as it is, the new one is {file}.")
    return Copy(mine, "not matched", str(message.fill(topic=mine.stem, reason=why, file=updated.name)))


def _read(body: bytes) -> dict[str, Any]:
    """Parse a notebook. Raise CannotMatch if the bytes are no notebook."""
    try:
        notebook = json.loads(body)
        if all(isinstance(cell["cell_type"], str) for cell in notebook["cells"]):
            return notebook
    except (ValueError, KeyError, TypeError):
        pass
    raise CannotMatch(Message("your copy cannot be read as a notebook"))


def _read_or_none(body: bytes | None) -> dict[str, Any] | None:
    try:
        return None if body is None else _read(body)
    except CannotMatch:
        return None


def _write(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, body)


def _unused_path(path: Path) -> Path:
    """Return the path, with a number if the file exists already."""
    count, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.stem}-{count}.ipynb")
        count += 1
    return free
