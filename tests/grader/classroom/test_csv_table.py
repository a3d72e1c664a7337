"""CSV files as spreadsheets, registries and scripts write them: read for what they mean, or refused with one true sentence."""

from pathlib import Path

import pytest

from grader.classroom.csv_table import BadRoster, load_table
from grader.classroom.export.fill import fill
from grader.classroom.export.grades import Grade, Student
from grader.classroom.roster import Person, Roster, read_roster
from tests.support.paths import REAL_WORLD

SHOWN = REAL_WORLD / "s11_rosters"
#: Names with signs that many other encodings have at other places.
GERMAN = "student_id,first_name,last_name\nada,Zoë,Größe\n"


def kept(folder: Path, content: str | bytes, encoding: str = "utf-8") -> Path:
    path = folder / "roster.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path


def ids(path: Path) -> list[str]:
    return [person.id for person in read_roster(path).people]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("sep.csv", ("0012", "Ada", "Lund")),
        ("comma_in_heading.csv", ("ada@example.org", "Ada", "Lund")),
        ("cp1252.csv", ("ada", "Ada", "Müller")),
    ],
)
def test_what_was_shown_to_us(name: str, first: tuple[str, str, str]) -> None:
    people = read_roster(SHOWN / name).people
    assert len(people) == 2 and (people[0].id, people[0].first, people[0].last) == first


@pytest.mark.parametrize(
    "text",
    [
        "Participants of Embeddings;;\nAs of 5.3.2026;;\n;;\nstudent_id;first_name;last_name\nada;Ada;Lund\n",
        "Participants of Embeddings\n\nstudent_id,first_name,last_name\nada,Ada,Lund\n",
        "sep=|\r\nstudent_id|first_name|last_name\r\nada|Ada|Lund\r\n",
        '"sep=;"\n"student_id";"first_name";"last_name"\n"ada";"Ada";"Lund"\n',
        "student_id\tfirst_name\tlast_name\nada\tAda\tLund\n",
        'student_id, name, room\nada, "Lund, Ada", "3, left"\n',
        "Name:,Embeddings,\nfirst_name,last_name,username\nAda,Lund,ada\n",
    ],
)
def test_titles_separators_and_quotation_marks(tmp_path: Path, text: str) -> None:
    (person,) = read_roster(kept(tmp_path, text)).people
    assert (person.id, person.first, person.last) == ("ada", "Ada", "Lund")


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [
        ("1234.0", "1234"),
        ("1234,00", "1234"),
        ('"=""0012"""', "0012"),
        ("'0012", "0012"),
        ("0012", "0012"),
        ("3e21", "3e21"),
        ("v1.0", "v1.0"),
    ],
)
def test_ids_that_a_spreadsheet_took_for_numbers(tmp_path: Path, cell: str, wanted: str) -> None:
    assert ids(kept(tmp_path, f"student_id;name\n{cell};Ada Lund\n")) == [wanted]


@pytest.mark.parametrize("cell", ["1,234E+05", "1.23457E+11", "2E+11", "2,02412e11"])
def test_an_id_that_lost_its_digits_is_refused(tmp_path: Path, cell: str) -> None:
    with pytest.raises(BadRoster, match="its last digits may be lost"):
        read_roster(kept(tmp_path, f"ID-Nummer;Nachname\n{cell};Lund\n"))
    (person,) = read_roster(kept(tmp_path, f"Anmeldename;ID-Nummer;Nachname\nada;{cell};Lund\n")).people
    assert person.id == "ada" and not any("e11" in key or "e05" in key for key in person.keys)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_encodings_that_can_be_told(tmp_path: Path, encoding: str) -> None:
    roster = read_roster(kept(tmp_path, GERMAN, encoding))
    assert (roster.people[0].first, roster.people[0].last) == ("Zoë", "Größe")
    assert bool(roster.notes) == (encoding == "cp1252")


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("王小明", "gb18030"),
        ("李娜", "big5"),
        ("Иванов", "cp1251"),
        ("Dvořák", "cp1250"),
        ("Łukasz", "cp1250"),
        ("Ayşe", "cp1254"),
        ("Παπάς", "cp1253"),
        ("Größe", "mac-roman"),
        ("山田", "shift-jis"),
        ("김민준", "euc-kr"),
    ],
)
def test_other_encodings_are_not_guessed(tmp_path: Path, name: str, encoding: str) -> None:
    with pytest.raises(BadRoster, match=r"not UTF-8 text.*export it as CSV \(UTF-8\)"):
        read_roster(kept(tmp_path, f"student_id,name\nada,{name}\n", encoding))


@pytest.mark.parametrize(
    "start", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF-1.4", b"<html>", b"\xef\xbb\xbf<table>", b'{"a": 1}']
)
def test_files_of_other_kinds_are_called_what_they_are(tmp_path: Path, start: bytes) -> None:
    with pytest.raises(BadRoster, match="not a CSV file"):
        read_roster(kept(tmp_path, start + b" and more"))


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("a;b\r\n1;2\r\n", "utf-8"),
        ('sep=;\r\n"a";"b, c"\r\n1;"2\r\n3"\r\n', "utf-16"),
        ('a,b\n"1", "2"\n\n3', "utf-8-sig"),
        ("Name;Größe\nZoë;\n", "cp1252"),
        ('x,y,\n"un closed,1,\n', "utf-8"),
    ],
)
def test_a_table_is_written_back_as_it_was(tmp_path: Path, content: str, encoding: str) -> None:
    path = kept(tmp_path, content, encoding)
    table = load_table(path)
    table.write(tmp_path / "again.csv", [table.header, *table.lines])
    assert (tmp_path / "again.csv").read_bytes() == path.read_bytes()


def test_two_students_of_one_name_are_told_apart_by_the_platforms_number() -> None:
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "03_max_norm"]
    lines = [["Li, Na", "12", "", "u12", "A", ""], ["Li, Na", "13", "", "u13", "A", ""]]
    students = [
        Student(name, "Na", "Li", grades={"03_max_norm": Grade(score, 0, 20, False)})
        for name, score in (("first", 1.0), ("second", 2.0))
    ]
    filled = fill(header, lines, students, {"03_max_norm": 20.0}, Roster())
    assert [row[5] for row in filled.rows[1:]] == ["", ""] and "first: 2 lines of the file have the name Na Li" in filled.notes[
        0
    ]
    numbered = Roster([Person("first", frozenset({"canvas13"})), Person("second", frozenset({"canvas12"}))])
    filled = fill(header, lines, students, {"03_max_norm": 20.0}, numbered)
    assert [row[5] for row in filled.rows[1:]] == [2.0, 1.0] and not filled.notes
