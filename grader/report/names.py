"""How reports call people: by their names first, and by their ids where a command needs them."""

from __future__ import annotations

from collections import Counter
from urllib.parse import quote

from ..classroom.roster import Person, Roster, folded


class Names:
    """The names, addresses and sections of a class's students, by id.

    Parameters
    ----------
    roster : Roster, optional
        Without one everybody is called by the id.

    Examples
    --------
    >>> names = Names(Roster([Person("ada", frozenset(), first="Ada", last="Lovelace")]))
    >>> names("ada"), names("bo")
    ('Ada Lovelace (ada)', 'bo')
    """

    def __init__(self, roster: Roster | None = None) -> None:
        self._people: dict[str, Person] = {person.id: person for person in roster.people} if roster else {}
        self._bearers = Counter(person.full_name for person in self._people.values())

    def __call__(self, student: str) -> str:
        """Return the name with the id; the name alone where the id is an e-mail address or says the same."""
        name = self.name(student)
        if not name:
            return student
        if self._bearers[name] == 1 and ("@" in student or folded(student) == folded(name)):
            return name
        return f"{name} ({student})"

    def name(self, student: str) -> str:
        """Return the name alone, empty if the roster has none."""
        return self._people[student].full_name if student in self._people else ""

    def email(self, student: str) -> str:
        """Return the e-mail address, empty if the roster has none."""
        return self._people[student].email if student in self._people else ""

    def section(self, student: str) -> str:
        """Return the section, empty if the roster has none."""
        return self._people[student].section if student in self._people else ""


def mailto(address: str, subject: str = "") -> str:
    """Return the link that opens a letter to an address.

    Examples
    --------
    >>> mailto("ada@example.org", "03 max_norm")
    'mailto:ada@example.org?subject=03%20max_norm'
    """
    return f"mailto:{quote(address, safe='@+')}{f'?subject={quote(subject)}' if subject else ''}"
