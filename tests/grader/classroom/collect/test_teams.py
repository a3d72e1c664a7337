"""One submission of several people: written for each, with the team beside it."""

from pathlib import Path

import pytest

from tests.support.handed_in import FILE, TOPIC, answered, collect, empty, packed, roster

TEAMS = '[[teams]]\nname = "Team A"\nmembers = ["ada", "ben"]\n[[teams]]\nname = "die Großen"\nmembers = ["chi", "dora"]\n'
PEOPLE = (
    "student_id,First name,Last name,github_username\nada,Ada,Lund,adal\nben,Ben,Okri,benok\nchi,Chi,Ngo,chingo\n"
    "dora,Dora,Lind,doral\nemil,Emil,Falk,emilf\n"
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    folder.mkdir()
    roster(folder / "roster.csv", PEOPLE)
    (folder / "course.toml").write_text(f'roster = "roster.csv"\n{TEAMS}', encoding="utf-8")
    return folder


def of(home: Path, student: str, name: str = FILE) -> bytes:
    return (home / "submitted" / student / TOPIC / name).read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        f"lundada_1_501_{FILE}",
        f"Ada Lund_71_assignsubmission_file_/{FILE}",
        f"Team A_71_assignsubmission_file/{FILE}",
        f"Team A_assignsubmission_file_/{FILE}",
        f"Team A-Ben Okri_72_assignsubmission_file_/{FILE}",
        f"norm-submissions/norm-team-a/{FILE}",
        f"norm-submissions/norm-benok/{FILE}",
        f"ben/{TOPIC}/{FILE}",
        f"Team A/{FILE}",
        "Team A_03.ipynb",
        "ada_03.ipynb",
        f"HW_ben_attempt_2026-03-05-18-00-00_{FILE}",
        "work - Ada Lund.ipynb",
        f"team-a_9_501_{FILE}",
    ],
)
def test_a_file_of_one_counts_for_all(tmp_path: Path, home: Path, name: str) -> None:
    entries = (
        {name: answered(), name.replace("A", "A").replace(FILE, "sketch.png"): b"\x89PNG"}
        if "/" in name
        else {name: answered()}
    )
    outcome = collect(home, packed(tmp_path / "a.zip", entries))
    assert outcome.students == {"ada", "ben"} and outcome.text.count("for the team Team A") == 2 and outcome.code == 0
    for student in ("ada", "ben"):
        assert of(home, student) == answered() and of(home, student, "team.txt").decode() == "Team A\nada\nben\n"
    silent = {row.student for row in outcome.rows if row.fate == "– nothing came"}
    assert silent == {"chi", "dora", "emil"}


def test_two_members_hand_in(tmp_path: Path, home: Path) -> None:
    """The later counts, for both, with its own time; an empty one counts for nobody."""
    entries = {
        f"lundada_1_501_{FILE}": answered(mark="a"),
        f"okriben_2_502_{FILE}": answered(mark="b"),
        f"ngochi_3_503_{FILE}": empty(),
        f"linddora_4_499_{FILE}": answered(mark="d"),
    }
    times = roster(tmp_path / "t.csv", "student_id,timestamp\nada,2026-03-05 18:00\nben,2026-03-05 17:00\n")
    outcome = collect(home, packed(tmp_path / "a.zip", entries), "--times", times)
    assert of(home, "ada") == of(home, "ben") == answered(mark="a") and of(home, "chi") == of(home, "dora") == answered(
        mark="d"
    )
    assert of(home, "ada", "timestamp.txt") == of(home, "ben", "timestamp.txt") == b"2026-03-05 18:00:00 UTC"
    assert outcome.code == 0 and len(list((home / "earlier" / "ada").rglob("*.ipynb"))) == 1
    assert "die Großen" in of(home, "chi", "team.txt").decode("utf-8")


def test_every_members_own_folder_in_moodles_archive(tmp_path: Path, home: Path) -> None:
    """Moodle packs a team's file once for each member, with the team's name before theirs."""
    entries = {
        f"Team A-{name}_{number}_assignsubmission_file_/{FILE}": answered()
        for name, number in (("Ada Lund", 71), ("Ben Okri", 72))
    }
    outcome = collect(home, packed(tmp_path / "a.zip", entries))
    assert outcome.students == {"ada", "ben"} and not (home / "submitted" / "emil").exists()
    assert sum(row.fate.startswith("✔") for row in outcome.rows) == 2


def test_a_team_without_a_roster(tmp_path: Path) -> None:
    home = tmp_path / "class"
    home.mkdir()
    (home / "course.toml").write_text(TEAMS, encoding="utf-8")
    entries = {f"chi/{FILE}": answered(), f"Team A/{FILE}": answered(mark="t"), f"emil/{FILE}": answered(mark="e")}
    outcome = collect(home, packed(tmp_path / "a.zip", entries))
    assert (
        outcome.students == {"ada", "ben", "chi", "dora", "emil"}
        and not (home / "submitted" / "emil" / TOPIC / "team.txt").exists()
    )


def test_who_left_a_team_has_none_beside_the_next_file(tmp_path: Path, home: Path) -> None:
    collect(home, packed(tmp_path / "a.zip", {f"ada/{FILE}": answered()}))
    (home / "course.toml").write_text('roster = "roster.csv"\n', encoding="utf-8")
    collect(home, packed(tmp_path / "b.zip", {f"ada/{FILE}": answered(mark="2")}))
    assert not (home / "submitted" / "ada" / TOPIC / "team.txt").exists() and of(home, "ben", "team.txt")


def test_a_team_of_that_name_and_a_person(tmp_path: Path, home: Path) -> None:
    (home / "course.toml").write_text(
        'roster = "roster.csv"\n[[teams]]\nname = "Emil Falk"\nmembers = ["ada", "ben"]\n', encoding="utf-8"
    )
    outcome = collect(home, packed(tmp_path / "a.zip", {f"Emil Falk_9_assignsubmission_file_/{FILE}": answered()}))
    assert not outcome.taken and "may be emil or the team Emil Falk" in outcome.text


def test_two_people_in_one_name_are_a_question(tmp_path: Path) -> None:
    people = roster(tmp_path / "r.csv", PEOPLE)
    for name in ("ada_emil_03.ipynb", "Ada Lund & Emil Falk.ipynb", "ada+emil_03.ipynb"):
        outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", {name: answered()}), "--roster", people)
        assert not outcome.taken and "may mean ada or emil" in outcome.text
