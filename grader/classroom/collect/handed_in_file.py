"""One file that was handed in, and what becomes of it."""

from dataclasses import dataclass, field
from datetime import datetime

from ..policy.teams import Team
from .archive import SourceFile


@dataclass(frozen=True)
class Claim:
    """What a path says about the student who handed in, as the platform `kind` wrote it.

    Attributes
    ----------
    name, words
        What the student is called there, and everything by which a roster may know the student.
    number
        The platform's own number of the student.
    label
        Names that may say which notebook it is.
    late, when
        Whether it was late and when it came, as the platform says.
    turn
        A number that grows with each upload.
    members
        The words of each person, if one submission came from several people.
    team
        True if the name cannot be that of a single person.
    stem
        True for a file name that a person chose and that may contain a student's name.
    problem
        Why the path does not say who handed in.
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

    Attributes
    ----------
    action
        "new", "replaces", "unchanged", "aside" (an older or an empty copy, which is kept), "beside" (it lies beside
        work that was taken and is not needed) or "left".
    why
        What else there is to say about the action.
    people, team
        All people to whom the file belongs, and their team if it belongs to a team.
    answered
        Whether there are answers in it.
    misnamed
        Whether its name is that of another notebook.
    kept
        Where a file that is put aside is kept, or where the file that was replaced was moved.
    """

    file: SourceFile
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
        return str(self.file.outer) if self.claim.number and self.claim.kind in ("moodle", "canvas") else ""

    @property
    def taken(self) -> bool:
        """Return True if the file is the student's submission after collecting."""
        return self.action in ("new", "replaces", "unchanged")
