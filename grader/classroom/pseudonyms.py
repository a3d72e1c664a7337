"""The pseudonyms of a class: a number for each student, drawn at random once and kept in the class's `results/` folder."""

import random
from collections.abc import Iterable
from pathlib import Path

import msgspec

from embedding_course.files import atomic_write

from .records import FOLDER
from .student_files import PSEUDONYMS


class Key:
    """The pseudonym of each name, stored so that only the owner of the class folder can read it.

    Raises
    ------
    ValueError
        If the stored key cannot be read. A new key would give everybody another pseudonym.
    """

    def __init__(self, home: Path) -> None:
        self.path = home / FOLDER / PSEUDONYMS
        self.numbers: dict[str, int] = {}
        if self.path.exists():
            try:
                self.numbers = msgspec.json.decode(self.path.read_bytes(), type=dict[str, int])
            except (OSError, msgspec.DecodeError):
                raise ValueError(
                    f"The pseudonyms in {self.path} cannot be read: restore the file, or remove it to draw new ones."
                ) from None

    def learn(self, students: Iterable[str]) -> None:
        """Give a number to everybody who has none, in an order drawn at random."""
        fresh = sorted(set(students) - set(self.numbers))
        if not fresh:
            return
        free = list(range(len(self.numbers) + 1, len(self.numbers) + len(fresh) + 1))
        random.SystemRandom().shuffle(free)
        self.numbers.update(zip(fresh, free, strict=True))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(self.path, msgspec.json.format(msgspec.json.encode(self.numbers), indent=1), mode=0o600)

    def pseudonym(self, student: str) -> str:
        """Return `Learner 07`: of equal length for all, so that sorting by it sorts by number."""
        return f"Learner {self.numbers[student]:0{max(2, len(str(len(self.numbers))))}d}"
