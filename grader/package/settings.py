"""What an instructor decided when a package was written: one JSON file that travels in it."""

from pathlib import Path
from typing import Literal

import msgspec

from embedding_course.checking.seed import Seed, read_seed, storable

from ..classroom.policy.points import Terms
from ..errors import UserError

FILE = "settings.json"
#: When Gradescope shows a result to the student, in its own words.
Visibility = Literal["visible", "after_due_date", "after_published", "hidden"]
VISIBILITIES: tuple[Visibility, ...] = ("visible", "after_due_date", "after_published", "hidden")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How submissions to one notebook are graded elsewhere.

    `seed` makes the hidden cases: the same for everybody, as in one run of `grader grade`. `terms` are the class's points;
    `trusted` grades where nothing shuts a submission in; `visibility` is for Gradescope alone.
    """

    topic: str
    seed: Seed
    terms: Terms = Terms()
    trusted: bool = False
    visibility: Visibility = "visible"

    def __post_init__(self) -> None:
        read_seed(self, self.seed)


def write_settings(folder: Path, settings: Settings) -> None:
    """Write the settings into a folder."""
    (folder / FILE).write_bytes(msgspec.json.format(msgspec.json.encode(storable(settings)), indent=1) + b"\n")


def read_settings(folder: Path) -> Settings:
    """Return the settings that lie in a folder. OSError or msgspec.DecodeError where there are none that can be read."""
    return msgspec.json.decode((folder / FILE).read_bytes(), type=Settings)


class CannotPackage(UserError):
    """The package cannot be written; the message says what is missing and what to do."""
