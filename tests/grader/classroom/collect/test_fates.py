"""Every file has a fate, every student a line: what comes in odd forms, in copies, and under odd names."""

import bz2
import gzip
import lzma
import os
from pathlib import Path

import pytest

from grader.classroom.collect.contents import content_of
from tests.support.handed_in import FILE, TOPIC, answered, collect, empty, packed, roster, tarred, zipped

MOODLE = "{}_{}_assignsubmission_file_/{}"
#: What a student may hand in, and whether a notebook comes of it.
FORMS: dict[str, tuple[bytes, bool]] = {
    FILE: (answered(), True),
    f"{TOPIC}.IPYNB": (answered(), True),
    f"{FILE}.txt": (answered(), True),
    f"{FILE}.json": (answered(), True),
    f"{FILE}.txt.txt": (answered(), True),
    f"{TOPIC}.json": (answered(), True),
    f"{TOPIC}.txt": (answered(), True),
    TOPIC: (answered(), True),
    f"{TOPIC}.ipynb (1)": (answered(), True),
    "homework_07.03.2026": (answered(), True),
    "sixteen.ipynb": (answered().decode().encode("utf-16"), True),
    "bom.ipynb": (b"\xef\xbb\xbf" + answered(), True),
    f"{FILE}.gz": (gzip.compress(answered()), True),
    f"{FILE}.bz2": (bz2.compress(answered()), True),
    f"{FILE}.xz": (lzma.compress(answered()), True),
    "work.gz": (tarred({f"a/{FILE}": answered()}, "w:gz"), True),
    "work.tar.bz2": (tarred({f"a/{FILE}": answered()}, "w:bz2"), True),
    "work.tbz2": (tarred({f"a/{FILE}": answered()}, "w:bz2"), True),
    "work.ZIP": (zipped({f"a/b/c/{FILE}.txt": answered()}), True),
    "both.zip": (zipped({f"{FILE}": answered(), "helper.png": b"\x89PNG"}), True),
    "empty.zip": (zipped({}), False),
    "mac.zip": (zipped({f"__MACOSX/._{FILE}": b"\0"}), False),
    "checkpoint.zip": (zipped({f".ipynb_checkpoints/{TOPIC}-checkpoint.ipynb": answered()}), False),
    "deep.zip": (zipped({"in.zip": zipped({FILE: answered()})}), False),
    "print.zip": (zipped({f"{TOPIC}.pdf": b"%PDF"}), False),
    "picture.zip": (zipped({"screen.png": b"\x89PNG"}), False),
    "broken.zip": (zipped({FILE: answered()})[:-40], False),
    "script.py": (b"x = 1", False),
    f"{FILE}.pdf": (b"%PDF", False),
    f"{TOPIC}.html": (b"<html>", False),
    "work.7z": (b"7z\xbc\xaf", False),
    "work.rar": (b"Rar!", False),
    f"{TOPIC}.gdoc": (b'{"url": ""}', False),
    f"{FILE}.crdownload": (answered()[:50], False),
    "letter.docx": (b"PK", False),
    "photo.heic": (b"\0", False),
    "data.json": (b'{"a": 1}', False),
    "note.txt": (b"I could not do it", False),
    "nothing": (b"", False),
    "void.ipynb": (b"", False),
    "picture.ipynb": (b"\x89PNG\r\n", False),
}


@pytest.mark.parametrize("layout", ["moodle", "canvas", "plain"])
def test_every_form_has_a_fate(tmp_path: Path, layout: str) -> None:
    """Each from a student of their own, and a last one of whom nothing comes."""
    kinds = {"moodle": MOODLE, "canvas": "{0}_{1}_9{1}_{2}", "plain": "{0}/{2}"}
    who = {file: f"s{chr(97 + number // 26)}{chr(97 + number % 26)}" for number, file in enumerate(FORMS)}
    entries = {
        kinds[layout].format(who[file], 10 + number, file): body for number, (file, (body, _)) in enumerate(FORMS.items())
    }
    people = roster(tmp_path / "r.csv", "\n".join(["student_id", *who.values(), "silent"]))
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries), "--roster", people)
    for file, (_, is_taken) in FORMS.items():
        rows = outcome.of(who[file])
        assert rows and any(row.fate.startswith("✔") for row in rows) == is_taken, (file, rows)
        if not is_taken:
            assert all(row.fate.startswith("✘ not collected: ") and len(row.fate) > 30 for row in rows) or file in (
                "mac.zip",
                "empty.zip",
            ), (file, rows)
    assert outcome.of("silent")[0].fate == "– nothing came" and outcome.code == 3
    assert "passed over (__MACOSX)" in outcome.text


def test_all_taken_is_0(tmp_path: Path) -> None:
    entries = {
        f"ada/{FILE}": answered(),
        "ada/plot.png": b"\x89PNG",
        "ada/README.md": b"",
        "ada/.ipynb_checkpoints/x.ipynb": empty(),
    }
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries))
    assert outcome.code == 0 and outcome.students == {"ada"}
    (beside,) = [row for row in outcome.rows if "not needed" in row.fate]
    assert all(name in beside.file for name in ("plot.png", "README.md", "x.ipynb"))


@pytest.mark.parametrize("form", ["zip", "tar", "folder"])
def test_empty_folders_are_seen(tmp_path: Path, form: str) -> None:
    import io
    import tarfile
    import zipfile

    people = roster(tmp_path / "r.csv", "student_id\nada\nbo\n")
    source = tmp_path / {"zip": "a.zip", "tar": "a.tar", "folder": "in"}[form]
    if form == "folder":
        (source / "bo" / "03").mkdir(parents=True)
        (source / "ada").mkdir()
        (source / "ada" / FILE).write_bytes(answered())
    elif form == "zip":
        with zipfile.ZipFile(source, "w") as archive:
            archive.writestr(f"ada/{FILE}", answered())
            archive.writestr("bo/", b"")
    else:
        with tarfile.open(source, "w") as archive:
            member = tarfile.TarInfo(f"ada/{FILE}")
            member.size = len(answered())
            archive.addfile(member, io.BytesIO(answered()))
            folder = tarfile.TarInfo("bo")
            folder.type = tarfile.DIRTYPE
            archive.addfile(folder)
    outcome = collect(tmp_path / "class", source, "--roster", people)
    assert outcome.students == {"ada"} and "the folder is empty" in outcome.of("bo")[0].fate


def test_a_linked_folder_is_seen(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada").mkdir()
    (tmp_path / "in" / "ada" / FILE).write_bytes(answered())
    (tmp_path / "in" / "bo").symlink_to(tmp_path / "in" / "ada")
    outcome = collect(tmp_path / "class", tmp_path / "in")
    assert outcome.students == {"ada"} and "it is a link, not a folder" in outcome.text


def test_what_is_printed_is_one_line_of_printable_text(tmp_path: Path) -> None:
    entries = {
        f"a\u202eda\x1b[31m\x07_1_10_{FILE}": answered(),
        f"bo\n✔ collected_2_11_{FILE}": answered(mark="b"),
        "cy_3_12_x\x1b]0;t\x07.pdf": b"%PDF",
    }
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries))
    assert all(line.isprintable() for line in outcome.text.splitlines()) and len([row for row in outcome.rows if row.file]) == 3


def test_an_empty_file_replaces_nothing(tmp_path: Path) -> None:
    home = tmp_path / "class"
    source = packed(tmp_path / "1.zip", {f"ada_1_10_{FILE}": answered()})
    collect(home, source)
    outcome = collect(home, packed(tmp_path / "2.zip", {f"ada_1_20_{FILE}": empty()}))
    assert "no answer in it; the submission that is there holds some" in outcome.fate("_20_") and outcome.code == 0
    assert (home / "submitted" / "ada" / TOPIC / FILE).read_bytes() == answered()
    outcome = collect(home, packed(tmp_path / "3.zip", {f"ada_1_30_{FILE}": answered(mark="3")}))
    kept = home / outcome.fate("_30_").rpartition("the earlier one is in ")[2]
    assert kept.read_bytes() == answered() and (home / "submitted" / "ada" / TOPIC / FILE).read_bytes() == answered(mark="3")


def test_an_answered_file_replaces_an_empty_one_whatever_their_times(tmp_path: Path) -> None:
    home = tmp_path / "class"
    collect(
        home, packed(tmp_path / "1.zip", {f"ada/{FILE}": empty()}, **{f"ada/{FILE}": (2026, 3, 9, 12, 0, 0)}), "--file-times"
    )
    outcome = collect(home, packed(tmp_path / "2.zip", {f"ada/{FILE}": answered()}), "--file-times")
    assert outcome.students == {"ada"} and "the earlier one is in earlier/ada/" in outcome.text
    assert (home / "submitted" / "ada" / TOPIC / FILE).read_bytes() == answered()


def test_a_wrong_name_takes_nobodys_place(tmp_path: Path) -> None:
    """A copy of last week's notebook, handed in again by mistake under this week's name."""
    home = tmp_path / "class"
    collect(home, packed(tmp_path / "1.zip", {"ada_1_10_04_nplm.ipynb": answered("04_nplm")}))
    outcome = collect(home, packed(tmp_path / "2.zip", {f"ada_1_20_{FILE}": answered("04_nplm", "again")}))
    assert "its cells are of 04_nplm, of which a submission is there already" in outcome.fate("_20_") and outcome.code == 3
    assert (home / "submitted" / "ada" / "04_nplm" / "04_nplm.ipynb").read_bytes() == answered("04_nplm")


def test_of_equals_it_is_said_that_nothing_tells(tmp_path: Path) -> None:
    entries = {f"ada/a_{FILE}": answered(mark="a"), f"ada/b_{FILE}": answered(), f"bo/{FILE}": answered(mark="bo")}
    people = roster(tmp_path / "r.csv", "student_id\nada\nbo\n")
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries), "--roster", people)
    assert len(outcome.taken) == 2 and "nothing says which is the newest" in outcome.text


def test_a_folder_of_many_is_not_one_persons(tmp_path: Path) -> None:
    entries = {
        f"{folder}/{who}_03.ipynb": answered(mark=who) for folder, who in (("A", "ada"), ("A", "bo"), ("B", "cy"), ("B", "di"))
    }
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries))
    assert not outcome.taken and outcome.text.count("the work of several people") == 4
    for folder in ("A", "B"):
        inside = {name.partition("/")[2]: body for name, body in entries.items() if name.startswith(folder)}
        outcome = collect(tmp_path / "class", packed(tmp_path / f"{folder}.zip", inside))
        assert len(outcome.students) == 2
    weeks = {f"week 0{number}/{who}.ipynb": answered(mark=who) for number, who in ((3, "ada"), (3, "bo"), (4, "cy"))}
    assert collect(tmp_path / "weeks", packed(tmp_path / "w.zip", weeks)).students == {"ada", "bo", "cy"}


@pytest.mark.parametrize("names", ["{}_{}_assignsubmission_file_/", "{}_{}_99{}_"])
def test_a_download_packed_in_another_is_not_one_persons(tmp_path: Path, names: str) -> None:
    inside = {names.format(who, number, number) + FILE: answered(mark=who) for number, who in enumerate(("ada", "bo"), 1)}
    outcome = collect(
        tmp_path / "class", packed(tmp_path / "a.zip", {"moodle_hw.zip": zipped(inside), f"cy/{FILE}": answered()})
    )
    assert outcome.students == {"cy"} and outcome.text.count("give that archive by itself") == 2


def test_which_notebook_the_cells_say(tmp_path: Path) -> None:
    import nbformat

    notebook = nbformat.reads(answered("04_nplm").decode(), as_version=4)
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)
    bare = nbformat.writes(notebook).encode()
    assert content_of(bare).topics == content_of(answered("04_nplm")).topics == ("04_nplm",)
    assert content_of(bare).answered == {"04_nplm"} and not content_of(empty()).answered
    shared = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell("mine", metadata={"nbgrader": {"grade_id": "reflection-answer"}})]
    )
    assert content_of(nbformat.writes(shared).encode()).topics == ()
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", {f"ada_1_10_{FILE}": bare}))
    assert [row.topic for row in outcome.rows] == ["04_nplm"]


@pytest.mark.parametrize(
    "source",
    [
        "def renorm_rows(weight, max_norm)\n    return weight",
        "renorm_rows = lambda *a: a[0]",
        "x = (1",
        "def renorm_row(w):\n    return w",
        "def renorm_rows(w):\n    y = 1\n    raise NotImplementedError()",
    ],
)
def test_an_attempt_is_no_empty_file(source: str) -> None:
    import nbformat

    notebook = nbformat.reads(empty().decode(), as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "03-renorm_rows":
            cell.source = source
    assert content_of(nbformat.writes(notebook).encode()).answered == {TOPIC}


def test_a_written_answer_is_an_answer() -> None:
    import nbformat

    notebook = nbformat.reads(empty().decode(), as_version=4)
    for cell in notebook.cells:
        if cell.source.strip() == "YOUR ANSWER HERE":
            cell.source = "Because clipping writes."
    assert content_of(nbformat.writes(notebook).encode()).answered == {TOPIC}


@pytest.mark.parametrize("inner", ["zip", "tar"])
def test_what_lies_inside_may_name_a_notebook_and_nobody(tmp_path: Path, inner: str) -> None:
    names = {f"bo/{TOPIC}/{FILE}": answered(mark="f"), "bo_04.ipynb": answered("04_nplm", "f")}
    body = zipped(names) if inner == "zip" else tarred(names, "w:gz")
    entries = {
        f"bo/{FILE}": answered(),
        f"eve/bo.{'zip' if inner == 'zip' else 'tgz'}": body,
        f"eve/bo/{FILE}": answered(mark="g"),
    }
    for words in ([], ["--roster", roster(tmp_path / "r.csv", "student_id\nbo\neve\n")]):
        home = tmp_path / f"class{len(words)}"
        collect(home, packed(tmp_path / "a.zip", entries), *words)
        assert (home / "submitted" / "bo" / TOPIC / FILE).read_bytes() == answered()
        assert not (home / "submitted" / "bo" / "04_nplm").exists()


def test_a_guests_folder_names_nobody_of_the_class(tmp_path: Path) -> None:
    people = roster(tmp_path / "r.csv", "student_id\nbo\ncy\n")
    entries = {f"bo/{FILE}": answered(), f"guest/cy/{FILE}": answered(mark="f"), "guest/cy_03.ipynb": answered(mark="g")}
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries), "--roster", people)
    assert (
        outcome.students == {"bo"}
        and "two depths" in outcome.fate("guest/cy/")
        and "no student 'guest'" in outcome.fate("cy_03")
    )
    entries = {f"week 3/bo/{FILE}": answered(), f"week 4/cy/{FILE}": answered(mark="c"), "notes.txt": b""}
    assert collect(tmp_path / "weeks", packed(tmp_path / "b.zip", entries), "--roster", people).students == {"bo", "cy"}


@pytest.mark.parametrize("with_table", [True, False])
def test_two_of_one_name_are_told_by_the_platforms_number(tmp_path: Path, with_table: bool) -> None:
    people = roster(
        tmp_path / "r.csv", "First name,Last name,ID number,Email address\nAda,Lund,s1,a1@x.org\nAda,Lund,s2,a2@x.org\n"
    )
    sheet = roster(
        tmp_path / "w.csv",
        (
            "Identifier,Full name,Email address,Last modified (submission)\n"
            "Participant 71,Ada Lund,a1@x.org,2026-03-05 18:00\nParticipant 72,Ada Lund,a2@x.org,2026-03-05 19:00\n"
        ),
    )
    entries = {MOODLE.format("Ada Lund", number, FILE): answered(mark=str(number)) for number in (71, 72)}
    words = ["--times", sheet] if with_table else []
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries), "--roster", people, *words)
    if not with_table:
        assert (
            not outcome.taken and outcome.text.count("may be s1 or s2; the grading worksheet with its numbers (--times)") == 2
        )
        return
    for student, number, time in (("s1", "71", "18:00"), ("s2", "72", "19:00")):
        folder = tmp_path / "class" / "submitted" / student / TOPIC
        assert (folder / FILE).read_bytes() == answered(mark=number) and time in (folder / "timestamp.txt").read_text("utf-8")


def test_nothing_writable_is_left_by_a_dry_run(tmp_path: Path) -> None:
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", {f"ada/{FILE}": answered(), "bo.pdf": b""}), "--dry-run")
    assert outcome.code == 3 and not os.path.lexists(tmp_path / "class")
