"""Teams: several people who hand in one submission."""

from collections.abc import Sequence
from dataclasses import dataclass

from embedding_course.messages import Message

from .toml_file import TeamEntry, WrongCourse, check_student, shown

#: Beside a submission that came for several people: the team's name, then one member a line.
TEAM_FILE = "team.txt"


@dataclass(frozen=True)
class Team:
    """People who hand in together: the team's name, and the ids of its members."""

    name: str
    members: tuple[str, ...]

    @property
    def says(self) -> str:
        """Return the team as feedback pages name it.

        >>> Team("Owls", ("ada", "bo")).says
        'the team Owls: ada, bo'
        """
        return str(Message("the team {name}: {members}", name=self.name, members=", ".join(self.members)))


def teams_of(entries: Sequence[TeamEntry], students: Sequence[str]) -> tuple[Team, ...]:
    """Return the teams of a course.toml, or raise WrongCourse if a person is in two teams or a team is not valid.

    `students` are the students that the file lists. If it lists none, a member may have any id.
    """
    names: dict[str, int] = {}
    teams_by_member: dict[str, str] = {}
    for number, entry in enumerate(entries, 1):
        key, name = f"teams, number {number}", entry.name.strip()
        if not name or not name.isprintable():
            raise WrongCourse(f"{key}: name = {shown(entry.name)} is no name; write one in printable signs.")
        if name.casefold() in names:
            raise WrongCourse(f"{key}: the team {shown(name)} stands there twice (number {names[name.casefold()]} as well).")
        names[name.casefold()] = number
        if not entry.members:
            raise WrongCourse(f"{key}: the team {shown(name)} has no members.")
        for member in entry.members:
            if not member.strip() or not member.isprintable():
                raise WrongCourse(f"{key}: {shown(member)} is no student's id.")
            check_student(member, students, key)
            if member in teams_by_member:
                other = teams_by_member[member]
                twice = "twice in it" if other == name else f"in the team {shown(other)} as well"
                raise WrongCourse(f"{key}: {member} is {twice}; everybody is in one team at most.")
            teams_by_member[member] = name
    return tuple(Team(entry.name.strip(), tuple(entry.members)) for entry in entries)


def read_team(text: str) -> Team | None:
    """Return the team that a team.txt names, or None if it names none."""
    name, *members = [line.strip() for line in text.splitlines()] or [""]
    members = [member for member in members if member]
    return Team(name, tuple(dict.fromkeys(members))) if name and members else None
