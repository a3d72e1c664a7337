"""The names and points of the exercises, read from a file, so that counting points does not import torch.

`grader build` writes the file from the exercises, and `grader build --check` compares it with them.
"""

from functools import cache

import msgspec

from ..subject.course import course
from ..subject.lessons import Lesson, lesson

INDEX = course().home / "exercises" / "index.json"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What an exercise says of itself, under the names that it has in `Exercise`."""

    id: str
    title: str
    why: str
    points: float
    core: bool
    difficulty: int
    minutes: int

    @property
    def name(self) -> str:
        """Return the name of the function or class that the exercise asks for."""
        return self.id.split(".")[1]

    @property
    def lesson(self) -> Lesson:
        """Return the notebook to which the exercise belongs."""
        return lesson(self.id.split(".")[0])

    @property
    def grade_id(self) -> str:
        """Return the id of the solution cell in nbgrader; the check cell has the same id with `-check` at the end."""
        return self.id.replace(".", "-")


@cache
def entries() -> dict[str, Entry]:
    """Return the entry of every exercise of the written notebooks by id, in the notebooks' order."""
    return {entry.id: entry for entry in msgspec.json.decode(INDEX.read_bytes(), type=list[Entry])}


def entries_of(topic: str) -> tuple[Entry, ...]:
    """Return the index entries of one notebook's exercises, in its order.

    >>> [entry.name for entry in entries_of("03_max_norm")][:1]
    ['renorm_rows']
    """
    return tuple(entry for entry in entries().values() if entry.id.startswith(f"{topic[:2]}."))
