"""What people and programs put into submitted/: each becomes one sentence, none stops the class, none leads elsewhere."""

import gzip
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.cli import app
from grader.engine.fork_server import Learners
from grader.marking.grade_class import grade_class
from grader.report.class_page import write_report
from grader.submission.read import MAX_NOTEBOOK_BYTES
from tests.support.classes import TOPIC, hand_in, perfect
from tests.support.faults import QUICK

NAME = f"{TOPIC}.ipynb"


def _empty(folder: Path) -> None:
    (folder / NAME).touch()


def _huge(folder: Path) -> None:
    with (folder / NAME).open("wb") as file:  # a hole: it takes no room on disk
        file.truncate(6 * MAX_NOTEBOOK_BYTES)


def _bomb(folder: Path) -> None:
    (folder / NAME).write_bytes(gzip.compress(bytes(MAX_NOTEBOOK_BYTES)))


def _archive(folder: Path) -> None:
    with zipfile.ZipFile(folder / "work.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"../../other/{TOPIC}/{NAME}", "{}")


def _deep(folder: Path) -> None:
    (folder / NAME).write_text("[" * 200_000, encoding="utf-8")


def _link(folder: Path) -> None:
    (folder / NAME).symlink_to(folder.parent.parent / "ada" / TOPIC / NAME)


def _cycle(folder: Path) -> None:
    (folder / NAME).symlink_to(folder / NAME)


def _pipe(folder: Path) -> None:
    os.mkfifo(folder / NAME)


def _folder(folder: Path) -> None:
    (folder / NAME).mkdir()


def _wide(folder: Path) -> None:
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": 7}] * 50_000
    body = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (folder / NAME).write_text(json.dumps(body), encoding="utf-8")


WRECKS: dict[Callable[[Path], None], str] = {
    _empty: "empty",
    _huge: "300 MB",
    _bomb: "not text",
    _archive: "there is no",
    _deep: "not a notebook",
    _link: "is a link",
    _cycle: "is a link",
    _pipe: "",
    _folder: "",
    _wide: "50,000 cells",
}


def test_every_wreck_is_one_sentence_and_the_class_goes_on(tmp_path: Path, learners: Learners) -> None:
    hand_in(tmp_path, "ada", perfect())
    for wreck in WRECKS:
        folder = tmp_path / "submitted" / wreck.__name__ / TOPIC
        folder.mkdir(parents=True)
        wreck(folder)
    done = {graded.record.student: graded.record for graded in grade_class(Classroom(tmp_path), [TOPIC], QUICK, learners)}
    assert done["ada"].status == "graded" and done["ada"].score == done["ada"].max_score
    for wreck, reason in WRECKS.items():
        record = done[wreck.__name__]
        assert record.status == "unreadable" and reason in record.reason, f"{wreck.__name__}: {record.reason}"
        assert "\n" not in record.reason and len(record.reason) < 200


def test_names_of_folders_that_fit_nowhere_are_one_sentence_each(tmp_path: Path, learners: Learners) -> None:
    """Bytes that are no text, signs that steer terminals, names as long as the file system allows: the others are graded."""
    good = ["ada", "n" * 200, "学" * 60]
    for name in [*good, "n" * 255, "n" * 230, "new\nline", "esc\x1b[31m", "turn\u202eround", os.fsdecode(b"\xff\xfe")]:
        hand_in(tmp_path, name, perfect())
    done = [graded.record for graded in grade_class(Classroom(tmp_path), [TOPIC], QUICK, learners)]
    assert {record.student for record in done if record.status == "graded"} == {*good}
    odd = [record for record in done if record.status != "graded"]
    assert len(odd) == 6 and all("rename it" in record.reason and record.student.isprintable() for record in odd)
    write_report(tmp_path)
    outcome = CliRunner().invoke(app, ["grade", TOPIC[:2], "--class", str(tmp_path)])
    assert outcome.exit_code == 0 and outcome.output.count("rename it") == 6 and "\x1b" not in outcome.output


def test_folders_that_lead_elsewhere_are_not_read(tmp_path: Path) -> None:
    path = hand_in(tmp_path, "ada", perfect())
    (tmp_path / "submitted" / "eve").mkdir()
    (tmp_path / "submitted" / "eve" / TOPIC).symlink_to(path.parent)
    (tmp_path / "submitted" / "mallory").symlink_to(path.parent.parent)
    (tmp_path / "submitted" / "..trailing..").mkdir()
    missing_by_student = {submission.student: submission.missing() for submission in Classroom(tmp_path).submissions([TOPIC])}
    assert missing_by_student == {
        "ada": "",
        "eve": f"{TOPIC} is a link; hand in the file itself",
        "mallory": "mallory is a link; hand in the file itself",
    }


@pytest.mark.slow
def test_a_full_disk_is_said_and_what_is_graded_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learners: Learners
) -> None:
    import errno

    from typer.testing import CliRunner

    from grader.classroom import records
    from grader.cli import app

    hand_in(tmp_path, "ada", perfect())
    hand_in(tmp_path, "bob", perfect())
    real, written = records.save, []

    def save(home: Path, record: GradeRecord, earlier: GradeRecord | None) -> None:
        if written:
            raise OSError(errno.ENOSPC, "No space left on device", str(home / "results"))
        written.append(record)
        real(home, record, earlier)

    monkeypatch.setattr(records, "save", save)
    words = ["grade", TOPIC[:2], "--class", str(tmp_path), "--workers", "1"]
    outcome = CliRunner().invoke(app, words, obj=learners)
    assert outcome.exit_code == 2 and "disk is full" in outcome.output
    monkeypatch.undo()
    done = [graded.record.student for graded in grade_class(Classroom(tmp_path), [TOPIC], QUICK, learners)]
    assert len(done) == 1 and done[0] != written[0].student


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere: shown by a locked gradebook instead")
def test_a_read_only_gradebook_keeps_results_for_the_next_run(tmp_path: Path, learners: Learners) -> None:
    hand_in(tmp_path, "ada", perfect())
    list(grade_class(Classroom(tmp_path), [TOPIC], QUICK, learners))
    (tmp_path / "gradebook.db").chmod(0o400)
    hand_in(tmp_path, "bob", perfect())
    (graded,) = grade_class(Classroom(tmp_path), [TOPIC], QUICK, learners)
    assert not graded.record.stored and "cannot be written" in graded.record.reason
    (tmp_path / "gradebook.db").chmod(0o600)
    list(grade_class(Classroom(tmp_path), [TOPIC], QUICK, learners))
    assert records_stored(tmp_path)


def records_stored(home: Path) -> bool:
    from grader.classroom import records

    return all(record.stored for record in records.load_all(home))
