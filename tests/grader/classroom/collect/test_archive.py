"""Archives as Moodle, Canvas and GitHub Classroom give them, and archives that nobody honest makes."""

import io
import stat
import zipfile
from pathlib import Path

import nbformat
import pytest

from tests.support.classes import blank
from tests.support.handed_in import BODY, FILE, LAYOUTS, STUDENTS, TOPIC, collected, other, packed, there


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("form", ["zip", "folder"])
def test_layouts_are_recognised(tmp_path: Path, layout: str, form: str) -> None:
    home = tmp_path / "class"
    source = packed(tmp_path / "download.zip", LAYOUTS[layout])
    if form == "folder":
        source = tmp_path / "download"
        zipfile.ZipFile(tmp_path / "download.zip").extractall(source)
    output = collected(home, source, "--dry-run")
    assert not home.exists() and "Would collect" in output
    collected(home, source)
    files = there(home)
    assert {name.split("/")[0] for name in files} == STUDENTS[layout]
    assert all(body == BODY for name, body in files.items() if name.endswith(f"/{TOPIC}/{FILE}"))
    if layout == "nbgrader":
        assert files[f"ada/{TOPIC}/timestamp.txt"] == b"2026-03-01 10:00:00 UTC"
    if layout == "canvas":
        assert "late, says Canvas" in output
    assert f"{len(STUDENTS[layout])} were there already" in collected(home, source)


def test_nothing_is_lost_when_a_student_hands_in_again(tmp_path: Path) -> None:
    home = tmp_path / "class"
    first, second, third = BODY, other("b"), other("cc")
    collected(
        home,
        packed(
            tmp_path / "1.zip",
            {f"submitted/ada/{TOPIC}/{FILE}": first, f"submitted/ada/{TOPIC}/timestamp.txt": b"2026-03-01 10:00:00 UTC"},
        ),
    )
    output = collected(
        home,
        packed(tmp_path / "2.zip", {f"lo_1_10_{FILE}": b"", f"ada_1_11_{FILE}": second, f"ada_1_12_{TOPIC}-1.ipynb": third}),
    )
    assert "the newest of 2" in output and "two submissions" in output
    assert there(home)[f"ada/{TOPIC}/{FILE}"] == third
    assert f"ada/{TOPIC}/timestamp.txt" not in there(home), "that was the time of the other file"
    kept = sorted((home / "earlier" / "ada" / TOPIC).glob("*"))
    assert {path.read_bytes() for path in kept if path.suffix == ".ipynb"} == {first, second}
    assert [path.read_bytes() for path in kept if path.suffix == ".txt"] == [b"2026-03-01 10:00:00 UTC"]
    old = {f"submitted/ada/{TOPIC}/{FILE}": first, f"submitted/ada/{TOPIC}/timestamp.txt": b"2026-03-01 10:00:00 UTC"}
    (home / "submitted" / "ada" / TOPIC / "timestamp.txt").write_text("2026-03-05 10:00:00 UTC", encoding="utf-8")
    assert "is newer" in collected(home, packed(tmp_path / "3.zip", old))
    assert there(home)[f"ada/{TOPIC}/{FILE}"] == third


def test_a_roster_names_students_and_keeps_strangers_out(tmp_path: Path) -> None:
    home = tmp_path / "class"
    home.mkdir()
    (home / "roster.csv").write_text(
        '\ufeffStudent,ID,SIS User ID,SIS Login ID,Section\n"    Points Possible",,,,\n"Lovelace, Ada",12,S-1,ada,A\n'
        '"小明, 王",13,S-2,xiaoming,A\n"Student, Test",99,,test,A\n',
        encoding="utf-8",
    )
    (home / "course.toml").write_text(f'roster = "roster.csv"\nnotebooks = ["{TOPIC[:2]}"]\n', encoding="utf-8")
    output = collected(
        home,
        packed(
            tmp_path / "c.zip",
            {
                f"lovelaceada_12_500_{FILE}": BODY,
                f"小明王_LATE_13_501_{FILE}": BODY,
                f"lovelaceadam_14_502_{FILE}": BODY,
                "lovelaceada_12_503_02_gradients.ipynb": nbformat.writes(blank("02_gradients")).encode("utf-8"),
            },
        ),
    )
    assert set(there(home)) == {f"ada/{TOPIC}/{FILE}", f"xiaoming/{TOPIC}/{FILE}"}
    assert "there is no student 'lovelaceadam' in the roster" in output
    assert "its cells are of 02_gradients, which is not a notebook of this class" in output
    collected(home, packed(tmp_path / "m.zip", {f"Ada Lovelace_777_assignsubmission_file_/{FILE}": other("x")}))
    assert there(home)[f"ada/{TOPIC}/{FILE}"] == other("x")


def test_times_from_a_grading_worksheet(tmp_path: Path) -> None:
    home = tmp_path / "class"
    home.mkdir()
    (home / "course.toml").write_text('timezone = "Asia/Kathmandu"\n', encoding="utf-8")
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(
        'Identifier,Full name,Email address,Status,Grade,"Last modified (submission)"\n'
        'Participant 5,Ada Lovelace,ada@x.org,Submitted,,"Wednesday, 10 June 2026, 2:15 PM"\n'
        "Participant 6,Bo Li,b@x.org,No,,-\n",
        encoding="utf-8",
    )
    archive = packed(
        tmp_path / "m.zip",
        {f"Ada Lovelace_5_assignsubmission_file_/{FILE}": BODY, f"Bo Li_6_assignsubmission_file_/{FILE}": BODY},
    )
    collected(home, archive, "--times", str(sheet))
    assert there(home)[f"Ada_Lovelace/{TOPIC}/timestamp.txt"] == b"2026-06-10 08:30:00 UTC"
    assert f"Bo_Li/{TOPIC}/timestamp.txt" not in there(home)
    collected(home, archive, "--file-times")
    assert there(home)[f"Bo_Li/{TOPIC}/timestamp.txt"] == b"2026-03-01 06:15:00 UTC"


def test_how_many_are_late_without_a_time_is_said(tmp_path: Path) -> None:
    home = tmp_path / "class"
    archive = packed(
        tmp_path / "c.zip",
        {
            f"ada_LATE_1_10_{FILE}": other("old"),
            f"ada_LATE_1_11_{FILE}": BODY,
            f"bo_LATE_2_12_{FILE}": BODY,
            f"cy_3_13_{FILE}": BODY,
        },
    )
    output = collected(home, archive)
    assert "2 submissions are late, says Canvas" in output and output.count("with --times") == 1
    (tmp_path / "t.csv").write_text("student_id,timestamp\nada,2026-03-02 10:00\n", encoding="utf-8")
    assert "1 submission is late, says Canvas" in collected(home, archive, "--times", str(tmp_path / "t.csv"))
    (tmp_path / "t.csv").write_text("student_id,timestamp\nada,2026-03-02\nbo,2026-03-03\n", encoding="utf-8")
    assert "LATE_ in the name" not in collected(home, archive, "--times", str(tmp_path / "t.csv"))


def test_hostile_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "class"
    monkeypatch.setattr("grader.classroom.collect.bounds.MAX_NOTEBOOK_BYTES", 5 * 2**20)
    link = zipfile.ZipInfo(f"eve_{TOPIC}.ipynb")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    path = tmp_path / "bad.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr(f"../../../mallory/{FILE}", BODY)
        archive.writestr(f"/absolute/{FILE}", BODY)
        archive.writestr(f"bomb/{FILE}", b"\0" * 20 * 2**20)
        archive.writestr(f"{'n' * 3000}/{FILE}", BODY)
        archive.writestr(f"ada/{FILE}", BODY)
        archive.writestr(f"ADA/{FILE}", other("x"))
        archive.writestr(f"__MACOSX/bo/._{FILE}", b"\0")
        archive.writestr("inner.zip", packed(tmp_path / "inner.zip", {f"cy/{FILE}": BODY}).read_bytes())
        archive.writestr("broken.zip", b"PK\x03\x04 no zip")
    output = collected(home, path)
    assert "it is a link" in output and "leads out of the archive" in output and "more than 5 MB" in output
    assert "cannot be the name of a student's folder" in output and "nobody can tell 'ADA' from 'ada'" in output
    assert "cannot be read" in output
    names = {name.split("/")[0] for name in there(home)}
    assert names == {"absolute", "inner"}
    assert {path.name for path in tmp_path.iterdir()} == {"class", "bad.zip", "inner.zip", "state"} - (
        set() if (tmp_path / "state").exists() else {"state"}
    )


def test_names_from_an_old_chinese_archive(tmp_path: Path) -> None:
    path = tmp_path / "gbk.zip"
    name = f"王小明/{FILE}"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("X" * len(name.encode("gbk")), BODY)
    path.write_bytes(path.read_bytes().replace(b"X" * len(name.encode("gbk")), name.encode("gbk")))
    collected(tmp_path / "class", path)
    assert set(there(tmp_path / "class")) == {f"王小明/{TOPIC}/{FILE}"}


def test_archives_that_cannot_be_read(tmp_path: Path) -> None:
    home = tmp_path / "class"
    (tmp_path / "text.zip").write_bytes(b"no zip at all")
    assert "is no zip file" in collected(home, tmp_path / "text.zip", code=2)
    assert "There is no" in collected(home, tmp_path / "absent.zip", code=2)
    assert "There is no file in" in collected(home, packed(tmp_path / "empty.zip", {}), code=2)
    assert "it is no notebook" in collected(home, packed(tmp_path / "text.zip", {"a.txt": b""}), code=3)
    whole = packed(tmp_path / "cut.zip", {f"ada/{FILE}": BODY}).read_bytes()
    damaged = bytearray(whole)
    damaged[200:260] = bytes(60)
    (tmp_path / "cut.zip").write_bytes(bytes(damaged))
    assert "damaged" in collected(home, tmp_path / "cut.zip", code=3)
    assert not (home / "submitted").exists()
    packed(
        tmp_path / "who.zip",
        {f"Ada L_1_assignsubmission_file_/{FILE}": BODY, f"Ada L_2_assignsubmission_file_/{FILE}": other("x")},
    )
    assert "several people have this name" in collected(home, tmp_path / "who.zip", code=3)
    buffer = io.BytesIO(b"student,mail\n")
    (tmp_path / "r.csv").write_bytes(buffer.getvalue())
    output = collected(home, tmp_path / "who.zip", "--roster", str(tmp_path / "r.csv"), code=2)
    assert output.strip() == "r.csv: it lists no students."


def test_a_progress_file_stays_with_the_notebook_beside_it(tmp_path: Path) -> None:
    """Where a folder is one student's; elsewhere nothing says whose it is."""
    mine, inner = b'{"tries": {"03.renorm_rows": 3}}', io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr(FILE, BODY)
        archive.writestr(".embedding_course/progress.json", mine)
    packed(
        tmp_path / "in.zip",
        {
            f"Ada Lovelace_1_assignsubmission_file_/{FILE}": BODY,
            "Ada Lovelace_1_assignsubmission_file_/progress.json": mine,
            "Bo Ek_2_assignsubmission_file_/work.zip": inner.getvalue(),
            f"Cy Ny_3_assignsubmission_file_/{FILE}": BODY,
            "Di Oh_4_assignsubmission_file_/progress.json": mine,
            "progress.json": mine,
        },
    )
    output = collected(tmp_path / "class", tmp_path / "in.zip")
    assert "2 came with a progress file" in output and "Collected 3" in output
    files = {name: body for name, body in there(tmp_path / "class").items() if name.endswith("progress.json")}
    assert files == {f"Ada_Lovelace/{TOPIC}/progress.json": mine, f"Bo_Ek/{TOPIC}/progress.json": mine}


def test_a_file_with_a_regrade_request_stays_with_the_notebook(tmp_path: Path) -> None:
    request = "Regrade request 03.renorm_rows: see line 3".encode("utf-8-sig")
    packed(
        tmp_path / "in.zip",
        {
            f"Ada Lovelace_1_assignsubmission_file_/{FILE}": BODY,
            "Ada Lovelace_1_assignsubmission_file_/Regrade_Request.txt": request,
        },
    )
    assert "1 came with a regrade request" in collected(tmp_path / "class", tmp_path / "in.zip")
    assert there(tmp_path / "class")[f"Ada_Lovelace/{TOPIC}/regrade_request.txt"] == request


def test_a_progress_file_among_the_work_of_several_people_is_nobodys(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    for name, body in {"ada_03.ipynb": BODY, "bo_03.ipynb": BODY, "progress.json": b"{}"}.items():
        (source / name).write_bytes(body)
    (source / "cy").mkdir()
    (source / "cy" / FILE).write_bytes(BODY)
    (source / "cy" / "progress.json").write_bytes(b"x" * (2**20 + 1))
    collected(tmp_path / "class", source)
    assert not [name for name in there(tmp_path / "class") if name.endswith("progress.json")]
