"""One file that was handed in, and what becomes of it."""

from dataclasses import dataclass, field
from datetime import datetime

from ..policy.teams import Team
from .archive import Found


@dataclass(frozen=True)
class Claim:
    """What a path says of its student, as the platform `kind` wrote it.

    `name` is what the student is called there, `words` everything by which a roster may know them, `number` the platform's own
    number for them. `label` is what may name a notebook. `late` and `when` are the platform's, `turn` grows with each upload.
    `members` are the words of each, where one submission came from several people; `team` is True where the name cannot be a
    single person's. `stem` is True for a file's name that a person chose, of which a part may be a name. `problem` says why
    nobody can be told from it.
    """

    kind: str = ""
    name: str = ""
    words: tuple[str, ...] = ()
    number: str = ""
    label: tuple[str, ...] = ()
    late: bool = False
    when: datetime | None = None
    turn: int = 0
    members: tuple[tuple[str, ...], ...] = ()
    team: bool = False
    stem: bool = False
    problem: str = ""


@dataclass(frozen=True)
class Item:
    """One file and what becomes of it for one student.

    The action is "new", "replaces", "unchanged", "aside" (an older or an empty copy, which is kept), "beside" (it lies beside
    work that was taken, and is not needed) or "left". `why` says more, `kept` where a file went that made room. `people` are
    all whose the file is, `team` their team where it is one's; `answered` tells whether there are answers in it, and `misnamed`
    whether its name is another notebook's.
    """

    found: Found
    action: str
    student: str = ""
    topic: str = ""
    timestamp: datetime | None = None
    digest: str = ""
    why: str = ""
    claim: Claim = field(default_factory=Claim)
    people: tuple[str, ...] = ()
    team: Team | None = None
    answered: bool = False
    misnamed: bool = False
    kept: str = ""

    @property
    def came_as(self) -> str:
        """Return the path in an archive from Moodle or Canvas, or an empty string.

        The platform's own numbers in this path say to whom feedback goes back.
        """
        return str(self.found.outer) if self.claim.number and self.claim.kind in ("moodle", "canvas") else ""

    @property
    def taken(self) -> bool:
        """Return True if the file is the student's submission after collecting."""
        return self.action in ("new", "replaces", "unchanged")
