"""The instructor's notebooks as formgrader lists them: those of the class, and no others."""

import contextlib
from pathlib import Path

from embedding_course.subject.lessons import LESSONS

from .policy.course import Course


def sources_of(home: Path, course: Course, every: Path) -> Path:
    """The folder that nbgrader takes for its source. `every` itself, where the class uses all notebooks or its folder cannot be
    written; else `source` in the class, with links to the notebooks it uses. What else is in there stays."""
    if set(course.topics) == {entry.topic for entry in LESSONS if entry.written}:
        return every
    folder = home / "source"
    try:
        folder.mkdir(exist_ok=True)
        for link in folder.iterdir():
            if link.is_symlink() and link.readlink().parent == every and link.name not in course.topics:
                link.unlink(missing_ok=True)
        for topic in course.topics:
            with contextlib.suppress(FileExistsError):
                (folder / topic).symlink_to(every / topic, target_is_directory=True)
    except OSError:
        return every
    return folder
