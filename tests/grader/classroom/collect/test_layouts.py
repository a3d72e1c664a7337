"""Each platform's own archive: whose a file is, and what is refused where the platform does not say."""

from pathlib import Path

import pytest

from grader.classroom.collect.platform_file_names import READERS
from tests.support.handed_in import FILE, TOPIC, answered, collect, empty, packed, roster

PEOPLE = (
    "Student,ID,SIS Login ID,First name,Last name,Email,github_username\n"
    '"Lund, Ada",11,ada,Ada,Lund,ada@x.org,adal\n"Okri, Ben",12,b_okri,Ben,Okri,ben@x.org,ben-ok\n'
    '"Müller-Schmidt, Änne",13,aenne,Änne,Müller-Schmidt,ae@x.org,aenne\n"王, 小明",14,xm,小明,王,xm@x.org,xm\n'
    '"الحسن, ليلى",15,layla,ليلى,الحسن,l@x.org,layla\n'
)
METADATA = """---
submission_101:
  :submitters:
  - :name: Ada Lund
    :sid: '0012'
    :email: ada@x.org
  :created_at: 2026-03-05 18:00:00.000000000 Z
  :score: 0.0
submission_102:
  :submitters:
  - :name: Ben Okri
    :sid:
    :email: ben@x.org
  - :name: 小明 王
    :sid: '0014'
    :email: xm@x.org
  :created_at: 2026-03-05 19:30:00.000000000 Z
submission_103:
  :submitters: []
"""
ARCHIVES: dict[str, dict[str, bytes]] = {
    "blackboard": {
        f"Homework 3_ada_attempt_2026-03-05-18-00-00_{FILE}": answered(),
        "Homework 3_ada_attempt_2026-03-05-18-00-00.txt": b"Name: Ada Lund (ada)\n",
        "Homework 3_b_okri_attempt_2026-03-05-18-00-01_work.ipynb": answered(mark="b"),
        f"Homework 3_xm_attempt_2026-03-05-18-00-01_{FILE}": answered(mark="x"),
    },
    "brightspace": {
        "index.html": b"<html>",
        f"101-900 - Ada Lund - Mar 5, 2026 600 PM/{FILE}": answered(),
        f"102-900 - Ben Okri - Mar 5, 2026 1142 AM/{FILE}": answered(mark="b"),
        f"103-900 - 小明 王 - 5 March, 2026 1800/{FILE}": answered(mark="x"),
        f"104-900 - Änne Müller-Schmidt - Mar 5, 2026 600 PM/{FILE}": answered(mark="m"),
    },
    "sakai": {
        "Homework 3/grades.csv": b"",
        f"Homework 3/Lund, Ada(ada)/Submission attachment(s)/{FILE}": answered(),
        "Homework 3/Lund, Ada(ada)/timestamp.txt": b"20260305180000000",
        "Homework 3/Lund, Ada(ada)/comments.txt": b"",
        f"Homework 3/Okri, Ben(b_okri)/Submission attachment(s)/{FILE}": answered(mark="b"),
        f"Homework 3/Müller-Schmidt, Änne(aenne)/Submission attachment(s)/{FILE}": answered(mark="m"),
    },
    "ilias": {
        f"Blatt 3/Abgaben/Lund_Ada_ada_312/20260305180000_{FILE}": answered(),
        "Blatt 3/status.xlsx": b"",
        f"Blatt 3/Abgaben/Okri_Ben_b_okri_313/20260305180100_{FILE}": answered(mark="b"),
        "Blatt 3/Abgaben/Mueller-Schmidt_Aenne_aenne_314/20260305180100_work.ipynb": answered(mark="m"),
    },
    "google": {
        "Homework (File responses)/work - Ada Lund.ipynb": answered(),
        "Homework (File responses)/03 - final - Ben Okri.ipynb": answered(mark="b"),
        "Homework (File responses)/work - Änne Müller-Schmidt (1).ipynb": answered(mark="m"),
    },
    "canvas": {
        f"lundada_11_501_{FILE}": answered(),
        f"okriben_LATE_12_502_{FILE}": answered(mark="b"),
        f"王小明_14_503_{FILE}": answered(mark="x"),
        f"الحسنليلى_15_504_{FILE}": answered(mark="l"),
        "müllerschmidtänne_13_505_work.ipynb": answered(mark="m"),
    },
    "moodle": {
        f"Ada Lund_501_assignsubmission_file_/{FILE}": answered(),
        f"小明 王_502_assignsubmission_file_/{FILE}": answered(mark="x"),
        f"ليلى الحسن_503_assignsubmission_file_/{FILE}": answered(mark="l"),
        f"Änne Müller-Schmidt_504_assignsubmission_file_/sub/{FILE}": answered(mark="m"),
    },
    "github": {
        f"norm-submissions/norm-adal/{FILE}": answered(),
        f"norm-submissions/norm-ben-ok/{FILE}": answered(mark="b"),
        "norm-submissions/norm-ben-ok/README.md": b"",
        "norm-submissions/norm-ben-ok/.github/workflows/feedback.yml": b"",
    },
    "nbgrader": {f"submitted/ada/{TOPIC}/{FILE}": answered(), f"submitted/xm/{TOPIC}/{FILE}": answered(mark="x")},
}
WHO = {
    "blackboard": "ada b_okri xm",
    "brightspace": "ada b_okri xm aenne",
    "sakai": "ada b_okri aenne",
    "ilias": "ada b_okri aenne",
    "google": "ada b_okri aenne",
    "canvas": "ada b_okri xm layla aenne",
    "moodle": "ada xm layla aenne",
    "github": "ada b_okri",
    "nbgrader": "ada xm",
}


@pytest.mark.parametrize("wrapped", ["", "week 3/"], ids=["bare", "in a folder"])
@pytest.mark.parametrize("platform", ARCHIVES)
def test_everybody_is_found(tmp_path: Path, platform: str, wrapped: str) -> None:
    people = roster(tmp_path / "r.csv", PEOPLE)
    entries = {wrapped + name: body for name, body in ARCHIVES[platform].items()}
    outcome = collect(tmp_path / "class", packed(tmp_path / "download.zip", entries), "--roster", people)
    assert outcome.students == set(WHO[platform].split()) and outcome.code == 0
    listed = " ".join(row.file for row in outcome.rows)
    assert all(name in listed for name in entries)
    silent = {row.student for row in outcome.rows if row.fate == "– nothing came"}
    assert silent == {"ada", "b_okri", "aenne", "xm", "layla"} - set(WHO[platform].split())


def test_every_reader_has_an_archive_here() -> None:
    assert set(READERS) == {*ARCHIVES, "gradescope"}


@pytest.mark.parametrize("form", ["zip", "folder"])
def test_gradescope_says_who_in_a_file_beside(tmp_path: Path, form: str) -> None:
    people = roster(tmp_path / "r.csv", PEOPLE)
    entries = {f"assignment_7_export/submission_{number}/{FILE}": answered(mark=str(number)) for number in (101, 102, 103)}
    named = entries | {"assignment_7_export/submission_metadata.yml": METADATA.encode()}
    source = packed(tmp_path / "named.zip", named)
    if form == "folder":
        import zipfile

        source = tmp_path / "unpacked"
        zipfile.ZipFile(tmp_path / "named.zip").extractall(source)
    outcome = collect(tmp_path / "class", source, "--roster", people)
    assert outcome.students == {"ada", "b_okri", "xm"} and "submission_metadata.yml" in outcome.fate("submission_103")
    stamp = tmp_path / "class" / "submitted" / "xm" / TOPIC / "timestamp.txt"
    assert stamp.read_text(encoding="utf-8") == "2026-03-05 19:30:00 UTC"
    team = (tmp_path / "class" / "submitted" / "xm" / TOPIC / "team.txt").read_text(encoding="utf-8")
    assert team == (tmp_path / "class" / "submitted" / "b_okri" / TOPIC / "team.txt").read_text(encoding="utf-8")
    outcome = collect(tmp_path / "other", packed(tmp_path / "nobody.zip", entries), "--roster", people)
    assert not outcome.taken and outcome.text.count("keep submission_metadata.yml beside them") == 3


def test_metadata_that_a_student_packed_names_nobody(tmp_path: Path) -> None:
    forged = METADATA.replace("Ada Lund", "Ben Okri").replace("ada@", "ben@").encode()
    entries = {
        f"e/submission_101/{FILE}": answered(),
        "e/submission_101/submission_metadata.yml": forged,
        f"e/submission_101/submission_102/{FILE}": answered(mark="f"),
        "e/submission_metadata.yml": METADATA.split("submission_102")[0].encode(),
    }
    people = roster(tmp_path / "r.csv", PEOPLE)
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries), "--roster", people)
    assert outcome.students == {"ada"} and not outcome.of("b_okri")[0].file


def test_canvas_without_names(tmp_path: Path) -> None:
    people = roster(tmp_path / "r.csv", PEOPLE.replace("11,ada", "123,ada"))
    entries = {
        f"anon_123_501_{FILE}": empty(),
        f"anon_123_502_{TOPIC}-1.ipynb": answered(),
        f"anon_LATE_a1b2c_503_{FILE}": answered(),
    }
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries), "--roster", people)
    assert not outcome.taken and outcome.text.count("Canvas has left the names out") == 3
    outcome = collect(tmp_path / "other", packed(tmp_path / "a.zip", entries))
    assert not outcome.taken and outcome.text.count("Canvas has left the names out") == 3


def test_a_resubmission_counts_and_an_empty_one_does_not(tmp_path: Path) -> None:
    entries = {
        f"lundada_11_501_{FILE}": answered(mark="old"),
        f"lundada_11_509_{TOPIC}-1.ipynb": answered(mark="new"),
        f"lundada_11_510_{TOPIC}-2.ipynb": empty(),
    }
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries))
    assert list(outcome.taken) == [f"lundada_11_509_{TOPIC}-1.ipynb"]
    assert "is newer" in outcome.fate("_501_") and "no answer in it" in outcome.fate("_510_")


def test_times_of_the_platforms_own_count(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "course.toml").write_text('timezone = "+02:00"\n', encoding="utf-8")
    for platform in ("blackboard", "brightspace"):
        collect(tmp_path / "class", packed(tmp_path / f"{platform}.zip", ARCHIVES[platform]))
        stamps = {path.read_text(encoding="utf-8") for path in (tmp_path / "class").rglob("timestamp.txt")}
        assert "2026-03-05 16:00:00 UTC" in stamps


#: A few names of a platform among many of another, or at another depth: each refused, nobody else.
MIXED: dict[str, tuple[dict[str, bytes], str]] = {
    "moodle deeper": ({f"old/Eve Roe_9_assignsubmission_file_/{FILE}": answered()}, "names at two depths"),
    "canvas": ({f"roeeve_9_900_{FILE}": answered()}, "one of Canvas's"),
    "canvas deeper": ({f"more/roeeve_9_900_{FILE}": answered()}, "one of Canvas's"),
    "blackboard": ({f"HW_eve_attempt_2026-03-05-18-00-00_{FILE}": answered()}, "one of Blackboard's"),
    "nbgrader": ({f"eve/{TOPIC}/{FILE}": answered()}, "one of nbgrader's"),
    "plain": ({f"eve_{FILE}": answered()}, "not one that Moodle writes"),
}


@pytest.mark.parametrize("what", MIXED)
def test_names_of_another_kind_are_refused_with_a_sentence(tmp_path: Path, what: str) -> None:
    strays, words = MIXED[what]
    entries = {
        f"{name}_{number}_assignsubmission_file_/{FILE}": answered(mark=name)
        for number, name in enumerate(("Bo", "Cy", "Di"), 1)
    }
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries | strays))
    assert outcome.students == {"Bo", "Cy", "Di"} and words in outcome.fate(next(iter(strays)))


def test_many_files_of_one_student_outvote_nobody(tmp_path: Path) -> None:
    """A count of files would make Canvas of this, and let Eve hand in for everybody."""
    entries = {f"{who}/{FILE}": answered(mark=who) for who in ("ada", "bo", "cy")}
    entries |= {
        f"eve/{who}_{number}_{number}9_{FILE}": answered(mark="forged") for number, who in enumerate(("ada", "bo") * 30, 1)
    }
    for words in ([], ["--roster", roster(tmp_path / "r.csv", "student_id\nada\nbo\ncy\neve\n")]):
        home = tmp_path / f"class{len(words)}"
        outcome = collect(home, packed(tmp_path / "a.zip", entries), *words)
        for who in ("ada", "bo", "cy"):
            assert (home / "submitted" / who / TOPIC / FILE).read_bytes() == answered(mark=who)
        assert words or "Canvas names several people in eve" in outcome.text


def test_a_download_unpacked_among_other_folders_is_not_one_persons(tmp_path: Path) -> None:
    entries = {
        f"week3/{name}_{number}_10{number}_{FILE}": answered(mark=name) for number, name in enumerate(("adalu", "benok"), 1)
    }
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries | {f"cy/{FILE}": answered(mark="c")}))
    assert outcome.students == {"cy"} and outcome.text.count("one of Canvas's among others") == 2


def test_two_downloads_in_one_folder(tmp_path: Path) -> None:
    entries = {
        f"{group}/{name}_{number}_assignsubmission_file_/{FILE}": answered(mark=name)
        for group, number, name in (("A", 1, "Bo"), ("A", 2, "Cy"), ("B", 3, "Di"))
    }
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries))
    assert outcome.students == {"Bo", "Cy", "Di"}


def test_repositories_in_a_folder_of_another_name(tmp_path: Path) -> None:
    """Then only a roster can tell where the assignment's name ends."""
    entries = {
        f"norm-adal/{FILE}": answered(),
        f"norm-ben-ok/{FILE}": answered(mark="b"),
        f"norm-guest/{FILE}": answered(mark="g"),
    }
    people = roster(tmp_path / "r.csv", PEOPLE)
    outcome = collect(tmp_path / "class", packed(tmp_path / "download.zip", entries), "--layout", "github", "--roster", people)
    assert outcome.students == {"ada", "b_okri"} and "no student 'norm-guest'" in outcome.fate("norm-guest")


def test_a_whole_class_folder_gives_what_was_handed_in(tmp_path: Path) -> None:
    entries = {f"{folder}/ada/{TOPIC}/{FILE}": answered(mark=folder) for folder in ("submitted", "autograded")}
    entries[f"release/{TOPIC}/{FILE}"] = entries[f"source/{TOPIC}/{FILE}"] = empty()
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries))
    assert list(outcome.taken) == [f"submitted/ada/{TOPIC}/{FILE}"] and outcome.text.count("a copy of nbgrader's own") == 3
