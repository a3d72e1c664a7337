"""The sections of a class: who is in which, by the roster."""

from collections.abc import Sequence

from ..errors import UserError
from .policy.course import Course, people_of
from .roster import Roster, folded


def section_of(roster: Roster) -> dict[str, str]:
    """Return the section of each student who has one, by id.

    Examples
    --------
    >>> from grader.classroom.roster import Person
    >>> section_of(Roster([Person("ada", frozenset(), section="Monday"), Person("bo", frozenset())]))
    {'ada': 'Monday'}
    """
    return {person.id: person.section for person in roster.people if person.section}


def sections_of(roster: Roster) -> dict[str, list[str]]:
    """Return the ids of the students of each section, sections in the order of their names."""
    members: dict[str, list[str]] = {}
    for student, section in sorted(section_of(roster).items(), key=lambda item: (item[1].casefold(), item[0])):
        members.setdefault(section, []).append(student)
    return members


def find_section(roster: Roster, name: str) -> tuple[str, frozenset[str]]:
    """Return a section's name as the roster writes it, and the ids of its students.

    Parameters
    ----------
    roster : Roster
    name : str
        What somebody typed: the name, or the name without regard to case, spaces and signs.

    Raises
    ------
    UserError
        If the roster has no such section. The message names those that it has.
    """
    sections = sections_of(roster)
    if not sections:
        raise UserError(
            f"There is no section {name!r}, since the roster has no sections: add a column “section” to it, or [sections] to "
            "course.toml."
        )
    matches = [name] if name in sections else [known for known in sections if folded(known) == folded(name)]
    if len(matches) != 1:
        raise UserError(f"There is no section {name!r}; there are {', '.join(sections)}.")
    return matches[0], frozenset(sections[matches[0]])


def students_in(course: Course, section: str, students: Sequence[str] = ()) -> frozenset[str] | None:
    """Return the ids of the students that `--section` and `--student` choose together, or None if neither is said.

    Raises
    ------
    UserError
        If there is no such section, or one of the students is not in it.
    BadRoster
        If the roster cannot be read.
    """
    if not section:
        return frozenset(students) or None
    name, members = find_section(people_of(course), section)
    stranger = next((student for student in students if student not in members), None)
    if stranger is not None:
        raise UserError(f"{stranger} is not in the section {name}.")
    return frozenset(students) or members
