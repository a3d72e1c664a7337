"""Whose a claim is: one student of the class, a team, or a question."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from embedding_course.subject.errors import nearest

from ..platform_headings import cells_of
from ..policy.teams import Team
from ..roster import CANVAS, MOODLE, Roster, folded, folder_name, keys_of, read_table
from .handed_in_file import Claim
from .plain_names import spans_of, stems_of

_WHO_IS_IN_IT = "[[teams]] in course.toml, or a table with a column Group (--times), says who is in it"
#: What Moodle calls the team of those who are in none.
_NO_GROUP = frozenset(
    map(folded, ("Default group", "Standardgruppe", "Groupe par défaut", "Grupo por defecto", "默认小组", "默认组"))
)


@dataclass(frozen=True)
class Tables:
    """What a platform's tables say about people beside their names.

    `numbers` maps the platform's number of a person to the student, and `groups` maps the folded name of a group to its
    members.
    """

    numbers: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Whose:
    """The students to whom a file belongs, and their team if it belongs to a team.

    If there are none, `why` gives the reason. `by` is who handed the file in, if the platform names one person.
    """

    students: tuple[str, ...] = ()
    team: Team | None = None
    why: str = ""
    by: str = ""


def read_tables(paths: Iterable[Path], roster: Roster) -> Tables:
    """Return what the tables say about students of the roster.

    Raises
    ------
    BadRoster
        If one of them is no table.
    """
    numbers: dict[str, set[str]] = {}
    groups: dict[str, set[str]] = {}
    for path in paths:
        header, rows = read_table(path)
        for row in rows:
            words = list(keys_of(header, row))
            ours = [word for word in words if word.startswith((MOODLE, CANVAS))]
            others = (roster.candidates(word) for word in words if word not in ours)
            student = next((next(iter(ids)) for ids in others if len(ids) == 1), "")
            for word in ours if student else ():
                numbers.setdefault(word, set()).add(student)
            cells = cells_of(header, row)
            for group in (cells.get("group") or cells.get("groups") or "").split(",") if student else ():
                groups.setdefault(folded(group), set()).add(student)
    groups.pop("", None)
    return Tables(
        {word: next(iter(ids)) for word, ids in numbers.items() if len(ids) == 1},
        {name: tuple(sorted(ids)) for name, ids in groups.items() if name not in _NO_GROUP},
    )


@dataclass
class People:
    """The students of a class and their teams; tells to whom a claim belongs."""

    roster: Roster
    teams: Sequence[Team] = ()
    tables: Tables = field(default_factory=Tables)

    def knows(self, word: str) -> bool:
        """Return True if a person or a team has exactly this name."""
        return bool(self.roster.candidates(word)) or self._team(word) is not None

    def whose(self, claim: Claim) -> Whose:
        """Return the only student or team that a claim can mean, or else what is to be asked."""
        if claim.members:
            return self._several(claim)
        if not self.roster.people:
            return self._without_roster(claim)
        if claim.stem:
            return self._in_stem(claim)
        numbers = [word for word in claim.words if word.startswith((MOODLE, CANVAS))]
        numbered = frozenset[str]().union(*map(self._called, numbers))
        named = [ids for word in claim.words if word not in numbers and (ids := self.roster.candidates(word))]
        team = next((team for word in claim.words if (team := self._of_team(word)) is not None), None)
        sure = {next(iter(ids)) for ids in named if len(ids) == 1}
        if self._believed(claim, numbered, bool(named)):
            sure |= numbered
        short = repr(claim.name[:60])
        if team is not None and not named:
            return Whose(team.members, team)
        if team is not None or len(sure) > 1 or (sure and named and not any(sure <= ids for ids in named)):
            either = [*sure, *(who for ids in named for who in ids), *((f"the team {team.name}",) if team is not None else ())]
            return Whose(why=f"{short} may be {_listed(set(either))}; {_telling(claim)}")
        if sure:
            return self._with_team(sure.pop())
        if named:
            return Whose(why=f"{short} may be {_listed(min(named, key=len))}; {_telling(claim)}")
        if numbered and not claim.problem:
            return Whose(why=f"its number is that of {_listed(numbered)}, whose name is not {short}; {_telling(claim)}")
        return Whose(why=claim.problem) if claim.problem else self._behind_group(claim)

    @staticmethod
    def _believed(claim: Claim, numbered: frozenset[str], named: bool) -> bool:
        """Return True if a platform's number says who handed in a file.

        Moodle gives the same number to other people in the next assignment, and it also gives numbers to teams. A number of
        Moodle's therefore counts only if a name of the roster stands beside it, or if there is no name at all.
        """
        return len(numbered) == 1 and (claim.kind != "moodle" or named or bool(claim.problem))

    def _called(self, number: str) -> frozenset[str]:
        """Return the students whom a platform's own number means, by the platform's table or by the roster."""
        known = self.tables.numbers.get(number)
        return frozenset({known}) if known else self.roster.candidates(number)

    def _without_roster(self, claim: Claim) -> Whose:
        if claim.problem:
            return Whose(why=claim.problem)
        team = self._team(claim.name)
        if team is not None:
            return Whose(team.members, team)
        if claim.team:
            return Whose(why=_no_team(claim.name))
        student = folder_name(claim.name)
        return (
            self._with_team(student) if student else Whose(why=f"{claim.name[:40]!r} cannot be the name of a student's folder")
        )

    def _with_team(self, student: str) -> Whose:
        team = next((team for team in self.teams if student in team.members), None)
        return Whose(team.members, team, by=student) if team is not None else Whose((student,), by=student)

    def _several(self, claim: Claim) -> Whose:
        """Return the students of a submission for which the platform itself names several people."""
        each = [self.whose(Claim(claim.kind, words[-1], words)) for words in claim.members]
        unknown = next((owner for owner in each if not owner.students), None)
        if unknown is not None:
            return Whose(why=unknown.why)
        members = tuple(dict.fromkeys(student for owner in each for student in owner.students))
        known = next((team for team in self.teams if set(team.members) == set(members)), None)
        return Whose(members, known or Team(" and ".join(words[-1] for words in claim.members), members))

    def _team(self, word: str) -> Team | None:
        return next((team for team in self.teams if folded(word) and folded(team.name) == folded(word)), None)

    def _of_team(self, word: str) -> Team | None:
        """Return the team of that name: one of course.toml, else a group of a platform's table."""
        members = self.tables.groups.get(folded(word), ())
        return self._team(word) or (Team(word, members) if members else None)

    def _behind_group(self, claim: Claim) -> Whose:
        """Return the student of a Moodle name that consists of a group's name, a hyphen and the student's name."""
        perhaps: dict[str, str] = {}
        sure: set[str] = set()
        for position, letter in enumerate(claim.name if claim.kind == "moodle" else ""):
            group, name = claim.name[:position].strip(), claim.name[position + 1 :].strip()
            ids = self.roster.candidates(name) if letter == "-" else frozenset()
            if len(ids) == 1:
                perhaps |= dict.fromkeys(ids, group)
                if folded(group) in _NO_GROUP or self._of_team(group) is not None:
                    sure |= ids
        if len(sure) == 1:
            return self._with_team(sure.pop())
        if perhaps:
            listed = " or ".join(f"{student} in a group {group!r}" for student, group in perhaps.items())
            nobody = f"there is no student {claim.name[:60]!r} in the roster"
            return Whose(why=f"{nobody}; perhaps {listed}: a table with a column Group (--times) tells")
        if claim.team:
            return Whose(why=_no_team(claim.name))
        team = f"; if it is a team, {_WHO_IS_IN_IT}" if claim.kind in ("moodle", "canvas", "github") else ""
        return Whose(why=self._unknown(claim.name, "") + team)

    def _in_stem(self, claim: Claim) -> Whose:
        """Return to whom a file belongs, by a file name that a person chose.

        The whole name without the notebook is tried first, then the words in it that are a student's name.
        """
        stem = claim.words[0]
        parties = self._parties(stems_of(stem, claim.words[1]))
        if not parties:
            spans = [(start, end, self._parties([text])) for start, end, text in spans_of(stem)]
            spans = [span for span in spans if span[2]]
            whole = [candidate for candidate in spans if not any(_wider(other, candidate) for other in spans)]
            parties = {key: team for _, _, span_parties in whole for key, team in span_parties.items()}
        if len(parties) == 1:
            ((key, team),) = parties.items()
            return Whose(team.members, team) if team is not None else self._with_team(key)
        if parties:
            return Whose(why=f"its name may mean {_listed(parties)}; rename it, or put it into a folder named for its student")
        return Whose(why=self._unknown(claim.name, "" if claim.name else "neither its name nor its folder says whose it is"))

    def _parties(self, words: Iterable[str]) -> dict[str, Team | None]:
        parties: dict[str, Team | None] = {}
        for word in words:
            parties |= dict.fromkeys(self.roster.candidates(word))
            team = self._team(word)
            parties |= {team.name: team} if team is not None else {}
        return parties

    def _unknown(self, name: str, otherwise: str) -> str:
        if otherwise:
            return otherwise
        near = nearest(name, sorted({person.id for person in self.roster.people}))
        return f"there is no student {name[:60]!r} in the roster" + (f"; did you mean {', '.join(near)}?" if near else "")


def _wider(other: tuple[int, int, object], span: tuple[int, int, object]) -> bool:
    return other[0] <= span[0] and other[1] >= span[1] and other[:2] != span[:2]


def _listed(ids: Iterable[str]) -> str:
    return " or ".join(sorted(ids)[:4])


def _telling(claim: Claim) -> str:
    if claim.kind == "moodle":
        return "the grading worksheet with its numbers (--times) tells them apart"
    if claim.kind == "canvas":
        return "Canvas's gradebook with its numbers (column ID), as --roster, tells them apart"
    return "a name that only one of them has tells them apart"


def _no_team(name: str) -> str:
    return f"{name[:60]!r} is a team: {_WHO_IS_IN_IT}"
