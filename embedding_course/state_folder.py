"""Where a learner's things are kept: progress, own answers and tables, what took long to gather."""

from __future__ import annotations

import os
from pathlib import Path

from .course_in_use import course
from .one_step import write_in_one_step

__all__ = ["STATE_FOLDER", "choose", "keep", "learners_folder", "state_file"]

#: Where a learner's things are kept beside the notebooks: `.embedding_course`, or `.` and the name of another course's package.
STATE_FOLDER = f".{course().package}"
_chosen: Path | None = None


def choose(folder: Path) -> Path:
    """Keep all of it in `folder` from now on; returns the file of the progress record there."""
    global _chosen
    _chosen = folder.expanduser() / "progress.json"
    return _chosen


def state_file() -> Path:
    """The file in use: the one chosen by `save_to`, the EMBEDDING_COURSE_STATE folder, the nearest
    `.embedding_course` folder above, or a new one here."""
    if _chosen is not None:
        return _chosen
    named = os.environ.get("EMBEDDING_COURSE_STATE")
    if named:
        return Path(named) / "progress.json"
    here = Path.cwd()
    home = next((folder for folder in (here, *here.parents) if (folder / STATE_FOLDER).is_dir()), here)
    return home / STATE_FOLDER / "progress.json"


def keep(path: Path, body: bytes) -> None:
    """Write a file in one step, so that a crash loses nothing. In a folder that cannot be written to nothing is kept, and
    nothing is said."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_in_one_step(path, body)
    except OSError:
        return


def learners_folder(near: Path | None = None) -> Path:
    """The folder in which the learner's things lie: where they are kept by choice, else around the progress record,
    looked for upwards from `near` (a notebook file) if that is given."""
    if _chosen is not None:
        return _chosen.parent
    if near is not None:
        start = near.resolve().parent
        return next((folder for folder in (start, *start.parents) if (folder / STATE_FOLDER).is_dir()), start)
    home = state_file().parent
    return home.parent if home.name == STATE_FOLDER else home
