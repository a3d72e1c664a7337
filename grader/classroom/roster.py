"""Who is in the class, from a list or from the CSV files that learning platforms write."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from .csv_table import BadRoster, load_table, read_table
from .platform_headings import cells_of, is_about_nobody, meanings

__all__ = [
    "CANVAS",
    "MOODLE",
    "BadRoster",
    "Person",
    "Roster",
    "folded",
    "folder_name",
    "join_rosters",
    "keys_of",
    "person_of",
    "read_roster",
    "read_table",
]

_MAX_NAME_CHARACTERS = 120
#: What stands before a platform's own number for a person.
CANVAS, MOODLE = "canvas ", "Participant "
#: Columns that may hold the name of a student's folder, the best first.
_ID = ("student_id", "student", "sis login id", "login id", "username", "identifier", "sis user id", "id number",
       "email address", "email", "id")  # fmt: skip
_KEYS = (*_ID, "github_username", "github_id", "name", "full name", "lms_user_id", "student name")
_FIRST, _LAST = "first name", "last name"
_EMAIL, _WHOLE = ("email address", "email"), ("student", "name", "full name", "student name")
#: Columns of ids, which spreadsheets take for numbers.
_NUMBERED = frozenset(_KEYS) - {"name", "full name", "student name"}
_WHOLE_NUMBER, _AS_FORMULA = re.compile(r"^(\d+)[.,]0+$"), re.compile(r'="([^"]*)"')
#: How spreadsheets show numbers of many digits: 1,234E+05.
_SHORTENED = re.compile(r"\d[.,]\d+E[+-]?\d{2,3}|\dE[+-]\d{2,3}", re.IGNORECASE)
#: Moodle's word before its number for a person, in the languages whose headings are known.
_PARTICIPANT = re.compile(
    r"(?:participant|teilnehmer(?:[/:*_]?in)?|participant[·.(-]?e?\)?|participante|参与者|参加者|成员)\s*(\d+)", re.IGNORECASE
)


def folded(text: str) -> str:
    """Return a name without case, spaces, punctuation and different spellings of accents, so that two spellings compare equal.

    Combining marks stay, because the vowels of many scripts are marks.

    >>> folded("Lovelace, Ada") == folded("lovelace ada"), folded("王 小明"), folded("कमल") == folded("कमला")
    (True, '王小明', False)
    """
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(sign for sign in plain if unicodedata.category(sign)[0] in "LMN")


@dataclass(frozen=True)
class Person:
    """A student.

    `id` is the name of the student's folder, `keys` are all folded words that a platform may use for the student. The other
    fields are what the roster says, and empty if it says nothing.
    """

    id: str
    keys: frozenset[str]
    name: str = ""
    first: str = ""
    last: str = ""
    email: str = ""
    section: str = ""

    @property
    def full_name(self) -> str:
        """Return the first and last name, or the whole name; empty if the roster has neither."""
        return " ".join(part for part in (self.first, self.last) if part) or self.name


@dataclass
class Roster:
    """The students of a class.

    An empty roster lists nobody, and then everybody may hand in. `notes` say what a reader of the file has to know.
    """

    people: list[Person] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._ids = {person.id for person in self.people}
        self._by_id: dict[str, set[str]] = {}
        self._by_key: dict[str, set[str]] = {}
        self._by_turned: dict[str, set[str]] = {}
        for person in self.people:
            self._by_id.setdefault(folded(person.id), set()).add(person.id)
            for key in person.keys:
                self._by_key.setdefault(key, set()).add(person.id)
            if person.first and person.last:  # as Canvas writes names
                self._by_turned.setdefault(folded(person.last + person.first), set()).add(person.id)

    def find(self, words: Iterable[str]) -> str:
        """Return the student who is called by one of these words, tried in their order; empty if nobody or several people are.

        For each word, whose id it is comes first, as it is written and then but for case and signs, before whose e-mail address
        or name it may be a part of.
        """
        for word in words:
            ids = self.candidates(word)
            if len(ids) == 1:
                return next(iter(ids))
        return ""

    def candidates(self, word: str) -> frozenset[str]:
        """Return all students who are called by exactly this word.

        The first of these matches counts: the id as it is written, the id without regard to case and punctuation, an e-mail
        address or a name, and the name with the last name first.
        """
        if folder_name(word) in self._ids:
            return frozenset({folder_name(word)})
        key = folded(word)
        matches = self._by_id.get(key) or self._by_key.get(key) or self._by_turned.get(key) or ()
        return frozenset(matches if key else ())


def read_roster(path: Path, section: str = "") -> Roster:
    """Return the students in a CSV file with a row for each student.

    The file is a roster or gradebook of a platform, or has columns student_id, first_name, last_name, email, section.

    Parameters
    ----------
    path : Path
    section : str, optional
        The section of all students of the file, whatever its column says.

    Raises
    ------
    BadRoster
        If the file cannot be used. The message says why.
    """
    table = load_table(path)
    header = table.header
    if not set(meanings(header)) & {*_KEYS, _FIRST, _LAST}:
        raise BadRoster(f"{path.name}: none of its columns says who a student is (student_id, email, SIS Login ID, ...).")
    people: dict[str, Person] = {}
    for row in table.lines:
        person = person_of(header, row)
        shortened = next((cell for cell in row if _SHORTENED.fullmatch(cell.strip())), "")
        if shortened and (person is None or _SHORTENED.fullmatch(person.id)):
            raise BadRoster(
                f"{path.name}: {shortened} is how a spreadsheet shows a long number, and its last digits may be lost; give "
                "that column the format “Text” or “0” and export the file again."
            )
        if person is not None:
            if person.id in people:
                raise BadRoster(f"{path.name}: the student {person.id} stands there twice.")
            people[person.id] = replace(person, section=section) if section else person
    if not people:
        raise BadRoster(f"{path.name}: it lists no students.")
    return Roster(list(people.values()), table.notes)


def join_rosters(rosters: Mapping[str, Roster]) -> Roster:
    """Return the students of several files, by the files' names. A student of two files is one person.

    Raises
    ------
    BadRoster
        If a student has different sections in two files.
    """
    people: dict[str, Person] = {}
    file_of: dict[str, str] = {}
    for name, roster in rosters.items():
        for person in roster.people:
            known = people.get(person.id)
            if known is not None and known.section and person.section and known.section != person.section:
                raise BadRoster(
                    f"{person.id} is in two sections, {known.section} ({file_of[person.id]}) and {person.section} ({name}): "
                    "take one of the two rows out."
                )
            people[person.id] = _joined(known, person) if known is not None else person
            if person.section or known is None:
                file_of[person.id] = name
    return Roster(list(people.values()), [note for roster in rosters.values() for note in roster.notes])


def _joined(known: Person, other: Person) -> Person:
    """Return one person of two rows: each field from the first row that has it, and the keys of both."""
    fields = ("name", "first", "last", "email", "section")
    facts = {name: getattr(known, name) or getattr(other, name) for name in fields}
    return Person(known.id, known.keys | other.keys, **facts)


def person_of(header: Sequence[str], row: Sequence[str]) -> Person | None:
    """Return the student of one row, or None for a row that is about nobody, such as Canvas's points."""
    words = list(keys_of(header, row))
    if not words or any(map(is_about_nobody, words)):
        return None
    cells = _cells(header, row)
    ids = (folder_name(cells[column]) for column in _ID if cells.get(column) and not _is_no_id(column, cells))
    chosen = next((student_id for student_id in ids if student_id), folder_name(words[0]))
    if not chosen:
        return None
    names = [word for word in words if " " in word and not word.startswith((CANVAS, MOODLE))]
    keys, email = frozenset(map(folded, [chosen, *words])) - {""}, _first_of(_EMAIL, cells)
    section = " ".join(cells.get("section", "").split())
    return Person(chosen, keys, names[0] if names else "", *_names(cells), email if "@" in email else "", section)


def _names(cells: Mapping[str, str]) -> tuple[str, str]:
    """Return first and last name: from columns of their own, else from one that holds both."""
    first, last = cells.get(_FIRST, ""), cells.get(_LAST, "")
    if first or last:
        return first, last
    both = _first_of([column for column in _WHOLE if column != "student" or _is_no_id(column, cells)], cells)
    if "," in both:
        last, _, first = both.partition(",")
    else:
        first, _, last = both.rpartition(" ")
    return first.strip(), last.strip()


def _first_of(columns: Iterable[str], cells: Mapping[str, str]) -> str:
    return next((cells[column] for column in columns if cells.get(column)), "")


def _cells(header: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    """Return the cells of a row by the meaning of their columns, with Moodle's participant number as in its archives."""
    cells = {column: _as_typed(cell) if column in _NUMBERED else cell for column, cell in cells_of(header, row).items()}
    match = _PARTICIPANT.fullmatch(cells.get("identifier", ""))
    return {**cells, "identifier": MOODLE + match[1]} if match else cells


def _as_typed(cell: str) -> str:
    """Return an id as it was before a spreadsheet or a script took it for a number, or for a formula.

    >>> _as_typed("1234.0"), _as_typed('="0012"'), _as_typed("'0012"), _as_typed("ada")
    ('1234', '0012', '0012', 'ada')
    """
    match = _AS_FORMULA.fullmatch(cell)
    bare = match[1] if match else cell.removeprefix("'")
    return _WHOLE_NUMBER.sub(r"\1", bare.strip())


def _is_no_id(column: str, cells: Mapping[str, str]) -> bool:
    """Return True if the word in this column is no id.

    Canvas's column Student holds a name, and Moodle's Participant 12 is another person in the next assignment.
    """
    return (column == "student" and "sis login id" in cells) or cells.get(column, "").startswith(MOODLE)


def folder_name(word: str) -> str:
    """Return the name of a student's folder, made of what a platform calls the student; empty if none can be made.

    >>> folder_name("Ada Lovelace"), folder_name("../..")
    ('Ada_Lovelace', '')
    """
    word = re.sub(r"\s+", "_", unicodedata.normalize("NFC", word).strip())
    word = re.sub(r'[<>:"/\\|?*\x00-\x1f]', "", word).strip(". ")
    return word if word and len(word.encode("utf-8")) <= _MAX_NAME_CHARACTERS else ""


def keys_of(header: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    """Yield every word of a line by which its student may be called."""
    cells = _cells(header, row)
    for column in _KEYS:
        cell = cells.get(column, "")
        if cell:
            if _SHORTENED.fullmatch(cell):
                continue
            # Two platforms' numbers may be the same and mean different people.
            yield CANVAS + cell if column == "id" and "sis login id" in cells else cell
            if "@" in cell:
                yield cell.partition("@")[0]
            if "," in cell and column in _WHOLE:
                last, _, first = cell.partition(",")
                yield f"{first.strip()} {last.strip()}"
    first, last = cells.get(_FIRST), cells.get(_LAST)
    if first and last:
        yield f"{first} {last}"
        yield f"{last} {first}"
