"""Archives as real classes give them: what became of each file, and of each student."""

from pathlib import Path

import pytest

from tests.support.handed_in import TOPIC, Said, collect
from tests.support.paths import REAL_WORLD


def collected(home: Path, name: str, roster: str = "", *words: object) -> Said:
    folder = REAL_WORLD / name.partition("/")[0]
    return collect(home, REAL_WORLD / name, *(["--roster", folder / roster] if roster else []), *words)


def there(home: Path) -> set[tuple[str, str]]:
    return {(path.parent.parent.name, path.parent.name) for path in (home / "submitted").rglob("*.ipynb")}


def test_endings(tmp_path: Path) -> None:
    outcome = collected(tmp_path, "s01_endings/moodle.zip", "roster.csv")
    assert outcome.students == {"ada", "ben", "chi", "dora", "ida"} and outcome.code == 3
    for student, words in {
        "emil": "unpack it",
        "fay": "unpack it",
        "gus": "a print-out",
        "hal": "File > Download",
        "kai": "a script",
        "jo": "text typed",
    }.items():
        (row,) = outcome.of(student)
        assert row.fate.startswith("✘") and words in row.fate and "ask for" in row.fate


def test_endings_in_canvas_names(tmp_path: Path) -> None:
    outcome = collected(tmp_path, "s01_endings/canvas.zip", "roster.csv")
    assert outcome.students == {"ada", "ben", "chi"} and "✘" in outcome.of("emil")[0].fate
    assert "text typed" in outcome.of("jo")[0].fate
    silent = {row.student for row in outcome.rows if row.fate == "– nothing came"}
    assert silent == {"dora", "fay", "gus", "hal", "ida", "kai"} and "Nothing came from 6" in outcome.text


def test_endings_of_what_students_packed(tmp_path: Path) -> None:
    outcome = collected(tmp_path, "s01_endings/packed.zip", "roster.csv")
    assert outcome.students == {"ada", "chi", "dora", "fay"}
    assert [row.fate[0] for row in outcome.of("ben")] == ["✘", "✘"] and "cannot be read" in outcome.of("emil")[0].fate


def test_numbers_in_names(tmp_path: Path) -> None:
    outcome = collected(tmp_path / "a", "s02_numbers_in_names/colab.zip")
    assert {row.topic for row in outcome.rows} == {TOPIC} and len(outcome.taken) == 3
    collected(tmp_path / "b", "s02_numbers_in_names/first_03.zip")
    outcome = collected(tmp_path / "b", "s02_numbers_in_names/then_07.zip")
    assert there(tmp_path / "b") == {("okriben", TOPIC), ("okriben", "07_attention"), ("ngochi", "07_attention")}
    assert not (tmp_path / "b" / "earlier").exists()


@pytest.mark.parametrize("roster", ["roster.csv", ""])
@pytest.mark.parametrize(
    ("name", "logins"),
    [
        ("flat", "abl03 abl07 kro05 kro11"),
        ("flat_full_names", "abl03 abl07 kro11"),
        ("folders", "abl03 abl07 kro11 mei"),
        ("folders_short", "abl03 abl07 kro11"),
    ],
)
def test_logins_with_digits(tmp_path: Path, name: str, logins: str, roster: str) -> None:
    outcome = collected(tmp_path, f"s03_logins_with_digits/{name}.zip", roster)
    assert outcome.students == set(logins.split()) and there(tmp_path) == {(login, TOPIC) for login in logins.split()}


def test_a_hyphen_splits_nothing(tmp_path: Path) -> None:
    outcome = collected(tmp_path / "a", "s08_moodle_groups/guest.zip", "without_jp.csv")
    assert outcome.students == {"s5"} and "no student 'Jean-Pierre Dupont'" in outcome.text
    outcome = collected(tmp_path / "b", "s08_moodle_groups/guest.zip", "roster.csv")
    assert outcome.students == {"s1", "s5"}
    for name in ("groups", "groups_with_both"):
        outcome = collected(tmp_path / "c", f"s08_moodle_groups/{name}.zip", "roster.csv")
        assert not outcome.taken and outcome.text.count("a column Group (--times) tells") == len(
            [r for r in outcome.rows if r.file]
        )


def test_a_group_that_a_table_knows_is_taken_off(tmp_path: Path) -> None:
    rows = (REAL_WORLD / "s08_moodle_groups" / "roster.csv").read_text(encoding="utf-8").splitlines()
    groups = ["Groups", "Team A", "Team A", "Team B", "Team B", "Team A"]
    (tmp_path / "r.csv").write_text(
        "\n".join(f"{row},{group}" for row, group in zip(rows, groups, strict=True)), encoding="utf-8"
    )
    outcome = collect(tmp_path / "a", REAL_WORLD / "s08_moodle_groups" / "groups.zip", "--roster", tmp_path / "r.csv")
    assert outcome.students == {"s1", "s3", "s4", "s5"} and outcome.code == 0
    outcome = collect(tmp_path / "b", REAL_WORLD / "s08_moodle_groups" / "groups_with_both.zip", "--roster", tmp_path / "r.csv")
    assert outcome.students == {"s1", "s2"}


def test_a_folder_of_a_team_is_the_teams(tmp_path: Path) -> None:
    """Its number is another student's in the worksheet: 45 is Ada's, and she is in Team B."""
    outcome = collected(tmp_path, "s08_moodle_groups/teams_by_group.zip", "worksheet.csv")
    people = {"Team A": {"chi@example.org", "dora@example.org"}, "Team B": {"ada@example.org", "ben@example.org"}}
    for team, members in people.items():
        assert {row.student for row in outcome.rows if team in row.file} == members
        for member in members:
            lines = (tmp_path / "submitted" / member / TOPIC / "team.txt").read_text(encoding="utf-8").splitlines()
            assert lines[0] == team and set(lines[1:]) == members
    assert "says who is in it" in outcome.fate("Default group")


def test_names_left_out_are_said_to_be(tmp_path: Path) -> None:
    outcome = collected(tmp_path, "s08_moodle_groups/blind.zip", "roster.csv")
    assert not outcome.taken and outcome.text.count("Moodle has left the names out") == 2
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("Identifier,ID number\nParticipant 301,s1\nParticipant 302,s2\n", encoding="utf-8")
    outcome = collected(tmp_path / "b", "s08_moodle_groups/blind.zip", "roster.csv", "--dry-run")
    assert not outcome.taken
    outcome = collect(tmp_path / "c", REAL_WORLD / "s08_moodle_groups" / "blind.zip", "--roster", sheet)
    assert outcome.students == {"s1", "s2"}


def test_marks_are_letters(tmp_path: Path) -> None:
    outcome = collected(tmp_path, "s11_rosters/kamal_alone.zip", "kamala_and_ada.csv")
    assert outcome.students == {"s3"} and "कमल" in outcome.text and outcome.of("s2")[0].fate == "– nothing came"


def test_the_wrong_notebook_goes_where_it_belongs(tmp_path: Path) -> None:
    outcome = collected(tmp_path / "a", "s13_wrong_notebook/canvas.zip")
    assert there(tmp_path / "a") == {("lundada", "04_nplm"), ("okriben", TOPIC)} and "its cells are of 04_nplm" in outcome.text
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "course.toml").write_text('notebooks = ["03"]\n', encoding="utf-8")
    outcome = collected(tmp_path / "b", "s13_wrong_notebook/canvas.zip")
    assert "its cells are of 04_nplm, which is not a notebook of this class" in outcome.fate("lundada")
    assert there(tmp_path / "b") == {("okriben", TOPIC)}


def test_the_copy_with_answers_is_taken(tmp_path: Path) -> None:
    outcome = collected(tmp_path, "s18_template_beside/moodle.zip")
    assert {file.rpartition("/")[2] for file in outcome.taken} == {
        "03_max_norm-answers.ipynb",
        "03_max_norm-Copy1.ipynb",
        "03_max_norm.ipynb",
    }
    assert sum(row.fate.startswith("○ put aside: there is no answer in it") for row in outcome.rows) == 3
    assert all((tmp_path / row.fate.rpartition("kept in ")[2]).is_file() for row in outcome.rows if row.fate.startswith("○"))


@pytest.mark.parametrize("words", [["--layout", "github"], []], ids=["said", "seen"])
def test_github_classrooms_folder(tmp_path: Path, words: list[str]) -> None:
    outcome = collected(tmp_path, "s21_github/max-norm-submissions", "roster.csv", *words)
    assert outcome.students == {"ada", "ben"} and outcome.code == 0
