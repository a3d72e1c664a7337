"""Gradebook files: formulas are defused, numbers stay numbers, a platform's own file is filled in."""

import csv
import io
import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.plugins import CsvExportPlugin
from typer.testing import CliRunner

from grader.classroom import records
from grader.classroom.export.cells import safe
from grader.classroom.export.fill import fill
from grader.classroom.export.grades import Grade, Student
from grader.classroom.export.nbgrader_csv import SafeCsv
from grader.classroom.gradebook.ask import find_alembic
from grader.classroom.roster import Roster
from grader.cli import app
from tests.support.paths import REAL_WORLD
from tests.support.report_records import record

run = CliRunner().invoke
find_alembic()
PEOPLE = {
    "ada": ("Ada", "Lovelace", "ada@x.org", 18.5),
    "=cmd|' /C calc'!A1": ("=1+1", "@SUM(A1)", "+x@x.org", 7.0),
    "xiaoming": ("小明", "王", "xm@x.org", 20.0),
    "nobody": ("No", "Body", "nobody@x.org", None),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "gradebook.db"
    with Gradebook(f"sqlite:///{path}") as book:
        for topic in ("02_gradients", "03_max_norm"):
            book.add_assignment(topic)
            book.add_notebook(topic, topic)
            book.add_grade_cell("all", topic, topic, max_score=20, cell_type="code")
        for name, (first, last, mail, score) in PEOPLE.items():
            book.add_student(name, first_name=first, last_name=last, email=mail)
            if score is not None:
                book.add_submission("03_max_norm", name)
                grade = book.find_grade("all", "03_max_norm", "03_max_norm", name)
                grade.auto_score, grade.needs_manual_grade = score, False
        late = book.find_submission("03_max_norm", "xiaoming")
        late.notebooks[0].late_submission_penalty = 4.0
        book.db.commit()
    return path


@pytest.fixture
def home(tmp_path: Path, made: Path) -> Path:
    shutil.copy2(made, tmp_path / "gradebook.db")
    return tmp_path


def exported(home: Path, *words: str, code: int = 0) -> str:
    outcome = run(app, ["export", "--class", str(home), *words])
    assert outcome.exit_code == code, outcome.output
    return " ".join(outcome.output.split())


def table(path: Path) -> list[list[str]]:
    text = path.read_text(encoding="utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=";" if text.startswith("Identifier;") else ","))


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1+1", "-cmd|x", "=1\n2"])
def test_formulas_become_text(text: str) -> None:
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-3", "+4.5", "1e-3", "50 %", "-", "王小明", "a=b", "", -2.5, 3, "    Points Possible"])
def test_numbers_and_names_stay(value: object) -> None:
    assert safe(value) == str(value)


def test_canvas(home: Path) -> None:
    said = exported(home, "--to", "canvas")
    rows = table(home / "canvas.csv")
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "02_gradients", "03_max_norm"]
    assert rows[1] == ["    Points Possible", "", "", "", "", "20", "20"]
    by_id = {row[3]: row for row in rows[2:]}
    assert by_id["ada"] == ["Lovelace, Ada", "", "", "ada", "", "", "18.5"]
    assert by_id["xiaoming"][0] == "王, 小明" and by_id["xiaoming"][-1] == "16", "after the penalty"
    assert by_id["nobody"][-1] == "" and "4 students" in said
    assert by_id["'=cmd|' /C calc'!A1"][0] == "'@SUM(A1), =1+1"


def test_moodle_and_nbgrader(home: Path) -> None:
    exported(home, "--to", "moodle", "--notebook", "03")
    rows = table(home / "moodle.csv")
    assert rows[0][-1] == "03_max_norm" and ["ada", "Ada", "Lovelace", "", "ada@x.org", "18.5"] in rows
    exported(home)
    ours = table(home / "grades.csv")
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        for name in PEOPLE:
            if name.startswith("="):
                book.remove_student(name)
        CsvExportPlugin(to=str(home / "theirs.csv")).export(book)
        SafeCsv(to=str(home / "ours.csv")).export(book)
    assert table(home / "ours.csv") == table(home / "theirs.csv"), "the same as nbgrader's own where names are harmless"
    assert any(row[3].startswith("'=cmd") and row[6] == "'+x@x.org" for row in ours)


def test_a_file_from_canvas_is_filled_in(home: Path) -> None:
    theirs = home / "from_canvas.csv"
    theirs.write_text(
        "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,max_norm (03) (771),Final Score\n"
        '"    Points Possible",,,,,25,(read only)\n"Lovelace, Ada",11,,ada@x.org,A,,-1\n"王, 小明",12,,u12,A,3,\n'
        '"=Evil, =E",13,,u13,A,,\n"Student, Test",14,,t,A,,\n',
        encoding="utf-8",
    )
    before = theirs.read_bytes()
    said = exported(home, "--to", "canvas", "--into", str(theirs), "--notebook", "03")
    rows = table(home / "canvas.csv")
    assert rows[2] == ["Lovelace, Ada", "11", "", "ada@x.org", "A", "18.5", "-1"]
    assert rows[3][:6] == ["王, 小明", "12", "", "u12", "A", "16"]
    assert rows[4][0] == "=Evil, =E" and rows[5][5] == "", "a value that is not ours stays as it is"
    assert "begin like a formula" in said
    assert "2 in the gradebook but not in that file: =cmd" in said and "nobody" in said
    assert "1 in that file without a grade" in said and "25 points possible" in said
    assert theirs.read_bytes() == before
    assert "say another one" in exported(home, "--to", "canvas", "--into", str(theirs), "--out", str(theirs), code=2)


def test_a_grading_worksheet_from_moodle_is_filled_in(home: Path) -> None:
    theirs = home / "worksheet.csv"
    theirs.write_text(
        "Identifier;Full name;Email address;Status;Grade;Maximum Grade;Feedback comments\n"
        "Participant 4;Ada Lovelace;ada@x.org;Submitted;;100.00;\nParticipant 5;小明 王;q@x.org;Submitted;;100.00;\n",
        encoding="utf-8",
    )
    assert "--notebook" in exported(home, "--to", "moodle", "--into", str(theirs), code=2)
    said = exported(home, "--to", "moodle", "--into", str(theirs), "--notebook", "03")
    rows = table(home / "moodle.csv")
    assert rows[1][4] == "92.5" and rows[2][4] == "80" and "Late: 4 points" in rows[2][6]
    assert "scaled" in said


def test_whose_line_it_is_an_exact_id_says_first() -> None:
    header = ["Username", "Email address", "03_max_norm"]
    lines = [["eve", "bob@y.org", ""], ["bob", "b@x.org", ""], ["7", "s@x.org", ""], ["cy", "0@x.org", ""]]
    students = [
        Student(name, grades={"03_max_norm": Grade(score, 0, 20, False)})
        for name, score in (("bob", 1.0), ("eve", 2.0), ("7", 3.0), ("1", 9.0))
    ]
    filled = fill(header, lines, students, {"03_max_norm": 20.0}, Roster())
    assert [row[2] for row in filled.rows[1:]] == [2.0, 1.0, 3.0, ""]
    assert filled.strangers == ["1"]


@pytest.fixture
def generous(home: Path) -> Path:
    """Ada has 25 of 20."""
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        book.find_grade("all", "03_max_norm", "03_max_norm", "ada").manual_score = 25.0
        book.db.commit()
    return home


@pytest.mark.parametrize(
    "words, ada, xiaoming, said",
    [(["moodle"], "20", "16", "ada 25 → 20"), (["canvas"], "25", "16", ""),
     (["canvas", "--above", "cap"], "20", "16", "ada 25 → 20"),
     (["moodle", "--above", "keep"], "25", "16", ""), (["moodle", "--above", "scale"], "20", "12.8", "xiaoming 16 → 12.8")],
)  # fmt: skip
def test_scores_above_the_maximum(generous: Path, words: list[str], ada: str, xiaoming: str, said: str) -> None:
    heard = exported(generous, "--to", *words)
    found = {cell: row[-1] for row in table(generous / f"{words[0]}.csv") for cell in (row[0], row[3])}
    assert (found["ada"], found["xiaoming"]) == (ada, xiaoming)
    assert said in heard and ("→" in heard) == bool(said)


def test_a_worksheet_gets_no_more_than_its_maximum(generous: Path) -> None:
    theirs = generous / "worksheet.csv"
    theirs.write_text("Identifier,Full name,Grade,Maximum Grade\nParticipant 4,Ada Lovelace,,100.00\n", encoding="utf-8")
    assert "ada 25 → 20" in exported(generous, "--to", "moodle", "--into", str(theirs), "--notebook", "03")
    assert table(generous / "moodle.csv")[1][2] == "100"


def test_what_above_may_say(home: Path) -> None:
    assert "there are keep, cap, scale" in exported(home, "--to", "moodle", "--above", "most", code=2)
    assert "changes what goes to canvas or moodle" in exported(home, "--above", "cap", code=2)


@pytest.mark.parametrize(
    "content, said",
    [(b"", "is empty"), (b"\xff\xfe\xfa", "UTF-8"), (b"a,b\n1,2\n", "no students that could be told apart")],
)
def test_bad_files(home: Path, content: bytes, said: str) -> None:
    (home / "bad.csv").write_bytes(content)
    assert said in exported(home, "--to", "canvas", "--into", str(home / "bad.csv"), code=2)


def test_no_gradebook_and_no_such_export(tmp_path: Path) -> None:
    assert "run grader grade first" in exported(tmp_path, code=2)
    assert "no export to 'excel'" in exported(tmp_path, "--to", "excel", code=2)


def filled_in(home: Path, text: str, *words: str, to: str = "canvas", code: int = 0) -> tuple[str, str]:
    """Fill a platform's file in; what was said, and the file that was written."""
    (home / "theirs.csv").write_bytes(text.encode("utf-8"))
    said = exported(home, "--to", to, "--into", str(home / "theirs.csv"), "--notebook", "03", *words, code=code)
    return said, "" if code else (home / f"{to}.csv").read_bytes().decode("utf-8")


PEOPLE_OF_CANVAS = '"Lovelace, Ada",11,,ada,A,{}\n"王, 小明",12,,xiaoming,A,{}\n'
HEAD = "Student,ID,SIS User ID,SIS Login ID,Section,"


@pytest.mark.parametrize("title", ["03_max_norm", "03_max_norm (4102)", "max_norm (03) (771)", "Max-norm", "03 · Max norm"])
def test_a_column_with_the_whole_title_is_filled_and_no_other(home: Path, title: str) -> None:
    text = f"{HEAD}Reading quiz 03 (4101),{title}\n" + PEOPLE_OF_CANVAS.format("9.50,", "7.00,3")
    said, written = filled_in(home, text)
    assert written == f"{HEAD}Reading quiz 03 (4101),{title}\n" + PEOPLE_OF_CANVAS.format("9.50,18.5", "7.00,16"), said


@pytest.mark.parametrize("title", ["Reading quiz 03 (4101)", "Week 3", "03_max_norm Percentage", "Max norm, second try"])
def test_a_column_that_only_looks_like_it_is_asked_about(home: Path, title: str) -> None:
    text = f"{HEAD}{title!r}\n".replace("'", '"') + PEOPLE_OF_CANVAS.format("9.50", "7")
    said, _ = filled_in(home, text, code=2)
    assert f"Is “{title}” meant?" in said and not (home / "canvas.csv").exists()
    _, written = filled_in(home, text, "--column", f"03={title}")
    assert ",A,18.5\n" in written and ",A,16\n" in written
    _, written = filled_in(home, text, "--column", "03=+")
    assert ",A,9.50,18.5\n" in written and ",A,7,16\n" in written


def test_two_columns_of_one_title_and_a_title_that_is_not_there(home: Path) -> None:
    twice = f"{HEAD}03_max_norm (41020),03_max_norm (41021)\n" + PEOPLE_OF_CANVAS.format(",", ",")
    assert "several columns with the title" in filled_in(home, twice, code=2)[0]
    _, written = filled_in(home, twice, "--column", "03=03_max_norm (41021)")
    assert ",A,,18.5\n" in written
    assert "no column is called “Week 9”" in filled_in(home, twice, "--column", "03=Week 9", code=2)[0]
    assert "write a notebook of the class" in filled_in(home, twice, "--column", "99=x", code=2)[0]


@pytest.mark.parametrize("word", ["EX", "N/A", "Excused", "entschuldigt", "缺席"])
def test_words_in_cells_stay(home: Path, word: str) -> None:
    above = ",,,,,Manual Posting\n    Points Possible,,,,,20.0\n"
    said, written = filled_in(home, f"{HEAD}03_max_norm (4102)\n{above}" + PEOPLE_OF_CANVAS.format(word, ""))
    assert written == f"{HEAD}03_max_norm (4102)\n{above}" + PEOPLE_OF_CANVAS.format(word, "16")
    assert f"1 in a cell with a word, which stays as it is: Lovelace, Ada {word}" in said


def test_decimal_commas_and_the_style_of_the_file_are_kept(home: Path) -> None:
    head = 'Identifikator;"Vollständiger Name";E-Mail-Adresse;Status;Bewertung;Bestwertung;"Feedback als Kommentar"\r\n'
    lines = "Teilnehmer/in4;{0}Ada Lovelace{0};ada@x.org;;{1};20,00;\r\n"
    said, written = filled_in(home, head + lines.format('"', ""), to="moodle")
    assert written == head + lines.format('"', "18,5") and "scaled" not in said
    _, written = filled_in(home, head + lines.format("", "18,50"), to="moodle")
    assert written == head + lines.format("", "18,50"), "the same number stays as it is written"


def test_files_of_the_real_world_are_filled(home: Path) -> None:
    shown = REAL_WORLD / "s09_canvas_columns"
    for name, to in (("quiz_before.csv", "canvas"), ("moodle_gradebook.csv", "moodle")):
        text = (shown / name).read_text(encoding="utf-8").replace("ada@example.org", "ada@x.org")
        _, written = filled_in(home, text, to=to)
        before, after = (list(csv.reader(io.StringIO(one))) for one in (text, written))
        column = next(place for place, title in enumerate(before[0]) if "max" in title)
        changed = {
            (row, place) for row, line in enumerate(before) for place, cell in enumerate(line) if after[row][place] != cell
        }
        ada = next(row for row, line in enumerate(before) if "ada" in line)
        assert changed == {(ada, column)} and after[ada][column] == "18.5", name


def test_the_three_things_that_no_points_can_mean(home: Path) -> None:
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        book.find_grade("all", "03_max_norm", "03_max_norm", "xiaoming").auto_score = 0.0
        book.add_student("broken")
        book.db.commit()
    records.save(home, record("broken", status="unreadable", reason="no JSON"), None)
    said = exported(home, "--to", "canvas", "--notebook", "03")
    assert "03_max_norm: 1 nothing came (left empty; --missing zero enters 0): nobody." in said
    assert "1 a file came that cannot be read" in said and "1 handed in and earned 0 points: xiaoming" in said
    assert exported(home, "--notebook", "03") and {row[3]: row[-1] for row in table(home / "grades.csv")[1:]} == {
        "ada": "handed in",
        "'=cmd|' /C calc'!A1": "handed in",
        "xiaoming": "zero earned",
        "nobody": "nothing came",
        "broken": "not readable",
    }
    exported(home, "--to", "canvas", "--notebook", "03", "--missing", "zero")
    points = {row[3]: row[-1] for row in table(home / "canvas.csv")[2:]}
    assert (points["nobody"], points["broken"], points["xiaoming"]) == ("0", "", "0")
    assert "there are empty, zero" in exported(home, "--missing", "none", code=2)


def test_nobody_gets_a_zero_before_the_time_is_over(home: Path) -> None:
    (home / "course.toml").write_text(
        'timezone = "UTC"\nstudents = ["ada", "xiaoming", "nobody", "late"]\n[deadlines]\n03 = "2020-01-01"\n'
        '[[extensions]]\nstudent = "late"\nnotebook = "03"\nuntil = "2199-01-01"\n',
        encoding="utf-8",
    )
    said = exported(home, "--to", "canvas", "--notebook", "03", "--missing", "zero")
    points = {row[3]: row[-1] for row in table(home / "canvas.csv")[2:]}
    assert (points["nobody"], points["late"]) == ("0", "") and "there is time still (left empty): late" in said
