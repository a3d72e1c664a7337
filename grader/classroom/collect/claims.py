"""What the name of an entry says of whose it is."""

from dataclasses import dataclass
from datetime import datetime


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
