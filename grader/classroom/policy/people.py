"""The students of a class, as its course.toml names them."""

from pathlib import Path

from ..roster import Person, Roster, folded, read_roster
from .course import Course


def people_of(course: Course, given: Path | None = None) -> Roster:
    """Those of a roster that was given, else of the file that course.toml names, and those whom it lists; empty where it says
    nothing. BadRoster when the file is none."""
    path = given or course.roster
    found = read_roster(path) if path else Roster()
    known = {person.id for person in found.people}
    listed = [Person(name, frozenset({folded(name)})) for name in course.students]
    return Roster([*found.people, *(person for person in listed if person.id not in known)], found.notes)
